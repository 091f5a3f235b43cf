//! Takes the links of a page of an archive.
//!
//! The base of a page is the base of the links before it, too. So the page is searched for its base before
//! any of its links leave memory: if the links make several pieces, or if the page is too long to be held in
//! memory as a whole.

use std::ops::Range;

use super::body::{Decoded, TextReader, TextStream, TooLong};
use crate::corpus::format::kinds::html::tokens::PageState;
use crate::corpus::format::kinds::html::{PagePart, TakeLink};
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;
use crate::memory::{self, OutOfMemory};

/// Takes the links of a page in memory. If the page is decoded, its links count as at `record`, the start of
/// the page's record in the chunk.
pub(super) fn take(page: PagePart<'_>, record: Option<usize>, sink: &mut DocumentSink<'_, '_>) {
    page.links(&mut PageLinks { page, record, sink, knows_base: false });
}

/// A page that is decoded while it is read.
pub(super) struct StreamedPage<'s, 'b> {
    text: &'s TextStream<'b>,
    max_record: usize,
    base: Option<Vec<u8>>,
}

impl<'s, 'b> StreamedPage<'s, 'b> {
    /// Searches a page for its base. Returns the part of the body that decodes, too. The sink gets the error
    /// if memory runs out.
    pub(super) fn new(
        text: &'s TextStream<'b>,
        max_record: usize,
        sink: &mut DocumentSink<'_, '_>,
    ) -> Result<(Self, Decoded), TooLong> {
        let mut base = None;
        let (read, decoded) = text.read(|text| {
            each_part(text, max_record, |part| {
                if base.is_some() {
                    return (part.bytes.len(), part.page);
                }
                let (found, passed) = part.base();
                base = found;
                passed
            })
        })?;
        sink.fields.note_lack(read.err());
        Ok((StreamedPage { text, max_record, base }, decoded))
    }

    /// Takes the links of the page, which count as at `record`.
    pub(super) fn take(&self, record: usize, sink: &mut DocumentSink<'_, '_>) {
        if let Some(base) = &self.base {
            sink.fields.set_page_base(base);
        }
        let read = self.text.read(|text| {
            each_part(text, self.max_record, |page| {
                page.links(&mut PageLinks { page, record: Some(record), sink, knows_base: true })
            })
        });
        // The first reading of the text has met all its other errors.
        sink.fields.note_lack(read.ok().and_then(|(read, _)| read.err()));
    }
}

/// Passes a page part by part. `pass` returns the place up to which it has passed a part, and the state
/// there.
fn each_part(
    text: &mut TextReader<'_>,
    max_record: usize,
    mut pass: impl FnMut(PagePart<'_>) -> (usize, PageState),
) -> Result<(), OutOfMemory> {
    /// The bytes of a part. A part with a longer tag is longer.
    const PART: usize = 1 << 20;

    let (mut page, mut bytes, mut target) = (PageState::default(), Vec::new(), PART);
    loop {
        let is_last = text.fill(&mut bytes, target)?;
        // A copy of a value is at most as long.
        let _room = memory::room_for(bytes.len())?;
        let (end, after) = pass(PagePart { page, bytes: &bytes, start: 0, max_record, is_last });
        if is_last {
            return Ok(());
        }
        page = after;
        bytes.drain(..end);
        // Each attempt parses the tag from its start, so the next one needs many more bytes.
        target = bytes.len() + bytes.len().max(PART);
    }
}

/// Takes the links of a part of a page.
struct PageLinks<'p, 'w, 's> {
    page: PagePart<'p>,
    record: Option<usize>,
    sink: &'p mut DocumentSink<'w, 's>,
    /// Whether the page has been searched for its base.
    knows_base: bool,
}

impl PageLinks<'_, '_, '_> {
    /// Searches the base of the page before the first links leave memory.
    fn begin_piece(&mut self) {
        if !self.knows_base && self.sink.fields.is_full() {
            self.knows_base = true;
            if !self.sink.fields.page_has_base()
                && let (Some(base), _) = self.page.base()
            {
                self.sink.fields.set_page_base(&base);
            }
        }
    }
}

impl TakeLink for PageLinks<'_, '_, '_> {
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Holder) {
        self.begin_piece();
        let Some(record) = self.record else { return self.sink.link(url, escapes, place) };
        let is_base = place.is_base();
        let place = place.made(self.page.bytes);
        if self.sink.made(place, &self.page.bytes[url], escapes, record) && is_base {
            self.sink.fields.last_is_base();
        }
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.begin_piece();
        self.sink.malformed(self.record.unwrap_or(at), reason);
    }
}
