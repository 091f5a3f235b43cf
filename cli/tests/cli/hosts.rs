//! The filter by hosts: `--hosts` and `--not-hosts`.

use std::io::Write as _;

use super::{Dir, Run, no_such_file, run};

const LIST: &str = "http://a.example/1\r\n\
                    http://www.A.example:80/2\n\
                    http://b c/3\n\
                    https://u@b.example/4\n\
                    mailto:a@a.example\n\
                    \n\
                    http://xa.example/5\n\
                    HTTP://B%2Eexample./%7e6\n\
                    http://[2001:DB8::1]/7\n\
                    file:///8";

/// Returns the lines with these numbers, counted from 1, byte for byte.
fn lines(text: &str, numbers: &[usize]) -> String {
    text.split_inclusive('\n')
        .zip(1..)
        .filter(|(_, number)| numbers.contains(number))
        .map(|(line, _)| line)
        .collect()
}

/// Returns a folder with a list of URIs and lists of hosts.
fn folder() -> Dir {
    let dir = Dir::new();
    dir.write("list", LIST);
    dir.write("names", "# a comment\n.a.example\n\nb.example # another\n");
    dir.write("etc", "127.0.0.1 localhost\n0.0.0.0 xa.example b.example\n::1 localhost\n");
    dir.write("rules", "[Adblock Plus 2.0]\n! title\n||b.example^\n2001:db8:0::1\n");
    dir
}

fn read(dir: &Dir, name: &str) -> String {
    String::from_utf8(std::fs::read(dir.path().join(name)).unwrap()).unwrap()
}

#[test]
fn records_are_kept_and_dropped_by_their_hosts() {
    // The numbers of the lines whose hosts are in the lists.
    for (lists, found) in [
        ("names", &[1, 2, 4, 8][..]),
        ("etc", &[4, 7, 8]),
        ("rules", &[4, 8, 9]),
        ("names --X etc", &[1, 2, 4, 7, 8]),
    ] {
        let dir = folder();
        let valid = [1, 2, 4, 5, 7, 8, 9, 10];
        for (option, is_kept) in [("--hosts", true), ("--not-hosts", false)] {
            let lists = lists.replace("--X", option);
            let is_kept = |number: &usize| found.contains(number) == is_kept;
            let kept: Vec<usize> = (1..=10).filter(is_kept).collect();
            let dropped: Vec<usize> = (1..=10).filter(|number| !is_kept(number)).collect();
            let kept_valid: Vec<usize> = valid.into_iter().filter(is_kept).collect();
            let kept_invalid: Vec<usize> = [3, 6].into_iter().filter(is_kept).collect();
            let run = dir.run(&format!(
                "{option} {lists} list --emit none --valid valid --invalid invalid --rest rest"
            ));
            run.expect(0, "", &format!("urivalidate: {option}: {} records dropped\n", dropped.len()));
            assert_eq!(read(&dir, "valid"), lines(LIST, &kept_valid), "{option} {lists}");
            assert_eq!(read(&dir, "invalid"), lines(LIST, &kept_invalid), "{option} {lists}");
            assert_eq!(read(&dir, "rest"), lines(LIST, &dropped), "{option} {lists}");
            assert_eq!(dir.run(&format!("{option} {lists} list --emit rest")).text(), lines(LIST, &dropped));
            assert!(kept.len() == kept_valid.len() + kept_invalid.len());
        }
    }
}

/// Every output of the records that are kept is that of a list with only these records.
#[test]
fn all_outputs_have_only_kept_records() {
    let dir = Dir::new();
    let kinds = [
        "http://a.example/%7e",
        "http://b.example/%7e",
        "http://c d/",
        "HTTP://A.example/a/../b?c#d",
        "http://u@h.b.example:1/%c3%a4",
        "http://[::1]/x",
        "http://192.0.2.1/",
        "x y",
        "http:///",
    ];
    let line = |number: usize| kinds[number * number % 31 % kinds.len()];
    let list: Vec<_> = (0..3000).map(line).collect();
    dir.write("list", list.join("\n") + "\n");
    dir.write("names", "a.example\n[::1]\n192.0.2.1\n");
    let is_in = |line: &str| {
        ["a.example", "[::1]", "192.0.2.1"].iter().any(|host| line.to_lowercase().contains(host))
    };
    for (option, is_kept) in [("--hosts", true), ("--not-hosts", false)] {
        let kept: Vec<_> = list.iter().filter(|line| is_in(line) == is_kept).copied().collect();
        dir.write("kept", kept.join("\n") + "\n");
        for args in [
            "--emit valid",
            "--emit invalid",
            "--emit host",
            "--emit uri",
            "--emit host_kind",
            "--emit normalized",
            "--emit normalized --normalize scheme",
            "--emit mended",
            "--emit surt",
            "--emit domain",
            "--emit components --columns uri,length,host,query,error_kind,normalized,column",
            "--emit components --to csv --columns uri,host_kind,error_kind,message",
            "--emit offsets --to jsonl --columns length,host,valid,error",
            "--emit offsets --to tsv --columns length,host,path --only valid",
            "--emit components --also java --only differing --columns uri,also_error_kind",
            "--to csv --columns uri,error_kind,message,error_column",
            "--count host",
            "--count error_kind --top 2",
            "--count also_error_kind --also java",
            "--count character",
            "--emit resolved --base http://a.example/",
        ] {
            let all = dir.run(&format!("{option} names --no-notes list {args}"));
            let only = dir.run(&format!("--no-notes kept {args}"));
            assert_eq!((all.status, all.text()), (only.status, only.text()), "{option} {args}");
            for threads in ["-j1", "-j3 --no-mmap", "--backend scalar"] {
                let other = dir.run(&format!("{option} names --no-notes list {args} {threads}"));
                assert_eq!(other.text(), all.text(), "{option} {args} {threads}");
            }
        }
        let stats = |args: &str| {
            dir.run(&format!("{args} --stats=json --top-hosts 5 --also java --distinct host")).json()
        };
        let (mut all, mut only) = (stats(&format!("{option} names list")), stats("kept"));
        assert_eq!(all["dropped"], list.len() - kept.len());
        assert_eq!((only["dropped"].clone(), all["lines"].clone()), (0.into(), list.len().into()));
        // The same without the columns of hosts, which statistics otherwise only count.
        assert_eq!(dir.run(&format!("{option} names list --stats=json")).json()["schemes"], only["schemes"]);
        for key in [
            "bytes",
            "lines",
            "dropped",
            "elapsed_seconds",
            "bytes_per_second",
            "date",
            "command",
            "inputs",
            "samples",
            "also",
        ] {
            all.as_object_mut().unwrap().remove(key);
            only.as_object_mut().unwrap().remove(key);
        }
        assert_eq!(all, only);
        // Lines count all records.
        let rows = dir
            .run(&format!("{option} names list --no-notes --emit offsets --columns line"))
            .text()
            .to_owned();
        let expected = (1..).zip(&list).filter(|(_, line)| is_in(line) == is_kept);
        assert_eq!(rows, expected.map(|(number, _)| format!("{number}\n")).collect::<String>());
        // Arrow has as many rows.
        let arrow = dir.run(&format!("{option} names list --no-notes --emit components --to arrow"));
        let same = dir.run("kept --no-notes --emit components --to arrow --columns uri");
        assert!(arrow.status == 0 && arrow.stdout.len() > same.stdout.len());
    }
}

#[test]
fn invalid_records_have_no_host() {
    let dir = folder();
    // The status is that of the records that are kept.
    dir.run("--hosts names list --no-notes").expect(0, "", "");
    let kept = dir.run("--not-hosts names list");
    assert_eq!((kept.status, kept.text().lines().count()), (1, 2));
    assert_eq!(kept.summary(), "2 findings in 6 records of 1 file");
    assert_eq!(dir.run("--hosts names -q list").status, 0);
    assert_eq!(dir.run("--not-hosts names -q list").status, 1);
    // Two of the six are invalid.
    assert_eq!(dir.run("--not-hosts names list --max-invalid 33%").status, 1);
    assert_eq!(dir.run("--not-hosts names list --max-invalid 34%").status, 0);
    let first = dir.run("--not-hosts names list --fail-fast --rest rest --no-notes");
    assert_eq!((first.status, first.text().lines().count()), (1, 1));
    assert_eq!(read(&dir, "rest"), lines(LIST, &[1, 2]));
}

#[test]
fn marks_terminators_and_long_records_stay() {
    let dir = folder();
    let list = "\u{feff}http://a.example/\nhttp://x/\nhttp://a.example/2";
    dir.write("marked", list);
    let split = |args: &str, option: &str| {
        let status = dir
            .run(&format!("{option} names {args} --emit none --valid v --invalid i --rest r --no-notes"))
            .status;
        (status, read(&dir, "v"), read(&dir, "i"), read(&dir, "r"))
    };
    let all = |numbers: &[usize]| lines(list, numbers);
    assert_eq!(split("marked", "--hosts"), (0, all(&[1, 3]), String::new(), all(&[2])));
    assert_eq!(split("marked", "--not-hosts"), (0, all(&[2]), String::new(), all(&[1, 3])));
    // White space is not part of a record, but of its line.
    let list = " http://a.example/ \nhttp://x/\t\nhttp://a.example/\n";
    dir.write("spaced", list);
    assert_eq!(
        split("spaced --trim", "--hosts"),
        (0, "http://a.example/\nhttp://a.example/\n".to_owned(), String::new(), lines(list, &[2]))
    );
    assert_eq!(
        split("spaced --trim", "--not-hosts"),
        (0, "http://x/\n".to_owned(), String::new(), lines(list, &[1, 3]))
    );
    let list = "http://a.example/\0http://x/\nno\0http://x/\0";
    dir.write("null", list);
    assert_eq!(
        split("null -0", "--not-hosts"),
        (0, "http://x/\0".to_owned(), "http://x/\nno\0".to_owned(), "http://a.example/\0".to_owned())
    );
    // A record over the limit is invalid, in several chunks, too.
    let long = format!("http://a.example/{}\n", "x".repeat(900_000));
    let list = format!("http://a.example/\n{long}http://x/\n");
    dir.write("long", &list);
    assert_eq!(
        split("long --max-record 1000", "--hosts"),
        (0, lines(&list, &[1]), String::new(), lines(&list, &[2, 3]))
    );
    assert_eq!(
        split("long --max-record 1000", "--not-hosts"),
        (0, lines(&list, &[3]), lines(&list, &[2]), lines(&list, &[1]))
    );
    assert_eq!(dir.run("--hosts names long --max-record 1000 -q").status, 0);
    let stats = dir.run("--hosts names long --max-record 1000 --stats=json").json();
    assert_eq!((&stats["records"], &stats["dropped"], &stats["lines"]), (&1.into(), &2.into(), &3.into()));
}

#[test]
fn logs_and_documents_are_filtered() {
    let dir = folder();
    let line = |referer: &str| {
        format!(
            "192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] \"GET / HTTP/1.1\" 200 0 \"{referer}\" \"agent\"\n"
        )
    };
    let log = [
        line("http://a.example/1"),
        line("-"),
        line("http://x/2"),
        "no line\n".to_owned(),
        line("http://b c/"),
        line("http://b.example/3"),
    ]
    .concat();
    dir.write("log", &log);
    let args = "--from combined --field referer log --emit none --valid v --invalid i --rest r --no-notes";
    assert_eq!(dir.run(&format!("--hosts names {args}")).status, 0);
    assert_eq!(read(&dir, "v") + "|" + &read(&dir, "i"), lines(&log, &[1, 6]) + "|");
    assert_eq!(read(&dir, "r"), lines(&log, &[2, 3, 4, 5]));
    assert_eq!(dir.run(&format!("--not-hosts names {args}")).status, 0);
    assert_eq!(read(&dir, "v") + "|" + &read(&dir, "i"), lines(&log, &[3]) + "|" + &lines(&log, &[5]));
    assert_eq!(read(&dir, "r"), lines(&log, &[1, 2, 4, 6]));
    let stats = dir.run("--hosts names --from combined --field referer log --stats=json").json();
    let counts =
        ["lines", "records", "sentinels", "malformed_lines", "dropped"].map(|key| stats[key].clone());
    assert_eq!(counts, [6, 2, 1, 1, 2].map(serde_json::Value::from));
    // A line that does not fit its format is no record, and stays a finding.
    let check = dir.run("--hosts names --from combined --field referer log --no-notes");
    assert_eq!((check.status, check.text().lines().count()), (1, 1));
    assert!(check.text().starts_with("log:4:1: malformed-line"), "{}", check.text());
    // A log without a record that is kept has its records nonetheless.
    dir.write("other", "z.example\n");
    dir.write("fits", lines(&log, &[1, 3]));
    dir.run("--hosts other --from combined --field referer fits --emit host").expect(
        0,
        "",
        "urivalidate: --hosts: 2 records dropped\n",
    );
    // A table keeps its header in all outputs.
    dir.write("table", "id,url\n1,http://a.example/\n2,http://x/\n");
    assert_eq!(dir.run("--hosts names --from csv table --emit valid --rest r --no-notes").status, 0);
    assert_eq!(read(&dir, "r"), "id,url\n2,http://x/\n");
    // Documents have records, not lines.
    dir.write("page.html", "<a href='http://a.example/1'>a</a> <a href='/2'>b</a><img src='http://x/3'>");
    dir.run("--hosts names page.html --emit valid --rest r --no-notes").expect(0, "http://a.example/1\n", "");
    assert_eq!(read(&dir, "r"), "/2\nhttp://x/3\n");
    let elements =
        dir.run("--not-hosts names page.html --emit components --columns uri,element,column --no-notes");
    assert_eq!(elements.text(), "/2\ta\t45\nhttp://x/3\timg\t64\n");
}

#[test]
fn lists_may_be_compressed_and_have_other_rules() {
    let dir = folder();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(b".a.example\nb.example\n").unwrap();
    dir.write("names.gz", gzip.finish().unwrap());
    let run = dir.run("--hosts names.gz list --emit host --no-notes");
    assert_eq!(run.text(), dir.run("--hosts names list --emit host --no-notes").text());
    dir.write("easy", "! title\n||a.example^\n||b.example^$third-party\n@@||c.example^\n/banner/*\n");
    let run = dir.run("--hosts easy list --emit host");
    let left_out = "urivalidate: easy: 3 rules are left out, because they are not about whole hosts; the first is in line 3\n";
    run.expect(
        0,
        "a.example\nwww.A.example\n",
        &format!("{left_out}urivalidate: --hosts: 8 records dropped\n"),
    );
    dir.write("none", "# nothing\n");
    let none = "urivalidate: none: the list has no names\n";
    assert_eq!(dir.run("--not-hosts none list --emit none").stderr, none);
    assert_eq!(dir.run("--not-hosts none list --emit valid").text(), dir.run("list --emit valid").text());
    assert!(dir.run("--hosts none list --emit valid").text().is_empty());
    let both = dir.run("--hosts names --not-hosts rules list --emit host");
    both.expect(0, "a.example\nwww.A.example\n", "urivalidate: --hosts, --not-hosts: 8 records dropped\n");
}

#[test]
fn a_faulty_list_is_an_error() {
    let dir = folder();
    dir.write("urls", "a.example\nhttp://b.example/\n");
    dir.write("long", format!("a.example\n{}\n", "b".repeat(1_100_000)));
    let error = |args: &str| {
        let Run { status, stdout, stderr, .. } = dir.run(args);
        assert_eq!((status, stdout), (2, Vec::new()), "{args}");
        stderr.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        error("--hosts urls list"),
        "error: --hosts urls:2: a URL; a list has only the names of hosts"
    );
    let message = no_such_file("missing");
    assert_eq!(error("--not-hosts missing list"), format!("error: --not-hosts missing: {message}"));
    assert_eq!(error("--not-hosts long list"), "error: --not-hosts long:2: the line is longer than 1 MiB");
    assert_eq!(error("--hosts - list"), "error: --hosts needs the name of a file");
    assert_eq!(
        error("--hosts names list --valid names"),
        "error: --valid would overwrite names, which is an input"
    );
    assert_eq!(run("--hosts names --explain http://a/", "").status, 2);
}
