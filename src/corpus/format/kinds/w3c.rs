//! The extended log file format of W3C, written by IIS, proxies and content delivery networks.
//!
//! A field in quotes is what its quotes enclose, so `"-"` is a sentinel like `-`. Blue Coat's proxies split
//! the URI in other parts than IIS: their `cs-uri-path` takes the place of `cs-uri-stem`, and their
//! `cs-uri-query` starts with the question mark. The lines of CloudFront are known without a header by their
//! first columns.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::line_fields::{LineFields, Place, Positions, column_names};
use crate::corpus::format::lines::log_format::{LineFormat, lines};
use crate::corpus::format::lines::options::ColumnSelector;
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::format::lines::words::{ByteMarks, has_shape};
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
        /// Whether the text of the query has the question mark.
        has_mark: bool,
    },
}

/// The columns of CloudFront's standard logs. Older logs lack the last ones.
const CLOUDFRONT: &[u8] = b"#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) \
    cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken \
    x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port \
    time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end";

/// The start of the line that names the columns of the lines after it.
const FIELDS: &[u8] = b"#Fields:";

impl Header {
    /// Returns the facts from a `#Fields` line. Without a selected field, the field is the target of the
    /// request: `cs-uri-stem`, with `cs-uri-query` after a `?` if the log has it, or else `cs-uri`, or else
    /// `cs-uri-path` with `cs-uri-query`.
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
                None => match position(b"cs-uri") {
                    Some(uri) => (Some(uri), None),
                    None => (position(b"cs-uri-path"), position(b"cs-uri-query")),
                },
            },
        };
        let has_mark =
            [b"cs-uri-path".as_slice(), b"cs-uri-extension"].iter().any(|name| position(name).is_some());
        match field {
            Some(field) => Header::Columns { count, field, query, has_mark },
            None => Header::Unnamed,
        }
    }

    /// Returns the facts about a log of CloudFront, if these first lines are of such a log and have no
    /// header.
    fn of_cloudfront(head: &[u8], wanted: &ColumnSelector) -> Option<Self> {
        if lines(head).any(|line| line.starts_with(FIELDS)) {
            return None;
        }
        let line = lines(head).find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
        looked_at(line.len());
        let mut columns = line.split(|&byte| byte == b'\t');
        let number_of_columns = columns.clone().count();
        let has_time = columns.next().is_some_and(|date| has_shape(date, b"0000-00-00") && date.len() == 10)
            && columns.next().is_some_and(|time| has_shape(time, b"00:00:00") && time.len() == 8);
        let has_path = columns.nth(5).is_some_and(|path| path.starts_with(b"/"));
        let has_status =
            columns.next().is_some_and(|status| status.len() == 3 && status.iter().all(u8::is_ascii_digit));
        // The query is the twelfth column.
        if !(has_time && has_path && has_status && number_of_columns >= 12) {
            return None;
        }
        match Header::new(CLOUDFRONT, wanted) {
            Header::Columns { field, query, has_mark, .. } => {
                Some(Header::Columns { count: number_of_columns, field, query, has_mark })
            }
            other => Some(other),
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
                Header::Columns { count, field, query, has_mark } => {
                    columns(line, count, field, query, has_mark).into()
                }
            },
        }
    }

    fn start(&mut self, head: &[u8]) {
        if let Some(header) = Header::of_cloudfront(head, &self.column) {
            self.header = header;
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

    fn has_fields(&self) -> bool {
        true
    }

    fn has_header_names(&self) -> bool {
        true
    }

    fn field_names(&self, header: Option<&[u8]>, _lines: &[&[u8]]) -> Vec<String> {
        let (header, count) = self.names_of(header);
        column_names(names(header).take(count).map(|name| (name, Escapes::None)))
    }

    fn line_fields(&self, header: Option<&[u8]>, chosen: &[&str]) -> Option<Box<dyn LineFields>> {
        let (header, count) = self.names_of(header);
        if header.is_empty() {
            return None;
        }
        let positions = Positions::in_header(chosen, names(header).map(|name| (name, Escapes::None)));
        let count = if count == usize::MAX { names(header).count() } else { count };
        Some(Box::new(ChosenColumns { count, positions }))
    }

    fn names_columns(&self, _number: usize, line: &[u8]) -> bool {
        line.starts_with(FIELDS)
    }

    fn last_header<'c>(&self, chunk: &ChunkLines<'c>) -> Option<&'c [u8]> {
        let (line, is_too_long) = chunk.last_header(FIELDS, 0, |line| line.starts_with(FIELDS))?;
        Some(if is_too_long { &[] } else { line })
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

impl W3c {
    /// Returns the line that names the columns, and the most columns that it names. It is empty without a
    /// header, unless the log is one of CloudFront.
    fn names_of<'h>(&self, header: Option<&'h [u8]>) -> (&'h [u8], usize) {
        match (header, self.header) {
            (Some(header), _) => (header, usize::MAX),
            (None, Header::Columns { count, .. }) => (CLOUDFRONT, count),
            (None, _) => (&[], usize::MAX),
        }
    }
}

/// Returns the names in a `#Fields` line.
fn names(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let names = line.get(FIELDS.len()..).unwrap_or_default();
    QuotedTokens { line: names, at: 0 }.map(|word| &names[word])
}

/// Finds chosen columns of lines.
#[derive(Debug)]
struct ChosenColumns {
    count: usize,
    positions: Positions,
}

impl LineFields for ChosenColumns {
    fn cut(&mut self, line: &[u8], places: &mut [Option<Place>]) {
        let mut chosen = self.positions.in_order();
        let mut seen = 0;
        for word in (QuotedTokens { line, at: 0 }) {
            chosen.take(places, seen, || match target(line, word, 0..0, false) {
                Line::Record(field) => Some((field.range, field.escapes)),
                _ => None,
            });
            seen += 1;
        }
        if seen != self.count {
            places.fill(None);
        }
    }

    fn missing(&self) -> &[usize] {
        self.positions.missing()
    }
}

/// Returns true if the column with this name holds the targets of requests.
fn is_target(name: &[u8]) -> bool {
    [b"cs-uri".as_slice(), b"cs-uri-stem", b"cs-uri-path"]
        .iter()
        .any(|target| name.eq_ignore_ascii_case(target))
}

fn columns(
    line: &[u8],
    count: usize,
    field: usize,
    query: Option<usize>,
    has_mark: bool,
) -> Result<Line, Malformed> {
    let spaces = ByteMarks::of(line, b' ');
    if spaces.are_between(count) && memchr2(b'\t', b'"', line).is_none() {
        let tail = query.map_or(0..0, |query| spaces.nth(query));
        return Ok(target(line, spaces.nth(field), tail, has_mark));
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
    Ok(target(line, head, tail, has_mark))
}

/// Returns the URI in the column of the field, and in the column of the query if the log has one. `has_mark`
/// is true if the question mark belongs to the query.
fn target(line: &[u8], mut head: Range<usize>, mut tail: Range<usize>, has_mark: bool) -> Line {
    let mut escapes = Escapes::None;
    for part in [&mut head, &mut tail] {
        if let [b'"', .., b'"'] = line[part.clone()] {
            *part = part.start + 1..part.end - 1;
            if memchr(b'"', &line[part.clone()]).is_some() {
                escapes = Escapes::DoubledQuotes;
            }
        }
    }
    let is_absent = |range: &Range<usize>| line[range.clone()] == *b"-";
    if is_absent(&head) {
        return Line::Sentinel;
    }
    if is_absent(&tail) {
        tail = 0..0;
    } else if has_mark && line[tail.clone()].starts_with(b"?") {
        tail.start += 1;
    }
    Line::Record(Field { range: head, tail, escapes })
}

/// An iterator over the texts between spaces or tabs. A text that starts with a quote ends at the next quote
/// that is not doubled.
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
    fn a_sentinel_in_quotes_is_one() {
        let log = "\
#Fields: date cs-uri-stem cs-uri-query cs(Referer)
1\t\"/a\"\t\"-\"\t\"-\"
2\t\"/b\"\t\"c=d\"\t\"https://ref.example/a b\"
3\t\"-\"\t\"-\"\thttps://ref.example/
";
        let found = case(Format::W3c).detected(log).run(log);
        assert_eq!((texts(&found), found.sentinels), (vec!["/a", "/b?c=d"], 1));
        let referers = field(Format::W3c, "cs(Referer)").run(log);
        assert_eq!(texts(&referers), ["https://ref.example/a b", "https://ref.example/"]);
        assert_eq!((referers.sentinels, referers.errors), (1, vec![(3, 36)]));
    }

    #[test]
    fn the_parts_of_blue_coat() {
        let log = "\
#Software: SGOS 6.7.4
#Fields: date cs-method cs-uri-scheme cs-host cs-uri-port cs-uri-path cs-uri-query cs-uri-extension
2026-01-02 GET http www.example.com 80 /a ?b=[c] -
2026-01-02 GET http www.example.com 80 /a.js - js
2026-01-02 CONNECT tcp www.example.com 443 - - -
";
        let found = case(Format::W3c).detected(log).run(log);
        assert_eq!((texts(&found), found.sentinels), (vec!["/a?b=[c]", "/a.js"], 1));
        assert_eq!(found.errors, [(3, 46)]);
        let stem = log.replace("cs-uri-path", "cs-uri-stem").replace(" /a", " http://www.example.com/a");
        let found = case(Format::W3c).run(stem);
        assert_eq!(texts(&found), ["http://www.example.com/a?b=[c]", "http://www.example.com/a.js"]);
        // Of IIS, a question mark at the start of the query is a second one.
        let found = case(Format::W3c).run("#Fields: cs-uri-stem cs-uri-query\n/a ?b\n");
        assert_eq!(texts(&found), ["/a??b"]);
    }

    #[test]
    fn cloudfront_without_header() {
        let log = include_str!("../../../../corpora/logs/cloudfront.log");
        let headless: String = log.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
        let found = case(Format::W3c).detected(&headless).run(&headless);
        assert_eq!((texts(&found), reasons(&found)), (vec!["/index.html", "/view?a=b&c=%2520d"], vec![]));
        let referers = field(Format::W3c, "cs(Referer)").run(&headless);
        assert_eq!(texts(&referers), ["http://www.example.com/{a}"]);
        let other = headless.replace("/index.html", "index.html");
        assert_eq!(reasons(&case(Format::W3c).run(other)).len(), 2);
    }

    #[test]
    fn cloudfront() {
        let log = include_str!("../../../../corpora/logs/cloudfront.log");
        let found = case(Format::W3c).detected(log).run(log);
        assert_eq!(texts(&found), ["/index.html", "/view?a=b&c=%2520d"]);
        assert_eq!(texts(&field(Format::W3c, "cs(Referer)").run(log)), ["http://www.example.com/{a}"]);
    }
}
