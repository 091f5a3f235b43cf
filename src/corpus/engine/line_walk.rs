//! Goes through the lines of a chunk of a log, for the fields and the numbers of its rows.

use std::ops::Range;

use crate::corpus::cut::chunk::Chunk;
use crate::corpus::format::{ChunkLines, Fields};
use crate::corpus::format::{OpenRow, QuotedRows};
use crate::work::{memchr, memchr_iter};

/// A place before a line or row of a chunk, and the facts about the lines before it.
#[derive(Clone, Debug)]
pub(super) struct LineWalk<'a> {
    chunk: &'a Chunk<'a>,
    fields: &'a Fields,
    lines: ChunkLines<'a>,
    rows: Option<QuotedRows>,
    /// The start of the next line, in the chunk's bytes.
    at: usize,
    /// The number of lines before it.
    line: u64,
    /// The number of rows before it: of lines that are neither blank nor headers.
    row: u64,
    /// The number of headers before it.
    headers: usize,
    /// The last line before it that names columns.
    header: Option<Range<usize>>,
}

impl<'a> LineWalk<'a> {
    /// Returns a walk through the lines of a chunk. `None` if the records are not fields of lines, each of
    /// which has one at most.
    pub(super) fn new(chunk: &'a Chunk<'a>, fields: &'a Fields) -> Option<Self> {
        if fields.has_several_a_line() || chunk.is_part() {
            return None;
        }
        let lines = chunk.layout().lines_of(&chunk.format_lines());
        Some(LineWalk {
            chunk,
            fields,
            rows: lines.rows(),
            at: lines.mark,
            lines,
            line: 0,
            row: 0,
            headers: 0,
            header: None,
        })
    }

    /// Goes on to the line that starts at `start` of the chunk's bytes. Returns false if no line starts there
    /// from this place on.
    pub(super) fn go_to_start(&mut self, start: usize) -> bool {
        while self.at < start && self.pass() {}
        self.at == start
    }

    /// Goes on to the line with this number in the chunk, counted from 0, as [`go_to_start`](Self::go_to_start)
    /// does.
    pub(super) fn go_to_line(&mut self, line: u64) -> bool {
        while self.line < line && self.pass() {}
        self.line == line
    }

    /// Passes all lines, and returns the number of rows.
    pub(super) fn count_rows(mut self) -> u64 {
        while self.pass() {}
        self.row
    }

    /// Returns the next line without its end.
    pub(super) fn line(&self) -> &'a [u8] {
        self.text(self.at..self.end())
    }

    /// Returns the number of rows before the next line.
    pub(super) fn rows_before(&self) -> u64 {
        self.row
    }

    /// Returns the last line before the next one that names columns, and its start in the chunk. The line is
    /// empty if it is over the limit.
    pub(super) fn header(&self) -> Option<(usize, &'a [u8])> {
        let range = self.header.clone()?;
        let (start, line) = (range.start, self.text(range));
        Some((start, if line.len() > self.lines.max_record { &[] } else { line }))
    }

    /// Returns the chunk as formats examine it.
    pub(super) fn lines(&self) -> &ChunkLines<'a> {
        &self.lines
    }

    fn text(&self, range: Range<usize>) -> &'a [u8] {
        self.lines.without_end(&self.lines.bytes[range])
    }

    fn end(&self) -> usize {
        let bytes = self.lines.bytes;
        let end = match self.rows {
            Some(rows) => rows.end(bytes, &mut OpenRow::new(self.at)),
            None => memchr(self.lines.terminator, &bytes[self.at..]).map(|length| self.at + length + 1),
        };
        end.unwrap_or(bytes.len())
    }

    /// Passes the next line. Returns false if there is none.
    pub(super) fn pass(&mut self) -> bool {
        if self.at >= self.lines.bytes.len() {
            return false;
        }
        let range = self.at..self.end();
        let line = self.text(range.clone());
        if self.fields.header_start(self.headers) == Some(self.at) {
            if self.chunk.layout().names_columns(self.headers, line) {
                self.header = Some(range.clone());
            }
            self.headers += 1;
        } else if !line.is_empty() {
            self.row += 1;
        }
        let is_one_line = self.rows.is_none();
        let inner = if is_one_line { 0 } else { memchr_iter(self.lines.terminator, line).count() };
        self.line += 1 + inner as u64;
        self.at = range.end;
        true
    }
}
