//! Hands out the records of a chunk piece by piece, so that a tag, a page or a line with any number of
//! records takes bounded memory.

use super::Fields;
use crate::corpus::limits::PieceLimits;

/// Few texts of bases are no reason to end a piece.
const SHORT: usize = 64 << 10;

impl Fields {
    /// Returns true if the records are a piece by these limits.
    #[inline]
    pub(super) fn fill(&self, limits: PieceLimits) -> bool {
        self.origins.len() + self.malformed.len() >= limits.records
            || self.values.len() >= limits.bytes
            || self.pages.text_len() >= limits.bytes.max(SHORT)
    }

    /// Forgets the records of a piece. The next records can come from the same page.
    pub(super) fn begin_piece(&mut self) {
        self.clear_records();
        self.pages.keep_last();
    }
}
