//! The bytes that a normal form may change: a pass over bytes that knows nothing of records.
//!
//! A mark says "check this byte", never what to write. Bytes without a mark are the same in the normal form of each valid record, unless this
//! depends on the record's borders: see [`normal::bulk`](crate::normal). The normal form need not change a marked byte.
//!
//! ```text
//! upper    A-Z                                           in a scheme or host they become lower case
//! odd      a dot after a slash, a colon or an LF         perhaps a dot segment
//!          the last digit of an escape that
//!            has a digit from a to f                     becomes upper case
//!            is %2D, %2E, %30 to %39, or %4x to %7x      perhaps the escape of an unreserved character
//! ```
//!
//! In lines, letters are marked only in the head. The head of a line ends at the first `?` or `#`, at the first slash that follows no slash,
//! colon or LF, or at the first slash that follows two slashes. All schemes and hosts are in heads. The byte at which a head ends has a mark in
//! `heads`.

use alloc::vec::Vec;

use super::form_escapes::{Marked, last_digits};
use super::mask_structs::GROUP;
use super::vector::{BLOCK, Vector, Words};

/// Marks, a bit for each byte, 64 a word.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormMarks {
    pub(crate) upper: Vec<u64>,
    pub(crate) odd: Vec<u64>,
    /// The ends of the heads, if the bytes are lines; else empty.
    pub(crate) heads: Vec<u64>,
}

/// Marks these bytes. The marks replace the contents of `marks`.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(super) unsafe fn mark_forms<V: Vector>(values: &[u8], marked: Marked, marks: &mut FormMarks) {
    let words = values.len().div_ceil(BLOCK);
    marks.upper.resize(words, 0);
    marks.odd.resize(words, 0);
    marks.heads.resize(if marked.are_lines { words } else { 0 }, 0);
    let mut before =
        Before { delimiter: LINE_START, newline: LINE_START, slash: 0, two_slashes: 0, head: 0, percent: 0 };
    // If many blocks have escapes, examining each block is faster than predicting which ones have.
    let mut are_escapes_many = false;
    for (number, group) in values.chunks(GROUP * BLOCK).enumerate() {
        let first = number * GROUP;
        let words = first..first + group.len().div_ceil(BLOCK);
        let heads = marks.heads.get_mut(words.clone()).unwrap_or_default();
        let (upper, odd) = (&mut marks.upper[words.clone()], &mut marks.odd[words]);
        let mut heads = heads.iter_mut();
        let mut blocks_with_escapes = 0;
        let (blocks, last) = group.as_chunks::<BLOCK>();
        // No closure, since a closure would not have the features.
        for (i, (upper, odd)) in upper.iter_mut().zip(odd).enumerate() {
            let (start, percent_before) = ((first + i) * BLOCK, before.percent);
            let head_end;
            // SAFETY: the caller promises the features.
            unsafe {
                let vector = match blocks.get(i) {
                    Some(block) => V::load(block),
                    None => V::load_last(last),
                };
                (*upper, *odd, head_end) = before.block(vector, marked);
                // Most blocks have no escape, and no escape of the block before goes on in them.
                if before.percent | percent_before >> 62 != 0 || are_escapes_many {
                    *odd |= escapes_from::<V>(values, start, marked);
                }
            }
            blocks_with_escapes += usize::from(before.percent != 0);
            if let Some(heads) = heads.next() {
                *heads = head_end;
            }
        }
        are_escapes_many = blocks_with_escapes >= GROUP / 8;
    }
}

/// Returns the last digits of the escapes that may change in the block that starts at this byte.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
unsafe fn escapes_from<V: Vector>(values: &[u8], start: usize, marked: Marked) -> u64 {
    let copy;
    let window = match start.checked_sub(2).and_then(|before| values.get(before..)?.first_chunk()) {
        Some(window) => window,
        None => {
            copy = border(values, start);
            &copy
        }
    };
    // SAFETY: the caller promises the features.
    unsafe { last_digits::<V>(window, marked) }
}

/// Returns the window of the first or the last block.
#[cold]
#[inline(never)]
fn border(values: &[u8], start: usize) -> [u8; BLOCK + 2] {
    let mut window = [0; BLOCK + 2];
    let first = start.saturating_sub(2);
    let bytes = &values[first..values.len().min(start + BLOCK)];
    window[2 - (start - first)..][..bytes.len()].copy_from_slice(bytes);
    window
}

/// The state between blocks: the masks of the block before.
struct Before {
    /// Slashes, colons and LFs.
    delimiter: u64,
    newline: u64,
    slash: u64,
    /// Slashes after a slash.
    two_slashes: u64,
    /// 1 if a head goes on.
    head: u64,
    /// The `%`.
    percent: u64,
}

/// The mask of a block whose last byte ends a line.
const LINE_START: u64 = 1 << 63;

impl Before {
    /// Returns the words of `upper`, `odd` and `heads` for one block, without the marks of escapes.
    #[inline(always)]
    unsafe fn block<V: Vector>(&mut self, vector: V, marked: Marked) -> (u64, u64, u64) {
        // SAFETY: the caller promises the features.
        unsafe {
            let mut upper = vector.at_least::<b'A'>() & !vector.at_least::<b'['>();
            let (slash, newline) = (vector.eq(b'/'), vector.eq(b'\n'));
            let behind_delimiter = (slash | newline | vector.eq(b':')).advance(&mut self.delimiter);
            let behind_slash = slash.advance(&mut self.slash);
            let mut heads = 0;
            if marked.are_lines {
                let two = slash & behind_slash;
                let third = slash & two.advance(&mut self.two_slashes);
                let within =
                    !(slash & !behind_delimiter | third | newline | vector.eq(b'?') | vector.eq(b'#'));
                let start = newline.advance(&mut self.newline);
                let sum = start.add(within, &mut self.head);
                upper &= within & !sum;
                heads = sum & !within;
            }
            self.percent = vector.eq(b'%');
            (upper, vector.eq(b'.') & behind_delimiter, heads)
        }
    }
}
