//! `normalize_uri`, `resolve_uri`, `relativize_uri`, `surt`, `uri_suffix` and `uri_domain`: text made from records.

use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue, exec_err, plan_datafusion_err, plan_err};
use datafusion_expr::{ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDFImpl, Signature};
use urivalidate::arrow::{
    TextLayout, normalize_uri, relativize_uri, resolve_uri, surt, uri_domain, uri_suffix,
};
use urivalidate::{Form, Grammar, UnknownName, Validator};

use crate::argument::{self, Argument};
use crate::document::document;
use crate::uri::{GRAMMAR, URI, external, grammar};

/// A function whose result is text.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct DerivedFunction {
    kind: Kind,
    documentation: Documentation,
    signature: Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Normalize,
    Resolve,
    Relativize,
    Surt,
    Suffix,
    Domain,
}

impl DerivedFunction {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kinds =
            [Kind::Normalize, Kind::Resolve, Kind::Relativize, Kind::Surt, Kind::Suffix, Kind::Domain];
        kinds.into_iter().map(|kind| DerivedFunction {
            kind,
            documentation: documentation(kind),
            signature: signature(kind),
        })
    }
}

/// Bases come first.
fn signature(kind: Kind) -> Signature {
    use Argument::{Flag, Name, Record};
    match kind {
        Kind::Normalize => argument::signature(&[Record], &[Name, Name]),
        Kind::Resolve | Kind::Relativize => argument::signature(&[Record, Record], &[Name]),
        Kind::Surt => argument::signature(&[Record], &[]),
        Kind::Suffix | Kind::Domain => argument::signature(&[Record], &[Flag, Name]),
    }
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Normalize => "normalize_uri",
            Kind::Resolve => "resolve_uri",
            Kind::Relativize => "relativize_uri",
            Kind::Surt => "surt",
            Kind::Suffix => "uri_suffix",
            Kind::Domain => "uri_domain",
        }
    }

    /// The argument whose layout the result has.
    fn record(self) -> usize {
        match self {
            Kind::Resolve | Kind::Relativize => 1,
            _ => 0,
        }
    }
}

impl ScalarUDFImpl for DerivedFunction {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(TextLayout::of(argument::record_type(&types[self.kind.record()])).data_type())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let args = &args.args;
        let validator = |index: usize, default: Grammar| -> Result<Validator> {
            let grammar = constant(args, index, "grammar")?.map(grammar).transpose()?;
            Ok(Validator::new(grammar.unwrap_or(default)))
        };
        match self.kind {
            Kind::Normalize => {
                let form = constant(args, 1, "form")?.map(form).transpose()?.unwrap_or_default();
                let normalizer = validator(2, Grammar::Uri)?.normalizer(form);
                let normalizer = normalizer.map_err(|error| plan_datafusion_err!("{error}"))?;
                argument::map(&args[0], |uris| normalize_uri(&normalizer, uris).map_err(external))
            }
            Kind::Resolve => {
                let validator = validator(2, Grammar::UriReference)?;
                argument::map_two(&args[0], &args[1], |bases, references| {
                    resolve_uri(&validator, bases, references).map_err(external)
                })
            }
            Kind::Relativize => {
                let validator = validator(2, Grammar::UriReference)?;
                argument::map_two(&args[0], &args[1], |bases, uris| {
                    relativize_uri(&validator, bases, uris).map_err(external)
                })
            }
            Kind::Surt => argument::map(&args[0], |uris| surt(uris).map_err(external)),
            Kind::Suffix | Kind::Domain => {
                let private = match constant(args, 1, "flag private")? {
                    None => false,
                    Some(ScalarValue::Boolean(Some(private))) => *private,
                    Some(_) => return plan_err!("{}: the flag private is NULL", self.name()),
                };
                let validator = validator(2, Grammar::Uri)?;
                let part = if self.kind == Kind::Suffix { uri_suffix } else { uri_domain };
                argument::map(&args[0], |uris| part(&validator, uris, private).map_err(external))
            }
        }
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

/// An argument that has to be a constant, if it was given.
fn constant<'a>(args: &'a [ColumnarValue], index: usize, what: &str) -> Result<Option<&'a ScalarValue>> {
    match args.get(index) {
        None => Ok(None),
        Some(ColumnarValue::Scalar(value)) => Ok(Some(value)),
        Some(ColumnarValue::Array(_)) => exec_err!("the {what} has to be a constant"),
    }
}

fn form(name: &ScalarValue) -> Result<Form> {
    let name = argument::text(name)?.ok_or_else(|| plan_datafusion_err!("the form is NULL"))?;
    name.parse().map_err(|error: UnknownName| {
        plan_datafusion_err!("there is no form '{name}'; there are {}", error.names().join(", "))
    })
}

fn documentation(kind: Kind) -> Documentation {
    const BASE: (&str, &str) = ("base", "The base URI, a constant or a column.");
    const PRIVATE: (&str, &str) =
        ("private", "A constant, false unless given: whether suffixes of companies (github.io) count, too.");
    const REFERENCES: (&str, &str) =
        ("grammar", "A constant: uri-reference (the default), iri-reference, rfc2396, java or another.");
    const FORM: (&str, &str) = ("form", "A constant: syntax (the default) or scheme.");
    let (description, syntax, example, arguments, related): (_, _, _, &[_], &[_]) = match kind {
        Kind::Normalize => (
            "The normal form of a URI (RFC 3986 section 6.2.2; with the form `scheme` also 6.2.3): equivalent URIs have the same. \
             NULL for invalid ones.",
            "normalize_uri(uri [, form [, grammar]])",
            "SELECT normalize_uri('HTTP://Example.com:80/a/../%7eb', 'scheme');",
            &[URI, FORM, GRAMMAR],
            &["resolve_uri", "surt"],
        ),
        Kind::Resolve => (
            "The URI that a reference refers to (RFC 3986 section 5). NULL if the reference or the base is invalid.",
            "resolve_uri(base, reference [, grammar])",
            "SELECT resolve_uri('http://example.com/a/b', '../c?d');",
            &[BASE, ("reference", "A string or a binary value. NULL in, NULL out."), REFERENCES],
            &["relativize_uri"],
        ),
        Kind::Relativize => (
            "A reference from a base to a URI, which resolve_uri leads back to the URI. NULL if the URI or the base is invalid.",
            "relativize_uri(base, uri [, grammar])",
            "SELECT relativize_uri('http://example.com/a/b', 'http://example.com/a/c');",
            &[BASE, URI, REFERENCES],
            &["resolve_uri"],
        ),
        Kind::Surt => (
            "The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it. NULL if there is none.",
            "surt(uri)",
            "SELECT surt('http://www.example.com/a?c&b');",
            &[URI],
            &["uri_domain", "normalize_uri"],
        ),
        Kind::Suffix => (
            "The public suffix of a URI's host (`co.uk`), in lower case. NULL if the URI is invalid, lacks a host or has an address.",
            "uri_suffix(uri [, private [, grammar]])",
            "SELECT uri_suffix('http://www.example.co.uk/');",
            &[URI, PRIVATE, GRAMMAR],
            &["uri_domain"],
        ),
        Kind::Domain => (
            "The domain that somebody registered under the public suffix (`example.co.uk`), in lower case. NULL also if the host is \
             a suffix.",
            "uri_domain(uri [, private [, grammar]])",
            "SELECT uri_domain('http://www.example.co.uk/');",
            &[URI, PRIVATE, GRAMMAR],
            &["uri_suffix"],
        ),
    };
    document(description, syntax, example, arguments, related)
}
