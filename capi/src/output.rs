//! The caller's room for text.
#![expect(unsafe_code, reason = "C passes a pointer")]

use std::ffi::c_char;
use std::ptr;

use urivalidate::memory;

use crate::bytes::Bytes;
use crate::guard::status_of;
use crate::pointers::{checked, handle};
use crate::status::Status;

/// Room for a text that a function makes. This structure has 3 times `sizeof(size_t)` bytes.
///
/// The memory is yours: you set `data` and `capacity`, which the function only reads, and the function sets
/// `length`. It keeps no pointer to the memory, and you can pass the same structure again. The memory must
/// not overlap with the bytes that the function reads.
///
/// If the capacity is not greater than the length of the text, the function writes only `length` and returns
/// `URIV_STATUS_BUFFER_TOO_SMALL`: to learn the length, pass zeros. On any other failure `length` is 0, and
/// the memory is unchanged.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// The first byte of the memory. After success, the text and a NUL are here. It may be NULL: then no text
    /// fits.
    pub data: *mut c_char,
    /// The number of bytes of the memory.
    pub capacity: usize,
    /// The number of bytes of the text without the NUL. The function sets it before it returns, and never
    /// reads it.
    pub length: usize,
}

/// The caller's room for a text, while a function runs.
pub(crate) struct Output {
    data: *mut c_char,
    capacity: usize,
    length: *mut usize,
}

impl Output {
    /// Sets the length to 0, the value until a text is written.
    ///
    /// # Safety
    ///
    /// As long as the output is used, `text` is NULL or a structure whose `data` is NULL or has room for
    /// `capacity` bytes, and nobody else uses either.
    pub(crate) unsafe fn new(text: *mut Text) -> Result<Self, Status> {
        checked(text)?;
        // The caller need not initialise the length, so there must be no reference to the whole structure.
        // SAFETY: the pointer is not NULL, so it points to a structure of the caller.
        let output = unsafe {
            Output { data: (*text).data, capacity: (*text).capacity, length: &raw mut (*text).length }
        };
        output.set_length(0);
        Ok(output)
    }

    fn set_length(&self, length: usize) {
        // SAFETY: the caller of `new` guarantees the structure.
        unsafe { self.length.write(length) };
    }

    /// Writes a text with its NUL, and its length. If there is no room for the text, writes only the length.
    pub(crate) fn write(&self, text: &[u8]) -> Result<(), Status> {
        self.set_length(text.len());
        if self.data.is_null() || self.capacity <= text.len() {
            return Err(Status::BufferTooSmall);
        }
        // SAFETY: there is room for the text and a NUL.
        unsafe {
            ptr::copy(text.as_ptr().cast(), self.data, text.len());
            self.data.add(text.len()).write(0);
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

/// Calls `write` with the object of a handle, a record and the output for a text. Sets the length of the text
/// to 0 first.
///
/// # Safety
///
/// `maker` is NULL or points to its object; `record` has its bytes; and `text` follows the notes on [`Text`].
pub(crate) unsafe fn write_text<H>(
    maker: *const H,
    record: Bytes,
    text: *mut Text,
    write: impl FnOnce(&H, &[u8], &Output) -> Result<(), Status>,
) -> Status {
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let output = unsafe { Output::new(text) }?;
        // SAFETY: the caller guarantees this.
        let (maker, record) = unsafe { (handle(maker)?, record.slice()?) };
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
