//! The digits of escapes that a normal form may change.
//!
//! Each escape has one mark, at its last digit, so that the readers of the marks need not search its start.
//!
//! Tried and slower: always to process the block after one with an escape, so that fewer branches are predicted wrongly. This saved nothing in
//! lists with an escape in each record, and cost other lists 8% of the time for their marks.

use super::vector::{Vector, Words, opaque};

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

/// The masks of the block before.
#[derive(Default)]
pub(super) struct Escapes {
    percent: u64,
    /// First digits of escapes.
    digit: u64,
    /// First digits that make a mark before any second digit. The next two fields have the first digits 3 and the first digits 2.
    odd: u64,
    three: u64,
    two: u64,
}

impl Escapes {
    /// Returns whether [`block`](Self::block) must be called for the next block even if that has no `%`.
    #[inline(always)]
    pub(super) fn go_on(&self) -> bool {
        (self.percent | self.digit) >> 63 != 0
    }

    /// Returns the last digits of the escapes in a block that may change. A block without `%` may be left out if no escape [goes on](Self::go_on) in
    /// it.
    ///
    /// In valid records only digits, `A` to `F` and `a` to `f` follow `%`, which saves comparisons.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    pub(super) unsafe fn block<V: Vector>(&mut self, vector: V, percent: u64, marked: Marked) -> u64 {
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
            let mut odd = lower | from_four & !from_eight;
            if marked.beyond_ascii {
                odd |= opaque(vector.at_least::<b'C'>());
            }
            let behind_odd = (first & odd).advance(&mut self.odd);
            let behind_three = (first & from_three & !from_four).advance(&mut self.three);
            let behind_two = (first & from_two & !from_three).advance(&mut self.two);
            let mut of_two = opaque(vector.eq(b'D')) | opaque(vector.eq(b'E'));
            if marked.rfc2396 {
                of_two |= !letter & (opaque(vector.at_least::<b'7'>()) | opaque(vector.eq(b'1')));
                of_two |= opaque(vector.eq(b'A'));
            }
            behind_odd | second & lower | behind_three & !letter | behind_two & of_two
        }
    }
}
