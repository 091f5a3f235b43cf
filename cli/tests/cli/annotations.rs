//! Tests the forms of errors for continuous integration: `--to github` and `--to sarif`.

use serde_json::Value;

use super::{Dir, run};

/// Returns the parts of a workflow command, by the rules of GitHub's runner: after `::`, a name, a space, and
/// properties between commas; after the next `::`, the message. Escapes of both are undone.
fn command(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (name, properties) = head.split_once(' ').unwrap();
    let message = message.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property = |property: &str| {
        let (key, value) = property.split_once('=').unwrap();
        let value = value.replace("%3A", ":").replace("%2C", ",").replace("%0D", "\r").replace("%0A", "\n");
        (key.to_owned(), value.replace("%25", "%"))
    };
    (name.to_owned(), properties.split(',').map(property).collect(), message)
}

#[test]
fn annotations_are_workflow_commands() {
    let dir = Dir::new();
    let name = "a,b:c%2C.txt";
    dir.write(name, "http://a/\nhttp://a/b c\nhttp://a/%zz\n");
    let found = dir.run(&format!("--to github {name}"));
    let lines: Vec<_> = found.text().lines().collect();
    assert_eq!(
        lines[0],
        "::error file=a%2Cb%3Ac%252C.txt,line=2,col=11,title=space::a space must be written %2520"
    );
    let expected = [("file", name), ("line", "3"), ("col", "11"), ("title", "invalid-percent-encoding")];
    let expected = expected.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
    let message = "\"%\" must be followed by two hexadecimal digits, found \"z\"".to_owned();
    assert_eq!(command(lines[1]), ("error".to_owned(), expected, message));
    assert_eq!((found.status, lines.len()), (1, 2));
    assert_eq!((&found.stderr[..], found.summary()), ("", "2 findings in 3 records of 1 file"));
    let denied = dir.run(&format!("--to github --deny suspicious --ignore b --no-notes {name}"));
    assert_eq!(denied.text().lines().count(), 1);
    let suspicious = run("--to github --deny suspicious --no-notes", "http://a_b/\n");
    assert_eq!(
        suspicious.text(),
        "::error file=-,line=1,col=1,title=suspicious::host-not-dns: the host is neither a name in the DNS nor an address\n"
    );
    // GitHub does not know a file whose path starts with a dot.
    let walked = dir.run("--to github -r --no-notes");
    assert!(walked.text().starts_with("::error file=a%2Cb%3Ac%252C.txt,line=2,"), "{}", walked.text());
    let mended = run("--to github --suggest --no-notes", "http://a/b c\n");
    assert!(mended.text().ends_with("; try http://a/b%2520c\n"), "{}", mended.text());
    assert_eq!(run("--to github --emit offsets", "").status, 2);
    assert_eq!(run("--to github --count host", "").status, 2);
    assert_eq!(run("--to sarif --columns line", "").status, 2);
}

#[test]
fn a_sarif_log_has_a_result_for_each_finding() {
    let dir = Dir::new();
    dir.write("a b.txt", "http://a/\n".to_owned() + &"urn:é é\nhttp://h:p/\n".repeat(20_000));
    dir.write("names", "a b.txt\n");
    let rows = dir.run("-g iri --columns line,error_kind,message,error_column --to jsonl --files-from names");
    let rows: Vec<Value> = rows.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for threads in ["-j1", "-j4"] {
        let found = dir.run(&format!("{threads} -g iri --to sarif --no-notes --files-from names"));
        assert_eq!(found.status, 1);
        let log = found.json();
        assert_eq!(
            (&log["version"], &log["runs"][0]["columnKind"]),
            (&"2.1.0".into(), &"unicodeCodePoints".into())
        );
        let (results, rules) = (&log["runs"][0]["results"], &log["runs"][0]["tool"]["driver"]["rules"]);
        let (results, rules) = (results.as_array().unwrap(), rules.as_array().unwrap());
        assert!(rules.iter().all(|rule| rule["help"]["text"].as_str().is_some_and(|text| text.len() > 10)));
        assert_eq!(results.len(), rows.len());
        for (result, row) in results.iter().zip(&rows) {
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(
                (&result["ruleId"], &result["message"]["text"]),
                (&row["error_kind"], &row["message"])
            );
            assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
            assert_eq!(place["artifactLocation"]["uri"], "a%20b.txt");
            assert_eq!(place["region"]["startLine"], row["line"]);
        }
        // Columns are in characters: "é" has two bytes.
        assert_eq!(rows[0]["error_column"], 7);
        assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startColumn"], 6);
    }
    let one_line = run("--from text --to sarif --no-notes", "é http://a:x/ é http://b:y/\né http://c:z/\n");
    let results = &one_line.json()["runs"][0]["results"];
    let regions: Vec<_> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["locations"][0]["physicalLocation"]["region"].clone())
        .map(|region| (region["startLine"].as_u64().unwrap(), region["startColumn"].as_u64().unwrap()))
        .collect();
    assert_eq!(regions, [(1, 12), (1, 26), (2, 12)]);
    // A record that ends with NUL may have any other byte.
    let nul = run("-0 --to sarif --no-notes --suggest", "urn:a\nb\0urn:é é\0");
    let results = &nul.json()["runs"][0]["results"];
    let region = |at: usize| results[at]["locations"][0]["physicalLocation"]["region"].clone();
    assert_eq!((&region(0)["startLine"], &region(0)["startColumn"]), (&1.into(), &6.into()));
    assert_eq!((&region(1)["startLine"], &region(1)["startColumn"]), (&2.into(), &5.into()));
    // The start of a long line is in a chunk before, and its characters are not known.
    let long = run("--from html --to sarif --no-notes", "é <a href=\"http://h/a b\">x</a> ".repeat(4_000));
    let results = &long.json()["runs"][0]["results"];
    let columns: Vec<_> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["locations"][0]["physicalLocation"]["region"]["startColumn"].as_u64())
        .collect();
    assert!(columns.len() == 4_000 && columns.contains(&None) && columns[0] == Some(22));
    for (place, column) in (0..).zip(columns) {
        assert!(column.is_none_or(|column| column == 22 + 31 * place), "{place} {column:?}");
    }
    let empty = run("--to sarif --no-notes", "http://a/\n");
    assert_eq!((empty.status, &empty.json()["runs"][0]["results"]), (0, &Value::Array(Vec::new())));
}
