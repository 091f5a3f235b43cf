//! Tests the extension of a file's name if its lines do not settle its format.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{Dir, run};

/// A line of commas may be a URI, or a row.
const COMMAS: &str = "http://a/b,c\nhttp://a/d,e\nhttp://a/f,g\n";
const PAGE: &str = "<p>\n<a href='http://a/x y'>x</a>\n<img src=/i.png>\n";
const LOGS: &str = "```\n1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n\
                    1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /b HTTP/1.1\" 200 5\n\
                    1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /c HTTP/1.1\" 200 5\n```\n";
const TABLE: &str = "| http://a/ | b |\n|---|---|\n| http://c/ | d |\n";
const OBJECT: &str = "{\n \"a\": [1, 2],\n \"b\": {\n }\n}\n";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn the_extension_decides_where_lines_do_not() {
    let dir = Dir::new();
    for (name, content, expected) in [
        ("a.csv", COMMAS, "csv (3 of 3 lines fit, and its name says so), column 1"),
        ("a.CSV", COMMAS, "csv (3 of 3 lines fit, and its name says so), column 1"),
        ("a.csv.gz", COMMAS, "csv (3 of 3 lines fit, and its name says so), column 1"),
        ("page.html", PAGE, "html (its name says so)"),
        ("page.htm.gz", PAGE, "html (its name says so)"),
        ("object.json", OBJECT, "json (its name says so)"),
        ("notes.md", "# Notes\n\nSee <http://a/b>.\n", "markdown (its name says so)"),
        ("logs.md", LOGS, "markdown (its name says so)"),
        ("table.md", TABLE, "markdown (its name says so)"),
        ("notes.markdown.gz", "[a](b c)\n", "markdown (its name says so)"),
        ("notes.adoc", "Notes\n\nSee link:b.html[x].\n", "asciidoc (its name says so)"),
        ("logs.asciidoc.gz", LOGS, "asciidoc (its name says so)"),
        ("notes.rst", "Notes\n\nSee `x <b.html>`_.\n", "rst (its name says so)"),
        ("page.mdx", "# A\n\n<A href=\"b c\" />\n", "mdx (its name says so)"),
        ("report.qmd", "# A\n\n[a](b c)\n", "quarto (its name says so)"),
        ("report.Rmd", TABLE, "quarto (its name says so)"),
    ] {
        let is_compressed = name.ends_with(".gz");
        dir.write(name, if is_compressed { gzip(content) } else { content.into() });
        for threads in ["-j1", "-j2", "-j2 --no-mmap"] {
            let found = dir.run(&format!("--stats=json {threads} {name}"));
            let note = format!("urivalidate: {name}: read as {expected}, grammar ");
            assert!(found.stderr.starts_with(&note), "{name}: {}", found.stderr);
        }
    }
    assert_eq!(dir.run("--emit valid --columns uri a.csv").status, 2);
    assert_eq!(dir.run("--emit uri a.csv").text(), "http://a/b\nhttp://a/d\nhttp://a/f\n");
}

#[test]
fn the_lines_decide_where_they_can() {
    let dir = Dir::new();
    let log = "1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 5\n";
    for (name, content, format) in [
        ("urls.csv", "http://a/\nhttp://b/\nhttp://c/\n", "lines"),
        ("urls.html", "http://a/\nhttp://b/\n", "lines"),
        ("urls.md", "http://a/\nhttp://b/\n", "lines"),
        ("urls.adoc", "http://a/\nhttp://b/\n", "lines"),
        ("urls.rst", "http://a/\nhttp://b/\n", "lines"),
        ("guide.txt", "= Guide\n:toc:\n\nSee http://a/b[c].\n", "asciidoc"),
        ("guide", "Guide\n=====\n\n.. _a: http://b/\n", "rst"),
        ("access.json", log, "common"),
        ("lines.json", "{\"url\":\"http://a/\"}\n{\"url\":\"http://b/\"}\n", "jsonl"),
        ("no.json", "no\njson\n", "lines"),
        ("pom.xml", "<project>\n<url>x</url>\n</project>\n", "xml"),
        ("list.xml", "http://a/\nhttp://b/\n", "lines"),
        ("feed.xml", "<feed xmlns='http://www.w3.org/2005/Atom'/>\n", "xml"),
        ("empty.html", "", "lines"),
        ("a.txt", COMMAS, "lines"),
        ("html", PAGE, "lines"),
        // A dot file has no extension.
        (".csv", COMMAS, "lines"),
    ] {
        dir.write(name, content);
        assert_eq!(dir.run(&format!("--stats=json {name}")).json()["format"], format, "{name}");
    }
    // A stream has no name, and an option takes precedence over a name.
    assert_eq!(run("--stats=json", COMMAS).json()["format"], "lines");
    dir.write("a.csv", COMMAS);
    assert_eq!(dir.run("--stats=json --from lines a.csv").json()["format"], "lines");
}
