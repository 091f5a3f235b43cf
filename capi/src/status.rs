//! The results of functions.
#![expect(unsafe_code, reason = "its function has a name for C")]

use std::ffi::{CStr, c_char};

/// The result of a function: 0 on success, a reason otherwise.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// The record is invalid.
    Invalid = 1,
    /// The result has no value. In other languages it is NULL.
    None = 2,
    /// The buffer has no room for the text and a NUL. The function wrote nothing to it.
    BufferTooSmall = 3,
    /// A pointer is NULL or not aligned, a number has no meaning, or a length is larger than any memory can
    /// be.
    InvalidArgument = 4,
    /// The grammar does not support the option or the form.
    Unsupported = 5,
    /// The base is invalid.
    InvalidBase = 6,
    /// The key of a query is not a regular expression, or uses syntax that only Java has.
    InvalidKey = 7,
    /// No field has one of the names, or a name occurs twice.
    InvalidField = 8,
    /// A record ends at byte 2^32 - 1 of the buffer or beyond, or a result is too long for its type.
    TooLong = 9,
    /// An offset is negative, less than the one before, or beyond the values.
    OffsetsOutOfOrder = 10,
    /// The array holds neither strings nor binary values.
    UnsupportedType = 11,
    /// The arrays have different lengths, or the structures of an array contradict each other.
    InvalidArray = 12,
    /// A defect of this library. The process continues. Details are on standard error.
    Internal = 13,
    /// The system has no memory for the result.
    OutOfMemory = 14,
}

impl Status {
    /// All statuses, in the order of their numbers.
    const ALL: [Status; 15] = [
        Status::Ok,
        Status::Invalid,
        Status::None,
        Status::BufferTooSmall,
        Status::InvalidArgument,
        Status::Unsupported,
        Status::InvalidBase,
        Status::InvalidKey,
        Status::InvalidField,
        Status::TooLong,
        Status::OffsetsOutOfOrder,
        Status::UnsupportedType,
        Status::InvalidArray,
        Status::Internal,
        Status::OutOfMemory,
    ];

    /// A sentence about the status, for people.
    pub(crate) fn message(self) -> &'static CStr {
        match self {
            Status::Ok => c"done",
            Status::Invalid => c"the record is invalid",
            Status::None => c"there is no such value",
            Status::BufferTooSmall => c"the buffer is too small for the text and a NUL",
            Status::InvalidArgument => {
                c"invalid argument: a pointer that is NULL or not aligned, an unknown number, or a length beyond all memory"
            }
            Status::Unsupported => c"the grammar does not support the option or the form",
            Status::InvalidBase => c"the base is invalid",
            Status::InvalidKey => c"the key is not a regular expression, or has syntax that only Java supports",
            Status::InvalidField => c"unknown or repeated field",
            Status::TooLong => {
                c"a record ends at byte 2^32 - 1 or beyond, or a result is too long for its type"
            }
            Status::OffsetsOutOfOrder => {
                c"an offset is negative, less than the one before, or beyond the values"
            }
            Status::UnsupportedType => c"the array holds neither strings nor binary values",
            Status::InvalidArray => {
                c"the arrays have different lengths, or the structures of an array contradict each other"
            }
            Status::Internal => c"internal error",
            Status::OutOfMemory => c"out of memory",
        }
    }
}

/// A sentence about a status, for people. The string lives as long as the library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_status_message(status: u32) -> *const c_char {
    let known = Status::ALL.get(status as usize);
    known.map_or(c"unknown status", |status| status.message()).as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places() {
        for (number, &status) in Status::ALL.iter().enumerate() {
            assert_eq!(status as usize, number);
        }
    }
}
