//! Normal forms of plain records, those that a kernel vouches for and that have an authority: there it is a name, without userinfo, port
//! or escapes.
//!
//! All but the odd places is copied, in blocks of a fixed size; a form is never longer than its record. Tests compare it with the
//! [`Normalizer`](super::Normalizer)'s, which parses a record and writes it part by part.

use alloc::vec::Vec;
use core::ops::Range;

use super::dots::dot_segment;
use super::escapes::Escapes;
use super::marks::{first_mark, window};
use super::stems::{copy, make_room};
use crate::simd::FormMarks;
use crate::work::{looked_at, memchr3};

/// Writes the form [`Syntax`](crate::Form::Syntax) of a plain record behind the first `write` bytes, and returns whether it differs from the record.
/// If it does not, nothing is written. Returns `None`, and writes nothing, if the record has no authority, or an escape makes a dot.
///
/// The bytes of a mapped file may change at any time: then the result means nothing.
#[inline]
pub(super) fn rewrite(
    escapes: Escapes,
    values: &[u8],
    Range { start, end }: Range<usize>,
    marks: &FormMarks,
    text: &mut Vec<u8>,
    write: &mut usize,
) -> Option<bool> {
    let (record, rest) = (values.get(start..end)?, values.get(start..)?);
    let path_start = head_end(record, start, marks)?;
    let has_upper = first_mark(&marks.upper, start..start + path_start).is_some();
    make_room(text, *write, record.len());
    let to = &mut text[*write..];
    // The record up to `read` is written, in `len` bytes.
    let (mut read, mut len) = (0, 0);
    // The first `path` bytes have no end of a path.
    let (mut path, mut is_path) = (path_start, true);
    let mut first = path_start;
    while first < record.len() {
        let mut odd = window(&marks.odd, start + first..end);
        while odd != 0 {
            let at = first + odd.trailing_zeros() as usize;
            odd &= odd - 1;
            if at < read {
                continue;
            }
            if record[at] == b'.' {
                is_path = is_path && !record[path..at].iter().any(|byte| matches!(byte, b'?' | b'#'));
                path = at;
                if !is_path || record[at - 1] != b'/' {
                    continue;
                }
                let Some(taken) = dot_segment(&record[at..]) else { continue };
                copy(&rest[read..], &mut to[len..], at - read);
                len += at - read;
                read = at + taken;
                // The root stays.
                let root = path_start + 1;
                if record[at..read].starts_with(b"..") && len > root {
                    let before = to[root..len - 1].iter().rposition(|&byte| byte == b'/');
                    len = root + before.map_or(0, |slash| slash + 1);
                }
            } else {
                let percent = if record[at - 1] == b'%' { at - 1 } else { at - 2 };
                let escape = &record[percent..];
                let Some(normal) = escapes.normal(escape) else { continue };
                if percent < read || normal.is(b'.') {
                    return None;
                }
                if normal.is_start_of(escape) {
                    continue;
                }
                copy(&rest[read..], &mut to[len..], percent - read);
                len += percent - read;
                len += normal.write(&mut to[len..]);
                read = percent + normal.taken();
            }
        }
        first += 64;
    }
    if read == 0 && !has_upper {
        return Some(false);
    }
    looked_at(2 * record.len());
    copy(&rest[read..], &mut to[len..], record.len() - read);
    len += record.len() - read;
    if has_upper {
        lower_first(to, path_start);
    }
    *write += len;
    Some(true)
}

/// The end of the scheme and the authority, with their delimiters; `None` if there is no authority, or the scheme is long.
#[inline(always)]
fn head_end(record: &[u8], start: usize, marks: &FormMarks) -> Option<usize> {
    /// The same byte eight times.
    const fn eight(byte: u8) -> u64 {
        u64::from_ne_bytes([byte; 8])
    }
    let first = u64::from_le_bytes(*record.first_chunk()?);
    // The lowest bit that is set is that of the first such byte.
    let equal = |byte: u8| {
        let zero_if_equal = first ^ eight(byte);
        zero_if_equal.wrapping_sub(eight(1)) & !zero_if_equal & eight(0x80)
    };
    let delimiters = equal(b':') | equal(b'/') | equal(b'?') | equal(b'#');
    let colon = delimiters.trailing_zeros() as usize / 8;
    let host = record.get(colon..)?.strip_prefix(b"://")?;
    let host_start = colon + 3;
    let found = if marks.heads.is_empty() {
        memchr3(b'/', b'?', b'#', host).map(|len| host_start + len)
    } else {
        first_mark(&marks.heads, start + host_start..start + record.len()).map(|at| at - start)
    };
    Some(found.unwrap_or(record.len()))
}

/// Has the letters among the first bytes be in lower case.
#[inline(always)]
fn lower_first(text: &mut [u8], len: usize) {
    /// As many as every machine can compare at once.
    const BLOCK: usize = 16;
    /// Ones for the bytes of a block that count, zeros for those after them.
    static COUNTED: [u8; 2 * BLOCK] = {
        let mut counted = [0; 2 * BLOCK];
        let mut at = 0;
        while at < BLOCK {
            counted[at] = !0;
            at += 1;
        }
        counted
    };
    let (blocks, _) = text.as_chunks_mut::<BLOCK>();
    for (index, block) in blocks.iter_mut().take(len.div_ceil(BLOCK)).enumerate() {
        let counted = COUNTED[BLOCK - (len - index * BLOCK).min(BLOCK)..].first_chunk::<BLOCK>();
        let lower = block.map(|byte| byte.to_ascii_lowercase());
        if let Some(counted) = counted {
            *block = core::array::from_fn(|at| block[at] | lower[at] & counted[at]);
        }
    }
}
