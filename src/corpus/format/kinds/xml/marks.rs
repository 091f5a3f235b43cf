//! The searches for the next byte of some kind in a document.

use crate::corpus::format::lines::marked_bytes::MarkedBytes;
use crate::simd::MarkupMarks;

/// A document that is marked window by window.
pub(super) type MarkedDocument<'b> = MarkedBytes<'b, MarkupMarks>;

impl MarkedDocument<'_> {
    /// Returns the first `<`, `&` or `]` at or after `at`.
    #[inline]
    pub(super) fn content(&mut self, at: usize) -> Option<usize> {
        self.next(at, |marks| &marks.content)
    }

    /// Returns the first byte at or after `at` that no name has.
    #[inline]
    pub(super) fn end_of_name(&mut self, at: usize) -> Option<usize> {
        self.next(at, |marks| &marks.name_end)
    }

    /// Returns the first quote of any kind, `<`, `&` or `]` at or after `at`.
    #[inline]
    pub(super) fn in_value(&mut self, at: usize) -> Option<usize> {
        self.next(at, |marks| &marks.value)
    }
}
