//! Makes the keys of most URLs in one pass: URLs without address, port and dot segments, and without escapes
//! that keys lack.
//!
//! The bytes of a mapped file may change at any time: then the key has no meaning.

use alloc::vec::Vec;

use super::blocks::{BLOCK, flags, push_lower};
use super::escapes::are_kept;
use super::query;
use crate::work::{looked_at, memchr, memchr2};

/// Appends the key. Returns `None` if the URL needs more: then the key is missing or incomplete. `push_host`
/// gets the text from the host on, appends the host's part of the key, and returns the host's length.
#[inline]
pub(super) fn push(
    uri: &[u8],
    to: &mut Vec<u8>,
    push_host: impl FnOnce(&[u8], &mut Vec<u8>) -> Option<usize>,
) -> Option<()> {
    let rest = uri.strip_prefix(b"http")?;
    let rest = rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")?;
    to.reserve(uri.len() + BLOCK);
    let host_len = push_host(rest, to)?;
    let rest = rest.get(host_len..)?;
    match path_flags(rest)? {
        // Most URLs end with their path.
        flags if flags & END == 0 => push_path(rest, flags, to),
        _ => {
            let (path, rest) = rest.split_at(memchr2(b'?', b'#', rest)?);
            push_path(path, path_flags(path)?, to)?;
            match rest {
                [b'?', query @ ..] => push_query(query, to),
                _ => Some(()),
            }
        }
    }
}

/// The last host, and its part of the key: equal hosts often follow each other.
#[cfg(any(feature = "corpus", feature = "arrow"))]
#[derive(Clone, Debug, Default)]
pub(super) struct LastHost {
    host: Vec<u8>,
    /// The host's part of the key. Empty if the host needs more.
    key: Vec<u8>,
}

#[cfg(any(feature = "corpus", feature = "arrow"))]
impl LastHost {
    /// Calls [`push_host`], or reuses its result if the host is the same.
    #[inline]
    pub(super) fn push(&mut self, text: &[u8], to: &mut Vec<u8>) -> Option<usize> {
        let len = self.host.len();
        looked_at(len);
        if text.get(len) != Some(&b'/') || text[..len] != self.host {
            self.change(text)?;
        }
        to.extend_from_slice(&self.key);
        (!self.key.is_empty()).then_some(self.host.len())
    }

    #[inline(never)]
    fn change(&mut self, text: &[u8]) -> Option<()> {
        let len = memchr(b'/', text)?;
        self.host.clear();
        self.host.extend_from_slice(&text[..len]);
        self.key.clear();
        if push_labels(&self.host, len, &mut self.key).is_none() {
            self.key.clear();
        }
        Some(())
    }
}

/// Appends the labels of the host that the text begins with, in reverse, and a bracket. Returns the host's
/// length, or `None` if the host needs more.
pub(super) fn push_host(text: &[u8], to: &mut Vec<u8>) -> Option<usize> {
    let len = memchr(b'/', text)?;
    push_labels(text, len, to)?;
    Some(len)
}

/// [`push_host`], for a host of this length.
fn push_labels(text: &[u8], len: usize, to: &mut Vec<u8>) -> Option<()> {
    let host = text.get(..len)?;
    looked_at(len);
    let flags_of = |byte: u8, _| u8::from(!(byte.is_ascii_alphanumeric() | (byte == b'.') | (byte == b'-')));
    // The last byte of an address is a digit.
    if host.last()?.is_ascii_digit() || flags(host, host, flags_of) != 0 {
        return None;
    }
    let start = to.len();
    let mut end = len;
    let push_label = |at: usize, end: usize, to: &mut Vec<u8>| {
        let len = end - at;
        match text[at..].first_chunk::<BLOCK>() {
            // Blocks of a fixed size need no function call.
            Some(block) if len <= BLOCK => {
                let label = to.len();
                to.extend_from_slice(block);
                to.truncate(label + len);
            }
            _ => to.extend_from_slice(&text[at..end]),
        }
        to.push(b',');
        (len > 0).then_some(())
    };
    for at in (0..len).rev() {
        if host[at] == b'.' {
            push_label(at + 1, end, to)?;
            end = at;
        }
    }
    if end == len || !is_www(&host[..end]) {
        push_label(0, end, to)?;
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

/// The flag of bytes after which a path needs more.
const MORE: u8 = 1;
/// The flag of `%`.
const PERCENT: u8 = 2;
/// The flag of `?` and `#`.
const END: u8 = 4;

/// Returns the flags of the bytes of a path and what follows it, or `None` if there are no bytes.
fn path_flags(path: &[u8]) -> Option<u8> {
    looked_at(path.len());
    // After a slash, these bytes start a dot segment, an empty segment, or a session identifier.
    let is_to_change =
        |byte: u8, next: u8| (byte == b'/') & ((next == b'/') | (next == b'.') | (next == b'('));
    let flags_of = |byte: u8, next: u8| {
        let is_end = (byte == b'?') | (byte == b'#');
        u8::from(!byte.is_ascii_graphic() | is_to_change(byte, next))
            | u8::from(byte == b'%') << 1
            | u8::from(is_end) << 2
    };
    let (&last, head) = path.split_last()?;
    Some(flags(head, &path[1..], flags_of) | flags_of(last, 0))
}

/// Appends a path with these flags.
fn push_path(path: &[u8], flags: u8, to: &mut Vec<u8>) -> Option<()> {
    if flags & MORE != 0 || flags & PERCENT != 0 && !are_kept(path) {
        return None;
    }
    looked_at(path.len());
    let path = if path.len() > 1 { path.strip_suffix(b"/").unwrap_or(path) } else { path };
    push_lower(path, to);
    Some(())
}

fn push_query(query: &[u8], to: &mut Vec<u8>) -> Option<()> {
    looked_at(query.len());
    let query = &query[..memchr(b'#', query).unwrap_or(query.len())];
    let flags_of = |byte: u8, _| u8::from(!byte.is_ascii_graphic()) | u8::from(byte == b'%') << 1;
    let flags = flags(query, query, flags_of);
    if flags & MORE != 0 || flags & PERCENT != 0 && !are_kept(query) {
        return None;
    }
    let end = to.len();
    to.push(b'?');
    push_lower(query, to);
    query::canonicalize(to, end + 1);
    if to.len() == end + 1 {
        to.truncate(end);
    }
    Some(())
}
