//! Parts of a buffer, copied side by side as columns of text: a plain loop, compiled for the features of each
//! backend.
//!
//! Copying a fixed number of bytes takes a few instructions for a part of any length; the next part
//! overwrites the surplus. With the vectors of AVX-512 the loop takes half the time that it takes with the
//! vectors of every x86_64. If few parts have bytes, as of queries, a branch skips the others: it is nearly
//! always predicted.

use alloc::vec::Vec;
use core::ptr;

use crate::column::ABSENT;
use crate::simd::block::vector::BLOCK;

/// The lengths of some parts, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PartLengths {
    /// The sum of the lengths.
    pub(crate) sum: u64,
    pub(crate) longest: u32,
    /// The number of parts with bytes.
    pub(crate) nonempty: u32,
}

/// The places where copies end, in the type of the column's offsets.
pub(crate) enum CopyEnds<'a> {
    Small(&'a mut Vec<i32>),
    Large(&'a mut Vec<i64>),
}

/// [`copy_parts`], compiled for a backend.
pub(in crate::simd) type CopyParts = unsafe fn(&[u8], &[u32], &[u32], &mut Vec<u8>, CopyEnds<'_>);

/// A type of offsets.
trait Offset: Copy {
    /// Returns this place as an offset, truncated to the type's bits.
    fn of(end: usize) -> Self;
}

impl Offset for i32 {
    #[inline(always)]
    fn of(end: usize) -> Self {
        end as i32
    }
}

impl Offset for i64 {
    #[inline(always)]
    fn of(end: usize) -> Self {
        end as i64
    }
}

/// Returns the lengths of the parts whose offsets are in two columns.
#[inline(always)]
pub(in crate::simd) fn part_lengths(starts: &[u32], ends: &[u32]) -> PartLengths {
    let (mut sum, mut longest, mut nonempty) = (0, 0, 0);
    for (&start, &end) in starts.iter().zip(ends) {
        let length = end.wrapping_sub(start);
        sum += u64::from(length);
        longest = longest.max(length);
        nonempty += u32::from(length > 0);
    }
    PartLengths { sum, longest, nonempty }
}

/// Appends the parts of `from`, whose offsets are in two columns, to `to`, and the place in `to` where each
/// part ends to `copy_ends`. An absent part has no bytes. A part that is not in `from` is copied as zeros.
///
/// # Panics
///
/// Panics if there is no memory for the sum of the lengths.
#[inline(always)]
pub(in crate::simd) fn copy_parts(
    from: &[u8],
    starts: &[u32],
    ends: &[u32],
    to: &mut Vec<u8>,
    copy_ends: CopyEnds<'_>,
) {
    match copy_ends {
        CopyEnds::Small(copy_ends) => copy_as_long_as_needed(from, starts, ends, to, copy_ends),
        CopyEnds::Large(copy_ends) => copy_as_long_as_needed(from, starts, ends, to, copy_ends),
    }
}

/// [`copy_parts`], with a loop that is chosen by the longest part.
#[inline(always)]
fn copy_as_long_as_needed<O: Offset>(
    from: &[u8],
    starts: &[u32],
    ends: &[u32],
    to: &mut Vec<u8>,
    copy_ends: &mut Vec<O>,
) {
    /// Fewer parts than one of this number have bytes: few.
    const FEW: usize = 8;

    let ends = &ends[..starts.len()];
    let PartLengths { sum, longest, nonempty } = part_lengths(starts, ends);
    let sum = usize::try_from(sum).expect("there is no such memory");
    let are_few = (nonempty as usize) < starts.len() / FEW;
    match longest {
        0 => copy_ends.extend(core::iter::repeat_n(O::of(to.len()), starts.len())),
        _ if are_few => copy::<O, { 2 * BLOCK }, true>(from, starts, ends, sum, to, copy_ends),
        1..=16 => copy::<O, 16, false>(from, starts, ends, sum, to, copy_ends),
        17..=32 => copy::<O, 32, false>(from, starts, ends, sum, to, copy_ends),
        33..=64 => copy::<O, BLOCK, false>(from, starts, ends, sum, to, copy_ends),
        // Most parts are shorter, but not by much. `copy_slowly` copies the longer ones.
        _ => copy::<O, { 2 * BLOCK }, false>(from, starts, ends, sum, to, copy_ends),
    }
}

/// Copies parts whose lengths add up to `sum`, `COPIED` bytes of each part; with `SKIPS`, of each part that
/// has bytes.
#[inline(always)]
fn copy<O: Offset, const COPIED: usize, const SKIPS: bool>(
    from: &[u8],
    starts: &[u32],
    ends: &[u32],
    sum: usize,
    to: &mut Vec<u8>,
    copy_ends: &mut Vec<O>,
) {
    to.reserve(sum.checked_add(COPIED).expect("there is no such memory"));
    let (first, first_end) = (to.len(), copy_ends.len());
    copy_ends.resize(first_end + starts.len(), O::of(0));
    let (bytes, mut at) = (to.as_mut_ptr(), first);
    for ((copy_end, &start), &end) in copy_ends[first_end..].iter_mut().zip(starts).zip(ends) {
        let len = end.wrapping_sub(start) as usize;
        if SKIPS && len == 0 {
            *copy_end = O::of(at);
            continue;
        }
        // An absent part may lie anywhere.
        let start = if start == ABSENT { 0 } else { start as usize };
        // SAFETY: the lengths up to here add up to at most `sum`, and `to` has room for `sum` bytes after the
        // first ones, and for COPIED bytes more. `from` has COPIED bytes from `start` on. `to` is borrowed
        // mutably, so `from` is another buffer.
        unsafe {
            if len <= COPIED && start.saturating_add(COPIED) <= from.len() {
                ptr::copy_nonoverlapping(from.as_ptr().add(start), bytes.add(at), COPIED);
            } else {
                copy_slowly(from, start, len, bytes.add(at));
            }
        }
        at += len;
        *copy_end = O::of(at);
    }
    // SAFETY: `to` has room for these bytes, and the loop has written all bytes of each part.
    unsafe { to.set_len(at) };
}

/// Copies a part that is long, or close to the end of `from`; zeros for a part that is not in `from`.
///
/// # Safety
///
/// `to` must be valid for writes of `len` bytes, none of them in `from`.
#[cold]
unsafe fn copy_slowly(from: &[u8], start: usize, len: usize, to: *mut u8) {
    let part = start.checked_add(len).and_then(|end| from.get(start..end));
    // SAFETY: the caller promises the room, and a part has `len` bytes.
    unsafe {
        match part {
            Some(part) => ptr::copy_nonoverlapping(part.as_ptr(), to, len),
            None => ptr::write_bytes(to, 0, len),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;
    use crate::simd::{Available, Backend};

    /// Copies parts by each backend to the end of three other bytes, and compares them with the definition.
    fn check(from: &[u8], parts: &[(u32, u32)]) {
        let (starts, ends): (Vec<_>, Vec<_>) = parts.iter().copied().unzip();
        let (mut expected, mut expected_ends) = (b"abc".to_vec(), vec![3]);
        for &(start, end) in parts {
            match from.get(start as usize..end as usize) {
                Some(part) => expected.extend_from_slice(part),
                None => expected.resize(expected.len() + end.wrapping_sub(start) as usize, 0),
            }
            expected_ends.push(expected.len());
        }
        for backend in Backend::ALL.iter().filter_map(|&backend| Available::new(backend)) {
            let lengths = crate::simd::part_lengths(backend, &starts, &ends);
            assert_eq!(lengths.sum as usize, expected.len() - 3);
            assert_eq!(lengths.longest, parts.iter().map(|part| part.1 - part.0).max().unwrap_or(0));
            assert_eq!(lengths.nonempty as usize, parts.iter().filter(|part| part.1 > part.0).count());
            let (mut copied, mut small, mut large) = (b"abc".to_vec(), vec![3i32], vec![3i64]);
            crate::simd::copy_parts(backend, from, &starts, &ends, &mut copied, CopyEnds::Small(&mut small));
            assert_eq!((&copied, small.len()), (&expected, parts.len() + 1));
            copied.truncate(3);
            crate::simd::copy_parts(backend, from, &starts, &ends, &mut copied, CopyEnds::Large(&mut large));
            assert_eq!(copied, expected);
            assert!(small.iter().zip(&expected_ends).all(|(&a, &b)| a as usize == b), "{small:?}");
            assert!(large.iter().zip(&expected_ends).all(|(&a, &b)| a as usize == b), "{large:?}");
        }
    }

    #[test]
    fn parts_of_every_length_are_copied_wherever_they_are() {
        let from: Vec<u8> = (0..700u32).map(|i| (i * 7 % 251) as u8).collect();
        for len in 0..300 {
            let [last, before] = [700 - len, 699 - len];
            check(&from, &[(0, len), (9, 9), (ABSENT, ABSENT), (5, 5 + len), (before, 699), (last, 700)]);
            check(&from[..len as usize], &[(0, len), (0, 0), (len, len), (ABSENT, ABSENT), (len / 2, len)]);
        }
    }

    #[test]
    fn few_parts_among_many_are_copied() {
        let from: Vec<u8> = (0..700u32).map(|i| (i * 7 % 251) as u8).collect();
        for len in (0..20).chain([127, 128, 129, 500, 700]) {
            for every in [1, 7, 8, 9, 20] {
                let part = |i: u32| match i % every {
                    0 => (700 - len, 700),
                    1 => (i, i),
                    _ => (ABSENT, ABSENT),
                };
                check(&from, &(0..100).map(part).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn parts_elsewhere_are_zeros() {
        for len in [1, 20, 40, 100, 200] {
            check(b"0123456789", &[(0, 10), (5, 5 + len), (11, 11 + len), (2, 4)]);
        }
        check(b"", &[(0, 3), (ABSENT, ABSENT)]);
        check(b"", &[]);
        check(b"0123456789", &[(ABSENT, ABSENT); 3]);
    }
}
