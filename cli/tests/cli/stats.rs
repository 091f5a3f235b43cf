//! Tests `--stats`.

use serde_json::{Value, json};
use urivalidate::Backend;

use super::compressed::gzip;
use super::{Dir, no_such_file, run, schema};

const INPUT: &str = "\
HTTP://u@Example.com:80/a?b#c
https://[::1]/
https://[v1.x]
ftp://127.0.0.1
urn:isbn:1
http://h/a b

www.example.com
http://h/é
http://h/a b
http://h/a b
http://h/a b
http://h/a b
http://h/sixth b
";

/// Returns a sample that starts its line in standard input and is shown in full.
fn sample(line: u32, text: &str, offset: Option<u64>, message: &str) -> Value {
    json!({
        "file": "-", "line": line, "column": 1, "error_column": 1 + offset.unwrap_or(0), "text": text, "text_start": 0,
        "length": text.len(), "offset": offset, "message": message,
    })
}

#[test]
fn the_json_object_has_every_key_in_its_order() {
    let run = run("--from lines --stats=json -j2", INPUT);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let mut stats = run.json();
    for key in ["elapsed_seconds", "bytes_per_second"] {
        assert!(stats[key].as_f64().unwrap() > 0.0);
        stats[key] = Value::Null;
    }
    let date = stats["date"].take();
    assert!(date.as_str().is_some_and(|date| date.len() == 20 && date.ends_with('Z')), "{date}");
    let command = stats["command"].take();
    assert_eq!(command.as_array().unwrap()[1..], ["--from", "lines", "--stats=json", "-j2"]);
    let spaces: Vec<_> = [6, 10, 11, 12, 13]
        .iter()
        .map(|&line| sample(line, "http://h/a b", Some(10), "a space must be written %20"))
        .collect();
    let expected = json!({
        "version": 2, "date": null, "command": null, "inputs": ["-"], "bytes": INPUT.len(), "lines": 14, "records": 14, "valid": 5, "invalid": 9, "empty": 1,
        "grammar": "uri", "format": "lines", "backend": Backend::best().name(), "threads": 2,
        "elapsed_seconds": null, "bytes_per_second": null,
        "errors": {"empty": 1, "missing-scheme": 1, "space": 6, "non-ascii": 1},
        "error_components": {"scheme": 1, "path": 7, "none": 1},
        "components": {"scheme": 5, "authority": 4, "userinfo": 1, "host": 4, "port": 1, "path": 3, "query": 1, "fragment": 1},
        "host_kinds": {"reg-name": 1, "ipv4": 1, "ipv6": 1, "ipvfuture": 1},
        "schemes": {"https": 2, "ftp": 1, "http": 1, "urn": 1}, "other_schemes": 0,
        "suspicious": {
            "host-as-scheme": 0, "sentinel": 0, "http-without-host": 0, "userinfo": 1, "default-port": 1,
            "port-over-65535": 0, "over-2048-bytes": 0, "unregistered-scheme": 0, "escape-in-host": 0,
            "host-not-dns": 0,
        },
        "length": {"min": 0, "max": 29, "mean": 13.142857142857142, "p50": 12, "p90": 16, "p99": 29},
        "samples": {
            "empty": [sample(7, "", Some(0), "the record is empty")],
            "missing-scheme": [sample(8, "www.example.com", Some(15), "no scheme: the record ends before a \":\"")],
            "space": spaces,
            "non-ascii": [
                sample(9, "http://h/é", Some(9), "\"é\" (U+00E9) in the path is not ASCII and must be percent-encoded"),
            ],
        },
        "sentinels": 0, "malformed_lines": 0, "without_key": 0, "headers": 0, "other_lines": 0, "dropped": 0, "malformed_reasons": [],
        "normal": {"form": "syntax", "records": 4},
    });
    assert_eq!(stats, expected);
    let order = [
        "version",
        "bytes",
        "lines",
        "records",
        "valid",
        "invalid",
        "empty",
        "grammar",
        "format",
        "backend",
        "threads",
        "elapsed_seconds",
        "bytes_per_second",
        "errors",
        "error_components",
        "components",
        "host_kinds",
        "schemes",
        "other_schemes",
        "suspicious",
        "length",
        "samples",
        "sentinels",
        "malformed_lines",
        "without_key",
        "headers",
        "other_lines",
        "dropped",
        "malformed_reasons",
        "normal",
    ];
    let places: Vec<_> = order.iter().map(|key| run.text().find(&format!("\"{key}\":")).unwrap()).collect();
    assert!(places.is_sorted());
    assert_eq!(run.text().lines().count(), 1);
}

#[test]
fn of_nothing_there_are_no_lengths() {
    let stats = run("--stats=json", "").json();
    assert_eq!(stats["records"], 0);
    assert_eq!(
        stats["length"],
        json!({"min": null, "max": null, "mean": null, "p50": null, "p90": null, "p99": null})
    );
    let table = run("--stats", "");
    assert_eq!(table.status, 0);
    assert!(table.text().starts_with("No URIs in 0 lines.\n"), "{}", table.text());
    assert!(!table.text().contains("lengths") && !table.text().contains("NaN"), "{}", table.text());
}

#[test]
fn several_files_are_counted_separately() {
    let dir = Dir::new();
    dir.write("one", "urn:a\nx y\n");
    dir.write("two", "\nhttp://h/\n");
    let run = dir.run("--stats=json one two one");
    let stats = run.json();
    assert_eq!((&stats["records"], &stats["valid"], &stats["bytes"]), (&json!(6), &json!(3), &json!(31)));
    let files = stats["files"].as_array().unwrap();
    assert_eq!(files.len(), 3);
    for (file, name, records, valid) in
        [(&files[0], "one", 2, 1), (&files[1], "two", 2, 1), (&files[2], "one", 2, 1)]
    {
        assert_eq!(
            (&file["file"], &file["records"], &file["valid"]),
            (&json!(name), &json!(records), &json!(valid))
        );
        assert_eq!(file.as_object().unwrap().len(), 30, "the same keys, and the name");
    }
    let empty = &files[1]["samples"]["empty"][0];
    assert_eq!((&empty["file"], &empty["line"], &empty["text"]), (&json!("two"), &json!(1), &json!("")));
    let places: Vec<_> = stats["samples"]["missing-scheme"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sample| (sample["file"].clone(), sample["line"].clone()))
        .collect();
    assert_eq!(places, [(json!("one"), json!(2)), (json!("one"), json!(2))]);
    assert!(dir.run("--stats=json one").json().get("files").is_none());
}

#[test]
fn they_go_to_standard_error_when_something_else_goes_to_standard_output() {
    let run = run("--from lines --stats=json --emit valid", INPUT);
    assert_eq!((run.status, run.text().lines().count()), (0, 5));
    let stats: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(stats["valid"], 5);
    // With `--emit errors`, the run is a check again.
    assert_eq!(super::run("--stats --emit errors", INPUT).status, 1);
    let alone = super::run("--from lines --stats --emit none", INPUT);
    assert_eq!((alone.status, alone.stderr.as_str()), (0, ""));
}

#[test]
fn a_word_after_stats_is_a_file() {
    let dir = Dir::new();
    dir.write("json", "urn:a\n");
    let run = dir.run("--stats json");
    assert_eq!(run.status, 0);
    assert!(run.text().starts_with("1 URI in 1 line: it is valid.\n"), "{}", run.text());
}

#[test]
fn the_screen_says_first_what_is_wrong_and_only_what_is_there() {
    let input = "http://example.com/\n".repeat(1500)
        + "http://h/a\tb\nhttp://h/ü\nhttp://g/x y\nhttp://g/x z\nwww.example.com\n"
        + "htps://127.0.0.1/\n";
    let run = run("--stats -j1", input.as_str());
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let expected = r#"
1,506 URIs in 1,506 lines: 99.67% valid, 5 invalid.

errors  of 5 invalid records
  space                2  40.00%  █████████▌
      -:1503:11
        http://g/x y
                  ^ a space must be written %20
  missing-scheme       1  20.00%  ████▊
      -:1505:16
        www.example.com
                       ^ no scheme: the record ends before a ":"
  control-character    1  20.00%  ████▊
      -:1501:11
        http://h/a\x09b
                  ^^^^ control character 0x09 in the path
  non-ascii            1  20.00%  ████▊
      -:1502:10
        http://h/ü
                 ^ "ü" (U+00FC) in the path is not ASCII and must be percent-encoded

hosts with most invalid records  of invalid records
  g                    2  40.00%  █████████▌
  h                    2  40.00%  █████████▌

valid but suspicious  of valid records
  unregistered-scheme  1   0.07%
"#;
    let (screen, timing) = run.text().rsplit_once("\n\n").unwrap();
    assert_eq!(screen, expected.trim(), "{}", run.text());
    let backend = Backend::best();
    let how = format!("B/s; grammar uri, {backend} on 1 thread\n");
    assert!(timing.starts_with("30,085 bytes in ") && timing.ends_with(&how), "{timing}");

    let full = super::run("--stats=full", input);
    for part in [
        " space 2 40.00% █████████▌ -:1503:11 http://g/x y ^ a space must be written %20 -:1504:11 http://g/x z ^",
        " errors in of invalid records path 4 80.00% scheme 1 20.00% components of valid records scheme 1,501 100.00% ",
        " hosts of those present reg-name 1,500 99.93% ipv4 1 0.07% schemes of those present http 1,500 99.93% htps 1 0.07% ",
        " lengths in bytes shortest 11 50% up to 19 90% up to 19 99% up to 19 longest 19 mean 19.0 ",
    ] {
        assert!(words(&full).contains(part), "{part}\n{}", full.text());
    }
}

#[test]
fn shares_are_never_rounded_to_none_or_all() {
    let screen = run("--stats", "urn:a\n".repeat(20_000) + "a b\n");
    assert!(
        screen.text().starts_with("20,001 URIs in 20,001 lines: >99.99% valid, 1 invalid.\n"),
        "{}",
        screen.text()
    );
    let screen = run("--stats=full", "urn:a\n".repeat(20_000) + "x://h\n");
    assert!(
        words(&screen).contains(" schemes of those present urn 20,000 >99.99% x 1 <0.01% "),
        "{}",
        screen.text()
    );
    assert!(
        run("--stats", "a b\n\n").text().starts_with("2 URIs in 2 lines: none of them valid.\n1 is empty.\n")
    );
}

#[test]
fn lines_that_do_not_fit_their_format_are_among_the_errors() {
    let dir = Dir::new();
    let line = |request: &str| format!("192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] {request} 200 1\n");
    let log = line("\"GET / HTTP/1.1\"").repeat(3)
        + &line("\"-\"")
        + &line("\"GET\"").repeat(2)
        + &line("\"GET /\u{e9} x");
    dir.write("log", &log);
    let run = dir.run("--from common --stats log");
    assert!(
        run.text().starts_with(
            "3 request targets in 7 lines: all valid.\n7 lines = 3 request targets + 1 sentinel + 3 malformed lines\n"
        ),
        "{}",
        run.text()
    );
    let quoted = words(&run);
    for part in [
        "errors of 3 malformed lines malformed-line 2 66.67%",
        "log:5:1 192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET\" 200 1",
    ] {
        assert!(quoted.contains(part), "{part}\n{}", run.text());
    }
    let stats = dir.run("--from common --stats=json log").json();
    let reasons = stats["malformed_reasons"].as_array().unwrap();
    let expected = json!([
        {"reason": "no-closing-quote", "message": "a quote is not closed", "count": 1},
        {"reason": "no-target", "message": "the request line has no method and target", "count": 2},
    ]);
    assert_eq!(reasons, expected.as_array().unwrap());
    let samples = stats["samples"]["malformed-line"].as_array().unwrap();
    assert_eq!(samples.len(), 3);
    assert_eq!(samples.iter().map(|sample| sample["line"].as_u64().unwrap()).collect::<Vec<_>>(), [5, 6, 7]);
    assert_eq!((&samples[0]["offset"], &stats["other_lines"]), (&Value::Null, &json!(0)));
    let csv = super::run("--from csv --stats", "url,x\nhttp://h/,1\n");
    assert!(csv.text().contains("2 lines = 1 URI + 1 header line\n"), "{}", csv.text());
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let dir = Dir::new();
    dir.write("one", "urn:a\n");
    let run = dir.run("--stats one none\u{202e}");
    assert_eq!(run.status, 2);
    let message = no_such_file("none");
    assert!(
        run.text().contains(&format!(
            "\n1 file could not be read, or not to the end: none\\xE2\\x80\\xAE ({message}).\n"
        )),
        "{}",
        run.text()
    );
    let stats = dir.run("--stats=json one none").json();
    assert_eq!(stats["unreadable"], json!(["none"]));
}

/// Tests the screen for many files: in a thousand rows nobody would find the important one.
#[test]
fn of_many_files_the_screen_shows_those_with_most_invalid_records() {
    let dir = Dir::new();
    let names: Vec<String> = (0..30).map(|i| format!("f{i}")).collect();
    for (i, name) in names.iter().enumerate() {
        dir.write(name, "a b\n".repeat(i));
    }
    let run = dir.run(&format!("--stats {}", names.join(" ")));
    let words = words(&run);
    assert!(words.contains(
        "20 of 30 files those with most invalid records: records, invalid, bytes 29 29 116 f29 28 28"
    ));
    assert!(!words.contains(" f9 "), "{}", run.text());
    let full = dir.run(&format!("--stats=full {}", names.join(" ")));
    assert!(full.text().contains("f9\n"));
}

#[test]
fn long_samples_are_cut_around_the_error() {
    let record = format!("http://h/{}é{}", "a".repeat(300), "b".repeat(3000));
    let stats = run("--stats=json", format!("{record}\n")).json();
    let sample = &stats["samples"]["non-ascii"][0];
    let (start, text) = (sample["text_start"].as_u64().unwrap() as usize, sample["text"].as_str().unwrap());
    assert!(start > 0 && text.len() == 512 && record[start..].starts_with(text), "{sample}");
    let screen = run("--stats", format!("{record}\n"));
    let lines: Vec<_> = screen.text().lines().collect();
    let shown = lines.iter().position(|line| line.contains('é')).unwrap();
    let (text, mark) = (lines[shown].trim(), lines[shown + 1]);
    assert!(text.starts_with("…aaa") && text.ends_with("bbb…") && text.chars().count() <= 82, "{text}");
    let column = lines[shown].chars().position(|char| char == 'é').unwrap();
    assert_eq!(mark.find('^'), Some(column), "{}", screen.text());
}

/// Tests that every key is documented, and that the output follows the schema for any input.
#[test]
fn json_is_as_its_schema_says() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let read = |name: &str| std::fs::read_to_string(root.join("docs").join(name)).unwrap();
    let text = read("statistics.md");
    let root_schema: Value = serde_json::from_str(&read("statistics.schema.json")).unwrap();
    let errors = |stats: &Value| schema::errors(&root_schema, &root_schema, stats, "");
    let dir = Dir::new();
    let corpora = root.join("corpora");
    let sample = corpora.join("sample.txt");
    let logs = std::fs::read_dir(corpora.join("logs")).unwrap().map(|entry| entry.unwrap().path());
    let inputs: Vec<_> =
        logs.chain([sample, dir.write("empty", ""), dir.write("bytes", b"\xFF\n\0\xE9:\n")]).collect();
    // A line of a page or a text may have many records.
    const DOCUMENTS: [&str; 10] =
        [".html", ".md", ".qmd", ".adoc", ".rst", ".eml", ".mbox", ".nt", "sitemap.xml", "feed.rss"];
    let has_lines = |path: &str| !DOCUMENTS.iter().any(|extension| path.contains(extension));
    let with_lines = inputs.iter().filter(|path| has_lines(path.to_str().unwrap()));
    let all = with_lines.map(|path| path.to_str().unwrap()).collect::<Vec<_>>().join(" ");
    let mut runs: Vec<String> = inputs.iter().map(|path| path.to_str().unwrap().to_owned()).collect();
    runs.extend(["java", "rfc2396", "iri", "relative-ref"].map(|grammar| format!("-g {grammar} {all}")));
    runs.push(format!("-r --top-hosts 3 {all} missing"));
    runs.push(format!("--also java --samples 2 {all}"));
    runs.push(format!("--distinct normalized --normalize scheme {all}"));
    runs.push(format!("--max-record 10 --trim {all}"));
    let mut keys = std::collections::BTreeSet::new();
    for args in runs {
        let stats = dir.run(&format!("--stats=json {args}")).json();
        let errors = errors(&stats);
        assert!(errors.is_empty(), "{args}: {errors:#?}");
        let lines = ["records", "sentinels", "malformed_lines", "without_key", "headers", "other_lines"]
            .map(|key| stats[key].as_u64().unwrap());
        if has_lines(&args) {
            assert_eq!(stats["lines"], lines.iter().sum::<u64>(), "{args}");
        }
        keys.extend(stats.as_object().unwrap().keys().cloned());
        let samples =
            stats["samples"].as_object().unwrap().values().flat_map(|list| list.as_array().unwrap());
        samples.for_each(|sample| keys.extend(sample.as_object().unwrap().keys().cloned()));
        keys.extend(stats["suspicious"].as_object().unwrap().keys().cloned());
    }
    for key in keys {
        assert!(text.contains(&format!("`{key}`")), "docs/statistics.md does not say what {key} is");
    }
    // The schema does reject wrong values.
    let right = run("--stats=json", "a b\n").json();
    assert_eq!(errors(&right), [""; 0]);
    for (key, value) in [
        ("version", json!(1)),
        ("bytes", json!(-1)),
        ("lines", Value::Null),
        ("errors", json!({"spaces": 1})),
        ("samples", json!({"space": [{"file": "-"}]})),
        ("length", json!({})),
        ("new", json!(1)),
    ] {
        let mut wrong = right.clone();
        wrong[key] = value;
        assert!(!errors(&wrong).is_empty(), "{key}");
    }
}

#[test]
fn they_do_not_depend_on_threads_or_transport() {
    let dir = Dir::new();
    let mut input = String::from("\u{FEFF}");
    for i in 0..100_000 {
        input += &match i % 9 {
            0 => format!("scheme{}://h/{}\n", i % 2000, "x".repeat(i % 3000 / 20)),
            1 => format!("http://h/{i} x\n"),
            2 => "\n".to_owned(),
            _ => format!("HTTPS://h/{i}\r\n"),
        };
    }
    dir.write("list", &input);
    let stats = |args: &str| {
        let mut stats = dir.run(&format!("--stats=json {args} list")).json();
        for key in ["elapsed_seconds", "bytes_per_second", "threads", "date", "command"] {
            stats.as_object_mut().unwrap().remove(key);
        }
        stats
    };
    let expected = stats("-j1");
    assert_eq!((&expected["records"], &expected["bytes"]), (&json!(100_000), &json!(input.len())));
    assert_eq!(expected["schemes"].as_object().unwrap().len(), 1001, "the rest is other");
    for args in ["-j2", "-j5", "-j1 --no-mmap", "-j3 --no-mmap"] {
        assert_eq!(stats(args), expected, "{args}");
    }
}

#[test]
fn samples_are_whole_characters() {
    let record = format!("x{}", "é".repeat(400));
    let stats = run("--stats=json", format!("{record}\n")).json();
    let text = stats["samples"]["missing-scheme"][0]["text"].as_str().unwrap();
    assert!(record.starts_with(text) && (500..=512).contains(&text.len()), "{}", text.len());
    let stats = run("--stats=json", b"\xFFx\n".as_slice()).json();
    assert_eq!(stats["samples"]["missing-scheme"][0]["text"], json!({"bytes": "/3g="}));
}

/// Tests bars: a full bar stands for the whole, and in a locale without UTF-8 bars are ASCII.
#[test]
fn bars_are_shares_of_the_whole() {
    let half = "urn:a\nurn:b c\nb\n";
    let bars = |locale: &str| {
        let run = super::finish(super::command().env("LC_ALL", locale).arg("--stats").write_stdin(half));
        let row = run.text().lines().find(|line| line.starts_with("  space")).unwrap().to_owned();
        (row.rsplit(' ').next().unwrap().to_owned(), run.text().is_ascii())
    };
    assert_eq!(bars("C.UTF-8"), ("█".repeat(12), false));
    assert_eq!(bars("en_US.utf8"), ("█".repeat(12), false));
    assert_eq!(bars("C"), ("#".repeat(12), true));
    let long = format!("{}\u{e9} b\n", "urn:a".repeat(100));
    let run = super::finish(super::command().env("LC_ALL", "C").arg("--stats").write_stdin(long));
    assert!(run.text().contains("...") && !run.text().contains('…'), "{}", run.text());
}

#[test]
fn suspicious_records_are_counted_among_the_valid_ones() {
    let input = "\
localhost:8080/x
example.com:443
error:invalid-request
http:///x
http://user:pw@h/
https://h:443/
http://a%20b/
http://h:81/
http://h:65536/
http://a_b/
http://h:80/ invalid
";
    let input = format!("{input}http://h/{}\n", "a".repeat(2040));
    let expected = json!({
        "host-as-scheme": 2, "sentinel": 1, "http-without-host": 1, "userinfo": 1, "default-port": 1,
        "port-over-65535": 1, "over-2048-bytes": 1, "unregistered-scheme": 3, "escape-in-host": 1, "host-not-dns": 1,
    });
    // Judged at once and one by one.
    for args in ["--stats=json", "--stats=json --trim", "--stats=json --emit none -j1"] {
        assert_eq!(run(args, input.as_str()).json()["suspicious"], expected, "{args}");
    }
    let table = run("--stats", input);
    assert!(
        words(&table).contains(
            " valid but suspicious of valid records unregistered-scheme 3 27.27% host-as-scheme 2 18.18% "
        ),
        "{}",
        table.text()
    );
    assert!(!run("--stats", "http://h/\n").text().contains("suspicious"));
}

#[test]
fn top_hosts_come_with_the_hosts_of_invalid_records() {
    let input = "http://b/\nhttp://A/\nhttp://a/ x\nhttp://a:80/\nhttp://c:x/\nurn:a\nhttp://b/\nfile:///\n";
    let top = run("--stats=json --top-hosts 2", input).json()["top_hosts"].clone();
    let host = |host: &str, count: u32| json!({"host": host, "count": count, "missed": 0});
    let expected = json!({
        "records": {"estimate": false, "hosts": [host("a", 3), host("b", 2)]},
        "invalid": {"estimate": false, "hosts": [host("a", 1), host("c", 1)]},
    });
    assert_eq!(top, expected);
    assert_eq!(run("--stats=json --top-hosts 2 --trim", input).json()["top_hosts"], expected);
    let table = run("--stats --top-hosts 1", input);
    assert!(
        words(&table).contains(" hosts with most records of all records a 3 37.50% "),
        "{}",
        table.text()
    );
    assert!(
        words(&table).contains(" hosts with most invalid records of invalid records a 1 50.00% "),
        "{}",
        table.text()
    );
    assert!(run("--top-hosts 1", input).text().contains("hosts with most records"));
    let none = run("--stats=json --top-hosts 1", "").json();
    assert_eq!(none["top_hosts"]["records"], json!({"estimate": false, "hosts": []}));
    for args in [
        "--quiet --top-hosts 1",
        "--stats --top-hosts 0",
        "--stats --top-hosts x",
        "--stats --top-hosts 1000000",
    ] {
        assert_eq!(run(args, "").status, 2, "{args}");
    }
}

#[test]
fn top_hosts_of_any_number_of_hosts_are_estimates_that_do_not_depend_on_threads() {
    let dir = Dir::new();
    let mut input = String::new();
    for i in 0..200_000 {
        input += &match i % 4 {
            0 => format!("https://popular{}.example.com/{i}\n", i % 3),
            1 => format!("https://broken{}.example.com/{i} x\n", i % 5),
            _ => format!("https://host{i}.example.com/\n"),
        };
    }
    dir.write("list", input);
    let top =
        |args: &str| dir.run(&format!("--stats=json --top-hosts 5 {args} list")).json()["top_hosts"].clone();
    let expected = top("-j1");
    assert_eq!(
        (&expected["records"]["estimate"], &expected["invalid"]["estimate"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        expected["records"]["hosts"][0],
        json!({"host": "popular0.example.com", "count": 16_667, "missed": 0})
    );
    assert_eq!(expected["invalid"]["hosts"][4]["count"], 10_000);
    for args in ["-j2", "-j5", "-j3 --no-mmap"] {
        assert_eq!(top(args), expected, "{args}");
    }
    let table = dir.run("--stats --top-hosts 1 list");
    assert!(
        table.text().contains("hosts with most records  lower bounds, and the most that can be missing\n"),
        "{}",
        table.text()
    );
}

/// Returns the words of the table without its alignment.
fn words(run: &super::Run) -> String {
    run.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tests that no key of an object occurs twice: readers keep only the last one.
#[test]
fn a_scheme_called_other_is_no_second_key() {
    let mut input = "other:a\n".repeat(3);
    for i in 0..1000 {
        input += &format!("x{i}:a\n");
    }
    input += &format!("{}:a\n", "y".repeat(65));
    let run = run("--stats=json", input.as_str());
    assert_eq!(run.text().matches("\"other\":").count(), 1);
    let stats = run.json();
    assert_eq!((&stats["schemes"]["other"], &stats["other_schemes"]), (&json!(5), &json!(2)));
    let counts = stats["schemes"].as_object().unwrap().values();
    assert_eq!(counts.map(|count| count.as_u64().unwrap()).sum::<u64>(), 1004);
    let alone = super::run("--stats=json", "other:a\n").json();
    assert_eq!((&alone["schemes"], &alone["other_schemes"]), (&json!({"other": 1}), &json!(0)));
}

/// Tests more files than memory keeps: each file has samples of 500 bytes.
#[test]
fn many_files_are_counted_separately() {
    let dir = Dir::new();
    let names: Vec<String> = (0..2000).map(|i| format!("f{i}")).collect();
    for (i, name) in names.iter().enumerate() {
        dir.write(name, format!("urn:{i}\n{}\n", format!("a {}\n", "b".repeat(500)).repeat(5)));
    }
    dir.write("list", names.join("\n"));
    let stats = dir.run("--stats=json --files-from list").json();
    let files = stats["files"].as_array().unwrap();
    assert_eq!(files.len(), names.len());
    for (file, name) in files.iter().zip(&names) {
        assert_eq!((&file["file"], &file["records"]), (&json!(name), &json!(7)));
        assert_eq!(file["samples"]["missing-scheme"].as_array().unwrap().len(), 5);
    }
    assert_eq!(stats["records"], 14_000);
}

#[test]
fn records_in_normal_form_are_counted() {
    let list = "http://h/\nHTTP://h/\nhttp://h:80/\nno scheme\nhttp://h/%7e\nhttp://h\n";
    let normal =
        |args: &str, input: &str| run(&format!("--stats=json {args}"), input).json()["normal"].clone();
    assert_eq!(normal("", list), json!({"form": "syntax", "records": 3}));
    assert_eq!(normal("--normalize scheme", list), json!({"form": "scheme", "records": 1}));
    // Java's normal form keeps case and escapes.
    assert_eq!(normal("-g java", list), json!({"form": "syntax", "records": 5}));
    let log = "1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /a/../b HTTP/1.1\" 200 5\n";
    let log = log.to_owned() + &log.replace("/../", "/") + &log.replace("/../", "%7E");
    assert_eq!(normal("--from common", &log), json!({"form": "syntax", "records": 1}));
    assert_eq!(normal("", ""), json!({"form": "syntax", "records": 0}));
    // Many chunks, and several files.
    let dir = Dir::new();
    dir.write("a", list.repeat(100_000));
    dir.write("b", list);
    for threads in [1, 2, 5] {
        let stats = dir.run(&format!("--stats=json -j {threads} a b")).json();
        assert_eq!(stats["normal"]["records"], 300_003);
        assert_eq!(stats["files"][1]["normal"]["records"], 3);
    }
    // A record over the limit that no chunk holds as a whole.
    let long = format!("http://h/{}\nhttp://h/\n", "a".repeat(3 << 20));
    assert_eq!(normal("--max-record 1K", &long)["records"], 1);

    let full = words(&run("--stats=full", list));
    assert!(full.contains("normal forms of valid records normal by syntax 3 60.00%"), "{full}");
    assert!(!words(&run("--stats", list)).contains("normal forms"));
    assert!(!words(&run("--stats=full", "no scheme\n")).contains("normal forms"));
    dir.run("--report page.html b");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("normal by syntax"), "{page}");
}

#[test]
fn different_values_are_counted() {
    let list = "http://www.h.org/\nHTTP://WWW.h.org/\nhttp://a.h.org/b\nno scheme\nmailto:a@b\n";
    let distinct =
        |args: &str| run(&format!("--stats=json --distinct {args}"), list).json()["distinct"].clone();
    let exact = |column: &str, count: u32| json!({"column": column, "count": count, "estimate": false});
    for (column, count) in [
        ("uri", 5),
        ("normalized", 3),
        ("host", 2),
        ("domain", 1),
        ("scheme", 2),
        ("error_kind", 1),
        ("query", 0),
    ] {
        assert_eq!(distinct(column), exact(column, count));
    }
    assert_eq!(distinct("resolved --base http://x/"), exact("resolved", 4));
    // An empty input has no values.
    assert_eq!(run("--stats=json --distinct uri", "").json()["distinct"], exact("uri", 0));

    let screen = run("--distinct host", list);
    assert!(words(&screen).contains("different values exact host 2"), "{}", screen.text());
    let wrong = run("--distinct resolved --from lines", list);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("--base"), "{}", wrong.stderr);
    let wrong = run("--distinct hosts", list);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("unknown column \"hosts\""), "{}", wrong.stderr);

    let dir = Dir::new();
    dir.write("a", list.repeat(50_000));
    dir.write("b", "urn:a\n");
    dir.run("--distinct uri --report page.html a b");
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("uri: 6 (exact)"), "{page}");
    for threads in [1, 2, 5] {
        let stats = dir.run(&format!("--stats=json --distinct uri -j {threads} a b")).json();
        let counts =
            [&stats, &stats["files"][0], &stats["files"][1]].map(|stats| &stats["distinct"]["count"]);
        assert_eq!(counts, [6, 5, 1]);
    }
}

#[test]
fn values_are_counted_exactly_up_to_the_bound_however_they_are_cut() {
    // 64 values fill the bound. They differ only in the last byte.
    let long = "a".repeat((1 << 20) - 48 - "urn:".len() - 1);
    let last = (b'0'..=b'z').filter(u8::is_ascii_alphanumeric).chain(*b"-._");
    let lines: Vec<_> = last.map(|last| format!("urn:{long}{}\n", char::from(last))).collect();
    let dir = Dir::new();
    for count in [63, 64, 65] {
        let list = lines[..count].concat();
        dir.write("list", &list);
        dir.write("start", lines[..40].concat());
        dir.write("end", lines[20..count].concat());
        dir.write("list.gz", gzip(list.as_bytes()));
        for args in
            ["-j1 list", "-j8 list", "start end", "-j8 end start start", "list.gz", "-j2 list.gz list"]
        {
            let stats = dir.run(&format!("--stats=json --distinct uri {args}")).json();
            let expected = json!({"column": "uri", "count": count, "estimate": count > 64});
            assert_eq!(stats["distinct"], expected, "{args}");
        }
    }
}

#[test]
fn too_many_different_values_are_an_estimate_that_does_not_depend_on_threads() {
    const COUNT: u64 = 1_300_000;
    let dir = Dir::new();
    dir.write("list", (0..COUNT).map(|number| format!("urn:{number:07}\n")).collect::<String>());
    let distinct =
        |args: &str| dir.run(&format!("--stats=json --distinct uri {args}")).json()["distinct"].clone();
    let one = distinct("-j1 list");
    assert_eq!(one["estimate"], true);
    let count = one["count"].as_u64().unwrap();
    assert!(count.abs_diff(COUNT) < COUNT / 50, "{count}");
    // The same values again do not change the count.
    for args in ["-j2 list", "-j5 --no-mmap list", "-j2 list list"] {
        assert_eq!(distinct(args), one, "{args}");
    }
    assert!(
        words(&dir.run("--distinct uri list")).contains("different values an estimate, within about 2% uri")
    );
}

/// Tests logs of several kinds of events, of which only some have a URI.
#[test]
fn lines_without_the_key_are_counted_and_no_failure() {
    let events = "{\"event_type\":\"dns\"}\n".repeat(30)
        + "{\"event_type\":\"http\",\"url\":\"http://h/\"}\n"
        + &"{\"event_type\":\"flow\"}\n".repeat(30);
    let dir = super::Dir::new();
    dir.write("eve.json", &events);
    dir.write("pages.jsonl", "{\"format\":\"json-pages-1.0\",\"id\":\"pages\"}\n{\"url\":\"http://h/\"}\n");
    for args in
        ["--from jsonl", "--from jsonl -q", "--from jsonl --fail-fast", "--from jsonl --max-invalid 0"]
    {
        dir.run(&format!("{args} eve.json")).expect(0, "", "");
        super::run(args, &*events).expect(0, "", "");
        dir.run(&format!("{args} pages.jsonl")).expect(0, "", "");
    }
    let stats = dir.run("--from jsonl --stats=json eve.json").json();
    assert_eq!((&stats["without_key"], &stats["other_lines"]), (&60.into(), &0.into()));
    assert_eq!((&stats["records"], &stats["malformed_lines"]), (&1.into(), &0.into()));
    let stats = dir.run("--from jsonl --stats eve.json");
    assert_eq!(stats.status, 0);
    let sum = "1 URI in 61 lines: it is valid.\n61 lines = 1 URI + 60 keyless lines\n";
    assert!(stats.text().starts_with(sum), "{}", stats.text());
    // They are lines without a record, for the outputs of whole lines, too.
    let rest = dir.run("--from jsonl --emit rest eve.json");
    assert_eq!((rest.status, rest.text().lines().count()), (0, 60));
    // A detected format is no different, and there is no hint.
    let detected = dir.run("pages.jsonl");
    assert_eq!((detected.status, detected.text()), (0, ""), "{detected:?}");
    // Share of the records, not of the lines.
    let bad = events.replace("http://h/", "http://h/ ");
    assert_eq!(super::run("--from jsonl --max-invalid 50%", bad).status, 1);
    // It is an error if no line has the key. Other files go on.
    dir.write("none.jsonl", "{\"a\":\"http://h/\"}\n".repeat(9));
    let message = "no line has the key \"url\"; \"a\" has URIs in 100% of the lines; --key chooses another";
    let error = format!("urivalidate: none.jsonl: {message}\n");
    let found = dir.run("--from jsonl --emit valid none.jsonl");
    let hint = "no line has the key: this looks like jsonl in which \"a\" has URIs in 100% of the lines; try --from jsonl --key a";
    let hint = format!("urivalidate: none.jsonl: {hint}\n");
    assert_eq!((found.status, &*found.stderr, found.text()), (2, &*(error + &hint), ""));
    assert_eq!(dir.run("--from jsonl --key a none.jsonl").status, 0, "the advice helps");
}

/// Tests files in which no line has the key: a log of a quiet hour beside other logs.
#[test]
fn a_file_without_the_key_is_no_failure_if_another_has_it() {
    let dir = super::Dir::new();
    std::fs::create_dir(dir.path().join("logs")).unwrap();
    dir.write("logs/b.jsonl", "{\"event_type\":\"dns\"}\n".repeat(3));
    let others = [("a", "{\"url\":\"http://h/\"}\n"), ("c", "{\"url\":\"http://h/ \"}\n{\"id\":1}\n")];
    let note = "urivalidate: logs/b.jsonl: no line has the key \"url\"; --key chooses another \
        (3 keyless lines are no failure, since another file has the key)\n";
    for (name, lines) in others {
        dir.write(&format!("logs/{name}.jsonl"), lines);
        let status = i32::from(name == "c");
        for input in [
            "-r logs",
            &*format!("logs/b.jsonl logs/{name}.jsonl"),
            &*format!("logs/{name}.jsonl logs/b.jsonl"),
        ] {
            let run = dir.run(&format!("--emit none --max-invalid 0 --from jsonl {input}"));
            assert_eq!((run.status, &*run.stderr, run.text()), (status, note, ""), "{input}");
            dir.run(&format!("--emit none --max-invalid 0 --from jsonl --no-notes {input}"))
                .expect(status, "", "");
            let stats = dir.run(&format!("--from jsonl --stats=json --no-notes {input}")).json();
            assert_eq!(stats["unreadable"], serde_json::Value::Null, "{stats}");
            assert_eq!(
                (&stats["records"], &stats["without_key"]),
                (&1.into(), &(3 + u32::from(name == "c")).into())
            );
        }
        std::fs::remove_file(dir.path().join(format!("logs/{name}.jsonl"))).unwrap();
    }
    // An output that waits for the end of the run is written.
    dir.write("logs/c.jsonl", others[0].1);
    let run = dir.run("--from jsonl -r logs --emit uri --output uris");
    let uris = std::fs::read_to_string(dir.path().join("uris")).unwrap();
    assert_eq!((run.status, &*run.stderr, &*uris), (0, note, "http://h/\n"));

    // Nobody has a mistyped key, and lines of a list have none.
    let error = |name: &str, key: &str| format!("urivalidate: logs/{name}: no line has the key \"{key}\"");
    let run = dir.run("--from jsonl --key ulr -r logs --output uris --emit uri");
    assert_eq!(run.status, 2);
    let (b, c) = (error("b.jsonl", "ulr"), error("c.jsonl", "ulr"));
    assert!(run.stderr.starts_with(&b) && run.stderr.contains(&c), "{}", run.stderr);
    assert!(run.stderr.ends_with("keeps the rows that could be read\n"), "{}", run.stderr);
    dir.write("list", "http://h/\n");
    let run = dir.run("-q --no-notes logs/b.jsonl list");
    assert_eq!((run.status, run.stderr), (2, error("b.jsonl", "url") + "; --key chooses another\n"));
    let stats = dir.run("--stats=json --no-notes logs/b.jsonl list").json();
    assert_eq!(stats["unreadable"], serde_json::json!(["logs/b.jsonl"]));
}
