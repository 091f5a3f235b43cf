//! Writes Arrow arrays to vectors.
//!
//! For short results, a call of DuckDB for each string would take most of the time. So the writer passes all
//! strings of an array to DuckDB as a single string. DuckDB copies it to memory that belongs to the vector,
//! and each row points to its own bytes in that copy.
#![expect(unsafe_code, reason = "vectors are memory of DuckDB")]

use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;
use std::slice;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    BinaryType, ByteArrayType, Int8Type, Int32Type, Int64Type, LargeBinaryType, LargeUtf8Type, Utf8Type,
};
use arrow_array::{Array, ArrowPrimitiveType, GenericByteArray, PrimitiveArray};
use arrow_buffer::{ArrowNativeType, NullBuffer};
use arrow_schema::DataType;
use libduckdb_sys::*;

use super::api::api;
use super::input::MOST_INLINED;
use crate::failure::Failure;

/// A vector of results, for the duration of a call.
#[derive(Clone, Copy)]
pub(crate) struct OutputVector<'a> {
    vector: duckdb_vector,
    /// The row of the vector in which an array's first row goes.
    first: usize,
    call: PhantomData<&'a ()>,
}

impl OutputVector<'_> {
    /// # Safety
    ///
    /// DuckDB passed the vector to a function whose call lasts for the lifetime. The vector is flat, and no
    /// row of it is NULL yet.
    pub(super) unsafe fn new(vector: duckdb_vector) -> Self {
        OutputVector { vector, first: 0, call: PhantomData }
    }

    /// Returns the rows of the vector from this one on. The rows before are left alone.
    pub(super) fn starting_at(self, first: usize) -> Self {
        OutputVector { first, ..self }
    }

    /// Writes the rows of an array.
    ///
    /// # Safety
    ///
    /// The vector has the type that [`LogicalType::of`](super::logical_type::LogicalType::of) returns for the
    /// array's type, and room for the array's rows.
    pub(super) unsafe fn write(self, array: &dyn Array) -> Result<(), Failure> {
        // SAFETY: the caller guarantees this.
        unsafe { self.write_below(array, None) }
    }

    /// Writes a boolean to each row, or NULL if `value` returns `None` for the row.
    ///
    /// # Safety
    ///
    /// The type of the vector is BOOLEAN, and the vector has room for these rows.
    pub(super) unsafe fn write_bools(self, rows: usize, value: impl Fn(usize) -> Option<bool>) {
        // SAFETY: a vector of booleans has a byte for each row.
        let values = unsafe { self.data::<bool>(rows) };
        let mut validity = None;
        for (row, to) in values.iter_mut().enumerate() {
            match value(row) {
                Some(value) => _ = to.write(value),
                None => {
                    to.write(false);
                    // SAFETY: the vector has room for these rows.
                    let words = validity.get_or_insert_with(|| unsafe { self.validity(rows) });
                    clear(words, self.first + row);
                }
            }
        }
    }

    /// Writes an array. A row is NULL if it is NULL in the array or in `nulls`, which are the NULLs of the
    /// struct that the array belongs to.
    ///
    /// # Safety
    ///
    /// The requirements of [`write`](Self::write).
    unsafe fn write_below(self, array: &dyn Array, nulls: Option<&NullBuffer>) -> Result<(), Failure> {
        let nulls = NullBuffer::union(array.nulls(), nulls);
        let nulls = nulls.filter(|nulls| nulls.null_count() > 0);
        // The vector has the type of the array, so it has a value of that type for each row.
        match array.data_type() {
            DataType::Boolean => {
                let from = array.as_boolean().values();
                // SAFETY: the vector has a value of this type for each row.
                let to = unsafe { self.data::<bool>(array.len()) };
                for (to, from) in to.iter_mut().zip(from) {
                    to.write(from);
                }
            }
            // SAFETY: the vector has a value of this type for each row.
            DataType::Int32 => unsafe { self.write_numbers::<Int32Type>(array.as_primitive()) },
            // SAFETY: the vector has a value of this type for each row.
            DataType::Int64 => unsafe { self.write_numbers::<Int64Type>(array.as_primitive()) },
            // SAFETY: the vector has a value of this type for each row.
            DataType::Utf8 => unsafe { self.write_strings::<Utf8Type>(array.as_bytes()) },
            // SAFETY: the vector has a value of this type for each row.
            DataType::LargeUtf8 => unsafe { self.write_strings::<LargeUtf8Type>(array.as_bytes()) },
            // SAFETY: the vector has a value of this type for each row.
            DataType::Binary => unsafe { self.write_strings::<BinaryType>(array.as_bytes()) },
            // SAFETY: the vector has a value of this type for each row.
            DataType::LargeBinary => unsafe { self.write_strings::<LargeBinaryType>(array.as_bytes()) },
            DataType::Dictionary(_, _) => {
                let dictionary = array.as_dictionary::<Int8Type>();
                let names = dictionary.values().as_string::<i32>();
                let names: Vec<_> = names.iter().map(|name| short(name.unwrap_or_default())).collect();
                let names = names.into_iter().collect::<Result<Vec<_>, _>>()?;
                // SAFETY: the vector has a value of this type for each row.
                let to = unsafe { self.data::<duckdb_string_t>(array.len()) };
                for (to, &key) in to.iter_mut().zip(dictionary.keys().values()) {
                    // The key of a NULL may be any number.
                    to.write(
                        usize::try_from(key).ok().and_then(|key| names.get(key).copied()).unwrap_or(EMPTY),
                    );
                }
            }
            DataType::Struct(_) => {
                for (index, column) in array.as_struct().columns().iter().enumerate() {
                    // SAFETY: the struct has a vector for each field. It has the field's type and the length
                    // of the struct's vector.
                    unsafe {
                        let child = (api().duckdb_struct_vector_get_child)(self.vector, index as idx_t);
                        OutputVector::new(child)
                            .starting_at(self.first)
                            .write_below(column, nulls.as_ref())?;
                    }
                }
            }
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                // SAFETY: the vector consists of lists of this type, and has room for the array's rows.
                unsafe { self.write_lists(lists.value_offsets(), lists.values())? };
            }
            // A map is a list of structs of a key and a value.
            DataType::Map(..) => {
                let maps = array.as_map();
                // SAFETY: the vector consists of maps of this type, and has room for the array's rows.
                unsafe { self.write_lists(maps.value_offsets(), maps.entries())? };
            }
            other => return Err(Failure(format!("no vector for {other}"))),
        }
        if let Some(nulls) = nulls {
            // SAFETY: the vector has room for the rows.
            let words = unsafe { self.validity(nulls.len()) };
            (!nulls.inner()).set_indices().for_each(|row| clear(words, self.first + row));
        }
        Ok(())
    }

    /// # Safety
    ///
    /// The vector consists of numbers of this type, and has room for the array.
    unsafe fn write_numbers<T: ArrowPrimitiveType>(self, array: &PrimitiveArray<T>) {
        // SAFETY: the caller guarantees this.
        unsafe { self.data::<T::Native>(array.len()) }.write_copy_of_slice(array.values());
    }

    /// # Safety
    ///
    /// The vector consists of strings, and has room for the array.
    unsafe fn write_strings<T: ByteArrayType>(self, array: &GenericByteArray<T>) {
        let offsets = array.value_offsets();
        let offset = |index: usize| offsets[index].as_usize();
        let (first, values) = (offset(0), &array.value_data()[..offset(array.len())]);
        let total = values.len() - first;
        if total > MOST_AT_ONCE {
            for row in 0..array.len() {
                let value = &values[offset(row)..offset(row + 1)];
                // SAFETY: the caller guarantees the room; DuckDB copies the string.
                unsafe { self.assign(row, value) };
            }
            return;
        }
        let mut heap = ptr::null_mut();
        if total > MOST_INLINED {
            // SAFETY: the array has a row, because its strings are not all empty. The bytes do not fit into
            // the row, so DuckDB copies them to memory that lives as long as the vector, and sets the row's
            // pointer to the copy.
            unsafe {
                self.assign(0, &values[first..]);
                heap = self.data::<duckdb_string_t>(1)[0].assume_init_ref().value.pointer.ptr;
            }
        }
        // SAFETY: the caller guarantees this.
        let to = unsafe { self.data::<duckdb_string_t>(array.len()) };
        for (row, to) in to.iter_mut().enumerate() {
            let (start, end) = (offset(row), offset(row + 1));
            to.write(if end - start <= MOST_INLINED {
                inlined(&values[start..], end - start)
            } else {
                let value = &values[start..end];
                let prefix = [value[0], value[1], value[2], value[3]].map(u8::cast_signed);
                // SAFETY: the copy has all bytes of the values, starting with the byte at `first`.
                let ptr = unsafe { heap.add(start - first) };
                let pointer =
                    duckdb_string_t__bindgen_ty_1__bindgen_ty_1 { length: value.len() as u32, prefix, ptr };
                duckdb_string_t { value: duckdb_string_t__bindgen_ty_1 { pointer } }
            });
        }
    }

    /// Writes lists of items: the items of a row lie between its offset and the next.
    ///
    /// # Safety
    ///
    /// The vector consists of lists of items of this type, and has room for the rows.
    unsafe fn write_lists(self, offsets: &[i32], items: &dyn Array) -> Result<(), Failure> {
        let offset = |index: usize| offsets[index].as_usize();
        let (rows, first) = (offsets.len() - 1, offset(0));
        let items = items.slice(first, offset(rows) - first);
        // SAFETY: the caller guarantees this. The vector of items is fetched after DuckDB made room for them,
        // and has their type.
        let before = unsafe {
            // The rows before have the first items.
            let before = if self.first == 0 { 0 } else { (api().duckdb_list_vector_get_size)(self.vector) };
            let count = before + items.len() as idx_t;
            if (api().duckdb_list_vector_reserve)(self.vector, count) != DuckDBSuccess
                || (api().duckdb_list_vector_set_size)(self.vector, count) != DuckDBSuccess
            {
                return Err(Failure(format!("DuckDB has no room for {count} items of lists")));
            }
            let child = OutputVector::new((api().duckdb_list_vector_get_child)(self.vector));
            child.starting_at(before as usize).write_below(&items, None)?;
            before
        };
        // SAFETY: the caller guarantees this.
        let to = unsafe { self.data::<duckdb_list_entry>(rows) };
        for (row, to) in to.iter_mut().enumerate() {
            let (start, end) = (offset(row), offset(row + 1));
            to.write(duckdb_list_entry {
                offset: before + (start - first) as u64,
                length: (end - start) as u64,
            });
        }
        Ok(())
    }

    /// Has DuckDB copy a string to a row.
    ///
    /// # Safety
    ///
    /// The vector consists of strings, and has room for the row.
    unsafe fn assign(self, row: usize, value: &[u8]) {
        let row = (self.first + row) as idx_t;
        let (start, len) = (value.as_ptr().cast(), value.len() as idx_t);
        // SAFETY: the caller guarantees this.
        unsafe { (api().duckdb_vector_assign_string_element_len)(self.vector, row, start, len) };
    }

    /// Returns the values of this number of rows.
    ///
    /// # Safety
    ///
    /// The vector consists of `T`, and has room for the rows. Nobody else uses them.
    unsafe fn data<'b, T>(self, rows: usize) -> &'b mut [MaybeUninit<T>] {
        // SAFETY: the caller guarantees this.
        unsafe {
            let first = (api().duckdb_vector_get_data)(self.vector).cast::<MaybeUninit<T>>().add(self.first);
            slice::from_raw_parts_mut(first, rows)
        }
    }

    /// Returns the mask of the vector: the rows before the first one, and then this number of rows. None of
    /// these is NULL yet.
    ///
    /// # Safety
    ///
    /// The vector has room for the rows. Nobody else uses the mask.
    unsafe fn validity<'b>(self, rows: usize) -> &'b mut [u64] {
        // SAFETY: the caller guarantees this.
        unsafe {
            (api().duckdb_vector_ensure_validity_writable)(self.vector);
            slice::from_raw_parts_mut(
                (api().duckdb_vector_get_validity)(self.vector),
                (self.first + rows).div_ceil(64),
            )
        }
    }
}

/// The most bytes that the writer passes to DuckDB as a single string; DuckDB stores a length in 32 bits. The
/// strings of a larger array are long, so a call for each costs little.
const MOST_AT_ONCE: usize = 64 << 20;

/// Makes a row NULL.
fn clear(words: &mut [u64], row: usize) {
    words[row / 64] &= !(1 << (row % 64));
}

const EMPTY: duckdb_string_t = inlined(&[], 0);

/// Returns a string of the first `len` bytes, which the row stores itself.
#[inline(always)]
const fn inlined(bytes: &[u8], len: usize) -> duckdb_string_t {
    let mut inlined = [0; MOST_INLINED];
    // A copy of a fixed size, with zeros after the string, needs no loop.
    if let Some(whole) = bytes.first_chunk::<MOST_INLINED>() {
        let mut index = 0;
        while index < MOST_INLINED {
            inlined[index] = if index < len { whole[index].cast_signed() } else { 0 };
            index += 1;
        }
    } else {
        let mut index = 0;
        while index < len {
            inlined[index] = bytes[index].cast_signed();
            index += 1;
        }
    }
    let inlined = duckdb_string_t__bindgen_ty_1__bindgen_ty_2 { length: len as u32, inlined };
    duckdb_string_t { value: duckdb_string_t__bindgen_ty_1 { inlined } }
}

/// Returns the string for a name from a closed list. Fails if the name does not fit into the row.
fn short(name: &str) -> Result<duckdb_string_t, Failure> {
    match name.len() {
        0..=MOST_INLINED => Ok(inlined(name.as_bytes(), name.len())),
        _ => Err(Failure(format!("the name {name} is long"))),
    }
}
