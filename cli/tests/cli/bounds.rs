//! Tests that documents take bounded memory, whatever they hold: a tag, a page or a line with any number of
//! records, and pages that decode to many times their length.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::faults::peak_memory;
use super::{Dir, run};

/// The outputs whose memory depends on the number of records.
const OUTPUTS: [&str; 4] =
    ["--stats", "--emit components --to jsonl", "--emit components --to arrow", "--count path"];

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn warc_record(header: &str, block: &[u8]) -> Vec<u8> {
    let header = format!("WARC/1.0\r\n{header}Content-Length: {}\r\n\r\n", block.len());
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A response with a page. Its body has these codings.
pub(super) fn page(codings: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {codings}\r\n\r\n");
    let header = "WARC-Type: response\r\nWARC-Target-URI: http://h/\r\n";
    warc_record(header, &[head.as_bytes(), body].concat())
}

/// A WAT file with one capture.
fn capture(links: &str) -> Vec<u8> {
    let way = r#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Links":["#;
    let json = format!("{way}{links}{{}}]}}}}}}}}}}");
    warc_record("WARC-Type: metadata\r\nContent-Type: application/json\r\n", json.as_bytes())
}

/// Checks the peak memory of a scan of this file with these outputs.
fn check(options: &str, outputs: &[&str], file: &[u8], most: u64) {
    let dir = Dir::new();
    let path = dir.write("file", file);
    for output in outputs {
        let args = options.split(' ').chain(output.split(' ')).chain(["-j2", path.to_str().unwrap(), "-"]);
        // The pipe has no room for all of standard input, so the writer finishes only after the scan of the
        // file.
        let args: Vec<_> = args.collect();
        let peak = peak_memory(&args, |input| input.write_all(&vec![b'\n'; 1 << 20]).unwrap());
        assert!(peak < most, "{args:?}: {} MiB", peak >> 20);
    }
}

/// The errors of these would take more than a hundred megabytes at once. If most records are invalid, the
/// command tries other ways to read the start of the input.
#[test]
fn a_tag_or_a_page_whose_records_are_all_invalid() {
    let many = |start: &str, part: &str, end: &str| format!("{start}{}{end}", part.repeat(2_000_000));
    let page = page("gzip, gzip", &gzip(&gzip(many("<html>", "<a href='/a b'>", "").as_bytes())));
    for (options, file) in [
        ("--from html", many("<a ping='", "| ", "'>").into_bytes()),
        ("--from html", many("<img srcset='", "|, ", "'>").into_bytes()),
        ("--from wat", capture(&many("", "{\"url\":\"|\"},", ""))),
        ("--from warc --field links", page),
    ] {
        check(options, &["--stats"], &file, 80 << 20);
    }
}

/// All records of these would take more than a hundred megabytes at once.
#[test]
fn a_tag_a_page_or_a_line_with_many_records() {
    let many = |start: &str, part: &str, end: &str| format!("{start}{}{end}", part.repeat(300_000));
    check("--from html", &OUTPUTS, many("<a ping='", "a ", "'>").as_bytes(), 80 << 20);
    let xlink = "<a xmlns:x='http://www.w3.org/1999/xlink' ";
    let page = page("identity", many("<html>", "<a href>", "").as_bytes());
    for (options, file) in [
        ("--from html", many("<img srcset='", "a, ", "'>").into_bytes()),
        ("--from html", many("<p style='", "url()", "'>").into_bytes()),
        ("--from xml", many(xlink, "x:href='' ", "/>").into_bytes()),
        ("--from json", many("[", "\"\",", "0]").into_bytes()),
        ("--from json --key a", many("[", "0,", "0]").into_bytes()),
        ("--from text", many("", "ab:///a ", "").into_bytes()),
        ("--from wat", capture(&many("", "{\"url\":\"\"},", ""))),
        ("--from warc --field links", page),
    ] {
        let output = if options.ends_with("--key a") {
            "--emit errors --to jsonl"
        } else {
            "--emit components --to jsonl"
        };
        check(options, &[output], &file, 80 << 20);
    }
    for text in
        [many("", "[](a) [](b) ", ""), many("|a|\n|-|\n", "|www.a\n|www.b\n", ""), "[".repeat(3 << 20)]
    {
        check("--from markdown", &["--stats"], text.as_bytes(), 110 << 20);
    }
}

/// Pages of some kilobytes that decode to millions of links.
#[test]
fn pages_that_decode_to_many_links() {
    let links = gzip(&b"<a href=x>".repeat(1 << 20));
    let bombs = page("gzip, gzip", &gzip(&links)).repeat(2);
    assert!(bombs.len() < 4096);
    check("--from warc --field links", &["--stats", "--emit components --to jsonl"], &bombs, 96 << 20);
}

/// All records of a document come out once and in order, however many pieces they make.
#[test]
fn pieces_lose_nothing() {
    let words: String = (0..100_000).map(|number| format!("w{number} ")).collect();
    let urls: String = (0..100_000).map(|number| format!("w{number}\n")).collect();
    let page_of = |before: &str, after: &str| format!("<html>{before}<a ping='{words}'>{after}");
    let html = page_of("", "");
    for threads in ["-j1", "-j2"] {
        let found = run(&format!("--from html --emit valid {threads}"), html.as_str());
        assert!(found.stdout == urls.as_bytes());
        for columns in ["uri", "line,uri"] {
            let found = run(
                &format!("--from html --emit components --to csv --columns {columns} {threads}"),
                html.as_str(),
            );
            let lines = found.text();
            let expected =
                urls.lines().map(|url| if columns == "uri" { url.to_owned() } else { format!("1,{url}") });
            assert!(lines.lines().skip(1).eq(expected));
        }
        let stats =
            run(&format!("--from html --stats=json {threads}"), format!("{html}<a href='a b'>").as_str())
                .json();
        let figures = ["records", "valid", "invalid", "bytes"].map(|name| stats[name].as_u64().unwrap());
        assert_eq!(figures, [100_001, 100_000, 1, html.len() as u64 + 14]);
    }
    // The base of a page in an archive counts for the links before it.
    let page = page("identity", page_of("", "<base href='//b/'>").as_bytes());
    let found = run("--from warc --field links --emit components --to csv --columns base", page);
    assert_eq!(found.text().lines().filter(|line| *line == "http://b/").count(), 100_000);
    // The run ends at the first problem, which is in the last piece.
    let broken = page_of("", "<a href='a b'><a href='c d'>");
    let found = run("--from html --fail-fast --stats=json", broken.as_str()).json();
    assert_eq!((&found["records"], &found["invalid"]), (&100_001.into(), &1.into()));
    let found = run("--from html --fail-fast --emit components --to csv --columns uri", broken.as_str());
    assert_eq!((found.status, found.text().lines().last()), (1, Some("a b")));
    // Two grammars differ on a record of the last piece.
    let page = page_of("", "<a href='a b'><a href='http://h/?x[]'>");
    let found =
        run("--from html --also java --emit components --only differing --to csv --columns uri", page);
    assert_eq!(found.text(), "uri\nhttp://h/?x[]\n");
}

/// A block of Markdown with very many marks is read in parts. Code stays code.
#[test]
fn a_markdown_block_with_many_marks_is_read_in_parts() {
    let count = |text: &str| {
        let stats = run("--from markdown --stats=json", text).json();
        ["valid", "invalid", "malformed_lines"].map(|name| stats[name].as_u64().unwrap())
    };
    let lines = |start: &str, line: &str| format!("{start}{}", line.repeat(60_000));
    assert_eq!(count(&lines("", "see [a](/b) and [c](/d)\n")), [120_000, 0, 0]);
    assert_eq!(count(&lines("|a|b|\n|-|-|\n", "| [a](/b) | <http://h/> |\n")), [120_000, 0, 0]);
    assert_eq!(count(&lines("> [a](/b)\n", "> [a](/b) and others\n")), [60_001, 0, 0]);
    for (start, end) in [("```\n", "```\n"), ("<!-- \n", "-->\n"), ("<script>\n", "</script>\n")] {
        let code = lines(start, "see [a](/b) and <http://h/>\n\n") + end;
        assert_eq!(count(&(code.clone() + "\n[a](/b)\n")), [1, 0, 0], "{start}");
        assert_eq!(count(&code), [0, 0, 0], "{start}");
    }
    // Definitions follow code that has ended.
    assert_eq!(count(&lines("```\n[a](/b)\n```\n\n", "[a]: http://h/ 'a b c'\n")), [60_000, 0, 0]);
    // The rest of an item is not read, which is reported.
    let item = lines("- [a](/b)\n", "  [a](/b) and others\n");
    let [valid, invalid, malformed] = count(&format!("{item}\n\nlast [a](/b)\n"));
    assert!(valid > 10_000 && valid < 60_000 && (invalid, malformed) == (0, 1), "{valid}");
}
