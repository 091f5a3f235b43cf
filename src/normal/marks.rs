//! Marks of bytes, a bit each, which kernels make.

use core::ops::Range;

/// Returns the first of these bytes that has a mark.
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

/// The marks from one byte on.
///
/// The position of a record in the words of marks is random, so no branch depends on it.
#[derive(Clone, Copy)]
pub(super) struct Window {
    word: usize,
    shift: usize,
}

impl Window {
    /// The bytes of a wide window.
    pub(super) const WIDE: usize = 128;

    /// Returns the window of the marks from this byte on.
    #[inline(always)]
    pub(super) fn at(start: usize) -> Self {
        Window { word: start / 64, shift: start % 64 }
    }

    /// Returns the marks of the first `len` bytes, at most 64; the mark of the first byte is the lowest bit.
    #[inline(always)]
    pub(super) fn of(self, marks: &[u64], len: usize) -> u64 {
        let (first, second) = match marks.get(self.word..) {
            Some([first, second, ..]) => (*first, *second),
            _ => (word_of(marks, self.word), 0),
        };
        self.join(first, second) & lowest(len)
    }

    /// Returns the marks of the first `len` bytes, at most [`WIDE`](Self::WIDE).
    #[inline(always)]
    pub(super) fn wide(self, marks: &[u64], len: usize) -> u128 {
        let (first, second, third) = match marks.get(self.word..) {
            Some([first, second, third, ..]) => (*first, *second, *third),
            _ => (word_of(marks, self.word), word_of(marks, self.word + 1), 0),
        };
        let low = self.join(first, second) & lowest(len);
        let high = self.join(second, third) & lowest(len.saturating_sub(64));
        u128::from(low) | u128::from(high) << 64
    }

    #[inline(always)]
    fn join(self, word: u64, next: u64) -> u64 {
        // Two shifts, because one shift by 64 is not allowed.
        word >> self.shift | next << 1 << (63 - self.shift)
    }
}

/// Returns a word of marks; 0 after the last word.
#[cold]
#[inline(never)]
fn word_of(marks: &[u64], word: usize) -> u64 {
    marks.get(word).copied().unwrap_or(0)
}

/// Returns a word whose lowest `count` bits are set, or all.
#[inline(always)]
fn lowest(count: usize) -> u64 {
    static LOWEST: [u64; 65] = {
        let mut lowest = [u64::MAX; 65];
        let mut count = 0;
        while count < 64 {
            lowest[count] = (1 << count) - 1;
            count += 1;
        }
        lowest
    };
    LOWEST[count.min(64)]
}

/// Returns all of these bytes that have a mark, in order.
#[inline(always)]
pub(super) fn marked(marks: &[u64], range: Range<usize>) -> impl Iterator<Item = usize> {
    let mut next = range.start;
    core::iter::from_fn(move || {
        let at = first_mark(marks, next..range.end)?;
        next = at + 1;
        Some(at)
    })
}
