//! The rows of a table whose quoted cells may hold line ends (RFC 4180).
//!
//! A quote opens a cell only at the cell's start, and a doubled quote in a quoted cell stands for a quote. A
//! row ends at the first line end outside of quoted cells. Quotes in other places do not matter here:
//! [`table`](crate::corpus::format::kinds::table) decides which of them make a row malformed.
//!
//! A row over the limit is cut at its last line end within the limit, which lies in an open quoted cell. If
//! the row has no line end within the limit, it ends at its first line end. The next row starts there,
//! outside of quotes. So no row needs more memory than a long line, and no byte is passed more than twice:
//! the line on which a cut row ends reaches over the limit.

use std::mem;
use std::ops::Range;

use super::cell_window::CellWindow;
use crate::simd::CellBytes;
use crate::work::{memchr, memchr2, memrchr};

/// The ends of the rows of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuotedRows {
    separator: u8,
    terminator: u8,
    /// The maximal length of a row, in bytes.
    longest: usize,
}

/// A row whose end is not found yet. Positions count from the start of the bytes that hold the row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenRow {
    start: usize,
    /// The search goes on here.
    at: usize,
    is_quoted: bool,
}

impl OpenRow {
    pub(crate) fn new(start: usize) -> Self {
        OpenRow { start, at: start, is_quoted: false }
    }
}

impl QuotedRows {
    /// Makes rows of lines that end with `terminator`. A row without a line end in its first `longest` bytes
    /// is over the limit.
    pub(crate) fn new(separator: u8, terminator: u8, longest: usize) -> Self {
        QuotedRows { separator, terminator, longest }
    }

    /// Returns the end of a row, after its line end, if `bytes` hold the end. If not, `row` remembers how far
    /// the search went; until the next call, `bytes` may only grow.
    pub(crate) fn end(&self, bytes: &[u8], row: &mut OpenRow) -> Option<usize> {
        let limit = row.start.saturating_add(self.longest);
        let within = &bytes[..bytes.len().min(limit)];
        while row.at < within.len() {
            let rest = &within[row.at..];
            if row.is_quoted {
                let Some(quote) = memchr(b'"', rest) else {
                    row.at = within.len();
                    break;
                };
                row.at += quote;
                match bytes.get(row.at + 1) {
                    // Another quote may follow in the bytes to come.
                    None => break,
                    Some(b'"') => row.at += 2,
                    // In tables of quoted cells, a search costs more than stepping over the bytes.
                    Some(&byte) if byte == self.separator && within.get(row.at + 2) == Some(&b'"') => {
                        row.at += 3
                    }
                    Some(&byte) if byte == self.terminator && row.at + 1 < within.len() => {
                        return Some(row.at + 2);
                    }
                    Some(_) => (row.at, row.is_quoted) = (row.at + 1, false),
                }
            } else {
                let Some(found) = memchr2(b'"', self.terminator, rest) else {
                    row.at = within.len();
                    break;
                };
                let found = row.at + found;
                row.at = found + 1;
                if within[found] == self.terminator {
                    return Some(row.at);
                }
                row.is_quoted = found == row.start || within[found - 1] == self.separator;
            }
        }
        if within.len() < limit {
            return None;
        }
        let line_end = memrchr(self.terminator, &within[row.start..]).map(|at| row.start + at);
        line_end
            .or_else(|| memchr(self.terminator, &bytes[limit..]).map(|at| limit + at))
            .map(|line_end| line_end + 1)
    }

    /// Returns the end of the last whole row in `bytes`, and whether the rows before that end can have
    /// quotes. If `bytes` hold no whole row, `row`, the first one, remembers how far the search went.
    ///
    /// Without quotes this takes two searches, whatever the number of rows. If quotes stand around whole
    /// cells, a kernel finds the rows of a window at once.
    pub(crate) fn last_end(&self, bytes: &[u8], row: &mut OpenRow) -> Option<(usize, bool)> {
        let of = CellBytes { separator: self.separator, terminator: self.terminator, has_quotes: true };
        // A CR and an LF may end a row.
        let mut window = CellWindow::new(of, self.longest.saturating_sub(2));
        let mut last = None;
        // The window of a row is looked at only once.
        let mut is_new = row.at == row.start;
        if is_new && bytes.get(row.start) != Some(&b'"') {
            let start = row.start;
            let quote = memchr(b'"', &bytes[start..]).map_or(bytes.len(), |quote| start + quote);
            if let Some(line_end) = memrchr(self.terminator, &bytes[start..quote]) {
                row.start += line_end + 1;
                last = Some((row.start, false));
            }
            row.at = quote.min(row.start.saturating_add(self.longest));
            if quote == bytes.len() {
                return last;
            }
        }
        loop {
            let in_window = window.as_mut().filter(|_| mem::replace(&mut is_new, true));
            let in_window = in_window.and_then(|window| window.last_end(&bytes[row.start..]));
            let end = in_window.map(|end| row.start + end).or_else(|| self.end(bytes, row));
            let Some(end) = end else { return last };
            *row = OpenRow::new(end);
            last = Some((end, true));
        }
    }

    /// Returns the end of the first `most` of these whole rows, which begin at `start`. The end of all of
    /// them if there are fewer.
    pub(crate) fn first(self, rows: &[u8], start: usize, most: usize) -> usize {
        let row = (most < rows.len()).then(|| self.iter(rows, start).nth(most - 1)).flatten();
        row.map_or(rows.len(), |row| row.end)
    }

    /// Returns the rows of `bytes` from `start` on, with their line ends. A row starts at `start`. The last
    /// row may lack its end.
    pub(crate) fn iter(self, bytes: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let mut at = start;
        std::iter::from_fn(move || {
            let start = at;
            (start < bytes.len()).then(|| {
                at = self.end(bytes, &mut OpenRow::new(start)).unwrap_or(bytes.len());
                start..at
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(separator: u8, longest: usize) -> QuotedRows {
        QuotedRows::new(separator, b'\n', longest)
    }

    fn split(text: &str, longest: usize) -> Vec<&str> {
        rows(b',', longest).iter(text.as_bytes(), 0).map(|row| &text[row]).collect()
    }

    #[test]
    fn rows_end_outside_of_quoted_cells() {
        for (text, expected) in [
            ("a,b\nc,d\n", &["a,b\n", "c,d\n"][..]),
            ("\"a\nb\",c\nd", &["\"a\nb\",c\n", "d"]),
            ("a,\"b\"\"\n\"\"\"\nc\n", &["a,\"b\"\"\n\"\"\"\n", "c\n"]),
            // Quotes within a cell are text, and so is the rest of a cell after a closing quote.
            ("a,b\"\nc\n", &["a,b\"\n", "c\n"]),
            ("\"a\"b\"\nc\n", &["\"a\"b\"\n", "c\n"]),
            ("\"a\"b,\"\n\"\nc\n", &["\"a\"b,\"\n\"\n", "c\n"]),
            (" \"a\nb\n", &[" \"a\n", "b\n"]),
            ("\"\",\"\"\n\"\"\n", &["\"\",\"\"\n", "\"\"\n"]),
            ("\n\n\"\n\n\"\n\n", &["\n", "\n", "\"\n\n\"\n", "\n"]),
            ("a,\"b\nc\n", &["a,\"b\nc\n"]),
            ("", &[]),
        ] {
            assert_eq!(split(text, usize::MAX), expected, "{text:?}");
        }
    }

    #[test]
    fn a_row_over_the_limit_ends_at_a_line_end() {
        for (longest, text, expected) in [
            (6, "\"a\nb\nc\nd\n", &["\"a\nb\n", "c\n", "d\n"][..]),
            (6, "\"a\nbcdefgh\"\ni\n", &["\"a\n", "bcdefgh\"\n", "i\n"]),
            (6, "\"abcdefg\nb\",c\nd\n", &["\"abcdefg\n", "b\",c\n", "d\n"]),
            (6, "\"a\nb\"\nc\n", &["\"a\nb\"\n", "c\n"]),
            (5, "\"a\nb\"\nc\n", &["\"a\n", "b\"\n", "c\n"]),
            (5, "abcdefghi\n\"j\nk\"\n", &["abcdefghi\n", "\"j\n", "k\"\n"]),
        ] {
            assert_eq!(split(text, longest), expected, "{text:?}");
        }
    }

    /// Bytes that arrive one by one give the same ends as all bytes at once.
    #[test]
    fn rows_end_where_they_do_however_much_is_known() {
        let units = ["\"", "a", "\n", ",", "\"\"", ",\"", "\",", "\r\n"];
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text += units[(seed >> 33) as usize % units.len()];
            }
            for longest in [2, 3, 5, 8, usize::MAX] {
                let rows = rows(b',', longest);
                let bytes = text.as_bytes();
                let ends: Vec<_> = rows.iter(bytes, 0).map(|row| row.end).collect();
                let (mut found, mut start) = (Vec::new(), 0);
                let mut row = OpenRow::new(0);
                for len in 1..=bytes.len() {
                    if let Some((end, has_quotes)) = rows.last_end(&bytes[start..len], &mut row) {
                        assert!(
                            has_quotes || !bytes[start..start + end].contains(&b'"'),
                            "{text:?} {longest}"
                        );
                        start += end;
                        found.push(start);
                        row = OpenRow::new(0);
                    }
                }
                found.extend((start < bytes.len()).then_some(bytes.len()));
                assert_eq!(found, ends, "{text:?} {longest}");
                let (at_once, has_quotes) = rows.last_end(bytes, &mut OpenRow::new(0)).unwrap_or_default();
                assert!(has_quotes || !bytes[..at_once].contains(&b'"'), "{text:?} {longest}");
                assert!(at_once == bytes.len() || ends[ends.len() - 1] == bytes.len());
                assert!(at_once == 0 || ends.contains(&at_once), "{text:?} {longest}");
            }
        }
    }
}
