//! Takes the URIs of a message.

use std::ops::Range;

use super::decoded::{Decoded, field_body};
use super::header::{Content, HeaderField, Kind};
use super::parts::{TakePart, walk};
use crate::corpus::format::kinds::html::tokens::PageState;
use crate::corpus::format::kinds::html::{self, TakeLink};
use crate::corpus::format::kinds::text;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::log_format::starts_as_uri;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::memchr;

/// Takes the URIs of the message in this range of the chunk.
pub(super) fn take(message: Range<usize>, sink: &mut DocumentSink<'_, '_>) {
    let bytes = sink.chunk.bytes;
    walk(bytes, message, &mut Message { passed: 0, sink });
}

struct Message<'p, 'w, 's> {
    /// The place of the last record in the chunk. The records of a decoded text are not before it.
    passed: usize,
    sink: &'p mut DocumentSink<'w, 's>,
}

impl TakePart for Message<'_, '_, '_> {
    fn field(&mut self, field: &HeaderField) {
        let bytes = self.sink.chunk.bytes;
        // Every URI has a colon. An encoded word may hold one.
        let body = &bytes[field.body.clone()];
        if memchr(b':', body).is_none() && memchr(b'?', body).is_none() {
            return;
        }
        let name = &bytes[field.name.clone()];
        let is = |names: &[&[u8]]| names.iter().any(|other| name.eq_ignore_ascii_case(other));
        let holds_addresses = name.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"list-"));
        let text = field_body(bytes, field.body.clone(), holds_addresses || is(&[b"archived-at"]));
        let name = Name::At(field.name.start as u32..field.name.end as u32);
        let place = Holder { element: name, attribute: None };
        // The whole body is a URI (RFC 2557 section 4), which may be relative.
        if is(&[b"content-location", b"content-base"]) {
            let uri = Escapes::None.trimmed(&text.bytes);
            if starts_as_uri(&text.bytes[uri.clone()]) {
                self.take(place, Some(&text), uri, Escapes::None);
            }
            return;
        }
        text::each_uri(&text.bytes, |uri, escapes| self.take(place.clone(), Some(&text), uri, escapes));
    }

    fn text(&mut self, range: Range<usize>, content: &Content) {
        let bytes = self.sink.chunk.bytes;
        let decoded = Decoded::of(bytes, range.clone(), content);
        let decoded = decoded.as_ref();
        if content.kind == Kind::Html {
            let max_record = self.sink.chunk.max_record;
            let (page, start) = decoded.map_or((&bytes[..range.end], range.start), |text| (&text.bytes, 0));
            let mut links = PartLinks { decoded, page, message: self };
            html::links(PageState::default(), page, start, max_record, true, &mut links);
            return;
        }
        let place = Holder { element: Name::Known("text"), attribute: None };
        let start = if decoded.is_some() { 0 } else { range.start };
        let text = decoded.map_or(&bytes[range], |text| &text.bytes);
        text::each_uri(text, |uri, escapes| {
            self.take(place.clone(), decoded, start + uri.start..start + uri.end, escapes);
        });
    }
}

impl Message<'_, '_, '_> {
    /// Takes the URI in this range of a decoded text, or of the chunk.
    fn take(&mut self, place: Holder, decoded: Option<&Decoded>, range: Range<usize>, escapes: Escapes) {
        let bytes = self.sink.chunk.bytes;
        let at = self.place(decoded, range.start);
        if range.len() > self.sink.chunk.max_record {
            return self.sink.malformed(at, Malformed::TooLong);
        }
        let uri = decoded.map_or(&bytes[range.clone()], |text| &text.bytes[range.clone()]);
        if bytes[at..].starts_with(uri) {
            self.sink.record(Some(place), at..at + uri.len(), escapes);
        } else {
            self.sink.made(place, uri, escapes, at);
        }
    }

    /// Returns the place in the chunk of a place in a decoded text, or in the chunk.
    fn place(&mut self, decoded: Option<&Decoded>, at: usize) -> usize {
        self.passed = self.passed.max(decoded.map_or(at, |text| text.origin(at)));
        self.passed
    }
}

/// Takes the links of a part in HTML.
struct PartLinks<'p, 'm, 'w, 's> {
    decoded: Option<&'p Decoded>,
    page: &'p [u8],
    message: &'p mut Message<'m, 'w, 's>,
}

impl TakeLink for PartLinks<'_, '_, '_, '_> {
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Holder) {
        let place = if self.decoded.is_some() { place.made(self.page) } else { place };
        self.message.take(place, self.decoded, url, escapes);
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        let at = self.message.place(self.decoded, at);
        self.message.sink.malformed(at, reason);
    }
}
