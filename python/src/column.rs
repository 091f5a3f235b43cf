//! The results of functions over arrays.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::slice::PySliceIndices;
use pyo3::types::{PyCapsule, PyDict, PyList, PySlice, PyString};
use urivalidate::unknown_name;

use crate::capsule::{StreamError, array_capsule, arrow_error, schema_capsule, stream_capsule};
use crate::failure::caught;
use crate::requested::{closest, converted};
use crate::value::{type_name, value};

/// A column of results. Pass it to pa.array, pl.Series, numpy.array or any other library that supports Arrow.
/// column[row], column[start:end], iteration and to_pylist() need no such library. column["host"] is a field
/// of a column of structs.
///
/// >>> import pyarrow as pa
/// >>> hosts = parse_uri(pa.array(["http://a/", "http://b/", "c"]))["host"]
/// >>> hosts.type, hosts[1], list(hosts[1:])
/// ('string', 'b', ['b', None])
#[pyclass(frozen, module = "urivalidate")]
pub(crate) struct Column {
    field: Field,
    chunks: Vec<ArrayRef>,
    /// For each chunk, the number of the row after its last row.
    ends: Vec<usize>,
}

impl Column {
    /// A column of these chunks, all of one type.
    pub(crate) fn new(field: Field, chunks: Vec<ArrayRef>) -> Self {
        let mut end = 0;
        let ends = chunks.iter().map(|chunk| {
            end += chunk.len();
            end
        });
        Column { field, ends: ends.collect(), chunks }
    }

    fn len(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Joins all chunks to one array of this type.
    fn whole(&self, data_type: &DataType) -> PyResult<ArrayRef> {
        let whole = match &self.chunks[..] {
            [] => new_empty_array(self.field.data_type()),
            [one] => one.clone(),
            chunks => joined(chunks)?,
        };
        converted(&whole, data_type).map_err(arrow_error)
    }

    /// The value of a row.
    fn at<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let chunk = self.ends.partition_point(|&end| end <= row);
        let start = chunk.checked_sub(1).map_or(0, |before| self.ends[before]);
        value(py, &self.chunks[chunk], row - start)
    }

    /// A range of rows.
    fn rows(&self, rows: Range<usize>) -> Column {
        let mut start = 0;
        let mut chunks = Vec::new();
        for chunk in &self.chunks {
            let end = start + chunk.len();
            let (from, to) = (rows.start.clamp(start, end), rows.end.clamp(start, end));
            if from < to {
                chunks.push(chunk.slice(from - start, to - from));
            }
            start = end;
        }
        Column::new(self.field.clone(), chunks)
    }

    fn slice(&self, slice: &Bound<'_, PySlice>) -> PyResult<Column> {
        let PySliceIndices { start, step, slicelength, .. } = slice.indices(self.len() as isize)?;
        if step == 1 {
            return Ok(self.rows(start as usize..start as usize + slicelength));
        }
        self.stepped(start, step, slicelength)
    }

    /// Every `step`th row from `start` on, `rows` rows in all.
    fn stepped(&self, start: isize, step: isize, rows: usize) -> PyResult<Column> {
        let whole = self.whole(self.field.data_type())?;
        let data = whole.to_data();
        let mut picked = MutableArrayData::new(vec![&data], false, rows);
        for index in 0..rows as isize {
            let row = (start + index * step) as usize;
            picked.try_extend(0, row, row + 1).map_err(arrow_error)?;
        }
        Ok(Column::new(self.field.clone(), vec![make_array(picked.freeze())]))
    }

    /// A field of a column of structs. It is NULL if the struct is NULL.
    fn of_field(&self, name: &str) -> PyResult<Column> {
        let DataType::Struct(fields) = self.field.data_type() else {
            let message = format!("a column of {} has no fields", type_name(self.field.data_type()));
            return Err(PyTypeError::new_err(message));
        };
        let Some((index, field)) = fields.find(name) else {
            let names: Vec<_> = fields.iter().map(|field| field.name().as_str()).collect();
            return Err(PyKeyError::new_err(unknown_name("field", name, &names)));
        };
        let column = |chunk: &ArrayRef| chunk.as_struct().clone().flatten().1.remove(index);
        let field = field.as_ref().clone().with_nullable(true);
        Ok(Column::new(field, self.chunks.iter().map(column).collect()))
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
        caught(|| {
            let field = closest(&self.field, requested_schema)?;
            let whole = py.detach(|| self.whole(field.data_type()))?;
            Ok((schema_capsule(py, &field)?, array_capsule(py, &whole)?))
        })
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        caught(|| {
            let field = closest(&self.field, requested_schema)?;
            let data_type = field.data_type().clone();
            let mut chunks = self.chunks.clone().into_iter();
            let next = move || {
                let chunk = chunks.next()?;
                Some(converted(&chunk, &data_type).map_err(StreamError::from))
            };
            stream_capsule(py, &field, Box::new(next))
        })
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, &self.field)
    }

    /// A numpy array. Its type is bool or a number if no value is None, otherwise object.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("a column has to be copied into an array of numpy"));
        }
        let values = self.to_pylist(py)?;
        let has_nulls = self.chunks.iter().any(|chunk| chunk.null_count() > 0);
        let own = match self.field.data_type() {
            DataType::Boolean if !has_nulls => "bool",
            DataType::Int32 if !has_nulls => "int32",
            DataType::Int64 if !has_nulls => "int64",
            _ => "object",
        };
        let options = PyDict::new(py);
        match dtype {
            Some(dtype) => options.set_item("dtype", dtype)?,
            None => options.set_item("dtype", own)?,
        }
        py.import("numpy")?.call_method("array", (values,), Some(&options))
    }

    /// The name of the column from which the result was made, or ''.
    #[getter]
    fn name(&self) -> &str {
        self.field.name()
    }

    /// pyarrow's name for the type of the values.
    #[getter(r#type)]
    fn data_type(&self) -> String {
        type_name(self.field.data_type())
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        caught(|| {
            if let Ok(slice) = key.cast::<PySlice>() {
                return Ok(Bound::new(py, self.slice(slice)?)?.into_any());
            }
            if let Ok(name) = key.cast::<PyString>() {
                return Ok(Bound::new(py, self.of_field(&name.to_string_lossy())?)?.into_any());
            }
            let Ok(row) = key.extract::<isize>() else {
                let found = key.get_type().name()?;
                let message = format!("expected a row, a slice or the name of a field, got {found}");
                return Err(PyTypeError::new_err(message));
            };
            let from_start = if row < 0 { row + self.len() as isize } else { row };
            match usize::try_from(from_start) {
                Ok(row) if row < self.len() => self.at(py, row),
                _ => Err(PyIndexError::new_err(format!(
                    "there is no row {row}: the column has {}",
                    self.len()
                ))),
            }
        })
    }

    fn __iter__(slf: Bound<'_, Self>) -> Values {
        Values { column: slf.unbind(), next: 0.into() }
    }

    fn __reversed__(&self, py: Python<'_>) -> PyResult<Values> {
        let rows = self.len();
        let column = caught(|| self.stepped(rows as isize - 1, -1, rows))?;
        Ok(Values { column: Py::new(py, column)?, next: 0.into() })
    }

    fn __repr__(&self) -> String {
        let name = if self.name().is_empty() { String::new() } else { format!("{:?}, ", self.name()) };
        format!("<urivalidate.Column {name}{} of {}>", self.len(), self.data_type())
    }

    /// The values as Python objects: bool, int, str, None, or dicts of these.
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

/// An iterator over the values of a column.
#[pyclass(frozen, module = "urivalidate")]
pub(crate) struct Values {
    column: Py<Column>,
    next: AtomicUsize,
}

#[pymethods]
impl Values {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let column = self.column.get();
        // At the end, the iterator stays there for all later calls.
        let next = |row: usize| (row < column.len()).then_some(row + 1);
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next);
        taken.ok().map(|row| column.at(py, row)).transpose()
    }

    fn __length_hint__(&self) -> usize {
        self.column.get().len() - self.next.load(Ordering::Relaxed)
    }
}

/// Joins arrays of one type by copying ranges. Arrow's own `concat` does more than this package needs, and
/// would make up a third of the package's size.
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
