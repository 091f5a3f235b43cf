//! Vectors of arguments.
//!
//! DuckDB flattens constant and dictionary vectors before it calls a function of the C API.
#![expect(unsafe_code, reason = "vectors are memory of DuckDB")]

use std::marker::PhantomData;
use std::slice;

use arrow_array::LargeBinaryArray;
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer};
use libduckdb_sys::*;

use super::api::api;

/// The longest string that lies in the vector itself.
pub(super) const MOST_INLINED: usize = 12;

/// A chunk of arguments, for the duration of a call.
pub(crate) struct Arguments<'a> {
    chunk: duckdb_data_chunk,
    call: PhantomData<&'a ()>,
}

impl<'a> Arguments<'a> {
    /// # Safety
    ///
    /// DuckDB passed the chunk to a scalar function, whose call lasts for `'a`.
    pub(super) unsafe fn new(chunk: duckdb_data_chunk) -> Self {
        Arguments { chunk, call: PhantomData }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        // SAFETY: the chunk is alive.
        unsafe { (api().duckdb_data_chunk_get_size)(self.chunk) as usize }
    }

    /// An argument whose type is VARCHAR or BLOB.
    ///
    /// # Safety
    ///
    /// The function has an argument of this index, and it has such a type.
    pub(super) unsafe fn strings(&self, index: usize) -> Strings<'a> {
        // SAFETY: the caller's promise. A vector of these types has a `duckdb_string_t` a row.
        unsafe {
            let (values, validity) = self.column::<duckdb_string_t>(index);
            Strings { values, validity }
        }
    }

    /// An argument whose type is BOOLEAN.
    ///
    /// # Safety
    ///
    /// The function has an argument of this index, and it has this type.
    pub(super) unsafe fn flags(&self, index: usize) -> Flags<'a> {
        // SAFETY: the caller's promise. A vector of this type has a byte a row. The byte of a NULL may have any value, so bytes are not read as `bool`s.
        unsafe {
            let (values, validity) = self.column::<u8>(index);
            Flags { values, validity }
        }
    }

    /// # Safety
    ///
    /// The argument exists, and `T` is what its vector consists of.
    unsafe fn column<T>(&self, index: usize) -> (&'a [T], Validity<'a>) {
        let rows = self.len();
        // SAFETY: the caller's promise. A vector has data for each row; it is flat, and nobody changes it until the call returns.
        unsafe {
            let vector = (api().duckdb_data_chunk_get_vector)(self.chunk, index as idx_t);
            let data = (api().duckdb_vector_get_data)(vector).cast::<T>();
            let values = if rows == 0 { &[] } else { slice::from_raw_parts(data, rows) };
            let words = (api().duckdb_vector_get_validity)(vector);
            // Without a mask no row is NULL.
            let words = (!words.is_null()).then(|| slice::from_raw_parts(words, rows.div_ceil(64)));
            (values, Validity(words))
        }
    }
}

/// Which rows are not NULL, a bit each.
#[derive(Clone, Copy)]
struct Validity<'a>(Option<&'a [u64]>);

impl Validity<'_> {
    #[inline(always)]
    fn is_valid(self, row: usize) -> bool {
        self.0.is_none_or(|words| words[row / 64] >> (row % 64) & 1 == 1)
    }
}

/// Strings or bytes. Both may hold ill-formed UTF-8.
#[derive(Clone, Copy)]
pub(crate) struct Strings<'a> {
    values: &'a [duckdb_string_t],
    validity: Validity<'a>,
}

impl<'a> Strings<'a> {
    /// The bytes of a row, unless they are NULL.
    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> Option<&'a [u8]> {
        let value = &self.values[row];
        if !self.validity.is_valid(row) {
            return None;
        }
        // SAFETY: a string starts with its length. Its bytes follow in the vector, or lie where the pointer says: in memory that the vector keeps
        // until the call returns.
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

    /// The strings of these rows as an array of Arrow: copied side by side.
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

/// Booleans.
#[derive(Clone, Copy)]
pub(crate) struct Flags<'a> {
    values: &'a [u8],
    validity: Validity<'a>,
}

impl Flags<'_> {
    /// The value of a row, unless it is NULL.
    pub(crate) fn get(&self, row: usize) -> Option<bool> {
        self.validity.is_valid(row).then(|| self.values[row] != 0)
    }
}
