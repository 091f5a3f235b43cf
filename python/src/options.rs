//! The values of arguments.

use std::borrow::Cow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urivalidate::{UnknownName, Validator, unknown_name};

/// The validator for the grammar with this name.
pub(crate) fn validator(grammar: &str, zone_ids: bool) -> PyResult<Validator> {
    let unknown = |error: UnknownName| unknown("grammar", grammar, error.names());
    let validator = Validator::new(grammar.parse().map_err(unknown)?);
    if zone_ids { validator.with_zone_ids().map_err(value_error) } else { Ok(validator) }
}

/// The value in `all` with this name.
pub(crate) fn value_named<T: Copy>(
    what: &str,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> PyResult<T> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&one| name_of(one)).collect();
        unknown(what, name, &names)
    })
}

/// The number of threads in an argument; 0 stands for the number of cores.
pub(crate) fn threads(threads: i64) -> PyResult<usize> {
    usize::try_from(threads)
        .map_err(|_| PyValueError::new_err(format!("threads is {threads}: it cannot be negative")))
}

fn unknown(what: &str, name: &str, known: &[&str]) -> PyErr {
    PyValueError::new_err(unknown_name(what, name, known))
}

/// An argument that is a sequence of names.
pub(crate) struct Names(pub(crate) Vec<String>);

impl<'a, 'py> FromPyObject<'a, 'py> for Names {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |found: &str| PyTypeError::new_err(format!("expected a list of names, got {found}"));
        if let Ok(name) = object.cast::<PyString>() {
            // A str is also a sequence of str, but passing one is a mistake.
            return Err(wrong(&format!("a str; write [{}]", name.repr()?)));
        }
        let Ok(names) = object.try_iter() else { return Err(wrong(&object.get_type().name()?.to_string())) };
        let name = |name: PyResult<Bound<'py, PyAny>>| {
            let name = name?;
            match name.cast::<PyString>() {
                Ok(name) => Ok(name.to_string_lossy().into_owned()),
                Err(_) => Err(wrong(&format!("one of {}", name.get_type().name()?))),
            }
        };
        names.map(name).collect::<PyResult<_>>().map(Names)
    }
}

/// An argument that is a bool, where users of SQL write a grammar.
pub(crate) struct Private(pub(crate) bool);

impl<'a, 'py> FromPyObject<'a, 'py> for Private {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyString>() {
            Ok(name) => Err(PyTypeError::new_err(format!(
                "expected a bool, got a str; a grammar is named: grammar={}",
                name.repr()?
            ))),
            Err(_) => object.extract().map(Private),
        }
    }
}

/// The bytes of a record that is a string or bytes.
pub(crate) fn record<'a>(object: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(Cow::Borrowed(bytes.as_bytes()));
    }
    let Ok(text) = object.cast::<PyString>() else {
        let found = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected str or bytes, got {found}")));
    };
    match text.to_cow() {
        Ok(text) => Ok(Cow::Owned(text.into_owned().into_bytes())),
        // The str has a lone surrogate, which no grammar allows.
        Err(_) => {
            let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok(Cow::Owned(bytes.cast::<PyBytes>()?.as_bytes().to_vec()))
        }
    }
}

pub(crate) fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
