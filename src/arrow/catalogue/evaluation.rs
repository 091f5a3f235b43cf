//! From constants to a function of arrays.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Datum};

use super::all_fields::{parse_all_fields, parse_field};
use super::constant::Constants;
use crate::arrow::host_in::set_of;
#[cfg(feature = "surt")]
use crate::arrow::uri_surt;
use crate::arrow::{
    FunctionError, ParseUrl, host_in, normalize_uri, relativize_uri, resolve_uri, uri_error, uri_spans,
    uri_spans_field, url_decode, url_encode, url_extract, url_extract_parameter,
};
#[cfg(feature = "domains")]
use crate::arrow::{uri_domain, uri_suffix};
use crate::error::Component;
use crate::validator::Validator;

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    IsValid,
    Parse,
    ParseField,
    Spans,
    SpansField,
    Error,
    ErrorField,
    Normalize,
    Resolve,
    Relativize,
    #[cfg(feature = "surt")]
    Surt,
    #[cfg(feature = "domains")]
    Suffix,
    #[cfg(feature = "domains")]
    Domain,
    ParseUrl,
    TryParseUrl,
    Extract(Component),
    ExtractParameter,
    Encode,
    Decode,
    HostIn,
}

/// A function whose constants are known.
pub(super) enum Evaluation {
    /// The results are the verdicts of a validator.
    Verdict(Validator),
    /// A function of one column.
    OfOne(OfOne),
    /// A function of a column of bases and a column of records.
    OfTwo(OfTwo),
}

type OfOne = Box<dyn Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync>;
type OfTwo = Box<dyn Fn(&dyn Datum, &dyn Datum) -> Result<ArrayRef, FunctionError> + Send + Sync>;

impl Evaluation {
    fn of_one(
        function: impl Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        Evaluation::OfOne(Box::new(function))
    }

    fn of_two(
        function: impl Fn(&dyn Datum, &dyn Datum) -> Result<ArrayRef, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        Evaluation::OfTwo(Box::new(function))
    }
}

impl Work {
    /// Returns the evaluation with these constants. `part` makes the parts of URLs.
    ///
    /// # Errors
    ///
    /// Returns an error if a constant has a wrong value.
    pub(super) fn with(
        self,
        constants: &Constants<'_>,
        part: fn(&str, Option<&str>) -> Result<ParseUrl, FunctionError>,
    ) -> Result<Evaluation, FunctionError> {
        let validator = constants.validator()?;
        let part = || part(constants.text("part").unwrap_or_default(), constants.text("key"));
        let field = constants.text("field").unwrap_or_default().to_owned();
        Ok(match self {
            Work::IsValid => Evaluation::Verdict(validator),
            Work::Parse => Evaluation::of_one(move |uris| parse_all_fields(validator, uris)),
            Work::ParseField => Evaluation::of_one(move |uris| parse_field(validator, uris, &field)),
            Work::Spans => Evaluation::of_one(move |uris| Ok(Arc::new(uri_spans(&validator, uris)?))),
            Work::SpansField => Evaluation::of_one(move |uris| uri_spans_field(&validator, uris, &field)),
            Work::Error => Evaluation::of_one(move |uris| Ok(Arc::new(uri_error(&validator, uris)?))),
            Work::ErrorField => Evaluation::of_one(move |uris| error_field(&validator, uris, &field)),
            Work::Normalize => {
                let normalizer = validator.normalizer(constants.form()?)?;
                Evaluation::of_one(move |uris| normalize_uri(&normalizer, uris))
            }
            Work::Resolve => {
                Evaluation::of_two(move |bases, references| resolve_uri(&validator, bases, references))
            }
            Work::Relativize => {
                Evaluation::of_two(move |bases, uris| relativize_uri(&validator, bases, uris))
            }
            #[cfg(feature = "surt")]
            Work::Surt => Evaluation::of_one(uri_surt),
            #[cfg(feature = "domains")]
            Work::Suffix => {
                let private = constants.flag();
                Evaluation::of_one(move |uris| uri_suffix(&validator, uris, private))
            }
            #[cfg(feature = "domains")]
            Work::Domain => {
                let private = constants.flag();
                Evaluation::of_one(move |uris| uri_domain(&validator, uris, private))
            }
            Work::ParseUrl => {
                let parse_url = part()?;
                Evaluation::of_one(move |urls| parse_url.parse(urls))
            }
            Work::TryParseUrl => {
                let parse_url = part()?;
                Evaluation::of_one(move |urls| parse_url.try_parse(urls))
            }
            Work::Extract(component) => {
                Evaluation::of_one(move |uris| url_extract(&validator, uris, component))
            }
            Work::ExtractParameter => {
                let name = constants.text("name").unwrap_or_default().to_owned();
                Evaluation::of_one(move |uris| url_extract_parameter(&validator, uris, &name))
            }
            Work::HostIn => {
                let set = set_of(constants.text("list").unwrap_or_default())?;
                Evaluation::of_one(move |uris| Ok(Arc::new(host_in(&validator, uris, &set)?)))
            }
            Work::Encode => Evaluation::of_one(url_encode),
            Work::Decode => Evaluation::of_one(url_decode),
        })
    }
}

/// Returns the single field of [`uri_error`] with this name.
fn error_field(validator: &Validator, uris: &dyn Array, name: &str) -> Result<ArrayRef, FunctionError> {
    let errors = uri_error(validator, uris)?;
    errors.column_by_name(name).cloned().ok_or_else(|| FunctionError::UnknownField {
        name: name.to_owned(),
        known: errors.fields().iter().map(|field| field.name().clone()).collect(),
    })
}
