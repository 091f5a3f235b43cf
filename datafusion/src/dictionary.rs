//! Dictionaries: a function judges each value once. Text made from the values becomes a dictionary with the
//! same keys.

use std::sync::Arc;

use arrow_select::dictionary::garbage_collect_any_dictionary;
use datafusion_common::arrow::array::{
    AnyDictionaryArray, Array, ArrayRef, AsArray, BooleanArray, DictionaryArray, PrimitiveArray, StructArray,
    downcast_integer_array,
};
use datafusion_common::arrow::buffer::NullBuffer;
use datafusion_common::arrow::compute::{is_null, nullif, take};
use datafusion_common::arrow::datatypes::{ArrowDictionaryKeyType, DataType, Field, Fields};
use datafusion_common::{Result, internal_err};

/// The results of a function for the rows of a dictionary. The function gets only the values that some key
/// refers to.
pub(crate) fn map(
    dictionary: &dyn AnyDictionaryArray,
    function: impl FnOnce(&ArrayRef) -> Result<ArrayRef>,
) -> Result<ArrayRef> {
    // A slice of a large dictionary uses few of its values.
    let compact = garbage_collect_any_dictionary(dictionary)?;
    let dictionary = compact.as_any_dictionary();
    by_key(dictionary.keys(), &function(dictionary.values())?)
}

/// For each key, the result of the value that it refers to.
fn by_key(keys: &dyn Array, results: &ArrayRef) -> Result<ArrayRef> {
    match results.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => {
            if results.null_count() == 0 {
                return with_values(keys, results);
            }
            // Some consumers ignore NULLs among the values.
            let is_null = take(&is_null(results)?, keys, None)?;
            with_values(&nullif(keys, is_null.as_boolean())?, results)
        }
        DataType::Struct(_) => {
            let (fields, columns, nulls) = results.as_struct().clone().into_parts();
            let columns = columns.iter().map(|column| by_key(keys, column)).collect::<Result<Vec<_>>>()?;
            let fields: Fields = fields
                .iter()
                .zip(&columns)
                .map(|(field, column)| {
                    Field::new(field.name(), column.data_type().clone(), field.is_nullable())
                })
                .collect();
            let nulls = match nulls {
                None => keys.nulls().cloned(),
                Some(nulls) => {
                    let present = take(&BooleanArray::new(nulls.into_inner(), None), keys, None)?;
                    let present = present.as_boolean();
                    NullBuffer::union(Some(&NullBuffer::new(present.values().clone())), present.nulls())
                }
            };
            Ok(Arc::new(StructArray::try_new_with_length(fields, columns, nulls, keys.len())?))
        }
        _ => Ok(take(results, keys, None)?),
    }
}

fn with_values(keys: &dyn Array, values: &ArrayRef) -> Result<ArrayRef> {
    fn typed<K: ArrowDictionaryKeyType>(keys: &PrimitiveArray<K>, values: &ArrayRef) -> Result<ArrayRef> {
        Ok(Arc::new(DictionaryArray::try_new(keys.clone(), values.clone())?))
    }

    downcast_integer_array!(
        keys => typed(keys, values),
        other => internal_err!("keys of a dictionary are integers, not {other}"),
    )
}
