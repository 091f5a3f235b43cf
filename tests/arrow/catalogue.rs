//! Tests the catalogue: the rule for its names, each function with its examples in every layout, and the
//! tables that documentation has of it.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, Datum, Scalar, StringArray};
use arrow_schema::DataType;
use urivalidate::arrow::catalogue::{
    Constant, FUNCTIONS, Function, Origin, Parameter, ParameterType, ResultType, function,
};
use urivalidate::arrow::{FunctionError, ParseUri, TextLayout};
use urivalidate::{Grammar, Validator};

use crate::arrays::{Value, arrays};

fn constants(function: &Function) -> &'static [Parameter] {
    &function.parameters()[function.columns()..]
}

/// Returns the examples of the constants, as many as `count`.
fn examples(function: &Function, count: usize) -> Vec<Option<Constant<'static>>> {
    let example = |parameter: &Parameter| match parameter.parameter_type() {
        ParameterType::Flag => Constant::Flag(parameter.example() == "true"),
        _ => Constant::Text(parameter.example()),
    };
    constants(function).iter().take(count).map(example).map(Some).collect()
}

#[test]
fn names_follow_the_rule() {
    // The rule names the one exception.
    for function in FUNCTIONS.iter().filter(|function| function.name() != "host_in") {
        let name = function.name();
        let (has_uri, has_url) = (name.contains("uri"), name.contains("url"));
        assert!(has_uri != has_url, "{name}");
        assert_eq!(has_url, function.origin() != Origin::Urivalidate, "{name}");
        match (name.strip_suffix("_field"), function.result()) {
            (Some(whole), ResultType::Field) => {
                assert!(FUNCTIONS.iter().any(|function| function.name() == whole), "{name}");
            }
            (None, ResultType::Field) | (Some(_), _) => panic!("{name} has another type than its name says"),
            _ => assert!(has_url || name.starts_with("uri_") || name.ends_with("_uri"), "{name}"),
        }
    }
    let mut short: Vec<_> = FUNCTIONS.iter().map(Function::short_name).collect();
    short.sort_unstable();
    assert!(short.windows(2).all(|pair| pair[0] != pair[1]), "two short names are the same: {short:?}");
}

#[test]
fn each_function_is_documented() {
    for function in FUNCTIONS {
        let (name, sentence) = (function.name(), function.sentence());
        assert!(sentence.ends_with('.') && !sentence.contains("  "), "{name}: {sentence}");
        // Another sentence would begin with a capital letter.
        let is_start = |next: &str| next.starts_with(|first: char| first.is_uppercase());
        assert!(!sentence.split(". ").skip(1).any(is_start), "{name} has more than a sentence: {sentence}");
        assert!(function.example().starts_with(&format!("{name}('")), "{name}");
        for related in function.related() {
            assert!(*related != name && self::function(related).is_some(), "{name}: {related}");
        }
        let is_optional = |parameter: &Parameter| !parameter.is_required();
        assert!(function.parameters().is_sorted_by_key(is_optional), "{name}: optional parameters come last");
        let has_grammar = |parameter: &Parameter| parameter.parameter_type() == ParameterType::Grammar;
        let takes_grammar = function.parameters().iter().any(has_grammar);
        let expected = takes_grammar || function.origin() == Origin::Spark;
        assert_eq!(function.grammar().is_some(), expected, "{name}");
    }
    assert_eq!(function("normalize_uri").unwrap().syntax(), "normalize_uri(uri [, form [, grammar]])");
    assert_eq!(function("resolve_uri").unwrap().syntax(), "resolve_uri(base, reference [, grammar])");
    assert!(function("parse_uri_all").is_none());
}

/// With each number of constants, a function returns a value of its type for each row, and NULL for NULL.
#[test]
fn each_function_takes_every_layout() {
    let values: Vec<Value> =
        [Some("http://u@example.co.uk:8080/a?q=b#c"), None, Some("a+b"), Some("http://h/ "), Some("../c")]
            .map(|value| value.map(|value| value.as_bytes().to_vec()))
            .to_vec();
    for function in FUNCTIONS {
        let required = constants(function).iter().filter(|parameter| parameter.is_required()).count();
        for count in required..=constants(function).len() {
            let call = function.call(&examples(function, count)).unwrap();
            for (layout, array) in arrays(&values) {
                let base = StringArray::from(vec![function.parameters()[0].example(); values.len()]);
                let bases: Vec<&dyn Datum> = if function.columns() == 2 { vec![&base] } else { vec![] };
                let columns = [bases, vec![&array]].concat();
                let result = match call.evaluate(&columns) {
                    Ok(result) => result,
                    // Other functions return NULL for invalid URLs.
                    Err(FunctionError::InvalidUrl { .. }) if function.name() == "parse_url" => continue,
                    Err(error) => panic!("{} of {layout}: {error}", function.name()),
                };
                let of = format!("{} of {layout}", function.name());
                assert_eq!(result.len(), values.len(), "{of}");
                for (row, value) in values.iter().enumerate() {
                    assert!(value.is_some() || result.is_null(row), "{of}: row {row}");
                }
                let is_dictionary = matches!(array.data_type(), DataType::Dictionary(..));
                let expected = function.result().data_type(array.data_type());
                if let Some(expected) = expected.filter(|_| !is_dictionary) {
                    assert_eq!(*result.data_type(), expected, "{of}");
                }
            }
        }
    }
}

fn evaluate(name: &str, constants: &[Option<Constant<'_>>], columns: &[&dyn Datum]) -> ArrayRef {
    function(name).unwrap().call(constants).unwrap().evaluate(columns).unwrap()
}

fn texts(array: &ArrayRef) -> Vec<Option<&str>> {
    array.as_string::<i32>().iter().collect()
}

/// The constants reach the function, each its own.
#[test]
fn constants_count() {
    let text = |text| Some(Constant::Text(text));
    let uris = StringArray::from(vec!["HTTP://a.github.io:80/%7e", "/a"]);
    let java = Validator::new(Grammar::Java);
    for (constants, expected) in [
        (&[][..], [Some("http://a.github.io:80/~"), None]),
        (&[text("scheme")], [Some("http://a.github.io/~"), None]),
        (&[None, text("java")], [Some("HTTP://a.github.io:80/%7e"), Some("/a")]),
        (&[None, Some(Constant::Validator(java))], [Some("HTTP://a.github.io:80/%7e"), Some("/a")]),
    ] {
        assert_eq!(texts(&evaluate("normalize_uri", constants, &[&uris])), expected, "{constants:?}");
    }
    let private = [Some(Constant::Flag(true))];
    assert_eq!(texts(&evaluate("uri_suffix", &[], &[&uris]))[0], Some("io"));
    assert_eq!(texts(&evaluate("uri_suffix", &private, &[&uris]))[0], Some("github.io"));
    assert_eq!(texts(&evaluate("uri_domain", &private, &[&uris]))[0], Some("a.github.io"));
    let hosts = evaluate("parse_uri_field", &[text("host")], &[&uris]);
    assert_eq!(texts(&hosts), [Some("a.github.io"), None]);
    let base = Scalar::new(StringArray::from(vec!["http://h/b"]));
    assert_eq!(texts(&evaluate("resolve_uri", &[], &[&base, &uris]))[1], Some("http://h/a"));
    let target = StringArray::from(vec!["http://h/c"]);
    assert_eq!(texts(&evaluate("relativize_uri", &[], &[&base, &target])), [Some("c")]);
    let queries = StringArray::from(vec!["http://h/?a=1+2&b=%26"]);
    assert_eq!(texts(&evaluate("url_extract_parameter", &[text("a")], &[&queries])), [Some("1 2")]);
    assert_eq!(texts(&evaluate("parse_url", &[text("QUERY"), text("a")], &[&queries])), [Some("1+2")]);
    let hosts = StringArray::from(vec![
        Some("http://a.b.example/"),
        Some("//b.example"),
        Some("http://c.example/"),
        Some("mailto:a@b.example"),
        None,
    ]);
    for (list, grammar, expected) in [
        (".b.example", "uri", [Some(true), Some(false), Some(false), Some(false), None]),
        (".b.example", "uri-reference", [Some(true), Some(true), Some(false), Some(false), None]),
        (" c.example  a.b.example ", "uri", [Some(true), Some(false), Some(true), Some(false), None]),
        (
            "# list\n0.0.0.0 c.example\n||b.example^\n",
            "iri",
            [Some(true), Some(false), Some(true), Some(false), None],
        ),
        ("", "uri", [Some(false), Some(false), Some(false), Some(false), None]),
    ] {
        let found = evaluate("host_in", &[text(list), text(grammar)], &[&hosts]);
        assert_eq!(found.as_boolean(), &BooleanArray::from(expected.to_vec()), "{list:.40}");
    }
    // The last long list is kept for the next call.
    for name in ["c.example", "b.example", "b.example", "c.example"] {
        let list = format!("{}{name}\n", "x.example\n".repeat(1000));
        let found = evaluate("host_in", &[Some(Constant::Text(&list))], &[&hosts]);
        assert_eq!(found.as_boolean().value(2), name == "c.example");
    }
    let verdict = function("is_valid_uri").unwrap().call(&[text("java")]).unwrap();
    assert_eq!(verdict.verdict(), Some(java));
    let valid = verdict.evaluate(&[&uris]).unwrap();
    assert_eq!(valid.as_boolean(), &BooleanArray::from(vec![true, true]));
    assert!(function("uri_spans").unwrap().call(&[]).unwrap().verdict().is_none());
}

#[test]
fn constants_that_do_not_fit_are_errors() {
    let text = |text| Some(Constant::Text(text));
    let error = |name: &str, constants: &[Option<Constant<'_>>]| {
        function(name).unwrap().call(constants).unwrap_err().to_string()
    };
    for (found, expected) in [
        (
            error("is_valid_uri", &[text("url")]),
            "unknown grammar \"url\": expected one of uri, uri-reference",
        ),
        (error("normalize_uri", &[text("java")]), "unknown form \"java\": expected one of syntax, scheme"),
        (
            error("normalize_uri", &[text("scheme"), text("java")]),
            "grammar java does not support the form scheme; use syntax",
        ),
        (error("is_valid_uri", &[None, text("java")]), "expected at most 1 constants, got 2"),
        (error("uri_surt", &[None]), "expected at most 0 constants, got 1"),
        (error("uri_suffix", &[text("java")]), "expected a boolean as private"),
        (error("is_valid_uri", &[Some(Constant::Flag(true))]), "expected the name of a grammar as grammar"),
        (error("parse_url", &[]), "the constant part is missing"),
        (error("host_in", &[]), "the constant list is missing"),
        (
            error("host_in", &[text("a\nhttp://h/")]),
            "the list of hosts: line 2: a URL; a list has only the names of hosts",
        ),
        (error("parse_url", &[text("QUERY"), text("(")]), "the key \"(\""),
    ] {
        assert!(found.contains(expected), "{found}");
    }
    let uris = StringArray::from(vec!["a:"]);
    let call = function("is_valid_uri").unwrap().call(&[]).unwrap();
    let error = call.evaluate(&[&uris, &uris]).unwrap_err().to_string();
    assert!(error.contains("is_valid_uri: expected 1 columns, got 2"), "{error}");
    for name in ["parse_uri_field", "uri_spans_field", "uri_error_field"] {
        let call = function(name).unwrap().call(&[text("hots")]).unwrap();
        let error = call.evaluate(&[&uris]).unwrap_err();
        assert!(matches!(error, FunctionError::UnknownField { .. }), "{name}: {error}");
    }
}

/// As in Spark, `parse_url` returns NULL for a part and a key that only some rows have.
#[test]
fn constants_for_which_all_results_are_null_are_no_error_for_some_rows() {
    let text = |text| Some(Constant::Text(text));
    let uris = StringArray::from(vec!["http://h/"]);
    for constants in [&[text("host")][..], &[text("HOST"), text("k")]] {
        for name in ["parse_url", "try_parse_url"] {
            function(name).unwrap().call(constants).unwrap_err();
            let parts = function(name).unwrap().call_for_rows(constants).unwrap().evaluate(&[&uris]).unwrap();
            assert_eq!(texts(&parts), [None]);
            assert_eq!(texts(&evaluate(name, &[text("HOST")], &[&uris])), [Some("h")]);
        }
    }
}

/// In the catalogue, `parse_uri` has the fields of all grammars with each grammar.
#[test]
fn a_field_that_the_grammar_lacks_is_null() {
    let uris = StringArray::from(vec![Some("http://u@h:1/a?b#c"), None, Some("a b"), Some("mailto:a")]);
    for &grammar in Grammar::ALL {
        let constants = [Some(Constant::Text(grammar.name()))];
        let all = evaluate("parse_uri", &constants, &[&uris]);
        let all = all.as_struct();
        let parsed = ParseUri::new(Validator::new(grammar)).parse(&uris).unwrap();
        assert_eq!(all.nulls(), parsed.nulls(), "{grammar}");
        for (field, column) in all.fields().iter().zip(all.columns()) {
            match parsed.column_by_name(field.name()) {
                Some(expected) => assert_eq!(column, expected, "{grammar}: {}", field.name()),
                None => assert_eq!(column.logical_null_count(), uris.len(), "{grammar}: {}", field.name()),
            }
            let constants = [Some(Constant::Text(field.name())), constants[0]];
            let one = evaluate("parse_uri_field", &constants, &[&uris]);
            assert_eq!(&one, column, "{grammar}: {}", field.name());
        }
        assert!(all.num_columns() >= parsed.num_columns(), "{grammar}");
    }
    let views = ResultType::Components.data_type(&DataType::Utf8View);
    let java = ParseUri::new(Validator::new(Grammar::Java)).text(TextLayout::Utf8View);
    assert_eq!(views, Some(java.data_type()));
}

/// Returns a table of functions, with these columns after the syntax.
fn table(
    functions: impl Fn(&Function) -> bool,
    head: &str,
    quote: &str,
    columns: impl Fn(&'static Function) -> Vec<&'static str>,
) -> String {
    let mut table = format!("{head}\n|{}\n", "---|".repeat(head.matches('|').count() - 1));
    for function in FUNCTIONS.iter().filter(|function| functions(function)) {
        let cells = [columns(function), vec![function.sentence()]].concat().join(" | ");
        table += &format!("| {quote}{}{quote} | {cells} |\n", function.syntax());
    }
    table
}

/// Replaces the table with the same head in a file if `URIVALIDATE_WRITE_TABLES` is set, and compares it
/// otherwise.
fn compare(file: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let head = table.lines().next().unwrap();
    let start = text.find(head).unwrap_or_else(|| panic!("{file} has no table with the head {head}"));
    let lines = text[start..].split_inclusive('\n').take_while(|line| line.starts_with('|'));
    let end = start + lines.map(str::len).sum::<usize>();
    if std::env::var_os("URIVALIDATE_WRITE_TABLES").is_some() {
        std::fs::write(&path, [&text[..start], table, &text[end..]].concat()).unwrap();
    } else {
        let set = "URIVALIDATE_WRITE_TABLES=1 writes the table";
        assert!(text[start..end] == *table, "{file} differs from the catalogue: {set}:\n{table}");
    }
}

#[test]
fn tables_are_those_of_the_catalogue() {
    let full = |function: &'static Function| {
        let grammar = function.grammar().map_or("", Grammar::name);
        vec![grammar, function.result().description()]
    };
    compare(
        "docs/functions.md",
        &table(|_| true, "| function | default grammar | result | description |", "`", full),
    );

    let head = "| function | result | description |";
    let result = |function: &'static Function| vec![function.result().description()];
    compare("datafusion/README.md", &table(|_| true, head, "`", result));

    // A function of DuckDB has one type, and DuckDB itself has url_encode and url_decode.
    let in_duckdb = |function: &Function| {
        function.result() != ResultType::Field && !["url_encode", "url_decode"].contains(&function.name())
    };
    let result = |function: &'static Function| {
        vec![match function.result() {
            ResultType::Boolean => "BOOLEAN",
            ResultType::Integer => "BIGINT",
            ResultType::Text => "VARCHAR",
            ResultType::Texts => "VARCHAR[]",
            ResultType::Map | ResultType::MapOfLists => "MAP",
            _ => "STRUCT",
        }]
    };
    compare("duckdb/README.md", &table(in_duckdb, head, "`", result));
    compare("python/python/urivalidate/duckdb.py", &table(in_duckdb, head, "``", result));
}
