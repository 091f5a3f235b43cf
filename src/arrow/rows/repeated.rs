//! The column of file names: one text in all rows of a batch, and usually also in the next batch.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{Array, ArrayRef, StringArray};
use arrow_schema::DataType;

use crate::arrow::FunctionError;

/// Columns that repeat one text. Columns with the same text and about the same length share their memory.
/// Clones of this type share it, too.
#[derive(Clone, Debug, Default)]
pub(super) struct RepeatedText(Arc<Mutex<Option<Repeated>>>);

#[derive(Debug)]
struct Repeated {
    text: String,
    column: StringArray,
}

impl RepeatedText {
    /// Returns a column of `rows` rows with the same text.
    pub(super) fn column(&self, text: &str, rows: usize) -> Result<ArrayRef, FunctionError> {
        /// The most bytes of a column that is kept.
        const KEPT: usize = 1 << 20;
        /// A kept column that is shared has at most this number of times the rows of the batch, so that its
        /// memory is not much larger than that of a separate column.
        const SHARED: usize = 4;

        if i32::try_from(text.len().saturating_mul(rows)).is_err() {
            return Err(FunctionError::TooLong(DataType::Utf8));
        }
        let most = rows.next_power_of_two();
        if most.saturating_mul(text.len() + size_of::<i32>()) > KEPT {
            return Ok(Arc::new(StringArray::new_repeated(text, rows)));
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |kept: &&Repeated| {
            kept.text == text && (rows..=rows.saturating_mul(SHARED)).contains(&kept.column.len())
        };
        let column = match kept.as_ref().filter(fits) {
            Some(kept) => kept.column.slice(0, rows),
            None => {
                let column = StringArray::new_repeated(text, most);
                let sliced = column.slice(0, rows);
                *kept = Some(Repeated { text: text.to_owned(), column });
                sliced
            }
        };
        Ok(Arc::new(column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_has_the_text_whatever_came_before() {
        let repeated = RepeatedText::default();
        let long = "n".repeat(1 << 14);
        for text in ["a.txt", "a.txt", "b", "", &long] {
            for rows in [0, 1, 3, 100, 64, 30, 5000, 2, 4096] {
                let column = repeated.column(text, rows).unwrap();
                assert_eq!(&*column, &StringArray::new_repeated(text, rows) as &dyn Array);
            }
        }
        assert!(repeated.column(&long, 1 << 18).is_err());
    }
}
