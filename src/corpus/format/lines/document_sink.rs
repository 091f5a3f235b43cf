//! Takes the records of a document. Its records are not lines: each has a place in the chunk.

use std::ops::Range;

use super::chunk_lines::ChunkLines;
use super::element::Holder;
use super::fields::FieldSink;
use super::line::{Field, Line, Malformed};
use super::line_counter::LineCounter;
use super::unescape::Escapes;

/// Takes the records of a chunk of documents in the order of their bytes.
pub(crate) struct DocumentSink<'w, 's> {
    pub(crate) chunk: &'w ChunkLines<'w>,
    pub(crate) fields: &'w mut FieldSink<'s>,
    lines: LineCounter<'w>,
}

impl<'w, 's> DocumentSink<'w, 's> {
    /// Returns a sink for a chunk. The first line of the chunk starts `before` bytes before the chunk.
    pub(crate) fn new(chunk: &'w ChunkLines<'w>, before: u64, fields: &'w mut FieldSink<'s>) -> Self {
        fields.set_documents();
        fields.set_bytes_before(before);
        DocumentSink { chunk, fields, lines: LineCounter::new(chunk) }
    }

    /// Takes the record in these bytes of the chunk. `place` is the element and the attribute that hold it,
    /// if they are known. Returns whether there is room for it; if not, the place counts as malformed.
    pub(crate) fn record(&mut self, place: Option<Holder>, range: Range<usize>, escapes: Escapes) -> bool {
        self.fields.begin_piece();
        let (line_start, number) = self.lines.pass(range.start);
        if escapes == Escapes::None && self.fields.takes_unchanged(range.len()) {
            let (start, value) = (range.start, &self.chunk.bytes[range]);
            return self.fields.take_unchanged_at(place, value, line_start, start, number as u32);
        }
        let range = range.start - line_start..range.end - line_start;
        let field = Field { range, tail: 0..0, escapes };
        let line = &self.chunk.bytes[line_start..];
        self.fields.take_at(place, Line::Record(field), line, line_start, number as u32)
    }

    /// Takes a record that the chunk spells differently in its bytes from `at` on. Returns whether there is
    /// room for it; if not, the place counts as malformed.
    pub(crate) fn made(&mut self, place: Holder, raw: &[u8], escapes: Escapes, at: usize) -> bool {
        self.fields.begin_piece();
        let (line_start, number) = self.lines.pass(at);
        let has_room = self.fields.take_made(place, raw, escapes, (line_start, at), number as u32);
        if !has_room {
            self.malformed(at, Malformed::TooLong);
        }
        has_room
    }

    /// Takes a sentinel at this byte.
    pub(crate) fn sentinel(&mut self, at: usize) {
        let (line_start, number) = self.lines.pass(at);
        self.fields.take(Line::Sentinel, b"", line_start, number as u32);
    }

    /// Takes a place at which the document is malformed.
    pub(crate) fn malformed(&mut self, at: usize, reason: Malformed) {
        self.fields.begin_piece();
        let (line_start, number) = self.lines.pass(at);
        self.fields.take_malformed_place(reason, at, line_start, number);
    }

    /// Counts the lines of the chunk. Call it after the last record.
    pub(crate) fn finish(self) {
        self.fields.set_lines(self.lines.finish(self.chunk));
    }
}
