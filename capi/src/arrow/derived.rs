//! Text made from the strings of arrays.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::ffi::c_char;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{BinaryArray, Scalar};
use urivalidate::arrow;

use super::transfer::{map, map_all};
use crate::guard::Failure;
use crate::numbers;
use crate::pointers::{bytes, handle};
use crate::status::Status;
use crate::validator::Validator;

/// The normal form of each string, as `uriv_normalize` writes it; NULL for an invalid string. If the array has views, the result for a string in
/// normal form is a view of the same memory.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_normalize_uri(
    validator: *const Validator,
    form: u32,
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
            let normalizer = validator.normalizer(numbers::form(form)?).map_err(|_| Status::Unsupported)?;
            Ok(arrow::normalize_uri(&normalizer, array)?)
        })
    }
}

/// Resolves each reference with the same base, as `uriv_resolve` does. The result is NULL if the reference is invalid. If the base is invalid,
/// the status is `URIV_STATUS_INVALID_BASE`.
///
/// # Safety
///
/// The structures follow the notes on arrays; `base` has `base_length` bytes; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_resolve_uri(
    validator: *const Validator,
    base: *const c_char,
    base_length: usize,
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
            let base = Scalar::new(BinaryArray::from(vec![bytes(base, base_length)?]));
            Ok(arrow::resolve_uri(validator, &base, &array)?)
        })
    }
}

/// Resolves each reference with the base in the same row of another array. Both arrays have the same number of rows.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_resolve_uri_each(
    validator: *const Validator,
    base_schema: *const FFI_ArrowSchema,
    base_array: *mut FFI_ArrowArray,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map_all(
            [(base_schema, base_array), (schema, array)],
            (out_schema, out_array),
            failure,
            |[bases, array]| {
                let validator = &handle(validator)?.0;
                Ok(arrow::resolve_uri(validator, &bases, &array)?)
            },
        )
    }
}

/// A reference from the same base to each URI, as `uriv_relativize` writes it; NULL if the URI is invalid. If the base is invalid, the status is
/// `URIV_STATUS_INVALID_BASE`.
///
/// # Safety
///
/// The structures follow the notes on arrays; `base` has `base_length` bytes; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_relativize_uri(
    validator: *const Validator,
    base: *const c_char,
    base_length: usize,
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
            let base = Scalar::new(BinaryArray::from(vec![bytes(base, base_length)?]));
            Ok(arrow::relativize_uri(validator, &base, &array)?)
        })
    }
}

/// A reference to each URI from the base in the same row of another array. Both arrays have the same number of rows.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_relativize_uri_each(
    validator: *const Validator,
    base_schema: *const FFI_ArrowSchema,
    base_array: *mut FFI_ArrowArray,
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map_all(
            [(base_schema, base_array), (schema, array)],
            (out_schema, out_array),
            failure,
            |[bases, array]| {
                let validator = &handle(validator)?.0;
                Ok(arrow::relativize_uri(validator, &bases, &array)?)
            },
        )
    }
}

/// The key of each string, as `uriv_surt` writes it; NULL for a string without a key.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_surt(
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map((schema, array), (out_schema, out_array), failure, |array| Ok(arrow::uri_surt(array)?)) }
}

/// The public suffix of each string's host, as `uriv_suffix` writes it; NULL if the string is invalid or has no public suffix.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_suffix(
    validator: *const Validator,
    with_private: bool,
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
            Ok(arrow::uri_suffix(validator, array, with_private)?)
        })
    }
}

/// The registered domain of each string's host, as `uriv_domain` writes it; NULL if the string is invalid or has no registered domain.
///
/// # Safety
///
/// The structures follow the notes on arrays; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_domain(
    validator: *const Validator,
    with_private: bool,
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
            Ok(arrow::uri_domain(validator, array, with_private)?)
        })
    }
}
