//! Words between runs of spaces, and tests of their form.

use std::ops::Range;

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
