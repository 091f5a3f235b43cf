//! What a scan holds itself to: sizes, and how records end.

/// What the sources have to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) chunk_size: usize,
    pub(super) max_record: usize,
    /// The byte that ends a record.
    pub(super) terminator: u8,
    /// Whether white space at both ends of a record is no part of it.
    pub(super) trim: bool,
    pub(super) number_lines: bool,
}

impl Limits {
    /// The bytes of the longest line whose record is within the limit: CR and LF follow it.
    pub(super) fn longest_line(&self) -> usize {
        self.max_record.saturating_add(2)
    }
}
