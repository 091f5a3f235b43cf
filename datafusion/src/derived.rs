//! `normalize_uri`, `resolve_uri`, `relativize_uri`, `surt`, `uri_suffix` and `uri_domain`: text made from records.

use std::sync::Arc;

use datafusion_common::arrow::array::{Scalar, new_empty_array};
use datafusion_common::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::{Result, ScalarValue, plan_datafusion_err, plan_err};
use datafusion_expr::{
    ColumnarValue, Documentation, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature,
};
use urivalidate::arrow::{
    TextLayout, normalize_uri, relativize_uri, resolve_uri, uri_domain, uri_suffix, uri_surt,
};
use urivalidate::{Grammar, NormalForm, UnknownName, Validator};

use crate::argument::{self, Argument, Parameter, Parameters};
use crate::document::document;
use crate::uri::{GRAMMAR, URI, constant_grammar, external, grammar};

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
            signature: argument::signature(kind.parameters()),
        })
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

    /// The parameters. A base comes before the record.
    fn parameters(self) -> Parameters {
        match self {
            Kind::Normalize => Parameters { required: &[URI], optional: &[FORM, GRAMMAR] },
            Kind::Resolve => Parameters { required: &[BASE, REFERENCE], optional: &[REFERENCE_GRAMMAR] },
            Kind::Relativize => Parameters { required: &[BASE, URI], optional: &[REFERENCE_GRAMMAR] },
            Kind::Surt => Parameters { required: &[URI], optional: &[] },
            Kind::Suffix | Kind::Domain => Parameters { required: &[URI], optional: &[PRIVATE, GRAMMAR] },
        }
    }
}

const BASE: Parameter = Parameter {
    name: "base",
    argument: Argument::Record,
    description: "The base URI, a constant or a column.",
};
const REFERENCE: Parameter = Parameter {
    name: "reference",
    argument: Argument::Record,
    description: "A string or a binary value. NULL in, NULL out.",
};
const REFERENCE_GRAMMAR: Parameter = Parameter {
    name: "grammar",
    argument: Argument::Grammar,
    description: "A constant, uri-reference unless given.",
};
const FORM: Parameter = Parameter {
    name: "form",
    argument: Argument::Name,
    description: "A constant: syntax (the default) or scheme.",
};
const PRIVATE: Parameter = Parameter {
    name: "private",
    argument: Argument::Flag,
    description: "A constant, false unless given: whether suffixes of companies (github.io) count, too.",
};

impl ScalarUDFImpl for DerivedFunction {
    fn name(&self) -> &str {
        self.kind.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        Ok(match self.kind {
            // Plain text even for a dictionary: each row may have its own base.
            Kind::Resolve | Kind::Relativize => TextLayout::of(argument::record_type(&types[1])).data_type(),
            _ => argument::text_type(&types[0]),
        })
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let types: Vec<_> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        if matches!(self.kind, Kind::Resolve | Kind::Relativize) {
            check_base(&args)?;
        }
        Ok(Arc::new(Field::new(self.name(), self.return_type(&types)?, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let args = &args.args;
        let validator = |index: usize, default: Grammar| -> Result<Validator> {
            Ok(Validator::new(constant_grammar(args, index)?.unwrap_or(default)))
        };
        match self.kind {
            Kind::Normalize => {
                let form =
                    argument::constant(args, 1, "form")?.as_ref().map(form).transpose()?.unwrap_or_default();
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
            Kind::Surt => argument::map(&args[0], |uris| uri_surt(uris).map_err(external)),
            Kind::Suffix | Kind::Domain => {
                let private = match argument::constant(args, 1, "flag private")? {
                    None => false,
                    Some(ScalarValue::Boolean(Some(private))) => private,
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

/// Returns an error if the base is a constant and invalid: then all results would be NULL.
fn check_base(args: &ReturnFieldArgs) -> Result<()> {
    let constant = |index: usize| args.scalar_arguments.get(index).copied().flatten();
    let Some(base) = constant(0) else { return Ok(()) };
    let grammar = constant(2).map(grammar).transpose()?;
    if grammar.is_none() && args.arg_fields.len() > 2 {
        // The grammar is known later, and so is whether it allows the base.
        return Ok(());
    }
    let validator = Validator::new(grammar.unwrap_or(Grammar::UriReference));
    let base = Scalar::new(argument::seen(&base.to_array()?)?);
    let nothing = new_empty_array(&DataType::Utf8);
    let checked = resolve_uri(&validator, &base, &nothing);
    checked.map(drop).map_err(|error| plan_datafusion_err!("{error}"))
}

fn form(name: &ScalarValue) -> Result<NormalForm> {
    let name = argument::text(name)?.ok_or_else(|| plan_datafusion_err!("the form is NULL"))?;
    name.parse().map_err(|error: UnknownName| {
        plan_datafusion_err!("unknown form \"{name}\": expected one of {}", error.names().join(", "))
    })
}

fn documentation(kind: Kind) -> Documentation {
    let (description, example, related): (_, _, &[_]) = match kind {
        Kind::Normalize => (
            "The normal form of a URI (RFC 3986 section 6.2.2; with the form `scheme` also 6.2.3): equivalent URIs have the same. \
             NULL for invalid ones.",
            "SELECT normalize_uri('HTTP://Example.com:80/a/../%7eb', 'scheme');",
            &["resolve_uri", "surt"],
        ),
        Kind::Resolve => (
            "The URI that a reference refers to (RFC 3986 section 5). NULL if the reference or the base is invalid. A constant base that is \
             invalid is an error.",
            "SELECT resolve_uri('http://example.com/a/b', '../c?d');",
            &["relativize_uri"],
        ),
        Kind::Relativize => (
            "A reference from a base to a URI, which resolve_uri leads back to the URI. NULL if the URI or the base is invalid.",
            "SELECT relativize_uri('http://example.com/a/b', 'http://example.com/a/c');",
            &["resolve_uri"],
        ),
        Kind::Surt => (
            "The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it. NULL if there is none.",
            "SELECT surt('http://www.example.com/a?c&b');",
            &["uri_domain", "normalize_uri"],
        ),
        Kind::Suffix => (
            "The public suffix of a URI's host (`co.uk`), in lower case. NULL if the URI is invalid, lacks a host or has an address.",
            "SELECT uri_suffix('http://www.example.co.uk/');",
            &["uri_domain"],
        ),
        Kind::Domain => (
            "The domain that somebody registered under the public suffix (`example.co.uk`), in lower case. NULL also if the host is \
             a suffix.",
            "SELECT uri_domain('http://www.example.co.uk/');",
            &["uri_suffix"],
        ),
    };
    document(kind.name(), kind.parameters(), description, example, related)
}
