//! The links of the pages in a WARC or ARC file: each URL in an attribute of HTML, in the bodies of responses.
//!
//! Captures are `response` records, which hold an HTTP response, and `resource` records, which hold a document. They are pages if their media
//! type is HTML's or, where they have none, if they start as pages do; all other captures count as sentinels. The page is the `WARC-Target-URI`
//! of the record, and its base is the `<base href>`.
//!
//! Bodies are decoded: chunks, `gzip`, `deflate`, `br` and `zstd`. An archive may have decoded a body and kept its head, so a body that does not
//! decode is a page if it starts as pages do, and else malformed. A body that breaks in the middle is malformed, too, and the links before that
//! place count. URLs in a body that was not encoded have the line and the column where they stand; those of decoded bodies have the line
//! at which the record starts, and column 1.
//!
//! Pages in UTF-16 are decoded, too, and in ISO-2022-JP characters of two bytes are no tags. In all other charsets of the Encoding Standard ASCII is ASCII, and a
//! URL with other characters is no URI in any case; it is judged as the bytes that it has.
//!
//! A record is held as a whole, and so is its decoded body: either may have as many bytes as the longest record.

use std::borrow::Cow;
use std::ops::Range;

use super::body::{self, Content, Decoded};
use super::http::{Head, media_type};
use super::records::{Block, Met, Record};
use super::targets;
use crate::corpus::format::kinds::html::{self, InPlace, TakeLink, tokens::PageState};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::{FieldSink, Place};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_counter::LineCounter;
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

    /// The state at the start of a chunk comes with the chunk: the cutter knows it.
    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.set_documents(chunk.records.column);
        let mut taker = Taker { chunk, sink, lines: LineCounter::new(chunk) };
        chunk.records.walk_chunk(chunk, |met| match met {
            Met::Record(record) => taker.take_record(&record),
            Met::Malformed(at, reason) => taker.malformed(at, reason),
        });
        let lines = taker.lines.finish(chunk);
        sink.set_lines(lines);
    }

    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        targets::fitting_lines(head)
    }
}

/// Takes the links of captures.
struct Taker<'w, 's> {
    chunk: &'w ChunkLines<'w>,
    sink: &'w mut FieldSink<'s>,
    lines: LineCounter<'w>,
}

impl Taker<'_, '_> {
    fn malformed(&mut self, at: usize, reason: Malformed) {
        let (line_start, number) = self.lines.pass(at);
        self.sink.take_malformed_place(reason, at, line_start, number);
    }

    fn take_record(&mut self, record: &Record<'_>) {
        let Record { start, header, block } = record;
        let is_response = header.kind.eq_ignore_ascii_case(b"response");
        if !is_response && !header.kind.eq_ignore_ascii_case(b"resource") {
            return;
        }
        let (&Block::Whole(block) | &Block::CutOff(block)) = block else {
            return self.malformed(*start, Malformed::TooLong);
        };
        let head = if is_response { Head::read(block) } else { Head::default() };
        // ARC files hold documents without a head, if they came by another protocol than HTTP.
        let is_document = !is_response || header.is_arc && head.len == 0;
        let content_type = if is_document { Some(header.content_type) } else { head.content_type };
        let (essence, charset) = media_type(content_type.unwrap_or_default());
        let is_html = essence.eq_ignore_ascii_case(b"text/html")
            || essence.eq_ignore_ascii_case(b"application/xhtml+xml");
        if !is_html && !essence.is_empty() {
            return self.take_sentinel(*start);
        }
        let body = &block[head.len..];
        let Ok(Content { bytes, decoded }) = body::content(&head, body, self.chunk.max_record) else {
            return self.malformed(*start, Malformed::TooLong);
        };
        let in_charset = body::decoded(&bytes, charset);
        let text = in_charset.as_deref().unwrap_or(&bytes);
        let is_page = html::is_page(&text[mark_len(text)..]) || is_html && decoded != Decoded::Nothing;
        if !is_page && is_html {
            return self.malformed(*start, Malformed::NotDecoded);
        }
        if !is_page {
            return self.take_sentinel(*start);
        }
        self.sink.begin_page(header.target);
        if in_charset.is_none() && matches!(bytes, Cow::Borrowed(_)) {
            self.take_body(start + header.len + head.len, body.len());
        } else {
            self.take_made(*start, text);
        }
        if decoded == Decoded::Part {
            self.malformed(*start, Malformed::NotDecoded);
        }
    }

    fn take_sentinel(&mut self, start: usize) {
        let (line_start, number) = self.lines.pass(start);
        self.sink.take(Line::Sentinel, b"", line_start, number as u32);
    }

    /// Takes the links of a page whose bytes stand in the chunk.
    fn take_body(&mut self, start: usize, len: usize) {
        let bytes = &self.chunk.bytes[..start + len];
        let mut there = InPlace { bytes, sink: self.sink, lines: &mut self.lines };
        html::links(PageState::default(), bytes, start, self.chunk.max_record, true, &mut there);
    }

    /// Takes the links of a page that has been decoded, of the record that starts here.
    fn take_made(&mut self, start: usize, text: &[u8]) {
        let (line_start, number) = self.lines.pass(start);
        let mut made = Made { text, sink: self.sink, start, line_start, number };
        html::links(PageState::default(), text, 0, self.chunk.max_record, true, &mut made);
    }
}

/// Takes the links of a page that has been decoded.
struct Made<'w, 's> {
    text: &'w [u8],
    sink: &'w mut FieldSink<'s>,
    /// The start of the page's record, and of its line, in the chunk.
    start: usize,
    line_start: usize,
    number: u64,
}

impl TakeLink for Made<'_, '_> {
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Place) {
        let is_base = place.is_base();
        let (place, raw) = (place.made(self.text), &self.text[url]);
        if !self.sink.take_made(place, raw, escapes, (self.line_start, self.line_start), self.number as u32) {
            self.malformed(self.start, Malformed::TooLong);
        } else if is_base {
            self.sink.last_is_base();
        }
    }

    fn malformed(&mut self, _at: usize, reason: Malformed) {
        self.sink.take_malformed_place(reason, self.start, self.line_start, self.number);
    }
}
