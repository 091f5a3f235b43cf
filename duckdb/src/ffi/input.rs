//! Vectors with the arguments of a call.
//!
//! DuckDB flattens constant and dictionary vectors before it calls a function of the C API.
#![expect(unsafe_code, reason = "vectors are memory of DuckDB")]

use std::marker::PhantomData;
use std::slice;

use arrow_array::LargeBinaryArray;
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer};
use libduckdb_sys::*;

use super::api::api;

/// The length in bytes of the longest string that a vector stores in the row itself.
pub(super) const MOST_INLINED: usize = 12;

/// A chunk of arguments, for the duration of a call.
pub(crate) struct Arguments<'a> {
    chunk: duckdb_data_chunk,
    call: PhantomData<&'a ()>,
}

impl<'a> Arguments<'a> {
    /// # Safety
    ///
    /// DuckDB passed the chunk to a scalar or an aggregate function, whose call lasts for `'a`.
    pub(super) unsafe fn new(chunk: duckdb_data_chunk) -> Self {
        Arguments { chunk, call: PhantomData }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: the chunk is alive.
        unsafe { (api().duckdb_data_chunk_get_size)(self.chunk) as usize }
    }

    /// Returns the number of arguments.
    pub(crate) fn count(&self) -> usize {
        // SAFETY: the chunk is alive.
        unsafe { (api().duckdb_data_chunk_get_column_count)(self.chunk) as usize }
    }

    /// Returns the column of an argument whose type is VARCHAR or BLOB.
    ///
    /// # Safety
    ///
    /// The function has an argument with this index, and its type is VARCHAR or BLOB.
    pub(super) unsafe fn strings(&self, index: usize) -> Strings<'a> {
        // SAFETY: the caller guarantees the type. A vector of these types has a `duckdb_string_t` for each
        // row.
        unsafe {
            let (values, validity) = self.column::<duckdb_string_t>(index);
            Strings { values, validity }
        }
    }

    /// Returns the column of an argument whose type is BOOLEAN.
    ///
    /// # Safety
    ///
    /// The function has an argument with this index, and its type is BOOLEAN.
    pub(super) unsafe fn flags(&self, index: usize) -> Flags<'a> {
        // SAFETY: the caller guarantees the type. A vector of this type has a byte for each row. The byte of
        // a NULL may have any value, so this reads bytes and not `bool`s.
        unsafe {
            let (values, validity) = self.column::<u8>(index);
            Flags { values, validity }
        }
    }

    /// # Safety
    ///
    /// The argument exists, and its vector consists of `T`.
    unsafe fn column<T>(&self, index: usize) -> (&'a [T], Validity<'a>) {
        let rows = self.len();
        // SAFETY: the caller guarantees the type. A vector has data for each row; it is flat, and nobody
        // changes it until the call returns.
        unsafe {
            let vector = (api().duckdb_data_chunk_get_vector)(self.chunk, index as idx_t);
            let data = (api().duckdb_vector_get_data)(vector).cast::<T>();
            let values = if rows == 0 { &[] } else { slice::from_raw_parts(data, rows) };
            let words = (api().duckdb_vector_get_validity)(vector);
            // If the vector has no mask, no row is NULL.
            let words = (!words.is_null()).then(|| slice::from_raw_parts(words, rows.div_ceil(64)));
            (values, Validity(words))
        }
    }
}

/// A bit for each row: 1 if the row is not NULL. Without bits, no row is NULL.
#[derive(Clone, Copy)]
struct Validity<'a>(Option<&'a [u64]>);

impl Validity<'_> {
    #[inline(always)]
    fn is_valid(self, row: usize) -> bool {
        self.0.is_none_or(|words| words[row / 64] >> (row % 64) & 1 == 1)
    }
}

/// A column of VARCHAR or BLOB. Both may hold ill-formed UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct Strings<'a> {
    values: &'a [duckdb_string_t],
    validity: Validity<'a>,
}

impl<'a> Strings<'a> {
    /// Returns the bytes of a row, or `None` if the row is NULL.
    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        let value = &self.values[row];
        if !self.validity.is_valid(row) {
            return None;
        }
        // SAFETY: a string starts with its length. Its bytes follow in the row, or the row points to them.
        // The vector keeps the memory until the call returns.
        unsafe {
            let len = value.value.inlined.length as usize;
            let bytes = if len <= MOST_INLINED {
                (&raw const value.value.inlined.inlined).cast::<u8>()
            } else {
                value.value.pointer.ptr.cast_const().cast::<u8>()
            };
            Some(slice::from_raw_parts(bytes, len))
        }
    }

    /// Copies the strings of these rows side by side into an Arrow array.
    pub(crate) fn gather(&self, rows: impl ExactSizeIterator<Item = usize> + Clone) -> LargeBinaryArray {
        let count = rows.len();
        let bytes = rows.clone().filter_map(|row| self.get(row)).map(<[u8]>::len).sum();
        let mut values = Vec::with_capacity(bytes);
        let mut offsets: Vec<i64> = Vec::with_capacity(count + 1);
        offsets.push(0);
        for row in rows.clone() {
            values.extend_from_slice(self.get(row).unwrap_or_default());
            offsets.push(values.len() as i64);
        }
        let nulls = self.validity.0.map(|_| {
            let mut present = BooleanBufferBuilder::new(count);
            rows.for_each(|row| present.append(self.validity.is_valid(row)));
            NullBuffer::new(present.finish())
        });
        LargeBinaryArray::new(OffsetBuffer::new(offsets.into()), Buffer::from_vec(values), nulls)
    }
}

/// A column of BOOLEAN.
#[derive(Clone, Copy)]
pub(crate) struct Flags<'a> {
    values: &'a [u8],
    validity: Validity<'a>,
}

impl Flags<'_> {
    /// Returns the value of a row, or `None` if the row is NULL.
    pub(crate) fn get(&self, row: usize) -> Option<bool> {
        self.validity.is_valid(row).then(|| self.values[row] != 0)
    }
}
