//! Tests `--only differing`, and the columns of the second grammar.

use std::collections::BTreeMap;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_ipc::reader::StreamReader;
use serde_json::Value;

use super::{Dir, run};

/// Valid by both grammars, by neither, by `uri` only, and by `java` only.
const LIST: &str = "http://a/\nhttp://a/ b\nhttp://a/?x[]=1\nmailto:\nhttp://a/\u{e9}\nhttp://b/\n";

#[test]
fn each_form_has_the_columns() {
    let also = "--also java --only differing --columns line,valid,error_kind,also_valid,also_error_kind,also_error_offset";
    run(also, LIST).expect(
        0,
        concat!(
            "3\tfalse\tbracket-outside-host\ttrue\t\\N\t\\N\n",
            "4\ttrue\t\\N\tfalse\tempty-scheme-specific-part\t7\n",
            "5\tfalse\tnon-ascii\ttrue\t\\N\t\\N\n"
        ),
        "",
    );
    run(&format!("{also} --to csv"), LIST).expect(
        0,
        concat!(
            "line,valid,error_kind,also_valid,also_error_kind,also_error_offset\n",
            "3,false,bracket-outside-host,true,,\n",
            "4,true,,false,empty-scheme-specific-part,7\n",
            "5,false,non-ascii,true,,\n"
        ),
        "",
    );
    assert_eq!(
        run(&format!("{also} --to tsv"), LIST).text().lines().nth(2),
        Some("4\ttrue\t\\N\tfalse\tempty-scheme-specific-part\t7")
    );
    run(&format!("{also} --json --emit offsets"), "mailto:\nx:y\n").expect(
        0,
        "{\"line\":1,\"valid\":true,\"error_kind\":null,\"also_valid\":false,\"also_error_kind\":\"empty-scheme-specific-part\",\"also_error_offset\":7}\n",
        "",
    );
    let stream = run(&format!("{also} --to arrow"), LIST).stdout;
    let reader = StreamReader::try_new(&stream[..], None).unwrap();
    assert_eq!(reader.schema().metadata()["also"], "java");
    let batch = reader.map(Result::unwrap).next().unwrap();
    let column = |name| batch.column_by_name(name).unwrap();
    let valid: Vec<_> = column("also_valid").as_boolean().iter().collect();
    assert_eq!(valid, [Some(true), Some(false), Some(true)]);
    let kinds: Vec<_> = column("also_error_kind").as_string::<i32>().iter().collect();
    assert_eq!(kinds, [None, Some("empty-scheme-specific-part"), None]);
    let offsets: Vec<_> = column("also_error_offset").as_primitive::<Int32Type>().iter().collect();
    assert_eq!(offsets, [None, Some(7), None]);
    assert_eq!(column("line").len(), 3);
}

/// Tests with any number of threads that the rows of a log are those whose verdicts differ between two runs.
#[test]
fn rows_are_those_that_two_runs_tell_apart() {
    let dir = Dir::new();
    let sample = String::from_utf8_lossy(include_bytes!("../../../corpora/sample.txt"));
    dir.write("list", sample.repeat(300));
    dir.write(
        "log",
        sample
            .lines()
            .fold(String::new(), |log, line| {
                log + &serde_json::json!({"n": 1, "url": line}).to_string() + "\n"
            })
            .repeat(300),
    );
    let errors = |args: &str| -> BTreeMap<u64, (Value, Value)> {
        let rows = dir.run(&format!("{args} --emit errors --json --columns line,error_kind,error_offset"));
        let rows = rows.text().lines().map(|row| serde_json::from_str::<Value>(row).unwrap());
        rows.map(|row| {
            (row["line"].as_u64().unwrap(), (row["error_kind"].clone(), row["error_offset"].clone()))
        })
        .collect()
    };
    for file in ["list", "log"] {
        for (first, second) in [("uri", "java"), ("iri", "uri")] {
            let (one, other) =
                (errors(&format!("-g {first} {file}")), errors(&format!("-g {second} {file}")));
            let differing: Vec<_> = one
                .keys()
                .chain(other.keys())
                .filter(|line| one.contains_key(line) != other.contains_key(line))
                .collect();
            assert!(differing.len() > 1000, "{file} {first} {second}");
            for more in ["-j1 --no-mmap", "-j4", "-j3 --emit offsets"] {
                let rows =
                    dir.run(&format!("-g {first} --also {second} --only differing --json {more} {file}"));
                assert_eq!(rows.status, 0);
                let rows: Vec<Value> =
                    rows.text().lines().map(|row| serde_json::from_str(row).unwrap()).collect();
                let mut found = Vec::new();
                for row in &rows {
                    let line = row["line"].as_u64().unwrap();
                    found.push(line);
                    assert_eq!(row["valid"], !one.contains_key(&line));
                    assert_eq!(row["also_valid"], !other.contains_key(&line));
                    let null = (Value::Null, Value::Null);
                    let error = (row["also_error_kind"].clone(), row["also_error_offset"].clone());
                    assert_eq!(&error, other.get(&line).unwrap_or(&null), "{row}");
                }
                let mut expected: Vec<_> = differing.iter().map(|line| **line).collect();
                expected.sort_unstable();
                assert_eq!(found, expected, "{file} {first} {second} {more}");
                let arrow = dir
                    .run(&format!("-g {first} --also {second} --only differing --to arrow {more} {file}"))
                    .stdout;
                let reader = StreamReader::try_new(&arrow[..], None).unwrap();
                assert_eq!(reader.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), expected.len());
            }
        }
    }
}

#[test]
fn columns_can_be_picked_for_all_rows_and_counted() {
    run("--also java --emit components --columns line,also_valid", LIST).expect(
        0,
        "1\ttrue\n2\tfalse\n3\ttrue\n4\tfalse\n5\ttrue\n6\ttrue\n",
        "",
    );
    run("--also java --columns line,also_valid", LIST).expect(1, "2\tfalse\n3\ttrue\n5\ttrue\n", "");
    let stream = run("--also java --columns also_error_kind --to arrow", LIST).stdout;
    let batch = StreamReader::try_new(&stream[..], None).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.column(0).as_string::<i32>().iter().collect::<Vec<_>>(), [Some("space"), None, None]);
    run("--also java --count also_error_kind", LIST).expect(
        0,
        "1\tempty-scheme-specific-part\n1\tspace\n",
        "",
    );
    run("--also java --count also_error_kind --only differing", LIST).expect(
        0,
        "1\tempty-scheme-specific-part\n",
        "",
    );
    run("--also java --count also_valid --only invalid", LIST).expect(0, "2\ttrue\n1\tfalse\n", "");
    run("--count uri --only valid", LIST).expect(0, "1\thttp://a/\n1\thttp://b/\n1\tmailto:\n", "");
    let log = "[\n{\"url\":\"a b\"}\n";
    assert_eq!(run("--from jsonl --count error_kind --only valid", log).status, 2);
    run("--from jsonl --count error_kind --only invalid", log).expect(
        0,
        "1\tmalformed-line\n1\tmissing-scheme\n",
        "",
    );
}

/// Tests that `--also` prints statistics only if no other output shows the comparison.
#[test]
fn statistics_of_the_comparison_come_if_nothing_else_shows_it() {
    let found = run("--also java", LIST);
    assert!(found.text().contains("valid as uri only"), "{}", found.text());
    let found = run("--also java --emit valid", LIST);
    assert!(found.stderr.contains("valid as uri only"), "{}", found.stderr);
    let found = run("--also java --only differing --stats --columns uri", LIST);
    assert_eq!(found.text().lines().count(), 3);
    assert!(found.stderr.contains("valid as uri only"), "{}", found.stderr);
    // A record over the limit is invalid by both grammars.
    run("--also java --only differing --max-record 6", LIST).expect(0, "", "");
    run("--also java --only differing", "").expect(0, "", "");
}
