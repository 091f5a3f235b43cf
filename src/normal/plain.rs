//! Normal forms of plain records, those that a kernel vouches for and that have an authority: there it is a name, without userinfo, port
//! or escapes.
//!
//! All but the odd places is copied, in blocks of a fixed size; a form is never longer than its record. Tests compare it with the
//! [`Normalizer`](super::Normalizer)'s, which parses a record and writes it part by part.
//!
//! # Where the time goes
//!
//! With AVX-512, a .gov URL takes 18 ns beyond its marks if a letter changes its case, and 42 ns with three escapes at the end of its path. It does
//! not wait for memory: chunks that fit into a cache take as long. No branch depends on where a record lies in words of marks, and few on its
//! length. To write up to each mark before the next one was looked for, with windows of 64 bytes, took 30 to 40% longer. To lower letters in
//! blocks of 64 bytes instead of 16 had them compared byte by byte, and doubled the time. To have all of this within the loop over records saved nothing.

use alloc::vec::Vec;
use core::ops::Range;

use super::dots::dot_segment;
use super::escapes::Escapes;
use super::marks::{Window, first_mark};
use super::stems::{copy_block, make_room};
use crate::simd::FormMarks;
use crate::work::{looked_at, memchr3};

/// Writes the form [`Syntax`](crate::Form::Syntax) of a plain record behind the first `write` bytes, and returns whether it differs from the record.
/// If it does not, nothing is written. Returns `None`, and writes nothing, if the record has no authority, or an escape makes a dot.
///
/// The bytes of a mapped file may change at any time: then the result means nothing.
#[inline(always)]
pub(super) fn rewrite(
    escapes: Escapes,
    values: &[u8],
    Range { start, end }: Range<usize>,
    marks: &FormMarks,
    text: &mut Vec<u8>,
    write: &mut usize,
) -> Option<bool> {
    let (record, rest) = (values.get(start..end)?, values.get(start..)?);
    // That of nearly all records: the first copy is the only one that depends on their length.
    if record.len() <= Window::WIDE && rest.len() >= 2 * Window::WIDE {
        rewrite_any::<false>(escapes, record, rest, start, marks, text, write)
    } else {
        rewrite_long(escapes, record, rest, start, marks, text, write)
    }
}

#[inline(never)]
fn rewrite_long(
    escapes: Escapes,
    record: &[u8],
    rest: &[u8],
    start: usize,
    marks: &FormMarks,
    text: &mut Vec<u8>,
    write: &mut usize,
) -> Option<bool> {
    rewrite_any::<true>(escapes, record, rest, start, marks, text, write)
}

/// The same of a record from `start` on, which is `LONG`, or else no longer than a wide window, and many bytes follow it.
#[inline(always)]
fn rewrite_any<const LONG: bool>(
    escapes: Escapes,
    record: &[u8],
    rest: &[u8],
    start: usize,
    marks: &FormMarks,
    text: &mut Vec<u8>,
    write: &mut usize,
) -> Option<bool> {
    let window = Window::at(start);
    let path_start = head_end(record, start, window, marks)?;
    let has_upper = window.of(&marks.upper, path_start) != 0
        || path_start > 64 && first_mark(&marks.upper, start + 64..start + path_start).is_some();
    make_room(text, *write, if LONG { record.len() } else { Window::WIDE });
    let mut form = Copy::<LONG> { rest, to: &mut text[*write..], read: 0, dropped: 0 };
    form.go_on(0, 0);
    let mut is_changed = has_upper;
    // The form of the record up to here is known.
    let mut known = path_start;
    // The first `path` bytes have no end of a path.
    let (mut path, mut is_path) = (path_start, true);
    let mut first = 0;
    loop {
        let mut odd = Window::at(start + first).wide(&marks.odd, record.len() - first);
        while odd != 0 {
            let at = first + odd.trailing_zeros() as usize;
            odd &= odd - 1;
            if at < known {
                continue;
            }
            if record[at] == b'.' {
                is_path = is_path && !record[path..at].iter().any(|byte| matches!(byte, b'?' | b'#'));
                path = at;
                if !is_path || record[at - 1] != b'/' {
                    continue;
                }
                let Some(taken) = dot_segment(&record[at..]) else { continue };
                known = at + taken;
                form.reach(at);
                let mut len = at - form.dropped;
                // The root stays.
                let root = path_start + 1;
                if record[at..known].starts_with(b"..") && len > root {
                    let before = form.to[root..len - 1].iter().rposition(|&byte| byte == b'/');
                    len = root + before.map_or(0, |slash| slash + 1);
                }
                form.go_on(known, len);
                is_changed = true;
            } else {
                let percent = at - 2;
                // The last bytes of all are for others.
                let text = rest.get(percent..)?.first_chunk()?;
                let Some(normal) = escapes.normal_of(text, &record[percent..]) else { continue };
                if percent < known {
                    return None;
                }
                known = percent + normal.taken();
                form.reach(known);
                let mut len = percent - form.dropped;
                if normal.len() == normal.taken() {
                    is_changed |= normal.patch(text, &mut form.to[len..]);
                    continue;
                }
                if normal.is(b'.') {
                    return None;
                }
                len += normal.write(&mut form.to[len..]);
                form.go_on(known, len);
                is_changed = true;
            }
        }
        first += Window::WIDE;
        if !LONG || first >= record.len() {
            break;
        }
    }
    if !is_changed {
        return Some(false);
    }
    looked_at(record.len());
    form.reach(record.len());
    let len = record.len() - form.dropped;
    if has_upper {
        lower_first(form.to, path_start);
    }
    *write += len;
    Some(true)
}

/// A form that is being written.
///
/// Blocks are copied ahead of what is known: most records then take one copy, and what changes but stays as long is written over it.
/// Only where the form gets shorter the rest is copied again.
///
/// If it is not `LONG`, one copy takes all.
struct Copy<'a, const LONG: bool> {
    /// The record, and bytes after it.
    rest: &'a [u8],
    to: &'a mut [u8],
    /// The record up to here is copied, or dropped.
    read: usize,
    /// The bytes that are dropped.
    dropped: usize,
}

impl<const LONG: bool> Copy<'_, LONG> {
    /// Has at least so many bytes of the record be copied, of those that are not dropped.
    #[inline(always)]
    fn reach(&mut self, end: usize) {
        while LONG && self.read < end {
            self.go_on(self.read, self.read - self.dropped);
        }
    }

    /// Copies a block of the record from the byte `read` on behind the first `len` bytes of the form.
    #[inline(always)]
    fn go_on(&mut self, read: usize, len: usize) {
        self.dropped = read - len;
        let copied = copy_block(&self.rest[read..], &mut self.to[len..]);
        looked_at(copied);
        self.read = read + copied;
    }
}

/// The end of the scheme and the authority, with their delimiters; `None` if there is no authority, or the scheme is long.
#[inline(always)]
fn head_end(record: &[u8], start: usize, window: Window, marks: &FormMarks) -> Option<usize> {
    /// The bit in which letters of either case differ, and which `:` and `/` have, eight times.
    const LOWER: u64 = u64::from_ne_bytes([0x20; 8]);
    const HTTPS: u64 = u64::from_le_bytes(*b"https://");
    const HTTP: u64 = u64::from_le_bytes(*b"\0http://");

    let first = u64::from_le_bytes(*record.first_chunk()?) | LOWER;
    let host_start = if first == HTTPS {
        8
    } else if first << 8 == HTTP {
        7
    } else {
        other_host_start(record)?
    };
    if marks.heads.is_empty() {
        let host = record.get(host_start..)?;
        return Some(memchr3(b'/', b'?', b'#', host).map_or(record.len(), |len| host_start + len));
    }
    let near = window.of(&marks.heads, record.len());
    let end = if near != 0 {
        near.trailing_zeros() as usize
    } else {
        first_mark(&marks.heads, start + host_start..start + record.len())
            .map_or(record.len(), |at| at - start)
    };
    // A head ends behind its host, unless bytes have changed.
    (end >= host_start).then_some(end)
}

/// The start of the host after any scheme.
#[inline(never)]
fn other_host_start(record: &[u8]) -> Option<usize> {
    let colon = record.iter().take(LONGEST).position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'))?;
    record[colon..].starts_with(b"://").then_some(colon + 3)
}

/// The bytes of a scheme that is looked for here.
const LONGEST: usize = 16;

/// Has the letters among the first bytes be in lower case.
#[inline(always)]
fn lower_first(text: &mut [u8], len: usize) {
    /// As many as every machine can compare at once. With more in one loop, compilers compare them one by one.
    const BLOCK: usize = 16;
    /// Blocks that are always gone through: nearly always, their number is known then.
    const USUAL: usize = 3;
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
    for (index, block) in blocks.iter_mut().take(len.div_ceil(BLOCK).max(USUAL)).enumerate() {
        let counted = COUNTED[BLOCK - len.saturating_sub(index * BLOCK).min(BLOCK)..].first_chunk::<BLOCK>();
        for (byte, counted) in block.iter_mut().zip(counted.into_iter().flatten()) {
            *byte |= u8::from(byte.is_ascii_uppercase()) << 5 & counted;
        }
    }
}
