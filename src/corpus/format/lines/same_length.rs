//! A document of any charset as a `str` of the same length, for parsers that need a `str`.

use std::borrow::Cow;

use crate::work::looked_at;

/// Returns the bytes as a `str` in which each byte keeps its place. Each byte that is not UTF-8, for example
/// of another charset, becomes a letter.
pub(crate) fn same_length(bytes: &[u8]) -> Cow<'_, str> {
    looked_at(bytes.len());
    if let Ok(text) = str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| 'x'));
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_its_place() {
        assert_eq!(same_length("aé€".as_bytes()), "aé€");
        assert_eq!(same_length(b"a\xE9[b]\xE2\x82(\xFF"), "ax[b]xx(x");
        assert_eq!(same_length(b""), "");
    }
}
