//! Hosts: canonical forms, and labels in reverse.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use super::escapes::{escape, unescape};
use crate::idna;

/// Returns the host without escapes, in lower case and ASCII, without dots at its ends, and with one dot in
/// place of two. IPv4 addresses have four numbers. A name that IDNA does not allow stays unchanged.
pub(super) fn canonical(host: &[u8]) -> Vec<u8> {
    let host = unescape(host);
    let host = if host.is_ascii() { Cow::Borrowed(&host[..]) } else { idna::to_ascii(&host) };
    let mut canonical = Vec::with_capacity(host.len());
    let mut rest = trim_dots(&host);
    while let [byte, after @ ..] = rest {
        canonical.push(byte.to_ascii_lowercase());
        rest = if *byte == b'.' { after.strip_prefix(b".").unwrap_or(after) } else { after };
    }
    match ipv4(&canonical) {
        Some(address) => alloc::format!("{address}").into_bytes(),
        None => canonical,
    }
}

fn trim_dots(mut host: &[u8]) -> &[u8] {
    while let Some(rest) = host.strip_prefix(b".") {
        host = rest;
    }
    while let Some(rest) = host.strip_suffix(b".") {
        host = rest;
    }
    host
}

/// Returns the IPv4 address that the host spells. A single number is decimal. In other notations a leading
/// zero makes a number octal. The last number has the bytes that remain. If the first number is octal, the
/// others have its number of digits.
fn ipv4(host: &[u8]) -> Option<Ipv4Addr> {
    if host.is_empty() || !host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    let count = host.iter().filter(|&&byte| byte == b'.').count() + 1;
    if count == 1 {
        // If the number has more than 32 bits, only the lowest 32 count.
        let number = host
            .iter()
            .fold(0_u32, |number, digit| number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')));
        return Some(Ipv4Addr::from(number));
    }
    if count > 4 || host[0] == b'0' && host.iter().any(|&digit| digit > b'7') {
        return None;
    }
    let mut address = 0;
    for (index, part) in host.split(|&byte| byte == b'.').enumerate() {
        let bytes = if index + 1 == count { 5 - count } else { 1 };
        let bits = 8 * bytes as u32;
        address = address << bits | number(part).filter(|&number| number >> bits == 0)?;
    }
    Some(Ipv4Addr::from(address as u32))
}

/// Reads a number, which is octal after a zero. Returns `None` if the digits are no number, or it is far too
/// large.
fn number(digits: &[u8]) -> Option<u64> {
    let radix = if *digits.first()? == b'0' { 8 } else { 10 };
    digits.iter().try_fold(0_u64, |number, &digit| {
        let digit = char::from(digit).to_digit(radix)?;
        Some(number * u64::from(radix) + u64::from(digit)).filter(|&number| number >> 32 == 0)
    })
}

/// Returns the host without a first label that consists of `www` and digits.
pub(super) fn without_www(host: &[u8]) -> &[u8] {
    match host.strip_prefix(b"www") {
        Some(rest) => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            rest[digits..].strip_prefix(b".").unwrap_or(host)
        }
        None => host,
    }
}

/// Appends the labels from the last to the first, with commas between them.
pub(super) fn push_reversed(host: &[u8], to: &mut Vec<u8>) {
    for (index, label) in host.rsplit(|&byte| byte == b'.').enumerate() {
        if index > 0 {
            to.push(b',');
        }
        escape(label, to);
    }
}
