//! The strings of arrays, judged: verdicts, components, places, errors.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use urivalidate::arrow::{self, ParseUri, TextLayout};

use super::transfer::map;
use crate::guard::{Cause, Failure};
use crate::pointers::{handle, values};
use crate::status::Status;
use crate::validator::Validator;

/// An option of `uriv_arrow_parse_uri`: text as views of the array's own memory, which the result keeps alive. Nothing is copied.
pub const VIEWS: u32 = 1;

/// An option of `uriv_arrow_parse_uri`: `host_kind` as strings, not as a dictionary.
pub const PLAIN_NAMES: u32 = 2;

/// Whether each string is valid: booleans.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_is_valid_uri(
    validator: *const Validator,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(Arc::new(arrow::is_valid_uri(validator, array)?))
        })
    }
}

/// The components of the strings: structs of `valid`, `scheme`, `authority`, `userinfo`, `host`, `host_kind`, `port`, `path`, `query` and
/// `fragment`, with the grammars `rfc2396` and `java` also `scheme_specific_part`, `opaque` and `authority_kind`; or of the fields that are named.
///
/// An absent component is NULL, an empty one `""`. All fields but `valid` are NULL where the string is invalid. Options are 0,
/// `URIV_VIEWS`, `URIV_PLAIN_NAMES` or both. `fields` is NULL for all of them, or has `field_count` names.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `fields` is NULL or has `field_count` strings with a NUL at their ends; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_parse_uri(
    validator: *const Validator,
    fields: *const *const c_char,
    field_count: usize,
    options: u32,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let mut function = ParseUri::new(handle(validator)?.0);
            if options & !(VIEWS | PLAIN_NAMES) != 0 {
                return Err(Status::InvalidArgument.into());
            }
            if !fields.is_null() {
                function = function.fields(&names(fields, field_count)?)?;
            }
            // Large types stay large, since their values may not fit into others.
            let text = match TextLayout::of(array.data_type()) {
                _ if options & VIEWS != 0 => TextLayout::BinaryView,
                TextLayout::LargeUtf8 => TextLayout::LargeUtf8,
                _ => TextLayout::Utf8,
            };
            let function = function.text(text).dictionary(options & PLAIN_NAMES == 0);
            Ok(Arc::new(function.parse(array)?))
        })
    }
}

/// Strings with a NUL at their ends.
///
/// # Safety
///
/// There are so many, and nobody writes to them meanwhile.
unsafe fn names(pointers: *const *const c_char, count: usize) -> Result<Vec<String>, Cause> {
    // SAFETY: as the caller says.
    let pointers = unsafe { values(pointers, count) }?;
    let name = |&pointer: &*const c_char| {
        if pointer.is_null() {
            return Err(Status::InvalidArgument.into());
        }
        // SAFETY: it is not NULL, so the caller says that it is such a string.
        Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
    };
    pointers.iter().map(name).collect()
}

/// The places of the components in the strings: structs of `valid`, and of `scheme_start`, `scheme_end` and so on, which are 32-bit
/// integers, in bytes from the string's first, half-open; NULL where there is none.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_spans(
    validator: *const Validator,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(Arc::new(arrow::uri_spans(validator, array)?))
        })
    }
}

/// The errors of the strings: structs of `kind`, `component` and `message`, which are strings, and `offset`, a 32-bit integer, in bytes
/// from the string's first. NULL for valid strings, and for NULL.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_error(
    validator: *const Validator,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(Arc::new(arrow::uri_error(validator, array)?))
        })
    }
}
