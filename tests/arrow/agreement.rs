//! Tests every function with every grammar and every layout against the result of `parse` for each string.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int8Array, NullArray, StructArray};
use proptest::prelude::*;
use urivalidate::arrow::{
    FunctionError, ParseUri, ParseUrl, TextLayout, is_valid_uri, uri_error, uri_error_type, uri_spans,
    uri_spans_field, uri_spans_type, url_extract, url_extract_type,
};
use urivalidate::{Component, Components, Error, Grammar, Validator};

use crate::arrays::{self, Value, arrays};
use crate::cases;
use crate::records;

fn verdicts(validator: &Validator, values: &[Value]) -> Vec<Option<Result<Components, Error>>> {
    values.iter().map(|value| value.as_deref().map(|bytes| validator.parse(bytes))).collect()
}

fn column(parsed: &StructArray, name: &str) -> ArrayRef {
    parsed.column_by_name(name).unwrap_or_else(|| panic!("there is {name}")).clone()
}

/// Returns the expected values of a column: a value for each valid string.
fn of_valid<T>(
    values: &[Value],
    verdicts: &[Option<Result<Components, Error>>],
    get: impl Fn(&[u8], &Components) -> Option<T>,
) -> Vec<Option<T>> {
    let pairs = values.iter().zip(verdicts);
    pairs.map(|(value, verdict)| get(value.as_deref()?, verdict.as_ref()?.as_ref().ok()?)).collect()
}

fn bools(array: &ArrayRef) -> Vec<Option<bool>> {
    array.as_boolean().iter().collect()
}

/// Tests arrays of several blocks. A block has at most 8,192 strings and 256 KiB, or one longer string.
#[test]
fn arrays_of_several_blocks() {
    let urls = |count: usize, len: usize| -> Vec<Value> {
        (0..count)
            .map(|number| Some(format!("http://h{number}/{}?a=1", "p".repeat(len)).into_bytes()))
            .map(|url| url.filter(|url| url.len() % 7 != 0))
            .collect()
    };
    for values in [urls(12_000, 9), urls(4_000, 200), urls(4, 300_000), urls(0, 0)] {
        check(&Validator::new(Grammar::Uri), &values);
    }
}

/// Tests that a single field has the same values as among all fields.
#[test]
fn fields_alone() {
    let urls = ["http://user@h:80/a?b#c", "http://a_b/", "mailto:a@b", "a b", "//[::1]", ""];
    let values: Vec<Value> = urls.iter().map(|url| Some(url.as_bytes().to_vec())).chain([None]).collect();
    for grammar in Grammar::ALL {
        let validator = Validator::new(*grammar);
        for (layout, array) in arrays(&values) {
            let parsed = ParseUri::new(validator).parse(&array).unwrap();
            for (field, all) in parsed.fields().iter().zip(parsed.columns()) {
                let alone = ParseUri::new(validator).fields(&[field.name()]).unwrap().parse(&array).unwrap();
                assert_eq!(alone.column(0), all, "{} of {layout} by {grammar}", field.name());
            }
            let spans = uri_spans(&validator, &array).unwrap();
            for (field, all) in spans.fields().iter().zip(spans.columns()) {
                let alone = uri_spans_field(&validator, &array, field.name()).unwrap();
                assert_eq!(&alone, all, "{} of {layout} by {grammar}", field.name());
            }
        }
    }
    let error = uri_spans_field(&Validator::new(Grammar::Uri), &NullArray::new(1), "host").unwrap_err();
    assert!(matches!(error, FunctionError::UnknownField { .. }), "{error}");
}

/// Compares the results of functions for strings in all layouts with the parser's result for each string.
fn check(validator: &Validator, values: &[Value]) {
    let verdicts = verdicts(validator, values);
    let valid: Vec<_> = verdicts.iter().map(|verdict| verdict.as_ref().map(Result::is_ok)).collect();
    let is_null: Vec<_> = values.iter().map(Option::is_none).collect();
    let text = |bytes: &[u8], range: Option<Range<usize>>| range.map(|range| bytes[range].to_vec());
    let nulls = |array: &StructArray| (0..array.len()).map(|row| array.is_null(row)).collect::<Vec<_>>();

    for (layout, array) in arrays(values) {
        let found = is_valid_uri(validator, &array).unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), valid, "{layout}");

        for kind in [TextLayout::Utf8, TextLayout::LargeUtf8, TextLayout::Utf8View, TextLayout::BinaryView] {
            let parse = ParseUri::new(*validator).text(kind).dictionary(kind == TextLayout::Utf8);
            let parsed = parse.parse(&array).unwrap();
            assert_eq!(*parsed.data_type(), parse.data_type(), "{layout}");
            assert_eq!(nulls(&parsed), is_null, "{layout}");
            assert_eq!(bools(&column(&parsed, "valid")), valid, "{layout}");
            for &component in Component::ALL {
                let expected = of_valid(values, &verdicts, |bytes, c| text(bytes, c.get(component)));
                let found = arrays::texts(&column(&parsed, component.name()));
                assert_eq!(found, expected, "{component} in {layout} as {kind:?}");
            }
            let kinds = of_valid(values, &verdicts, |_, c| c.host_kind().map(|kind| kind.name().into()));
            assert_eq!(arrays::texts(&column(&parsed, "host_kind")), kinds, "{layout}");
            if matches!(validator.grammar(), Grammar::Rfc2396 | Grammar::Java) {
                let expected =
                    of_valid(values, &verdicts, |bytes, c| text(bytes, Some(c.scheme_specific_part())));
                let found = arrays::texts(&column(&parsed, "scheme_specific_part"));
                assert_eq!(found, expected, "scheme_specific_part in {layout}");
                let expected = of_valid(values, &verdicts, |_, c| Some(c.is_opaque()));
                assert_eq!(bools(&column(&parsed, "opaque")), expected, "opaque in {layout}");
                let name = |_: &[u8], c: &Components| c.authority_kind().map(|kind| kind.name().into());
                let expected = of_valid(values, &verdicts, name);
                assert_eq!(arrays::texts(&column(&parsed, "authority_kind")), expected, "{layout}");
            }
        }

        let spans = uri_spans(validator, &array).unwrap();
        assert_eq!(*spans.data_type(), uri_spans_type());
        assert_eq!(nulls(&spans), is_null, "{layout}");
        assert_eq!(bools(&column(&spans, "valid")), valid, "{layout}");
        for &component in Component::ALL {
            let expected = of_valid(values, &verdicts, |_, c| c.get(component));
            let ends = ["start", "end"].map(|end| {
                let ends = column(&spans, &format!("{component}_{end}"));
                ends.as_primitive::<Int32Type>().iter().collect::<Vec<_>>()
            });
            let found = ends[0].iter().zip(&ends[1]);
            let found: Vec<_> = found
                .map(|(start, end)| start.zip(*end).map(|(start, end)| start as usize..end as usize))
                .collect();
            assert_eq!(found, expected, "{component} in {layout}");
        }

        let errors = uri_error(validator, &array).unwrap();
        assert_eq!(*errors.data_type(), uri_error_type());
        let expected: Vec<_> =
            verdicts.iter().map(|verdict| verdict.as_ref().and_then(|verdict| verdict.err())).collect();
        let found = |name| arrays::texts(&column(&errors, name));
        let named = |name: &dyn Fn(&Error) -> Option<String>| -> Vec<Value> {
            expected.iter().map(|error| Some(name(error.as_ref()?)?.into_bytes())).collect()
        };
        assert_eq!(nulls(&errors), expected.iter().map(Option::is_none).collect::<Vec<_>>(), "{layout}");
        assert_eq!(found("kind"), named(&|error| Some(error.kind().to_string())), "{layout}");
        assert_eq!(found("component"), named(&|error| Some(error.component()?.to_string())), "{layout}");
        assert_eq!(found("message"), named(&|error| Some(error.to_string())), "{layout}");
        let offsets = column(&errors, "offset");
        let offsets: Vec<_> = offsets.as_primitive::<Int32Type>().iter().collect();
        let expected: Vec<_> =
            expected.iter().map(|error| error.as_ref().map(|error| error.offset() as i32)).collect();
        assert_eq!(offsets, expected, "{layout}");

        for &component in Component::ALL {
            let found = url_extract(validator, &array, component).unwrap();
            if let arrow_schema::DataType::Dictionary(..) = array.data_type() {
            } else {
                assert_eq!(*found.data_type(), url_extract_type(component, array.data_type()), "{layout}");
            }
            if component == Component::Port {
                continue;
            }
            let expected = of_valid(values, &verdicts, |bytes, c| text(bytes, c.get(component)));
            assert_eq!(arrays::texts(&found), expected, "{component} in {layout}");
        }
    }
}

fn check_grammars(values: &[Value]) {
    for &grammar in Grammar::ALL {
        check(&Validator::new(grammar), values);
    }
}

// One test for each kind of values, so that they run in parallel.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(256)))]

    #[test]
    fn functions_say_what_the_parser_says(values in records::values()) {
        check_grammars(&values);
    }

    #[test]
    fn functions_say_of_texts_what_the_parser_says(texts in records::texts()) {
        check_grammars(&texts);
    }

    #[test]
    fn functions_say_of_lines_what_the_parser_says(lines in records::lines()) {
        check_grammars(&lines);
    }

    #[test]
    fn functions_say_of_zone_identifiers_what_the_parser_says(texts in records::texts()) {
        for &grammar in Grammar::ALL {
            if let Ok(validator) = Validator::new(grammar).with_zone_ids() {
                check(&validator, &texts);
            }
        }
    }
}

/// Tests more strings than one block, with long ones between short ones. Each block has some NULLs, and some
/// blocks have LFs and CRs.
#[test]
fn arrays_of_many_blocks_are_as_short_ones() {
    let values: Vec<Value> = (0..20_000)
        .map(|i| match i % 97 {
            0 => None,
            1 => Some(format!("http://h/{}", "x".repeat(i * 7 % 5000)).into_bytes()),
            2 => Some(format!("http://u@[::{i}]:80/ ?q").into_bytes()),
            3 => Some(Vec::new()),
            5 if i / 2000 % 2 == 0 => Some(format!("http://h/{i}\r").into_bytes()),
            6 if i / 1000 % 3 == 0 => Some(format!("http://h/{i}\nhttp://h/").into_bytes()),
            4 => Some(format!("http://h{i}/").into_bytes().repeat(if i == 4 + 97 { 30_000 } else { 1 })),
            _ => Some(format!("https://u@www{i}.example.com:{}/a/{i}?b={i}#c", i % 1000).into_bytes()),
        })
        .collect();
    // The keys of the dictionary have 16 bits.
    check(&Validator::new(Grammar::Uri), &values[..10_000]);
    check(&Validator::new(Grammar::Java), &values[10_000..]);
}

#[test]
fn an_empty_array_has_an_empty_result() {
    for grammar in [Grammar::Uri, Grammar::Java] {
        check(&Validator::new(grammar), &[]);
    }
}

#[test]
fn ports_are_numbers_if_they_fit() {
    let ports = ["h", "h:", "h:0", "h:0080", "h:9223372036854775807", "h:9223372036854775808"];
    let values: Vec<Value> = ports.iter().map(|host| Some(format!("http://{host}/").into_bytes())).collect();
    for (layout, array) in arrays(&values) {
        let found = url_extract(&Validator::new(Grammar::Uri), &array, Component::Port).unwrap();
        let found: Vec<_> = found.as_primitive::<arrow_array::types::Int64Type>().iter().collect();
        assert_eq!(found, [None, None, Some(0), Some(80), Some(i64::MAX), None], "{layout}");
    }
}

#[test]
fn fields_are_those_that_are_asked_for() {
    let parse = ParseUri::new(Validator::new(Grammar::Uri));
    let array = arrow_array::StringArray::from(vec!["http://h/p"]);
    let parsed = parse.clone().fields(&["path", "valid", "host"]).unwrap().parse(&array).unwrap();
    assert_eq!(parsed.column_names(), ["path", "valid", "host"]);
    assert_eq!(parse.clone().fields(&[] as &[&str]).unwrap().parse(&array).unwrap().len(), 1);

    let error = parse.clone().fields(&["host", "hots"]).unwrap_err();
    assert!(
        error.to_string().starts_with("unknown field \"hots\": expected one of valid, scheme, "),
        "{error}"
    );
    let error = parse.clone().fields(&["host", "host"]).unwrap_err();
    assert_eq!(error.to_string(), "duplicate field \"host\"");
    // Only other grammars have this field.
    assert!(parse.fields(&["opaque"]).is_err());
}

#[test]
fn other_arrays_are_refused() {
    let numbers = arrow_array::Int32Array::from(vec![1]);
    let error = is_valid_uri(&Validator::new(Grammar::Uri), &numbers).unwrap_err();
    assert!(matches!(error, FunctionError::UnsupportedType(_)));
    assert_eq!(error.to_string(), "expected an array of strings or of binary values, got one of Int32");
}

/// Tests that a view of a view refers to the same buffer.
#[test]
fn null_without_a_type_is_null() {
    let validator = Validator::new(Grammar::Uri);
    let nulls: ArrayRef = Arc::new(NullArray::new(3));
    let keys = Int8Array::from(vec![Some(0), None, Some(0)]);
    let dictionary = DictionaryArray::<Int8Type>::new(keys, Arc::new(NullArray::new(1)));
    for array in [nulls, Arc::new(dictionary)] {
        let all_null = |result: ArrayRef| result.len() == 3 && result.logical_null_count() == 3;
        assert!(all_null(Arc::new(is_valid_uri(&validator, &array).unwrap())));
        assert!(all_null(Arc::new(uri_error(&validator, &array).unwrap())));
        assert!(all_null(Arc::new(uri_spans(&validator, &array).unwrap())));
        assert!(all_null(Arc::new(ParseUri::new(validator).parse(&array).unwrap())));
        assert!(all_null(url_extract(&validator, &array, Component::Host).unwrap()));
        let parse_url = ParseUrl::new("HOST", None).unwrap();
        assert!(all_null(parse_url.parse(&array).unwrap()) && all_null(parse_url.try_parse(&array).unwrap()));
    }
}

#[test]
fn views_are_not_copied() {
    let uri = "http://a-host-of-more-than-twelve-bytes/and-a-path-that-is-long";
    let text = arrow_array::StringArray::from(vec![uri; 3]);
    let views = arrow_array::StringViewArray::from(vec![uri; 3]);
    let parse = ParseUri::new(Validator::new(Grammar::Uri)).text(TextLayout::Utf8View);
    for (array, buffer) in [(&text as &dyn Array, text.values()), (&views, &views.data_buffers()[0])] {
        let parsed = parse.parse(array).unwrap();
        for name in ["host", "path", "authority"] {
            let column = column(&parsed, name);
            let buffers = column.as_string_view().data_buffers();
            assert_eq!(buffers.len(), 1);
            assert_eq!(buffers[0].as_ptr(), buffer.as_ptr());
        }
    }
}
