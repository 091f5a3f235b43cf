//! Slices of the caller's memory.
#![expect(unsafe_code, reason = "C passes pointers and lengths")]

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::slice;

use crate::status::Status;

/// `length` values from `pointer` on, which may be NULL if there are none.
///
/// # Safety
///
/// They are initialised, and nobody writes to them as long as the slice is used.
pub(crate) unsafe fn values<'a, T>(pointer: *const T, length: usize) -> Result<&'a [T], Status> {
    if length == 0 {
        return Ok(&[]);
    }
    check(pointer, length)?;
    // SAFETY: the caller says that there are so many values, and `check` has passed their pointer and length for a slice.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// As [`values`], of text.
///
/// # Safety
///
/// As that of [`values`].
pub(crate) unsafe fn bytes<'a>(pointer: *const c_char, length: usize) -> Result<&'a [u8], Status> {
    // SAFETY: as the caller says.
    unsafe { values(pointer.cast(), length) }
}

/// Room for `length` values that is written to, or `None` if the pointer is NULL.
///
/// # Safety
///
/// The pointer has room for `length` values, and nobody else uses that room while the slice lives.
pub(crate) unsafe fn room<'a, T>(
    pointer: *mut T,
    length: usize,
) -> Result<Option<&'a mut [MaybeUninit<T>]>, Status> {
    if pointer.is_null() {
        return Ok(None);
    }
    if length == 0 {
        return Ok(Some(&mut []));
    }
    check(pointer, length)?;
    // SAFETY: the caller says that there is so much room, and `check` has passed its pointer and length for a slice.
    Ok(Some(unsafe { slice::from_raw_parts_mut(pointer.cast(), length) }))
}

/// Whether a slice can have this pointer and this length.
fn check<T>(pointer: *const T, length: usize) -> Result<(), Status> {
    let fits = length.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    if pointer.is_null() || !pointer.is_aligned() || !fits {
        return Err(Status::InvalidArgument);
    }
    Ok(())
}

/// Writes to a place unless it is NULL.
///
/// # Safety
///
/// There is room for a value, and nobody else uses it meanwhile.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: as the caller says.
        unsafe { place.write(value) }
    }
}

/// The object of a handle.
///
/// # Safety
///
/// It is NULL or a handle of this type that has not been freed.
pub(crate) unsafe fn handle<'a, T>(pointer: *const T) -> Result<&'a T, Status> {
    // SAFETY: as the caller says.
    unsafe { pointer.as_ref() }.ok_or(Status::InvalidArgument)
}
