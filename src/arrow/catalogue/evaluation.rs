//! From constants to a function of arrays.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Datum};

use super::all_fields::{parse_all_fields, parse_field};
use super::constant::Constants;
use crate::arrow::host_in::set_of;
#[cfg(feature = "surt")]
use crate::arrow::uri_surt;
use crate::arrow::{
    DefaultScheme, FunctionError, ParseUrl, host_in, normalize_uri, relativize_uri, resolve_uri, suggest_uri,
    to_uri, uri_error, uri_host_reversed, uri_spans, uri_spans_field, url_decode, url_encode, url_extract,
    url_extract_parameter, url_extract_query_names, url_parameters, url_parameters_all,
};
#[cfg(feature = "domains")]
use crate::arrow::{uri_domain, uri_host_ascii, uri_suffix};
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
    ExtractQueryNames,
    Parameters,
    AllParameters,
    Encode,
    Decode,
    Suggest,
    ToUri,
    Host,
    HostReversed,
    #[cfg(feature = "domains")]
    HostAscii,
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

    /// Returns a function of URIs which gets strings that begin with a host with the default scheme.
    fn of_uris(
        scheme: Option<DefaultScheme>,
        function: impl Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync + 'static,
    ) -> Self {
        match scheme {
            None => Evaluation::of_one(function),
            Some(scheme) => Evaluation::of_one(move |uris| function(&scheme.complete(uris)?)),
        }
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
                Evaluation::of_uris(constants.default_scheme()?, move |uris| {
                    uri_suffix(&validator, uris, private)
                })
            }
            #[cfg(feature = "domains")]
            Work::Domain => {
                let private = constants.flag();
                Evaluation::of_uris(constants.default_scheme()?, move |uris| {
                    uri_domain(&validator, uris, private)
                })
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
            Work::ExtractQueryNames => {
                Evaluation::of_one(move |uris| url_extract_query_names(&validator, uris))
            }
            Work::Parameters => Evaluation::of_one(move |uris| url_parameters(&validator, uris)),
            Work::AllParameters => Evaluation::of_one(move |uris| url_parameters_all(&validator, uris)),
            Work::Suggest => Evaluation::of_one(move |uris| suggest_uri(&validator, uris)),
            Work::ToUri => Evaluation::of_one(move |uris| to_uri(&validator, uris)),
            Work::Host => Evaluation::of_uris(constants.default_scheme()?, move |uris| {
                url_extract(&validator, uris, Component::Host)
            }),
            Work::HostReversed => Evaluation::of_uris(constants.default_scheme()?, move |uris| {
                uri_host_reversed(&validator, uris)
            }),
            #[cfg(feature = "domains")]
            Work::HostAscii => {
                Evaluation::of_uris(constants.default_scheme()?, move |uris| uri_host_ascii(&validator, uris))
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
