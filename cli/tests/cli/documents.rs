//! Tests JSON documents: `--from json`, `--from har`, and detected keys of JSON Lines.

use super::{Dir, run};

const PAGES: &str = include_str!("../../../corpora/logs/pages.json");
const HAR: &str = include_str!("../../../corpora/logs/requests.har");

#[test]
fn documents_are_found_out_and_their_places_told() {
    let expected = "\
-:5:61: missing-scheme: no scheme: a name and \":\" must come first, found \"/\"
-:10:45: non-ascii: \"\u{e4}\" (U+00E4) in the path is not ASCII and must be percent-encoded
-:14:20: malformed-line: the value is not a JSON string
";
    let note = "urivalidate: -: read as json (15 of 15 lines fit), grammar uri; --from and --grammar choose others\n";
    let hint = "urivalidate: -: at least half of the records are invalid: this looks like json with references without schemes; try --grammar uri-reference\n";
    run("", PAGES).expect(1, expected, &format!("{note}{hint}"));
    for threads in ["-j1", "-j2"] {
        run(&format!("--from json {threads}"), PAGES).expect(1, expected, hint);
    }
    let rows = run("--from json --no-notes --to csv --columns line,column,error_kind", PAGES);
    let expected = "line,column,error_kind\n5,61,missing-scheme\n10,22,non-ascii\n14,20,malformed-line\n";
    rows.expect(1, expected, "");
}

#[test]
fn valid_records_of_documents_are_written_one_a_line() {
    run("--from har --emit valid", HAR).expect(0, "http://www.example.com/\ndata:text/plain,a\n", "");
    run("--from har --emit invalid", HAR).expect(0, "https://www.example.com/s?q=a b\"c\n", "");
    let redirects = run("--from har --key log.entries.response.redirectURL --emit valid", HAR);
    redirects.expect(0, "https://www.example.com/\n", "");
    // Several files of one line each.
    let dir = Dir::new();
    dir.write("one", "[\"http://a.example/\"]");
    dir.write("two", "{\"a\":[{\"url\":\"http://b.example/\"}]}");
    dir.run("--from json --emit valid one two").expect(0, "http://a.example/\nhttp://b.example/\n", "");
}

#[test]
fn one_line_of_any_length_takes_bounded_memory_and_keeps_its_columns() {
    let array = format!("[{}\"no\"]", "\"http://a.example/\", ".repeat(200_000));
    let column = array.len() - 1;
    for threads in ["-j1", "-j2"] {
        let found = run(&format!("--from json {threads}"), array.as_str());
        let expected = format!("-:1:{column}: missing-scheme: no scheme: the record ends before a \":\"\n");
        assert_eq!((found.status, found.text()), (1, expected.as_str()));
    }
    let torn = &array[..array.len() - 1];
    let found = run("--from json --to csv --columns line,column,error_kind", torn);
    let expected =
        format!("line,column,error_kind\n1,{},missing-scheme\n1,{},malformed-line\n", column - 2, column + 1);
    assert_eq!((found.status, found.text()), (1, expected.as_str()));
    assert_eq!(run("--from json --stats=json", torn).json()["malformed_lines"], 1);
}

#[test]
fn the_key_that_was_found_out_is_told() {
    let line = "{\"remote_addr\":\"192.0.2.1\",\"request\":\"GET /a|b HTTP/1.1\",\"status\":200}\n";
    let lines = line.repeat(12);
    let found = run("--emit none", lines.as_str());
    let note = "urivalidate: -: read as jsonl (12 of 12 lines fit), key \"request\", grammar request-target; --from, --key and --grammar choose others\n";
    let hint = "urivalidate: -: nearly every record is invalid: the lines fit jsonl, and no known format fits better; --suggest says what may be meant\n";
    assert_eq!((found.status, found.stderr), (0, format!("{note}{hint}")));
    let found = run("--from jsonl --key request --fail-fast", lines.as_str());
    let column = line.find('|').unwrap() + 1;
    found.expect(1, format!("-:1:{column}: invalid-character: \"|\" is not allowed in the path\n"), "");
    // If the user requests the format, the usual key is missing, and the message names the others.
    let found = run("--from jsonl --fail-fast", line);
    let message = "no line has the key \"url\"; \"request\" has request lines in 100% of the lines; --key chooses another";
    found.expect(2, "", &format!("urivalidate: -: {message}\n"));
}

#[test]
fn keys_of_documents_are_found_out_and_told() {
    let document =
        "[{\"link\":{\"href\":\"http://a.example/ b\"}},\n {\"link\":{\"href\":\"http://a.example/\"}}]";
    let note = "urivalidate: -: read as json (2 of 2 lines fit), key \"link.href\", grammar uri; --from, --key and --grammar choose others\n";
    run("", document).expect(1, "-:1:36: space: a space must be written %20\n", note);
    // If the user requests the format, the usual keys are missing, and the message names the other one.
    let message =
        "no object has the key \"url\"; \"link.href\" has URIs in 100% of the objects; --key chooses another";
    run("--from json --fail-fast", document).expect(2, "", &format!("urivalidate: -: {message}\n"));
    // Each file may have its own key.
    let dir = Dir::new();
    dir.write("one", "[{\"a\":\"http://a.example/\"}]");
    dir.write("two", "[{\"b\":\"http://a.example/\"}]");
    dir.write("three", "[{\"b\":\"http://a.example/\"}]");
    let said = dir.run("one two three").stderr;
    let keys: Vec<_> = said.lines().map(|line| line.split('"').nth(1).unwrap()).collect();
    assert_eq!(keys, ["a", "b"], "{said}");
}

/// Tests lines with several records, too.
#[test]
fn fail_fast_ends_at_the_first_invalid_record_in_every_output() {
    let document = "[{\"url\":\"http://a/\"},{\"url\":\"http://b c/\"},{\"url\":\"http://d/\"},{\"url\":\"http://e f/\"}]";
    let text = "see http://a/ \"http://b c/\" \"http://d/\" \"http://e f/\"\nhttp://g/\n";
    let page =
        "<!doctype html><a href=http://a/><a href='http://b c/'><a href=http://d/><a href='http://e f/'>";
    for (from, input) in [("json", document), ("text", text), ("html", page)] {
        for threads in [1, 2] {
            for (options, expected) in [
                ("--emit valid", "http://a/\n"),
                ("--emit invalid", "http://b c/\n"),
                ("--emit host --no-notes", "a\n"),
                ("--to tsv --emit errors --columns uri", "uri\nhttp://b c/\n"),
                ("--to tsv --emit components --columns valid,host", "valid\thost\ntrue\ta\nfalse\t\\N\n"),
                (
                    "--to tsv --emit components --columns uri,also_valid --also java",
                    "uri\talso_valid\nhttp://a/\ttrue\nhttp://b c/\tfalse\n",
                ),
            ] {
                let all = format!("--from {from} --grammar uri --fail-fast --threads {threads} {options}");
                run(&all, input).expect(1, expected, "");
            }
            let counted =
                run(&format!("--from {from} --grammar uri --fail-fast --threads {threads} --stats"), input);
            assert!(counted.text().starts_with("2 URIs in "), "{}", counted.text());
        }
    }
    // A malformed place in a document ends the run, too.
    let broken = "[{\"url\":\"http://a/\"},{\"url\":7},{\"url\":\"http://d/\"},{\"url\":8}]";
    run("--from json --fail-fast --emit valid", broken).expect(1, "http://a/\n", "");
    let errors = run("--from json --fail-fast", broken);
    assert_eq!((errors.status, errors.text().lines().count()), (1, 1), "{}", errors.text());
}

#[test]
fn a_likely_key_is_advised_and_helps() {
    let lines = "{\"a b\":\"/b\",\"c\":\"http://d.example/\",\"e\":{\"f.g\":\"h\"}}\n".repeat(12);
    let said = run("--emit none", lines.as_str()).stderr;
    let hint = "urivalidate: -: no line has the key: this looks like jsonl in which \"a b\" has request targets in 100% of the lines; try \
                --from jsonl --key 'a b'";
    assert_eq!(said.lines().last(), Some(hint));
    let helped = super::run_with(["--from", "jsonl", "--key", "a b"], lines.as_str());
    helped.expect(0, "", "");
    // The requested key is read, so no other key is suggested.
    let lines = "{\"a\":7,\"b\":\"c\"}\n{\"a\":\"http://a.example/\"}\n".repeat(12);
    let said = run("--emit none --key a", lines.as_str()).stderr;
    assert!(
        said.ends_with(
            "no known format fits better; --regex, --delimiter or --key can say where the URIs are\n"
        ),
        "{said}"
    );
}

#[test]
fn a_slow_document_gets_answers_in_between() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let mut command = super::process();
    command.args(["--from", "json", "--key", "r"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(stdout).lines().map(Result::unwrap);
    // The first string of the key decides how its strings are read.
    for piece in ["[{\"x\":[1,2,3],\n", "\"r\":\n", "\"GET /a|b HTTP/1.1\"},\n"] {
        stdin.write_all(piece.as_bytes()).unwrap();
        stdin.flush().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let expected = "invalid-character: \"|\" is not allowed in the path";
    assert_eq!(lines.next().unwrap(), format!("-:3:8: {expected}"));
    stdin.write_all(b"{\"r\":\"GET /c|d HTTP/1.1\"}]").unwrap();
    drop(stdin);
    assert_eq!(lines.next().unwrap(), format!("-:4:13: {expected}"));
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
