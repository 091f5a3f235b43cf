//! Columns of text whose values are parts of the scanned buffer: copied, or views of the caller's own
//! buffers.
//!
//! All parts of valid records are ASCII, or UTF-8 that was judged and is cut at ASCII. Each is checked once more, since a string that is
//! not UTF-8 would be undefined behaviour. [`TextLayout::BinaryView`] is not looked at.
//!
//! A kernel copies them: with AVX-512 it takes a sixth of the time of record batches of all columns, as the scan does.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_buffer::Buffer;
use arrow_schema::DataType;

use super::FunctionError;
use super::bits::Bits;
use super::copies::Copies;
use super::nothing;
use super::places::PlacesOf;
use super::strings::{Block, BlockValues};
use super::views::Views;
use crate::column::Column;
use crate::simd::Available;

/// The type of text columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextLayout {
    /// Copied, with offsets of 32 bits.
    #[default]
    Utf8,
    /// Copied, with offsets of 64 bits.
    LargeUtf8,
    /// Views of the buffers of the array that was given: nothing is copied.
    Utf8View,
    /// The same, without a look at whether they are UTF-8, which they are.
    BinaryView,
}

impl TextLayout {
    /// The layout that suits results for an array of this type: views of views, 64 bits of 64 bits.
    pub fn of(data_type: &DataType) -> TextLayout {
        match data_type {
            DataType::Dictionary(_, values) => TextLayout::of(values),
            DataType::Utf8View | DataType::BinaryView => TextLayout::Utf8View,
            DataType::LargeUtf8 | DataType::LargeBinary => TextLayout::LargeUtf8,
            _ => TextLayout::Utf8,
        }
    }

    /// The type of the columns.
    pub fn data_type(self) -> DataType {
        match self {
            TextLayout::Utf8 => DataType::Utf8,
            TextLayout::LargeUtf8 => DataType::LargeUtf8,
            TextLayout::Utf8View => DataType::Utf8View,
            TextLayout::BinaryView => DataType::BinaryView,
        }
    }
}

/// A column of text that is being built.
pub(super) struct TextBuilder {
    text: TextLayout,
    present: Bits,
    values: Values,
}

enum Values {
    Small(Copies<i32>),
    Large(Copies<i64>),
    Views(Views),
}

impl TextBuilder {
    /// A column of `rows` values. If they come from views, these have such `buffers`.
    pub(super) fn new(text: TextLayout, rows: usize, buffers: &[Buffer]) -> Self {
        let values = match text {
            TextLayout::Utf8 => Values::Small(Copies::new(rows)),
            TextLayout::LargeUtf8 => Values::Large(Copies::new(rows)),
            TextLayout::Utf8View => Values::Views(Views::of_strings(rows, buffers)),
            TextLayout::BinaryView => Values::Views(Views::of_bytes(rows, buffers)),
        };
        TextBuilder { text, present: Bits::default(), values }
    }

    /// Appends a value for each of these rows of a block, at its place; absent values are null.
    pub(super) fn append(
        &mut self,
        block: &Block<'_>,
        rows: Range<usize>,
        places: PlacesOf<'_>,
    ) -> Result<(), FunctionError> {
        let backend = block.batch.backend;
        self.present.extend_present(backend, places.starts);
        match &mut self.values {
            Values::Small(copies) => copies.append(backend, block.values, places)?,
            Values::Large(copies) => copies.append(backend, block.values, places)?,
            Values::Views(views) => match block.origin {
                BlockValues::Buffer(buffer, base) => {
                    views.append_of_buffer(block.values, places, buffer, base)
                }
                BlockValues::Views(origin) => {
                    let starts = &block.batch.filled(Column::Start)[rows.clone()];
                    views.append_of_views(block.values, places, &origin[rows], starts);
                }
                #[cfg(feature = "reader")]
                BlockValues::Elsewhere => unreachable!("rows of chunks are copied"),
            },
        }
        Ok(())
    }

    /// Appends so many nulls.
    pub(super) fn append_absent(&mut self, count: usize) {
        self.present.extend_absent(count);
        match &mut self.values {
            Values::Small(copies) => copies.append_absent(count),
            Values::Large(copies) => copies.append_absent(count),
            Values::Views(views) => views.append_absent(count),
        }
    }

    /// Appends a value for each of these places in a buffer of its own.
    pub(super) fn append_made(&mut self, made: &Buffer, places: PlacesOf<'_>) -> Result<(), FunctionError> {
        self.present.extend(places.starts, |_| true);
        let backend = Available::best();
        match &mut self.values {
            Values::Small(copies) => copies.append(backend, made, places)?,
            Values::Large(copies) => copies.append(backend, made, places)?,
            Values::Views(views) => views.append_of_made(made, places),
        }
        Ok(())
    }

    /// The column.
    pub(super) fn finish(self) -> Result<ArrayRef, FunctionError> {
        if self.present.are_none() && !matches!(self.values, Values::Views(..)) {
            return Ok(nothing::nulls(&self.text.data_type(), self.present.len()));
        }
        let nulls = self.present.finish_nulls();
        Ok(match self.values {
            Values::Small(copies) => Arc::new(copies.finish(nulls)?),
            Values::Large(copies) => Arc::new(copies.finish(nulls)?),
            Values::Views(views) => views.finish(nulls)?,
        })
    }
}
