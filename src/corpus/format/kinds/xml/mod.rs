//! XML documents: the URLs of sitemaps and feeds.
//!
//! | module | does |
//! |---|---|
//! | `vocabulary` | the elements and attributes that hold URLs, by the URIs of their namespaces |
//! | `walk` | goes through a document, with quick-xml |
//! | `values` | the URL in an element's text or an attribute's value |
//! | `state` | the state between chunks |
//!
//! The records are the URLs of sitemaps and their indexes (also of images, videos and alternate pages), of RSS 0.9 to 2.0, of Atom, of OPML, of
//! XHTML inside these formats, and of `xml:base` and `xlink:href` in any element. Namespaces count by their URIs; the prefixes do not matter.
//!
//! References to characters are undone, white space at both ends is dropped, and a CDATA section is read as its text. A reference that XML does not
//! have, like a bare `&`, stands for itself, but is also malformed: readers of XML stop there. An element that contains other elements does not
//! hold a URL.
//!
//! Broken XML is malformed at the byte where it breaks, and the rest of the document is not read. A document is cut before tags, so the state
//! between chunks is the list of open elements. The format reads all charsets in which ASCII bytes stand for ASCII characters.

#[cfg(feature = "xml")]
mod state;
#[cfg(feature = "xml")]
mod values;
#[cfg(feature = "xml")]
mod vocabulary;
#[cfg(feature = "xml")]
mod walk;

use crate::corpus::format::lines::entry::{Entry, FieldChoice};

pub(crate) const ENTRY: Entry = Entry {
    about: "XML: the URLs of sitemaps, RSS and Atom",
    sentinels: "",
    fields: FieldChoice::Other(
        if cfg!(feature = "xml") { "no fields" } else { "no reader in this build" },
        |options| {
            #[cfg(feature = "xml")]
            return match options.field {
                crate::corpus::format::lines::options::FieldSelector::Uri => {
                    Some(std::sync::Arc::new(document::Document { is_sitemap: false }))
                }
                _ => None,
            };
            #[cfg(not(feature = "xml"))]
            {
                let _ = options;
                None
            }
        },
    ),
    #[cfg(test)]
    example: ["<feed xmlns=\"http://www.w3.org/2005/Atom\">\n", "<link href=\"", "\"/>\n"],
};

#[cfg(feature = "xml")]
mod document {
    use std::collections::TryReserveError;
    use std::sync::Arc;

    use super::state::XmlState;
    use super::values::UrlSink;
    use super::walk::{self, Root};
    use crate::corpus::format::kinds::parsed::ParsedCutter;
    use crate::corpus::format::lines::chunk_lines::ChunkLines;
    use crate::corpus::format::lines::cutter::Cutter;
    use crate::corpus::format::lines::document_sink::DocumentSink;
    use crate::corpus::format::lines::fields::FieldSink;
    use crate::corpus::format::lines::log_format::{self, COPIES, LogFormat};
    use crate::corpus::limits::Limits;
    use crate::grammar::Grammar;
    use crate::memory::{self, Room};

    #[derive(Clone, Copy, Debug)]
    pub(super) struct Document {
        /// Whether the document is a sitemap or an index of sitemaps, whose URLs are absolute.
        pub(super) is_sitemap: bool,
    }

    impl LogFormat for Document {
        fn grammar(&self) -> Grammar {
            if self.is_sitemap { Grammar::Uri } else { Grammar::UriReference }
        }

        fn is_document(&self) -> bool {
            true
        }

        fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
            Some(ParsedCutter::<XmlState>::boxed())
        }

        fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
            walk::whole_element(state_before(chunk), chunk.bytes, chunk.mark, end)
        }

        fn needs_head(&self) -> bool {
            true
        }

        fn is_clear(&self, head: &[u8]) -> bool {
            walk::root(head).is_some()
        }

        fn start(&self, head: &[u8]) -> Option<Arc<dyn LogFormat>> {
            let is_sitemap = walk::root(head) == Some(Root::Sitemap);
            is_sitemap.then(|| Arc::new(Document { is_sitemap }) as Arc<dyn LogFormat>)
        }

        fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, TryReserveError> {
            memory::room_for(held.saturating_mul(COPIES))
        }

        /// The chunk has the state of the document, which is found while the document is cut.
        fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
            let state = state_before(chunk);
            let mut values = UrlSink(DocumentSink::new(chunk, state.column, sink));
            walk::walk(state, chunk.bytes, chunk.mark, chunk.max_record, chunk.is_last, &mut values);
            values.0.finish();
        }

        /// All lines fit if the document's root element is a known one.
        fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
            let is_known = walk::root(head).is_some_and(|root| root != Root::Other);
            if is_known { log_format::lines(head).count() } else { 0 }
        }
    }
    /// Returns the state at the start of a chunk.
    fn state_before(chunk: &ChunkLines<'_>) -> XmlState {
        chunk.facts().cloned().unwrap_or_default()
    }
}
