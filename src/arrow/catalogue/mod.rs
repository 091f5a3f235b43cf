//! The catalogue of column functions: what each function is called, takes and returns, and its evaluation.
//!
//! The packages for DataFusion, DuckDB, Python and C take their functions from here, and their tests compare
//! their documentation with it. `docs/functions.md` shows the catalogue as a table.
//!
//! ```
//! use arrow_array::StringArray;
//! use arrow_array::cast::AsArray;
//! use urivalidate::arrow::catalogue::{Constant, function};
//!
//! let function = function("url_extract_host").unwrap();
//! assert_eq!(function.syntax(), "url_extract_host(uri [, grammar])");
//! let uris = StringArray::from(vec![Some("http://example.com/"), Some("//example.org"), None]);
//! let hosts = function.call(&[Some(Constant::Text("uri-reference"))])?.evaluate(&[&uris])?;
//! let expected = StringArray::from(vec![Some("example.com"), Some("example.org"), None]);
//! assert_eq!(hosts.as_string::<i32>(), &expected);
//! # Ok::<(), urivalidate::arrow::FunctionError>(())
//! ```
//!
//! # Names
//!
//! 1. A function that another system has keeps its name and its results there: `parse_url` and
//!    `try_parse_url` of Spark, `url_extract_host`, `url_encode` and others of Presto. Functions of all
//!    parameters of a query are named like Presto's of one (`url_extract_query_names`, `url_parameters`), and
//!    decode like it. Only these names contain `url`.
//! 2. All other names contain `uri`, except `host_in`, which is a question about a host. A function that does
//!    something with a URI is a verb and `_uri` (`parse_uri`, `is_valid_uri`); a function that returns
//!    something about a URI is `uri_` and a noun (`uri_error`, `uri_surt`).
//! 3. A function that returns one field of a struct has the name of the function that returns the struct, and
//!    `_field`.
//! 4. These are the names in every package. C writes `uriv_arrow_` before them, because C has no namespaces.
//! 5. Functions of one record, and methods of a type or a namespace for URIs, have the [short
//!    names](Function::short_name), which lack `uri`: `is_valid`, `parse`, `surt`. `to_uri` is short enough.
//!
//! A package leaves out the functions that its system has itself, and those that its system cannot express;
//! it says which.
//!
//! | file | content |
//! |---|---|
//! | `constant` | the values of parameters that are not columns |
//! | `parameter` | parameters, and those that several functions share |
//! | `result_type` | the types of results |
//! | `all_fields` | the fields of `parse_uri` for all grammars |
//! | `evaluation` | from constants to a function of arrays |
//! | `function` | the parts of a function in one value |
//! | `list` | the functions |

mod all_fields;
mod constant;
mod evaluation;
mod function;
mod list;
mod parameter;
mod result_type;

pub use constant::Constant;
pub use function::{Call, Function, Origin};
pub use list::{FUNCTIONS, function};
pub use parameter::{Parameter, ParameterType};
pub use result_type::ResultType;
