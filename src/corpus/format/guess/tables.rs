//! Tables that no header tells: the separators of their cells, and the column with the URIs.
//!
//! A comma and a semicolon may be part of a URI, so lines that start with URIs and have commas are a list unless the cells after the URI are of one
//! kind (numbers, quoted texts, texts with spaces, dates, nothing), or a header stands over them.

use crate::corpus::format::formats::Format;
use crate::corpus::format::lines::log_format::{lines, starts_as_uri};
use crate::corpus::format::lines::options::{FieldSelector, HeaderRow, LayoutOptions};
use crate::work::{looked_at, memchr};

/// The bytes that may stand between cells. A space is not among them: texts have it.
const SEPARATORS: [u8; 4] = *b"\t,;|";

/// More columns are not looked at.
const MOST_COLUMNS: usize = 64;

/// Fewer lines say nothing.
const FEWEST_LINES: usize = 3;

/// A table, and how many lines tell that it is one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) format: Format,
    pub(super) options: LayoutOptions,
    pub(super) fits: usize,
}

/// The table that most of these lines, the first ones of an input, are, if they are one.
pub(super) fn table(head: &[u8], options: &LayoutOptions) -> Option<Guess> {
    if options.field != FieldSelector::Uri || options.header != HeaderRow::Auto {
        return None;
    }
    let rows: Vec<&[u8]> = lines(head).filter(|line| !line.is_empty()).collect();
    if rows.len() < FEWEST_LINES {
        return None;
    }
    SEPARATORS.iter().filter_map(|&separator| with(&rows, separator)).max_by_key(|guess| guess.fits)
}

fn with(rows: &[&[u8]], separator: u8) -> Option<Guess> {
    // Most lists have none of these bytes in most lines, and there are many small ones.
    let tables = rows.iter().filter(|row| memchr(separator, row).is_some()).count();
    if tables * 10 < rows.len() * 9 {
        return None;
    }
    let cells: Vec<Vec<&[u8]>> = rows.iter().map(|row| cells(row, separator)).collect();
    // The first row may be a header, which has as many cells as the others.
    let count = cells[1].len();
    let (header, rest) = (&cells[0], &cells[1..]);
    if !(2..=MOST_COLUMNS).contains(&count) {
        return None;
    }
    let rows: Vec<&Vec<&[u8]>> = rest.iter().filter(|row| row.len() == count).collect();
    let most = |fits: usize| fits * 10 >= rest.len() * 9;
    let share =
        |column: usize, is_such: fn(&[u8]) -> bool| rows.iter().filter(|row| is_such(row[column])).count();
    let column = (0..count).find(|&column| most(share(column, is_uri)))?;
    let is_row = header.len() == count && is_uri(header[column]);
    let has_header = header.len() == count && !header.iter().any(|cell| is_uri(cell) || is_number(cell));
    let others = |&other: &usize| other != column;
    let may_be_in_uris = column == 0 && matches!(separator, b',' | b';');
    let kinds: [fn(&[u8]) -> bool; 3] = [is_number, is_phrase, is_uri];
    let is_of_a_kind = |other: usize| kinds.iter().any(|&is_such| most(share(other, is_such)));
    if may_be_in_uris && !has_header && !(0..count).filter(others).all(is_of_a_kind) {
        return None;
    }
    let mut options = LayoutOptions::from(FieldSelector::Field((column + 1).to_string()));
    options.header = if has_header { HeaderRow::Yes } else { HeaderRow::No };
    let format = match separator {
        b',' => Format::Csv,
        b'\t' => Format::Tsv,
        _ => {
            options.delimiter = Some(separator);
            Format::Delimited
        }
    };
    Some(Guess { format, options, fits: share(column, is_uri) + usize::from(has_header || is_row) })
}

/// The cells of a line; separators in quotes are part of a cell.
fn cells(line: &[u8], separator: u8) -> Vec<&[u8]> {
    looked_at(line.len());
    let (mut is_quoted, mut start, mut cells) = (false, 0, Vec::new());
    for (at, &byte) in line.iter().enumerate() {
        if byte == b'"' {
            // A quote opens a cell at its start alone.
            is_quoted = !is_quoted && at == start;
        } else if byte == separator && !is_quoted {
            cells.push(&line[start..at]);
            start = at + 1;
        }
        if cells.len() > MOST_COLUMNS {
            break;
        }
    }
    cells.push(&line[start..]);
    cells
}

fn unquoted(cell: &[u8]) -> &[u8] {
    match cell {
        [b'"', inner @ .., b'"'] => inner,
        cell => cell,
    }
}

/// Whether a cell is a URI with an authority.
fn is_uri(cell: &[u8]) -> bool {
    let cell = unquoted(cell);
    starts_as_uri(cell) && cell.split(|&byte| byte == b':').nth(1).is_some_and(|rest| rest.starts_with(b"//"))
}

/// Whether a cell is a number, a share, a date or a time, or empty.
fn is_number(cell: &[u8]) -> bool {
    let cell = unquoted(cell).trim_ascii();
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.,:/% TZ".contains(byte);
    cell.is_empty() || cell.iter().all(is_part) && cell.iter().any(u8::is_ascii_digit)
}

/// Whether a cell is what no part of a URI can be: in quotes, or with a space.
fn is_phrase(cell: &[u8]) -> bool {
    cell.is_empty() || cell.starts_with(b"\"") || cell.contains(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &str) -> Option<(Format, String, HeaderRow)> {
        let guess = table(lines.as_bytes(), &LayoutOptions::default())?;
        let FieldSelector::Field(column) = guess.options.field else { panic!("a column by its number") };
        Some((guess.format, column, guess.options.header))
    }

    #[test]
    fn tables_are_told_by_their_cells() {
        let csv = |column: &str, header| Some((Format::Csv, column.to_owned(), header));
        for (lines, expected) in [
            ("http://a/,5\nhttp://b/,7\nhttp://c/x,12\n", csv("1", HeaderRow::No)),
            ("Top pages,Clicks\nhttp://a/,5\nhttp://b/,7\nhttp://c/,1\n", csv("1", HeaderRow::Yes)),
            ("1,http://a/\n2,http://b/?c,d\n3,http://c/\n4,http://d/\n", None),
            ("x,http://a/,200\ny,http://b/,404\nz,http://c/,200\n", csv("2", HeaderRow::No)),
            ("http://a/,\"a, b\"\nhttp://b/,\"c\"\nhttp://c/,\"d\"\n", csv("1", HeaderRow::No)),
            (
                "\"http://a/,x\",2026-01-02\n\"http://b/\",2026-01-03\n\"http://c/\",2026-01-04\n",
                csv("1", HeaderRow::No),
            ),
            (
                "http://a/\tx\nhttp://b/\ty\nhttp://c/\tz\n",
                Some((Format::Tsv, "1".to_owned(), HeaderRow::No)),
            ),
            (
                "1;\"a; b\";http://x/;d\n2;c;http://y/;d\n3;e;http://z/;d\n",
                Some((Format::Delimited, "3".to_owned(), HeaderRow::No)),
            ),
            (
                "id|link\n1|http://a/\n2|http://b/\n3|http://c/\n",
                Some((Format::Delimited, "2".to_owned(), HeaderRow::Yes)),
            ),
            // Lists.
            ("http://a/b,c\nhttp://a/d,e\nhttp://a/f,g\n", None),
            (
                "http://a/0,2987,3210--1,00.html\nhttp://a/0,2988,3211--1,00.html\nhttp://a/0,2,3--1,00.html\n",
                None,
            ),
            ("http://a/,5\nhttp://b/\nhttp://c/x,12\n", None),
            ("http://a/,5\nhttp://b/,6\n", None),
            ("http://a/\nhttp://b/\nhttp://c/\n", None),
            ("", None),
        ] {
            assert_eq!(found(lines), expected, "{lines:?}");
        }
        let named = LayoutOptions::from(FieldSelector::Field("2".to_owned()));
        assert_eq!(table(b"1,http://a/\n2,http://b/\n3,http://c/\n", &named), None);
    }
}
