//! Converts numpy arrays. Scanning their text in place is impossible: all values of an array have the same size, or are objects.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::LargeBinaryBuilder;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString};

use crate::options::record;

/// If the object is a numpy array, returns its values as an Arrow array. None, NaN and NA become NULL.
pub(crate) fn array_of(object: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    // A numpy array can only exist if numpy has been imported.
    let modules = object.py().import("sys")?.getattr("modules")?;
    let Ok(numpy) = modules.get_item("numpy") else { return Ok(None) };
    if !object.is_instance(&numpy.getattr("ndarray")?)? {
        return Ok(None);
    }
    let dimensions: usize = object.getattr("ndim")?.extract()?;
    if dimensions != 1 {
        let message = format!("expected an array of one dimension, got one of {dimensions}");
        return Err(PyValueError::new_err(message));
    }
    let dtype = object.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !["U", "S", "T", "O"].contains(&&*kind) {
        let message = format!("expected an array of strings or of binary values, got one of {dtype}");
        return Err(PyTypeError::new_err(message));
    }
    let values = object.call_method0("tolist")?;
    let values = values.cast::<PyList>()?;
    let mut array = LargeBinaryBuilder::with_capacity(values.len(), 0);
    for (row, value) in values.iter().enumerate() {
        if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
            array.append_value(record(&value)?);
        } else if is_null(&value)? {
            array.append_null();
        } else {
            let found = value.get_type().name()?;
            let message = format!("expected str, bytes or None, got {found} in row {row}");
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(Some(Arc::new(array.finish())))
}

fn is_null(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if value.is_none() {
        return Ok(true);
    }
    match value.cast::<PyFloat>() {
        Ok(number) => Ok(number.value().is_nan()),
        // The NA of pandas.
        Err(_) => Ok(value.get_type().name()? == "NAType"),
    }
}
