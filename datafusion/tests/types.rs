//! Every function over every type of strings and binary values, as an array, a dictionary and a scalar.

mod common;

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::SessionContext;

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

const CALLS: [&str; 28] = [
    "is_valid_uri(u)",
    "is_valid_uri(u, 'iri')",
    "parse_uri(u)",
    "parse_uri(u, 'java')",
    "uri_spans(u)",
    "uri_spans(u, 'uri-reference')",
    "uri_error(u)",
    "url_extract_scheme(u)",
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
    "surt(u)",
    "uri_suffix(u)",
    "uri_domain(u, true)",
    "uri_domain(u, false, 'iri')",
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

/// A table `t` of one column `u` of this type, and of a part's name; sliced, and in two batches.
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
    let frame = context.sql(query).await.unwrap();
    let schema: Arc<Schema> = Arc::new(frame.schema().as_arrow().clone());
    let batches = frame.collect().await.unwrap();
    // The types are those that were planned.
    concat_batches(&schema, &batches).unwrap()
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
            let expected = rows(&query(&context, &format!("SELECT {call} AS it FROM t")).await);
            for data_type in types() {
                let cast = format!("arrow_cast({literal}, '{data_type}')");
                let places = ["(u", ", u", "THEN u"];
                let constant = places.iter().fold(call.to_string(), |constant, place| {
                    constant.replace(place, &place.replace('u', &cast))
                });
                let found = rows(&query(&context, &format!("SELECT {constant} AS it")).await);
                assert_eq!(found, expected, "{constant}");
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

/// Views in, views out: of the very bytes that came in.
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

/// The output of `SHOW FUNCTIONS`.
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
        assert!(
            documentation.syntax_example.starts_with(name)
                && !documentation.arguments.as_ref().unwrap().is_empty()
        );
        let shown = query(&context, &format!("SHOW FUNCTIONS LIKE '{name}'")).await;
        let shown = rows(&shown.project(&[5, 6]).unwrap());
        assert!(shown.contains(&documentation.syntax_example), "{name}: {shown}");
        assert!(shown.contains(&documentation.description), "{name}: {shown}");
    }
}
