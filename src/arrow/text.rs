//! Columns of text whose values are parts of the scanned buffer: copied, or views of the caller's buffers.
//!
//! All parts of valid records are ASCII, or valid UTF-8 that is cut at ASCII characters. Each part is checked
//! again, because a string that is not UTF-8 would be undefined behaviour. Values of
//! [`TextLayout::BinaryView`] are not checked.
//!
//! A kernel copies the parts. With AVX-512, it takes a sixth of the time of record batches of all columns,
//! and the scan takes another sixth.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_buffer::Buffer;
use arrow_schema::DataType;

use super::FunctionError;
use super::bits::Bits;
use super::copies::Copies;
use super::kept;
use super::places::PlacesOf;
use super::strings::{Block, BlockValues};
use super::views::Views;
use crate::column::Column;
use crate::simd::Available;

/// The type of text columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextLayout {
    /// Copied strings, with offsets of 32 bits.
    #[default]
    Utf8,
    /// Copied strings, with offsets of 64 bits.
    LargeUtf8,
    /// Views of the buffers of the input array: nothing is copied.
    Utf8View,
    /// Views like `Utf8View`, but with the type of bytes. Valid records are UTF-8, but this is not checked
    /// again.
    BinaryView,
}

impl TextLayout {
    /// Returns the default layout of results for an array of this type: views for views, 64-bit offsets for
    /// 64-bit offsets.
    pub fn of(data_type: &DataType) -> TextLayout {
        match data_type {
            DataType::Dictionary(_, values) => TextLayout::of(values),
            DataType::Utf8View | DataType::BinaryView => TextLayout::Utf8View,
            DataType::LargeUtf8 | DataType::LargeBinary => TextLayout::LargeUtf8,
            _ => TextLayout::Utf8,
        }
    }

    /// Returns the type of the columns.
    pub fn data_type(self) -> DataType {
        match self {
            TextLayout::Utf8 => DataType::Utf8,
            TextLayout::LargeUtf8 => DataType::LargeUtf8,
            TextLayout::Utf8View => DataType::Utf8View,
            TextLayout::BinaryView => DataType::BinaryView,
        }
    }
}

/// A builder of a column of text.
pub(super) struct TextBuilder {
    text: TextLayout,
    present: Bits,
    values: TextCopies,
}

enum TextCopies {
    Small(Copies<i32>),
    Large(Copies<i64>),
    Views(Views),
}

impl TextBuilder {
    /// Returns a builder of `rows` values. If the strings are views, `buffers` are their data buffers.
    pub(super) fn new(text: TextLayout, rows: usize, buffers: &[Buffer]) -> Self {
        let values = match text {
            TextLayout::Utf8 => TextCopies::Small(Copies::new(rows)),
            TextLayout::LargeUtf8 => TextCopies::Large(Copies::new(rows)),
            TextLayout::Utf8View => TextCopies::Views(Views::of_strings(rows, buffers)),
            TextLayout::BinaryView => TextCopies::Views(Views::of_bytes(rows, buffers)),
        };
        TextBuilder { text, present: Bits::default(), values }
    }

    /// Appends a value for each of these rows of a block: the text at its place, or null if the place is
    /// absent.
    pub(super) fn append(
        &mut self,
        block: &Block<'_>,
        rows: Range<usize>,
        places: PlacesOf<'_>,
    ) -> Result<(), FunctionError> {
        let backend = block.batch.backend;
        self.present.extend_present(backend, places.starts);
        match &mut self.values {
            TextCopies::Small(copies) => copies.append(backend, block.values, places)?,
            TextCopies::Large(copies) => copies.append(backend, block.values, places)?,
            TextCopies::Views(views) => {
                views.reserve(places.starts.len())?;
                match block.origin {
                    BlockValues::Buffer(buffer, base) => {
                        views.append_of_buffer(block.values, places, buffer, base)
                    }
                    BlockValues::Views(origin) => {
                        let starts = &block.batch.filled(Column::Start)[rows.clone()];
                        views.append_of_views(block.values, places, &origin[rows], starts);
                    }
                    #[cfg(feature = "corpus")]
                    BlockValues::Elsewhere => unreachable!("rows of chunks are copied"),
                }
            }
        }
        Ok(())
    }

    /// Appends `count` nulls.
    pub(super) fn append_absent(&mut self, count: usize) -> Result<(), FunctionError> {
        self.present.extend_absent(count);
        match &mut self.values {
            TextCopies::Small(copies) => copies.append_absent(count),
            TextCopies::Large(copies) => copies.append_absent(count),
            TextCopies::Views(views) => {
                views.reserve(count)?;
                views.append_absent(count);
            }
        }
        Ok(())
    }

    /// Appends a value for each of these places in a buffer of made text.
    pub(super) fn append_made(&mut self, made: &Buffer, places: PlacesOf<'_>) -> Result<(), FunctionError> {
        self.present.extend(places.starts, |_| true);
        let backend = Available::best();
        match &mut self.values {
            TextCopies::Small(copies) => copies.append(backend, made, places)?,
            TextCopies::Large(copies) => copies.append(backend, made, places)?,
            TextCopies::Views(views) => {
                views.reserve(places.starts.len())?;
                views.append_of_made(made, places);
            }
        }
        Ok(())
    }

    /// Returns the column.
    pub(super) fn finish(self) -> Result<ArrayRef, FunctionError> {
        if self.present.are_none() && !matches!(self.values, TextCopies::Views(..)) {
            return Ok(kept::nulls(&self.text.data_type(), self.present.len()));
        }
        let nulls = self.present.finish_nulls();
        Ok(match self.values {
            TextCopies::Small(copies) => Arc::new(copies.finish(nulls)?),
            TextCopies::Large(copies) => Arc::new(copies.finish(nulls)?),
            TextCopies::Views(views) => views.finish(nulls)?,
        })
    }
}
