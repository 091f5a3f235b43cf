//! The fields of a chunk, side by side: what the bulk engine scans, and the way back to the lines.

use std::collections::TryReserveError;
use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::field::{Field, Find, Found, Malformed};
use crate::batch::{Batch, Columns};
use crate::corpus::{Chunk, Record};
use crate::validator::{ScanError, Validator};

/// The records that a [`Chunk`] of a [`Format`](super::Format) holds, unescaped and one after the other, each with the line that it
/// comes from. It is reused from chunk to chunk.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::corpus::{Fields, Format, Layout, Scanner};
/// use urivalidate::{Batch, Columns, Validator};
///
/// let log = br#"192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a\"b HTTP/1.1" 404 0
/// 192.0.2.1 - - [01/Jan/2026:00:00:01 +0000] "-" 408 0
/// "#;
/// let layout = Layout::new(Format::Common);
/// let validator = Validator::new(layout.grammar());
/// let mut errors = Vec::new();
/// Scanner::new().layout(layout).scan_slice(
///     log,
///     |chunk| {
///         let (mut fields, mut batch) = (Fields::new(), Batch::new());
///         fields.extract(chunk, false).unwrap();
///         fields.scan(&validator, Columns::NONE, &mut batch).unwrap();
///         let invalid = batch.invalid().iter();
///         let columns = invalid.map(|at| fields.column(chunk, at.index as usize, at.error.offset()));
///         (fields.sentinels(), columns.collect::<Vec<_>>())
///     },
///     |found| {
///         errors.push(found);
///         ControlFlow::Continue(())
///     },
/// )?;
/// // The quote, which stands in columns 51 and 52 as \".
/// assert_eq!(errors, [(1, vec![51])]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// The records, each followed by LF.
    values: Vec<u8>,
    places: Vec<Place>,
    traces: Vec<Trace>,
    odd: Vec<Odd>,
    malformed: Vec<MalformedLine>,
    sentinels: u64,
    lines: u64,
    /// Bytes of the byte order mark before the first line.
    mark: usize,
}

/// Where a record comes from.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// 0-based in the chunk.
    line: u32,
    /// Of the line, in the chunk's bytes.
    line_start: u32,
    /// Of the record, in the chunk's bytes.
    start: u32,
}

/// How a record is written that is not in its line as it is.
#[derive(Clone, Debug)]
struct Trace {
    index: usize,
    field: Field,
    /// Bytes that were trimmed off its start.
    trimmed: usize,
}

/// A record with an LF in it, which no grammar allows. Among the values it has a vertical tab, which none allows either.
#[derive(Clone, Debug)]
struct Odd {
    index: usize,
    bytes: Vec<u8>,
}

/// A line that does not fit the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MalformedLine {
    /// The 0-based number of the line in its chunk.
    pub line: u64,
    /// The line's length in bytes, without its end.
    pub length: u64,
    /// What is wrong with it.
    pub reason: Malformed,
}

const LINE_FEED_STANDS_AS: u8 = 0x0B;

impl Fields {
    /// No fields yet.
    pub fn new() -> Self {
        Fields::default()
    }

    /// Finds the fields of a chunk, in place of those held before.
    ///
    /// If `trim`, ASCII white space (CR too) at both ends is no part of a record.
    ///
    /// # Errors
    ///
    /// If there is no memory for them.
    pub fn extract(&mut self, chunk: &Chunk<'_>, trim: bool) -> Result<(), TryReserveError> {
        self.values.clear();
        self.places.clear();
        self.traces.clear();
        self.odd.clear();
        self.malformed.clear();
        (self.sentinels, self.lines, self.mark) = (0, 0, chunk.mark);
        // What escapes stand for is never longer than they are, so a line at most gets a CR, and an LF if it has none.
        self.values.try_reserve_exact(chunk.bytes().len() + 2)?;
        let are_lines = chunk.terminator == b'\n';
        chunk.reading().extract(chunk, &mut Sink { fields: self, trim, copies: are_lines && !trim })
    }

    /// Judges all records at once. What is said here of an index in the batch holds for those of the methods below.
    ///
    /// # Errors
    ///
    /// If there are too many bytes; not if the chunk has at most [`Batch::MAX_BYTES`].
    pub fn scan(&self, validator: &Validator, columns: Columns, batch: &mut Batch) -> Result<(), ScanError> {
        validator.scan(&self.values, 0, columns, batch)?;
        for odd in &self.odd {
            let at = batch.invalid.binary_search_by_key(&odd.index, |record| record.index as usize);
            if let (Ok(at), Err(error)) = (at, validator.parse(&odd.bytes)) {
                batch.invalid[at].error = error;
            }
        }
        Ok(())
    }

    /// What is scanned: the records, each followed by LF. An LF in a record stands as vertical tab;
    /// [`record_bytes`](Self::record_bytes) has such a record as it is.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no records.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The number of lines in the chunk, with and without records.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// How many lines have in the field's place what the writer puts there for want of a URI.
    pub fn sentinels(&self) -> u64 {
        self.sentinels
    }

    /// The lines that do not fit the format, in order.
    pub fn malformed(&self) -> &[MalformedLine] {
        &self.malformed
    }

    /// A record, of which `range` is the place in [`values`](Self::values).
    pub fn record_bytes(&self, index: usize, range: Range<usize>) -> &[u8] {
        match self.odd.binary_search_by_key(&index, |odd| odd.index) {
            Ok(odd) => &self.odd[odd].bytes,
            Err(_) => &self.values[range],
        }
    }

    /// The 0-based number of a record's line in its chunk.
    pub fn line_number(&self, index: usize) -> u64 {
        self.places[index].line.into()
    }

    /// The line of a record as it came, its end included. `chunk` is the one that the fields come from.
    pub fn line<'c>(&self, chunk: &'c Chunk<'_>, index: usize) -> &'c [u8] {
        let rest = &chunk.bytes()[self.places[index].line_start as usize..];
        &rest[..memchr(chunk.terminator, rest).map_or(rest.len(), |line_end| line_end + 1)]
    }

    /// The 1-based byte of its line that a record starts at.
    pub fn start_column(&self, index: usize) -> u64 {
        let place = self.places[index];
        self.column_of(place, (place.start - place.line_start) as usize)
    }

    /// The 1-based byte of the line that byte `offset` of a record comes from. `chunk` is the one that the fields come from.
    pub fn column(&self, chunk: &Chunk<'_>, index: usize, offset: usize) -> u64 {
        let place = self.places[index];
        let in_line = match self.traces.binary_search_by_key(&index, |trace| trace.index) {
            Ok(at) => {
                let Trace { field, trimmed, .. } = &self.traces[at];
                field.origin(&chunk.bytes()[place.line_start as usize..], offset + trimmed)
            }
            Err(_) => (place.start - place.line_start) as usize + offset,
        };
        self.column_of(place, in_line)
    }

    fn column_of(&self, place: Place, in_line: usize) -> u64 {
        let mark = if place.line_start as usize == self.mark { self.mark } else { 0 };
        (mark + in_line) as u64 + 1
    }

    /// The records one by one. `chunk` is the one that the fields come from.
    pub fn records<'a>(&'a self, chunk: &'a Chunk<'_>) -> impl Iterator<Item = Record<'a>> {
        let mut ends = memchr_iter(b'\n', &self.values);
        let mut start = 0;
        (0..self.len()).map(move |index| {
            let end = ends.next().expect("each record has its line end");
            let value = &self.values[start..end];
            let range = start..start + crate::corpus::record::without_cr(value).len();
            start = end + 1;
            let bytes = self.record_bytes(index, range);
            Record::of_line(bytes, self.line(chunk, index), self.line_number(index), self.start_column(index))
        })
    }
}

/// Takes what is found in the lines of a chunk.
pub(super) struct Sink<'a> {
    fields: &'a mut Fields,
    trim: bool,
    /// Whether a plain field is a record as it is.
    copies: bool,
}

impl Sink<'_> {
    /// Looks for the field in every line of `chunk`.
    pub(super) fn find(&mut self, chunk: &Chunk<'_>, mut finder: impl Find) -> Result<(), TryReserveError> {
        if chunk.is_part() {
            self.part(chunk);
            return Ok(());
        }
        let (bytes, terminator) = (chunk.bytes(), chunk.terminator);
        let mut start = chunk.mark;
        let mut number = 0;
        let line_ends = memchr_iter(terminator, &bytes[start..]).map(|at| chunk.mark + at);
        let unended = (!bytes.ends_with(&[terminator]) && bytes.len() > start).then_some(bytes.len());
        for end in line_ends.chain(unended) {
            let mut line = &bytes[start..end];
            if end < bytes.len() && terminator == b'\n' {
                line = crate::corpus::record::without_cr(line);
            }
            let found = if line.len() > chunk.max_record {
                Found::Malformed(Malformed::TooLong)
            } else {
                finder.find(line)
            };
            self.take(found, line, start, number)?;
            start = end + 1;
            number += 1;
        }
        self.fields.lines = number.into();
        Ok(())
    }

    /// Of a line over the limit the last part counts.
    fn part(&mut self, chunk: &Chunk<'_>) {
        if let Some(length) = chunk.part.as_ref().and_then(|part| part.length) {
            self.fields.lines = 1;
            self.fields.malformed.push(MalformedLine { line: 0, length, reason: Malformed::TooLong });
        }
    }

    /// Takes what was found in the line that starts at `start` of the chunk.
    #[inline]
    fn take(&mut self, found: Found, line: &[u8], start: usize, number: u32) -> Result<(), TryReserveError> {
        match found {
            Found::Field(field) if field.is_plain() && self.copies => {
                let from = self.fields.values.len();
                self.fields.values.extend_from_slice(&line[field.range.clone()]);
                self.end_record(from, start, start + field.range.start, number);
                Ok(())
            }
            found => self.take_other(found, line, start, number),
        }
    }

    /// The same of what is rarer than a record that is a part of its line.
    #[inline(never)]
    fn take_other(
        &mut self,
        found: Found,
        line: &[u8],
        start: usize,
        number: u32,
    ) -> Result<(), TryReserveError> {
        let fields = &mut *self.fields;
        let mut field = match found {
            Found::Skipped => return Ok(()),
            Found::Sentinel => {
                fields.sentinels += 1;
                return Ok(());
            }
            Found::Malformed(reason) => {
                let length = line.len() as u64;
                fields.malformed.push(MalformedLine { line: number.into(), length, reason });
                return Ok(());
            }
            Found::Field(field) => field,
        };
        let from = fields.values.len();
        if field.is_in_place() {
            if self.trim {
                trim(line, &mut field);
            }
            field.write(line, &mut fields.values);
        } else {
            field = self.take_rewritten(field, line);
        }
        self.replace_line_feeds(from)?;
        self.end_record(from, start, start + field.range.start, number);
        Ok(())
    }

    /// Sees to it that the last record, whose value starts at `from`, is a line among the values.
    fn replace_line_feeds(&mut self, from: usize) -> Result<(), TryReserveError> {
        let Fields { values, places, odd, .. } = &mut *self.fields;
        let record = &mut values[from..];
        if memchr(b'\n', record).is_some() {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(record.len())?;
            bytes.extend_from_slice(record);
            odd.push(Odd { index: places.len(), bytes });
            for byte in record.iter_mut().filter(|byte| **byte == b'\n') {
                *byte = LINE_FEED_STANDS_AS;
            }
        }
        Ok(())
    }

    /// Ends the record whose value starts at `from`, and remembers where it and its line start in the chunk.
    #[inline]
    fn end_record(&mut self, from: usize, line_start: usize, start: usize, line: u32) {
        let Fields { values, places, .. } = &mut *self.fields;
        places.push(Place { line, line_start: line_start as u32, start: start as u32 });
        // One CR before the LF would not count.
        if values.len() > from && values.ends_with(b"\r") {
            values.push(b'\r');
        }
        values.push(b'\n');
    }

    /// Writes a field whose record is not in the line as it is; the one returned starts where the record does.
    fn take_rewritten(&mut self, field: Field, line: &[u8]) -> Field {
        let fields = &mut *self.fields;
        let index = fields.places.len();
        let from = fields.values.len();
        field.write(line, &mut fields.values);
        let mut trimmed = 0;
        if self.trim {
            let record = fields.values[from..].trim_ascii_end();
            let end = from + record.len();
            trimmed = record.len() - record.trim_ascii_start().len();
            fields.values.truncate(end);
            fields.values.drain(from..from + trimmed);
        }
        let start = field.origin(line, trimmed);
        let range = start..field.range.end.max(start);
        let shown = Field { range, ..field.clone() };
        fields.traces.push(Trace { index, field, trimmed });
        shown
    }

    /// Takes what [`walk`](super::warc::walk) finds: lines that may be far apart.
    pub(super) fn walk(
        &mut self,
        chunk: &Chunk<'_>,
        state: super::warc::State,
    ) -> Result<(), TryReserveError> {
        let bytes = chunk.bytes();
        let (mut counted, mut number) = (chunk.mark, 0);
        let mut result = Ok(());
        let count = |range: Range<usize>| memchr_iter(b'\n', &bytes[range]).count() as u64;
        super::warc::walk(state, &bytes[chunk.mark..], chunk.is_part(), |line, found| {
            let start = chunk.mark + line.start;
            number += count(counted..start);
            counted = start;
            let line = &bytes[start..chunk.mark + line.end];
            let found =
                if line.len() > chunk.max_record { Found::Malformed(Malformed::TooLong) } else { found };
            if result.is_ok() {
                result = self.take(found, line, start, number as u32);
            }
        });
        self.fields.lines = number + count(counted..bytes.len());
        result
    }
}

/// Leaves out white space at both ends of a field that is in its line as it is.
fn trim(line: &[u8], field: &mut Field) {
    let part = if field.tail.is_empty() { &mut field.range } else { &mut field.tail };
    part.end -= line[part.clone()].len() - line[part.clone()].trim_ascii_end().len();
    field.range.start = field.range.end - line[field.range.clone()].trim_ascii_start().len();
}
