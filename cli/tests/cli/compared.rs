//! Tests statistics over time: `--compare`, and what the statistics say about their run.

use serde_json::{Value, json};

use crate::{Dir, schema};

/// Tests that statistics match their schema.
fn check_schema(stats: &Value) {
    let schema = serde_json::from_str(include_str!("../../../docs/statistics.schema.json")).unwrap();
    assert_eq!(schema::errors(&schema, &schema, stats, ""), [""; 0]);
}

/// Writes the statistics of a list to a file.
fn write_statistics(dir: &Dir, list: &str, options: &str) {
    let list = dir.write("earlier.txt", list);
    let run = dir.run(&format!("{} --stats=json {options}", list.display()));
    check_schema(&run.json());
    dir.write("old.json", &run.stdout);
}

#[test]
fn what_changed_is_shown_and_decides_the_status() {
    let dir = Dir::new();
    write_statistics(&dir, "http://a/\nhttp://b/\nhttp://c/ d\nhttp://a/\n", "--top-hosts 10");
    let run = |list: &str, options: &str| {
        dir.write("list", list);
        dir.run(&format!("list --compare old.json {options}"))
    };
    // The same, or better.
    for list in [
        "http://a/\nhttp://b/\nhttp://c/ d\nhttp://a/\n",
        "http://a/\n",
        "http://a/\nhttp://b/\nx:/ y\nx:y\nx:z\n",
    ] {
        let same = run(list, "--emit none");
        assert_eq!((same.status, same.stderr.as_str()), (0, ""), "{}", same.text());
        assert!(same.text().contains("Compared with old.json, 20"), "{}", same.text());
        assert!(same.text().contains("no worse."), "{}", same.text());
    }
    // A smaller share.
    let worse = run("http://a/\nhttp://c/ d\n", "");
    assert_eq!(worse.status, 1);
    assert!(worse.text().contains("75.00% -> 50.00%"), "{}", worse.text());
    assert!(worse.text().contains("25.00% -> 50.00%"), "{}", worse.text());
    assert!(worse.text().contains("the share of valid records fell."), "{}", worse.text());
    // A new kind.
    let new = run("http://a/\nhttp://a/\nhttp://a/\nno\nhttp://a/\n", "--emit none");
    assert_eq!(new.status, 1);
    assert!(new.text().contains("there are new kinds of errors."), "{}", new.text());
    assert!(new.text().contains("0.00% -> 20.00%"), "{}", new.text());
    // A new host.
    let hosts = run("http://a/\nhttp://new/\n", "--top-hosts 5 --emit none");
    assert_eq!(hosts.status, 0);
    let (_, after) = hosts.text().split_once("New hosts among the most frequent").unwrap();
    assert!(after.contains("new ") && !after.contains("a "), "{}", hosts.text());
}

#[test]
fn the_object_has_what_changed() {
    let dir = Dir::new();
    write_statistics(&dir, "http://a/\nhttp://c/ d\n", "--top-hosts 10");
    dir.write("list", "http://b/\nno\n");
    let run = dir.run("list --compare old.json --stats=json --top-hosts 3");
    assert_eq!(run.status, 1);
    let mut stats = run.json();
    check_schema(&stats);
    assert!(stats["compared"]["date"].take().is_string());
    let expected = json!({
        "file": "old.json", "date": null, "is_worse": true, "records": {"before": 2, "now": 2},
        "valid": {"before": 1, "now": 1},
        "errors": {"missing-scheme": {"before": 0, "now": 1}, "space": {"before": 1, "now": 0}},
        "new_hosts": [{"host": "b", "count": 1}],
    });
    let found: Value = stats["compared"].take();
    assert_eq!(found, expected);
    let page = dir.run("list --compare old.json --report page.html");
    assert_eq!(page.status, 1);
    let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap();
    for text in
        ["<h2>Changes</h2>", "there are new kinds of errors", "--report page.html", "before", "50.00%"]
    {
        assert!(page.contains(text), "{text}");
    }
}

/// A fall of less than a hundredth of a percent point does not count, but no record at all is worse than some.
#[test]
fn small_changes_do_not_count() {
    let dir = Dir::new();
    let list = |valid: usize, invalid: usize| "x:y\n".repeat(valid) + &"x y\n".repeat(invalid);
    for (before, now, status) in [
        ((19_999, 1), (19_998, 2), 0),
        ((9_999, 1), (9_998, 2), 1),
        ((0, 0), (5, 0), 0),
        ((5, 0), (0, 0), 1),
        ((0, 1), (0, 3), 0),
        ((3, 1), (0, 1), 1),
    ] {
        write_statistics(&dir, &list(before.0, before.1), "");
        dir.write("list", list(now.0, now.1));
        assert_eq!(dir.run("list --compare old.json --emit none").status, status, "{before:?}, {now:?}");
    }
}

#[test]
fn other_files_are_refused() {
    let dir = Dir::new();
    dir.write("list", "x:y\n");
    for (content, expected) in [
        ("", "old.json: is no output of --stats=json: EOF"),
        ("[]", "old.json: is no output of --stats=json: it has no version"),
        ("{\"version\": 1}", "old.json: has version 1 of the statistics, and this command writes 2"),
        ("{\"version\": 2, \"errors\": {}}", "old.json: is no output of --stats=json: it has no records"),
        ("{\"version\": 2, \"records\": 1, \"valid\": 1}", "it has no errors"),
        ("{\"version\": 2, \"records\": 1, \"valid\": 1, \"errors\": {\"space\": -1}}", "no whole number"),
    ] {
        dir.write("old.json", content);
        let run = dir.run("list --compare old.json");
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.starts_with("error: --compare ") && run.stderr.contains(expected),
            "{}",
            run.stderr
        );
    }
    let run = dir.run("list --compare none.json");
    let expected = format!("none.json: {}", super::no_such_file("none.json"));
    assert!(run.status == 2 && run.stderr.contains(&expected), "{}", run.stderr);
}

/// Tests that text of the earlier statistics does nothing to a terminal, and that a part of the input is not
/// compared with a whole one.
#[test]
fn hostile_statistics_are_harmless() {
    let dir = Dir::new();
    dir.write("list", "x:y\n");
    let hostile = json!({
        "version": 2, "records": 1, "valid": 0, "date": "\u{1b}[31mred", "grammar": "\u{1b}[32m\u{202e}",
        "errors": {"\u{1b}[33m": 5, "space": 1},
        "top_hosts": {"records": {"hosts": [{"host": "\u{1b}[34m"}]}},
    });
    dir.write("old.json", hostile.to_string());
    for options in ["--stats", "--stats=full", "--stats=json", "--report page.html --emit none"] {
        let run = dir.run(&format!("list --compare old.json --top-hosts 5 {options}"));
        let page = std::fs::read_to_string(dir.path().join("page.html")).unwrap_or_default();
        let seen = run.text().to_owned() + &run.stderr + &page;
        assert!(!seen.contains(['\u{1b}', '\u{202e}']), "{options}: {seen}");
        assert_eq!(run.status, 0, "{options}: {seen}");
    }
    for option in ["--quiet", "--fail-fast"] {
        let run = dir.run(&format!("list --compare old.json {option}"));
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("--compare needs the whole input"), "{}", run.stderr);
    }
    let run = dir.run("list --compare old.json --report old.json");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("would overwrite old.json"), "{}", run.stderr);
}
