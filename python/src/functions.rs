//! Functions over arrays. They take any object that supports Arrow's PyCapsule interface, and return a column with the same chunks.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use urivalidate::arrow::{
    self, FunctionError, ParseUri, ParseUrl, TextLayout, uri_error_type, uri_spans_type,
};

use crate::capsule::{Arrays, arrow_error};
use crate::column::Column;
use crate::failure::{caught, of_function};
use crate::options::{self, Names};
use crate::readable::{readable, readable_type};

/// Whether each string of an array is valid: booleans.
///
/// >>> import pyarrow as pa
/// >>> is_valid_uri(pa.array(["http://example.com/", "no uri", None])).to_pylist()
/// [True, False, None]
#[pyfunction]
#[pyo3(signature = (array, grammar="uri", zone_ids=false))]
pub(crate) fn is_valid_uri(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        each(
            py,
            array,
            |_| DataType::Boolean,
            |array| Ok(std::sync::Arc::new(arrow::is_valid_uri(&validator, array)?)),
        )
    })
}

/// The components of the strings of an array: structs of valid, scheme, authority, userinfo, host, host_kind, port, path, query and
/// fragment; with the grammars rfc2396 and java also scheme_specific_part, opaque and authority_kind. ``fields`` picks some of them.
///
/// An absent component is None, an empty one ''. If a string is invalid, all fields except valid are None.
/// With ``view``, text is string_view over the memory of the array, without a copy. Without ``dictionary``, host_kind is a plain string.
///
/// >>> import pyarrow as pa
/// >>> parse_uri(pa.array(["http://example.com/a?b", "no uri", None]), fields=["valid", "host", "query"]).to_pylist()
/// [{'valid': True, 'host': 'example.com', 'query': 'b'}, {'valid': False, 'host': None, 'query': None}, None]
#[pyfunction]
#[pyo3(signature = (array, grammar="uri", zone_ids=false, fields=None, view=false, dictionary=true))]
pub(crate) fn parse_uri(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
    fields: Option<Names>,
    view: bool,
    dictionary: bool,
) -> PyResult<Column> {
    caught(|| {
        let mut function = ParseUri::new(options::validator(grammar, zone_ids)?).dictionary(dictionary);
        if let Some(Names(fields)) = fields {
            function = function.fields(&fields).map_err(|error| of_function(py, error))?;
        }
        // Large types stay large, because their values may not fit into smaller types.
        let of = |data_type: &DataType| {
            let text = match TextLayout::of(data_type) {
                _ if view => TextLayout::BinaryView,
                TextLayout::LargeUtf8 => TextLayout::LargeUtf8,
                _ => TextLayout::Utf8,
            };
            function.clone().text(text)
        };
        each(
            py,
            array,
            |data_type| of(data_type).data_type(),
            |array| Ok(std::sync::Arc::new(of(array.data_type()).parse(array)?)),
        )
        .map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(py) {
                return PyOverflowError::new_err(format!(
                    "{}, or use view=True, which copies nothing",
                    error.value(py)
                ));
            }
            error
        })
    })
}

/// The places of the components in the strings of an array: structs of valid, scheme_start, scheme_end and so on, counted in bytes
/// from the start of the string.
///
/// >>> import pyarrow as pa
/// >>> spans = uri_spans(pa.array(["http://example.com/"])).to_pylist()
/// >>> spans[0]["host_start"], spans[0]["host_end"], spans[0]["query_start"]
/// (7, 18, None)
#[pyfunction]
#[pyo3(signature = (array, grammar="uri", zone_ids=false))]
pub(crate) fn uri_spans(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        each(
            py,
            array,
            |_| uri_spans_type(),
            |array| Ok(std::sync::Arc::new(arrow::uri_spans(&validator, array)?)),
        )
    })
}

/// The error of each string of an array: structs of kind, component, offset (in bytes) and message; None for valid strings.
///
/// >>> import pyarrow as pa
/// >>> uri_error(pa.array(["http://example.com/", "http://example.com/a b"])).to_pylist()
/// [None, {'kind': 'space', 'component': 'path', 'offset': 20, 'message': 'a space must be written %20'}]
#[pyfunction]
#[pyo3(signature = (array, grammar="uri", zone_ids=false))]
pub(crate) fn uri_error(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    grammar: &str,
    zone_ids: bool,
) -> PyResult<Column> {
    caught(|| {
        let validator = options::validator(grammar, zone_ids)?;
        each(
            py,
            array,
            |_| uri_error_type(),
            |array| Ok(std::sync::Arc::new(arrow::uri_error(&validator, array)?)),
        )
    })
}

/// A part of each URL of an array, as Spark's parse_url returns it: HOST, PATH, QUERY, REF, PROTOCOL, FILE, AUTHORITY or USERINFO. The parts
/// are those of java.net.URI. With QUERY and a key (a regular expression), the result is the value of a parameter. Raises InvalidURI at the
/// first invalid URL, and ValueError for another part.
///
/// >>> import pyarrow as pa
/// >>> parse_url(pa.array(["http://example.com/a?x=1&y=2"]), "QUERY", "y").to_pylist()
/// ['2']
#[pyfunction]
#[pyo3(signature = (array, part, key=None))]
pub(crate) fn parse_url(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
) -> PyResult<Column> {
    caught(|| {
        let function = ParseUrl::checked(part, key).map_err(|error| of_function(py, error))?;
        each(py, array, |data_type| TextLayout::of(data_type).data_type(), |array| function.parse(array))
    })
}

/// A part of each URL of an array, as Spark's try_parse_url returns it: like parse_url, but None for an invalid URL.
///
/// >>> import pyarrow as pa
/// >>> try_parse_url(pa.array(["http://example.com/a?x=1", "http://example.com/ "]), "FILE").to_pylist()
/// ['/a?x=1', None]
#[pyfunction]
#[pyo3(signature = (array, part, key=None))]
pub(crate) fn try_parse_url(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
) -> PyResult<Column> {
    caught(|| {
        let function = ParseUrl::checked(part, key).map_err(|error| of_function(py, error))?;
        each(py, array, |data_type| TextLayout::of(data_type).data_type(), |array| function.try_parse(array))
    })
}

/// Spark's own parse_url, or try_parse_url with ``is_try``: like the functions of these names, but a part that does not exist, and a key with
/// another part than QUERY, make all results None.
#[pyfunction]
#[pyo3(signature = (array, part, key=None, *, is_try))]
pub(crate) fn spark_parse_url(
    py: Python<'_>,
    array: &Bound<'_, PyAny>,
    part: &str,
    key: Option<&str>,
    is_try: bool,
) -> PyResult<Column> {
    caught(|| {
        let function = ParseUrl::new(part, key).map_err(|error| of_function(py, error))?;
        let apply =
            |array: &dyn Array| if is_try { function.try_parse(array) } else { function.parse(array) };
        each(py, array, |data_type| TextLayout::of(data_type).data_type(), apply)
    })
}

/// Applies a function to each incoming array.
pub(crate) fn each(
    py: Python<'_>,
    arrays: &Bound<'_, PyAny>,
    type_of: impl Fn(&DataType) -> DataType,
    function: impl Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync,
) -> PyResult<Column> {
    let mut arrays = Arrays::of(arrays)?;
    let column = caught(|| map(py, &mut arrays, type_of, function));
    py.detach(|| drop(arrays));
    column
}

fn map(
    py: Python<'_>,
    arrays: &mut Arrays,
    type_of: impl Fn(&DataType) -> DataType,
    function: impl Fn(&dyn Array) -> Result<ArrayRef, FunctionError> + Send + Sync,
) -> PyResult<Column> {
    let given = field_of(arrays.field());
    let mut next = || -> PyResult<Option<(usize, Result<ArrayRef, FunctionError>)>> {
        let Some(array) = arrays.next()? else { return Ok(None) };
        let array = column_of(array)?;
        Ok(Some((array.len(), function(&array))))
    };
    let mut chunks = Vec::new();
    let mut rows = 0;
    while let Some((len, chunk)) = py.detach(&mut next)? {
        let chunk = chunk.map_err(|error| match error {
            FunctionError::InvalidUrl { row, url, error } => {
                of_function(py, FunctionError::InvalidUrl { row: rows + row, url, error })
            }
            error => of_function(py, error),
        })?;
        rows += len;
        chunks.push(chunk);
        py.check_signals()?;
    }
    if chunks.is_empty() {
        // A column without chunks still has a type. This call raises for a type that the function does not support.
        let nothing = arrow_array::new_empty_array(given.data_type());
        function(&nothing).map_err(|error| of_function(py, error))?;
    }
    Ok(Column::new(Field::new(given.name(), type_of(given.data_type()), true), chunks))
}

/// The name and the type of the column in arrays of this field. A table or record batch, which Arrow represents as a struct, counts as its
/// column if it has only one.
pub(crate) fn field_of(field: &Field) -> Field {
    let column = match field.data_type() {
        DataType::Struct(fields) if fields.len() == 1 => &fields[0],
        _ => field,
    };
    Field::new(column.name(), readable_type(column.data_type()), true)
}

/// The column in an array. If the array is a table or record batch, a NULL row is NULL in the column.
pub(crate) fn column_of(array: ArrayRef) -> PyResult<ArrayRef> {
    let Some(table) = array.as_struct_opt().filter(|table| table.num_columns() == 1) else {
        return readable(array).map_err(arrow_error);
    };
    let column = readable(table.column(0).clone()).map_err(arrow_error)?;
    // An array of the type NULL has no bitmap to merge.
    if table.null_count() == 0 || column.data_type() == &DataType::Null {
        return Ok(column);
    }
    let field = Field::new("", column.data_type().clone(), true);
    let table = StructArray::try_new(vec![field].into(), vec![column], table.nulls().cloned());
    Ok(table.map_err(arrow_error)?.flatten().1.remove(0))
}
