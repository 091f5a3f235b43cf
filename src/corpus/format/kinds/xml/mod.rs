//! XML documents: the URLs of sitemaps and feeds.
//!
//! | module | does |
//! |---|---|
//! | `tokens`, `tag` | a walk through the bytes of a chunk: markup, and whether it is well-formed |
//! | `usual` | a shorter way through most tags |
//! | `recent_names`, `short_name` | the names that tags had lately, in their usual order; names as numbers |
//! | `names`, `entities`, `declaration`, `doctype` | names, references, and what stands before the root element |
//! | `elements`, `attributes` | the facts about elements and attributes that tags share |
//! | `characters` | characters that XML does not have |
//! | `marks` | finds the bytes at which markup is cut |
//! | `namespaces`, `vocabulary` | the elements and attributes that hold URLs, by their namespaces |
//! | `bases` | `xml:base` |
//! | `events` | the events of a walk |
//! | `state`, `cutter`, `found` | the state between chunks; cuts a document; the events, found while it is cut |
//! | `values` | the URL in an element's text or an attribute's value, as a record |
//!
//! The records are the URLs of sitemaps and their indexes (also of images, videos and alternate pages), of
//! RSS 0.9 to 2.0, of Atom, of OPML, of XHTML inside these formats, and of `xml:base` and `xlink:href` in any
//! element. Namespaces count by the host and the path of their URIs; the prefixes do not matter. In a
//! document of another vocabulary, the attributes `href` and `src` of any element and the addresses of its
//! schemas are records, too.
//!
//! References are undone, white space at both ends is dropped, and a CDATA section is read as its text. An
//! element that contains other elements does not hold a URL.
//!
//! Each place where a document is not well-formed (XML 1.0, and Namespaces in XML 1.0) is malformed. After a
//! fault in a tag or in the order of tags, the rest of the document is not read. The format reads all
//! charsets in which ASCII bytes stand for ASCII characters. Documents need not be valid: of a document type,
//! only the entities count, and parts in other files are not read.
//!
//! The tokenizer is our own, over the marks of a kernel: quick-xml, which gives spans, passes half a gigabyte
//! in a second, does not check that documents are well-formed, and needs a document as text. In tests, it is
//! the oracle.
//!
//! In sitemaps, tags and records take about the same time. Ideas that failed:
//!
//! * Names compared by `memcmp`, and copied to the open elements: an eighth of the time of sitemaps.
//! * A cache with one place for each name: two of the six names of a sitemap drove each other out. Masks of
//!   names made by shifts. An element without others opened and closed in two steps, as all others are. These
//!   three together took a third of all instructions.
//! * `str::from_utf8` and a search for controls, byte by byte, in each block with characters beyond ASCII: a
//!   third of the time of feeds.
//! * `memmem` for the end of each CDATA section: it prepares each search, for a twentieth of the time.

#[cfg(feature = "xml")]
mod attributes;
#[cfg(feature = "xml")]
mod bases;
#[cfg(feature = "xml")]
mod characters;
#[cfg(feature = "xml")]
mod cutter;
#[cfg(feature = "xml")]
mod declaration;
#[cfg(feature = "xml")]
mod doctype;
#[cfg(feature = "xml")]
mod elements;
#[cfg(feature = "xml")]
mod entities;
#[cfg(feature = "xml")]
mod events;
#[cfg(feature = "xml")]
mod found;
#[cfg(feature = "xml")]
mod marks;
#[cfg(feature = "xml")]
mod names;
#[cfg(feature = "xml")]
mod namespaces;
#[cfg(feature = "xml")]
mod recent_names;
#[cfg(feature = "xml")]
mod short_name;
#[cfg(feature = "xml")]
mod state;
#[cfg(feature = "xml")]
mod tag;
#[cfg(feature = "xml")]
mod tokens;
#[cfg(feature = "xml")]
mod usual;
#[cfg(feature = "xml")]
mod values;
#[cfg(feature = "xml")]
mod vocabulary;

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
                    Some(std::sync::Arc::new(document::Document::default()))
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
pub(crate) use self::document::is_unknown_without_url;

#[cfg(feature = "xml")]
mod document {
    use std::io::{self, Read};
    use std::sync::Arc;

    use super::characters::Characters;
    use super::cutter::{XmlCutter, XmlFacts};
    use super::declaration::{self, Declaration};
    use super::events::{Event, Nothing, Visit};
    use super::state::{Place, Root, XmlState};
    use super::tokens::Walk;
    use super::values::UrlSink;
    use crate::corpus::format::lines::chunk_lines::ChunkLines;
    use crate::corpus::format::lines::cutter::Cutter;
    use crate::corpus::format::lines::document_sink::DocumentSink;
    use crate::corpus::format::lines::fields::FieldSink;
    use crate::corpus::format::lines::log_format::{self, COPIES, LogFormat};
    use crate::corpus::limits::Limits;
    use crate::corpus::mark::mark_len;
    use crate::grammar::Grammar;
    use crate::memory::{self, OutOfMemory, Room};

    #[derive(Clone, Copy, Debug, Default)]
    pub(super) struct Document {
        /// The root element, once it is known.
        root: Option<Root>,
    }

    impl LogFormat for Document {
        fn grammar(&self) -> Grammar {
            // The URLs of sitemaps are absolute.
            if self.root == Some(Root::Sitemap) { Grammar::Uri } else { Grammar::UriReference }
        }

        fn is_document(&self) -> bool {
            true
        }

        fn names_base(&self) -> bool {
            true
        }

        fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
            Some(Box::new(XmlCutter::default()))
        }

        fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
            let start = XmlFacts::default();
            let XmlFacts { state, .. } = chunk.facts().unwrap_or(&start);
            whole_markup(state, chunk.bytes, chunk.mark, end)
        }

        fn needs_head(&self) -> bool {
            true
        }

        fn is_clear(&self, head: &[u8]) -> bool {
            root(head).is_some()
        }

        fn start(&self, head: &[u8]) -> Option<Arc<dyn LogFormat>> {
            root(head).map(|root| Arc::new(Document { root: Some(root) }) as Arc<dyn LogFormat>)
        }

        fn remark(&self) -> Option<&'static str> {
            let is_unknown = self.root == Some(Root::Unknown);
            is_unknown.then_some(
                "a vocabulary of XML that is not known: only href, src, xlink:href, xml:base and the addresses of schemas are read",
            )
        }

        fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
            memory::room_for(held.saturating_mul(COPIES))
        }

        /// The chunk has the state of the document, and mostly its events as well: they are found while the
        /// document is cut.
        fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
            let start = XmlFacts::default();
            let XmlFacts { state, found } = chunk.facts().unwrap_or(&start);
            let to = DocumentSink::new(chunk, state.column, sink);
            let characters = Characters::new(chunk.bytes, chunk.mark, !has_other_charset(state, chunk));
            let mut sink = UrlSink::new(to, characters, state.entities.clone(), state.bases.last().cloned());
            match found {
                _ if state.is_broken => sink.end_at(chunk.mark),
                Some(found) if found.are_of(chunk.bytes) => found.give(&mut sink),
                _ => {
                    let mut state = state.clone();
                    Walk::new(&mut state, chunk.bytes, chunk.max_record, chunk.is_last, &mut sink)
                        .pass(chunk.mark);
                }
            }
            sink.finish();
        }

        /// All lines fit if the document's root element is a known one.
        fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
            let is_known = matches!(root(head), Some(Root::Sitemap | Root::Feed));
            if is_known { log_format::lines(head).count() } else { 0 }
        }
    }

    /// Returns true if bytes beyond ASCII are not UTF-8. The first chunk may have the declaration that says
    /// so.
    fn has_other_charset(state: &XmlState, chunk: &ChunkLines<'_>) -> bool {
        if state.place != Place::Start || !declaration::starts(chunk.text()) {
            return state.has_other_charset;
        }
        Declaration::parse(chunk.text()).is_some_and(|declaration| declaration.has_other_charset())
    }

    /// Returns the root element of a document that starts with `head`.
    fn root(head: &[u8]) -> Option<Root> {
        // No other text is worth a walk.
        if head.trim_ascii_start().first() != Some(&b'<') {
            return None;
        }
        let mut state = XmlState::default();
        let mut nothing = Nothing;
        let mut walk = Walk::new(&mut state, head, usize::MAX, false, &mut nothing);
        walk.ends_at_root = true;
        walk.pass(0);
        state.root
    }

    /// Returns true if the well-formed part of a document has an unknown vocabulary and no URL.
    ///
    /// # Errors
    ///
    /// Returns the errors of `input`.
    pub(crate) fn is_unknown_without_url(input: &mut dyn Read) -> io::Result<bool> {
        const STEP: u64 = 256 << 10;
        /// The longest record.
        const LONGEST: usize = 1 << 20;

        let (mut state, mut bytes, mut has_url) = (XmlState::default(), Vec::new(), HasUrl(false));
        loop {
            let is_last = input.take(STEP).read_to_end(&mut bytes)? == 0;
            let start = if state.place == Place::Start { mark_len(&bytes) } else { 0 };
            let end = Walk::new(&mut state, &bytes, LONGEST, is_last, &mut has_url).pass(start);
            if has_url.0 || state.root.is_some_and(|root| root != Root::Unknown) {
                return Ok(false);
            }
            if is_last || state.is_broken {
                return Ok(state.root.is_some());
            }
            bytes.drain(..end);
        }
    }

    /// Whether a walk finds a URL.
    struct HasUrl(bool);

    impl Visit for HasUrl {
        fn take(&mut self, event: Event<'_>) {
            self.0 |= matches!(event, Event::Attribute { .. } | Event::Html { .. } | Event::Text { .. });
        }
    }

    /// Returns the first place at or after `end` where a chunk may end.
    fn whole_markup(state: &XmlState, bytes: &[u8], start: usize, end: usize) -> usize {
        let mut nothing = Nothing;
        let mut before = state.clone();
        if Walk::new(&mut before, &bytes[..end], usize::MAX, false, &mut nothing).pass(start) == end {
            return end;
        }
        let mut state = state.clone();
        let mut walk = Walk::new(&mut state, bytes, usize::MAX, false, &mut nothing);
        walk.end_at = end;
        let at = walk.pass(start);
        if at >= end { at } else { bytes.len() }
    }
}
