//! Text made from one record.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use urivalidate::{Derivation, RowColumn};

use crate::bytes::Bytes;
use crate::guard::status_of;
use crate::numbers;
use crate::output::{Output, Text, ask_for_text, made, write_text};
use crate::pointers::put;
use crate::record::{Error, invalid};
use crate::status::Status;
use crate::validator::Validator;

/// Writes a sentence about the error of an invalid record, in UTF-8.
///
/// Returns `URIV_STATUS_NONE` if the record is valid.
///
/// # Safety
///
/// `record` has its bytes; `text` follows the notes on `uriv_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_error_message(
    validator: *const Validator,
    record: Bytes,
    text: *mut Text,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, record, text, |validator, record, output| match validator.0.parse(record) {
            Ok(_) => Err(Status::None),
            Err(error) => output.write(error.to_string().as_bytes()),
        })
    }
}

/// Mends an invalid record and writes the result, if the record has exactly one obvious correction. The
/// written text is always valid.
///
/// The function removes white space at both ends, escapes forbidden characters, turns `\` into `/` where
/// browsers read it as `/`, and mends broken escapes. It changes nothing else. Returns `URIV_STATUS_NONE` if
/// the record is valid, has another error, or has more than 64 KiB.
///
/// # Safety
///
/// `record` has its bytes; `text` follows the notes on `uriv_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_suggest(validator: *const Validator, record: Bytes, text: *mut Text) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, record, text, |validator, record, output| {
            output.write(&validator.0.suggest(record).ok_or(Status::None)?)
        })
    }
}

/// Writes the normal form of a record (RFC 3986 section 6.2). Equivalent records have the same normal form.
/// It has at most 2 bytes more than the record.
///
/// The grammar `java` only supports the form of `java.net.URI.normalize()`. With `URIV_FORM_SCHEME` it
/// returns `URIV_STATUS_UNSUPPORTED`.
///
/// # Safety
///
/// `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_normalize(
    validator: *const Validator,
    form: u32,
    record: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, record, text, |validator, record, output| {
            let normalizer = validator.0.normalizer(numbers::form(form)?).map_err(|_| Status::Unsupported)?;
            made(record, output, |text| {
                Ok(normalizer.normalize(record, text).map_err(invalid(error))?.is_some())
            })
        })
    }
}

/// Writes the URI of an IRI (RFC 3987 section 3.1), in which bytes that are not ASCII are percent-encoded. It
/// has at most three times as many bytes as the IRI.
///
/// # Safety
///
/// `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_to_uri(
    validator: *const Validator,
    record: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, record, text, |validator, record, output| {
            made(record, output, |text| {
                Ok(validator.0.to_uri(record, text).map_err(invalid(error))?.is_some())
            })
        })
    }
}

/// Writes the URI that a reference refers to (RFC 3986 section 5). The URI has at most 2 bytes more than the
/// base and the reference together.
///
/// The validator judges the reference: `uri-reference`, `iri-reference`, `rfc2396` and `java` accept relative
/// ones. Returns `URIV_STATUS_INVALID_BASE` if the base is invalid, and `URIV_STATUS_INVALID` if the
/// reference is invalid or has no meaning with this base. A base has at most 8 KiB without its fragment; a
/// longer one is invalid.
///
/// # Safety
///
/// `base` and `reference` have their bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has
/// room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_resolve(
    validator: *const Validator,
    base: Bytes,
    reference: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, reference, text, |validator, reference, output| {
            let base = base.slice()?;
            let base = validator.0.base(base).map_err(invalid_base(error))?;
            made(reference, output, |text| {
                Ok(base.resolve(reference, text).map_err(invalid(error))?.is_some())
            })
        })
    }
}

/// Writes a reference from a base to a URI. If the URI is in its normal form, `uriv_resolve` writes the URI
/// for this reference. The reference has at most 2 bytes more than the URI.
///
/// Returns `URIV_STATUS_INVALID_BASE` if the base is invalid, and `URIV_STATUS_INVALID` if the URI is
/// invalid. The grammar `java` writes the references of `java.net.URI.relativize()`, which `uriv_resolve`
/// does not always resolve to the same URI.
///
/// # Safety
///
/// `base` and `uri` have their bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_relativize(
    validator: *const Validator,
    base: Bytes,
    uri: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, uri, text, |validator, uri, output| {
            let base = base.slice()?;
            let base = validator.0.base(base).map_err(invalid_base(error))?;
            made(uri, output, |text| Ok(base.relativize(uri, text).map_err(invalid(error))?.is_some()))
        })
    }
}

/// Returns a function that writes an error to a place, unless the place is NULL, and returns
/// [`Status::InvalidBase`].
///
/// # Safety
///
/// The requirements of [`put`].
unsafe fn invalid_base(place: *mut Error) -> impl FnOnce(urivalidate::Error) -> Status {
    move |error| {
        // SAFETY: the caller guarantees this.
        unsafe { put(place, error.into()) };
        Status::InvalidBase
    }
}

/// Writes the key of a URI in the indexes of web archives (SURT). The keys are those of Python's `surt`
/// 0.3.1: `com,example)/a?a=1&b=2` for `http://www.Example.com:80/a?b=2&a=1#x`. The URI need not be valid.
///
/// Returns `URIV_STATUS_NONE` if the URI has no key: its port is not a number up to 65535, or it consists of
/// white space.
///
/// # Safety
///
/// `uri` has its bytes; `text` follows the notes on `uriv_text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_surt(uri: Bytes, text: *mut Text) -> Status {
    status_of(|| {
        // SAFETY: the caller guarantees this.
        let output = unsafe { Output::new(text) }?;
        // SAFETY: the caller guarantees this.
        let uri = unsafe { uri.slice() }?;
        ask_for_text(uri)?;
        output.write(urivalidate::surt(uri, &mut Vec::new()).ok_or(Status::None)?)
    })
}

/// Writes the public suffix of a record's host, in lower case: `co.uk`. It follows the ICANN section of the
/// Public Suffix List. With `with_private`, it follows both sections (`github.io`).
///
/// Returns `URIV_STATUS_NONE` if the record has no host, or if its host is an address.
///
/// # Safety
///
/// `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_suffix(
    validator: *const Validator,
    with_private: bool,
    record: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    let column = if with_private { RowColumn::PrivateSuffix } else { RowColumn::Suffix };
    // SAFETY: the caller guarantees this.
    unsafe { derived(validator, column, record, text, error) }
}

/// Writes the registered domain of a record's host, in lower case: the public suffix with one more label,
/// `bbc.co.uk`.
///
/// Returns `URIV_STATUS_NONE` if the record has no host, or if its host is an address or a public suffix.
///
/// # Safety
///
/// `record` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_domain(
    validator: *const Validator,
    with_private: bool,
    record: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    let column = if with_private { RowColumn::PrivateDomain } else { RowColumn::Domain };
    // SAFETY: the caller guarantees this.
    unsafe { derived(validator, column, record, text, error) }
}

/// Writes the value of a column that is made from a record.
///
/// # Safety
///
/// The requirements of the function that calls this one.
unsafe fn derived(
    validator: *const Validator,
    column: RowColumn,
    record: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(validator, record, text, |validator, record, output| {
            validator.0.parse(record).map_err(invalid(error))?;
            let derivation = Derivation::default();
            // This cannot fail: every grammar supports the default form, and these columns need no base.
            let deriver = derivation.deriver(validator.0).map_err(|_| Status::Internal)?;
            output.write(&deriver.value(column, record, None).ok_or(Status::None)?)
        })
    }
}
