//! Tests keys of `parse_url` against the results of Java's regular expressions, which `scripts/java-keys`
//! recorded.

use arrow_array::StringArray;
use arrow_array::cast::AsArray;
use urivalidate::arrow::ParseUrl;

/// A key, and the queries with Java's result for each: the value, no value, or that Java rejects the key.
struct Case<'a> {
    key: &'a str,
    answers: Vec<(&'a str, &'a str)>,
}

fn cases(answers: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in answers.lines() {
        let [key, query, answer] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line:?}") };
        if cases.last().is_none_or(|last| last.key != key) {
            cases.push(Case { key, answers: Vec::new() });
        }
        cases.last_mut().unwrap().answers.push((query, answer));
    }
    cases
}

/// With the environment variable `JAVA_KEYS`, tests the cases of that file.
#[test]
fn a_key_finds_what_java_finds_or_is_refused() {
    let answers = match std::env::var("JAVA_KEYS") {
        Ok(file) => std::fs::read_to_string(file).unwrap(),
        Err(_) => include_str!("java-keys.tsv").to_owned(),
    };
    let (mut taken, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for Case { key, answers } in cases(&answers) {
        let Ok(parse_url) = ParseUrl::new("QUERY", Some(key)) else {
            refused += 1;
            continue;
        };
        taken += 1;
        let urls: StringArray = answers.iter().map(|(query, _)| Some(format!("http://h/?{query}"))).collect();
        let values = parse_url.try_parse(&urls).unwrap();
        for (value, (query, answer)) in values.as_string::<i32>().iter().zip(answers) {
            let value = value.map_or("-".to_owned(), |value| format!("={value}"));
            if value != answer {
                wrong.push(format!("{key:?} in {query:?}: {value}, but Java {answer}"));
            }
        }
    }
    println!("{taken} keys are taken, {refused} refused");
    assert!(wrong.is_empty(), "{} answers differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(3 * taken > refused, "{taken} are taken, {refused} refused");
}
