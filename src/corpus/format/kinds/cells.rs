//! The cells of a row of a table, without their quotes (RFC 4180).
//!
//! In tab-separated values tabs always separate, and quotes only matter around a whole cell.

use std::ops::Range;

use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr};

/// Returns the separator, if the first line of a table names it like Excel does: `sep=;`.
pub(crate) fn named_separator(line: &[u8]) -> Option<u8> {
    let (name, separator) = line.split_at_checked(4)?;
    match separator {
        &[separator] if name.eq_ignore_ascii_case(b"sep=") && !b"\"\r\n".contains(&separator) => {
            Some(separator)
        }
        _ => None,
    }
}

/// Returns the cells of a row without the quotes around them, each with whether it is quoted. A malformed
/// cell ends them with an error.
pub(crate) fn cells(row: &[u8], separator: u8) -> impl Iterator<Item = Result<(&[u8], bool), Malformed>> {
    looked_at(row.len());
    Cells::new(row, separator).map(move |cell| {
        let (range, _) = cell?;
        let is_quoted = range.start.checked_sub(1).is_some_and(|before| row[before] == b'"');
        Ok((&row[range], is_quoted))
    })
}

/// Returns the separator, if quoted cells with this separator can contain line ends.
pub(crate) fn row_separator(separator: u8) -> Option<u8> {
    (separator != b'\t').then_some(separator)
}

/// The cells of a line, without the quotes around them. An iterator.
pub(crate) struct Cells<'a> {
    line: &'a [u8],
    separator: u8,
    /// The start of the next cell.
    at: Option<usize>,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(line: &'a [u8], separator: u8) -> Self {
        Cells { line, separator, at: Some(0) }
    }

    /// Returns the cell whose opening quote is at `start`.
    fn quoted(&mut self, start: usize) -> Result<(Range<usize>, Escapes), Malformed> {
        let mut escapes = Escapes::None;
        let mut end = start + 1;
        loop {
            end += memchr(b'"', &self.line[end..]).ok_or(Malformed::OpenCell)?;
            match self.line.get(end + 1) {
                Some(b'"') => {
                    escapes = Escapes::DoubledQuotes;
                    end += 2;
                }
                Some(&byte) if byte != self.separator => return Err(Malformed::TextAfterQuote),
                next => {
                    self.at = next.map(|_| end + 2);
                    return Ok((start + 1..end, escapes));
                }
            }
        }
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<(Range<usize>, Escapes), Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.at.take()?;
        if self.separator != b'\t' && self.line.get(start) == Some(&b'"') {
            return Some(self.quoted(start));
        }
        let rest = &self.line[start..];
        let end = start + memchr(self.separator, rest).unwrap_or(rest.len());
        self.at = (end < self.line.len()).then_some(end + 1);
        let may_be_quoted = self.separator == b'\t';
        Some(Ok(if may_be_quoted {
            without_quotes(self.line, start..end)
        } else {
            (start..end, Escapes::None)
        }))
    }
}

/// Returns the text of a cell, which may have quotes around it.
#[inline]
pub(crate) fn without_quotes(line: &[u8], cell: Range<usize>) -> (Range<usize>, Escapes) {
    let [b'"', inner @ .., b'"'] = &line[cell.clone()] else { return (cell, Escapes::None) };
    let has_quotes = memchr(b'"', inner).is_some();
    let escapes = if has_quotes { Escapes::DoubledQuotes } else { Escapes::None };
    (cell.start + 1..cell.end - 1, escapes)
}
