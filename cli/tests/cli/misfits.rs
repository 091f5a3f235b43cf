//! Tests lines that do not fit their format in outputs that have no place for them.

use super::{Dir, run};

const MIXED: &str = "{\"url\":\"a:b\"}\nno object\n{\"url\":\"c d\"}\n[1]\n";
const URL: &str = "http://h/\n";

#[test]
fn rows_name_the_lines_that_they_leave_out() {
    const NOTE: &str =
        "urivalidate: -: 2 lines do not fit the format jsonl and are left out; first, line 2: ";

    for args in [
        "--emit components",
        "--emit offsets --to csv",
        "--emit components --only invalid --to arrow",
        "--emit normalized",
        "--emit surt",
        "--emit mended",
        "--count valid",
        "--count host --to csv",
    ] {
        let found = run(&format!("--from jsonl {args}"), MIXED);
        let notes = found.stderr.lines().filter(|line| line.starts_with(NOTE)).count();
        assert_eq!((found.status, notes), (0, 1), "{args}: {}", found.stderr);
        run(&format!("--from jsonl --no-notes {args}"), MIXED).expect(0, found.stdout, "");
    }
    let one = run("--from jsonl --emit components", "{\"url\":\"a:b\"}\nmore").stderr;
    let note = "urivalidate: -: 1 line does not fit the format jsonl and is left out; line 2: ";
    assert!(one.starts_with(note), "{one}");
    // The user asked for records with a property, or another output has the lines.
    for args in [
        "--emit valid",
        "--emit components --only valid",
        "--count scheme --only valid",
        "--count error",
        "--emit errors --to csv",
        "--emit rest",
        "--emit none --stats",
    ] {
        let found = run(&format!("--from jsonl {args}"), MIXED).stderr;
        assert!(!found.contains("fit the format"), "{args}: {found}");
    }
    let dir = Dir::new();
    dir.write("mixed.jsonl", MIXED);
    for other in ["--errors errors", "--rest rest", "--stats"] {
        let found = dir.run(&format!("--from jsonl --emit components {other} mixed.jsonl"));
        assert!(!found.stderr.contains("left out"), "{other}: {}", found.stderr);
    }
}

#[test]
fn a_file_in_which_no_line_fits_is_an_error() {
    let expected = "urivalidate: -: no line fits the format combined; line 1: ";
    let list = URL.repeat(20);
    for args in
        ["--emit components", "--emit offsets --to tsv", "--emit valid", "--emit host", "--count host"]
    {
        let found = run(&format!("--from combined {args}"), list.clone());
        assert_eq!(found.status, 2, "{args}");
        assert!(found.stderr.starts_with(expected), "{args}: {}", found.stderr);
        assert!(found.stderr.ends_with("; try --from lines\n"), "{args}: {}", found.stderr);
        assert_eq!(found.stderr.lines().count(), 1, "{args}: {}", found.stderr);
    }
    // The advice helps.
    assert_eq!(run("--from lines --emit uri", list.clone()).text(), list);
    assert_eq!(run("--from combined --emit errors", list.clone()).status, 1);
    assert_eq!(run("--from combined --emit none --stats", list.clone()).status, 0);
    assert_eq!(run("--from combined --emit components", "").status, 0);
    let sentinel = "1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"-\" 408 0\n";
    assert_eq!(run("--from common --emit components", sentinel).status, 0);

    let dir = Dir::new();
    dir.write("a.log", &list);
    dir.write("b.log", "1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] \"GET /x HTTP/1.1\" 200 5 \"-\" \"-\"\n");
    let named = dir.run("--from combined --emit uri a.log b.log");
    assert_eq!((named.status, named.text()), (2, "/x\n"));
    let walked = dir.run("--from combined --emit uri --recursive .");
    assert_eq!((walked.status, walked.text()), (0, "/x\n"));
    assert!(walked.stderr.contains("a.log: no line fits the format combined"), "{}", walked.stderr);
}

#[test]
fn lines_that_do_not_fit_have_rows_on_request() {
    let expected = "line,uri,valid,malformed,error_kind,format\n1,a:b,true,false,,jsonl\n\
                    2,,false,true,malformed-line,jsonl\n3,c d,false,false,missing-scheme,jsonl\n\
                    4,,false,true,malformed-line,jsonl\n";
    let args = "--from jsonl --emit components --to csv --columns line,uri,valid,malformed,error_kind,format";
    run(args, MIXED).expect(0, expected, "");
    let rows = |only: &str| -> String {
        let found = run(&format!("--from jsonl --emit offsets --columns line,malformed {only}"), MIXED);
        assert_eq!((found.status, &*found.stderr), (0, ""));
        found.text().to_owned()
    };
    assert_eq!(rows(""), "1\tfalse\n2\ttrue\n3\tfalse\n4\ttrue\n");
    assert_eq!(rows("--only invalid"), "2\ttrue\n3\tfalse\n4\ttrue\n");
    assert_eq!(rows("--only valid"), "1\tfalse\n");
    let all = run("--from combined --emit components --columns line,malformed", URL);
    all.expect(0, "1\ttrue\n", "");

    // Rows are in order over chunks.
    let lines = |row: &dyn Fn(usize) -> String| (1..=50_000).map(row).collect::<String>();
    let list =
        lines(&|line| if line % 3 == 0 { "garbage\n".into() } else { format!("{{\"url\":\"a:{line}\"}}\n") });
    let expected = lines(&|line| match line % 3 {
        0 => format!("{line}\t\\N\ttrue\n"),
        _ => format!("{line}\t{line}\tfalse\n"),
    });
    for threads in ["-j1", "-j2"] {
        let args = format!("--from jsonl --emit components --columns line,path,malformed {threads}");
        assert_eq!(run(&args, list.clone()).text(), expected);
    }
}
