//! Tests `--explain`.

use super::{command, finish, run, run_with};

#[test]
fn a_valid_uri_is_drawn_with_its_components() {
    let expected = "\
valid as uri

  0         10        20        30        40
  https://user:pw@example.com:8080/a/b?q=1#top
  ^^^^^ scheme
          ^^^^^^^^^^^^^^^^^^^^^^^^ authority
          ^^^^^^^ userinfo
                  ^^^^^^^^^^^ host, reg-name
                              ^^^^ port
                                  ^^^^ path
                                       ^^^ query
                                           ^^^ fragment

  normalized     https://user:pw@example.com:8080/a/b?q=1#top
  surt           com,example:8080)/a/b?q=1
  suffix         com
  domain         example.com
";
    run("--explain https://user:pw@example.com:8080/a/b?q=1#top", "").expect(0, expected, "");
}

#[test]
fn an_invalid_one_is_marked_where_it_goes_wrong() {
    let expected = "\
invalid as uri: space at byte 20, column 21, path

  0         10        20
  http://example.com/a b
                      ^
  a space must be written %20
";
    run_with(["--explain", "http://example.com/a b"], "").expect(1, expected, "");
}

#[test]
fn what_is_missing_is_marked_at_the_end() {
    let expected = "\
invalid as uri: missing-scheme at byte 7, column 8, scheme

  0
  example
         ^
  no scheme: the record ends before a \":\"
";
    run("--explain example", "").expect(1, expected, "");
    run_with(["--explain", ""], "").expect(
        1,
        "invalid as uri: empty at byte 0, column 1\n  the record is empty\n",
        "",
    );
}

#[test]
fn empty_components_have_a_place_too() {
    let expected = "\
valid as uri-reference

  0
  //?#
    | authority, empty
    | host, reg-name, empty
    | path, empty
     | query, empty
      | fragment, empty

  normalized     //?#
";
    run("-g uri-reference --explain //?#", "").expect(0, expected, "");
    run_with(["-g", "uri-reference", "--explain", ""], "").expect(
        0,
        "valid as uri-reference\n\n  0\n\n  | path, empty\n\n  normalized\n",
        "",
    );
}

#[test]
fn the_components_of_rfc_2396_are_named() {
    let expected = "\
valid as java

  0
  mailto:a@b
  ^^^^^^ scheme
         ^^^ scheme-specific part

  normalized     mailto:a@b
  surt           mailto:a@b
";
    run("-g java --explain mailto:a@b", "").expect(0, expected, "");
    let registry = run("-g rfc2396 --explain //a_b/", "");
    assert!(registry.text().contains("^^^ authority, registry\n"), "{}", registry.text());
}

#[test]
fn bytes_that_cannot_be_shown_are_escaped_and_keep_the_alignment() {
    let expected = "\
invalid as uri: non-ascii at byte 9, column 10, path

  0         10
  http://h/é\\x01/
           ^
  \"é\" (U+00E9) in the path is not ASCII and must be percent-encoded
";
    run_with(["--explain", "http://h/é\u{1}/"], "").expect(1, expected, "");
    let iri = run_with(["-g", "iri", "--explain", "http://h/é?q"], "");
    let marks: Vec<_> = iri.text().lines().skip(2).collect();
    assert_eq!(marks[1], "  http://h/é?q");
    assert_eq!(marks[5], "          ^^ path");
    assert_eq!(marks[6], "             ^ query");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_escaped_too() {
    use std::os::unix::ffi::OsStrExt;
    let uri = std::ffi::OsStr::from_bytes(b"http://h/\xFF");
    let run = finish(command().arg("--explain").arg(uri));
    assert_eq!(run.status, 1);
    assert!(run.text().contains("http://h/\\xFF\n           ^^^^\n"), "{}", run.text());
}

#[test]
fn a_long_one_goes_over_several_lines_none_of_them_too_long() {
    let uri = format!("https://example.com/{}?{}#end", "path/".repeat(40), "q=1&".repeat(30));
    let valid = run_with(["--explain", &uri], "");
    assert_eq!(valid.status, 0);
    // Derived values are in one piece.
    let text = valid.text();
    let (drawing, derived) = text.split_once("\n\n  normalized ").unwrap();
    assert!(derived.contains(&uri));
    assert!(drawing.lines().all(|line| line.len() <= 80), "{drawing}");
    let shown: String = drawing
        .lines()
        .skip(2)
        .filter(|line| !line.contains('^') && !line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        .map(str::trim)
        .collect();
    assert_eq!(shown, uri);
    assert!(valid.text().contains("^^^ fragment"));

    let bad = format!("{uri} {}", "x".repeat(500));
    let invalid = run_with(["--explain", &bad], "");
    assert_eq!(invalid.status, 1);
    assert!(invalid.text().lines().all(|line| line.len() <= 80), "{}", invalid.text());
    let lines: Vec<_> = invalid.text().lines().collect();
    assert_eq!(
        lines[0],
        format!("invalid as uri: space at byte {}, column {}, fragment", uri.len(), uri.len() + 1)
    );
    let caret = lines[4].find('^').unwrap();
    let shown: Vec<_> = lines[3].chars().collect();
    assert_eq!(shown[caret - 4..caret + 2].iter().collect::<String>(), "#end x");
    // A cut is marked, on a terminal of any width.
    assert!(lines[3].starts_with("  …") && lines[3].ends_with("x…"), "{}", lines[3]);
    let ascii = finish(command().env("LC_ALL", "C").args(["--explain", &bad]));
    assert!(ascii.text().is_ascii() && ascii.text().contains("x...\n"), "{}", ascii.text());
}

#[test]
fn readable_text_stays_readable() {
    let expected = "\
valid as iri

  0        10      20
  http://例え.jp/日本
  ^^^^ scheme
         ^^^^^^^ authority
         ^^^^^^^ host, reg-name
                ^^^^^ path

  normalized     http://例え.jp/日本
  to_uri         http://%E4%BE%8B%E3%81%88.jp/%E6%97%A5%E6%9C%AC
  surt           jp,xn--r8jz45g)/%e6%97%a5%e6%9c%ac
  host_ascii     xn--r8jz45g.jp
  suffix         jp
  domain         例え.jp
";
    run_with(["-g", "iri", "--explain", "http://例え.jp/日本"], "").expect(0, expected, "");
    // Invisible characters are always escaped.
    let wrong = run_with(["-g", "iri", "--explain", "http://例/\u{E000}日"], "");
    assert!(wrong.text().contains("\\xEE\\x80\\x80日\n"), "{}", wrong.text());
    // A combining mark takes no column.
    let accent = run_with(["-g", "iri", "--explain", "http://h/e\u{301}?q"], "");
    assert!(accent.text().contains("          ^^ path\n             ^ query"), "{}", accent.text());
}

#[test]
fn messages_quote_what_they_speak_of() {
    let run = run_with(["--explain", "http://h/\"x"], "");
    assert!(run.text().ends_with("  '\"' is not allowed in the path\n"), "{}", run.text());
    let zone = run_with(["--explain", "http://[fe80::1%25en0]/"], "");
    let advice = "a zone identifier, which this validator does not allow; --zone-ids allows it\n";
    assert!(zone.text().ends_with(advice), "{}", zone.text());
    let list = super::run("", "http://[fe80::1%25en0]/\n");
    assert!(list.text().ends_with(advice), "{}", list.text());
    let statistics = super::run("--stats", "http://[fe80::1%25en0]/\n");
    assert!(statistics.text().contains(advice), "{}", statistics.text());
}

#[test]
fn options_of_the_grammar_apply() {
    run("--zone-ids --explain http://[fe80::1%25en0]/", "");
    assert_eq!(run("--zone-ids --explain http://[fe80::1%25en0]/", "").status, 0);
    assert_eq!(run("--explain http://[fe80::1%25en0]/", "").status, 1);
    assert_eq!(run_with(["--trim", "--explain", " urn:a\n"], "").status, 0);
    assert_eq!(run("--max-record 4 --explain urn:a", "").status, 1);
    // An argument with a leading hyphen is not an option here.
    assert_eq!(run_with(["--explain", "-x"], "").status, 1);
}

/// Returns the text after the drawing.
fn derived(args: &[&str]) -> String {
    let run = run_with(args.iter().copied(), "");
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.text().split_once("\n\n  normalized ").expect("derived columns").1.trim_start().to_owned()
}

#[test]
fn the_normal_form_comes_step_by_step() {
    let uri = "HTTP://%55@Www.%45xample.co.uk:080/%7ea/../%7eb%c3?%41#%41";
    let rest = "surt           uk,co,example)/~b%c3?a\n  suffix         co.uk\n";
    assert!(derived(&["--explain", uri]).contains(rest), "{}", derived(&["--explain", uri]));
    let steps = "    scheme, case: HTTP becomes http
    userinfo, escapes: %55 becomes U
    host, escapes: Www.%45xample.co.uk becomes Www.Example.co.uk
    host, case: Www.Example.co.uk becomes www.example.co.uk
    path, escapes: /%7ea/../%7eb%c3 becomes /~a/../~b%C3
    path, dots: /~a/../~b%C3 becomes /~b%C3
    query, escapes: %41 becomes A
    fragment, escapes: %41 becomes A
";
    let syntax = derived(&["--explain", uri]);
    assert!(syntax.starts_with(&format!("http://U@www.example.co.uk:080/~b%C3?A#A\n{steps}")), "{syntax}");
    let scheme = derived(&["--normalize", "scheme", "--explain", uri]);
    let port = "    port, default-port: :080 becomes nothing\n    path, escapes";
    let steps = steps.replace("    path, escapes", port);
    assert!(scheme.starts_with(&format!("http://U@www.example.co.uk/~b%C3?A#A\n{steps}")), "{scheme}");
    let empty = derived(&["--normalize", "scheme", "--explain", "ftp://h:"]);
    let steps =
        "ftp://h/\n    port, default-port: : becomes nothing\n    path, empty-path: nothing becomes /\n";
    assert!(empty.starts_with(steps), "{empty}");
    let other = derived(&["--normalize", "scheme", "--explain", "x://h:"]);
    assert!(other.starts_with("x://h\n    port, default-port: : becomes nothing\n"), "{other}");
    // A guard before a path belongs to the step that made it necessary.
    let guarded = derived(&["--explain", "x:/a/..//b"]);
    assert!(guarded.starts_with("x:/.//b\n    path, dots: /a/..//b becomes /.//b\n"), "{guarded}");
}

#[test]
fn other_grammars_have_their_own_steps() {
    let java = derived(&["-g", "java", "--explain", "HTTP://H:0080//%7ea/../b"]);
    assert!(
        java.starts_with(
            "HTTP://H:80/b\n    port, print: 0080 becomes 80\n    path, dots: //%7ea/../b becomes /b\n"
        ),
        "{java}"
    );
    let opaque = derived(&["-g", "rfc2396", "--explain", "MAILTO:%61@b"]);
    let steps = "mailto:a@b\n    scheme, case: MAILTO becomes mailto\n    scheme-specific-part, escapes: %61@b becomes a@b\n";
    assert!(opaque.starts_with(steps), "{opaque}");
    let registry = derived(&["-g", "rfc2396", "--explain", "//a%61_b/"]);
    assert!(registry.contains("    authority, escapes: a%61_b becomes aa_b\n"), "{registry}");
    let run = run_with(["-g", "java", "--normalize", "scheme", "--explain", "http://h"], "");
    assert_eq!((run.status, run.stdout.len()), (2, 0));
    assert!(run.stderr.contains("--normalize: grammar java"), "{}", run.stderr);
}

#[test]
fn a_reference_is_resolved() {
    let resolved = derived(&["--base", "http://h/a/b", "--explain", "../c"]);
    assert!(resolved.contains("  resolved       http://h/c\n"), "{resolved}");
    assert!(!derived(&["--explain", "http://h/"]).contains("resolved"));
    assert_eq!(run("--base x --explain http://h/", "").status, 2);
}

#[test]
fn private_suffixes_are_shown_where_they_differ() {
    let private = derived(&["--explain", "http://a.b.github.io/"]);
    assert!(
        private.ends_with(
            "  suffix         io\n  domain         github.io\n  private_suffix github.io\n  private_domain b.github.io\n"
        ),
        "{private}"
    );
}

#[test]
fn one_json_object_has_all_of_it() {
    let parsed = |args: &[&str], status| -> serde_json::Value {
        let run = run_with(args.iter().copied(), "");
        assert_eq!(run.status, status, "{}", run.stderr);
        assert!(run.text().ends_with("}\n"));
        serde_json::from_str(run.text()).unwrap()
    };
    let uri = "HTTP://a.b.github.io/./\u{E9}";
    let json = parsed(&["-g", "iri", "--json", "--explain", uri], 0);
    let expected = serde_json::json!({
        "uri": uri, "grammar": "iri", "valid": true,
        "components": {
            "scheme": {"start": 0, "end": 4, "text": "HTTP"},
            "authority": {"start": 7, "end": 20, "text": "a.b.github.io"},
            "host": {"start": 7, "end": 20, "text": "a.b.github.io"},
            "path": {"start": 20, "end": 25, "text": "/./\u{E9}"},
        },
        "host_kind": "reg-name",
        "normalized": "http://a.b.github.io/\u{E9}", "to_uri": "HTTP://a.b.github.io/./%C3%A9",
        "surt": "io,github,b,a)/%c3%a9", "host_reversed": "io.github.b.a", "host_ascii": "a.b.github.io",
        "suffix": "io", "domain": "github.io", "private_suffix": "github.io", "private_domain": "b.github.io",
        "changes": [
            {"step": "case", "part": "scheme", "from": "HTTP", "to": "http"},
            {"step": "dots", "part": "path", "from": "/./\u{E9}", "to": "/\u{E9}"},
        ],
    });
    assert_eq!(json, expected);
    let json = parsed(&["--suggest", "--to", "jsonl", "--explain", "http://h/a b"], 1);
    let expected = serde_json::json!({
        "uri": "http://h/a b", "grammar": "uri", "valid": false,
        "error": {"kind": "space", "component": "path", "offset": 10},
        "message": "a space must be written %20", "suggestion": "http://h/a%20b",
    });
    assert_eq!(json, expected);
    let csv = run("--to csv --explain http://h/", "");
    assert_eq!((csv.status, csv.stdout.len()), (2, 0));
    assert!(csv.stderr.contains("--explain writes text or jsonl"), "{}", csv.stderr);
}

/// Tests that a long text of a step is cut, at the start of a character.
#[test]
fn long_texts_of_steps_are_cut() {
    let path = "a/../".repeat(20);
    let text = run(&format!("--explain http://h/{path}"), "").text().to_owned();
    assert!(text.contains(&format!("path, dots: /{}… (101 bytes) becomes /\n", &path[..59])), "{text}");
    let path = "é".repeat(40);
    let text = run(&format!("-g iri --explain http://h/a/../{path}%7e"), "").text().to_owned();
    assert!(text.contains("ééé… (87 bytes) becomes /éééééé"), "{text}");
}
