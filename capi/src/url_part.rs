//! Spark's `parse_url` for one URL.
#![expect(unsafe_code, reason = "its functions have names for C, and take pointers")]

use urivalidate::arrow::ParseUrl;

use crate::bytes::Bytes;
use crate::guard::{Cause, Failure, described, status_of};
use crate::output::{Text, write_text};
use crate::pointers::put;
use crate::record::{Error, invalid};
use crate::status::Status;

/// A part of URLs, as Spark's `parse_url` names it. Any number of threads may use the same part at the same
/// time.
#[derive(Debug)]
pub struct UrlPart(pub(crate) ParseUrl);

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<UrlPart>();
};

/// Makes a part of URLs for Spark's `parse_url(url, part)`, or for `parse_url(url, 'QUERY', key)` if you pass
/// a key. Free it with `uriv_url_part_free`.
///
/// `part` is `HOST`, `PATH`, `QUERY`, `REF`, `PROTOCOL`, `FILE`, `AUTHORITY` or `USERINFO`, with the meaning
/// of `java.net.URI`; for any other part the status is `URIV_STATUS_INVALID_FIELD`. `key` is a regular
/// expression for the name of a parameter; if it uses syntax that only Java has, or if the part is not
/// `QUERY`, the status is `URIV_STATUS_INVALID_KEY`. If `key.data` is NULL, there is no key.
///
/// # Safety
///
/// `part` and `key` have their bytes; `url_part` has room for a pointer; `failure` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_url_part_new(
    part: Bytes,
    key: Bytes,
    url_part: *mut *mut UrlPart,
    failure: *mut Failure,
) -> Status {
    let work = || {
        if url_part.is_null() {
            return Err(Status::InvalidArgument.into());
        }
        let has_key = !key.data.is_null();
        // SAFETY: the caller guarantees this.
        let (part, key) = unsafe { (part.slice()?, key.slice()?) };
        let not_text = |_| Cause::new(Status::InvalidKey, "the key is not UTF-8");
        let key = has_key.then(|| std::str::from_utf8(key).map_err(not_text)).transpose()?;
        // A name that is not UTF-8 names no part, like the empty name.
        let made = ParseUrl::checked(std::str::from_utf8(part).unwrap_or_default(), key)?;
        // SAFETY: the pointer is not NULL, and the caller guarantees the room.
        unsafe { url_part.write(Box::into_raw(Box::new(UrlPart(made)))) };
        Ok(())
    };
    // SAFETY: the caller guarantees this.
    described(work, |made| unsafe { put(failure, made) })
}

/// Frees a part of URLs. NULL does nothing.
///
/// # Safety
///
/// `uriv_url_part_new` made the part, it has not been freed, and no thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_url_part_free(url_part: *mut UrlPart) {
    if !url_part.is_null() {
        // SAFETY: `Box::into_raw` made the pointer, and the caller guarantees to free it once.
        let url_part = unsafe { Box::from_raw(url_part) };
        status_of(|| {
            drop(url_part);
            Ok(())
        });
    }
}

/// Writes a part of one URL, as Spark's `parse_url` returns it.
///
/// Returns `URIV_STATUS_NONE` if Spark's result is NULL, and `URIV_STATUS_INVALID` if Spark fails in ANSI
/// mode. Spark's `try_parse_url` returns NULL in both cases.
///
/// # Safety
///
/// `url` has its bytes; `text` follows the notes on `uriv_text`; `error` is NULL or has room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn uriv_parse_url(
    url_part: *const UrlPart,
    url: Bytes,
    text: *mut Text,
    error: *mut Error,
) -> Status {
    // SAFETY: the caller guarantees this.
    unsafe {
        write_text(url_part, url, text, |url_part, url, output| {
            output.write(&url_part.0.parse_one(url).map_err(invalid(error))?.ok_or(Status::None)?)
        })
    }
}
