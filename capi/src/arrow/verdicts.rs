//! Judges the strings of arrays: verdicts, components, places, errors.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use std::sync::Arc;

use urivalidate::arrow::{ParseUri, TextLayout};

use super::evaluation::{evaluate, grammar};
use super::transfer::{ArrowIn, ArrowOut, map};
use crate::bytes::Bytes;
use crate::guard::Failure;
use crate::pointers::{handle, values};
use crate::status::Status;
use crate::validator::Validator;

/// An option of `uriv_arrow_fields`: text consists of views of the array's own memory, which the result keeps
/// alive. Nothing is copied.
pub const VIEWS: u32 = 1;

/// An option of `uriv_arrow_fields`: `host_kind` consists of strings, and is not a dictionary.
pub const STRING_NAMES: u32 = 2;

/// The fields that `uriv_arrow_parse_uri` makes, and their types. This structure has 2 times `sizeof(size_t)`
/// bytes and 8 more. Zeros mean all fields, without options.
///
/// The names stay yours: the function only reads them, and keeps no pointer to them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ArrowFields {
    /// The names of the fields, in the order of the result, or NULL for all fields.
    pub names: *const Bytes,
    /// The number of names: 0 if `names` is NULL.
    pub count: usize,
    /// 0, `URIV_VIEWS`, `URIV_STRING_NAMES` or both.
    pub options: u32,
    /// Must be 0.
    pub reserved: u32,
}

/// Whether a URI is valid. The result consists of booleans.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_is_valid_uri(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("is_valid_uri", &[grammar(validator)?], &[&array])) }
}

/// The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host, host_kind,
/// port, path, query and fragment, and of scheme_specific_part, opaque and authority_kind, which only the
/// grammars rfc2396 and java have. The struct has the last three fields only with these grammars, and
/// `fields` can select some of the fields. If `fields` is NULL, the struct has all of them.
///
/// An absent component is NULL, an empty one `""`. If a string is invalid, all fields except `valid` are
/// NULL.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `fields` is NULL or has its names;
/// `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_parse_uri(
    validator: *const Validator,
    fields: *const ArrowFields,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        map(array, out, failure, |array| {
            let mut function = ParseUri::new(handle(validator)?.0);
            let mut options = 0;
            if !fields.is_null() {
                let fields = handle(fields)?;
                options = fields.options;
                if options & !(VIEWS | STRING_NAMES) != 0 || fields.reserved != 0 {
                    return Err(Status::InvalidArgument.into());
                }
                if let Some(names) = names(fields)? {
                    function = function.fields(&names)?;
                }
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

/// Copies the names of fields. Returns `None` if all fields are selected.
///
/// # Safety
///
/// `names` has `count` names, which have their bytes, and nobody writes to them meanwhile.
unsafe fn names(fields: &ArrowFields) -> Result<Option<Vec<String>>, Status> {
    // SAFETY: the caller guarantees this.
    let names = unsafe { values(fields.names, fields.count) }?;
    if fields.names.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller guarantees this.
    let name = |name: &Bytes| Ok(String::from_utf8_lossy(unsafe { name.slice() }?).into_owned());
    names.iter().map(name).collect::<Result<_, _>>().map(Some)
}

/// The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and so
/// on, which count bytes from the first; an end is the byte after the last one. Starts and ends are 32-bit
/// integers. Both are NULL for an absent component.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_spans(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("uri_spans", &[grammar(validator)?], &[&array])) }
}

/// The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a valid
/// URI. The offset is a 32-bit integer, all other fields are strings.
///
/// # Safety
///
/// The arrays follow the notes on `uriv_arrow_in` and `uriv_arrow_out`; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_arrow_uri_error(
    validator: *const Validator,
    array: ArrowIn,
    out: ArrowOut,
    failure: *mut Failure,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe { map(array, out, failure, |array| evaluate("uri_error", &[grammar(validator)?], &[&array])) }
}
