//! Hands out the records of a chunk piece by piece, so that a tag, a page or a line with any number of records takes bounded memory.

use super::Fields;
use crate::corpus::limits::PieceLimits;

impl Fields {
    /// Returns true if the records are a piece by these limits.
    #[inline]
    pub(super) fn fill(&self, limits: PieceLimits) -> bool {
        self.origins.len() + self.malformed.len() >= limits.records || self.values.len() >= limits.bytes
    }

    /// Forgets the records of a piece. The next records can come from the same page.
    pub(super) fn begin_piece(&mut self) {
        self.clear_records();
        self.pages.keep_last();
    }
}
