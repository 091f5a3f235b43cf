//! Lines at the edge of a format: the smallest change that makes them one of it, or no longer one.

use super::*;

/// The record of an input's only line, or `-` for a sentinel, or the reason why it is malformed.
#[track_caller]
fn only(case: &Case, line: &str) -> String {
    let found = case.run(line);
    assert_eq!(found.count, 1, "{line}");
    match (&found.records[..], &found.malformed[..]) {
        ([(.., text)], []) => text.clone(),
        ([], [(.., reason)]) => format!("{reason:?}"),
        ([], []) => "-".repeat(found.sentinels as usize),
        _ => panic!("{line} holds several: {found:?}"),
    }
}

#[test]
fn logs_of_requests() {
    let combined = case(Format::Combined);
    for (after_time, expected) in [
        ("\"GET /x HTTP/1.1\" 200 5", "/x"),
        ("\"GET /x HTTP/1.1\" - 5", "/x"),
        ("\"GET /x HTTP/1.1\" 2x0 5", "NoStatus"),
        ("\"GET /x\" 200 5", "/x"),
        ("\"GET /x y HTTP/3\" 200 5", "/x y"),
        ("\" /x HTTP/1.1\" 200 5", "NoTarget"),
        ("\"G(T /x HTTP/1.1\" 200 5", "NoTarget"),
    ] {
        let line = format!("h - - [06/Feb/2026:12:14:14 +0000] {after_time}");
        assert_eq!(only(&combined, &line), expected, "{line}");
        assert_eq!(only(&field(Format::Combined, "target"), &line), expected, "{line}");
    }

    let envoy = case(Format::Envoy);
    assert_eq!(only(&envoy, "\n"), "Empty");
    assert_eq!(only(&envoy, "[2026] \"GET /x HTTP/1.1\" 200"), "NoStart");

    let haproxy = case(Format::Haproxy);
    assert_eq!(only(&haproxy, "h [06/Feb/2026:12:14:14.655] f \"GET /x\""), "/x");
    assert_eq!(only(&haproxy, "h \"GET /x\" [06/Feb/2026:12:14:14.655"), "NoStart");

    let s3 = |start: &str, case: &Case| {
        let line = format!(
            "{start} 192.0.2.3 r 3E57 REST.GET.OBJECT - - 200 - 1 - 7 - \"http://r.example/\" \"a\" -"
        );
        only(case, &line)
    };
    let time = "o b [06/Feb/2026:00:00:38 +0000]";
    assert_eq!(s3(time, &case(Format::S3)), "-");
    assert_eq!(s3(time, &field(Format::S3, "referer")), "http://r.example/");
    assert_eq!(s3("o b 06/Feb/2026:00:00:38 +0000]", &case(Format::S3)), "NoStart");
    let line = format!("{time} 192.0.2.3 r 3E57 RESTGETOBJECT - \"GET /x HTTP/1.1\" 200");
    assert_eq!(only(&case(Format::S3), &line), "NoStart");
}

#[test]
fn logs_of_crawlers_and_proxies() {
    let heritrix = case(Format::Heritrix);
    let after = "http://example.com/ L http://example.com/a text/html";
    for (head, expected) in [
        ("2026-01-02T03:04:05.678Z   200       1299 ", "http://example.com/"),
        // Not as wide as they mostly are.
        ("20260102030405678 200 1299 ", "http://example.com/"),
        // As wide, but with other bytes.
        ("2026-01-02T03:04:05 678Z   200       1299 ", "NoStatusAndSize"),
        ("2026-01-02 03:04:05 678Z   200       1299 ", "NoStatusAndSize"),
        ("2026-01-02T03:04:05.678Z   2x0       1299 ", "NoStatusAndSize"),
        ("2026-01-02T03:04:05.678Z   xx0       1299 ", "NoStatusAndSize"),
    ] {
        assert_eq!(only(&heritrix, &format!("{head}{after}")), expected, "{head}");
    }
    let line = "2026-01-02T03:04:05.678Z   200       1299 http://example.com/ L ";
    assert_eq!(only(&heritrix, line), "Truncated");

    let squid = case(Format::Squid);
    let after = "1 192.0.2.1 TCP_MISS/200 5 GET http://example.com/ - DIRECT/192.0.2.2 text/html\n";
    assert_eq!(only(&squid, &format!("1066037222.011 {after}")), "http://example.com/");
    assert_eq!(only(&squid, &format!("x {after}")), "NoResult");
    assert_eq!(Format::detect(format!("1066037222.011 {after}").as_bytes()), Format::Squid);
    for time in ["1066037222,011", "10660x7222.011", "1066037222.0x1", "10660372220011", ".011"] {
        assert_ne!(Format::detect(format!("{time} {after}").as_bytes()), Format::Squid, "{time}");
    }
}

#[test]
fn objects() {
    let jsonl = case(Format::Jsonl);
    // If a name occurs twice, the last one counts, even after the other name that stands in for it.
    assert_eq!(only(&jsonl, r#"{"url":"urn:a","uri":"urn:b","url":"urn:c"}"#), "urn:c");
    assert_eq!(only(&key(Format::Jsonl, "/a/b"), r#"{"a":{},"a":{"b":"urn:c"}}"#), "urn:c");
    assert_eq!(only(&key(Format::Jsonl, "/a/0"), r#"{"a":[],"a":["urn:c"]}"#), "urn:c");
    let name_or_path = key(Format::Jsonl, "a.b");
    assert_eq!(only(&name_or_path, r#"{"a.b":"urn:x","a":{"b":"urn:y"},"a.b":"urn:c"}"#), "urn:c");
    // However a name is written.
    assert_eq!(only(&jsonl, r#"{"\u0075\u0072\u006c":"urn:a"}"#), "urn:a");
}

#[test]
fn headers_that_lack_the_column() {
    let error_of = |columns: usize| {
        let names: Vec<_> = (1..=columns).map(|number| format!("n{number}")).collect();
        let input = format!("{}\nx\n", names.join(","));
        field(Format::Csv, "via").extract_with(input.as_bytes(), 1 << 20, false).unwrap_err().to_string()
    };
    assert!(error_of(30).ends_with(", n29, n30"), "{}", error_of(30));
    assert!(error_of(31).ends_with(", n29, n30, …"), "{}", error_of(31));
    assert!(error_of(32).ends_with(", n29, n30, …"), "{}", error_of(32));

    // A first line that is too long is no header, and a column by its number needs none.
    let second = Case { max_record: 12, ..field(Format::Csv, "2") };
    let found = second.run("a first line,that is too long\n1,urn:a,2\n");
    assert_eq!((texts(&found), reasons(&found)), (vec!["urn:a"], vec![(1, Malformed::TooLong)]));
    // A second line has none, either.
    let found = second.run("a first line,that is too long\nid,url,n\n1,urn:a,2\n");
    assert_eq!(texts(&found), ["url", "urn:a"]);
    // Further on such a line says nothing of the others.
    let named = Case { max_record: 12, ..field(Format::Csv, "url") };
    let found = named.run("id,n,url\n1,2,urn:a\na line,that is too long\n2,3,urn:b\n");
    assert_eq!((texts(&found), reasons(&found)), (vec!["urn:a", "urn:b"], vec![(3, Malformed::TooLong)]));
}

#[test]
fn ends_and_starts_of_uris_in_texts() {
    let text = case(Format::Text);
    for (line, expected) in [
        // Characters of two bytes that end a URI, one that ends it after its counterpart, and one that does
        // not.
        ("«http://h/a\u{BB}b", "http://h/a"),
        ("http://h/a\u{BB}", "http://h/a"),
        ("http://h/a\u{BB}b", "http://h/a\\xc2\\xbbb"),
        ("http://h/a\u{A0}b", "http://h/a"),
        ("http://h/a\u{80}b", "http://h/a"),
        ("http://h/a\u{E9}b", "http://h/a\\xc3\\xa9b"),
        // A letter or a digit ends a scheme.
        ("a2://h/", "a2://h/"),
        ("a+://h/", ""),
        // Nothing is glued to a scheme that is not known.
        ("a-b://h/", "a-b://h/"),
        ("a-ftp://h/", "ftp://h/"),
        // An entity is none where there is no markup.
        ("http://h/a&apos; b", "http://h/a&apos"),
    ] {
        assert_eq!(only(&text, line), expected, "{line}");
    }
    // Only an address that starts after an apostrophe ends before one.
    assert_eq!(only(&text, "<p>;http://h/a&apos;b</p>"), "http://h/a\\'b");
    assert_eq!(only(&text, "<p>&apos;http://h/a&apos;b</p>"), "http://h/a");
    // The mark of an address has to be near.
    let address = |len: usize| format!("mailto:{}@h", "a".repeat(len));
    assert_eq!(only(&text, &address(255)), address(255));
    assert_eq!(only(&text, &address(256)), "");
}

#[test]
fn a_query_that_does_not_stand_after_its_path() {
    for (fields, line) in [
        ("cs-uri-stem cs-uri-query c-ip", "/a b=c 192.0.2.1"),
        ("cs-uri-stem c-ip cs-uri-query", "/a 192.0.2.1 b=c"),
        ("cs-uri-query c-ip cs-uri-stem", "b=c 192.0.2.1 /a"),
    ] {
        let found = case(Format::W3c).run(format!("#Fields: {fields}\n{line}\n"));
        assert_eq!(texts(&found), ["/a?b=c"], "{fields}");
    }
}

#[test]
fn what_is_hardly_a_format() {
    for (lines, format) in [
        // From the second word on, these are lines of Heritrix, Squid, and an index.
        ("2026-01-02T03:04:05.678Z 200 1299 nowhere L http://e.example/ text/html\n", Format::Heritrix),
        ("x 200 1299 http://example.com/ L http://e.example/ text/html\n", Format::Heritrix),
        ("1066037222.011 1 192.0.2.1 TCP_MISS/200\n", Format::Squid),
        ("com,example)/ 2026 http://example.com/ text/html 200 AAAA - 334 a.warc.gz\n", Format::Cdx),
        (
            "com,example)/ x0260102030405 http://example.com/ text/html 200 AAAA - 334 a.warc.gz\n",
            Format::Cdx,
        ),
        // Here the time is somewhere else.
        ("com,example)/ x http://example.com/ 20260102030405 200 AAAA - 334 a.warc.gz\n", Format::Cdx),
        // A table of one column is a list.
        ("url\nhttp://example.com/\n", Format::Csv),
    ] {
        assert_ne!(Format::detect(lines.as_bytes()), format, "{lines}");
    }
}

#[test]
fn what_is_surely_a_format() {
    for (lines, format) in [
        ("#Version: 1.0\n", Some(Format::W3c)),
        // As many lines as a list has, and one more.
        ("#Fields: cs-uri\nhttp://a.example/\nhttp://b.example/\n", Some(Format::W3c)),
        (
            "com,example)/ 2026010203 http://example.com/ text/html 200 AAAA - 334 a.warc.gz\n",
            Some(Format::Cdx),
        ),
        ("http://a.example/\n", Some(Format::Lines)),
        ("\nwww.example.com\n", None),
    ] {
        let found = detect(lines.as_bytes(), &LayoutOptions::default(), None).map(|found| found.format);
        assert_eq!(found, format, "{lines}");
    }
}

#[test]
fn lines_of_an_archive() {
    let warc = case(Format::Warc);
    let fitting = |archive: &str| warc.layout.fitting_lines(archive.as_bytes(), usize::MAX);
    assert_eq!(fitting("WARC/1.0\r\nContent-Length: 0\r\n\r\n"), 3);
    // From where it starts, up to where it ends.
    assert_eq!(fitting("x\nWARC/1.0\r\nContent-Length: 0\r\n\r\n"), 3);
    assert_eq!(fitting("WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\nx\nno record\n"), 5);

    // Blocks that end with a line or are empty, at the end of the archive.
    let archive = "WARC/1.0\nContent-Length: 2\nWARC-Target-URI: urn:a\n\nx\n\
                   WARC/1.0\nContent-Length: 0\nWARC-Target-URI: urn:b\n\n\
                   WARC/1.0\nContent-Length: 0\nWARC-Target-URI: urn:c\n\n";
    let found = warc.run(archive);
    assert_eq!((texts(&found), reasons(&found)), (vec!["urn:a", "urn:b", "urn:c"], vec![]));

    for (archive, lines) in [
        ("", 0),
        ("\u{FEFF}", 0),
        ("WARC/1.0\nWARC-Target-URI: urn:a", 2),
        ("WARC/1.0\nWARC-Target-URI: urn:a\n", 2),
    ] {
        assert_eq!(warc.run(archive).count, lines, "{archive}");
    }
}

#[test]
fn what_is_trimmed_off_values_with_escapes() {
    let trimmed = Case { trim: true, ..case(Format::Jsonl) };
    let lines = |space: &str| {
        let line = |letter: &str| format!("{{\"url\":\"{space}a:\\u006{letter}{space}{space}\"}}\n");
        line("1") + &line("2")
    };
    let found = trimmed.run(lines(" "));
    assert_eq!(texts(&found), ["a:a", "a:b"]);
    assert_eq!(String::from_utf8(found.trimmed).unwrap(), lines(""));
}

#[test]
fn what_is_said_of_formats() {
    for &format in Format::ALL {
        let about = format.about();
        assert!(about.len() > 5, "{format:?}");
        let others = Format::ALL.iter().filter(|&&other| other != format);
        assert!(others.clone().all(|other| other.about() != about), "{format:?}");
    }
    assert!(Format::Combined.sentinels().contains('-') && Format::Warc.sentinels().is_empty());
}

/// Lines that others read as something else, to the last record.
#[test]
fn what_only_looks_like_a_format_is_not_read_as_it() {
    let request = r#"192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "x""#;
    let cri = format!("2026-10-10T13:55:36.000000000Z stdout F {request}\n").repeat(5);
    let rfc5424 = format!("<190>1 2026-10-10T13:55:36.003Z web nginx 1 - - {request}\n").repeat(5);
    let uri_errors =
        "2026-01-02T03:04:05.678Z http://via.example/ \"Unsupported scheme: mailto\" mailto:a@b\n".repeat(5);
    let old_uri_errors =
        "20260102030405678 http://via.example/ \"Failed parse of URI\" http:// a.example/\n".repeat(5);
    let start_log = r#"{"level":"info","ts":1646861403.1,"logger":"http.auto_https","msg":"enabled"}"#;
    let start_log = format!("{start_log}\n").repeat(39);
    for (lines, wrong) in [
        (&cri, Format::Elb),
        (&rfc5424, Format::Elb),
        (&uri_errors, Format::Elb),
        (&uri_errors, Format::Cdx),
        (&old_uri_errors, Format::Cdx),
        (&start_log, Format::Caddy),
    ] {
        assert_ne!(Format::detect(lines.as_bytes()), wrong, "{lines}");
    }
    // Nor is a field that holds something else.
    let cells = "id,url\n1,not a link\n2,neither this\n3,no\n";
    assert_ne!(Format::detect(cells.as_bytes()), Format::Csv);
}
