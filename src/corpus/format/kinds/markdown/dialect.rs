//! The dialects of Markdown.

use pulldown_cmark::Options;

/// A dialect of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// GitHub Flavored Markdown.
    Github,
    /// MDX.
    Mdx,
    /// The Markdown of Quarto and R Markdown, which Pandoc reads.
    Quarto,
}

impl Dialect {
    /// Returns the extensions of the parser.
    pub(super) fn options(self) -> Options {
        match self {
            Dialect::Github | Dialect::Mdx => GITHUB,
            Dialect::Quarto => GITHUB.union(Options::ENABLE_MATH),
        }
    }
}

/// The extensions of GitHub Flavored Markdown, and footnotes. Without footnotes, the text of a footnote would
/// be the destination of a definition.
pub(super) const GITHUB: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_GFM);
