//! Compares the functions of all parameters of a query with a simple implementation, in every layout.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use urivalidate::arrow::{
    ParseUrl, url_extract_parameter, url_extract_query_names, url_parameters, url_parameters_all,
};
use urivalidate::{Derivation, Grammar, RowColumn, Validator};

use crate::arrays::{self, Value, arrays};

/// The names and values of a query, decoded as HTML forms are.
fn pairs(uri: &str) -> Option<Vec<(String, String)>> {
    let (_, query) = uri.split_once('?')?;
    let decoded = |text: &str| {
        let mut bytes = Vec::new();
        let mut rest = text.as_bytes();
        while let Some((&byte, after)) = rest.split_first() {
            rest = match byte {
                b'%' => {
                    bytes.push(u8::from_str_radix(str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
                    &after[2..]
                }
                b'+' => {
                    bytes.push(b' ');
                    after
                }
                byte => {
                    bytes.push(byte);
                    after
                }
            };
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let parameters = query.split('&').filter(|parameter| !parameter.is_empty());
    Some(
        parameters
            .map(|one| one.split_once('=').unwrap_or((one, "")))
            .map(|(n, v)| (decoded(n), decoded(v)))
            .collect(),
    )
}

fn texts(array: &ArrayRef) -> Vec<String> {
    arrays::texts(array).into_iter().map(|text| String::from_utf8(text.unwrap()).unwrap()).collect()
}

/// Returns queries of all shapes: names that repeat, escapes, empty ones.
fn uris() -> Vec<Option<String>> {
    let pieces = [
        "a",
        "b",
        "a+b",
        "%61",
        "%C3%A9",
        "%ff",
        "",
        "=",
        "==",
        "a=b=c",
        "x=1",
        "x=2",
        "%26=%3D",
        "long-name-of-a-parameter=with-a-long-value",
    ];
    let mut number = 7_usize;
    let mut next = |most: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) % most
    };
    (0..3000)
        .map(|at| match at % 11 {
            0 => None,
            1 => Some("http://h/".to_owned()),
            2 => Some("a b?a=1".to_owned()),
            _ => {
                let query: Vec<_> = (0..next(9)).map(|_| pieces[next(pieces.len())]).collect();
                Some(format!("http://h/?{}", query.join("&")))
            }
        })
        .collect()
}

#[test]
fn parameters_are_those_of_a_simple_implementation() {
    let uris = uris();
    let values: Vec<Value> = uris.iter().map(|uri| uri.as_ref().map(|uri| uri.as_bytes().to_vec())).collect();
    let validator = Validator::new(Grammar::Uri);
    for (layout, array) in arrays(&values) {
        let names = url_extract_query_names(&validator, &array).unwrap();
        let first = url_parameters(&validator, &array).unwrap();
        let all = url_parameters_all(&validator, &array).unwrap();
        for (row, uri) in uris.iter().enumerate() {
            let of = format!("{layout}, {uri:?}");
            let expected = uri.as_deref().filter(|uri| uri.starts_with("http")).and_then(pairs);
            let is_null = [&names, &first, &all].map(|array: &ArrayRef| array.is_null(row));
            assert_eq!(is_null, [expected.is_none(); 3], "{of}");
            let Some(expected) = expected else { continue };
            let expected_names: Vec<_> = expected.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(texts(&names.as_list::<i32>().value(row)), expected_names, "{of}");
            let mut groups: Vec<(String, Vec<String>)> = Vec::new();
            for (name, value) in expected {
                match groups.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, values)) => values.push(value),
                    None => groups.push((name, vec![value])),
                }
            }
            let entries = first.as_map().value(row);
            let found = texts(entries.column(0)).into_iter().zip(texts(entries.column(1)));
            let expected_first = groups.iter().map(|(name, values)| (name.clone(), values[0].clone()));
            assert_eq!(found.collect::<Vec<_>>(), expected_first.collect::<Vec<_>>(), "{of}");
            let entries = all.as_map().value(row);
            let lists =
                (0..entries.len()).map(|index| texts(&entries.column(1).as_list::<i32>().value(index)));
            let found: Vec<_> = texts(entries.column(0)).into_iter().zip(lists).collect();
            assert_eq!(found, groups, "{of}");
        }
    }
}

/// A value of the map is that of the function for one parameter.
#[test]
fn the_map_agrees_with_the_function_for_one_parameter() {
    let uris: StringArray = uris().into_iter().collect();
    let validator = Validator::new(Grammar::Uri);
    let maps = url_parameters(&validator, &uris).unwrap();
    for name in ["a", "b", "x", "long-name-of-a-parameter"] {
        let values = url_extract_parameter(&validator, &uris, name).unwrap();
        for row in 0..uris.len() {
            let entries = maps.as_map().value(row);
            let keys = texts(entries.column(0));
            let found = keys.iter().position(|key| key == name).filter(|_| maps.is_valid(row));
            let found = found.map(|index| texts(entries.column(1))[index].clone());
            let expected = arrays::texts(&values)[row].clone().map(|text| String::from_utf8(text).unwrap());
            // The function for one parameter does not decode names.
            if !uris.is_valid(row) || !uris.value(row).contains("%61") || name != "a" {
                assert_eq!(found, expected, "{name} of {:?}", uris.is_valid(row).then(|| uris.value(row)));
            }
        }
    }
}

/// Compares the table in the documentation with the functions and the column.
#[test]
fn the_table_of_the_documentation_is_right() {
    let docs = include_str!("../../docs/functions.md").lines();
    let rows: Vec<Vec<&str>> = docs
        .skip_while(|line| !line.starts_with("| query |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    assert!(rows.len() > 5);
    let validator = Validator::new(Grammar::Uri);
    let derivation = Derivation::default();
    let deriver = derivation.deriver(validator).unwrap();
    let column = RowColumn::of_name("query.b").unwrap();
    for row in rows {
        let uri = format!("http://h/?{}", row[0].trim_matches('`'));
        let uris = StringArray::from(vec![uri.as_str()]);
        let text = |array: ArrayRef| array.is_valid(0).then(|| texts(&array)[0].clone());
        let entries = url_parameters(&validator, &uris).unwrap().as_map().value(0);
        let at = texts(entries.column(0)).iter().position(|name| name == "b");
        let derived = deriver.value(column, uri.as_bytes(), None);
        let found = [
            text(ParseUrl::new("QUERY", Some("b")).unwrap().try_parse(&uris).unwrap()),
            text(url_extract_parameter(&validator, &uris, "b").unwrap()),
            at.map(|at| texts(entries.column(1))[at].clone()),
            derived.map(|value| String::from_utf8(value.into_owned()).unwrap()),
        ];
        let shown = found.map(|value| value.map_or("NULL".to_owned(), |value| format!("`{value}`")));
        assert_eq!(row[1..], shown, "{uri}");
    }
}

/// Queries of 100,000 equal or different names.
#[test]
fn long_queries_have_many_names() {
    let names = |name: &dyn Fn(usize) -> String| (0..100_000).map(name).collect::<Vec<_>>().join("&");
    let uris = StringArray::from(vec![
        format!("http://h/?{}", names(&|_| "a".to_owned())),
        format!("http://h/?{}", names(&|at| format!("n{at}"))),
    ]);
    let all = url_parameters_all(&Validator::new(Grammar::Uri), &uris).unwrap();
    let entries = [0, 1].map(|row| all.as_map().value(row));
    assert_eq!(entries.each_ref().map(|entries| entries.len()), [1, 100_000]);
    assert_eq!(entries[0].column(1).as_list::<i32>().value(0).len(), 100_000);
}
