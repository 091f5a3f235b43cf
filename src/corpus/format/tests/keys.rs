//! JSON Lines whose URIs are not in the usual key, or not all of its string.

use super::*;

/// The result of a scan that guesses how to read these lines: the records, the grammar, and the key that was found.
fn found_out(lines: &str) -> (Vec<String>, Grammar, Option<String>) {
    let read = std::sync::Mutex::new(None);
    let mut records = Vec::new();
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let layout = chunk.layout();
        *read.lock().unwrap() = Some((layout.grammar(), layout.key_found()));
        let mut chunk_scanner = ChunkScanner::default();
        let validator = Validator::new(layout.grammar());
        let scanned = chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap();
        (0..scanned.len())
            .map(|index| scanned.record(index).unwrap().escape_ascii().to_string())
            .collect::<Vec<_>>()
    };
    let scanner = Scanner::new().detect_format(LayoutOptions::default());
    let sink = |chunk| {
        records.extend::<Vec<_>>(chunk);
        ControlFlow::<()>::Continue(())
    };
    scanner.scan_reader(lines.as_bytes(), job, sink).unwrap();
    let (grammar, key) = read.into_inner().unwrap().unwrap();
    (records, grammar, key)
}

#[test]
fn nginx() {
    let log = include_str!("../../../../corpora/logs/nginx.jsonl");
    let (records, grammar, found_key) = found_out(log);
    assert_eq!((grammar, found_key.as_deref()), (Grammar::RequestTarget, Some("request")));
    assert_eq!(records, ["/a?b=c", "/a|b\\\" c", "/d"]);
    let found = key(Format::Jsonl, "request").run(log);
    assert_eq!((found.sentinels, found.malformed.len()), (1, 0));
    assert_eq!(found.records[2], (4, 79, "/d".to_owned()));
}

#[test]
fn the_only_key_with_uris_is_the_one() {
    let of = |line: &str| found_out(&format!("{line}\n{line}\n"));
    for (line, record, grammar, key) in [
        (
            r#"{"remote_addr":"192.0.2.1","request":"GET /a?b HTTP/1.1","status":200}"#,
            "/a?b",
            Grammar::RequestTarget,
            "request",
        ),
        (
            r#"{"event":{"id":1},"link":{"original":"http:\/\/a.example\/"}}"#,
            "http://a.example/",
            Grammar::Uri,
            "link.original",
        ),
        (r#"{"RequestPath":"/a","RouterName":"r@docker"}"#, "/a", Grammar::RequestTarget, "RequestPath"),
        (
            r#"{"line":"192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] \"GET /a\\x22\\\\ HTTP/1.1\" 200 2326\n"}"#,
            r#"/a\"\\"#,
            Grammar::RequestTarget,
            "line",
        ),
    ] {
        let expected = (vec![record.to_owned(); 2], grammar, Some(key.to_owned()));
        assert_eq!(of(line), expected, "{line}");
        // With `--key` its strings are read in the same way.
        let lines = format!("{line}\n").repeat(3);
        let found = super::key(Format::Jsonl, key).run(&lines);
        assert_eq!(texts(&found), vec![record; 3], "{line}");
    }
    // None, or more than one.
    for line in [r#"{"a":"b"}"#, r#"{"a":"/a","b":"http://c/"}"#] {
        assert_eq!(of(line).2, None, "{line}");
    }
    // The usual key exists.
    assert_eq!(
        of(r#"{"link":"http://a/","uri":"urn:a"}"#),
        (vec!["urn:a".to_owned(); 2], Grammar::Uri, None)
    );
}

#[test]
fn strings_with_a_request_keep_their_columns() {
    let line = r#"{"r":"GET \/a b\"\u0020c HTTP\/1.1"}"#;
    let lines = format!("{line}\n").repeat(3);
    let found = key(Format::Jsonl, "r").run(&lines);
    let at = |text: &str| line.find(text).unwrap() as u64 + 1;
    assert_eq!(found.records[0], (1, at(r"\/a"), "/a b\\\" c".to_owned()));
    let line = r#"{"l":"192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] \"GET /a\\x22\\ub HTTP/1.1\" 200 2326"}"#;
    let lines = format!("{line}\n{{\"l\":\"no line\"}}\n{line}\n");
    let found = key(Format::Jsonl, "l").run(&lines);
    assert_eq!(texts(&found), [r#"/a\"\\ub"#; 2]);
    assert_eq!(reasons(&found), [(2, Malformed::NoRequest)]);
}

#[test]
fn keys_that_come_into_question_are_named() {
    let lines = "{\"a\":\"/a\",\"b\":{\"c\":\"http://c/\"}}\n{\"a\":\"/b\"}\n";
    let messages = std::sync::Mutex::new(Vec::new());
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let mut chunk_scanner = ChunkScanner::default();
        let scanned = chunk_scanner.scan(chunk, &Validator::new(Grammar::Uri), Columns::NONE).unwrap();
        let malformed = scanned.malformed().iter().map(|line| chunk.layout().message(line));
        messages.lock().unwrap().extend(malformed);
    };
    let scanner = Scanner::new().layout(case(Format::Jsonl).layout);
    scanner.scan_reader(lines.as_bytes(), job, |()| ControlFlow::<()>::Continue(())).unwrap();
    let expected = "no key \"url\"; \"a\" has request targets in 100% of the lines, \"b.c\" has URIs in 50% of the lines";
    assert_eq!(messages.into_inner().unwrap(), [expected; 2]);
}
