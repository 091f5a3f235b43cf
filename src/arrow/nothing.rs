//! Columns without a value, which share their memory: a scan has several in each batch, as few records have userinfo.

use std::sync::OnceLock;

use arrow_array::{Array, ArrayRef, new_null_array};
use arrow_schema::DataType;

/// The types of such columns.
const TYPES: [DataType; 3] = [DataType::Utf8, DataType::Binary, DataType::Int32];

/// The lengths of the columns that are kept: powers of two up to 64 Ki rows.
const LENGTHS: usize = 17;

/// So many NULLs of a type. They are a slice of a column that is kept, unless they are too many. At most half of its rows are more than needed,
/// so the memory of the slice is about what a column takes by itself.
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
