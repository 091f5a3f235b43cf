//! `normalize_uri`, `resolve_uri`, `relativize_uri`, `surt`, `uri_suffix` and `uri_domain`: text made from records.

use arrow_schema::DataType;
use urivalidate::arrow::{normalize_uri, relativize_uri, resolve_uri, uri_domain, uri_suffix, uri_surt};
use urivalidate::{Grammar, NormalForm};

use super::validator::validator;
use crate::failure::Failure;
use crate::names::named;
use crate::scalar::{Choice, OptionType, Options, ScalarFunction, Work};

/// A function whose result is text.
#[derive(Clone, Copy)]
pub(crate) enum DerivedFunction {
    Normalize,
    Resolve,
    Relativize,
    Surt,
    Suffix,
    Domain,
}

impl DerivedFunction {
    pub(crate) const ALL: &'static [Self] = &[
        DerivedFunction::Normalize,
        DerivedFunction::Resolve,
        DerivedFunction::Relativize,
        DerivedFunction::Surt,
        DerivedFunction::Suffix,
        DerivedFunction::Domain,
    ];
}

impl ScalarFunction for DerivedFunction {
    fn name(&self) -> String {
        let name = match self {
            DerivedFunction::Normalize => "normalize_uri",
            DerivedFunction::Resolve => "resolve_uri",
            DerivedFunction::Relativize => "relativize_uri",
            DerivedFunction::Surt => "surt",
            DerivedFunction::Suffix => "uri_suffix",
            DerivedFunction::Domain => "uri_domain",
        };
        name.to_owned()
    }

    /// Returns the number of records. A base comes before the record.
    fn records(&self) -> usize {
        match self {
            DerivedFunction::Resolve | DerivedFunction::Relativize => 2,
            _ => 1,
        }
    }

    fn options(&self) -> Options {
        let optional: &[_] = match self {
            DerivedFunction::Normalize => &[OptionType::Text, OptionType::Text],
            DerivedFunction::Resolve | DerivedFunction::Relativize => &[OptionType::Text],
            DerivedFunction::Surt => &[],
            DerivedFunction::Suffix | DerivedFunction::Domain => &[OptionType::Flag, OptionType::Text],
        };
        Options { required: &[], optional }
    }

    fn data_type(&self) -> DataType {
        DataType::LargeUtf8
    }

    fn work(&self, options: &[Choice<'_>]) -> Result<Work, Failure> {
        Ok(Work::Map(match self {
            DerivedFunction::Normalize => {
                let form = options.first().and_then(|form| form.text());
                let form: NormalForm = form.map(|name| named("form", name)).transpose()?.unwrap_or_default();
                let normalizer = validator(options.get(1), Grammar::Uri)?.normalizer(form)?;
                Box::new(move |records| Ok(normalize_uri(&normalizer, records[0])?))
            }
            DerivedFunction::Resolve => {
                let validator = validator(options.first(), Grammar::UriReference)?;
                Box::new(move |records| Ok(resolve_uri(&validator, &records[0], &records[1])?))
            }
            DerivedFunction::Relativize => {
                let validator = validator(options.first(), Grammar::UriReference)?;
                Box::new(move |records| Ok(relativize_uri(&validator, &records[0], &records[1])?))
            }
            DerivedFunction::Surt => Box::new(|records| Ok(uri_surt(records[0])?)),
            DerivedFunction::Suffix | DerivedFunction::Domain => {
                let private = options.first().and_then(|private| private.flag()).unwrap_or_default();
                let validator = validator(options.get(1), Grammar::Uri)?;
                let part = if matches!(self, DerivedFunction::Suffix) { uri_suffix } else { uri_domain };
                Box::new(move |records| Ok(part(&validator, records[0], private)?))
            }
        }))
    }
}
