//! Tables whose header does not name the column: the separator of their cells, and the column with the URIs.
//!
//! A URI can contain commas and semicolons. So lines that start with URIs and have commas are a list, unless
//! they have a header or the cells after the URI are of one kind: numbers, quoted texts, texts with spaces,
//! dates, empty cells, or a few words that repeat. RFC 3986 allows no vertical bars in a URI, but people
//! write them in queries: `family=Roboto:400|700`. So after queries, numbers and words are no evidence of a
//! table.

use crate::corpus::format::kinds::Format;
use crate::corpus::format::kinds::cells::{cells, named_separator, row_separator};
use crate::corpus::format::kinds::table_head::{self, Header, TableHead};
use crate::corpus::format::lines::log_format::{lines, rows};
use crate::corpus::format::lines::options::{ColumnSelector, FieldSelector, HeaderRow, LayoutOptions};
use crate::work::memchr;

/// The bytes that can separate cells. A space cannot, since texts contain spaces.
const SEPARATORS: [u8; 4] = *b"\t,;|";

/// The maximal number of columns.
const MOST_COLUMNS: usize = 64;

/// The smallest number of rows that can show a table. A header and a row are enough if the name of the input
/// says that it is a table.
const FEWEST_ROWS: usize = 3;
const FEWEST_NAMED_ROWS: usize = 2;

/// The smallest number of rows in which a few words that repeat differ from other words.
const FEWEST_ROWS_OF_WORDS: usize = 12;

/// A table, and the number of lines that show it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) format: Format,
    pub(super) options: LayoutOptions,
    pub(super) fits: usize,
    /// The column with the URIs, counted from 1, and the separator. None if the caller selected a column.
    pub(super) column: Option<(usize, u8)>,
    /// The number of lines before the table.
    pub(super) preamble: usize,
    /// Another column with URIs, counted from 1. None if the caller selected a column.
    pub(super) other: Option<usize>,
}

/// Returns the table that most of these lines form, if they form one. They are the first lines of an input.
/// `is_named` means that the input's name says that it is a table. The caller's column and header do not
/// decide whether the lines are a table. They replace those found.
pub(super) fn table(head: &[u8], options: &LayoutOptions, is_named: bool) -> Option<Guess> {
    if matches!(options.field, FieldSelector::Key(_)) {
        return None;
    }
    let mut guess = match separator_line(head) {
        Some((separator, rest)) => with(rest, separator, is_named)?,
        None => {
            let tables = SEPARATORS.iter().filter_map(|&separator| with(head, separator, is_named));
            tables.max_by_key(|guess| guess.fits)?
        }
    };
    if options.field != FieldSelector::Uri {
        (guess.options.field, guess.column, guess.other) = (options.field.clone(), None, None);
    }
    if options.header != HeaderRow::Auto {
        guess.options.header = options.header;
    }
    Some(guess)
}

/// Returns the number of lines before a table that has a header with the column, and another column with
/// URIs.
pub(super) fn around(format: Format, head: &[u8], options: &LayoutOptions) -> (usize, Option<usize>) {
    // Detection finds other separators by cells alone.
    if format == Format::Delimited || !format.is_table() {
        return (0, None);
    }
    let separator = if format == Format::Csv { b',' } else { b'\t' };
    let Some(column) = ColumnSelector::new(&options.field) else { return (0, None) };
    let (separator, head) = separator_line(head).unwrap_or((separator, head));
    let found = TableHead::read(head, separator, &column);
    let is_selected = options.field != FieldSelector::Uri;
    (found.preamble, found.other_column().filter(|_| !is_selected))
}

/// Returns the separator that the first line names, and the other lines.
fn separator_line(head: &[u8]) -> Option<(u8, &[u8])> {
    let first_end = memchr(b'\n', head).map_or(head.len(), |end| end + 1);
    let (first, rest) = head.split_at(first_end);
    Some((lines(first).next().and_then(named_separator)?, rest))
}

fn with(head: &[u8], separator: u8, is_named: bool) -> Option<Guess> {
    // In most lists, no line has these bytes. Small lists are common.
    memchr(separator, head)?;
    let found = TableHead::read(head, separator, &ColumnSelector::Uri);
    let rows = rows(head, row_separator(separator)).skip(found.preamble).filter(|(row, _)| !row.is_empty());
    let rows: Vec<&[u8]> = rows.map(|(row, _)| row).collect();
    let tables = rows.iter().filter(|row| memchr(separator, row).is_some()).count();
    let fewest = if is_named { FEWEST_NAMED_ROWS } else { FEWEST_ROWS };
    if rows.len() < fewest || tables * 10 < rows.len() * 9 {
        return None;
    }
    let cells: Vec<Vec<Cell>> = rows.iter().map(|row| cells_of(row, separator)).collect();
    // The first row can be a header. It has as many cells as the others.
    let count = cells[1].len();
    let (header, rest) = (&cells[0], &cells[1..]);
    if !(2..=MOST_COLUMNS).contains(&count) {
        return None;
    }
    let rows: Vec<&Vec<Cell>> = rest.iter().filter(|row| row.len() == count).collect();
    let most = |fits: usize| fits * 10 >= rest.len() * 9;
    let share =
        |column: usize, is_such: fn(&Cell) -> bool| rows.iter().filter(|row| is_such(&row[column])).count();
    let column = (0..count).find(|&column| most(share(column, is_uri)))?;
    let is_row = header.len() == count && is_uri(&header[column]);
    let has_header = header.len() == count && found.header != Header::None;
    let others = |&other: &usize| other != column;
    let may_be_in_uris = !is_named && column == 0 && matches!(separator, b',' | b';' | b'|');
    let may_be_in_queries = separator == b'|' && share(0, has_query) * 2 > rest.len();
    let are_words =
        |other: usize| most(share(other, is_word)) && are_few(rows.iter().map(|row| row[other].0));
    let is_no_part = |other: usize| most(share(other, is_phrase)) || most(share(other, is_uri));
    let is_of_a_kind = |other: usize| is_no_part(other) || most(share(other, is_number)) || are_words(other);
    if may_be_in_uris && !has_header {
        let mut others = (0..count).filter(others);
        let are_cells = if may_be_in_queries { others.any(is_no_part) } else { others.all(is_of_a_kind) };
        if !are_cells {
            return None;
        }
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
    let fits = share(column, is_uri) + usize::from(has_header || is_row);
    let other = found.uri_columns.iter().find(|&&other| other != column).map(|other| other + 1);
    let column = Some((column + 1, separator));
    Some(Guess { format, options, fits, column, preamble: found.preamble, other })
}

/// The content of a cell, and whether it is quoted.
type Cell<'a> = (&'a [u8], bool);

/// Returns the cells of a row. None if the row is malformed.
fn cells_of(row: &[u8], separator: u8) -> Vec<Cell<'_>> {
    cells(row, separator).take(MOST_COLUMNS + 1).collect::<Result<_, _>>().unwrap_or_default()
}

fn is_uri(&(cell, _): &Cell) -> bool {
    table_head::is_uri(cell)
}

/// Returns true if a cell is a URI with a query.
fn has_query(&(cell, _): &Cell) -> bool {
    cell.contains(&b'?')
}

fn is_number(&(cell, _): &Cell) -> bool {
    table_head::is_number(cell)
}

/// Returns true if a cell is a word, like the name of a category. It is not a part of a path that names a
/// page or a directory.
fn is_word(&(cell, _): &Cell) -> bool {
    cell.first().is_some_and(u8::is_ascii_alphabetic)
        && cell.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte))
}

/// Returns true if these cells have few different values, but more than one, and each value many times.
fn are_few<'a>(cells: impl Iterator<Item = &'a [u8]>) -> bool {
    let mut cells: Vec<&[u8]> = cells.collect();
    let all = cells.len();
    cells.sort_unstable();
    cells.dedup();
    all >= FEWEST_ROWS_OF_WORDS && cells.len() > 1 && cells.len() * 4 <= all
}

/// Returns true if a cell cannot be a part of a URI: it is empty, quoted, or has a space.
fn is_phrase(&(cell, is_quoted): &Cell) -> bool {
    cell.is_empty() || is_quoted || cell.contains(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: &str) -> Option<(Format, String, HeaderRow)> {
        let guess = table(lines.as_bytes(), &LayoutOptions::default(), false)?;
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
            (
                "http://a/|200\nhttp://a/?b|404\nhttp://c/|200\n",
                Some((Format::Delimited, "1".to_owned(), HeaderRow::No)),
            ),
            (
                "http://a/?b|200|a b\nhttp://a/?c|404|c d\nhttp://a/?d|200|e f\n",
                Some((Format::Delimited, "1".to_owned(), HeaderRow::No)),
            ),
            (
                "url of it|status\nhttp://a/?b|200\nhttp://a/?c|404\nhttp://a/?d|200\n",
                Some((Format::Delimited, "1".to_owned(), HeaderRow::Yes)),
            ),
            (
                "1,http://a/,\"a\nb, c\"\n2,http://b/,\"\"\"d\"\"\n\n,\"\n3,http://c/,e\n",
                csv("2", HeaderRow::No),
            ),
            (
                "sep=^\nid^link\n1^http://a/\n2^http://b/\n3^http://c/\n",
                Some((Format::Delimited, "2".to_owned(), HeaderRow::Yes)),
            ),
            // Lists.
            ("http://a/b,c\nhttp://a/d,e\nhttp://a/f,g\n", None),
            (
                "http://a/0,2987,3210--1,00.html\nhttp://a/0,2988,3211--1,00.html\nhttp://a/0,2,3--1,00.html\n",
                None,
            ),
            ("http://a/,5\nhttp://b/\nhttp://c/x,12\n", None),
            ("http://a/?f=a:400|700\nhttp://a/?f=b:400|700\nhttp://a/?f=c:300|400\n", None),
            ("http://a/?f=a|b\nhttp://a/?f=c|d\nhttp://a/e|f\n", None),
            ("http://a/,5\nhttp://b/,6\n", None),
            ("http://a/\nhttp://b/\nhttp://c/\n", None),
            ("", None),
        ] {
            assert_eq!(found(lines), expected, "{lines:?}");
        }
        // The caller's column and header replace those found.
        let rows = b"id,link\n1,http://a/\n2,http://b/\n3,http://c/\n";
        let mut first = LayoutOptions::from(FieldSelector::Field("1".to_owned()));
        let guess = table(rows, &first, false).unwrap();
        assert_eq!((&guess.options.field, guess.options.header), (&first.field, HeaderRow::Yes));
        assert_eq!((guess.fits, guess.column), (4, None));
        first.header = HeaderRow::No;
        assert_eq!(table(rows, &first, false).unwrap().options, first);
        let key = LayoutOptions::from(FieldSelector::Key("link".to_owned()));
        assert_eq!(table(rows, &key, false), None);
        // A few words that repeat are not parts of paths.
        let row = |number: usize| format!("http://{number}.example/,{}\n", ["news", "web-shop"][number % 2]);
        assert_eq!(found(&(0..13).map(row).collect::<String>()), csv("1", HeaderRow::No));
        assert_eq!(found(&(0..12).map(row).collect::<String>()), None);
        let row = |number: usize| format!("http://a/{number},word-{}\n", number / 2);
        assert_eq!(found(&(0..20).map(row).collect::<String>()), None);
        // The name of the input says that the commas separate cells.
        let two = table(b"Top pages,Clicks\nhttp://a/,5\n", &LayoutOptions::default(), true).unwrap();
        assert_eq!((two.options.header, two.fits), (HeaderRow::Yes, 2));
        assert_eq!(table(b"Top pages,Clicks\nhttp://a/,5\n", &LayoutOptions::default(), false), None);
        let columns = b"http://a/b,c\nhttp://a/d,e\nhttp://a/f,g\n";
        let guess = table(columns, &LayoutOptions::default(), true).unwrap();
        assert_eq!((guess.format, guess.options.field), (Format::Csv, FieldSelector::Field("1".to_owned())));
        assert_eq!(table(b"http://a/\nhttp://b/\nhttp://c/\n", &LayoutOptions::default(), true), None);
    }
}
