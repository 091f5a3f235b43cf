//! Tests the parts of URLs against the table in the documentation of `ParseUrl`.

use arrow_array::{Array, BinaryArray, StringArray};
use proptest::prelude::*;
use urivalidate::arrow::{FunctionError, ParseUrl};
use urivalidate::{Component, Grammar, parse};

use crate::arrays::{self, Value, arrays};
use crate::records;

const PARTS: &[(&str, Component)] = &[
    ("HOST", Component::Host),
    ("PATH", Component::Path),
    ("QUERY", Component::Query),
    ("REF", Component::Fragment),
    ("PROTOCOL", Component::Scheme),
    ("AUTHORITY", Component::Authority),
    ("USERINFO", Component::Userinfo),
];

/// Returns the part of each valid URL.
fn expected(values: &[Value], part: &str) -> Vec<Value> {
    let of = |url: &[u8]| {
        let components = parse(Grammar::Java, url).ok()?;
        let get = |component| components.get(component).map(|range| url[range].to_vec());
        if part == "FILE" {
            let path = get(Component::Path)?;
            return Some(match get(Component::Query) {
                Some(query) => [&path, &b"?"[..], &query].concat(),
                None => path,
            });
        }
        get(PARTS.iter().find(|(name, _)| *name == part)?.1)
    };
    values.iter().map(|value| of(value.as_deref()?)).collect()
}

/// Returns true for text that an engine with UTF-16 strings can hold.
fn is_utf8(value: &Value) -> bool {
    value.as_deref().is_none_or(|bytes| std::str::from_utf8(bytes).is_ok())
}

proptest! {
    #[test]
    fn parts_are_those_of_the_parser(values in records::texts()) {
        for part in PARTS.iter().map(|(name, _)| *name).chain(["FILE", "host", ""]) {
            let function = ParseUrl::new(part, None).unwrap();
            let expected = expected(&values, part);
            let first_invalid = values.iter().position(|value| {
                value.as_deref().is_some_and(|url| parse(Grammar::Java, url).is_err())
            });
            for (layout, array) in arrays(&values) {
                let found = function.try_parse(&array).unwrap();
                prop_assert_eq!(arrays::texts(&found), expected.clone(), "{} of {}", part, layout);
                match (function.parse(&array), first_invalid) {
                    (Ok(found), None) => prop_assert_eq!(arrays::texts(&found), expected.clone()),
                    (Err(FunctionError::InvalidUrl { row, .. }), Some(first)) => prop_assert_eq!(row, first),
                    (result, first) => panic!("{result:?}, first invalid: {first:?}"),
                }
            }
        }
    }

    #[test]
    fn what_is_ill_formed_is_read_as_replacement_characters(values in records::values()) {
        let decoded: Vec<Value> = values
            .iter()
            .map(|value| {
                let decode = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned().into_bytes();
                // A surrogate counts as one character, whole or cut off.
                let is_surrogate = |bytes: &[u8]| bytes[0] == 0xED && (0xA0..=0xBF).contains(&bytes[1]);
                let bytes = value.as_deref()?;
                let mut parts = Vec::new();
                let mut rest = bytes;
                while let Some(at) = rest.windows(2).position(is_surrogate) {
                    parts.push(decode(&rest[..at]));
                    let is_whole = rest.get(at + 2).is_some_and(|byte| (0x80..=0xBF).contains(byte));
                    rest = &rest[at + if is_whole { 3 } else { 2 }..];
                }
                parts.push(decode(rest));
                Some(parts.join("\u{FFFD}".as_bytes()))
            })
            .collect();
        prop_assert!(decoded.iter().all(is_utf8));
        for part in ["HOST", "PATH", "QUERY", "AUTHORITY"] {
            let function = ParseUrl::new(part, None).unwrap();
            let expected = expected(&decoded, part);
            for (layout, array) in arrays(&values) {
                let found = function.try_parse(&array).unwrap();
                prop_assert_eq!(arrays::texts(&found), expected.clone(), "{} of {}", part, layout);
            }
        }
    }

    /// Tests that one URL has the same part, or the same error, as an array with this URL.
    #[test]
    fn one_url_is_as_an_array(values in records::values()) {
        let functions = PARTS.iter().map(|(name, _)| (*name, None));
        for (part, key) in functions.chain([("FILE", None), ("host", None), ("QUERY", Some("[a-z]")), ("HOST", Some("a"))]) {
            let function = ParseUrl::new(part, key).unwrap();
            for url in values.iter().flatten() {
                let found = function.parse_one(url).map(|part| part.map(|part| part.into_owned()));
                match function.parse(&BinaryArray::from_iter_values([url])) {
                    Ok(array) => prop_assert_eq!(found, Ok(arrays::texts(&array)[0].clone())),
                    Err(FunctionError::InvalidUrl { error, .. }) => prop_assert_eq!(found, Err(error)),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}

#[test]
fn a_key_gives_the_value_of_a_parameter() {
    let urls = StringArray::from(vec![
        Some("http://h/?a=1&b=2"),
        Some("http://h/?ab=1"),
        Some("http://h/"),
        Some("mailto:x?a=1"),
        Some("http://h/ ?a=1"),
        None,
        Some("?x&a="),
    ]);
    let strings = |function: ParseUrl, urls: &dyn Array| arrays::texts(&function.try_parse(urls).unwrap());
    let value = |text: &str| Some(text.as_bytes().to_vec());
    let a = ParseUrl::new("QUERY", Some("a")).unwrap();
    assert_eq!(strings(a.clone(), &urls), [value("1"), None, None, None, None, None, value("")]);
    let pattern = ParseUrl::new("QUERY", Some("ab?")).unwrap();
    assert_eq!(strings(pattern, &urls), [value("1"), value("1"), None, None, None, None, value("")]);
    // For other parts the key has no effect, and the URL may be invalid.
    let host = ParseUrl::new("HOST", Some("a")).unwrap();
    assert_eq!(host.parse(&urls).unwrap().null_count(), urls.len());

    let error = a.parse(&urls).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the URL in row 4 is invalid, a space must be written %20 (at byte 9): \"http://h/ ?a=1\""
    );
    assert!(ParseUrl::new("HOST", None).unwrap().parse(&urls.slice(0, 4)).is_ok());
}

/// For ill-formed text, Java makes as many replacement characters as the functions do for Spark 4.
#[test]
fn replacement_characters_are_as_many_as_javas() {
    for (path, characters) in [
        (&b"/\xff"[..], 1),
        (b"/\xe2\x82", 1),
        (b"/\xe2\x82/", 1),
        (b"/\xf0\x9f\x98", 1),
        (b"/\xe0\x80\x80", 3),
        (b"/\xf5\x80\x80\x80", 4),
        (b"/\xed\xa0\x80", 1),
        (b"/\xed\xa0\x80\xed\xbf\xbf", 2),
        (b"/\xed\xa0", 1),
        (b"/\xed\xbf/", 1),
        (b"/\xed\xa0\xed\x8f\xf0", 3),
        (b"/\xc0\xed\xbf\xf5\x90\xf4\xef", 6),
    ] {
        let array = BinaryArray::from_iter_values([path]);
        let found = ParseUrl::new("PATH", None).unwrap().try_parse(&array).unwrap();
        let found = arrays::texts(&found)[0].clone().unwrap();
        let found = String::from_utf8(found).unwrap();
        assert_eq!(found.matches('\u{FFFD}').count(), characters, "{path:x?}");
    }
}
