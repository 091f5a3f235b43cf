//! Whole buffers: lines to a [`Batch`].
//!
//! A buffer is cut at line ends into pieces of some 32 KiB, so that what a kernel writes is still in the cache when it is
//! read. Of each piece a kernel (see [`simd`]) gives streams of positions and the lines that it does not vouch for;
//! here the streams become columns, and the scalar parser judges those lines and fills in theirs.
//!
//! Where most lines need the scalar parser, the kernel's work is lost: then the next piece is given to the parser at once,
//! and twice as many each time the kernel fails again, up to [`MOST_SKIPPED`]. So a bad patch costs little, and no input
//! is much slower than the parser alone.

use alloc::vec::Vec;
use core::ops::Range;

use crate::batch::{Batch, Column, Columns, InvalidRecord};
use crate::components::{ABSENT, Components, Form};
use crate::grammar::{self, Grammar};
use crate::simd::{self, Available, Backend, Streams, collect};
use crate::validator::Validator;

/// The bytes of a piece, before the rest of its last line is added.
const PIECE: usize = 32 << 10;

/// After how many pieces at the latest the kernel is tried again.
const MOST_SKIPPED: u32 = 32;

/// What scans reuse. It has no meaning between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    streams: Streams,
    /// The records of a gathered piece, with a line end each.
    pub(crate) gathered: Vec<u8>,
}

/// Scans a buffer of LF-terminated records into `batch`; the last one may lack its LF.
///
/// The buffer must be shorter than 2^32 - 1 bytes.
pub(crate) fn scan_lines(
    validator: &Validator,
    buffer: &[u8],
    base: u64,
    columns: Columns,
    batch: &mut Batch,
) {
    start(validator, base, columns, batch);
    let whole = memchr::memrchr(b'\n', buffer).map_or(0, |last| last + 1);
    let mut filler = Filler::new(validator, columns, batch);
    let mut at = 0;
    while at < whole {
        let mut end = whole.min(at + PIECE);
        // The last line is taken whole.
        end += memchr::memchr(b'\n', &buffer[end - 1..whole]).unwrap_or(0);
        filler.piece(buffer, at..end);
        at = end;
    }
    if whole < buffer.len() {
        filler.record(buffer, whole..buffer.len());
    }
    finish(batch);
}

/// Scans records given as `offsets.len() - 1` ranges of `values`, which may hold any bytes.
///
/// The kernels know lines: the records of a piece are gathered into a buffer with line ends between them. A record that
/// holds an LF of its own, or ends with a CR, goes to the scalar parser.
pub(crate) fn scan_ranges(
    validator: &Validator,
    offsets: &[u32],
    values: &[u8],
    columns: Columns,
    batch: &mut Batch,
) {
    start(validator, 0, columns, batch);
    let mut filler = Filler::new(validator, columns, batch);
    let mut gathered = core::mem::take(&mut filler.batch.scratch.gathered);
    let mut records = offsets.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).peekable();
    while let Some(first) = records.peek().cloned() {
        gathered.clear();
        let piece = filler.batch.records;
        let at = first.start;
        let mut odd = None;
        while let Some(record) = records.peek() {
            let bytes = &values[record.clone()];
            if gathered.len() + bytes.len() > PIECE && !gathered.is_empty() {
                break;
            }
            if bytes.last() == Some(&b'\r') || memchr::memchr(b'\n', bytes).is_some() {
                odd = Some(record.clone());
                records.next();
                break;
            }
            gathered.extend_from_slice(bytes);
            gathered.push(b'\n');
            records.next();
        }
        if !gathered.is_empty() {
            filler.piece(&gathered, 0..gathered.len());
            filler.ungather(piece, at);
        }
        if let Some(record) = odd {
            filler.record(values, record);
        }
    }
    filler.batch.scratch.gathered = gathered;
    finish(batch);
}

fn start(validator: &Validator, base: u64, columns: Columns, batch: &mut Batch) {
    batch.grammar = validator.grammar();
    batch.columns = columns;
    batch.base = base;
    batch.records = 0;
    batch.validity.clear();
    batch.invalid.clear();
    for column in &mut batch.offsets {
        column.clear();
    }
}

/// Makes the bitmap from the records that are invalid.
fn finish(batch: &mut Batch) {
    batch.validity.resize(batch.records.div_ceil(64), !0);
    if let Some(last) = batch.validity.last_mut() {
        *last >>= (64 - batch.records % 64) % 64;
    }
    for record in &batch.invalid {
        batch.validity[record.index as usize / 64] &= !(1 << (record.index % 64));
    }
}

struct Filler<'a> {
    validator: &'a Validator,
    backend: Available,
    collect: u8,
    columns: Columns,
    batch: &'a mut Batch,
    /// How many pieces more go to the scalar parser, and how many after the kernel's next failure.
    scalar_pieces: u32,
    next_scalar_pieces: u32,
}

impl<'a> Filler<'a> {
    fn new(validator: &'a Validator, columns: Columns, batch: &'a mut Batch) -> Self {
        let collect = if columns == Columns::NONE {
            collect::NOTHING
        } else if Columns::RECORDS.contains_all(columns) {
            collect::ENDS
        } else {
            collect::ALL
        };
        let backend = validator.available_backend();
        let scalar_pieces = if backend.backend() == Backend::Scalar { u32::MAX } else { 0 };
        Filler { validator, backend, collect, columns, batch, scalar_pieces, next_scalar_pieces: 1 }
    }

    /// Scans the whole lines of `piece`.
    fn piece(&mut self, buffer: &[u8], piece: Range<usize>) {
        if self.scalar_pieces > 0 {
            self.scalar_pieces -= u32::from(self.backend.backend() != Backend::Scalar);
            return self.scalar(buffer, piece);
        }
        let lines = &buffer[piece.clone()];
        let mut streams = core::mem::take(&mut self.batch.scratch.streams);
        simd::scan(self.backend, self.validator.grammar(), self.collect, lines, &mut streams);
        let first = self.batch.records;
        self.batch.records += streams.lines;
        if self.collect != collect::NOTHING {
            let (grammar, base) = (self.validator.grammar(), piece.start as u32);
            simd::fill(grammar, lines, base, &mut streams, self.columns, &mut self.batch.offsets);
            self.forget_registries(lines, &streams);
        }
        for suspect in &streams.suspects {
            let newline = suspect.at as usize;
            let start = memchr::memrchr(b'\n', &lines[..newline]).map_or(0, |before| before + 1);
            let end = without_cr(lines, start, newline);
            let index = first + suspect.line as usize;
            self.judge(buffer, piece.start + start..piece.start + end, index);
        }
        if streams.suspects.len() * 4 > streams.lines * 3 {
            self.scalar_pieces = self.next_scalar_pieces;
            self.next_scalar_pieces = (2 * self.scalar_pieces).min(MOST_SKIPPED);
        } else {
            self.next_scalar_pieces = 1;
        }
        self.batch.scratch.streams = streams;
    }

    /// Judges all lines of `piece` by the scalar parser.
    fn scalar(&mut self, buffer: &[u8], piece: Range<usize>) {
        let mut start = piece.start;
        for newline in memchr::memchr_iter(b'\n', &buffer[piece.clone()]) {
            let newline = piece.start + newline;
            self.record(buffer, start..without_cr(buffer, start, newline));
            start = newline + 1;
        }
    }

    /// Adds one record, judged by the scalar parser.
    fn record(&mut self, buffer: &[u8], record: Range<usize>) {
        let index = self.batch.records;
        self.batch.records += 1;
        for &column in Column::ALL.iter().filter(|&&column| self.columns.contains(column)) {
            self.batch.offsets[column as usize].push(ABSENT);
        }
        self.set(Column::Start, index, record.start as u32);
        self.set(Column::End, index, record.end as u32);
        self.judge(buffer, record, index);
    }

    /// Asks the scalar parser about a record that is already counted, and fills in its components.
    fn judge(&mut self, buffer: &[u8], record: Range<usize>, index: usize) {
        let parsed = self.validator.parse(&buffer[record.clone()]);
        let start = record.start as u32;
        if let Err(error) = parsed {
            self.batch.invalid.push(InvalidRecord {
                index: index as u32,
                start,
                end: record.end as u32,
                error,
            });
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

    /// Under RFC 2396 an authority that is no server has no host.
    fn forget_registries(&mut self, lines: &[u8], streams: &Streams) {
        let has_hosts = self.columns.contains(Column::HostStart) || self.columns.contains(Column::HostEnd);
        if !(has_hosts && matches!(self.validator.grammar(), Grammar::Rfc2396 | Grammar::Java)) {
            return;
        }
        let first = self.batch.records - streams.lines;
        for (i, (&rest, &path)) in streams.start.iter().zip(&streams.path).enumerate() {
            if path >= rest + 2 {
                let host = &lines[rest as usize + 2..path as usize];
                if grammar::name_kind(self.validator.grammar(), host).is_none() {
                    self.set(Column::HostStart, first + i, ABSENT);
                    self.set(Column::HostEnd, first + i, ABSENT);
                }
            }
        }
    }

    /// Moves the offsets of the records from `first` on back to where they were gathered from: the first of them lies at
    /// `at`, and each had one line end put behind it.
    fn ungather(&mut self, first: usize, at: usize) {
        for column in &mut self.batch.offsets {
            for (ends, offset) in column.iter_mut().skip(first).enumerate() {
                if *offset != ABSENT {
                    *offset = (at + *offset as usize - ends) as u32;
                }
            }
        }
        for record in self.batch.invalid.iter_mut().rev().take_while(|record| record.index as usize >= first)
        {
            let ends = record.index as usize - first;
            record.start = (at + record.start as usize - ends) as u32;
            record.end = (at + record.end as usize - ends) as u32;
        }
    }
}

/// Where a line ends: at its LF, or at the CR right before it.
fn without_cr(lines: &[u8], start: usize, newline: usize) -> usize {
    newline - usize::from(newline > start && lines[newline - 1] == b'\r')
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
