//! The result of a scan of a buffer: verdicts as a bitmap, offsets as columns (a structure of arrays).
//!
//! A [`Batch`] consists of plain arrays with one meaning each, ready to be passed on, for example to Arrow.
//! Later scans reuse it and then allocate no more. [`Rows`](crate::Rows) are a batch together with the
//! scanned bytes, so a row always belongs to the right bytes. The module [`scan`](crate::scan) fills batches.

use alloc::vec::Vec;
use core::ops::Range;

use crate::column::{ABSENT, Column, ColumnArrays, Columns, ColumnsMissing};
use crate::components::{Components, RecordForm};
use crate::error::{Component, Error};
use crate::grammar::{Grammar, Rules};
use crate::part::Part;
use crate::simd::{self, Available, BackOff, LineCounts, Streams};

/// An invalid record of a [`Batch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct InvalidRecord {
    /// The index of the record, counted from 0.
    pub index: u32,
    /// The offset of the record's first byte from the start of the buffer.
    pub start: u32,
    /// The offset of the byte after the record.
    pub end: u32,
    /// The error. Its offset counts from the record's first byte.
    pub error: Error,
}

/// The verdicts and columns of one scan. See [`Validator::scan`](crate::Validator::scan).
#[derive(Clone, Debug)]
pub struct Batch {
    pub(crate) rules: Rules,
    pub(crate) backend: Available,
    pub(crate) columns: Columns,
    pub(crate) records: usize,
    /// True if the records are lines, one after the other.
    pub(crate) are_lines: bool,
    pub(crate) validity: Vec<u64>,
    pub(crate) invalid: Vec<InvalidRecord>,
    /// The valid records that a parser judged or that have a port, in order. The authority of each other valid
    /// record is only a host, without an escape.
    pub(crate) other_authorities: Vec<u32>,
    /// The numbers of the other valid records with some components, if the scan counted them.
    pub(crate) counts: Option<LineCounts>,
    /// The components of each record of `other_authorities`, if the scan counted those of the others.
    pub(crate) parsed: Vec<Components>,
    /// True if `candidates` was filled.
    pub(crate) notes_candidates: bool,
    /// The records, among those that are not in `other_authorities`, that may differ from their normal form, in order.
    /// Some may be invalid.
    pub(crate) candidates: Vec<u32>,
    /// The records whose hosts may be addresses, in order; all other hosts are names. Some may be invalid or
    /// null. Empty if the scan filled no column of components.
    pub(crate) may_be_addresses: Vec<u32>,
    /// A bit for each record, set if it is null. Empty if no record is null.
    pub(crate) nulls: Vec<u64>,
    pub(crate) null_count: usize,
    pub(crate) offsets: ColumnArrays,
    /// Memory that each scan reuses.
    pub(crate) streams: Streams,
    pub(crate) gaps: Vec<u64>,
    pub(crate) back_off: BackOff,
    pub(crate) counts_back_off: BackOff,
}

impl Default for Batch {
    fn default() -> Self {
        Batch::new()
    }
}

impl Batch {
    /// The offset of an absent part.
    pub const ABSENT: u32 = ABSENT;

    /// The maximum number of bytes of one scan.
    pub const MAX_BYTES: usize = ABSENT as usize - 1;

    /// Returns an empty batch. It allocates memory when it is first filled.
    pub fn new() -> Self {
        Batch {
            rules: Rules::new(Grammar::Uri),
            backend: Available::SCALAR,
            columns: Columns::NONE,
            records: 0,
            are_lines: false,
            validity: Vec::new(),
            invalid: Vec::new(),
            other_authorities: Vec::new(),
            counts: None,
            parsed: Vec::new(),
            notes_candidates: false,
            candidates: Vec::new(),
            may_be_addresses: Vec::new(),
            nulls: Vec::new(),
            null_count: 0,
            offsets: ColumnArrays::default(),
            streams: Streams::default(),
            gaps: Vec::new(),
            back_off: BackOff::default(),
            counts_back_off: BackOff::default(),
        }
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.records
    }

    /// Returns true if the buffer had no record.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    /// Returns the validity bitmap: bit `i % 64` of word `i / 64` is set if record `i` is valid. Bits beyond
    /// the last record are 0.
    pub fn validity(&self) -> &[u64] {
        &self.validity
    }

    /// Returns true if record `index` exists and is valid.
    pub fn is_valid(&self, index: usize) -> bool {
        self.validity.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Returns the number of valid records. All others are in [`invalid`](Self::invalid), or null.
    pub fn valid_count(&self) -> usize {
        self.records - self.invalid.len() - self.null_count
    }

    /// Returns the number of null records, which are neither valid nor invalid.
    pub fn null_count(&self) -> usize {
        self.null_count
    }

    /// Returns true if record `index` exists and is null.
    pub fn is_null(&self, index: usize) -> bool {
        index < self.records && self.nulls.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Returns the invalid records, in order.
    pub fn invalid(&self) -> &[InvalidRecord] {
        &self.invalid
    }

    /// Returns a column: one offset per record, in bytes from the start of the buffer. Returns `None` if the
    /// scan did not fill it.
    pub fn column(&self, column: Column) -> Option<&[u32]> {
        self.columns.contains(column).then(|| &self.offsets[column][..])
    }

    /// Returns a column. The caller knows that the scan has filled it.
    #[cfg(any(feature = "corpus", feature = "arrow"))]
    #[inline]
    pub(crate) fn filled(&self, column: Column) -> &[u32] {
        &self.offsets[column]
    }

    /// Returns the range of a part of record `index`, in bytes from the start of the buffer, or `None` if the
    /// record lacks the part.
    ///
    /// ```
    /// use urivalidate::{Batch, Grammar, Part, Validator};
    ///
    /// let mut batch = Batch::new();
    /// Validator::new(Grammar::Uri).scan(b"http://example.com/?a\nmailto:a@b\n", Part::Host.columns(), &mut batch)?;
    /// assert_eq!((batch.range(Part::Host, 0)?, batch.range(Part::Host, 1)?), (Some(7..18), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill the part's [columns](Part::columns).
    ///
    /// # Panics
    ///
    /// Panics if the batch does not have record `index`.
    pub fn range(&self, part: Part, index: usize) -> Result<Option<Range<usize>>, ColumnsMissing> {
        ColumnsMissing::check(self.columns, part.columns())?;
        Ok(self.part(part, index))
    }

    /// Returns the columns that the scan filled.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// Returns the number of valid records with each component. Empty paths do not count. Returns `None` if
    /// the scan did not fill all columns.
    pub fn component_counts(&self) -> Option<ComponentCounts> {
        let has_all = self.columns == Columns::ALL;
        has_all.then(|| ComponentCounts(simd::count_components(self.backend, &self.offsets)))
    }

    /// Makes records invalid for a reason other than a grammar's. They are in order, and the batch has the
    /// columns of their places, but no counts.
    #[cfg(feature = "corpus")]
    pub(crate) fn reject(&mut self, records: &[(usize, Error)]) {
        debug_assert!(self.counts.is_none());
        if records.is_empty() {
            return;
        }
        for &(index, error) in records {
            self.validity[index / 64] &= !(1 << (index % 64));
            let (start, end) = (self.offsets[Column::Start][index], self.offsets[Column::End][index]);
            self.invalid.push(InvalidRecord { index: index as u32, start, end, error });
            for &column in Column::OF_COMPONENTS {
                if let Some(offset) = self.offsets[column].get_mut(index) {
                    *offset = ABSENT;
                }
            }
        }
        crate::work::looked_at(self.invalid.len() + self.other_authorities.len());
        // The sort is stable: if a record also has an error of a grammar, the added error follows that one,
        // and replaces it.
        self.invalid.sort_by_key(|record| record.index);
        self.invalid.dedup_by(|next, kept| {
            let is_same = next.index == kept.index;
            if is_same {
                *kept = *next;
            }
            is_same
        });
        let validity = &self.validity;
        self.other_authorities.retain(|&index| validity[index as usize / 64] >> (index % 64) & 1 == 1);
    }

    /// Makes `to` a batch of these records.
    #[cfg(feature = "corpus")]
    pub(crate) fn copy_records(&self, records: Range<usize>, to: &mut Batch) {
        let (first, len) = (records.start, records.len());
        (to.rules, to.backend, to.columns) = (self.rules, self.backend, self.columns);
        (to.are_lines, to.notes_candidates, to.records) = (self.are_lines, self.notes_candidates, len);
        (to.counts, to.parsed) = (None, Vec::new());
        copy_bits(&self.validity, records.clone(), &mut to.validity);
        to.nulls.clear();
        if !self.nulls.is_empty() {
            copy_bits(&self.nulls, records.clone(), &mut to.nulls);
        }
        to.null_count = to.nulls.iter().map(|word| word.count_ones() as usize).sum();
        to.invalid.clear();
        to.invalid.extend(invalid_among(&self.invalid, &records));
        for (indexes, copy) in [
            (&self.other_authorities, &mut to.other_authorities),
            (&self.candidates, &mut to.candidates),
            (&self.may_be_addresses, &mut to.may_be_addresses),
        ] {
            let place = |bound: usize| indexes.partition_point(|&index| (index as usize) < bound);
            copy.clear();
            copy.extend(indexes[place(first)..place(records.end)].iter().map(|index| index - first as u32));
        }
        to.offsets.clear();
        for &column in Column::ALL.iter().filter(|&&column| self.columns.contains(column)) {
            to.offsets[column].extend_from_slice(&self.offsets[column][records.clone()]);
        }
    }

    /// Makes `to` a batch of the records with these indices, which are in order.
    #[cfg(feature = "corpus")]
    pub(crate) fn copy_chosen(&self, chosen: &[u32], to: &mut Batch) {
        crate::work::looked_at(chosen.len() + self.other_authorities.len() + self.candidates.len());
        (to.rules, to.backend, to.columns) = (self.rules, self.backend, self.columns);
        (to.are_lines, to.notes_candidates, to.records) =
            (self.are_lines, self.notes_candidates, chosen.len());
        (to.counts, to.parsed) = (None, Vec::new());
        let bits = |words: &[u64], to: &mut Vec<u64>| {
            let bit = |index: u32| words.get(index as usize / 64).map_or(0, |word| word >> (index % 64) & 1);
            to.clear();
            to.extend(
                chosen
                    .chunks(64)
                    .map(|some| some.iter().rev().fold(0, |word, &index| word << 1 | bit(index))),
            );
        };
        bits(&self.validity, &mut to.validity);
        to.nulls.clear();
        if !self.nulls.is_empty() {
            bits(&self.nulls, &mut to.nulls);
        }
        to.null_count = to.nulls.iter().map(|word| word.count_ones() as usize).sum();
        to.invalid.clear();
        to.invalid.extend(invalid_chosen(&self.invalid, chosen));
        for (indexes, copy) in [
            (&self.other_authorities, &mut to.other_authorities),
            (&self.candidates, &mut to.candidates),
            (&self.may_be_addresses, &mut to.may_be_addresses),
        ] {
            copy.clear();
            copy.extend(among_chosen(indexes.iter().copied(), chosen).map(|(number, _)| number));
        }
        to.offsets.clear();
        for &column in Column::ALL.iter().filter(|&&column| self.columns.contains(column)) {
            let offsets = &self.offsets[column][..];
            to.offsets[column].extend(chosen.iter().map(|&index| offsets[index as usize]));
        }
    }

    /// Keeps only the invalid ones of the records with these indices, which are in order, and renumbers them.
    #[cfg(feature = "corpus")]
    pub(crate) fn keep_invalid_of(&mut self, chosen: &[u32]) {
        self.invalid = invalid_chosen(&self.invalid, chosen).collect();
    }

    /// Finds a part in some records; see [`Validator::find_part`](crate::Validator::find_part).
    pub(crate) fn find_part(
        &self,
        backend: Available,
        part: Part,
        records: Range<usize>,
        starts: &mut [u32],
        ends: &mut [u32],
    ) -> Result<bool, ColumnsMissing> {
        ColumnsMissing::check(self.columns, part.columns())?;
        Ok(simd::find_part(backend, part, &self.offsets, records, starts, ends))
    }

    /// Returns those of these records whose hosts are addresses, in order, with the kinds of the hosts. All
    /// other hosts are names. `values` are the scanned bytes. The scan has filled the columns of hosts.
    #[cfg(any(feature = "corpus", feature = "arrow"))]
    pub(crate) fn addresses<'a>(
        &'a self,
        values: &'a [u8],
        records: Range<usize>,
    ) -> impl Iterator<Item = (usize, crate::HostKind)> + 'a {
        let place = |bound: usize| self.may_be_addresses.partition_point(|&index| (index as usize) < bound);
        let name = self.rules.grammar().default_host_kind();
        self.may_be_addresses[place(records.start)..place(records.end)].iter().filter_map(move |&index| {
            let index = index as usize;
            let [start, end] =
                [Column::HostStart, Column::HostEnd].map(|column| self.offsets[column][index] as usize);
            let host = values.get(start..end)?;
            let kind = self.rules.host_kind(host);
            (kind != name).then_some((index, kind))
        })
    }

    /// Returns true if no record has the part, as far as a check of few records can tell: a plain authority has
    /// neither userinfo nor a port. The scan has filled the part's columns.
    #[cfg(feature = "arrow")]
    pub(crate) fn surely_lacks(&self, part: Part) -> bool {
        matches!(part, Part::Userinfo | Part::Port)
            && self.other_authorities.iter().all(|&index| self.part(part, index as usize).is_none())
    }

    /// Returns true if the host of each record is its authority, and records without an authority have no
    /// host. A plain authority is only a host. The scan has filled the columns of both.
    #[cfg(feature = "arrow")]
    pub(crate) fn hosts_are_authorities(&self) -> bool {
        let is_same = |&index: &u32| {
            self.part(Part::Host, index as usize) == self.part(Part::Authority, index as usize)
        };
        self.other_authorities.iter().all(is_same)
    }

    /// [`range`](Self::range), for callers who know that the scan has filled the part's columns.
    #[inline(always)]
    pub(crate) fn part(&self, part: Part, index: usize) -> Option<Range<usize>> {
        part.range(|column| self.offsets[column][index])
    }

    /// Returns the components of a valid record, relative to its start. The batch must have all columns. The
    /// kind of the host is not set, since the columns do not hold it.
    pub(crate) fn delimited(&self, index: usize) -> Components {
        let start = self.offsets[Column::Start][index];
        // Relative to the record, as `Components` are; an absent offset stays absent.
        let relative = |column| match self.offsets[column][index] {
            ABSENT => ABSENT,
            offset => offset - start,
        };
        let form = if self.rules.has_opaque() { RecordForm::Opaque } else { RecordForm::Pathless };
        Components::from_offsets(relative, form, self.rules.ignores_empty_port())
    }
}

/// Returns the invalid records in the range `records`, renumbered so that the first record of the range is 0.
#[cfg(feature = "corpus")]
pub(crate) fn invalid_among<'i>(
    invalid: &'i [InvalidRecord],
    records: &Range<usize>,
) -> impl Iterator<Item = InvalidRecord> + use<'i> {
    let [start, end] = [records.start, records.end]
        .map(|bound| invalid.partition_point(|record| (record.index as usize) < bound));
    let first = records.start as u32;
    invalid[start..end].iter().map(move |record| InvalidRecord { index: record.index - first, ..*record })
}

/// Returns those of the chosen records that are invalid, with their numbers among the chosen ones.
#[cfg(feature = "corpus")]
pub(crate) fn invalid_chosen<'i>(
    invalid: &'i [InvalidRecord],
    chosen: &'i [u32],
) -> impl Iterator<Item = InvalidRecord> + use<'i> {
    let found = among_chosen(invalid.iter().map(|record| record.index), chosen);
    found.map(|(index, at)| InvalidRecord { index, ..invalid[at] })
}

/// Returns those of these indices that are among the chosen ones: for each, its number among the chosen ones,
/// and its number among the indices. Both are in order.
#[cfg(feature = "corpus")]
fn among_chosen<'i>(
    indexes: impl Iterator<Item = u32> + 'i,
    chosen: &'i [u32],
) -> impl Iterator<Item = (u32, usize)> + 'i {
    let mut next = 0;
    indexes.enumerate().filter_map(move |(at, index)| {
        // Few records have such an index, or nearly all.
        while chosen.get(next).is_some_and(|&chosen| chosen < index) {
            next += 1;
        }
        (chosen.get(next) == Some(&index)).then_some((next as u32, at))
    })
}

/// Replaces `to` with these bits of a bitmap.
#[cfg(feature = "corpus")]
fn copy_bits(words: &[u64], bits: Range<usize>, to: &mut Vec<u64>) {
    let (first, shift) = (bits.start / 64, bits.start % 64);
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    to.clear();
    to.extend((0..bits.len().div_ceil(64)).map(|at| {
        let low = word(first + at) >> shift;
        let high = if shift == 0 { 0 } else { word(first + at + 1) << (64 - shift) };
        low | high
    }));
    if let (Some(last), rest @ 1..) = (to.last_mut(), bits.len() % 64) {
        *last &= (1 << rest) - 1;
    }
}

/// The number of records with each component.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ComponentCounts([u32; Component::ALL.len()]);

impl ComponentCounts {
    /// Returns the number of records with this component.
    pub fn get(&self, component: Component) -> u64 {
        self.0[component as usize].into()
    }
}
