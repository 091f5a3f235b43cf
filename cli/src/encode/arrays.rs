//! The columns of a batch, whichever it has.

use std::ops::Range;

use urivalidate::{Batch, Column, Part};

/// The arrays of a batch. Columns that it lacks are empty.
pub(super) struct BatchArrays<'a> {
    columns: [&'a [u32]; Column::ALL.len()],
}

impl<'a> BatchArrays<'a> {
    pub(super) fn new(batch: &'a Batch) -> Self {
        BatchArrays {
            columns: std::array::from_fn(|column| batch.column(Column::ALL[column]).unwrap_or_default()),
        }
    }

    /// # Panics
    ///
    /// If the batch lacks the column or the record.
    #[inline(always)]
    pub(super) fn at(&self, column: Column, index: usize) -> u32 {
        self.columns[column as usize][index]
    }

    /// The place of a part of a record in the values.
    ///
    /// # Panics
    ///
    /// If the batch lacks the part's columns or the record.
    #[inline(always)]
    pub(super) fn part(&self, part: Part, index: usize) -> Option<Range<usize>> {
        part.range(|column| self.at(column, index))
    }
}
