//! The codes of bytes: the classes that the scan of lines tells apart, as numbers of three bits.
//!
//! ```text
//! 0     1       2      3        4    5    6    7
//! LF    letter  digit  "." "-"  ":"  "/"  "?"  any other byte
//! ```
//!
//! An instruction set that looks up any of 128 bytes at once, as AVX-512 does, finds the codes of a block in one
//! instruction. A block then has a mask for each of the three bits, and one for its uncommon bytes, in place of
//! a comparison and a mask for each class. The masks of the classes are made of these for several blocks at
//! once.
//!
//! The other instruction sets have no such look-up. They use the tables of [`classify`](super::classify).

use crate::charset::{ALPHA, Charset, DIGIT, rfc3986};

/// An LF, or a gap after a record.
pub(in crate::simd) const NEWLINE: u8 = 0;
pub(in crate::simd) const LETTER: u8 = 1;
/// A digit, and also `+` where that belongs to schemes.
pub(in crate::simd) const DIGIT_OR_PLUS: u8 = 2;
/// `.` and `-`.
pub(in crate::simd) const JOINT: u8 = 3;
pub(in crate::simd) const COLON: u8 = 4;
pub(in crate::simd) const SLASH: u8 = 5;
pub(in crate::simd) const QUESTION: u8 = 6;
pub(in crate::simd) const OTHER: u8 = 7;

/// The bit of an uncommon byte, beside its code.
const UNCOMMON: u8 = 0x80;

/// The code of each byte of ASCII, and the bit 0x80 if the byte is uncommon.
pub(crate) struct CodeTable(pub(in crate::simd) [u8; 128]);

/// The codes of lines.
pub(in crate::simd) static OF_LINES: CodeTable = table(true, true);
/// The same, but `+` is any other byte: it stands in few schemes, and in no name in the DNS.
pub(in crate::simd) static OF_NAMES: CodeTable = table(false, true);
/// The codes of records without separators, in which an LF is an uncommon byte.
pub(in crate::simd) static OF_GAPS: CodeTable = table(true, false);

const fn table(plus: bool, newline: bool) -> CodeTable {
    let mut table = [0; 128];
    let mut byte = 0u8;
    while byte < 128 {
        let code = match byte {
            b'\n' if newline => NEWLINE,
            b'+' if plus => DIGIT_OR_PLUS,
            b'.' | b'-' => JOINT,
            b':' => COLON,
            b'/' => SLASH,
            b'?' => QUESTION,
            _ if ALPHA.contains(byte) => LETTER,
            _ if DIGIT.contains(byte) => DIGIT_OR_PLUS,
            _ => OTHER,
        };
        let is_common = code == NEWLINE || rfc3986::QUERY.contains(byte);
        table[byte as usize] = if is_common { code } else { code | UNCOMMON };
        byte += 1;
    }
    CodeTable(table)
}

// The bytes of schemes have the codes 1 to 3.
const _: () = assert!(rfc3986::SCHEME.is(ALPHA.or(DIGIT).or(Charset::of(b"+-."))));
