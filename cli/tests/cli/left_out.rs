//! Tests that no result is empty without a word, and that outputs count what they leave out.

use super::{Dir, no_such_file, run};

const SEEDS: &str = "http://h/\nurn:a\nb c\nhttp://h:80/\nx\n";

#[test]
fn values_count_the_records_that_they_leave_out() {
    let note = |about: &str, text: &str| format!("urivalidate: {about}: {text}\n");
    for (args, output, text) in [
        ("--emit host", "h\nh\n", "2 invalid records and 1 valid record without host are left out"),
        ("--emit normalized", "http://h/\nurn:a\nhttp://h:80/\n", "2 invalid records are left out"),
        ("--emit uri", "http://h/\nurn:a\nhttp://h:80/\n", "2 invalid records are left out"),
        (
            "--emit host_kind",
            "reg-name\nreg-name\n",
            "2 invalid records and 1 valid record without host_kind are left out",
        ),
        ("--emit surt", "h)/\nurn:a\nh)/\n", "2 invalid records are left out"),
        ("--emit port", "80\n", "2 invalid records and 2 valid records without port are left out"),
        ("--count host", "2\th\n", "2 invalid records and 1 valid record without host are left out"),
        ("--count path --only valid", "2\t/\n1\ta\n", ""),
        ("--count host --only valid", "2\th\n", "1 valid record without host is left out"),
        ("--count error_kind", "2\tmissing-scheme\n", ""),
        ("--count valid", "3\ttrue\n2\tfalse\n", ""),
        ("--count reason", "", "there is nothing to write: all lines fit their format"),
        (
            "--emit query",
            "",
            "there is nothing to write: 2 invalid records and 3 valid records without query are left out",
        ),
    ] {
        let about = args.split(" --only").next().unwrap();
        let expected = if text.is_empty() { String::new() } else { note(about, text) };
        run(args, SEEDS).expect(0, output, &expected);
        // An output file has the same note, and several threads count together.
        run(&format!("{args} --no-notes -j4"), SEEDS).expect(0, output, "");
        run(&format!("{args} --output -"), SEEDS).expect(0, output, &expected);
    }
    let all = "http://h/\n".repeat(3);
    run("--emit host", all).expect(0, "h\nh\nh\n", "");
    // Chunks add up.
    let dir = Dir::new();
    dir.write("list", SEEDS.repeat(100_000));
    let counted = "urivalidate: --emit host: 400000 invalid records and 200000 valid records without host are left out\n";
    for args in ["-j1", "-j4 --no-mmap"] {
        assert_eq!(dir.run(&format!("--emit host {args} list list")).stderr, counted, "{args}");
    }
}

#[test]
fn selected_kinds_count_the_other_errors() {
    let list = "a b\nhttp://h/é\nhttp://h/ä\nurn:a\nurn:b\nurn:c\nurn:d\n";
    let note =
        "urivalidate: --kind: 1 error of another kind is left out; the exit status still depends on all\n";
    for args in ["", "--emit errors", "--to csv --columns line", "--to jsonl --columns line"] {
        let found = run(&format!("--kind non-ascii {args}"), list);
        assert_eq!((found.status, &*found.stderr), (1, note), "{args}");
        assert!(found.text().lines().count() >= 2, "{args}");
    }
    run("--kind non-ascii --emit invalid", list).expect(0, "http://h/é\nhttp://h/ä\n", note);
    // All errors are left out, but the status is that of the errors.
    run("--kind non-ascii", "a b\n").expect(1, "", note);
    run("--kind non-ascii --no-notes", "a b\n").expect(1, "", "");
    run("--kind non-ascii", "http://h/é\n").expect(
        1,
        "-:1:10: non-ascii: \"é\" (U+00E9) in the path is not ASCII and must be percent-encoded\n",
        "",
    );
    let arrow = run("--kind non-ascii --to arrow", list);
    assert_eq!((arrow.status, &*arrow.stderr), (1, note));
    // Two outputs with the same kinds have one note.
    let dir = Dir::new();
    dir.write("list", list);
    dir.run("--kind non-ascii --emit none --errors e --invalid i list").expect(0, "", note);
    // Lines that do not fit their format are errors, too.
    let objects = "{\"url\":\"a b\"}\nno object\n";
    assert_eq!(
        run("--from jsonl --kind space", objects).stderr.replace('2', "1"),
        note.replace("1 error of another kind is", "1 errors of other kinds are")
    );
    dir.write("objects", objects);
    let rest = dir.run("--from jsonl --kind malformed-line objects");
    assert!(rest.text().starts_with("objects:2:1: malformed-line: "), "{rest:?}");
    assert_eq!(rest.stderr, note);
}

#[test]
fn what_must_be_empty_is_an_error() {
    for (args, message) in [
        ("--count host --only invalid", "invalid records have no host"),
        ("--count path --only invalid", "invalid records have no path"),
        ("--count domain --only invalid", "invalid records have no domain"),
        ("--count normalized --only invalid", "invalid records have no normalized"),
        ("--count path_extension --only invalid", "invalid records have no path_extension"),
        ("--count query.x --only invalid", "invalid records have no query.x"),
        ("--count error_kind --only valid", "valid records have no error_kind"),
        ("--count message --only valid", "valid records have no message"),
        ("--from lines --emit rest", "each line of a list is a record"),
        ("--from lines --rest -", "each line of a list is a record"),
        ("--null --rest -", "each line of a list is a record"),
        ("--from lines --count reason", "each line of a list is a record"),
        ("--kind malformed-line --emit invalid", "a line of the kind malformed-line has no record"),
        ("--kind malformed-line --invalid -", "a line of the kind malformed-line has no record"),
    ] {
        let refused = run(args, SEEDS);
        assert_eq!((refused.status, refused.text()), (2, ""), "{args}");
        assert!(refused.stderr.starts_with(&format!("error: {message}")), "{args}: {}", refused.stderr);
    }
    // Invalid records have these columns.
    for column in ["error_kind", "uri", "file", "length", "valid"] {
        let counted = run(&format!("--count {column} --only invalid"), SEEDS);
        assert!(counted.status == 0 && !counted.stdout.is_empty(), "{column}: {counted:?}");
    }
}

#[test]
fn hosts_of_request_targets_are_few() {
    let line = |target: &str| {
        format!("192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET {target} HTTP/1.1\" 200 0\n")
    };
    let log = line("/a").repeat(9) + &line("/b");
    for args in ["--emit host", "--count host"] {
        let found = run(&format!("{args} --from common"), &*log);
        let expected = format!(
            "urivalidate: {args}: there is nothing to write: 10 valid records without host are left out; most request targets are only a path and a query\n"
        );
        assert_eq!((found.status, &*found.stderr, found.text()), (0, &*expected, ""), "{args}");
        // The same if the format is detected.
        let detected = run(args, &*log);
        assert!(detected.stderr.ends_with(&expected), "{args}: {}", detected.stderr);
        run(&format!("{args} --no-notes"), &*log).expect(0, "", "");
    }
    assert!(!run("--emit query --from common", &*log).stderr.contains("request targets"));
}

#[test]
fn notes_are_turned_off_without_the_errors() {
    let dir = Dir::new();
    let line = "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET /a|b HTTP/1.1\" 200 0\n";
    dir.write("log", line.repeat(9));
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    dir.write("folder/binary", "\0\0\0");
    let log = dir.run("log");
    assert!(log.stderr.contains("read as common"), "{}", log.stderr);
    let quiet = dir.run("--no-notes log");
    assert_eq!((quiet.status, quiet.text(), &*quiet.stderr), (1, log.text(), ""));
    assert!(dir.run("-r folder").stderr.contains("skipped"));
    dir.run("-r --no-notes folder").expect(0, "", "");
    let hosts = "example.com,1\n".repeat(20);
    assert!(run("", &*hosts).stderr.contains("this looks like"));
    assert_eq!(run("--no-notes", &*hosts).stderr, "");
    run("--emit mended --no-notes", "x\n").expect(0, "", "");
    // An error is no note.
    dir.run("--no-notes missing").expect(
        2,
        "",
        &format!("urivalidate: missing: {}\n", no_such_file("missing")),
    );
    let failed = dir.run("--no-notes --emit valid --output out log missing");
    assert!(failed.stderr.contains("out: is not written, because the run failed"), "{}", failed.stderr);
}
