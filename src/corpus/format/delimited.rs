//! Comma- and tab-separated values (RFC 4180, and the IANA's text/tab-separated-values).
//!
//! A record is a line: a quoted cell that goes on in the next line makes its line, and mostly those that it goes on in,
//! malformed. In tab-separated values tabs always separate, and quotes only matter around the whole cell.

use std::ops::Range;

use memchr::memchr;

use super::field::{Find, Found, Malformed, Want};
use super::tally::tally;
use super::unescape::Escapes;

/// What the first line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// It has not been seen yet.
    Pending,
    Seen {
        /// Counted from 0.
        column: usize,
        /// How many columns a line has, if there is a header.
        count: Option<usize>,
    },
}

/// The lines of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delimited<'a> {
    pub(super) separator: u8,
    pub(super) want: &'a Want,
    pub(super) header: Header,
}

impl Find for Delimited<'_> {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        let (column, count) = match self.header {
            Header::Seen { column, count } => (column, count),
            Header::Pending => {
                // A field that is not in the header ends the scan before any line is looked at.
                self.header = self.header(line).unwrap_or(Header::Seen { column: 0, count: None });
                let Header::Seen { column, count } = self.header else { return Found::Skipped };
                if count.is_some() {
                    return Found::Skipped;
                }
                (column, count)
            }
        };
        if line.is_empty() {
            return Found::Malformed(Malformed::Empty);
        }
        self.cell(line, column, count).unwrap_or_else(Found::Malformed)
    }
}

impl Delimited<'_> {
    /// What the first line of a table says, unless it is a header that does not name the field.
    ///
    /// Unless another column is wanted, it is the one called `url` or `uri`, else the first. A first line is a header if a column is asked for by name, if one is called `url` or `uri`, or if no cell could be a
    /// part of a URI.
    pub(super) fn header(&self, line: &[u8]) -> Option<Header> {
        // Not to be kept: a line may hold very many. White space and what no name has are the same with escapes undone.
        let names = || {
            Cells { line, separator: self.separator, at: Some(0) }
                .map_while(Result::ok)
                .map(|(range, escapes)| (line[range].trim_ascii(), escapes))
        };
        let position = |wanted: &[u8]| {
            names().position(|(raw, escapes)| {
                escapes.short_text(raw, wanted.len()).is_some_and(|name| name.eq_ignore_ascii_case(wanted))
            })
        };
        let is_name = |raw: &[u8]| !raw.is_empty() && !raw.iter().any(|byte| b":/.?#%".contains(byte));
        let url = position(b"url").or_else(|| position(b"uri"));
        let has_header = url.is_some() || names().all(|(raw, _)| is_name(raw));
        let columns = names().count();
        let count = has_header.then_some(columns);
        match *self.want {
            Want::Name(ref name) => {
                position(name).map(|column| Header::Seen { column, count: Some(columns) })
            }
            Want::Number(number) if count.is_some_and(|count| number > count) => None,
            Want::Number(number) => Some(Header::Seen { column: number - 1, count }),
            Want::Uri => Some(Header::Seen { column: url.unwrap_or(0), count }),
        }
    }

    #[inline]
    fn cell(&self, line: &[u8], column: usize, count: Option<usize>) -> Result<Found, Malformed> {
        let mut chosen = None;
        let mut seen = 0;
        let (separators, has_quotes) = tally(line, self.separator, |byte| byte == b'"');
        if !has_quotes {
            seen = separators + 1;
            chosen = nth(line, self.separator, column).map(|range| (range, Escapes::None));
        } else {
            for cell in (Cells { line, separator: self.separator, at: Some(0) }) {
                let cell = cell?;
                if seen == column {
                    chosen = Some(cell);
                }
                seen += 1;
            }
        }
        if count.is_some_and(|count| count != seen) {
            return Err(Malformed::ColumnCount);
        }
        let (range, escapes) = chosen.ok_or(Malformed::Truncated)?;
        if self.separator == b'\t' && line[range.clone()] == *b"\\N" {
            return Ok(Found::Sentinel);
        }
        Ok(Found::escaped(range, escapes))
    }
}

/// A cell of a line without quotes, counted from 0.
#[inline]
fn nth(line: &[u8], separator: u8, column: usize) -> Option<Range<usize>> {
    let mut start = 0;
    for _ in 0..column {
        start += memchr(separator, &line[start..])? + 1;
    }
    let rest = &line[start..];
    Some(start..start + memchr(separator, rest).unwrap_or(rest.len()))
}

/// The cells of a line, without the quotes around them.
struct Cells<'a> {
    line: &'a [u8],
    separator: u8,
    /// Where the next one starts.
    at: Option<usize>,
}

impl Cells<'_> {
    /// The cell whose opening quote is at `start`.
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
                Some(&byte) if byte != self.separator => return Err(Malformed::BehindQuote),
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
        if self.separator == b'\t'
            && let [b'"', inner @ .., b'"'] = &self.line[start..end]
        {
            let has_quotes = memchr(b'"', inner).is_some();
            let escapes = if has_quotes { Escapes::DoubledQuotes } else { Escapes::None };
            return Some(Ok((start + 1..end - 1, escapes)));
        }
        Some(Ok((start..end, Escapes::None)))
    }
}
