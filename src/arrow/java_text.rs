//! Text that Java decodes from bytes.

use std::borrow::Cow;

/// Returns the text that Java decodes from bytes. U+FFFD replaces ill-formed bytes as the Unicode standard
/// recommends, but a surrogate, whole or truncated, becomes a single U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let mut decoded = String::new();
    let mut rest = bytes;
    while let Err(error) = std::str::from_utf8(rest) {
        let (valid, ill_formed) = rest.split_at(error.valid_up_to());
        let length = match ill_formed {
            [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => 3,
            [0xED, 0xA0..=0xBF, ..] => 2,
            _ => error.error_len().unwrap_or(ill_formed.len()),
        };
        decoded.push_str(&String::from_utf8_lossy(valid));
        decoded.push(char::REPLACEMENT_CHARACTER);
        rest = &ill_formed[length..];
    }
    let end = String::from_utf8_lossy(rest);
    if decoded.is_empty() { end } else { Cow::Owned(decoded + &end) }
}
