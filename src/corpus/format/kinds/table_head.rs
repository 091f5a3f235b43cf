//! The first rows of a table: the lines before it, its header, and the columns with URIs.
//!
//! Programs write lines before a table: a title, the range of dates, comments after `#`, blank lines. These
//! lines are the table's preamble. Each of them is blank, a comment, or has another number of cells than the
//! rows, and none starts with a URI. A preamble that is more than comments and blank lines needs a header
//! after it, and is not longer than the table, or has at most ten lines.
//!
//! A header can be the last comment of the preamble: `# id,url`.

use std::collections::HashMap;
use std::ops::Range;

use super::cells::{Cells, cells, row_separator};
use crate::corpus::format::lines::log_format::{looks_like_value, rows, starts_as_uri};
use crate::corpus::format::lines::options::ColumnSelector;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memmem};

/// The maximal number of columns that are searched for URIs.
const MOST_COLUMNS: usize = 256;

/// A preamble of at most this number of lines may be longer than its table.
const SHORT: usize = 10;

/// The first rows of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableHead {
    /// The number of lines before the header, or before the first row if the table has no header.
    pub(crate) preamble: usize,
    pub(crate) header: Header,
    /// The columns, counted from 0, in which nine in ten rows have URIs.
    pub(crate) uri_columns: Vec<usize>,
    /// The column, counted from 0, that the header names.
    named: Option<usize>,
}

/// The kind of a table's first line after the preamble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Header {
    /// The line is a row, or too few rows follow to tell.
    #[default]
    None,
    /// The line is a header by its cells: unlike those of the rows, they are no values.
    ByCells,
    /// The line is a header that names the selected column, or `url` or `uri`.
    Named,
}

/// A row and the number of its cells. It has none if it is blank or malformed.
struct Row<'a> {
    text: &'a [u8],
    lines: usize,
    count: usize,
    /// Whether only the first cell has text. Spreadsheets write a title like this.
    is_lone: bool,
}

impl Row<'_> {
    fn is_blank(&self) -> bool {
        self.text.trim_ascii().is_empty()
    }

    /// Returns true if the row is surely no part of a table: it is blank or a comment.
    fn is_between(&self) -> bool {
        self.is_blank() || self.text.starts_with(b"#")
    }
}

/// The facts about the rows before and after each row. Any row can name a column, so a search from each of
/// them would take quadratic time.
struct Around {
    /// The first row after each row that may be part of a table.
    next: Vec<Option<usize>>,
    /// The number of rows before each row, and before the end, that are no comments and not blank.
    others: Vec<usize>,
    /// The first row that no table can have before it.
    first_bar: usize,
    /// For each number of cells, the first row that no table of so many columns can have before it.
    first_of: HashMap<usize, usize>,
}

impl Around {
    fn of(rows: &[Row<'_>]) -> Self {
        let (mut next, mut after) = (vec![None; rows.len()], None);
        let (mut others, mut first_of) = (vec![0; rows.len() + 1], HashMap::new());
        for (at, row) in rows.iter().enumerate().rev() {
            next[at] = after;
            if !row.is_between() {
                after = Some(at);
                if !row.is_lone {
                    first_of.insert(row.count, at);
                }
            }
        }
        for (at, row) in rows.iter().enumerate() {
            others[at + 1] = others[at] + usize::from(!row.is_between());
        }
        looked_at(2 * rows.len());
        let is_bar = |row: &Row<'_>| row.lines > 1 || is_uri(row.text);
        let first_bar = rows.iter().position(is_bar).unwrap_or(rows.len());
        Around { next, others, first_bar, first_of }
    }

    /// Returns true if the rows before a row can come before a table of so many columns.
    fn are_before(&self, at: usize, width: usize) -> bool {
        self.first_bar >= at && self.first_of.get(&width).is_none_or(|&first| first >= at)
    }

    /// Returns true if the rows before a row are comments and blank lines, or not many others beside the rest
    /// of the rows.
    fn is_short(&self, at: usize) -> bool {
        self.others[at] <= (self.next.len() - at).max(SHORT)
    }
}

impl TableHead {
    /// Reads the first rows of a table. `column` is the one that the user selected.
    pub(crate) fn read(head: &[u8], separator: u8, column: &ColumnSelector) -> Self {
        let count = |text: &[u8]| {
            looked_at(text.len());
            let cells = Cells::new(text, separator).try_fold(0, |count, cell| cell.map(|_| count + 1));
            cells.unwrap_or(0)
        };
        let rows = rows(head, row_separator(separator)).map(|(text, lines)| {
            let is_blank = text.trim_ascii().is_empty();
            let count = if is_blank { 0 } else { count(text) };
            Row { text, lines, count, is_lone: count > 1 && is_lone(text, separator) }
        });
        let rows: Vec<Row<'_>> = rows.collect();
        let around = Around::of(&rows);
        let named = (0..rows.len()).find(|&at| {
            let row = &rows[at];
            let is_after_preamble = || {
                row.lines == 1
                    && around.next[at].is_some_and(|next| rows[next].count == row.count)
                    && around.are_before(at, row.count)
                    && around.is_short(at)
            };
            named(row.text, separator, column).is_some() && (at == 0 || is_after_preamble())
        });
        if let Some(at) = named {
            let uri_columns = columns(&rows[at + 1..], separator, rows[at].count, is_uri);
            let uri_columns = uri_columns.into_iter().map(|(column, _)| column).collect();
            let named = position(rows[at].text, separator, column);
            return TableHead { preamble: at, header: Header::Named, uri_columns, named };
        }
        let counts = rows.iter().filter(|row| !row.is_between()).map(|row| row.count).collect();
        let by_cells =
            most_frequent(counts).map(|width| TableHead::by_cells(&rows, separator, column, width));
        by_cells.unwrap_or_default()
    }

    /// Returns a column with URIs, counted from 1, besides the one that the header names.
    pub(crate) fn other_column(&self) -> Option<usize> {
        let is_other = |column: &&usize| self.named.is_some_and(|named| **column != named);
        self.uri_columns.iter().find(is_other).map(|column| column + 1)
    }

    /// Reads the first rows of a table of `width` columns by the cells of its rows.
    fn by_cells(rows: &[Row<'_>], separator: u8, column: &ColumnSelector, width: usize) -> Self {
        let columns = match columns(rows, separator, width, is_uri) {
            columns if !columns.is_empty() => columns,
            _ => value_column(rows, separator, column, width).into_iter().collect(),
        };
        let Some(&(_, first)) = columns.first() else { return TableHead::default() };
        let uri_columns = columns.iter().map(|&(column, _)| column).collect();
        // The rows right before the first one with a URI: first the header, then rows without a URI.
        let is_row = |row: &Row<'_>| row.count == width && !row.is_between();
        let start = rows[..first].iter().rposition(|row| !is_row(row)).map_or(0, |at| at + 1);
        let is_header = |text: &[u8]| {
            let mut cells = cells(text, separator);
            cells.all(|cell| cell.is_ok_and(|(cell, _)| !is_uri(cell) && !is_number(cell)))
        };
        let titles = rows[start..first].iter().take_while(|row| row.is_lone).count();
        let top = start + titles;
        let header = [top, start].into_iter().find(|&at| at < first && is_header(rows[at].text));
        let commented = || {
            let above = start.checked_sub(1).filter(|&above| rows[above].text.starts_with(b"#"))?;
            let text = &rows[above].text[names_of(rows[above].text)];
            (Cells::new(text, separator).count() == width && is_header(text)).then_some(above)
        };
        let header = header.or_else(|| if start == first { commented() } else { None });
        let preamble = header.unwrap_or(start);
        let before = &rows[..preamble];
        let is_preamble = match header {
            Some(at) => {
                rows[at].lines == 1
                    && is_short(before, rows.len() - at)
                    && before.iter().all(|row| row.lines == 1 && !is_uri(row.text))
            }
            None => before.iter().all(|row| row.is_between() && row.lines == 1),
        };
        match header {
            _ if preamble > 0 && !is_preamble => TableHead { uri_columns, ..TableHead::default() },
            Some(_) => TableHead { preamble, header: Header::ByCells, uri_columns, named: None },
            None => TableHead { preamble, header: Header::None, uri_columns, named: None },
        }
    }
}

/// Returns true if only the first cell of a row has text.
fn is_lone(row: &[u8], separator: u8) -> bool {
    looked_at(row.len());
    let mut cells =
        cells(row, separator).map(|cell| cell.is_ok_and(|(cell, _)| cell.trim_ascii().is_empty()));
    cells.next() == Some(false) && cells.all(|is_blank| is_blank)
}

/// Returns true if the rows before a table are comments and blank lines, or not many others beside the number
/// of `rows` of the table.
fn is_short(before: &[Row<'_>], rows: usize) -> bool {
    before.iter().filter(|row| !row.is_between()).count() <= rows.max(SHORT)
}

/// Returns the place of the names in a header. A header can be a comment.
pub(crate) fn names_of(header: &[u8]) -> Range<usize> {
    let hashes = header.iter().take_while(|&&byte| byte == b'#').count();
    let rest = &header[hashes..];
    let space = rest.len() - rest.trim_ascii_start().len();
    let start = if hashes == 0 { 0 } else { hashes + space };
    start..header.len()
}

/// Returns the names in a header with their escapes. They are not collected, since a line can have very many.
pub(crate) fn names(header: &[u8], separator: u8) -> impl Iterator<Item = (&[u8], Escapes)> {
    raw_names(&header[names_of(header)], separator)
}

/// Returns the texts of the cells in a header, which can start with a `#`.
fn raw_names(header: &[u8], separator: u8) -> impl Iterator<Item = (&[u8], Escapes)> {
    // The text is trimmed before its escapes are undone, since no escape stands for white space.
    Cells::new(header, separator)
        .map_while(Result::ok)
        .map(|(range, escapes)| (header[range].trim_ascii(), escapes))
}

/// Returns the column, counted from 0, whose name is the selected one, or else `url` or `uri`. None if no
/// name is it.
pub(crate) fn position(header: &[u8], separator: u8, column: &ColumnSelector) -> Option<usize> {
    let position = |wanted: &[u8]| {
        let is_it = |(raw, escapes): (&[u8], Escapes)| {
            escapes.short_text(raw, wanted.len()).is_some_and(|name| name.eq_ignore_ascii_case(wanted))
        };
        // The first name can have a `#` of its own.
        let has_mark = || header.starts_with(b"#") && raw_names(header, separator).next().is_some_and(is_it);
        names(header, separator).position(is_it).or_else(|| has_mark().then_some(0))
    };
    match column {
        ColumnSelector::Name(name) => position(name),
        _ => position(b"url").or_else(|| position(b"uri")),
    }
}

/// Returns the column that a header names. A row with a URI is no header: `url "http://a/"` in a
/// configuration.
pub(crate) fn named(row: &[u8], separator: u8, column: &ColumnSelector) -> Option<usize> {
    let position = position(row, separator, column)?;
    (!names(row, separator).any(|(name, _)| is_uri(name))).then_some(position)
}

/// Returns the selected column with the first row in which it has a value, if nine in ten rows have one.
fn value_column(
    rows: &[Row<'_>],
    separator: u8,
    column: &ColumnSelector,
    width: usize,
) -> Option<(usize, usize)> {
    let ColumnSelector::Number(number) = *column else { return None };
    columns(rows, separator, width, looks_like_value).into_iter().find(|&(column, _)| column + 1 == number)
}

/// Returns the columns, counted from 0, in which nine in ten rows have such a cell, each with the first such
/// row. The rows before that row do not count.
fn columns(
    rows: &[Row<'_>],
    separator: u8,
    width: usize,
    is_such: impl Fn(&[u8]) -> bool,
) -> Vec<(usize, usize)> {
    let mut found = vec![(0_usize, None); width.min(MOST_COLUMNS)];
    let is_row = |row: &Row<'_>| row.count == width && !row.is_between();
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| is_row(row)) {
        for ((count, first), cell) in found.iter_mut().zip(cells(row.text, separator)) {
            if cell.is_ok_and(|(cell, _)| is_such(cell)) {
                *count += 1;
                first.get_or_insert(at);
            }
        }
    }
    // The number of rows from each row on.
    let mut after: Vec<usize> = rows
        .iter()
        .rev()
        .scan(0, |after, row| {
            *after += usize::from(!row.is_blank());
            Some(*after)
        })
        .collect();
    after.reverse();
    let is_most = |&(_, (count, first)): &(usize, (usize, usize))| count * 10 >= after[first] * 9;
    let found = found.into_iter().enumerate();
    let found = found.filter_map(|(column, (count, first))| Some((column, (count, first?))));
    found.filter(is_most).map(|(column, (_, first))| (column, first)).collect()
}

/// Returns the most frequent of these numbers of cells. Numbers below two do not count.
fn most_frequent(mut counts: Vec<usize>) -> Option<usize> {
    counts.sort_unstable();
    let tables = counts.chunk_by(|one, other| one == other).filter(|same| same[0] > 1);
    tables.max_by_key(|same| same.len()).map(|same| same[0])
}

/// Returns true if a cell is a URI with an authority.
pub(crate) fn is_uri(cell: &[u8]) -> bool {
    looked_at(cell.len());
    starts_as_uri(cell) && memmem::find(cell, b"://").is_some()
}

/// Returns true if a cell is a number, a share, a date or a time, or is empty.
pub(crate) fn is_number(cell: &[u8]) -> bool {
    looked_at(cell.len());
    let cell = cell.trim_ascii();
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.,:/% TZ".contains(byte);
    cell.is_empty() || cell.iter().all(is_part) && cell.iter().any(u8::is_ascii_digit)
}
