//! Tests log formats: `--from`, `--field`, `--key`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use urivalidate::corpus::{Format, Layout, LayoutOptions};

use super::names::read;
use super::{Dir, Run, run};

/// A sample of corpora/logs, in the format that its name states.
macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../corpora/logs/", $name)).as_slice()
    };
}

const COMBINED: &[u8] = sample!("combined.log");

#[track_caller]
fn note(run: &Run, format: &str, grammar: &str) {
    // A sentence about lines that do not fit may follow.
    let first = run.stderr.split_inclusive('\n').next().unwrap_or_default();
    let said = first.strip_prefix(&format!("urivalidate: -: read as {format} (")).expect(&run.stderr);
    let (evidence, rest) = said.split_once(" lines fit), ").expect(&run.stderr);
    let (fits, lines) = evidence.split_once(" of ").expect(&run.stderr);
    let [fits, lines] = [fits, lines].map(|number| number.parse::<usize>().unwrap());
    assert!(0 < fits && fits <= lines, "{}", run.stderr);
    assert_eq!(rest, format!("grammar {grammar}; --from and --grammar choose others\n"));
}

/// Returns the numbers of lines of each kind in `--stats=json`.
#[track_caller]
fn counts(args: &str, input: &[u8]) -> [Value; 6] {
    let run = run(&format!("--stats=json {args}"), input);
    assert_eq!(run.status, 0, "{}", run.stderr);
    ["format", "grammar", "valid", "invalid", "sentinels", "malformed_lines"]
        .map(|key| run.json()[key].clone())
}

#[test]
fn the_format_is_found_out() {
    for (input, format, grammar, numbers) in [
        (sample!("heritrix.log"), "heritrix", "uri", [2, 1, 0, 4]),
        (sample!("squid.log"), "squid", "uri", [1, 1, 2, 3]),
        (sample!("index.cdx"), "cdx", "uri", [2, 1, 0, 3]),
        (sample!("index.cdxj"), "cdxj", "uri", [1, 1, 0, 2]),
        (sample!("common.log"), "common", "request-target", [1, 0, 0, 0]),
        (COMBINED, "combined", "request-target", [3, 4, 1, 4]),
        (sample!("w3c.log"), "w3c", "request-target", [3, 3, 1, 4]),
        (sample!("lines.jsonl"), "jsonl", "uri", [2, 3, 1, 6]),
        (sample!("table.csv"), "csv", "uri", [2, 3, 1, 4]),
        (sample!("table.tsv"), "tsv", "uri", [1, 1, 1, 1]),
        (sample!("records.warc"), "warc", "uri", [1, 2, 0, 0]),
        (sample!("records.arc"), "warc", "uri", [4, 2, 0, 0]),
        (sample!("links.wat"), "wat", "uri-reference", [13, 6, 6, 8]),
    ] {
        let [valid, invalid, sentinels, malformed] = numbers.map(|number| json!(number));
        let expected = [json!(format), json!(grammar), valid, invalid, sentinels, malformed];
        assert_eq!(counts("", input), expected);
        // The options lead to the same result.
        assert_eq!(counts(&format!("--from {format}"), input), expected);
        // Judging the records one by one leads to the same result.
        let rows = run("--emit offsets --only valid --columns line", input);
        assert_eq!((rows.status, rows.text().lines().count()), (0, numbers[0]));
        let rows = run("--emit errors --to csv --columns line", input);
        assert_eq!(rows.text().lines().count(), 1 + numbers[1] + numbers[3], "{}", rows.text());
        note(&run("--emit none", input), format, grammar);
        assert!(!run(&format!("-f {format} --emit none"), input).stderr.contains("read as"));
        assert_eq!(run("--quiet", input).stderr, "");
    }
    let list = counts("", b"http://example.com/\n\n# comment\n");
    assert_eq!(list, [json!("lines"), json!("uri"), json!(1), json!(2), json!(0), json!(0)]);
}

#[test]
fn errors_are_in_the_lines_as_they_came() {
    let run = run("", COMBINED);
    note(&run, "combined", "request-target");
    assert_eq!(run.status, 1);
    let expected = [
        r#"-:1:58: bracket-outside-host: "[" in the query: brackets may only enclose an IP address as host"#,
        r#"-:2:69: invalid-character: "\"" is not allowed in the path"#,
        "-:3:53: space: a space must be written %20",
        "-:5:1: malformed-line: the request line has no method and target",
        "-:6:1: malformed-line: no status after the request: the quotes in it are not escaped",
        "-:9:69: control-character: control character 0x0A in the path",
        "-:10:1: malformed-line: a quote is not closed",
        "-:11:1: malformed-line: the request line has no method and target",
    ];
    let found: Vec<_> = run.text().lines().collect();
    assert_eq!(found.len(), expected.len(), "{}", run.text());
    for (found, expected) in found.iter().zip(expected) {
        let place = |line: &str| line.splitn(5, ':').take(4).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(place(found), place(expected));
        if expected.contains("malformed") {
            assert_eq!(*found, expected);
        }
    }
}

/// Tests that messages name the missing column, or the number of columns and the expected number.
#[test]
fn malformed_lines_are_told_by_names_and_numbers() {
    let csv: &[u8] = b"id,url\n1,http://a.example/\n2\n3,http://a.example/,x,y\n4\n";
    let w3c: &[u8] = b"#Fields: a cs-uri-stem\n1 2 3\n#Fields: a b\n1 2\n";
    let cdx: &[u8] = b" CDX N b a\ncom,a)/ 20200101000000\n CDX N b\ncom,a)/ 20200101000000\n";
    let json: &[u8] = b"{\"a\":1}\n{\"url\":1}\n";
    let numbers = "malformed-line: too few columns: 1 instead of 2";
    for (arguments, input, expected) in [
        ("-f csv", csv, &[numbers, "malformed-line: too many columns: 4 instead of 2", numbers][..]),
        (
            "-f w3c",
            w3c,
            &[
                "malformed-line: too many columns: 3 instead of 2",
                "malformed-line: the header line before it does not name the field \"cs-uri-stem or cs-uri\"; choose another with --field",
            ],
        ),
        (
            "-f cdx",
            cdx,
            &[
                "malformed-line: too few columns: 2 instead of 3",
                "malformed-line: the header line before it does not name the field \"a\"; choose another with --field",
            ],
        ),
        ("-f jsonl", json, &["malformed-line: the value is not a JSON string"]),
    ] {
        let messages = |run: &Run, from: &str| -> Vec<String> {
            run.text().lines().filter_map(|line| Some(line[line.find(from)?..].to_owned())).collect()
        };
        assert_eq!(messages(&run(arguments, input), "malformed-line"), expected, "{arguments}");
        let csv = run(&format!("{arguments} --emit errors --to tsv --columns error_kind,message"), input);
        let rows = messages(&csv, "malformed-line")
            .into_iter()
            .map(|row| row.replace('\t', ": "))
            .collect::<Vec<_>>();
        assert_eq!(rows, expected, "{arguments}");
    }
    for (arguments, input, key) in [
        ("-f jsonl --key b.c", &json[..8], "b.c"),
        ("-f jsonl --key /b/c", &json[..8], "b.c"),
        ("-f caddy", &json[..8], "request.uri"),
        ("-f pairs", b"a=b\n", "url"),
        ("-f pairs --key \u{202E}x", b"a=b\n", "\\u{202e}x"),
    ] {
        let expected = format!("urivalidate: -: no line has the key \"{key}\"; --key chooses another\n");
        run(arguments, input).expect(2, "", &expected);
    }
}

#[test]
fn valid_and_invalid_are_whole_lines() {
    let lines: Vec<_> = COMBINED.split_inclusive(|&byte| byte == b'\n').collect();
    let picked = |numbers: &[usize]| {
        numbers.iter().flat_map(|&number| lines[number - 1].to_vec()).collect::<Vec<u8>>()
    };
    for options in ["", " -j2 --no-mmap", " --fail-fast --max-record 60M"] {
        if !options.contains("fail-fast") {
            assert_eq!(run(&format!("--emit valid{options}"), COMBINED).stdout, picked(&[7, 8, 12]));
        }
        let invalid = if options.contains("fail-fast") { &[1][..] } else { &[1, 2, 3, 9] };
        assert_eq!(run(&format!("--emit invalid{options}"), COMBINED).stdout, picked(invalid), "{options}");
    }
}

#[test]
fn rows_have_the_place_in_the_line() {
    let run = run(
        "--emit components --to jsonl --columns line,column,length,uri,path,query,valid",
        sample!("w3c.log"),
    );
    let rows: Vec<Value> = run.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let uris: Vec<_> = rows.iter().map(|row| row["uri"].as_str().unwrap()).collect();
    assert_eq!(uris, ["/a?b=[c]", "/a", "/later?q=%zz", "/tab", "/quo ted?a\"b", "/whole?x"]);
    assert_eq!(
        rows[5],
        json!({"line": 17, "column": 12, "length": 8, "uri": "/whole?x", "path": "/whole", "query": "x", "valid": true})
    );
    let errors = super::run("--emit errors --to jsonl", sample!("w3c.log"));
    let kinds: Vec<_> = errors
        .text()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|row| (row["line"].as_u64().unwrap(), row["error"]["kind"].as_str().unwrap().to_owned()))
        .collect();
    let malformed = |line| (line, "malformed-line".to_owned());
    assert_eq!(kinds.len(), 7);
    assert_eq!(kinds[0], malformed(3));
    assert_eq!(kinds[1], (5, "bracket-outside-host".to_owned()));
    assert_eq!(kinds[2..4], [malformed(8), (10, "invalid-percent-encoding".to_owned())]);
    let first: Value = serde_json::from_str(errors.text().lines().next().unwrap()).unwrap();
    let expected = json!({
        "file": "-", "line": 3, "column": 1, "length": 26, "uri": null,
        "error": {"kind": "malformed-line", "component": null, "offset": null},
        "error_column": null,
        "message": "no #Fields line comes before it",
    });
    assert_eq!(first, expected);
}

#[test]
fn another_field_can_be_checked() {
    let texts = |args: &str, input: &[u8]| {
        let run = run(&format!("{args} --emit components --to jsonl --columns uri"), input);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let uri =
            |line: &str| serde_json::from_str::<Value>(line).unwrap()["uri"].as_str().unwrap().to_owned();
        run.text().lines().map(uri).collect::<Vec<_>>()
    };
    assert_eq!(texts("--field referer", COMBINED)[0], "http://example.com/start");
    assert_eq!(
        texts("--field via", sample!("heritrix.log")),
        ["http://example.com/a?b", "http://example.com/|z"]
    );
    assert_eq!(texts("--field 4", sample!("heritrix.log"))[0], "http://example.com/robots.txt");
    assert_eq!(texts("--field redirect", sample!("index.cdx"))[0], "http://example.com/{r}");
    assert_eq!(texts("--field cs(Referer)", sample!("w3c.log")), ["http://example.com/"]);
    assert_eq!(texts("--key redirect", sample!("index.cdxj")), ["http://example.com/r"]);
    assert_eq!(texts("--key uri", sample!("lines.jsonl"))[1], "http://example.com/second");
    assert_eq!(texts("--from csv --field date", sample!("table.csv")), ["2026-01-02"; 6]);
    assert_eq!(texts("--from csv --field 2", b"1,urn:a\n2,\"urn:b,c\"\n"), ["urn:a", "urn:b,c"]);
    assert_eq!(texts("--from lines", b"{\"url\":\"urn:a\"}\n"), ["{\"url\":\"urn:a\"}"]);
    // The grammar on the command line takes precedence.
    assert_eq!(
        counts("-g uri", sample!("common.log"))[..4],
        [json!("common"), json!("uri"), json!(0), json!(1)]
    );
    assert_eq!(counts("--field referer", COMBINED)[1], json!("uri"));
}

#[test]
fn fields_that_are_not_there_are_told() {
    let usage = |args: &str, expected: &str| {
        let run = run(args, "");
        assert_eq!((run.status, run.text()), (2, ""));
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    };
    usage(
        "--from squid --field via",
        "no field via: the format squid has the field uri, and columns by number",
    );
    usage("--from lines --field 1", "no field 1: the format lines has no fields");
    usage("--from csv --key url", "no key url: the format csv has the columns of its header");
    usage("--from jsonl --field url", "no field url: the format jsonl has keys");
    usage("--from jsonl --key url --field url", "cannot be used with");
    usage(
        "--from combined --zone-ids",
        "request-target does not support zone identifiers; use uri, uri-reference, absolute-uri or relative-ref",
    );
    usage("--from log", "invalid value 'log'");

    // Errors that only the file shows name the file, and the other files are scanned.
    let dir = Dir::new();
    dir.write("list", "http://example.com/\n");
    dir.write("crawl.log", sample!("heritrix.log"));
    dir.write("table.csv", sample!("table.csv"));
    let run = dir.run("--field via --emit valid list crawl.log table.csv");
    assert_eq!(run.status, 2);
    assert_eq!(
        run.stderr,
        "urivalidate: list: no field via: the format lines has no fields; --from chooses another format\n\
         urivalidate: crawl.log: read as heritrix (3 of 7 lines fit), grammar uri; --from and --grammar choose others\n\
         urivalidate: crawl.log: at least half of the records are invalid, and no known format fits better; --regex, --delimiter or --key can say \
         where the URIs are\n\
         urivalidate: table.csv: the header has no column via; it has Date, URL, a description\n"
    );
    assert_eq!(run.text().lines().count(), 1);
}

#[test]
fn what_was_found_out_is_said_once() {
    let dir = Dir::new();
    for (name, content) in [("a", COMBINED), ("b", COMBINED), ("c", b"urn:a\n"), ("d", COMBINED), ("e", b"")]
    {
        dir.write(name, content);
    }
    dir.write("f", sample!("squid.log"));
    let run = dir.run("--stats=json a b c d e f");
    let notes = run.stderr.lines().filter(|line| line.contains(": read as "));
    assert_eq!(notes.count(), 3, "{}", run.stderr);
    let stats = run.json();
    assert_eq!((&stats["format"], &stats["grammar"]), (&json!("several"), &json!("several")));
    let formats: Vec<_> = stats["files"].as_array().unwrap().iter().map(|file| &file["format"]).collect();
    assert_eq!(formats, ["combined", "combined", "lines", "combined", "lines", "squid"]);
    assert_eq!(
        (&stats["sentinels"], &stats["malformed_lines"]),
        (&json!(1 + 1 + 1 + 2), &json!(4 + 4 + 4 + 3))
    );
    assert_eq!(dir.run("--stats=json a b e").json()["format"], "combined");
}

#[test]
fn a_malformed_line_fails_a_check_and_is_no_record() {
    let log = b"192.0.2.1 - - [10/Oct/2026:13:55:36 -0700] \"GET / HTTP/1.1\" 200 1\nnot a line of the log\n";
    assert_eq!(run("", log.as_slice()).status, 1);
    assert_eq!(run("--quiet", log.as_slice()).status, 1);
    let fast = run("--fail-fast", [&log[..log.len() - 22], &log[..], b"nor this\n"].concat());
    assert_eq!((fast.status, fast.text().lines().count()), (1, 1));
    assert!(fast.text().starts_with("-:3:1: malformed-line: "), "{}", fast.text());
    assert_eq!(run("--max-invalid 1", log.as_slice()).status, 0);
    assert_eq!(run("--max-invalid 0", log.as_slice()).status, 1);
    assert_eq!(run("--emit invalid", log.as_slice()).stdout, b"");
    assert_eq!(run("--emit offsets", log.as_slice()).text().lines().count(), 1);
    let stats = run("--stats=json", log.as_slice()).json();
    assert_eq!((&stats["records"], &stats["malformed_lines"]), (&json!(1), &json!(1)));
    let table = run("--stats", log.as_slice());
    assert!(table.text().contains("2 lines = 1 request target + 1 malformed line\n"), "{}", table.text());
    assert!(table.text().contains("format common, grammar request-target"), "{}", table.text());
}

#[test]
fn samples_are_those_of_the_lines() {
    let stats = run("--stats=json", COMBINED).json();
    let expected = json!([{"file": "-", "line": 2, "column": 67, "text": "/a\"b\\c\u{FFFD}"}]);
    assert_eq!(stats["samples"]["invalid-character"][0]["line"], expected[0]["line"]);
    assert_eq!(stats["samples"]["invalid-character"][0]["column"], expected[0]["column"]);
    // An escaped line feed becomes a line feed again.
    let sample = &stats["samples"]["control-character"][0];
    assert_eq!((&sample["line"], &sample["text"]), (&json!(9), &json!("http://example.com/x\ny")));
}

#[test]
fn fields_are_trimmed_when_asked_for() {
    let log = b"{\"url\":\" http://example.com/ \"}\n";
    assert_eq!(counts("", log)[2..4], [json!(0), json!(1)]);
    assert_eq!(counts("--trim", log)[2..4], [json!(1), json!(0)]);
}

#[test]
fn nul_separated_records_are_no_log() {
    let run = run("--null --stats=json", "{\"url\":\"urn:a\"}\0");
    assert_eq!((run.json()["format"].clone(), run.stderr.as_str()), (json!("lines"), ""));
    assert_eq!(super::run("--null --from jsonl", "").status, 2);
}

/// Tests inputs larger than a chunk, so that header lines, line numbers and the state of a WARC file pass
/// from one chunk to the next.
#[test]
fn chunks_do_not_show() {
    let dir = Dir::new();
    let mut w3c = b"#Fields: date cs-uri-stem\n".to_vec();
    let mut warc = Vec::new();
    let mut expected = (0, Vec::new());
    for i in 0..40_000 {
        if i % 15_000 == 14_999 {
            w3c.extend_from_slice(b"#Fields: cs-uri-stem date c-ip\n");
        }
        let path = if i % 1_000 == 7 { format!("/{i}>") } else { format!("/{i}") };
        let is_late = i >= 14_999;
        w3c.extend_from_slice(
            if is_late { format!("{path} x y\n") } else { format!("x {path}\n") }.as_bytes(),
        );
        if path.ends_with('>') {
            expected.1.push(i);
        }
        let block = format!("WARC/1.0\r\nWARC-Target-URI: urn:{i}\r\n\r\n").repeat(i % 3);
        let record = format!(
            "WARC/1.1\r\nWARC-Target-URI: http://example.com{path}\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            block.len()
        );
        warc.extend_from_slice(record.as_bytes());
        expected.0 += 1;
    }
    dir.write("w3c.log", &w3c);
    dir.write("all.warc", &warc);
    for file in ["w3c.log", "all.warc"] {
        for options in ["-j1", "-j2", "-j2 --no-mmap"] {
            let stats = dir.run(&format!("--stats=json {options} {file}")).json();
            let counts = (&stats["records"], &stats["invalid"], &stats["malformed_lines"]);
            assert_eq!(counts, (&json!(expected.0), &json!(expected.1.len()), &json!(0)), "{file} {options}");
            let errors = dir.run(&format!("{options} {file}"));
            let text = errors.text();
            assert_eq!(text.lines().count(), expected.1.len());
            let content = std::fs::read_to_string(dir.path().join(file)).unwrap();
            let lines: Vec<_> = content.lines().collect();
            for (row, number) in text.lines().zip(&expected.1) {
                let mut parts = row.split(':').skip(1).map(|part| part.parse::<usize>());
                let (line, column) = (parts.next().unwrap().unwrap(), parts.next().unwrap().unwrap());
                assert!(lines[line - 1].contains(&format!("/{number}>")), "{row}");
                assert_eq!(lines[line - 1].as_bytes()[column - 1], b'>', "{row}");
            }
        }
    }
}

/// Tests every sample repeated many times, so that chunks end anywhere in it.
#[test]
fn threads_do_not_show() {
    let dir = Dir::new();
    for (format, sample) in [
        ("lines", include_bytes!("../../../corpora/sample.txt").as_slice()),
        ("heritrix", sample!("heritrix.log")),
        ("squid", sample!("squid.log")),
        ("cdx", sample!("index.cdx")),
        ("cdxj", sample!("index.cdxj")),
        ("common", sample!("common.log")),
        ("combined", COMBINED),
        ("w3c", sample!("w3c.log")),
        ("jsonl", sample!("lines.jsonl")),
        ("csv", sample!("table.csv")),
        ("tsv", sample!("table.tsv")),
        ("warc", sample!("records.warc")),
        ("wat", sample!("links.wat")),
    ] {
        let times = 700_000 / sample.len();
        dir.write("log", [sample, b"\n".as_slice()].concat().repeat(times));
        for args in ["--emit errors", "--emit offsets --to jsonl", "--emit valid", "--emit invalid"] {
            let on = |threads| dir.run(&format!("--from {format} {args} -j{threads} log"));
            let expected = on(1);
            let rows = expected.stdout.iter().filter(|&&byte| byte == b'\n').count();
            let may_lack = format == "common" && args != "--emit offsets --to jsonl";
            assert!(rows >= times || may_lack, "{format} {args}: {rows}");
            assert!(on(2) == expected && on(8) == expected, "{format} {args}");
        }
    }
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(samples().join(name)).unwrap()
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/logs")
}

/// Returns the samples that corpora/README.md lists, and their numbers of lines.
fn listed_samples() -> Vec<(String, u64)> {
    let document = read("corpora/README.md");
    let section = document.split("\n## ").find(|section| section.starts_with("logs/")).unwrap();
    let samples = section.lines().filter(|line| line.starts_with("| ")).flat_map(|row| {
        let mut cells = row.split(" | ").map(|cell| cell.trim_matches(['|', ' ']).split(", "));
        let (names, lines) = (cells.next().unwrap(), cells.next().unwrap());
        names.map(str::to_owned).zip(lines.map(str::to_owned)).collect::<Vec<_>>()
    });
    samples.filter_map(|(name, lines)| Some((name, lines.parse().ok()?))).collect()
}

#[test]
fn the_list_of_samples_is_true() {
    let files = fs::read_dir(samples()).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let mut listed = listed_samples();
    listed.sort();
    files.sort();
    assert!(listed.iter().map(|(name, _)| name).eq(&files), "{listed:?} {files:?}");
    for (name, lines) in listed {
        let stats = run("--stats=json", sample(&name)).json();
        assert_eq!(stats["lines"], lines, "{name}");
    }
}

/// Tests the samples that are named after their format.
#[test]
fn logs_are_read_as_their_names_say() {
    let named = listed_samples().into_iter().filter_map(|(name, _)| {
        let stem = name.split('.').next().unwrap();
        let format = Format::ALL.iter().copied().find(|format| format.name() == stem);
        // lines.jsonl is not a list.
        let format = format.filter(|&format| format != Format::Lines)?;
        Some((format, sample(&name)))
    });
    let mut count = 0;
    for (format, log) in named {
        let grammar = Layout::new(format, &LayoutOptions::default()).unwrap().grammar();
        let found = counts("", &log);
        assert_eq!(found[..2], [json!(format.name()), json!(grammar.name())]);
        let [valid, invalid, sentinels, malformed] =
            [2, 3, 4, 5].map(|index| found[index].as_u64().unwrap() as usize);
        let stats = run("--stats=json", &*log).json();
        let [headers, keyless] = ["headers", "without_key"].map(|key| stats[key].as_u64().unwrap() as usize);
        let lines = log.split_inclusive(|&byte| byte == b'\n').count();
        assert_eq!(valid + invalid + sentinels + malformed + headers + keyless, lines, "{format}");
        // The options lead to the same result.
        assert_eq!(counts(&format!("--from {format}"), &log), found);
        // Judging the records one by one leads to the same result.
        let rows = run("--emit offsets --only valid --columns line", &*log);
        assert_eq!((rows.status, rows.text().lines().count()), (0, valid), "{format}");
        let rows = run("--emit errors --to csv --columns line", &*log);
        assert_eq!(rows.text().lines().count(), 1 + invalid + malformed, "{}", rows.text());
        count += 1;
    }
    assert!(count > 10, "only {count} samples have a format's name");
}

#[test]
fn logs_of_services_are_found_out() {
    for (input, format, grammar, numbers) in [
        (sample!("traefik.log"), "combined", "request-target", [1, 1, 0, 0]),
        (sample!("cloudfront.log"), "w3c", "request-target", [2, 0, 0, 0]),
        (sample!("jobs.pairs"), "pairs", "uri", [2, 1, 0, 0]),
        (sample!("headerless.cdx"), "cdx", "uri", [2, 1, 0, 1]),
    ] {
        let [valid, invalid, sentinels, malformed] = numbers.map(|number| json!(number));
        assert_eq!(counts("", input), [json!(format), json!(grammar), valid, invalid, sentinels, malformed]);
    }
}

/// Tests that lines lose only trimmed bytes, in every form.
#[test]
fn valid_lines_are_trimmed_when_asked_for() {
    for (arguments, input, expected) in [
        (
            "-f csv",
            "n,url\n 1 , http://a.example/\u{C}\n2,\" http://b.example/?\"\n3,http://c.example/,\n4,http://d.example/ e\n",
            "n,url\n 1 ,http://a.example/\n2,\"http://b.example/?\"\n",
        ),
        (
            "-f tsv",
            "n\turl\n1\t  http://a.example/  \n2\thttp://b.example/\n",
            "n\turl\n1\thttp://a.example/\n2\thttp://b.example/\n",
        ),
        (
            "-f jsonl",
            "{\"a\":\" x \",\"url\":\"\\n http:\\/\\/a.example\\u002F\\t \\u0020\"}\r\n{\"url\":\" http://b.example/ \",\"url\":\"http://c.example/ \"}\n{\"url\":\" \"}\n",
            "{\"a\":\" x \",\"url\":\"http:\\/\\/a.example\\u002F\"}\r\n{\"url\":\" http://b.example/ \",\"url\":\"http://c.example/\"}\n",
        ),
        ("-f pairs", "a=b;url=http://a.example/ \n", "a=b;url=http://a.example/\n"),
        (
            "--regex to=(.*)",
            "to= http://a.example/ \nto=http://b.example/",
            "to=http://a.example/\nto=http://b.example/",
        ),
        ("--delimiter |", "a| http://a.example/ \n", ""),
        ("--delimiter | --field 2", "a| http://a.example/ |b\n", "a|http://a.example/|b\n"),
        (
            "-f w3c",
            "#Fields: cs-uri-stem cs-uri-query\n\u{C}/a b\u{C}\n/a -\n",
            "#Fields: cs-uri-stem cs-uri-query\n/a b\n/a -\n",
        ),
    ] {
        let trimmed = run(&format!("{arguments} --trim --emit valid"), input);
        assert_eq!(trimmed.text(), expected, "{arguments}");
        let invalid = run(&format!("{arguments} --emit invalid"), expected);
        assert!(!invalid.text().contains("http"), "{arguments}");
        let as_it_came = run(&format!("{arguments} --trim --emit invalid"), input);
        assert!(as_it_came.text().lines().all(|line| input.contains(line)), "{arguments}");
    }
}

#[test]
fn any_log_can_be_read_by_a_pattern_or_a_delimiter() {
    let log = b"to=http://a.example/ x\nnothing\nto=http://b.example/{c} y\n";
    let found = run(r"--regex to=(?<uri>\S+)", log);
    assert_eq!(found.status, 1);
    let lines: Vec<_> = found.text().lines().collect();
    assert_eq!(lines[0], "-:2:1: malformed-line: the pattern does not match");
    assert!(lines[1].starts_with("-:3:21: invalid-character"), "{}", lines[1]);
    assert_eq!(run(r"--regex to=(\S+) --emit valid", log).text(), "to=http://a.example/ x\n");
    assert_eq!(run("--regex (", log).status, 2);
    let table = sample!("list.psv");
    assert_eq!(run("--delimiter | --field 2 --emit valid", table).text().lines().count(), 2);
    let named = run("--delimiter | --field link --emit valid", table);
    assert_eq!(named.text(), "id|link|note\n1|http://www.example.com/a|plain\n");
    assert_eq!(run("--delimiter || --field 2", table).status, 2);
}

#[test]
fn the_first_line_of_a_table_is_never_skipped_in_silence() {
    let broken = run("--from csv", b"broken url\nhttp://a.example/\n");
    assert_eq!(broken.status, 1);
    assert!(broken.text().starts_with("-:1:"), "{}", broken.text());
    assert_eq!(run("--from csv --header yes", b"broken url\nhttp://a.example/\n").status, 0);
    assert_eq!(run("--from csv --header no", b"url\nhttp://a.example/\n").status, 1);
    // The output can be read again.
    let valid = run("--emit valid --from csv", sample!("table.csv"));
    let again = run("--from csv", valid.stdout.as_slice());
    assert_eq!((again.status, again.text()), (0, ""));
}

#[test]
fn the_uris_of_a_text_come_one_a_line() {
    let page = sample!("page.html");
    let valid = "http://www.example.com/?a=1&b=2\nhttp://www.example.com/b_(c)\nmailto:a@example.com\nurn:isbn:0451450523\n";
    assert_eq!(run("--from text --emit valid", page).text(), valid);
    assert_eq!(run("--from text --emit invalid", page).text(), "http://www.example.com/{d}\n");
    let errors = run("--from text", page);
    assert!(errors.text().starts_with("-:4:33: invalid-character"), "{}", errors.text());
}

#[test]
fn broken_links_in_delimiters_are_reported_where_they_break() {
    let page = b"<a href=\"https://e.example/?a=1&amp;b=Annual Report.pdf\">\n\"https://e.example/x.\"\n";
    assert_eq!(
        run("--from text --emit invalid", page).text(),
        "https://e.example/?a=1&b=Annual Report.pdf\n"
    );
    assert_eq!(run("--from text --emit valid", page).text(), "https://e.example/x.\n");
    let errors = run("--from text", page);
    // The space of the line, although the reference before it is longer than its character.
    assert!(errors.text().starts_with("-:1:45: space"), "{}", errors.text());
}

#[test]
fn broken_links_in_texts_are_never_cut_to_valid_ones() {
    let text = concat!(
        "see https://e.example/a|b, GET https://e.example/c\\d HTTP/1.1\n",
        "{\"m\":\"see https:\\/\\/e.example\\/?e=1\\u0026f=2 or https:\\/\\/e.example\\/g|h\"}\n",
        "\\href{https://e.example/i j\\_k}{l} print(\"https://e.example/m\\n\")\n",
    );
    let errors = run("--from text --to tsv --emit errors --columns line,error_column,uri", text);
    assert_eq!(
        errors.text(),
        "line\terror_column\turi\n1\t24\thttps://e.example/a|b\n1\t51\thttps://e.example/c\\\\d\n\
         2\t71\thttps://e.example/g|h\n3\t26\thttps://e.example/i j_k\n"
    );
    let valid = "https://e.example/?e=1&f=2\nhttps://e.example/m\n";
    assert_eq!(run("--from text --emit valid", text).text(), valid);
}

#[test]
fn documents_of_asciidoc_and_rst_are_read_as_links() {
    let broken = run("--to tsv --emit errors --columns line,element,uri", sample!("guide.adoc"));
    assert_eq!(
        broken.text(),
        "line\telement\turi\n3\ta\thttps://www.example.com/b|c\n6\ta\thttps://www.example.com/j|k\n\
         8\ta\tp q.adoc\n8\ta\thttps://www.example.com/s t\n8\ta\thttps://www.example.com/{v\n10\timg\ty z.png\n\
         19\ta\thttps://www.example.com/%zz\n"
    );
    let broken = run("--to tsv --emit errors --columns line,element,uri", sample!("guide.rst"));
    assert_eq!(
        broken.text(),
        "line\telement\turi\n4\ta\te f.html\n5\ta\thttps://www.example.com/k|l\n10\ta\thttps://www.example.com/v w\n\
         13\timg\ty z.png\n14\ta\thttps://www.example.com/%zz\n"
    );
}

#[test]
fn formats_and_options_have_the_names_that_people_try() {
    let log = sample!("combined.log");
    for name in ["nginx", "apache"] {
        let named = run(&format!("--from {name}"), log);
        assert_eq!((named.status, named.text()), (1, run("--from combined", log).text()), "{name}");
    }
    // The referer may be missing.
    let common = sample!("common.log");
    assert_eq!(
        run("--from apache --emit valid", common).text(),
        run("--from common --emit valid", common).text()
    );
    assert_eq!(run("--from iis", sample!("w3c.log")).text(), run("--from w3c", sample!("w3c.log")).text());
    let rows = "http://a.example/\nb\n";
    assert_eq!(run("--json", rows).text(), run("--to jsonl", rows).text());
    assert_eq!(run("--json --to csv", rows).status, 2);
    let dir = super::Dir::new();
    dir.write("list", rows);
    dir.run("-o out --emit valid list");
    assert_eq!(dir.run("--emit valid out").text(), "http://a.example/\n");
}

#[test]
fn the_links_of_documentation_are_a_gate() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join("docs")).unwrap();
    dir.write("docs/a.md", "# [a](b.html)\n\n```\n[c](d e)\n```\n");
    dir.write("docs/b.html", "<!doctype html>\n<a href=x>y</a>\n");
    dir.write("docs/sitemap.xml", "<urlset>\n<url><loc>https://a.example/</loc></url>\n</urlset>\n");
    let good = dir.run("-r docs");
    assert_eq!((good.status, good.text()), (0, ""), "{}", good.stderr);
    dir.write("docs/a.md", "text\n[a](b c.html) ![d](e%.png)\n<a href='f g'>\n\n[h]: <i j>\n");
    dir.write(
        "docs/sitemap.xml",
        "<urlset>\n<url><loc>/a</loc><loc>https://a.example/?b&c</loc></url>\n</urlset>\n",
    );
    let bad = dir.run("-r docs");
    let places: Vec<_> =
        bad.text().lines().map(|line| line.split(": ").take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(bad.status, 1);
    assert_eq!(
        places,
        [
            "docs/a.md:2:6 space",
            "docs/a.md:2:22 invalid-percent-encoding",
            "docs/a.md:3:11 space",
            "docs/a.md:5:8 space",
            "docs/sitemap.xml:2:11 missing-scheme",
            "docs/sitemap.xml:2:44 malformed-line",
        ]
    );
    let rows = dir.run("--emit components --columns line,element,attribute,uri --to csv docs/a.md");
    assert_eq!(
        rows.text(),
        "line,element,attribute,uri\n2,a,href,b c.html\n2,img,src,e%.png\n3,a,href,f g\n5,a,href,i j\n"
    );
}

#[test]
fn columns_say_which_element_and_attribute_hold_a_url() {
    let page = "<!DOCTYPE html>\n<A HREF=a>x</A><X-Card style='x:url(\"b c\")'></X-Card><a href=\"";
    let dir = Dir::new();
    dir.write("page.html", page.as_bytes());
    let columns = "--columns element,attribute,uri --to csv page.html";
    let rows = |emit: &str| String::from_utf8(dir.run(&format!("--emit {emit} {columns}")).stdout).unwrap();
    assert_eq!(rows("components"), "element,attribute,uri\na,href,a\nx-card,style,b c\n");
    assert_eq!(rows("errors"), "element,attribute,uri\nx-card,style,b c\n,,\n");
}
