//! Calls of the functions as expressions, for queries built without SQL.
//!
//! ```
//! use datafusion::prelude::{col, lit};
//! use urivalidate_datafusion::expr_fn::{is_valid_uri, try_parse_url};
//!
//! let valid = is_valid_uri(col("url"), Some(lit("java")));
//! assert_eq!(valid.to_string(), "is_valid_uri(url, Utf8(\"java\"))");
//! let host = try_parse_url(col("url"), lit("HOST"), None);
//! assert_eq!(host.to_string(), "try_parse_url(url, Utf8(\"HOST\"))");
//! ```
//!
//! An argument that is `None` is left out of the call. `SHOW FUNCTIONS` describes all arguments.

use datafusion_expr::{Expr, lit};

use crate::functions::function;

fn call(name: &str, args: impl IntoIterator<Item = Expr>) -> Expr {
    function(name).call(args.into_iter().collect())
}

macro_rules! of_uri {
    ($($(#[doc = $doc:literal])+ $name:ident;)+) => {
        $(
            $(#[doc = $doc])+
            pub fn $name(uri: Expr, grammar: Option<Expr>) -> Expr {
                call(stringify!($name), [uri].into_iter().chain(grammar))
            }
        )+
    };
}

of_uri! {
    /// Whether a URI is valid.
    is_valid_uri;
    /// A struct with the verdict and the components.
    parse_uri;
    /// A struct with the verdict and the components, and with the fields of all grammars.
    parse_uri_all;
    /// A struct with the verdict, and the start and end of each component.
    uri_spans;
    /// A struct that describes the error; NULL for a valid URI.
    uri_error;
    /// The scheme.
    url_extract_scheme;
    /// The host.
    url_extract_host;
    /// The port, as a number.
    url_extract_port;
    /// The path.
    url_extract_path;
    /// The query.
    url_extract_query;
    /// The fragment.
    url_extract_fragment;
}

/// The value of the first parameter of this name in the query, decoded.
pub fn url_extract_parameter(uri: Expr, name: Expr, grammar: Option<Expr>) -> Expr {
    call("url_extract_parameter", [uri, name].into_iter().chain(grammar))
}

/// The text, encoded as in the query of a submitted form.
pub fn url_encode(text: Expr) -> Expr {
    call("url_encode", [text])
}

/// The text, decoded as from the query of a submitted form.
pub fn url_decode(text: Expr) -> Expr {
    call("url_decode", [text])
}

/// The normal form of a URI.
pub fn normalize_uri(uri: Expr, form: Option<Expr>, grammar: Option<Expr>) -> Expr {
    let form = form.or_else(|| grammar.is_some().then(|| lit("syntax")));
    call("normalize_uri", [uri].into_iter().chain(form).chain(grammar))
}

/// The URI that a reference refers to.
pub fn resolve_uri(base: Expr, reference: Expr, grammar: Option<Expr>) -> Expr {
    call("resolve_uri", [base, reference].into_iter().chain(grammar))
}

/// A reference from a base to a URI.
pub fn relativize_uri(base: Expr, uri: Expr, grammar: Option<Expr>) -> Expr {
    call("relativize_uri", [base, uri].into_iter().chain(grammar))
}

/// The key of a URI in the indexes of web archives.
pub fn surt(uri: Expr) -> Expr {
    call("surt", [uri])
}

/// The public suffix of the host.
pub fn uri_suffix(uri: Expr, private: Option<Expr>, grammar: Option<Expr>) -> Expr {
    let private = private.or_else(|| grammar.is_some().then(|| lit(false)));
    call("uri_suffix", [uri].into_iter().chain(private).chain(grammar))
}

/// The registered domain of the host.
pub fn uri_domain(uri: Expr, private: Option<Expr>, grammar: Option<Expr>) -> Expr {
    let private = private.or_else(|| grammar.is_some().then(|| lit(false)));
    call("uri_domain", [uri].into_iter().chain(private).chain(grammar))
}

/// A part of a URL, as Spark's `parse_url` returns it. An invalid URL is an error.
pub fn parse_url(url: Expr, part: Expr, key: Option<Expr>) -> Expr {
    call("parse_url", [url, part].into_iter().chain(key))
}

/// A part of a URL, as Spark's `try_parse_url` returns it; NULL for an invalid URL.
pub fn try_parse_url(url: Expr, part: Expr, key: Option<Expr>) -> Expr {
    call("try_parse_url", [url, part].into_iter().chain(key))
}
