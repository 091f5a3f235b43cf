//! The peers, each as a function that returns whether a record is valid.
//!
//! fluent-uri and iri-string are as strict as urivalidate, and so is jsonschema. oxiri only supports IRIs. url and ada-url follow
//! the WHATWG's URL standard: they repair URLs if they can, and ada-url's `can_parse` need not read the text
//! after the authority.

use urivalidate::Grammar;

pub fn ada_url(record: &str) -> bool {
    ada_url::Url::can_parse(record, None)
}

pub fn fluent_uri(record: &str) -> bool {
    fluent_uri::Uri::parse(record).is_ok()
}

pub fn iri_string(record: &str) -> bool {
    iri_string::types::UriStr::new(record).is_ok()
}

pub fn oxiri(record: &str) -> bool {
    oxiri::Iri::parse(record).is_ok()
}

pub fn url(record: &str) -> bool {
    url::Url::parse(record).is_ok()
}

/// The schema of jsonschema for the format of a grammar's name.
pub fn jsonschema(grammar: Grammar) -> jsonschema::Validator {
    let schema = serde_json::json!({"format": grammar.name()});
    let options = jsonschema::options().should_validate_formats(true);
    options.build(&schema).expect("the schema is one of JSON Schema")
}

/// fluent-uri's function for a grammar, if fluent-uri supports the grammar.
pub fn fluent_uri_of(grammar: Grammar) -> Option<fn(&str) -> bool> {
    Some(match grammar {
        Grammar::Uri => fluent_uri,
        Grammar::UriReference => |record| fluent_uri::UriRef::parse(record).is_ok(),
        Grammar::Iri => |record| fluent_uri::Iri::parse(record).is_ok(),
        Grammar::IriReference => |record| fluent_uri::IriRef::parse(record).is_ok(),
        _ => return None,
    })
}
