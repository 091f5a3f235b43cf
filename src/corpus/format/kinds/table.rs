//! Tables with a separator of one byte: comma- and tab-separated values (RFC 4180, and IANA's
//! text/tab-separated-values), and others.
//!
//! A record is a row. A row can have many lines if it has quoted cells: see
//! [`rows`](crate::corpus::format::lines::rows). In tab-separated values, a record is a line: tabs always
//! separate, and quotes only matter around a whole cell. Lines before the table are headers, like its own
//! header: each share of the table needs them to be the same table.

use std::io;
use std::ops::Range;

use super::cells::{Cells, named_separator, row_separator, without_quotes};
use super::table_head::{self, TableHead, names};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::{
    LineFields, MOST_NAMES, Place, Positions, column_names, position_of_number,
};
use crate::corpus::format::lines::log_format::{LineFormat, lines, looks_like_value, not_in_header};
use crate::corpus::format::lines::marked_rows::{MarkedRow, MarkedRows, TableFormat};
use crate::corpus::format::lines::options::{ColumnSelector, HeaderRow, LayoutOptions};
use crate::corpus::format::lines::tally::tally;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::memchr;

/// The lines of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    separator: u8,
    column: ColumnSelector,
    header: HeaderRow,
    first_line: FirstLine,
    /// The number of lines before the first line of the table that have not come yet.
    preamble: usize,
    /// Whether the first line is a header by its cells, although it does not name the column.
    has_header: bool,
}

/// The facts from the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstLine {
    /// The line that names the separator is next.
    Named,
    /// The preamble is next, or the first line.
    Pending,
    Seen {
        /// The number of the column, counted from 0.
        column: usize,
        /// The number of columns of each line, if a header defines it.
        count: Option<usize>,
        /// Whether the line is a header that names the column, or the user calls it a header.
        is_named: bool,
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
            preamble: 0,
            has_header: false,
        })
    }

    /// Passes a line before the table: the one that names the separator, or one of the preamble. Returns
    /// whether `line` is such a line.
    fn pass(&mut self, line: &[u8]) -> bool {
        match self.first_line {
            FirstLine::Named if named_separator(line).is_some() => self.first_line = FirstLine::Pending,
            FirstLine::Pending if self.preamble > 0 => self.preamble -= 1,
            _ => return false,
        }
        true
    }

    /// Returns the facts from the first line of a table. `None` if it is a header that lacks the column.
    ///
    /// Without a selected column, the column is `url` or `uri`, or else the first one.
    fn see(&self, line: &[u8]) -> Option<FirstLine> {
        let named = table_head::position(line, self.separator, &self.column);
        let is_named = match self.header {
            HeaderRow::Auto => table_head::named(line, self.separator, &self.column).is_some(),
            HeaderRow::Yes => true,
            HeaderRow::No => false,
        };
        let has_header = is_named || self.header == HeaderRow::Auto && self.has_header;
        let count = has_header.then(|| names(line, self.separator).count());
        let column = match self.column {
            ColumnSelector::Name(_) => named?,
            ColumnSelector::Number(number) if count.is_some_and(|count| number > count) => return None,
            ColumnSelector::Number(number) => number - 1,
            ColumnSelector::Uri => named.filter(|_| has_header).unwrap_or(0),
        };
        Some(FirstLine::Seen { column, count, is_named })
    }

    /// Returns true if a text starts with a header that names a column `url` or `uri`, perhaps after a
    /// preamble.
    pub(crate) fn has_header(separator: u8, text: &[u8]) -> bool {
        let mut table =
            Table::new(separator, &LayoutOptions::default()).expect("the usual column needs no name");
        LineFormat::start(&mut table, text);
        let mut first = lines(text).skip_while(|line| table.pass(line));
        first
            .next()
            .is_some_and(|line| matches!(table.see(line), Some(FirstLine::Seen { is_named: true, .. })))
    }

    /// Returns the error of a header that lacks the column.
    fn lacking(&self, header: &[u8]) -> io::Error {
        /// The maximal number of names in the message, and of bytes in each name.
        const MOST: usize = 30;

        let mut known: Vec<_> = names(header, self.separator).take(MOST + 1).collect();
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
        FirstLine::Seen { column, count: None, is_named: false }
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
            for cell in Cells::new(line, self.separator) {
                let cell = cell?;
                if seen == column {
                    chosen = Some(cell);
                }
                seen += 1;
            }
        }
        self.chosen(line, seen, count, chosen)
    }

    /// Classifies a row of `seen` cells by the cell of its column.
    #[inline]
    fn chosen(
        &self,
        line: &[u8],
        seen: usize,
        count: Option<usize>,
        cell: Option<(Range<usize>, Escapes)>,
    ) -> Result<Line, Malformed> {
        if let Some(count) = count.filter(|&count| count != seen) {
            return Ok(Line::column_count(seen, count));
        }
        let (range, escapes) = cell.ok_or(Malformed::Truncated)?;
        if is_sentinel(&line[range.clone()], self.separator, seen) {
            return Ok(Line::Sentinel);
        }
        Ok(Line::escaped(range, escapes))
    }
}

impl TableFormat for Table {
    fn find_row(&mut self, row: &[u8]) -> Line {
        self.find(row)
    }

    fn skip_row(&mut self, head: &[u8]) {
        self.skip(head);
    }

    fn marked_rows<'b>(&self, chunk: &ChunkLines<'b>) -> Option<MarkedRows<'b>> {
        let FirstLine::Seen { column, .. } = self.first_line else { return None };
        MarkedRows::new(chunk, self.separator, row_separator(self.separator).is_some(), column)
    }

    #[inline]
    fn find_marked(&self, line: &[u8], start: usize, row: &MarkedRow) -> Line {
        if line.is_empty() {
            return Line::Malformed(Malformed::Empty);
        }
        let count = if let FirstLine::Seen { count, .. } = self.first_line { count } else { None };
        let cell = row.cell.as_ref().map(|cell| {
            // The last cell ends before the CR of its line end.
            let cell = cell.start - start..(cell.end - start).min(line.len());
            without_quotes(line, cell)
        });
        self.chosen(line, row.cells, count, cell).into()
    }

    #[inline]
    fn is_record(&self, bytes: &[u8], row: &MarkedRow) -> bool {
        let count = if let FirstLine::Seen { count, .. } = self.first_line { count } else { None };
        let Some(cell) = row.cell.clone().filter(|cell| !cell.is_empty()) else { return false };
        let (first, last) = (bytes[cell.start], bytes[cell.end - 1]);
        // Sentinels start with white space or a backslash. The last cell may end with the CR of the line end.
        let is_text = first > b' ' && first != b'\\' && first != b'"' && last != b'\r';
        is_text && count.is_none_or(|count| count == row.cells)
    }
}

/// Returns true if the text of a cell stands for a missing value, in a row of `seen` cells.
#[inline]
fn is_sentinel(text: &[u8], separator: u8, seen: usize) -> bool {
    // A column that not every row has a value for is blank in the others.
    let is_blank = || text.trim_ascii_start().is_empty() && seen > 1;
    let can_be_one = text.first().is_none_or(|&byte| byte.is_ascii_whitespace() || byte == b'\\');
    can_be_one && (is_blank() || separator == b'\t' && text == b"\\N")
}

/// Finds chosen cells of rows.
#[derive(Debug)]
struct ChosenCells {
    separator: u8,
    /// The number of cells of each row, if a header defines it.
    count: Option<usize>,
    positions: Positions,
}

impl LineFields for ChosenCells {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        if line.is_empty() {
            return;
        }
        let mut chosen = self.positions.in_order();
        let (separators, has_quotes) = tally(line, self.separator, |byte| byte == b'"');
        let mut seen = 0;
        if !has_quotes {
            seen = separators + 1;
            if self.count.is_some_and(|count| count != seen) {
                return;
            }
            let (mut start, mut position) = (0, 0);
            while !chosen.is_done() && start <= line.len() {
                let rest = &line[start..];
                let end = start + memchr(self.separator, rest).unwrap_or(rest.len());
                chosen.take(places, position, || {
                    let is_missing = is_sentinel(&line[start..end], self.separator, seen);
                    (!is_missing).then_some((start..end, Escapes::None))
                });
                (start, position) = (end + 1, position + 1);
            }
            return;
        }
        let is_single = separators == 0;
        for cell in Cells::new(line, self.separator) {
            let Ok((range, escapes)) = cell else { return places.fill(None) };
            chosen.take(places, seen, || {
                let cells = if is_single { 1 } else { 2 };
                (!is_sentinel(&line[range.clone()], self.separator, cells)).then_some((range, escapes))
            });
            seen += 1;
        }
        if self.count.is_some_and(|count| count != seen) {
            places.fill(None);
        }
    }

    fn missing(&self) -> &[usize] {
        self.positions.missing()
    }
}

impl LineFormat for Table {
    const IS_STATEFUL: bool = true;

    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        let (column, count) = match self.first_line {
            FirstLine::Seen { column, count, .. } => (column, count),
            FirstLine::Named | FirstLine::Pending => {
                if self.pass(line) {
                    return Line::Header;
                }
                // If a header lacks the column, the scan ends before any line is read.
                let first_line = self.see(line).unwrap_or_else(|| self.without_header());
                self.first_line = first_line;
                match first_line {
                    FirstLine::Seen { column, count: None, .. } => (column, None),
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
        let mut table = head;
        if let Some(separator) = lines(head).next().and_then(named_separator) {
            (self.separator, self.first_line) = (separator, FirstLine::Named);
            table = memchr(b'\n', head).map_or(&[][..], |end| &head[end + 1..]);
        }
        let TableHead { preamble, header, .. } = TableHead::read(table, self.separator, &self.column);
        self.has_header = header == table_head::Header::ByCells;
        // A user who says that there is a header knows of no lines before it, unless it is surely one.
        let is_sure = self.header != HeaderRow::Yes || header != table_head::Header::None;
        self.preamble = if is_sure { preamble } else { 0 };
    }

    fn preamble(&self) -> usize {
        // The line that names the separator comes before the preamble.
        let named = usize::from(self.first_line == FirstLine::Named);
        if self.preamble > 0 { self.preamble + named } else { 0 }
    }

    fn row_separator(&self) -> Option<u8> {
        row_separator(self.separator)
    }

    fn take_lines(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.take_table(chunk, &mut self.clone());
    }

    fn follow(&mut self, chunk: &ChunkLines<'_>) -> io::Result<()> {
        if matches!(self.first_line, FirstLine::Seen { .. }) {
            return Ok(());
        }
        let mut rest = *chunk;
        let (mut first, mut is_too_long) = rest.first();
        while !is_too_long && self.pass(first) {
            let Some(next) = rest.without_first() else { return Ok(()) };
            rest = next;
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

    fn has_fields(&self) -> bool {
        true
    }

    fn has_header_names(&self) -> bool {
        true
    }

    fn field_names(&self, header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        let Some(header) = header else {
            let cells =
                lines.first().map_or(0, |line| Cells::new(line, self.separator).take(MOST_NAMES + 1).count());
            return (1..=cells).map(|number| number.to_string()).collect();
        };
        column_names(names(header, self.separator))
    }

    fn line_fields(&self, header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        let (positions, count) = match header {
            None => (Positions::new(chosen.iter().map(|name| position_of_number(name))), None),
            Some(header) => (
                Positions::in_header(chosen, names(header, self.separator)),
                Some(names(header, self.separator).count()),
            ),
        };
        Some(Box::new(ChosenCells { separator: self.separator, count, positions }))
    }

    fn names_columns(&self, number: usize, line: &[u8]) -> bool {
        let passed = match self.first_line {
            FirstLine::Seen { .. } => return false,
            FirstLine::Named => self.preamble + 1,
            FirstLine::Pending => self.preamble,
        };
        number == passed && matches!(self.see(line), Some(FirstLine::Seen { count: Some(_), .. }))
    }

    fn last_header<'c>(&self, chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        if matches!(self.first_line, FirstLine::Seen { .. }) {
            return None;
        }
        let (mut table, mut rest) = (self.clone(), *chunk);
        loop {
            let (first, is_too_long) = rest.first();
            if is_too_long {
                return None;
            }
            if !table.pass(first) {
                let is_header = matches!(table.see(first), Some(FirstLine::Seen { count: Some(_), .. }));
                return is_header.then_some(first);
            }
            rest = rest.without_first()?;
        }
    }

    /// A user who names a column knows what it contains.
    fn may_hold(&self, text: &[u8]) -> bool {
        matches!(self.column, ColumnSelector::Name(_)) || looks_like_value(text)
    }

    /// Only a header that names the column distinguishes a table from lines. If the user selected the column
    /// by its name, such a header is enough.
    fn fits(&mut self, line: &[u8]) -> bool {
        let is_selected = matches!(self.column, ColumnSelector::Name(_));
        let is_header = |line: FirstLine| match line {
            FirstLine::Seen { count: Some(count), is_named, .. } => is_named && (is_selected || count > 1),
            _ => false,
        };
        if self.pass(line) {
            // Lists can also have such lines.
            return false;
        }
        if !matches!(self.first_line, FirstLine::Seen { .. }) {
            self.first_line = self.see(line).unwrap_or_else(|| self.without_header());
            return is_header(self.first_line);
        }
        is_header(self.first_line) && matches!(self.find(line), Line::Record(_) | Line::Sentinel)
    }
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
