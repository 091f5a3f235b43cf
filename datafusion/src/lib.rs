//! SQL functions for [DataFusion](https://datafusion.apache.org) and Ballista over the library `urivalidate`.
//!
//! | function | result |
//! |---|---|
//! | `is_valid_uri(uri [, grammar])` | boolean |
//! | `parse_uri(uri [, grammar])` | struct of the verdict and the components |
//! | `parse_uri_all(uri [, grammar])` | the same, with the fields of all grammars |
//! | `uri_spans(uri [, grammar])` | struct of the verdict and of where the components start and end, in bytes |
//! | `uri_error(uri [, grammar])` | struct of the error, NULL for valid URIs |
//! | `url_extract_scheme(uri [, grammar])`, `_host`, `_path`, `_query`, `_fragment` | text |
//! | `url_extract_port(uri [, grammar])` | 64-bit integer, NULL where the port is empty or does not fit |
//! | `url_extract_parameter(uri, name [, grammar])` | text: the value of the first parameter of this name, decoded |
//! | `url_encode(text)`, `url_decode(text)` | text, as a form codes it |
//! | `normalize_uri(uri [, form [, grammar]])` | text: the normal form |
//! | `resolve_uri(base, reference [, grammar])` | text: the URI that the reference refers to |
//! | `relativize_uri(base, uri [, grammar])` | text: a reference from the base to the URI |
//! | `surt(uri)` | text: the key in indexes of web archives |
//! | `uri_suffix(uri [, private [, grammar]])`, `uri_domain(…)` | text: the public suffix, the registered domain |
//! | `parse_url(url, part [, key])` | text; what Spark's `parse_url` gives in ANSI mode |
//! | `try_parse_url(url, part [, key])` | text; what Spark's `try_parse_url` gives |
//! | `parse_uri_field(uri, field [, grammar])`, `uri_spans_field(…)`, `uri_error_field(…)` | one field of the struct: what [`FieldRewrite`] makes |
//!
//! The first argument is a string or binary value of any of Arrow's layouts, or a dictionary of them. NULL in, NULL out.
//! The text that comes out is `Utf8View` over the input's own bytes where the input is a view, else `Utf8` or `LargeUtf8`; of a
//! dictionary it is a dictionary of such text.
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
mod derived;
mod dictionary;
mod document;
pub mod expr_fn;
mod field;
mod functions;
mod presto;
mod rewrite;
mod spark;
mod uri;

use std::sync::Arc;

use datafusion_common::{DataFusionError, Result};
use datafusion_expr::registry::FunctionRegistry;

pub use crate::functions::functions;
pub use crate::rewrite::FieldRewrite;

/// Registers [all functions](functions), in place of others of the same names, and [`FieldRewrite`] as a function rewrite if the
/// registry takes such.
///
/// # Errors
///
/// If the registry takes no functions.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    match registry.register_function_rewrite(Arc::new(FieldRewrite)) {
        // It holds functions for callers that make no plans.
        Err(DataFusionError::NotImplemented(_)) => Ok(()),
        result => result,
    }
}
