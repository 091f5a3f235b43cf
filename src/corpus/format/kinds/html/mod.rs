//! HTML pages: each URL in an attribute.
//!
//! | module | does |
//! |---|---|
//! | `tokens` | tags, and the bytes outside of tags, such as comments and scripts |
//! | `tag` | the attributes of a tag |
//! | `marks` | finds the bytes that separate tags and attributes |
//! | `charset` | the charset that a page names |
//! | `cutter` | cuts a page outside of tags |
//! | `found` | the tags with URLs, found while a page is cut |
//! | `names` | the attributes of each element that hold URLs |
//! | `values` | the places of URLs in a value |
//! | `srcset` | the candidates of a `srcset` |
//! | `chars` | the characters of a value |
//! | `foreign` | the open elements of SVG and MathML, in which no element's content is text |
//!
//! The records are the values of attributes that hold URLs according to the HTML standard, HTML 4 or SVG.
//! These include the URLs of a `srcset` (a candidate that browsers drop is malformed) or `ping`, the URL of a
//! refresh, and each `url(…)` of a `style` attribute. Character references are undone, and ASCII white space
//! at both ends is dropped. The format ignores the content of `style` and `script` elements, the attributes
//! `srcdoc`, `usemap` and `data-*`, and the attributes of end tags. If a tag has an attribute twice, the
//! first one counts.
//!
//! A tag in which the page ends is malformed, and its attributes do not count. A tag that is longer than the
//! longest record plus 64 KiB is malformed, too.
//!
//! The tokenizer is our own: html5gum, which conforms to the standard and gives spans, passed less than a
//! third of the bytes in the same time in a comparison of prototypes.

mod chars;
pub(crate) mod charset;
mod cutter;
mod foreign;
mod found;
mod marks;
mod names;
mod srcset;
mod table;
mod tag;
pub(crate) mod tokens;
mod values;

use std::ops::Range;
use std::sync::Arc;

use self::cutter::{PageCutter, PageFacts};
use self::found::{Collector, FirstBase, FoundTag, TakeTag};
use self::names::Holds;
#[cfg(any(feature = "xml", feature = "markdown"))]
use self::names::{Attribute, Element};
use self::srcset::Candidate;
use self::tokens::PageState;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::Cutter;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::log_format::{self, COPIES, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::{looked_at, memchr, memmem};

pub(crate) const ENTRY: Entry = Entry {
    about: "HTML pages: each URL in an attribute",
    sentinels: "",
    fields: FieldChoice::None("no fields", || Arc::new(Page)),
    #[cfg(test)]
    example: ["<!DOCTYPE html>\n", "<p><a href=\"", "\">a</a></p>\n"],
};

#[derive(Clone, Copy, Debug)]
struct Page;

impl LogFormat for Page {
    /// Browsers encode the characters beyond ASCII of a URL, so a page may have them.
    fn grammar(&self) -> Grammar {
        Grammar::IriReference
    }

    fn is_document(&self) -> bool {
        true
    }

    fn names_base(&self) -> bool {
        true
    }

    fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
        Some(Box::new(PageCutter::default()))
    }

    fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
        let page = chunk.facts().map_or_else(PageState::default, |facts: &PageFacts| facts.page);
        page.whole_tag(chunk.bytes, chunk.mark, end)
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
    }

    /// The chunk has the state of the page, and mostly its tags as well: they are found while the page is
    /// cut.
    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let start = PageFacts::default();
        let PageFacts { page, base, tags } = chunk.facts().unwrap_or(&start);
        let mut sink = DocumentSink::new(chunk, page.column, sink);
        if let Some(base) = base {
            sink.fields.begin_based(base);
        }
        match tags {
            Some(tags) if tags.are_of(chunk.bytes) => {
                tags.give(&mut Links { bytes: chunk.bytes, max_record: chunk.max_record, to: &mut sink });
            }
            _ => links(*page, chunk.bytes, chunk.mark, chunk.max_record, chunk.is_last, &mut sink),
        }
        sink.finish();
    }

    /// All lines fit if they are the start of a page.
    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        if is_page(head) { log_format::lines(head).count() } else { 0 }
    }
}

/// Returns true if `head` is the start of a page: after XML declarations and comments comes the document type
/// of HTML or of bookmarks, or the element `html`.
pub(crate) fn is_page(head: &[u8]) -> bool {
    let mut rest = head.trim_ascii_start();
    loop {
        let end = if rest.starts_with(b"<?") {
            memchr(b'>', rest).map(|at| at + 1)
        } else if rest.starts_with(b"<!--") {
            memmem::find(rest, b"-->").map(|at| at + 3)
        } else {
            break;
        };
        let Some(end) = end else { return false };
        rest = rest[end..].trim_ascii_start();
        looked_at(1);
    }
    [&b"<!doctype html"[..], b"<!doctype netscape-bookmark-file-1", b"<html"].iter().any(|start| {
        let (word, after) = rest.split_at(start.len().min(rest.len()));
        word.eq_ignore_ascii_case(start) && after.first().is_none_or(|byte| !byte.is_ascii_alphanumeric())
    })
}

/// Takes the links of a page.
pub(crate) trait TakeLink {
    /// Takes a URL in these bytes of the page.
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Holder);

    /// Takes a place where the page is malformed.
    fn malformed(&mut self, at: usize, reason: Malformed);
}

/// Finds the links of a page in its bytes from `start` on. `page` is the state at `start`. If `is_last`, the
/// page ends with these bytes.
pub(crate) fn links(
    page: PageState,
    bytes: &[u8],
    start: usize,
    max_record: usize,
    is_last: bool,
    to: &mut impl TakeLink,
) {
    let mut links = Links { bytes, max_record, to };
    page.walk(bytes, start, max_record, is_last, &mut Collector::new(bytes, &mut links));
}

/// A part of a page: its bytes from `start` on, and the state there. If `is_last`, the page ends with these
/// bytes.
#[derive(Clone, Copy)]
pub(crate) struct PagePart<'b> {
    pub(crate) page: PageState,
    pub(crate) bytes: &'b [u8],
    pub(crate) start: usize,
    pub(crate) max_record: usize,
    pub(crate) is_last: bool,
}

impl PagePart<'_> {
    /// Finds the links. Returns the place up to which the part has been passed, and the state there. If the
    /// place is `start` and the part is not the last one, a tag needs more bytes.
    pub(crate) fn links(self, to: &mut impl TakeLink) -> (usize, PageState) {
        self.tags(&mut Links { bytes: self.bytes, max_record: self.max_record, to })
    }

    /// Searches the first `<base href>`, with its references undone. Returns the same as
    /// [`links`](Self::links), too.
    pub(crate) fn base(self) -> (Option<Vec<u8>>, (usize, PageState)) {
        let mut first = FirstBase::new(self.bytes, self.max_record);
        let passed = self.tags(&mut first);
        (first.base, passed)
    }

    fn tags(self, to: &mut impl TakeTag) -> (usize, PageState) {
        let PagePart { page, bytes, start, max_record, is_last } = self;
        let mut collector = Collector::new(bytes, to);
        if is_last {
            page.walk(bytes, start, max_record, true, &mut collector);
            (bytes.len(), page)
        } else {
            page.border(bytes, start, max_record, &mut collector)
        }
    }
}

/// The URLs that an attribute can hold.
#[cfg(feature = "xml")]
pub(crate) enum HeldUrls {
    /// Its value is a URL. The attribute has this name.
    One(&'static str),
    /// Its value [holds](urls_of) URLs.
    Within,
}

/// Returns which URLs the attribute with this name can hold on this element.
#[cfg(feature = "xml")]
pub(crate) fn held_urls(element: &[u8], attribute: &[u8]) -> Option<HeldUrls> {
    let element = Element::of(element, 0..element.len());
    let attribute = Attribute::of(element, attribute, 0..attribute.len())?;
    Some(match attribute.holds() {
        Holds::Url => HeldUrls::One(attribute.name()),
        _ => HeldUrls::Within,
    })
}

/// Passes the URLs in the value of an attribute to `each`, with the attribute's name. There are none if the
/// attribute holds no URLs on this element. A bad descriptor of a `srcset` has no meaning here.
#[cfg(any(feature = "xml", feature = "markdown"))]
pub(crate) fn urls_of(
    element: &[u8],
    attribute: &[u8],
    value: &[u8],
    mut each: impl FnMut(&'static str, Range<usize>),
) {
    let element = Element::of(element, 0..element.len());
    let Some(attribute) = Attribute::of(element, attribute, 0..attribute.len()) else { return };
    // The URL of a refresh depends on another attribute.
    if attribute.holds() != Holds::Refresh {
        values::urls(attribute.holds(), value, |candidate| {
            let (Candidate::Url(url) | Candidate::BadDescriptor { url, .. }) = candidate;
            each(attribute.name(), url);
        });
    }
}

/// Takes the links of a page in the bytes of the chunk.
impl TakeLink for DocumentSink<'_, '_> {
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Holder) {
        let is_base = place.is_base();
        if self.record(Some(place), url, escapes) && is_base {
            self.fields.last_is_base();
        }
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.malformed(at, reason);
    }
}

/// Finds the URLs of tags.
struct Links<'w, T> {
    bytes: &'w [u8],
    max_record: usize,
    to: &'w mut T,
}

impl<T: TakeLink> TakeTag for Links<'_, T> {
    fn tag(&mut self, tag: FoundTag<'_>) {
        let element = match tag.element.name() {
            Some(name) => Name::Known(name),
            None => Name::At(tag.name.start as u32..tag.name.end as u32),
        };
        for (attribute, value) in tag.attributes {
            if attribute.holds() == Holds::Refresh && !tag.refreshes {
                continue;
            }
            let place = Holder { element: element.clone(), attribute: Some(Name::Known(attribute.name())) };
            let text = &self.bytes[value.clone()];
            let in_page = |range: Range<usize>| value.start + range.start..value.start + range.end;
            if attribute.holds() == Holds::Url {
                let escapes = Escapes::of_html(text);
                let url = escapes.trimmed(text);
                self.take_url(in_page(url), escapes, place);
                continue;
            }
            values::urls(attribute.holds(), text, |candidate| match candidate {
                Candidate::Url(url) => {
                    let escapes = Escapes::of_html(&text[url.clone()]);
                    self.take_url(in_page(url), escapes, place.clone());
                }
                Candidate::BadDescriptor { at, .. } => {
                    self.to.malformed(value.start + at, Malformed::InvalidSrcset);
                }
            });
        }
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.to.malformed(at, reason);
    }
}

impl<T: TakeLink> Links<'_, T> {
    fn take_url(&mut self, url: Range<usize>, escapes: Escapes, place: Holder) {
        if url.len() > self.max_record {
            return self.to.malformed(url.start, Malformed::TooLong);
        }
        self.to.link(url, escapes, place);
    }
}
