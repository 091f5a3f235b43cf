//! Tests the columns that are made of lines: `log.NAME`, `log.*` and `row`.

use std::collections::HashMap;
use std::fmt::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_ipc::reader::StreamReader;
use serde_json::Value;

use crate::{Dir, Run, run, run_with};

const COMBINED: &str = r#"192.0.2.1 - frank [10/Oct/2026:13:55:36 -0700] "GET /a?b=[1] HTTP/1.0" 200 2326 "http://example.com/" "Mozilla/5.0"
www.example.com:443 192.0.2.2 - - [10/Oct/2026:13:55:37 -0700] "GET /b\"c HTTP/1.1" 404 - "-" "a, \"b\"" 12 "more"
192.0.2.3 - - [10/Oct/2026:13:55:38 -0700] "-" 408 0 "-" "-"
no line of a log
192.0.2.4 - - [10/Oct/2026:13:55:39 -0700] "junk" 400 1 "-" "x"
"#;

/// Returns the objects of rows in JSON Lines, by the numbers of their lines.
fn by_line(run: &Run) -> HashMap<u64, Value> {
    let rows = run.text().lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["line"].as_u64().unwrap(), row)).collect()
}

/// Tests for each field of the samples that its column has the text that the option finds.
#[test]
fn a_field_has_the_text_that_the_option_finds() {
    let samples: [(&str, &str, &str, &str); 14] = [
        ("heritrix", "heritrix.log", "--field", "1 2 3 4 5 6 7 8 9 10 11 12 uri via source"),
        ("squid", "squid.log", "--field", "1 2 3 4 5 6 8 9 10"),
        ("cdx", "index.cdx", "--field", "1 2 3 4 5 6 7 url redirect"),
        ("cdx", "headerless.cdx", "--field", "url"),
        ("combined", "combined.log", "--field", "target referer"),
        ("combined", "traefik.log", "--field", "target referer"),
        ("common", "common.log", "--field", "target"),
        ("s3", "s3.log", "--field", "target referer"),
        ("haproxy", "haproxy.log", "--field", "target"),
        ("envoy", "envoy.log", "--field", "target"),
        ("elb", "elb.log", "--field", "uri"),
        ("csv", "table.csv", "--field", "1 2 3 date URL"),
        ("tsv", "table.tsv", "--field", "1 2 url"),
        ("pairs", "jobs.pairs", "--key", "random depth url"),
    ];
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/logs");
    let mut compared = 0;
    for (format, file, option, names) in samples {
        compared += compare(dir, format, file, option, names.split(' '));
    }
    for (format, file, option, names) in [
        ("w3c", "w3c.log", "--field", &["cs(Referer)", "cs-uri-stem", "date", "2"][..]),
        ("w3c", "cloudfront.log", "--field", &["cs(Referer)", "cs-uri-stem", "c-ip", "1"]),
        ("zeek", "zeek.log", "--field", &["uri", "referrer", "method", "1"]),
        ("jsonl", "lines.jsonl", "--key", &["url", "uri", "s", "nested.url", "/list/0/url", "other"]),
        ("cdxj", "index.cdxj", "--key", &["url", "redirect", "mime"]),
        ("caddy", "caddy.log", "--key", &["request.uri", "request.headers.Referer.0", "msg"]),
    ] {
        compared += compare(dir, format, file, option, names.iter().copied());
    }
    assert!(compared > 150, "{compared}");
}

/// Compares columns of a sample with what the option finds. Returns the number of texts that were compared.
fn compare<'n>(
    dir: &str,
    format: &str,
    file: &str,
    option: &str,
    names: impl Iterator<Item = &'n str>,
) -> usize {
    let path = format!("{dir}/{file}");
    let mut compared = 0;
    for name in names {
        let column = format!("log.{name}");
        let columns = format!("line,uri,malformed,{column}");
        let common = ["--from", format, "--emit", "components", "--to", "jsonl", "--no-notes", &path];
        let with = |args: &[&str]| run_with(common.iter().chain(args).copied(), "");
        let carried = by_line(&with(&["--columns", &columns]));
        let found = by_line(&with(&["-g", "iri-reference", "--columns", "line,uri,malformed", option, name]));
        for (line, row) in &carried {
            let expected = found.get(line).map_or(&Value::Null, |row| &row["uri"]);
            // A text that is no string of JSON is malformed as a record, and has no record after a line end.
            let is_other = expected.is_null() && matches!(format, "jsonl" | "cdxj" | "caddy");
            assert!(is_other || row[&column] == *expected, "{file} {name} {line}: {row} {expected}");
            compared += usize::from(!expected.is_null());
        }
    }
    compared
}

#[test]
fn an_access_log_becomes_a_table() {
    let columns = "--from combined --emit components --no-notes --to csv --columns line,uri,malformed,log.*";
    let rows = "line,uri,malformed,log.site,log.client,log.ident,log.user,log.time,log.request,log.status,log.bytes,log.referer,log.agent,log.rest
1,/a?b=[1],false,,192.0.2.1,,frank,10/Oct/2026:13:55:36 -0700,GET /a?b=[1] HTTP/1.0,200,2326,http://example.com/,Mozilla/5.0,
2,\"/b\"\"c\",false,www.example.com:443,192.0.2.2,,,10/Oct/2026:13:55:37 -0700,\"GET /b\"\"c HTTP/1.1\",404,,,\"a, \"\"b\"\"\",\"12 \"\"more\"\"\"
4,,true,,,,,,,,,,,
5,,true,,192.0.2.4,,,10/Oct/2026:13:55:39 -0700,junk,400,1,,x,
";
    run(columns, COMBINED).expect(0, rows, "");
    let parts =
        "--from combined --emit components --no-notes --columns log.method,log.target,log.version,log.2";
    run(parts, COMBINED).expect(
        0,
        "GET\t/a?b=[1]\tHTTP/1.0\t192.0.2.1\nGET\t/b\"c\tHTTP/1.1\t192.0.2.2\n",
        "",
    );
}

/// Tests lines whose parts are in another order than their format has them.
#[test]
fn parts_in_a_strange_order_are_no_fields_of_others() {
    let line = "a \"GET /x HTTP/1.1\" 192.0.2.1:80 [06/Feb/2009:12:14:14.655] http-in static/srv1 10/0/30/69/109 200\n";
    run("--from haproxy --emit components --columns log.client,log.time,log.frontend,log.request", line)
        .expect(0, "192.0.2.1:80\t06/Feb/2009:12:14:14.655\t\\N\tGET /x HTTP/1.1\n", "");
}

#[test]
fn rows_of_all_kinds_carry_fields() {
    let errors = "--from combined --no-notes --columns line,error_kind,log.client,log.status,row";
    run(errors, COMBINED).expect(
        1,
        "1\tbracket-outside-host\t192.0.2.1\t200\t1\n2\tinvalid-character\t192.0.2.2\t404\t2\n\
         4\tmalformed-line\t\\N\t\\N\t4\n5\tmalformed-line\t192.0.2.4\t400\t5\n",
        "",
    );
    let offsets = "--from combined --no-notes --emit offsets --columns valid,path,log.status,row --to jsonl";
    let line = |status: u32, row| {
        format!("{{\"valid\":false,\"path\":null,\"log.status\":\"{status}\",\"row\":{row}}}\n")
    };
    run(offsets, COMBINED).expect(0, line(200, 1) + &line(404, 2), "");
    let differing = "--from csv --only differing --also java --to csv --columns row,log.id,uri,also_valid";
    let table = "id,url\n1,http://a/\n2,http://b/{\n3,//c:x\n4,http://d/\u{e9}\n";
    run(&format!("{differing} --no-notes"), table).expect(
        0,
        "row,log.id,uri,also_valid\n3,3,//c:x,true\n4,4,http://d/\u{e9},true\n",
        "",
    );
}

#[test]
fn values_of_fields_are_counted_and_listed() {
    run("--from combined --no-notes --count log.status", COMBINED).expect(0, "1\t200\n1\t404\n", "");
    run("--from csv --no-notes --emit log.id", "id,url\n1,http://a/\n,http://b/\n3,no\n")
        .expect(0, "1\n", "");
    let distinct = run(
        "--from csv --no-notes --distinct log.id --stats=json",
        "id,url\n1,http://a/\n1,http://b/\n2,a:\n",
    );
    assert_eq!(distinct.json()["distinct"]["count"], 2, "{}", distinct.json()["distinct"]);
    let refused = run("--count row", "");
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("the column row cannot be counted"), "{}", refused.stderr);
}

/// The number of a row, its record, whether it is malformed, and its fields.
type TableRow = (u64, Option<String>, bool, [Option<String>; 2]);

/// A table with cells of several lines, blank cells, blank lines, and rows of other lengths, in many chunks.
#[test]
fn rows_are_numbered_as_a_reader_of_csv_numbers_them() {
    let mut table = String::from("id,note,url\r\n");
    let mut seed = 1_u64;
    for id in 0..40_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let note =
            ["plain", "\"two\nlines\"", "\"a \"\"quote\"\"\"", "", "\"\r\n\n\""][(seed >> 33) as usize % 5];
        let url =
            ["http://example.com/a", "\"http://example.com/,\n\"", "", "/b c"][(seed >> 40) as usize % 4];
        match (seed >> 50) % 20 {
            0 => table += "\n",
            1 => writeln!(table, "{id},{note}").unwrap(),
            _ => writeln!(table, "{id},{note},{url}").unwrap(),
        }
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(table.as_bytes());
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    let dir = Dir::new();
    dir.write("table.csv", &table);
    let columns = "--emit components --from csv --no-notes -g uri-reference";
    let check = |rows: &[TableRow]| {
        assert!(rows.len() > 20_000, "{}", rows.len());
        for (row, uri, is_malformed, fields) in rows {
            let record = &records[*row as usize - 1];
            assert_eq!(*is_malformed, record.len() != 3, "{row}");
            // A blank cell has no value.
            let cell =
                |place: usize| Some(record[place].to_owned()).filter(|cell| !cell.trim_ascii().is_empty());
            if !is_malformed {
                assert_eq!((uri, fields), (&cell(2), &[cell(0), cell(1)]), "{row}");
            }
        }
    };
    for threads in [1, 2, 4] {
        let names = "--columns row,uri,malformed,log.id,log.note --to jsonl";
        let found = dir.run(&format!("{columns} {names} -j {threads} table.csv"));
        let rows = found.text().lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = |name: &str| row[name].as_str().map(str::to_owned);
            // A blank line has no number.
            let number = row["row"].as_u64()?;
            Some((
                number,
                text("uri"),
                row["malformed"].as_bool().unwrap(),
                [text("log.id"), text("log.note")],
            ))
        });
        check(&rows.flatten().collect::<Vec<_>>());
    }
    let found =
        dir.run(&format!("{columns} --columns row,uri,malformed,log.id,log.note --to arrow table.csv"));
    let mut rows = Vec::new();
    for batch in StreamReader::try_new(&*found.stdout, None).unwrap() {
        let batch = batch.unwrap();
        let text = |name: &str| batch.column_by_name(name).unwrap().as_string::<i32>().iter();
        let numbers = batch.column_by_name("row").unwrap().as_primitive::<Int64Type>().iter();
        let malformed = batch.column_by_name("malformed").unwrap().as_boolean().iter();
        let texts = text("uri").zip(text("log.id").zip(text("log.note")));
        for ((number, is_malformed), (uri, (id, note))) in numbers.zip(malformed).zip(texts) {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let fields = [owned(id), owned(note)];
            rows.extend(number.map(|number| (number as u64, owned(uri), is_malformed.unwrap(), fields)));
        }
    }
    check(&rows);
}

#[test]
fn rows_of_logs_are_lines_without_headers_and_blank_lines() {
    let log = "#Fields: date cs-uri\n1 /a\n\n#Fields: cs-uri date\n/b 2\n/c\n";
    let args = "--from w3c --no-notes --emit components --columns line,row,uri,malformed,log.date";
    let rows = "2\t1\t/a\tfalse\t1\n5\t2\t/b\tfalse\t2\n6\t3\t\\N\ttrue\t\\N\n";
    run(args, log).expect(0, rows, "");
    // The rows of a list are its lines.
    let list = "--from lines --no-notes --emit components --columns line,row,uri";
    run(list, "a:\n\nb:\n").expect(0, "1\t1\ta:\n2\t2\t\n3\t3\tb:\n", "");
    let page = "--from html --no-notes --emit components --columns row,uri";
    run(page, "<a href=b>").expect(0, "\\N\tb\n", "");
}

#[test]
fn the_first_input_decides_what_all_fields_are() {
    let dir = Dir::new();
    dir.write("a.csv", "id,url,\"a,b\",id\n1,http://a/,x,y\n");
    dir.write("b.csv", "url,id\nhttp://b/,2\n");
    dir.write("c.html", "<!doctype html><a href=b>");
    dir.write("d.csv", "id,url\n3,http://d/\n");
    let found = dir.run("--emit components --to csv --columns uri,log.*,log.url a.csv b.csv c.html d.csv");
    let rows = "uri,log.id,\"log.a,b\",log.4,log.url
http://a/,1,x,y,http://a/
http://b/,2,,,http://b/
http://d/,3,,,http://d/
";
    let stderr = "urivalidate: a.csv: read as csv (2 of 2 lines fit), grammar uri; --from and --grammar choose others
urivalidate: b.csv: the header has no column for log.a,b, log.4; there are url, id
urivalidate: c.html: read as html (1 of 1 lines fit), grammar iri-reference; --from and --grammar choose others
urivalidate: c.html: the column log.id: the format html has no fields
urivalidate: d.csv: read as csv (2 of 2 lines fit), grammar uri; --from and --grammar choose others
urivalidate: d.csv: the header has no column for log.a,b, log.4; there are id, url
";
    found.expect(2, rows, stderr);
    let quoted = ["--emit", "components", "--columns", "\"log.a,b\",log.ID", "--no-notes"];
    run_with(quoted.into_iter().chain(["--from", "csv"]), "id,url,\"a,b\"\n1,http://a/,x\n")
        .expect(0, "x\t1\n", "");
    // Streams are read ahead.
    let all = "--emit components --to jsonl --columns log.* --no-notes";
    run(all, "{\"url\":\"a:\",\"n\":[1, 2]}\n{\"/x\":null,\"url\":\"b:\",\"n\":\"\\u00e9\"}\n").expect(
        0,
        "{\"log.url\":\"a:\",\"log.n\":\"[1, 2]\",\"log./~1x\":null}\n{\"log.url\":\"b:\",\"log.n\":\"\u{e9}\",\"log./~1x\":null}\n",
        "",
    );
    run("--from csv --emit components --columns log.* --no-notes", "http://a/,1\nhttp://b/,2\n").expect(
        0,
        "http://a/\t1\nhttp://b/\t2\n",
        "",
    );
    run("--from csv --emit components --columns line,log.* --no-notes --to csv", "").expect(0, "line\n", "");
}

#[test]
fn fields_that_no_line_has_are_errors() {
    let dir = Dir::new();
    dir.write("a.csv", "id,url\n1,http://a/\n");
    dir.write("old.txt", "old");
    let found = dir.run("--from csv --emit components --columns uri,log.name a.csv -o old.txt");
    assert_eq!(found.status, 2);
    let sentence = "urivalidate: a.csv: the header has no column for log.name; there are id, url\n";
    assert!(found.stderr.starts_with(sentence), "{}", found.stderr);
    assert_eq!(std::fs::read(dir.path().join("old.txt")).unwrap(), b"old");
    let headless = run("--from csv --emit components --columns log.2,log.name --no-notes", "http://a/,1\n");
    let sentence = "urivalidate: -: no header names a column for log.name; there are 1, 2\n";
    assert_eq!((headless.status, headless.text(), &*headless.stderr), (2, "1\t\\N\n", sentence));
    for (args, input, sentence) in [
        (
            "--from jsonl --columns log./a~2",
            "{}\n",
            "the column log./a~2: the format jsonl has no such field",
        ),
        (
            "--from combined --columns log.cookie",
            COMBINED,
            "-: the column log.cookie: the format combined has site, client",
        ),
        (
            "--from combined --columns log.99",
            COMBINED,
            "-: the column log.99: the format combined has site, client",
        ),
        ("--from lines --columns log.time", "a:\n", "-: the column log.time: the format lines has no fields"),
        ("--from html --columns log.*", "<a href=b>", "the column log.*: the format of - has no fields"),
        ("--from csv --columns log.*,log.*", "url\na:\n", "duplicate column \"log.*\""),
        ("--from csv --columns log.", "url\na:\n", "unknown column \"log.\""),
    ] {
        let found = run(&format!("{args} --emit components --no-notes"), input);
        assert_eq!((found.status, found.text()), (2, ""), "{args}");
        assert!(found.stderr.contains(sentence), "{args}: {}", found.stderr);
    }
}

/// Each line of a wide table is cut once.
#[test]
fn a_table_may_have_very_many_fields() {
    let names: Vec<_> = (0..10_000).map(|number| format!("c{number}")).collect();
    let cells: Vec<_> = (0..10_000).map(|number| number.to_string()).collect();
    let table = format!("url,{}\n", names.join(",")) + &format!("http://a/,{}\n", cells.join(",")).repeat(30);
    let found = run("--from csv --emit components --to csv --columns log.* --no-notes", table.clone());
    assert_eq!((found.status, found.text()), (0, &*table.replace("c", "log.c").replace("url", "log.url")));
    let object = |value: &str| {
        let members = names.iter().map(|name| format!("\"{name}\":{value}"));
        format!("{{\"url\":\"a:\",{}}}\n", members.collect::<Vec<_>>().join(","))
    };
    let lines = object("7").repeat(30);
    let found = run("--from jsonl --emit components --to csv --columns log.c9999,log.* --no-notes", lines);
    assert_eq!(found.status, 0);
    let mut rows = csv::Reader::from_reader(&*found.stdout);
    assert!(rows.records().all(|row| row.unwrap().iter().filter(|cell| *cell == "7").count() == 10_000));
}

#[test]
fn fields_are_those_inside_of_wrappers() {
    let line = COMBINED.lines().nth(1).unwrap();
    let wrapped =
        serde_json::json!({ "log": format!("{line}\n"), "stream": "stdout", "time": "2026-11-23T01:02:03Z" });
    let args = "--from docker --emit components --no-notes --columns uri,log.client,log.agent,log.rest";
    run(args, format!("{wrapped}\n")).expect(0, "/b\"c\t192.0.2.2\ta, \"b\"\t12 \"more\"\n", "");
}

#[test]
fn fields_need_not_be_utf_8() {
    let table = b"id,url\n\xff\xe9a,http://a/\n";
    let args = "--from csv --emit components --no-notes --columns log.id --to";
    run(&format!("{args} csv"), table).expect(0, b"log.id\n\xff\xe9a\n", "");
    run(&format!("{args} jsonl"), table).expect(0, "{\"log.id\":{\"bytes\":\"/+lh\"}}\n", "");
    let found = run(&format!("{args} arrow"), table);
    let batch = StreamReader::try_new(&*found.stdout, None).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.column(0).as_string::<i32>().value(0), "\u{FFFD}\u{FFFD}a");
}

/// An input without lines has no fields, and no rows.
#[test]
fn nothing_has_no_fields() {
    for form in ["text", "csv", "tsv", "jsonl"] {
        let args = format!("--from csv --emit components --no-notes --columns log.* --to {form}");
        assert_eq!(run(&args, "").status, 0, "{form}");
    }
    for options in [
        "--emit components",
        "--emit offsets --from jsonl",
        "--emit errors --from w3c",
        "--emit errors --from pairs",
    ] {
        let run = run(&format!("{options} --columns log.*"), "\n");
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }
}

/// The columns do not depend on the moments at which the lines of a pipe arrive.
#[test]
fn keys_of_a_slow_pipe_are_columns() {
    use std::io::Write;
    use std::process::Stdio;

    for format in [&["--from", "jsonl"][..], &[]] {
        let mut child = crate::process()
            .args(format)
            .args(["--emit", "components", "--no-notes", "--to", "csv", "--columns", "log.*"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        for line in [&b"{\"url\":\"http://h/1\",\"a\":1}\n"[..], b"{\"url\":\"http://h/2\",\"b\":2}\n"] {
            input.write_all(line).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        drop(input);
        let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!(output, "log.url,log.a,log.b\nhttp://h/1,1,\nhttp://h/2,,2\n");
    }
}
