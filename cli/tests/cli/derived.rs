//! Columns that are made of a record: `normalized`, `resolved`, `to_uri`; `--normalize`, `--base`.

use arrow_array::cast::AsArray;
use arrow_ipc::reader::StreamReader;

use crate::{Dir, run};

const LIST: &str = "HTTP://Example.com:80/%7ea/./b?x,y\nno\nhttp://h\r\nhttp://h/a";

#[test]
fn normal_forms_are_written_one_a_line() {
    run("--emit normalized", LIST).expect(0, "http://example.com:80/~a/b?x,y\nhttp://h\nhttp://h/a\n", "");
    let by_scheme = "http://example.com/~a/b?x,y\nhttp://h/\nhttp://h/a\n";
    run("--emit normalized --normalize scheme", LIST).expect(0, by_scheme, "");
    run("--emit normalized -0", "http://H/\0a b\0urn:A").expect(0, "http://h/\0urn:A\0", "");
    run("--emit normalized --trim", " http://H/ \n").expect(0, "http://h/\n", "");
    run("--emit normalized --max-record 9", "http://H/a\nhttp://H/").expect(0, "http://h/\n", "");
}

#[test]
fn derived_columns_are_in_every_form() {
    let rows = |form: &str| {
        run(&format!("--emit components --columns valid,normalized,host --to {form}"), format!("{LIST}\n"))
    };
    rows("text").expect(
        0,
        "true\thttp://example.com:80/~a/b?x,y\tExample.com\nfalse\t\\N\t\\N\ntrue\thttp://h\th\ntrue\thttp://h/a\th\n",
        "",
    );
    rows("csv").expect(
        0,
        "valid,normalized,host\ntrue,\"http://example.com:80/~a/b?x,y\",Example.com\nfalse,,\ntrue,http://h,h\ntrue,http://h/a,h\n",
        "",
    );
    rows("jsonl").expect(
        0,
        "{\"valid\":true,\"normalized\":\"http://example.com:80/~a/b?x,y\",\"host\":\"Example.com\"}
{\"valid\":false,\"normalized\":null,\"host\":null}
{\"valid\":true,\"normalized\":\"http://h\",\"host\":\"h\"}
{\"valid\":true,\"normalized\":\"http://h/a\",\"host\":\"h\"}\n",
        "",
    );
    let stream = rows("arrow").stdout;
    let batch = StreamReader::try_new(&stream[..], None).unwrap().next().unwrap().unwrap();
    let normalized: Vec<_> = batch.column_by_name("normalized").unwrap().as_string::<i32>().iter().collect();
    assert_eq!(
        normalized,
        [Some("http://example.com:80/~a/b?x,y"), None, Some("http://h"), Some("http://h/a")]
    );
}

#[test]
fn derived_columns_are_counted() {
    let list = "http://H/a/../b\nhttp://h/b\nno\nhttp://h/%62\nhttp://h/c\n";
    run("--count normalized", list).expect(0, "3\thttp://h/b\n1\thttp://h/c\n", "");
    run("--count resolved --base http://h/a/", "b\n./b\nhttp://h/c").expect(
        0,
        "2\thttp://h/a/b\n1\thttp://h/c\n",
        "",
    );
}

#[test]
fn references_are_resolved_against_the_base() {
    let references = "../x\n\n?y\n//o/\nhttp://q/./a\n[\n";
    run("--emit resolved --base http://a/b/c/d#f", references).expect(
        0,
        "http://a/b/x\nhttp://a/b/c/d\nhttp://a/b/c/d?y\nhttp://o/\nhttp://q/a\n",
        "",
    );
    // A grammar that is named stays.
    run("--emit resolved --base http://a/b -g uri", "c\nhttp://q/./a\n").expect(0, "http://q/a\n", "");
    run("--emit resolved --base http://a/b?q -g rfc2396", "?y").expect(0, "http://a/?y\n", "");
    run("--emit resolved --base http://a/b -g iri-reference", "é").expect(0, "http://a/é\n", "");
}

/// The grammar stays, and what can only stand alone has no URI.
#[test]
fn request_targets_get_the_scheme_and_the_authority_of_the_base() {
    let dir = Dir::new();
    let line =
        |request: &str| format!("1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] \"{request} HTTP/1.0\" 200 2326\n");
    let log = ["GET /a/../b", "OPTIONS *", "GET http://H/"].map(line).concat();
    dir.write("log", &log);
    dir.run("--from common --emit resolved --base https://h.example/c log").expect(
        0,
        "https://h.example/a/../b\nhttp://H/\n",
        "",
    );
    dir.run("--from common --emit normalized log").expect(0, "/b\n*\nhttp://h/\n", "");
}

#[test]
fn iris_become_uris() {
    run("--emit to_uri -g iri", "http://h/é\nhttp://h/a\n").expect(0, "http://h/%C3%A9\nhttp://h/a\n", "");
}

#[test]
fn options_that_make_no_column_are_usage_errors() {
    for (args, message) in [
        ("--emit resolved", "the column resolved needs --base"),
        ("--count resolved", "the column resolved needs --base"),
        ("--emit components --columns resolved", "the column resolved needs --base"),
        ("--emit resolved --base /x", "--base: "),
        ("--emit resolved --base x:[", "--base: "),
        ("--emit resolved --base /x -g java", "--base: "),
        ("--emit resolved --base /x -g rfc2396", "--base: "),
        ("--emit normalized --normalize scheme -g java", "java does not support the form scheme"),
        ("--emit normalized --normalize all", "syntax, scheme"),
        ("--emit offsets --columns normalized", "there is no column \"normalized\""),
    ] {
        let done = run(args, "http://h/\n");
        assert_eq!((done.status, &done.stdout[..]), (2, &b""[..]), "{args}");
        assert!(done.stderr.contains(message), "{args}: {}", done.stderr);
    }
}
