//! Runs chunks through the bulk engine. Gives one view of the results of a scan, for records that are lines
//! and for records that are fields of lines.

use std::ops::{ControlFlow, Range};

use super::compared::compared;
use super::gathered_records::GatheredRecords;
use super::line_walk::LineWalk;
use crate::batch::{Batch, InvalidRecord};
use crate::column::{Column, Columns};
use crate::components::{Components, HostKind};
use crate::corpus::cut::chunk::{Chunk, count_lines};
use crate::corpus::format::{Element, Fields, Format, MalformedLine};
use crate::derived::Page;
use crate::error::{Error, ErrorKind};
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::request::Request;
use crate::rows::Rows;
use crate::simd::{Available, count_bytes};
use crate::validator::Validator;
use crate::work::looked_at;

/// The memory that scans of chunks reuse, one chunk at a time.
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
    /// True if the last chunk was too long to keep its memory.
    was_long: bool,
}

/// The bytes of memory for a record: all columns, two errors by two grammars, and lists of few records. A
/// vector that grows takes up to three times the bytes of its items.
const RECORD: usize = 3 * ((16 + 3) * size_of::<u32>() + 2 * size_of::<InvalidRecord>());

/// The bytes of memory for a record while the piece of it is scanned, and the most records of a piece, if
/// each is shorter than a piece.
const STREAMS: usize = 128;
const PIECE: usize = 128 << 10;

/// The bytes of memory to judge this number of records.
fn memory_for(records: usize) -> usize {
    records.saturating_mul(RECORD).saturating_add(records.min(PIECE) * STREAMS)
}

/// Returns the room for the batch of this number of records.
pub(super) fn room_for_records(records: usize) -> Result<Room, OutOfMemory> {
    memory::room_for(memory_for(records))
}

/// A chunk with judged records.
///
/// Records are numbered from 0. The place of a valid record is known only if the scan filled at least
/// [`Columns::RECORDS`].
#[derive(Clone, Copy, Debug)]
pub struct Scanned<'a> {
    pub(super) chunk: &'a Chunk<'a>,
    pub(super) batch: &'a Batch,
    /// The bytes to which the batch's offsets refer.
    pub(super) values: &'a [u8],
    pub(super) records: RecordSource<'a>,
    pub(super) other: Option<OtherVerdicts<'a>>,
    /// The numbers of the records among those of the chunk, if others between them are dropped.
    pub(super) kept: Option<Kept<'a>>,
    /// Without `kept`: the number of the first record among the chunk's records.
    pub(super) first: usize,
    pub(super) malformed: &'a [MalformedLine],
    /// Whether these are the last records of the chunk.
    pub(super) is_last: bool,
}

/// The records that are kept, while others between them are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept<'a> {
    /// Their numbers among the records of the chunk, in order.
    pub(super) numbers: &'a [u32],
    /// The numbers of the records, kept or dropped, that belong to this view.
    pub(super) start: u32,
    pub(super) end: u32,
}

/// The verdicts of another grammar on the records.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OtherVerdicts<'a> {
    pub(crate) grammar: Grammar,
    /// The records that are invalid by this grammar.
    pub(crate) invalid: &'a [InvalidRecord],
}

/// The place of a problem in a chunk. There are only these two kinds of problems.
#[derive(Clone, Copy, Debug)]
pub enum ProblemAt<'a> {
    /// An invalid record.
    Record(&'a InvalidRecord),
    /// A malformed line, which has no record.
    Line(&'a MalformedLine),
}

/// The records of the chunk.
#[derive(Clone, Copy, Debug)]
pub(super) enum RecordSource<'a> {
    Lines,
    /// Records that are not all bytes of a line.
    Gathered(&'a GatheredRecords),
    Fields(&'a Fields),
    /// A record over the limit, if it ends in this chunk.
    Part,
}

impl ChunkScanner {
    /// Judges all records of a chunk at once, and fills the columns of `request`.
    ///
    /// A record over the scanner's limit is always invalid ([`RecordTooLong`](ErrorKind::RecordTooLong)). The
    /// last record of a line whose end could not be read, because an error ended the input, is also invalid
    /// ([`Truncated`](ErrorKind::Truncated)).
    ///
    /// # Errors
    ///
    /// Returns an error if memory for the records is lacking. Records that are whole lines need memory only
    /// for the columns.
    pub fn scan<'a>(
        &'a mut self,
        chunk: &'a Chunk<'_>,
        validator: &Validator,
        request: impl Into<Request>,
    ) -> Result<Scanned<'a>, OutOfMemory> {
        self.forget_long(chunk);
        let _room = chunk.layout().room_for(chunk.bytes(), chunk.bytes().len())?;
        let ChunkScanner { batch, fields, gathered, .. } = self;
        let records = if chunk.layout().format() != Format::Lines {
            chunk.layout().extract(&chunk.format_lines(), chunk.limits.trim, fields)?;
            RecordSource::Fields(fields)
        } else if chunk.is_part() {
            RecordSource::Part
        } else if chunk.limits.trim || chunk.limits.terminator != b'\n' {
            gathered.gather(chunk)?;
            RecordSource::Gathered(gathered)
        } else {
            RecordSource::Lines
        };
        let _columns = records.room(chunk)?;
        let scanned = records.judge(chunk, validator, request.into(), true, batch);
        scanned.tell_numbers();
        Ok(scanned)
    }

    /// Judges the records of a chunk as [`scan`](Self::scan) does, but passes them to `take` in pieces, in
    /// order, until `take` breaks. A line, a tag or a page can hold any number of records, so the results of
    /// a whole chunk can have many times the bytes of the chunk. A piece of a document or a text has at most
    /// [`Scanner::chunk_lines`](crate::corpus::Scanner::chunk_lines) records, and at most one for each 16
    /// bytes of the [chunk size](crate::corpus::Scanner::chunk_size) (but 16,384 are always allowed). A chunk
    /// in which each line has one record is one piece.
    ///
    /// Line numbers count from the start of the chunk in each piece. The number of [lines](Scanned::lines)
    /// and of [bytes](Scanned::bytes) are those of the chunk in the last piece, and 0 in all others. So the
    /// sums over all pieces are those of the chunk.
    ///
    /// # Errors
    ///
    /// Returns an error if memory for the records is lacking.
    pub fn scan_pieces<B>(
        &mut self,
        chunk: &Chunk<'_>,
        validator: &Validator,
        request: impl Into<Request>,
        mut take: impl FnMut(&Scanned<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, OutOfMemory> {
        if chunk.layout().format() == Format::Lines {
            return self.scan(chunk, validator, request).map(|scanned| take(&scanned));
        }
        let request = request.into();
        self.forget_long(chunk);
        let (len, piece) = (chunk.bytes().len(), chunk.limits.piece());
        let _room = chunk.layout().room_for(chunk.bytes(), len.min(piece.bytes))?;
        let ChunkScanner { batch, fields, .. } = self;
        let mut flow = Ok(ControlFlow::Continue(()));
        let mut judge = |records: RecordSource<'_>, is_last| -> Result<_, OutOfMemory> {
            let _columns = records.room(chunk)?;
            let scanned = records.judge(chunk, validator, request, is_last, batch);
            if is_last {
                scanned.tell_numbers();
            }
            Ok(take(&scanned))
        };
        chunk.layout().extract_pieces(
            &chunk.format_lines(),
            chunk.limits.trim,
            piece,
            fields,
            &mut |piece| {
                if matches!(flow, Ok(ControlFlow::Continue(()))) {
                    // Later chunks need this number, and `take` can wait for earlier ones only.
                    chunk.tell_lines(|| count_lines(chunk.limits.terminator, chunk.bytes()));
                    chunk.tell_rows(|| 0);
                    flow = judge(RecordSource::Fields(piece), false);
                }
            },
        )?;
        match flow {
            Ok(ControlFlow::Continue(())) => judge(RecordSource::Fields(fields), true),
            flow => flow,
        }
    }

    /// Forgets the memory of the last chunk if that chunk was long.
    fn forget_long(&mut self, chunk: &Chunk<'_>) {
        if std::mem::replace(&mut self.was_long, chunk.is_long()) {
            *self = ChunkScanner { was_long: self.was_long, ..ChunkScanner::default() };
        }
    }
}

impl<'a> RecordSource<'a> {
    /// Returns the room to judge the records of a chunk.
    fn room(self, chunk: &Chunk<'_>) -> Result<Room, OutOfMemory> {
        let count = match self {
            RecordSource::Lines => {
                let lines = chunk.lines();
                // To count lines takes time.
                return memory::room_for_at_most(memory_for(lines.len()), || {
                    looked_at(lines.len());
                    memory_for(count_bytes(Available::best(), lines, chunk.limits.terminator) + 1)
                });
            }
            RecordSource::Gathered(gathered) => gathered.len(),
            RecordSource::Fields(fields) => fields.record_count(),
            RecordSource::Part => 1,
        };
        memory::room_for(memory_for(count))
    }

    /// Judges records of a chunk. `is_last` tells whether they are the last ones.
    fn judge(
        self,
        chunk: &'a Chunk<'_>,
        validator: &Validator,
        request: Request,
        is_last: bool,
        batch: &'a mut Batch,
    ) -> Scanned<'a> {
        let ends_cut_off = is_last && chunk.ends_cut_off();
        // A record that is rejected later cannot be taken out of counts.
        let request = if ends_cut_off { request.without_counts() | Columns::RECORDS } else { request };
        match self {
            RecordSource::Lines => scan_lines(chunk, validator, request, batch),
            RecordSource::Gathered(gathered) => gathered.scan(chunk, validator, request, batch),
            RecordSource::Fields(fields) => {
                fields.note_keys(chunk.layout().keys());
                fields.scan(validator, request, batch).expect("a sink takes no more than offsets reach");
            }
            RecordSource::Part => scan_part(chunk, validator, request, batch),
        }
        let (values, malformed) = match self {
            RecordSource::Lines => (chunk.lines(), &[][..]),
            RecordSource::Gathered(gathered) => (gathered.values(chunk), &[][..]),
            RecordSource::Fields(fields) => (fields.values(), fields.malformed()),
            RecordSource::Part => (chunk.cut.part.as_ref().map_or(&[][..], |part| &part.head), &[][..]),
        };
        if ends_cut_off {
            reject_cut_off(chunk, self, values, batch);
        }
        Scanned { chunk, batch, values, records: self, other: None, kept: None, first: 0, malformed, is_last }
    }
}

/// Judges unchanged lines.
fn scan_lines(chunk: &Chunk<'_>, validator: &Validator, request: Request, batch: &mut Batch) {
    let lines = chunk.lines();
    let may_be_too_long = lines.len() > chunk.limits.max_record;
    let request = if may_be_too_long { request.without_counts() | Columns::RECORDS } else { request };
    validator.scan(lines, request, batch).expect("a chunk is not so long");
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

/// Judges a record over the limit, if this chunk has its last part. The other parts have no record.
fn scan_part(chunk: &Chunk<'_>, validator: &Validator, request: Request, batch: &mut Batch) {
    let ends = chunk.cut.part.as_ref().filter(|part| part.length.is_some());
    let (offsets, head) = match ends {
        Some(part) => (&[0, part.head.len() as u32][..], &*part.head),
        None => (&[0][..], &[][..]),
    };
    let request = request | Columns::RECORDS;
    validator.scan_ranges(offsets, head, None, request, batch).expect("the offsets are in order");
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

/// Returns the range of a record in the scanned bytes, from its columns.
fn column_range(batch: &Batch, index: usize) -> Range<usize> {
    batch.filled(Column::Start)[index] as usize..batch.filled(Column::End)[index] as usize
}

impl<'a> Scanned<'a> {
    /// Returns the verdicts, and the columns that were requested. Their offsets refer to
    /// [`values`](Self::values).
    pub fn batch(&self) -> &'a Batch {
        self.batch
    }

    /// Returns the bytes to which the batch's offsets refer: the bytes of the records, and possibly others
    /// between them.
    pub fn values(&self) -> &'a [u8] {
        self.values
    }

    /// Returns true if the records are whole lines, one after the other.
    pub fn has_lines(&self) -> bool {
        matches!(self.records, RecordSource::Lines) && self.kept.is_none()
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.batch.len()
    }

    /// Returns the number of records that [are dropped](super::SomeRecords::keep): the scan does not have
    /// them.
    pub fn dropped(&self) -> usize {
        self.kept.map_or(0, |kept| (kept.end - kept.start) as usize - kept.numbers.len())
    }

    /// Returns true if the chunk has no records. It may have lines.
    pub fn is_empty(&self) -> bool {
        self.batch.is_empty()
    }

    /// Returns the bytes of record `index`. A record over the limit may be cut to its first bytes.
    ///
    /// Returns `None` if the record does not exist, or if it is valid and the scan did not fill
    /// [`Columns::RECORDS`].
    pub fn record(&self, index: usize) -> Option<&'a [u8]> {
        let range = self.range(index)?;
        Some(match self.records {
            RecordSource::Fields(fields) => fields.record(self.number(index)),
            // In a file that changes, the bytes can be anything, but their results are not delivered.
            _ => self.values().get(range).unwrap_or_default(),
        })
    }

    /// Returns the length in bytes of the whole record, even if it is over the limit. Returns `None` where
    /// [`record`](Self::record) does.
    pub fn length(&self, index: usize) -> Option<u64> {
        let range = self.range(index)?;
        Some(match (&self.records, &self.chunk.cut.part) {
            (RecordSource::Part, Some(part)) => part.length.unwrap_or_default(),
            _ => range.len() as u64,
        })
    }

    /// Returns the error of record `index`, if it is invalid.
    pub fn error(&self, index: usize) -> Option<Error> {
        let invalid = self.batch.invalid();
        invalid.binary_search_by_key(&index, |record| record.index as usize).ok().map(|at| invalid[at].error)
    }

    /// Adds the verdicts of a scan of the same chunk by another grammar. If that scan has more records,
    /// because the file changed between the two scans, the additional records are ignored.
    #[must_use]
    pub fn with_other(self, other: &Scanned<'a>) -> Self {
        let invalid = other.batch.invalid();
        let end = invalid.partition_point(|record| (record.index as usize) < self.len());
        let other = OtherVerdicts { grammar: other.batch.rules.grammar(), invalid: &invalid[..end] };
        Scanned { other: Some(other), ..self }
    }

    /// Judges the records of the chunk, or of the [piece](ChunkScanner::scan_pieces), by another validator,
    /// without columns.
    pub fn judge_by<'s>(&self, validator: &Validator, batch: &'s mut Batch) -> Scanned<'s>
    where
        'a: 's,
    {
        let Some(kept) = self.kept else {
            return self.records.judge(self.chunk, validator, Request::default(), self.is_last, batch);
        };
        self.records.judge(self.chunk, validator, Request::default(), self.is_last, batch);
        batch.keep_invalid_of(kept.numbers);
        Scanned { batch, other: None, ..*self }
    }

    /// Returns the verdicts of the [other grammar](Self::with_other), if they were added.
    pub(crate) fn other(&self) -> Option<OtherVerdicts<'a>> {
        self.other
    }

    /// Returns the verdict on record `index` by the [other grammar](Self::with_other), if one was added.
    pub fn other_verdict(&self, index: usize) -> Option<Result<(), Error>> {
        let other = self.other?.invalid;
        let at = other.binary_search_by_key(&index, |record| record.index as usize);
        Some(at.map_or(Ok(()), |at| Err(other[at].error)))
    }

    /// Returns the records that match exactly one of the two grammars, in order. The iterator is empty
    /// without an [other grammar](Self::with_other).
    pub fn differing(&self) -> impl Iterator<Item = usize> {
        let invalid = self.batch.invalid();
        let pairs = self.other.into_iter().flat_map(move |other| compared(invalid, other.invalid));
        pairs.filter_map(|pair| match pair {
            (Some(record), None) | (None, Some(record)) => Some(record.index as usize),
            _ => None,
        })
    }

    /// Returns those of these records whose hosts are addresses, in order, with the kinds of the hosts. All
    /// other hosts are names.
    ///
    /// # Panics
    ///
    /// Panics if the scan did not fill the columns of hosts and a host may be an address, or if the range of
    /// records is not in order.
    pub fn addresses(&self, records: Range<usize>) -> impl Iterator<Item = (usize, HostKind)> + use<'a> {
        self.batch.addresses(self.values, records)
    }

    /// Returns the components of record `index`, in bytes from its first byte, or its error.
    ///
    /// Returns `None` if the record does not exist, or if the scan did not fill [`Columns::ALL`].
    pub fn verdict(&self, index: usize) -> Option<Result<Components, Error>> {
        Rows::new(self.batch, self.values)?.get(index)?.verdict()
    }

    /// Returns the element that holds a record, if the input has pages.
    pub fn element(&self, index: usize) -> Option<Element> {
        match self.records {
            RecordSource::Fields(fields) => fields.element(self.chunk.bytes(), self.number(index)),
            _ => None,
        }
    }

    /// Returns the page from which a record comes, if the input is an archive of pages.
    pub fn page(&self, index: usize) -> Option<Page<'a>> {
        match self.records {
            RecordSource::Fields(fields) => fields.page(self.number(index)),
            _ => None,
        }
    }

    /// Returns the 0-based number of a record's line in its chunk, or `None` if the record does not exist.
    pub fn line_number(&self, index: usize) -> Option<u64> {
        let index = self.index_in_chunk(index)?;
        Some(match self.records {
            RecordSource::Fields(fields) => fields.line_number(index),
            _ => index as u64,
        })
    }

    /// Returns the 1-based byte of its line at which a record starts, or `None` if the record does not exist.
    /// A byte order mark counts.
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

    /// Returns the 1-based byte of its line from which byte `offset` of a record comes, or `None` if the
    /// record does not exist.
    pub fn error_column(&self, index: usize, offset: usize) -> Option<u64> {
        match self.records {
            RecordSource::Fields(fields) => {
                let index = self.index_in_chunk(index)?;
                Some(fields.column(self.chunk.bytes(), index, offset))
            }
            _ => Some(self.start_column(index)? + offset as u64),
        }
    }

    /// Returns the unchanged line of record `index`, with its end and without a byte order mark. For a record
    /// over the limit, the line may consist of its last bytes. For a record of a document, whose lines may
    /// have any length, only the record is returned. If a line may hold many records, each call searches for
    /// its end again.
    ///
    /// Returns `None` where [`record`](Self::record) does.
    pub fn line(&self, index: usize) -> Option<&'a [u8]> {
        let range = self.range(index)?;
        Some(match self.records {
            RecordSource::Lines => {
                self.chunk.lines().get(range.start..self.line_end(range.end)).unwrap_or_default()
            }
            RecordSource::Gathered(gathered) => gathered.line(self.chunk, self.number(index)),
            RecordSource::Fields(fields) if fields.are_in_documents() => fields.record(self.number(index)),
            RecordSource::Fields(fields) => fields.line(self.chunk.bytes(), self.number(index)),
            RecordSource::Part => self.chunk.lines(),
        })
    }

    /// Returns the end of the line whose record ends at `end`, if lines are records.
    pub(super) fn line_end(&self, end: usize) -> usize {
        // Does not search for line ends: in a file that changes they may have vanished.
        let lines = self.chunk.lines();
        let line_end = if lines.get(end) == Some(&b'\r') { 2 } else { 1 };
        lines.len().min(end + line_end)
    }

    /// Returns the lines that do not fit the format, in order. They are not records.
    pub fn malformed(&self) -> &'a [MalformedLine] {
        self.malformed
    }

    /// Returns the problems in the chunk in the order of the lines: invalid records, and lines that do not
    /// fit the format.
    pub fn problems(&self) -> impl Iterator<Item = ProblemAt<'a>> + use<'a> {
        let scanned = *self;
        let mut malformed = scanned.malformed().iter().peekable();
        let mut invalid = scanned.batch().invalid().iter().peekable();
        std::iter::from_fn(move || {
            // A line of a document may have any number of both problems.
            let is_before = |malformed: &&MalformedLine| {
                let place = invalid.peek().and_then(|record| scanned.line_and_column(record.index as usize));
                place.is_none_or(|place| (malformed.line, malformed.column) < place)
            };
            match malformed.next_if(is_before) {
                Some(malformed) => Some(ProblemAt::Line(malformed)),
                None => invalid.next().map(ProblemAt::Record),
            }
        })
    }

    /// Returns the number of bytes of the first line that lie before the chunk: a document can be cut within a
    /// line. The columns of that line count them.
    pub fn bytes_before(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.bytes_before(),
            _ => 0,
        }
    }

    /// Returns true if a line may hold more than one record.
    pub(crate) fn has_several_a_line(&self) -> bool {
        matches!(self.records, RecordSource::Fields(fields) if fields.has_several_a_line())
    }

    /// Returns the numbers of records and of malformed lines up to and including this problem.
    pub(super) fn counts_to(&self, problem: ProblemAt<'_>) -> (usize, usize) {
        match problem {
            ProblemAt::Record(record) => {
                let index = record.index as usize;
                (index + 1, self.malformed_before(index))
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

    /// Returns the number of malformed lines before this record.
    pub(super) fn malformed_before(&self, index: usize) -> usize {
        let place = self.line_and_column(index);
        self.malformed().partition_point(|line| Some((line.line, line.column)) < place)
    }

    /// Returns the number of lines with a sentinel: a text that the writer puts in place of the record if it
    /// has no URI.
    pub fn sentinels(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.sentinels(),
            _ => 0,
        }
    }

    /// Returns the number of lines, or of objects in documents, that lack the key. They have no record. It is
    /// an error of the scan if no line of an input has the key.
    pub fn without_key(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.without_key(),
            _ => 0,
        }
    }

    /// Returns the number of header lines, which describe the other lines. They have no record.
    pub fn headers(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.headers(),
            _ => 0,
        }
    }

    /// Returns the number of lines in the chunk, with and without records. Only the last part of a line
    /// counts. 0 if a piece is not the [last one](ChunkScanner::scan_pieces).
    pub fn lines(&self) -> u64 {
        match self.records {
            RecordSource::Fields(fields) => fields.lines(),
            _ => (self.len() + self.dropped()) as u64,
        }
    }

    /// Reports the numbers of lines and rows in the chunk, for which later chunks wait.
    fn tell_numbers(&self) {
        self.chunk.tell_lines(|| self.lines());
        self.chunk.tell_rows(|| match self.records {
            RecordSource::Fields(_) if self.chunk.is_part() => self.lines(),
            RecordSource::Fields(fields) => LineWalk::new(self.chunk, fields).map_or(0, LineWalk::count_rows),
            // The rows of a list are its lines.
            _ => 0,
        });
    }

    /// Returns the number of bytes in the chunk. 0 if a piece is not the [last
    /// one](ChunkScanner::scan_pieces).
    pub fn bytes(&self) -> u64 {
        if self.is_last { self.chunk.bytes().len() as u64 } else { 0 }
    }

    /// Returns the chunk.
    pub fn chunk(&self) -> &'a Chunk<'a> {
        self.chunk
    }

    /// Returns the 0-based number of the first line in the chunk that has an invalid record or does not fit
    /// its format.
    ///
    /// A record over the limit is known to be invalid long before its end, which may be in a later chunk.
    pub fn first_bad_line(&self) -> Option<u64> {
        let invalid = self.batch.invalid().first().and_then(|record| self.line_number(record.index as usize));
        let malformed = self.malformed().first().map(|line| line.line);
        let is_part = matches!(self.records, RecordSource::Part) && self.kept.is_none();
        let part = is_part.then_some(0);
        [invalid, malformed, part].into_iter().flatten().min()
    }

    /// Returns the number of records that start before this malformed line.
    pub fn records_before(&self, line: &MalformedLine) -> usize {
        let place = Some((line.line, line.column));
        let (mut start, mut end) = (0, self.len());
        while start < end {
            let middle = start.midpoint(end);
            if self.line_and_column(middle) <= place {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        start
    }

    /// Returns the 0-based line and the 1-based column at which a record starts.
    pub(super) fn line_and_column(&self, index: usize) -> Option<(u64, u64)> {
        Some((self.line_number(index)?, self.start_column(index)?))
    }

    /// Returns the number of a record among those of the chunk.
    fn index_in_chunk(&self, index: usize) -> Option<usize> {
        (index < self.len()).then(|| self.number(index))
    }

    /// Returns the number of a record among those of the chunk. The record exists.
    pub(super) fn number(&self, index: usize) -> usize {
        match self.kept {
            Some(kept) => kept.numbers[index] as usize,
            None => self.first + index,
        }
    }

    /// Returns the index of the record with this number among those of the chunk, or `None` if that record is
    /// dropped. Without dropped records, the record need not exist.
    pub(super) fn index_of(&self, number: usize) -> Option<usize> {
        match self.kept {
            Some(kept) => kept.numbers.binary_search(&(number as u32)).ok(),
            None => Some(number.wrapping_sub(self.first)),
        }
    }

    /// Returns the range of a record in the values, if it is known.
    pub(super) fn range(&self, index: usize) -> Option<Range<usize>> {
        if self.batch.columns().contains_all(Columns::RECORDS) {
            return (index < self.len()).then(|| column_range(self.batch, index));
        }
        let invalid = self.batch.invalid();
        let at = invalid.binary_search_by_key(&index, |record| record.index as usize).ok()?;
        Some(invalid[at].start as usize..invalid[at].end as usize)
    }
}
