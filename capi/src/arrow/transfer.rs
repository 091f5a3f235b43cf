//! Imports and exports arrays.
//!
//! Like Arrow's own libraries, this module trusts the layouts of incoming arrays: their producer is a library
//! in the same process. It treats strings as bytes, because they need not be UTF-8.
//!
//! An outgoing [`BinaryView`](DataType::BinaryView) is declared as [`Utf8View`](DataType::Utf8View). Both
//! have the same layout in memory, and the values are parts of valid records, which are UTF-8 in every
//! grammar. If the arrow crates checked each value, this would take longer than making the value.
#![expect(unsafe_code, reason = "the interface is made of pointers")]

use std::ffi::{c_char, c_void};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Field};

use crate::guard::{Cause, Failure, described};
use crate::pointers::put;
use crate::status::Status;

/// An array that a function takes over: structures of Arrow's C data interface. This structure has 2 times
/// `sizeof(void *)` bytes. Functions take it by value.
///
/// The array has strings or binary values, with offsets of 32 or 64 bits or as views, sliced or not, or is a
/// dictionary of these; strings need not be UTF-8. NULL in, NULL out. The library trusts the layout of
/// arrays, like Arrow's own libraries.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ArrowIn {
    /// The schema of the array. It stays yours: the function only reads it, so several arrays can have the
    /// same one. It must not be NULL.
    pub schema: *const FFI_ArrowSchema,
    /// The array. The function takes it over, whether it succeeds or not: it marks your structure as
    /// released, and releases the array at the latest with the result, which may share the array's memory. It
    /// must not be NULL.
    pub array: *mut FFI_ArrowArray,
}

/// Room for an array that a function makes: structures of Arrow's C data interface. This structure has 2
/// times `sizeof(void *)` bytes. Functions take it by value.
///
/// If the function succeeds, it writes both structures, and you release them. On failure it writes neither.
/// It releases nothing that the structures held before.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ArrowOut {
    /// Room for the schema, or NULL if you know it.
    pub schema: *mut FFI_ArrowSchema,
    /// Room for the array. It must not be NULL.
    pub array: *mut FFI_ArrowArray,
}

/// Applies `function` to an array, and writes its result.
///
/// # Safety
///
/// Each pointer is NULL or valid: `array` points to an array and its schema, and `out` and `failure` have
/// room.
pub(super) unsafe fn map(
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
    function: impl FnOnce(&dyn Array) -> Result<ArrayRef, Cause>,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map_all([array], out, failure, |[array]| function(&array)) }
}

/// Applies `function` to some arrays, and writes its result. Takes over all arrays, even on failure.
///
/// # Safety
///
/// The requirements of [`map`].
pub(super) unsafe fn map_all<const N: usize>(
    arrays: [ArrowIn; N],
    out: ArrowOut,
    failure: *mut Failure,
    function: impl FnOnce([ArrayRef; N]) -> Result<ArrayRef, Cause>,
) -> Status {
    let work = || {
        // SAFETY: the caller guarantees this.
        let taken = arrays.map(|one| unsafe { take(one) });
        if out.array.is_null() {
            return Err(Status::InvalidArgument.into());
        }
        let mut arrays = Vec::with_capacity(N);
        for one in taken {
            arrays.push(one?);
        }
        let arrays = <[ArrayRef; N]>::try_from(arrays).map_err(|_| Cause::from(Status::Internal))?;
        let result = function(arrays)?;
        let field = shown(&Field::new("", result.data_type().clone(), true));
        let schema = FFI_ArrowSchema::try_from(field).map_err(invalid_array)?;
        let array = FFI_ArrowArray::new(&result.to_data());
        // SAFETY: the caller guarantees the room, and that it holds nothing that must be released.
        unsafe {
            put(out.schema, schema);
            put(out.array, array);
        }
        Ok(())
    };
    // SAFETY: the caller guarantees this.
    described(work, |made| unsafe { put(failure, made) })
}

/// Takes over an array, and marks the caller's structure as released.
///
/// # Safety
///
/// The requirements of [`map`].
unsafe fn take(ArrowIn { schema, array }: ArrowIn) -> Result<ArrayRef, Cause> {
    if array.is_null() {
        return Err(Status::InvalidArgument.into());
    }
    // SAFETY: the pointer is not NULL, so it points to an array of the interface.
    let array = unsafe { FFI_ArrowArray::from_raw(array) };
    // SAFETY: the pointer is NULL or points to a schema of the interface.
    let Some(schema) = (unsafe { schema.as_ref() }) else {
        return Err(Status::InvalidArgument.into());
    };
    if array.is_released() {
        return Err(Cause::new(Status::InvalidArray, "the array has been released"));
    }
    // SAFETY: the caller guarantees the schema.
    if unsafe { is_released(schema) } {
        return Err(Cause::new(Status::InvalidArray, "the schema has been released"));
    }
    // As `usize`, a negative number is a large one.
    let is_possible = |end: usize| end <= isize::MAX as usize / size_of::<u128>();
    if !array.len().checked_add(array.offset()).is_some_and(is_possible) {
        return Err(Cause::new(Status::InvalidArray, "the array has an impossible length or offset"));
    }
    // SAFETY: the interface guarantees that the schema describes the array.
    let data = unsafe { from_ffi(array, schema) }.map_err(invalid_array)?;
    // Checks the number of the buffers, and the first and last offsets. These checks cost nothing.
    data.validate().map_err(invalid_array)?;
    Ok(make_array(data))
}

/// The layout of a schema, up to the member that the crate hides.
#[repr(C)]
struct SchemaLayout {
    texts: [*const c_char; 3],
    numbers: [i64; 2],
    children: [*mut c_void; 2],
    release: Option<unsafe extern "C" fn(*mut c_void)>,
}

/// Whether a schema has been released. Its other members may then have any values.
///
/// # Safety
///
/// The schema is one of the interface.
unsafe fn is_released(schema: &FFI_ArrowSchema) -> bool {
    // SAFETY: the members of a schema have this layout.
    unsafe { (*(&raw const *schema).cast::<SchemaLayout>()).release.is_none() }
}

fn invalid_array(error: ArrowError) -> Cause {
    Cause::new(Status::InvalidArray, error)
}

/// The field as consumers see it, with text declared as text.
fn shown(field: &Field) -> Field {
    fn shown_type(data_type: &DataType) -> DataType {
        match data_type {
            DataType::BinaryView => DataType::Utf8View,
            DataType::Struct(fields) => DataType::Struct(fields.iter().map(|field| shown(field)).collect()),
            other => other.clone(),
        }
    }
    field.clone().with_data_type(shown_type(field.data_type()))
}
