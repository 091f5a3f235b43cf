//! The format that a file's name suggests, nearly always by its extension. It counts if the lines do not
//! decide the format.

use std::path::Path;

use super::tables::{self, Guess};
use crate::corpus::format::kinds::Format;
use crate::corpus::format::kinds::robots::Robots;
use crate::corpus::format::kinds::table::Table;
use crate::corpus::format::lines::options::{FieldSelector, HeaderRow, LayoutOptions};
use crate::work::memchr;

/// The extensions of compressed files. The extension before them counts.
const COMPRESSED: [&str; 6] = ["gz", "bgz", "zst", "zstd", "bz2", "xz"];

/// A format, its extensions in lower case, and a test that a text of this format must pass if no other format
/// explains its lines. The options are the caller's.
type Entry = (Format, &'static [&'static str], fn(&[u8], &LayoutOptions) -> bool);

/// The formats of `.md`, `.mdx` and `.qmd` files. Without the Markdown parser they are read as text.
const MARKDOWN: [Format; 3] = match cfg!(feature = "markdown") {
    true => [Format::Markdown, Format::Mdx, Format::Quarto],
    false => [Format::Text; 3],
};

const EXTENSIONS: &[Entry] = &[
    (Format::Html, &["html", "htm", "xhtml"], |text, _| memchr(b'<', text).is_some()),
    (Format::Json, &["json", "geojson"], |text, _| matches!(text.trim_ascii_start(), [b'{' | b'[', ..])),
    (Format::Jsonl, &["jsonl", "ndjson"], |text, _| text.trim_ascii_start().starts_with(b"{")),
    (Format::Har, &["har"], |text, _| text.trim_ascii_start().starts_with(b"{")),
    (Format::Csv, &["csv"], |text, options| is_table(b',', text, options)),
    (Format::Tsv, &["tsv"], |text, options| is_table(b'\t', text, options)),
    #[cfg(feature = "xml")]
    (Format::Xml, &["xml", "rss", "atom"], |text, _| text.trim_ascii_start().starts_with(b"<")),
    (Format::Mail, &["eml", "mbox", "mbx"], |_, _| true),
    (Format::Nt, &["nt", "nq"], |text, _| may_be_statements(text)),
    (MARKDOWN[0], &["md", "markdown"], |_, _| true),
    (MARKDOWN[1], &["mdx"], |_, _| true),
    (MARKDOWN[2], &["qmd", "rmd"], |_, _| true),
    (Format::Asciidoc, &["adoc", "asciidoc"], |_, _| true),
    (Format::Rst, &["rst"], |_, _| true),
    (Format::Robots, &[], |text, _| Robots::may_be(text)),
];

/// The name of a file that says its format without an extension of its own.
const ROBOTS: &str = "robots.txt";

impl Format {
    /// Returns the format that the extension of a name suggests. The extension of a compressed file comes
    /// after it.
    ///
    /// ```
    /// use urivalidate::corpus::Format;
    ///
    /// assert_eq!(Format::by_name("pages/index.HTML"), Some(Format::Html));
    /// assert_eq!(Format::by_name("table.csv.gz"), Some(Format::Csv));
    /// assert_eq!(Format::by_name("sites/robots.txt"), Some(Format::Robots));
    /// assert_eq!(Format::by_name("access.log"), None);
    /// ```
    pub fn by_name(name: impl AsRef<Path>) -> Option<Format> {
        let name = name.as_ref();
        let extension = |name: &Path| Some(name.extension()?.to_str()?.to_ascii_lowercase());
        let last = extension(name)?;
        let is_compressed = COMPRESSED.contains(&&*last);
        let inner = if is_compressed { Path::new(name.file_stem()?) } else { name };
        if inner.file_name().is_some_and(|name| name.eq_ignore_ascii_case(ROBOTS)) {
            return Some(Format::Robots);
        }
        let extension = extension(inner)?;
        EXTENSIONS.iter().find(|(_, names, _)| names.contains(&&*extension)).map(|(format, ..)| *format)
    }

    /// Returns true if a text that no other format explains can have this format, which its name suggests.
    pub(super) fn may_be(self, text: &[u8], options: &LayoutOptions) -> bool {
        EXTENSIONS.iter().any(|(format, _, may_be)| *format == self && may_be(text, options))
    }
}

/// Returns true if a text starts with a comment, an IRI or a blank node.
fn may_be_statements(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    [&b"#"[..], b"<", b"_:"].iter().any(|start| text.starts_with(start))
}

/// Returns true if a text named as a table has a header that names a column `url` or `uri`, or if the caller
/// selected a column or a header.
fn is_table(separator: u8, text: &[u8], options: &LayoutOptions) -> bool {
    let is_selected = options.header != HeaderRow::Auto || matches!(options.field, FieldSelector::Field(_));
    is_selected || Table::has_header(separator, text)
}

/// Returns the table in these lines, if the name of the input says that it is a table, and one column has
/// URIs.
pub(super) fn table(format: Format, lines: &[u8], options: &LayoutOptions) -> Option<Guess> {
    format.is_table().then(|| tables::table(lines, options, true))?
}
