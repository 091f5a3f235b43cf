//! Tests every log format, and the detection of formats, with any bytes on all ways into the corpus reader.
//! With any chunks and threads, each line must be the same: a record, a sentinel, a header, malformed, or
//! skipped. Every byte of a record must have a place in its line.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::fuzz_target;
use urivalidate::corpus::{
    Chunk, ChunkScanner, FieldSelector, Format, Layout, LayoutOptions, Scanner, WantedLines, Wrapper,
};
use urivalidate::{Columns, ErrorKind, Validator};
use urivalidate_fuzz::knobs::Knobs;
use urivalidate_fuzz::ways::{self, From};

/// The result of a scan for a record.
#[derive(Debug, PartialEq)]
struct Record {
    line: u64,
    bytes: Vec<u8>,
    /// The column of each byte, and of the end.
    columns: Vec<u64>,
    /// The offset of the error of an invalid record.
    error: Option<usize>,
}

/// The result of a scan for the lines of an input.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    lines: u64,
    sentinels: u64,
    without_key: u64,
    headers: u64,
    records: Vec<Record>,
    malformed: Vec<(u64, u64, u64, String)>,
    /// The lines of valid records, the lines of invalid records, and the lines without a record.
    shares: [Vec<u8>; 3],
}

thread_local! {
    /// The scanner is reused, so data that a chunk leaves in it could affect the next chunk.
    static CHUNK_SCANNER: RefCell<ChunkScanner> = RefCell::default();
}

/// Whether records come from documents, whose lines do not matter.
fn has_documents(layout: &Layout) -> bool {
    layout.has_pages()
        || matches!(
            layout.format(),
            Format::Asciidoc
                | Format::Json
                | Format::Har
                | Format::Html
                | Format::Mail
                | Format::Markdown
                | Format::Mdx
                | Format::Nt
                | Format::Quarto
                | Format::Rst
                | Format::Xml
        )
}

fn look(chunk: &Chunk<'_>) -> (Format, bool, Seen) {
    CHUNK_SCANNER.with_borrow_mut(|chunk_scanner| look_with(chunk_scanner, chunk))
}

fn look_with(chunk_scanner: &mut ChunkScanner, chunk: &Chunk<'_>) -> (Format, bool, Seen) {
    let validator = Validator::new(chunk.layout().grammar());
    let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).expect("memory");
    let before = chunk.first_line().expect("lines are numbered") - 1;
    let mut seen = Seen {
        lines: scanned.lines(),
        sentinels: scanned.sentinels(),
        without_key: scanned.without_key(),
        headers: scanned.headers(),
        ..Seen::default()
    };
    scanned.copy_lines(WantedLines::Valid, &mut seen.shares[0]);
    scanned.copy_lines(WantedLines::Invalid(&|_, _| true), &mut seen.shares[1]);
    scanned.copy_lines(WantedLines::Other, &mut seen.shares[2]);
    for index in 0..scanned.len() {
        let bytes = scanned.record(index).unwrap();
        // Only lists have records over the limit, which need not be completely in memory.
        let error = scanned.error(index);
        let is_whole = error.is_none_or(|error| error.kind() != ErrorKind::RecordTooLong);
        let is_list = chunk.layout().format() == Format::Lines;
        assert!(is_list || is_whole && scanned.length(index).unwrap() == bytes.len() as u64);
        if !is_list {
            assert_eq!(scanned.verdict(index).unwrap(), validator.parse(bytes), "{}", bytes.escape_ascii());
            assert_eq!(scanned.verdict(index).unwrap().err(), error);
        }
        let line = scanned.line(index).unwrap();
        let column = |offset| scanned.error_column(index, offset).unwrap();
        let columns: Vec<u64> = (0..=bytes.len()).map(column).collect();
        if is_whole {
            let mark = if before == 0 && scanned.line_number(index) == Some(0) { 3 } else { 0 };
            // In a W3C log, the query may come before the path.
            let falls = columns.windows(2).filter(|pair| pair[0] > pair[1]).count();
            let allowed = usize::from(chunk.layout().format() == Format::W3c);
            assert!(falls <= allowed, "{columns:?} in {}", line.escape_ascii());
            // In a document, `line` is the record, and the real line may have any length.
            let columns_of_line = 1..=line.len() as u64 + 1 + mark;
            assert!(
                has_documents(chunk.layout())
                    || columns.iter().all(|column| columns_of_line.contains(column)),
                "{columns:?}"
            );
            assert_eq!(scanned.start_column(index), Some(columns[0]), "{}", line.escape_ascii());
        }
        seen.records.push(Record {
            line: before + scanned.line_number(index).unwrap(),
            bytes: bytes.to_vec(),
            columns,
            error: error.map(|error| error.offset()),
        });
    }
    let malformed = scanned.malformed().iter();
    seen.malformed = malformed
        .map(|line| (before + line.line, line.column, line.length, line.reason.name().to_owned()))
        .collect();
    (chunk.layout().format(), has_documents(chunk.layout()), seen)
}

impl Seen {
    fn extend(&mut self, other: Seen) {
        self.lines += other.lines;
        self.sentinels += other.sentinels;
        self.without_key += other.without_key;
        self.headers += other.headers;
        self.records.extend(other.records);
        self.malformed.extend(other.malformed);
        for (share, other) in self.shares.iter_mut().zip(other.shares) {
            share.extend(other);
        }
    }

    /// Asserts that the results of a whole input have each line exactly once.
    fn check(&self, format: Format, has_documents: bool, text: &[u8]) {
        let ends = |text: &[u8]| text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert_eq!(self.lines, ends(text) + u64::from(!text.is_empty() && !text.ends_with(b"\n")));
        // In text and documents, a line can have any number of records. Most lines of a WARC file are not
        // examined.
        if format == Format::Text || has_documents {
            return;
        }
        let known = self.records.len() as u64
            + self.sentinels
            + self.without_key
            + self.headers
            + self.malformed.len() as u64;
        // A row of a table may have several lines.
        let has_rows = matches!(format, Format::Csv | Format::Delimited);
        if format == Format::Warc || has_rows {
            assert!(known <= self.lines, "{self:?}");
        } else {
            assert_eq!(known, self.lines, "{self:?}");
        }
        // Each share has the headers. The last line may lack its end.
        let more = self.shares.iter().map(|share| ends(share)).sum::<u64>() - ends(text);
        let is_last_open = !text.ends_with(b"\n");
        let headers = if has_rows { self.headers.max(more.div_ceil(2)) } else { self.headers };
        assert!(more == 2 * headers || is_last_open && more + 2 == 2 * headers, "{self:?}");
    }
}

fn options(choice: u8) -> LayoutOptions {
    let mut options = LayoutOptions::from(match choice {
        0 => FieldSelector::Uri,
        1 => FieldSelector::Field("2".to_owned()),
        2 => FieldSelector::Field("referer".to_owned()),
        3 => FieldSelector::Field("url".to_owned()),
        4 => FieldSelector::Key("a.b".to_owned()),
        5 => FieldSelector::Field("links".to_owned()),
        _ => FieldSelector::Key("url".to_owned()),
    });
    options.delimiter = Some(b'|');
    options.pattern = Some(r"to=(?<uri>\S*)".parse().expect("a regular expression"));
    options
}

/// The layout for a choice: a format and its field, or a wrapper of lines whose format is detected.
fn layout(choice: u8) -> Result<Layout, LayoutOptions> {
    let field = choice / (Format::ALL.len() as u8 + 1);
    let Some(&format) = Format::ALL.get(usize::from(choice) % (Format::ALL.len() + 1)) else {
        let mut options = options(0);
        options.wrapper = usize::from(field).checked_sub(1).and_then(|at| Wrapper::ALL.get(at).copied());
        return Err(options);
    };
    let layout = Layout::new(format, &options(field % 7));
    Ok(layout.unwrap_or_else(|_| Layout::new(format, &options(0)).expect("all have a field of URIs")))
}

fuzz_target!(|input: &[u8]| {
    let (knobs, input) = Knobs::split(input);
    let knobs = Knobs { terminator: b'\n', ..knobs };
    let layout = layout(knobs.choice);
    let text = input.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(input);
    // The index is whether bytes come slowly. If they do, the format is detected from fewer lines.
    let mut first: [Option<(Seen, Option<String>)>; 2] = [None, None];
    let format = |scanner: Scanner| match &layout {
        Ok(layout) => scanner.layout(layout.clone()),
        Err(options) => scanner.detect_format(options.clone()),
    };
    ways::each_with(knobs, format, |way| {
        // If the stream breaks, the part of a record before the error is a record that the other ways do not
        // have.
        if way.decompresses(input) || way.from == From::Broken {
            return;
        }
        let found = way.scan(input, look);
        if found.is_refused() {
            return;
        }
        let mut seen = Seen::default();
        let mut format = None;
        for (part_format, has_documents, part) in found.values {
            let part_format = (part_format, has_documents);
            assert!(format.is_none_or(|format| format == part_format));
            format = Some(part_format);
            seen.extend(part);
        }
        let end = found.end.expect("it is never enough").err().map(|error| error.to_string());
        if let (Some((format, has_documents)), None) = (format, &end) {
            seen.check(format, has_documents, text);
        }
        let seen = (seen, end);
        match &mut first[usize::from(way.from == From::Stream)] {
            first @ None => *first = Some(seen),
            Some(first) => assert_eq!(&seen, first, "{way:?}, {layout:?}"),
        }
    });
});
