//! Judges the strings of arrays: verdicts, components, places, errors.
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

/// An option of `uriv_arrow_parse_uri`: text consists of views of the array's own memory, which the result keeps alive. Nothing is copied.
pub const VIEWS: u32 = 1;

/// An option of `uriv_arrow_parse_uri`: `host_kind` consists of strings, and is not a dictionary.
pub const PLAIN_NAMES: u32 = 2;

/// Whether each string is valid: booleans.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_is_valid_uri(
    validator: *const Validator,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(Arc::new(arrow::is_valid_uri(validator, array)?))
        })
    }
}

/// The components of the strings: structs of `valid`, `scheme`, `authority`, `userinfo`, `host`, `host_kind`, `port`, `path`, `query` and
/// `fragment`; with the grammars `rfc2396` and `java` also `scheme_specific_part`, `opaque` and `authority_kind`. `fields` can select some of them.
///
/// An absent component is NULL, an empty one `""`. If a string is invalid, all fields except `valid` are NULL. `options` is 0,
/// `URIV_VIEWS`, `URIV_PLAIN_NAMES` or both. `fields` has `field_count` names, or is NULL for all fields.
///
/// # Safety
///
/// The structures follow the notes on arrays; `fields` is NULL or has `field_count` strings with a NUL at their ends; `failure` is NULL or has room.
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
    // SAFETY: the caller guarantees this.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let mut function = ParseUri::new(handle(validator)?.0);
            if options & !(VIEWS | PLAIN_NAMES) != 0 {
                return Err(Status::InvalidArgument.into());
            }
            if !fields.is_null() {
                function = function.fields(&names(fields, field_count)?)?;
            }
            // Large types stay large, because their values may not fit into smaller types.
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

/// Copies C strings.
///
/// # Safety
///
/// `pointers` has `count` strings with a NUL at their ends, and nobody writes to them meanwhile.
unsafe fn names(pointers: *const *const c_char, count: usize) -> Result<Vec<String>, Cause> {
    // SAFETY: the caller guarantees this.
    let pointers = unsafe { values(pointers, count) }?;
    let name = |&pointer: &*const c_char| {
        if pointer.is_null() {
            return Err(Status::InvalidArgument.into());
        }
        // SAFETY: the pointer is not NULL, so the caller guarantees that it is a string with a NUL at its end.
        Ok(unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned())
    };
    pointers.iter().map(name).collect()
}

/// The places of the components in the strings: structs of `valid`, `scheme_start`, `scheme_end` and so on. Starts and ends are 32-bit
/// integers that count bytes from the start of the string. The end is the byte after the last one. Both are NULL for an absent component.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_spans(
    validator: *const Validator,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(Arc::new(arrow::uri_spans(validator, array)?))
        })
    }
}

/// The errors of the strings: structs of `kind`, `component` and `message`, which are strings, and `offset`, a 32-bit integer that counts bytes
/// from the start of the string. The result is NULL if the string is valid or NULL.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_error(
    validator: *const Validator,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(Arc::new(arrow::uri_error(validator, array)?))
        })
    }
}
