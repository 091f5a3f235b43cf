//! The columns of rows that are made of lines: fields of a log or a table, and the numbers of its rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::DataType;

use crate::arrow::FunctionError;
use crate::arrow::bits::Bits;
use crate::corpus::{LogColumns, LogFields, MalformedLine, Scanned};
use crate::memory;

/// The line of a row.
pub(super) enum LineOf<'a> {
    /// The line of the record with this index.
    Record(usize),
    Malformed(&'a MalformedLine),
}

/// The columns, each taken by one of the columns of the rows.
pub(super) struct LineColumns {
    fields: std::vec::IntoIter<ArrayRef>,
    rows: ArrayRef,
}

impl LineColumns {
    /// Makes the columns of these lines, which are in order. Each line is cut once for all columns.
    pub(super) fn new<'a>(
        scanned: &Scanned<'_>,
        columns: &LogColumns,
        lines: impl Iterator<Item = LineOf<'a>>,
    ) -> Result<Self, FunctionError> {
        let mut fields = LogFields::new(scanned, columns);
        let mut texts: Vec<TextColumn> = (0..columns.fields()).map(|_| TextColumn::default()).collect();
        let mut numbers = Vec::new();
        for line in lines {
            match line {
                LineOf::Record(index) => fields.of_record(index)?,
                LineOf::Malformed(line) => fields.of_malformed(line)?,
            }
            for (index, column) in texts.iter_mut().enumerate() {
                column.push(fields.text(index))?;
            }
            numbers.push(fields.row().map(|row| row as i64));
        }
        let fields = texts.into_iter().map(TextColumn::finish).collect::<Result<Vec<_>, _>>()?;
        Ok(LineColumns { fields: fields.into_iter(), rows: Arc::new(Int64Array::from(numbers)) })
    }

    /// Returns the column of the next field.
    pub(super) fn next_field(&mut self) -> ArrayRef {
        self.fields.next().expect("a column was made of each field")
    }

    /// Returns the column of the numbers of rows.
    pub(super) fn rows(&self) -> ArrayRef {
        self.rows.clone()
    }
}

/// The bytes of all texts, and the end of each text.
#[derive(Default)]
struct TextColumn {
    values: Vec<u8>,
    ends: Vec<i32>,
    present: Vec<bool>,
}

impl TextColumn {
    /// Adds a text. Bytes that are not UTF-8 become U+FFFD: a log that is not UTF-8 is still read.
    fn push(&mut self, text: Option<&[u8]>) -> Result<(), FunctionError> {
        for chunk in text.unwrap_or_default().utf8_chunks() {
            let replacement = if chunk.invalid().is_empty() { "" } else { "\u{FFFD}" };
            memory::try_reserve(&mut self.values, chunk.valid().len() + replacement.len())?;
            self.values.extend_from_slice(chunk.valid().as_bytes());
            self.values.extend_from_slice(replacement.as_bytes());
        }
        let end = i32::try_from(self.values.len()).map_err(|_| FunctionError::TooLong(DataType::Utf8))?;
        self.ends.push(end);
        self.present.push(text.is_some());
        Ok(())
    }

    fn finish(self) -> Result<ArrayRef, FunctionError> {
        let mut offsets = Vec::with_capacity(self.ends.len() + 1);
        offsets.push(0);
        offsets.extend(self.ends);
        let mut present = Bits::default();
        present.extend(&self.present, |&is_present| is_present);
        let offsets = OffsetBuffer::new(offsets.into());
        Ok(Arc::new(StringArray::try_new(offsets, self.values.into(), present.finish_nulls())?))
    }
}
