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
use crate::report::aggregate_functions;

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
    /// The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host,
    /// host_kind, port, path, query and fragment, and of scheme_specific_part, opaque and authority_kind,
    /// which only the grammars rfc2396 and java have.
    parse_uri;
    /// The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and
    /// so on, which count bytes from the first; an end is the byte after the last one.
    uri_spans;
    /// The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a
    /// valid URI.
    uri_error;
    /// The scheme of a URI; NULL for an invalid URI, and for one without a scheme.
    url_extract_protocol;
    /// The host of a URI; NULL for an invalid URI, and for one without a host.
    url_extract_host;
    /// The port of a URI as a number; NULL for an invalid URI, for one without a port, and if the port is
    /// empty or does not fit into 64 bits.
    url_extract_port;
    /// The path of a URI; NULL for an invalid URI.
    url_extract_path;
    /// The query of a URI; NULL for an invalid URI, and for one without a query.
    url_extract_query;
    /// The fragment of a URI; NULL for an invalid URI, and for one without a fragment.
    url_extract_fragment;
}

/// Whether a list has the host of a URI; false for an invalid URI, and for one without a host.
pub fn host_in(uri: Expr, list: Expr, grammar: Option<Expr>) -> Expr {
    call("host_in", [uri, list].into_iter().chain(grammar))
}

/// The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for an
/// invalid URI, and for one without the parameter.
pub fn url_extract_parameter(uri: Expr, name: Expr, grammar: Option<Expr>) -> Expr {
    call("url_extract_parameter", [uri, name].into_iter().chain(grammar))
}

/// Text as a form sends it: ASCII letters and digits, *, -, . and _ stay, a space becomes +, and any other
/// byte becomes % and two hexadecimal digits.
pub fn url_encode(text: Expr) -> Expr {
    call("url_encode", [text])
}

/// The text that url_encode encoded; a % without two hexadecimal digits is an error.
pub fn url_decode(text: Expr) -> Expr {
    call("url_decode", [text])
}

/// The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent URIs
/// share; NULL for an invalid URI.
pub fn normalize_uri(uri: Expr, form: Option<Expr>, grammar: Option<Expr>) -> Expr {
    let form = form.or_else(|| grammar.is_some().then(|| lit("syntax")));
    call("normalize_uri", [uri].into_iter().chain(form).chain(grammar))
}

/// The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid.
pub fn resolve_uri(base: Expr, reference: Expr, grammar: Option<Expr>) -> Expr {
    call("resolve_uri", [base, reference].into_iter().chain(grammar))
}

/// A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the base
/// is invalid.
pub fn relativize_uri(base: Expr, uri: Expr, grammar: Option<Expr>) -> Expr {
    call("relativize_uri", [base, uri].into_iter().chain(grammar))
}

/// An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such a
/// repair.
pub fn suggest_uri(uri: Expr, grammar: Option<Expr>) -> Expr {
    call("suggest_uri", [uri].into_iter().chain(grammar))
}

/// The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an invalid
/// IRI.
pub fn to_uri(uri: Expr, grammar: Option<Expr>) -> Expr {
    call("to_uri", [uri].into_iter().chain(grammar))
}

/// The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and for
/// one without a query.
pub fn url_extract_query_names(uri: Expr, grammar: Option<Expr>) -> Expr {
    call("url_extract_query_names", [uri].into_iter().chain(grammar))
}

/// The parameters in the query of a URI, decoded: a map from each name to the value of its first parameter;
/// NULL for an invalid URI, and for one without a query.
pub fn url_parameters(uri: Expr, grammar: Option<Expr>) -> Expr {
    call("url_parameters", [uri].into_iter().chain(grammar))
}

/// The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for an
/// invalid URI, and for one without a query.
pub fn url_parameters_all(uri: Expr, grammar: Option<Expr>) -> Expr {
    call("url_parameters_all", [uri].into_iter().chain(grammar))
}

/// The host of a URI, unchanged; NULL for an invalid URI, and for one without a host.
pub fn uri_host(uri: Expr, grammar: Option<Expr>, default_scheme: Option<Expr>) -> Expr {
    of_host("uri_host", uri, grammar, default_scheme)
}

/// The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is
/// invalid, or its host is no name.
pub fn uri_host_reversed(uri: Expr, grammar: Option<Expr>, default_scheme: Option<Expr>) -> Expr {
    of_host("uri_host_reversed", uri, grammar, default_scheme)
}

/// The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if the
/// URI is invalid or has no host, or if UTS 46 forbids the name.
pub fn uri_host_ascii(uri: Expr, grammar: Option<Expr>, default_scheme: Option<Expr>) -> Expr {
    of_host("uri_host_ascii", uri, grammar, default_scheme)
}

/// The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a string
/// without a key.
pub fn uri_surt(uri: Expr) -> Expr {
    call("uri_surt", [uri])
}

/// The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or has
/// an IP address.
pub fn uri_suffix(
    uri: Expr,
    private: Option<Expr>,
    grammar: Option<Expr>,
    default_scheme: Option<Expr>,
) -> Expr {
    let grammar = grammar.or_else(|| default_scheme.is_some().then(|| lit("uri")));
    let private = private.or_else(|| grammar.is_some().then(|| lit(false)));
    call("uri_suffix", [uri].into_iter().chain(private).chain(grammar).chain(default_scheme))
}

/// The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more
/// label; NULL if the suffix is NULL, or the host is a suffix itself.
pub fn uri_domain(
    uri: Expr,
    private: Option<Expr>,
    grammar: Option<Expr>,
    default_scheme: Option<Expr>,
) -> Expr {
    let grammar = grammar.or_else(|| default_scheme.is_some().then(|| lit("uri")));
    let private = private.or_else(|| grammar.is_some().then(|| lit(false)));
    call("uri_domain", [uri].into_iter().chain(private).chain(grammar).chain(default_scheme))
}

/// The date of the public suffix list that uri_suffix and uri_domain use.
pub fn uri_suffix_list_date() -> Expr {
    call("uri_suffix_list_date", [])
}

/// Counts the valid records, and the errors of the others by their kinds: a struct of records, valid, invalid,
/// empty, nulls and errors, a map from the kinds of errors to their numbers. An aggregate function.
pub fn uri_report(uri: Expr, grammar: Option<Expr>) -> Expr {
    aggregate_functions()[0].call([uri].into_iter().chain(grammar).collect())
}

/// A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error.
pub fn parse_url(url: Expr, part: Expr, key: Option<Expr>) -> Expr {
    call("parse_url", [url, part].into_iter().chain(key))
}

/// A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL.
pub fn try_parse_url(url: Expr, part: Expr, key: Option<Expr>) -> Expr {
    call("try_parse_url", [url, part].into_iter().chain(key))
}

fn of_host(name: &str, uri: Expr, grammar: Option<Expr>, default_scheme: Option<Expr>) -> Expr {
    let grammar = grammar.or_else(|| default_scheme.is_some().then(|| lit("uri")));
    call(name, [uri].into_iter().chain(grammar).chain(default_scheme))
}
