//! Columns of offsets for Arrow, from the columns of a scan: plain loops, compiled with what the machine has.
//!
//! With the vectors of AVX-512 they take a third of the time of the same loops with those of every x86_64.

use alloc::vec::Vec;

use super::vector::{BLOCK, Vector};
use crate::column::ABSENT;

/// Appends each offset, in bytes from the start of its record; 0 for an absent one.
#[inline(always)]
pub(super) fn append_relative(offsets: &[u32], starts: &[u32], to: &mut Vec<i32>) {
    let relative = |(&offset, &start): (&u32, &u32)| {
        if offset == ABSENT { 0 } else { offset.wrapping_sub(start) as i32 }
    };
    to.extend(offsets.iter().zip(starts).map(relative));
}

/// Appends a word for each 64 offsets: bit `i % 64` of word `i / 64` is set if offset `i` is there. Bits beyond the last are 0.
///
/// # Safety
///
/// The machine must have the features of the vector.
#[inline(always)]
pub(super) unsafe fn mark_present<V: Vector>(offsets: &[u32], words: &mut Vec<u64>) {
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

/// A bit for each of these offsets that is there.
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
pub(super) fn mark_present_one_by_one(offsets: &[u32], words: &mut Vec<u64>) {
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

    /// Offsets of which some are absent, and others have a high bit or are nearly absent.
    fn offsets(count: usize) -> Vec<u32> {
        let kinds = [0, ABSENT, 7, 1 << 31, ABSENT - 1, ABSENT, ABSENT, 0x00FF_FFFF, 0xFF, 0xFFFF];
        (0..count).map(|i| kinds[(i * i + i / 7) % kinds.len()]).collect()
    }

    #[test]
    fn offsets_of_any_number_are_marked_and_counted_from_their_records() {
        for count in (0..200).chain([1000, 4096]) {
            let offsets = offsets(count);
            let starts: Vec<u32> = (0..count as u32).map(|i| i * 5).collect();
            let mut words = vec![1];
            mark_present_one_by_one(&offsets, &mut words);
            let bits = |index: usize| words[1 + index / 64] >> (index % 64) & 1;
            assert!(offsets.iter().enumerate().all(|(i, &offset)| bits(i) == u64::from(offset != ABSENT)));
            assert_eq!(words.len(), 1 + count.div_ceil(64));
            for backend in backends() {
                let (mut marked, mut relative) = (vec![1], vec![-1]);
                simd::mark_present(backend, &offsets, &mut marked);
                assert_eq!(marked, words, "{:?}, {count}", backend.backend());
                simd::append_relative(backend, &offsets, &starts, &mut relative);
                let expected = offsets.iter().zip(&starts).map(|(&offset, &start)| match offset {
                    ABSENT => 0,
                    _ => (i64::from(offset) - i64::from(start)) as i32,
                });
                assert_eq!(relative, [-1].into_iter().chain(expected).collect::<Vec<_>>());
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
                    }
                }
            }
        }
    }
}
