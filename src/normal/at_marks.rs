//! Normal forms of records that a kernel accepts and that have an authority, which is then a name, without
//! userinfo, port or escapes.
//!
//! All bytes except the marks are copied, in blocks of a fixed size; a form is never longer than its record.
//! Tests compare the form with the form by the [`Normalizer`](super::Normalizer), which parses a record and
//! writes it part by part.
//!
//! # Where the time goes
//!
//! With AVX-512, a .gov URL takes, in addition to the time for its marks, 18 ns if a letter changes its case,
//! and 33 ns with three escapes at the end of its path. The time is not spent waiting for memory: chunks that
//! fit into a cache take as long. No branch depends on the position of a record in the words of marks, and
//! few depend on its length.
//!
//! These functions are compiled for the features of each backend ([`run`](crate::simd::run)), which saves a
//! twelfth of the time of dot segments. All of them are inlined: a function or a closure that is not inlined
//! is compiled for every machine.
//!
//! Tried and slower: writing up to each mark before searching the next one, with windows of 64 bytes, took 30
//! to 40% longer. Inlining all of this into the loop over records, without the features, saved nothing. Marks
//! of their own for escapes whose digits only become upper case, which were then raised two bytes at a time,
//! saved nothing in lists of escapes, and cost lists of dot segments 8% of their time. Asking first whether a
//! mark belongs to an escape or to a dot, with one load, saved nothing either.

use alloc::vec::Vec;
use core::ops::Range;

use super::dots::dot_segment;
use super::escapes::Triplets;
use super::marks::{Window, first_mark};
use super::stems::{copy, copy_block, make_room};
use crate::simd::FormMarks;
use crate::work::{looked_at, memchr3};

/// Writes the form [`Syntax`](crate::NormalForm::Syntax) of such a record after the first `write` bytes of
/// `text`, and returns whether it differs from the record. If it does not, `write` stays. Returns `None`, and
/// `write` stays, if this function cannot make the form: if the record has no authority, if an escape makes a
/// dot, or in rare other cases.
///
/// The bytes of a mapped file may change at any time: then the result has no meaning.
#[inline(always)]
pub(super) fn rewrite(
    escapes: Triplets,
    values: &[u8],
    Range { start, end }: Range<usize>,
    marks: &FormMarks,
    text: &mut Vec<u8>,
    write: &mut usize,
) -> Option<bool> {
    let (record, rest) = (values.get(start..end)?, values.get(start..)?);
    // Nearly all records are this short, and one copy takes them whole.
    if record.len() <= Window::WIDE && rest.len() >= 2 * Window::WIDE {
        rewrite_any::<false>(escapes, record, rest, start, marks, text, write)
    } else {
        rewrite_any::<true>(escapes, record, rest, start, marks, text, write)
    }
}

/// [`rewrite`], for a record that begins at byte `start` of the values. `rest` has the record and all bytes
/// after it. Without `LONG`, the record must fit into a wide window, and `rest` must have the bytes of two.
#[inline(always)]
fn rewrite_any<const LONG: bool>(
    escapes: Triplets,
    record: &[u8],
    rest: &[u8],
    start: usize,
    marks: &FormMarks,
    text: &mut Vec<u8>,
    write: &mut usize,
) -> Option<bool> {
    let window = Window::at(start);
    let path_start = head_end(record, start, window, marks)?;
    let upper = window.of(&marks.upper, path_start);
    let is_head_long = path_start > 64;
    let has_upper =
        upper != 0 || is_head_long && first_mark(&marks.upper, start + 64..start + path_start).is_some();
    make_room(text, *write, if LONG { record.len() } else { Window::WIDE });
    let mut form = Copy::<LONG> { len: record.len(), rest, to: &mut text[*write..], read: 0, dropped: 0 };
    form.go_on(0, 0);
    let mut is_changed = has_upper;
    // The bytes of the record whose form is known.
    let mut known = path_start;
    // The first `path` bytes have no end of a path.
    let (mut path, mut is_path) = (path_start, true);
    let mut first = 0;
    loop {
        let mut marked = Window::at(start + first).wide(&marks.dots_and_digits, record.len() - first);
        while marked != 0 {
            let at = first + marked.trailing_zeros() as usize;
            marked &= marked - 1;
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
                // If no byte follows the escape, another function makes the form.
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
        lower_marked(form.to, upper);
        if is_head_long {
            form.to[64..path_start].make_ascii_lowercase();
        }
    }
    *write += len;
    Some(true)
}

/// The writer of a form.
///
/// Blocks of the record are copied before their form is known: most records then take one copy, and changes
/// that keep the length overwrite it. Only if the form gets shorter, the rest of the record is copied again.
///
/// Without `LONG`, one copy takes the whole record.
struct Copy<'a, const LONG: bool> {
    /// The bytes of the record.
    len: usize,
    /// The record, and bytes after it.
    rest: &'a [u8],
    to: &'a mut [u8],
    /// The bytes of the record that are copied or dropped.
    read: usize,
    /// The number of bytes that are dropped.
    dropped: usize,
}

impl<const LONG: bool> Copy<'_, LONG> {
    /// Copies blocks until the first `end` bytes of the record are copied or dropped.
    #[inline(always)]
    fn reach(&mut self, end: usize) {
        while LONG && self.read < end {
            self.go_on(self.read, self.read - self.dropped);
        }
    }

    /// Copies a block of the record, from the byte `read` on, after the first `len` bytes of the form.
    #[inline(always)]
    fn go_on(&mut self, read: usize, len: usize) {
        self.dropped = read - len;
        if !LONG && read > 0 {
            // Most changes are near the end, and one block takes the rest.
            copy(&self.rest[read..], &mut self.to[len..], self.len - read);
            looked_at(self.len - read);
            self.read = self.len;
            return;
        }
        let copied = copy_block(&self.rest[read..], &mut self.to[len..]);
        looked_at(copied);
        self.read = read + copied;
    }
}

/// Returns the end of the scheme and the authority, with their delimiters, or `None` if the record has no
/// authority or a long scheme.
#[inline(always)]
fn head_end(record: &[u8], start: usize, window: Window, marks: &FormMarks) -> Option<usize> {
    /// The bit in which upper-case and lower-case letters differ, and which is set in `:` and `/`, for eight
    /// bytes.
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
    // A head ends after the start of its host, unless bytes have changed.
    (end >= host_start).then_some(end)
}

/// Returns the start of the host after any scheme of less than [`LONGEST`] bytes.
#[inline(never)]
fn other_host_start(record: &[u8]) -> Option<usize> {
    let colon = record.iter().take(LONGEST).position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'))?;
    record[colon..].starts_with(b"://").then_some(colon + 3)
}

/// The number of bytes in which the colon of a scheme is searched.
const LONGEST: usize = 16;

/// Changes the marked letters among the first 64 bytes to lower case.
///
/// Eight marks select a number that sets the right bits of eight bytes. Loops over bytes are vectorised by
/// some compilers, and by others only for some processors: then they take twice as long.
#[inline(always)]
fn lower_marked(text: &mut [u8], marks: u64) {
    /// The bit that makes a letter lower case, in each byte whose mark is set.
    static LOWER: [u64; 256] = {
        let mut lower = [0; 256];
        let mut marks = 0;
        while marks < 256 {
            let mut at = 0;
            while at < 8 {
                lower[marks] |= (0x20 * (marks as u64 >> at & 1)) << (8 * at);
                at += 1;
            }
            marks += 1;
        }
        lower
    };
    let (words, _) = text.as_chunks_mut::<8>();
    for (word, marks) in words.iter_mut().zip(marks.to_le_bytes()) {
        *word = (u64::from_le_bytes(*word) | LOWER[usize::from(marks)]).to_le_bytes();
    }
}
