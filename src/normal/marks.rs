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

/// The marks of these bytes, the first one the lowest bit: of 64 at most, which need not be those of one word.
#[inline(always)]
pub(super) fn window(marks: &[u64], range: Range<usize>) -> u64 {
    let Range { start, end } = range;
    if start >= end {
        return 0;
    }
    let (word, shift) = (start / 64, start % 64);
    let next = marks.get(word + 1).copied().unwrap_or(0);
    // Moved in two steps: by 64 in one is not allowed.
    let bits = marks[word] >> shift | next << 1 << (63 - shift);
    let len = end - start;
    if len < 64 { bits & ((1 << len) - 1) } else { bits }
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
