//! The digits of escapes that a normal form may change.
//!
//! Each escape has one mark, at its last digit, so that whoever reads the marks need not look for its start.
//!
//! To look at blocks after one with an escape in any case, so that fewer branches are foretold wrongly, saved nothing in lists with an escape in
//! each record, and cost others 8% of their marks.

use super::vector::{Vector, Words, opaque};

/// The kind of the bytes, and the escapes to mark in addition to those that are always marked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Marked {
    /// Those of the other marks of RFC 2396 section 2.3: `!`, `'`, `(`, `)` and `*`.
    pub(crate) rfc2396: bool,
    /// Those of the first bytes of characters beyond ASCII in UTF-8.
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
    /// First digits that make a mark, whatever follows; first digits 3, and first digits 2.
    odd: u64,
    three: u64,
    two: u64,
}

impl Escapes {
    /// Whether the next block must be looked at even if it has no escape.
    #[inline(always)]
    pub(super) fn go_on(&self) -> bool {
        (self.percent | self.digit) >> 63 != 0
    }

    /// The last digits of escapes that may change, in a block. Blocks after those where nothing [goes on](Self::go_on) may be left out.
    ///
    /// In valid records nothing but digits, `A` to `F` and `a` to `f` follows `%`: that saves comparisons.
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
