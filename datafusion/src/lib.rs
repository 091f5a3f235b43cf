//! SQL functions for [DataFusion](https://datafusion.apache.org) and Ballista, built on the library `urivalidate`.
//!
//! | function | result |
//! |---|---|
//! | `is_valid_uri(uri [, grammar])` | boolean |
//! | `parse_uri(uri [, grammar])` | struct with the verdict and the components |
//! | `parse_uri_all(uri [, grammar])` | struct with the verdict, the components, and the fields of all grammars |
//! | `uri_spans(uri [, grammar])` | struct with the verdict, and the start and end of each component in bytes |
//! | `uri_error(uri [, grammar])` | struct that describes the error; NULL for valid URIs |
//! | `url_extract_scheme(uri [, grammar])`, `_host`, `_path`, `_query`, `_fragment` | text |
//! | `url_extract_port(uri [, grammar])` | 64-bit integer; NULL if the port is empty or does not fit |
//! | `url_extract_parameter(uri, name [, grammar])` | text: the value of the first parameter of this name, decoded |
//! | `url_encode(text)`, `url_decode(text)` | text, encoded as in the query of a submitted form, or decoded |
//! | `normalize_uri(uri [, form [, grammar]])` | text: the normal form |
//! | `resolve_uri(base, reference [, grammar])` | text: the URI that the reference refers to |
//! | `relativize_uri(base, uri [, grammar])` | text: a reference from the base to the URI |
//! | `surt(uri)` | text: the key in indexes of web archives |
//! | `uri_suffix(uri [, private [, grammar]])`, `uri_domain(…)` | text: the public suffix, the registered domain |
//! | `parse_url(url, part [, key])` | text: the result of Spark's `parse_url` in ANSI mode |
//! | `try_parse_url(url, part [, key])` | text: the result of Spark's `try_parse_url` |
//! | `parse_uri_field(uri, field [, grammar])`, `uri_spans_field(…)`, `uri_error_field(…)` | one field of the struct; [`FieldRewrite`] inserts these calls |
//!
//! The first argument is a string or binary value in any of Arrow's layouts, or a dictionary of such values. NULL in, NULL out.
//! If the input is a view, resulting text is `Utf8View` over the input's own bytes; otherwise it is `Utf8` or `LargeUtf8`. The
//! text for a dictionary is a dictionary of such text.
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

/// Registers [all functions](functions), which replaces others with the same names. Also registers [`FieldRewrite`] as a function
/// rewrite if the registry accepts function rewrites.
///
/// # Errors
///
/// If the registry accepts no functions.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    match registry.register_function_rewrite(Arc::new(FieldRewrite)) {
        // This registry accepts functions, but no rewrites: it serves callers that make no plans.
        Err(DataFusionError::NotImplemented(_)) => Ok(()),
        result => result,
    }
}
