//! Grammars, switches, usage errors, help.

use super::{Dir, command, finish, run, run_with};
use urivalidate::Backend;

#[test]
fn each_grammar_judges_in_its_own_way() {
    //                      uri  ref  abs  rel  2396 java iri  iriref target
    let table = [
        ("http://a/#f", [1, 1, 0, 0, 1, 1, 1, 1, 0]),
        ("http://a/", [1, 1, 1, 0, 1, 1, 1, 1, 1]),
        ("/a?b", [0, 1, 0, 1, 1, 1, 0, 1, 1]),
        ("", [0, 1, 0, 1, 1, 1, 0, 1, 0]),
        ("http://a/é", [0, 0, 0, 0, 0, 1, 1, 1, 0]),
        ("//", [0, 1, 0, 1, 1, 0, 0, 1, 1]),
        ("a:", [1, 1, 1, 0, 0, 0, 1, 1, 1]),
        ("*", [0, 1, 0, 1, 1, 1, 0, 1, 1]),
    ];
    let grammars = [
        "uri",
        "uri-reference",
        "absolute-uri",
        "relative-ref",
        "rfc2396",
        "java",
        "iri",
        "iri-reference",
        "request-target",
    ];
    for (uri, verdicts) in table {
        for (grammar, valid) in grammars.into_iter().zip(verdicts) {
            let status = run(&format!("--grammar {grammar}"), format!("{uri}\n")).status;
            assert_eq!(status, 1 - valid, "{uri:?} as {grammar}");
        }
    }
}

#[test]
fn zone_ids_are_an_option_of_rfc_3986() {
    let zoned = "http://[fe80::1%25en0]/\n";
    assert_eq!(run("", zoned).status, 1);
    for grammar in ["uri", "uri-reference", "absolute-uri"] {
        run(&format!("--zone-ids -g {grammar}"), zoned).expect(0, "", "");
    }
    for grammar in ["rfc2396", "java", "iri", "iri-reference", "request-target"] {
        let run = run(&format!("--zone-ids -g {grammar}"), zoned);
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains(&format!("the grammar {grammar} has no zone identifiers")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn trim_drops_white_space_at_both_ends() {
    let input = "  urn:a\t\r\n \r \nurn:b\x0C\n";
    assert_eq!(run("", input).text().lines().count(), 3);
    run("--trim", input).expect(1, "-:2:1: empty: the record is empty\n", "");
}

#[test]
fn the_record_limit_is_the_same_however_the_input_comes() {
    let dir = Dir::new();
    // 8 bytes are within it, with any line end; 9 are not.
    let input = "urn:abcd\r\nurn:abcde\nurn:abcd\nurn:abcd\r\r\nurn:abcdefghijklmnopqrstuvwxyz";
    dir.write("list", input);
    let expected = "\
list:2:9: record-too-long: the record is longer than 8 bytes
list:4:9: record-too-long: the record is longer than 8 bytes
list:5:9: record-too-long: the record is longer than 8 bytes
";
    for args in ["", "--no-mmap", "-j1", "-j3"] {
        dir.run(&format!("--max-record 8 {args} list")).expect(1, expected, "");
    }
    run("--max-record 8", input).expect(1, expected.replace("list:", "-:"), "");
    run("--max-record 8 --emit invalid", input).expect(
        0,
        "urn:abcde\nurn:abcd\r\r\nurn:abcdefghijklmnopqrstuvwxyz",
        "",
    );
    // What is over the limit is not trimmed below it.
    assert_eq!(run("--max-record 8 --trim", "urn:abcd   \n").status, 1);
}

#[test]
fn sizes_have_suffixes() {
    for (size, is_too_long) in
        [("1k", true), ("2K", false), ("2047", true), ("2048", false), ("1M", false), ("1G", false)]
    {
        let record = format!("urn:{}\n", "x".repeat(2044));
        assert_eq!(run(&format!("--max-record {size}"), record).status, i32::from(is_too_long), "{size}");
    }
    for size in ["0", "", "x", "-1", "1T", "99999999999G", "1.5M"] {
        assert_eq!(run_with(["--max-record", size], "").status, 2, "{size:?}");
    }
}

#[test]
fn quiet_says_nothing_but_the_status() {
    run("--quiet", "urn:a\nx y\n").expect(1, "", "");
    run("-q", "urn:a\n").expect(0, "", "");
}

#[cfg(unix)]
#[test]
fn quiet_stops_at_the_first_invalid_record() {
    // Without an end this input has to be left.
    run("--quiet --max-record 1M /dev/zero", "").expect(1, "", "");
    let mut yes = std::process::Command::new("yes")
        .arg("no scheme")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let output = super::process().arg("-q").stdin(yes.stdout.take().unwrap()).output().unwrap();
    yes.wait().unwrap();
    assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(1), vec![], vec![]));
    // The files that follow are not opened either.
    let dir = Dir::new();
    dir.write("bad", "x\n");
    dir.run("-q bad missing").expect(1, "", "");
}

#[test]
fn color_is_for_terminals_or_on_demand() {
    let plain = "-:1:2: missing-scheme: no scheme: the record ends before a \":\"\n";
    run("", "x\n").expect(1, plain, "");
    run("--color never", "x\n").expect(1, plain, "");
    let colored = "\x1b[35m-:1:2\x1b[0m: \x1b[1m\x1b[31mmissing-scheme\x1b[0m: no scheme: the record ends before a \":\"\n";
    run("--color always", "x\n").expect(1, colored, "");
    let no_color = finish(command().args(["--color", "always"]).env("NO_COLOR", "1").write_stdin("x\n"));
    no_color.expect(1, colored, "");
    assert!(run("--stats --color always", "x\n").text().contains("\x1b[1m"));
    assert!(!run("--stats", "x\n").text().contains('\x1b'));
}

#[test]
fn what_does_not_go_together_is_a_usage_error() {
    for args in [
        "--emit everything",
        "--grammar url",
        "--to csv-ish",
        "--only valid",
        "--emit valid --only valid",
        "--emit valid --to jsonl",
        "--stats --to jsonl",
        "--quiet --stats",
        "--quiet --emit valid",
        "--explain urn:a file",
        "--explain urn:a --stats",
        "--threads -1",
        "--threads many",
        "--nonsense",
    ] {
        let run = run(args, "urn:a\n");
        assert_eq!((run.status, run.text()), (2, ""), "{args}");
        assert!(run.stderr.starts_with("error: "), "{args}: {}", run.stderr);
    }
}

#[test]
fn help_and_version() {
    let version = run("--version", "");
    let compiled: Vec<_> = Backend::ALL.iter().filter(|b| b.is_compiled()).map(|b| b.name()).collect();
    let expected = format!(
        "urivalidate {}\nbackends: {}; on this machine: {}\n",
        env!("CARGO_PKG_VERSION"),
        compiled.join(", "),
        Backend::best()
    );
    version.expect(0, expected, "");
    let (short, long) = (run("-h", ""), run("--help", ""));
    for help in [&short, &long] {
        assert_eq!((help.status, help.stderr.as_str()), (0, ""));
        for word in [
            "--grammar",
            "--zone-ids",
            "--trim",
            "--max-record",
            "--emit",
            "--to",
            "--only",
            "--stats",
            "--quiet",
            "--explain",
            "--color",
            "--threads",
            "--backend",
            "--no-mmap",
            "Exit status:",
            "Examples:",
        ] {
            assert!(help.text().contains(word), "{word}");
        }
    }
    assert!(long.text().contains("request-target  RFC 9112"));
    assert!(run("-h", "").text().lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn any_number_of_threads_will_do() {
    for threads in ["0", "1", "2", "5"] {
        run(&format!("-j {threads} --emit valid"), "urn:a\n".repeat(400_000)).expect(
            0,
            "urn:a\n".repeat(400_000),
            "",
        );
    }
}

#[test]
fn backends_can_be_forced_and_agree() {
    let list = "http://example.com/a?b#c\nhttp://u:p@h:1/\nhttp://h/a b\n\nurn:x\n".repeat(50);
    let default = run("--emit errors", list.as_str());
    assert_eq!(default.text().lines().count(), 100);
    for backend in Backend::ALL {
        let forced = run(&format!("--emit errors --backend {backend}"), list.as_str());
        if !backend.is_available() {
            assert_eq!((forced.status, forced.text()), (2, ""));
            assert!(forced.stderr.contains(&format!("no {backend} backend")), "{}", forced.stderr);
            continue;
        }
        assert_eq!(forced, default);
        let stats = run(&format!("--stats=json --backend {backend}"), list.as_str()).json();
        assert_eq!((&stats["backend"], &stats["valid"]), (&backend.name().into(), &150.into()));
    }
    assert_eq!(run("--backend mmx", "").status, 2);
}
