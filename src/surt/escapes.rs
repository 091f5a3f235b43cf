//! Escapes: decodes them until nothing changes, and writes them once.

use alloc::vec::Vec;

use crate::work::{looked_at, memchr};

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

/// Decodes the escapes of the text from `start` on, which is in lower case, and escapes again what keys
/// escape. Returns `None` if more is to do: if a `%` begins no escape or stands for another `%`, or if
/// `is_to_change` holds for the byte before an escape and the decoded byte.
pub(super) fn decode_once(
    text: &mut Vec<u8>,
    start: usize,
    is_to_change: impl Fn(u8, u8) -> bool,
) -> Option<()> {
    let (mut read, mut write) = (start, start);
    while let Some(len) = memchr(b'%', &text[read..]) {
        let escape = read + len;
        looked_at(len);
        text.copy_within(read..escape, write);
        write += len;
        read = escape + 3;
        let &[high, low] = text.get(escape + 1..read)?.first_chunk()?;
        let byte = digit(high)? << 4 | digit(low)?;
        if is_escaped(byte) && byte != b'%' {
            text.copy_within(escape..read, write);
            write += 3;
        } else {
            if byte == b'%' || is_to_change(text[write - 1], byte) {
                return None;
            }
            text[write] = byte.to_ascii_lowercase();
            write += 1;
        }
    }
    looked_at(text.len() - read);
    text.copy_within(read.., write);
    text.truncate(text.len() - (read - write));
    Some(())
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
