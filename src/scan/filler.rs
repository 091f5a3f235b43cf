//! Adds the records of a scan to its batch, from a kernel and from the parser.

use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use super::nulls::Nulls;
use crate::batch::{Batch, InvalidRecord};
use crate::column::{ABSENT, Column, Columns};
use crate::components::Components;
use crate::grammar::Rules;
use crate::request::Request;
use crate::simd::{self, Available, Backend, LineCounts, NotedLine, Piece, Placement, Streams, collect};
use crate::work::looked_at;

/// The number of bytes of a piece, before the rest of its last line is added.
pub(super) const PIECE: usize = 128 << 10;

/// The least offset of a forbidden byte for which a kernel's work pays: the parser reaches an earlier byte sooner.
const EARLY: usize = 32;

/// Adds the records of one scan to its batch.
pub(super) struct Filler<'a> {
    rules: Rules,
    backend: Available,
    collect: u8,
    columns: Columns,
    /// The buffer in which the records lie.
    pub(super) buffer: &'a [u8],
    pub(super) nulls: Option<Nulls<'a>>,
    pub(super) batch: &'a mut Batch,
}

impl<'a> Filler<'a> {
    /// Starts a scan, and empties the batch.
    pub(super) fn new(
        rules: Rules,
        backend: Available,
        buffer: &'a [u8],
        request: Request,
        batch: &'a mut Batch,
    ) -> Self {
        let columns = request.without_counts().columns();
        batch.rules = rules;
        batch.backend = backend;
        batch.columns = columns;
        batch.records = 0;
        batch.are_lines = false;
        batch.validity.clear();
        batch.invalid.clear();
        batch.other_authorities.clear();
        batch.counts = None;
        batch.parsed.clear();
        batch.candidates.clear();
        batch.notes_candidates = false;
        batch.may_be_addresses.clear();
        batch.nulls.clear();
        batch.null_count = 0;
        batch.offsets.clear();
        let collect = if columns == Columns::NONE {
            collect::NOTHING
        } else if Columns::RECORDS.contains_all(columns) {
            collect::ENDS
        } else {
            collect::ALL
        };
        Filler { rules, backend, collect, columns, buffer, nulls: None, batch }
    }

    /// Notes the records that may differ from their normal form, if kernels support that for the grammar. All
    /// records must be lines.
    pub(super) fn note_forms(&mut self) {
        let grammar = self.rules.grammar();
        let facts = grammar.facts();
        let can_tell = facts.authority && !facts.opaque && !grammar.allows_beyond_ascii();
        if can_tell && self.collect == collect::ENDS {
            self.collect = collect::ENDS_AND_FORMS;
            self.batch.notes_candidates = true;
        }
    }

    /// Has the scan count components instead of filling columns other than those of records. All records must
    /// be lines.
    pub(super) fn count_components(&mut self) {
        (self.collect, self.columns) = (collect::ENDS_AND_COUNTS, Columns::RECORDS);
        (self.batch.columns, self.batch.counts) = (self.columns, Some(LineCounts::default()));
    }

    /// Returns true if the scan counts components.
    pub(super) fn counts_components(&self) -> bool {
        self.collect == collect::ENDS_AND_COUNTS
    }

    /// Makes the validity bitmap from the invalid records.
    pub(super) fn finish(self) {
        let batch = self.batch;
        batch.validity.resize(batch.records.div_ceil(64), !0);
        if let Some(last) = batch.validity.last_mut() {
            *last >>= (64 - batch.records % 64) % 64;
        }
        for record in &batch.invalid {
            batch.validity[record.index as usize / 64] &= !(1 << (record.index % 64));
        }
        for (valid, null) in batch.validity.iter_mut().zip(&batch.nulls) {
            *valid &= !null;
        }
    }

    /// Returns true if the scalar parser should judge the next piece, which has `len` bytes.
    pub(super) fn skips_kernel(&mut self, len: usize) -> bool {
        self.backend.backend() == Backend::Scalar || self.batch.back_off.skips(len)
    }

    /// Scans a piece with the kernel, and adds its records. `record_of` returns the place of a line in the
    /// buffer. Returns the number of bytes that the piece's records take, with their LFs or gaps.
    pub(super) fn kernel(
        &mut self,
        piece: Piece<'_>,
        origin: Placement,
        len: usize,
        record_of: impl Fn(&NotedLine) -> Range<usize>,
    ) -> usize {
        let streams = self.scan(piece, len);
        self.add(streams, origin, len, record_of)
    }

    /// Scans a piece with the kernel.
    pub(super) fn scan(&mut self, piece: Piece<'_>, len: usize) -> Streams {
        looked_at(len);
        let mut streams = mem::take(&mut self.batch.streams);
        simd::scan(self.backend, self.rules.grammar(), self.collect, piece, &mut streams);
        streams
    }

    /// Adds the records of a piece, and has the parser judge the lines that fall back. Takes the memory of
    /// the streams back.
    pub(super) fn add(
        &mut self,
        mut streams: Streams,
        origin: Placement,
        len: usize,
        record_of: impl Fn(&NotedLine) -> Range<usize>,
    ) -> usize {
        let first = self.batch.records;
        self.batch.records += streams.lines;
        if let Some(counts) = &mut self.batch.counts {
            *counts += streams.counts;
        }
        if self.collect != collect::NOTHING {
            let offsets = &mut self.batch.offsets;
            simd::fill(self.backend, self.rules.grammar(), origin, &mut streams, self.columns, offsets);
        }
        let Batch { invalid, other_authorities, may_be_addresses, .. } = &*self.batch;
        let (invalid, other_authorities, addresses) =
            (invalid.len(), other_authorities.len(), may_be_addresses.len());
        let mut saved = 0;
        for line in &streams.fallback.lines {
            let (record, index) = (record_of(line), first + line.index as usize);
            let forbidden = (line.forbidden != ABSENT).then(|| (line.forbidden - line.start) as usize);
            match forbidden {
                Some(at) if self.is_forbidden(&record, at, index) => saved += usize::from(at >= EARLY),
                _ => self.judge(record, index),
            }
        }
        self.batch.candidates.extend(streams.candidates.lines.iter().map(|line| first as u32 + line.index));
        self.drop_components(invalid);
        let fallback = &streams.fallback.lines;
        add_accepted(
            &mut self.batch.may_be_addresses,
            addresses,
            fallback,
            first,
            streams.may_be_addresses(),
        );
        add_accepted(
            &mut self.batch.other_authorities,
            other_authorities,
            fallback,
            first,
            streams.with_port(),
        );
        let Streams { lines, len: taken, ref fallback, .. } = streams;
        self.batch.back_off.note(len, lines, fallback.lines.len() - saved);
        self.batch.streams = streams;
        taken
    }

    /// Adds records, judged by the scalar parser.
    ///
    /// Columns get the places of some records at a time: one by one, that took a twentieth of the time of
    /// statistics of invalid records.
    pub(super) fn records(&mut self, mut records: impl Iterator<Item = Range<usize>>) {
        const GROUP: usize = 64;

        let (mut starts, mut ends) = ([0; GROUP], [0; GROUP]);
        loop {
            let mut len = 0;
            for ((start, end), record) in starts.iter_mut().zip(&mut ends).zip(&mut records) {
                (*start, *end) = (record.start as u32, record.end as u32);
                len += 1;
            }
            let first = self.batch.records;
            self.batch.records += len;
            if self.collect != collect::NOTHING {
                for column in self.columns.iter() {
                    let offsets = &mut self.batch.offsets[column];
                    match column {
                        Column::Start => offsets.extend_from_slice(&starts[..len]),
                        Column::End => offsets.extend_from_slice(&ends[..len]),
                        _ => offsets.extend_from_slice(&[ABSENT; GROUP][..len]),
                    }
                }
            }
            for (index, (&start, &end)) in (first..).zip(starts[..len].iter().zip(&ends)) {
                self.judge(start as usize..end as usize, index);
            }
            if len < GROUP {
                return;
            }
        }
    }

    /// Adds one record, judged by the scalar parser.
    pub(super) fn record(&mut self, record: Range<usize>) {
        self.records(core::iter::once(record));
    }

    /// Makes a record that is already counted null: neither valid nor invalid, and without a place.
    pub(super) fn drop_null(&mut self, index: usize) {
        self.batch.nulls.resize(self.batch.records.div_ceil(64), 0);
        self.batch.nulls[index / 64] |= 1 << (index % 64);
        self.batch.null_count += 1;
        for column in self.columns.iter() {
            self.batch.offsets[column][index] = ABSENT;
        }
    }

    /// Adds the error of a record that is already counted, in which a kernel found the first forbidden byte. Returns
    /// false if the parser must judge the record.
    fn is_forbidden(&mut self, record: &Range<usize>, at: usize, index: usize) -> bool {
        if self.nulls.is_some_and(|nulls| nulls.is_null(index)) {
            return false;
        }
        let component = simd::component_of(self.backend, &self.buffer[record.start..], at);
        let record_bytes = &self.buffer[record.clone()];
        let Some(error) = self.rules.error_of_forbidden(record_bytes, at, component) else { return false };
        let (index, start, end) = (index as u32, record.start as u32, record.end as u32);
        self.batch.invalid.push(InvalidRecord { index, start, end, error });
        true
    }

    /// Has the scalar parser judge a record that is already counted, and fills in its components, if it has
    /// any.
    fn judge(&mut self, record: Range<usize>, index: usize) {
        if self.nulls.is_some_and(|nulls| nulls.is_null(index)) {
            return;
        }
        let start = record.start as u32;
        let mut components = Components::none(0);
        match self.rules.parse_into(&self.buffer[record.clone()], &mut components) {
            Ok(()) => {
                self.batch.other_authorities.push(index as u32);
                if self.counts_components() {
                    self.batch.parsed.push(components);
                }
                if self.collect == collect::ALL {
                    let by_default = self.rules.grammar().default_host_kind();
                    if components.host_kind().is_some_and(|kind| kind != by_default) {
                        self.batch.may_be_addresses.push(index as u32);
                    }
                    for &column in Column::OF_COMPONENTS {
                        let offset = components.offset(column);
                        self.set(column, index, if offset == ABSENT { ABSENT } else { start + offset });
                    }
                }
            }
            Err(error) => {
                let (index, end) = (index as u32, record.end as u32);
                self.batch.invalid.push(InvalidRecord { index, start, end, error });
            }
        }
    }

    /// Removes the positions that a kernel collected in invalid records, from this record on.
    fn drop_components(&mut self, from: usize) {
        let Batch { invalid, offsets, .. } = &mut *self.batch;
        for &column in Column::OF_COMPONENTS.iter().filter(|&&column| self.columns.contains(column)) {
            let offsets = &mut offsets[column];
            for record in &invalid[from..] {
                offsets[record.index as usize] = ABSENT;
            }
        }
    }

    fn set(&mut self, column: Column, index: usize, offset: u32) {
        if self.columns.contains(column) {
            self.batch.offsets[column][index] = offset;
        }
    }
}

/// Adds the numbers of records: those of these lines of a piece, unless they fall back. Record `first` is the first
/// line of the piece. The parser has added numbers from `added` on.
fn add_accepted(
    all: &mut Vec<u32>,
    added: usize,
    fallback: &[NotedLine],
    first: usize,
    lines: impl Iterator<Item = u32>,
) {
    let has_parsed = all.len() > added;
    let mut fallback = fallback.iter().map(|line| line.index).peekable();
    let is_accepted = |line: &u32| {
        while fallback.next_if(|index| index < line).is_some() {}
        fallback.peek() != Some(line)
    };
    let len = all.len();
    all.extend(lines.filter(is_accepted).map(|line| first as u32 + line));
    if has_parsed && all.len() > len {
        all[added..].sort_unstable();
    }
}
