//! Judges the strings of arrays: verdicts, components, places, errors.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use urivalidate::arrow::{ParseUri, TextLayout};

use super::evaluation::{evaluate, grammar};
use super::transfer::map;
use crate::guard::{Cause, Failure};
use crate::pointers::{handle, values};
use crate::status::Status;
use crate::validator::Validator;

/// An option of `uriv_arrow_parse_uri`: text consists of views of the array's own memory, which the result keeps alive. Nothing is copied.
pub const VIEWS: u32 = 1;

/// An option of `uriv_arrow_parse_uri`: `host_kind` consists of strings, and is not a dictionary.
pub const STRING_NAMES: u32 = 2;

/// Whether a URI is valid. The result consists of booleans.
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
            evaluate("is_valid_uri", &[grammar(validator)?], &[&array])
        })
    }
}

/// The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host, host_kind, port, path, query and fragment,
/// and of scheme_specific_part, opaque and authority_kind, which only the grammars rfc2396 and java have. The struct has the last three
/// fields only with these grammars, and `fields` can select some of the fields.
///
/// An absent component is NULL, an empty one `""`. If a string is invalid, all fields except `valid` are NULL. `options` is 0, `URIV_VIEWS`,
/// `URIV_STRING_NAMES` or both. `fields` has `field_count` names, or is NULL for all fields.
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
            if options & !(VIEWS | STRING_NAMES) != 0 {
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
            let function = function.text(text).dictionary(options & STRING_NAMES == 0);
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

/// The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and so on, which count bytes from the
/// first; an end is the byte after the last one. Starts and ends are 32-bit integers. Both are NULL for an absent component.
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
            evaluate("uri_spans", &[grammar(validator)?], &[&array])
        })
    }
}

/// The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a valid URI. The offset is a 32-bit
/// integer, all other fields are strings.
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
            evaluate("uri_error", &[grammar(validator)?], &[&array])
        })
    }
}
