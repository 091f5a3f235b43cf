//! The links of the pages in a WARC or ARC file: each URL in an attribute of HTML, in the bodies of responses and in documents.
//!
//! Captures are `response` records, which hold an HTTP response, and `resource` records, which hold a document. A capture is a page if its media
//! type is HTML, or if it has no media type and starts like a page. All other captures count as sentinels. The page is the `WARC-Target-URI` of the
//! record, and its base is the `<base href>`.
//!
//! Bodies are decoded: chunks, `gzip`, `deflate`, `br` and `zstd`. An archive can decode a body and keep its head, so a body that does not decode
//! is a page if it starts like a page, and otherwise malformed. A body that breaks in the middle is malformed, too, but the links before the break
//! count. URLs in a body without encoding have their own line and column; URLs in decoded bodies have the line at which the record starts, and
//! column 1.
//!
//! Pages in UTF-16 are decoded as well. In ISO-2022-JP, characters of two bytes are not read as tags. In all other charsets of the Encoding
//! Standard, ASCII bytes stand for ASCII characters. A URL with other characters is not a URI in any charset; it is judged as the bytes that it
//! has.
//!
//! A record and its decoded body are held in memory as a whole. Each of them may be as long as the longest record.

use std::borrow::Cow;
use std::ops::Range;

use super::body::{self, Content, Decoded};
use super::http::{Head, media_type};
use super::records::{Block, Met, Record};
use super::targets;
use crate::corpus::format::kinds::html::{self, TakeLink, tokens::PageState};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::log_format::{CutAt, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::mark::mark_len;
use crate::grammar::Grammar;

#[derive(Clone, Copy, Debug)]
pub(super) struct Links;

impl LogFormat for Links {
    fn grammar(&self) -> Grammar {
        Grammar::UriReference
    }

    fn cut_at(&self) -> CutAt {
        CutAt::Records
    }

    /// The chunk has the state at its start, which the cutter found.
    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let mut sink = DocumentSink::new(chunk, chunk.records.column, sink);
        chunk.records.walk_chunk(chunk, |met| match met {
            Met::Record(record) => take_record(&record, &mut sink),
            Met::Malformed(at, reason) => sink.malformed(at, reason),
        });
        sink.finish();
    }

    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        targets::fitting_lines(head)
    }
}

/// Takes the links of a record, if the record is a capture.
fn take_record(record: &Record<'_>, sink: &mut DocumentSink<'_, '_>) {
    let Record { start, header, block } = record;
    let is_response = header.kind.eq_ignore_ascii_case(b"response");
    if !is_response && !header.kind.eq_ignore_ascii_case(b"resource") {
        return;
    }
    let (&Block::Whole(block) | &Block::CutOff(block)) = block else {
        return sink.malformed(*start, Malformed::TooLong);
    };
    let head = if is_response { Head::read(block) } else { Head::default() };
    // ARC files hold documents without a head if they came by another protocol than HTTP.
    let is_document = !is_response || header.is_arc && head.len == 0;
    let content_type = if is_document { Some(header.content_type) } else { head.content_type };
    let (essence, charset) = media_type(content_type.unwrap_or_default());
    let is_html =
        essence.eq_ignore_ascii_case(b"text/html") || essence.eq_ignore_ascii_case(b"application/xhtml+xml");
    if !is_html && !essence.is_empty() {
        return sink.sentinel(*start);
    }
    let body = &block[head.len..];
    let max_record = sink.chunk.max_record;
    let Ok(Content { bytes, decoded }) = body::content(&head, body, max_record) else {
        return sink.malformed(*start, Malformed::TooLong);
    };
    let in_charset = body::decoded(&bytes, charset);
    let text = in_charset.as_deref().unwrap_or(&bytes);
    let is_page = html::is_page(&text[mark_len(text)..]) || is_html && decoded != Decoded::Nothing;
    if !is_page && is_html {
        return sink.malformed(*start, Malformed::NotDecoded);
    }
    if !is_page {
        return sink.sentinel(*start);
    }
    sink.fields.begin_page(header.target);
    if in_charset.is_none() && matches!(bytes, Cow::Borrowed(_)) {
        let body_start = start + header.len + head.len;
        let in_chunk = &sink.chunk.bytes[..body_start + body.len()];
        html::links(PageState::default(), in_chunk, body_start, max_record, true, sink);
    } else {
        let mut made = Made { text, record: *start, sink };
        html::links(PageState::default(), text, 0, max_record, true, &mut made);
    }
    if decoded == Decoded::Part {
        sink.malformed(*start, Malformed::NotDecoded);
    }
}

/// Takes the links of a decoded page.
struct Made<'t, 'w, 's> {
    text: &'t [u8],
    /// The start of the page's record in the chunk. All links of the page count as there.
    record: usize,
    sink: &'t mut DocumentSink<'w, 's>,
}

impl TakeLink for Made<'_, '_, '_> {
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Holder) {
        let is_base = place.is_base();
        let place = place.made(self.text);
        if self.sink.made(place, &self.text[url], escapes, self.record) && is_base {
            self.sink.fields.last_is_base();
        }
    }

    fn malformed(&mut self, _at: usize, reason: Malformed) {
        self.sink.malformed(self.record, reason);
    }
}
