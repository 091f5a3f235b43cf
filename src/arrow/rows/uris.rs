//! The columns `uri` and `uri_bytes`: a record is in `uri` if it is UTF-8, otherwise in `uri_bytes`.
//!
//! The check examines the copies, because the bytes of a mapped file may change at any time.

use std::sync::Arc;

use arrow_array::types::{BinaryType, ByteArrayType, Utf8Type};
use arrow_array::{ArrayRef, BinaryArray, GenericByteArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::DataType;

use crate::arrow::FunctionError;
use crate::arrow::bits::Bits;
use crate::arrow::kept;
use crate::arrow::places::PlacesOf;
use crate::arrow::strings::Block;
use crate::arrow::text::{TextBuilder, TextLayout};
use crate::batch::InvalidRecord;
use crate::column::Column;
use crate::corpus::Scanned;
use crate::error::ErrorKind;

/// Returns both columns of all records of a chunk; `block` is the block of the chunk.
pub(super) fn of_all(scanned: &Scanned<'_>, block: &Block<'_>) -> Result<[ArrayRef; 2], FunctionError> {
    let invalid = block.batch.invalid();
    // A record over the limit may not be in memory as a whole, and a record that needed more room than its
    // field is not in the block's values.
    let is_elsewhere = |record: &InvalidRecord| {
        let is_moved = || {
            let range = record.start as usize..record.end as usize;
            scanned.record(record.index as usize) != block.values.get(range)
        };
        record.error.kind() == ErrorKind::RecordTooLong || is_moved()
    };
    if !invalid.iter().any(is_elsewhere) {
        let mut texts = TextBuilder::new(TextLayout::Utf8, scanned.len(), &[]);
        let [starts, ends] = [Column::Start, Column::End].map(|column| block.batch.filled(column));
        texts.append(block, 0..block.batch.len(), PlacesOf { starts, ends })?;
        // Nearly always, all records are UTF-8.
        if let Ok(texts) = texts.finish() {
            return Ok([texts, kept::nulls(&DataType::Binary, scanned.len())]);
        }
    }
    let mut uris = UriBuilder::default();
    let mut invalid = invalid.iter().peekable();
    for index in 0..scanned.len() {
        let error = invalid.next_if(|record| record.index as usize == index).map(|record| record.error);
        let is_whole = error.is_none_or(|error| error.kind() != ErrorKind::RecordTooLong);
        uris.append(is_whole.then(|| scanned.record(index)).flatten())?;
    }
    uris.finish()
}

/// The builder of both columns.
#[derive(Default)]
pub(super) struct UriBuilder {
    texts: TextColumn,
    bytes: TextColumn,
}

impl UriBuilder {
    /// Appends a row with a record, or without one.
    pub(super) fn append(&mut self, record: Option<&[u8]>) -> Result<(), FunctionError> {
        let start = self.texts.values.len();
        self.texts.values.extend_from_slice(record.unwrap_or_default());
        let copy = &self.texts.values[start..];
        let is_text = std::str::from_utf8(copy).is_ok();
        if !is_text {
            self.bytes.values.extend_from_slice(copy);
            self.texts.values.truncate(start);
        }
        self.texts.end(record.is_some() && is_text)?;
        self.bytes.end(!is_text)
    }

    /// Returns the columns.
    pub(super) fn finish(self) -> Result<[ArrayRef; 2], FunctionError> {
        let bytes: BinaryArray = self.bytes.finish::<BinaryType>()?;
        Ok([Arc::new(self.texts.finish::<Utf8Type>()?), Arc::new(bytes)])
    }
}

/// The bytes of all values, and the end of each value.
#[derive(Default)]
struct TextColumn {
    values: Vec<u8>,
    ends: Vec<i32>,
    present: Vec<bool>,
}

impl TextColumn {
    /// Ends the current value.
    fn end(&mut self, is_present: bool) -> Result<(), FunctionError> {
        let end = i32::try_from(self.values.len()).map_err(|_| FunctionError::TooLong(DataType::Utf8))?;
        self.ends.push(end);
        self.present.push(is_present);
        Ok(())
    }

    fn finish<T: ByteArrayType<Offset = i32>>(self) -> Result<GenericByteArray<T>, FunctionError> {
        let mut offsets = Vec::with_capacity(self.ends.len() + 1);
        offsets.push(0);
        offsets.extend(self.ends);
        let mut present = Bits::default();
        present.extend(&self.present, |&is_present| is_present);
        let offsets = OffsetBuffer::new(offsets.into());
        Ok(GenericByteArray::try_new(offsets, self.values.into(), present.finish_nulls())?)
    }
}
