//! Lines, headers and records over the limit.

use super::*;
use crate::corpus::format::kinds::html;
use crate::corpus::format::kinds::html::tokens::PageState;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::fields::{FieldSink, Fields};
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::unescape::Escapes;

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
    assert_eq!(reasons(&found), [(7, Malformed::TooLong)]);
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

/// A header of an archive has a limit as a whole, its block has none.
#[test]
fn headers_of_archives_over_the_limit_are_malformed() {
    use Malformed::*;
    let block = "x".repeat(100);
    let first = String::from_utf8(warc_record("WARC-Target-URI: urn:1\r\n", block.as_bytes())).unwrap();
    let last = String::from_utf8(warc_record("WARC-Target-URI: urn:2\r\n", b"\n")).unwrap();
    for len in (32..70).chain([200, 999]) {
        for (name, line) in [
            ("version", padded("WARC/1.0", len, "")),
            ("uri", padded("WARC-Target-URI: urn:", len, "")),
            ("other", padded("WARC-Type: ", len, "")),
            ("length", padded("Content-Length: ", len, "3").replace('x', "0")),
        ] {
            let length = if name == "length" { "" } else { "Content-Length: 3\r\n" };
            let version = if name == "version" { "" } else { "WARC/1.0\r\n" };
            let header = format!("{version}{line}\r\n{length}\r\n");
            let file = format!("{first}{header}abc\r\n\r\n{last}");
            let found = Case { max_record: 64, ..case(Format::Warc) }.run(&file);
            let expected = if header.len() > 64 { vec![(7, 0, TooLong)] } else { vec![] };
            assert_eq!(found.malformed, expected, "{name} {len}");
            let has_target = name == "uri" && header.len() <= 64;
            assert_eq!(found.records.len(), 2 + usize::from(has_target), "{name} {len}");
            let texts = texts(&found);
            assert_eq!((texts[0], *texts.last().unwrap()), ("urn:1", "urn:2"), "{name} {len}");
        }
    }
    // A version ends a header without an empty line. Nothing depends on the places where chunks end.
    let header = |length: usize| format!("WARC/1.0\n{}\n", padded("WARC-Target-URI: urn:", length, ""));
    let file = header(22) + &header(30) + "Content-Length: 5\n" + &header(40) + &first + &header(25);
    for max_record in (1..130).chain([1000]) {
        for format in [case(Format::Warc), field(Format::Warc, "links")] {
            let has_targets = format.layout.grammar() == Grammar::Uri;
            let found = Case { max_record, ..format }.run(&file);
            if max_record == 1000 {
                let expected = [(1, NoContentLength), (3, NoContentLength), (6, NoContentLength)];
                assert_eq!(reasons(&found), [&expected[..], &[(14, CutOff)]].concat());
                assert_eq!(found.records.len(), if has_targets { 5 } else { 0 });
            }
        }
    }
    // The text after a block on its line.
    let junk = "WARC/1.0\r\nContent-Length: 3\r\n\r\nabcjunk\r\n\r\nWARC/1.0\r\nWARC-Target-URI: urn:a\r\n";
    let found = case(Format::Warc).run(junk);
    assert_eq!((texts(&found), reasons(&found)), (vec!["urn:a"], vec![(4, NoVersion), (6, CutOff)]));
    assert_eq!(found.malformed_columns, [4, 1]);
    let cut = case(Format::Warc).run("WARC/1.0\r\nContent-Length: 3\r\n\r\nabcjunk");
    assert_eq!((reasons(&cut), cut.malformed_columns), (vec![(4, NoVersion)], vec![4]));
}

/// The records of a page can be longer than the page: `&nGt;` has five bytes, and its text six. So a page
/// within the limits could have records beyond offsets of 32 bits.
#[test]
fn records_beyond_the_offsets_are_malformed() {
    let long = "&nGt;".repeat(40);
    let page =
        format!("<a href='{long}'>\n<a href='b'><a href='&amp;{long}'><base href='&amp;'><a href='c'>");
    let raw = [&long, "b", &format!("&amp;{long}"), "&amp;", "c"];
    let urls = raw.map(|url| url.replace("&nGt;", "\u{226B}\u{20D2}").replace("&amp;", "&"));
    let all: usize = urls.iter().map(String::len).sum();
    assert!(all > page.len());
    let chunk = ChunkLines { is_last: true, ..ChunkLines::head(page.as_bytes()) };
    let validator = Validator::new(Grammar::UriReference).with_backend(crate::Backend::Scalar).unwrap();
    for trim in [false, true] {
        for most in (0..=all).chain([2 * all, 1000 * all]) {
            let mut fields = Fields::default();
            fields.begin(&chunk).unwrap();
            let mut sink = FieldSink::new(&mut fields, trim).of_at_most(most);
            let mut sink = DocumentSink::new(&chunk, 0, &mut sink);
            html::links(PageState::default(), chunk.bytes, 0, usize::MAX, true, &mut sink);
            sink.finish();
            let (mut len, mut taken, mut left) = (0, Vec::new(), Vec::new());
            for (url, raw) in urls.iter().zip(raw) {
                let at = page.find(&format!("'{raw}'")).unwrap() + 1;
                let place = page[..at].rsplit('\n').next().unwrap().len() as u64 + 1;
                if len + url.len() <= most {
                    len += url.len();
                    taken.push((url.as_bytes(), place));
                } else {
                    left.push((page[..at].matches('\n').count() as u64, place, Malformed::TooLong));
                }
            }
            let mut batch = crate::Batch::new();
            fields.scan(&validator, Columns::ALL.into(), &mut batch).unwrap();
            let records = (0..batch.len()).map(|index| (fields.record(index), fields.start_column(index)));
            assert_eq!(records.collect::<Vec<_>>(), taken, "{most}");
            let malformed = fields.malformed().iter().map(|line| (line.line, line.column, line.reason));
            assert_eq!(malformed.collect::<Vec<_>>(), left, "{most}");
            let element = |index| fields.element(chunk.bytes, index).unwrap().name;
            let bases = (0..batch.len()).filter(|&index| element(index) == "base").count();
            assert_eq!(bases, taken.iter().filter(|(url, _)| *url == b"&").count());
        }
    }
    // Fields of lines.
    for most in 0..10 {
        let mut fields = Fields::default();
        fields.begin(&ChunkLines::head(b"")).unwrap();
        let mut sink = FieldSink::new(&mut fields, false).of_at_most(most);
        for (line, number) in [(&b"a: urn:b"[..], 0), (b"a: \\u0061?b", 1)] {
            let (range, tail) = if number == 0 { (3..8, 0..0) } else { (3..9, 10..11) };
            let escapes = if number == 0 { Escapes::None } else { Escapes::Json };
            sink.take(Line::Record(Field { range, tail, escapes }), line, 9 * number as usize, number);
        }
        let malformed: Vec<_> = fields.malformed().iter().map(|line| (line.line, line.length)).collect();
        let (whole, first, both): (_, &[u8], &[u8]) = (vec![(0, 8), (1, 11)], b"urn:b", b"urn:ba?b");
        match most {
            0..3 => assert_eq!((malformed, fields.values()), (whole, &b""[..])),
            3..5 => assert_eq!((malformed, fields.values()), (whole[..1].to_vec(), &both[5..])),
            5..8 => assert_eq!((malformed, fields.values()), (whole[1..].to_vec(), first)),
            _ => assert_eq!((malformed, fields.values()), (Vec::new(), both)),
        }
    }
}
