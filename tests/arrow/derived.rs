//! Tests text derived from records, in every layout, against the text derived from each record alone.

use arrow_array::{Array, ArrayRef, Int32Array, Scalar, StringArray};
use proptest::prelude::*;
use urivalidate::arrow::{FunctionError, TextLayout, normalize_uri, relativize_uri, resolve_uri};
use urivalidate::{Base, Error, ErrorKind, Grammar, NormalForm, Validator};

use crate::arrays::{self, Value, arrays};
use crate::records;

/// Returns the text that `write` appends for a record, or the record itself.
fn made<'b>(
    record: &[u8],
    write: impl FnOnce(&'b mut Vec<u8>) -> Result<Option<&'b [u8]>, Error>,
    to: &'b mut Vec<u8>,
) -> Value {
    Some(write(to).ok()?.map_or(record.to_vec(), <[u8]>::to_vec))
}

fn of_base(
    validator: &Validator,
    base: Option<&[u8]>,
    record: &Value,
    write: impl for<'b> Fn(&Base<'_>, &[u8], &'b mut Vec<u8>) -> Result<Option<&'b [u8]>, Error>,
) -> Value {
    let base = validator.base(base?).ok()?;
    let record = record.as_deref()?;
    made(record, |to| write(&base, record, to), &mut Vec::new())
}

fn check(validator: &Validator, values: &[Value], base: &[u8]) {
    let length = values.len();
    let bases: Vec<Value> = values.iter().rev().cloned().collect();
    let constant = |value: &[u8]| Scalar::new(arrow_array::BinaryArray::from(vec![value]));
    for (layout, array) in arrays(values) {
        let expected_type = |found: &ArrayRef| {
            if !matches!(array.data_type(), arrow_schema::DataType::Dictionary(..)) {
                assert_eq!(*found.data_type(), TextLayout::of(array.data_type()).data_type(), "{layout}");
            }
        };
        for form in [NormalForm::Syntax, NormalForm::Scheme] {
            let Ok(normalizer) = validator.normalizer(form) else { continue };
            let normal = |record: &Value| {
                let record = record.as_deref()?;
                made(record, |to| normalizer.normalize(record, to), &mut Vec::new())
            };
            let found = normalize_uri(&normalizer, &array).unwrap();
            expected_type(&found);
            assert_eq!(arrays::texts(&found), values.iter().map(normal).collect::<Vec<_>>(), "{layout}");
        }

        let resolve = |base: Option<&[u8]>, record: &Value| {
            of_base(validator, base, record, |base, record, to| base.resolve(record, to))
        };
        let relativize = |base: Option<&[u8]>, record: &Value| {
            of_base(validator, base, record, |base, record, to| base.relativize(record, to))
        };
        let resolved = resolve_uri(validator, &constant(base), &array);
        let relative = relativize_uri(validator, &constant(base), &array);
        if validator.base(base).is_ok() {
            let (found, expected) =
                (resolved.unwrap(), values.iter().map(|record| resolve(Some(base), record)));
            expected_type(&found);
            assert_eq!(arrays::texts(&found), expected.collect::<Vec<_>>(), "{layout}");
            let (found, expected) =
                (relative.unwrap(), values.iter().map(|record| relativize(Some(base), record)));
            expected_type(&found);
            assert_eq!(arrays::texts(&found), expected.collect::<Vec<_>>(), "{layout}");
        } else {
            for result in [resolved, relative] {
                assert!(matches!(result, Err(FunctionError::InvalidBase { .. })), "{layout}: {result:?}");
            }
        }

        let (_, bases_array) = arrays(&bases).swap_remove(0);
        let found = resolve_uri(validator, &bases_array, &array).unwrap();
        let pairs = || bases.iter().zip(values);
        let expected: Vec<_> = pairs().map(|(base, record)| resolve(base.as_deref(), record)).collect();
        assert_eq!(arrays::texts(&found), expected, "{layout}");
        // One reference for many bases in this layout.
        let found = resolve_uri(validator, &array, &constant(b"../x?y")).unwrap();
        let reference = Some(b"../x?y".to_vec());
        let expected: Vec<_> = values.iter().map(|base| resolve(base.as_deref(), &reference)).collect();
        assert_eq!(arrays::texts(&found), expected, "{layout}");
        assert_eq!(found.len(), length);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::cases(64)))]

    #[test]
    fn arrays_have_the_text_of_each_record(values in records::values(), lines in records::lines()) {
        for &grammar in Grammar::ALL {
            let validator = Validator::new(grammar);
            for base in [&b"http://u@h:80/a/b/../c?q"[..], b"x:y", b"no base"] {
                check(&validator, &values, base);
                check(&validator, &lines, base);
            }
        }
    }
}

/// Tests blocks in which some records are normal, some are not, some are invalid or NULL, with runs of any
/// length.
#[test]
fn arrays_of_many_blocks_are_as_short_ones() {
    let kind = |number: usize| (number / 3 % 7).wrapping_mul(number / 100) % 5;
    let values: Vec<Value> = (0..20_000)
        .map(|number| match kind(number) {
            0 => None,
            1 => Some(format!("HTTP://Host{number}.example/%7ea/./b").into_bytes()),
            2 => Some(format!("http://h{number}/a b").into_bytes()),
            _ => Some(format!("http://h{number}.example/{}", "p".repeat(number % 300)).into_bytes()),
        })
        .collect();
    // The keys of the dictionary have 16 bits.
    check(&Validator::new(Grammar::Uri), &values[..10_000], b"http://h/");
    check(&Validator::new(Grammar::UriReference), &values[10_000..], b"http://h17000.example/");
}

#[test]
fn normal_records_of_views_are_views_of_the_same_bytes() {
    let normal = "http://a-host-of-more-than-twelve-bytes/";
    let array =
        arrow_array::StringViewArray::from(vec![normal, "HTTP://Another-Host-Of-Many-Bytes/", normal]);
    let normalizer = Validator::new(Grammar::Uri).normalizer(NormalForm::Syntax).unwrap();
    let found = normalize_uri(&normalizer, &array).unwrap();
    let found = arrow_array::cast::AsArray::as_string_view(&found);
    assert_eq!(
        found.iter().flatten().collect::<Vec<_>>(),
        [normal, "http://another-host-of-many-bytes/", normal]
    );
    for row in [0, 2] {
        assert_eq!(found.value(row).as_ptr(), array.value(row).as_ptr());
    }
}

#[test]
fn constants_and_nulls() {
    let validator = Validator::new(Grammar::UriReference);
    let text = |values: Vec<Option<&str>>| StringArray::from(values);
    let scalar = |value: Option<&str>| Scalar::new(text(vec![value]));
    let references = text(vec![Some("a"), None]);
    let none = text(vec![None, None]);
    let found = |array: ArrayRef| arrow_array::cast::AsArray::as_string::<i32>(&array).clone();
    assert_eq!(found(resolve_uri(&validator, &scalar(None), &references).unwrap()), none);
    for base in ["no base", "/a"] {
        let error = resolve_uri(&validator, &scalar(Some(base)), &references).unwrap_err();
        assert!(error.to_string().starts_with(&format!("the base {base:?} is invalid, ")), "{error}");
    }
    let one = resolve_uri(&validator, &scalar(Some("http://h/")), &scalar(Some("a"))).unwrap();
    assert_eq!(found(one), text(vec![Some("http://h/a")]));
    let many = resolve_uri(&validator, &references, &scalar(None)).unwrap();
    assert_eq!(found(many), none);

    let error = resolve_uri(&validator, &text(vec![None; 3]), &references).unwrap_err();
    assert_eq!(error.to_string(), "Invalid argument error: 3 bases for 2 records");
    assert!(resolve_uri(&validator, &scalar(Some("http://h/")), &Int32Array::from(vec![1])).is_err());
    assert!(resolve_uri(&validator, &Int32Array::from(vec![1, 2]), &references).is_err());
    assert_eq!(resolve_uri(&validator, &text(vec![]), &text(vec![])).unwrap().len(), 0);
}

/// Tests that [`surt`](urivalidate::surt) makes keys of any text.
#[cfg(feature = "surt")]
#[test]
fn archive_keys() {
    let texts = [
        "http://www.Example.com:80/a?b=2&a=1#x",
        "no uri",
        "",
        " ",
        "http://h:99999/",
        "mailto:a@b",
        "\u{e9}.example/\u{e9}",
    ];
    let values: Vec<Value> = texts
        .iter()
        .map(|text| Some(text.as_bytes().to_vec()))
        .chain([None, Some(b"http://h/\xFF".to_vec())])
        .collect();
    for (layout, array) in arrays(&values) {
        let expected: Vec<Value> = values
            .iter()
            .map(|value| urivalidate::surt(value.as_deref()?, &mut Vec::new()).map(<[u8]>::to_vec))
            .collect();
        assert_eq!(arrays::texts(&urivalidate::arrow::uri_surt(&array).unwrap()), expected, "{layout}");
    }
}

#[cfg(feature = "domains")]
#[test]
fn domains_of_hosts() {
    use urivalidate::Domains;
    use urivalidate::arrow::{uri_domain, uri_suffix};

    let hosts = [
        "www.example.co.uk",
        "A.B.GitHub.IO",
        "co.uk",
        "127.0.0.1",
        "[::1]",
        "h",
        "a.example.",
        "",
        "\u{e9}.example",
    ];
    let values: Vec<Value> = hosts
        .iter()
        .flat_map(|host| std::iter::repeat_n(Some(format!("http://u@{host}:80/a").into_bytes()), 3))
        .chain([None, Some(b"mailto:a@b".to_vec()), Some(b"http://a b/".to_vec())])
        .collect();
    for grammar in [Grammar::Uri, Grammar::Iri] {
        let validator = Validator::new(grammar);
        let part = |value: &Value, part: &dyn Fn(Domains) -> Option<std::ops::Range<usize>>| -> Value {
            let record = value.as_deref()?;
            let host = &record[validator.parse(record).ok()?.host()?];
            let text = std::str::from_utf8(&host[part(Domains::of(host)?)?]).unwrap().to_lowercase();
            Some(text.into_bytes())
        };
        for (layout, array) in arrays(&values) {
            for private in [false, true] {
                let suffix =
                    |domains: Domains| Some(if private { domains.private_suffix } else { domains.suffix });
                let domain = |domains: Domains| if private { domains.private_domain } else { domains.domain };
                let expected: Vec<_> = values.iter().map(|value| part(value, &suffix)).collect();
                assert_eq!(
                    arrays::texts(&uri_suffix(&validator, &array, private).unwrap()),
                    expected,
                    "{layout}"
                );
                let expected: Vec<_> = values.iter().map(|value| part(value, &domain)).collect();
                assert_eq!(
                    arrays::texts(&uri_domain(&validator, &array, private).unwrap()),
                    expected,
                    "{layout}"
                );
                assert!(expected.iter().flatten().count() > 3);
            }
        }
    }
}

#[test]
fn a_long_base_is_none_and_long_results_are_an_error() {
    let validator = Validator::new(Grammar::UriReference);
    let base = |len: usize| format!("http://h/{}", "a".repeat(len - "http://h/".len()));
    let longest = base(Base::MAX_LEN);
    assert!(validator.base(longest.as_bytes()).is_ok());
    assert!(validator.base(format!("{longest}#fragment").as_bytes()).is_ok());
    let error = validator.base(base(Base::MAX_LEN + 1).as_bytes()).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::RecordTooLong, Base::MAX_LEN));

    // The longest base makes 2 GiB of some references, but other references do not need it.
    let rows = (1 << 31) / Base::MAX_LEN + 1;
    let base = Scalar::new(StringArray::from(vec![longest.as_str()]));
    let references = StringArray::from(vec!["?q"; rows]);
    let error = resolve_uri(&validator, &base, &references).unwrap_err();
    assert!(matches!(error, FunctionError::TooLong(_)), "{error}");
    let uris = StringArray::from(vec!["a:b"; rows]);
    assert_eq!(&*resolve_uri(&validator, &base, &uris).unwrap(), &uris as &dyn Array);
}
