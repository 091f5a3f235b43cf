//! Escapes (`pct-encoded`) and their normal forms: some have the same meaning as the character that they
//! stand for.

use crate::work::memchr;
use alloc::vec::Vec;

use crate::charset::{Charset, rfc2396, rfc3986};
use crate::grammar::{is_ucschar, utf8};

/// The digits of an escape in its normal form.
const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// The escapes that a grammar's normal form decodes. The hexadecimal digits of all other escapes become upper
/// case.
#[derive(Clone, Copy)]
pub(super) struct Triplets {
    /// The normal form of each byte's escape.
    forms: &'static [NormalEscape; 256],
    /// Whether the escapes of the characters of RFC 3987 `ucschar`, in UTF-8, are decoded.
    ucschar: bool,
}

impl Triplets {
    /// Decodes no escapes.
    pub(super) const KEPT: Self = Triplets::decoding(&FORMS_KEPT);
    /// Decodes the escapes of RFC 3986 `unreserved`.
    pub(super) const RFC3986: Self = Triplets::decoding(&FORMS_RFC3986);
    /// Decodes the escapes of RFC 3987 `iunreserved`.
    pub(super) const RFC3987: Self = Triplets { ucschar: true, ..Triplets::RFC3986 };
    /// Decodes the escapes of RFC 2396 `unreserved`.
    pub(super) const RFC2396: Self = Triplets::decoding(&FORMS_RFC2396);

    const fn decoding(forms: &'static [NormalEscape; 256]) -> Self {
        Triplets { forms, ucschar: false }
    }

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

    /// Appends the normal form of the escape or the escaped character that `text` begins with. Returns the
    /// number of bytes of `text` that it replaces.
    fn push_escape(self, text: &[u8], to: &mut Vec<u8>) -> usize {
        match self.normal(text) {
            Some(normal) => {
                normal.push(to);
                normal.taken()
            }
            // A valid component has no such `%`.
            None => {
                to.push(b'%');
                1
            }
        }
    }

    /// [`normal`](Self::normal), for a valid component that begins with `first`. For bytes that are not an
    /// escape, the result is `None` or any form.
    #[inline(always)]
    pub(super) fn normal_of(self, first: &[u8; 4], text: &[u8]) -> Option<NormalEscape> {
        let escape = u32::from_le_bytes(*first);
        if escape as u8 != b'%' {
            return None;
        }
        // The low bits of a digit are its value. The low bits of a letter are its value less 9, and a letter
        // has a bit that digits do not have.
        let digits = escape >> 8;
        let values = (digits & 0x0F0F) + 9 * (digits >> 6 & 0x0101);
        let byte = (values << 4 | values >> 8) as u8;
        if self.ucschar && !byte.is_ascii() {
            return self.normal_of_any(text);
        }
        Some(self.forms[usize::from(byte)])
    }

    #[inline(never)]
    fn normal_of_any(self, text: &[u8]) -> Option<NormalEscape> {
        self.normal(text)
    }

    /// Returns the normal form of the escape that `text` begins with, or of the escapes that make a
    /// character. Returns `None` if `text` does not begin with an escape.
    #[inline(always)]
    pub(super) fn normal(self, text: &[u8]) -> Option<NormalEscape> {
        let byte = decode(text)?;
        if self.ucschar
            && !byte.is_ascii()
            && let Some(normal) = character(text)
        {
            return Some(normal);
        }
        Some(self.forms[usize::from(byte)])
    }
}

/// Returns the character of RFC 3987 `ucschar` with whose escapes `text` begins.
#[inline(never)]
fn character(text: &[u8]) -> Option<NormalEscape> {
    let mut bytes = [0; 4];
    let mut len = 0;
    while let Some(byte) = text.get(3 * len..).and_then(decode).filter(|_| len < bytes.len()) {
        bytes[len] = byte;
        len += 1;
    }
    let (_, end) = utf8::decode(&bytes[..len], 0).filter(|&(code, _)| is_ucschar(code))?;
    Some(NormalEscape::new(u32::from_le_bytes(bytes), end, 3 * end))
}

/// The normal forms are in tables, so that no branch decides whether an escape is decoded, which processors
/// cannot predict.
static FORMS_KEPT: [NormalEscape; 256] = forms(Charset::of(b""));
static FORMS_RFC3986: [NormalEscape; 256] = forms(rfc3986::UNRESERVED);
static FORMS_RFC2396: [NormalEscape; 256] = forms(rfc2396::UNRESERVED);

const fn forms(decoded: Charset) -> [NormalEscape; 256] {
    let mut forms = [NormalEscape(0); 256];
    let mut byte = 0;
    while byte < 256 {
        let [percent, high, low] = encoded(byte as u8);
        forms[byte] = if decoded.contains(byte as u8) {
            NormalEscape::new(byte as u32, 1, 3)
        } else {
            NormalEscape::new(u32::from_le_bytes([percent, high, low, 0]), 3, 3)
        };
        byte += 1;
    }
    forms
}

/// The normal form of an escape, which is never longer than the escape. It is one number, which stays in a
/// register: four bytes of text, the first one the lowest; the length of the form; and the number of bytes of
/// the escapes.
#[derive(Clone, Copy)]
pub(super) struct NormalEscape(u64);

impl NormalEscape {
    #[inline(always)]
    const fn new(text: u32, len: usize, taken: usize) -> Self {
        NormalEscape(text as u64 | (len as u64) << 32 | (taken as u64) << 40)
    }

    #[inline(always)]
    fn text(self) -> [u8; 4] {
        (self.0 as u32).to_le_bytes()
    }

    #[inline(always)]
    pub(super) fn len(self) -> usize {
        (self.0 >> 32) as usize & 0xFF
    }

    #[inline(always)]
    pub(super) fn taken(self) -> usize {
        (self.0 >> 40) as usize
    }

    /// Returns whether the form is this byte.
    #[inline(always)]
    pub(super) fn is(self, byte: u8) -> bool {
        self.text()[0] == byte && self.len() == 1
    }

    /// Returns whether `text`, which must begin with the escape, begins with this form: then the escape is in
    /// its normal form.
    #[inline(always)]
    pub(super) fn is_start_of(self, text: &[u8]) -> bool {
        let [first, second, third, ..] = *text else { return false };
        // One comparison of numbers; texts would be compared in memory.
        self.0 == NormalEscape::new(u32::from_le_bytes([first, second, third, 0]), 3, 3).0
    }

    /// Overwrites the escape with this form, which must be as long, and returns whether that changes it.
    /// `escape` has the escape and the byte after it, and both are written.
    #[inline(always)]
    pub(super) fn patch(self, escape: &[u8; 4], to: &mut [u8]) -> bool {
        let escape = u32::from_le_bytes(*escape);
        let text = self.0 as u32 | escape & 0xFF00_0000;
        to[..4].copy_from_slice(&text.to_le_bytes());
        text != escape
    }

    /// Writes the form to the start of `to`, which must have at least four bytes, and returns the length of
    /// the form.
    #[inline(always)]
    pub(super) fn write(self, to: &mut [u8]) -> usize {
        to[..4].copy_from_slice(&self.text());
        self.len()
    }

    /// Appends the form.
    #[inline(always)]
    pub(super) fn push(self, to: &mut Vec<u8>) {
        let bytes = self.text();
        // A copy of a constant number of bytes needs no function call.
        match self.len() {
            1 => to.push(bytes[0]),
            3 => to.extend_from_slice(&bytes[..3]),
            len => to.extend_from_slice(&bytes[..len]),
        }
    }
}

/// Returns the byte that the escape at the start of `text` stands for, or `None` if `text` does not begin
/// with an escape.
#[inline(always)]
fn decode(text: &[u8]) -> Option<u8> {
    match *text {
        [b'%', high, low, ..] => {
            let (high, low) = (VALUES[usize::from(high)], VALUES[usize::from(low)]);
            ((high | low) < 16).then_some(high << 4 | low)
        }
        _ => None,
    }
}

/// The value of each hexadecimal digit; 255 for other bytes.
static VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut value = 0;
    while value < 16 {
        let digit = DIGITS[value];
        values[digit as usize] = value as u8;
        values[digit.to_ascii_lowercase() as usize] = value as u8;
        value += 1;
    }
    values
};

/// Appends a byte's escape.
pub(super) fn push_encoded(byte: u8, to: &mut Vec<u8>) {
    to.extend(encoded(byte));
}

const fn encoded(byte: u8) -> [u8; 3] {
    [b'%', DIGITS[byte as usize >> 4], DIGITS[byte as usize & 0xF]]
}

/// Changes all letters to lower case, except the digits of escapes.
pub(super) fn lower_letters(mut text: &mut [u8]) {
    while let Some(percent) = memchr(b'%', text) {
        let (before, escape) = text.split_at_mut(percent);
        before.make_ascii_lowercase();
        // The bytes of a mapped file may have changed, and end within an escape.
        text = escape.split_at_mut(escape.len().min(3)).1;
    }
    text.make_ascii_lowercase();
}

/// Returns whether both texts are equal, regardless of the case of the digits of escapes.
pub(super) fn are_equivalent(one: &[u8], other: &[u8]) -> bool {
    let mut digits = 0;
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let is_digit = digits > 0;
            digits = if is_digit { digits - 1 } else { 2 * u32::from(*one == b'%') };
            one == other || is_digit && one.eq_ignore_ascii_case(other)
        })
}
