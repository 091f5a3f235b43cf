//! Makes arrays of the same strings in every layout of Arrow.

use std::sync::Arc;

use arrow_array::builder::BinaryViewBuilder;
use arrow_array::types::Int16Type;
use arrow_array::{
    Array, ArrayRef, BinaryViewArray, DictionaryArray, GenericBinaryArray, Int16Array, LargeStringArray,
    OffsetSizeTrait, StringArray, StringViewArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};

/// A string, or NULL.
pub(crate) type Value = Option<Vec<u8>>;

/// Returns arrays of these strings: each layout, whole and as a slice of a longer array.
pub(crate) fn arrays(values: &[Value]) -> Vec<(String, ArrayRef)> {
    let more = [&[Some(b"http://before/".to_vec()), None], values, &[Some(b"%".to_vec())]].concat();
    let mut arrays = Vec::new();
    for (name, array) in layouts(values) {
        arrays.push((name.to_owned(), array));
    }
    for (name, array) in layouts(&more) {
        arrays.push((format!("slice of {name}"), array.slice(2, values.len())));
    }
    arrays
}

fn layouts(values: &[Value]) -> Vec<(&'static str, ArrayRef)> {
    let mut arrays: Vec<(&str, ArrayRef)> = vec![
        ("binary", Arc::new(binary::<i32>(values))),
        ("large_binary", Arc::new(binary::<i64>(values))),
        ("binary_view", views(values)),
        ("dictionary of binary", dictionary(values)),
        ("dictionary of one value", few_of_many(values)),
    ];
    let texts: Option<Vec<_>> = values
        .iter()
        .map(|value| match value {
            None => Some(None),
            Some(bytes) => std::str::from_utf8(bytes).ok().map(Some),
        })
        .collect();
    if let Some(texts) = texts {
        arrays.push(("string", Arc::new(StringArray::from(texts.clone()))));
        arrays.push(("large_string", Arc::new(LargeStringArray::from(texts.clone()))));
        arrays.push(("string_view", Arc::new(StringViewArray::from(texts))));
    }
    arrays
}

/// Makes an array in which NULLs have bytes in the buffer, too.
fn binary<O: OffsetSizeTrait>(values: &[Value]) -> GenericBinaryArray<O> {
    let filled = values.iter().map(|value| value.as_deref().unwrap_or(b"http://null/"));
    let bytes: Vec<u8> = filled.clone().flatten().copied().collect();
    let offsets = OffsetBuffer::from_lengths(filled.map(<[u8]>::len));
    let nulls: NullBuffer = values.iter().map(Option::is_some).collect();
    GenericBinaryArray::new(offsets, bytes.into(), Some(nulls))
}

/// Makes an array of views of many buffers, in which NULLs have bytes in the buffer, too.
fn views(values: &[Value]) -> ArrayRef {
    let mut builder = BinaryViewBuilder::new().with_fixed_block_size(64);
    for value in values {
        builder.append_value(value.as_deref().unwrap_or(b"http://null/and/more"));
    }
    let (views, buffers, _) = builder.finish().into_parts();
    let nulls: NullBuffer = values.iter().map(Option::is_some).collect();
    Arc::new(BinaryViewArray::new(views, buffers, Some(nulls)))
}

/// Makes a dictionary with two keys per value, of which only the second is used, and with NULLs as keys and
/// as values.
fn dictionary(values: &[Value]) -> ArrayRef {
    let twice: Vec<Value> =
        values.iter().flat_map(|value| [Some(b" unused".to_vec()), value.clone()]).collect();
    let keys = (0..values.len() as i16)
        .map(|index| (values[index as usize].is_some() || index % 2 == 0).then_some(2 * index + 1));
    let keys = Int16Array::from_iter(keys);
    Arc::new(DictionaryArray::<Int16Type>::try_new(keys, Arc::new(binary::<i32>(&twice))).unwrap())
}

/// Makes a dictionary with as many keys as values, so that the values are judged.
fn few_of_many(values: &[Value]) -> ArrayRef {
    let keys = Int16Array::from_iter((0..values.len() as i16).map(Some));
    Arc::new(DictionaryArray::<Int16Type>::try_new(keys, Arc::new(binary::<i64>(values))).unwrap())
}

/// Returns the strings of a result column.
pub(crate) fn texts(array: &ArrayRef) -> Vec<Value> {
    use arrow_array::cast::AsArray;
    use arrow_schema::DataType;

    fn owned<T: AsRef<[u8]>>(value: Option<T>) -> Value {
        value.map(|value| value.as_ref().to_vec())
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().map(owned).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(owned).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(owned).collect(),
        DataType::BinaryView => array.as_binary_view().iter().map(owned).collect(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<arrow_array::types::Int8Type>();
            dictionary.downcast_dict::<StringArray>().unwrap().into_iter().map(owned).collect()
        }
        other => panic!("{other} is no text"),
    }
}
