//! Tests files that are not in the expected format: other formats, tables without a header, archives.

use super::{Dir, run};

fn repeated(line: &str) -> String {
    line.repeat(20)
}

/// Returns the message about a list of these lines.
#[track_caller]
fn said(args: &str, list: &str) -> String {
    run(&format!("--emit none {args}"), list).stderr
}

#[test]
fn what_a_file_looks_like_is_said_once() {
    const INVALID: &str = "urivalidate: -: nearly every record is invalid: this looks like ";
    for (line, looks, advice) in [
        // Half of the lines have other cells.
        (
            "1,http://a.example/ b\n2,http://b.example/,c,d\n",
            "cells between commas, with URIs in column 2",
            "--from csv --field 2",
        ),
        (
            "x http://a.example/ http://b.example/\n",
            "cells between spaces, with URIs in column 2 and others",
            "--delimiter space --field 2",
        ),
        (" http://a.example/ \n", "URIs with white space around them", "--trim"),
        ("http://a.example/\r\r\n", "URIs with white space around them", "--trim"),
        ("www.example.com/a\n", "URIs without schemes", "--grammar uri-reference"),
        (
            "2026-11-22 10:00:00 GET /a.html - 200\n",
            "cells between spaces, with paths in column 4",
            "--delimiter space --field 4 --grammar uri-reference",
        ),
        (
            "1;\"a; b\";www.example.com\n",
            "cells between semicolons, with host names in column 3, which are relative references, not URIs",
            "--delimiter ';' --field 3 --grammar uri-reference",
        ),
        ("see <http://a.example/>\n", "text with URIs in it", "--from text"),
        (
            "2024-01-01 00:00:00 [scrapy.core.engine] DEBUG: Crawled (200) <GET http://a.example/b> (referer: None)\n",
            "text with URIs in it",
            "--from text",
        ),
        (
            "#EXTINF:1,a\n\n# x\n\n\n#c\n#d\n\n\n\n\nhttp://a.example/\n",
            "URIs with empty lines or comments between them",
            "--from text",
        ),
    ] {
        let list = repeated(line);
        assert_eq!(said("", &list), format!("{INVALID}{looks}; try {advice}\n"), "{line}");
        // The advice helps.
        let advice: Vec<_> = advice.split(' ').map(|word| word.trim_matches('\'')).collect();
        let helped = run(&format!("--quiet --max-invalid 19 {}", advice.join(" ")), list.clone());
        assert_eq!(
            (helped.status, helped.stderr),
            (if line.contains("b\n") { 1 } else { 0 }, String::new()),
            "{line}"
        );
        for quiet in ["--from lines", "--quiet", "--null"] {
            assert_eq!(run(quiet, list.clone()).stderr, "", "{line} {quiet}");
        }
    }
    // Without a byte order mark, iconv has to know the byte order.
    let list = repeated("http://a.example/\n");
    let units = || list.encode_utf16();
    for (encoding, bytes) in [
        ("UTF-16LE", units().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ("UTF-16BE", units().flat_map(u16::to_be_bytes).collect()),
        ("UTF-32LE", units().flat_map(|unit| u32::from(unit).to_le_bytes()).collect()),
        ("UTF-32BE", units().flat_map(|unit| u32::from(unit).to_be_bytes()).collect()),
    ] {
        let expected = format!("{INVALID}{encoding}; try iconv -f {encoding} -t UTF-8 first\n");
        assert_eq!(run("--emit none", bytes).stderr, expected);
    }
    // Rows of different lengths are no table, unless the user says so.
    let table = repeated(
        "http://a.example/,http://b.example/\nhttp://a.example/,http://b.example/,http://c.example/\n",
    );
    let more = "urivalidate: -: nearly every line holds more than one URI: this looks like cells between commas, with URIs in \
                column 1 and others; try --from csv --field 1\n";
    assert_eq!(said("", &table), more);
    // For many files, the message names the first.
    let dir = Dir::new();
    dir.write("one", &table);
    dir.write("two", &table);
    assert_eq!(dir.run("one two").stderr, more.replacen(": -:", ": one:", 1));
}

#[test]
fn of_a_list_nothing_is_said() {
    for line in [
        "http://a.example/\n",
        "http://a.example/a,b;c\n",
        "\n",
        "urn:a,urn:b\n",
        "http://a.example/?u=http://b.example/\n",
    ] {
        assert_eq!(said("", &repeated(line)), "", "{line}");
    }
    // Too few lines cause no message, and neither do a few invalid ones.
    assert_eq!(said("", &"www.example.com\n".repeat(2)), "");
    assert_eq!(said("", &(repeated("http://a.example/\n") + "www.example.com\n")), "");
    assert_eq!(said("--grammar uri-reference", &repeated("www.example.com\n")), "");
}

#[test]
fn a_table_is_told_by_the_column_that_is_asked_for() {
    let table = "id,link\n1,http://a.example/\n2,/b\n";
    for (args, expected) in
        [("--field link", "2,/b"), ("--field id --grammar uri-reference", ""), ("--field LINK", "2,/b")]
    {
        let run = run(&format!("--emit invalid {args}"), table);
        assert!(run.stderr.starts_with("urivalidate: -: read as csv"), "{}", run.stderr);
        assert_eq!(run.text().lines().skip(1).collect::<Vec<_>>().join("\n"), expected);
    }
    let tabs = run("--field link --emit valid", table.replace(',', "\t"));
    assert_eq!(tabs.text(), "id\tlink\n1\thttp://a.example/\n");
    let none = run("--field links", table);
    let message =
        "urivalidate: -: no field links: the format lines has no fields; --from chooses another format\n";
    none.expect(2, "", message);
}

/// Tests the advice of the note on a table: its options choose another column, and say whether there is a
/// header.
#[test]
fn options_apply_to_a_table_that_is_told_by_its_cells() {
    let dir = Dir::new();
    dir.write("t.csv", "id,page,home\n1,http://p/a,http://h/a b\n2,http://p/b,http://h/b\n");
    let note = |column: &str| {
        format!(
            "urivalidate: t.csv: read as csv (3 of 3 lines fit){column}, grammar uri; --from, --field and --grammar choose others\n"
        )
    };
    let with_other = note(", column 2").replace("grammar uri;", "grammar uri; column 3 also has URIs;");
    dir.run("t.csv").expect(0, "", &with_other);
    dir.run("--header yes t.csv").expect(0, "", &with_other);
    let of_home = "t.csv:2:24: space: a space must be written %20\n";
    for args in ["--field 3 t.csv", "--field home t.csv", "--header yes --field 3 t.csv"] {
        dir.run(args).expect(1, of_home, &note("").replace("--from, --field", "--from"));
    }
    let run = dir.run("--header no t.csv");
    assert!(run.text().starts_with("t.csv:1:8: missing-scheme"), "{}", run.text());
    assert_eq!((run.status, run.stderr), (1, with_other));
    let none = dir.run("--field links t.csv");
    assert_eq!(none.status, 2);
    assert!(none.stderr.contains("the header has no column links; it has id, page, home"), "{}", none.stderr);
    // The name of the file and these options make a table of lines without URIs.
    dir.write("hosts.csv", "id,site\n1,www.example.com\n");
    let run = dir.run("--field site --grammar uri-reference --emit uri hosts.csv");
    assert_eq!((run.status, run.text()), (0, "www.example.com\n"));
    // What is no table has no header.
    for (input, format) in [("http://a.example/\n", "lines"), ("{\"url\":\"http://a.example/\"}\n", "jsonl")]
    {
        for header in ["yes", "no"] {
            let message = format!(
                "urivalidate: -: the format {format} has no header row; --from chooses another format\n"
            );
            super::run(&format!("--header {header}"), input).expect(2, "", &message);
        }
    }
    super::run("--header yes", "").expect(0, "", "");
}

#[test]
fn a_header_and_the_name_of_a_file_make_a_table() {
    let dir = Dir::new();
    let missing = |line, at| {
        format!("{line}:{at}: missing-scheme: no scheme: a name and \":\" must come first, found \"/\"\n")
    };
    for (name, table, places) in [
        ("u.csv", "name,url\nn1,www.h.com/1\nn2,www.h.com/2\n", [(2, 13), (3, 13)]),
        ("u.tsv", "name\tURI\nn1\twww.h.com/1\nn2\twww.h.com/2\n", [(2, 13), (3, 13)]),
        ("one.csv", "url\nwww.h.com/1\nwww.h.com/2\n", [(2, 10), (3, 10)]),
    ] {
        dir.write(name, table);
        let run = dir.run(name);
        let expected: String = places.map(|(line, at)| format!("{name}:{}", missing(line, at))).concat();
        assert_eq!((run.status, run.text()), (1, &*expected));
        assert!(run.stderr.contains(": read as "), "{}", run.stderr);
    }
    // A name alone does not.
    dir.write("list.csv", "www.h.com/1\nwww.h.com/2\n");
    assert_eq!(dir.run("list.csv").text().lines().count(), 2);
    assert_eq!(dir.run("--stats=json list.csv").json()["format"], "lines");
}

#[test]
fn bars_in_queries_do_not_make_a_table() {
    let list: String = (0..20).map(|n| format!("http://fonts.example/css?family=F{n}:400|700\n")).collect();
    let found = run("--stats=json", list.clone());
    let stats = found.json();
    assert!(!found.stderr.contains("cells between"), "{}", found.stderr);
    assert_eq!((&stats["format"], &stats["valid"]), (&"lines".into(), &0.into()));
    // A table with a header is one still.
    let table = run("--stats=json", format!("page|weight\n{list}")).json();
    assert_eq!((&table["format"], &table["valid"]), (&"delimited".into(), &20.into()));
}

/// Returns a tar archive whose header for the file follows POSIX.
fn tar(content: &str) -> Vec<u8> {
    let mut header = [0_u8; 512];
    header[..8].copy_from_slice(b"list.txt");
    header[100..108].copy_from_slice(b"0000644\0");
    header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
    header[148..156].fill(b' ');
    header[257..263].copy_from_slice(b"ustar\0");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    [&header[..], content.as_bytes(), &[0; 1024]].concat()
}

#[test]
fn what_has_to_be_opened_first_is_named_and_refused() {
    let compressed = |bytes: &[u8]| zstd::encode_all(bytes, 0).unwrap();
    let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    for (input, what, way_out) in [
        (b"PK\x03\x04\x14\0".to_vec(), "a zip archive", "unzip -p"),
        (b"PAR1\x15\x04\x15".to_vec(), "a Parquet file", "duckdb"),
        (tar("http://a.example/\n"), "a tar archive", "tar -xO"),
        (compressed(&tar("http://a.example/\n")), "a tar archive", "tar -xO"),
        (utf16("\u{FEFF}http://a.example/\n"), "text in UTF-16", "iconv -f UTF-16 -t UTF-8"),
        (b"\0\0\xFE\xFF\0\0\0a".to_vec(), "text in UTF-32", "iconv -f UTF-32 -t UTF-8"),
    ] {
        let dir = Dir::new();
        dir.write("file", &input);
        dir.write("list", "http://a.example/\n");
        for args in ["file list", "--no-mmap file list"] {
            let run = dir.run(&format!("--emit valid {args}"));
            assert_eq!((run.status, run.text()), (2, "http://a.example/\n"), "{what}");
            let message = format!("urivalidate: file: {what}, which cannot be read here: ");
            assert!(run.stderr.starts_with(&message) && run.stderr.contains(way_out), "{}", run.stderr);
        }
        assert_eq!(run("", input).status, 2, "{what}");
    }
    // Documents would have no links, and so no invalid records.
    for (mark, encoding) in [("\u{FEFF}", "UTF-16"), ("", "UTF-16LE")] {
        for (name, format, document) in [
            ("a.html", "html", "<!DOCTYPE html>\n<a href='a b'>"),
            ("a.md", "markdown", "[a](b c)\n"),
            ("a.xml", "xml", "<?xml version='1.0'?>\n<urlset><loc>a b</loc></urlset>"),
            ("a.json", "json", "{\"url\":\"a b\"}"),
        ] {
            let dir = Dir::new();
            dir.write(name, utf16(&format!("{mark}{document}")));
            dir.write("a.zst", compressed(&utf16(&format!("{mark}{document}"))));
            for run in [dir.run(name), dir.run(&format!("--from {format} a.zst"))] {
                assert_eq!((run.status, run.text()), (2, ""), "{name}");
                let message = format!("text in {encoding}, which cannot be read here: ");
                assert!(
                    run.stderr.contains(&message) && run.stderr.contains(&format!("iconv -f {encoding} "))
                );
            }
        }
    }
    // A crawl log after the header of an ARC file counts as a crawl log.
    let arc = "filedesc://x.arc 0.0.0.0 20030101000000 text/plain 76\n1 0 Example\nURL IP-address Archive-date Content-type \
               Archive-length\n\nhttp://a.example/ 192.0.2.1 20030101000000 text/html 14\n<html></html>\n";
    assert_eq!(run("--stats=json", arc).json()["format"], "warc");
    let entry = "2026-01-01T00:00:00.000Z   200         14 http://a.example/ L http://b.example/ text/html #001 20260101000000000+1 - - -\n";
    let log = run("--stats=json", format!("{arc}{}", entry.repeat(20)));
    assert_eq!(log.json()["format"], "heritrix");
    // A format on the command line is never replaced.
    assert_eq!(run("--from lines --emit valid", tar("\nhttp://a.example/\n")).text(), "http://a.example/\n");
}

/// Splits the words of a command line as a shell does.
#[cfg(unix)]
fn shell_words(options: &str) -> Vec<String> {
    let script = format!("printf '%s\\n' {options}");
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// Tests each hint: with its options, more records are found, and a larger share of them is valid.
#[cfg(unix)]
#[test]
fn every_hint_helps() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("corpora");
    let samples = std::fs::read_dir(root.join("logs")).unwrap().map(|entry| entry.unwrap().path());
    let mut inputs: Vec<(String, Vec<u8>)> =
        samples.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect();
    let request = "192.0.2.1 - - [10/Oct/2026:13:55:36 +0000] \"GET /a HTTP/1.1\" 200 5 \"-\" \"x\"";
    for (name, line) in [
        ("CRI", format!("2026-10-10T13:55:36.000000000Z stdout F {request}")),
        ("RFC 5424", format!("<190>1 2026-10-10T13:55:36.003Z web nginx 1 - - {request}")),
        ("nginx errors", "2026/01/02 03:04:05 [error] 1#0: *1 open() \"/srv/x\" failed (2: No such file or directory), client: 192.0.2.1, server: a.example, request: \"GET /x?y HTTP/1.1\", host: \"a.example\"".to_owned()),
        ("Apache errors", "[Fri Jan 02 03:04:05.678 2026] [core:error] [pid 1:tid 2] [client 192.0.2.1:3] File does not exist: /srv/x, referer: http://a.example/y".to_owned()),
        ("uri-errors.log", "2026-01-02T03:04:05.678Z http://a.example/ \"Unsupported scheme: mailto\" mailto:a@b.example".to_owned()),
        ("curl", "url = \"http://a.example/\"".to_owned()),
        ("IRIs", "http://a.example/é".to_owned()),
        ("semicolons", "x;http://a.example/ b;\ny;1;2".to_owned()),
        ("prose", "Read http://a.example/, please.".to_owned()),
        ("hosts", "www.example.com".to_owned()),
        ("hosts in a list of cells", "1;\"a; b\";www.example.com".to_owned()),
        ("hosts by name", "url,n\n".to_owned() + &"www.example.com,1\n".repeat(199)),
        ("two keys", r#"{"a":"/b","c":"http://d.example/"}"#.to_owned()),
        ("a key in half of the lines", "{\"a b\":\"http://c.example/\"}\n{\"d\":1}".to_owned()),
        ("two keys of documents", "[\n{\"a\":{\"it's\":\"GET /b HTTP/1.1\",\"c\":\"GET /d HTTP/1.1\"}}\n]".to_owned()),
        ("empty lines", "http://a.example/\n\n".to_owned()),
        ("comments", "# a\nhttp://a.example/\n#".to_owned()),
        ("references in JSON", r#"{"url":"www.example.com/a"}"#.to_owned()),
        ("references in a table", "url,n\n".to_owned() + &"www.example.com/a,1\n".repeat(199)),
        ("IRIs in JSON", r#"{"url":"http://a.example/é"}"#.to_owned()),
        ("a sitemap", "<url>\n<loc>http://a.example/</loc>\n</url>".to_owned()),
        ("uWSGI", "[pid: 7|app: 0|req: 1/1] 192.0.2.1 () {32 vars in 400 bytes} [Tue Nov 24 03:04:05 2026] GET /a?b=c => generated 12 bytes in 3 msecs (HTTP/1.1 200) 2 headers in 80 bytes (1 switches on core 0)".to_owned()),
        ("Nginx Proxy Manager", "[24/Nov/2026:16:51:11 +0000] - 404 404 - GET https app.example.com \"/p1?x=1\" [Client 192.0.2.1] [Length 192] [Gzip 3.10] [Sent-to app] \"Mozilla/5.0 (X11)\" \"https://ref.example/r\"".to_owned()),
        ("logfmt", "time=1 level=info method=GET path=/a?b=1 status=200\ntime=2 level=info method=GET path=\"/c d\" status=200".to_owned()),
        ("a playlist", "#EXTM3U\n#EXTINF:4,\na/b.ts".to_owned()),
        ("a TimeMap", "<http://a.example/>; rel=\"original\",\n<http://archive.example/20260102030405/http://a.example/>; rel=\"memento\",".to_owned()),
        ("a part of a page", "<ul>\n<li><a href=\"/a\">x</a>\n</ul>".to_owned()),
        ("Markdown", "A text\n\nwith [a link](a.md).".to_owned()),
        ("hosts, paths and labels", "a.example/b,News\nb.example/c,Sport".to_owned()),
        ("words", "name: text\nother: more words".to_owned()),
        ("nothing", "no URI here at all".to_owned()),
    ] {
        inputs.push((name.to_owned(), line.into_bytes()));
    }
    let mut hints = 0;
    for (name, mut input) in inputs {
        if !input.ends_with(b"\n") {
            input.push(b'\n');
        }
        let times = 200_usize.div_ceil(input.iter().filter(|&&byte| byte == b'\n').count());
        let input = input.repeat(times);
        let before = run("--stats=json", input.clone());
        let counts = |run: &super::Run| {
            let stats = run.json();
            ["records", "valid", "malformed_lines"].map(|key| stats[key].as_u64().unwrap())
        };
        let [records, valid, malformed] = counts(&before);
        let is_bad = (records + malformed - valid) * 2 >= records + malformed;
        let hint = before.stderr.lines().find_map(|line| line.split_once("; try "));
        let says_so = before.stderr.contains("no known format fits better");
        if ["nothing", "words"].contains(&&*name) {
            assert!(says_so && hint.is_none(), "{name}: {}", before.stderr);
            continue;
        }
        let Some((_, options)) = hint else {
            // Fewer records cause no hint.
            assert!(!is_bad || says_so || records + malformed < 10, "{name}: {}", before.stderr);
            continue;
        };
        hints += 1;
        let words = shell_words(options);
        let after = super::run_with(words.iter().map(String::as_str).chain(["--stats=json"]), input);
        let [now_records, now_valid, now_malformed] = counts(&after);
        let share = |valid: u64, all: u64| valid as f64 / all.max(1) as f64;
        let is_better = now_records > 0
            && share(now_valid, now_records + now_malformed) > share(valid, records + malformed);
        assert!(
            is_better,
            "{name}: {options}: {valid} of {records} and {malformed}, then {now_valid} of {now_records} and {now_malformed}"
        );
    }
    assert!(hints >= 26, "{hints}");
}

#[test]
fn advice_that_does_not_help_is_not_given() {
    // Nearly any word is a reference.
    let squid =
        "1066037222.011 1 192.0.2.1 TCP_HIT/200 9 GET cache_object://localhost/info - NONE/- text/plain\n";
    let found = run("", squid.repeat(6));
    assert!(!found.stderr.contains("try "), "{}", found.stderr);
    let words = "id,url\n1,alpha\n2,beta\n3,gamma\n4,delta\n5,epsilon\n";
    let found = run("--from csv", words);
    let text =
        "urivalidate: -: nearly every record is invalid: the column holds no URIs; --field chooses another\n";
    assert_eq!((found.status, &*found.stderr), (1, text));
    let streets = "Main Street\nHigh Street\nPark Road\nMill Lane\nStation Road\n";
    assert!(!run("", streets).stderr.contains("try "));
    let names = "Name: text\nOther: more\nThird: words\nFourth: words\nFifth: words\n";
    let found = run("", names);
    assert!(found.stderr.contains("no known format fits better; --regex"), "{}", found.stderr);
}

#[test]
fn a_file_without_uris_does_not_end_in_silence() {
    let dir = Dir::new();
    for (name, content, format) in [
        ("page.html", "<p>no link</p>\n", "html"),
        ("page.md", "no link\n", "markdown"),
        ("robots.txt", "User-agent: *\nDisallow: /a\n", "robots"),
        ("a.log", "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"-\" 408 0\n", "common"),
        ("a.csv", "url,n\n,1\n,2\n", "csv"),
    ] {
        dir.write(name, content);
        let text = format!(
            "urivalidate: {name}: no URIs were found, read as {format}; --from chooses another format\n"
        );
        let found = dir.run(name);
        assert_eq!((found.status, found.text()), (0, ""));
        assert!(found.stderr.ends_with(&text), "{}", found.stderr);
        assert_eq!(dir.run(&format!("--quiet {name}")).stderr, "");
        assert_eq!(dir.run(&format!("--no-notes {name}")).stderr, "");
    }
    assert_eq!(
        run("--from text", "no URI\n").stderr,
        "urivalidate: -: no URIs were found, read as text; --from chooses another format\n"
    );
    // An empty file has nothing to read. Files that a walk found are counted.
    assert_eq!(run("", "").stderr, "");
    let walked = dir.run("-r .");
    assert!(walked.stderr.contains("urivalidate: --recursive: 5 files have no URIs\n"), "{}", walked.stderr);
}

#[test]
fn a_table_after_other_lines_says_where_it_starts() {
    let rows = "Page,Views,Source\nhttp://a/,1,http://s/\nhttp://b/,2,http://s/ t\nhttp://c/,3,http://s/\n";
    let text = format!("# a report\n# of pages\n\n{rows}");
    let found = run("--emit uri", text.as_str());
    let note = "urivalidate: -: read as csv from line 4 (4 of 4 lines fit), column 1, grammar uri; column 3 also has URIs; --from, --field and \
                --grammar choose others\n";
    assert_eq!((found.text(), &*found.stderr), ("http://a/\nhttp://b/\nhttp://c/\n", note));
    let source = run("--from csv --field 3", text.as_str());
    let note = "urivalidate: -: the table starts in line 4; the lines before it are not read\n";
    source.expect(1, "-:6:22: space: a space must be written %20\n", note);
    // A column that the header names does not hide another one either.
    let named = run("--quiet --from csv", rows);
    assert_eq!(named.status, 0);
    let named = run("--emit none", rows.replace("Page", "url"));
    assert!(
        named.stderr.contains("grammar uri; column 3 also has URIs; --from, --field"),
        "{}",
        named.stderr
    );
    // In each file.
    let dir = Dir::new();
    dir.write("a.csv", rows);
    dir.write("b.csv", &text);
    let both = dir.run("--emit none a.csv b.csv");
    assert_eq!(both.stderr.lines().count(), 2, "{}", both.stderr);
    assert!(both.stderr.contains("b.csv: read as csv from line 4"), "{}", both.stderr);
}

#[test]
fn robots_txt_is_known_by_its_name() {
    let dir = Dir::new();
    let agents: String = (0..250).map(|number| format!("User-agent: Bot{number}\n")).collect();
    let rules = "Disallow: /a\nSitemap: /relative.xml\n";
    dir.write("robots.txt", "Sitemap: /relative.xml\n# a\nfoo: bar\nbar: x\n");
    let found = dir.run("robots.txt");
    assert_eq!(
        found.text(),
        "robots.txt:1:10: missing-scheme: no scheme: a name and \":\" must come first, found \"/\"\n"
    );
    let found = run("", agents + rules);
    assert!(found.stderr.contains("read as robots"), "{}", found.stderr);
    assert_eq!(found.text().lines().count(), 1);
}
