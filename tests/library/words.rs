//! The words that CONTRIBUTING.md retires are no part of any identifier in our code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the words of the retired list, which is the only line of this kind.
fn retired(contributing: &str) -> BTreeSet<&str> {
    let lead = "are no longer parts of identifiers: ";
    let (_, list) = contributing.split_once(lead).expect("the list of retired words");
    let (list, _) = list.split_once('.').expect("an end of the list");
    list.split('`').skip(1).step_by(2).collect()
}

/// Names of other crates.
const FOREIGN: &[&str] = &["inappropriate_for_plain_text"];

/// Returns the code of a file of Rust, line for line: without comments, and without what stands in literals
/// of text.
fn code(file: &str) -> String {
    let mut code = String::new();
    let mut rest = file;
    while let Some(next) = rest.chars().next() {
        let hashes =
            rest.strip_prefix('r').map_or("", |raw| &raw[..raw.len() - raw.trim_start_matches('#').len()]);
        let passed = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if next == 'r' && rest[1 + hashes.len()..].starts_with('"') {
            let end = format!("\"{hashes}");
            let start = hashes.len() + 2;
            start + rest[start..].find(&end).expect("an end of the text") + end.len()
        } else if next == '"' {
            text_len(rest)
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\\"'") {
            rest[1..].find('\'').expect("an end of the character") + 2
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
            continue;
        };
        code.extend(rest[..passed].chars().filter(|&character| character == '\n'));
        rest = &rest[passed..];
    }
    FOREIGN.iter().fold(code, |code, name| code.replace(name, ""))
}

/// Returns the length of the text literal at the start of `rest`.
fn text_len(rest: &str) -> usize {
    let mut bytes = rest.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return at + 1,
            _ => {}
        }
    }
    panic!("a text without an end");
}

/// Returns the words of the identifiers in a line of code, in lower case: `after_odd` and `AfterOdd` have two
/// each.
fn words(code: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in code.chars() {
        if !character.is_ascii_alphanumeric() || character.is_ascii_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = character.is_ascii_lowercase();
        if character.is_ascii_alphanumeric() {
            words.last_mut().expect("a word").push(character.to_ascii_lowercase());
        }
    }
    words
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn retired_words_are_no_identifiers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let contributing = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    let retired = retired(&contributing);
    assert!(retired.len() > 4, "{retired:?}");
    let mut files = Vec::new();
    for folder in
        ["src", "cli", "tests", "examples", "benches", "fuzz", "capi", "python", "datafusion", "duckdb"]
    {
        rust_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 300, "{} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        for (number, line) in code(&text).lines().enumerate() {
            for word in words(line).iter().filter(|word| retired.contains(word.as_str())) {
                found.push(format!("{}:{}: {word}", file.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn words_of_identifiers_are_found() {
    let text =
        "let isOdd = after_odd(\"plain \\\" text\nplain\", '\"', Behind::new, r#\"odd \" odd\"#); // met";
    let code = code(text);
    assert_eq!(code.lines().count(), text.lines().count());
    let expected = ["let", "is", "odd", "after", "odd", "behind", "new"];
    let found = words(&code);
    assert_eq!(found.iter().filter(|word| !word.is_empty()).collect::<Vec<_>>(), expected);
}
