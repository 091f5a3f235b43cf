//! IP addresses: `IPv4address`, and IP literals in brackets.
//!
//! Read rule by rule, the RFCs' `IPv6address` needs more than one token of lookahead (`1::`,
//! `1:2:3:4:5:6:7::`). Read as groups with at most one gap, it needs none: eight groups, or at most seven and
//! a gap. A dotted quad replaces the last two groups.
//!
//! Each function stops exactly at the first byte that no valid literal has there.

use core::mem;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::run::{pct_encoded, skip};
use crate::charset::Class;
use crate::components::HostKind;
use crate::work::looked_at;

/// The spellings of an octet in a dotted quad. Its value is always at most 255.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Octets {
    /// RFC 3986 `dec-octet`: no leading zeros.
    NoLeadingZeros,
    /// RFC 2732 `1*3DIGIT`.
    UpToThreeDigits,
    /// `java.net.URI`: any number of leading zeros.
    AnyZeros,
}

/// The text that may follow an IPv6 address before the bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Zone {
    /// Nothing.
    None,
    /// RFC 6874 section 2: `"%25" ZoneID`, `ZoneID = 1*( unreserved / pct-encoded )`.
    Rfc6874,
    /// `java.net.URI`: `"%"` and a scope identifier.
    JavaScopeId,
}

/// The contents that a grammar allows in brackets.
#[derive(Clone, Copy)]
pub(crate) struct Brackets {
    pub(crate) octets: Octets,
    pub(crate) zone: Zone,
    /// RFC 3986 `IPvFuture`.
    pub(crate) future: bool,
}

/// Reads `"[" ( IPv6address / IPvFuture ) "]"`, whose opening bracket is at `at`. Returns its end, after the
/// closing bracket, and its kind.
///
/// Returns the offset of the first byte that cannot be there as an error. Writes the address to its place in
/// the components; see [`parse_into`](super::Rules::parse_into).
pub(crate) fn ip_literal(
    record: &[u8],
    at: usize,
    rules: Brackets,
    address: &mut Option<IpAddr>,
) -> Result<(usize, HostKind), usize> {
    let inside = at + 1;
    let (end, kind) = match record.get(inside) {
        Some(b'v' | b'V') if rules.future => (ipv_future(record, inside)?, HostKind::IpvFuture),
        _ => {
            let end = ipv6_address(record, inside, rules.octets, address)?;
            (zone(record, end, rules.zone)?, HostKind::Ipv6)
        }
    };
    if record.get(end) == Some(&b']') { Ok((end + 1, kind)) } else { Err(end) }
}

/// Returns true if the host of a valid record may be an address, by any grammar. Most hosts are names: their
/// first and last byte show it.
#[inline]
pub(super) fn may_be_address(host: &[u8]) -> bool {
    match host {
        [b'[', ..] => true,
        [first, .., last] => first.is_ascii_digit() && last.is_ascii_digit(),
        _ => false,
    }
}

/// Returns `host` as a dotted quad, if all of it is one.
pub(crate) fn whole_quad(host: &[u8], octets: Octets) -> Option<Ipv4Addr> {
    match dotted_quad(host, 0, octets) {
        Ok((end, quad)) if end == host.len() => Some(quad.into()),
        _ => None,
    }
}

/// Returns true if all of `text` is an IPv6 address.
pub(crate) fn is_ipv6(text: &[u8]) -> bool {
    ipv6_address(text, 0, Octets::NoLeadingZeros, &mut None) == Ok(text.len())
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
fn ipv_future(record: &[u8], at: usize) -> Result<usize, usize> {
    let version = at + 1;
    let dot = skip(record, version, Class::HEXDIG);
    if dot == version || record.get(dot) != Some(&b'.') {
        return Err(dot);
    }
    let end = skip(record, dot + 1, Class::USERINFO);
    if end == dot + 1 { Err(end) } else { Ok(end) }
}

fn zone(record: &[u8], at: usize, zone: Zone) -> Result<usize, usize> {
    if zone == Zone::None || record.get(at) != Some(&b'%') {
        return Ok(at);
    }
    match zone {
        Zone::Rfc6874 => {
            let expected = b"%25";
            let same =
                record[at..].iter().zip(expected).take_while(|(found, wanted)| found == wanted).count();
            if same < expected.len() {
                return Err(at + same);
            }
            let start = at + expected.len();
            let mut end = skip(record, start, Class::UNRESERVED);
            while record.get(end) == Some(&b'%') {
                end = pct_encoded(record, end).map_err(|fault| fault.offset)?;
                end = skip(record, end, Class::UNRESERVED);
            }
            if end == start { Err(end) } else { Ok(end) }
        }
        _ => {
            let end = skip(record, at + 1, Class::JAVA_SCOPE_ID);
            if end == at + 1 { Err(end) } else { Ok(end) }
        }
    }
}

/// Reads an IPv6 address, and returns its end.
fn ipv6_address(
    record: &[u8],
    mut at: usize,
    octets: Octets,
    address: &mut Option<IpAddr>,
) -> Result<usize, usize> {
    let is_colon = |at: usize| record.get(at) == Some(&b':');
    let mut groups = Groups::default();
    if is_colon(at) {
        if !is_colon(at + 1) {
            return Err(at + 1);
        }
        groups.set_gap();
        at += 2;
    }
    let is_complete = loop {
        let has_gap = groups.gap.is_some();
        let most = if has_gap { 7 } else { 8 };
        let quad_fits = if has_gap { groups.count <= 5 } else { groups.count == 6 };
        let (end, value) = if groups.count < most { group(record, at) } else { (at, 0) };
        // Most groups end before a colon or a bracket, so that no octet can go on.
        let may_be_octet = !matches!(record.get(end), Some(b':' | b']'));
        if may_be_octet && quad_fits && starts_quad(record, at, end, octets) {
            let (end, [a, b, c, d]) = dotted_quad(record, at, octets)?;
            groups.push(u16::from_be_bytes([a, b]));
            groups.push(u16::from_be_bytes([c, d]));
            at = end;
            break true;
        }
        if end == at {
            // The text has no group here: the address is complete only if a gap comes right before.
            break groups.gap == Some(groups.count);
        }
        groups.push(value);
        at = end;
        if !is_colon(at) {
            break groups.count == 8 || has_gap;
        }
        if groups.count == most {
            break false;
        }
        at += 1;
        if is_colon(at) {
            if has_gap {
                break false;
            }
            groups.set_gap();
            at += 1;
        }
    };
    if !is_complete {
        return Err(at);
    }
    *address = Some(IpAddr::V6(groups.address()));
    Ok(at)
}

/// The groups of an IPv6 address that were read so far.
///
/// They are numbers: a processor stalls if it reads as a whole a value that it has just written in parts.
/// With an array, moving the groups after a gap to their place took three quarters of the time of a short
/// address.
#[derive(Default)]
struct Groups {
    /// The groups after the gap, or all if there is none, with the last one lowest.
    bits: u128,
    /// The groups before the gap, in their places in the address.
    before_gap: u128,
    /// The number of groups, at most 8.
    count: u32,
    /// The number of groups before the gap.
    gap: Option<u32>,
}

impl Groups {
    fn push(&mut self, group: u16) {
        self.bits = self.bits << 16 | u128::from(group);
        self.count += 1;
    }

    /// Puts a gap after the groups so far, which are at most 7.
    fn set_gap(&mut self) {
        self.gap = Some(self.count);
        if self.count > 0 {
            self.before_gap = mem::take(&mut self.bits) << (16 * (8 - self.count));
        }
    }

    /// Returns the address, with zeros for the gap.
    fn address(&self) -> Ipv6Addr {
        (self.before_gap | self.bits).into()
    }
}

/// The value of each byte as a hexadecimal digit. Bytes that are no digits have the value 0xFF.
static HEX_VALUES: [u8; 256] = {
    let mut values = [0xFF; 256];
    let mut byte = 0;
    while byte < 256 {
        if let Some(value) = (byte as u8 as char).to_digit(16) {
            values[byte] = value as u8;
        }
        byte += 1;
    }
    values
};

/// `h16 = 1*4HEXDIG`. Returns its end, which is `at` if there are no digits, and its value.
fn group(record: &[u8], at: usize) -> (usize, u16) {
    let mut end = at;
    let mut value = 0;
    while end < at + 4
        && let Some(digit) =
            record.get(end).map(|&byte| HEX_VALUES[byte as usize]).filter(|&digit| digit < 16)
    {
        value = value << 4 | u16::from(digit);
        end += 1;
    }
    (end, value)
}

/// Returns true if the digits from `at` on are an octet rather than a group that ends at `end`.
fn starts_quad(record: &[u8], at: usize, end: usize, octets: Octets) -> bool {
    let Ok((octet_end, _)) = octet(record, at, octets) else { return false };
    // A digit after the four of a group can only belong to an octet.
    record.get(octet_end) == Some(&b'.') || octet_end > end
}

/// Reads four octets and their dots. Returns their end.
fn dotted_quad(record: &[u8], mut at: usize, octets: Octets) -> Result<(usize, [u8; 4]), usize> {
    let mut quad = [0; 4];
    for (i, value) in quad.iter_mut().enumerate() {
        if i > 0 {
            if record.get(at) != Some(&b'.') {
                return Err(at);
            }
            at += 1;
        }
        (at, *value) = octet(record, at, octets)?;
    }
    Ok((at, quad))
}

/// Reads one octet. Returns its end, before any digit that would make the octet invalid, and its value.
fn octet(record: &[u8], at: usize, octets: Octets) -> Result<(usize, u8), usize> {
    let mut end = at;
    let mut value = 0u8;
    while let Some(digit) = record.get(end).copied().filter(u8::is_ascii_digit) {
        let goes_on = match octets {
            Octets::NoLeadingZeros => end == at || value != 0,
            Octets::UpToThreeDigits => end < at + 3,
            Octets::AnyZeros => true,
        };
        match value.checked_mul(10).and_then(|tens| tens.checked_add(digit - b'0')) {
            Some(next) if goes_on => value = next,
            _ => break,
        }
        end += 1;
    }
    looked_at(end + 1 - at);
    if end == at { Err(at) } else { Ok((end, value)) }
}
