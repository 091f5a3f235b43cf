//! Columns without a value, which share their memory: a scan has several in each batch, as few records have userinfo.

use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, BinaryArray, Int32Array, StringArray, new_null_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;

/// So many NULLs of a type.
pub(super) fn nulls(data_type: &DataType, rows: usize) -> ArrayRef {
    let Some(zeros) = zeros(rows) else { return new_null_array(data_type, rows) };
    let nulls = || Some(NullBuffer::new(BooleanBuffer::new(zeros.clone(), 0, rows)));
    let offsets = || OffsetBuffer::new(ScalarBuffer::<i32>::new(zeros.clone(), 0, rows + 1));
    let no_bytes = || Buffer::from_vec(Vec::<u8>::new());
    match data_type {
        DataType::Utf8 => Arc::new(StringArray::new(offsets(), no_bytes(), nulls())),
        DataType::Binary => Arc::new(BinaryArray::new(offsets(), no_bytes(), nulls())),
        DataType::Int32 => Arc::new(Int32Array::new(ScalarBuffer::new(zeros.clone(), 0, rows), nulls())),
        other => new_null_array(other, rows),
    }
}

/// Zeros for the offsets of so many rows, unless these are too many to be kept. At most half of them are more than needed, so that the memory
/// of a column is about what it takes by itself.
fn zeros(rows: usize) -> Option<&'static Buffer> {
    /// The powers of two up to 64 Ki rows.
    const SIZES: usize = 17;

    static ZEROS: [OnceLock<Buffer>; SIZES] = [const { OnceLock::new() }; SIZES];

    let size = rows.next_power_of_two().trailing_zeros() as usize;
    Some(ZEROS.get(size)?.get_or_init(|| Buffer::from_vec(vec![0i32; (1 << size) + 1])))
}

#[cfg(test)]
mod tests {
    use arrow_array::Array;

    use super::*;

    #[test]
    fn nulls_of_any_number_are_those_of_arrow() {
        for data_type in [DataType::Utf8, DataType::Binary, DataType::Int32, DataType::LargeUtf8] {
            for rows in [0, 1, 2, 3, 7, 64, 65, 4096, 65_536, 65_537] {
                let column = nulls(&data_type, rows);
                column.to_data().validate_full().unwrap();
                assert_eq!(&column, &new_null_array(&data_type, rows));
                assert_eq!((column.len(), column.null_count()), (rows, rows));
            }
        }
    }
}
