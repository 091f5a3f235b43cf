//! Errors of the library as errors of a query.

use datafusion_common::DataFusionError;
use urivalidate::arrow::FunctionError;

/// Converts an error of the library in a call that planning accepted. The message names no row: the library
/// counts in a batch, and batches are invisible to a query.
pub(crate) fn external(error: FunctionError) -> DataFusionError {
    DataFusionError::Execution(match error {
        // The name may become known only when the query runs.
        FunctionError::UnknownName { .. } | FunctionError::Unsupported(_) => {
            return planning(error);
        }
        FunctionError::InvalidUrl { url, error, .. } => {
            let offset = error.offset();
            format!(
                "the URL is invalid, {error} (at byte {offset}): {url:?}; the function try_parse_url gives NULL instead"
            )
        }
        FunctionError::InvalidEscape { text, .. } => {
            format!("a text has a \"%\" without two hexadecimal digits: {text:?}")
        }
        error => error.to_string(),
    })
}

/// Converts an error of the library in a call that planning refuses.
pub(crate) fn planning(error: FunctionError) -> DataFusionError {
    DataFusionError::Plan(error.to_string())
}
