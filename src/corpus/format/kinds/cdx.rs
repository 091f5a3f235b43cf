//! CDX indexes of captures: columns between single spaces, or between the separator in the header.
//!
//! A header is a line of the delimiter, `CDX`, and a letter for each column, separated by delimiters. It can
//! occur again if indexes have been joined. Without a header the columns are `N b a m s k r M S V g`, or the
//! same without `M S`, or `N b a m s k S`, as servers of indexes answer. But if the first lines have their
//! URIs in another column, or have another number of columns, the format reads these lines.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::{
    LineFields, MOST_NAMES, Place, Positions, column_names, position_of_number,
};
use crate::corpus::format::lines::log_format::{LineFormat, lines, not_in_header, starts_as_uri};
use crate::corpus::format::lines::options::FieldSelector;
use crate::corpus::format::lines::tally::tally;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::is_stamp;
use crate::work::{looked_at, memchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "CDX index of captures; field url, redirect or a number",
    sentinels: "-",
    fields: FieldChoice::Other("the fields url and redirect, and columns by number", |options| {
        let column = match &options.field {
            FieldSelector::Uri => CdxColumn::Letter(URL),
            FieldSelector::Field(field) if field == "url" => CdxColumn::Letter(URL),
            FieldSelector::Field(field) if field == "redirect" => CdxColumn::Letter(REDIRECT),
            _ => CdxColumn::Number(options.field.number()?),
        };
        Some(Arc::new(Cdx { column, delimiter: b' ', legend: Legend::Usual }))
    }),
    #[cfg(test)]
    example: [" CDX N b a m s k r M S V g\n", "com,a)/ 20260102030405 ", " text/html 200 A - - 1 2 a.gz\n"],
};

/// The legend's letter for the captured URI.
const URL: u8 = b'a';
/// The legend's letter for the URI that the capture redirects to.
const REDIRECT: u8 = b'r';

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cdx {
    column: CdxColumn,
    delimiter: u8,
    legend: Legend,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CdxColumn {
    /// The column with this letter.
    Letter(u8),
    /// The column with this number, counted from 1, independent of the header.
    Number(usize),
}

/// The known facts about the columns. Columns are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Legend {
    /// No header: 11 columns, 9 or 7.
    Usual,
    /// No header, and the first lines have this shape.
    Seen { count: usize, column: usize },
    /// A header. It may lack the column.
    Header { count: usize, column: Option<usize> },
    /// A header over the limit.
    TooLong,
}

impl Cdx {
    /// Returns true if a line is a header.
    fn is_header(line: &[u8]) -> bool {
        matches!(line, [first, b'C', b'D', b'X', last, ..] if first == last)
    }

    /// Sets the columns from a header.
    fn set_header(&mut self, line: &[u8]) {
        looked_at(line.len());
        self.delimiter = line[0];
        let letters = line[5..].trim_ascii_end().split(|&byte| byte == line[0]);
        let column = match self.column {
            CdxColumn::Letter(letter) => {
                letters.clone().position(|name| name == [letter]).map(|index| index + 1)
            }
            CdxColumn::Number(number) => Some(number),
        };
        self.legend = Legend::Header { count: letters.count(), column };
    }

    fn set_header_or_skip(&mut self, line: &[u8], is_too_long: bool) {
        if is_too_long { self.skip(line) } else { self.set_header(line) }
    }

    /// Returns the column to read in a line of `columns` columns.
    #[inline]
    fn column_of(&self, columns: usize) -> Result<usize, Line> {
        match (self.legend, self.column) {
            (Legend::TooLong, _) => Err(Malformed::HeaderTooLong.into()),
            (Legend::Seen { count, .. } | Legend::Header { count, .. }, _) if columns != count => {
                Err(Line::column_count(columns, count))
            }
            (Legend::Seen { column, .. }, _) => Ok(column),
            (Legend::Header { column, .. }, _) => column.ok_or(Malformed::NotInHeader.into()),
            (Legend::Usual, CdxColumn::Number(number)) => Ok(number),
            (Legend::Usual, CdxColumn::Letter(letter)) => match columns {
                9 | 11 => Ok(if letter == REDIRECT { 7 } else { 3 }),
                // The columns of an answer have no redirect.
                7 if letter == URL => Ok(3),
                _ => Err(Line::column_count(columns, 11)),
            },
        }
    }

    #[inline]
    fn field(&self, line: &[u8]) -> Result<Range<usize>, Line> {
        if line.is_empty() {
            return Err(Malformed::Empty.into());
        }
        let column = self.column_of(tally(line, self.delimiter, |_| false).0 + 1)?;
        let mut start = 0;
        for _ in 1..column {
            start += memchr(self.delimiter, &line[start..]).ok_or(Malformed::Truncated)? + 1;
        }
        let rest = &line[start..];
        Ok(start..start + memchr(self.delimiter, rest).unwrap_or(rest.len()))
    }
}

impl LineFormat for Cdx {
    const IS_STATEFUL: bool = true;

    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        if Cdx::is_header(line) {
            self.set_header(line);
            return Line::Header;
        }
        self.field(line).map_or_else(|other| other, |range| Line::unless_dash(line, range))
    }

    fn wanted(&self) -> Option<String> {
        Some(match self.column {
            CdxColumn::Letter(letter) => char::from(letter).to_string(),
            CdxColumn::Number(number) => number.to_string(),
        })
    }

    fn skip(&mut self, head: &[u8]) {
        if Cdx::is_header(head) {
            self.legend = Legend::TooLong;
        }
    }

    fn start(&mut self, head: &[u8]) {
        if self.column == CdxColumn::Letter(URL) {
            self.legend = legend_of(head);
        }
    }

    fn follow(&mut self, chunk: &ChunkLines<'_>) -> io::Result<()> {
        let (first, is_too_long) = chunk.first();
        if chunk.is_first && !is_too_long && Cdx::is_header(first) {
            // If the first line already lacks the column, the scan ends with this error. If a later header
            // lacks it, each line after that header gets the message.
            self.set_header(first);
            if let (Legend::Header { column: None, .. }, CdxColumn::Letter(letter)) =
                (self.legend, self.column)
            {
                let letter = char::from(letter);
                return Err(not_in_header(format_args!("column with the letter {letter}")));
            }
        }
        if let Some((header, is_too_long)) = chunk.last_header(b"CDX", 1, Cdx::is_header) {
            self.set_header_or_skip(header, is_too_long);
        }
        Ok(())
    }

    fn has_fields(&self) -> bool {
        true
    }

    fn has_header_names(&self) -> bool {
        true
    }

    fn field_names(&self, header: Option<&[u8]>, lines: &[&[u8]]) -> Vec<String> {
        let shape = match (header, self.legend) {
            (Some(header), _) => Shape::of_header(header),
            (None, Legend::Usual) => {
                let columns = lines.first().map_or(0, |line| tally(line, self.delimiter, |_| false).0 + 1);
                return Shape::usual(columns).map_or(Vec::new(), Shape::names);
            }
            (None, Legend::Seen { count, column }) => Shape::seen(count, column),
            (None, _) => return Vec::new(),
        };
        shape.names()
    }

    fn line_fields(&self, header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        let shapes = match (header, self.legend) {
            (Some([]), _) | (None, Legend::TooLong | Legend::Header { .. }) => return None,
            (Some(header), _) => vec![Shape::of_header(header)],
            (None, Legend::Usual) => [11, 9, 7].into_iter().filter_map(Shape::usual).collect(),
            (None, Legend::Seen { count, column }) => vec![Shape::seen(count, column)],
        };
        let delimiter = header.map_or(self.delimiter, |header| header[0]);
        let shapes: Vec<_> = shapes.iter().map(|shape| (shape.0.len(), shape.positions(chosen))).collect();
        Some(Box::new(ChosenColumns { delimiter, shapes }))
    }

    fn names_columns(&self, _number: usize, line: &[u8]) -> bool {
        Cdx::is_header(line)
    }

    fn last_header<'c>(&self, chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        let first = chunk.first();
        let is_first = chunk.is_first && Cdx::is_header(first.0);
        let (line, is_too_long) =
            chunk.last_header(b"CDX", 1, Cdx::is_header).or_else(|| is_first.then_some(first))?;
        Some(if is_too_long { &[] } else { line })
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        if Cdx::is_header(line) {
            self.set_header(line);
            return true;
        }
        looked_at(line.len());
        let mut columns = line.split(|&byte| byte == self.delimiter);
        let is_capture = match self.legend {
            Legend::Usual => columns.nth(1).is_some_and(is_stamp),
            // A line that starts with the time belongs to another log.
            _ => columns.skip(1).any(is_capture_time),
        };
        is_capture && self.field(line).is_ok_and(|range| starts_as_uri(&line[range]))
    }
}

/// The letters of the columns of a line; the space stands for a column without a letter.
struct Shape(Vec<u8>);

/// The names of the columns with these letters, as in indexes with JSON objects.
const NAMES: [(u8, &str); 11] = [
    (b'N', "urlkey"),
    (b'b', "timestamp"),
    (URL, "url"),
    (b'm', "mime"),
    (b's', "status"),
    (b'k', "digest"),
    (REDIRECT, "redirect"),
    (b'M', "robotflags"),
    (b'S', "length"),
    (b'V', "offset"),
    (b'g', "filename"),
];

impl Shape {
    fn of_header(line: &[u8]) -> Self {
        looked_at(line.len());
        let letters = line.get(5..).unwrap_or_default().trim_ascii_end().split(|&byte| byte == line[0]);
        Shape(letters.map(|letter| if let [letter] = *letter { letter } else { b' ' }).collect())
    }

    /// Returns the shape of lines with this number of columns in an index without a header.
    fn usual(columns: usize) -> Option<Self> {
        let letters: &[u8] = match columns {
            11 => b"NbamskrMSVg",
            9 => b"NbamskrVg",
            7 => b"NbamskS",
            _ => return None,
        };
        Some(Shape(letters.to_vec()))
    }

    /// Returns the shape of lines whose URIs are in this column, counted from 1.
    fn seen(count: usize, column: usize) -> Self {
        let mut letters = vec![b' '; count];
        letters[column - 1] = URL;
        Shape(letters)
    }

    /// Returns the names of the columns: those of letters, letters without a name, and numbers.
    fn names(self) -> Vec<String> {
        let name = |letter: &u8| {
            let named = NAMES.iter().find(|(of, _)| of == letter).map(|(_, name)| name.as_bytes().to_vec());
            named.unwrap_or_else(|| [*letter].trim_ascii().to_vec())
        };
        let names: Vec<_> = self.0.iter().take(MOST_NAMES + 1).map(name).collect();
        column_names(names.iter().map(|name| (&name[..], Escapes::None)))
    }

    /// Returns the positions of fields by their names, letters or numbers.
    fn positions(&self, chosen: &[&str]) -> Positions {
        let mut first = [None; 256];
        for (position, &letter) in self.0.iter().enumerate() {
            first[usize::from(letter)].get_or_insert(position);
        }
        let letter_of = |name: &str| match NAMES.iter().find(|(_, of)| of.eq_ignore_ascii_case(name)) {
            Some((letter, _)) => Some(*letter),
            None => match *name.as_bytes() {
                [letter] if letter.is_ascii_alphabetic() => Some(letter),
                _ => None,
            },
        };
        let number = |name: &str| position_of_number(name).filter(|&position| position < self.0.len());
        Positions::new(chosen.iter().map(|name| match letter_of(name) {
            Some(letter) => first[usize::from(letter)],
            None => number(name),
        }))
    }
}

/// Finds chosen columns of lines.
#[derive(Debug)]
struct ChosenColumns {
    delimiter: u8,
    /// The numbers of columns that lines can have, each with the positions of the fields.
    shapes: Vec<(usize, Positions)>,
}

impl LineFields for ChosenColumns {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        let columns = tally(line, self.delimiter, |_| false).0 + 1;
        let Some((_, positions)) = self.shapes.iter().find(|(count, _)| *count == columns) else { return };
        let mut chosen = positions.in_order();
        let (mut start, mut position) = (0, 0);
        while !chosen.is_done() && start <= line.len() {
            let rest = &line[start..];
            let end = start + memchr(self.delimiter, rest).unwrap_or(rest.len());
            let is_missing = line[start..end] == *b"-";
            chosen.take(places, position, || (!is_missing).then_some((start..end, Escapes::None)));
            (start, position) = (end + 1, position + 1);
        }
    }

    fn missing(&self) -> &[usize] {
        self.shapes.first().map_or(&[], |(_, positions)| positions.missing())
    }
}

/// Returns true for a time of a capture, to the second or the millisecond.
fn is_capture_time(word: &[u8]) -> bool {
    matches!(word.len(), 14 | 17) && is_stamp(word)
}

/// Returns the column in which most of the first lines have their URIs, if no header precedes them.
fn legend_of(head: &[u8]) -> Legend {
    /// The maximal number of columns.
    const MOST: usize = 32;

    let captures = || {
        lines(head).take_while(|line| !Cdx::is_header(line)).filter_map(|line| {
            looked_at(line.len());
            let columns = line.split(|&byte| byte == b' ');
            let count = columns.clone().count();
            let is_capture = (3..=MOST).contains(&count) && columns.clone().skip(1).any(is_capture_time);
            is_capture.then_some((count, columns))
        })
    };
    let mut uris = [0_usize; MOST];
    for (_, columns) in captures() {
        for (count, column) in uris.iter_mut().zip(columns) {
            *count += usize::from(starts_as_uri(column));
        }
    }
    let Some(&most) = uris.iter().max() else { return Legend::Usual };
    if most == 0 {
        return Legend::Usual;
    }
    // The usual column, if no other column has more URIs.
    let first = || uris.iter().position(|&count| count == most).unwrap_or(0);
    let column = if uris[2] == most { 2 } else { first() };
    let mut counts = [0_usize; MOST + 1];
    for (count, mut columns) in captures() {
        counts[count] += usize::from(columns.nth(column).is_some_and(starts_as_uri));
    }
    let count = (0..=MOST).max_by_key(|&count| counts[count]).unwrap_or(0);
    // In the usual column, a few lines can lack some of the usual columns. An answer of a server has fewer
    // columns than an index; joined lines have more.
    let is_answer = count < 9 && count != 7 && counts[count] >= 3 && counts[count] * 2 > most;
    if column == 2 && !is_answer {
        return Legend::Usual;
    }
    Legend::Seen { count, column: column + 1 }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};

    #[test]
    fn cdx() {
        let index = include_str!("../../../../corpora/logs/index.cdx");
        let found = case(Format::Cdx).detected(index).run(index);
        assert_eq!(texts(&found), ["http://example.com/", "http://example.com/{c}", "http://example.com/d"]);
        assert_eq!(found.records[2], (6, 1, "http://example.com/d".to_owned()));
        use Malformed::*;
        assert_eq!(reasons(&found), [(3, TooManyColumns), (7, Empty), (8, TooManyColumns)]);
        assert_eq!((found.sentinels, found.errors), (0, vec![(4, 50)]));

        let redirect = field(Format::Cdx, "redirect").run(index);
        assert_eq!(texts(&redirect), ["http://example.com/{r}", "com,example)/d"]);
        assert_eq!(redirect.sentinels, 1);
        assert_eq!(texts(&field(Format::Cdx, "1").run(index))[..2], ["com,example)/", "com,example)/c"]);

        let lacking = index.replace("s k r M", "s k x M");
        let lacking = field(Format::Cdx, "redirect").extract_with(lacking.as_bytes(), 1 << 20, false);
        assert_eq!(lacking.unwrap_err().to_string(), "the header has no column with the letter r");

        // A later header that lacks the column does not discard the lines before it.
        let joined = "\
\u{20}CDX a r
http://example.com/ http://example.com/r
 CDX a b
http://example.com/ 20260102030405
 CDX b r
20260102030405 http://example.com/s
";
        let redirect = field(Format::Cdx, "redirect").run(joined);
        assert_eq!(texts(&redirect), ["http://example.com/r", "http://example.com/s"]);
        assert_eq!(reasons(&redirect), [(4, Malformed::NotInHeader)]);
    }

    #[test]
    fn cdx_without_header() {
        let index = "\
com,example)/ 20260102030405 http://example.com/ text/html 200 AAAA - - 2258 334 a.warc.gz
com,example)/ 20260102030405 http://example.com/9 text/html 200 AAAA - 334 a.warc.gz
com,example)/ 20260102030405 http://example.com/8 text/html 200 AAAA - 334
";
        let found = case(Format::Cdx).detected(index).run(index);
        assert_eq!(texts(&found), ["http://example.com/", "http://example.com/9"]);
        assert_eq!(reasons(&found), [(3, Malformed::TooFewColumns)]);
        let first = field(Format::Cdx, "1").run("http://example.com/ 1 2 3\nx\n");
        assert_eq!(texts(&first), ["http://example.com/", "x"]);
        let tabs = case(Format::Cdx).run("\tCDX\tb\ta\n1\thttp://example.com/a b\n");
        assert_eq!(texts(&tabs), ["http://example.com/a b"]);
    }

    #[test]
    fn an_index_without_header_may_have_its_uris_in_any_column() {
        let index = "\
http://example.com/ 192.0.2.1 20260102030405 text/html 334 a.arc
http://example.com/a 192.0.2.1 20260102030406 text/html 334 a.arc
dns:example.com 192.0.2.1 20260102030406 text/dns 334 a.arc
http://example.com/b c 192.0.2.1 20260102030406 text/html 334 a.arc
";
        let found = case(Format::Cdx).detected(index).run(index);
        assert_eq!(texts(&found), ["http://example.com/", "http://example.com/a", "dns:example.com"]);
        assert_eq!(reasons(&found), [(4, Malformed::TooManyColumns)]);
        // Lines without a time do not count, and lines with very many columns do not count either.
        let many = format!("20260102030405 {}", "http://x/ ".repeat(40));
        let index = format!("http://h/ b c\n{many}\nhttp://h/ b c\nk 20260102030405 192.0.2.1 http://b/\n");
        assert_eq!(texts(&case(Format::Cdx).run(index)), ["http://b/"]);
        // A last line without an end also counts, in detection and in reading.
        let unended = "a,b)/ 20260102030405  http://b.a/ 1\na,b)/ 20260102030405 http://b.a/ 1";
        let found = case(Format::Cdx).run(unended);
        assert_eq!(reasons(&found), [(1, Malformed::TooFewColumns), (2, Malformed::TooFewColumns)]);
    }

    #[test]
    fn an_answer_of_a_server_has_seven_columns_or_those_asked_for() {
        let index = "\
com,example)/ 20260102030405 http://example.com:80/ text/html 200 AAAA 1792
com,example)/a 20260102030405 http://example.com:80/a|b warc/revisit - AAAA 330
";
        let found = case(Format::Cdx).detected(index).run(index);
        assert_eq!(texts(&found), ["http://example.com:80/", "http://example.com:80/a|b"]);
        assert_eq!((reasons(&found), found.errors), (vec![], vec![(2, 54)]));
        let redirect = field(Format::Cdx, "redirect").run(index);
        assert_eq!(reasons(&redirect).len(), 2);
        let four = "com,example)/ 20260102030405 http://example.com/ 200\n".repeat(3);
        assert_eq!(texts(&case(Format::Cdx).detected(&four).run(&four)), ["http://example.com/"; 3]);

        let capture = "com,example)/ 20260102030405 http://example.com/ text/html 200 AAAA - - 2258 334 a.gz";
        let joined = format!("{capture}{capture}\n").repeat(3);
        assert_eq!(reasons(&case(Format::Cdx).run(&joined)).len(), 3);
    }

    #[test]
    fn an_index_may_have_an_address_first() {
        let index = include_str!("../../../../corpora/logs/headerless.cdx");
        let found = case(Format::Cdx).detected(index).run(index);
        assert_eq!(
            texts(&found),
            ["http://www.example.com/", "http://www.example.com/{b}", "dns:www.example.com"]
        );
        assert_eq!(reasons(&found), [(4, Malformed::TooManyColumns)]);
    }
}
