//! The extended log file format of W3C, written by IIS and content delivery networks.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::log_format::LineFormat;
use crate::corpus::format::lines::options::ColumnSelector;
use crate::corpus::format::lines::tally::{has_pair, tally};
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;
use crate::work::{looked_at, memchr, memchr2};

pub(crate) const ENTRY: Entry = Entry {
    about: "W3C extended log, for example of IIS; field a name in its header, or a number",
    sentinels: "-",
    fields: FieldChoice::Other("the columns of its header, by name or by number", |options| {
        let column = ColumnSelector::new(&options.field)?;
        Some(Arc::new(W3c { column, header: Header::Missing }))
    }),
    #[cfg(test)]
    example: ["#Fields: date cs-method cs-uri-stem cs-uri-query\n", "2026-01-02 GET ", " b=c\n"],
};

/// The lines after a header, and further headers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct W3c {
    column: ColumnSelector,
    header: Header,
}

/// The place of the field according to the last `#Fields` line. Columns are counted from 0.
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
        query: Option<usize>,
    },
}

/// The start of the line that names the columns of the lines after it.
const FIELDS: &[u8] = b"#Fields:";

impl Header {
    /// Returns the facts from a `#Fields` line. Without a selected field, the field is the target of the request: `cs-uri-stem`, with `cs-uri-query`
    /// after a `?` if the log has it, or else `cs-uri`.
    fn new(line: &[u8], wanted: &ColumnSelector) -> Self {
        let names = &line[FIELDS.len()..];
        // The words are not collected, since a line can have very many.
        let words = || QuotedTokens { line: names, at: 0 };
        let position = |wanted: &[u8]| words().position(|word| names[word].eq_ignore_ascii_case(wanted));
        let count = words().count();
        let (field, query) = match wanted {
            ColumnSelector::Name(name) => (position(name), None),
            ColumnSelector::Number(number) => (Some(number - 1).filter(|&column| column < count), None),
            ColumnSelector::Uri => match position(b"cs-uri-stem") {
                Some(stem) => (Some(stem), position(b"cs-uri-query")),
                None => (position(b"cs-uri"), None),
            },
        };
        match field {
            Some(field) => Header::Columns { count, field, query },
            None => Header::Unnamed,
        }
    }
}

impl LineFormat for W3c {
    const IS_STATEFUL: bool = true;

    fn find(&mut self, line: &[u8]) -> Line {
        match line {
            // Some writers put an empty line before a new header.
            [] => Line::Header,
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
                Header::Columns { count, field, query } => columns(line, count, field, query).into(),
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
            ColumnSelector::Name(name) if is_target(name) => Grammar::RequestTarget,
            ColumnSelector::Uri => Grammar::RequestTarget,
            _ => Grammar::Uri,
        }
    }

    fn wanted(&self) -> Option<String> {
        Some(match &self.column {
            ColumnSelector::Uri => "cs-uri-stem or cs-uri".to_owned(),
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
        let is_directive = |name: &[u8]| line.starts_with(name);
        let found = self.find(line);
        match self.header {
            Header::Columns { .. } => !matches!(found, Line::Malformed(_) | Line::ColumnCount(_)),
            _ => is_directive(FIELDS) || is_directive(b"#Version: "),
        }
    }
}

/// Returns true if the column with this name holds the targets of requests.
fn is_target(name: &[u8]) -> bool {
    [b"cs-uri".as_slice(), b"cs-uri-stem"].iter().any(|target| name.eq_ignore_ascii_case(target))
}

fn columns(line: &[u8], count: usize, field: usize, query: Option<usize>) -> Result<Line, Malformed> {
    if is_simple(line, count) {
        let head = nth(line, field);
        let tail = query.map_or(0..0, |query| {
            if query < field {
                return nth(line, query);
            }
            // If a mapped file shrinks meanwhile, the counted spaces can be missing.
            let from = line.len().min(head.end + 1);
            let query = nth(&line[from..], query - field - 1);
            from + query.start..from + query.end
        });
        return Ok(target(line, head, tail));
    }
    let mut words = QuotedTokens { line, at: 0 };
    let (mut head, mut tail) = (0..0, 0..0);
    let mut seen = 0;
    for word in &mut words {
        if seen == field {
            head = word;
        } else if Some(seen) == query {
            tail = word;
        }
        seen += 1;
    }
    if seen != count {
        let is_open = words.is_open();
        return if is_open { Err(Malformed::NoClosingQuote) } else { Ok(Line::column_count(seen, count)) };
    }
    Ok(target(line, head, tail))
}

/// Returns the URI in the column of the field, and in the column of the query if the log has one.
fn target(line: &[u8], mut head: Range<usize>, mut tail: Range<usize>) -> Line {
    let is_absent = |range: &Range<usize>| line[range.clone()] == *b"-";
    if is_absent(&head) {
        return Line::Sentinel;
    }
    if is_absent(&tail) {
        tail = 0..0;
    }
    let mut escapes = Escapes::None;
    for part in [&mut head, &mut tail] {
        if let [b'"', .., b'"'] = line[part.clone()] {
            *part = part.start + 1..part.end - 1;
            if memchr(b'"', &line[part.clone()]).is_some() {
                escapes = Escapes::DoubledQuotes;
            }
        }
    }
    Line::Record(Field { range: head, tail, escapes })
}

/// Returns true if a line has `count` texts with one space between two, and none of them starts with a quote. Nearly all lines do.
#[inline]
fn is_simple(line: &[u8], count: usize) -> bool {
    let (spaces, has_others) = tally(line, b' ', |byte| (byte == b'\t') | (byte == b'"'));
    spaces + 1 == count
        && !has_others
        && !has_pair(line, b' ')
        && !line.starts_with(b" ")
        && !line.ends_with(b" ")
}

/// Returns a text of a simple line, counted from 0.
#[inline]
fn nth(line: &[u8], number: usize) -> Range<usize> {
    let mut start = 0;
    for _ in 0..number {
        start += memchr(b' ', &line[start..]).map_or(line.len() - start, |at| at + 1);
    }
    let rest = &line[start..];
    start..start + memchr(b' ', rest).unwrap_or(rest.len())
}

/// An iterator over the texts between spaces or tabs. A text that starts with a quote ends at the next quote that is not doubled.
struct QuotedTokens<'a> {
    line: &'a [u8],
    at: usize,
}

impl QuotedTokens<'_> {
    /// Returns true if a quoted text has no end.
    fn is_open(&self) -> bool {
        self.at < self.line.len()
    }

    fn quoted_end(&self, start: usize) -> Option<usize> {
        let mut at = start + 1;
        loop {
            at += memchr(b'"', &self.line[at..])? + 1;
            match self.line.get(at) {
                Some(b'"') => at += 1,
                None | Some(b' ' | b'\t') => return Some(at),
                Some(_) => return None,
            }
        }
    }
}

impl Iterator for QuotedTokens<'_> {
    type Item = Range<usize>;

    #[inline]
    fn next(&mut self) -> Option<Range<usize>> {
        let mut start = self.at;
        while let Some(b' ' | b'\t') = self.line.get(start) {
            start += 1;
        }
        looked_at(start - self.at);
        let rest = &self.line[start..];
        if rest.is_empty() {
            self.at = start;
            return None;
        }
        let end = if rest[0] == b'"' {
            self.quoted_end(start)?
        } else {
            start + memchr2(b' ', b'\t', rest).unwrap_or(rest.len())
        };
        self.at = end;
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use crate::corpus::format::tests::{case, field, reasons, texts};
    use crate::corpus::format::{Format, Malformed};
    use crate::grammar::Grammar;

    const W3C: &str = include_str!("../../../../corpora/logs/w3c.log");

    #[test]
    fn w3c() {
        let found = case(Format::W3c).detected(W3C).run(W3C);
        assert_eq!(texts(&found), ["/a?b=[c]", "/a", "/later?q=%zz", "/tab", r#"/quo ted?a\"b"#, "/whole?x"]);
        use Malformed::*;
        assert_eq!(
            reasons(&found),
            [(3, NoHeader), (8, TooManyColumns), (13, NoClosingQuote), (15, NotInHeader)]
        );
        assert_eq!((found.sentinels, found.count), (1, 18));
        // The second error is in the query, which precedes the stem.
        assert_eq!(found.errors, [(5, 21), (10, 4), (12, 24)]);
        assert_eq!(found.records[2], (10, 18, "/later?q=%zz".to_owned()));

        let referer = field(Format::W3c, "cs(referer)").run(W3C);
        assert_eq!((texts(&referer), referer.sentinels), (vec!["http://example.com/"], 2));
        assert_eq!(field(Format::W3c, "cs(Referer)").layout.grammar(), Grammar::Uri);
        assert_eq!(field(Format::W3c, "cs-uri-stem").layout.grammar(), Grammar::RequestTarget);
        assert_eq!(texts(&field(Format::W3c, "3").run(W3C))[..2], ["/a", "/a"]);
    }

    #[test]
    fn w3c_columns_between_single_spaces_and_others() {
        let lines = "\
#Fields: cs-uri-query time cs-uri-stem cs-host
q=1 00:00:00 /a h
- 00:00:00 /b h
q=<  00:00:00 /c h
 q=1 00:00:00 /d
q=1 00:00:00 /d\u{20}
q=1  /d h
q=1 00:00:00\t/e h
q=1 00:00:00 /f \"h\"
q=1 00:00:00 - h
";
        let found = case(Format::W3c).run(lines);
        assert_eq!(texts(&found), ["/a?q=1", "/b", "/c?q=<", "/e?q=1", "/f?q=1"]);
        assert_eq!((found.sentinels, &found.errors), (1, &vec![(4, 3)]));
        let count = Malformed::TooFewColumns;
        assert_eq!(reasons(&found), [(5, count), (6, count), (7, count)]);
        let last = case(Format::W3c).run("#Fields: time cs-uri-stem cs-uri-query\n1 /a q=<\n1 /b -\n");
        assert_eq!((texts(&last), &last.errors), (vec!["/a?q=<", "/b"], &vec![(2, 8)]));
    }

    #[test]
    fn w3c_error_in_a_query_that_stands_elsewhere() {
        let log = "#Fields: cs-uri-query x cs-uri-stem\na=<b x /c\n";
        let found = case(Format::W3c).run(log);
        assert_eq!((texts(&found), &found.errors), (vec!["/c?a=<b"], &vec![(2, 3)]));
    }

    #[test]
    fn cloudfront() {
        let log = include_str!("../../../../corpora/logs/cloudfront.log");
        let found = case(Format::W3c).detected(log).run(log);
        assert_eq!(texts(&found), ["/index.html", "/view?a=b&c=%2520d"]);
        assert_eq!(texts(&field(Format::W3c, "cs(Referer)").run(log)), ["http://www.example.com/{a}"]);
    }
}
