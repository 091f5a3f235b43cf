//! The functions.

use super::evaluation::Work;
use super::function::{Function, Origin};
#[cfg(feature = "domains")]
use super::parameter::PRIVATE;
use super::parameter::{
    BASE, DEFAULT_SCHEME, FORM, GRAMMAR, KEY, LIST, NAME, PART, Parameter, REFERENCE, TEXT, URI, URL, field,
};
use super::result_type::ResultType;
use crate::error::Component;
use crate::grammar::Grammar;

/// Returns the function of this name.
pub fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// All functions, in the order in which they are documented.
pub static FUNCTIONS: &[Function] = &[
    Function {
        name: "is_valid_uri",
        result: ResultType::Boolean,
        sentence: "Whether a URI is valid.",
        example: "is_valid_uri('http://example.com/')",
        related: &["parse_uri", "uri_error"],
        ..of_uri(Work::IsValid)
    },
    Function {
        name: "parse_uri",
        result: ResultType::Components,
        sentence: "The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host, host_kind, port, path, query \
                   and fragment, and of scheme_specific_part, opaque and authority_kind, which only the grammars rfc2396 and java have.",
        example: "parse_uri('http://example.com:80/a')",
        related: &["uri_spans", "is_valid_uri"],
        ..of_uri(Work::Parse)
    },
    Function {
        name: "parse_uri_field",
        parameters: &[URI, field("host"), GRAMMAR],
        result: ResultType::Field,
        sentence: "One field of the struct that parse_uri returns, without the others.",
        example: "parse_uri_field('http://user@example.com/', 'userinfo')",
        related: &["parse_uri"],
        ..of_uri(Work::ParseField)
    },
    Function {
        name: "uri_spans",
        result: ResultType::Spans,
        sentence: "The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and so on, which count bytes \
                   from the first; an end is the byte after the last one.",
        example: "uri_spans('http://example.com/')",
        related: &["parse_uri"],
        ..of_uri(Work::Spans)
    },
    Function {
        name: "uri_spans_field",
        parameters: &[URI, field("host_start"), GRAMMAR],
        result: ResultType::Field,
        sentence: "One field of the struct that uri_spans returns, without the others.",
        example: "uri_spans_field('http://example.com/', 'host_start')",
        related: &["uri_spans"],
        ..of_uri(Work::SpansField)
    },
    Function {
        name: "uri_error",
        result: ResultType::Error,
        sentence: "The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a valid URI.",
        example: "uri_error('http://exa mple.com/')",
        related: &["is_valid_uri"],
        ..of_uri(Work::Error)
    },
    Function {
        name: "uri_error_field",
        parameters: &[URI, field("kind"), GRAMMAR],
        result: ResultType::Field,
        sentence: "One field of the struct that uri_error returns, without the others.",
        example: "uri_error_field('http://exa mple.com/', 'kind')",
        related: &["uri_error"],
        ..of_uri(Work::ErrorField)
    },
    Function {
        name: "normalize_uri",
        parameters: &[URI, FORM, GRAMMAR],
        sentence: "The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent URIs share; NULL for an \
                   invalid URI.",
        example: "normalize_uri('HTTP://Example.com:80/a/../%7eb', 'scheme')",
        related: &["resolve_uri", "uri_surt"],
        ..of_uri(Work::Normalize)
    },
    Function {
        name: "resolve_uri",
        parameters: &[BASE, REFERENCE, GRAMMAR],
        grammar: Some(Grammar::UriReference),
        sentence: "The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid.",
        example: "resolve_uri('http://example.com/a/b', '../c?d')",
        related: &["relativize_uri"],
        ..of_uri(Work::Resolve)
    },
    Function {
        name: "relativize_uri",
        parameters: &[BASE, URI, GRAMMAR],
        grammar: Some(Grammar::UriReference),
        sentence: "A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the base is invalid.",
        example: "relativize_uri('http://example.com/a/b', 'http://example.com/a/c')",
        related: &["resolve_uri"],
        ..of_uri(Work::Relativize)
    },
    Function {
        name: "suggest_uri",
        sentence: "An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such a repair.",
        example: "suggest_uri('http://example.com/a b')",
        related: &["uri_error", "is_valid_uri"],
        ..of_uri(Work::Suggest)
    },
    Function {
        name: "to_uri",
        grammar: Some(Grammar::Iri),
        sentence: "The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an invalid IRI.",
        example: "to_uri('http://example.com/ä')",
        related: &["normalize_uri", "uri_host_ascii"],
        ..of_uri(Work::ToUri)
    },
    Function {
        name: "uri_host",
        parameters: &[URI, GRAMMAR, DEFAULT_SCHEME],
        sentence: "The host of a URI, unchanged; NULL for an invalid URI, and for one without a host.",
        example: "uri_host('example.com/a', 'uri', 'http')",
        related: &["url_extract_host", "uri_domain"],
        ..of_uri(Work::Host)
    },
    Function {
        name: "uri_host_reversed",
        parameters: &[URI, GRAMMAR, DEFAULT_SCHEME],
        sentence: "The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is invalid, or its host is no name.",
        example: "uri_host_reversed('http://www.example.com/')",
        related: &["uri_host", "uri_surt"],
        ..of_uri(Work::HostReversed)
    },
    #[cfg(feature = "domains")]
    Function {
        name: "uri_host_ascii",
        parameters: &[URI, GRAMMAR, DEFAULT_SCHEME],
        sentence: "The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if the URI is invalid or \
                   has no host, or if UTS 46 forbids the name.",
        example: "uri_host_ascii('http://bücher.example/', 'iri')",
        related: &["uri_host", "to_uri"],
        ..of_uri(Work::HostAscii)
    },
    #[cfg(feature = "surt")]
    Function {
        name: "uri_surt",
        parameters: &[URI],
        grammar: None,
        sentence: "The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a string without a key.",
        example: "uri_surt('http://www.example.com/a?c&b')",
        related: &["uri_domain", "normalize_uri"],
        ..of_uri(Work::Surt)
    },
    #[cfg(feature = "domains")]
    Function {
        name: "uri_suffix",
        parameters: &[URI, PRIVATE, GRAMMAR, DEFAULT_SCHEME],
        sentence: "The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or has an IP address.",
        example: "uri_suffix('http://www.example.co.uk/')",
        related: &["uri_domain"],
        ..of_uri(Work::Suffix)
    },
    #[cfg(feature = "domains")]
    Function {
        name: "uri_domain",
        parameters: &[URI, PRIVATE, GRAMMAR, DEFAULT_SCHEME],
        sentence: "The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more label; NULL if the suffix \
                   is NULL, or the host is a suffix itself.",
        example: "uri_domain('http://www.example.co.uk/')",
        related: &["uri_suffix"],
        ..of_uri(Work::Domain)
    },
    Function {
        name: "host_in",
        parameters: &[URI, LIST, GRAMMAR],
        result: ResultType::Boolean,
        sentence: "Whether a list has the host of a URI; false for an invalid URI, and for one without a host.",
        example: "host_in('http://www.example.com/', '.example.com')",
        related: &["url_extract_host"],
        ..of_uri(Work::HostIn)
    },
    Function {
        name: "parse_url",
        sentence: "A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error.",
        example: "parse_url('http://example.com/?a=1&b=2', 'QUERY', 'b')",
        related: &["try_parse_url"],
        ..of_spark(Work::ParseUrl)
    },
    Function {
        name: "try_parse_url",
        sentence: "A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL.",
        example: "try_parse_url('http://exa mple.com/', 'HOST')",
        related: &["parse_url"],
        ..of_spark(Work::TryParseUrl)
    },
    Function {
        name: "url_extract_protocol",
        sentence: "The scheme of a URI; NULL for an invalid URI, and for one without a scheme.",
        example: "url_extract_protocol('http://example.com:80/a?b#c')",
        ..extract(Component::Scheme)
    },
    Function {
        name: "url_extract_host",
        sentence: "The host of a URI; NULL for an invalid URI, and for one without a host.",
        example: "url_extract_host('http://example.com:80/a?b#c')",
        ..extract(Component::Host)
    },
    Function {
        name: "url_extract_port",
        result: ResultType::Integer,
        sentence: "The port of a URI as a number; NULL for an invalid URI, for one without a port, and if the port is empty or does not fit into 64 bits.",
        example: "url_extract_port('http://example.com:80/a?b#c')",
        ..extract(Component::Port)
    },
    Function {
        name: "url_extract_path",
        sentence: "The path of a URI; NULL for an invalid URI.",
        example: "url_extract_path('http://example.com:80/a?b#c')",
        ..extract(Component::Path)
    },
    Function {
        name: "url_extract_query",
        sentence: "The query of a URI; NULL for an invalid URI, and for one without a query.",
        example: "url_extract_query('http://example.com:80/a?b#c')",
        ..extract(Component::Query)
    },
    Function {
        name: "url_extract_fragment",
        sentence: "The fragment of a URI; NULL for an invalid URI, and for one without a fragment.",
        example: "url_extract_fragment('http://example.com:80/a?b#c')",
        ..extract(Component::Fragment)
    },
    Function {
        name: "url_extract_parameter",
        parameters: &[URI, NAME, GRAMMAR],
        sentence: "The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for an invalid URI, and for one \
                   without the parameter.",
        example: "url_extract_parameter('http://example.com/?a=1&b=x%26y', 'b')",
        related: &["parse_url"],
        origin: Origin::Presto,
        ..of_uri(Work::ExtractParameter)
    },
    Function {
        name: "url_extract_query_names",
        result: ResultType::Texts,
        sentence: "The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and for one without a query.",
        example: "url_extract_query_names('http://example.com/?b=1&a&b=2')",
        related: &["url_parameters"],
        origin: Origin::Presto,
        ..of_uri(Work::ExtractQueryNames)
    },
    Function {
        name: "url_parameters",
        result: ResultType::Map,
        sentence: "The parameters in the query of a URI, decoded: a map from each name to the value of its first parameter; NULL for an invalid \
                   URI, and for one without a query.",
        example: "url_parameters('http://example.com/?b=1&a&b=2')",
        related: &["url_parameters_all", "url_extract_parameter"],
        origin: Origin::Presto,
        ..of_uri(Work::Parameters)
    },
    Function {
        name: "url_parameters_all",
        result: ResultType::MapOfLists,
        sentence: "The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for an invalid URI, and \
                   for one without a query.",
        example: "url_parameters_all('http://example.com/?b=1&a&b=2')",
        related: &["url_parameters"],
        origin: Origin::Presto,
        ..of_uri(Work::AllParameters)
    },
    Function {
        name: "url_encode",
        sentence: "Text as a form sends it: ASCII letters and digits, *, -, . and _ stay, a space becomes +, and any other byte becomes % and two \
                   hexadecimal digits.",
        example: "url_encode('a b&c')",
        related: &["url_decode"],
        ..of_text(Work::Encode)
    },
    Function {
        name: "url_decode",
        sentence: "The text that url_encode encoded; a % without two hexadecimal digits is an error.",
        example: "url_decode('a+b%26c')",
        related: &["url_encode"],
        ..of_text(Work::Decode)
    },
];

/// Returns a function of URIs and a grammar, with text as its result.
const fn of_uri(work: Work) -> Function {
    const PARAMETERS: &[Parameter] = &[URI, GRAMMAR];

    Function {
        name: "",
        origin: Origin::Urivalidate,
        parameters: PARAMETERS,
        grammar: Some(Grammar::Uri),
        result: ResultType::Text,
        sentence: "",
        example: "",
        related: &[],
        work,
    }
}

const fn of_spark(work: Work) -> Function {
    const PARAMETERS: &[Parameter] = &[URL, PART, KEY];

    Function { origin: Origin::Spark, parameters: PARAMETERS, grammar: Some(Grammar::Java), ..of_uri(work) }
}

const fn extract(component: Component) -> Function {
    Function { origin: Origin::Presto, related: &["parse_uri"], ..of_uri(Work::Extract(component)) }
}

const fn of_text(work: Work) -> Function {
    Function { origin: Origin::Presto, parameters: &[TEXT], grammar: None, ..of_uri(work) }
}
