//! The byte order mark.

/// The byte order mark that an input in UTF-8 may start with.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The length of the byte order mark that an input starts with.
pub(crate) fn mark_len(input: &[u8]) -> usize {
    if input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}
