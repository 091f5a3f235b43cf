//! `--explain`.

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
";
    run("-g uri-reference --explain //?#", "").expect(0, expected, "");
    run_with(["-g", "uri-reference", "--explain", ""], "").expect(
        0,
        "valid as uri-reference\n\n  0\n\n  | path, empty\n",
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
    assert!(valid.text().lines().all(|line| line.len() <= 80), "{}", valid.text());
    let shown: String = valid
        .text()
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
";
    run_with(["-g", "iri", "--explain", "http://例え.jp/日本"], "").expect(0, expected, "");
    // Invisible characters are escaped all the same.
    let wrong = run_with(["-g", "iri", "--explain", "http://例/\u{E000}日"], "");
    assert!(wrong.text().contains("\\xEE\\x80\\x80日\n"), "{}", wrong.text());
    // A combining mark has no column of its own.
    let accent = run_with(["-g", "iri", "--explain", "http://h/e\u{301}?q"], "");
    assert!(accent.text().contains("          ^^ path\n             ^ query"), "{}", accent.text());
}

#[test]
fn messages_quote_what_they_speak_of() {
    let run = run_with(["--explain", "http://h/\"x"], "");
    assert!(run.text().ends_with("  '\"' is not allowed in the path\n"), "{}", run.text());
    let zone = run_with(["--explain", "http://[fe80::1%25en0]/"], "");
    assert!(zone.text().contains("take one, with --zone-ids\n"), "{}", zone.text());
}

#[test]
fn options_of_the_grammar_apply() {
    run("--zone-ids --explain http://[fe80::1%25en0]/", "");
    assert_eq!(run("--zone-ids --explain http://[fe80::1%25en0]/", "").status, 0);
    assert_eq!(run("--explain http://[fe80::1%25en0]/", "").status, 1);
    assert_eq!(run_with(["--trim", "--explain", " urn:a\n"], "").status, 0);
    assert_eq!(run("--max-record 4 --explain urn:a", "").status, 1);
    // A leading hyphen is no option here.
    assert_eq!(run_with(["--explain", "-x"], "").status, 1);
}
