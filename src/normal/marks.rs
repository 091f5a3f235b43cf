//! Marks of bytes, a bit each, as kernels make them.

use core::ops::Range;

/// The first of these bytes that has a mark.
#[inline]
pub(super) fn first_mark(marks: &[u64], range: Range<usize>) -> Option<usize> {
    let Range { start, end } = range;
    if start >= end {
        return None;
    }
    let mut word = start / 64;
    let mut bits = marks[word] & !0 << (start % 64);
    let last = (end - 1) / 64;
    while bits == 0 && word < last {
        word += 1;
        bits = marks[word];
    }
    let at = word * 64 + bits.trailing_zeros() as usize;
    (bits != 0 && at < end).then_some(at)
}

/// All of these bytes that have a mark, in order.
#[inline(always)]
pub(super) fn marked(marks: &[u64], range: Range<usize>) -> impl Iterator<Item = usize> {
    let mut next = range.start;
    core::iter::from_fn(move || {
        let at = first_mark(marks, next..range.end)?;
        next = at + 1;
        Some(at)
    })
}
