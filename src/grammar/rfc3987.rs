//! RFC 3987: the grammar of RFC 3986 with characters beyond ASCII, over UTF-8.
//!
//! `iunreserved` adds `ucschar` wherever RFC 3986 has `unreserved`, except in the port, the scheme and
//! IPvFuture. `iquery` adds `iprivate`. The rules of section 4 (bidirectional text) are not checked, and
//! nothing is normalised.

use super::run::{Repertoire, RunError};
use super::utf8::{self, Ranges};
use crate::error::ErrorKind;

/// RFC 3987 section 2.2: `ucschar`.
const UCSCHAR: Ranges = &[
    (0xA0, 0xD7FF),
    (0xF900, 0xFDCF),
    (0xFDF0, 0xFFEF),
    (0x1_0000, 0x1_FFFD),
    (0x2_0000, 0x2_FFFD),
    (0x3_0000, 0x3_FFFD),
    (0x4_0000, 0x4_FFFD),
    (0x5_0000, 0x5_FFFD),
    (0x6_0000, 0x6_FFFD),
    (0x7_0000, 0x7_FFFD),
    (0x8_0000, 0x8_FFFD),
    (0x9_0000, 0x9_FFFD),
    (0xA_0000, 0xA_FFFD),
    (0xB_0000, 0xB_FFFD),
    (0xC_0000, 0xC_FFFD),
    (0xD_0000, 0xD_FFFD),
    (0xE_1000, 0xE_FFFD),
];

/// RFC 3987 section 2.2: `iprivate`.
const IPRIVATE: Ranges = &[(0xE000, 0xF8FF), (0xF_0000, 0xF_FFFD), (0x10_0000, 0x10_FFFD)];

/// Returns true if a code point is a `ucschar`: unreserved beyond ASCII.
pub(crate) fn is_ucschar(code: u32) -> bool {
    utf8::contains(UCSCHAR, code)
}

/// `ucschar`, and `iprivate` in a query.
pub(crate) enum Ucs {}

impl Repertoire for Ucs {
    fn character(record: &[u8], at: usize, query: bool) -> Result<usize, RunError> {
        let decoded = utf8::decode(record, at);
        match decoded {
            Some((code, end)) if is_ucschar(code) || (query && utf8::contains(IPRIVATE, code)) => Ok(end),
            _ => {
                let kind =
                    if decoded.is_some() { ErrorKind::InvalidCharacter } else { ErrorKind::InvalidUtf8 };
                let private = if query { utf8::viable_len(record, at, IPRIVATE) } else { 0 };
                Err(RunError { offset: at + utf8::viable_len(record, at, UCSCHAR).max(private), kind })
            }
        }
    }
}
