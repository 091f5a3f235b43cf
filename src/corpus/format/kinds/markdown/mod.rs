//! Markdown documents: each destination of a link.
//!
//! | module | does |
//! |---|---|
//! | `blocks` | the places between blocks, at which a document may be cut |
//! | `borders` | those of these places that are certain without a parser |
//! | `cut_block` | the places within a block with too many marks |
//! | `marks` | bounds what the parser makes of a text |
//! | `links` | the links of a text, found by pulldown-cmark |
//! | `found` | a link found in a text |
//! | `dialect`, `mdx`, `quarto` | the dialects, and what two of them add |
//! | `destination` | the place of a destination in its link or definition |
//! | `prose` | links that a parser reads as prose: bare links and broken links |
//! | `bare` | where bare links start and end |
//! | `state` | the state between chunks |
//!
//! The records are the destinations of links and images, of definitions (`[label]: destination`), autolinks
//! in angle brackets, bare links as in GitHub Flavored Markdown (`http://`, `https://`, `ftp://`, `www.`,
//! `mailto:`, `xmpp:`), and each URL in an attribute of HTML. Code and metadata at the start have no records.
//!
//! CommonMark reads a link with a broken destination as prose: `[a](b c.html)`. So it would not appear in the
//! HTML. Such a destination is a record as well, up to the closing bracket.
//!
//! A document is cut between its outermost blocks and the items of its outermost lists. A block over the
//! limit is malformed; reading goes on at the next line that follows a blank line and is not indented. The
//! parser's memory depends on the number of marks such as `[` and spaces. So a block of more than 262,144
//! marks is read in parts, each like a block of its own; of an item of a list with so many marks, the rest is
//! malformed. A link by a label (`[a][label]`) need not be resolved, since its definition is a record. So
//! chunks need not know each other's definitions.

#[cfg(feature = "markdown")]
mod bare;
#[cfg(feature = "markdown")]
mod blocks;
#[cfg(feature = "markdown")]
mod borders;
#[cfg(feature = "markdown")]
mod cut_block;
#[cfg(feature = "markdown")]
mod destination;
#[cfg(feature = "markdown")]
mod dialect;
#[cfg(feature = "markdown")]
mod found;
#[cfg(feature = "markdown")]
mod links;
#[cfg(feature = "markdown")]
mod marks;
#[cfg(feature = "markdown")]
mod mdx;
#[cfg(feature = "markdown")]
mod prose;
#[cfg(feature = "markdown")]
mod quarto;
#[cfg(feature = "markdown")]
mod state;

use crate::corpus::format::lines::entry::{Entry, FieldChoice};

/// The entry of a dialect.
macro_rules! entry {
    ($about:literal, $dialect:ident, $example:expr) => {
        Entry {
            about: $about,
            sentinels: "",
            fields: FieldChoice::Other(
                if cfg!(feature = "markdown") { "no fields" } else { "no reader in this build" },
                |options| {
                    #[cfg(feature = "markdown")]
                    return match options.field {
                        crate::corpus::format::lines::options::FieldSelector::Uri => {
                            Some(std::sync::Arc::new(document::Document(dialect::Dialect::$dialect)))
                        }
                        _ => None,
                    };
                    #[cfg(not(feature = "markdown"))]
                    {
                        let _ = options;
                        None
                    }
                },
            ),
            #[cfg(test)]
            example: $example,
        }
    };
}

pub(crate) const ENTRY: Entry =
    entry!("Markdown: the destination of each link, also in HTML", Github, ["# A\n\n", "- [a](<", ">)\n"]);

pub(crate) const MDX: Entry =
    entry!("MDX: as markdown, and the URLs of elements", Mdx, ["# A\n\n", "<A href=\"", "\" />\n"]);

pub(crate) const QUARTO: Entry = entry!(
    "Quarto and R Markdown: as markdown, and the URLs of shortcodes",
    Quarto,
    ["# A\n\n", "- [a](<", ">)\n"]
);

#[cfg(feature = "markdown")]
mod document {

    use super::blocks;
    use super::dialect::Dialect;
    use super::found::{FoundLinks, Link};
    use super::links::links;
    use super::marks;
    use super::state::{MarkdownState, MdxState};
    use crate::corpus::format::kinds::parsed::{ParsedCutter, longest_part};
    use crate::corpus::format::lines::chunk_lines::ChunkLines;
    use crate::corpus::format::lines::cutter::Cutter;
    use crate::corpus::format::lines::document_sink::DocumentSink;
    use crate::corpus::format::lines::fields::FieldSink;
    use crate::corpus::format::lines::line::Malformed;
    use crate::corpus::format::lines::log_format::LogFormat;
    use crate::corpus::format::lines::unescape::Escapes;
    use crate::corpus::limits::Limits;
    use crate::grammar::Grammar;
    use crate::memory::{OutOfMemory, Room};

    #[derive(Clone, Copy, Debug)]
    pub(super) struct Document(pub(super) Dialect);

    impl Document {
        /// Returns the state at the start of a chunk.
        fn state(self, chunk: &ChunkLines<'_>) -> MarkdownState {
            let of_mdx = || chunk.facts().map(|state: &MdxState| state.0);
            let state = if self.0 == Dialect::Mdx { of_mdx() } else { chunk.facts().copied() };
            state.unwrap_or_default()
        }
    }

    impl LogFormat for Document {
        /// CommonMark encodes the characters beyond ASCII of a destination, so a document may have them.
        fn grammar(&self) -> Grammar {
            Grammar::IriReference
        }

        fn is_document(&self) -> bool {
            true
        }

        fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
            Some(match self.0 {
                Dialect::Mdx => ParsedCutter::<MdxState>::boxed(),
                Dialect::Github | Dialect::Quarto => ParsedCutter::<MarkdownState>::boxed(),
            })
        }

        fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
            blocks::whole_block(self.state(chunk), chunk.bytes, chunk.mark, end)
        }

        fn open_fence(&self, chunk: &ChunkLines<'_>) -> Option<(u8, usize)> {
            match self.state(chunk) {
                MarkdownState::Code { fence, len } => Some((fence, len)),
                _ => None,
            }
        }

        fn room_for(&self, bytes: &[u8], _held: usize) -> Result<Room, OutOfMemory> {
            marks::room_for(bytes)
        }

        /// The chunk has the state of the document, which is found while the document is cut.
        fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
            let mut sink = DocumentSink::new(chunk, 0, sink);
            let state = self.state(chunk);
            let start = blocks::start(state, chunk.bytes, chunk.mark);
            if state == MarkdownState::RestOfItem {
                sink.malformed(chunk.mark, Malformed::TooLong);
            }
            if chunk.bytes.len() - start <= longest_part(chunk.max_record) {
                for found in links(&chunk.bytes[start..], self.0) {
                    take(found, start, &mut sink);
                }
            } else {
                sink.malformed(start, Malformed::TooLong);
            }
            sink.finish();
        }

        /// Any line fits Markdown.
        fn fitting_lines(&self, _head: &[u8], _: usize) -> usize {
            0
        }
    }

    /// Takes a link of the text that starts at `base` of the chunk.
    fn take(found: FoundLinks, base: usize, sink: &mut DocumentSink<'_, '_>) {
        let at = base + found.at;
        match found.link {
            Link::Malformed(reason) => sink.malformed(at, reason),
            Link::At(_, url, _) if url.len() > sink.chunk.max_record => {
                sink.malformed(at, Malformed::TooLong)
            }
            Link::At(place, url, escapes) => {
                _ = sink.record(Some(place), base + url.start..base + url.end, escapes);
            }
            Link::Made(place, url) => _ = sink.made(place, &url, Escapes::None, at),
        }
    }
}
