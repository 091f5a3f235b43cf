//! Slices of the caller's memory.
#![expect(unsafe_code, reason = "C passes pointers and lengths")]

use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::slice;

use crate::status::Status;

/// A slice of `length` values from `pointer` on. The pointer may be NULL if the length is 0.
///
/// # Safety
///
/// The pointer has this number of initialised values, and nobody writes to them as long as the slice is used.
pub(crate) unsafe fn values<'a, T>(pointer: *const T, length: usize) -> Result<&'a [T], Status> {
    if length == 0 {
        return Ok(&[]);
    }
    check(pointer, length)?;
    // SAFETY: the caller guarantees the values, and `check` accepted the pointer and the length.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// The bytes of a text, as a slice like that of [`values`].
///
/// # Safety
///
/// The requirements of [`values`].
pub(crate) unsafe fn bytes<'a>(pointer: *const c_char, length: usize) -> Result<&'a [u8], Status> {
    // SAFETY: the caller guarantees this.
    unsafe { values(pointer.cast(), length) }
}

/// A slice of room for `length` values, or `None` if the pointer is NULL.
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
    // SAFETY: the caller guarantees the room, and `check` accepted the pointer and the length.
    Ok(Some(unsafe { slice::from_raw_parts_mut(pointer.cast(), length) }))
}

/// Checks that a slice can have this pointer and this length.
fn check<T>(pointer: *const T, length: usize) -> Result<(), Status> {
    let fits = length.checked_mul(size_of::<T>()).is_some_and(|bytes| isize::try_from(bytes).is_ok());
    if pointer.is_null() || !pointer.is_aligned() || !fits {
        return Err(Status::InvalidArgument);
    }
    Ok(())
}

/// Writes the value to a place unless the place is NULL.
///
/// # Safety
///
/// The place is NULL or has room for a value, and nobody else uses it meanwhile.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller guarantees this.
        unsafe { place.write(value) }
    }
}

/// The object that a handle points to.
///
/// # Safety
///
/// The pointer is NULL or a handle of this type that has not been freed.
pub(crate) unsafe fn handle<'a, T>(pointer: *const T) -> Result<&'a T, Status> {
    // SAFETY: the caller guarantees this.
    unsafe { pointer.as_ref() }.ok_or(Status::InvalidArgument)
}
