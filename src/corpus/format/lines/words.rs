//! Words between runs of spaces, and tests of their form.

use std::ops::Range;

use crate::simd::{Available, Marks, WINDOW, mark_byte};
use crate::work::{looked_at, memchr};

/// An iterator over the texts between runs of spaces.
pub(crate) struct Tokens<'a> {
    pub(crate) line: &'a [u8],
    pub(crate) at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let mut start = self.at;
        while self.line.get(start) == Some(&b' ') {
            start += 1;
        }
        looked_at(start - self.at);
        let rest = &self.line[start..];
        let end = start + memchr(b' ', rest).unwrap_or(rest.len());
        self.at = end;
        (start < end).then_some(start..end)
    }
}

/// The places of a byte in a line, found by a kernel: for formats that count the words of a line. For Squid's
/// log, which only needs each word, these marks take as long as searches.
pub(crate) struct ByteMarks<'a> {
    line: &'a [u8],
    byte: u8,
    marks: Marks,
    /// The number of bytes that are marked.
    marked: usize,
}

impl<'a> ByteMarks<'a> {
    /// Marks a byte in a line, up to a maximal length.
    #[inline]
    pub(crate) fn of(line: &'a [u8], byte: u8) -> Self {
        let marked = line.len().min(WINDOW);
        let mut marks = [0; _];
        mark_byte(Available::best(), &line[..marked], byte, &mut marks);
        ByteMarks { line, byte, marks, marked }
    }

    /// Returns the place of the next marked byte at or after `at`, or the end of the line.
    #[inline]
    pub(crate) fn next(&self, at: usize) -> usize {
        let mut first = !0 << (at % 64);
        for block in at / 64..self.marked.div_ceil(64) {
            let spaces = self.marks[block] & first;
            if spaces != 0 {
                return 64 * block + spaces.trailing_zeros() as usize;
            }
            first = !0;
        }
        let from = at.max(self.marked);
        let rest = &self.line[from..];
        from + memchr(self.byte, rest).unwrap_or(rest.len())
    }

    /// Returns true if the line has `count` words, with a single space between them. May return false for a
    /// line that is not marked as a whole.
    #[inline]
    pub(crate) fn are_between(&self, count: usize) -> bool {
        let (mut found, mut has_run, mut before) = (0, false, 1);
        for &spaces in &self.marks[..self.marked.div_ceil(64)] {
            found += spaces.count_ones() as usize;
            has_run |= spaces & (spaces << 1 | before) != 0;
            before = spaces >> 63;
        }
        found + 1 == count && !has_run && self.marked == self.line.len() && !self.line.ends_with(b" ")
    }

    /// Returns the word with this number, counted from 0, of a line in which spaces [are
    /// between](Self::are_between) words.
    #[inline]
    pub(crate) fn nth(&self, mut number: usize) -> Range<usize> {
        let (mut block, mut start) = (0, 0);
        if number > 0 {
            loop {
                let Some(&spaces) = self.marks[..self.marked.div_ceil(64)].get(block) else { return 0..0 };
                let here = spaces.count_ones() as usize;
                if number <= here {
                    let rest = (1..number).fold(spaces, |spaces, _| spaces & (spaces - 1));
                    start = 64 * block + rest.trailing_zeros() as usize + 1;
                    break;
                }
                (block, number) = (block + 1, number - here);
            }
        }
        start..self.next(start)
    }
}

/// Returns the `number`th text of a line, counted from 1.
pub(crate) fn nth(line: &[u8], number: usize) -> &[u8] {
    Tokens { line, at: 0 }.nth(number - 1).map_or(b"", |word| &line[word])
}

/// Returns true for a time stamp of 8 to 17 digits, like `20260102030405`.
pub(crate) fn is_stamp(word: &[u8]) -> bool {
    (8..=17).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

/// Returns true for a date of ISO 8601 with a time, like `2011-06-23T17:12:08.802Z`.
pub(crate) fn is_date(word: &[u8]) -> bool {
    has_shape(word, b"0000-00-00T00:00:00")
}

/// Returns true if a text starts with this shape, in which each 0 stands for any digit.
pub(crate) fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    text.len() >= shape.len()
        && text.iter().zip(shape).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            other => byte == other,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_spaces_give_the_same_words() {
        let (mut seed, mut singles) = (1_u64, 0);
        for len in (1..300).chain([WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW + 70]) {
            for words in [2, 9, 70] {
                let mut line = vec![b'a'; len];
                for byte in &mut line {
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    if (seed >> 33) % words == 0 {
                        *byte = b' ';
                    }
                }
                let spaces = ByteMarks::of(&line, b' ');
                for at in (0..=len).step_by(1 + len / 97) {
                    let next = line[at..].iter().position(|&byte| byte == b' ').map_or(len, |next| at + next);
                    assert_eq!(spaces.next(at), next, "{at} of {len}");
                }
                let split: Vec<_> = line.split(|&byte| byte == b' ').collect();
                let is_single = split.iter().all(|word| !word.is_empty());
                for count in [split.len() - 1, split.len(), split.len() + 1] {
                    let are_between = is_single && count == split.len() && len <= WINDOW;
                    assert_eq!(spaces.are_between(count), are_between, "{len} {count}");
                }
                if is_single && len <= WINDOW {
                    for (number, word) in split.into_iter().enumerate() {
                        assert_eq!(&line[spaces.nth(number)], word, "{len} {number}");
                    }
                    singles += 1;
                }
            }
        }
        assert!(singles > 100, "{singles}");
    }
}
