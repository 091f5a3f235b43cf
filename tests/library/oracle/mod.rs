//! The grammars, derived from the ABNF of the RFCs: slow, simple, and without code of the parsers.
//!
//! Verdicts and offsets come from automata made from the ABNF ([`language`]). Components are found in another
//! way: the expression of RFC 3986 appendix B cuts a record, all ways to cut its authority are tried, and
//! every part must belong to the language of its own rule.

mod abnf;
mod fault;
mod language;
mod parts;

use std::sync::LazyLock;

use urivalidate::{Grammar, Validator};

pub(crate) use abnf::{Node, Rules};
pub(crate) use fault::Fault;
use language::Compiler;
pub(crate) use language::{Language, START};
pub(crate) use parts::Parts;

const RFC2396: &str = include_str!("abnf/rfc2396.abnf");
const RFC2396_DECISIONS: &str = include_str!("abnf/rfc2396-decisions.abnf");
const RFC2732: &str = include_str!("abnf/rfc2732.abnf");
const RFC3986: &str = include_str!("abnf/rfc3986.abnf");
const RFC3987: &str = include_str!("abnf/rfc3987.abnf");
const RFC5234: &str = include_str!("abnf/rfc5234.abnf");
const RFC6874: &str = include_str!("abnf/rfc6874.abnf");
const RFC9112: &str = include_str!("abnf/rfc9112.abnf");
const JAVA: &str = include_str!("abnf/java.abnf");

/// One grammar, by its ABNF.
pub(crate) struct Oracle {
    pub(crate) validator: Validator,
    /// The records that are valid.
    pub(crate) whole: Language,
    rules: PartRules,
}

/// The languages of the components. The languages that a grammar lacks are absent.
struct PartRules {
    scheme: Language,
    userinfo: Language,
    port: Language,
    reg_name: Language,
    /// RFC 2396: describes a server's host. There `reg_name` describes an authority.
    hostname: Option<Language>,
    ipv4: Language,
    /// The languages of the text in brackets.
    ipv6: Vec<Language>,
    ipvfuture: Option<Language>,
    path_with_authority: Language,
    path_with_scheme: Vec<Language>,
    path_alone: Vec<Language>,
    opaque_part: Option<Language>,
    query: Language,
    fragment: Language,
}

impl Oracle {
    /// Returns the oracles of all grammars, and of the grammars with zone identifiers.
    pub(crate) fn all() -> &'static [Oracle] {
        static ALL: LazyLock<Vec<Oracle>> = LazyLock::new(|| {
            let without_zones = Grammar::ALL.iter().map(|&grammar| Validator::new(grammar));
            let zoned = without_zones.clone().filter_map(|validator| validator.with_zone_ids().ok());
            without_zones.chain(zoned).map(Oracle::new).collect()
        });
        &ALL
    }

    /// The oracle of this grammar.
    pub(crate) fn of(validator: Validator) -> &'static Oracle {
        Oracle::all().iter().find(|oracle| oracle.validator == validator).unwrap()
    }

    /// Returns the rules of this grammar, and the name of the rule that judges records.
    pub(crate) fn rules(validator: Validator) -> (Rules, &'static str) {
        let grammar = validator.grammar();
        let (start, texts): (_, &[_]) = match grammar {
            Grammar::Uri => ("URI", &[RFC5234, RFC3986]),
            Grammar::UriReference => ("URI-reference", &[RFC5234, RFC3986]),
            Grammar::AbsoluteUri => ("absolute-URI", &[RFC5234, RFC3986]),
            Grammar::RelativeRef => ("relative-ref", &[RFC5234, RFC3986]),
            Grammar::Iri => ("IRI", &[RFC5234, RFC3986, RFC3987]),
            Grammar::IriReference => ("IRI-reference", &[RFC5234, RFC3986, RFC3987]),
            Grammar::RequestTarget => ("request-target", &[RFC5234, RFC3986, RFC9112]),
            Grammar::Rfc2396 => ("URI-reference", &[RFC2396, RFC2732, RFC2396_DECISIONS]),
            Grammar::Java => ("URI-reference", &[RFC2396, RFC2732, RFC2396_DECISIONS, JAVA]),
            other => panic!("{other} has no ABNF here"),
        };
        let texts = [texts, if validator.zone_ids() { &[RFC6874] } else { &[] }].concat();
        (Rules::read(&texts), start)
    }

    fn new(validator: Validator) -> Self {
        let (rules, start) = Oracle::rules(validator);
        let rules = &mut Compiler::new(&rules);
        let parts = match validator.grammar() {
            Grammar::Rfc2396 | Grammar::Java => PartRules::rfc2396(rules),
            Grammar::Iri | Grammar::IriReference => PartRules::rfc3986(rules, "i"),
            _ => PartRules::rfc3986(rules, ""),
        };
        Oracle { validator, whole: rules.language(start), rules: parts }
    }

    pub(crate) fn grammar(&self) -> Grammar {
        self.validator.grammar()
    }

    /// Returns true for a grammar of RFC 2396.
    fn is_rfc2396(&self) -> bool {
        matches!(self.grammar(), Grammar::Rfc2396 | Grammar::Java)
    }
}

impl PartRules {
    /// Returns the rules of RFC 3986, or those of RFC 3987, whose names start with "i".
    fn rfc3986(rules: &mut Compiler, prefix: &str) -> Self {
        let wide = |name: &str| format!("{prefix}{name}");
        PartRules {
            scheme: rules.language("scheme"),
            userinfo: rules.language(&wide("userinfo")),
            port: rules.language("port"),
            reg_name: rules.language(&wide("reg-name")),
            hostname: None,
            ipv4: rules.language("IPv4address"),
            ipv6: existing(rules, &["IPv6address", "IPv6addrz"]),
            ipvfuture: Some(rules.language("IPvFuture")),
            path_with_authority: rules.language(&wide("path-abempty")),
            path_with_scheme: vec![
                rules.language(&wide("path-absolute")),
                rules.language(&wide("path-rootless")),
                rules.language(&wide("path-empty")),
            ],
            path_alone: vec![
                rules.language(&wide("path-absolute")),
                rules.language(&wide("path-noscheme")),
                rules.language(&wide("path-empty")),
            ],
            opaque_part: None,
            query: rules.language(&wide("query")),
            fragment: rules.language(&wide("fragment")),
        }
    }

    fn rfc2396(rules: &mut Compiler) -> Self {
        PartRules {
            scheme: rules.language("scheme"),
            userinfo: rules.language("userinfo"),
            port: rules.language("port"),
            reg_name: rules.language("reg_name"),
            hostname: Some(rules.language("hostname")),
            ipv4: rules.language("IPv4address"),
            ipv6: existing(rules, &["IPv6address", "IPv6scoped"]),
            ipvfuture: None,
            path_with_authority: rules.language("abs_path"),
            path_with_scheme: vec![rules.language("abs_path")],
            path_alone: vec![rules.language("abs_path"), rules.language("rel_path")],
            opaque_part: Some(rules.language("opaque_part")),
            query: rules.language("query"),
            fragment: rules.language("fragment"),
        }
    }
}

/// Returns the languages of those rules that exist.
fn existing(rules: &mut Compiler, names: &[&str]) -> Vec<Language> {
    let mut languages = Vec::new();
    for name in names {
        if rules.has(name) {
            languages.push(rules.language(name));
        }
    }
    languages
}
