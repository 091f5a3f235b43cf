//! The digits of escapes that a normal form may change.
//!
//! Each escape has one mark, at its last digit, so that the readers of the marks need not search its start.
//!
//! Tried and slower: always to process the block after one with an escape, so that fewer branches are
//! predicted wrongly. This saved nothing in lists with an escape in each record, and cost other lists 8% of
//! the time for their marks.

use crate::simd::block::classify::products;
use crate::simd::block::vector::{BLOCK, NibbleTable, Vector, Words, opaque};

/// The kind of the bytes, and the escapes to mark in addition to the escapes that are always marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    /// Whether to mark the escapes of the other marks of RFC 2396 section 2.3: `!`, `'`, `(`, `)` and `*`.
    pub(crate) rfc2396: bool,
    /// Whether to mark the escapes of the first bytes of characters beyond ASCII in UTF-8.
    pub(crate) beyond_ascii: bool,
    /// Whether the bytes are lines.
    pub(crate) are_lines: bool,
}

/// Returns the last digits of the escapes that may change in a block, the last 64 bytes of `window`. The
/// first two bytes are those before the block.
///
/// This needs no masks of the block before, but loads bytes three times.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(in crate::simd) unsafe fn last_digits<V: Vector>(window: &[u8; BLOCK + 2], marked: Marked) -> u64 {
    let tables = &PAIRS[usize::from(marked.rfc2396)][usize::from(marked.beyond_ascii)];
    let from = |start: usize| window[start..].first_chunk::<BLOCK>().expect("the window has two bytes more");
    // SAFETY: the caller promises the features.
    unsafe {
        let first = V::load(from(1)).classify(&tables.first);
        let last = V::load(from(2)).classify(&tables.last);
        // The compiler would take these masks apart, bit by bit, to combine them in vectors.
        opaque(first.and(last).at_least::<1>()) & opaque(V::load(from(0)).eq(b'%'))
    }
}

/// The classes of the digits of escapes. An escape may change if both digits have a class in common.
struct Pairs {
    first: NibbleTable,
    last: NibbleTable,
}

/// The tables without and with the escapes of [`Marked::rfc2396`], each without and with those of
/// [`Marked::beyond_ascii`].
static PAIRS: [[Pairs; 2]; 2] =
    [[pairs(false, false), pairs(false, true)], [pairs(true, false), pairs(true, true)]];

/// Returns the tables for these escapes. The high nibbles 3, 4 and 6 are those of `0` to `9`, `A` to `F` and
/// `a` to `f`: nothing else follows `%` in a valid record.
const fn pairs(rfc2396: bool, beyond_ascii: bool) -> Pairs {
    const ANY: &[u8] = &[0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xB, 0xC, 0xD, 0xE, 0xF];
    const NONE: &[u8] = &[];

    Pairs {
        first: products(&[
            // Any digit; "a" to "f"; "4" to "7"; "3"; "2"; "2" again
            (0x01, &[3, 4, 6], ANY),
            (0x02, &[6], ANY),
            (0x04, &[3], &[0x4, 0x5, 0x6, 0x7]),
            (0x08, &[3], &[0x3]),
            (0x10, &[3], &[0x2]),
            (0x20, if rfc2396 { &[3] } else { NONE }, &[0x2]),
            // "C" to "F"
            (0x40, if beyond_ascii { &[4] } else { NONE }, &[0x3, 0x4, 0x5, 0x6]),
        ]),
        last: products(&[
            // "a" to "f"; any digit; "0" to "9"; "D" "E" and, of "!" "'" "(" ")" "*", "A" and "1" "7" "8"
            // "9"; any digit
            (0x01, &[6], ANY),
            (0x06, &[3, 4, 6], ANY),
            (0x08, &[3], ANY),
            (0x10, &[4], if rfc2396 { &[0x1, 0x4, 0x5] } else { &[0x4, 0x5] }),
            (0x20, &[3], &[0x1, 0x7, 0x8, 0x9]),
            (0x40, &[3, 4, 6], ANY),
        ]),
    }
}

/// The masks of the block before.
#[derive(Default)]
pub(in crate::simd) struct EscapeRuns {
    percent: u64,
    /// First digits of escapes.
    digit: u64,
    /// First digits that make a mark before any second digit. The next two fields have the first digits 3 and
    /// the first digits 2.
    sure: u64,
    three: u64,
    two: u64,
}

impl EscapeRuns {
    /// Returns the last digits of the escapes in a block that may change. A block without `%` may be left out
    /// if no escape of the block before goes on in it.
    ///
    /// In valid records only digits, `A` to `F` and `a` to `f` follow `%`, which saves comparisons.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(in crate::simd) unsafe fn block<V: Vector>(
        &mut self,
        vector: V,
        percent: u64,
        marked: Marked,
    ) -> u64 {
        // SAFETY: the caller promises the features.
        unsafe {
            let first = percent.advance(&mut self.percent);
            let second = first.advance(&mut self.digit);
            // The compiler would take these masks apart, bit by bit, to combine them in vectors.
            let lower = opaque(vector.at_least::<b'a'>());
            let letter = opaque(vector.at_least::<b'A'>());
            let from_two = opaque(vector.at_least::<b'2'>());
            let from_three = opaque(vector.at_least::<b'3'>());
            let from_four = opaque(vector.at_least::<b'4'>());
            let from_eight = opaque(vector.at_least::<b'8'>());
            let mut sure = lower | from_four & !from_eight;
            if marked.beyond_ascii {
                sure |= opaque(vector.at_least::<b'C'>());
            }
            let after_sure = (first & sure).advance(&mut self.sure);
            let after_three = (first & from_three & !from_four).advance(&mut self.three);
            let after_two = (first & from_two & !from_three).advance(&mut self.two);
            let mut of_two = opaque(vector.eq(b'D')) | opaque(vector.eq(b'E'));
            if marked.rfc2396 {
                of_two |= !letter & (opaque(vector.at_least::<b'7'>()) | opaque(vector.eq(b'1')));
                of_two |= opaque(vector.eq(b'A'));
            }
            after_sure | second & lower | after_three & !letter | after_two & of_two
        }
    }
}
