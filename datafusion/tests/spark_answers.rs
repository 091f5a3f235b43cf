//! Compares `parse_url` and `try_parse_url` with the answers of Spark, which `scripts/spark-answers`
//! recorded.

mod common;

use std::collections::HashMap;

use common::context;
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;
use datafusion::prelude::{ParquetReadOptions, SessionContext};

const ANSWERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/spark-answers.parquet");
const PARTS: [&str; 8] = ["protocol", "authority", "userinfo", "host", "path", "query", "ref", "file"];

/// The number that a query returns.
async fn count(context: &SessionContext, query: &str) -> i64 {
    let batches = context.sql(query).await.unwrap().collect().await.unwrap();
    batches[0].column(0).as_primitive::<Int64Type>().value(0)
}

/// The columns of answers, each with the arguments after the URL.
async fn cases(context: &SessionContext) -> Vec<(String, String)> {
    context
        .register_parquet("answers", ANSWERS, ParquetReadOptions::default().skip_metadata(false))
        .await
        .unwrap();
    let schema = context.table("answers").await.unwrap();
    let keys: HashMap<String, String> = schema.schema().metadata().clone();
    let mut cases: Vec<_> =
        PARTS.iter().map(|part| (part.to_string(), format!("'{}'", part.to_uppercase()))).collect();
    cases.push(("query_key".to_owned(), "'QUERY', key".to_owned()));
    for field in schema.schema().fields() {
        if let Some(key) = keys.get(field.name()) {
            cases.push((field.name().clone(), format!("'QUERY', '{key}'")));
        }
    }
    assert_eq!(cases.len(), 13);
    cases
}

#[tokio::test]
async fn every_answer_is_sparks() {
    let context = context();
    let mut total = 0;
    for (column, arguments) in cases(&context).await {
        for url in [
            "url",
            "arrow_cast(url, 'Utf8')",
            "arrow_cast(url, 'LargeUtf8')",
            "arrow_cast(url, 'BinaryView')",
        ] {
            let differing = format!("try_parse_url({url}, {arguments}) IS DISTINCT FROM {column}");
            assert_eq!(
                count(&context, &format!("SELECT count(*) FROM answers WHERE {differing}")).await,
                0,
                "{differing}"
            );
        }
        total += count(&context, "SELECT count(*) FROM answers").await;
    }
    assert!(total >= 50_000, "{total}");
    println!("{total} answers of Spark, 0 differences");
}

/// The parts are a column, whose values vary within a batch.
#[tokio::test]
async fn parts_in_a_column() {
    let context = context();
    cases(&context).await;
    let rows = PARTS
        .map(|part| format!("SELECT url, upper('{part}') AS part, {part} AS answer FROM answers"))
        .join(" UNION ALL ");
    let differing =
        format!("SELECT count(*) FROM ({rows}) WHERE try_parse_url(url, part) IS DISTINCT FROM answer");
    assert_eq!(count(&context, &differing).await, 0);
}

/// `parse_url` rejects exactly the URLs that Spark rejects.
#[tokio::test]
async fn what_spark_refuses_is_an_error() {
    let context = context();
    cases(&context).await;
    // In a filter, the engine might evaluate the part before it checks whether Spark accepted the URL.
    for (column, arguments) in [("host", "'HOST'"), ("file", "'FILE'"), ("query_key", "'QUERY', key")] {
        let part = format!(
            "CASE WHEN path IS NOT NULL OR protocol IS NOT NULL THEN parse_url(url, {arguments}) END"
        );
        let differing = format!("SELECT count(*) FROM answers WHERE {part} IS DISTINCT FROM {column}");
        assert_eq!(count(&context, &differing).await, 0);
    }
    let refused = "SELECT url FROM answers WHERE path IS NULL AND protocol IS NULL";
    let refused = context.sql(refused).await.unwrap().cache().await.unwrap();
    let many = refused.clone().count().await.unwrap();
    assert!(many > 1000, "{many}");
    context.register_table("refused", refused.into_view()).unwrap();
    assert_eq!(count(&context, "SELECT count(*) FROM refused WHERE is_valid_uri(url, 'java')").await, 0);
    for row in (0..many).step_by(many / 100) {
        let one = format!(
            "SELECT parse_url(url, 'HOST') FROM (SELECT url FROM refused ORDER BY url LIMIT 1 OFFSET {row})"
        );
        let error = context.sql(&one).await.unwrap().collect().await.unwrap_err();
        assert!(error.to_string().contains("is invalid"), "{error}");
    }
}

/// The README states the number of answers for which DataFusion's own function with this name differs. It
/// accepts no key that differs between rows, and stops at URLs that it rejects, so this compares
/// `try_parse_url`.
#[cfg(not(feature = "datafusion-54"))]
#[tokio::test]
async fn datafusion_spark_differs_as_the_readme_says() {
    let context = SessionContext::new();
    context.register_udf(datafusion_spark::function::url::try_parse_url().as_ref().clone());
    let (mut total, mut differing) = (0, 0);
    for (column, arguments) in cases(&context).await {
        total += count(&context, "SELECT count(*) FROM answers").await;
        let different = format!("try_parse_url(url, {arguments}) IS DISTINCT FROM {column}");
        differing += count(&context, &format!("SELECT count(*) FROM answers WHERE {different}")).await;
    }
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let sentence = format!("{differing} of {total}");
    assert!(readme.contains(&sentence), "the README does not say {sentence:?}");
}
