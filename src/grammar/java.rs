//! The strings that `new java.net.URI(String)` of JDK 17 accepts: RFC 2396 and 2732, with deviations.
//!
//! Java's documentation names some of the deviations: empty authorities, characters beyond ASCII, octets up
//! to 255, labels that start with a digit. The others were found by tests: octets with any number of leading
//! zeros; ports up to 2^31 - 1 (with a larger one, an authority is registry-based, or an error after an IPv6
//! address); an empty port that counts as none; brackets at the start of an opaque part; scope identifiers.
//!
//! The class takes a string. Here the record is read as UTF-8, so ill-formed UTF-8 is an error.

use core::net::Ipv4Addr;

use super::ip::{self, Brackets, Octets, Zone};
use super::rfc2396::{Dialect, labels};
use super::run::{Repertoire, RunError};
use super::utf8::{self, Ranges};
use crate::charset::Class;
use crate::components::HostKind;
use crate::error::{Detail, ErrorKind};

/// The dialect of `java.net.URI`.
pub(crate) enum Java {}

impl Dialect for Java {
    type Repertoire = Other;
    const BRACKETS: Brackets = Brackets { octets: Octets::AnyZeros, zone: Zone::JavaScopeId, future: false };
    const OPAQUE_START: Class = Class::RFC2396_URIC;
    const EMPTY_AUTHORITY: bool = false;
    const EMPTY_PORT: bool = false;
    const MAX_PORT: Option<u32> = Some(i32::MAX as u32);
    const DETAIL: Detail = Detail::Java;

    fn host(text: &[u8]) -> Option<(HostKind, Option<Ipv4Addr>)> {
        if let Some(quad) = ip::whole_quad(text, Octets::AnyZeros) {
            return Some((HostKind::Ipv4, Some(quad)));
        }
        // hostname = label [ "." ] | 1*( label "." ) toplabel [ "." ]: if there are several labels, only the
        // last one must start with a letter.
        let last = labels(text)?;
        let is_only = last.len() == text.strip_suffix(b".").unwrap_or(text).len();
        (is_only || last[0].is_ascii_alphabetic()).then_some((HostKind::Hostname, None))
    }
}

/// "Other" characters: characters beyond ASCII that Unicode classifies neither as control characters nor as
/// spaces.
pub(crate) enum Other {}

/// All code points beyond ASCII except U+0080-A0, 1680, 2000-200A, 2028, 2029, 202F, 205F and 3000.
const OTHER: Ranges = &[
    (0xA1, 0x167F),
    (0x1681, 0x1FFF),
    (0x200B, 0x2027),
    (0x202A, 0x202E),
    (0x2030, 0x205E),
    (0x2060, 0x2FFF),
    (0x3001, 0xD7FF),
    (0xE000, 0x10_FFFF),
];

impl Repertoire for Other {
    fn character(record: &[u8], at: usize, _: bool) -> Result<usize, RunError> {
        let decoded = utf8::decode(record, at);
        match decoded {
            Some((code, end)) if utf8::contains(OTHER, code) => Ok(end),
            _ => {
                let kind = if decoded.is_some() { ErrorKind::NonAscii } else { ErrorKind::InvalidUtf8 };
                Err(RunError { offset: at + utf8::viable_len(record, at, OTHER), kind })
            }
        }
    }
}
