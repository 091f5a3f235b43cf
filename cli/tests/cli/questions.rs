//! Tests questions about the records beyond their verdicts: kinds of errors, counts of values, trimmed
//! records.

use std::collections::HashMap;

use super::{Dir, run};

const MIXED: &str =
    "http://h/a.html\nhttp://h/ b\nHTTP://i/\nx\nurn:a\nhttp://h:80/.b/c.tar.gz?q.r\nhttp://h/\u{e9}\n";

#[test]
fn errors_of_some_kinds_are_picked() {
    let all = run("", MIXED);
    let of = |kinds: &str| run(&format!("--kind {kinds} --no-notes"), MIXED);
    let lines = |kind: &str| {
        let lines = all.text().lines().filter(|line| line.contains(&format!(": {kind}: ")));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    // Records that are not reported remain invalid.
    of("space").expect(1, lines("space"), "");
    of("non-ascii,space").expect(1, lines("space") + &lines("non-ascii"), "");
    of("invalid-port").expect(1, "", "");
    run("--kind space --no-notes --to csv --columns line,error_kind", MIXED).expect(
        1,
        "line,error_kind\n2,space\n",
        "",
    );
    run(
        "--kind malformed-line --no-notes --from jsonl --to tsv --columns line,error_kind",
        "{\"url\":\"x\"}\nbad\n",
    )
    .expect(1, "line\terror_kind\n2\tmalformed-line\n", "");
    let unknown = of("spaces");
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("missing-scheme, invalid-scheme, space,"), "{}", unknown.stderr);
    assert_eq!(run("--kind space --emit valid", MIXED).status, 2);
}

#[test]
fn invalid_records_of_some_kinds_are_picked() {
    let of = |args: &str, input: &str| run(&format!("--emit invalid --no-notes {args}"), input);
    of("--kind space", MIXED).expect(0, "http://h/ b\n", "");
    of("--kind non-ascii,space", MIXED).expect(0, "http://h/ b\nhttp://h/\u{e9}\n", "");
    of("--kind invalid-port", MIXED).expect(0, "", "");
    of("--kind space --trim", " http://h/ b \n x\n").expect(0, " http://h/ b \n", "");
    of("--kind space -0", "a b\0x\0http://h/ b\0").expect(0, "http://h/ b\0", "");
    // The byte order mark goes with the first line.
    of("--kind missing-scheme", "\u{FEFF}x\nhttp://h/ b\n").expect(0, "\u{FEFF}x\n", "");
    of("--kind space", "\u{FEFF}x\nhttp://h/ b\n").expect(0, "http://h/ b\n", "");
    // A record over the limit is cut into parts.
    let long = format!("x\nhttp://h/{}\nhttp://h/ b\n", "a".repeat(1 << 20));
    let picked = |kind: &str| of(&format!("--max-record 100 --kind {kind}"), &long);
    assert!(picked("record-too-long").text() == &long[2..][..long.len() - 2 - "http://h/ b\n".len()]);
    picked("space").expect(0, "http://h/ b\n", "");
    // Each share has the header lines. A line without a record does not count as invalid.
    let table = "url,n\nx,1\nhttp://h/ b,2\nurn:a,3\n";
    of("--kind space --from csv", table).expect(0, "url,n\nhttp://h/ b,2\n", "");
    assert_eq!(of("--kind malformed-line --from jsonl", "{\"url\":\"x\"}\nbad\n").status, 2);
    of("--kind space --from text", "<http://h/ b> <http://h/\u{e9}>\n").expect(0, "http://h/ b\n", "");
    // The kinds apply to all outputs of a run.
    let dir = Dir::new();
    dir.write("one", "http://h/ b\nx");
    dir.write("two", "y\nhttp://i/ b");
    for threads in ["-j1", "-j2"] {
        dir.run(&format!("--kind space --no-notes --invalid i {threads} one two")).expect(
            1,
            "one:1:10: space: a space must be written %20\ntwo:2:10: space: a space must be written %20\n",
            "",
        );
        assert_eq!(std::fs::read(dir.path().join("i")).unwrap(), b"http://h/ b\nhttp://i/ b");
    }
}

#[test]
fn values_of_a_column_are_counted() {
    run("--count scheme --no-notes", MIXED).expect(0, "3\thttp\n1\turn\n", "");
    run("--count error_kind --no-notes --to csv", MIXED).expect(
        0,
        "count,error_kind\n1,missing-scheme\n1,non-ascii\n1,space\n",
        "",
    );
    run("--count host --no-notes --to jsonl --top 1", MIXED).expect(0, "{\"count\":2,\"host\":\"h\"}\n", "");
    let parameters = "http://a/b.jsp;jsessionid=1.2\nhttp://a/b.jsp\nhttp://a/.x;y.z\n";
    run("--count path_extension --no-notes", parameters).expect(0, "2\tjsp\n", "");
    let cases = "http://H/\nhttp://h/ b\nhttp://h/A\nHTTP://h/\n";
    run("--count host --no-notes", cases).expect(0, "3\th\n", "");
    run("--count path --no-notes", "http://h/A\nhttp://h/a\n").expect(0, "1\t/A\n1\t/a\n", "");
    run("--count path_extension --no-notes", MIXED).expect(0, "1\tgz\n1\thtml\n", "");
    run("--count host_kind --no-notes", MIXED).expect(0, "3\treg-name\n", "");
    run("--count port --no-notes", MIXED).expect(0, "1\t80\n", "");
    run("--count valid --no-notes", MIXED).expect(0, "4\ttrue\n3\tfalse\n", "");
    // The same types as in rows.
    run("--count valid --no-notes --to jsonl --top 1", MIXED).expect(0, "{\"count\":4,\"valid\":true}\n", "");
    run("--count length --no-notes --to jsonl", "urn:a\n").expect(0, "{\"count\":1,\"length\":5}\n", "");
    // Lines without a record are among the errors.
    let lines = "{\"url\":\"x\"}\nbad\n";
    run("--from jsonl --count error_kind --no-notes", lines).expect(
        0,
        "1\tmalformed-line\n1\tmissing-scheme\n",
        "",
    );
    let unknown = run("--count opaque", MIXED);
    assert!(
        unknown.stderr.contains("the column opaque needs --grammar rfc2396 or java"),
        "{}",
        unknown.stderr
    );
    run("--count port --no-notes", "").expect(0, "", "");
    // The statistics go to standard error.
    let both = run("--count port --no-notes --stats=json", MIXED);
    assert_eq!((both.text(), both.stderr.contains("\"records\":7")), ("1\t80\n", true));
    let unknown = run("--count hosts", MIXED);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("unknown column \"hosts\": expected one of file,"), "{}", unknown.stderr);
    assert_eq!(run("--top 3", MIXED).status, 2);
    let several = run("--count error", MIXED);
    assert!(
        several.stderr.contains("count one of error_kind, error_component and error_offset"),
        "{}",
        several.stderr
    );
    for column in ["line", "page", "base", "element", "attribute", "suggestion"] {
        for option in ["--count", "--distinct"] {
            let refused = run(&format!("{option} {column}"), MIXED);
            assert_eq!(refused.status, 2);
            let reason = format!("the column {column} cannot be counted");
            assert!(refused.stderr.contains(&reason), "{}", refused.stderr);
        }
    }
}

/// Tests that counts equal those of the rows counted one by one, for any threads and files.
#[test]
fn counts_are_exact_and_do_not_depend_on_threads() {
    let dir = Dir::new();
    let list: String =
        (0..60_000u64).map(|i| format!("http://host{}.example/{}\n", i * i % 997, i % 7)).collect();
    dir.write("one", &list);
    dir.write("two", &list[..list.len() / 2]);
    let rows = dir.run("--emit components --columns host --only valid one two");
    let mut counts: HashMap<&str, u64> = HashMap::new();
    // If the list is cut in half, it may end with a URI without a host, which is not counted.
    let hosts = rows.text().lines().filter(|&host| host != "\\N");
    hosts.for_each(|host| *counts.entry(host).or_default() += 1);
    let mut expected: Vec<_> = counts.into_iter().collect();
    expected.sort_by_key(|&(host, count)| (std::cmp::Reverse(count), host));
    let expected: String = expected.iter().map(|(host, count)| format!("{count}\t{host}\n")).collect();
    for args in ["-j1", "-j3", "-j2 --no-mmap"] {
        dir.run(&format!("--count host --no-notes {args} one two")).expect(0, &expected, "");
    }
}

#[test]
fn trimmed_records_are_valid_when_they_are_read_again() {
    let input = " urn:a\t\r\nurn:b\r\r\n\n  bad \n\u{c}urn:c  ";
    run("--trim --emit valid", input).expect(0, "urn:a\nurn:b\nurn:c", "");
    let trimmed = run("--trim --emit valid", input).stdout;
    run("", trimmed).expect(0, "", "");
    // Invalid records stay unchanged.
    run("--trim --emit invalid", input).expect(0, "\n  bad \n", "");
    run("--trim --emit valid -0", " urn:a \0urn:b\0").expect(0, "urn:a\0urn:b\0", "");
    let dir = Dir::new();
    dir.write("list", input);
    dir.run("--trim --emit none --valid v list").expect(0, "", "");
    assert_eq!(std::fs::read(dir.path().join("v")).unwrap(), b"urn:a\nurn:b\nurn:c");
}

#[test]
fn rows_of_errors_name_the_offending_byte_of_the_line() {
    let log = "{\"id\":1,\"url\":\"http://h/\\u0061 b\"}\n{\"url\":\"urn:a\"}\nbad\n";
    run("--from jsonl --to csv --columns line,column,error_offset,error_column", log).expect(
        1,
        "line,column,error_offset,error_column\n1,16,10,31\n3,1,,\n",
        "",
    );
    // The column is the same as in errors for people.
    assert!(run("--from jsonl", log).text().starts_with("-:1:31: space: "));
    let row = run("--to jsonl", "urn:a\nhttp://h/ \n").json();
    assert_eq!((&row["error"]["offset"], &row["error_column"]), (&9.into(), &10.into()));
}

#[test]
fn grammars_have_the_names_of_their_documents_too() {
    for (alias, name) in [("rfc3986", "uri"), ("rfc3987", "iri")] {
        let stats = run(&format!("-g {alias} --stats=json"), MIXED).json();
        assert_eq!(stats["grammar"], name);
    }
    let unknown = run("-g rfc1738", "");
    assert!(unknown.stderr.contains("[possible values: uri, uri-reference,"), "{}", unknown.stderr);
}

#[test]
fn an_option_given_again_overrides_itself() {
    run("-g iri -g uri --emit valid -j2 -j1", MIXED).expect(
        0,
        "http://h/a.html\nHTTP://i/\nurn:a\nhttp://h:80/.b/c.tar.gz?q.r\n",
        "",
    );
    run("-q -q", "urn:a\n").expect(0, "", "");
    run("--columns line,uri --columns line --to csv", "x\n").expect(1, "line\n1\n", "");
}

/// Tests that the shares of a log, put together line by line, are the log, and that each can be read again.
#[test]
fn valid_invalid_and_rest_are_all_lines_of_a_log() {
    let access = |target: &str| format!("192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"{target}\" 200 0\n");
    let common: String =
        ["GET /a HTTP/1.1", "-", "GET /b\\\"c HTTP/1.1", "GET"].iter().map(|target| access(target)).collect();
    let logs = [
        ("csv", "id,url\n1,urn:a\n2,b c\n3\n4,urn:d\n".to_owned(), 1),
        ("w3c", "#Version: 1.0\n#Fields: cs-uri-stem x\n/a 1\n/b%zz 2\nbad\n- 1\n".to_owned(), 2),
        ("common", common + "no log\n" + &access("GET /z HTTP/1.1"), 0),
        (
            "jsonl",
            "{\"url\":\"urn:a\"}\nbad\n{\"url\":\"b\"}\n{\"url\":null}\n{\"url\":\"urn:c\"}".to_owned(),
            0,
        ),
    ];
    let dir = Dir::new();
    for (format, log, headers) in logs {
        dir.write("log", &log);
        let header: String = log.split_inclusive('\n').take(headers).collect();
        for args in ["-j1", "-j2 --no-mmap"] {
            dir.run(&format!("--from {format} --emit none --valid v --invalid i --rest r {args} log"));
            let shares = ["v", "i", "r"].map(|name| std::fs::read_to_string(dir.path().join(name)).unwrap());
            let mut rests = shares.each_ref().map(|share| share.strip_prefix(&*header).expect(format));
            for line in log[header.len()..].split_inclusive('\n') {
                let rest = rests.iter_mut().find(|rest| rest.starts_with(line)).expect(line);
                *rest = &rest[line.len()..];
            }
            assert_eq!(rests, [""; 3], "{format}");
            assert!(shares.iter().all(|share| share.len() > header.len()), "{format}: {shares:?}");
            let [valid, invalid, rest] = shares;
            let again = run(&format!("--from {format} --stats=json"), valid.clone()).json();
            assert_eq!((&again["invalid"], &again["malformed_lines"]), (&0.into(), &0.into()), "{format}");
            let again = run(&format!("--from {format} --stats=json"), invalid).json();
            assert_eq!(&again["valid"], 0, "{format}");
            dir.run(&format!("--from {format} --emit rest log")).expect(0, rest, "");
            dir.run(&format!("--from {format} --emit valid log")).expect(0, valid, "");
        }
    }
    // The options can state whether a table has a header.
    run("--from csv --emit valid --header no", "url\nurn:a\n").expect(0, "urn:a\n", "");
    run("--from csv --emit valid --header yes", "urn:a\nurn:b\n").expect(0, "urn:a\nurn:b\n", "");
    run("--from csv --stats=json --header yes", "urn:a\nurn:b\n").json()["records"]
        .as_u64()
        .filter(|&n| n == 1)
        .unwrap();
    run("--from csv --emit valid", "urn:a\nurn:b\n").expect(0, "urn:a\nurn:b\n", "");
    run("--from csv", "broken url\nurn:b\n").expect(
        1,
        "-:1:7: missing-scheme: no scheme: a name and \":\" must come first, found a space\n",
        "",
    );
    // A list has no other lines.
    run("--emit rest", MIXED).expect(0, "", "");
    run("--rest - --from jsonl", "bad\n").expect(0, "bad\n", "");
    // An output to `-` goes to standard output.
    run("--emit none --valid -", "urn:a\nb\n").expect(0, "urn:a\n", "");
}

#[test]
fn what_has_one_mending_is_suggested() {
    let list = "http://h/a b\nhttp://h/\nwww.h\nhttp://h/\u{e9},x[]\nhttp:\\\\h\\a\n";
    let errors = run("--suggest", list);
    let lines: Vec<_> = errors.text().lines().collect();
    assert_eq!(lines[0], "-:1:11: space: a space must be written %20; try http://h/a%20b");
    assert!(lines[1].starts_with("-:3:") && !lines[1].contains("; try "), "{}", lines[1]);
    assert!(lines[2].ends_with("; try http://h/%C3%A9,x%5B%5D"), "{}", lines[2]);
    assert!(lines[3].ends_with("; try http://h/a"), "{}", lines[3]);
    let rows = "line,suggestion\n1,http://h/a%20b\n3,\n4,\"http://h/%C3%A9,x%5B%5D\"\n5,http://h/a\n";
    run("--to csv --columns line,suggestion", list).expect(1, rows, "");
    let row = run("--suggest --to jsonl", list);
    let first: serde_json::Value = serde_json::from_str(row.text().lines().next().unwrap()).unwrap();
    assert_eq!(first["suggestion"], "http://h/a%20b");
    assert!(row.text().lines().nth(1).unwrap().ends_with(",\"suggestion\":null}"), "{}", row.text());
    let components = run("--emit components --to tsv --columns valid,suggestion", list);
    assert_eq!(
        components.text().lines().take(3).collect::<Vec<_>>(),
        ["valid\tsuggestion", "false\thttp://h/a%20b", "true\t\\N"]
    );
    // Suggestions are valid by the grammar that judged.
    for (grammar, log) in [("uri", ""), ("java", ""), ("iri", ""), ("request-target", "--from combined")] {
        let input = include_bytes!("../../../corpora/sample.txt").as_slice();
        let log_file = include_bytes!("../../../corpora/logs/combined.log").as_slice();
        let input = if log.is_empty() { input } else { log_file };
        let suggested = run(&format!("-g {grammar} {log} --to tsv --columns suggestion"), input);
        let uris: Vec<_> = suggested.text().lines().skip(1).filter(|uri| *uri != "\\N").collect();
        assert!(!uris.is_empty(), "{grammar}");
        run(&format!("-g {grammar} --from lines --quiet"), uris.join("\n")).expect(0, "", "");
    }
    let too_long = run("--max-record 5 --suggest", "http://h/ \n");
    assert!(!too_long.text().contains("try"), "{}", too_long.text());
    assert_eq!(run("--suggest --emit valid", list).status, 2);
    let drawn = super::run_with(["--suggest", "--explain", "http://h/a b"], "");
    assert!(drawn.text().ends_with("%20\n  try http://h/a%20b\n"), "{}", drawn.text());
}

#[test]
fn what_can_be_mended_is_written_mended() {
    let list = "http://h/a b\nhttp://h/\r\nwww.h\nhttp://h/\u{e9},x[]\nhttp:\\\\h\\a\nx y";
    let mended = "http://h/a%20b\nhttp://h/\nhttp://h/%C3%A9,x%5B%5D\nhttp://h/a\n";
    let two = "urivalidate: --emit mended: 2 invalid records have no suggestion and are left out\n";
    let one = "urivalidate: --emit mended: 1 invalid record has no suggestion and is left out\n";
    for threads in ["-j1", "-j2"] {
        run(&format!("--emit mended {threads}"), list).expect(0, mended, two);
    }
    run("--emit mended", "urn:a\nurn:b c").expect(0, "urn:a\nurn:b%20c\n", "");
    run("--emit mended", "").expect(0, "", "");
    run("--emit mended", "\u{FEFF}http://h/ b\nx\n").expect(0, "http://h/%20b\n", one);
    run("--emit mended -0", "http://h/a b\0urn:a\0").expect(0, "http://h/a%20b\0urn:a\0", "");
    run("--emit mended --trim", " http://h/a b \n").expect(0, "http://h/a%20b\n", "");
    run("--emit mended --max-record 9", "http://h/ \nurn:a\n").expect(0, "urn:a\n", one);
    // For a log, the output is the field without escapes.
    let json = "{\"url\":\"http:\\/\\/h\\/a b\"}\n{\"url\":\"urn:a\"}\n";
    run("--emit mended --from jsonl", json).expect(0, "http://h/a%20b\nurn:a\n", "");
    // The other records go to another output, unchanged. With `--kind`, only some kinds do.
    let dir = Dir::new();
    dir.write("list", list);
    dir.run("--emit mended --invalid rest list").expect(0, mended, two);
    assert_eq!(std::fs::read_to_string(dir.path().join("rest")).unwrap(), "www.h\nx y");
    let other =
        "urivalidate: --kind: 2 errors of other kinds are left out; the exit status still depends on all\n";
    dir.run("--emit mended --kind space --invalid rest list").expect(0, mended, &format!("{two}{other}"));
    assert_eq!(std::fs::read_to_string(dir.path().join("rest")).unwrap(), "");
    dir.run("--emit mended --invalid rest --max-record 12 list").expect(
        0,
        "http://h/a%20b\nhttp://h/\nhttp://h/a\n",
        &two.replace('2', "3"),
    );
    assert_eq!(std::fs::read_to_string(dir.path().join("rest")).unwrap(), "www.h\nhttp://h/\u{e9},x[]\nx y");
    dir.run("--emit none --invalid all list").expect(0, "", "");
    assert_eq!(std::fs::read_to_string(dir.path().join("all")).unwrap(), list.replace("http://h/\r\n", ""));
    for args in ["--to csv", "--columns uri", "--only valid", "--kind space", "--suggest", "--count host"] {
        let refused = run(&format!("--emit mended {args}"), list);
        assert_eq!((refused.status, refused.text()), (2, ""), "{args}");
    }
}

/// Tests that valid and mended records are valid, and that with the others they are all records, for any
/// grammar and threads.
#[test]
fn mended_records_are_valid_and_none_is_lost() {
    let dir = Dir::new();
    let sample = include_bytes!("../../../corpora/sample.txt").repeat(200);
    dir.write("list", &sample);
    for grammar in ["uri", "java", "iri"] {
        let all = dir.run(&format!("-g {grammar} --stats=json list")).json();
        let [one, three] = [1, 3].map(|threads| {
            dir.run(&format!("-f lines -g {grammar} -j{threads} --emit mended --invalid left list"))
        });
        assert_eq!(one, three, "{grammar}");
        let left = std::fs::read(dir.path().join("left")).unwrap();
        let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert_eq!(lines(&one.stdout) + lines(&left), all["records"].as_u64().unwrap(), "{grammar}");
        assert!(lines(&one.stdout) > all["valid"].as_u64().unwrap(), "{grammar}");
        run(&format!("-f lines -g {grammar} --quiet"), one.stdout).expect(0, "", "");
        run(&format!("-f lines -g {grammar} --emit valid"), left.clone()).expect(0, "", "");
        run(&format!("-f lines -g {grammar} --emit mended"), left.clone()).expect(
            0,
            "",
            &format!(
                "urivalidate: --emit mended: {} invalid records have no suggestion and are left out\n",
                lines(&left)
            ),
        );
    }
}

/// Tests that the screen shows one sample of a kind, and the full report five, unless the user gives a
/// number.
#[test]
fn as_many_samples_as_are_asked_for() {
    let list = "http://h/ x\n".repeat(20) + "y\n";
    let shown = |args: &str| run(args, list.clone()).text().matches("a space must be written %20").count();
    assert_eq!(
        ["--stats", "--stats=full", "--samples 3", "--stats=full --samples 20"].map(shown),
        [1, 5, 3, 20]
    );
    let json = run("--stats=json --samples 7", list.clone()).json();
    let samples = json["samples"]["space"].as_array().unwrap();
    assert_eq!(
        samples.iter().map(|sample| sample["line"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6, 7]
    );
    let [one, two] = ["-j1", "-j2"]
        .map(|threads| run(&format!("--stats=json --samples 11 {threads}"), list.repeat(3000)).json());
    assert_eq!(one["samples"], two["samples"]);
    assert_eq!(one["samples"]["space"].as_array().unwrap().len(), 11);
    let malformed = run("--from jsonl --samples 4", "x\n".repeat(9));
    assert_eq!(malformed.text().matches("not a JSON object").count(), 4, "{}", malformed.text());
    assert_eq!(run("--samples 0", list.clone()).status, 2);
    assert_eq!(run("--samples 3 --quiet", list).status, 2);
}

/// Tests that the comparison equals judging by each grammar alone and comparing the lists.
#[test]
fn two_grammars_are_compared() {
    let dir = Dir::new();
    let sample = include_bytes!("../../../corpora/sample.txt");
    dir.write("one", sample);
    dir.write("two", sample.repeat(200));
    let numbers = |grammar: &str| {
        let rows = dir.run(&format!("-g {grammar} --emit offsets --to csv --columns line --only valid two"));
        rows.text()
            .lines()
            .skip(1)
            .map(|line| line.parse::<u64>().unwrap())
            .collect::<std::collections::BTreeSet<_>>()
    };
    let all = sample.split(|&byte| byte == b'\n').count() * 200 - 199;
    for (first, second) in
        [("uri", "java"), ("uri", "rfc2396"), ("iri", "uri"), ("java", "uri-reference"), ("uri", "uri")]
    {
        let (one, other) = (numbers(first), numbers(second));
        for threads in ["-j1 --no-mmap", "-j2"] {
            let stats =
                dir.run(&format!("-g {first} --also {second} --stats=json --samples 4 {threads} two")).json();
            let also = &stats["also"];
            let counts = [
                &also["both"],
                &also["first_only"]["count"],
                &also["second_only"]["count"],
                &also["neither"],
            ];
            let both = one.intersection(&other).count();
            let expected = [both, one.len() - both, other.len() - both, all + both - one.len() - other.len()];
            assert_eq!(counts.map(|count| count.as_u64().unwrap() as usize), expected, "{first} {second}");
            for (side, only) in [("first_only", &one - &other), ("second_only", &other - &one)] {
                let errors = also[side]["errors"].as_object().unwrap();
                assert_eq!(
                    errors.values().map(|count| count.as_u64().unwrap()).sum::<u64>() as usize,
                    only.len()
                );
                for (kind, samples) in also[side]["samples"].as_object().unwrap() {
                    let samples = samples.as_array().unwrap();
                    assert_eq!(samples.len() as u64, errors[kind].as_u64().unwrap().min(4));
                    let lines: Vec<_> =
                        samples.iter().map(|sample| sample["line"].as_u64().unwrap()).collect();
                    assert!(lines.is_sorted() && lines.iter().all(|line| only.contains(line)), "{lines:?}");
                }
            }
        }
    }
    let screen = dir.run("--also java one");
    let parts = [
        "uri and java  of all records",
        "valid as both",
        "valid as uri only",
        "invalid as both",
        "valid as java, but not as uri  of ",
    ];
    assert!(parts.iter().all(|part| screen.text().contains(part)), "{}", screen.text());
    let page = dir.run("--also java --report page.html one two");
    assert_eq!((page.status, page.stderr.as_str()), (0, ""));
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    assert!(page.contains("valid as java only") && page.contains("Valid as java, but not as uri"));
    let log = include_bytes!("../../../corpora/logs/combined.log").as_slice();
    let of_log = run("--also uri-reference --stats=json", log).json();
    assert_eq!(
        (&of_log["grammar"], &of_log["also"]["grammar"]),
        (&"request-target".into(), &"uri-reference".into())
    );
}
