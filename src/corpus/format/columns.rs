//! Columns between spaces: crawl logs of Heritrix, Squid's own log, and CDX indexes.

use std::ops::Range;

use memchr::memchr;

use super::field::{Find, Found, Malformed};
use super::tally::tally;

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

    #[inline]
    fn field(self, line: &[u8]) -> Result<Range<usize>, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let mut words = Words { line, at: Self::head(line).ok_or(Malformed::NoStatusAndSize)? };
        let uri = words.next().ok_or(Malformed::Truncated)?;
        let at = words.at;
        // A URI with a space in it would leave a part of itself here.
        Self::check_path_and_via(line.get(at..).unwrap_or_default())?;
        match self.column {
            Self::URI => Ok(uri),
            column @ 5.. => words.nth(column - Self::URI - 1).ok_or(Malformed::Truncated),
            column => Words { line, at: 0 }.nth(column - 1).ok_or(Malformed::Truncated),
        }
    }

    /// Behind the time, the status and the size.
    #[inline]
    fn head(line: &[u8]) -> Option<usize> {
        let is_number = |byte: u8| byte.is_ascii_digit() || byte == b'-';
        if !line[0].is_ascii_digit() {
            return None;
        }
        // Time, status and size mostly have these widths. Sums of the bytes are faster than a search.
        if let Some(head) = line.first_chunk::<42>()
            && let (b' ', b' ', b' ') = (head[24], head[30], head[41])
            && is_number(head[29])
            && is_number(head[40])
            && head[..24].iter().fold(true, |all, &byte| all & (byte != b' '))
            && head[25..41].iter().fold(true, |all, &byte| all & (is_number(byte) || byte == b' '))
        {
            return Some(42);
        }
        let mut words = Words { line, at: 0 };
        words.next()?;
        for _ in 0..2 {
            let number = words.next()?;
            if !line[number].iter().all(|&byte| is_number(byte)) {
                return None;
            }
        }
        Some(words.at)
    }

    /// Looks whether what follows the URI is a path of hops (letters, or a count first) and a URI, or `-`.
    #[inline]
    fn check_path_and_via(rest: &[u8]) -> Result<(), Malformed> {
        let path = rest.trim_ascii_start();
        let Some(first) = path.first() else { return Err(Malformed::Truncated) };
        if !(first.is_ascii_uppercase() || first.is_ascii_digit() || *first == b'-') {
            return Err(Malformed::Shifted);
        }
        let end = memchr(b' ', path).ok_or(Malformed::Truncated)?;
        let via = path[end..].trim_ascii_start();
        let is_scheme = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        match (via, via.get(via.iter().take_while(is_scheme).count())) {
            ([], _) => Err(Malformed::Truncated),
            ([b'-'] | [b'-', b' ', ..], _) | (_, Some(b':')) => Ok(()),
            _ => Err(Malformed::Shifted),
        }
    }
}

impl Find for Heritrix {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        self.field(line).map_or_else(Found::Malformed, |range| present(line, range))
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
    const RESULT: usize = 4;
    const METHOD: usize = 6;
    pub(super) const URI: usize = 7;
    const PEER: usize = 9;

    /// Looks at the words up to the one chosen and the last one that tells whether the line is one of the format, and
    /// returns the chosen one.
    #[inline]
    fn field(self, line: &[u8]) -> Result<Found, Malformed> {
        if line.is_empty() {
            return Err(Malformed::Empty);
        }
        let mut words = Words { line, at: 0 };
        let mut chosen = 0..0;
        let mut is_connect = false;
        for number in 1..=self.column.max(Self::PEER) {
            let range = words.next().ok_or(Malformed::Truncated)?;
            let word = &line[range.clone()];
            match number {
                1 if !word[0].is_ascii_digit() => return Err(Malformed::NoResult),
                Self::RESULT if memchr(b'/', word).is_none() => return Err(Malformed::NoResult),
                Self::METHOD => is_connect = word == b"CONNECT",
                Self::PEER if memchr(b'/', word).is_none() => return Err(Malformed::Shifted),
                _ => {}
            }
            if number == self.column {
                chosen = range;
            }
        }
        if (is_connect && self.column == Self::URI) || line[chosen.clone()].starts_with(b"error:") {
            return Ok(Found::Sentinel);
        }
        Ok(present(line, chosen))
    }
}

impl Find for Squid {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Found {
        self.field(line).unwrap_or_else(Found::Malformed)
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
    pub(super) fn has_field(&self) -> bool {
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
        let columns = tally(line, self.delimiter, |_| false).0 + 1;
        let fits = match self.columns {
            Some(expected) => columns == expected,
            None => self.letter.is_none() || columns == 9 || columns == 11,
        };
        if !fits {
            return Found::Malformed(Malformed::ColumnCount);
        }
        if self.column == 0 {
            return Found::Malformed(Malformed::NotInHeader);
        }
        let mut start = 0;
        for _ in 1..self.column {
            match memchr(self.delimiter, &line[start..]) {
                Some(at) => start += at + 1,
                None => return Found::Malformed(Malformed::Truncated),
            }
        }
        let rest = &line[start..];
        present(line, start..start + memchr(self.delimiter, rest).unwrap_or(rest.len()))
    }
}
