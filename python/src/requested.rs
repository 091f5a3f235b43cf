//! Converts columns to the type that their consumer requests. Arrow's PyCapsule interface lets a producer
//! ignore the request. This module converts text, binary values, numbers of 32 bits and structs of these.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, GenericBinaryArray, GenericStringArray, OffsetSizeTrait, StructArray,
};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use pyo3::prelude::*;

use crate::capsule::requested_type;

/// The field with the type that is closest to the requested type, out of the types to which its columns can
/// be converted.
pub(crate) fn closest(given: &Field, schema: Option<&Bound<'_, PyAny>>) -> PyResult<Field> {
    let requested = schema.map(requested_type).transpose()?.flatten();
    Ok(requested.map_or_else(|| given.clone(), |requested| closest_field(given, &requested)))
}

fn closest_field(given: &Field, requested: &DataType) -> Field {
    given.clone().with_data_type(closest_type(given.data_type(), requested))
}

fn closest_type(given: &DataType, requested: &DataType) -> DataType {
    use DataType::*;
    match (given, requested) {
        (Int32, Int64) | (Binary, LargeBinary) => requested.clone(),
        (given, Utf8 | LargeUtf8) if is_text(given) => requested.clone(),
        // The export declares binary views as text.
        (given, Utf8View) if is_text(given) => BinaryView,
        (Struct(given), Struct(requested)) if have_same_names(given, requested) => {
            let fields = given.iter().zip(requested.iter());
            Struct(fields.map(|(given, requested)| closest_field(given, requested.data_type())).collect())
        }
        (given, _) => given.clone(),
    }
}

fn is_text(data_type: &DataType) -> bool {
    match data_type {
        // Binary views hold text; other binary values do not.
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::BinaryView => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn have_same_names(one: &[FieldRef], other: &[FieldRef]) -> bool {
    one.iter().map(|field| field.name()).eq(other.iter().map(|field| field.name()))
}

/// Converts an array to the type that [`closest`] returned for its field.
pub(crate) fn converted(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == to {
        return Ok(array.clone());
    }
    match (array.data_type(), to) {
        (DataType::Struct(_), DataType::Struct(fields)) => {
            let structs = array.as_struct();
            let columns = structs.columns().iter().zip(fields);
            let columns = columns.map(|(column, field)| converted(column, field.data_type()));
            let columns = columns.collect::<Result<_, _>>()?;
            Ok(Arc::new(StructArray::try_new_with_length(
                fields.clone(),
                columns,
                structs.nulls().cloned(),
                structs.len(),
            )?))
        }
        (_, DataType::Int64) => {
            Ok(Arc::new(array.as_primitive::<Int32Type>().unary::<_, Int64Type>(i64::from)))
        }
        (_, DataType::Utf8) => text::<i32>(array),
        (_, DataType::LargeUtf8) => text::<i64>(array),
        (_, DataType::LargeBinary) => Ok(Arc::new(GenericBinaryArray::<i64>::from_iter(values(array)))),
        _ => Ok(Arc::new(BinaryViewArray::from_iter(values(array)))),
    }
}

fn text<O: OffsetSizeTrait>(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    let bytes: usize = values(array).flatten().map(<[u8]>::len).sum();
    if O::from_usize(bytes).is_none() {
        return Err(ArrowError::OffsetOverflowError(bytes));
    }
    let bytes = GenericBinaryArray::<O>::from_iter(values(array));
    Ok(Arc::new(GenericStringArray::<O>::try_from_binary(bytes)?))
}

/// The bytes of text or of binary values.
fn values(array: &ArrayRef) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
    match array.data_type() {
        DataType::Utf8 => Box::new(array.as_string::<i32>().iter().map(|text| text.map(str::as_bytes))),
        DataType::LargeUtf8 => Box::new(array.as_string::<i64>().iter().map(|text| text.map(str::as_bytes))),
        DataType::Utf8View => Box::new(array.as_string_view().iter().map(|text| text.map(str::as_bytes))),
        DataType::BinaryView => Box::new(array.as_binary_view().iter()),
        DataType::Binary => Box::new(array.as_binary::<i32>().iter()),
        _ => {
            // This is the dictionary of the kinds of hosts.
            let dictionary = array.as_dictionary::<Int8Type>();
            let names = dictionary.values().as_string::<i32>();
            Box::new(dictionary.keys().iter().map(|key| key.map(|key| names.value(key as usize).as_bytes())))
        }
    }
}
