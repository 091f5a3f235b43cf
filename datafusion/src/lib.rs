//! SQL functions for [DataFusion](https://datafusion.apache.org) and Ballista, built on the library
//! `urivalidate`.
//!
//! [`functions`] are all functions of the library's [catalogue](urivalidate::arrow::catalogue): verdicts,
//! components, errors, normal forms, references, keys, and functions of Spark and Presto. One of
//! [`aggregate_functions`], `uri_report`, counts the errors of a column by their kinds. The README has a table
//! of them, `SHOW FUNCTIONS` describes each with an example, and [`expr_fn`] has them for queries without SQL.
//! [`FieldRewrite`] inserts calls of `parse_uri_field`, `uri_spans_field` and `uri_error_field`.
//!
//! The first argument is a string or binary value in any of Arrow's layouts, or a dictionary of such values.
//! NULL in, NULL out. If the input is a view, resulting text is `Utf8View` over the input's own bytes;
//! otherwise it is `Utf8` or `LargeUtf8`. The text for a dictionary is a dictionary of such text.
//!
//! ```
//! # use datafusion::prelude::SessionContext;
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> datafusion::error::Result<()> {
//! let mut context = SessionContext::new();
//! urivalidate_datafusion::register_all(&mut context)?;
//! let hosts = context.sql("SELECT try_parse_url('http://user@example.com:80/a', 'HOST') AS host").await?;
//! datafusion::assert_batches_eq!(
//!     ["+-------------+", "| host        |", "+-------------+", "| example.com |", "+-------------+"],
//!     &hosts.collect().await?
//! );
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod argument;
mod dictionary;
mod document;
pub mod expr_fn;
mod failure;
mod function;
mod functions;
mod groups;
mod report;
mod rewrite;
mod suffix_list_date;

use std::sync::Arc;

use datafusion_common::{DataFusionError, Result};
use datafusion_expr::registry::FunctionRegistry;

pub use crate::functions::functions;
pub use crate::report::aggregate_functions;
pub use crate::rewrite::FieldRewrite;

/// Registers [all scalar functions](functions), which replaces others with the same names. Also registers the
/// [aggregate functions](aggregate_functions), and [`FieldRewrite`] as a function rewrite, if the registry
/// accepts them.
///
/// # Errors
///
/// If the registry accepts no functions.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    for function in aggregate_functions() {
        if_accepted(registry.register_udaf(function).map(drop))?;
    }
    if_accepted(registry.register_function_rewrite(Arc::new(FieldRewrite)))
}

/// Ignores that a registry does not accept something: a registry of scalar functions alone serves callers that
/// make no plans.
fn if_accepted(result: Result<()>) -> Result<()> {
    match result {
        Err(DataFusionError::NotImplemented(_)) => Ok(()),
        result => result,
    }
}
