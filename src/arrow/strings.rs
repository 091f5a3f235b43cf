//! Arrow's layouts of strings and bytes, as buffers that can be scanned.
//!
//! Strings of Arrow should be UTF-8, but strings from another language need not be: here all of them are bytes.

use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, BinaryViewType, ByteArrayType, ByteViewType, StringViewType};
use arrow_array::{
    AnyDictionaryArray, Array, ArrayRef, GenericByteArray, GenericByteViewArray, PrimitiveArray,
    downcast_integer_array, new_null_array,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer};
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;

use super::FunctionError;
use super::view_gatherer::{ScannedBlock, ViewGatherer, view_bytes};
use crate::batch::Batch;
use crate::column::Columns;
use crate::grammar::Grammar;
use crate::validator::{ScanError, Validator};

/// An array of strings or bytes.
#[derive(Clone, Copy)]
pub(super) struct Strings<'a> {
    layout: StringLayout<'a>,
    pub(super) nulls: Option<&'a NullBuffer>,
}

#[derive(Clone, Copy)]
enum StringLayout<'a> {
    /// One value between each offset and the next.
    Small(&'a [i32], &'a Buffer),
    Large(&'a [i64], &'a Buffer),
    /// Length, and either the value itself or its first four bytes, the number of its buffer and its offset there.
    Views(&'a [u128], &'a [Buffer]),
}

/// Strings that follow each other, scanned.
pub(super) struct Block<'a> {
    /// The first string's row.
    pub(super) first: usize,
    pub(super) batch: &'a Batch,
    /// The bytes that the batch's offsets count in.
    pub(super) values: &'a [u8],
    pub(super) origin: BlockValues<'a>,
    pub(super) nulls: Option<&'a NullBuffer>,
}

/// The source of a block's values.
#[derive(Clone, Copy)]
pub(super) enum BlockValues<'a> {
    /// A buffer, in which they start at this byte.
    Buffer(&'a Buffer, usize),
    /// Views, one a record.
    Views(&'a [u128]),
    /// No buffer of Arrow: text has to be copied.
    #[cfg(feature = "reader")]
    Elsewhere,
}

impl Block<'_> {
    /// Whether a record of the block is null.
    pub(super) fn is_null(&self, index: usize) -> bool {
        self.nulls.is_some_and(|nulls| nulls.is_null(self.first + index))
    }

    /// The records of the block that are null.
    pub(super) fn null_records(&self) -> impl Iterator<Item = usize> + '_ {
        let nulls = self.nulls.filter(|nulls| nulls.null_count() > 0);
        nulls.into_iter().flat_map(|_| (0..self.batch.len()).filter(|&index| self.is_null(index)))
    }
}

/// Memory that is used for each block.
struct BlockMemory<'a> {
    /// For strings in one buffer.
    offsets: Vec<u32>,
    /// Of views.
    gatherer: ViewGatherer<'a>,
}

impl<'a> Strings<'a> {
    /// The strings of an array that is no dictionary.
    pub(super) fn new(array: &'a dyn Array) -> Result<Self, FunctionError> {
        let layout = match array.data_type() {
            DataType::Utf8 => small(array.as_string::<i32>()),
            DataType::Binary => small(array.as_binary::<i32>()),
            DataType::LargeUtf8 => large(array.as_string::<i64>()),
            DataType::LargeBinary => large(array.as_binary::<i64>()),
            DataType::Utf8View => views::<StringViewType>(array.as_string_view()),
            DataType::BinaryView => views::<BinaryViewType>(array.as_binary_view()),
            other => return Err(FunctionError::UnsupportedType(other.clone())),
        };
        Ok(Strings { layout, nulls: array.nulls() })
    }

    /// The number of strings, null or not.
    pub(super) fn len(&self) -> usize {
        match self.layout {
            StringLayout::Small(offsets, _) => offsets.len() - 1,
            StringLayout::Large(offsets, _) => offsets.len() - 1,
            StringLayout::Views(views, _) => views.len(),
        }
    }

    /// The buffers that views of an output can point to as these views do.
    pub(super) fn buffers(&self) -> &'a [Buffer] {
        match self.layout {
            StringLayout::Views(_, buffers) => buffers,
            _ => &[],
        }
    }

    /// All strings, block by block, with the columns [`Columns::RECORDS`].
    pub(super) fn blocks(
        &self,
        take_block: impl FnMut(&Block<'_>) -> Result<(), FunctionError>,
    ) -> Result<(), FunctionError> {
        // Every grammar finds the strings.
        self.scan(&Validator::new(Grammar::UriReference), Columns::RECORDS, take_block)
    }

    /// Scans all strings, block by block.
    pub(super) fn scan(
        &self,
        validator: &Validator,
        columns: Columns,
        mut take_block: impl FnMut(&Block<'_>) -> Result<(), FunctionError>,
    ) -> Result<(), FunctionError> {
        let mut memory = BlockMemory { offsets: Vec::new(), gatherer: ViewGatherer::new(self.buffers()) };
        let mut scanned = ScannedBlock::default();
        let mut first = 0;
        while first < self.len() {
            self.scan_block(first, validator, columns, &mut memory, &mut scanned)?;
            take_block(&self.block(first, &scanned)?)?;
            first += scanned.batch.len();
        }
        Ok(())
    }

    /// Scans as many strings from this one on as make a block.
    fn scan_block(
        &self,
        first: usize,
        validator: &Validator,
        columns: Columns,
        memory: &mut BlockMemory<'_>,
        scanned: &mut ScannedBlock,
    ) -> Result<(), FunctionError> {
        let BlockMemory { offsets, gatherer } = memory;
        let values = match self.layout {
            StringLayout::Small(all, buffer) => {
                contiguous(&all[first..], buffer, offsets, |offset| offset as usize)?
            }
            StringLayout::Large(all, buffer) => {
                contiguous(&all[first..], buffer, offsets, |offset| offset as usize)?
            }
            StringLayout::Views(views, _) => {
                let is_null = self.nulls.map(|nulls| move |index| nulls.is_null(first + index));
                return gatherer.scan(&views[first..], is_null, validator, columns, scanned);
            }
        };
        validator.scan_ranges(offsets, values, None, columns, &mut scanned.batch)?;
        Ok(())
    }

    /// The block of the strings from this one on that have been scanned.
    fn block<'b>(&self, first: usize, scanned: &'b ScannedBlock) -> Result<Block<'b>, FunctionError>
    where
        'a: 'b,
    {
        let ScannedBlock { batch, gathered } = scanned;
        let end = first + batch.len();
        let of_buffer = |buffer: &'a Buffer, start: i64, end: i64| {
            let values = range(buffer, start, end).ok_or(ScanError::OffsetsOutOfOrder)?;
            Ok::<_, FunctionError>((values, BlockValues::Buffer(buffer, start as usize)))
        };
        let (values, origin) = match self.layout {
            StringLayout::Small(all, buffer) => of_buffer(buffer, all[first].into(), all[end].into())?,
            StringLayout::Large(all, buffer) => of_buffer(buffer, all[first], all[end])?,
            StringLayout::Views(views, _) => (&gathered[..], BlockValues::Views(&views[first..end])),
        };
        Ok(Block { first, batch, values, origin, nulls: self.nulls })
    }

    /// The bytes of one string, if it is not null and they are where the array says.
    pub(super) fn get(&self, index: usize) -> Option<&[u8]> {
        if self.nulls.is_some_and(|nulls| nulls.is_null(index)) {
            return None;
        }
        match &self.layout {
            StringLayout::Small(offsets, buffer) => {
                range(buffer, offsets[index].into(), offsets[index + 1].into())
            }
            StringLayout::Large(offsets, buffer) => range(buffer, offsets[index], offsets[index + 1]),
            StringLayout::Views(views, buffers) => view_bytes(&views[index], buffers),
        }
    }
}

fn range(buffer: &Buffer, start: i64, end: i64) -> Option<&[u8]> {
    buffer.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn small<T: ByteArrayType<Offset = i32>>(array: &GenericByteArray<T>) -> StringLayout<'_> {
    StringLayout::Small(array.value_offsets(), array.values())
}

fn large<T: ByteArrayType<Offset = i64>>(array: &GenericByteArray<T>) -> StringLayout<'_> {
    StringLayout::Large(array.value_offsets(), array.values())
}

fn views<T: ByteViewType>(array: &GenericByteViewArray<T>) -> StringLayout<'_> {
    StringLayout::Views(array.views(), array.data_buffers())
}

/// The strings that a block takes from the start of these offsets. Their offsets in the values returned replace the contents of `offsets`.
fn contiguous<'a, O: Copy>(
    all: &[O],
    buffer: &'a Buffer,
    offsets: &mut Vec<u32>,
    to_usize: impl Fn(O) -> usize,
) -> Result<&'a [u8], FunctionError> {
    offsets.clear();
    let most = &all[..all.len().min(ScannedBlock::MOST_STRINGS + 1)];
    let base = to_usize(most[0]);
    let fits = |&end: &O| to_usize(end).saturating_sub(base) <= ScannedBlock::MOST_BYTES;
    let count = 1 + most[1..].partition_point(fits).max(1);
    let end = to_usize(most[count - 1]);
    let values = buffer.get(base..end).ok_or(ScanError::OffsetsOutOfOrder)?;
    if values.len() > Batch::MAX_BYTES {
        return Err(ScanError::BufferTooLarge.into());
    }
    offsets.extend(most[..count].iter().map(|&offset| to_usize(offset).wrapping_sub(base) as u32));
    Ok(values)
}

/// The results of `function` for the strings of an array. A dictionary's values are judged once each, and each key takes the
/// result of its value.
pub(super) fn each_string(
    array: &dyn Array,
    function: impl Fn(&Strings<'_>) -> Result<ArrayRef, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) if dictionary.values().len() <= dictionary.len() => {
            by_key(dictionary, &of_values(dictionary.values(), function)?)
        }
        _ => each_row(array, function),
    }
}

/// As [`each_string`], but `function` gets one string a row, and no value of a dictionary that has no key.
pub(super) fn each_row(
    array: &dyn Array,
    function: impl Fn(&Strings<'_>) -> Result<ArrayRef, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) => of_values(&by_key(dictionary, dictionary.values())?, function),
        None => of_values(array, function),
    }
}

fn of_values(
    array: &dyn Array,
    function: impl Fn(&Strings<'_>) -> Result<ArrayRef, FunctionError>,
) -> Result<ArrayRef, FunctionError> {
    if array.data_type() == &DataType::Null {
        // NULL without a type, as an SQL literal has it: as many strings, all NULL.
        return function(&Strings::new(&new_null_array(&DataType::Utf8, array.len()))?);
    }
    function(&Strings::new(array)?)
}

/// The value of each key. The keys come from outside, and `take` panics at one that is out of range.
fn by_key(dictionary: &dyn AnyDictionaryArray, values: &dyn Array) -> Result<ArrayRef, FunctionError> {
    let keys = dictionary.keys();
    let out_of_range = downcast_integer_array!(
        keys => out_of_range(keys, values.len()),
        other => return Err(FunctionError::UnsupportedType(other.clone())),
    );
    if let Some(row) = out_of_range {
        let count = values.len();
        let message = format!("the key in row {row} is out of range: the dictionary has {count} values");
        return Err(ArrowError::InvalidArgumentError(message).into());
    }
    Ok(take(values, keys, None)?)
}

/// The row of the first key, if any, that no value of so many has. The key of a NULL may be anything.
fn out_of_range<T: ArrowPrimitiveType>(keys: &PrimitiveArray<T>, values: usize) -> Option<usize> {
    let mut rows = keys.values().iter().enumerate();
    let is_wrong = |key: &T::Native| key.to_usize().is_none_or(|key| key >= values);
    rows.find(|&(row, key)| is_wrong(key) && keys.is_valid(row)).map(|(row, _)| row)
}
