//! The bytes that functions read.
#![expect(unsafe_code, reason = "C passes a pointer")]

use std::ffi::c_char;

use crate::pointers::values;
use crate::status::Status;

/// Bytes that a function reads: a record, a base, a name, a buffer of records. This structure has 2 times
/// `sizeof(size_t)` bytes. Functions take it by value.
///
/// The bytes stay yours: the function only reads them, and keeps no pointer to them. They may have any
/// values, and need no NUL after them. `URIV_BYTES` makes this structure from a string literal.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// The first byte. It may be NULL if `length` is 0.
    pub data: *const c_char,
    /// The number of bytes.
    pub length: usize,
}

impl Bytes {
    /// The bytes as a slice.
    ///
    /// # Safety
    ///
    /// `data` has `length` bytes, and nobody writes to them as long as the slice is used.
    pub(crate) unsafe fn slice<'a>(self) -> Result<&'a [u8], Status> {
        // SAFETY: the caller guarantees this.
        unsafe { values(self.data.cast(), self.length) }
    }
}

#[cfg(test)]
impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Bytes { data: bytes.as_ptr().cast(), length: bytes.len() }
    }
}
