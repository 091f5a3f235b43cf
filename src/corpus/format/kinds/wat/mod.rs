//! WAT files of Common Crawl: the links of pages, from the metadata of a WARC file's records.
//!
//! | module | does |
//! |---|---|
//! | `links` | the links in a JSON object |
//!
//! A WAT file is a WARC file. Its `metadata` records with the type `application/json` each describe a
//! capture. The records are the links of captures of HTML: in
//! `Envelope.Payload-Metadata.HTTP-Response-Metadata.HTML-Metadata`, the key `url` of the objects in `Links`,
//! `Head.Link` and `Head.Scripts` (or `href`, for links of style sheets), and `Head.Base`. The object's
//! `path` names the element and the attribute, for example `A@/href`. The page is the `WARC-Target-URI` in
//! the record's header, and its base is `Head.Base`.
//!
//! A capture without `HTML-Metadata`, for example of a request or an image, counts as a sentinel, and so does
//! a link without a URL. JSON is searched, and not parsed. Broken JSON is malformed at the place where it
//! breaks, and the links before that place count. Other records of the file are ignored.
//!
//! The JSON of a capture is held in memory as a whole, since its base can follow its links: if the links make
//! several pieces, the JSON is searched for the base first. JSON over the limit is malformed.

mod links;

use std::sync::Arc;

use self::links::{Capture, Link, Url};
use super::warc::archive::{Archive, PagesOf};
use super::warc::header::RecordHeader;
use super::warc::records::{ArchiveRecord, Block, Blocks, RecordEvent};
use super::warc::state::RecordsState;
use super::warc::targets;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::log_format::COPIES;
use crate::memory::{self, OutOfMemory, Room};

pub(crate) const ENTRY: Entry = Entry {
    about: "WAT file: the links of the pages that it describes",
    sentinels: "",
    fields: FieldChoice::None("the links only", || Arc::new(PagesOf(Wat))),
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

/// Returns true if a record describes a capture.
fn describes(header: &RecordHeader<'_>) -> bool {
    let content_type = header.content_type.split(|&byte| byte == b';').next().unwrap_or_default();
    header.kind.eq_ignore_ascii_case(b"metadata")
        && content_type.trim_ascii().eq_ignore_ascii_case(b"application/json")
}

impl Archive for Wat {
    fn take(&self, record: &ArchiveRecord<'_>, sink: &mut DocumentSink<'_, '_>) {
        let ArchiveRecord { start, header, block } = record;
        match block {
            _ if !describes(header) => {}
            Block::Whole(json) | Block::CutOff(json) => take_capture(header, start + header.len, json, sink),
            Block::TooLong => sink.malformed(*start, Malformed::TooLong),
            Block::Skipped => {}
        }
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
    }

    /// Returns the lines of a WARC file, if one of the first records describes a capture.
    fn fitting_lines(&self, head: &[u8]) -> usize {
        let mut is_it = false;
        let chunk = ChunkLines { is_last: true, ..ChunkLines::head(head) };
        RecordsState::default().walk_chunk(&chunk, Blocks::Whole, |event| {
            is_it |= matches!(event, RecordEvent::Record(record) if describes(&record.header));
        });
        if is_it { targets::fitting_lines(head) } else { 0 }
    }
}

/// Takes the links of a capture. Its JSON starts at `start` of the chunk.
fn take_capture(header: &RecordHeader<'_>, start: usize, json: &[u8], sink: &mut DocumentSink<'_, '_>) {
    sink.fields.begin_page(header.target);
    let mut knows_base = false;
    let capture = Capture::read(json, |link| {
        if !knows_base && sink.fields.is_full() {
            knows_base = true;
            if let Some(base) = base_of(json).filter(|_| !sink.fields.page_has_base()) {
                sink.fields.set_page_base(&base);
            }
        }
        take_link(&link, start, json, sink);
    });
    match capture.broken {
        Some((at, reason)) => sink.malformed(start + at, reason),
        None if !capture.is_page => sink.sentinel(start),
        None => {}
    }
}

/// Returns the base of a capture.
fn base_of(json: &[u8]) -> Option<Vec<u8>> {
    let mut base = None;
    Capture::read(json, |link| {
        if let (None, true, Url::Text(url, escapes)) = (&base, link.is_base, link.url) {
            let mut text = Vec::new();
            escapes.write(&json[url], &mut text);
            base = Some(text);
        }
    });
    base
}

fn take_link(link: &Link, start: usize, json: &[u8], sink: &mut DocumentSink<'_, '_>) {
    let (url, escapes) = match &link.url {
        Url::Text(url, escapes) => (url, *escapes),
        Url::None => return sink.sentinel(start + link.at),
        &Url::Malformed(reason) => return sink.malformed(start + link.at, reason),
    };
    let place = match &link.path {
        _ if link.is_base => Some(Holder::known("base", "href")),
        Some((path, escapes)) => Some(Holder::of_path(&json[path.clone()], start + path.start, *escapes)),
        None => None,
    };
    if sink.record(place, start + url.start..start + url.end, escapes) && link.is_base {
        sink.fields.last_is_base();
    }
}
