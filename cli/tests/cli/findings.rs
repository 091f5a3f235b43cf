//! Tests which problems are findings: what is ignored, denied, or known.

use super::{Dir, run, run_with};

#[test]
fn records_that_match_are_no_findings() {
    let dir = Dir::new();
    let list = "http://a/\nhttp://a/{x}\nb c\nhttp://a/{y}\n";
    dir.write("list", list);
    let note = "urivalidate: --ignore: 2 problems ignored\n";
    let error = "list:3:2: missing-scheme: no scheme: a name and \":\" must come first, found a space\n";
    dir.run("--ignore [{] list").expect(1, error, note);
    dir.run("--ignore x} --ignore y} list").expect(1, error, note);
    dir.run("--ignore ^b --ignore [{] list").expect(0, "", "urivalidate: --ignore: 3 problems ignored\n");
    dir.write("patterns", "# templates\n\n[{]\n^b\n");
    dir.run("--ignore-file patterns --no-notes list").expect(0, "", "");
    dir.run("--ignore-file patterns --quiet list").expect(0, "", "");
    dir.run("--ignore [{] --max-invalid 1 --no-notes list").expect(0, error, "");
    dir.run("--ignore [{] --max-invalid 0 --no-notes --quiet list").expect(1, "", "");
    // The run stops at the first finding.
    dir.run("--ignore [{] --fail-fast --no-notes list").expect(1, error, "");
    let first = "list:2:10: invalid-character: \"{\" is not allowed in the path\n";
    dir.run("--ignore ^b --fail-fast --no-notes list").expect(1, first, "");
    // Files of records go by the verdict.
    dir.run("--ignore [{] --emit invalid --no-notes list").expect(0, "http://a/{x}\nb c\nhttp://a/{y}\n", "");
    let rows = dir.run("--ignore [{] --to jsonl --columns line list --no-notes");
    assert_eq!(rows.text(), "{\"line\":3}\n");
    assert_eq!(dir.run("--ignore ( list").status, 2);
    assert_eq!(dir.run("--ignore-file none list").status, 2);
    dir.write("faulty", "# one\na\n\n[\n");
    let faulty = dir.run("--ignore-file faulty list");
    assert_eq!(faulty.status, 2);
    assert!(
        faulty.stderr.starts_with("error: --ignore-file faulty:4: regex parse error"),
        "{}",
        faulty.stderr
    );
    for option in ["--ignore-file -", "--baseline -", "--write-baseline -"] {
        let run = dir.run(&format!("{option} list"));
        assert_eq!(run.status, 2, "{option}");
        assert!(run.stderr.contains(" needs the name of a file"), "{}", run.stderr);
    }
    assert_eq!(dir.run("--ignore a --to arrow list").status, 2);
}

#[test]
fn comments_of_lists_are_ignored_on_request() {
    let list = "# a list\n\nhttp://a/\n  \n#x\nb\n";
    let found = run("--comments", list);
    assert_eq!((found.status, found.text().lines().count()), (1, 1), "{}", found.text());
    assert!(found.text().starts_with("-:6:2: missing-scheme"), "{}", found.text());
    assert!(
        found
            .stderr
            .contains("urivalidate: --comments: 4 lines of lists ignored: comments and blank lines\n")
    );
    assert_eq!(run("", list).text().lines().count(), 5);
}

#[test]
fn comments_of_documents_ignore_links() {
    let dir = Dir::new();
    let page = |mark: &str| {
        format!(
            "<!doctype html>\n<a href=\"http://[/\">a</a>\n<p>{mark}\n<a href=\"http://h:p/\">b</a>\n<a href=\"%\">c</a>\n"
        )
    };
    let lines = |name: &str, text: &str| {
        dir.write(name, text);
        let run = dir.run(&format!("--columns line --to csv {name}"));
        (run.text().lines().skip(1).collect::<Vec<_>>().join(" "), run.status, run.stderr)
    };
    for (mark, expected) in [
        ("", "2 4 5"),
        ("<!-- urivalidate-ignore -->", "2 4 5"),
        ("<!-- urivalidate-ignore-next-line -->", "2 5"),
        ("<!-- urivalidate-ignore-start -->", "2"),
    ] {
        assert_eq!(lines("a.html", &page(mark)).0, expected, "{mark}");
    }
    let all = page("").replace("<!doctype html>", "<!doctype html><!-- urivalidate-ignore-start -->");
    let (found, status, notes) = lines("a.html", &all);
    assert_eq!((&*found, status), ("", 0));
    assert!(
        notes.ends_with("urivalidate: urivalidate-ignore: 3 problems ignored in marked lines of documents\n"),
        "{notes}"
    );
    let markdown = "[a](http://[/)\n\n[b](%) <!-- urivalidate-ignore -->\n\n```\n<!-- urivalidate-ignore-start -->\n```\n\n[c](%)\n";
    assert_eq!(lines("a.md", markdown).0, "1 9");
    assert_eq!(dir.run("--fail-fast --no-notes a.md").text().lines().count(), 1);
    let mdx =
        "[a](http://[/)\n\n[b](%) {/* urivalidate-ignore */}\n\n{/* urivalidate-ignore-start */}\n\n[c](%)\n";
    let (found, _, notes) = lines("a.mdx", mdx);
    assert_eq!(found, "1");
    // The writer may have forgotten the end.
    let note = "urivalidate: a.mdx: the lines from urivalidate-ignore-start to the end are ignored: no urivalidate-ignore-end\n";
    assert!(notes.contains(note), "{notes}");
    assert!(
        !lines("a.mdx", &format!("{mdx}\n{{/* urivalidate-ignore-end */}}\n")).2.contains("no urivalidate")
    );
}

/// Tests code of several chunks: it goes on in the next one, and its comments show how to write one.
#[test]
fn comments_in_long_code_have_no_effect() {
    let dir = Dir::new();
    let code = "[a](<b>) `c` *d*\n".repeat(200_000);
    let mark = "<!-- urivalidate-ignore-start -->\n";
    dir.write("a.md", format!("```\n{code}{mark}{code}```\n\n[c](%)\n"));
    for args in ["-j1", "-j4"] {
        let run = dir.run(&format!("{args} --no-notes a.md"));
        assert_eq!((run.status, run.text().lines().count()), (1, 1), "{args}");
        assert!(run.text().starts_with("a.md:400005:"), "{}", run.text());
    }
}

/// Tests names that no text can have: each has its own findings.
#[test]
#[cfg(target_os = "linux")]
fn any_name_can_be_in_a_baseline() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new();
    let write =
        |name: &[u8], text: &str| std::fs::write(dir.path().join(OsStr::from_bytes(name)), text).unwrap();
    write(b"d\xFE.md", "[a](b c)\n");
    write(b"d\xFF.md", "[a](http://a/)\n");
    dir.run("-r --write-baseline known --no-notes").expect(0, "", "");
    dir.run("-r --baseline known --no-notes").expect(0, "", "");
    write(b"d\xFE.md", "[a](http://a/)\n");
    write(b"d\xFF.md", "[a](b c)\n");
    let run = dir.run("-r --baseline known");
    assert_eq!((run.status, run.text().lines().count()), (1, 1), "{}", run.text());
    assert!(run.stderr.contains("1 problem is gone"), "{}", run.stderr);
    // A descriptor has no folder.
    let known = std::fs::read(dir.path().join("known")).unwrap();
    let args = ["-r", "--baseline", "/dev/stdin", "--no-notes"];
    let run = super::finish(super::command().current_dir(dir.path()).args(args).write_stdin(known));
    assert_eq!((run.status, run.text().lines().count()), (1, 1), "{}", run.text());
}

/// Tests a document of many chunks, on any number of threads: a part goes on in the next chunks.
#[test]
fn a_part_goes_over_chunks() {
    let dir = Dir::new();
    let some = "[a](%)\n\ntext\n\n".repeat(20_000);
    let text = format!(
        "{some}<!-- urivalidate-ignore-start -->\n\n{some}<!-- urivalidate-ignore-end -->\n\n{some}\
         <!-- urivalidate-ignore-next-line -->\n[b](%)\n"
    );
    dir.write("a.md", text);
    let note = "urivalidate: urivalidate-ignore: 20001 problems ignored in marked lines of documents\n";
    for args in ["-j1", "-j4", "--no-mmap"] {
        let run = dir.run(&format!("{args} a.md"));
        assert_eq!((run.status, run.text().lines().count()), (1, 40_000), "{args}");
        assert!(run.stderr.ends_with(note), "{}", run.stderr);
        let last = run.text().lines().last().unwrap().to_owned();
        assert!(last.starts_with("a.md:240001:"), "{last}");
        dir.run(&format!("{args} --max-invalid 40000 -q a.md")).expect(0, "", "");
    }
}

#[test]
fn suspicious_records_are_findings_on_request() {
    let dir = Dir::new();
    let list = "http://a/\nhttps:///x\nhttp://h:99999/\nb c\nttps://h/\nhttp://a_b/\n";
    dir.write("list", list);
    let found = dir.run("--deny suspicious list");
    let expected = "\
list:2:1: suspicious: http-without-host: http and https need a host
list:3:1: suspicious: port-over-65535: the port is higher than 65535
list:4:2: missing-scheme: no scheme: a name and \":\" must come first, found a space
list:5:1: suspicious: unregistered-scheme: no such scheme is registered
list:6:1: suspicious: host-not-dns: the host is neither a name in the DNS nor an address
";
    found.expect(1, expected, "");
    for (reasons, count) in [("host-not-dns", 2), ("host-not-dns,port-over-65535", 3), ("userinfo", 1)] {
        for args in ["-j1", "-j3", "--no-mmap"] {
            let found = dir.run(&format!("--deny {reasons} {args} list"));
            assert_eq!((found.status, found.text().lines().count()), (1, count), "{reasons} {args}");
        }
    }
    dir.run("--deny suspicious --max-invalid 5 -q list").expect(0, "", "");
    dir.run("--deny suspicious --max-invalid 4 -q list").expect(1, "", "");
    dir.run("--deny suspicious --ignore . -q list").expect(0, "", "");
    // The valid and the invalid records are the whole list.
    let split = |args: &str| {
        let run = dir.run(&format!("--emit none --deny suspicious --valid good --invalid bad {args} list"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        (read("good"), read("bad"))
    };
    let bad: String = list.split_inclusive('\n').skip(1).collect();
    assert_eq!(split(""), ("http://a/\n".to_owned(), bad.clone()));
    assert_eq!(split("--trim"), ("http://a/\n".to_owned(), bad));
    let kinds = dir.run(
        "--deny suspicious --kind suspicious --to csv --columns line,error_kind,reason,uri list --no-notes",
    );
    let rows = "line,error_kind,reason,uri\n2,suspicious,http-without-host,https:///x\n\
                3,suspicious,port-over-65535,http://h:99999/\n5,suspicious,unregistered-scheme,ttps://h/\n\
                6,suspicious,host-not-dns,http://a_b/\n";
    kinds.expect(1, rows, "");
    // In a log, whole lines are shared out.
    let log = |target: &str| {
        format!("192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET {target} HTTP/1.1\" 200 0\n")
    };
    dir.write("log", log("/a") + &log("http://a_b/") + "no line\n" + &log("/c|d"));
    let run =
        dir.run("--from common --deny host-not-dns --emit none --valid good --invalid bad --rest rest log");
    assert_eq!(run.status, 0);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(
        (read("good"), read("bad"), read("rest")),
        (log("/a"), log("http://a_b/") + &log("/c|d"), "no line\n".to_owned())
    );
    assert_eq!(run_with(["--deny", "nothing"], "").status, 2);
}

#[test]
fn only_new_findings_fail_with_a_baseline() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join("docs")).unwrap();
    std::fs::create_dir(dir.path().join("ci")).unwrap();
    dir.write("docs/a.md", "[a](b c.md)\n[a](b c.md)\n[b](http://[/)\n");
    dir.write("docs/b.md", "[a](%zz)\n");
    let read = || std::fs::read_to_string(dir.path().join("ci/links")).unwrap();
    dir.run("-r docs --write-baseline ci/links --no-notes").expect(0, "", "");
    let expected = "# Findings that do not fail a run of urivalidate: file, kind, record, count\n\
                    ../docs/a.md\tinvalid-ip-literal\thttp://[/\t1\n../docs/a.md\tspace\tb c.md\t2\n\
                    ../docs/b.md\tinvalid-percent-encoding\t%zz\t1\n";
    assert_eq!(read(), expected);
    let known = dir.run("-r docs --baseline ci/links");
    assert_eq!((known.status, known.text()), (0, ""), "{}", known.stderr);
    assert!(known.stderr.ends_with("urivalidate: --baseline: 4 problems known\n"), "{}", known.stderr);
    dir.run("-r docs --baseline ci/links -q").expect(0, "", "");
    // Lines may move, and a further equal finding is new.
    dir.write("docs/a.md", "text\n\n[a](b c.md)\n[a](b c.md)\n[a](b c.md)\n[c](d e)\n");
    for threads in ["-j1", "-j4"] {
        let new = dir.run(&format!("{threads} -r docs --baseline ci/links"));
        let places: Vec<_> = new.text().lines().map(|line| &line[..line.find(": ").unwrap()]).collect();
        assert_eq!((new.status, places), (1, vec!["docs/a.md:5:6", "docs/a.md:6:6"]));
        assert!(
            new.stderr.contains("urivalidate: --baseline: 1 problem is gone; --write-baseline writes"),
            "{}",
            new.stderr
        );
    }
    // Files that are not scanned are not gone.
    assert!(!dir.run("docs/b.md --baseline ci/links").stderr.contains("gone"));
    std::fs::remove_file(dir.path().join("docs/b.md")).unwrap();
    assert!(dir.run("-r docs --baseline ci/links").stderr.contains("2 problems are gone"));
    // Suspicious records have their reason in the baseline.
    dir.write("list", "http://a_b/\n");
    dir.run("list --deny suspicious --write-baseline other --no-notes").expect(0, "", "");
    dir.run("list --deny suspicious --baseline other --no-notes").expect(0, "", "");
    dir.write("faulty", "a\n");
    let faulty = dir.run("list --baseline faulty");
    assert_eq!(faulty.status, 2);
    assert!(faulty.stderr.contains("--baseline faulty: line 1 is not a file"), "{}", faulty.stderr);
    // A run that fails leaves the baseline as it was.
    let before = read();
    assert_eq!(dir.run("-r docs missing --write-baseline ci/links").status, 2);
    assert_eq!(read(), before);
}

/// Tests a list of many chunks: equal findings are counted in the order of the input.
#[test]
fn equal_findings_of_a_long_list_are_counted_in_order() {
    let dir = Dir::new();
    let lines = |count: usize| "http://a/\nhttp://h:p/\n".repeat(count);
    dir.write("list", lines(50_000));
    dir.run("list --write-baseline known --no-notes").expect(0, "", "");
    dir.write("list", lines(50_003));
    for args in ["-j1", "-j4", "--no-mmap"] {
        let new = dir.run(&format!("{args} list --baseline known --no-notes"));
        let places: Vec<_> = new.text().lines().map(|line| &line[..line.find(": ").unwrap()]).collect();
        assert_eq!((new.status, places), (1, vec!["list:100002:10", "list:100004:10", "list:100006:10"]));
    }
}

/// Tests a document of several chunks that ends at its first problem: a part that an earlier chunk starts marks
/// the lines of later ones.
#[test]
fn a_run_that_ends_at_a_finding_knows_the_chunks_before() {
    let text = "<a href='http://h/'>\n".repeat(60_000);
    let page = |before: &str, after: &str| {
        format!("<!doctype html>\n{before}{text}<a href='a b'>\n<a href='c d'>\n{text}{after}")
    };
    let counts = |page: String, threads: &str| {
        let found = run(&format!("--from html --fail-fast --no-notes --stats=json {threads}"), page).json();
        ["records", "valid", "invalid"].map(|name| found[name].as_u64().unwrap())
    };
    for threads in ["-j1", "-j4"] {
        assert_eq!(counts(page("", ""), threads), [60_001, 60_000, 1]);
        let start = "<!-- urivalidate-ignore-start -->\n";
        assert_eq!(counts(page(start, ""), threads), [120_002, 120_000, 2]);
        let later = "<!-- urivalidate-ignore-end -->\n<a href='e f'><a href='g h'>\n";
        let rows = run(&format!("--from html --fail-fast --no-notes {threads}"), page(start, later));
        assert_eq!((rows.status, rows.text().lines().count()), (1, 1));
        assert!(rows.text().starts_with("-:120006:11: space"), "{}", rows.text());
    }
}

/// Tests a folder that also has a link.
#[test]
#[cfg(unix)]
fn a_folder_has_one_name_in_a_baseline() {
    let dir = Dir::new();
    std::fs::create_dir(dir.path().join("real")).unwrap();
    dir.write("real/a.md", "[a](b c)\n");
    std::os::unix::fs::symlink("real", dir.path().join("link")).unwrap();
    let at = |path: &str| dir.path().join(path).display().to_string();
    let written = dir.run(&format!("real/a.md --no-notes --write-baseline {}", at("link/base")));
    assert_eq!(written.status, 0, "{}", written.stderr);
    let text = std::fs::read_to_string(at("real/base")).unwrap();
    assert!(text.ends_with("\na.md\tspace\tb c\t1\n"), "{text}");
    for (file, base) in [("link/a.md", "real/base"), ("real/a.md", "link/base")] {
        let run = dir.run(&format!("{} --no-notes --baseline {}", at(file), at(base)));
        assert_eq!((run.status, run.text()), (0, ""), "{file}, {base}");
    }
}

/// Tests lines that a chunk may cut: a comment also ignores the links before it in its line.
#[test]
fn a_comment_ignores_its_whole_line_in_a_page() {
    let dir = Dir::new();
    for size in (16..=20).map(|power| 1 << power) {
        for length in (0..120).step_by(if super::is_long() { 7 } else { 14 }) {
            let text = "z".repeat(size - 4 - length);
            let line =
                "<a href=\"http://h/a b\">x</a>yyyyyyyyyyyyyyyyyyyy<!-- urivalidate-ignore --><a href='c d'>";
            dir.write("a.html", format!("<p>{text}\n{line}\n<a href='e f'>\n"));
            let run = dir.run("--no-notes a.html");
            assert!(
                run.text().starts_with("a.html:3:11: ") && run.text().lines().count() == 1,
                "{}",
                run.text()
            );
            let run = dir.run("--no-notes --columns line --to csv a.html");
            assert_eq!(run.text(), "line\n3\n", "{size} {length}");
        }
    }
    let size = 1 << 16;
    for length in (5..90).step_by(if super::is_long() { 1 } else { 4 }) {
        let text = "z".repeat(size - 4 - length);
        let page =
            "<p><!-- urivalidate-ignore-next-line -->yyyyyyyyyyyyyyyyyyyy<a href='a b'>\n<p><a href='c d'>\n";
        dir.write("a.html", format!("<p>{text}\n{page}{}", "<p>end</p>\n".repeat(30_000)));
        let run = dir.run("--no-notes a.html");
        assert!(
            run.text().starts_with("a.html:2:") && run.text().lines().count() == 1,
            "{length} {}",
            run.text()
        );
    }
}

/// Tests a page that comes slowly: a line counts when it has ended.
#[test]
#[cfg(unix)]
fn a_slow_line_of_a_page_is_judged_whole() {
    use std::io::Write;
    use std::process::Stdio;
    let mut process = super::process();
    process.args(["--from", "html", "--no-notes"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = process.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for part in
        ["<p>h</p>\n<a href='http://h/a b'>x</a> yyy ", "<!-- urivalidate-ignore -->\n", "<a href='c d'>"]
    {
        input.write_all(part.as_bytes()).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("-:3:11: space") && text.lines().count() == 1, "{text}");
}

#[test]
fn a_baseline_overwrites_nothing_else() {
    let dir = Dir::new();
    let list = "http://a b/\n";
    dir.write("list", list);
    dir.write("known", "# nothing\n");
    for (args, message) in [
        ("--write-baseline list list", "--write-baseline would overwrite list, which is an input"),
        ("--valid z --write-baseline z list", "--valid and --write-baseline write to the same file"),
        ("--errors z --write-baseline z list", "--errors and --write-baseline write to the same file"),
        ("--report z --write-baseline z list", "--report and --write-baseline write to the same file"),
        ("--baseline known --valid known list", "--valid would overwrite known, which is an input"),
        ("--baseline known -o known list", "--output would overwrite known, which is an input"),
        ("--ignore-file known --invalid known list", "--invalid would overwrite known, which is an input"),
    ] {
        let run = dir.run(args);
        assert_eq!(run.status, 2, "{args}");
        assert!(run.stderr.contains(message), "{args}: {}", run.stderr);
        let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!((read("list"), read("known")), (list.to_owned(), "# nothing\n".to_owned()), "{args}");
        assert!(!dir.path().join("z").exists(), "{args}");
    }
    // A walk leaves out the baseline that it writes.
    let dir = Dir::new();
    dir.write("a.md", "[a](b c)\n");
    for _ in 0..2 {
        let run = dir.run("-r --emit errors --write-baseline base.md");
        assert!(run.summary().ends_with(" of 1 file"), "{} {}", run.summary(), run.stderr);
    }
}

/// Tests findings of a baseline that a run has not reached: they are not gone.
#[test]
fn findings_after_the_last_one_are_not_gone() {
    let dir = Dir::new();
    dir.write("list", "http://h/a b\nhttp://h/c d\nhttp://h/e f\n");
    dir.write("other", "http://h/g h\n");
    dir.run("list other --write-baseline known --no-notes").expect(0, "", "");
    let known = std::fs::read_to_string(dir.path().join("known")).unwrap();
    let some: String = known.split_inclusive('\n').filter(|line| !line.contains("a b")).collect();
    dir.write("known", some);
    let run = dir.run("list other --baseline known --fail-fast");
    assert_eq!((run.status, &run.stderr[..]), (1, ""));
    dir.write("list", "http://h/c d\n");
    let run = dir.run("list missing --baseline known");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("1 problem is gone"), "{}", run.stderr);
}

#[test]
#[cfg(unix)]
fn a_baseline_knows_files_by_their_real_names() {
    let dir = Dir::new();
    for folder in ["real", "links", "o/p"] {
        std::fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    dir.write("real/a.txt", "http://a b/\n");
    std::os::unix::fs::symlink("../known", dir.path().join("links/known")).unwrap();
    dir.run("--write-baseline known real/a.txt --no-notes").expect(0, "", "");
    dir.run("--baseline links/known real/a.txt --no-notes").expect(0, "", "");
    dir.run("--write-baseline links/known real/a.txt --no-notes").expect(0, "", "");
    dir.run("--baseline known real/a.txt --no-notes").expect(0, "", "");
    // `..` after a link is the folder above the link's target.
    std::os::unix::fs::symlink("o/p", dir.path().join("l")).unwrap();
    dir.write("a.txt", "http://a b/\n");
    dir.write("o/a.txt", "http://a b/\n");
    dir.run("--write-baseline known a.txt --no-notes").expect(0, "", "");
    assert_eq!(dir.run("--baseline known l/../a.txt").status, 1);
    dir.run("--baseline known l/../../a.txt --no-notes").expect(0, "", "");
}
