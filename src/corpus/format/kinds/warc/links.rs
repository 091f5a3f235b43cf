//! The links of the captures in a WARC or ARC file: each URL in an attribute of HTML, in the bodies of
//! responses and in documents, and the links in the heads of responses.
//!
//! Captures are `response` records, which hold an HTTP response, and `resource` records, which hold a
//! document. A capture is a page if its media type is HTML, or if it has no media type and starts like a
//! page. All other captures count as sentinels. The page is the `WARC-Target-URI` of the record, and its base
//! is the `<base href>`.
//!
//! The heads of responses have links, too: `Location` and `Link`. They are relative to the record's
//! `WARC-Target-URI`, whatever the page's base is. A capture with such a link is no sentinel. Records come in
//! the order of their places, so the links of a head follow those of a decoded page.
//!
//! Bodies are decoded: chunks, `gzip`, `deflate`, `br` and `zstd`. An archive can decode a body and keep its
//! head, so a body that does not decode is a page if it starts like a page, and otherwise malformed. A body
//! that breaks in the middle is malformed, too, but the links before the break count. URLs in a body without
//! encoding have their own line and column; URLs in decoded bodies have the line at which the record starts,
//! and column 1.
//!
//! Pages in UTF-16 are decoded as well. In ISO-2022-JP, characters of two bytes are not read as tags. In all
//! other charsets of the Encoding Standard, ASCII bytes stand for ASCII characters. A URL with other
//! characters is not a URI in any charset; it is judged as the bytes that it has.
//!
//! A record is held in memory as a whole, but at most a few megabytes of its decoded body. Content that is
//! longer than a record may be, before or after a coding is undone, is malformed.

use super::archive::Archive;
use super::body::{Body, Decoded, Text};
use super::head_links;
use super::http::{HttpHead, media_type};
use super::pages::{self, StreamedPage};
use super::records::{ArchiveRecord, Block};
use super::targets;
use crate::corpus::format::kinds::html::{self, PagePart, TakeLink as _, tokens::PageState};
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::log_format::COPIES;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::mark::mark_len;
use crate::memory::{self, OutOfMemory, Room};

#[derive(Clone, Copy, Debug)]
pub(super) struct Links;

impl Archive for Links {
    fn take(&self, record: &ArchiveRecord<'_>, sink: &mut DocumentSink<'_, '_>) {
        take_record(record, sink);
    }

    fn room_for(&self, bytes: &[u8], _held: usize) -> Result<Room, OutOfMemory> {
        /// The bytes of memory to decode a page: the largest window of brotli, and a text.
        const DECODING: usize = 24 << 20;

        memory::room_for(bytes.len().saturating_mul(COPIES).saturating_add(DECODING))
    }

    fn fitting_lines(&self, head: &[u8]) -> usize {
        targets::fitting_lines(head)
    }
}

/// Takes the links of a record, if the record is a capture.
fn take_record(record: &ArchiveRecord<'_>, sink: &mut DocumentSink<'_, '_>) {
    let ArchiveRecord { start, header, block } = record;
    let is_response = header.kind.eq_ignore_ascii_case(b"response");
    if !is_response && !header.kind.eq_ignore_ascii_case(b"resource") {
        return;
    }
    let block = match *block {
        Block::Whole(block) | Block::CutOff(block) => block,
        Block::TooLong => return sink.malformed(*start, Malformed::TooLong),
        Block::Skipped => return,
    };
    let head = if is_response { HttpHead::read(block) } else { HttpHead::default() };
    let mut target = Vec::with_capacity(header.target.len());
    Escapes::of_folds(header.target).write(header.target, &mut target);
    let capture = Capture { record, block, head, target };
    let taken = capture.take_page(sink);
    if taken == Taken::InPlace {
        return;
    }
    let has_links = capture.take_head(sink);
    if taken == Taken::Nothing && !has_links {
        sink.sentinel(*start);
    }
}

/// The page that was taken from a capture, by the places of its links.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    /// A page whose links have their own places. The links of the head were taken before them.
    InPlace,
    /// A decoded page, or a malformed one: its place is the start of the record.
    AtRecord,
    /// No page.
    Nothing,
}

/// A capture with its block, or with the part of the block that the file has.
struct Capture<'r, 'a> {
    record: &'r ArchiveRecord<'a>,
    block: &'a [u8],
    head: HttpHead<'a>,
    /// The URI of the capture.
    target: Vec<u8>,
}

impl Capture<'_, '_> {
    /// Takes the links of the head, and returns true if there are any.
    fn take_head(&self, sink: &mut DocumentSink<'_, '_>) -> bool {
        let head_start = self.record.start + self.record.header.len;
        let head = &self.block[..self.head.len];
        let mut has_links = false;
        head_links::each(head, |link, name| {
            if !std::mem::replace(&mut has_links, true) {
                sink.fields.begin_page(&self.target);
            }
            let place = Holder { element: Name::Known(name), attribute: None };
            let escapes = Escapes::of_folds(&head[link.clone()]);
            sink.link(head_start + link.start..head_start + link.end, escapes, place);
        });
        has_links
    }

    /// Takes the links of the body if it is a page.
    fn take_page(&self, sink: &mut DocumentSink<'_, '_>) -> Taken {
        let ArchiveRecord { start, header, .. } = self.record;
        let is_response = header.kind.eq_ignore_ascii_case(b"response");
        // ARC files hold documents without a head if they came by another protocol than HTTP.
        let is_document = !is_response || header.is_arc && self.head.len == 0;
        let content_type = if is_document { Some(header.content_type) } else { self.head.content_type };
        let (essence, charset) = media_type(content_type.unwrap_or_default());
        let is_html = essence.eq_ignore_ascii_case(b"text/html")
            || essence.eq_ignore_ascii_case(b"application/xhtml+xml");
        if !is_html && !essence.is_empty() {
            return Taken::Nothing;
        }
        let malformed = |sink: &mut DocumentSink<'_, '_>, reason| {
            sink.malformed(*start, reason);
            Taken::AtRecord
        };
        let max_record = sink.chunk.max_record;
        let body = &self.block[self.head.len..];
        let body_start = start + header.len + self.head.len;
        let encoded = Body::new(self.head, body);
        let Ok((text, mut decoded)) = encoded.text(charset, max_record) else {
            return malformed(sink, Malformed::TooLong);
        };
        let first = text.start();
        let is_page = html::is_page(&first[mark_len(first)..]) || is_html && decoded != Decoded::Nothing;
        if !is_page {
            return if is_html { malformed(sink, Malformed::NotDecoded) } else { Taken::Nothing };
        }
        let page = PageState::default();
        match text {
            Text::Whole { is_in_place: true, .. } => {
                self.take_head(sink);
                sink.fields.begin_page(&self.target);
                let bytes = &sink.chunk.bytes[..body_start + body.len()];
                let page = PagePart { page, bytes, start: body_start, max_record, is_last: true };
                pages::take(page, None, sink);
                return Taken::InPlace;
            }
            Text::Whole { bytes, is_in_place: false } => {
                sink.fields.begin_page(&self.target);
                let page = PagePart { page, bytes: &bytes, start: 0, max_record, is_last: true };
                pages::take(page, Some(*start), sink);
            }
            Text::Long(_, stream) => {
                let Ok((page, decoded_to_end)) = StreamedPage::new(&stream, max_record, sink) else {
                    return malformed(sink, Malformed::TooLong);
                };
                decoded = decoded.max(decoded_to_end);
                sink.fields.begin_page(&self.target);
                page.take(*start, sink);
            }
        }
        if decoded == Decoded::Part {
            sink.malformed(*start, Malformed::NotDecoded);
        }
        Taken::AtRecord
    }
}
