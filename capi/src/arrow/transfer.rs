//! Arrays that come in and go out.
//!
//! The layouts of incoming arrays are trusted, as in Arrow's own libraries: their producer is a library in the same process. Strings
//! are bytes here, because they need not be UTF-8.
//!
//! An outgoing [`BinaryView`](DataType::BinaryView) is declared as [`Utf8View`](DataType::Utf8View): both are the same in memory,
//! and the values are parts of valid records, which are UTF-8 by their grammars. For the arrow crates to check each value would take
//! longer than to make it.
#![expect(unsafe_code, reason = "the interface is made of pointers")]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Field};

use crate::guard::{Cause, Failure, described};
use crate::pointers::put;
use crate::status::Status;

/// The caller's structures of one array.
pub(super) type Incoming = (*const FFI_ArrowSchema, *mut FFI_ArrowArray);

/// The caller's structures for a result.
pub(super) type Outgoing = (*mut FFI_ArrowSchema, *mut FFI_ArrowArray);

/// Writes the array that `function` makes of another.
///
/// # Safety
///
/// Each pointer is NULL or as the interface says: an array with its schema that is not released, room for a result, room for a failure.
pub(super) unsafe fn map(
    incoming: Incoming,
    outgoing: Outgoing,
    failure: *mut Failure,
    function: impl FnOnce(&dyn Array) -> Result<ArrayRef, Cause>,
) -> Status {
    // SAFETY: as the caller says.
    unsafe { map_all([incoming], outgoing, failure, |[array]| function(&array)) }
}

/// Writes the array that `function` makes of some arrays. All of them are taken over, whatever happens.
///
/// # Safety
///
/// As that of [`map`].
pub(super) unsafe fn map_all<const N: usize>(
    incoming: [Incoming; N],
    (out_schema, out_array): Outgoing,
    failure: *mut Failure,
    function: impl FnOnce([ArrayRef; N]) -> Result<ArrayRef, Cause>,
) -> Status {
    let work = || {
        // SAFETY: as the caller says.
        let taken = incoming.map(|one| unsafe { take(one) });
        if out_array.is_null() {
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
        // SAFETY: the caller says that there is room, with nothing that is to be released.
        unsafe {
            put(out_schema, schema);
            put(out_array, array);
        }
        Ok(())
    };
    // SAFETY: as the caller says.
    described(work, |made| unsafe { put(failure, made) })
}

/// Takes an array over, which marks the caller's structure as released.
///
/// # Safety
///
/// As that of [`map`].
unsafe fn take((schema, array): Incoming) -> Result<ArrayRef, Cause> {
    if array.is_null() {
        return Err(Status::InvalidArgument.into());
    }
    // SAFETY: it is not NULL, so it is an array of the interface.
    let array = unsafe { FFI_ArrowArray::from_raw(array) };
    // SAFETY: it is NULL or a schema of the interface.
    let Some(schema) = (unsafe { schema.as_ref() }) else {
        return Err(Status::InvalidArgument.into());
    };
    if array.is_released() {
        return Err(Cause::new(Status::InvalidArray, "the array has been released"));
    }
    // A negative number is a large one here.
    let is_possible = |end: usize| end <= isize::MAX as usize / size_of::<u128>();
    if !array.len().checked_add(array.offset()).is_some_and(is_possible) {
        return Err(Cause::new(Status::InvalidArray, "the array has an impossible length or offset"));
    }
    // SAFETY: by the interface the schema describes the array.
    let data = unsafe { from_ffi(array, schema) }.map_err(invalid_array)?;
    // The number of the buffers, and offsets at both ends: what costs nothing to look at.
    data.validate().map_err(invalid_array)?;
    Ok(make_array(data))
}

fn invalid_array(error: ArrowError) -> Cause {
    Cause::new(Status::InvalidArray, error)
}

/// The field as consumers see it: text is declared as text.
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
