//! Errors as Python exceptions.

use pyo3::create_exception;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use urivalidate::Error;
use urivalidate::arrow::FunctionError;

create_exception!(
    urivalidate,
    InvalidURI,
    PyValueError,
    "A record that is not what its grammar asks for.

``kind`` says which rule it breaks, ``component`` where, or None, and ``offset`` at which byte, counted from 0."
);

/// The exception for a record.
pub(crate) fn invalid_uri(py: Python<'_>, message: String, error: &Error) -> PyErr {
    let exception = InvalidURI::new_err(message);
    let value = exception.value(py);
    let set = || {
        value.setattr("kind", error.kind().name())?;
        value.setattr("component", error.component().map(|component| component.name()))?;
        value.setattr("offset", error.offset())
    };
    match set() {
        Ok(()) => exception,
        Err(failure) => failure,
    }
}

/// The exception for an array.
pub(crate) fn of_function(py: Python<'_>, error: FunctionError) -> PyErr {
    let message = error.to_string();
    match error {
        FunctionError::UnsupportedType(_) => PyTypeError::new_err(message),
        FunctionError::InvalidUrl { error, .. } => invalid_uri(py, message, &error),
        FunctionError::TooLong(_) => PyOverflowError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}
