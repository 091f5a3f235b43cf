//! The byte order mark.

/// The byte order mark that an input in UTF-8 may start with.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Returns the length of the byte order mark at the start of `input`: 0 if `input` does not start with one.
pub(crate) fn mark_len(input: &[u8]) -> usize {
    if input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}
