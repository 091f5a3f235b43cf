//! `--stats`.

use serde_json::{Value, json};
use urivalidate::Backend;

use super::{Dir, run};

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

#[test]
fn the_json_object_has_every_key_in_its_order() {
    let run = run("--stats=json -j2", INPUT);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let mut stats = run.json();
    for key in ["elapsed_seconds", "bytes_per_second"] {
        assert!(stats[key].as_f64().unwrap() > 0.0);
        stats[key] = Value::Null;
    }
    let spaces: Vec<_> = [6, 10, 11, 12, 13]
        .iter()
        .map(|line| json!({"file": "-", "line": line, "column": 1, "text": "http://h/a b"}))
        .collect();
    let expected = json!({
        "bytes": INPUT.len(), "records": 14, "valid": 5, "invalid": 9, "empty": 1,
        "grammar": "uri", "format": "lines", "backend": Backend::best().name(), "threads": 2,
        "elapsed_seconds": null, "bytes_per_second": null,
        "errors": {"empty": 1, "missing-scheme": 1, "space": 6, "non-ascii": 1},
        "error_components": {"scheme": 1, "path": 7, "none": 1},
        "components": {"scheme": 5, "authority": 4, "userinfo": 1, "host": 4, "port": 1, "path": 3, "query": 1, "fragment": 1},
        "host_kinds": {"reg-name": 1, "ipv4": 1, "ipv6": 1, "ipvfuture": 1},
        "schemes": {"https": 2, "ftp": 1, "http": 1, "urn": 1}, "other_schemes": 0,
        "suspicious": {
            "host-as-scheme": 0, "sentinel": 0, "http-without-host": 0, "userinfo": 1, "default-port": 1,
            "over-2048-bytes": 0, "escape-in-host": 0,
        },
        "length": {"min": 0, "max": 29, "mean": 13.142857142857142, "p50": 12, "p90": 16, "p99": 29},
        "samples": {
            "empty": [{"file": "-", "line": 7, "column": 1, "text": ""}],
            "missing-scheme": [{"file": "-", "line": 8, "column": 1, "text": "www.example.com"}],
            "space": spaces,
            "non-ascii": [{"file": "-", "line": 9, "column": 1, "text": "http://h/é"}],
        },
        "sentinels": 0, "malformed_lines": 0,
    });
    assert_eq!(stats, expected);
    let order = [
        "bytes",
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
    assert!(!table.text().contains("lengths") && !table.text().contains("NaN"), "{}", table.text());
}

#[test]
fn several_files_are_told_apart() {
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
        assert_eq!(file.as_object().unwrap().len(), 23, "the same keys, and the name");
    }
    assert_eq!(files[1]["samples"], json!({"empty": [{"file": "two", "line": 1, "column": 1, "text": ""}]}));
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
    let run = run("--stats=json --emit valid", INPUT);
    assert_eq!((run.status, run.text().lines().count()), (0, 5));
    let stats: Value = serde_json::from_str(&run.stderr).unwrap();
    assert_eq!(stats["valid"], 5);
    // Then it is a check again.
    assert_eq!(super::run("--stats --emit errors", INPUT).status, 1);
    let alone = super::run("--stats --emit none", INPUT);
    assert_eq!((alone.status, alone.stderr.as_str()), (0, ""));
}

#[test]
fn a_word_after_stats_is_a_file() {
    let dir = Dir::new();
    dir.write("json", "urn:a\n");
    let run = dir.run("--stats json");
    assert_eq!(run.status, 0);
    assert!(run.text().contains("  records "), "{}", run.text());
}

#[test]
fn the_table_is_aligned_and_says_only_what_is_there() {
    let input = "http://example.com/\n".repeat(1500) + "http://h/a\tb\nhttp://h/ü\n" + "ftp://127.0.0.1/\n";
    let run = run("--stats -j1", input);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let mut lines: Vec<_> = run.text().lines().collect();
    let how = lines.iter().position(|line| line.contains(" s, ")).unwrap();
    let backend = Backend::best();
    let expected = format!("B/s, grammar uri, {backend} on 1 thread");
    assert!(lines[how].ends_with(&expected), "{}", lines[how]);
    lines.remove(how);
    let expected = "
  records             1,503
  valid               1,501   99.87%
  invalid                 2    0.13%
  bytes              30,042

errors  of invalid records
  control-character       1   50.00%
  non-ascii               1   50.00%

errors in  of invalid records
  path                    2  100.00%

components  of valid records
  scheme              1,501  100.00%
  authority           1,501  100.00%
  host                1,501  100.00%
  path                1,501  100.00%

hosts  of those present
  reg-name            1,500   99.93%
  ipv4                    1    0.07%

schemes  of those present
  http                1,500   99.93%
  ftp                     1    0.07%

lengths  in bytes
  shortest               11
  50% up to              19
  90% up to              19
  99% up to              19
  longest                19
  mean                 19.0

samples: control-character
  -:1501  http://h/a\\x09b

samples: non-ascii
  -:1502  http://h/ü";
    assert_eq!(lines, expected.lines().skip(1).collect::<Vec<_>>(), "{}", run.text());
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
        for key in ["elapsed_seconds", "bytes_per_second", "threads"] {
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
fn long_samples_are_cut_between_characters() {
    let record = format!("x{}", "é".repeat(400));
    let stats = run("--stats=json", format!("{record}\n")).json();
    let text = stats["samples"]["missing-scheme"][0]["text"].as_str().unwrap();
    assert!(record.starts_with(text) && (500..=512).contains(&text.len()), "{}", text.len());
    let stats = run("--stats=json", b"\xFFx\n".as_slice()).json();
    assert_eq!(stats["samples"]["missing-scheme"][0]["text"], json!({"bytes": "/3g="}));
    assert!(run("--stats", format!("{record}\n")).text().contains("é…\n"));
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
http://h:80/ invalid
";
    let input = format!("{input}http://h/{}\n", "a".repeat(2040));
    let expected = json!({
        "host-as-scheme": 2, "sentinel": 1, "http-without-host": 1, "userinfo": 1, "default-port": 1,
        "over-2048-bytes": 1, "escape-in-host": 1,
    });
    // At once and one by one.
    for args in ["--stats=json", "--stats=json --trim", "--stats=json --emit none -j1"] {
        assert_eq!(run(args, input.as_str()).json()["suspicious"], expected, "{args}");
    }
    let table = run("--stats", input);
    assert!(
        words(&table)
            .contains(" valid but suspicious of valid records host-as-scheme 2 22.22% sentinel 1 11.11% "),
        "{}",
        table.text()
    );
    assert!(!run("--stats", "http://h/\n").text().contains("suspicious"));
}

#[test]
fn top_hosts_are_told_with_the_hosts_of_invalid_records() {
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
    assert!(words(&table).contains(" hosts with most records of these a 3 37.50% "), "{}", table.text());
    assert!(
        words(&table).contains(" hosts with most invalid records of these a 1 50.00% "),
        "{}",
        table.text()
    );
    let none = run("--stats=json --top-hosts 1", "").json();
    assert_eq!(none["top_hosts"]["records"], json!({"estimate": false, "hosts": []}));
    for args in
        ["--top-hosts 1", "--stats --top-hosts 0", "--stats --top-hosts x", "--stats --top-hosts 1000000"]
    {
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
        table.text().contains("hosts with most records  at least, and how many more at most\n"),
        "{}",
        table.text()
    );
}

/// The table's words, however it is aligned.
fn words(run: &super::Run) -> String {
    run.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// No key of an object comes twice: readers keep the last one only.
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

/// More than what is kept in memory: each file has samples of 500 bytes.
#[test]
fn many_files_are_told_apart() {
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
