//! JSON Lines whose URIs are not in the usual key, or not all of its string.

use super::*;
use crate::corpus::MissingKey;

/// The result of a scan that guesses how to read these lines: the records, the grammar, and the key that was
/// found.
fn found_out(lines: &str) -> (Vec<String>, Grammar, Option<String>) {
    let read = std::sync::Mutex::new(None);
    let mut records = Vec::new();
    let job = |chunk: &crate::corpus::Chunk<'_>| {
        let layout = chunk.layout();
        *read.lock().unwrap() = Some((layout.grammar(), layout.key_found().map(str::to_owned)));
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
    let scan = scanner.scan_reader(lines.as_bytes(), job, sink);
    // If no key is sure, the usual one is missing.
    assert!(
        scan.is_ok()
            || scan.is_err_and(|error| error.get_ref().is_some_and(|inner| inner.is::<MissingKey>()))
    );
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
    let found = case(Format::Jsonl).extract_with(lines.as_bytes(), 1 << 20, true).unwrap();
    let expected = "no line has the key \"url\"; \"a\" has request targets in 100% of the lines, \"b.c\" has URIs in 50% of the lines";
    assert_eq!((found.missing_key.as_deref(), found.without_key), (Some(expected), 2));
}

#[test]
fn the_key_of_a_request_is_known_by_its_writer() {
    // Other strings look like URIs and targets, too: files, resources, referers, origins.
    for (log, format, key, records) in [
        (include_str!("../../../../corpora/logs/traefik.jsonl"), Format::Jsonl, "RequestPath", 5),
        (include_str!("../../../../corpora/logs/cloudflare.jsonl"), Format::Jsonl, "ClientRequestURI", 4),
        (include_str!("../../../../corpora/logs/cloudfront.jsonl"), Format::Jsonl, "cs-uri-stem", 3),
        (include_str!("../../../../corpora/logs/frontdoor.jsonl"), Format::Jsonl, "properties.requestUri", 3),
        (include_str!("../../../../corpora/logs/waf.jsonl"), Format::Jsonl, "httpRequest.uri", 3),
        (include_str!("../../../../corpora/logs/apigateway.jsonl"), Format::Jsonl, "path", 3),
        (include_str!("../../../../corpora/logs/ecs.jsonl"), Format::Jsonl, "url.original", 4),
        (
            include_str!("../../../../corpora/logs/ecs.json"),
            Format::Json,
            "hits.hits._source.url.original",
            2,
        ),
        (include_str!("../../../../corpora/logs/gcp.json"), Format::Json, "httpRequest.requestUrl", 3),
        (
            include_str!("../../../../corpora/logs/gateway.json"),
            Format::Json,
            "records.properties.originalRequestUriWithArgs",
            4,
        ),
        (include_str!("../../../../corpora/logs/messages.json"), Format::Json, "message", 3),
    ] {
        assert_eq!(Format::detect(log.as_bytes()), format, "{key}");
        let (found, _, found_key) = found_out(log);
        assert_eq!((found.len(), found_key.as_deref()), (records, Some(key)));
        // Selecting the key gives the same.
        assert_eq!(texts(&super::key(format, key).run(log)), found, "{key}");
    }
}

#[test]
fn evidence_outweighs_a_name() {
    let of = |line: &str| found_out(&format!("{line}\n{line}\n")).2;
    // Names without such values, in another object, or of something longer.
    assert_eq!(of(r#"{"RequestPath":"x","b":"/a"}"#).as_deref(), Some("b"));
    assert_eq!(of(r#"{"myurl":{"original":"/b"},"xurl.original":"/a"}"#), None);
    assert_eq!(of(r#"{"a":"/b","e":{"url.original":"/a"}}"#).as_deref(), Some("/e/url.original"));
    assert_eq!(of(r#"{"a":"/b","/c~d/":"/e"}"#), None);
    // A referer is no request, unless it is all there is. A whole request says more than a path.
    assert_eq!(of(r#"{"page":"/a","http_Referer":"http://b/"}"#).as_deref(), Some("page"));
    assert_eq!(of(r#"{"http_referer":"http://b/"}"#).as_deref(), Some("http_referer"));
    assert_eq!(of(r#"{"file":"/var/log/x","line":"GET /a HTTP/2"}"#).as_deref(), Some("line"));
    // In a minority of the objects.
    let lines = "{\"a\":\"/b\"}\n".to_owned() + &"{\"a\":\"b\"}\n".repeat(2);
    assert_eq!(found_out(&lines).2, None);
    // Values of different forms are those of one key.
    let lines = "{\"a\":\"http://b/\"}\n{\"a\":\"/b\"}\n{\"a\":\"/c\"}\n{\"a\":\"d\"}\n";
    let (_, grammar, key) = found_out(lines);
    assert_eq!((grammar, key.as_deref()), (Grammar::RequestTarget, Some("a")));
}

#[test]
fn keys_with_dots_and_slashes_are_selected_by_pointers() {
    for (line, key) in [
        (r#"{"a":{"b.c":"http://d/"}}"#, "/a/b.c"),
        (r#"{"/a~":"http://d/"}"#, "/~1a~0"),
        (r#"{".a":"http://d/"}"#, "/.a"),
        (r#"{"a/b":"http://d/"}"#, "a/b"),
    ] {
        for (text, format) in
            [(format!("{line}\n{line}\n"), Format::Jsonl), (format!("[{line},{line}]"), Format::Json)]
        {
            let (records, _, found) = found_out(&text);
            assert_eq!((records, found.as_deref()), (vec!["http://d/".to_owned(); 2], Some(key)), "{text}");
            assert_eq!(texts(&super::key(format, key).run(&text)), ["http://d/"; 2], "{text}");
        }
    }
}
