//! URLs as most are: nothing is escaped, no address, no port, no dot segment. Their key is made in one pass.

use alloc::vec::Vec;

use super::query;
use crate::work::{looked_at, memchr, memchr3};

/// A byte that keys have unchanged or in lower case.
const PLAIN: u8 = 0;
/// Any other byte.
const OTHER: u8 = 1;
/// May change a key after a slash: a dot segment, an empty one, or a session identifier.
const AFTER_SLASH: u8 = 2;
/// A slash.
const SLASH: u8 = 4;

static PATH: [u8; 256] = {
    let mut table = [PLAIN; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'/' => SLASH | AFTER_SLASH,
            b'.' | b'(' => AFTER_SLASH,
            byte if super::escapes::is_escaped(byte) => OTHER,
            _ => PLAIN,
        };
        byte += 1;
    }
    table
};

/// Appends the key; `None` if the URL is another one: the key is not made then, or in part.
#[inline]
pub(super) fn push(uri: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let rest = uri.strip_prefix(b"http")?;
    let rest = rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")?;
    let host_end = memchr(b'/', rest)?;
    let (host, rest) = rest.split_at(host_end);
    let path_end = memchr3(b'?', b'#', b'%', rest).unwrap_or(rest.len());
    let (path, rest) = rest.split_at(path_end);
    to.reserve(uri.len());
    push_host(host, to)?;
    push_path(path, to)?;
    match rest {
        [] | [b'#', ..] => Some(()),
        [b'?', query @ ..] => push_query(query, to),
        _ => None,
    }
}

fn push_host(host: &[u8], to: &mut Vec<u8>) -> Option<()> {
    looked_at(host.len());
    let is_plain =
        |seen: bool, byte: &u8| seen & (byte.is_ascii_alphanumeric() | matches!(byte, b'.' | b'-'));
    // The last byte of an address is a digit.
    if host.last()?.is_ascii_digit() || !host.iter().fold(true, is_plain) {
        return None;
    }
    let start = to.len();
    let mut end = host.len();
    let push_label = |label: &[u8], to: &mut Vec<u8>| {
        to.extend_from_slice(label);
        to.push(b',');
        (!label.is_empty()).then_some(())
    };
    for at in (0..host.len()).rev() {
        if host[at] == b'.' {
            push_label(&host[at + 1..end], to)?;
            end = at;
        }
    }
    let first = &host[..end];
    if end == host.len() || !is_www(first) {
        push_label(first, to)?;
    }
    *to.last_mut()? = b')';
    to[start..].make_ascii_lowercase();
    Some(())
}

fn is_www(label: &[u8]) -> bool {
    match label {
        [b'w' | b'W', b'w' | b'W', b'w' | b'W', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

fn push_path(path: &[u8], to: &mut Vec<u8>) -> Option<()> {
    looked_at(path.len());
    let (mut seen, mut after) = (PLAIN, PLAIN);
    for &byte in path {
        let class = PATH[usize::from(byte)];
        seen |= class & (OTHER | after);
        after = class >> 1 & AFTER_SLASH;
    }
    if seen != PLAIN {
        return None;
    }
    let path = if path.len() > 1 { path.strip_suffix(b"/").unwrap_or(path) } else { path };
    let start = to.len();
    to.extend_from_slice(path);
    to[start..].make_ascii_lowercase();
    Some(())
}

fn push_query(query: &[u8], to: &mut Vec<u8>) -> Option<()> {
    looked_at(query.len());
    let query = &query[..memchr(b'#', query).unwrap_or(query.len())];
    if query.iter().fold(PLAIN, |seen, &byte| seen | PATH[usize::from(byte)]) & OTHER != PLAIN {
        return None;
    }
    let end = to.len();
    to.push(b'?');
    to.extend_from_slice(query);
    query::canonicalize(to, end + 1);
    if to.len() == end + 1 {
        to.truncate(end);
    }
    Some(())
}
