//! The searches for the next byte of some kind in a page.

use crate::corpus::format::lines::marked_bytes::MarkedBytes;
use crate::simd::TagMarks;

/// A page that is marked window by window.
pub(super) type MarkedPage<'b> = MarkedBytes<'b, TagMarks>;

impl MarkedPage<'_> {
    /// Returns the first `<` at or after `at`.
    #[inline]
    pub(super) fn less(&mut self, at: usize) -> Option<usize> {
        self.next(at, |marks| &marks.less)
    }

    /// Returns the first byte that ends a name at or after `at`: white space, `/`, `>` or `=`.
    #[inline]
    pub(super) fn name_end(&mut self, at: usize) -> Option<usize> {
        self.next(at, |marks| &marks.name_end)
    }

    /// Returns the first quote of this kind at or after `at`.
    #[inline]
    pub(super) fn quote(&mut self, quote: u8, at: usize) -> Option<usize> {
        match quote {
            b'"' => self.next(at, |marks| &marks.quotation),
            _ => self.next(at, |marks| &marks.apostrophe),
        }
    }
}
