//! Tables with a separator of one byte: comma- and tab-separated values (RFC 4180, and IANA's text/tab-separated-values), and others.
//!
//! A record is a row. A row can have many lines if it has quoted cells: see [`rows`](crate::corpus::format::lines::rows). In tab-separated values,
//! a record is a line: tabs always separate, and quotes only matter around a whole cell.

use std::io;
use std::ops::Range;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::{
    LineFormat, holds_uri, lines, looks_like_value, not_in_header, starts_as_uri,
};
use crate::corpus::format::lines::options::{ColumnSelector, HeaderRow, LayoutOptions};
use crate::corpus::format::lines::tally::tally;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memmem};

/// The lines of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    separator: u8,
    column: ColumnSelector,
    header: HeaderRow,
    first_line: FirstLine,
}

/// The facts from the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstLine {
    /// The line that names the separator is next, and the first line of the table comes after it.
    Named,
    /// The first line is next.
    Pending,
    Seen {
        /// The number of the column, counted from 0.
        column: usize,
        /// The number of columns of each line, if a header defines it.
        count: Option<usize>,
    },
}

impl Table {
    pub(crate) fn new(separator: u8, options: &LayoutOptions) -> Option<Self> {
        let column = ColumnSelector::new(&options.field)?;
        // Without a header, columns have no names.
        let has_names = options.header != HeaderRow::No || !matches!(column, ColumnSelector::Name(_));
        has_names.then_some(Table {
            separator,
            column,
            header: options.header,
            first_line: FirstLine::Pending,
        })
    }

    /// Passes the line that names the separator. Returns whether `line` is that line.
    fn pass_name(&mut self, line: &[u8]) -> bool {
        let is_name = self.first_line == FirstLine::Named && named_separator(line).is_some();
        if is_name {
            self.first_line = FirstLine::Pending;
        }
        is_name
    }

    /// Returns the facts from the first line of a table. `None` if it is a header that lacks the column.
    ///
    /// Without a selected column, the column is `url` or `uri`, or else the first one.
    fn see(&self, line: &[u8]) -> Option<FirstLine> {
        let names = || self.names(line);
        let position = |wanted: &[u8]| {
            names().position(|(raw, escapes)| {
                escapes.short_text(raw, wanted.len()).is_some_and(|name| name.eq_ignore_ascii_case(wanted))
            })
        };
        let named = match &self.column {
            ColumnSelector::Name(name) => position(name),
            _ => position(b"url").or_else(|| position(b"uri")),
        };
        let has_header = match self.header {
            // A row with a URI is not a header: `url "http://a/"` in a configuration.
            HeaderRow::Auto => named.is_some() && !names().any(|(raw, _)| is_uri(raw)),
            HeaderRow::Yes => true,
            HeaderRow::No => false,
        };
        let count = has_header.then(|| names().count());
        let column = match self.column {
            ColumnSelector::Name(_) => named?,
            ColumnSelector::Number(number) if count.is_some_and(|count| number > count) => return None,
            ColumnSelector::Number(number) => number - 1,
            ColumnSelector::Uri => named.filter(|_| has_header).unwrap_or(0),
        };
        Some(FirstLine::Seen { column, count })
    }

    /// Returns true if a text starts with a header that names a column `url` or `uri`.
    pub(crate) fn has_header(separator: u8, text: &[u8]) -> bool {
        let mut table =
            Table::new(separator, &LayoutOptions::default()).expect("the usual column needs no name");
        LineFormat::start(&mut table, text);
        let mut first = lines(text).skip_while(|line| table.pass_name(line));
        first
            .next()
            .is_some_and(|line| matches!(table.see(line), Some(FirstLine::Seen { count: Some(_), .. })))
    }

    /// Returns the names in a header. They are not collected, since a line can have very many.
    fn names<'l>(&self, line: &'l [u8]) -> impl Iterator<Item = (&'l [u8], Escapes)> {
        // The text is trimmed before its escapes are undone, since no escape stands for white space.
        Cells { line, separator: self.separator, at: Some(0) }
            .map_while(Result::ok)
            .map(|(range, escapes)| (line[range].trim_ascii(), escapes))
    }

    /// Returns the error of a header that lacks the column.
    fn lacking(&self, header: &[u8]) -> io::Error {
        /// The maximal number of names in the message, and of bytes in each name.
        const MOST: usize = 30;

        let mut known: Vec<_> = self.names(header).take(MOST + 1).collect();
        let more = if known.len() > MOST { ", …" } else { "" };
        known.truncate(MOST);
        let known = known.iter().map(|(raw, escapes)| {
            let mut name = Vec::new();
            escapes.write(&raw[..raw.len().min(MOST)], &mut name);
            String::from_utf8_lossy(&name).into_owned()
        });
        not_in_header(format_args!("{}; it has {}{more}", self.column, known.collect::<Vec<_>>().join(", ")))
    }

    /// Returns the facts if the first line is over the limit, so that it is not read as a header.
    fn without_header(&self) -> FirstLine {
        let column = if let ColumnSelector::Number(number) = self.column { number - 1 } else { 0 };
        FirstLine::Seen { column, count: None }
    }

    #[inline]
    fn cell(&self, line: &[u8], column: usize, count: Option<usize>) -> Result<Line, Malformed> {
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
        if let Some(count) = count.filter(|&count| count != seen) {
            return Ok(Line::column_count(seen, count));
        }
        let (range, escapes) = chosen.ok_or(Malformed::Truncated)?;
        if self.separator == b'\t' && line[range.clone()] == *b"\\N" {
            return Ok(Line::Sentinel);
        }
        Ok(Line::escaped(range, escapes))
    }
}

impl LineFormat for Table {
    const IS_STATEFUL: bool = true;

    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        let (column, count) = match self.first_line {
            FirstLine::Seen { column, count } => (column, count),
            FirstLine::Named | FirstLine::Pending => {
                if self.pass_name(line) {
                    return Line::Header;
                }
                // If a header lacks the column, the scan ends before any line is read.
                let first_line = self.see(line).unwrap_or_else(|| self.without_header());
                self.first_line = first_line;
                match first_line {
                    FirstLine::Seen { column, count: None } => (column, None),
                    _ => return Line::Header,
                }
            }
        };
        if line.is_empty() {
            return Line::Malformed(Malformed::Empty);
        }
        self.cell(line, column, count).into()
    }

    fn skip(&mut self, _head: &[u8]) {
        if !matches!(self.first_line, FirstLine::Seen { .. }) {
            self.first_line = self.without_header();
        }
    }

    fn start(&mut self, head: &[u8]) {
        if let Some(separator) = lines(head).next().and_then(named_separator) {
            (self.separator, self.first_line) = (separator, FirstLine::Named);
        }
    }

    fn row_separator(&self) -> Option<u8> {
        row_separator(self.separator)
    }

    fn follow(&mut self, chunk: &ChunkLines<'_>) -> io::Result<()> {
        if matches!(self.first_line, FirstLine::Seen { .. }) {
            return Ok(());
        }
        let (mut first, mut is_too_long) = chunk.first();
        if !is_too_long && self.pass_name(first) {
            let Some(rest) = chunk.without_first() else { return Ok(()) };
            (first, is_too_long) = rest.first();
        }
        let needs_header = self.header == HeaderRow::Yes || matches!(self.column, ColumnSelector::Name(_));
        if is_too_long && needs_header {
            return Err(io::Error::new(io::ErrorKind::InvalidData, Malformed::HeaderTooLong.message()));
        }
        self.first_line = if is_too_long {
            self.without_header()
        } else {
            self.see(first).ok_or_else(|| self.lacking(first))?
        };
        Ok(())
    }

    /// A user who names a column knows what it contains.
    fn may_hold(&self, text: &[u8]) -> bool {
        matches!(self.column, ColumnSelector::Name(_)) || looks_like_value(text)
    }

    /// Only a header that names the column distinguishes a table from lines. If the user selected the column by its name, such a header is enough.
    fn fits(&mut self, line: &[u8]) -> bool {
        let is_named = matches!(self.column, ColumnSelector::Name(_));
        let is_header = |line: FirstLine| match line {
            FirstLine::Seen { count: Some(count), .. } => is_named || count > 1,
            _ => false,
        };
        if self.pass_name(line) {
            // Tables without a name in their header can also start with this line.
            return false;
        }
        if !matches!(self.first_line, FirstLine::Seen { .. }) {
            self.first_line = self.see(line).unwrap_or_else(|| self.without_header());
            return is_header(self.first_line);
        }
        let found = self.find(line);
        is_header(self.first_line)
            && if is_named { matches!(found, Line::Record(_)) } else { holds_uri(line, &found) }
    }
}

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

/// Returns true if a cell is a URI with an authority.
fn is_uri(cell: &[u8]) -> bool {
    looked_at(cell.len());
    starts_as_uri(cell) && memmem::find(cell, b"://").is_some()
}

/// Returns a cell of a line without quotes, counted from 0.
#[inline]
fn nth(line: &[u8], separator: u8, column: usize) -> Option<Range<usize>> {
    let mut start = 0;
    for _ in 0..column {
        start += memchr(separator, &line[start..])? + 1;
    }
    let rest = &line[start..];
    Some(start..start + memchr(separator, rest).unwrap_or(rest.len()))
}

/// Returns the cells of a row without the quotes around them, each with whether it is quoted. A malformed cell ends them with an error.
pub(crate) fn cells(row: &[u8], separator: u8) -> impl Iterator<Item = Result<(&[u8], bool), Malformed>> {
    looked_at(row.len());
    Cells { line: row, separator, at: Some(0) }.map(move |cell| {
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
struct Cells<'a> {
    line: &'a [u8],
    separator: u8,
    /// The start of the next cell.
    at: Option<usize>,
}

impl Cells<'_> {
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
