//! WAT files, as Common Crawl makes them: the links of pages, as the metadata of a WARC file's records have them.
//!
//! | module | does |
//! |---|---|
//! | `links` | the links in a JSON object |
//!
//! A WAT file is a WARC file whose `metadata` records with the type `application/json` describe a capture each. The records are the links of
//! captures of HTML: in `Envelope.Payload-Metadata.HTTP-Response-Metadata.HTML-Metadata` the key `url` of the objects in `Links`,
//! `Head.Link` and `Head.Scripts` (or `href`, for links of style sheets), and `Head.Base`. The object's `path` names the
//! element and the attribute, as `A@/href`. The page is the `WARC-Target-URI` in the record's header, and its base is `Head.Base`.
//!
//! A capture without `HTML-Metadata`, as of a request or an image, counts as a sentinel, and so does a link without URL. JSON is looked through, not
//! parsed. Broken JSON is malformed at the place where it breaks, and the links before that place count. Other records of the file are not looked at.
//!
//! The JSON of a capture is held as a whole, since its base may follow its links: one over the limit is malformed.

mod links;

use std::sync::Arc;

use self::links::{Capture, Link, Url};
use super::warc::header::Header;
use super::warc::records::{Block, Met};
use super::warc::targets;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::{FieldSink, Place};
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::line_counter::LineCounter;
use crate::corpus::format::lines::log_format::{CutAt, Entry, LogFormat};
use crate::corpus::format::lines::options::FieldSelector;
use crate::grammar::Grammar;

pub(crate) const ENTRY: Entry = Entry {
    about: "WAT file: the links of the pages that it describes",
    fields: "the links only",
    sentinels: "",
    select: |options| match options.field {
        FieldSelector::Uri => Some(Arc::new(Wat)),
        _ => None,
    },
    #[cfg(test)]
    example: [
        "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\nContent-Length: 60000000\r\n\r\n\
         {\"Envelope\":{\"Payload-Metadata\":{\"HTTP-Response-Metadata\":{\"HTML-Metadata\":{\"Links\":[",
        "{\"path\":\"A@/href\",\"url\":\"",
        "\"},\n",
    ],
};

#[derive(Clone, Copy, Debug)]
struct Wat;

/// Whether a record describes a capture.
fn describes(header: &Header<'_>) -> bool {
    let content_type = header.content_type.split(|&byte| byte == b';').next().unwrap_or_default();
    header.kind.eq_ignore_ascii_case(b"metadata")
        && content_type.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

impl LogFormat for Wat {
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
            Met::Record(record) if describes(&record.header) => match record.block {
                Block::Whole(json) | Block::CutOff(json) => {
                    taker.take_capture(&record.header, record.start + record.header.len, json);
                }
                Block::TooLong => taker.malformed(record.start, Malformed::TooLong),
            },
            Met::Record(_) => {}
            Met::Malformed(at, reason) => taker.malformed(at, reason),
        });
        let lines = taker.lines.finish(chunk);
        sink.set_lines(lines);
    }

    /// Those of a WARC file if one of the first records describes a capture.
    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        let mut is_it = false;
        let chunk = ChunkLines { is_last: true, ..ChunkLines::head(head) };
        chunk.records.walk_chunk(&chunk, |met| {
            is_it |= matches!(met, Met::Record(record) if describes(&record.header));
        });
        if is_it { targets::fitting_lines(head) } else { 0 }
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

    /// Takes the links of a capture, whose JSON starts at this byte of the chunk.
    fn take_capture(&mut self, header: &Header<'_>, start: usize, json: &[u8]) {
        let capture = Capture::read(json);
        self.sink.begin_page(header.target);
        for link in &capture.links {
            self.take_link(link, start, json);
        }
        match capture.broken {
            Some((at, reason)) => self.malformed(start + at, reason),
            None if !capture.is_page => {
                let (line_start, number) = self.lines.pass(start);
                self.sink.take(Line::Sentinel, b"", line_start, number as u32);
            }
            None => {}
        }
    }

    fn take_link(&mut self, link: &Link, start: usize, json: &[u8]) {
        let at = start + link.at;
        let (url, escapes) = match &link.url {
            Url::Text(url, escapes) => (url, *escapes),
            Url::None => {
                let (line_start, number) = self.lines.pass(at);
                return self.sink.take(Line::Sentinel, b"", line_start, number as u32);
            }
            &Url::Malformed(reason) => return self.malformed(at, reason),
        };
        let (line_start, number) = self.lines.pass(at);
        let range = start + url.start - line_start..start + url.end - line_start;
        let place = match &link.path {
            _ if link.is_base => Some(Place::known("base", "href")),
            Some((path, escapes)) => Some(Place::of_path(&json[path.clone()], start + path.start, *escapes)),
            None => None,
        };
        let line = &self.chunk.bytes[line_start..];
        let field = Field { range, tail: 0..0, escapes };
        self.sink.take_at(place, Line::Record(field), line, line_start, number as u32);
        if link.is_base {
            self.sink.last_is_base();
        }
    }
}
