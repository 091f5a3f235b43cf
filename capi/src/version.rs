//! Versions.
#![expect(unsafe_code, reason = "its functions have names for C")]

use std::ffi::c_char;

/// The version of this library; `URIV_VERSION` is the version of the header. The string lives as long as the
/// library is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The date (`YYYY-MM-DD`) of the Public Suffix List in this library. The string lives as long as the library
/// is loaded.
#[unsafe(no_mangle)]
pub extern "C" fn uriv_public_suffix_list_date() -> *const c_char {
    const DAY: [u8; 11] = {
        let (mut day, text) = ([0; 11], urivalidate::PUBLIC_SUFFIX_LIST_DATE.as_bytes());
        assert!(text.len() == 10);
        let mut i = 0;
        while i < text.len() {
            day[i] = text[i];
            i += 1;
        }
        day
    };
    static ENDED: [u8; 11] = DAY;
    ENDED.as_ptr().cast()
}
