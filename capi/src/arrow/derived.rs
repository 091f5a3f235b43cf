//! Text that is made of the strings of arrays.
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

/// The normal form of each string, as `uriv_normalize`; NULL for an invalid one. If the array has views, an unchanged string is a view of the
/// same memory.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            let normalizer = validator.normalizer(numbers::form(form)?).map_err(|_| Status::Unsupported)?;
            Ok(arrow::normalize_uri(&normalizer, array)?)
        })
    }
}

/// The URI that each reference refers to from one base, as `uriv_resolve`; NULL if the reference or the base is invalid.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `base` has `base_length` bytes; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            let base = Scalar::new(BinaryArray::from(vec![bytes(base, base_length)?]));
            Ok(arrow::resolve_uri(validator, &base, &array)?)
        })
    }
}

/// The URI that each reference refers to from the base in the same row of another array, of as many rows.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
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

/// A reference to each URI from one base, as `uriv_relativize`; NULL if the URI or the base is invalid.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `base` has `base_length` bytes; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            let base = Scalar::new(BinaryArray::from(vec![bytes(base, base_length)?]));
            Ok(arrow::relativize_uri(validator, &base, &array)?)
        })
    }
}

/// A reference to each URI from the base in the same row of another array, of as many rows.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
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

/// The key of each string, as `uriv_surt`; NULL if it has none.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_surt(
    schema: *const FFI_ArrowSchema,
    array: *mut FFI_ArrowArray,
    out_schema: *mut FFI_ArrowSchema,
    out_array: *mut FFI_ArrowArray,
    failure: *mut Failure,
) -> Status {
    // SAFETY: as the caller says.
    unsafe { map((schema, array), (out_schema, out_array), failure, |array| Ok(arrow::surt(array)?)) }
}

/// The public suffix of each string's host, as `uriv_suffix`; NULL for an invalid string, or without a suffix.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(arrow::uri_suffix(validator, array, with_private)?)
        })
    }
}

/// The registered domain of each string's host, as `uriv_domain`; NULL for an invalid string, or without a domain.
///
/// # Safety
///
/// The structures are as the notes on arrays say; `failure` is NULL or has room.
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
    // SAFETY: as the caller says.
    unsafe {
        map((schema, array), (out_schema, out_array), failure, |array| {
            let validator = &handle(validator)?.0;
            Ok(arrow::uri_domain(validator, array, with_private)?)
        })
    }
}
