//! Encoders, and their output for a chunk.

use std::io::IoSlice;

#[cfg(feature = "arrow")]
use arrow_array::RecordBatch;
#[cfg(feature = "arrow")]
use urivalidate::arrow::FunctionError;
use urivalidate::corpus::{ColumnCount, Format, LogColumns, MalformedLine, ProblemAt, Repeats, Scanned};
use urivalidate::memory::{OutOfMemory, ask_for, try_reserve};
use urivalidate::stats::{Problem, ValueMap};
use urivalidate::work::looked_at;
use urivalidate::{Components, Deriver, Error, ErrorKind, Request, RowColumn, Validator};

use super::tally::Tally;
use crate::advice::advice;
use crate::args::Verdict;
use crate::findings::{FindingAt, SomeFindings};
use crate::output::Failure;

/// A chunk with the verdicts of its records, and facts that the chunk does not hold.
#[derive(Clone, Copy)]
pub(crate) struct JudgedChunk<'a> {
    /// The file's name.
    pub(crate) file: &'a [u8],
    /// The 1-based number of the chunk's first line in the file, if an encoder
    /// [needs](Encode::needs_line_numbers) it.
    pub(crate) first_line: u64,
    /// The validator of the records.
    pub(crate) validator: Validator,
    /// The deriver, if the grammar has derived columns.
    pub(crate) deriver: Option<Deriver<'a>>,
    pub(crate) scanned: &'a Scanned<'a>,
    /// The findings among the records.
    pub(crate) findings: SomeFindings<'a>,
}

impl JudgedChunk<'_> {
    /// Returns the components of a record, or its error.
    pub(super) fn components(&self, index: usize) -> Result<Components, Error> {
        self.scanned.verdict(index).unwrap_or_else(|| self.validator.parse(self.record(index)))
    }

    /// Returns a record. Valid records need a scan that fills [`Columns::RECORDS`]; invalid ones are in every
    /// scan.
    pub(super) fn record(&self, index: usize) -> &[u8] {
        self.scanned.record(index).unwrap_or_default()
    }

    /// Asks for the memory to make values of records: of a long record, a value takes several copies.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub(crate) fn ask_for_made(&self) -> Result<(), OutOfMemory> {
        /// The record, its value, the memory to make it, and the output.
        const COPIES: usize = 4;

        let chunk = self.scanned.chunk();
        if chunk.is_long() { ask_for(chunk.bytes().len().saturating_mul(COPIES)) } else { Ok(()) }
    }

    /// Returns the suggestion for an invalid record, if exactly one exists and the whole record is in memory.
    pub(super) fn suggestion(&self, index: usize, kind: ErrorKind) -> Option<Vec<u8>> {
        let is_whole = !matches!(kind, ErrorKind::RecordTooLong | ErrorKind::Truncated);
        is_whole.then(|| self.validator.suggest(self.record(index)))?
    }

    /// Returns the findings of these kinds at their places; `None` stands for all kinds. Counts the others.
    pub(super) fn located<'a>(
        &'a self,
        kinds: Option<&'a [String]>,
        tally: &'a mut Tally,
    ) -> impl Iterator<Item = Located<'a>> + 'a {
        let scanned = self.scanned;
        let at_place = |at| {
            let (column, problem) = match at {
                FindingAt::Problem(ProblemAt::Line(line)) => {
                    (Some(line.column), Problem::Malformed(line.reason))
                }
                FindingAt::Problem(ProblemAt::Record(record)) => (
                    scanned.error_column(record.index as usize, record.error.offset()),
                    Problem::Invalid(record.error),
                ),
                FindingAt::Suspicious(index, reason) => {
                    (scanned.start_column(index), Problem::Suspicious(reason))
                }
            };
            let line = self.first_line + at.line(scanned).unwrap_or_default();
            Located { line, column: column.unwrap_or(1), problem, at }
        };
        self.findings.among(scanned).map(at_place).filter(move |found: &Located<'_>| {
            let is_wanted = kinds.is_none_or(|kinds| kinds.iter().any(|kind| kind == found.problem.kind()));
            tally.other_kinds += u64::from(!is_wanted);
            is_wanted
        })
    }

    /// Returns the message for a line that does not fit the format.
    pub(super) fn message(&self, line: &MalformedLine) -> String {
        format!("{}{}", self.scanned.chunk().layout().message(line), advice(Problem::Malformed(line.reason)))
    }

    /// Returns the message about a finding.
    pub(super) fn message_about(&self, found: &Located<'_>) -> String {
        match found.at {
            FindingAt::Problem(ProblemAt::Line(line)) => self.message(line),
            _ => format!("{}{}", found.problem, advice(found.problem)),
        }
    }

    /// Returns the suggestion for the record of a finding, if it has one.
    pub(super) fn suggestion_for(&self, found: &Located<'_>) -> Option<Vec<u8>> {
        match found.at {
            FindingAt::Problem(ProblemAt::Record(record)) => {
                self.suggestion(record.index as usize, record.error.kind())
            }
            _ => None,
        }
    }
}

/// A finding at its place in the file, with 1-based numbers.
pub(super) struct Located<'a> {
    pub(super) line: u64,
    /// In bytes.
    pub(super) column: u64,
    pub(super) problem: Problem,
    pub(super) at: FindingAt<'a>,
}

impl Located<'_> {
    /// Returns the number of columns of a line that has too few or too many.
    pub(super) fn column_count(&self) -> Option<ColumnCount> {
        match self.at {
            FindingAt::Problem(ProblemAt::Line(line)) => line.column_count,
            _ => None,
        }
    }
}

/// The lines and records that an output leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeftOut {
    Nothing,
    /// Lines that do not fit their format. The output seems to have a row for everything, or counts the
    /// records that it leaves out.
    Misfits,
    /// Such lines, and invalid records or those without a value: this is what the output is for.
    Others,
}

impl LeftOut {
    /// Returns what rows of the records with a verdict leave out. `has_malformed` is true if lines that do
    /// not fit have rows.
    pub(super) fn by_rows(has_malformed: bool, verdict: Option<Verdict>) -> Self {
        match verdict {
            Some(Verdict::Valid | Verdict::Differing) => LeftOut::Others,
            _ if has_malformed => LeftOut::Nothing,
            _ => LeftOut::Misfits,
        }
    }
}

/// The most bytes of a chunk, unless an encoder needs less.
pub(crate) const CHUNK_SIZE: usize = 256 << 10;

/// Makes the output of scanned chunks.
///
/// Workers encode chunks in parallel and in any order; the single [`Assemble`] of the run puts the encoded
/// chunks in order, on the calling thread.
pub(crate) trait Encode: Send + Sync {
    /// Returns what the encoder needs from a scan. The columns of invalid records are always filled.
    fn request(&self) -> Request;

    /// Returns true if the encoder needs [`JudgedChunk::first_line`].
    fn needs_line_numbers(&self) -> bool {
        false
    }

    /// Returns the columns that the encoder makes of lines.
    fn log_columns(&self) -> LogColumns {
        LogColumns::default()
    }

    /// Returns the most bytes of a chunk.
    fn chunk_size(&self) -> usize {
        CHUNK_SIZE
    }

    /// Returns the most lines of a chunk, and records of a piece. An empty record can have a long output, so
    /// the memory depends on this number.
    fn chunk_lines(&self) -> usize {
        usize::MAX
    }

    /// Returns the columns of the rows that repeat texts of any length. A chunk whose repeated texts are too
    /// long is encoded in parts.
    fn repeats(&self) -> Repeats {
        Repeats::NONE
    }

    /// Returns the end of the records from `first` on whose output can be held in memory at once.
    fn end_of_some(&self, input: &JudgedChunk<'_>, first: usize) -> usize {
        let scanned = input.scanned;
        let end = self.repeats().end_of_some(scanned, input.deriver.as_ref(), first);
        // The number of lines of a list was estimated. In other formats a line may hold any number of records.
        match scanned.chunk().layout().format() {
            Format::Lines => end.min(first.saturating_add(self.chunk_lines())),
            _ => end,
        }
    }

    /// Returns the column, if the output is the values of one.
    fn column(&self) -> Option<RowColumn> {
        None
    }

    /// Returns the lines and records that the output leaves out.
    fn leaves_out(&self) -> LeftOut {
        if self.column().is_some() { LeftOut::Misfits } else { LeftOut::Others }
    }

    /// Encodes a [piece](urivalidate::corpus::ChunkScanner::scan_pieces) of a chunk, or [some of its
    /// records](urivalidate::corpus::SomeRecords). `to` is empty.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out for the output of a long record.
    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory>;

    /// Returns the assembler, which writes encoded chunks in order.
    fn assemble(&self) -> Box<dyn Assemble> {
        Box::new(Concatenate { header: Vec::new() })
    }
}

/// Writes encoded chunks in the order of the input, and the bytes before the first chunk and after the last.
pub(crate) trait Assemble {
    /// Writes the bytes before the first chunk.
    fn begin(&mut self, write: Write<'_>) -> Result<(), Failure>;

    /// Writes a chunk.
    fn append(&mut self, encoded: &Encoded, write: Write<'_>) -> Result<(), Failure>;

    /// Writes the bytes after the last chunk.
    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure>;
}

/// Writes these bytes to the output, one slice after the other.
pub(crate) type Write<'a> = &'a mut dyn FnMut(&mut [IoSlice<'_>]) -> Result<(), Failure>;

/// The output of a chunk.
#[derive(Default)]
pub(crate) struct Encoded {
    /// The output, and after its `len` bytes others that are free to overwrite.
    bytes: Vec<u8>,
    /// The number of bytes of output.
    len: usize,
    /// The number of bytes of the byte order mark, if the chunk starts with one.
    pub(super) mark: usize,
    /// Whether the output starts at the start of a line.
    pub(super) starts_line: bool,
    /// The records that the output has and leaves out.
    pub(crate) tally: Tally,
    /// The buffer for a row that is first written here and then copied.
    pub(super) row: Vec<u8>,
    made: Made,
    /// The memory of `made` in bytes.
    made_bytes: usize,
}

/// The output of an encoder that makes something else than bytes.
#[derive(Default)]
pub(super) enum Made {
    #[default]
    Nothing,
    /// The number of records with each value.
    Counts(ValueMap<u64>),
    #[cfg(feature = "arrow")]
    Batch(Result<RecordBatch, FunctionError>),
}

impl Encoded {
    /// Removes the output, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.len = 0;
        self.mark = 0;
        self.starts_line = false;
        self.tally = Tally::default();
        self.made = Made::Nothing;
        self.made_bytes = 0;
    }

    /// Returns the memory in bytes that another chunk can reuse.
    pub(crate) fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Returns all memory of the output, in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        self.capacity() + self.made_bytes
    }

    /// Sets an output other than bytes, which takes `bytes` bytes of memory.
    pub(super) fn set_made(&mut self, made: Made, bytes: usize) {
        (self.made, self.made_bytes) = (made, bytes);
    }

    pub(super) fn made(&self) -> &Made {
        &self.made
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns at least `len` free bytes after the output.
    #[inline(always)]
    pub(super) fn room(&mut self, len: usize) -> Result<&mut [u8], OutOfMemory> {
        if self.bytes.len() - self.len < len {
            self.grow(len)?;
        }
        Ok(&mut self.bytes[self.len..])
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Result<(), OutOfMemory> {
        let missing = self.len + len - self.bytes.len();
        try_reserve(&mut self.bytes, missing)?;
        looked_at(self.bytes.capacity() - self.bytes.len());
        // Bytes are filled with zeros only once; later chunks overwrite them.
        self.bytes.resize(self.bytes.capacity(), 0);
        Ok(())
    }

    /// Adds the first `len` bytes of the room to the output.
    pub(super) fn advance(&mut self, len: usize) {
        looked_at(len);
        self.len += len;
    }

    pub(super) fn extend_from_slice(&mut self, bytes: &[u8]) -> Result<(), OutOfMemory> {
        looked_at(bytes.len());
        self.room(bytes.len())?[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
        Ok(())
    }

    /// Lets `append` append to the vector. Do not mix this with [`room`](Self::room), which would fill the
    /// free bytes again.
    pub(super) fn extend_with<T>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        self.bytes.truncate(self.len);
        let result = append(&mut self.bytes);
        looked_at(self.bytes.len() - self.len);
        self.len = self.bytes.len();
        result
    }
}

/// Writes one chunk after the other.
pub(super) struct Concatenate {
    pub(super) header: Vec<u8>,
}

impl Assemble for Concatenate {
    fn begin(&mut self, write: Write<'_>) -> Result<(), Failure> {
        write(&mut [IoSlice::new(&self.header)])
    }

    fn append(&mut self, encoded: &Encoded, write: Write<'_>) -> Result<(), Failure> {
        write(&mut [IoSlice::new(encoded.bytes())])
    }

    fn finish(&mut self, _: Write<'_>) -> Result<(), Failure> {
        Ok(())
    }
}
