//! Chunks through the bulk engine: one view of the results of a scan, whether the records are lines or fields of
//! lines.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::ops::Range;

use super::compared::compared;
use super::gathered_records::GatheredRecords;
use crate::batch::{Batch, InvalidRecord, Rows};
use crate::column::{Column, Columns};
use crate::components::Components;
use crate::corpus::cut::chunk::Chunk;
use crate::corpus::format::{Fields, Format, MalformedLine};
use crate::derived::Page;
use crate::error::{Error, ErrorKind};
use crate::validator::Validator;

/// Memory that scans of chunks use again and again: a worker has one.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::corpus::{Format, Layout, LayoutOptions, Scanner, ChunkScanner};
/// use urivalidate::{Columns, Validator};
///
/// let log = br#"192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a\"b HTTP/1.1" 404 0
/// 192.0.2.1 - - [01/Jan/2026:00:00:01 +0000] "-" 408 0
/// "#;
/// let layout = Layout::new(Format::Common, &LayoutOptions::default()).unwrap();
/// let validator = Validator::new(layout.grammar());
/// let mut found = Vec::new();
/// Scanner::new().layout(layout).scan_slice(
///     log,
///     |chunk| {
///         let mut chunk_scanner = ChunkScanner::default();
///         let scanned = chunk_scanner.scan(chunk, &validator, Columns::NONE).unwrap();
///         let invalid = scanned.batch().invalid().iter();
///         let columns = invalid.filter_map(|at| scanned.error_column(at.index as usize, at.error.offset()));
///         (scanned.sentinels(), columns.collect::<Vec<_>>())
///     },
///     |result| {
///         found.push(result);
///         ControlFlow::<()>::Continue(())
///     },
/// )?;
/// // The quote, which stands in columns 51 and 52 as \".
/// assert_eq!(found, [(1, vec![51])]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ChunkScanner {
    batch: Batch,
    fields: Fields,
    gathered: GatheredRecords,
    /// Whether the last chunk was so long that its memory is not worth keeping.
    was_long: bool,
}

/// A chunk whose records are judged.
///
/// Records are numbered from 0. The place of a valid record is only known if the scan filled [`Columns::RECORDS`] at
/// least.
#[derive(Clone, Copy, Debug)]
pub struct Scanned<'a> {
    pub(super) chunk: &'a Chunk<'a>,
    pub(super) batch: &'a Batch,
    /// The bytes that the batch's offsets count in.
    pub(super) values: &'a [u8],
    pub(super) records: RecordSource<'a>,
    /// The records that are invalid by another grammar.
    pub(super) other: Option<&'a [InvalidRecord]>,
    /// The number of the first record among those of the chunk.
    pub(super) first: usize,
    pub(super) malformed: &'a [MalformedLine],
}

/// The place of a problem in a chunk.
#[derive(Clone, Copy, Debug)]
pub enum ProblemAt<'a> {
    /// In this record.
    Record(&'a InvalidRecord),
    /// In this line, which has none.
    Line(&'a MalformedLine),
}

/// The records of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum RecordSource<'a> {
    Lines,
    /// Not all bytes of a line.
    Gathered(&'a GatheredRecords),
    Fields(&'a Fields),
    /// A record over the limit, if it ends here.
    Part,
}

impl ChunkScanner {
    /// Judges all records of a chunk at once, and fills the columns that are named.
    ///
    /// A record over the scanner's limit is always invalid ([`RecordTooLong`](ErrorKind::RecordTooLong)), and so
    /// is the last record of a line whose end could not be read, because an error ended the input ([`Truncated`](ErrorKind::Truncated)).
    ///
    /// # Errors
    ///
    /// If there is no memory for the records. Records that are whole lines need none, except for the columns.
    pub fn scan<'a>(
        &'a mut self,
        chunk: &'a Chunk<'_>,
        validator: &Validator,
        columns: Columns,
    ) -> Result<Scanned<'a>, TryReserveError> {
        if std::mem::replace(&mut self.was_long, chunk.is_long()) {
            *self = ChunkScanner { was_long: self.was_long, ..ChunkScanner::default() };
        }
        let columns = if chunk.ends_cut_off() { columns | Columns::RECORDS } else { columns };
        let ChunkScanner { batch, fields, gathered, .. } = self;
        let records = if chunk.layout().format() != Format::Lines {
            chunk.layout().extract(&chunk.format_lines(), chunk.limits.trim, fields)?;
            fields.scan(validator, columns, batch).expect("fields are no longer than a chunk");
            RecordSource::Fields(fields)
        } else if chunk.is_part() {
            scan_part(chunk, validator, columns, batch);
            RecordSource::Part
        } else if chunk.limits.trim || chunk.limits.terminator != b'\n' {
            gathered.gather(chunk)?;
            gathered.scan(chunk, validator, columns, batch);
            RecordSource::Gathered(gathered)
        } else {
            scan_lines(chunk, validator, columns, batch);
            RecordSource::Lines
        };
        let values = match records {
            RecordSource::Lines => chunk.lines(),
            RecordSource::Gathered(gathered) => gathered.values(chunk),
            RecordSource::Fields(fields) => fields.values(),
            RecordSource::Part => chunk.cut.part.as_ref().map_or(&[][..], |part| &part.head),
        };
        if chunk.ends_cut_off() {
            reject_cut_off(chunk, records, values, batch);
        }
        let malformed = match records {
            RecordSource::Fields(fields) => fields.malformed(),
            _ => &[],
        };
        let scanned = Scanned { chunk, batch, values, records, other: None, first: 0, malformed };
        chunk.tell_lines(|| scanned.lines());
        Ok(scanned)
    }

    /// [Scans](Self::scan) a chunk twice, the second time without the records and the malformed places that follow its first problem, if a line
    /// may hold several records. The number of lines stays.
    pub(crate) fn scan_to_first_problem<'a>(
        &'a mut self,
        chunk: &'a Chunk<'_>,
        validator: &Validator,
        columns: Columns,
    ) -> Result<Scanned<'a>, TryReserveError> {
        let scanned = self.scan(chunk, validator, columns)?;
        let has_several_a_line = scanned.has_several_a_line();
        let Some(first) = scanned.problems().next().filter(|_| has_several_a_line) else {
            return self.scan(chunk, validator, columns);
        };
        let (records, malformed) = scanned.counts_to(first);
        let ChunkScanner { batch, fields, .. } = self;
        fields.truncate(records, malformed);
        fields.scan(validator, columns, batch).expect("fields are no longer than a chunk");
        let (values, malformed) = (fields.values(), fields.malformed());
        let records = RecordSource::Fields(fields);
        Ok(Scanned { chunk, batch, values, records, other: None, first: 0, malformed })
    }
}

/// Judges unchanged lines.
fn scan_lines(chunk: &Chunk<'_>, validator: &Validator, columns: Columns, batch: &mut Batch) {
    let lines = chunk.lines();
    let may_be_too_long = lines.len() > chunk.limits.max_record;
    let columns = if may_be_too_long { columns | Columns::RECORDS } else { columns };
    validator.scan(lines, columns, batch).expect("a chunk is not so long");
    if may_be_too_long {
        let too_long: Vec<_> = (0..batch.len())
            .map(|index| (index, column_range(batch, index)))
            .filter(|(_, range)| range.len() > chunk.limits.max_record)
            .map(|(index, range)| {
                let record = lines.get(range).unwrap_or_default();
                (index, Error::record_too_long(record, chunk.limits.max_record))
            })
            .collect();
        batch.reject(&too_long);
    }
}

/// Judges the record over the limit whose last part the chunk has; in another part there is none.
fn scan_part(chunk: &Chunk<'_>, validator: &Validator, columns: Columns, batch: &mut Batch) {
    let ends = chunk.cut.part.as_ref().filter(|part| part.length.is_some());
    let (offsets, head) = match ends {
        Some(part) => (&[0, part.head.len() as u32][..], &*part.head),
        None => (&[0][..], &[][..]),
    };
    let columns = columns | Columns::RECORDS;
    validator.scan_ranges(offsets, head, None, columns, batch).expect("the offsets are in order");
    if let Some(part) = ends {
        batch.reject(&[(0, part.error)]);
    }
}

/// Judges the last record of a line whose end could not be read.
#[cold]
fn reject_cut_off(chunk: &Chunk<'_>, records: RecordSource<'_>, values: &[u8], batch: &mut Batch) {
    let Some(last) = batch.len().checked_sub(1) else { return };
    if let RecordSource::Fields(fields) = records
        && (fields.are_in_documents() || !fields.is_in_last_line(chunk.bytes(), last))
    {
        return;
    }
    let is_too_long = |record: &InvalidRecord| {
        record.index as usize == last && record.error.kind() == ErrorKind::RecordTooLong
    };
    if !batch.invalid().last().is_some_and(is_too_long) {
        let record = values.get(column_range(batch, last)).unwrap_or_default();
        batch.reject(&[(last, Error::truncated(record))]);
    }
}

/// The range of a record in the scanned bytes, by its columns.
fn column_range(batch: &Batch, index: usize) -> Range<usize> {
    batch.filled(Column::Start)[index] as usize..batch.filled(Column::End)[index] as usize
}

impl<'a> Scanned<'a> {
    /// The verdicts, and the columns that were requested: offsets in [`values`](Self::values).
    pub fn batch(&self) -> &'a Batch {
        self.batch
    }

    /// The bytes that the batch's offsets count in: the bytes of the records, and possibly others between
    /// them.
    pub fn values(&self) -> &'a [u8] {
        self.values
    }

    /// Whether records are whole lines, one after the other.
    pub(crate) fn has_lines(&self) -> bool {
        matches!(self.records, RecordSource::Lines)
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.batch.len()
    }

    /// Whether there are no records. There may be lines.
    pub fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// The bytes of record `index`. A record over the limit may be cut to its first bytes.
    ///
    /// `None` if there is no such record, or if it is valid and the scan did not fill [`Columns::RECORDS`].
    pub fn record(&self, index: usize) -> Option<&'a [u8]> {
        let range = self.range(index)?;
        Some(match self.records {
            RecordSource::Fields(fields) => fields.record(self.first + index),
            // In a file that changes bytes can be anything, but nothing that is made of them is delivered.
            _ => self.values().get(range).unwrap_or_default(),
        })
    }

    /// The whole record's length in bytes, also if it is over the limit. `None` as of [`record`](Self::record).
    pub fn length(&self, index: usize) -> Option<u64> {
        let range = self.range(index)?;
        Some(match (&self.records, &self.chunk.cut.part) {
            (RecordSource::Part, Some(part)) => part.length.unwrap_or_default(),
            _ => range.len() as u64,
        })
    }

    /// The error of an invalid record.
    pub fn error(&self, index: usize) -> Option<Error> {
        let invalid = self.batch.invalid();
        invalid.binary_search_by_key(&index, |record| record.index as usize).ok().map(|at| invalid[at].error)
    }

    /// Adds the verdicts of a scan of the same chunk by another grammar. If it has more records, as in a file that changes between the two
    /// scans, the last ones are left out.
    #[must_use]
    pub fn compare(self, other: &Scanned<'a>) -> Self {
        Scanned { other: Some(other.invalid_among_first(self.len())), ..self }
    }

    /// The invalid ones of the first `records` records.
    pub(crate) fn invalid_among_first(&self, records: usize) -> &'a [InvalidRecord] {
        let invalid = self.batch.invalid();
        &invalid[..invalid.partition_point(|record| (record.index as usize) < records)]
    }

    /// The verdict on record `index` by the [other grammar](Self::compare), if there is one.
    pub fn also(&self, index: usize) -> Option<Result<(), Error>> {
        let other = self.other?;
        let at = other.binary_search_by_key(&index, |record| record.index as usize);
        Some(at.map_or(Ok(()), |at| Err(other[at].error)))
    }

    /// The records that match exactly one of the two grammars, in order. None if there is no [other grammar](Self::compare).
    pub fn differing(&self) -> impl Iterator<Item = usize> {
        let invalid = self.batch.invalid();
        let pairs = self.other.into_iter().flat_map(move |other| compared(invalid, other));
        pairs.filter_map(|pair| match pair {
            (Some(record), None) | (None, Some(record)) => Some(record.index as usize),
            _ => None,
        })
    }

    /// The components of record `index`, in bytes from its first one, or its error.
    ///
    /// `None` if there is no such record, or if the scan did not fill [`Columns::ALL`].
    pub fn verdict(&self, index: usize) -> Option<Result<Components, Error>> {
        Rows::new(self.batch, self.values)?.get(index)?.verdict()
    }

    /// The name of the element that holds a record, in lower case, and the name of its attribute, if the input has pages.
    pub fn place(&self, index: usize) -> Option<(Cow<'static, str>, Option<Cow<'static, str>>)> {
        match self.records {
            RecordSource::Fields(fields) => fields.place(self.chunk.bytes(), self.first + index),
            _ => None,
        }
    }

    /// The page that a record comes from, if the input is an archive of pages.
    pub fn page(&self, index: usize) -> Option<Page<'a>> {
        match self.records {
            RecordSource::Fields(fields) => fields.page(self.first + index),
            _ => None,
        }
    }

    /// The 0-based number of a record's line in its chunk. `None` if there is no such record.
    pub fn line_number(&self, index: usize) -> Option<u64> {
        let index = self.index_in_chunk(index)?;
        Some(match self.records {
            RecordSource::Fields(fields) => fields.line_number(index),
            _ => index as u64,
        })
    }

    /// The 1-based byte of its line that a record starts at; a byte order mark counts. `None` if there is no such record.
    pub fn start_column(&self, index: usize) -> Option<u64> {
        let index = self.index_in_chunk(index)?;
        let mark = if index == 0 { self.chunk.cut.mark as u64 } else { 0 };
        Some(match (&self.records, &self.chunk.cut.part) {
            (RecordSource::Lines, _) => mark + 1,
            (RecordSource::Gathered(gathered), _) => mark + gathered.start_in_line(index) as u64 + 1,
            (RecordSource::Fields(fields), _) => fields.start_column(index),
            (RecordSource::Part, part) => part.as_ref().map_or(1, |part| part.mark as u64 + 1),
        })
    }

    /// The 1-based byte of its line that byte `offset` of a record comes from. `None` if there is no such record.
    pub fn error_column(&self, index: usize, offset: usize) -> Option<u64> {
        match self.records {
            RecordSource::Fields(fields) => {
                let index = self.index_in_chunk(index)?;
                Some(fields.column(self.chunk.bytes(), index, offset))
            }
            _ => Some(self.start_column(index)? + offset as u64),
        }
    }

    /// The line of record `index` as it came, with its end and without a byte order mark. For a record over the limit, it may
    /// be the last bytes only. A record of a document, whose lines may have any length, is returned without its line. If a
    /// line may hold many records, each call looks for its end again.
    ///
    /// `None` as of [`record`](Self::record).
    pub fn line(&self, index: usize) -> Option<&'a [u8]> {
        let range = self.range(index)?;
        Some(match self.records {
            RecordSource::Lines => {
                self.chunk.lines().get(range.start..self.line_end(range.end)).unwrap_or_default()
            }
            RecordSource::Gathered(gathered) => gathered.line(self.chunk, self.first + index),
            RecordSource::Fields(fields) if fields.are_in_documents() => fields.record(self.first + index),
            RecordSource::Fields(fields) => fields.line(self.chunk.bytes(), self.first + index),
            RecordSource::Part => self.chunk.lines(),
        })
    }

    /// The end of the line whose record ends here, if lines are records.
    pub(super) fn line_end(&self, end: usize) -> usize {
        // Line ends are not looked for: in a file that changes they may be gone.
        let lines = self.chunk.lines();
        let line_end = if lines.get(end) == Some(&b'\r') { 2 } else { 1 };
        lines.len().min(end + line_end)
    }

    /// The lines that do not fit the format, in order. They are no records.
    pub fn malformed(&self) -> &'a [MalformedLine] {
        self.malformed
    }

    /// The problems in the chunk, in the order of the lines: invalid records, and between them the lines that do not fit the format.
    pub fn problems(&self) -> impl Iterator<Item = ProblemAt<'a>> {
        let scanned = *self;
        let mut malformed = scanned.malformed().iter().peekable();
        let mut invalid = scanned.batch().invalid().iter().peekable();
        std::iter::from_fn(move || {
            // A line of a document may have any number of both.
            let place = invalid.peek().and_then(|record| scanned.line_and_column(record.index as usize));
            let is_before = |malformed: &&MalformedLine| {
                place.is_none_or(|place| (malformed.line, malformed.column) < place)
            };
            match malformed.next_if(is_before) {
                Some(malformed) => Some(ProblemAt::Line(malformed)),
                None => invalid.next().map(ProblemAt::Record),
            }
        })
    }

    /// Whether a line may hold more than one record.
    pub(crate) fn has_several_a_line(&self) -> bool {
        matches!(self.records, RecordSource::Fields(fields) if fields.has_several_a_line())
    }

    /// The numbers of records and of malformed lines up to this problem, and with it.
    fn counts_to(&self, problem: ProblemAt<'_>) -> (usize, usize) {
        match problem {
            ProblemAt::Record(record) => {
                let index = record.index as usize;
                let place = self.line_and_column(index);
                let is_before = |line: &MalformedLine| Some((line.line, line.column)) < place;
                (index + 1, self.malformed().partition_point(is_before))
            }
            ProblemAt::Line(malformed) => {
                let end = (malformed.line, malformed.column);
                let is_before = |line: &MalformedLine| (line.line, line.column) <= end;
                let records =
                    (0..self.len()).take_while(|&index| self.line_and_column(index) < Some(end)).count();
                (records, self.malformed().partition_point(is_before))
            }
        }
    }

    /// The number of lines with a sentinel: the text that the writer puts in the record's place if it has no
    /// URI.
    pub fn sentinels(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.sentinels(),
            _ => 0,
        }
    }

    /// The number of header lines, which describe the others. They hold no record.
    pub fn headers(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.headers(),
            _ => 0,
        }
    }

    /// The number of lines in the chunk, with and without records. Only the last part of a line counts.
    pub fn lines(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.lines(),
            _ => self.len() as u64,
        }
    }

    /// The number of bytes in the chunk.
    pub fn bytes(&self) -> u64 {
        self.chunk.bytes().len() as u64
    }

    /// The chunk.
    pub fn chunk(&self) -> &'a Chunk<'a> {
        self.chunk
    }

    /// The 0-based number of the first line in the chunk that holds an invalid record or does not fit its format.
    ///
    /// A record over the limit is known to be invalid before its end, which may be far.
    pub(crate) fn first_bad_line(&self) -> Option<u64> {
        let invalid = self.batch.invalid().first().and_then(|record| self.line_number(record.index as usize));
        let malformed = self.malformed().first().map(|line| line.line);
        let part = matches!(self.records, RecordSource::Part).then_some(0);
        [invalid, malformed, part].into_iter().flatten().min()
    }

    /// The 0-based line and the 1-based column that a record starts at.
    pub(super) fn line_and_column(&self, index: usize) -> Option<(u64, u64)> {
        Some((self.line_number(index)?, self.start_column(index)?))
    }

    /// The number of a record among those of the chunk.
    fn index_in_chunk(&self, index: usize) -> Option<usize> {
        (index < self.len()).then_some(self.first + index)
    }

    /// The range of a record in the values, if it is known.
    fn range(&self, index: usize) -> Option<Range<usize>> {
        if self.batch.columns().contains_all(Columns::RECORDS) {
            return (index < self.len()).then(|| column_range(self.batch, index));
        }
        let invalid = self.batch.invalid();
        let at = invalid.binary_search_by_key(&index, |record| record.index as usize).ok()?;
        Some(invalid[at].start as usize..invalid[at].end as usize)
    }
}
