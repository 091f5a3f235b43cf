//! `parse_url` and `try_parse_url`, which work as in Spark.

use arrow_schema::DataType;
use urivalidate::arrow::{FunctionError, ParseUrl};

use crate::failure::Failure;
use crate::scalar::{Choice, OptionType, Options, ScalarFunction, Work};

/// A function of Spark. Its arguments are a URL, the name of a part, and a key of the query. The two functions differ in the result for an invalid URL.
#[derive(Clone, Copy)]
pub(crate) enum SparkFunction {
    /// `parse_url`, for which an invalid URL is an error.
    Parse,
    /// `try_parse_url`, which returns NULL for an invalid URL.
    TryParse,
}

impl SparkFunction {
    pub(crate) const ALL: &'static [Self] = &[SparkFunction::Parse, SparkFunction::TryParse];
}

impl ScalarFunction for SparkFunction {
    fn name(&self) -> String {
        match self {
            SparkFunction::Parse => "parse_url".to_owned(),
            SparkFunction::TryParse => "try_parse_url".to_owned(),
        }
    }

    fn options(&self) -> Options {
        Options { required: &[OptionType::Text], optional: &[OptionType::Text] }
    }

    fn data_type(&self) -> DataType {
        DataType::LargeUtf8
    }

    fn work(&self, options: &[Choice<'_>]) -> Result<Work, Failure> {
        let part = options.first().and_then(|part| part.text()).unwrap_or_default();
        let key = options.get(1).and_then(|key| key.text());
        let parse_url = ParseUrl::checked(part, key)?;
        Ok(Work::Map(match self {
            SparkFunction::Parse => Box::new(move |urls| parse_url.parse(urls[0]).map_err(failure)),
            SparkFunction::TryParse => Box::new(move |urls| Ok(parse_url.try_parse(urls[0])?)),
        }))
    }
}

/// Converts an error without its row. The row is a number within a chunk, and chunks are invisible to a query.
fn failure(error: FunctionError) -> Failure {
    match error {
        FunctionError::InvalidUrl { url, error, .. } => {
            let offset = error.offset();
            Failure(format!(
                "the URL is invalid, {error} (at byte {offset}): {url:?}. try_parse_url gives NULL instead"
            ))
        }
        error => error.into(),
    }
}
