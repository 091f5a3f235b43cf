//! Functions over arrays of records and their bases.

use arrow_array::{Array, ArrayRef, BinaryArray, Scalar};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use urivalidate::Validator;
use urivalidate::arrow::TextLayout;
use urivalidate::arrow::catalogue::Constant;

use crate::capsule::Arrays;
use crate::column::Column;
use crate::failure::{caught, of_function};
use crate::functions::{column_of, each, field_of, of_name};
use crate::options;

/// The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid. The
/// base is a str or bytes, or an array with a base for each reference. A single base that is invalid raises
/// InvalidURI. A base has at most 8 KiB, so the results of n references take at most n times 8 KiB more than
/// the references. If they are too long for their type, the function raises OverflowError before it takes
/// their memory.
///
/// >>> import pyarrow as pa
/// >>> resolve_uri("http://h/a/b", pa.array(["../c", "?q", "mailto:a@b", "a b"])).to_pylist()
/// ['http://h/c', 'http://h/a/b?q', 'mailto:a@b', None]
#[pyfunction]
#[pyo3(signature = (base, array, grammar="uri-reference", zone_ids=false))]
pub(crate) fn resolve_uri(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| with_base(py, base, array, "resolve_uri", options::validator(grammar, zone_ids)?))
}

/// A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the base
/// is invalid. This needs a URI in normal form, and with the grammar java it does not always hold. The base
/// is a str or bytes, or an array with a base for each URI. A single base that is invalid raises InvalidURI.
///
/// >>> import pyarrow as pa
/// >>> relativize_uri("http://h/a/b", pa.array(["http://h/a/c", "http://i/"])).to_pylist()
/// ['c', '//i/']
#[pyfunction]
#[pyo3(signature = (base, array, grammar="uri-reference", zone_ids=false))]
pub(crate) fn relativize_uri(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| with_base(py, base, array, "relativize_uri", options::validator(grammar, zone_ids)?))
}

/// The type of the results for arrays of this type.
fn text_type(array: &DataType) -> DataType {
    TextLayout::of(array).data_type()
}

/// Applies a function to records and their bases.
fn with_base(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    array: &Bound<'_, PyAny>,
    name: &str,
    validator: Validator,
) -> PyResult<Column> {
    let call = of_name(name).call(&[Some(Constant::Validator(validator))]);
    let call = call.map_err(|error| of_function(py, error))?;
    if base.is_instance_of::<PyString>() || base.is_instance_of::<PyBytes>() {
        let base = options::record(base)?;
        let base = Scalar::new(BinaryArray::from(vec![&base[..]]));
        return each(py, array, text_type, |array| call.evaluate(&[&base, &array]));
    }
    let (mut bases, mut records) = (Pieces::new(base)?, Pieces::new(array)?);
    let mut chunks = Vec::new();
    loop {
        let filled = py.detach(|| Ok::<_, PyErr>((bases.fill()?, records.fill()?)))?;
        let (base, record) = match filled {
            (0, 0) => break,
            (bases_left, records_left) if bases_left == 0 || records_left == 0 => {
                let fewer = if bases_left == 0 { "bases" } else { "records" };
                return Err(PyValueError::new_err(format!(
                    "there are fewer {fewer} than the other array has"
                )));
            }
            (bases_left, records_left) => {
                let len = bases_left.min(records_left);
                (bases.take(len), records.take(len))
            }
        };
        let chunk = py.detach(|| call.evaluate(&[&base, &record]));
        chunks.push(chunk.map_err(|error| of_function(py, error))?);
        py.check_signals()?;
    }
    if chunks.is_empty() {
        let none = |data_type| arrow_array::new_empty_array(data_type);
        let checked = call.evaluate(&[&none(bases.field.data_type()), &none(records.field.data_type())]);
        checked.map_err(|error| of_function(py, error))?;
    }
    let column_type = text_type(records.field.data_type());
    Ok(Column::new(Field::new(records.field.name(), column_type, true), chunks))
}

/// A reader of the chunks of an array, which returns them in pieces of any length.
struct Pieces {
    arrays: Arrays,
    field: Field,
    rest: Option<ArrayRef>,
}

impl Pieces {
    fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let arrays = Arrays::of(array)?;
        let field = field_of(arrays.field());
        Ok(Pieces { arrays, field, rest: None })
    }

    /// Reads the next chunk if the current one has no rows left. Returns the number of rows left in the
    /// current chunk: 0 at the end.
    fn fill(&mut self) -> PyResult<usize> {
        loop {
            match &self.rest {
                Some(rest) if !rest.is_empty() => return Ok(rest.len()),
                _ => match self.arrays.next()? {
                    Some(next) => self.rest = Some(column_of(next)?),
                    None => return Ok(0),
                },
            }
        }
    }

    /// Takes the next `len` rows of the current chunk.
    fn take(&mut self, len: usize) -> ArrayRef {
        let rest = self.rest.take().expect("rows at hand");
        self.rest = Some(rest.slice(len, rest.len() - len));
        rest.slice(0, len)
    }
}
