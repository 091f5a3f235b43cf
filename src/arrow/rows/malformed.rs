//! Rows of lines that do not fit their format, among the rows of records.

use arrow_array::{ArrayRef, BooleanArray, RecordBatch};

use crate::arrow::interleave;
use crate::corpus::Scanned;

/// The order of the rows of records and of malformed lines: that of the places in the input.
pub(super) struct Order(Vec<(usize, usize)>);

impl Order {
    /// Returns the order of a chunk's rows. Each record has a row, and each malformed line.
    pub(super) fn of(scanned: &Scanned<'_>) -> Self {
        let mut order = Vec::with_capacity(scanned.len() + scanned.malformed().len());
        let mut next = 0;
        for (index, line) in scanned.malformed().iter().enumerate() {
            let end = scanned.records_before(line);
            order.extend((next..end).map(|record| (0, record)));
            order.push((1, index));
            next = end;
        }
        order.extend((next..scanned.len()).map(|record| (0, record)));
        Order(order)
    }

    pub(super) fn rows(&self) -> usize {
        self.0.len()
    }

    /// Returns the columns of the rows of records and of malformed lines in this order.
    pub(super) fn merge(&self, records: &RecordBatch, malformed: &RecordBatch) -> Vec<ArrayRef> {
        let columns = records.columns().iter().zip(malformed.columns());
        columns.map(|(records, lines)| interleave(&[records.as_ref(), lines.as_ref()], &self.0)).collect()
    }

    /// Returns the rows that are wanted: those of wanted records, and those of all malformed lines if `lines`
    /// is true.
    pub(super) fn wanted(&self, records: &BooleanArray, lines: bool) -> BooleanArray {
        let is_wanted =
            |&(source, index): &(usize, usize)| if source == 0 { records.value(index) } else { lines };
        self.0.iter().map(|row| Some(is_wanted(row))).collect()
    }
}
