//! Makes the keys of most URLs in one pass: URLs without address, port and dot segments, and without escapes
//! in escapes.
//!
//! A URL is the beginning of a text that should go on: then whole blocks are read and written, and the bytes
//! after the URL are dropped.
//!
//! The bytes of a mapped file may change at any time: then the key has no meaning.

use alloc::vec::Vec;

use super::blocks::{Flags, each, push_lower};
use super::escapes::decode_once;
use super::query;
#[cfg(any(feature = "corpus", feature = "arrow"))]
use super::remembered::Remembered;
use crate::work::{looked_at, memchr, memchr2};

/// Returns the text after the scheme of an HTTP URL, and the length of the URL's rest. The URL has the first
/// `len` bytes of `text`.
#[inline(always)]
pub(super) fn after_scheme(text: &[u8], len: usize) -> Option<(&[u8], usize)> {
    let rest = text.strip_prefix(b"http")?;
    let rest = rest.strip_prefix(b"s").unwrap_or(rest).strip_prefix(b"://")?;
    Some((rest, len.checked_sub(text.len() - rest.len())?))
}

/// Appends the key of a URL's rest after its host, which is the first `len` bytes of `rest`. Returns `None` if
/// the URL needs more: then the key is incomplete.
#[inline(always)]
pub(super) fn push_rest(rest: &[u8], len: usize, to: &mut Vec<u8>) -> Option<()> {
    let start = to.len();
    let flags = push_path(rest, len, to);
    if flags & each(END) == 0 {
        // Most URLs end with their path.
        return finish_path(flags, start, to);
    }
    push_path_and_query(rest.get(..len)?, flags, start, to)
}

/// Appends the path of a URL and what follows it. [`push_path`] has already appended all of it as if it were a path,
/// from `start` on, and returned these flags.
#[inline(always)]
fn push_path_and_query(rest: &[u8], flags: Flags, start: usize, to: &mut Vec<u8>) -> Option<()> {
    if flags & each(MORE | PERCENT) == 0 {
        return end_path_before_query(start, to);
    }
    to.truncate(start);
    let path_len = memchr2(b'?', b'#', rest)?;
    let flags = push_path(rest, path_len, to);
    finish_path(flags, start, to)?;
    match &rest[path_len..] {
        [b'?', query @ ..] => push_query(query, to),
        _ => Some(()),
    }
}

/// Ends the path that starts at `start`, and makes the query after it canonical. Nothing else needs a change.
#[inline(always)]
fn end_path_before_query(start: usize, to: &mut Vec<u8>) -> Option<()> {
    looked_at(to.len() - start);
    let mut end = start + memchr2(b'?', b'#', &to[start..])?;
    let fragment = memchr(b'#', &to[end..]).map_or(to.len(), |at| end + at);
    to.truncate(fragment);
    if has_last_slash(&to[start..end]) {
        to.remove(end - 1);
        end -= 1;
    }
    if to.len() > end {
        finish_query(end, to);
    }
    Some(())
}

/// The last host with the slash after it, and the host's part of the key.
#[cfg(any(feature = "corpus", feature = "arrow"))]
#[derive(Clone, Debug, Default)]
pub(super) struct LastHost(Remembered);

#[cfg(any(feature = "corpus", feature = "arrow"))]
impl LastHost {
    /// Calls [`push_host`], or reuses its result if the host is the same.
    #[inline(always)]
    pub(super) fn push(&mut self, text: &[u8], len: usize, to: &mut Vec<u8>) -> Option<usize> {
        looked_at(self.0.len().min(len));
        if self.0.len() <= len && self.0.begins(text) {
            self.0.push_value(to);
            return Some(self.0.len() - 1);
        }
        self.change(&text[..len], to)
    }

    #[inline(never)]
    fn change(&mut self, text: &[u8], to: &mut Vec<u8>) -> Option<usize> {
        let start = to.len();
        let len = push_host(text, text.len(), to)?;
        self.0.set(&text[..=len], &to[start..]);
        Some(len)
    }
}

/// Appends the labels of the host that the text begins with, in reverse, and a bracket. Returns the host's
/// length, or `None` if the host needs more.
pub(super) fn push_host(text: &[u8], len: usize, to: &mut Vec<u8>) -> Option<usize> {
    let host = &text[..memchr(b'/', text.get(..len)?)?];
    let len = host.len();
    looked_at(len);
    let is_other = |byte: &u8| !(byte.is_ascii_alphanumeric() | (*byte == b'.') | (*byte == b'-'));
    // The last byte of an address is a digit.
    if host.last()?.is_ascii_digit() || host.iter().fold(false, |any, byte| any | is_other(byte)) {
        return None;
    }
    let start = to.len();
    let mut end = len;
    to.reserve(len + 1 + LABEL);
    let push_label = |at: usize, end: usize, to: &mut Vec<u8>| {
        let len = end - at;
        match text[at..].first_chunk::<LABEL>() {
            // Blocks of a fixed size need no function call.
            Some(block) if len <= LABEL => {
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
    Some(len)
}

/// The number of bytes that few labels exceed.
const LABEL: usize = 16;

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

/// Appends the first `len` bytes of `path` in lower case, and returns their flags.
#[inline(always)]
fn push_path(path: &[u8], len: usize, to: &mut Vec<u8>) -> Flags {
    looked_at(len);
    // After a slash, these bytes start a dot segment, an empty segment, or a session identifier.
    let is_to_change =
        |byte: u8, next: u8| (byte == b'/') & ((next == b'/') | (next == b'.') | (next == b'('));
    push_lower(path, len, to, |byte, next| {
        let is_end = (byte == b'?') | (byte == b'#');
        u8::from(!byte.is_ascii_graphic() | is_to_change(byte, next))
            | if byte == b'%' { PERCENT } else { 0 }
            | if is_end { END } else { 0 }
    })
}

/// Returns true if a path ends with a slash that its key lacks.
#[inline(always)]
fn has_last_slash(path: &[u8]) -> bool {
    path.len() > 1 && path.last() == Some(&b'/')
}

/// Drops the last slash of the path from `start` on, which has these flags, and decodes its escapes. Returns `None`
/// if it needs more.
#[inline(always)]
fn finish_path(flags: Flags, start: usize, to: &mut Vec<u8>) -> Option<()> {
    if has_last_slash(&to[start..]) {
        to.pop();
    }
    if flags & each(MORE | PERCENT) == 0 {
        return Some(());
    }
    if flags & each(MORE) != 0 {
        return None;
    }
    // A decoded slash may end an empty segment or a dot segment.
    let is_to_change =
        |before: u8, byte: u8| (byte == b'/') | (before == b'/') & ((byte == b'.') | (byte == b'('));
    decode_once(to, start, is_to_change)
}

#[inline(always)]
fn push_query(query: &[u8], to: &mut Vec<u8>) -> Option<()> {
    let end = to.len();
    to.push(b'?');
    let flags_of = |byte: u8, _| {
        u8::from(!byte.is_ascii_graphic())
            | if byte == b'%' { PERCENT } else { 0 }
            | if byte == b'#' { END } else { 0 }
    };
    looked_at(query.len());
    let mut flags = push_lower(query, query.len(), to, flags_of);
    if flags & each(END) != 0 {
        to.truncate(end + 1);
        let len = memchr(b'#', query)?;
        flags = push_lower(query, len, to, flags_of);
    }
    if flags & each(MORE) != 0 {
        return None;
    }
    if flags & each(PERCENT) != 0 {
        decode_once(to, end + 1, |_, _| false)?;
    }
    finish_query(end, to);
    Some(())
}

/// Makes the query canonical that starts with the `?` at `end`, the end of the path. An empty one is dropped.
#[inline(always)]
fn finish_query(end: usize, to: &mut Vec<u8>) {
    query::canonicalize(to, end + 1);
    if to.len() == end + 1 {
        to.truncate(end);
    }
}
