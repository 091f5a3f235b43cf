//! Slices of the caller's memory.
#![expect(unsafe_code, reason = "C passes pointers and lengths")]

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
    if !fits {
        return Err(Status::InvalidArgument);
    }
    checked(pointer)
}

/// Checks that a pointer is neither NULL nor misaligned.
pub(crate) fn checked<T>(pointer: *const T) -> Result<(), Status> {
    if pointer.is_null() || !pointer.is_aligned() { Err(Status::InvalidArgument) } else { Ok(()) }
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

/// The object that a handle points to, or the caller's structure that a function reads.
///
/// # Safety
///
/// The pointer is NULL, a handle of this type that has not been freed, or points to a structure of this type.
pub(crate) unsafe fn handle<'a, T>(pointer: *const T) -> Result<&'a T, Status> {
    checked(pointer)?;
    // SAFETY: the pointer is neither NULL nor misaligned, and the caller guarantees the object.
    Ok(unsafe { &*pointer })
}
