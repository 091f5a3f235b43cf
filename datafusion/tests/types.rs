//! Tests every function with every type of strings and binary values, as an array, a dictionary and a scalar.

mod common;

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, Int8Array, RecordBatch, StringArray,
};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::Result;
use datafusion::logical_expr::TypeSignature;
use datafusion::prelude::{SessionContext, col, lit};
use urivalidate::arrow::catalogue::{FUNCTIONS, ResultType};

const URLS: [Option<&str>; 8] = [
    Some("http://user@example.com:8080/a/long/path/beyond/a/view?and=a&long=query#and-a-long-fragment"),
    Some("a:b"),
    None,
    Some(""),
    Some("http://exa mple.com/"),
    Some("//[::1]:x/"),
    Some("http://h/é?ü=1"),
    Some("urn:example:of-more-than-twelve-bytes"),
];

const CALLS: &[&str] = &[
    "is_valid_uri(u)",
    "is_valid_uri(u, 'iri')",
    "parse_uri(u)",
    "parse_uri(u, 'java')",
    "parse_uri(u)['host']",
    "parse_uri(u, 'java')['authority_kind']",
    "uri_spans(u)['host_start']",
    "uri_error(u)['message']",
    "parse_uri_field(u, 'host_kind')",
    "host_in(u, 'h .example.com')",
    "url_extract_parameter(u, 'long')",
    "url_extract_parameter(u, part)",
    "url_encode(u)",
    "url_decode(u)",
    "is_valid_uri(u, 'ja' || 'va')",
    "uri_spans(u)",
    "uri_spans(u, 'uri-reference')",
    "uri_error(u)",
    "url_extract_protocol(u)",
    "url_extract_host(u)",
    "url_extract_port(u)",
    "url_extract_path(u, 'rfc2396')",
    "url_extract_query(u)",
    "url_extract_fragment(u)",
    "normalize_uri(u)",
    "normalize_uri(u, 'scheme', 'iri')",
    "resolve_uri('http://h/a/b', u)",
    "resolve_uri(u, '../c?d')",
    "resolve_uri(u, u, 'iri-reference')",
    "relativize_uri('http://example.com/', u)",
    "relativize_uri(u, 'http://h/a')",
    "suggest_uri(u)",
    "to_uri(u)",
    "uri_host(u)",
    "uri_host(u, 'uri', 'http')",
    "uri_host_reversed(u)",
    "uri_host_ascii(u, 'iri')",
    "uri_surt(u)",
    "uri_suffix(u)",
    "uri_domain(u, true)",
    "uri_domain(u, false, 'iri')",
    "uri_domain(u, false, 'iri', 'http')",
    "url_extract_query_names(u)",
    "url_parameters(u)",
    "url_parameters_all(u, 'java')",
    "try_parse_url(u, 'FILE')",
    "try_parse_url(u, 'QUERY', 'long')",
    "try_parse_url(u, part)",
    "parse_url(CASE WHEN is_valid_uri(u, 'java') THEN u END, 'AUTHORITY')",
];

fn types() -> Vec<DataType> {
    use DataType::{
        Binary, BinaryView, Dictionary, Int8, Int32, LargeBinary, LargeUtf8, UInt16, Utf8, Utf8View,
    };
    vec![
        Utf8,
        LargeUtf8,
        Utf8View,
        Binary,
        LargeBinary,
        BinaryView,
        Dictionary(Box::new(Int32), Box::new(Utf8)),
        Dictionary(Box::new(UInt16), Box::new(LargeUtf8)),
        Dictionary(Box::new(Int8), Box::new(Binary)),
    ]
}

/// A table `t` with a column `u` of this type, and a column with the name of a part. It has two batches of
/// sliced arrays.
fn table(urls: &[Option<&str>], data_type: &DataType) -> SessionContext {
    let context = common::context();
    let urls = cast(&StringArray::from(urls.to_vec()), data_type).unwrap();
    let parts: StringArray = (0..urls.len()).map(|row| Some(["HOST", "PATH", "REF"][row % 3])).collect();
    let columns = vec![("u", urls), ("part", Arc::new(parts) as ArrayRef)];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    let half = batch.num_rows() / 2;
    let batches = vec![batch.slice(0, half), batch.slice(half, batch.num_rows() - half)];
    let memory = datafusion::datasource::MemTable::try_new(batch.schema(), vec![batches]).unwrap();
    context.register_table("t", Arc::new(memory)).unwrap();
    context
}

async fn query(context: &SessionContext, query: &str) -> RecordBatch {
    try_query(context, query).await.unwrap()
}

async fn try_query(context: &SessionContext, query: &str) -> Result<RecordBatch> {
    let frame = context.sql(query).await?;
    let schema: Arc<Schema> = Arc::new(frame.schema().as_arrow().clone());
    let batches = frame.collect().await?;
    // This fails if the types differ from the planned ones.
    Ok(concat_batches(&schema, &batches).unwrap())
}

fn rows(batch: &RecordBatch) -> String {
    pretty_format_batches(std::slice::from_ref(batch)).unwrap().to_string()
}

#[tokio::test]
async fn all_types_alike() {
    let expected = table(&URLS, &DataType::Utf8);
    for call in CALLS {
        let select = format!("SELECT {call} AS it FROM t");
        let expected = rows(&query(&expected, &select).await);
        for data_type in types() {
            let context = table(&URLS, &data_type);
            assert_eq!(rows(&query(&context, &select).await), expected, "{call} of {data_type}");
        }
    }
}

#[tokio::test]
async fn a_constant_is_as_a_column_of_it() {
    for url in URLS {
        let context = table(&[url], &DataType::Utf8);
        let literal = url.map_or("NULL".to_owned(), |url| format!("'{url}'"));
        for call in CALLS.iter().filter(|call| !call.contains("part")) {
            let expected = query(&context, &format!("SELECT {call} AS it FROM t")).await;
            for data_type in types() {
                let cast = format!("arrow_cast({literal}, '{data_type}')");
                let places = ["(u", ", u", "THEN u"];
                let constant = places.iter().fold(call.to_string(), |constant, place| {
                    constant.replace(place, &place.replace('u', &cast))
                });
                match try_query(&context, &format!("SELECT {constant} AS it")).await {
                    Ok(found) => assert_eq!(rows(&found), rows(&expected), "{constant}"),
                    // An invalid base is NULL in a column, and an error if it is constant.
                    Err(error) => {
                        assert!(error.to_string().contains("the base "), "{constant}: {error}");
                        assert!(call.contains("e_uri(u") && expected.column(0).is_null(0), "{constant}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn no_rows() {
    for data_type in types() {
        let context = table(&[], &data_type);
        for call in CALLS {
            assert_eq!(query(&context, &format!("SELECT {call} AS it FROM t")).await.num_rows(), 0);
        }
    }
}

/// For views, the result has views of the same bytes.
#[tokio::test]
async fn views_are_not_copied() {
    let context = table(&URLS, &DataType::Utf8View);
    for call in
        ["try_parse_url(u, 'PATH')", "url_extract_path(u)", "parse_uri(u)['path']", "parse_url(u, 'PATH')"]
    {
        let valid = "SELECT u, {} AS path FROM t WHERE is_valid_uri(u)".replace("{}", call);
        let frame = context.sql(&valid).await.unwrap();
        for batch in frame.collect().await.unwrap().iter().filter(|batch| batch.num_rows() > 0) {
            let (urls, paths) = (batch.column(0).as_string_view(), batch.column(1).as_string_view());
            for row in 0..batch.num_rows() {
                let (url, path) = (urls.value(row), paths.value(row));
                if path.len() > 12 {
                    assert!(url.as_bytes().as_ptr_range().contains(&path.as_ptr()), "{call}: {path}");
                }
            }
        }
    }
}

#[tokio::test]
async fn text_is_of_the_kind_that_came_in() {
    for (data_type, expected) in [
        (DataType::Utf8, DataType::Utf8),
        (DataType::LargeUtf8, DataType::LargeUtf8),
        (DataType::Utf8View, DataType::Utf8View),
        (DataType::LargeBinary, DataType::LargeUtf8),
        (DataType::BinaryView, DataType::Utf8View),
    ] {
        let context = table(&URLS, &data_type);
        let found = query(
            &context,
            "SELECT try_parse_url(u, 'HOST'), url_extract_host(u), parse_uri(u)['host'] FROM t",
        )
        .await;
        for field in found.schema().fields().iter().map(Arc::as_ref).map(Field::data_type) {
            assert_eq!(field, &expected, "of {data_type}");
        }
    }
}

/// A bad constant is an error even without rows.
#[tokio::test]
async fn bad_constants_fail_at_planning() {
    let context = table(&URLS, &DataType::Utf8);
    for (call, expected) in [
        ("try_parse_url(u, 'QUERY', '(')", "the key"),
        ("parse_url(u, 'QUERY', '(a*)+')", "the key"),
        ("is_valid_uri(u, 'url')", "unknown grammar \"url\""),
        ("parse_uri(u, 'url')", "unknown grammar \"url\""),
        ("url_extract_host(u, NULL)", "the grammar is NULL"),
        ("normalize_uri(u, 'schema')", "unknown form \"schema\""),
        ("normalize_uri(u, 'scheme', 'java')", "does not support the form scheme"),
        ("uri_domain(u, NULL)", "the flag private is NULL"),
        ("parse_uri_field(u, 'hots')", "unknown field \"hots\""),
        ("parse_uri_field(u, NULL)", "the field is NULL"),
        ("is_valid_uri(u, gramar => 'uri')", "Unknown parameter name 'gramar'"),
    ] {
        let error = context.sql(&format!("SELECT {call} FROM t")).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{call}: {error}");
    }
}

/// For dictionaries, the result is a dictionary with the same keys, so its text is not repeated for each row.
#[cfg(not(feature = "datafusion-54"))]
#[tokio::test]
async fn dictionaries_stay_dictionaries() {
    let text = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let context = table(&URLS, &text);
    for call in [
        "url_extract_host(u)",
        "parse_uri(u)['path']",
        "normalize_uri(u)",
        "uri_surt(u)",
        "uri_domain(u)",
        "try_parse_url(u, 'PATH')",
        "try_parse_url(u, part)",
        "url_encode(u)",
        "url_extract_parameter(u, 'and')",
        "suggest_uri(u)",
        "uri_host_reversed(u)",
        "uri_host(u, 'uri', 'http')",
    ] {
        let found = query(&context, &format!("SELECT {call} AS it FROM t")).await;
        assert_eq!(found.column(0).data_type(), &text, "{call}");
    }
    let found = query(&context, "SELECT parse_uri(u) AS it FROM t").await;
    let parsed = found.column(0).as_struct();
    assert_eq!(parsed.column_by_name("host").unwrap().data_type(), &text);
    assert_eq!(parsed.column_by_name("valid").unwrap().data_type(), &DataType::Boolean);
    // A NULL result is a NULL key, which every consumer recognizes.
    let grouped =
        query(&context, "SELECT url_extract_host(u) AS it, count(*) FROM t GROUP BY 1 ORDER BY 1").await;
    let expected = table(&URLS, &DataType::Utf8);
    let expected =
        query(&expected, "SELECT url_extract_host(u) AS it, count(*) FROM t GROUP BY 1 ORDER BY 1").await;
    assert_eq!(rows(&grouped), rows(&expected));
}

/// 10,000 rows with a text of 1 MiB are ten billion bytes, which 32-bit offsets cannot count. In a
/// dictionary, they are one value.
#[cfg(not(feature = "datafusion-54"))]
#[tokio::test]
async fn long_values_of_a_dictionary_do_not_overflow() {
    let long = format!("http://h/{}?a={}", "p".repeat(1 << 20), "v".repeat(1 << 20));
    let values = StringArray::from(vec![Some("a b"), Some(&long), None]);
    let keys = Int8Array::from_iter((0..10_000).map(|row| (row % 100 != 7).then_some(1)));
    let urls: ArrayRef = Arc::new(DictionaryArray::try_new(keys, Arc::new(values)).unwrap());
    let context = common::context();
    let batch = RecordBatch::try_from_iter([("u", urls)]).unwrap();
    context.register_batch("t", batch).unwrap();
    for call in [
        "url_extract_path(u)",
        "parse_uri(u)['query']",
        "normalize_uri(u)",
        "parse_url(u, 'PATH')",
        "url_extract_parameter(u, 'a')",
        "url_encode(u)",
        "uri_surt(u)",
    ] {
        let found = query(&context, &format!("SELECT {call} AS it FROM t")).await;
        let found = found.column(0).as_any_dictionary();
        assert_eq!((found.len(), found.null_count()), (10_000, 100), "{call}");
        assert!(found.values().as_string::<i32>().value_data().len() < 8 << 20, "{call}");
    }
}

/// An error names the URL, and no row: the library counts the rows of a batch or of a dictionary, which are
/// no rows of the table.
#[tokio::test]
async fn an_invalid_url_has_no_row() {
    let urls = [Some("http://h/"), Some("http://h/"), Some("http://h/"), Some("a b")];
    let context = table(&urls, &DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)));
    let error = context.sql("SELECT parse_url(u, 'HOST') FROM t").await.unwrap().collect().await.unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("the URL is invalid, a space must be written %20 (at byte 1): \"a b\""),
        "{error}"
    );
    assert!(!error.contains("row"), "{error}");
}

/// The functions, their documentation and their expressions are those of the catalogue.
#[tokio::test]
async fn every_function_of_the_catalogue_is_here() {
    let functions = urivalidate_datafusion::functions();
    let others = functions[FUNCTIONS.len()..].iter().map(|function| function.name());
    assert_eq!(others.collect::<Vec<_>>(), ["uri_suffix_list_date"]);
    let expressions: Vec<_> = include_str!("../src/expr_fn.rs").lines().map(str::trim).collect();
    for (expected, function) in FUNCTIONS.iter().zip(functions) {
        let (name, documentation) = (expected.name(), function.documentation().unwrap());
        assert_eq!(function.name(), name);
        assert_eq!(documentation.description, expected.sentence());
        assert_eq!(documentation.syntax_example, expected.syntax());
        let arguments = documentation.arguments.iter().flatten().map(|(name, _)| &name[..]);
        let parameters = expected.parameters().iter().map(|parameter| parameter.name());
        assert!(arguments.eq(parameters), "{name}: {:?}", documentation.arguments);

        // The rule for fields makes the calls of these functions.
        if expected.result() == ResultType::Field {
            continue;
        }
        let is_item = |line: &&str| {
            line.strip_prefix("pub fn ").is_some_and(|line| line.starts_with(&format!("{name}(")))
                || **line == format!("{name};")
        };
        let at = expressions.iter().position(is_item);
        let at = at.unwrap_or_else(|| panic!("expr_fn lacks {name}"));
        let docs = expressions[..at].iter().rev().map_while(|line| line.strip_prefix("/// "));
        let docs: Vec<_> = docs.collect::<Vec<_>>().into_iter().rev().collect();
        assert_eq!(docs.join(" "), expected.sentence(), "{name}");
    }
}

/// Tests the output of `SHOW FUNCTIONS`.
#[tokio::test]
async fn every_function_is_documented() {
    let context = common::context();
    for function in urivalidate_datafusion::functions() {
        let name = function.name();
        let documentation = function.documentation().unwrap();
        let example = documentation
            .sql_example
            .as_ref()
            .unwrap()
            .trim_start_matches("```sql\n")
            .trim_end_matches(";\n```");
        query(&context, example).await;
        assert!(documentation.syntax_example.starts_with(name));
        // DataFusion shows no function without arguments.
        if function.signature().type_signature == TypeSignature::Nullary {
            continue;
        }
        assert!(!documentation.arguments.as_ref().unwrap().is_empty());
        let shown = query(&context, &format!("SHOW FUNCTIONS LIKE '{name}'")).await;
        let shown = rows(&shown.project(&[5, 6]).unwrap());
        assert!(shown.contains(&documentation.syntax_example), "{name}: {shown}");
        assert!(shown.contains(&documentation.description), "{name}: {shown}");
    }
}

/// For each number of arguments that a function accepts, `information_schema` and `SHOW FUNCTIONS` have a
/// row.
#[tokio::test]
async fn every_overload_is_shown() {
    let context = common::context();
    let functions = urivalidate_datafusion::functions();
    let of_columns = functions.iter().filter(|one| one.signature().type_signature != TypeSignature::Nullary);
    for function in of_columns {
        let name = function.name();
        let syntax = &function.documentation().unwrap().syntax_example;
        let (all, optional) = (syntax.matches(',').count() + 1, syntax.matches('[').count());
        for count in all - optional..=all {
            let overloads = format!(
                "SELECT count(*) AS n FROM (SELECT rid FROM information_schema.parameters WHERE specific_name = '{name}' \
                 GROUP BY rid HAVING sum(CAST(parameter_mode = 'IN' AS INT)) = {count} AND sum(CAST(parameter_mode = 'OUT' AS INT)) = 1)"
            );
            let overloads = query(&context, &overloads).await;
            assert!(overloads.column(0).as_primitive::<Int64Type>().value(0) > 0, "{name} of {count}");
        }
        let shown = query(&context, &format!("SHOW FUNCTIONS LIKE '{name}'")).await;
        let parameters = rows(&shown.project(&[2]).unwrap());
        let names: Vec<_> = function.signature().parameter_names.clone().unwrap();
        for count in all - optional..=all {
            let expected = format!("[{}]", names[..count].join(", "));
            assert!(parameters.contains(&expected), "{name}: no {expected} in {parameters}");
        }
    }
}

/// The functions of `expr_fn` make the same calls as SQL.
#[tokio::test]
async fn expressions_are_calls() {
    use urivalidate_datafusion::expr_fn::*;

    let context = table(&URLS, &DataType::Utf8);
    let u = || col("u");
    for (call, expression) in [
        ("is_valid_uri(u)", is_valid_uri(u(), None)),
        ("is_valid_uri(u, 'java')", is_valid_uri(u(), Some(lit("java")))),
        ("parse_uri(u)", parse_uri(u(), None)),
        ("uri_spans(u)", uri_spans(u(), None)),
        ("uri_error(u)", uri_error(u(), None)),
        ("url_extract_protocol(u)", url_extract_protocol(u(), None)),
        ("url_extract_host(u)", url_extract_host(u(), None)),
        ("url_extract_port(u)", url_extract_port(u(), None)),
        ("url_extract_path(u)", url_extract_path(u(), None)),
        ("url_extract_query(u)", url_extract_query(u(), None)),
        ("url_extract_fragment(u)", url_extract_fragment(u(), None)),
        ("host_in(u, 'h')", host_in(u(), lit("h"), None)),
        ("url_extract_parameter(u, 'and')", url_extract_parameter(u(), lit("and"), None)),
        ("url_encode(u)", url_encode(u())),
        ("url_decode(u)", url_decode(u())),
        ("normalize_uri(u, 'syntax', 'java')", normalize_uri(u(), None, Some(lit("java")))),
        ("resolve_uri('http://h/a', u)", resolve_uri(lit("http://h/a"), u(), None)),
        ("relativize_uri('http://h/a', u)", relativize_uri(lit("http://h/a"), u(), None)),
        ("uri_surt(u)", uri_surt(u())),
        ("uri_suffix(u, false, 'iri')", uri_suffix(u(), None, Some(lit("iri")), None)),
        ("uri_domain(u, true)", uri_domain(u(), Some(lit(true)), None, None)),
        ("uri_domain(u, false, 'uri', 'x')", uri_domain(u(), None, None, Some(lit("x")))),
        ("suggest_uri(u)", suggest_uri(u(), None)),
        ("to_uri(u)", to_uri(u(), None)),
        ("uri_host(u, 'uri', 'x')", uri_host(u(), None, Some(lit("x")))),
        ("uri_host_reversed(u)", uri_host_reversed(u(), None, None)),
        ("uri_host_ascii(u, 'iri')", uri_host_ascii(u(), Some(lit("iri")), None)),
        ("url_extract_query_names(u)", url_extract_query_names(u(), None)),
        ("url_parameters(u)", url_parameters(u(), None)),
        ("url_parameters_all(u)", url_parameters_all(u(), None)),
        (
            "parse_url('http://h/?k=1', 'QUERY', 'k')",
            parse_url(lit("http://h/?k=1"), lit("QUERY"), Some(lit("k"))),
        ),
        ("try_parse_url(u, 'PATH')", try_parse_url(u(), lit("PATH"), None)),
    ] {
        let expected = rows(&query(&context, &format!("SELECT {call} AS it FROM t")).await);
        let frame = context.table("t").await.unwrap().select(vec![expression.alias("it")]).unwrap();
        let found = pretty_format_batches(&frame.collect().await.unwrap()).unwrap().to_string();
        assert_eq!(found, expected, "{call}");
    }
}
