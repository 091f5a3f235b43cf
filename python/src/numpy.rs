//! Converts lists, numpy arrays, and columns of pandas in which every value is missing. Scanning the text of
//! numpy arrays in place is impossible: all values of an array have the same size, or are objects.

use std::sync::Arc;

use arrow_array::builder::LargeBinaryBuilder;
use arrow_array::{ArrayRef, NullArray};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyList, PyString, PyTuple};

use crate::options::record;

/// If the object is a numpy array, or a list or tuple, returns its values as an Arrow array. None, NaN and NA
/// become NULL.
pub(crate) fn array_of(object: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        return array_of_values(object).map(Some);
    }
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
    if kind == "f" && are_all_nan(object)? {
        return Ok(Some(Arc::new(NullArray::new(object.len()?))));
    }
    if !["U", "S", "T", "O"].contains(&&*kind) {
        let message = format!("expected an array of strings or of binary values, got one of {dtype}");
        return Err(PyTypeError::new_err(message));
    }
    array_of_values(&object.call_method0("tolist")?).map(Some)
}

/// If the object is a Series of pandas that holds only NaN, as a column without values does, returns an array
/// of NULLs.
pub(crate) fn series_of_nan(object: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>> {
    let kind = object.getattr_opt("dtype")?.map(|dtype| dtype.getattr_opt("kind")).transpose()?.flatten();
    let is_float = kind.is_some_and(|kind| kind.extract::<String>().is_ok_and(|kind| kind == "f"));
    if !is_float
        || !object.hasattr("isna")?
        || !object.call_method0("isna")?.call_method0("all")?.is_truthy()?
    {
        return Ok(None);
    }
    Ok(Some(Arc::new(NullArray::new(object.len()?))))
}

fn are_all_nan(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let unequal = array.rich_compare(array, CompareOp::Ne)?;
    unequal.call_method0("all")?.is_truthy()
}

fn array_of_values(values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let mut array = LargeBinaryBuilder::with_capacity(values.len()?, 0);
    for (row, value) in values.try_iter()?.enumerate() {
        let value = value?;
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
    Ok(Arc::new(array.finish()))
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
