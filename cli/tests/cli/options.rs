//! Tests grammars, switches, usage errors, help.

use super::names::read;
use super::{Dir, command, finish, no_such_file, run, run_with};
use urivalidate::{Backend, Grammar, PUBLIC_SUFFIX_LIST_DATE, REGISTERED_SCHEMES_DATE};

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
    for (uri, verdicts) in table {
        for (grammar, valid) in Grammar::ALL.iter().zip(verdicts) {
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
            run.stderr.contains(&format!("grammar {grammar} does not support zone identifiers; use uri, ")),
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
    // 8 bytes are within the limit, with any line end; 9 are not.
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
    let one = "-:1:2: record-too-long: the record is longer than 1 byte\n";
    run("--max-record 1", "urn:a\n").expect(1, one, "");
    // A record over the limit is not trimmed below it.
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
    for size in ["0", "", "x", "-1", "1T", "2G", "1048577K", "99999999999G", "1.5M"] {
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
    // This input has no end, so the run must stop by itself.
    run("--quiet --max-record 1M /dev/zero", "").expect(1, "", "");
    let mut yes = std::process::Command::new("yes")
        .arg("no scheme")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let output = super::process().arg("-q").stdin(yes.stdout.take().unwrap()).output().unwrap();
    yes.wait().unwrap();
    assert_eq!((output.status.code(), output.stdout, output.stderr), (Some(1), vec![], vec![]));
    // The command does not open the files that follow.
    let dir = Dir::new();
    dir.write("bad", "x\n");
    dir.run("-q bad missing").expect(1, "", "");
}

#[test]
fn color_is_for_terminals_or_on_demand() {
    let uncolored = "-:1:2: missing-scheme: no scheme: the record ends before a \":\"\n";
    run("", "x\n").expect(1, uncolored, "");
    run("--color never", "x\n").expect(1, uncolored, "");
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
        "--plus-as-space",
        "--emit components --columns query_names --plus-as-space",
        "--only valid",
        "--emit valid --only valid",
        "--only differing",
        "--emit errors --also java --only differing",
        "--emit components --columns also_valid",
        "--count also_error_kind",
        "--emit valid --to jsonl",
        "--stats --to jsonl",
        "--quiet --stats",
        "--quiet --emit valid",
        "--explain urn:a file",
        "--explain urn:a --stats",
        "--threads -1",
        "--threads many",
        "--threads 1025",
        "--threads 0x1",
        "--samples 0",
        "--samples 1001",
        "--count host --top 0",
        "--top-hosts x",
        "--header yes --from squid",
        "--header no --from lines",
        "--kind space --fail-fast",
        "--from jsonl --key /a~2",
        "--nonsense",
    ] {
        let run = run(args, "urn:a\n");
        assert_eq!((run.status, run.text()), (2, ""), "{args}");
        assert!(run.stderr.starts_with("error: "), "{args}: {}", run.stderr);
    }
}

#[test]
fn numbers_are_asked_for_in_words() {
    for (args, expected) in [
        ("--samples 0", "invalid value '0' for '--samples <N>': expected a whole number from 1 to 1000"),
        ("--count host --top x", "invalid value 'x' for '--top <N>': expected a whole number from 1 on"),
        ("-j 1025", "invalid value '1025' for '--threads <N>': expected a whole number from 0 to 1024"),
    ] {
        assert!(run(args, "").stderr.contains(expected), "{args}: {}", run(args, "").stderr);
    }
}

/// Returns the features of this build: all of the library's except the decoders in Rust and those for the
/// system's libraries, and those of the command with which the tests are built.
fn features() -> Vec<String> {
    let named = |manifest: &str| -> Vec<String> {
        let text = read(manifest);
        let (_, rest) = text.split_once("\n[features]\n").expect("the manifest has features");
        let (table, _) = rest.split_once("\n\n").unwrap();
        let names = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once(" = "));
        names.map(|line| line.expect("a line for each feature").0.to_owned()).collect()
    };
    let mut features = named("Cargo.toml");
    features.retain(|name| !["default", "std", "corpus", "corpus-full"].contains(&name.as_str()));
    features.retain(|name| !name.starts_with("__"));
    let own = named("cli/Cargo.toml");
    assert_eq!(own, ["default", "xz", "system-libraries", "arrow", "parquet"]);
    features.retain(|name| match name.as_str() {
        "xz" => cfg!(feature = "xz"),
        "zstd-rust" | "xz-rust" => false,
        "system-zstd" | "system-xz" => cfg!(feature = "system-libraries"),
        _ => true,
    });
    if cfg!(feature = "parquet") {
        features.push("parquet".to_owned());
    }
    features
}

#[test]
fn help_and_version() {
    let version = run("--version", "");
    let compiled: Vec<_> = Backend::ALL.iter().filter(|b| b.is_compiled()).map(|b| b.name()).collect();
    let expected = format!(
        "urivalidate {}\nfeatures: {}\nbackends: {}; on this machine: {}\npublic suffixes: list of {}\nregistered schemes: list of {}\n",
        env!("CARGO_PKG_VERSION"),
        features().join(", "),
        compiled.join(", "),
        Backend::best(),
        PUBLIC_SUFFIX_LIST_DATE,
        REGISTERED_SCHEMES_DATE
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
            "--columns",
            "--valid",
            "--invalid",
            "--errors",
            "--top-hosts",
            "--fail-fast",
            "--max-invalid",
            "--null",
            "--files-from",
            "--no-progress",
            "--generate",
            "Exit status:",
            "Examples:",
        ] {
            assert!(help.text().contains(word), "{word}");
        }
    }
    assert!(long.text().contains("request-target  RFC 9112"));
    assert!(run("-h", "").text().lines().all(|line| line.chars().count() <= 100));
}

/// The options in the help: for each, a run without it, and the same run with it.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("--files-from", "list", "--files-from names list"),
    ("--help", "list", "--help list"),
    ("--version", "list", "--version list"),
    ("--grammar", "list", "--grammar iri-reference list"),
    ("--from", "log", "--from lines log"),
    ("--field", "log", "--field referer log"),
    ("--key", "--from jsonl objects", "--from jsonl --key via objects"),
    ("--header", "--from csv --emit offsets list", "--from csv --header yes --emit offsets list"),
    ("--recursive", "directory", "--recursive directory"),
    ("--no-ignore", "-r tree", "-r --no-ignore tree"),
    ("--hidden", "-r tree", "-r --hidden tree"),
    ("--include", "-r tree", "-r --include none tree"),
    ("--exclude", "-r tree", "-r --exclude a tree"),
    ("--regex", "list", "--regex h list"),
    ("--delimiter", "list", "--delimiter / --field 3 list"),
    ("--zone-ids", "list", "--zone-ids list"),
    ("--trim", "list", "--trim list"),
    ("--max-record", "list", "--max-record 10 list"),
    ("--null", "list", "--null list"),
    ("--emit", "list", "--emit valid list"),
    ("--to", "list", "--to csv list"),
    ("--columns", "--to csv list", "--to csv --columns line,error_kind list"),
    ("--kind", "list", "--kind space list"),
    ("--suggest", "list", "--suggest list"),
    ("--normalize", "--emit normalized list", "--emit normalized --normalize scheme list"),
    ("--base", "list", "--base http://h/ list"),
    ("--plus-as-space", "--emit query.q form", "--emit query.q --plus-as-space form"),
    ("--count", "list", "--count scheme list"),
    ("--top", "--count scheme list", "--count scheme --top 1 list"),
    ("--hosts", "list", "--hosts hosts list"),
    ("--not-hosts", "--emit host list", "--emit host --not-hosts hosts list"),
    ("--rest", "--from w3c list", "--from w3c --rest - list"),
    ("--output", "list", "--output out list"),
    ("--only", "--emit offsets list", "--emit offsets --only valid list"),
    ("--valid", "list", "--valid - list"),
    ("--json", "list", "--json list"),
    ("--invalid", "list", "--invalid - list"),
    ("--errors", "--emit none list", "--errors - list"),
    ("--stats", "list", "--stats list"),
    ("--compare", "--stats list", "--stats --compare earlier list"),
    ("--top-hosts", "--stats list", "--stats --top-hosts 1 list"),
    ("--samples", "list", "--samples 2 list"),
    ("--distinct", "--stats list", "--distinct host list"),
    ("--also", "list", "--also java list"),
    ("--report", "list", "--report page.html list"),
    ("--quiet", "list", "--quiet list"),
    ("--fail-fast", "list", "--fail-fast list"),
    ("--max-invalid", "list", "--max-invalid 70% list"),
    ("--ignore", "list", "--ignore . list"),
    ("--ignore-file", "more", "--ignore-file more more"),
    ("--comments", "commented", "--comments commented"),
    ("--deny", "commented", "--deny unregistered-scheme,http-without-host commented"),
    ("--baseline", "list", "--baseline known list"),
    ("--write-baseline", "list", "--write-baseline written list"),
    ("--explain", "list", "--explain urn:a"),
    ("--color", "list", "--color always list"),
    ("--threads", "--stats=json list", "--stats=json --threads 7 list"),
    ("--backend", "--stats=json list", "--stats=json --backend scalar list"),
    ("--no-mmap", "list", "--no-mmap list"),
    ("--no-progress", "list", "--no-progress list"),
    ("--no-notes", "log", "--no-notes log"),
    ("--generate", "list", "--generate man"),
];

/// The options that change the course of a run, but no output that these tests read.
const SILENT: [&str; 2] = ["--no-mmap", "--no-progress"];

#[test]
fn each_option_of_the_help_does_something_and_is_explained() {
    let dir = Dir::new();
    let lines = "http://h\n http://h/a\nhttp://[fe80::1%25en0]/\nhttp://h/é\nnone\nurn:a\n";
    dir.write("list", lines);
    dir.write("form", "http://h/?q=a+b\n");
    dir.write("earlier", r#"{"version": 2, "records": 1, "valid": 1, "errors": {}}"#);
    dir.write("names", "more\n");
    dir.write("more", "bad\n");
    dir.write("hosts", "h\n");
    dir.write("commented", "# http:///\n\nhttp:///\n");
    dir.write("known", "list\tmissing-scheme\tnone\t1\n");
    dir.write(
        "log",
        "1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /a HTTP/1.1\" 200 5 \"not a URI\" \"x\"\n",
    );
    std::fs::create_dir(dir.path().join("tree")).unwrap();
    for (name, content) in
        [("a", "http://h/a b\n"), ("b", "http://h/b\n"), (".c", "http://h/c\n"), (".ignore", "b\n")]
    {
        dir.write(&format!("tree/{name}"), content);
    }
    dir.write("objects", r#"{"url": "http://h/", "via": "bad"}"#);
    let mut known: Vec<_> = OPTIONS.iter().map(|(option, ..)| *option).collect();
    known.sort_unstable();
    for help in ["-h", "--help"] {
        let help = run(help, "");
        // Explanations, which may start with the name of another option, are further to the right.
        let is_explanation = |line: &&str| line.starts_with("          ");
        let mut explained = Vec::new();
        let lines: Vec<_> = help.text().lines().collect();
        for (i, line) in lines.iter().enumerate().filter(|(_, line)| !is_explanation(line)) {
            let Some(option) = option(line.trim()) else { continue };
            explained.push(option);
            let text =
                line.trim().split_once("  ").map_or(lines[i + 1].trim(), |(_, text)| text.trim_start());
            assert!(text.starts_with(char::is_uppercase) && text.contains(' '), "{option}: {text:?}");
        }
        explained.sort_unstable();
        assert_eq!(explained, known);
    }
    std::fs::create_dir(dir.path().join("directory")).unwrap();
    for (option, without, with) in OPTIONS {
        let (without, with) = (dir.run(without), dir.run(with));
        assert_eq!(without == with, SILENT.contains(option), "{option}: {with:?}");
        assert!(with.status != 2, "{option}: {with:?}");
    }
}

/// Returns the option that a line of the help describes.
fn option(line: &str) -> Option<&str> {
    // After the short name of the option.
    let long = line.split_once(", ").filter(|(short, _)| short.len() == 2).map_or(line, |(_, long)| long);
    long.starts_with("--").then(|| long.split([' ', '[', '=']).next().unwrap())
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

#[test]
fn fail_fast_stops_after_the_first_invalid_record_and_reports_it() {
    let dir = Dir::new();
    dir.write("bad", "urn:a\nurn:b\nx y\nurn:c\nz\n".to_owned() + &"urn:d\n\n".repeat(100_000));
    dir.write("good", "urn:a\n".repeat(100_000));
    for args in ["-j1", "-j3", "--trim", "--no-mmap"] {
        let run = |rest: &str| dir.run(&format!("--fail-fast {args} {rest}"));
        // The command does not even open the files that follow.
        let error = "bad:3:2: missing-scheme: no scheme: a name and \":\" must come first, found a space\n";
        run("good bad missing").expect(1, error, "");
        run("--emit valid bad").expect(1, "urn:a\nurn:b\n", "");
        run("--emit invalid bad").expect(1, "x y\n", "");
        run("--emit offsets --columns line,valid bad").expect(1, "1\ttrue\n2\ttrue\n3\tfalse\n", "");
        let stats = run("--stats=json bad");
        assert_eq!(
            (stats.status, &stats.json()["records"], &stats.json()["bytes"]),
            (1, &3.into(), &16.into())
        );
        run("good").expect(0, "", "");
    }
    // A record over the limit is reported as a whole.
    let long = "y".repeat(3_000_000) + "\n";
    run("--fail-fast --emit invalid --max-record 1M", format!("urn:a\n{long}x\n")).expect(1, long, "");
}

#[test]
fn max_invalid_decides_the_status_of_any_mode() {
    let input = "urn:a\nx\nurn:b\ny\n";
    for (tolerance, status) in
        [("0", 1), ("1", 1), ("2", 0), ("3", 0), ("0%", 1), ("49.9%", 1), ("50%", 0), ("100%", 0)]
    {
        for mode in ["", "--stats", "--emit valid", "--emit offsets", "--emit none", "--quiet", "--quiet -j1"]
        {
            assert_eq!(
                run(&format!("--max-invalid {tolerance} {mode}"), input).status,
                status,
                "{tolerance} {mode}"
            );
        }
    }
    // A line that does not fit its format counts as invalid.
    let log = "urn:a\nnot JSON\n".replace("urn:a", r#"{"url": "urn:a"}"#).repeat(2);
    for (tolerance, status) in [("1", 1), ("2", 0), ("49%", 1), ("50%", 0)] {
        for mode in ["", "--stats", "--emit invalid", "--emit components", "--to csv", "--quiet"] {
            let args = format!("--from jsonl --max-invalid {tolerance} {mode}");
            assert_eq!(run(&args, log.as_str()).status, status, "{args}");
        }
    }
    assert_eq!(run("--max-invalid 0%", "").status, 0);
    assert_eq!(run("--max-invalid 0 --quiet --max-record 9", "x".repeat(100_000)).status, 1);
    assert_eq!(Dir::new().run("--max-invalid 5 missing").status, 2);
    for wrong in ["-1", "x", "1.5", "101%", "-1%", "%", "NaN%"] {
        assert_eq!(run_with([&*format!("--max-invalid={wrong}")], "").status, 2, "{wrong}");
    }
    assert_eq!(run("--max-invalid 5 --fail-fast", "").status, 2);
}

#[test]
fn null_separates_records() {
    let input = "http://h/a\0http://h/b\nc\0http://h/\r\0\0urn:last";
    run("--null", input).expect(
        1,
        "-:2:11: control-character: control character 0x0A in the path\n\
         -:3:10: control-character: control character 0x0D in the path\n\
         -:4:1: empty: the record is empty\n",
        "",
    );
    run("-0 --emit valid", input).expect(0, "http://h/a\0urn:last", "");
    run("-0 --emit invalid", input).expect(0, "http://h/b\nc\0http://h/\r\0\0", "");
    assert_eq!(run("-0 --stats=json", input).json()["records"], 5);
    // White space is the same as with --trim.
    run("-0 --trim --emit valid", " urn:a\n\0").expect(0, "urn:a\0", "");
    // Records from any source, also over the limit.
    let dir = Dir::new();
    let list =
        "http://example.com/\n\0http://example.com/a\0".repeat(50_000) + &"x".repeat(2_000_000) + "\r\0urn:a";
    dir.write("list", &list);
    let expected =
        run("-0 -j1 --max-record 1M --emit offsets --columns line,length,error_kind", list.as_str());
    assert_eq!(expected.text().lines().count(), 100_002);
    assert!(expected.text().ends_with("100001\t2000001\trecord-too-long\n100002\t5\t\\N\n"));
    for args in ["-j1", "-j3", "-j3 --no-mmap"] {
        let args = format!("-0 {args} --max-record 1M --emit offsets --columns line,length,error_kind list");
        assert_eq!(dir.run(&args), expected);
    }
}

#[test]
fn files_from_names_files() {
    let dir = Dir::new();
    dir.write("a", "bad a\n");
    dir.write("b c", "bad b\n");
    dir.write("lines", "b c\r\n\na\n");
    dir.write("nulls", "a\0b c\0");
    dir.write("mark", "\u{FEFF}b c\r\na\r\n");
    dir.write("none", "");
    let places = |run: super::Run| {
        let places: Vec<_> =
            run.text().lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect();
        (run.status, places.join(" "), run.stderr)
    };
    let found = |status, places: &str, error: &str| (status, places.to_owned(), error.to_owned());
    assert_eq!(places(dir.run("--files-from lines")), found(1, "b c:1:4 a:1:4", ""));
    assert_eq!(places(dir.run("--files-from nulls")), found(1, "a:1:4 b c:1:4", ""));
    assert_eq!(places(dir.run("--files-from mark")), found(1, "b c:1:4 a:1:4", ""));
    // The arguments come first.
    assert_eq!(places(dir.run("a --files-from nulls")), found(1, "a:1:4 a:1:4 b c:1:4", ""));
    let mut stdin = command();
    stdin.current_dir(dir.path()).args(["--files-from", "-"]).write_stdin("a\n");
    assert_eq!(places(finish(&mut stdin)), found(1, "a:1:4", ""));
    // An empty list of names means no files, and not standard input.
    let mut none = command();
    none.current_dir(dir.path()).args(["--files-from", "none"]).write_stdin("bad\n");
    finish(&mut none).expect(2, "", "urivalidate: none: the list names no files\n");
    assert_eq!(
        places(dir.run("--files-from none a")),
        found(2, "a:1:4", "urivalidate: none: the list names no files\n")
    );
    let missing = format!("urivalidate: missing: {}\n", no_such_file("missing"));
    assert_eq!(places(dir.run("--files-from missing a")), found(2, "a:1:4", &missing));
    let mut both = command();
    both.current_dir(dir.path()).args(["--files-from", "-"]).write_stdin("-\na\n");
    let error = "urivalidate: -: standard input is the list of files, and cannot be one of them\n";
    assert_eq!(places(finish(&mut both)), found(2, "a:1:4", error));
}

#[test]
fn generated_documents_know_every_option() {
    let documents = ["man", "complete-bash", "complete-zsh", "complete-fish", "complete-powershell"];
    for (document, sign) in
        documents.into_iter().zip([".TH urivalidate", "complete -F", "#compdef", "complete -c", "Register-"])
    {
        let run = run(&format!("--generate {document}"), "");
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert!(run.text().contains(sign), "{document}: {}", run.text());
        for option in ["max-invalid", "files-from", "top-hosts", "grammar"] {
            let escaped = option.replace('-', "\\-");
            assert!(run.text().contains(option) || run.text().contains(&escaped), "{document} {option}");
        }
    }
    // Columns are completed, those of counts and those of rows.
    // The script for PowerShell completes no values.
    for document in &documents[1..4] {
        let script = run(&format!("--generate {document}"), "");
        for column in ["private_domain", "scheme_specific_part", "also_error_kind", "error_column"] {
            assert!(script.text().contains(column), "{document}: {column}");
        }
    }
    assert_eq!(run("--generate html", "").status, 2);
    assert_eq!(run("--generate man --stats", "").status, 2);
}

#[test]
fn the_manual_page_is_laid_out() {
    let page = run("--generate man", "");
    let text = page.text();
    for part in [
        ".SH NAME\nurivalidate \\- ",
        "[\\fB\\-\\-valid\\fR \\fIFILE\\fR]",
        "[\\fB\\-\\-stats\\fR[=\\fIFORM\\fR]]",
        "[\\fB\\-\\-trim\\fR]",
        ".TP 16\n\\fBjava\\fR\nwhat java.net.URI(String) accepts\n",
        ".SH EXIT STATUS\n.RS\n.TP 16\n\\fB0\\fR\n",
        ".SH EXAMPLES\n.nf\nurivalidate urls.txt  ",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert_eq!(text.matches("\n.RS\n.TP 16\n").count(), 4);
}

/// Tests the example at the start of README.md.
#[test]
fn the_readme_shows_what_is_printed() {
    let readme = read("README.md");
    let (_, rest) = readme.split_once("$ cat urls.txt\n").expect("a list");
    let (list, rest) = rest.split_once("$ urivalidate urls.txt\n").expect("a run");
    let (output, _) = rest.split_once("```").expect("an output");
    let dir = Dir::new();
    dir.write("urls.txt", list);
    dir.run("urls.txt").expect(1, output, "");
}
