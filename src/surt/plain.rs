//! URLs as most are: nothing is escaped, no address, no port, no dot segment. Their key is made in one pass.

use alloc::vec::Vec;

use super::escapes::is_escaped;
use super::query;
use crate::work::{looked_at, memchr, memchr3};

/// The bytes that are looked at together: as many as every machine can compare at once.
const BLOCK: usize = 16;

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
    // After a slash they make a dot segment, an empty one, or a session identifier.
    let is_odd = |byte: u8, next: u8| {
        is_escaped(byte) | (byte == b'/') & ((next == b'/') | (next == b'.') | (next == b'('))
    };
    let (head, next) = (&path[..path.len() - 1], &path[1..]);
    if any(head, next, is_odd) || is_escaped(*path.last()?) {
        return None;
    }
    let path = if path.len() > 1 { path.strip_suffix(b"/").unwrap_or(path) } else { path };
    push_lower(path, to);
    Some(())
}

/// Whether any byte of the first text is such, given the byte at its place in the second one, which is as long.
#[inline(always)]
fn any(text: &[u8], other: &[u8], is_such: impl Fn(u8, u8) -> bool) -> bool {
    let of_block = |block: &[u8; BLOCK], other: &[u8; BLOCK]| {
        block.iter().zip(other).fold(0, |any, (&byte, &other)| any | u8::from(is_such(byte, other)))
    };
    match (text.last_chunk::<BLOCK>(), other.last_chunk::<BLOCK>()) {
        (Some(last), Some(last_other)) => {
            // The last block may have bytes of the block before.
            let blocks = text.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
            let any =
                blocks.fold(of_block(last, last_other), |any, (block, other)| any | of_block(block, other));
            any != 0
        }
        _ => text.iter().zip(other).fold(false, |any, (&byte, &other)| any | is_such(byte, other)),
    }
}

/// Appends the text with its letters in lower case.
#[inline(always)]
fn push_lower(text: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    to.extend_from_slice(text);
    let lower = &mut to[start..];
    match (text.last_chunk::<BLOCK>(), lower.len().checked_sub(BLOCK)) {
        (Some(last), Some(last_at)) => {
            let blocks = lower.as_chunks_mut::<BLOCK>().0.iter_mut().zip(text.as_chunks::<BLOCK>().0);
            blocks.for_each(|(lower, block)| *lower = block.map(|byte| byte.to_ascii_lowercase()));
            lower[last_at..].copy_from_slice(&last.map(|byte| byte.to_ascii_lowercase()));
        }
        _ => lower.make_ascii_lowercase(),
    }
}

fn push_query(query: &[u8], to: &mut Vec<u8>) -> Option<()> {
    looked_at(query.len());
    let query = &query[..memchr(b'#', query).unwrap_or(query.len())];
    if any(query, query, |byte, _| is_escaped(byte)) {
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
