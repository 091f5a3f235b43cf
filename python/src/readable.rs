//! Converts arrays with layouts that the library does not support to layouts that it supports, without
//! copying values.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int16Type, Int32Type, Int64Type, RunEndIndexType};
use arrow_array::{
    Array, ArrayRef, DictionaryArray, FixedSizeBinaryArray, Int32Array, LargeBinaryArray, RunArray,
};
use arrow_buffer::{ArrowNativeType, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};

/// The type to which [`readable`] converts arrays of this type. Binary values of a fixed size become large
/// binary values, and runs become dictionaries.
pub(crate) fn readable_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::FixedSizeBinary(_) => DataType::LargeBinary,
        DataType::RunEndEncoded(_, values) => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(readable_type(values.data_type())))
        }
        other => other.clone(),
    }
}

/// Converts an array to its [`readable_type`].
pub(crate) fn readable(array: ArrayRef) -> Result<ArrayRef, ArrowError> {
    match array.data_type() {
        DataType::FixedSizeBinary(_) => Ok(Arc::new(with_offsets(array.as_fixed_size_binary())?)),
        DataType::RunEndEncoded(ends, _) => match ends.data_type() {
            DataType::Int16 => dictionary(array.as_run::<Int16Type>()),
            DataType::Int32 => dictionary(array.as_run::<Int32Type>()),
            _ => dictionary(array.as_run::<Int64Type>()),
        },
        _ => Ok(array),
    }
}

fn with_offsets(array: &FixedSizeBinaryArray) -> Result<LargeBinaryArray, ArrowError> {
    let size = array.value_size();
    let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(size, array.len()));
    LargeBinaryArray::try_new(offsets, array.values().clone(), array.nulls().cloned())
}

/// Converts runs to a dictionary. The key of a row is the number of its run.
fn dictionary<R: RunEndIndexType>(array: &RunArray<R>) -> Result<ArrayRef, ArrowError> {
    let ends = array.run_ends();
    let too_many = |_| ArrowError::InvalidArgumentError("an array has more than 2^31 - 1 runs".to_owned());
    let mut keys = Vec::with_capacity(array.len());
    if !array.is_empty() {
        let first = ends.get_start_physical_index();
        for (run, end) in (first..).zip(ends.sliced_values()) {
            let run = i32::try_from(run).map_err(too_many)?;
            let end = end.as_usize();
            keys.extend(std::iter::repeat_n(run, end.saturating_sub(keys.len())));
        }
    }
    if keys.len() < array.len() {
        return Err(ArrowError::InvalidArgumentError("the runs end before the array does".to_owned()));
    }
    let values = readable(array.values().clone())?;
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(Int32Array::from(keys), values)?))
}
