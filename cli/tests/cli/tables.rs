//! Tests tables whose rows have more than one line: the result is the same for all ways to pass the input.

use std::io::Write;
use std::process::Stdio;

use super::{Dir, process, run};

const ROWS: &[u8] = include_bytes!("../../../corpora/logs/rows.csv");

/// Returns a table of more than one chunk. One row in ten has cells of many lines, one in 25 an invalid URI.
fn table(rows: usize) -> String {
    let mut table = String::from("id,note,url,more\r\n");
    for row in 0..rows {
        let note = if row % 10 == 4 { "\"a note\r\nof three \"\"lines\"\"\n\"" } else { "a note" };
        let url = if row % 25 == 0 { "http://example.com/a b" } else { "http://example.com/a" };
        let more = if row % 10 == 9 { "\"\n\nmore\"" } else { "" };
        table += &format!("{row},{note},{url},{more}\n");
    }
    table
}

#[test]
fn rows_of_many_lines_are_counted_by_their_own_lines() {
    let errors = run("--emit errors", ROWS);

    let lines: Vec<_> = errors.text().lines().collect();
    assert_eq!(lines.len(), 4, "{}", errors.text());
    assert!(lines[0].starts_with("-:12:27: space"), "{}", lines[0]);
    assert!(lines[1].starts_with("-:17:25: "), "{}", lines[1]);
    assert!(lines[2].starts_with("-:19:1: malformed-line: text after"), "{}", lines[2]);
    assert!(lines[3].starts_with("-:20:1: malformed-line: a quoted cell does not end"), "{}", lines[3]);
    let found = run("--emit components --to csv --columns line,column,uri --only valid", ROWS);
    assert_eq!(
        found.text(),
        "line,column,uri\n2,9,http://example.com/1\n4,8,http://example.com/2\n8,7,http://example.com/3\n\
         9,6,http://example.com/4\n13,8,\"http://example.com/6?a,b\"\n15,3,http://example.com/7\n"
    );
}

#[test]
fn the_way_in_makes_no_difference() {
    let table = table(40_000);
    let dir = Dir::new();
    dir.write("table.csv", &table);
    let gzip = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(table.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    dir.write("table.csv.gz", gzip);
    let args = "--emit offsets --to csv --columns line,column,length,valid,error_kind";
    let expected = run(&format!("-j1 {args}"), table.as_str());
    assert_eq!(expected.text().lines().count(), 40_001);
    assert_eq!(expected.text().lines().filter(|row| row.contains("false")).count(), 1_600);
    for threads in [1, 2, 3, 7, 16] {
        for way in ["table.csv", "--no-mmap table.csv", "table.csv.gz"] {
            let found = dir.run(&format!("-j{threads} {args} {way}"));
            assert!(found.stdout == expected.stdout, "{threads} {way}");
        }
        assert!(run(&format!("-j{threads} {args}"), table.as_str()).stdout == expected.stdout, "{threads}");
    }
    // The shares together are the whole table, and each is a table.
    dir.run("--emit none --valid valid --invalid invalid --rest rest table.csv");
    let share = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let rows = |name: &str| csv::Reader::from_reader(share(name).as_bytes()).into_records().count();
    assert_eq!((rows("valid"), rows("invalid"), rows("rest")), (38_400, 1_600, 0));
    let header = "id,note,url,more\r\n";
    assert_eq!(share("valid").len() + share("invalid").len(), table.len() + header.len());
    assert_eq!(share("rest"), header);
}

#[test]
fn rows_come_from_a_slow_pipe_in_any_pieces() {
    let expected = run("--emit offsets --to csv", ROWS);
    let mut pieces: Vec<Vec<usize>> = (1..ROWS.len()).step_by(13).map(|at| vec![at]).collect();
    pieces.push((1..ROWS.len()).step_by(40).collect());
    for cuts in pieces {
        let mut child = process()
            .args(["--emit", "offsets", "--to", "csv"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdin.take().unwrap();
        let mut at = 0;
        for &cut in cuts.iter().chain([&ROWS.len()]) {
            pipe.write_all(&ROWS[at..cut]).unwrap();
            at = cut;
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.stdout.escape_ascii().to_string(),
            expected.stdout.escape_ascii().to_string(),
            "{cuts:?}"
        );
    }
}

#[test]
fn the_first_invalid_row_ends_the_run() {
    // The row of the invalid record continues on later lines, and the file has more rows.
    let table = "id,url,note\n1,http://a/,x\n2,http://a/ b,\"y\n\nz\"\n3,http://b/ c,\n";
    let found = run("--fail-fast --emit errors", table);
    assert_eq!(found.status, 1);
    assert_eq!(found.text().lines().count(), 1, "{}", found.text());
    assert!(found.text().starts_with("-:3:12: space"), "{}", found.text());
    let invalid = run("--fail-fast --emit invalid", table);
    assert_eq!(invalid.text(), "id,url,note\n2,http://a/ b,\"y\n\nz\"\n");
}
