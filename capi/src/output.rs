//! The caller's buffer for text.
#![expect(unsafe_code, reason = "C passes a pointer")]

use std::ffi::c_char;
use std::ptr;

use urivalidate::memory;

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
    /// Sets the length to 0, the value until a text is written.
    ///
    /// # Safety
    ///
    /// As long as the output is used, the buffer is NULL or has room for `capacity` bytes, and `length` is NULL or has room.
    pub(crate) unsafe fn new(buffer: *mut c_char, capacity: usize, length: *mut usize) -> Self {
        // SAFETY: the caller guarantees this.
        unsafe { put(length, 0) };
        Output { buffer, capacity, length }
    }

    /// Writes a text with its NUL, and its length. If the buffer has no room for the text, writes only the length.
    pub(crate) fn write(&self, text: &[u8]) -> Result<(), Status> {
        // SAFETY: the caller of `new` guarantees the room.
        unsafe { put(self.length, text.len()) };
        if self.buffer.is_null() || self.capacity <= text.len() {
            return Err(Status::BufferTooSmall);
        }
        // SAFETY: the buffer has room for the text and a NUL.
        unsafe {
            ptr::copy(text.as_ptr().cast(), self.buffer, text.len());
            self.buffer.add(text.len()).write(0);
        }
        Ok(())
    }
}

/// Asks for the memory of a text that is made of a record, because functions of one record do not.
pub(crate) fn ask_for_text(record: &[u8]) -> Result<(), Status> {
    /// The text, with the memory to make it, has at most this many times the bytes of the record.
    const LONGEST: usize = 4;

    memory::ask_for(record.len().saturating_mul(LONGEST)).map_err(|_| Status::OutOfMemory)
}

/// Calls `write` with the object of a handle, a record and the output for a text. Sets the length of the text to 0 first.
///
/// # Safety
///
/// `maker` is NULL or points to its object; `record` has `length` bytes; `buffer` is NULL or has room for `capacity` bytes; and `text_length` is
/// NULL or has room.
pub(crate) unsafe fn write_text<H>(
    maker: *const H,
    (record, length): (*const c_char, usize),
    (buffer, capacity, text_length): (*mut c_char, usize, *mut usize),
    write: impl FnOnce(&H, &[u8], &Output) -> Result<(), Status>,
) -> Status {
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let output = unsafe { Output::new(buffer, capacity, text_length) };
        // SAFETY: the caller guarantees this.
        let (maker, record) = unsafe { (handle(maker)?, bytes(record, length)?) };
        ask_for_text(record)?;
        write(maker, record, &output)
    })
}

/// Writes the text that `make` appends, or the record itself if `make` returns false.
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
