//! The format that the extension of a file's name suggests. It counts if the lines do not decide the format.

use std::path::Path;

use super::tables::{self, Guess};
use crate::corpus::format::kinds::Format;
use crate::corpus::format::lines::options::LayoutOptions;
use crate::work::memchr;

/// The extensions of compressed files. The extension before them counts.
const COMPRESSED: [&str; 6] = ["gz", "bgz", "zst", "zstd", "bz2", "xz"];

/// A format, its extensions in lower case, and a test that a text of this format must pass if no other format explains its lines.
type Entry = (Format, &'static [&'static str], fn(&[u8]) -> bool);

/// The format of `.md` files. Without the Markdown parser they are read as text.
const MARKDOWN: Format = if cfg!(feature = "markdown") { Format::Markdown } else { Format::Text };

const EXTENSIONS: &[Entry] = &[
    (Format::Html, &["html", "htm", "xhtml"], |text| memchr(b'<', text).is_some()),
    (Format::Json, &["json", "geojson"], |text| matches!(text.trim_ascii_start(), [b'{' | b'[', ..])),
    (Format::Jsonl, &["jsonl", "ndjson"], |_| false),
    (Format::Har, &["har"], |_| false),
    (Format::Csv, &["csv"], |_| false),
    (Format::Tsv, &["tsv"], |_| false),
    #[cfg(feature = "xml")]
    (Format::Xml, &["xml", "rss", "atom"], |_| false),
    (MARKDOWN, &["md", "markdown"], |_| true),
];

impl Format {
    /// Returns the format that the extension of a name suggests. The extension of a compressed file comes after it.
    ///
    /// ```
    /// use std::path::Path;
    /// use urivalidate::corpus::Format;
    ///
    /// assert_eq!(Format::by_name(Path::new("pages/index.HTML")), Some(Format::Html));
    /// assert_eq!(Format::by_name(Path::new("table.csv.gz")), Some(Format::Csv));
    /// assert_eq!(Format::by_name(Path::new("access.log")), None);
    /// ```
    pub fn by_name(name: &Path) -> Option<Format> {
        let extension = |name: &Path| Some(name.extension()?.to_str()?.to_ascii_lowercase());
        let last = extension(name)?;
        let is_compressed = COMPRESSED.contains(&&*last);
        let extension = if is_compressed { extension(Path::new(name.file_stem()?))? } else { last };
        EXTENSIONS.iter().find(|(_, names, _)| names.contains(&&*extension)).map(|(format, ..)| *format)
    }

    /// Returns true if a text that no other format explains can have this format, which its name suggests.
    pub(super) fn may_be(self, text: &[u8]) -> bool {
        EXTENSIONS.iter().any(|(format, _, may_be)| *format == self && may_be(text))
    }
}

/// Returns the table in these lines, if the name of the input says that it is a table, and one column has URIs.
pub(super) fn table(format: Format, lines: &[u8], options: &LayoutOptions) -> Option<Guess> {
    format.is_table().then(|| tables::table(lines, options, true))?
}
