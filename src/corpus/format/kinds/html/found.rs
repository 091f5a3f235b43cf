//! The tags with attributes that hold URLs.
//!
//! The cutter goes through a page to cut it into chunks. Each chunk carries the tags found on the way, so no
//! other pass is needed.

use std::ops::Range;

use super::names::{Attribute, Element, Holds};
use super::tokens::{PageState, Visit};
use super::values::is_word;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;

/// A start tag with attributes that hold URLs.
pub(super) struct FoundTag<'t> {
    pub(super) element: Element,
    pub(super) name: Range<usize>,
    /// Whether `http-equiv` says that the content is a refresh.
    pub(super) refreshes: bool,
    /// The attributes with their values; only the first one of each name.
    pub(super) attributes: &'t [(Attribute, Range<usize>)],
}

/// Takes the tags with URLs, in order.
pub(super) trait TakeTag {
    fn tag(&mut self, tag: FoundTag<'_>);

    /// Takes a place where the page is malformed.
    fn malformed(&mut self, at: usize, reason: Malformed);
}

/// Collects the attributes of each tag.
pub(super) struct Collector<'w, T> {
    bytes: &'w [u8],
    to: &'w mut T,
    /// The element of the open tag.
    element: Element,
    name: Range<usize>,
    refreshes: bool,
    /// The attributes of the open tag, one bit each.
    seen: u32,
    attributes: Vec<(Attribute, Range<usize>)>,
}

impl<'w, T: TakeTag> Collector<'w, T> {
    /// Returns a collector for a page with these bytes.
    pub(super) fn new(bytes: &'w [u8], to: &'w mut T) -> Self {
        Collector {
            bytes,
            to,
            element: Element::Other,
            name: 0..0,
            refreshes: false,
            seen: 0,
            attributes: Vec::new(),
        }
    }
}

impl<T: TakeTag> Visit for Collector<'_, T> {
    #[inline]
    fn begin(&mut self, element: Element, name: Range<usize>) {
        (self.element, self.name, self.seen, self.refreshes) = (element, name, 0, false);
        self.attributes.clear();
    }

    #[inline]
    fn attribute(&mut self, name: Range<usize>, value: Range<usize>) {
        let Some(attribute) = Attribute::of(self.element, self.bytes, name) else { return };
        if self.seen & attribute.bit() != 0 {
            return;
        }
        self.seen |= attribute.bit();
        if attribute.holds() == Holds::HttpEquiv {
            self.refreshes = is_word(&self.bytes[value], b"refresh");
        } else {
            self.attributes.push((attribute, value));
        }
    }

    #[inline]
    fn end(&mut self) {
        if !self.attributes.is_empty() {
            let Self { element, refreshes, .. } = *self;
            let (name, attributes) = (self.name.clone(), &self.attributes[..]);
            self.to.tag(FoundTag { element, name, refreshes, attributes });
        }
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.to.malformed(at, reason);
    }
}

/// The tags of a chunk.
#[derive(Debug, Default)]
pub(crate) struct FoundTags {
    marks: Vec<TagMark>,
    /// The attributes of all tags, one after the other.
    attributes: Vec<(Attribute, Range<u32>)>,
    /// Whether there are too many tags to keep, so that some are missing.
    lacks_some: bool,
    /// The number of bytes of the chunk.
    len: usize,
}

impl FoundTags {
    /// The most tags and the most attributes. A chunk with a long tag can hold very many tags after it.
    const MOST: usize = 1 << 18;

    /// Returns true if these are the bytes of the whole chunk, and not only its first lines.
    pub(super) fn are_of(&self, bytes: &[u8]) -> bool {
        self.len == bytes.len()
    }

    /// Returns true if tags are missing.
    pub(crate) fn lack_some(&self) -> bool {
        self.lacks_some
    }

    /// Returns the memory of the tags in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.marks.capacity() * size_of::<TagMark>()
            + self.attributes.capacity() * size_of::<(Attribute, Range<u32>)>()
    }

    /// Returns true if another tag or malformed place can be added.
    #[inline]
    fn has_room(&mut self) -> bool {
        let has_room = self.marks.len().max(self.attributes.len()) < FoundTags::MOST;
        self.lacks_some |= !has_room;
        has_room
    }

    /// Returns the first `<base href>` in this chunk, with its references undone. A base over the limit is
    /// not a record, so it does not count.
    pub(crate) fn base(&self, bytes: &[u8], max_record: usize) -> Option<Vec<u8>> {
        let mut first = FirstBase::new(bytes, max_record);
        self.give(&mut first);
        first.base
    }
}

/// Searches the first `<base href>`.
pub(super) struct FirstBase<'b> {
    bytes: &'b [u8],
    max_record: usize,
    pub(super) base: Option<Vec<u8>>,
}

impl<'b> FirstBase<'b> {
    pub(super) fn new(bytes: &'b [u8], max_record: usize) -> Self {
        FirstBase { bytes, max_record, base: None }
    }
}

impl TakeTag for FirstBase<'_> {
    fn tag(&mut self, tag: FoundTag<'_>) {
        if self.base.is_some() || tag.element != Element::Base {
            return;
        }
        let href = tag.attributes.iter().find(|(attribute, _)| *attribute == Attribute::Href);
        let Some((_, value)) = href else { return };
        let text = &self.bytes[value.clone()];
        let escapes = Escapes::of_html(text);
        let url = &text[escapes.trimmed(text)];
        if url.len() <= self.max_record {
            let mut base = Vec::new();
            escapes.write(url, &mut base);
            self.base = Some(base);
        }
    }

    fn malformed(&mut self, _at: usize, _reason: Malformed) {}
}

/// Returns the last place where a chunk with these bytes from `start` on may end, the state there, and the
/// tags before it. If the place is `start`, a tag needs more bytes.
pub(crate) fn border(
    page: PageState,
    bytes: &[u8],
    start: usize,
    max_record: usize,
) -> (usize, PageState, FoundTags) {
    let mut tags = FoundTags::default();
    let (end, after) = page.border(bytes, start, max_record, &mut Collector::new(bytes, &mut tags));
    tags.len = end;
    (end, after, tags)
}

/// Returns the first `<base href>` in these bytes from `start` on, as [`FoundTags::base`] does.
pub(crate) fn base(page: PageState, bytes: &[u8], start: usize, max_record: usize) -> Option<Vec<u8>> {
    let mut first = FirstBase::new(bytes, max_record);
    page.border(bytes, start, max_record, &mut Collector::new(bytes, &mut first));
    first.base
}

/// A tag, or a place where the page is malformed.
#[derive(Debug)]
enum TagMark {
    Tag { element: Element, name: Range<u32>, refreshes: bool, attributes: u32 },
    Malformed(u32, Malformed),
}

impl FoundTags {
    /// Passes the tags and the malformed places to `to`, in order.
    pub(super) fn give(&self, to: &mut impl TakeTag) {
        let mut rest = &self.attributes[..];
        let mut attributes = Vec::new();
        for mark in &self.marks {
            match *mark {
                TagMark::Tag { element, ref name, refreshes, attributes: count } => {
                    let (of_tag, others) = rest.split_at(count as usize);
                    rest = others;
                    attributes.clear();
                    attributes.extend(of_tag.iter().map(|(attribute, value)| (*attribute, wide(value))));
                    to.tag(FoundTag { element, name: wide(name), refreshes, attributes: &attributes });
                }
                TagMark::Malformed(at, reason) => to.malformed(at as usize, reason),
            }
        }
    }
}

/// Takes the tags of a chunk. Their positions fit in 32 bits.
impl TakeTag for FoundTags {
    #[inline]
    fn tag(&mut self, tag: FoundTag<'_>) {
        if !self.has_room() {
            return;
        }
        let FoundTag { element, name, refreshes, attributes } = tag;
        self.marks.push(TagMark::Tag {
            element,
            name: narrow(name),
            refreshes,
            attributes: attributes.len() as u32,
        });
        let narrow_ones = attributes.iter().map(|(attribute, value)| (*attribute, narrow(value.clone())));
        self.attributes.extend(narrow_ones);
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        if self.has_room() {
            self.marks.push(TagMark::Malformed(at as u32, reason));
        }
    }
}

fn narrow(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
