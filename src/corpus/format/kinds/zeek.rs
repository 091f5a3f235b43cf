//! Logs of Zeek in its own form: columns between tabs, which a `#fields` line names.
//!
//! Lines that start with `#` describe the others. Logs that have been joined have several `#fields` lines.
//! `-` stands for a missing value and `(empty)` for an empty one. Bytes that are not printable, and tabs, are
//! written `\xHH`. Zeek's logs in JSON are read as [`jsonl`](super::jsonl).

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::line_fields::{LineFields, Place, Positions, column_names};
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::options::ColumnSelector;
use crate::corpus::format::lines::tally::tally;
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr};

pub(crate) const ENTRY: Entry = Entry {
    about: "log of Zeek with columns between tabs; field a name in its header (uri, referrer), or a number",
    sentinels: "-",
    fields: FieldChoice::Other("the columns of its header, by name or by number", |options| {
        let column = ColumnSelector::new(&options.field)?;
        Some(Arc::new(Zeek { column, header: Header::Missing }))
    }),
    #[cfg(test)]
    example: ["#separator \\x09\n#fields\tts\tmethod\turi\tversion\n", "1.5\tGET\t", "\t1.1\n"],
};

/// The lines after a header, and further headers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Zeek {
    column: ColumnSelector,
    header: Header,
}

/// The place of the field according to the last `#fields` line. Columns are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    /// No header so far.
    Missing,
    /// The header is over the limit.
    TooLong,
    /// The header does not name the field.
    Unnamed,
    Columns {
        count: usize,
        field: usize,
    },
}

/// The start of the line that names the columns of the lines after it.
const FIELDS: &[u8] = b"#fields\t";

/// The column with the target of the request, in a log of HTTP.
const TARGET: &[u8] = b"uri";

impl Header {
    /// Returns the facts from a `#fields` line.
    fn new(line: &[u8], wanted: &ColumnSelector) -> Self {
        looked_at(line.len());
        let names = || names(line);
        let position = |wanted: &[u8]| names().position(|name| name.eq_ignore_ascii_case(wanted));
        let count = names().count();
        let field = match wanted {
            ColumnSelector::Name(name) => position(name),
            ColumnSelector::Number(number) => Some(number - 1).filter(|&column| column < count),
            ColumnSelector::Uri => position(TARGET),
        };
        field.map_or(Header::Unnamed, |field| Header::Columns { count, field })
    }
}

/// Returns the names in a `#fields` line.
fn names(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.get(FIELDS.len()..).unwrap_or_default().split(|&byte| byte == b'\t')
}

/// Finds chosen columns of lines.
#[derive(Debug)]
struct ChosenColumns {
    count: usize,
    positions: Positions,
}

impl LineFields for ChosenColumns {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        if tally(line, b'\t', |_| false).0 + 1 != self.count {
            return;
        }
        let mut chosen = self.positions.in_order();
        let (mut start, mut position) = (0, 0);
        while !chosen.is_done() && start <= line.len() {
            let rest = &line[start..];
            let end = start + memchr(b'\t', rest).unwrap_or(rest.len());
            chosen.take(places, position, || match value(line, start..end) {
                Line::Record(field) => Some((field.range, field.escapes)),
                _ => None,
            });
            (start, position) = (end + 1, position + 1);
        }
    }

    fn missing(&self) -> &[usize] {
        self.positions.missing()
    }
}

/// Returns the record in a line of `count` columns.
fn column(line: &[u8], count: usize, field: usize) -> Result<Line, Malformed> {
    let (tabs, _) = tally(line, b'\t', |_| false);
    if tabs + 1 != count {
        return Ok(Line::column_count(tabs + 1, count));
    }
    let mut start = 0;
    for _ in 0..field {
        start += memchr(b'\t', &line[start..]).ok_or(Malformed::Truncated)? + 1;
    }
    let rest = &line[start..];
    Ok(value(line, start..start + memchr(b'\t', rest).unwrap_or(rest.len())))
}

/// Returns the value in a column of a line.
fn value(line: &[u8], range: Range<usize>) -> Line {
    match &line[range.clone()] {
        b"-" | b"(empty)" => Line::Sentinel,
        text if memchr(b'\\', text).is_some() => Line::escaped(range, Escapes::Server),
        _ => Line::unescaped(range),
    }
}

impl LineFormat for Zeek {
    const IS_STATEFUL: bool = true;

    fn find(&mut self, line: &[u8]) -> Line {
        match line {
            [] => Line::Malformed(Malformed::Empty),
            [b'#', ..] => {
                if line.starts_with(FIELDS) {
                    self.header = Header::new(line, &self.column);
                }
                Line::Header
            }
            _ => match self.header {
                Header::Missing => Line::Malformed(Malformed::NoHeader),
                Header::TooLong => Line::Malformed(Malformed::HeaderTooLong),
                Header::Unnamed => Line::Malformed(Malformed::NotInHeader),
                Header::Columns { count, field } => column(line, count, field).into(),
            },
        }
    }

    fn skip(&mut self, head: &[u8]) {
        if head.starts_with(FIELDS) {
            self.header = Header::TooLong;
        }
    }

    fn grammar(&self) -> Grammar {
        match &self.column {
            ColumnSelector::Name(name) if !name.eq_ignore_ascii_case(TARGET) => Grammar::Uri,
            ColumnSelector::Number(_) => Grammar::Uri,
            _ => Grammar::RequestTarget,
        }
    }

    fn wanted(&self) -> Option<String> {
        Some(match &self.column {
            ColumnSelector::Uri => String::from_utf8_lossy(TARGET).into_owned(),
            ColumnSelector::Name(name) => String::from_utf8_lossy(name).into_owned(),
            ColumnSelector::Number(number) => number.to_string(),
        })
    }

    fn follow(&mut self, chunk: &ChunkLines<'_>) -> io::Result<()> {
        match chunk.last_header(FIELDS, 0, |line| line.starts_with(FIELDS)) {
            Some((line, false)) => self.header = Header::new(line, &self.column),
            Some((line, true)) => self.skip(line),
            None => {}
        }
        Ok(())
    }

    fn has_fields(&self) -> bool {
        true
    }

    fn has_header_names(&self) -> bool {
        true
    }

    fn field_names(&self, header: Option<&[u8]>, _lines: &[&[u8]]) -> Vec<String> {
        header.map_or(Vec::new(), |header| column_names(names(header).map(|name| (name, Escapes::None))))
    }

    fn line_fields(&self, header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        let header = header.filter(|header| !header.is_empty())?;
        let positions = Positions::in_header(chosen, names(header).map(|name| (name, Escapes::None)));
        Some(Box::new(ChosenColumns { count: names(header).count(), positions }))
    }

    fn names_columns(&self, _number: usize, line: &[u8]) -> bool {
        line.starts_with(FIELDS)
    }

    fn last_header<'c>(&self, chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        let (line, is_too_long) = chunk.last_header(FIELDS, 0, |line| line.starts_with(FIELDS))?;
        Some(if is_too_long { &[] } else { line })
    }

    fn fits(&mut self, line: &[u8]) -> bool {
        let found = self.find(line);
        match self.header {
            Header::Columns { .. } => !matches!(found, Line::Malformed(_) | Line::ColumnCount(_)),
            _ => line.starts_with(b"#separator "),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};
    use crate::grammar::Grammar;

    const ZEEK: &str = include_str!("../../../../corpora/logs/zeek.log");

    #[test]
    fn zeek() {
        let found = case(Format::Zeek).detected(ZEEK).run(ZEEK);
        assert_eq!(texts(&found), ["/a/b?q=1", "/a|b", r#"/c\t\\d"#, "http://www.example.com/e", "/later"]);
        use Malformed::*;
        assert_eq!(reasons(&found), [(13, TooFewColumns), (17, NotInHeader)]);
        assert_eq!((found.sentinels, found.headers, found.count), (2, 13, 22));
        assert_eq!(found.errors, [(10, 62), (11, 62)]);
        let referrers = field(Format::Zeek, "referrer").run(ZEEK);
        assert_eq!(texts(&referrers), ["http://ref.example.org/p q", "http://ref.example.org/r"]);
        assert_eq!(field(Format::Zeek, "Referrer").layout.grammar(), Grammar::Uri);
        assert_eq!(field(Format::Zeek, "URI").layout.grammar(), Grammar::RequestTarget);
        assert_eq!(texts(&field(Format::Zeek, "8").run(ZEEK))[0], "GET");
    }
}
