//! Tests that a run which ends at its first finding ends there in every output and in every count, whatever
//! makes a problem a finding.

use super::{Dir, run};

/// Runs with each of these options, and returns the valid and the invalid records, and the counts of the
/// statistics.
fn results(dir: &Dir, args: &str) -> (String, String, [u64; 3]) {
    let outputs = "--emit none --valid good --invalid bad --stats=json --no-notes --fail-fast";
    let run = dir.run(&format!("{outputs} {args}"));
    assert_eq!(run.status, 1, "{args}: {}", run.stderr);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let counts = ["records", "valid", "invalid"].map(|name| run.json()[name].as_u64().unwrap());
    (read("good"), read("bad"), counts)
}

const RUNS: [&str; 3] = ["-j1", "-j4", "-j4 --no-mmap"];

#[test]
fn a_denied_record_is_the_last_one() {
    let dir = Dir::new();
    let good = "http://a/\n".repeat(100_000);
    dir.write("list", format!("{good}http://a_b/\n{good}http://c_d/\nb c\n{good}"));
    for args in RUNS {
        let found = results(&dir, &format!("{args} --deny host-not-dns list"));
        // Statistics count the denied record by its verdict.
        assert_eq!(found, (good.clone(), "http://a_b/\n".to_owned(), [100_001, 100_001, 0]), "{args}");
        let errors = dir.run(&format!("{args} --deny host-not-dns --fail-fast list"));
        assert_eq!((errors.status, errors.text().lines().count()), (1, 1), "{args}");
        assert_eq!(errors.summary(), "1 finding in 100001 records of 1 file");
    }
}

#[test]
fn ignored_records_do_not_end_the_run() {
    let dir = Dir::new();
    let good = "http://a/\nb c\n".repeat(60_000);
    dir.write("list", format!("{good}http://[/\n{good}"));
    let (valid, invalid) = ("http://a/\n".repeat(60_000), "b c\n".repeat(60_000));
    for args in RUNS {
        let found = results(&dir, &format!("{args} --ignore ^b list"));
        let expected = (valid.clone(), format!("{invalid}http://[/\n"), [120_001, 60_000, 60_001]);
        assert!(found == expected, "{args} {:?}", found.2);
    }
}

#[test]
fn known_findings_do_not_end_the_run() {
    let dir = Dir::new();
    let good = "http://a/\nb c\n".repeat(60_000);
    dir.write("list", &good);
    dir.run("list --write-baseline known --no-notes").expect(0, "", "");
    dir.write("list", format!("http://a/\nb c\n{good}{good}"));
    let (valid, invalid) = ("http://a/\n".repeat(60_001), "b c\n".repeat(60_001));
    for args in RUNS {
        let found = results(&dir, &format!("{args} --baseline known list"));
        assert!(found == (valid.clone(), invalid.clone(), [120_002, 60_001, 60_001]), "{args} {:?}", found.2);
        let errors = dir.run(&format!("{args} --baseline known --fail-fast list --no-notes"));
        assert_eq!(errors.text().lines().count(), 1, "{args}");
        assert!(errors.text().starts_with("list:120002:2: "), "{}", errors.text());
    }
}

#[test]
fn a_line_with_several_records_ends_at_the_finding() {
    let dir = Dir::new();
    let good = "<a href='http://a/'>\n".repeat(50_000);
    let line =
        "<a href='http://b/'><a href='x y'><a href='http://c_d/'><a href='http://e_f/'><a href='http://['>";
    dir.write("a.html", format!("<!doctype html>\n{good}{line}\n{good}"));
    let uris = "http://a/\n".repeat(50_000) + "http://b/\n";
    for args in RUNS {
        let found = results(&dir, &format!("{args} --deny host-not-dns --ignore ^x a.html"));
        assert!(
            found == (uris.clone(), "x y\nhttp://c_d/\n".to_owned(), [50_003, 50_002, 1]),
            "{args} {:?} {:?}",
            found.1,
            found.2
        );
        let errors =
            dir.run(&format!("{args} --fail-fast --deny host-not-dns --ignore ^x --no-notes a.html"));
        assert_eq!(errors.text().lines().count(), 1);
        assert!(errors.text().starts_with("a.html:50002:44: suspicious"), "{}", errors.text());
    }
}

/// Tests bytes that come slowly: those after the finding have no effect.
#[test]
fn what_follows_the_finding_has_no_effect() {
    let list = |rest: &str| format!("http://a/\nhttp://a_b/\n{rest}");
    let found = |rest: &str| run("--fail-fast --deny suspicious --stats=json --no-notes", list(rest)).json();
    let mut one = found("");
    let mut other = found("http://c_d/\nb c\n");
    for stats in [&mut one, &mut other] {
        stats.as_object_mut().unwrap().retain(|name, _| name != "date" && !name.contains("second"));
    }
    assert_eq!(one["records"], 2);
    assert_eq!(one, other);
}
