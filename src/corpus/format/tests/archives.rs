//! WAT files: links with their places, pages and bases, whatever the chunks are.

use super::*;
use crate::derived::{Derivation, Page};

pub(super) const LINKS: &[u8] = include_bytes!("../../../../corpora/logs/links.wat");

/// A record that describes a capture of this page.
fn capture(page: &str, json: &str) -> String {
    let length = json.len();
    let header = format!("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: {page}\r\n");
    format!("{header}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{json}\r\n\r\n")
}

fn of_html(metadata: &str) -> String {
    let way = r#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":"#;
    format!("{way}{metadata}}}}}}}}}")
}

/// What a link is found with.
type Found = (String, Option<(String, Option<String>)>, String, Option<String>);

/// The links of a file, each with its place, its page and its base.
fn links(input: &[u8], chunk_size: usize) -> Vec<Found> {
    let layout = Layout::new(Format::Wat, &LayoutOptions::default()).unwrap();
    let validator = Validator::new(layout.grammar());
    let derivation = Derivation::default();
    let mut links = Vec::new();
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let mut chunk_scanner = ChunkScanner::default();
        let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap();
        let deriver = derivation.deriver(validator).unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let link = |index| {
            let page: Option<Page<'_>> = scanned.page(index);
            let place = scanned.place(index);
            let place = place.map(|(element, attribute)| (element.into(), attribute.map(Into::into)));
            let base = deriver.base(page).map(|base| text(&base));
            (text(scanned.record(index).unwrap()), place, text(page.unwrap().uri), base)
        };
        (0..scanned.len()).map(link).collect::<Vec<Found>>()
    };
    let sink = |found| {
        links.extend(found);
        ControlFlow::<()>::Continue(())
    };
    Scanner::new().chunk_size(chunk_size).layout(layout).scan_slice(input, job, sink).unwrap();
    links
}

#[test]
fn the_links_of_a_sample() {
    let found = case(Format::Wat).detected(LINKS).run(LINKS);
    let expected = [
        "/style.css",
        "//cdn.example/s.js",
        "../up",
        "logo.png?a=1&b=2",
        "https://www.example.com/Annual Report.pdf",
        "img/b.png",
        "/spaces",
        "#top",
        "javascript:alert(\\\"x\\\")",
        "",
        "x",
        "/y",
        "/base/dir/",
        "http://[",
        "z",
        "https://h.example/d\\xc3\\xa9",
        "b%zz",
        "https://h.example/d\\xc3\\xa9",
        "/last",
    ];
    assert_eq!(texts(&found), expected);
    let lines: Vec<_> = LINKS.split(|&byte| byte == b'\n').collect();
    for (line, column, text) in found.records.iter().filter(|(_, _, text)| !text.is_empty()) {
        let there = &lines[*line as usize - 1][*column as usize - 1..];
        assert_eq!(there[0], text.as_bytes()[0], "{text} at {line}:{column}");
    }
    // Requests, an image, a link without URL and one that is null.
    assert_eq!(found.sentinels, 6);
    let malformed: Vec<_> = found.malformed.iter().map(|&(line, _, reason)| (line, reason)).collect();
    let expected = [
        (83, Malformed::NotAString),
        (83, Malformed::BadEscape),
        (93, Malformed::NotAnObject),
        (102, Malformed::NotAnObject),
        (113, Malformed::NotJson),
        (122, Malformed::NotJson),
        (134, Malformed::NoVersion),
        (135, Malformed::NoContentLength),
    ];
    assert_eq!(malformed, expected);
    assert_eq!(found.count, 151);
}

#[test]
fn links_have_places_pages_and_bases() {
    let html = of_html(
        r#"{"Links":[{"path":"A@/href","url":"a"},{"url":"b"},{"path":"STYLE\/#text","href":"c"},{"url":"d","href":"e","path":"X-Y@\/Z"}],
            "Head":{"Base":"\/x\u002fy"}}"#,
    );
    let other = of_html(r#"{"Links":[{"path":"A@/href","url":"f"}],"Head":{}}"#);
    let file = [capture("http://h/1", &html), capture("<http://h/2>", &other)].concat();
    let expected = [
        ("a", Some(("a", Some("href"))), "http://h/1", "http://h/x/y"),
        ("b", None, "http://h/1", "http://h/x/y"),
        ("c", Some(("style", None)), "http://h/1", "http://h/x/y"),
        ("d", Some(("x-y", Some("z"))), "http://h/1", "http://h/x/y"),
        ("/x/y", Some(("base", Some("href"))), "http://h/1", "http://h/1"),
        ("f", Some(("a", Some("href"))), "http://h/2", "http://h/2"),
    ];
    for chunk_size in [1, 50, 1 << 20] {
        let found = links(file.as_bytes(), chunk_size);
        assert_eq!(found.len(), expected.len());
        for ((text, place, page, base), expected) in found.iter().zip(expected) {
            let place = place.as_ref().map(|(element, attribute)| (&**element, attribute.as_deref()));
            assert_eq!((&**text, place, &**page, base.as_deref().unwrap()), expected);
        }
    }
}

#[test]
fn a_base_that_is_none_leaves_the_page() {
    for (page, base, expected) in [
        ("http://h/a/b", "\"../c/\"", "http://h/c/"),
        ("http://h/a/b", "\" \\t//g \"", "http://g"),
        ("http://h/a/b", "\"http://[\"", "http://h/a/b"),
        ("http://h/a/b", "\"\"", "http://h/a/b"),
        ("http://h/a/b", "null", "http://h/a/b"),
        ("http://h/a b", "\"c\"", "http://h/a b"),
    ] {
        let html = of_html(&format!(r#"{{"Links":[{{"url":"x"}}],"Head":{{"Base":{base}}}}}"#));
        let found = links(capture(page, &html).as_bytes(), 1 << 20);
        assert_eq!(found[0].3.as_deref(), Some(expected), "{page} {base}");
    }
}

/// Captures over the limit are malformed where their header is, and others count.
#[test]
fn captures_over_the_limit() {
    let link = |url: &str| capture("http://h/", &of_html(&format!(r#"{{"Links":[{{"url":"{url}"}}]}}"#)));
    let file = [link("a"), link(&"x".repeat(500)), link("b")].concat();
    let found = Case { max_record: 400, ..case(Format::Wat) }.run(&file);
    assert_eq!(texts(&found), ["a", "b"]);
    assert_eq!(reasons(&found), [(9, Malformed::TooLong)]);
    assert_eq!(found.count, file.lines().count() as u64);
    // A header over the limit, and one that the file ends in.
    let header = format!("WARC/1.0\r\nX: {}\r\n\r\n", "x".repeat(500));
    let file = [&link("a"), &header, &link("b"), "WARC/1.0\r\nX: x\r\n"].concat();
    let found = Case { max_record: 400, ..case(Format::Wat) }.run(&file);
    assert_eq!(texts(&found), ["a", "b"]);
    assert_eq!(reasons(&found), [(9, Malformed::TooLong), (20, Malformed::NoContentLength)]);
    // Blocks without a header, of other records, are not looked at, whatever their size.
    let block = "WARC/1.0\n".repeat(100);
    let file =
        format!("WARC/1.0\nWARC-Type: response\nContent-Length: {}\n\n{block}\n\n{}", block.len(), link("c"));
    let found = Case { max_record: 400, ..case(Format::Wat) }.run(&file);
    assert_eq!((texts(&found), found.malformed.len()), (vec!["c"], 0));
}

/// A line end or nothing else follows a block, and a version stands at the start of a line.
#[test]
fn text_between_records_is_no_wat() {
    let link = capture("http://h/", &of_html(r#"{"Links":[{"url":"a"}]}"#));
    let whole = link.trim_end();
    for (file, expected, malformed) in [
        (format!("{whole}junk\r\n{link}"), 2, vec![(7, Malformed::NoVersion)]),
        (format!("{whole}WARC/1.0\r\n{link}"), 2, vec![(7, Malformed::NoVersion)]),
        (format!("{whole}\r\n\r\n\r\n\r\n{link}"), 2, vec![]),
        (
            format!("WARC/\r\nWARC/1\r\n\r\n{link}"),
            1,
            vec![(1, Malformed::NoVersion), (2, Malformed::NoContentLength)],
        ),
        (format!("x\r\nWARC/x\r\n{link}x"), 1, vec![(1, Malformed::NoVersion), (11, Malformed::NoVersion)]),
    ] {
        let found = case(Format::Wat).run(&file);
        assert_eq!((found.records.len(), reasons(&found)), (expected, malformed), "{file}");
    }
}
