//! Columns with the same value in all rows, which share their memory. Most batches have several of them: few
//! records have userinfo or a port, a scheme starts its record, and nearly all hosts are names.

use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, Int32Array, new_null_array};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;

/// The lengths of the columns that are kept: powers of two up to 64 Ki rows.
const LENGTHS: usize = 17;

/// The columns of one value that were made so far.
pub(super) struct Kept([OnceLock<ArrayRef>; LENGTHS]);

impl Kept {
    pub(super) const fn new() -> Self {
        Kept([const { OnceLock::new() }; LENGTHS])
    }

    /// Returns a column of `rows` rows: a slice of a kept column, unless there are too many rows. `make`
    /// returns the column with a number of rows, and must be the same in all calls. The slice has more than
    /// half of the kept rows, so its reported memory is at most about twice that of a separate column.
    pub(super) fn column(&self, rows: usize, make: impl Fn(usize) -> ArrayRef) -> ArrayRef {
        let length = rows.next_power_of_two();
        match self.0.get(length.trailing_zeros() as usize) {
            Some(kept) => kept.get_or_init(|| make(length)).slice(0, rows),
            None => make(rows),
        }
    }
}

/// Returns a column of NULLs.
pub(super) fn nulls(data_type: &DataType, rows: usize) -> ArrayRef {
    const TYPES: [DataType; 3] = [DataType::Utf8, DataType::Binary, DataType::Int32];
    static KEPT: [Kept; TYPES.len()] = [const { Kept::new() }; TYPES.len()];

    let make = |rows| new_null_array(data_type, rows);
    match TYPES.iter().position(|kept| kept == data_type) {
        Some(data_type) => KEPT[data_type].column(rows, make),
        None => make(rows),
    }
}

/// Returns a column of 64-bit ones.
#[cfg(feature = "corpus")]
pub(super) fn ones(rows: usize) -> ArrayRef {
    static KEPT: Kept = Kept::new();

    KEPT.column(rows, |rows| Arc::new(arrow_array::Int64Array::from(vec![1; rows])))
}

/// Returns a column of 32-bit zeros with these NULLs.
pub(super) fn zeros(rows: usize, nulls: Option<NullBuffer>) -> ArrayRef {
    static KEPT: Kept = Kept::new();

    let zeros = KEPT.column(rows, |rows| Arc::new(Int32Array::from(vec![0; rows])));
    match nulls {
        Some(nulls) => {
            Arc::new(Int32Array::new(zeros.as_primitive::<Int32Type>().values().clone(), Some(nulls)))
        }
        None => zeros,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_columns_have_any_number_of_rows() {
        for rows in [0, 1, 2, 3, 7, 64, 65, 4096, 65_536, 65_537] {
            for data_type in [DataType::Utf8, DataType::Binary, DataType::Int32, DataType::LargeUtf8] {
                let column = nulls(&data_type, rows);
                column.to_data().validate_full().unwrap();
                assert_eq!(&column, &new_null_array(&data_type, rows));
                assert_eq!((column.len(), column.null_count()), (rows, rows));
            }
            #[cfg(feature = "corpus")]
            assert_eq!(&*ones(rows), &arrow_array::Int64Array::from(vec![1; rows]) as &dyn Array);
            assert_eq!(&*zeros(rows, None), &Int32Array::from(vec![0; rows]) as &dyn Array);
            let some: Int32Array = (0..rows).map(|row| (row % 3 > 0).then_some(0)).collect();
            let column = zeros(rows, some.nulls().cloned());
            column.to_data().validate_full().unwrap();
            assert_eq!(&*column, &some as &dyn Array);
        }
    }
}
