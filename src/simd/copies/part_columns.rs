//! Columns of offsets for Arrow, from the columns of a scan: plain loops, compiled for the features of each
//! backend.
//!
//! The places of a part are computed in one pass over the scan's columns, 64 records at a time:
//!
//! ```text
//! for each 64 records:
//!     places  = where the part lies in the buffer, from the columns      in the L1 cache
//!     present = a bit each: the place exists
//!     starts += place.start - start of the record, or 0
//!     ends   += place.end   - start of the record, or 0
//! ```
//!
//! With the vectors of AVX-512 the loops take a third of the time that they take with the vectors of every
//! x86_64.

use alloc::vec::Vec;

use crate::column::{ABSENT, Column, ColumnArrays};
use crate::part::Part;
use crate::simd::block::vector::{BLOCK, Vector};

/// The places of a part in consecutive records, in bytes from the first byte of each record.
#[cfg_attr(test, derive(Debug, PartialEq, Eq))]
#[derive(Clone, Default)]
pub(crate) struct PartSpans {
    /// The starts; 0 if the part is absent. Empty if all starts are 0, because records [start with the
    /// part](Self::has_starts).
    pub(crate) starts: Vec<i32>,
    /// The ends; 0 if the part is absent.
    pub(crate) ends: Vec<i32>,
}

/// [`append_spans`], compiled for a backend.
pub(in crate::simd) type AppendSpans = unsafe fn(Part, &ColumnArrays, usize, &mut PartSpans, &mut Vec<u64>);

/// Appends the places of a part in the first `records` records of these columns, and [marks](mark_present)
/// the records that have the part.
///
/// # Safety
///
/// The machine must have the features of the vector.
#[inline(always)]
pub(in crate::simd) unsafe fn append_spans<V: Vector>(
    part: Part,
    columns: &ColumnArrays,
    records: usize,
    spans: &mut PartSpans,
    words: &mut Vec<u64>,
) {
    let whole = records - records % BLOCK;
    for first in (0..whole).step_by(BLOCK) {
        let starts = spans.append(part, columns, first, BLOCK);
        // SAFETY: the caller promises the features.
        words.push(unsafe { presence::<V>(&starts) });
    }
    if whole < records {
        let starts = spans.append(part, columns, whole, records - whole);
        // SAFETY: the caller promises the features.
        words.push(unsafe { presence::<V>(&starts) });
    }
}

/// [`append_spans`], for the scalar backend.
pub(in crate::simd) fn append_spans_one_by_one(
    part: Part,
    columns: &ColumnArrays,
    records: usize,
    spans: &mut PartSpans,
    words: &mut Vec<u64>,
) {
    for first in (0..records).step_by(BLOCK) {
        let len = BLOCK.min(records - first);
        let starts = spans.append(part, columns, first, len);
        mark_present_one_by_one(&starts[..len], words);
    }
}

impl PartSpans {
    /// Returns false if the part starts at the first byte of each record that has it.
    pub(crate) fn has_starts(part: Part) -> bool {
        part != Part::Scheme
    }

    /// Appends the places in `len` records from record `first` on, at most [`BLOCK`] records. Returns the
    /// start of the part of each record, as an offset in the buffer.
    #[inline(always)]
    fn append(&mut self, part: Part, columns: &ColumnArrays, first: usize, len: usize) -> [u32; BLOCK] {
        let of = |column: Column| &columns[column][first..first + len];
        let (mut starts, mut ends) = ([ABSENT; BLOCK], [ABSENT; BLOCK]);
        part.places(of, &mut starts[..len], &mut ends[..len]);
        if Self::has_starts(part) {
            append_relative(&starts, of(Column::Start), &mut self.starts);
        }
        append_relative(&ends, of(Column::Start), &mut self.ends);
        starts
    }
}

/// Appends the offsets of a part of these records, relative to the starts of the records; 0 if the part is
/// absent.
///
/// Inlined by force, because a function of its own is compiled without the features: in programs with several
/// codegen units, rows of offsets took a seventh longer.
#[inline(always)]
fn append_relative(offsets: &[u32; BLOCK], records: &[u32], to: &mut Vec<i32>) {
    let mut relative = [0; BLOCK];
    for (relative, (&offset, &record)) in relative.iter_mut().zip(offsets.iter().zip(records)) {
        *relative = if offset == ABSENT { 0 } else { offset.wrapping_sub(record) as i32 };
    }
    to.extend_from_slice(&relative[..records.len()]);
}

/// Appends a word for each 64 offsets: bit `i % 64` of word `i / 64` is set if offset `i` is not [`ABSENT`].
/// Bits after the last offset are 0.
///
/// # Safety
///
/// The machine must have the features of the vector.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_present<V: Vector>(offsets: &[u32], words: &mut Vec<u64>) {
    let (blocks, rest) = offsets.as_chunks();
    words.reserve(blocks.len() + 1);
    for block in blocks {
        // SAFETY: the caller promises the features.
        words.push(unsafe { presence::<V>(block) });
    }
    if !rest.is_empty() {
        let mut last = [ABSENT; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        // SAFETY: the caller promises the features.
        words.push(unsafe { presence::<V>(&last) });
    }
}

/// Returns a bit for each of these offsets that is not [`ABSENT`].
///
/// # Safety
///
/// The machine must have the features of the vector.
#[inline(always)]
unsafe fn presence<V: Vector>(offsets: &[u32; BLOCK]) -> u64 {
    let mut bytes = [0; BLOCK];
    for (byte, &offset) in bytes.iter_mut().zip(offsets) {
        *byte = if offset == ABSENT { 0 } else { 0xFF };
    }
    // SAFETY: the caller promises the features.
    unsafe { V::load(&bytes).at_least::<0x80>() }
}

/// [`mark_present`], offset by offset.
pub(in crate::simd) fn mark_present_one_by_one(offsets: &[u32], words: &mut Vec<u64>) {
    words.extend(offsets.chunks(BLOCK).map(|offsets| {
        offsets.iter().enumerate().fold(0, |word, (i, &offset)| word | u64::from(offset != ABSENT) << i)
    }));
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::column::{Column, Columns};
    use crate::part::Part;
    use crate::simd::{self, Available, Backend};
    use crate::{Batch, Grammar, Validator};

    fn backends() -> impl Iterator<Item = Available> {
        Backend::ALL.iter().filter_map(|&backend| Available::new(backend))
    }

    /// Offsets; some are absent, others have the highest bit or are close to `ABSENT`.
    fn offsets(count: usize) -> Vec<u32> {
        let kinds = [0, ABSENT, 7, 1 << 31, ABSENT - 1, ABSENT, ABSENT, 0x00FF_FFFF, 0xFF, 0xFFFF];
        (0..count).map(|i| kinds[(i * i + i / 7) % kinds.len()]).collect()
    }

    #[test]
    fn offsets_of_any_number_are_marked() {
        for count in (0..200).chain([1000, 4096]) {
            let offsets = offsets(count);
            let mut words = vec![1];
            mark_present_one_by_one(&offsets, &mut words);
            let bits = |index: usize| words[1 + index / 64] >> (index % 64) & 1;
            assert!(offsets.iter().enumerate().all(|(i, &offset)| bits(i) == u64::from(offset != ABSENT)));
            assert_eq!(words.len(), 1 + count.div_ceil(64));
            for backend in backends() {
                let mut marked = vec![1];
                simd::mark_present(backend, &offsets, &mut marked);
                assert_eq!(marked, words, "{:?}, {count}", backend.backend());
            }
        }
    }

    #[test]
    fn spans_of_any_number_count_from_their_records() {
        for count in (0..200).chain([1000, 4096]) {
            let mut columns = ColumnArrays::default();
            columns[Column::Start] = (0..count as u32).map(|i| i * 5).collect();
            columns[Column::HostStart] = offsets(count);
            columns[Column::HostEnd] =
                offsets(count).into_iter().map(|offset| offset.saturating_add(3)).collect();
            let relative = |column: Column| {
                let pairs = columns[column].iter().zip(&columns[Column::HostStart]);
                let of = |(record, (&offset, &host)): (&u32, (&u32, &u32))| match (offset, host) {
                    (_, ABSENT) | (ABSENT, _) => 0,
                    _ => (i64::from(offset) - i64::from(*record)) as i32,
                };
                [-1].into_iter().chain(columns[Column::Start].iter().zip(pairs).map(of)).collect::<Vec<_>>()
            };
            let expected = PartSpans { starts: relative(Column::HostStart), ends: relative(Column::HostEnd) };
            let mut words = vec![1];
            mark_present_one_by_one(&columns[Column::HostStart], &mut words);
            for backend in backends() {
                let mut spans = PartSpans { starts: vec![-1], ends: vec![-1] };
                let mut marked = vec![1];
                simd::append_spans(backend, Part::Host, &columns, count, &mut spans, &mut marked);
                assert_eq!((&spans, &marked), (&expected, &words), "{:?}, {count}", backend.backend());
            }
        }
    }

    #[test]
    fn parts_are_found_as_record_by_record() {
        let kinds: [&[u8]; 7] =
            [b"http://u@h:80/p?q#f", b"mailto:a", b"a b", b"x://h", b"a:?q", b"a:#f", b"http://h/p?q"];
        for grammar in [Grammar::Uri, Grammar::Rfc2396] {
            for count in [0, 1, 5, 63, 64, 130] {
                let lines: Vec<_> = (0..count).map(|i| kinds[i * i % kinds.len()]).collect();
                let mut batch = Batch::new();
                Validator::new(grammar).scan(&lines.join(&b'\n'), Columns::ALL, &mut batch).unwrap();
                for &part in Part::ALL {
                    let place = |index: usize| {
                        part.place(|column: Column| batch.column(column).unwrap()[index]).offsets()
                    };
                    let expected: Vec<_> = (0..batch.len()).map(place).collect();
                    for backend in backends() {
                        let (mut starts, mut ends) = (vec![5; batch.len()], vec![6; batch.len()]);
                        let (columns, all) = (&batch.offsets, 0..batch.len());
                        let are_absent = simd::find_part(backend, part, columns, all, &mut starts, &mut ends);
                        assert_eq!(are_absent, expected.iter().all(|&(start, _)| start == ABSENT));
                        assert_eq!(starts.into_iter().zip(ends).collect::<Vec<_>>(), expected, "{part:?}");
                        let (mut spans, mut words) = (PartSpans::default(), Vec::new());
                        simd::append_spans(backend, part, columns, batch.len(), &mut spans, &mut words);
                        if !PartSpans::has_starts(part) {
                            assert!(spans.starts.is_empty());
                            spans.starts = vec![0; batch.len()];
                        }
                        let spans: Vec<_> = spans.starts.into_iter().zip(spans.ends).collect();
                        let relative =
                            expected.iter().zip(&batch.offsets[Column::Start]).map(|(place, record)| {
                                match *place {
                                    (ABSENT, _) => (0, 0),
                                    (start, end) => ((start - record) as i32, (end - record) as i32),
                                }
                            });
                        assert_eq!(spans, relative.collect::<Vec<_>>(), "{part:?}");
                        let is_there = |index: usize| words[index / 64] >> (index % 64) & 1 == 1;
                        assert!(
                            (0..batch.len()).all(|index| is_there(index) == (expected[index].0 != ABSENT))
                        );
                    }
                }
            }
        }
    }
}
