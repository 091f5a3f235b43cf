//! Whole buffers to a [`Batch`]: [`lines`], and [`ranges`] without separators.
//!
//! A buffer is cut into pieces of some 32 KiB, so that what a kernel writes is still in the cache when it is
//! read. Of each piece a kernel (see [`simd`]) gives streams of positions and the lines that it does not vouch for;
//! here the streams become columns, and the scalar parser judges those lines and fills in theirs.
//!
//! Where most records need the scalar parser, the kernel's work is lost: then the next piece is given to the parser at once,
//! and twice as many each time the kernel fails again, up to [`MOST_SKIPPED`]. A batch remembers this from scan to scan. So a
//! bad patch costs little, and no input is much slower than the parser alone. Only pieces of [`LEAST_SKIPPED`] bytes take part:
//! less says little.

mod lines;
mod ranges;

use alloc::vec::Vec;
use core::ops::Range;

use crate::batch::{Batch, Column, Columns, InvalidRecord};
use crate::components::{ABSENT, Components, Form};
use crate::simd::{self, Available, Backend, Mark, Streams, collect};
use crate::validator::Validator;
pub(crate) use lines::scan_lines;
pub(crate) use ranges::scan_ranges;

/// The bytes of a piece, before the rest of its last line is added.
const PIECE: usize = 32 << 10;

/// After how many pieces at the latest the kernel is tried again.
const MOST_SKIPPED: u32 = 32;

/// The bytes of a piece that may go to the scalar parser at once.
const LEAST_SKIPPED: usize = PIECE / 2;

/// A longer piece is a single record, which a parser judges in no memory: what a kernel finds may take twelve times as much.
const LONGEST: usize = 1 << 20;

/// What scans reuse. It makes no difference but in time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    streams: Streams,
    /// The records of a gathered piece, with a line end each.
    gathered: Vec<u8>,
    /// How many pieces more go to the scalar parser, and how many did when the kernel failed last.
    skips: u32,
    skipped: u32,
}

impl Scratch {
    /// Has the next pieces go to the scalar parser if the kernel was not worth it for this one, of so many bytes: more of them
    /// each time in a row.
    fn judge_kernel(&mut self, is_worth_it: bool, len: usize) {
        if len >= LEAST_SKIPPED {
            self.skipped = if is_worth_it { 0 } else { (2 * self.skipped).clamp(1, MOST_SKIPPED) };
            self.skips = self.skipped;
        }
    }
}

/// Some records that follow each other, as one kind of buffer has them.
trait Piece {
    /// The records in order.
    fn records(&self) -> impl Iterator<Item = Range<usize>>;

    /// The record of a line that the kernel does not vouch for.
    fn suspect(&self, lines: &[u8], suspect: Mark) -> Range<usize>;
}

/// Puts the records of one scan into its batch.
struct Filler<'a> {
    validator: &'a Validator,
    backend: Available,
    collect: u8,
    columns: Columns,
    /// What the records are ranges of.
    buffer: &'a [u8],
    batch: &'a mut Batch,
}

impl<'a> Filler<'a> {
    /// Empties the batch.
    fn new(
        validator: &'a Validator,
        buffer: &'a [u8],
        base: u64,
        columns: Columns,
        batch: &'a mut Batch,
    ) -> Self {
        batch.grammar = validator.grammar();
        batch.backend = validator.available_backend();
        batch.columns = columns;
        batch.base = base;
        batch.records = 0;
        batch.validity.clear();
        batch.invalid.clear();
        batch.judged.clear();
        for column in &mut batch.offsets {
            column.clear();
        }
        let collect = if columns == Columns::NONE {
            collect::NOTHING
        } else if Columns::RECORDS.contains_all(columns) {
            collect::ENDS
        } else {
            collect::ALL
        };
        Filler { validator, backend: batch.backend, collect, columns, buffer, batch }
    }

    /// Makes the bitmap from the records that are invalid.
    fn finish(self) {
        let batch = self.batch;
        batch.validity.resize(batch.records.div_ceil(64), !0);
        if let Some(last) = batch.validity.last_mut() {
            *last >>= (64 - batch.records % 64) % 64;
        }
        for record in &batch.invalid {
            batch.validity[record.index as usize / 64] &= !(1 << (record.index % 64));
        }
    }

    /// Whether the next piece, of so many bytes, is one for the scalar parser.
    fn skips_kernel(&mut self, len: usize) -> bool {
        let scratch = &mut self.batch.scratch;
        let skips = scratch.skips > 0 && len >= LEAST_SKIPPED;
        scratch.skips -= u32::from(skips);
        skips || len > LONGEST || self.backend.backend() == Backend::Scalar
    }

    /// Scans a piece by the kernel. `lines` are its records with an LF each, of which the first starts at `base` in the buffer;
    /// if so many were `gathered`, the buffer has not these LFs.
    fn kernel(&mut self, piece: &impl Piece, lines: &[u8], base: u32, gathered: Option<usize>) {
        let mut streams = core::mem::take(&mut self.batch.scratch.streams);
        let grammar = self.validator.grammar();
        simd::scan(self.backend, grammar, self.collect, lines, &mut streams);
        let are_lines = gathered.is_none_or(|records| records == streams.lines && !streams.crlf);
        if !are_lines {
            self.batch.scratch.streams = streams;
            self.batch.scratch.judge_kernel(false, lines.len());
            return self.scalar(piece);
        }
        let first = self.batch.records;
        self.batch.records += streams.lines;
        if self.collect != collect::NOTHING {
            let place = simd::Place { base, gathered: gathered.is_some() };
            simd::fill(
                self.backend,
                grammar,
                lines,
                place,
                &mut streams,
                self.columns,
                &mut self.batch.offsets,
            );
        }
        for &suspect in &streams.suspects {
            self.judge(piece.suspect(lines, suspect), first + suspect.line as usize);
        }
        let scratch = &mut self.batch.scratch;
        let is_worth_it = streams.suspects.len() * 4 <= streams.lines * 3;
        scratch.judge_kernel(is_worth_it, lines.len());
        scratch.streams = streams;
    }

    /// Judges all records of a piece by the scalar parser.
    fn scalar(&mut self, piece: &impl Piece) {
        for record in piece.records() {
            self.record(record);
        }
    }

    /// Adds one record, judged by the scalar parser.
    fn record(&mut self, record: Range<usize>) {
        let index = self.batch.records;
        self.batch.records += 1;
        for &column in Column::ALL.iter().filter(|&&column| self.columns.contains(column)) {
            self.batch.offsets[column as usize].push(ABSENT);
        }
        self.set(Column::Start, index, record.start as u32);
        self.set(Column::End, index, record.end as u32);
        self.judge(record, index);
    }

    /// Asks the scalar parser about a record that is already counted, and fills in its components.
    fn judge(&mut self, record: Range<usize>, index: usize) {
        let parsed = self.validator.parse(&self.buffer[record.clone()]);
        let start = record.start as u32;
        match parsed {
            Ok(_) => self.batch.judged.push(index as u32),
            Err(error) => {
                let (index, end) = (index as u32, record.end as u32);
                self.batch.invalid.push(InvalidRecord { index, start, end, error });
            }
        }
        if self.collect == collect::ALL {
            for &column in &Column::ALL[2..] {
                let offset = parsed.map_or(ABSENT, |components| relative(&components, column));
                self.set(column, index, if offset == ABSENT { ABSENT } else { start + offset });
            }
        }
    }

    fn set(&mut self, column: Column, index: usize, offset: u32) {
        if self.columns.contains(column) {
            self.batch.offsets[column as usize][index] = offset;
        }
    }
}

/// A column of one record, from the record's start.
fn relative(components: &Components, column: Column) -> u32 {
    let in_path = |offset| if components.form == Form::Hierarchical { offset } else { ABSENT };
    match column {
        Column::Start => 0,
        Column::End => components.end,
        Column::SchemeEnd => components.scheme_end,
        Column::AuthorityStart => components.authority_start,
        Column::HostStart => components.host_start,
        Column::HostEnd => components.host_end,
        Column::PathStart => in_path(components.path_start),
        Column::PathEnd => in_path(components.path_end),
        Column::QueryEnd => components.query_end,
    }
}
