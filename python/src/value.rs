//! Converts the values of columns to Python objects, and names their types.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// One value of an array whose type is one that this package's functions return.
pub(crate) fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
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
        DataType::List(_) => Ok(PyList::new(py, values(py, &array.as_list::<i32>().value(row))?)?.into_any()),
        // As in pyarrow, a map is a list of pairs.
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let [keys, items] = [0, 1].map(|column| values(py, entries.column(column)));
            Ok(PyList::new(py, keys?.into_iter().zip(items?).collect::<Vec<_>>())?.into_any())
        }
        other => Err(PyTypeError::new_err(format!("no Python objects for {other}"))),
    }
}

/// The values of all rows.
fn values<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Vec<Bound<'py, PyAny>>> {
    (0..array.len()).map(|row| value(py, array, row)).collect()
}

/// pyarrow's name for a type.
pub(crate) fn type_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Boolean => "bool".to_owned(),
        DataType::Utf8 => "string".to_owned(),
        DataType::LargeUtf8 => "large_string".to_owned(),
        // Binary views hold text, too: see `capsule`.
        DataType::Utf8View | DataType::BinaryView => "string_view".to_owned(),
        DataType::Dictionary(keys, values) => {
            format!("dictionary<values={}, indices={}, ordered=0>", type_name(values), type_name(keys))
        }
        DataType::Struct(fields) => {
            let name = |field: &arrow_schema::FieldRef| {
                let nullable = if field.is_nullable() { "" } else { " not null" };
                format!("{}: {}{nullable}", field.name(), type_name(field.data_type()))
            };
            format!("struct<{}>", fields.iter().map(name).collect::<Vec<_>>().join(", "))
        }
        DataType::List(item) => format!("list<{}: {}>", item.name(), type_name(item.data_type())),
        DataType::Map(entries, _) => match entries.data_type() {
            DataType::Struct(fields) => {
                let names: Vec<_> = fields.iter().map(|field| type_name(field.data_type())).collect();
                format!("map<{}>", names.join(", "))
            }
            other => other.to_string(),
        },
        other => other.to_string().to_lowercase(),
    }
}
