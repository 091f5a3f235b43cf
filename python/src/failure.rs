//! Errors as Python exceptions.

use std::any::Any;
use std::io::{self, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use urivalidate::Error;
use urivalidate::arrow::FunctionError;

create_exception!(
    urivalidate,
    InvalidURI,
    PyValueError,
    "A record that is not what its grammar asks for.

``kind`` says which rule it breaks, ``component`` where, or None, and ``offset`` at which byte, counted from 0. ``row`` is the row of the
array that was given, counted from 0, or None."
);

/// The exception for an invalid record.
pub(crate) fn invalid_uri(py: Python<'_>, message: String, error: &Error, row: Option<usize>) -> PyErr {
    let exception = InvalidURI::new_err(message);
    let value = exception.value(py);
    let set = || {
        value.setattr("kind", error.kind().name())?;
        value.setattr("component", error.component().map(|component| component.name()))?;
        value.setattr("offset", error.offset())?;
        value.setattr("row", row)
    };
    match set() {
        Ok(()) => exception,
        Err(failure) => failure,
    }
}

/// The exception for an error of a function over arrays.
pub(crate) fn of_function(py: Python<'_>, error: FunctionError) -> PyErr {
    let message = error.to_string();
    match error {
        FunctionError::UnsupportedType(_) => PyTypeError::new_err(message),
        FunctionError::InvalidUrl { row, error, .. } => invalid_uri(py, message, &error, Some(row)),
        FunctionError::InvalidBase { error, .. } => invalid_uri(py, message, &error, None),
        FunctionError::TooLong(_) => PyOverflowError::new_err(message),
        FunctionError::OutOfMemory(_) => PyMemoryError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The exception for a file that could not be read.
pub(crate) fn of_file(error: io::Error) -> PyErr {
    match error.kind() {
        ErrorKind::OutOfMemory => PyMemoryError::new_err(error.to_string()),
        _ => error.into(),
    }
}

/// The exception for a thread that the system refuses.
pub(crate) fn of_thread(error: io::Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// Runs `work` and returns its result. A panic becomes a RuntimeError. PyO3 would raise a PanicException,
/// which `except Exception` does not catch, because it is not an `Exception`.
pub(crate) fn caught<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    // A value that a panic leaves half done is dropped with the call, or guarded by a lock that ignores the
    // panic.
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(PyRuntimeError::new_err(of_panic(&*panic))))
}

/// The message for a panic.
pub(crate) fn of_panic(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    match message.or_else(|| panic.downcast_ref::<&str>().copied()) {
        Some(message) => format!("internal error: {message}"),
        None => "internal error".to_owned(),
    }
}

/// Whether the exception is an `Exception`. KeyboardInterrupt, SystemExit and GeneratorExit are not.
pub(crate) fn is_exception(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyException>(py)
}

/// The exception as text, for consumers that cannot receive exceptions.
pub(crate) fn text_of(py: Python<'_>, error: &PyErr) -> String {
    let name = error.get_type(py).name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    match error.value(py).str().map(|text| text.to_string_lossy().into_owned()) {
        Ok(text) if !text.is_empty() => format!("{name}: {text}"),
        _ => name,
    }
}
