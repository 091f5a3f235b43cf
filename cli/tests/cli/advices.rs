//! Tests messages that say what to do.

use super::{Dir, no_such_file, run, run_with};

#[test]
fn a_host_beyond_ascii_is_written_in_punycode() {
    let message =
        "\"ñ\" (U+00F1) in the host is not ASCII: a host beyond ASCII is written in Punycode (xn--...)";
    let url = "http://españa.es/a";
    run("", url).expect(1, format!("-:1:12: non-ascii: {message}\n"), "");
    run("--suggest", url).expect(
        1,
        format!("-:1:12: non-ascii: {message}; try http://xn--espaa-rta.es/a\n"),
        "",
    );
    let explained = run_with(["--explain", url], "");
    assert!(
        explained.text().ends_with(&format!("  {message}\n  try http://xn--espaa-rta.es/a\n")),
        "{}",
        explained.text()
    );
    let object = run_with(["--json", "--explain", url], "").json();
    assert_eq!(object["suggestion"], "http://xn--espaa-rta.es/a");
    for (url, mended) in [
        ("http://BÜCHER.example:80/ä?ö", "http://xn--bcher-kva.example:80/%C3%A4?%C3%B6"),
        ("//u:p@例え.テスト#f", "//u:p@xn--r8jz45g.xn--zckzah#f"),
        ("ftp://español。example.", "ftp://xn--espaol-zwa.example."),
    ] {
        run("--emit mended -g uri-reference", url).expect(0, format!("{mended}\n"), "");
        // The result is what it should be, and not suspicious.
        let stats = run("--stats=json -g uri-reference", mended).json();
        assert_eq!(
            (&stats["valid"], &stats["suspicious"]["escape-in-host"]),
            (&1.into(), &0.into()),
            "{mended}"
        );
    }
    // Browsers may write these hosts in another way, or not at all.
    for url in [
        "http://straße.de/",
        "http://a\u{200D}b\u{e9}.de/",
        "http://a\u{FF0F}b.de/",
        "http://é%41.de/",
        "http://\u{FFFD}\u{E000}/",
    ] {
        let explained = run_with(["--explain", url], "");
        assert!(explained.status == 1 && !explained.text().contains("try "), "{url}: {}", explained.text());
    }
    // In a path, and by a grammar that allows the host, nothing changes.
    assert!(run("", "http://h/é\n").text().contains("must be percent-encoded"));
    run("-g iri", url).expect(0, "", "");
}

#[test]
fn a_uri_in_the_place_of_a_file_is_explained() {
    for uri in ["http://a/b", "https://example.com/?q", "ftp://h"] {
        let message = no_such_file(uri);
        let expected = format!("urivalidate: {uri}: {message}; --explain checks one URI\n");
        run(uri, "").expect(2, "", &expected);
    }
    for name in ["missing", "a:b", "1://h", "://", "dir/http"] {
        run(name, "").expect(2, "", &format!("urivalidate: {name}: {}\n", no_such_file(name)));
    }
}

#[test]
fn statistics_say_why_a_file_has_none() {
    let dir = Dir::new();
    let line = "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 0\n";
    dir.write("log", line.repeat(9));
    let reason = "no field nope: the format common has";
    let stats = dir.run("--stats --field nope log");
    assert_eq!(stats.status, 2);
    assert!(
        stats.text().starts_with(
            "Nothing could be read.\n1 file could not be read, or not to the end: log (no field nope: "
        ),
        "{}",
        stats.text()
    );
    assert!(stats.stderr.starts_with(&format!("urivalidate: log: {reason}")), "{}", stats.stderr);
    dir.run("--report page.html --field nope log");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("log (no field nope: "), "{page}");
    // Some lines of another file could be read.
    dir.write("list", "urn:a\n");
    let stats = dir.run("--stats list missing");
    let message = no_such_file("missing");
    let expected = format!(
        "1 URI in 1 line: it is valid.\n1 file could not be read, or not to the end: missing ({message}).\n"
    );
    assert!(stats.text().starts_with(&expected), "{}", stats.text());
}

#[test]
fn a_column_of_other_rows_says_where_it_is() {
    for (args, message) in [
        ("--columns host", "the column host needs --emit components or offsets"),
        ("--columns line,normalized", "the column normalized needs --emit components"),
        ("--emit offsets --columns normalized", "the column normalized needs --emit components"),
        ("--emit components --columns reason", "the column reason needs --emit errors"),
        ("--emit components --columns opaque", "the column opaque needs --grammar rfc2396 or java"),
        ("--columns opaque", "the column opaque needs --grammar rfc2396 or java"),
        (
            "--columns path_extension",
            "the column path_extension is in no rows; --count path_extension counts it",
        ),
        ("--to arrow --columns host", "the column host needs --emit components or offsets"),
        ("--to arrow --emit components --columns reason", "the column reason needs --emit errors"),
        ("--count opaque", "the column opaque needs --grammar rfc2396 or java"),
        ("--count error", "the column error has several values; count one of error_kind, "),
        ("--count error -g uri", "the column error has several values; count one of error_kind, "),
        ("--count line", "the column line cannot be counted: expected one of file, "),
        ("--count page", "the column page cannot be counted: expected one of file, "),
        ("--distinct error", "the column error has several values; count one of error_kind, "),
        ("--count hots", "unknown column \"hots\": expected one of file, "),
        ("--columns hots", "unknown column \"hots\": expected one of file, "),
    ] {
        let refused = run(args, "");
        assert_eq!((refused.status, refused.text()), (2, ""), "{args}");
        assert!(refused.stderr.starts_with(&format!("error: {message}")), "{args}: {}", refused.stderr);
    }
}

#[test]
fn characters_beyond_ascii_name_the_grammar_of_iris() {
    let dir = Dir::new();
    let links: String = (0..100).map(|i| format!("[a](http://h/{i})\n")).collect();
    let anchors = |count: usize| "[x](#入门)\n".repeat(count);
    let note = |count: usize| {
        format!(
            "urivalidate: page.md: {count} of {count} errors are characters beyond ASCII; --grammar iri-reference allows them\n"
        )
    };
    dir.write("page.md", links.clone() + &anchors(20));
    let found = dir.run("-g uri-reference page.md");
    assert!(found.status == 1 && found.stderr.ends_with(&note(20)), "{}", found.stderr);
    // The advice helps.
    assert_eq!(dir.run("--grammar iri-reference page.md").status, 0);
    dir.write("page.md", links.clone() + &anchors(4));
    assert!(!dir.run("-g uri-reference page.md").stderr.contains("iri"), "few errors are no evidence");
    dir.write("page.md", links + &anchors(5) + &"[x](<a b>)\n".repeat(6));
    assert!(!dir.run("-g uri-reference page.md").stderr.contains("iri"), "most errors are others");
    let list = "urn:a\n".repeat(50) + &"http://h/é\n".repeat(9);
    let expected = "urivalidate: -: 9 of 9 errors are characters beyond ASCII; --grammar iri allows them\n";
    assert_eq!(run("", list).stderr, expected);
}

#[test]
fn three_lines_are_enough_for_a_hint() {
    let hosts = |count: usize| "example.com\n".repeat(count);
    assert_eq!(run("", hosts(2)).stderr, "");
    assert!(run("", hosts(3)).stderr.contains("try --grammar uri-reference"));
    // A hint that names no options needs a few more.
    let words = |count: usize| "no URI here at all\n".repeat(count);
    assert_eq!(run("", words(4)).stderr, "");
    assert!(run("", words(5)).stderr.contains("no known format fits better"));
}
