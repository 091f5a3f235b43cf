//! Escapes: decodes them until nothing changes, and writes them once.

use alloc::vec::Vec;

use crate::work::{memchr, memchr_iter};

/// Decodes all escapes, however deeply nested (`%2541` is `A`).
///
/// Decoding the whole text repeatedly until nothing changes would take quadratic time. But escapes do not
/// overlap, so their order does not matter: if a decoded byte ends an escape, that escape is decoded at once.
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    loop {
        // Unless a `%` waits for its digits, nothing happens before the next one.
        if !matches!(*decoded, [.., b'%'] | [.., b'%', _]) {
            let before;
            (before, rest) = rest.split_at(memchr(b'%', rest).unwrap_or(rest.len()));
            decoded.extend_from_slice(before);
        }
        let Some((&byte, after)) = rest.split_first() else { return decoded };
        rest = after;
        decoded.push(byte);
        while let [.., b'%', high, low] = *decoded
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            decoded.truncate(decoded.len() - 3);
            decoded.push(high << 4 | low);
        }
    }
}

/// Returns true if all escapes of the text stay in keys, except for the case of their digits: if they stand
/// for bytes that are escaped again, and begin no other escape. Returns false if a `%` begins no escape.
pub(super) fn are_kept(text: &[u8]) -> bool {
    memchr_iter(b'%', text).all(|percent| match text[percent..] {
        [_, high, low, ..] => match (digit(high), digit(low)) {
            (Some(high), Some(low)) => is_escaped(high << 4 | low) && (high << 4 | low) != b'%',
            _ => false,
        },
        _ => false,
    })
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|value| value as u8)
}

/// Appends the bytes, with an escape for each control character, space, `#`, `%` and byte beyond ASCII.
pub(super) fn escape(text: &[u8], to: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for &byte in text {
        if is_escaped(byte) {
            to.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xF)]]);
        } else {
            to.push(byte);
        }
    }
}

/// Returns true if keys have an escape for the byte.
pub(super) const fn is_escaped(byte: u8) -> bool {
    // Without branches: a loop examines many bytes at once.
    !byte.is_ascii_graphic() | (byte == b'#') | (byte == b'%')
}
