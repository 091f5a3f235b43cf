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

use super::form_escapes::{Escapes, Marked};
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
    let mut heads = marks.heads.iter_mut();
    let mut before = Before {
        delimiter: LINE_START,
        newline: LINE_START,
        slash: 0,
        two_slashes: 0,
        head: 0,
        escapes: Escapes::default(),
    };
    let (blocks, last) = values.as_chunks::<BLOCK>();
    // No closure, since a closure would not have the features.
    for ((block, upper), odd) in blocks.iter().zip(&mut marks.upper).zip(&mut marks.odd) {
        let head_end;
        // SAFETY: the caller promises the features.
        (*upper, *odd, head_end) = unsafe { before.block(V::load(block), marked) };
        if let Some(heads) = heads.next() {
            *heads = head_end;
        }
    }
    if !last.is_empty() {
        let head_end;
        // SAFETY: the caller promises the features.
        (marks.upper[words - 1], marks.odd[words - 1], head_end) =
            unsafe { before.block(V::load_last(last), marked) };
        if let Some(heads) = heads.next() {
            *heads = head_end;
        }
    }
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
    escapes: Escapes,
}

/// The mask of a block whose last byte ends a line.
const LINE_START: u64 = 1 << 63;

impl Before {
    /// Returns the words of `upper`, `odd` and `heads` for one block.
    #[inline(always)]
    unsafe fn block<V: Vector>(&mut self, vector: V, marked: Marked) -> (u64, u64, u64) {
        // SAFETY: the caller promises the features.
        unsafe {
            let mut upper = vector.at_least::<b'A'>() & !vector.at_least::<b'['>();
            let (slash, newline) = (vector.eq(b'/'), vector.eq(b'\n'));
            let behind_delimiter = (slash | newline | vector.eq(b':')).advance(&mut self.delimiter);
            let behind_slash = slash.advance(&mut self.slash);
            let mut odd = vector.eq(b'.') & behind_delimiter;
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
            let percent = vector.eq(b'%');
            // Most blocks have no escape, and no escape of the block before goes on in them.
            if percent != 0 || self.escapes.go_on() {
                odd |= self.escapes.block(vector, percent, marked);
            } else {
                self.escapes = Escapes::default();
            }
            (upper, odd, heads)
        }
    }
}
