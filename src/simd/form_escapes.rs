//! The digits of escapes that a normal form may change.

use super::vector::{Vector, Words};

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
    /// First digits 3, and first digits 2.
    three: u64,
    two: u64,
}

impl Escapes {
    /// Whether the next block must be looked at even if it has no escape.
    #[inline(always)]
    pub(super) fn go_on(&self) -> bool {
        (self.percent | self.digit) >> 63 != 0
    }

    /// The digits of a block that may change. Blocks after those where nothing [goes on](Self::go_on) may be left out.
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
            let lower = vector.at_least::<b'a'>() & !vector.at_least::<b'g'>();
            let four_to_seven = vector.at_least::<b'4'>() & !vector.at_least::<b'8'>();
            let digit = vector.at_least::<b'0'>() & !vector.at_least::<b':'>();
            let behind_three = (first & vector.eq(b'3')).advance(&mut self.three);
            let behind_two = (first & vector.eq(b'2')).advance(&mut self.two);
            let mut of_two = vector.eq(b'D') | vector.eq(b'E');
            if marked.rfc2396 {
                of_two |= digit & (vector.at_least::<b'7'>() | vector.eq(b'1')) | vector.eq(b'A');
            }
            let mut odd =
                (first | second) & lower | first & four_to_seven | behind_three & digit | behind_two & of_two;
            if marked.beyond_ascii {
                odd |= first & vector.at_least::<b'C'>();
            }
            odd
        }
    }
}
