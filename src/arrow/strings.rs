//! Arrow's layouts of strings and bytes, as buffers that can be scanned.
//!
//! Strings of Arrow should be UTF-8, but strings from another language may be invalid. So this module treats
//! all strings as bytes.

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
use crate::memory;
use crate::validator::{ScanError, Validator};

/// An array of strings or bytes.
#[derive(Clone, Copy)]
pub(super) struct Strings<'a> {
    layout: StringLayout<'a>,
    pub(super) nulls: Option<&'a NullBuffer>,
}

#[derive(Clone, Copy)]
enum StringLayout<'a> {
    /// One value between each offset and the next. `Large` has the same layout.
    Small(&'a [i32], &'a Buffer),
    Large(&'a [i64], &'a Buffer),
    /// The length, and either the value itself, or its first four bytes, the number of its buffer and its
    /// offset there.
    Views(&'a [u128], &'a [Buffer]),
}

/// A block of adjacent strings, scanned.
pub(super) struct Block<'a> {
    /// The row of the first string.
    pub(super) first: usize,
    pub(super) batch: &'a Batch,
    /// The bytes in which the offsets of the batch count.
    pub(super) values: &'a [u8],
    pub(super) origin: BlockValues<'a>,
    pub(super) nulls: Option<&'a NullBuffer>,
}

/// The source of a block's values.
#[derive(Clone, Copy)]
pub(super) enum BlockValues<'a> {
    /// A buffer, in which the values start at this byte.
    Buffer(&'a Buffer, usize),
    /// Views, one per record.
    Views(&'a [u128]),
    /// Memory that is not a buffer of Arrow. Text must be copied.
    #[cfg(feature = "corpus")]
    Elsewhere,
}

impl Block<'_> {
    /// Returns true if a record of the block is null.
    pub(super) fn is_null(&self, index: usize) -> bool {
        self.nulls.is_some_and(|nulls| nulls.is_null(self.first + index))
    }

    /// Returns the indexes of the records of the block that are null.
    pub(super) fn null_records(&self) -> impl Iterator<Item = usize> + '_ {
        let nulls = self.nulls.filter(|nulls| nulls.null_count() > 0);
        nulls.into_iter().flat_map(|_| (0..self.batch.len()).filter(|&index| self.is_null(index)))
    }
}

/// Memory that all blocks reuse.
struct BlockMemory<'a> {
    /// The offsets of strings in one buffer.
    offsets: Vec<u32>,
    /// The gatherer of strings in views.
    gatherer: ViewGatherer<'a>,
}

impl<'a> Strings<'a> {
    /// Returns the strings of an array that is not a dictionary.
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

    /// Returns the number of strings, null or not.
    pub(super) fn len(&self) -> usize {
        match self.layout {
            StringLayout::Small(offsets, _) => offsets.len() - 1,
            StringLayout::Large(offsets, _) => offsets.len() - 1,
            StringLayout::Views(views, _) => views.len(),
        }
    }

    /// Returns the number of bytes of all strings, which null ones may have, too.
    pub(super) fn bytes(&self) -> usize {
        let between =
            |first: i64, last: i64| usize::try_from(last.saturating_sub(first)).unwrap_or(usize::MAX);
        match self.layout {
            StringLayout::Small(offsets, _) => between(offsets[0].into(), offsets[offsets.len() - 1].into()),
            StringLayout::Large(offsets, _) => between(offsets[0], offsets[offsets.len() - 1]),
            StringLayout::Views(views, _) => views.iter().map(|&view| view as u32 as usize).sum(),
        }
    }

    /// Returns the buffers of views; views in an output can share them.
    pub(super) fn buffers(&self) -> &'a [Buffer] {
        match self.layout {
            StringLayout::Views(_, buffers) => buffers,
            _ => &[],
        }
    }

    /// Passes all strings to `take_block`, block by block, with the columns [`Columns::RECORDS`].
    pub(super) fn blocks(
        &self,
        take_block: impl FnMut(&Block<'_>) -> Result<(), FunctionError>,
    ) -> Result<(), FunctionError> {
        // Any grammar gives the places of the strings.
        self.scan(&Validator::new(Grammar::UriReference), Columns::RECORDS, take_block)
    }

    /// Scans all strings, and passes them to `take_block` block by block.
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
            // The offsets of a block, and the bitmaps of columns, grow without asking.
            let _room = memory::room_for(0)?;
            self.scan_block(first, validator, columns, &mut memory, &mut scanned)?;
            take_block(&self.block(first, &scanned)?)?;
            first += scanned.batch.len();
        }
        Ok(())
    }

    /// Scans the block that starts with the string `first`.
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

    /// Returns the scanned block that starts with the string `first`.
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

    /// Returns the bytes of one string, if it is not null and its offsets lie in the buffer.
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

/// Returns the values of the block that starts at the first of these offsets. Sets `offsets` to the offsets
/// of its strings in the returned values.
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

/// Returns the results of `function` for the strings of an array. Each value of a dictionary is judged once,
/// and each key gets the result of its value.
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

/// Like [`each_string`], but `function` gets one string per row, and no value of a dictionary without a key.
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
        // NULLs without a type, such as those of an SQL literal, become strings that are NULL.
        return function(&Strings::new(&new_null_array(&DataType::Utf8, array.len()))?);
    }
    function(&Strings::new(array)?)
}

/// Returns the value of each key. The keys are untrusted, and `take` panics if a key is out of range, so they
/// are checked.
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
    // `take` does not ask for its memory.
    let lens = text_lens(values)?;
    let longest = lens.iter().copied().max().unwrap_or_default();
    let texts = if longest.saturating_mul(keys.len()) < LARGE {
        0
    } else {
        downcast_integer_array!(
            keys => keys.iter().flatten().filter_map(|key| lens.get(key.to_usize()?)).sum(),
            _ => 0,
        )
    };
    let _room =
        memory::room_for(keys.len().saturating_mul(row_bytes(values.data_type())).saturating_add(texts))?;
    Ok(take(values, keys, None)?)
}

/// The bytes of text that every system has.
const LARGE: usize = 16 << 20;

/// Returns the bytes of a row in an array of this type, without text.
fn row_bytes(data_type: &DataType) -> usize {
    match data_type {
        DataType::Struct(fields) => fields.iter().map(|field| row_bytes(field.data_type())).sum(),
        DataType::Boolean => 1,
        DataType::Utf8View | DataType::BinaryView => size_of::<u128>(),
        _ => size_of::<u64>(),
    }
}

/// Returns the bytes of text in each row of an array: of a struct, the bytes of all its fields, and of a list
/// or map also the offsets of its items. Empty if the array has no text.
fn text_lens(values: &dyn Array) -> Result<Vec<usize>, FunctionError> {
    let mut lens = Vec::new();
    let items: Option<(&[i32], &dyn Array)> = match (values.as_list_opt::<i32>(), values.as_map_opt()) {
        (Some(lists), _) => Some((lists.value_offsets(), lists.values())),
        (_, Some(maps)) => Some((maps.value_offsets(), maps.entries())),
        _ => None,
    };
    if let Some((offsets, items)) = items {
        let of_items = text_lens(items)?;
        memory::try_reserve_exact(&mut lens, values.len())?;
        lens.extend(offsets.windows(2).map(|ends| {
            let items = &of_items[ends[0] as usize..ends[1] as usize];
            items.iter().map(|len| len + 2 * size_of::<i64>()).sum::<usize>()
        }));
    } else if let Some(fields) = values.as_struct_opt() {
        for field in fields.columns() {
            let of_field = text_lens(field)?;
            if lens.is_empty() {
                lens = of_field;
            } else {
                lens.iter_mut().zip(of_field).for_each(|(len, more)| *len += more);
            }
        }
    } else if let Ok(strings) = Strings::new(values)
        && !matches!(strings.layout, StringLayout::Views(..))
    {
        memory::try_reserve_exact(&mut lens, strings.len())?;
        lens.extend((0..strings.len()).map(|row| strings.get(row).map_or(0, <[u8]>::len)));
    }
    Ok(lens)
}

/// Returns the row of the first key that is not less than `values`, the number of values. The keys of NULLs
/// are not checked.
fn out_of_range<T: ArrowPrimitiveType>(keys: &PrimitiveArray<T>, values: usize) -> Option<usize> {
    let mut rows = keys.values().iter().enumerate();
    let is_wrong = |key: &T::Native| key.to_usize().is_none_or(|key| key >= values);
    rows.find(|&(row, key)| is_wrong(key) && keys.is_valid(row)).map(|(row, _)| row)
}
