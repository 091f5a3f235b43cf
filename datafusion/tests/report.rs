//! Tests `uri_report`: the reports of parts of a table add up, for every layout of strings.

mod common;

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, Int64Array, RecordBatch, StringArray, StructArray};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::datasource::MemTable;
use datafusion::error::Result;
use datafusion::prelude::{SessionContext, col, lit};
use urivalidate::arrow::UriReport;
use urivalidate::{Grammar, Validator};
use urivalidate_datafusion::expr_fn::uri_report;

const URLS: [Option<&str>; 7] =
    [Some("http://h/"), Some("a b"), None, Some(""), Some("//h/|"), Some("http://h/é"), Some("x:y")];
const GROUPS: i64 = 13;

/// The URL of a row. Groups have different ones.
fn url(row: i64) -> Option<&'static str> {
    URLS[(row / 3 % 7) as usize]
}

/// A table `t` of the numbers `n` of rows and their URLs `u`, in three partitions of several batches.
fn table(context: &SessionContext, layout: &DataType) -> Result<()> {
    let schema = Arc::new(Schema::new(vec![
        Field::new("n", DataType::Int64, false),
        Field::new("u", layout.clone(), true),
    ]));
    let batch = |first: i64| {
        let rows = first..first + 1000;
        let urls: ArrayRef = Arc::new(rows.clone().map(url).collect::<StringArray>());
        let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from_iter_values(rows)), cast(&urls, layout)?];
        Ok(RecordBatch::try_new(Arc::clone(&schema), columns)?)
    };
    let partitions = (0..3).map(|part| (0..4).map(|at| batch(part * 4000 + at * 1000)).collect());
    let partitions = partitions.collect::<Result<Vec<Vec<_>>>>()?;
    context.register_table("t", Arc::new(MemTable::try_new(schema, partitions)?))?;
    Ok(())
}

fn expected(grammar: Grammar, rows: impl Iterator<Item = i64>) -> StructArray {
    let mut report = UriReport::new(Validator::new(grammar));
    rows.for_each(|row| report.add_record(url(row).map(str::as_bytes)));
    UriReport::structs([&report])
}

async fn run(context: &SessionContext, sql: &str) -> Result<RecordBatch> {
    let batches = context.sql(sql).await?.collect().await?;
    Ok(concat_batches(&batches[0].schema(), &batches)?)
}

#[tokio::test]
async fn reports_add_up() -> Result<()> {
    let keys = |values| DataType::Dictionary(Box::new(DataType::Int32), Box::new(values));
    let layouts = [
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::LargeBinary,
        DataType::BinaryView,
        keys(DataType::Utf8),
        keys(DataType::Binary),
    ];
    for layout in layouts {
        let context = common::context();
        table(&context, &layout)?;
        for grammar in [Grammar::Uri, Grammar::Java, Grammar::IriReference] {
            let name = grammar.name();
            let whole = run(&context, &format!("SELECT uri_report(u, '{name}') AS r FROM t")).await?;
            assert_eq!(whole.column(0).as_struct(), &expected(grammar, 0..12_000), "{layout} {name}");
            let groups = format!(
                "SELECT n % {GROUPS} AS g, uri_report(u, '{name}') AS r, uri_report(u) FILTER (WHERE n < 5000) AS f FROM t GROUP BY g ORDER BY g"
            );
            let groups = run(&context, &groups).await?;
            assert_eq!(groups.num_rows() as i64, GROUPS);
            for (row, &group) in groups.column(0).as_primitive::<Int64Type>().values().iter().enumerate() {
                let rows = |end: i64| (0..end).filter(move |row| row % GROUPS == group);
                let report = |column: usize| groups.column(column).as_struct().slice(row, 1);
                assert_eq!(report(1), expected(grammar, rows(12_000)), "{layout} {name} {group}");
                assert_eq!(report(2), expected(Grammar::Uri, rows(5000)), "{layout} {group}");
            }
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_window_that_grows_has_reports() -> Result<()> {
    let context = common::context();
    table(&context, &DataType::Utf8View)?;
    let found =
        run(&context, "SELECT n, uri_report(u) OVER (ORDER BY n) AS r FROM t ORDER BY n LIMIT 500").await?;
    for row in 0..500 {
        assert_eq!(found.column(1).as_struct().slice(row, 1), expected(Grammar::Uri, 0..=row as i64));
    }
    // DataFusion cannot take rows back from a report.
    let sliding = "SELECT uri_report(u) OVER (ORDER BY n ROWS 3 PRECEDING) FROM t";
    let error = run(&context, sliding).await.unwrap_err().to_string();
    assert!(error.contains("uri_report") && error.contains("retract"), "{error}");
    Ok(())
}

#[tokio::test]
async fn an_expression_is_the_same_call() -> Result<()> {
    let context = common::context();
    table(&context, &DataType::Utf8)?;
    let report = uri_report(col("u"), Some(lit("java"))).alias("r");
    let found = context.table("t").await?.aggregate(vec![], vec![report])?.collect().await?;
    assert_eq!(found[0].column(0).as_struct(), &expected(Grammar::Java, 0..12_000));
    assert!(!found[0].schema().field(0).is_nullable());
    Ok(())
}
