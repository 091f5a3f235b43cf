//! Tests lists of names. The library has each list once; these tests compare documentation, schema and
//! Python's types with it.

use serde_json::{Value, json};
use std::fs;
use std::path::Path;

use urivalidate::corpus::{Format, Malformed, Wrapper};
use urivalidate::stats::Suspicion;
use urivalidate::{Component, ErrorKind, Grammar, HostKind, RowColumn, RowKind};

pub(crate) fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(name)).unwrap()
}

macro_rules! names {
    ($type:ty) => {
        <$type>::ALL.iter().map(|one| one.name()).collect::<Vec<_>>()
    };
}

#[test]
fn the_schema_and_the_documentation_have_the_names_of_the_library() {
    let schema: Value = serde_json::from_str(&read("docs/statistics.schema.json")).unwrap();
    for (names, document) in [(names!(Grammar), "grammars.md"), (names!(Format), "formats.md")] {
        documents(document, &names);
    }
    for (definition, names, document) in [
        ("kind", names!(ErrorKind), "statistics.md"),
        ("component", names!(Component), "statistics.md"),
        ("host_kind", names!(HostKind), "statistics.md"),
        ("suspicion", names!(Suspicion), "statistics.md"),
        ("reason", names!(Malformed), "statistics.md"),
    ] {
        assert_eq!(schema["$defs"][definition]["enum"], json!(names), "{definition}");
        documents(document, &names);
    }
}

fn documents(document: &str, names: &[&str]) {
    let text = read(&format!("docs/{document}"));
    for name in names {
        assert!(text.contains(&format!("`{name}`")), "{document} does not name {name}");
    }
}

/// Tests the table of columns in `docs/command.md`, row by row.
#[test]
fn the_documentation_has_the_columns_of_the_library() {
    let has = |kind, column| {
        let grammar = Grammar::Java;
        if RowColumn::defaults(kind, grammar).contains(&column) {
            "yes"
        } else if RowColumn::others(kind, grammar).contains(&column)
            || column.is_named_by_user() && column.is_in(kind, grammar)
        {
            "picked"
        } else if RowColumn::counted().contains(&column) {
            "counted"
        } else {
            "no"
        }
    };
    let text = read("docs/command.md");
    let table: Vec<_> = text.lines().skip_while(|line| !line.starts_with("| column |")).collect();
    let table: Vec<_> = table.iter().skip(2).take_while(|line| line.starts_with('|')).copied().collect();
    let row = |column: RowColumn, name: &str, about: &str| {
        let [components, offsets, errors] =
            [RowKind::Components, RowKind::Offsets, RowKind::Errors].map(|kind| has(kind, column));
        format!("| `{name}` | {components} | {offsets} | {errors} | {about} |")
    };
    let listed = RowColumn::ALL.iter().map(|&column| row(column, column.name(), column.about()));
    let completed = RowColumn::NAMED_BY_USER
        .iter()
        .map(|&(name, about)| row(RowColumn::of_name(name).expect("its own name completes it"), name, about));
    let expected: Vec<_> = listed.chain(completed).collect();
    assert!(table == expected, "docs/command.md should have\n{}", expected.join("\n"));
}

#[test]
fn types_of_python_have_the_names_of_the_library() {
    let types = read("python/python/urivalidate/typing.py");
    let literal = |name: &str| -> Vec<String> {
        let (_, rest) = types.split_once(&format!("{name}Literal[")).expect("the type has a list of names");
        let (names, _) = rest.split_once(']').unwrap();
        names.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    };
    let with_aliases = |names: Vec<&'static str>, aliases: Vec<&'static str>| [names, aliases].concat();
    let aliases = Grammar::ALL.iter().flat_map(|&grammar| grammar.aliases()).copied().collect();
    assert_eq!(literal("Grammar = "), with_aliases(names!(Grammar), aliases));
    // Python's functions do not accept a regular expression.
    let formats = Format::ALL.iter().filter(|&&format| format != Format::Regex).map(|format| format.name());
    let wrappers = Wrapper::ALL.iter().map(|wrapper| wrapper.name());
    let aliases = Format::ALL.iter().flat_map(|&format| format.aliases()).copied().collect();
    let names = ["auto"].into_iter().chain(formats).chain(wrappers);
    assert_eq!(literal("Format = "), with_aliases(names.collect(), aliases));
    assert_eq!(literal("Emit = "), names!(RowKind));
}
