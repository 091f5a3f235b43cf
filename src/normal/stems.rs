//! Beginnings of a base, with which targets begin, and functions that copy them.
//!
//! Bytes are copied in blocks of a fixed size if source and destination have a whole block; the next copy
//! overwrites the surplus.

use alloc::vec::Vec;

use super::base::Base;
use super::dots::has_dot_segments;
use crate::work::{looked_at, memrchr};

/// The bytes of a copy. Copies of a constant size need no function call.
const BLOCK: usize = 64;

/// Beginnings of targets, followed by bytes that may be copied, too.
#[derive(Clone, Debug, Default)]
pub(super) struct Stems {
    pub(super) base: Vec<u8>,
    /// The base up to its directory.
    pub(super) directory: Vec<u8>,
    /// The end of the scheme and its colon. The next three fields are the start and the end of the path, and
    /// the end of the query.
    pub(super) scheme: usize,
    pub(super) path_start: usize,
    pub(super) path_end: usize,
    pub(super) query_end: usize,
    /// The end of the directory, if references without a root can be appended to it: if it has no dot
    /// segments, and follows an authority.
    pub(super) directory_end: Option<usize>,
}

impl Stems {
    pub(super) fn set(&mut self, base: &Base<'_>) {
        let components = &base.components;
        self.scheme = components.scheme().map_or(0, |scheme| scheme.end + 1);
        self.path_start = components.path_start as usize;
        self.path_end = components.path_end as usize;
        self.query_end = components.query_end as usize;
        let directory = base.directory(b"/");
        let end = self.path_start + directory.len();
        let is_simple = components.authority().is_some() && !has_dot_segments(directory);
        self.directory_end = is_simple.then_some(end);
        let parts: [(&mut Vec<u8>, [&[u8]; 2]); 2] = [
            (&mut self.base, [&base.uri[..self.query_end], b""]),
            (&mut self.directory, [&base.uri[..self.path_start], directory]),
        ];
        for (stem, [head, tail]) in parts {
            stem.clear();
            stem.extend_from_slice(head);
            stem.extend_from_slice(tail);
            stem.resize(stem.len().next_multiple_of(BLOCK), 0);
        }
        looked_at(2 * base.uri.len());
    }

    /// Returns the end of the directory that is `steps` steps up.
    pub(super) fn up(&self, mut end: usize, steps: usize) -> usize {
        // The root stays.
        let root = self.path_start + 1;
        for _ in 0..steps {
            if end <= root {
                break;
            }
            end = root + memrchr(b'/', &self.directory[root..end - 1]).map_or(0, |slash| slash + 1);
        }
        end
    }
}

/// Copies the first `len` bytes, and perhaps bytes after them.
#[inline(always)]
pub(super) fn copy(from: &[u8], to: &mut [u8], len: usize) {
    match (from.first_chunk::<BLOCK>(), to.first_chunk_mut::<BLOCK>()) {
        (Some(from), Some(to)) if len <= BLOCK => {
            *to = *from;
            return;
        }
        _ => {}
    }
    match (from.first_chunk::<{ 2 * BLOCK }>(), to.first_chunk_mut::<{ 2 * BLOCK }>()) {
        (Some(from), Some(to)) if len <= 2 * BLOCK => *to = *from,
        _ => {
            let len = len.min(from.len());
            to[..len].copy_from_slice(&from[..len]);
        }
    }
}

/// Copies two blocks, or all bytes if either side has less, and returns the number of copied bytes.
#[inline(always)]
pub(super) fn copy_block(from: &[u8], to: &mut [u8]) -> usize {
    match (from.first_chunk::<{ 2 * BLOCK }>(), to.first_chunk_mut::<{ 2 * BLOCK }>()) {
        (Some(from), Some(to)) => {
            *to = *from;
            2 * BLOCK
        }
        _ => copy_all(from, to),
    }
}

/// Copies as many bytes as both sides have. This is a separate function because compilers would merge both
/// copies into one of a variable size.
#[cold]
#[inline(never)]
fn copy_all(from: &[u8], to: &mut [u8]) -> usize {
    let len = from.len().min(to.len());
    to[..len].copy_from_slice(&from[..len]);
    len
}

/// Makes room for `len` bytes and two blocks after the first `write` bytes. The room is filled only once, and
/// can be overwritten again and again.
#[inline(always)]
pub(super) fn make_room(text: &mut Vec<u8>, write: usize, len: usize) {
    let room = len + 2 * BLOCK;
    if text.len() - write < room {
        text.resize(2 * text.len() + room, 0);
        looked_at(text.len());
    }
}
