//! The URIs in the headers of archives: WARC and ARC.

use super::*;

#[test]
fn warc() {
    let mut file = include_bytes!("../../../../corpora/logs/records.warc").to_vec();
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
    assert_eq!(
        reasons(&found),
        [(sound_lines + 1, NoContentLength), (sound_lines + 12, NoVersion), (sound_lines + 18, CutOff)]
    );
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

    // Records of version 2 follow those of a WARC file. The length of one block includes the line end.
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
    assert_eq!(reasons(&found), [(18, Malformed::NoVersion), (22, Malformed::CutOff)]);
    assert_eq!(found.count, 22);
    // Garbage before a last header without a line end, and before one whose block the file cuts off.
    for (length, expected) in [(0, vec![]), (3, vec![(8, Malformed::CutOff)])] {
        let mut file = arc_record("filedesc://x.arc", "", b"1 0 Example\nURL\n\n");
        file.extend_from_slice(b"\njunk\nhttp://a/ 192.0.2.1 20260102030405 text/html ");
        file.extend(length.to_string().bytes());
        let found = case(Format::Warc).run(&file);
        assert_eq!(texts(&found), ["http://a/"]);
        assert_eq!(reasons(&found), [vec![(7, Malformed::NoVersion)], expected].concat());
    }
    // Lines of that form alone are no ARC file.
    let index = arc_record("http://a/", "", b"");
    assert_ne!(Format::detect(&index.repeat(5)), Format::Warc);
}

/// Tests fields that go on in lines that start with white space.
#[test]
fn fields_of_headers_may_be_folded() {
    let mut file = warc_record("WARC-Target-URI:\r\n https://a.example/b\r\nWARC-Type: x\r\n", b" c\r\n d");
    file.extend(warc_record("WARC-Target-URI: https://a.example/c\r\n\t d\r\n", b"x"));
    file.extend(warc_record(
        "X: y\r\n WARC-Target-URI: https://a.example/no\r\nWARC-Target-URI: urn:e\r\n",
        b"",
    ));
    file.extend("WARC/1.0\nContent-Length:\n 3\nWARC-Target-URI: <urn:f\n g>\n\nabc".as_bytes());
    let found = case(Format::Warc).run(&file);
    let expected = [
        (3, 2, "https://a.example/b"),
        (11, 18, "https://a.example/c d"),
        (20, 18, "urn:e"),
        (28, 19, "urn:f g"),
    ];
    assert_eq!(found.records, expected.map(|(line, column, uri)| (line, column, uri.to_owned())));
    assert_eq!(reasons(&found), []);
    // The links of pages, whose heads may be folded, too, and lack a status line.
    let links = |header: &str, block: &str| {
        let header =
            format!("WARC-Type:\r\n response\r\nWARC-Target-URI:\r\n https://a.example/\r\n{header}");
        let found = field(Format::Warc, "links").run(warc_record(&header, block.as_bytes()));
        (texts(&found).join(" "), found.sentinels, found.malformed.len())
    };
    for (block, expected) in [
        ("HTTP/1.1 200\r\nContent-Type:\r\n text/html\r\n\r\n<a href=b>", ("b", 0, 0)),
        ("HTP/1.1 200 OK\r\nServer: x\r\nContent-Type: text/html\r\n\r\n<a href=b>", ("b", 0, 0)),
        (
            "Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n<a href=b>\r\n0\r\n\r\n",
            ("b", 0, 0),
        ),
        ("ICY 200 OK\nDate: x\nContent-Type: image/png\n\n<a href=b>", ("", 1, 0)),
        // These are bodies.
        ("<html>\n<p>a: b\n\n<a href=b>", ("b", 0, 0)),
        ("<html>\n<a:b>Date: x\n\n<a href=b>", ("b", 0, 0)),
        ("a: b\n\n<a href=b>", ("", 1, 0)),
    ] {
        assert_eq!(links("", block), (expected.0.to_owned(), expected.1, expected.2), "{block}");
    }
}
