//! Columns between spaces: crawl logs of Heritrix, Squid's own log, and CDX indexes.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::field::{Find, Found, Malformed};

/// The texts between runs of spaces.
struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl Iterator for Words<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let mut start = self.at;
        while self.line.get(start) == Some(&b' ') {
            start += 1;
        }
        let rest = &self.line[start..];
        let end = start + memchr(b' ', rest).unwrap_or(rest.len());
        self.at = end;
        (start < end).then_some(start..end)
    }
}

/// A field that is there, and is no `-`.
#[inline]
fn present(line: &[u8], range: Range<usize>) -> Found {
    if line[range.clone()] == *b"-" { Found::Sentinel } else { Found::plain(range) }
}

/// Looks at the words of a line up to the one chosen and the last one that tells whether the line is one of the format,
/// and returns the chosen one.
#[inline]
fn pick(
    line: &[u8],
    column: usize,
    last_checked: usize,
    check: impl Fn(usize, &[u8]) -> Result<(), Malformed>,
) -> Result<Range<usize>, Malformed> {
    if line.is_empty() {
        return Err(Malformed::Empty);
    }
    let mut words = Words { line, at: 0 };
    let mut chosen = 0..0;
    for number in 1..=column.max(last_checked) {
        let word = words.next().ok_or(Malformed::Truncated)?;
        check(number, &line[word.clone()])?;
        if number == column {
            chosen = word;
        }
    }
    Ok(chosen)
}

/// Heritrix' `crawl.log`: time, status, size, URI, discovery path, via, type, `#` and thread, and more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heritrix {
    /// Counted from 1.
    pub(super) column: usize,
}

impl Heritrix {
    pub(super) const URI: usize = 4;
    pub(super) const VIA: usize = 6;
    pub(super) const SOURCE: usize = 11;
}

impl Find for Heritrix {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        let picked = pick(line, self.column, 8, |number, word| match number {
            1 if !word[0].is_ascii_digit() => Err(Malformed::NoStatusAndSize),
            2 | 3 if !(word[0].is_ascii_digit() || word[0] == b'-') => Err(Malformed::NoStatusAndSize),
            8 if word[0] != b'#' => Err(Malformed::Shifted),
            _ => Ok(()),
        });
        picked.map_or_else(Found::Malformed, |range| present(line, range))
    }
}

/// Squid's own log: time, duration, client, result, size, method, URI, user, peer, type.
///
/// The target of a CONNECT is a host and a port, not a URI, and `error:…` is what Squid writes for want of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Squid {
    /// Counted from 1.
    pub(super) column: usize,
}

impl Squid {
    pub(super) const METHOD: usize = 6;
    pub(super) const URI: usize = 7;
}

impl Find for Squid {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        let is_connect = std::cell::Cell::new(false);
        let picked = pick(line, self.column, 9, |number, word| {
            match number {
                1 if !word[0].is_ascii_digit() => return Err(Malformed::NoResult),
                4 if memchr(b'/', word).is_none() => return Err(Malformed::NoResult),
                Squid::METHOD => is_connect.set(word == b"CONNECT"),
                9 if memchr(b'/', word).is_none() => return Err(Malformed::Shifted),
                _ => {}
            }
            Ok(())
        });
        match picked {
            Err(reason) => Found::Malformed(reason),
            Ok(_) if is_connect.get() && self.column == Squid::URI => Found::Sentinel,
            Ok(range) if line[range.clone()].starts_with(b"error:") => Found::Sentinel,
            Ok(range) => present(line, range),
        }
    }
}

/// An index of captures, with the delimiter and the columns that its header names.
///
/// A header is a line of the delimiter, `CDX`, and a letter for each column, with delimiters between. It may come again where
/// indexes have been joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cdx {
    pub(super) delimiter: u8,
    /// How many columns a line has: as many as the header names, without header 9 or 11 unless a column was asked for by
    /// its number.
    pub(super) columns: Option<usize>,
    /// Counted from 1.
    pub(super) column: usize,
    pub(super) letter: Option<u8>,
}

impl Cdx {
    /// The legend's letter of the URI that was captured.
    pub(super) const URL: u8 = b'a';
    /// The legend's letter of the URI that the capture redirects to.
    pub(super) const REDIRECT: u8 = b'r';

    /// An index without header, whose columns are `N b a m s k r M S V g`, or the same without `M S`.
    pub(super) fn without_header(letter: u8) -> Self {
        let column = if letter == Cdx::REDIRECT { 7 } else { 3 };
        Cdx { delimiter: b' ', columns: None, column, letter: Some(letter) }
    }

    /// An index whose field is the `column`th, whatever the header says.
    pub(super) fn with_column(column: usize) -> Self {
        Cdx { delimiter: b' ', columns: None, column, letter: None }
    }

    /// Whether a line is a header.
    pub(super) fn is_header(line: &[u8]) -> bool {
        matches!(line, [first, b'C', b'D', b'X', last, ..] if first == last)
    }

    /// Takes over what a header says. A column that it does not name is the 0th, which no line has.
    pub(super) fn set_header(&mut self, line: &[u8]) {
        self.delimiter = line[0];
        let legend = line[5..].trim_ascii_end();
        let letters = legend.split(|&byte| byte == line[0]);
        if let Some(letter) = self.letter {
            self.column = letters.clone().position(|name| name == [letter]).map_or(0, |index| index + 1);
        }
        self.columns = Some(letters.count());
    }

    /// Whether the header names the field.
    pub(super) fn is_complete(&self) -> bool {
        self.column > 0
    }
}

impl Find for Cdx {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        if Cdx::is_header(line) {
            self.set_header(line);
            return Found::Skipped;
        }
        if line.is_empty() {
            return Found::Malformed(Malformed::Empty);
        }
        let columns = memchr_iter(self.delimiter, line).count() + 1;
        let fits = match self.columns {
            Some(expected) => columns == expected,
            None => self.letter.is_none() || columns == 9 || columns == 11,
        };
        if !fits {
            return Found::Malformed(Malformed::ColumnCount);
        }
        let mut start = 0;
        for _ in 1..self.column {
            match memchr(self.delimiter, &line[start..]) {
                Some(at) => start += at + 1,
                None => return Found::Malformed(Malformed::Truncated),
            }
        }
        if self.column == 0 {
            return Found::Malformed(Malformed::Truncated);
        }
        let rest = &line[start..];
        present(line, start..start + memchr(self.delimiter, rest).unwrap_or(rest.len()))
    }
}
