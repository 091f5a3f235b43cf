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
        let names = || line[FIELDS.len()..].split(|&byte| byte == b'\t');
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

/// Returns the record in a line of `count` columns.
fn column(line: &[u8], count: usize, field: usize) -> Result<Line, Malformed> {
    let (tabs, has_escapes) = tally(line, b'\t', |byte| byte == b'\\');
    if tabs + 1 != count {
        return Ok(Line::column_count(tabs + 1, count));
    }
    let mut start = 0;
    for _ in 0..field {
        start += memchr(b'\t', &line[start..]).ok_or(Malformed::Truncated)? + 1;
    }
    let rest = &line[start..];
    let range: Range<usize> = start..start + memchr(b'\t', rest).unwrap_or(rest.len());
    match &line[range.clone()] {
        b"-" | b"(empty)" => Ok(Line::Sentinel),
        text if has_escapes && memchr(b'\\', text).is_some() => Ok(Line::escaped(range, Escapes::Server)),
        _ => Ok(Line::escaped(range, Escapes::None)),
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
