//! The logs of `corpora/logs`, each in the format that its name says.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use crate::corpus::format::{Format, Layout, LayoutOptions};

/// A log whose format can be read in this build.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) bytes: Vec<u8>,
}

/// Those whose names do not say their formats.
const OTHERS: [(&str, Format); 9] = [
    ("traefik.log", Format::Combined),
    ("cloudfront.log", Format::W3c),
    ("places.geojson", Format::Json),
    ("records.arc", Format::Warc),
    ("feed.rss", Format::Xml),
    ("guide.md", Format::Markdown),
    ("letter.eml", Format::Mail),
    ("inbox.mbox", Format::Mail),
    ("guide.adoc", Format::Asciidoc),
];

/// All of them, in the order of their names: those with a format's name before or after the dot, and a few
/// others.
pub(super) static SAMPLES: LazyLock<Vec<Sample>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpora/logs");
    let mut samples: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let format =
                format_of(&name).filter(|&format| Layout::new(format, &LayoutOptions::default()).is_ok())?;
            Some(Sample { name, format, bytes: fs::read(path).unwrap() })
        })
        .collect();
    samples.sort_by(|one, other| one.name.cmp(&other.name));
    samples
});

fn format_of(name: &str) -> Option<Format> {
    let other = OTHERS.iter().find(|(other, _)| *other == name).map(|&(_, format)| format);
    other.or_else(|| name.rsplit('.').find_map(|word| word.parse().ok()))
}

/// Whether a line of the format holds a record at most.
pub(super) fn has_a_record_a_line(format: Format) -> bool {
    !matches!(
        format,
        Format::Warc
            | Format::Wat
            | Format::Har
            | Format::Json
            | Format::Html
            | Format::Markdown
            | Format::Asciidoc
            | Format::Rst
            | Format::Mdx
            | Format::Quarto
            | Format::Xml
            | Format::Nt
            | Format::Mail
    )
}

/// A format without a log would not be tried.
#[test]
fn every_format_has_a_sample() {
    for &format in Format::ALL {
        // A list is no log; these have no fields of their own; and pages of text are read as HTML.
        let needs_none = matches!(format, Format::Lines | Format::Delimited | Format::Regex | Format::Text);
        let is_read = Layout::new(format, &LayoutOptions::default()).is_ok();
        let has_one = SAMPLES.iter().any(|sample| sample.format == format);
        assert!(has_one || needs_none || !is_read, "corpora/logs has no {format}");
    }
}
