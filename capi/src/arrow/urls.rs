//! Functions of Spark and Presto over arrays.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use urivalidate::arrow;
use urivalidate::arrow::catalogue::Constant;

use super::evaluation::{evaluate, grammar};
use super::transfer::{ArrowIn, ArrowOut, map};
use crate::bytes::Bytes;
use crate::guard::Failure;
use crate::numbers::COMPONENTS;
use crate::pointers::handle;
use crate::status::Status;
use crate::url_part::UrlPart;
use crate::validator::Validator;

/// A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error. At
/// the first invalid URL, the function returns `URIV_STATUS_INVALID`, and `failure->row` is the row of this
/// URL.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_parse_url(
    url_part: *const UrlPart,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| Ok(handle(url_part)?.0.parse(array)?)) }
}

/// A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_try_parse_url(
    url_part: *const UrlPart,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| Ok(handle(url_part)?.0.try_parse(array)?)) }
}

/// One component of each string, as Presto's functions (`url_extract_host` and others) return it: NULL if the
/// string is invalid or NULL, or lacks the component. `component` is `URIV_PART_SCHEME` to
/// `URIV_PART_FRAGMENT`. A port is a 64-bit integer, NULL if it is empty or too large.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_extract(
    validator: *const Validator,
    component: u32,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let validator = &handle(validator)?.0;
            let place = (component as usize).checked_sub(1).and_then(|place| COMPONENTS.get(place));
            Ok(arrow::url_extract(validator, array, *place.ok_or(Status::InvalidArgument)?)?)
        })
    }
}

/// Whether a list has the host of a URI; false for an invalid URI, and for one without a host. `list` is UTF-8,
/// with a name a line; `.example.com` is this name and all below.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `list` has its bytes; `failure` is
/// NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_host_in(
    validator: *const Validator,
    list: Bytes,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let grammar = grammar(validator)?;
            let list = std::str::from_utf8(list.slice()?);
            let list = Constant::Text(list.map_err(|_| Status::InvalidArgument)?);
            evaluate("host_in", &[list, grammar], &[&array])
        })
    }
}

/// The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for an
/// invalid URI, and for one without the parameter. `name` is UTF-8.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `name` has its bytes; `failure` is
/// NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_extract_parameter(
    validator: *const Validator,
    name: Bytes,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let grammar = grammar(validator)?;
            let name = std::str::from_utf8(name.slice()?);
            let name = Constant::Text(name.map_err(|_| Status::InvalidArgument)?);
            evaluate("url_extract_parameter", &[name, grammar], &[&array])
        })
    }
}

/// Text as a form sends it: ASCII letters and digits, *, -, . and _ stay, a space becomes +, and any other
/// byte becomes % and two hexadecimal digits.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_encode(
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("url_encode", &[], &[&array])) }
}

/// The text that url_encode encoded; a % without two hexadecimal digits is an error. Then the status is
/// `URIV_STATUS_INVALID`, and `failure->row` is the row.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_url_decode(
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("url_decode", &[], &[&array])) }
}
