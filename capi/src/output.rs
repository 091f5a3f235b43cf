//! The caller's buffer for text.
#![expect(unsafe_code, reason = "C passes a pointer")]

use std::ffi::c_char;
use std::ptr;

use crate::guard::status_of;
use crate::pointers::{bytes, handle, put};
use crate::status::Status;

/// The caller's buffer for a text.
pub(crate) struct Output {
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
}

impl Output {
    /// The length is 0 until there is a text.
    ///
    /// # Safety
    ///
    /// The buffer is NULL or has room for `capacity` bytes, and `length` is NULL or has room, as long as the output is used.
    pub(crate) unsafe fn new(buffer: *mut c_char, capacity: usize, length: *mut usize) -> Self {
        // SAFETY: as the caller says.
        unsafe { put(length, 0) };
        Output { buffer, capacity, length }
    }

    /// Writes a text with its NUL, and its length, or nothing but the length if there is no room.
    pub(crate) fn write(&self, text: &[u8]) -> Result<(), Status> {
        // SAFETY: the maker of this value promised that there is room.
        unsafe { put(self.length, text.len()) };
        if self.buffer.is_null() || self.capacity <= text.len() {
            return Err(Status::BufferTooSmall);
        }
        // SAFETY: there is room for the text and a NUL.
        unsafe {
            ptr::copy(text.as_ptr().cast(), self.buffer, text.len());
            self.buffer.add(text.len()).write(0);
        }
        Ok(())
    }
}

/// Has `write` write a text that is made of a record by the object of a handle. The length is 0 until there is a text.
///
/// # Safety
///
/// The handle is NULL or points to its object; the record has as many bytes; the buffer is NULL or has room for as many bytes; and the length is
/// NULL or has room.
pub(crate) unsafe fn write_text<H>(
    maker: *const H,
    (record, length): (*const c_char, usize),
    (buffer, capacity, text_length): (*mut c_char, usize, *mut usize),
    write: impl FnOnce(&H, &[u8], &Output) -> Result<(), Status>,
) -> Status {
    status_of(|| {
        // SAFETY: as the caller says.
        let output = unsafe { Output::new(buffer, capacity, text_length) };
        // SAFETY: as the caller says.
        let (maker, record) = unsafe { (handle(maker)?, bytes(record, length)?) };
        write(maker, record, &output)
    })
}

/// The text that `make` appends for a record, or the record itself if it returns false.
pub(crate) fn made(
    record: &[u8],
    output: &Output,
    make: impl FnOnce(&mut Vec<u8>) -> Result<bool, Status>,
) -> Result<(), Status> {
    let mut text = Vec::new();
    if !make(&mut text)? {
        text.extend_from_slice(record);
    }
    output.write(&text)
}
