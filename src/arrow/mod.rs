//! The engine over Arrow arrays, column by column.
//!
//! ```
//! use arrow_array::StringViewArray;
//! use arrow_array::cast::AsArray;
//! use urivalidate::arrow::{ParseUri, TextLayout};
//! use urivalidate::{Grammar, Validator};
//!
//! let uris = StringViewArray::from(vec![Some("http://example.com:8080/a?b"), Some("no uri"), None]);
//! let parsed = ParseUri::new(Validator::new(Grammar::Uri)).text(TextLayout::Utf8View).parse(&uris)?;
//! let hosts = parsed.column_by_name("host").unwrap().as_string_view();
//! assert_eq!(hosts.iter().collect::<Vec<_>>(), [Some("example.com"), None, None]);
//! # Ok::<(), urivalidate::arrow::FunctionError>(())
//! ```
//!
//! Functions take arrays of strings and of binary values, with offsets of 32 or 64 bits or as views, sliced
//! or not, and dictionaries of these. Each value of a dictionary is judged once. Strings may be invalid
//! UTF-8. The result for NULL is NULL, also for an array of the type NULL; an absent component is NULL, an
//! empty component `''`.
//!
//! | function | result |
//! |---|---|
//! | [`is_valid_uri`] | boolean |
//! | [`ParseUri`] | a struct of the verdict and the components |
//! | [`uri_spans`] | a struct of the verdict and the places of the components |
//! | [`uri_error`] | a struct of each record's error |
//! | [`ParseUrl`] | `parse_url` and `try_parse_url` of Spark |
//! | [`url_extract`] | one component, as the functions of Presto return it |
//! | [`url_extract_parameter`], [`url_encode`], [`url_decode`] | parameters of a query and their coding, as in Presto |
//! | [`url_extract_query_names`], [`url_parameters`], [`url_parameters_all`] | all parameters of a query: lists and maps |
//! | [`DefaultScheme`] | URIs made of strings that begin with a host |
//! | [`suggest_uri`], [`to_uri`] | repaired records, and the URIs of IRIs |
//! | [`uri_host_reversed`], `uri_host_ascii` | texts made of hosts; the second needs the feature `domains` |
//! | [`host_in`] | boolean: whether a list has the host |
//! | [`UriReport`] | the numbers of valid strings and of errors in columns |
//! | [`normalize_uri`], [`resolve_uri`], [`relativize_uri`] | normal forms, the URIs that references refer to, references |
//! | `uri_surt`, `uri_suffix`, `uri_domain` | keys, with the features `surt` and `domains` |
//!
//! [`catalogue`] lists the functions with their parameters, for callers that register all of them, and has
//! the rule for their names.
//!
//! With the feature `corpus`, `RowStream` scans files into record batches, and `RowConverter` makes a record
//! batch of a scanned chunk.
//!
//! Functions take an array. Run-end encoded arrays, tables and streams are not supported.
//!
//! | module | contents |
//! |---|---|
//! | `view_gatherer` | strings of views, copied into one buffer |
//! | `strings` | layouts of strings, which are scanned block by block |
//! | `places` | the place of a part in each record of a batch |
//! | `bits`, `text`, `views` | builders of columns: bitmaps, text, views of text |
//! | `fields` | the fields of `parse_uri` and `uri_spans` |
//! | `made` | the values of a block: parts of its strings, and values made from them |
//! | `verdict`, `host_in`, `parse_uri`, `parse_url`, `url_extract`, `url_coding`, `url_parameters`, `derived`, `repaired`, `hosts`, `keys`, `default_scheme`, `report` | the functions |
//! | `repeats` | repetitions in keys that Java matches differently |
//! | `key` | keys of `parse_url` |
//! | `java_text` | bytes that are not UTF-8, read as Java reads them |
//! | [`catalogue`] | the functions with their parameters and documentation |
//! | `rows` | record batches of scanned chunks |
//! | [`interleave`](interleave()) | the rows of several arrays in one order |

mod bits;
pub mod catalogue;
mod copies;
mod default_scheme;
mod derived;
mod error;
mod fields;
mod host_in;
mod hosts;
mod interleave;
mod java_text;
mod kept;
mod key;
#[cfg(any(feature = "surt", feature = "domains"))]
mod keys;
mod made;
mod parse_uri;
mod parse_url;
mod places;
mod repaired;
mod repeats;
mod report;
#[cfg(feature = "corpus")]
pub(crate) mod rows;
mod strings;
mod text;
mod url_coding;
mod url_extract;
mod url_parameters;
mod verdict;
mod view_gatherer;
mod views;

pub use default_scheme::DefaultScheme;
pub use derived::{normalize_uri, relativize_uri, resolve_uri};
pub use error::FunctionError;
pub use host_in::host_in;
#[cfg(feature = "domains")]
pub use hosts::uri_host_ascii;
pub use hosts::uri_host_reversed;
pub use interleave::interleave;
#[cfg(feature = "surt")]
pub use keys::uri_surt;
#[cfg(feature = "domains")]
pub use keys::{uri_domain, uri_suffix};
pub use parse_uri::{ParseUri, uri_spans, uri_spans_field, uri_spans_type};
pub use parse_url::ParseUrl;
pub use repaired::{suggest_uri, to_uri};
pub use report::{UriReport, uri_report_type};
#[cfg(feature = "corpus")]
pub use rows::{Only, RowConverter, RowEvent, RowStream};
pub use text::TextLayout;
pub use url_coding::{url_decode, url_encode, url_extract_parameter};
pub use url_extract::{url_extract, url_extract_type};
pub use url_parameters::{
    url_extract_query_names, url_extract_query_names_type, url_parameters, url_parameters_all,
    url_parameters_all_type, url_parameters_type,
};
pub use verdict::{is_valid_uri, uri_error, uri_error_type};
