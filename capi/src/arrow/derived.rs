//! Text made from the strings of arrays.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use arrow_array::{BinaryArray, Scalar};
use urivalidate::arrow::catalogue::Constant;

use super::evaluation::{evaluate, grammar};
use super::transfer::{ArrowIn, ArrowOut, map, map_all};
use crate::bytes::Bytes;
use crate::guard::Failure;
use crate::numbers;
use crate::status::Status;
use crate::validator::Validator;

/// The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent URIs
/// share; NULL for an invalid URI. If the array has views, the result for a string in normal form is a view
/// of the same memory.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_normalize_uri(
    validator: *const Validator,
    form: u32,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let form = Constant::Text(numbers::form(form)?.name());
            evaluate("normalize_uri", &[form, grammar(validator)?], &[&array])
        })
    }
}

/// The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid. All
/// references have the same base. If the base is invalid, the status is `URIV_STATUS_INVALID_BASE`.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `base` has its bytes; `failure` is
/// NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_resolve_uri(
    validator: *const Validator,
    base: Bytes,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let grammar = grammar(validator)?;
            let base = Scalar::new(BinaryArray::from(vec![base.slice()?]));
            evaluate("resolve_uri", &[grammar], &[&base, &array])
        })
    }
}

/// Resolves each reference with the base in the same row of another array. Both arrays have the same number
/// of rows.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_resolve_uri_each(
    validator: *const Validator,
    bases: ArrowIn,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map_all([bases, array], out, failure, |[bases, array]| {
            evaluate("resolve_uri", &[grammar(validator)?], &[&bases, &array])
        })
    }
}

/// A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the base
/// is invalid. All URIs have the same base. If the base is invalid, the status is `URIV_STATUS_INVALID_BASE`.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `base` has its bytes; `failure` is
/// NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_relativize_uri(
    validator: *const Validator,
    base: Bytes,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let grammar = grammar(validator)?;
            let base = Scalar::new(BinaryArray::from(vec![base.slice()?]));
            evaluate("relativize_uri", &[grammar], &[&base, &array])
        })
    }
}

/// A reference to each URI from the base in the same row of another array. Both arrays have the same number
/// of rows.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_relativize_uri_each(
    validator: *const Validator,
    bases: ArrowIn,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map_all([bases, array], out, failure, |[bases, array]| {
            evaluate("relativize_uri", &[grammar(validator)?], &[&bases, &array])
        })
    }
}

/// An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such a
/// repair.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_suggest_uri(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("suggest_uri", &[grammar(validator)?], &[&array])) }
}

/// The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an invalid
/// IRI.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_to_uri(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("to_uri", &[grammar(validator)?], &[&array])) }
}

/// The host of a URI, unchanged; NULL for an invalid URI, and for one without a host.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_host(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("uri_host", &[grammar(validator)?], &[&array])) }
}

/// The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is
/// invalid, or its host is no name.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_host_reversed(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| evaluate("uri_host_reversed", &[grammar(validator)?], &[&array]))
    }
}

/// The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if the
/// URI is invalid or has no host, or if UTS 46 forbids the name.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_host_ascii(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("uri_host_ascii", &[grammar(validator)?], &[&array])) }
}

/// The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and for
/// one without a query.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_extract_query_names(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            evaluate("url_extract_query_names", &[grammar(validator)?], &[&array])
        })
    }
}

/// The parameters in the query of a URI, decoded: a map from each name to the value of its first parameter;
/// NULL for an invalid URI, and for one without a query.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_parameters(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("url_parameters", &[grammar(validator)?], &[&array])) }
}

/// The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for an
/// invalid URI, and for one without a query.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_parameters_all(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| evaluate("url_parameters_all", &[grammar(validator)?], &[&array]))
    }
}

/// The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a string
/// without a key. `uriv_surt` writes the same keys.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_surt(array: ArrowIn, out: ArrowOut, failure: *mut Failure) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("uri_surt", &[], &[&array])) }
}

/// The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or has
/// an IP address.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_suffix(
    validator: *const Validator,
    with_private: bool,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let private = Constant::Flag(with_private);
            evaluate("uri_suffix", &[private, grammar(validator)?], &[&array])
        })
    }
}

/// The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more
/// label; NULL if the suffix is NULL, or the host is a suffix itself.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_domain(
    validator: *const Validator,
    with_private: bool,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let private = Constant::Flag(with_private);
            evaluate("uri_domain", &[private, grammar(validator)?], &[&array])
        })
    }
}
