//! Escapes (`pct-encoded`): which of them say no more than the character that they stand for.

use crate::work::memchr;
use alloc::vec::Vec;

use crate::charset::Class;
use crate::grammar::{is_ucschar, utf8};

/// The digits of an escape in its normal form.
const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// The escapes that a grammar's normal form decodes. The hexadecimal digits of all other escapes become upper
/// case.
#[derive(Clone, Copy)]
pub(super) struct Escapes {
    /// Those of these bytes.
    pub(super) decoded: Option<Class>,
    /// Those of the characters of RFC 3987 `ucschar`, in UTF-8.
    pub(super) ucschar: bool,
}

impl Escapes {
    /// None is decoded.
    pub(super) const KEPT: Self = Escapes { decoded: None, ucschar: false };

    /// Appends the normal form of a valid component.
    pub(super) fn push(self, text: &[u8], to: &mut Vec<u8>) {
        let mut rest = text;
        while let Some(percent) = memchr(b'%', rest) {
            let (before, escapes) = rest.split_at(percent);
            to.extend_from_slice(before);
            rest = &escapes[self.push_escape(escapes, to)..];
        }
        to.extend_from_slice(rest);
    }

    /// Appends the escape or the escaped character that `text` begins with. Returns the bytes of `text` that it takes.
    fn push_escape(self, text: &[u8], to: &mut Vec<u8>) -> usize {
        match self.normal(text) {
            Some(normal) => {
                normal.push(to);
                normal.taken()
            }
            // A valid component has none such.
            None => {
                to.push(b'%');
                1
            }
        }
    }

    /// The normal form of the escape that `text` begins with, or of the escapes that make a character. `None` if it begins with no
    /// escape.
    #[inline(always)]
    pub(super) fn normal(self, text: &[u8]) -> Option<NormalEscape> {
        let byte = decode(text)?;
        if self.decoded.is_some_and(|class| class.contains(byte)) {
            return Some(NormalEscape { text: byte.into(), len: 1, taken: 3 });
        }
        if self.ucschar
            && !byte.is_ascii()
            && let Some(normal) = character(text)
        {
            return Some(normal);
        }
        let [percent, high, low] = encoded(byte);
        Some(NormalEscape { text: u32::from_le_bytes([percent, high, low, 0]), len: 3, taken: 3 })
    }
}

/// The character of RFC 3987 `ucschar` whose escapes `text` begins with.
#[inline(never)]
fn character(text: &[u8]) -> Option<NormalEscape> {
    let mut bytes = [0; 4];
    let mut len = 0;
    while let Some(byte) = text.get(3 * len..).and_then(decode).filter(|_| len < bytes.len()) {
        bytes[len] = byte;
        len += 1;
    }
    let (_, end) = utf8::decode(&bytes[..len], 0).filter(|&(code, _)| is_ucschar(code))?;
    Some(NormalEscape { text: u32::from_le_bytes(bytes), len: end as u8, taken: 3 * end as u8 })
}

/// The normal form of an escape: never longer than the escape. Numbers stay in registers.
#[derive(Clone, Copy)]
pub(super) struct NormalEscape {
    /// Its bytes, the first one the lowest.
    text: u32,
    len: u8,
    /// The bytes of the escapes.
    taken: u8,
}

impl NormalEscape {
    pub(super) fn taken(self) -> usize {
        self.taken.into()
    }

    /// Whether it is this byte.
    pub(super) fn is(self, byte: u8) -> bool {
        self.text == u32::from(byte) && self.len == 1
    }

    /// Whether the text, which begins with the escape, begins with this form: the escape is its own.
    #[inline(always)]
    pub(super) fn is_start_of(self, text: &[u8]) -> bool {
        let [first, second, third, _] = self.text.to_le_bytes();
        self.len == self.taken && text.starts_with(&[first, second, third])
    }

    /// Appends its bytes.
    #[inline(always)]
    pub(super) fn push(self, to: &mut Vec<u8>) {
        let bytes = self.text.to_le_bytes();
        // A copy of so few bytes takes no call.
        match self.len {
            1 => to.push(bytes[0]),
            3 => to.extend_from_slice(&bytes[..3]),
            len => to.extend_from_slice(&bytes[..len.into()]),
        }
    }
}

/// The byte that the escape at the start of `text` stands for.
fn decode(text: &[u8]) -> Option<u8> {
    match *text {
        [b'%', high, low, ..] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    }
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|value| value as u8)
}

/// Appends a byte's escape.
pub(super) fn push_encoded(byte: u8, to: &mut Vec<u8>) {
    to.extend(encoded(byte));
}

fn encoded(byte: u8) -> [u8; 3] {
    [b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xF)]]
}

/// Has all letters be in lower case, but for those of escapes.
pub(super) fn lower_letters(mut text: &mut [u8]) {
    while let Some(percent) = memchr(b'%', text) {
        let (before, escape) = text.split_at_mut(percent);
        before.make_ascii_lowercase();
        text = escape.split_at_mut(3).1;
    }
    text.make_ascii_lowercase();
}

/// Whether both are the same where the case of escapes' digits does not count.
pub(super) fn are_equivalent(one: &[u8], other: &[u8]) -> bool {
    let mut digits = 0;
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let is_digit = digits > 0;
            digits = if is_digit { digits - 1 } else { 2 * u32::from(*one == b'%') };
            one == other || is_digit && one.eq_ignore_ascii_case(other)
        })
}
