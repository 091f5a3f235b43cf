//! Runs the SQL of the README and of `functions.slt`. Both use the sqllogictest format and DataFusion's
//! notation for values: NULL is `NULL`, and an empty string is `(empty)`.

mod common;

use async_trait::async_trait;
use datafusion::arrow::array::Array;
use datafusion::arrow::datatypes::DataType;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::error::{DataFusionError, Result};
use datafusion::prelude::SessionContext;
use sqllogictest::{AsyncDB, DBOutput, DefaultColumnType, Runner, strict_column_validator};

struct Engine(SessionContext);

#[async_trait]
impl AsyncDB for Engine {
    type Error = DataFusionError;
    type ColumnType = DefaultColumnType;

    async fn run(&mut self, sql: &str) -> Result<DBOutput<DefaultColumnType>> {
        let frame = self.0.sql(sql).await?;
        let types = frame.schema().fields().iter().map(|field| column_type(field.data_type())).collect();
        let mut rows = Vec::new();
        for batch in frame.collect().await? {
            for row in 0..batch.num_rows() {
                rows.push(batch.columns().iter().map(|column| cell(column, row)).collect::<Result<_>>()?);
            }
        }
        Ok(DBOutput::Rows { types, rows })
    }

    async fn shutdown(&mut self) {}
}

fn column_type(data_type: &DataType) -> DefaultColumnType {
    match data_type {
        DataType::Dictionary(_, values) => column_type(values),
        text if text.is_string() => DefaultColumnType::Text,
        integer if integer.is_integer() => DefaultColumnType::Integer,
        _ => DefaultColumnType::Any,
    }
}

fn cell(column: &dyn Array, row: usize) -> Result<String> {
    let text = ArrayFormatter::try_new(column, &FormatOptions::new().with_null("NULL"))?
        .value(row)
        .try_to_string()?;
    Ok(if text.is_empty() { "(empty)".to_owned() } else { text })
}

async fn run(script: &str) {
    let mut runner = Runner::new(|| async { Ok(Engine(common::context())) });
    runner.with_column_validator(strict_column_validator);
    runner.run_script_async(script).await.unwrap();
}

/// Runs the blocks of the README that are marked as SQL.
#[tokio::test]
async fn readme() {
    let readme = include_str!("../README.md");
    let blocks: Vec<_> =
        readme.split("```sql\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5, "{}", blocks.len());
    run(&blocks.join("\n")).await;
}

#[tokio::test]
async fn functions() {
    run(include_str!("functions.slt")).await;
}

/// Tests the known errors of other implementations.
#[tokio::test]
async fn known_differences() {
    run(include_str!("known_differences.slt")).await;
}
