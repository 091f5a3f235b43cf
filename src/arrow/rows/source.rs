//! The columns of rows of all records of a chunk, except those of their components.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use arrow_schema::DataType;

use crate::arrow::kept;
use crate::arrow::verdict::ErrorBuilder;
use crate::batch::InvalidRecord;
use crate::column::Column;
use crate::corpus::Scanned;
use crate::error::{ErrorKind, Found};
use crate::mend;

/// A chunk, and the facts that the chunk itself does not hold.
pub(super) struct RowSource<'a> {
    pub(super) file: &'a str,
    /// The 1-based number of the chunk's first line.
    pub(super) first_line: u64,
    pub(super) scanned: &'a Scanned<'a>,
}

impl RowSource<'_> {
    /// Returns the name of the chunk's format.
    pub(super) fn format(&self) -> &'static str {
        self.scanned.chunk().layout().format().name()
    }

    pub(super) fn line_numbers(&self) -> ArrayRef {
        let RowSource { first_line, scanned, .. } = self;
        if scanned.has_lines() {
            let first = first_line + scanned.line_number(0).unwrap_or_default();
            return numbers(scanned.len(), |index| first + index as u64);
        }
        numbers(scanned.len(), |index| first_line + scanned.line_number(index).unwrap_or_default())
    }

    /// Returns the suggestion for each record.
    pub(super) fn suggestions(&self) -> ArrayRef {
        self.of_invalid(|record| suggestion(self.scanned, record))
    }

    /// Returns the forbidden character of each record.
    pub(super) fn characters(&self) -> ArrayRef {
        self.of_invalid(character)
    }

    fn of_invalid(&self, text: impl Fn(&InvalidRecord) -> Option<String>) -> ArrayRef {
        let mut texts = vec![None; self.scanned.len()];
        for record in self.scanned.batch().invalid() {
            texts[record.index as usize] = text(record);
        }
        Arc::new(StringArray::from(texts))
    }

    /// Returns the element of a page that holds each record.
    pub(super) fn elements(&self) -> ArrayRef {
        let name = |index| self.scanned.element(index).map(|element| element.name);
        Arc::new(StringArray::from_iter((0..self.scanned.len()).map(name)))
    }

    /// Returns the attribute of a page that holds each record.
    pub(super) fn attributes(&self) -> ArrayRef {
        let name = |index| self.scanned.element(index).and_then(|element| element.attribute);
        Arc::new(StringArray::from_iter((0..self.scanned.len()).map(name)))
    }

    pub(super) fn start_columns(&self) -> ArrayRef {
        let scanned = self.scanned;
        let first = scanned.start_column(0).unwrap_or_default();
        match scanned.has_lines() {
            true if first == 1 => kept::ones(scanned.len()),
            // A byte order mark comes before the first record.
            true => numbers(scanned.len(), |index| if index == 0 { first } else { 1 }),
            false => numbers(scanned.len(), |index| scanned.start_column(index).unwrap_or_default()),
        }
    }

    pub(super) fn lengths(&self) -> ArrayRef {
        let scanned = self.scanned;
        if scanned.has_lines() {
            let column = |column| &scanned.batch().filled(column)[..scanned.len()];
            let lengths = column(Column::End).iter().zip(column(Column::Start));
            // A `Vec` is filled by vectors, a builder of Arrow is not.
            let lengths: Vec<_> = lengths.map(|(end, start)| i64::from(end.wrapping_sub(*start))).collect();
            return Arc::new(Int64Array::from(lengths));
        }
        numbers(scanned.len(), |index| scanned.length(index).unwrap_or_default())
    }

    /// Returns the error of each record: kind, component, offset and message. Without `has_messages`,
    /// messages are NULL.
    pub(super) fn errors(&self, has_messages: bool) -> [ArrayRef; 4] {
        let rows = self.scanned.len();
        let all = self.scanned.batch().invalid();
        if all.is_empty() {
            let types = [DataType::Utf8, DataType::Utf8, DataType::Int32, DataType::Utf8];
            return types.map(|data_type| kept::nulls(&data_type, rows));
        }
        let mut errors = ErrorBuilder::new(rows, has_messages);
        for invalid in all {
            errors.append_nulls(invalid.index as usize);
            errors.append(&invalid.error);
        }
        errors.append_nulls(rows);
        errors.finish()
    }

    /// Returns the 1-based byte of the line with the error of each record.
    pub(super) fn error_columns(&self) -> ArrayRef {
        let mut columns = vec![None; self.scanned.len()];
        for invalid in self.scanned.batch().invalid() {
            let index = invalid.index as usize;
            let column = self.scanned.error_column(index, invalid.error.offset());
            columns[index] = column.map(|column| column as i64);
        }
        Arc::new(Int64Array::from(columns))
    }
}

/// Returns the repaired record, if only one repair is likely. All valid records are UTF-8.
pub(super) fn suggestion(scanned: &Scanned<'_>, record: &InvalidRecord) -> Option<String> {
    let is_whole = record.error.kind() != ErrorKind::RecordTooLong;
    let mended =
        mend::suggestion(scanned.batch().rules, is_whole.then(|| scanned.record(record.index as usize))??)?;
    String::from_utf8(mended).ok()
}

/// Returns the character that the grammar forbids in an invalid record.
pub(super) fn character(record: &InvalidRecord) -> Option<String> {
    record.error.character().map(Found::to_text)
}

/// Returns a column with a number for each row.
fn numbers(rows: usize, number: impl Fn(usize) -> u64) -> ArrayRef {
    Arc::new(Int64Array::from((0..rows).map(|index| number(index) as i64).collect::<Vec<_>>()))
}
