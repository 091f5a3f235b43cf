//! The form in which hosts and the names of lists are compared.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};

use super::packed::replace_others;
use crate::derived::percent_decoded;
#[cfg(feature = "domains")]
use crate::derived::{labels_in_ascii, name_in_ascii};
use crate::work::looked_at;

/// The maximum number of bytes of a name (RFC 1035 section 2.3.4, without the dot at its end).
pub(super) const MAX_NAME: usize = 253;

/// The maximum number of bytes of a host that has escapes and can be in a list: a character of a name has at
/// most twelve. A bound for the memory that a host takes.
const MAX_HOST: usize = 16 << 10;

/// A host in its normal form.
#[derive(Debug)]
pub(super) struct HostName {
    /// The name without a dot at its end, or an address; that of IPv6 is in brackets.
    pub(super) name: Vec<u8>,
    /// Whether it is an address, which has no names above it.
    pub(super) is_address: bool,
}

impl HostName {
    /// Returns true if a host without a dot at its end may be an address.
    #[inline(always)]
    pub(super) fn may_be_address(host: &[u8]) -> bool {
        matches!(host.last(), Some(b'0'..=b'9' | b']'))
    }

    /// Returns the normal form of the host of a valid URI, or `None` if no list can have the host.
    pub(super) fn of_host(host: &[u8]) -> Option<Self> {
        looked_at(host.len());
        if let Some(address) = host.strip_prefix(b"[") {
            return ipv6(address.strip_suffix(b"]")?);
        }
        if host.len() > MAX_HOST {
            // Only the names above such a host can be in a list. No name starts with this byte.
            let mut above = HostName::of_host(&host[host.len() - MAX_HOST..])?;
            above.name.insert(0, b'@');
            return Some(HostName { is_address: false, ..above });
        }
        let decoded = percent_decoded(host);
        let name = without_dot(&decoded);
        if let Some(address) = ipv4(name) {
            return Some(address);
        }
        if name.is_ascii() {
            let mut name = name.to_ascii_lowercase();
            replace_others(&mut name);
            return Some(HostName { name, is_address: false });
        }
        // A name that UTS 46 forbids may be below a name of a list.
        #[cfg(feature = "domains")]
        let ascii = name_in_ascii(host).unwrap_or_else(|| labels_in_ascii(name));
        #[cfg(not(feature = "domains"))]
        let ascii = name.to_ascii_lowercase();
        let mut name = without_dot(&ascii).to_vec();
        replace_others(&mut name);
        Some(ipv4(&name).unwrap_or(HostName { name, is_address: false }))
    }

    /// Returns the normal form of a name or an address of a list, or the reason why it is none. Addresses of
    /// IPv6 may have brackets.
    pub(super) fn of_list(text: &[u8]) -> Result<Self, NameFault> {
        looked_at(text.len());
        let bare = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")).unwrap_or(text);
        if let Some(address) = ipv6(bare) {
            return Ok(address);
        }
        let made;
        let text = match text.is_ascii() {
            true => text,
            false => {
                made = in_ascii(text)?;
                &made
            }
        };
        let name = without_dot(text);
        if let Some(address) = ipv4(name) {
            return Ok(address);
        }
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        if let Some(&byte) = name.iter().find(|byte| !is_of_name(byte)) {
            return Err(if is_url(text) { NameFault::Url } else { NameFault::Byte(byte) });
        }
        if name.len() > MAX_NAME {
            return Err(NameFault::TooLong);
        }
        if name.split(|&byte| byte == b'.').any(<[u8]>::is_empty) {
            return Err(NameFault::EmptyLabel);
        }
        Ok(HostName { name: name.to_ascii_lowercase(), is_address: false })
    }
}

/// The reason why a text is no name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameFault {
    Url,
    Byte(u8),
    TooLong,
    EmptyLabel,
    Idna,
}

#[cfg(feature = "domains")]
fn in_ascii(text: &[u8]) -> Result<Vec<u8>, NameFault> {
    // A `%` would be decoded, but no name in a list has one.
    if text.contains(&b'%') { Err(NameFault::Byte(b'%')) } else { name_in_ascii(text).ok_or(NameFault::Idna) }
}

#[cfg(not(feature = "domains"))]
fn in_ascii(text: &[u8]) -> Result<Vec<u8>, NameFault> {
    Err(text.iter().find(|byte| !byte.is_ascii()).map_or(NameFault::Idna, |&byte| NameFault::Byte(byte)))
}

fn is_url(text: &[u8]) -> bool {
    text.windows(3).any(|bytes| bytes == b"://")
}

/// Returns a host without the dot at its end, if it has one.
#[inline(always)]
pub(super) fn without_dot(host: &[u8]) -> &[u8] {
    host.strip_suffix(b".").unwrap_or(host)
}

fn ipv4(text: &[u8]) -> Option<HostName> {
    // "255.255.255.255"
    let text = core::str::from_utf8(text.get(..text.len().min(16))?).ok()?;
    let address: Ipv4Addr = text.parse().ok()?;
    Some(HostName { name: address.to_string().into_bytes(), is_address: true })
}

/// Returns an address without brackets; any other IP literal has no normal form.
fn ipv6(text: &[u8]) -> Option<HostName> {
    let address: Ipv6Addr = core::str::from_utf8(text).ok().filter(|text| text.len() < 48)?.parse().ok()?;
    let [first, last] = [&b"["[..], b"]"];
    Some(HostName { name: [first, address.to_string().as_bytes(), last].concat(), is_address: true })
}
