//! The records of a chunk of a log, side by side: the scanned values, and the way back to the lines.
//!
//! | module | does |
//! |---|---|
//! | `sink` | [`FieldSink`]: fills the fields |
//! | `pieces` | hands out the records of a chunk piece by piece |
//! | `pages` | the pages that records come from |
//! | `shares` | the role of each line, for outputs of whole lines |

mod pages;
mod pieces;
mod shares;
mod sink;

use std::ops::Range;

pub(crate) use shares::LineRole;
pub(crate) use sink::FieldSink;

use self::pages::Pages;
use super::chunk_lines::ChunkLines;
use super::element::{Element, Holder};
use super::keys_seen::KeysSeen;
use super::line::{Field, Malformed, MalformedLine};
use super::rows::{OpenRow, QuotedRows};
use crate::batch::Batch;
use crate::derived::Page;
use crate::memory::{self, OutOfMemory};
use crate::request::Request;
use crate::validator::{ScanError, Validator};
use crate::work::{memchr, memchr_iter, memrchr};

/// The records of a chunk's lines, unescaped and one after the other, each with the line that it comes from,
/// and the roles of the other lines. Each chunk reuses the buffers of the chunk before it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    /// The records, one after the other.
    values: Vec<u8>,
    /// The start of each record in the values, and the end of the last one.
    offsets: Vec<u32>,
    origins: Vec<SourceLine>,
    rewritten: Vec<Rewritten>,
    /// The white space that was trimmed off records: half-open ranges of the chunk's bytes, in order.
    cuts: Vec<Range<u32>>,
    /// The place of each record in its page, if the place is known. Empty if the input has no pages.
    places: Vec<Option<Holder>>,
    /// The pages that the records come from, if the input is an archive or a page has a base.
    pages: Pages,
    /// The records made of decoded bytes.
    made: Vec<Range<usize>>,
    malformed: Vec<MalformedLine>,
    headers: Vec<HeaderLine>,
    sentinels: u64,
    without_key: u64,
    lines: u64,
    /// The length in bytes of the byte order mark before the first line.
    mark: usize,
    /// The byte that ends a line.
    terminator: u8,
    /// The rows, if they may have more than one line.
    rows: Option<QuotedRows>,
    /// The records that start after the first line of their row.
    inner_lines: Vec<InnerLine>,
    /// Whether a line may hold more than one record.
    has_several_a_line: bool,
    /// Whether the records come from documents, and not from lines.
    in_documents: bool,
    /// The number of bytes of the first line that lie before the chunk.
    bytes_before: u64,
    /// The error if memory ran out for a record. The records are then incomplete.
    lack: Option<OutOfMemory>,
}

/// The origin of a record.
#[derive(Clone, Copy, Debug)]
struct SourceLine {
    /// The number of the line in the chunk, counted from 0.
    line: u32,
    /// The start of the line, or of the row that contains it, in the chunk's bytes.
    line_start: u32,
    /// The start of the record, in the chunk's bytes.
    start: u32,
}

/// The escapes of a record whose bytes differ from the text of its line.
#[derive(Clone, Debug)]
struct Rewritten {
    index: usize,
    field: Field,
    /// The number of bytes trimmed off the record's start.
    trimmed: usize,
}

/// The line of a record that starts after the first line of its row.
#[derive(Clone, Copy, Debug)]
struct InnerLine {
    index: usize,
    /// The start of the line, in the chunk's bytes.
    start: u32,
}

/// A line that describes other lines.
#[derive(Clone, Copy, Debug)]
struct HeaderLine {
    /// The start of the line, in the chunk's bytes.
    start: u32,
}

impl Fields {
    /// Forgets the last chunk's fields, and makes room for those of `chunk`.
    pub(crate) fn begin(&mut self, chunk: &ChunkLines<'_>) -> Result<(), OutOfMemory> {
        self.clear_records();
        self.pages.clear();
        (self.lines, self.has_several_a_line) = (0, false);
        (self.in_documents, self.bytes_before) = (false, 0);
        self.lack = None;
        (self.mark, self.terminator, self.rows) = (chunk.mark, chunk.terminator, chunk.rows());
        // Only `&nGt;` and `&nLt;` of HTML stand for more bytes than they have, so this is nearly always
        // enough.
        memory::try_reserve_exact(&mut self.values, chunk.bytes.len())
    }

    /// Forgets the records and all other lines, but not the facts about the chunk.
    fn clear_records(&mut self) {
        self.values.clear();
        self.offsets.clear();
        self.offsets.push(0);
        self.origins.clear();
        self.rewritten.clear();
        self.cuts.clear();
        self.inner_lines.clear();
        self.places.clear();
        self.made.clear();
        self.malformed.clear();
        self.headers.clear();
        (self.sentinels, self.without_key) = (0, 0);
    }

    /// Returns an error if memory ran out for a record.
    pub(crate) fn end(&mut self) -> Result<(), OutOfMemory> {
        self.lack.take().map_or(Ok(()), Err)
    }

    /// Returns the number of records.
    pub(crate) fn record_count(&self) -> usize {
        self.origins.len()
    }

    /// Judges all records at once. The batch's rules for an index also apply to the methods below.
    ///
    /// # Errors
    ///
    /// Returns an error if the records have more than [`Batch::MAX_BYTES`] bytes. A [`FieldSink`] never takes
    /// that many.
    pub(crate) fn scan(
        &self,
        validator: &Validator,
        request: Request,
        batch: &mut Batch,
    ) -> Result<(), ScanError> {
        validator.scan_ranges(&self.offsets, &self.values, None, request, batch).map(drop)
    }

    /// Returns the scanned values: the records, one after the other.
    pub(crate) fn values(&self) -> &[u8] {
        &self.values
    }

    /// Returns the number of records.
    fn len(&self) -> usize {
        self.origins.len()
    }

    /// Returns the number of lines in the chunk, with and without records.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns true if a line may hold more than one record.
    pub(crate) fn has_several_a_line(&self) -> bool {
        self.has_several_a_line
    }

    /// Returns true if the records come from documents, and not from lines.
    pub(crate) fn are_in_documents(&self) -> bool {
        self.in_documents
    }

    /// Returns the number of bytes of the first line that lie before the chunk.
    pub(crate) fn bytes_before(&self) -> u64 {
        self.bytes_before
    }

    /// Returns the number of lines with a sentinel: the text in the field's place if the writer has no URI.
    pub(crate) fn sentinels(&self) -> u64 {
        self.sentinels
    }

    /// Returns the number of lines, or of objects in documents, that lack the key.
    pub(crate) fn without_key(&self) -> u64 {
        self.without_key
    }

    /// Returns true if a record, a sentinel, or a value of another type stands at the key.
    fn have_key(&self) -> bool {
        let is_value =
            |line: &MalformedLine| matches!(line.reason, Malformed::NotAString | Malformed::BadEscape);
        !self.origins.is_empty() || self.sentinels > 0 || self.malformed.iter().any(is_value)
    }

    /// Notes whether lines with and without the key occur.
    pub(crate) fn note_keys(&self, keys: &KeysSeen) {
        keys.note(self.without_key > 0, || self.have_key());
    }

    /// Returns the lines that do not fit the format, in order.
    pub(crate) fn malformed(&self) -> &[MalformedLine] {
        &self.malformed
    }

    /// Returns the number of header lines, which describe the others.
    pub(crate) fn headers(&self) -> u64 {
        self.headers.len() as u64
    }

    /// Returns the record with this index, counted from 0.
    ///
    /// # Panics
    ///
    /// Panics if the record does not exist.
    pub(crate) fn record(&self, index: usize) -> &[u8] {
        &self.values[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Returns the element and the attribute that hold a record, if the input has pages. `bytes` are those of
    /// the chunk.
    pub(crate) fn element(&self, bytes: &[u8], index: usize) -> Option<Element> {
        Some(self.places.get(index)?.as_ref()?.names(bytes))
    }

    /// Returns the page that a record comes from, if the input is an archive or the page has a base.
    pub(crate) fn page(&self, index: usize) -> Option<Page<'_>> {
        self.pages.of(index)
    }

    /// Returns true if a record is made of decoded bytes. They have no place in the chunk.
    fn is_made(&self, index: usize) -> bool {
        let run = self.made.partition_point(|run| run.end <= index);
        self.made.get(run).is_some_and(|run| run.start <= index)
    }

    /// Returns the 0-based number of a record's line in its chunk.
    pub(crate) fn line_number(&self, index: usize) -> u64 {
        self.origins[index].line.into()
    }

    /// Returns the line or row of a record as read, with its end. `bytes` are those of the chunk that the
    /// records come from.
    pub(crate) fn line<'c>(&self, bytes: &'c [u8], index: usize) -> &'c [u8] {
        &bytes[self.line_range(bytes, self.origins[index].line_start)]
    }

    /// Returns the start of a record's line, or of the row that contains it, in the chunk's bytes.
    pub(crate) fn line_start(&self, index: usize) -> usize {
        self.origins[index].line_start as usize
    }

    /// Returns the start of the header with this number, counted from 0, in the chunk's bytes.
    pub(crate) fn header_start(&self, number: usize) -> Option<usize> {
        self.headers.get(number).map(|header| header.start as usize)
    }

    /// Returns the range of the line or row that starts at `start`, with its end.
    fn line_range(&self, bytes: &[u8], start: u32) -> Range<usize> {
        let start = start as usize;
        let end = match self.rows {
            Some(rows) => rows.end(bytes, &mut OpenRow::new(start)),
            None => memchr(self.terminator, &bytes[start..]).map(|length| start + length + 1),
        };
        start..end.unwrap_or(bytes.len())
    }

    /// Returns the byte of its line at which a record starts, counted from 1.
    pub(crate) fn start_column(&self, index: usize) -> u64 {
        let origin = self.origins[index];
        self.column_of(index, (origin.start - origin.line_start) as usize)
    }

    /// Returns the byte of the line that byte `offset` of a record comes from, counted from 1. `bytes` are
    /// those of the chunk that the records come from.
    pub(crate) fn column(&self, bytes: &[u8], index: usize, offset: usize) -> u64 {
        let origin = self.origins[index];
        if self.is_made(index) {
            return self.start_column(index);
        }
        let in_line = match self.rewritten.binary_search_by_key(&index, |rewritten| rewritten.index) {
            Ok(at) => {
                let Rewritten { field, trimmed, .. } = &self.rewritten[at];
                field.origin(&bytes[origin.line_start as usize..], offset + trimmed)
            }
            Err(_) => (origin.start - origin.line_start) as usize + offset,
        };
        self.column_of(index, in_line)
    }

    /// Returns the byte of a record's line, counted from 1. `in_line` counts from the start of the line or
    /// row.
    fn column_of(&self, index: usize, in_line: usize) -> u64 {
        let line_start = self.origins[index].line_start as usize;
        match self.inner_lines.binary_search_by_key(&index, |inner| inner.index) {
            Ok(at) => (line_start + in_line - self.inner_lines[at].start as usize) as u64 + 1,
            Err(_) => self.column_in_line(line_start, in_line),
        }
    }

    /// Returns true if a record's line or row is the last one of the chunk. `bytes` are those of the chunk.
    pub(crate) fn is_in_last_line(&self, bytes: &[u8], index: usize) -> bool {
        self.line_range(bytes, self.origins[index].line_start).end == bytes.len()
    }

    /// Returns the byte of a line, counted from 1. The line starts at `line_start` of the chunk, or before
    /// the chunk.
    fn column_in_line(&self, line_start: usize, in_line: usize) -> u64 {
        let before = if line_start == self.mark { self.mark as u64 + self.bytes_before() } else { 0 };
        before + in_line as u64 + 1
    }

    /// Appends this range of the chunk's `bytes`, without the white space trimmed off records.
    pub(crate) fn copy_trimmed(&self, bytes: &[u8], range: Range<usize>, to: &mut Vec<u8>) {
        let mut at = range.start;
        let first = self.cuts.partition_point(|cut| (cut.start as usize) < range.start);
        // If the file changes meanwhile, the ranges can be wrong. Nothing made of these bytes is delivered
        // then.
        let mut copy = |range| to.extend_from_slice(bytes.get(range).unwrap_or_default());
        for cut in self.cuts[first..].iter().take_while(|cut| (cut.start as usize) < range.end) {
            copy(at..cut.start as usize);
            at = cut.end as usize;
        }
        copy(at..range.end);
    }

    /// Corrects the line of the last record if that record is in the row that starts at `row_start`.
    fn find_line(&mut self, chunk: &ChunkLines<'_>, row_start: usize) {
        let Some(origin) = self.origins.last_mut().filter(|origin| origin.line_start as usize == row_start)
        else {
            return;
        };
        let before = &chunk.bytes[row_start..origin.start as usize];
        if let Some(line_end) = memrchr(chunk.terminator, before) {
            origin.line += memchr_iter(chunk.terminator, before).count() as u32;
            let index = self.origins.len() - 1;
            let inner = InnerLine { index, start: (row_start + line_end + 1) as u32 };
            memory::keep(&mut self.inner_lines, inner, &mut self.lack);
        }
    }
}
