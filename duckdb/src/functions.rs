//! The scalar functions. They are those of the library's catalogue, so their names and meanings are the same
//! in the other packages.

use arrow_schema::DataType;
use urivalidate::arrow::FunctionError;
use urivalidate::arrow::catalogue::{FUNCTIONS, Function, ResultType};

use crate::failure::Failure;

/// Functions that DuckDB has itself, with another coding of spaces.
const OF_DUCKDB: [&str; 2] = ["url_encode", "url_decode"];

/// Returns all scalar functions. In the stable API, the type of a function's results cannot depend on the
/// values of its arguments, so functions of a field are not among them.
pub(crate) fn all() -> impl Iterator<Item = &'static Function> {
    FUNCTIONS
        .iter()
        .filter(|function| function.result() != ResultType::Field && !OF_DUCKDB.contains(&function.name()))
}

/// Returns the type of a function's results for records in the arrays that the functions get.
pub(crate) fn data_type(function: &Function) -> Result<DataType, Failure> {
    let data_type = function.result().data_type(&DataType::LargeBinary);
    data_type.ok_or_else(|| Failure(format!("internal error: {} has no type", function.name())))
}

/// Converts an error without its row. The row is a number within a chunk, and chunks are invisible to a
/// query.
pub(crate) fn failure(error: FunctionError) -> Failure {
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
