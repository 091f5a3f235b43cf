//! The results of functions over arrays.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyString};

use crate::capsule::{array_capsule, schema_capsule, shown, stream_capsule};
use crate::failure::caught;

/// A column of results. pa.array(column), pl.Series(column) and all else that speaks Arrow take it; to_pylist() needs none of them.
#[pyclass(frozen, module = "urivalidate")]
pub(crate) struct Column {
    field: Field,
    chunks: Vec<ArrayRef>,
}

impl Column {
    /// A column of these chunks, all of one type.
    pub(crate) fn new(field: Field, chunks: Vec<ArrayRef>) -> Self {
        Column { field, chunks }
    }

    /// All chunks in one.
    fn whole(&self) -> PyResult<ArrayRef> {
        match &self.chunks[..] {
            [] => Ok(new_empty_array(self.field.data_type())),
            [one] => Ok(one.clone()),
            chunks => joined(chunks),
        }
    }
}

#[pymethods]
impl Column {
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A consumer may ask for another schema and get this one.
        let _ = requested_schema;
        caught(|| {
            let whole = py.detach(|| self.whole())?;
            Ok((schema_capsule(py, &self.field)?, array_capsule(py, &whole)?))
        })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let mut chunks = self.chunks.clone().into_iter();
        stream_capsule(py, &self.field, Box::new(move || chunks.next().map(Ok)))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.field)
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<urivalidate.Column of {} {}>", self.__len__(), shown(&self.field).data_type())
    }

    /// The values as Python objects: bool, int, str, None, and dicts of these.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        caught(|| {
            let list = PyList::empty(py);
            for chunk in &self.chunks {
                for row in 0..chunk.len() {
                    list.append(value(py, chunk, row)?)?;
                }
            }
            Ok(list)
        })
    }
}

/// Arrays of one type as one array. Made by copying ranges, since arrow's own `concat` can do more than is needed here, which would be a
/// third of the package.
fn joined(arrays: &[ArrayRef]) -> PyResult<ArrayRef> {
    let data: Vec<_> = arrays.iter().map(|array| array.to_data()).collect();
    let rows = data.iter().map(|data| data.len()).sum();
    let mut joined = MutableArrayData::new(data.iter().collect(), false, rows);
    for (i, data) in data.iter().enumerate() {
        let too_long = |error: ArrowError| {
            let what = "the chunks are too long for one array; take them as a stream or a chunked array";
            PyOverflowError::new_err(format!("{what}: {error}"))
        };
        joined.try_extend(i, 0, data.len()).map_err(too_long)?;
    }
    Ok(make_array(joined.freeze()))
}

/// One value of an array of one of the types that functions here give.
fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    let text = |bytes: &[u8]| Ok(PyString::new(py, &String::from_utf8_lossy(bytes)).into_any());
    match array.data_type() {
        DataType::Boolean => Ok(array.as_boolean().value(row).into_pyobject(py)?.to_owned().into_any()),
        DataType::Int32 => Ok(array.as_primitive::<Int32Type>().value(row).into_pyobject(py)?.into_any()),
        DataType::Int64 => Ok(array.as_primitive::<Int64Type>().value(row).into_pyobject(py)?.into_any()),
        DataType::Utf8 => text(array.as_string::<i32>().value(row).as_bytes()),
        DataType::LargeUtf8 => text(array.as_string::<i64>().value(row).as_bytes()),
        DataType::Utf8View => text(array.as_string_view().value(row).as_bytes()),
        DataType::BinaryView => text(array.as_binary_view().value(row)),
        DataType::Binary => Ok(array.as_binary::<i32>().value(row).into_pyobject(py)?.into_any()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int8Type>();
            let key = dictionary.keys().value(row) as usize;
            value(py, dictionary.values(), key)
        }
        DataType::Struct(fields) => {
            let dict = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                dict.set_item(field.name(), value(py, column, row)?)?;
            }
            Ok(dict.into_any())
        }
        other => Err(pyo3::exceptions::PyTypeError::new_err(format!("no Python objects for {other}"))),
    }
}
