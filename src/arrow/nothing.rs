//! Columns that are all NULL, which share their memory. Most batches have several of them, because few records have userinfo or a port.

use std::sync::OnceLock;

use arrow_array::{Array, ArrayRef, new_null_array};
use arrow_schema::DataType;

/// The types of these columns.
const TYPES: [DataType; 3] = [DataType::Utf8, DataType::Binary, DataType::Int32];

/// The lengths of the columns that are kept: powers of two up to 64 Ki rows.
const LENGTHS: usize = 17;

/// Returns a column of `rows` NULLs of a type: a slice of a kept column, unless there are too many rows. The slice has more than half of
/// the kept rows, so its reported memory is at most about twice that of a separate column.
pub(super) fn nulls(data_type: &DataType, rows: usize) -> ArrayRef {
    static KEPT: [[OnceLock<ArrayRef>; LENGTHS]; TYPES.len()] =
        [const { [const { OnceLock::new() }; LENGTHS] }; TYPES.len()];

    let length = rows.next_power_of_two();
    let kept = TYPES.iter().position(|kept| kept == data_type).zip(Some(length.trailing_zeros() as usize));
    match kept.and_then(|(data_type, length)| KEPT[data_type].get(length)) {
        Some(kept) => kept.get_or_init(|| new_null_array(data_type, length)).slice(0, rows),
        None => new_null_array(data_type, rows),
    }
}

#[cfg(test)]
mod tests {
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
