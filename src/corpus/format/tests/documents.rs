//! JSON documents: samples, traps, and the same as serde_json of any document.

use serde_json::Value;

use super::*;

pub(super) const HAR: &str = include_str!("../../../../corpora/logs/requests.har");
pub(super) const CAPTURES: &str = include_str!("../../../../corpora/logs/captures.json");
pub(super) const PLACES: &str = include_str!("../../../../corpora/logs/places.geojson");
pub(super) const PAGES: &str = include_str!("../../../../corpora/logs/pages.json");

/// The places where documents are malformed, and the reasons.
fn places(found: &Extracted) -> Vec<(u64, u64, Malformed)> {
    let malformed = found.malformed.iter().zip(&found.malformed_columns);
    malformed.map(|(&(line, _, reason), &column)| (line, column, reason)).collect()
}

#[test]
fn http_archives() {
    let found = case(Format::Har).detected(HAR).run(HAR);
    let expected = ["http://www.example.com/", "https://www.example.com/s?q=a b\\\"c", "data:text/plain,a"];
    assert_eq!(texts(&found), expected);
    assert_eq!((found.errors.as_slice(), found.malformed.len(), found.count), (&[(18, 51)][..], 0, 26));
    assert_eq!(found.records[0].0, 10);
    // Read as any document, it has other keys of the same name.
    assert_eq!(case(Format::Json).run(HAR).records.len(), 4);
    let redirects = key(Format::Har, "log.entries.response.redirectURL").run(HAR);
    assert_eq!((texts(&redirects), redirects.without_key), (vec!["https://www.example.com/"], 2));
    let on_a_line: String = HAR.lines().map(str::trim).collect();
    let found = case(Format::Har).detected(&on_a_line).run(&on_a_line);
    assert_eq!(texts(&found), expected);
    assert!(found.records.iter().all(|&(line, ..)| line == 1));
    let at = |uri: &str| on_a_line.find(uri).unwrap() as u64 + 1;
    assert_eq!(found.records[2].1, at("data:"));
    assert_eq!(found.errors, [(1, at(" b\\u0022c"))]);
}

#[test]
fn answers_of_cdx_servers() {
    let found = case(Format::Json).detected(CAPTURES).run(CAPTURES);
    let expected = ["http://example.com:80/", "http://www.example.com/?q=a|b", "http://www.example.com/x"];
    assert_eq!(texts(&found), expected);
    assert_eq!((found.errors.as_slice(), found.malformed.len()), (&[(3, 71)][..], 0));
    let digests = key(Format::Json, "digest").run(CAPTURES);
    assert_eq!((digests.records.len(), digests.malformed.len()), (3, 0));
    let rows = case(Format::Json).run(r#"[["x","url"],["a"],["a",null],["a",1],["a",["b"]],["a","b","c"]]"#);
    assert_eq!((texts(&rows), rows.sentinels), (vec!["b"], 1));
    use Malformed::{NotAString, TooFewColumns};
    assert_eq!(places(&rows), [(1, 18, TooFewColumns), (1, 36, NotAString), (1, 44, NotAString)]);
    let unnamed = case(Format::Json).run("[[\"a\"],\n[\"b\"]]\n");
    assert_eq!(places(&unnamed), [(1, 6, Malformed::NotInHeader)]);
    assert_eq!(case(Format::Json).run("[]\n[[]]").malformed.len(), 1);
}

#[test]
fn keys_at_any_depth() {
    let found = case(Format::Json).detected(PLACES).run(PLACES);
    assert_eq!(texts(&found), ["https://www.example.com/places/1", "www.example.com/places/3"]);
    assert_eq!((found.sentinels, found.errors.as_slice()), (1, &[(11, 62)][..]));
    let found = case(Format::Json).detected(PAGES).run(PAGES);
    let records: Vec<_> =
        found.records.iter().map(|(line, column, text)| (*line, *column, text.as_str())).collect();
    let expected = [
        (4, 13, "http://www.example.com/"),
        (5, 24, "http://www.example.com/a"),
        (5, 61, "/b"),
        (10, 22, "http://www.example.com/\\xc3\\xa4"),
    ];
    assert_eq!(records, expected);
    assert_eq!(found.errors, [(5, 61), (10, 45)]);
    assert_eq!(found.sentinels, 1);
    assert_eq!((found.without_key, places(&found)), (1, vec![(14, 20, Malformed::NotAString)]));
    assert_eq!(found.valid, b"http://www.example.com/\nhttp://www.example.com/a\n");
    // Strings of a document, and documents in a row.
    let strings = "[\"a:b\",null,[\"a:c\"]]\"a:d\"\n{\"url\":[\"a:e\",{\"uri\":\"a:f\"}]}\u{1E}{\"url\":{}}";
    let found = case(Format::Json).run(strings);
    assert_eq!(texts(&found), ["a:b", "a:c", "a:d", "a:e", "a:f"]);
    assert_eq!((found.sentinels, found.without_key, places(&found)), (1, 1, vec![]));
}

#[test]
fn paths_lead_through_arrays() {
    let text = r#"[{"a":[{"b":"1"},{"b":["2","3"]},{"c":"4"}],"a.b":"5"},{"a":"6"},{"a":{"b":{"b":"7"}}},{"d":[{"a":8}]},9]"#;
    let of = |name: &str| {
        let found = key(Format::Json, name).run(text);
        (
            texts(&found).join(" "),
            found.without_key,
            places(&found).into_iter().map(|(_, column, reason)| (column, reason)).collect(),
        )
    };
    let object = text.find("{\"b\":\"7").unwrap() as u64 + 1;
    // An element of an array, a string and a number in the place of an object, and an object without the
    // first key.
    let (without, malformed) = (4, vec![(object, Malformed::NotAString)]);
    assert_eq!(of(".a.b"), ("1 2 3".to_owned(), without, malformed.clone()));
    assert_eq!(of("/a/b"), of(".a.b"));
    assert_eq!(of("a.b"), ("1 2 3 5".to_owned(), without, malformed));
    assert_eq!(of("d.a").0, "");
    assert_eq!(of("a").0, "6");
    assert!(Layout::new(Format::Json, &FieldSelector::Key("/a~2".to_owned()).into()).is_err());
}

#[test]
fn what_is_no_json_is_malformed_where_it_stands() {
    use Malformed::*;
    for (text, records, expected) in [
        ("{\"url\":\"a:\"", 1, vec![(1, 12, Unended)]),
        ("[\n1,\n", 0, vec![(2, 1, NotAString), (3, 1, Unended)]),
        ("{\"url\":\"a:", 0, vec![(1, 11, Unended)]),
        ("{\"url\":\"a:\n\",\n{\"url\":\"a:b\"}\n", 1, vec![(1, 11, NoClosingQuote)]),
        ("{\"url\":\"a:b\",}", 1, vec![(1, 14, NotJson)]),
        ("{\"url\":\"a:b\"\n{\"url\":\"a:c\"}\n", 2, vec![(2, 1, NotJson)]),
        ("[\"a:b\",tru]\n[\"a:c\"]\n", 1, vec![(1, 8, NotAString), (1, 11, NotJson)]),
        ("{\"a\":01}", 0, vec![(1, 7, NotJson)]),
        (
            "{\"a\":-}\n{\"a\":1.}\n{\"a\":1e+}\n{\"a\":-0.1E-2}\n",
            0,
            vec![(1, 7, NotJson), (2, 8, NotJson), (3, 9, NotJson)],
        ),
        ("{\"url\":\"a:\\u12\"}", 0, vec![(1, 9, BadEscape)]),
        ("nul", 0, vec![(1, 4, Unended)]),
        ("{\"url\" \"a:b\"}", 0, vec![(1, 8, NotJson)]),
        ("\u{FEFF}}", 0, vec![(1, 4, NotJson)]),
        ("\u{FEFF}{\"url\":\"a:\"]", 1, vec![(1, 15, NotJson)]),
        ("{\"a\\", 0, vec![(1, 5, Unended)]),
        ("{\"a\\\n{\"url\":\"a:\"}", 1, vec![(1, 5, NoClosingQuote)]),
        ("", 0, vec![]),
        (" \n", 0, vec![]),
    ] {
        let found = case(Format::Json).run(text);
        assert_eq!((found.records.len(), places(&found)), (records, expected), "{text}");
    }
    let deep = |depth| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(
        case(Format::Json).extract_with(deep(1025).as_bytes(), 99, true).unwrap().malformed[0].2,
        TooDeep
    );
    let nested = format!("{{\"a\":{},\"url\":\"a:b\"}}", deep(1023));
    let found = case(Format::Json).extract_with(nested.as_bytes(), 99, true).unwrap();
    assert_eq!((texts(&found), found.malformed.len()), (vec!["a:b"], 0));
}

#[test]
fn only_records_are_bounded() {
    let long = "x".repeat(500);
    for len in [61, 62, 63, 64, 65, 66, 67] {
        let string = padded("a:", len, "");
        let text = format!(
            "{{\"{long}\":\"{long}\\\"\",\"url\":\"{string}\",\n\"uri\":\"{long}\",\"url\":\"a:b\"}}"
        );
        let found = Case { max_record: 64, ..case(Format::Json) }.run(&text);
        let mut expected = vec!["a:b"];
        if len <= 64 {
            expected.insert(0, &string);
        }
        assert_eq!(texts(&found), expected);
        let last = (2, 508, Malformed::TooLong);
        let first = (1, 1017 + len as u64, Malformed::TooLong);
        assert_eq!(places(&found), if len <= 64 { vec![last] } else { vec![first, last] }, "{len}");
    }
}

#[test]
fn what_is_detected() {
    for (text, format) in [
        ("[\"http://a/\",\n\"http://b/\"]", Format::Json),
        ("[{\"url\":\"a:\"},{\"url\":\"a:\"}]", Format::Json),
        ("{\"page\":{\"url\":\"a:\"}}", Format::Json),
        ("{\"url\":\"a:\"}\n{\"url\":\"a:\"}\n", Format::Jsonl),
        ("{\"url\":\"a:\"}", Format::Jsonl),
        ("{\n\"url\":\"a:\"}\n{\n\"url\":\"a:\"}\n", Format::Json),
        ("{\n}\n", Format::Lines),
        ("[2026-01-02] a\n[2026-01-02] b\n", Format::Lines),
        ("[1]\n", Format::Lines),
    ] {
        assert_eq!(Format::detect(text.as_bytes()), format, "{text}");
    }
    // One line, longer than the bytes that a guess looks at.
    let long = format!("[{}\"a:b\"]", "\"http://a/\",".repeat(20_000));
    let found = case(Format::Json).detected(&long).extract_with(long.as_bytes(), 999, true).unwrap();
    assert_eq!((found.records.len(), found.malformed.len()), (20_001, 0));
}

#[test]
fn keys_of_documents_are_found_out() {
    // On lines or not, wrapped, concatenated, in arrays of arrays.
    for (text, key) in [
        ("[{\"link\":{\"href\":\"http://a/\"}},\n{\"link\":{\"href\":\"http://a/\"}}]", "link.href"),
        ("{\"a\":[{\"b\":[\"http://a/\",\"http://a/\"]}]}", "a.b"),
        ("{\n\"b\":\"http://a/\"}{\"b\":\"http://a/\"}", "b"),
        ("{\"a\":[{\"b\":\"http://a/\"}]}\n{\"a\":[{\"b\":\"http://a/\"}]}\n", "a.b"),
        // Headers are many, requests are few.
        (
            "[{\"t\":\"http://a/\",\"h\":[1,2,3,4,5,6,7,8,9,10,\"/\"]},{\"t\":\"http://a/\",\"h\":[{\"v\":\"2\"},{\"v\":\"3\"}]}]",
            "t",
        ),
    ] {
        let layout =
            Layout::detected(Format::Json, &LayoutOptions::default(), None, text.as_bytes()).unwrap();
        assert_eq!(layout.key_found(), Some(key), "{text}");
        let found = Case { is_detected: true, ..case(Format::Json) }.run(text);
        assert_eq!((texts(&found), found.malformed.len()), (vec!["http://a/"; 2], 0), "{text}");
    }
    // The usual key is present, or no key is sure.
    for text in [
        "[{\"a\":\"http://a/\",\"x\":{\"uri\":\"b\"}}]",
        "[{\"a\":\"/a\",\"b\":\"/b\"}]",
        "[{\"a\":\"b\"}]",
        "[\"/a\"]",
    ] {
        let layout =
            Layout::detected(Format::Json, &LayoutOptions::default(), None, text.as_bytes()).unwrap();
        assert_eq!(layout.key_found(), None, "{text}");
    }
}

#[test]
fn likely_keys_of_documents_are_named_with_their_share() {
    let text = b"{\"r\":[{\"a\":\"/a\",\"b\":\"http://b/\"},{\"a\":\"/b\"},{\"a\":\"x\"},{\"a\":null}]}";
    let layout = case(Format::Json).layout.start(text);
    let missing = |layout: &Layout| {
        layout.keys().note(true, || false);
        layout.check_keys().unwrap_err().to_string()
    };
    let expected = "no object has the key \"url\"; \"r.a\" has request targets in 50% of the objects, \"r.b\" has URIs in 25% of the objects";
    assert_eq!(missing(&layout), expected);
    // An object that has not ended does not count, nor do those too far inside.
    let torn = b"[{\"a\":\"/a\",\"b\":1},{\"b\":2";
    let layout = case(Format::Json).layout.start(torn);
    let expected = "no object has the key \"url\"; \"a\" has request targets in 100% of the objects";
    assert_eq!(missing(&layout), expected);
    let deep = "[".repeat(1_000) + "{\"a\":\"/a\"";
    let layout = case(Format::Json).layout.start(deep.as_bytes());
    assert_eq!(missing(&layout), "no object has the key \"url\"");
}

#[test]
fn requests_in_strings_of_documents() {
    let text = r#"[{"r":"GET \/a b|c HTTP\/1.1"},{"r":"-"},{"r":""},{"r":"GET"},{"r":7},{"r":"GET /d HTTP/2"},
{"r":"GET /e HTTP/1.1"},{"r":"GET /f HTTP/1.1"}]"#;
    let found = key(Format::Json, "r").run(text);
    assert_eq!(texts(&found), ["/a b|c", "/d", "/e", "/f"]);
    assert_eq!(found.sentinels, 2);
    let at = |place: &str| text.find(place).unwrap() as u64 + 1;
    use Malformed::{NoTarget, NotAString};
    assert_eq!(places(&found), [(1, at("GET\"}"), NoTarget), (1, at("7}"), NotAString)]);
    assert_eq!(found.records[0].1, at(r"\/a"));
    let messages = include_str!("../../../../corpora/logs/messages.json");
    let found = key(Format::Json, "message").run(messages);
    assert_eq!(texts(&found), ["/a?b=c", "/d\\\"e", "/f|g"]);
    assert_eq!((found.sentinels, reasons(&found)), (1, vec![(65, Malformed::NoRequest)]));
}

#[test]
fn a_document_whose_first_bytes_have_no_record_is_a_document() {
    let padding = "\"x\",".repeat(20_000);
    for text in [
        format!("{{\"a\":[{padding}1],\"b\":{{\"url\":\"http://a/\"}}}}"),
        format!("[{{\"a\":[{padding}1],\"url\":\"http://a/\"}}]"),
    ] {
        let limited = Case { max_record: 70_000, is_detected: true, ..case(Format::Json) };
        for (chunk_size, is_read) in [(1 << 20, false), (1 << 20, true), (999, true)] {
            let found = limited.extract_with(text.as_bytes(), chunk_size, is_read).unwrap();
            assert_eq!((texts(&found), found.malformed.len()), (vec!["http://a/"], 0), "{chunk_size}");
        }
    }
}

/// The records of a document by serde_json: of the keys `url` and `uri` anywhere.
fn anywhere(value: &Value, is_wanted: bool, found: &mut Vec<String>) {
    match value {
        Value::String(text) if is_wanted => found.push(text.as_bytes().escape_ascii().to_string()),
        Value::Array(elements) => elements.iter().for_each(|element| anywhere(element, is_wanted, found)),
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| anywhere(value, key == "url" || key == "uri", found));
        }
        _ => {}
    }
}

/// The same of a path.
fn on_path(value: &Value, path: &[&str], found: &mut Vec<String>) {
    match (value, path) {
        (Value::Array(elements), _) => elements.iter().for_each(|element| on_path(element, path, found)),
        (Value::String(text), []) => found.push(text.as_bytes().escape_ascii().to_string()),
        (Value::Object(members), [key, path @ ..]) => {
            members.iter().filter(|(name, _)| name == key).for_each(|(_, value)| on_path(value, path, found));
        }
        _ => {}
    }
}

/// A value without arrays of arrays, which may be tables.
fn a_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64).prop_map(Value::from),
        "[a-z\"\\\\/é \n\u{7f}\u{1F600}]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let object = prop::collection::vec(("(url|uri|a|b|\"|\\\\)", inner.clone()), 0..6)
            .prop_map(|members| Value::Object(members.into_iter().collect()));
        let elements = prop_oneof![object.clone(), "[a-z]{0,3}".prop_map(Value::from)];
        prop_oneof![3 => object, 1 => prop::collection::vec(elements, 0..6).prop_map(Value::from)]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1_000)))]

    #[test]
    fn documents_have_the_strings_that_serde_json_finds(
        documents in prop::collection::vec(a_value(), 1..4),
        is_pretty in any::<bool>(),
        chunk_size in 1..60_usize,
    ) {
        let write = if is_pretty { serde_json::to_string_pretty } else { serde_json::to_string };
        let text: Vec<String> = documents.iter().map(|document| write(document).unwrap()).collect();
        let text = text.join(if is_pretty { "\n" } else { " " });
        let (mut expected, mut expected_on_path) = (Vec::new(), Vec::new());
        for document in &documents {
            anywhere(document, true, &mut expected);
            on_path(document, &["a", "b"], &mut expected_on_path);
        }
        let found = case(Format::Json).extract_with(text.as_bytes(), chunk_size, true).unwrap();
        prop_assert_eq!(texts(&found), expected);
        let found = key(Format::Json, ".a.b").extract_with(text.as_bytes(), chunk_size, true).unwrap();
        prop_assert_eq!(texts(&found), expected_on_path);
    }

    #[test]
    fn what_serde_json_refuses_is_malformed(
        document in a_value(),
        edits in prop::collection::vec((any::<Index>(), 0..3_u8, prop::sample::select(b" \n\"[]{},:0-1.eEtrufalsn".as_slice())), 0..3),
        chunk_size in 1..60_usize,
    ) {
        // Escapes in strings that are no records are not looked at.
        let mut text = document.to_string().replace('\\', "/").replace("/\"", "a").into_bytes();
        for (at, what, byte) in edits {
            let at = at.index(text.len() + 1);
            match what {
                0 => text.insert(at, byte),
                _ if at == text.len() => {}
                1 => drop(text.remove(at)),
                _ => text[at] = byte,
            }
        }
        // Nor are their bytes.
        prop_assume!(str::from_utf8(&text).is_ok());
        let documents = serde_json::Deserializer::from_slice(&text).into_iter::<Value>();
        let refused = documents.into_iter().find_map(Result::err).map(|error| error.to_string());
        // JSON bounds no number.
        prop_assume!(!refused.as_ref().is_some_and(|error| error.contains("out of range")));
        let found = case(Format::Json).extract_with(&text, chunk_size, true).unwrap();
        use Malformed::{NoClosingQuote, NotInHeader, NotJson, Unended};
        prop_assume!(reasons(&found).iter().all(|&(_, reason)| reason != NotInHeader));
        let is_broken = |&(_, reason): &(u64, Malformed)| [NotJson, Unended, NoClosingQuote].contains(&reason);
        prop_assert_eq!(reasons(&found).iter().any(is_broken), refused.is_some(), "{}", text.escape_ascii());
    }
}

/// An array whose first array has objects is no table, so its objects are read like all others.
#[test]
fn arrays_of_arrays_of_objects_are_no_tables() {
    for text in [
        "[[{\"url\":\"http://a.example/ b\"}],[{\"url\":\"http://c.example/\"},{\"uri\":\"urn:d\"}]]",
        "[\n [{\"url\":\"http://a.example/ b\"}],\n [{\"url\":\"http://c.example/\"},{\"uri\":\"urn:d\"}]\n]\n",
    ] {
        let found = case(Format::Json).detected(text).run(text);
        assert_eq!(texts(&found), ["http://a.example/ b", "http://c.example/", "urn:d"], "{text}");
        assert_eq!(reasons(&found), [], "{text}");
    }
}
