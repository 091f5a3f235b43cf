//! Every format with its traps, whatever the chunks are.

use std::ops::ControlFlow;

use proptest::prelude::*;
use proptest::sample::Index;

use self::samples::{SAMPLES, Sample, has_a_record_a_line};
use super::*;
use crate::column::Columns;
use crate::corpus::{ChunkScanner, Scanner};
use crate::grammar::Grammar;
use crate::tools::{WantedLines, copy_lines};
use crate::validator::Validator;

mod archives;
mod documents;
mod edges;
mod html_oracle;
mod keys;
#[cfg(feature = "markdown")]
mod markdown;
mod pages;
mod samples;
mod tables;
mod wrapped;
#[cfg(feature = "xml")]
mod xml;

/// The result of a scan of an input. Lines and columns are counted from 1.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Extracted {
    /// Line, column of the record's first byte, record.
    pub(super) records: Vec<(u64, u64, String)>,
    /// The whole lines of the records.
    pub(super) lines: Vec<u8>,
    pub(super) sentinels: u64,
    pub(super) headers: u64,
    /// Line, length, reason.
    pub(super) malformed: Vec<(u64, u64, Malformed)>,
    pub(super) malformed_columns: Vec<u64>,
    /// The lines of valid records, of invalid ones, and the others.
    pub(super) valid: Vec<u8>,
    /// The lines of valid records, without the trimmed bytes.
    pub(super) trimmed: Vec<u8>,
    pub(super) invalid: Vec<u8>,
    pub(super) rest: Vec<u8>,
    /// Line and column of the offending byte, under the layout's grammar.
    pub(super) errors: Vec<(u64, u64)>,
    pub(super) count: u64,
}

pub(super) struct Case {
    pub(super) layout: Layout,
    pub(super) trim: bool,
    pub(super) max_record: usize,
    /// Whether the scanner has to find out the format itself.
    pub(super) is_detected: bool,
    #[cfg_attr(not(feature = "rayon"), expect(dead_code, reason = "there is one only"))]
    pub(super) threads: usize,
}

impl Case {
    pub(super) fn new(layout: Layout) -> Self {
        Case { layout, trim: false, max_record: Scanner::MAX_RECORD, is_detected: false, threads: 1 }
    }

    pub(super) fn extract_with(
        &self,
        input: &[u8],
        chunk_size: usize,
        is_read: bool,
    ) -> std::io::Result<Extracted> {
        let validator = Validator::new(self.layout.grammar());
        let scanner = Scanner::new().chunk_size(chunk_size).max_record(self.max_record).trim(self.trim);
        let scanner = if self.is_detected {
            scanner.detect_format(LayoutOptions::default())
        } else {
            scanner.layout(self.layout.clone())
        };
        #[cfg(feature = "rayon")]
        let scanner = scanner.threads(self.threads);
        let job = |chunk: &crate::corpus::Chunk<'_>| {
            let mut chunk_scanner = ChunkScanner::default();
            let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap();
            let mut found = Extracted {
                sentinels: scanned.sentinels(),
                headers: scanned.headers(),
                count: scanned.lines(),
                ..Extracted::default()
            };
            for index in 0..scanned.len() {
                let text = scanned.record(index).unwrap().escape_ascii().to_string();
                found.records.push((scanned.line_number(index) + 1, scanned.start_column(index), text));
                found.lines.extend_from_slice(scanned.line(index).unwrap());
                let one_by_one = validator.parse(scanned.record(index).unwrap());
                assert_eq!(scanned.verdict(index).unwrap(), one_by_one, "at once and one by one");
                assert_eq!(scanned.start_column(index), scanned.error_column(index, 0), "{index}");
                if let Err(error) = one_by_one {
                    let column = scanned.error_column(index, error.offset());
                    found.errors.push((scanned.line_number(index) + 1, column));
                }
            }
            found
                .malformed
                .extend(scanned.malformed().iter().map(|line| (line.line + 1, line.length, line.reason)));
            found.malformed_columns.extend(scanned.malformed().iter().map(|line| line.column));
            copy_lines(&scanned, WantedLines::Valid, &mut found.valid);
            copy_lines(&scanned, WantedLines::TrimmedValid, &mut found.trimmed);
            assert!(self.trim || found.trimmed == found.valid);
            copy_lines(&scanned, WantedLines::Invalid(&|_, _| true), &mut found.invalid);
            copy_lines(&scanned, WantedLines::Other, &mut found.rest);
            found
        };
        let mut all = Extracted::default();
        let sink = |mut next: Extracted| {
            let before = all.count;
            all.records
                .extend(next.records.drain(..).map(|(line, column, text)| (before + line, column, text)));
            all.lines.append(&mut next.lines);
            all.sentinels += next.sentinels;
            let malformed = next.malformed.drain(..);
            all.malformed.extend(malformed.map(|(line, length, reason)| (before + line, length, reason)));
            all.malformed_columns.append(&mut next.malformed_columns);
            all.headers += next.headers;
            all.valid.append(&mut next.valid);
            all.trimmed.append(&mut next.trimmed);
            all.invalid.append(&mut next.invalid);
            all.rest.append(&mut next.rest);
            all.errors.extend(next.errors.drain(..).map(|(line, column)| (before + line, column)));
            all.count += next.count;
            ControlFlow::<()>::Continue(())
        };
        if is_read {
            scanner.scan_reader(input, job, sink)?;
        } else {
            scanner.scan_slice(input, job, sink)?;
        }
        Ok(all)
    }

    /// The result of a scan of an input, which must not depend on how it is cut.
    #[track_caller]
    pub(super) fn run(&self, input: impl AsRef<[u8]>) -> Extracted {
        let input = input.as_ref();
        let expected = self.extract_with(input, 1 << 20, false).unwrap();
        for chunk_size in [1, 2, 7, 40, 100, 333] {
            assert_eq!(
                self.extract_with(input, chunk_size, false).unwrap(),
                expected,
                "slice by {chunk_size}"
            );
            assert_eq!(self.extract_with(input, chunk_size, true).unwrap(), expected, "read by {chunk_size}");
        }
        for (threads, chunk_size) in [(2, 40), (8, 7)] {
            let case = Case { layout: self.layout.clone(), threads, ..*self };
            assert_eq!(case.extract_with(input, chunk_size, true).unwrap(), expected, "on {threads} threads");
        }
        expected
    }

    #[track_caller]
    pub(super) fn detected(self, input: impl AsRef<[u8]>) -> Self {
        assert_eq!(Format::detect(input.as_ref()), self.layout.format());
        Case { is_detected: true, ..self }
    }
}

pub(super) fn case(format: Format) -> Case {
    Case::new(Layout::new(format, &LayoutOptions::default()).unwrap())
}

pub(super) fn field(format: Format, name: &str) -> Case {
    Case::new(Layout::new(format, &FieldSelector::Field(name.to_owned()).into()).unwrap())
}

pub(super) fn key(format: Format, name: &str) -> Case {
    Case::new(Layout::new(format, &FieldSelector::Key(name.to_owned()).into()).unwrap())
}

/// The lines that do not fit, and why.
pub(super) fn reasons(found: &Extracted) -> Vec<(u64, Malformed)> {
    found.malformed.iter().map(|&(line, _, reason)| (line, reason)).collect()
}

pub(super) fn texts(found: &Extracted) -> Vec<&str> {
    found.records.iter().map(|(_, _, text)| text.as_str()).collect()
}

const HERITRIX: &str = include_str!("../../../corpora/logs/heritrix.log");

const SQUID: &str = include_str!("../../../corpora/logs/squid.log");

fn warc_record(header: &str, block: &[u8]) -> Vec<u8> {
    let mut record = format!("WARC/1.0\r\n{header}Content-Length: {}\r\n\r\n", block.len()).into_bytes();
    record.extend_from_slice(block);
    record.extend_from_slice(b"\r\n\r\n");
    record
}

#[test]
fn warc() {
    let mut file = include_bytes!("../../../corpora/logs/records.warc").to_vec();
    let sound_lines = file.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let found = case(Format::Warc).detected(&file).run(&file);
    assert_eq!(texts(&found), ["http://example.com/a", "http://example.com/{b}", "http://example.com/c d"]);
    assert_eq!(found.records[0], (10, 18, "http://example.com/a".to_owned()));
    assert_eq!((found.records[1].0, found.records[1].1), (21, 18));
    assert_eq!(found.errors, [(21, 37), (27, 38)]);
    assert!(found.malformed.is_empty());
    assert_eq!(found.count, sound_lines);
    assert!(found.lines.starts_with(b"WARC-Target-URI: http://example.com/a\r\n"));

    file.extend_from_slice(
        b"WARC/1.0\r\nWARC-Target-URI: urn:no-length\r\n\r\nlost\r\nWARC-Target-URI: urn:lost\r\n",
    );
    file.extend(warc_record("WARC-Target-URI: urn:found\r\n", b""));
    file.extend_from_slice(b"garbage\r\nmore garbage\r\n");
    file.extend(warc_record("WARC-Target-URI: urn:again\r\n", b"cut")[..60].to_vec());
    let found = case(Format::Warc).run(&file);
    assert_eq!(texts(&found)[3..], ["urn:no-length", "urn:found", "urn:again"]);
    use Malformed::*;
    assert_eq!(reasons(&found), [(sound_lines + 3, NoContentLength), (sound_lines + 12, NoVersion)]);
}

/// A record of an ARC file, of version 1 unless `more` has the fields of version 2.
fn arc_record(url: &str, more: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!("{url} 192.0.2.1 20260102030405 text/html {more}{length}\n");
    [header.as_bytes(), block, b"\n"].concat()
}

#[test]
fn arc() {
    let found = case(Format::Warc).detected(archives::ARC).run(archives::ARC);
    let expected = [
        "dns:example.com",
        "http://example.com/a",
        "http://example.com/logo.png",
        "http://example.com/b c",
        "http://example.com/{d}",
        "ftp://example.com/page.html",
    ];
    assert_eq!(texts(&found), expected);
    assert_eq!(found.records[1], (9, 1, "http://example.com/a".to_owned()));
    assert_eq!(found.errors, [(28, 21), (34, 20)]);
    assert!(found.malformed.is_empty());
    assert_eq!(found.count, 37);

    // Of version 2, with a block whose length counts the line end, behind records of a WARC file.
    let version = b"2 0 Example\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n\n";
    let fields = "200 fac069150613fe55599cc7fa88aa089d - 209 x.arc ";
    let mut file = warc_record("WARC-Target-URI: urn:warc\r\n", b"");
    file.extend(arc_record("filedesc://x.arc", "200 - - 0 x.arc ", version));
    file.extend(arc_record("http://a/", fields, b"urn:x 192.0.2.1 20260102030405 text/html 3\n\r\n"));
    file.extend(arc_record("http://b/ ", fields, b""));
    file.extend_from_slice(b"garbage\nhttp://c/ 192.0.2.1 2026 text/html 3\nmore\n");
    file.extend(arc_record("http://d/", fields, b"cut"));
    file.truncate(file.len() - 3);
    let found = case(Format::Warc).run(&file);
    assert_eq!(texts(&found), ["urn:warc", "http://a/", "http://b/ ", "http://d/"]);
    assert_eq!(reasons(&found), [(18, Malformed::NoVersion)]);
    assert_eq!(found.count, 22);
    // Lines of that form alone are no ARC file.
    let index = arc_record("http://a/", "", b"");
    assert_ne!(Format::detect(&index.repeat(5)), Format::Warc);
}

#[test]
fn lines_over_the_limit_are_malformed_in_every_format() {
    let long = "x".repeat(500);
    let log = format!("#Version: 1.0\n#Fields: cs-uri\n/a\n/{long}\n/b\n#Fields: a cs-uri\n1 /c\n1 /{long}");
    let found = Case { max_record: 64, ..case(Format::W3c) }.run(&log);
    assert_eq!(texts(&found), ["/a", "/b", "/c"]);
    assert_eq!(reasons(&found), [(4, Malformed::TooLong), (8, Malformed::TooLong)]);

    let mut file = warc_record("WARC-Target-URI: urn:a\r\n", long.as_bytes());
    file.extend(warc_record(&format!("WARC-Target-URI: urn:{long}\r\n"), b""));
    file.extend(warc_record("WARC-Target-URI: urn:b\r\n", b""));
    let found = Case { max_record: 64, ..case(Format::Warc) }.run(&file);
    assert_eq!(texts(&found), ["urn:a", "urn:b"]);
    assert_eq!(reasons(&found), [(8, Malformed::TooLong)]);
}

/// A line of so many bytes.
fn padded(start: &str, len: usize, end: &str) -> String {
    format!("{start}{}{end}", "x".repeat(len - start.len() - end.len()))
}

#[test]
fn headers_over_the_limit_are_malformed_wherever_chunks_end() {
    use Malformed::*;
    let limited = |format| Case { max_record: 64, ..case(format) };
    for (len, is_too_long) in [(64, false), (65, true), (66, true), (67, true), (300, true), (3000, true)] {
        let header = |start: &str, end: &str| padded(start, len, end);
        let too_long = |reasons: &[(u64, Malformed)]| {
            let mut all = vec![(1, TooLong)];
            all.extend_from_slice(reasons);
            if is_too_long { all } else { Vec::new() }
        };
        // Without its header a table has its URIs in the first column.
        for (format, separator) in [(Format::Csv, ","), (Format::Tsv, "\t")] {
            for end in ["\n", "\r\n"] {
                let rows = format!("urn:a{separator}urn:b{end}urn:c{separator}urn:d{end}");
                let table = header("x", &format!("{separator}url")) + end + &rows;
                let found = limited(format).run(&table);
                let expected = if is_too_long { ["urn:a", "urn:c"] } else { ["urn:b", "urn:d"] };
                assert_eq!((texts(&found), reasons(&found)), (expected.to_vec(), too_long(&[])), "{len}");
                assert_eq!(found.malformed.first().map(|line| line.1), is_too_long.then_some(len as u64));
                let named = Case { max_record: 64, ..field(format, "url") };
                for (chunk_size, is_read) in
                    [(1, false), (7, true), (64, true), (100, false), (1 << 20, true)]
                {
                    let found = named.extract_with(table.as_bytes(), chunk_size, is_read);
                    let error = found.err().map(|error| error.to_string());
                    let expected =
                        is_too_long.then(|| "the header line is longer than a record may be".to_owned());
                    assert_eq!(error, expected);
                }
            }
        }
        let log = header("#Fields: cs-uri ", "") + "\n/a y\n";
        let found = limited(Format::W3c).run(&log);
        assert_eq!(reasons(&found), too_long(&[(2, HeaderTooLong)]));
        let later = format!("#Fields: cs-uri\n/a\n{log}#Fields: cs-uri\n/b\n");
        let found = limited(Format::W3c).run(&later);
        assert_eq!(texts(&found), if is_too_long { vec!["/a", "/b"] } else { vec!["/a", "/a", "/b"] });
        let index = header(" CDX a ", "") + "\nurn:a x\n CDX a b\nurn:b x\n";
        let found = limited(Format::Cdx).run(&index);
        assert_eq!(reasons(&found), too_long(&[(2, HeaderTooLong)]));
        assert_eq!(found.headers, if is_too_long { 1 } else { 2 });
    }
}

#[test]
fn warc_lines_over_the_limit_are_as_long_as_they_are() {
    use Malformed::*;
    for len in [64, 65, 66, 67, 200, 999] {
        let is_too_long = len > 64;
        for (name, line) in [
            ("version", padded("WARC/1.0", len, "")),
            ("uri", padded("WARC-Target-URI: urn:", len, "")),
            ("other", padded("WARC-Type: ", len, "")),
            ("length", padded("Content-Length: 3", len, "").replace('x', "0").replace("30", "03")),
        ] {
            let length = if name == "length" { String::new() } else { "Content-Length: 3\r\n".to_owned() };
            let version = if name == "version" { "" } else { "WARC/1.0\r\n" };
            let block = "x".repeat(100);
            let first =
                String::from_utf8(warc_record("WARC-Target-URI: urn:1\r\n", block.as_bytes())).unwrap();
            let last = String::from_utf8(warc_record("WARC-Target-URI: urn:2\r\n", b"\n")).unwrap();
            let file = format!("{first}{version}{line}\r\n{length}\r\nabc\r\n\r\n{last}");
            let found = Case { max_record: 64, ..case(Format::Warc) }.run(&file);
            let number = 7 + u64::from(name != "version");
            let expected = if is_too_long { vec![(number, len as u64, TooLong)] } else { vec![] };
            let is_length_known = name != "length" || is_too_long;
            if is_length_known {
                assert_eq!(found.malformed, expected, "{name} {len}");
            }
            assert_eq!(
                (texts(&found)[0], *texts(&found).last().unwrap()),
                ("urn:1", "urn:2"),
                "{name} {len}"
            );
        }
    }
    // The text after a block on its line.
    let junk = "WARC/1.0\r\nContent-Length: 3\r\n\r\nabcjunk\r\n\r\nWARC/1.0\r\nWARC-Target-URI: urn:a\r\n";
    let found = case(Format::Warc).run(junk);
    assert_eq!((texts(&found), &found.malformed), (vec!["urn:a"], &vec![(4, 4, NoVersion)]));
    let cut = case(Format::Warc).run("WARC/1.0\r\nContent-Length: 3\r\n\r\nabcjunk");
    assert_eq!(cut.malformed, [(4, 4, NoVersion)]);
}

#[test]
fn a_last_line_without_an_end_tells_the_format_too() {
    let line = "192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 2326";
    for log in [line.to_owned(), format!("garbage\n{line}"), format!("\u{FEFF}\n\n{line}")] {
        let found = case(Format::Common).detected(&log).run(&log);
        assert_eq!(texts(&found), ["/a"]);
    }
}

#[test]
fn the_format_is_that_of_most_of_the_first_lines() {
    let log_line = HERITRIX.lines().next().unwrap();
    let log = format!("{log_line}\n").repeat(20);
    let uris = "http://example.com/\n".repeat(5);
    let found = case(Format::Heritrix).detected(format!("{uris}{log}")).run(format!("{uris}{log}"));
    assert_eq!((found.records.len(), found.malformed.len()), (20, 5));
    let mostly_uris = format!("{}{log}", "http://example.com/\n".repeat(30));
    assert_eq!(Format::detect(mostly_uris.as_bytes()), Format::Lines);
    // Lines after the first 200, or after 64 KiB, do not count.
    let late = format!("{}{}", "http://example.com/\n".repeat(200), log.repeat(20));
    assert_eq!(Format::detect(late.as_bytes()), Format::Lines);
    let late = format!("http://example.com/{}\n{log}", "x".repeat(64 << 10));
    assert_eq!(Format::detect(late.as_bytes()), Format::Lines);
    let warc = [uris.as_bytes(), &warc_record("WARC-Target-URI: urn:a\r\n", &b"\n".repeat(20))].concat();
    assert_eq!(Format::detect(&warc), Format::Warc);
}

#[test]
fn lines_are_shared_out_and_each_share_can_be_read_again() {
    // An index without header says by its first lines where its URIs are.
    let of_lines = |sample: &&Sample| {
        has_a_record_a_line(sample.format) && sample.name != "headerless.cdx" || sample.name == "records.warc"
    };
    for &Sample { format, bytes: ref sample, .. } in SAMPLES.iter().filter(of_lines) {
        let case = case(format);
        let found = case.run(sample);
        let (mut valid, mut invalid, mut rest) = (&found.valid[..], &found.invalid[..], &found.rest[..]);
        for line in sample.split_inclusive(|&byte| byte == b'\n') {
            let mut shares = 0;
            for share in [&mut valid, &mut invalid, &mut rest] {
                if let Some(behind) = share.strip_prefix(line) {
                    *share = behind;
                    shares += 1;
                }
            }
            assert!(shares == 1 || shares == 3, "{format}: {}", line.escape_ascii());
        }
        assert_eq!((valid, invalid, rest), (&b""[..], &b""[..], &b""[..]), "{format}");
        if format == Format::Warc {
            continue;
        }
        let headers = found.headers;
        let again = case.run(&found.valid);
        assert_eq!((again.errors.len(), again.malformed.len(), again.headers), (0, 0, headers), "{format}");
        assert_eq!(again.records.len(), found.records.len() - found.errors.len(), "{format}");
        let again = case.run(&found.invalid);
        assert_eq!(
            (again.errors.len(), again.records.len()),
            (found.errors.len(), found.errors.len()),
            "{format}"
        );
        let again = case.run(&found.rest);
        assert_eq!((again.records.len(), again.sentinels), (0, found.sentinels), "{format}");
        assert_eq!(reasons(&again).len(), reasons(&found).len(), "{format}");
    }
}

#[test]
fn a_first_line_is_a_header_only_if_it_names_the_column() {
    let broken = case(Format::Csv).run("broken url\nhttp://example.com/\n");
    assert_eq!(texts(&broken), ["broken url", "http://example.com/"]);
    let with = |name: &str, header| {
        let mut options = LayoutOptions::from(match name {
            "" => FieldSelector::Uri,
            name => FieldSelector::Field(name.to_owned()),
        });
        options.header = header;
        Layout::new(Format::Csv, &options).map(Case::new)
    };
    let table = "a,b,Link\n1,2,urn:c\n";
    assert_eq!(texts(&with("link", HeaderRow::Auto).unwrap().run(table)), ["urn:c"]);
    assert_eq!(texts(&with("3", HeaderRow::Auto).unwrap().run(table)), ["Link", "urn:c"]);
    assert_eq!(texts(&with("3", HeaderRow::Yes).unwrap().run(table)), ["urn:c"]);
    assert_eq!(texts(&with("", HeaderRow::Yes).unwrap().run(table)), ["1"]);
    assert_eq!(texts(&with("", HeaderRow::No).unwrap().run("url\nurn:a\n")), ["url", "urn:a"]);
    assert!(with("link", HeaderRow::No).is_err());
    assert!(with("4", HeaderRow::Yes).unwrap().extract_with(table.as_bytes(), 9, true).is_err());
    assert_eq!(with("link", HeaderRow::Yes).unwrap().run(table).headers, 1);
}

#[test]
fn texts_have_several_uris_a_line() {
    let page = include_str!("../../../corpora/logs/page.html");
    let found = case(Format::Text).run(page);
    let expected = [
        (2, 17, "http://www.example.com/?a=1&b=2"),
        (2, 64, "http://www.example.com/b_(c)"),
        (3, 10, "mailto:a@example.com"),
        (4, 10, "http://www.example.com/{d}"),
        (4, 44, "urn:isbn:0451450523"),
    ];
    let expected: Vec<_> = expected.map(|(line, column, text)| (line, column, text.to_owned())).into();
    assert_eq!((&found.records, found.count), (&expected, 4));
    assert_eq!(found.errors, [(4, 33)]);
    let valid =
        expected.iter().filter(|(_, _, text)| !text.contains('{')).map(|(_, _, text)| format!("{text}\n"));
    assert_eq!(found.valid, valid.collect::<String>().into_bytes());
    assert_eq!((&found.invalid[..], &found.rest[..]), (&b"http://www.example.com/{d}\n"[..], &b""[..]));
    let notes = include_str!("../../../corpora/logs/notes.md");
    let found = case(Format::Text).run(notes);
    let names =
        ["one", "two", "{three}", "4", "5", "six"].map(|name| format!("http://www.example.com/{name}"));
    assert_eq!(texts(&found), names);
    assert_eq!(found.records[4].0, 4);
    // A line over the limit is passed over, and so is a part of it.
    let long = format!("urn:ex:b\n{}http://a.example/\nurn:ex:d", "x".repeat(100));
    let found = Case { max_record: 64, ..case(Format::Text) }.run(&long);
    assert_eq!(
        (texts(&found), reasons(&found)),
        (vec!["urn:ex:b", "urn:ex:d"], vec![(2, Malformed::TooLong)])
    );
}

#[test]
fn cr_before_the_end_of_a_field_stays() {
    let found = case(Format::Csv).run("url,x\n\"urn:a\",\r\nx,urn:b\r\r\n".replace("url,x", "x,url"));
    assert_eq!(texts(&found), ["", r"urn:b\r"]);
    assert_eq!(found.errors[1], (3, 8));
}

#[test]
fn lists_are_lines() {
    for list in [
        "",
        "\n\n",
        "http://example.com/\n",
        "\u{FEFF}http://example.com/,a\nhttp://example.com/,b\n",
        "# a comment\nhttp://example.com/ with spaces\n",
        "www.example.com\nexample.com/a,b\n",
        "Websites, all of them\nhttp://example.com/\n",
        "node:url\n",
        "localhost:8080/x\n",
        "{template}\n",
        "{\"not\": \"closed\"\n",
        "a,b\nc,d\n",
        "GET / HTTP/1.1\n",
        "2026-01-02 http://example.com/\n",
        "no line end",
    ] {
        assert_eq!(Format::detect(list.as_bytes()), Format::Lines, "{list}");
    }
}

#[test]
fn the_first_lines_end_before_one_that_is_too_long() {
    let whole: &[u8] = b"ab\nabc\nab\n";
    assert_eq!(head_of(whole, 4, true), Some(whole));
    assert_eq!(head_of(whole, 3, true), Some(&whole[..3]));
    assert_eq!(head_of(whole, 4, false), None);
    assert_eq!(head_of(b"ab\nabcd", 4, true), Some(&b"ab\nabcd"[..]));
    assert_eq!(head_of(b"ab\nabcd", 3, false), Some(&b"ab\n"[..]));
}

#[test]
fn messages_name_what_a_line_lacks() {
    for (case, log, expected) in [
        (case(Format::Pairs), "a=b\n", "no key \"url\""),
        (case(Format::Jsonl), "{}\n", "no key \"url\""),
        (key(Format::Caddy, "/a/b"), "{}\n", "no key \"a.b\""),
        (case(Format::Cdx), " CDX N b a\nx y urn:a\n CDX N b\nx y\n", "\"a\""),
        (field(Format::W3c, "via"), "#Fields: a via\nx y\n#Fields: a b\nx y\n", "\"via\""),
        (case(Format::W3c), "#Fields: cs-uri\nx\n#Fields: a b\nx y\n", "\"cs-uri-stem or cs-uri\""),
    ] {
        let found = case.extract_with(log.as_bytes(), 1 << 20, false).unwrap();
        let &(line, length, reason) = found.malformed.last().unwrap();
        let line = MalformedLine { line, length, reason, columns: None, column: 1 };
        let message = case.layout.message(&line).to_string();
        assert!(message.ends_with(expected), "{message}");
    }
}

#[test]
fn what_tells_nothing_is_lines() {
    let take = |chunk: &crate::corpus::Chunk<'_>| (chunk.layout().format(), chunk.lines().len());
    for input in [b"x".as_slice(), b"x\ny\nz", &[b'x'; 200]] {
        let scanner = Scanner::new().detect_format(LayoutOptions::default()).chunk_size(2).max_record(100);
        let mut bytes = 0;
        let sink = |(format, len)| {
            assert_eq!(format, Format::Lines);
            bytes += len;
            ControlFlow::<()>::Continue(())
        };
        scanner.scan_reader(input, take, sink).unwrap();
        assert_eq!(bytes, input.len());
    }
}

#[test]
fn what_comes_before_a_failure_is_scanned() {
    struct Failing(&'static [u8]);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Err(std::io::Error::other("gone"));
            }
            std::io::Read::read(&mut self.0, buffer)
        }
    }
    let mut lines = 0;
    let scanner = Scanner::new().detect_format(LayoutOptions::default());
    let result = scanner.scan_reader(
        Failing(b"x\ny\n"),
        |chunk| crate::work::memchr_iter(b'\n', chunk.lines()).count(),
        |count| {
            lines += count;
            ControlFlow::<()>::Continue(())
        },
    );
    assert_eq!((result.unwrap_err().to_string().as_str(), lines), ("gone", 2));
}

#[test]
fn a_field_that_a_detected_format_does_not_have_fails_the_scan() {
    let scanner = Scanner::new().detect_format(FieldSelector::Field("via".to_owned()).into());
    let scan =
        |input: &str| scanner.scan_slice(input.as_bytes(), |_| (), |()| ControlFlow::<()>::Continue(()));
    assert!(scan(HERITRIX).is_ok());
    let expected = "no field via: the format squid has the field uri, and columns by number";
    assert_eq!(scan(SQUID).unwrap_err().to_string(), expected);
}

#[test]
fn fields_that_do_not_exist_are_refused() {
    for (format, name) in [
        (Format::Lines, "1"),
        (Format::Heritrix, "referer"),
        (Format::Heritrix, "0"),
        (Format::Squid, "-1"),
        (Format::Cdx, "a"),
        (Format::Common, "referer"),
        (Format::Combined, "1"),
        (Format::Jsonl, "url"),
        (Format::Warc, "target"),
        (Format::Wat, "target"),
        (Format::Csv, "0"),
    ] {
        let error =
            Layout::new(format, &FieldSelector::Field(name.to_owned()).into()).unwrap_err().to_string();
        assert!(error.contains(format.name()) && error.contains(name), "{error}");
    }
    assert!(Layout::new(Format::Csv, &FieldSelector::Key("url".to_owned()).into()).is_err());
}

/// The bytes that formats are made of, and any other.
fn a_byte() -> impl Strategy<Value = u8> {
    prop_oneof![3 => prop::sample::select(b" \t\n\r\"\\,:-{}[]<>#/x0".as_slice()), 1 => any::<u8>()]
}

/// An edit of a log: place, kind and byte.
fn an_edit() -> impl Strategy<Value = (Index, u8, u8)> {
    (any::<Index>(), 0..6_u8, a_byte())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// Whatever is in a log, each line is one of the four things that it can be, wherever chunks end.
    #[test]
    fn damaged_logs_are_read_the_same_however_they_are_cut(
        sample in any::<Index>(),
        edits in prop::collection::vec(an_edit(), 1..8),
        chunk_size in 1..200_usize,
        trim in any::<bool>(),
        is_detected in any::<bool>(),
    ) {
        let Sample { format, bytes: sample, .. } = &SAMPLES[sample.index(SAMPLES.len())];
        let format = *format;
        let mut log = sample.clone();
        for (at, what, byte) in edits {
            let at = at.index(log.len() + 1);
            match what {
                0 => log.truncate(at.max(log.len() / 2)),
                1 | 2 => log.insert(at, byte),
                3 if at < log.len() => drop(log.remove(at)),
                4 => log.splice(at..at, std::iter::repeat_n(byte, 70)).for_each(drop),
                _ if at < log.len() => log[at] = byte,
                _ => {}
            }
        }
        let format_read = if is_detected { Format::detect(&log) } else { format };
        let has_rows = |read| is_detected && read == Format::Delimited || [read, format].contains(&Format::Csv);
        let has_lines = has_a_record_a_line(format) && has_a_record_a_line(format_read);
        let has_pages = *sample == archives::PAGES || *sample == archives::ARC && chunk_size % 2 == 0;
        let whole = if has_pages { field(format, "links") } else { case(format) };
        let case = Case { trim, is_detected, ..whole };
        let read = |chunk_size, is_read| {
            case.extract_with(&log, chunk_size, is_read).map_err(|error| error.to_string())
        };
        let expected = read(1 << 20, false);
        prop_assert_eq!(&read(chunk_size, false), &expected);
        prop_assert_eq!(&read(chunk_size, true), &expected);
        if let (Ok(found), true) = (expected, has_lines) {
            let known = found.records.len() + found.malformed.len() + found.sentinels as usize;
            let lines = log.split_inclusive(|&byte| byte == b'\n').count();
            prop_assert_eq!(found.count, lines as u64);
            let rows = known as u64 + found.headers;
            // A row of a table may have many lines.
            prop_assert!(rows == lines as u64 || rows < lines as u64 && log.contains(&b'"') && has_rows(format_read));
        }
    }
}
