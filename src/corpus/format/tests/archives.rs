//! WAT files, and the pages of WARC files: links with their places, pages and bases, whatever the chunks are.

use super::*;
use crate::derived::{Derivation, Page};

pub(super) const LINKS: &[u8] = include_bytes!("../../../../corpora/logs/links.wat");

pub(super) const PAGES: &[u8] = include_bytes!("../../../../corpora/logs/pages.warc");

/// Its bytes are read as records and as pages.
pub(super) const ARC: &[u8] = include_bytes!("../../../../corpora/logs/records.arc");

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

/// A link, its place, its page and its base.
type Found = (String, Option<(String, Option<String>)>, String, Option<String>);

/// The links of a WAT file, each with its place, its page and its base.
fn links(input: &[u8], chunk_size: usize) -> Vec<Found> {
    links_by(case(Format::Wat).layout, input, chunk_size)
}

/// The links, which must not depend on the pieces of chunks.
fn links_by(layout: Layout, input: &[u8], chunk_size: usize) -> Vec<Found> {
    let [links, in_pieces] = [usize::MAX, 2].map(|records| {
        let scanner = Scanner::new().chunk_size(chunk_size).chunk_lines(records);
        links_of_pieces(&scanner.layout(layout.clone()), layout.grammar(), input)
    });
    assert_eq!(in_pieces, links, "{chunk_size}");
    links
}

fn links_of_pieces(scanner: &Scanner, grammar: Grammar, input: &[u8]) -> Vec<Found> {
    let validator = Validator::new(grammar);
    let derivation = Derivation::default();
    let mut links = Vec::new();
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let mut found = Vec::<Found>::new();
        let deriver = derivation.deriver(validator).unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let flow = ChunkScanner::default().scan_pieces(chunk, &validator, Columns::ALL, |scanned| {
            found.extend((0..scanned.len()).map(|index| {
                let page: Option<Page<'_>> = scanned.page(index);
                let element = scanned.element(index);
                let place = element.map(|element| (element.name.into(), element.attribute.map(Into::into)));
                let base = deriver.base(page).map(|base| text(&base));
                (text(scanned.record(index).unwrap()), place, text(page.unwrap().uri.unwrap()), base)
            }));
            ControlFlow::<()>::Continue(())
        });
        assert!(flow.unwrap().is_continue());
        found
    };
    let sink = |found| {
        links.extend(found);
        ControlFlow::<()>::Continue(())
    };
    scanner.scan_slice(input, job, sink).unwrap();
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
    assert_eq!(reasons(&found), [(9, Malformed::TooLong), (20, Malformed::CutOff)]);
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

fn pages() -> Case {
    field(Format::Warc, "links")
}

/// A response with this header, and a body.
fn response(header: &str, body: &[u8]) -> Vec<u8> {
    let block = [format!("HTTP/1.1 200 OK\r\n{header}\r\n").as_bytes(), body].concat();
    warc_record("WARC-Type: response\r\nWARC-Target-URI: http://h/\r\n", &block)
}

#[test]
#[cfg(feature = "gzip")]
fn the_pages_of_a_sample() {
    let found = pages().run(PAGES);
    let texts = texts(&found);
    assert_eq!(texts[..5], ["before", "/base/", "/no/", "after it", "b.png"]);
    let (names, last) = texts[5..].split_at(13 * 4);
    let expected = [
        "chunked",
        "no-chunks",
        "gzip",
        "deflate",
        "raw-deflate",
        "all",
        "decoded-before",
        &"cut".repeat(30),
        "utf-16",
        "utf-16be",
        "no-type",
        "no-head",
        "resource",
    ];
    for (links, name) in names.chunks(4).zip(expected) {
        assert_eq!(links, [&format!("{name}/a?x=1&y=2"), &format!("/{name}.png"), "s.png", "l.png"]);
    }
    assert_eq!(last, ["one"]);
    // Decoded links have the line of their record, and no column.
    let lines: Vec<_> = PAGES.split(|&byte| byte == b'\n').collect();
    for (line, column, text) in &found.records {
        let there = &lines[*line as usize - 1][*column as usize - 1..];
        let start = if *column == 1 { b"WARC" } else { &text.as_bytes()[..1] };
        assert!(there.starts_with(start), "{text} at {line}:{column}");
    }
    assert_eq!((found.sentinels, found.count), (2, 318));
    let expected = [(173, Malformed::NotDecoded), (187, Malformed::NotDecoded), (316, Malformed::UnendedTag)];
    assert_eq!(reasons(&found), expected);
    let found = links_by(pages().layout, PAGES, 100);
    let bases: Vec<_> = found[..6].iter().map(|(_, _, _, base)| base.as_deref().unwrap()).collect();
    let (page, base) = ("http://h.example/dir/page", "http://h.example/base/");
    assert_eq!(bases, [base, page, page, base, base, page]);
    assert!(found.iter().any(|(_, _, page, _)| page == "http://h.example/resource"));
}

#[test]
fn the_pages_of_an_arc_file() {
    let found = pages().run(ARC);
    assert_eq!(texts(&found), ["b?c=d", "/e f", "logo.png", "//example.org/x"]);
    assert_eq!(found.records[1], (16, 32, "/e f".to_owned()));
    // Answers of DNS, an image, a page without links, and a block of nothing that has no media type.
    assert_eq!((found.sentinels, found.count), (3, 37));
    assert!(found.malformed.is_empty());
    let found = links_by(pages().layout, ARC, 60);
    let pages_of: Vec<_> = found.iter().map(|(_, _, page, _)| page.as_str()).collect();
    assert_eq!(pages_of[2..], ["http://example.com/a", "ftp://example.com/page.html"]);

    // Lines that are no header, and a header over the limit.
    let link = arc_record("http://h/", "", b"<html><a href=a>");
    let header = arc_record(&format!("http://h/{}", "x".repeat(500)), "", b"");
    let file = [&link[..], b"junk\n", &link, &header, b"x 1 2 3\n", &header, &link].concat();
    let found = Case { max_record: 400, ..pages() }.run(&file);
    assert_eq!(texts(&found), ["a", "a", "a"]);
    assert_eq!(reasons(&found), [(3, Malformed::NoVersion), (6, Malformed::NoVersion)]);
}

/// A page that is longer than a record may be once it is decoded is malformed, whatever it is encoded in.
#[test]
#[cfg(feature = "gzip")]
fn decoded_pages_over_the_limit() {
    let case = Case { max_record: 300, ..pages() };
    let html = |len: usize| format!("<a href=x>{}", " ".repeat(len - 10));
    for (len, count) in [(300, 1), (301, 0), (100_000, 0)] {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        std::io::Write::write_all(&mut encoder, html(len).as_bytes()).unwrap();
        let body = encoder.finish().unwrap();
        let file = response("Content-Type: text/html\r\nContent-Encoding: gzip\r\n", &body);
        let found = case.run(&file);
        assert_eq!((found.records.len(), found.malformed.len()), (count, 1 - count), "{len}");
        assert!(found.malformed.iter().all(|&(line, _, reason)| (line, reason) == (1, Malformed::TooLong)));
    }
}

/// A page that is too long to be held in memory is read twice, since its base counts for the links before the
/// base, too.
#[test]
#[cfg(feature = "gzip")]
fn long_decoded_pages_have_all_links_and_their_base() {
    let gzip = |body: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, body).unwrap();
        encoder.finish().unwrap()
    };
    let link = |number: usize| format!("<a title='{}' href='/{number}'>\n", " ".repeat(20_000));
    let before: String = (0..150).map(link).collect();
    let long_tag = format!("<a title='{}' href='long'>", "x".repeat(1_600_000));
    let page = format!("<html>\u{e4}{before}<base href='//b/c/'>{long_tag}<base href='//no/'><a href='last");
    assert!(page.len() > 4_600_000);
    let utf_16: Vec<u8> =
        "\u{feff}".encode_utf16().chain(page.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let japanese = page.replace('\u{e4}', "<meta charset=iso-2022-jp>\x1B$B<a href='none'>\x1B(B");
    for (codings, body) in [
        ("Content-Encoding: gzip, gzip\r\n", gzip(&gzip(page.as_bytes()))),
        ("Content-Encoding: gzip\r\n", gzip(&utf_16)),
        ("", utf_16),
        ("Content-Encoding: gzip\r\n", gzip(japanese.as_bytes())),
    ] {
        let file = response(&format!("Content-Type: text/html\r\n{codings}"), &body);
        let file = [&file[..], &response("", b"<html><a href=next>")].concat();
        let found = links_by(pages().layout, &file, 1 << 20);
        let expected = (0..150).map(|number| format!("/{number}"));
        let expected: Vec<_> =
            expected.chain(["//b/c/", "long", "//no/", "next"].map(str::to_owned)).collect();
        assert_eq!(found.iter().map(|found| found.0.clone()).collect::<Vec<_>>(), expected);
        let bases: Vec<_> = found.iter().map(|found| found.3.as_deref().unwrap()).collect();
        assert!(bases[..150].iter().all(|base| *base == "http://b/c/"));
        assert_eq!(bases[150..], ["http://h/", "http://b/c/", "http://h/", "http://h/"]);
        let found = pages().extract_with(&file, 1 << 20, true).unwrap();
        assert_eq!(reasons(&found), [(1, Malformed::UnendedTag)]);
    }
    // A page that breaks late, one that is too long, and one after them.
    let whole = gzip(&gzip(page.as_bytes()));
    let inner = gzip(&page.as_bytes()[..4_400_000]);
    let broken = gzip(&inner[..inner.len() - 8]);
    let header = "Content-Type: text/html\r\nContent-Encoding: gzip, gzip\r\n";
    let last = response("", b"<html><a href=next>");
    let file = [response(header, &broken), response(header, &whole), last].concat();
    let found = Case { max_record: 4_600_000, ..pages() }.extract_with(&file, 1 << 20, true).unwrap();
    assert_eq!(*texts(&found).last().unwrap(), "next");
    let reasons: Vec<_> = found.malformed.iter().map(|(_, _, reason)| *reason).collect();
    assert_eq!(reasons, [Malformed::UnendedTag, Malformed::NotDecoded, Malformed::TooLong]);
}

/// Characters of two bytes look like tags and quotes.
#[test]
fn pages_in_iso_2022_jp() {
    let body =
        b"<meta charset=iso-2022-jp><p title=\"\x1B$B\">#<!--\x1B(B\"><a href=a><a href=\"\x1B$B%\"\x1B(B\">";
    let links = |header: &str| texts(&pages().run(response(header, body))).len();
    assert_eq!(links("Content-Type: text/html\r\n"), 2);
    assert_eq!(links("Content-Type: text/html; charset=ISO-2022-JP\r\n"), 2);
    assert_eq!(links("Content-Type: text/html; charset=utf-8\r\n"), 0);
}

#[test]
fn pages_in_brotli() {
    // <!DOCTYPE html><a href="br/a">a</a>
    const BODY: [u8; 30] = [
        0x1B, 0x22, 0x00, 0xF8, 0x8D, 0x94, 0xA9, 0xEB, 0x53, 0x8B, 0xF8, 0x84, 0x89, 0xA9, 0x17, 0xB9, 0x3C,
        0x44, 0x16, 0x62, 0x12, 0x15, 0x67, 0xD6, 0x19, 0xD7, 0x95, 0x7B, 0x61, 0x08,
    ];
    let file = response("Content-Type: text/html\r\nContent-Encoding: br\r\n", &BODY);
    let found = pages().run(&file);
    if cfg!(feature = "brotli") {
        assert_eq!((texts(&found), found.malformed.len()), (vec!["br/a"], 0));
    } else {
        assert_eq!(reasons(&found), [(1, Malformed::NotDecoded)]);
    }
}

/// Sizes that no body has, and chunks that end too early.
#[test]
fn broken_chunks_are_read_as_far_as_they_go() {
    let header = "Content-Type: text/html\r\nTransfer-Encoding: Chunked\r\n";
    for (body, expected, is_whole) in [
        ("5\r\n<a hr\r\n9\r\nef=a>", vec!["a"], false),
        ("a\n<a href=a>\nffffffffffffffff\n<a href=b>", vec!["a", "b"], false),
        ("A \r\n<a href=a>junk\r\n<a href=b>", vec!["a"], false),
        ("a\r\n<a href=a>\r\n", vec!["a"], false),
        ("a\r\n<a href=a>\r\n0\r\n\r\n", vec!["a"], true),
        ("0\r\n\r\n<a href=a>", vec![], true),
        ("fffffffffffffffffff\r\n<a href=a>", vec!["a"], true),
        ("\r\n<a href=a>", vec!["a"], true),
    ] {
        let found = pages().run(response(header, body.as_bytes()));
        assert_eq!(texts(&found), expected, "{body}");
        let malformed = if is_whole { vec![] } else { vec![(1, Malformed::NotDecoded)] };
        assert_eq!(reasons(&found), malformed, "{body}");
    }
}

/// The codings of a body are those of all its fields, and codings of the transfer were applied last.
#[test]
#[cfg(feature = "gzip")]
fn bodies_have_all_codings_that_their_heads_name() {
    fn gzip(body: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, body).unwrap();
        encoder.finish().unwrap()
    }
    fn zlib(body: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, body).unwrap();
        encoder.finish().unwrap()
    }
    fn chunked(body: &[u8]) -> Vec<u8> {
        [format!("{:x}\r\n", body.len()).as_bytes(), body, b"\r\n0\r\n\r\n"].concat()
    }
    let page = b"<html><a href=a>";
    let times = |count: usize| (0..count).fold(page.to_vec(), |body, _| gzip(&body));
    for (header, body, is_decoded) in [
        ("Transfer-Encoding: gzip, chunked", chunked(&gzip(page)), true),
        ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", chunked(&gzip(page)), true),
        ("Transfer-Encoding: gzip", gzip(page), true),
        ("Transfer-Encoding: identity", page.to_vec(), true),
        ("Transfer-Encoding: deflate, chunked\r\nContent-Encoding: gzip", chunked(&zlib(&gzip(page))), true),
        ("Content-Encoding: gzip\r\nContent-Encoding: deflate", zlib(&gzip(page)), true),
        ("Content-Encoding: gzip, gzip, gzip, gzip", times(4), true),
        ("Content-Encoding: gzip, gzip, gzip, gzip, gzip", times(5), false),
        ("Content-Encoding: gzip, gzip, gzip, gzip\r\nContent-Encoding: gzip", times(5), false),
        ("Transfer-Encoding: chunked, gzip", gzip(&chunked(page)), false),
    ] {
        let header = format!("Content-Type: text/html\r\n{header}\r\n");
        let found = pages().run(response(&header, &body));
        let expected =
            if is_decoded { (vec!["a"], vec![]) } else { (vec![], vec![(1, Malformed::NotDecoded)]) };
        assert_eq!((texts(&found), reasons(&found)), expected, "{header}");
    }
}

/// If the file ends in a record, the record is malformed: later records may be in its block.
#[test]
fn the_file_may_end_in_a_record() {
    let page = response("Content-Type: text/html\r\n", b"<html><a href=a></html>");
    let whole = page.len() - 4;
    let header = 4 + page.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    let target = 2 + page.windows(4).position(|four| four == b"h/\r\n").unwrap() + 2;
    let targets = case(Format::Warc);
    for cut_off in [whole - 1, whole - 30, header + 1, header - 1, target, target - 1, 80, 12, 10] {
        let file = [&page[..], &page[..cut_off]].concat();
        assert_eq!(reasons(&pages().run(&file)), [(11, Malformed::CutOff)], "{cut_off}");
        let last_line = 1 + file[..file.len() - 1].iter().filter(|&&byte| byte == b'\n').count() as u64;
        let is_in_header = cut_off < header;
        let line = if is_in_header { 11 } else { last_line };
        let found = targets.run(&file);
        assert_eq!(reasons(&found), [(line, Malformed::CutOff)], "{cut_off}");
        // A target on a whole line of a header that is cut off is one nonetheless.
        let targets = 1 + usize::from(cut_off >= target);
        assert_eq!(found.records.len(), targets, "{cut_off}");
    }
    for file in [page.clone(), page[..whole].to_vec(), [&page[..], b"\r\n"].concat(), Vec::new()] {
        assert_eq!((reasons(&pages().run(&file)), reasons(&targets.run(&file))), (vec![], vec![]));
    }
    // A length that is too large, in a file whose last byte is a line end.
    let file = String::from_utf8([&page[..], &page].concat()).unwrap();
    let longer = file.replacen("Content-Length: ", "Content-Length: 9", 1);
    assert_eq!(
        (texts(&pages().run(&longer)), texts(&targets.run(&longer))),
        (vec!["a", "a"], vec!["http://h/"])
    );
    assert_eq!(reasons(&pages().run(&longer))[0], (1, Malformed::CutOff));
    assert_eq!(reasons(&targets.run(&longer)), [(20, Malformed::CutOff)]);
    let arc = arc_record("http://h/", "", b"<html><a href=a>");
    let file = [&arc[..], &arc[..arc.len() - 5]].concat();
    assert_eq!(reasons(&pages().run(&file)), [(3, Malformed::CutOff), (4, Malformed::UnendedTag)]);
    assert_eq!(reasons(&targets.run(&file)), [(4, Malformed::CutOff)]);
}

/// A capture without a target has no page.
#[test]
fn captures_may_lack_a_target() {
    let block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><a href=a>";
    let file = warc_record("WARC-Type: response\r\n", block);
    let validator = Validator::new(Grammar::UriReference);
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let mut chunk_scanner = ChunkScanner::default();
        let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap();
        (0..scanned.len())
            .map(|index| scanned.page(index).and_then(|page| page.uri).is_some())
            .collect::<Vec<_>>()
    };
    let mut pages_known = Vec::new();
    let sink = |known| {
        pages_known.extend(known);
        ControlFlow::<()>::Continue(())
    };
    Scanner::new().layout(pages().layout).scan_slice(&file, job, sink).unwrap();
    assert_eq!(pages_known, [false]);
}
