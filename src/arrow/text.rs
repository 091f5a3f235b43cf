//! Columns of text whose values are parts of the scanned buffer: copied, or views of the caller's own
//! buffers.
//!
//! All parts of valid records are ASCII, or UTF-8 that was judged and is cut at ASCII. Each is checked once more, since a string that is
//! not UTF-8 would be undefined behaviour: Arrow does so at 10 GB/s of a column that is copied. [`TextLayout::BinaryView`] is not looked
//! at.
//!
//! A kernel copies them: with AVX-512 it takes a sixth of the time of record batches of all columns, as the scan does. To check UTF-8 and offsets
//! takes as long again.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, GenericStringArray, OffsetSizeTrait, new_null_array};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;

use super::FunctionError;
use super::bits::Bits;
use super::places::PlacesOf;
use super::strings::{Block, BlockValues};
use super::views::Views;
use crate::column::{ABSENT, Column};
use crate::simd::{self, Available, CopyEnds};

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

/// The most bytes that are copied at once.
const LONGEST_COPY: usize = 128;

/// The most bytes that are reserved for a column when its first values are known. To grow while it is filled took a third of the
/// time of three columns: existing bytes are copied, and each new page costs a page fault.
const MOST_RESERVED: usize = 4 << 20;

/// Values side by side, and where they end.
struct Copies<O> {
    values: Vec<u8>,
    offsets: Vec<O>,
    /// The number of values to come.
    rows: usize,
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
        self.present.extend(places.starts, |&start| start != ABSENT);
        let backend = block.batch.backend;
        match &mut self.values {
            Values::Small(copies) => {
                copies.append(backend, block.values, places, |ends| CopyEnds::Small(ends))?
            }
            Values::Large(copies) => {
                copies.append(backend, block.values, places, |ends| CopyEnds::Large(ends))?
            }
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

    /// Appends a value for each of these places in a buffer of its own.
    pub(super) fn append_made(&mut self, made: &Buffer, places: PlacesOf<'_>) -> Result<(), FunctionError> {
        self.present.extend(places.starts, |_| true);
        let backend = Available::best();
        match &mut self.values {
            Values::Small(copies) => copies.append(backend, made, places, |ends| CopyEnds::Small(ends))?,
            Values::Large(copies) => copies.append(backend, made, places, |ends| CopyEnds::Large(ends))?,
            Values::Views(views) => views.append_of_made(made, places),
        }
        Ok(())
    }

    /// The column.
    pub(super) fn finish(self) -> Result<ArrayRef, FunctionError> {
        if self.present.are_none() && !matches!(self.values, Values::Views(..)) {
            return Ok(new_null_array(&self.text.data_type(), self.present.len()));
        }
        let nulls = self.present.finish_nulls();
        Ok(match self.values {
            Values::Small(copies) => Arc::new(copies.finish(nulls)?),
            Values::Large(copies) => Arc::new(copies.finish(nulls)?),
            Values::Views(views) => views.finish(nulls)?,
        })
    }
}

impl<O: OffsetSizeTrait> Copies<O> {
    fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(O::default());
        Copies { values: Vec::new(), offsets, rows }
    }

    fn append(
        &mut self,
        backend: Available,
        from: &[u8],
        places: PlacesOf<'_>,
        copy_ends: fn(&mut Vec<O>) -> CopyEnds<'_>,
    ) -> Result<(), FunctionError> {
        let PlacesOf { starts, ends } = places;
        let added = usize::try_from(simd::part_lengths(backend, starts, ends).sum).unwrap_or(usize::MAX);
        if O::from_usize(self.values.len().saturating_add(added)).is_none() {
            return Err(FunctionError::TooLong(GenericStringArray::<O>::DATA_TYPE));
        }
        if self.values.is_empty() {
            let expected = added.saturating_mul(self.rows) / starts.len().max(1);
            let reserved = expected.min(MOST_RESERVED);
            self.values.reserve(reserved + reserved / 8 + LONGEST_COPY);
        }
        simd::copy_parts(backend, from, starts, ends, &mut self.values, copy_ends(&mut self.offsets));
        Ok(())
    }

    fn finish(self, nulls: Option<NullBuffer>) -> Result<GenericStringArray<O>, FunctionError> {
        let offsets = OffsetBuffer::new(self.offsets.into());
        Ok(GenericStringArray::try_new(offsets, self.values.into(), nulls)?)
    }
}
