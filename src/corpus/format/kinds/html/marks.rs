//! The bytes of a page, with a search for the next byte of some kind.

use crate::simd::{Available, Marks, TagMarks, WINDOW, mark_tags};

/// A page that is marked window by window. Searches mostly go forward.
pub(super) struct MarkedPage<'b> {
    pub(super) bytes: &'b [u8],
    backend: Available,
    marks: TagMarks,
    /// The start of the marked window, and its length in bytes.
    start: usize,
    len: usize,
}

impl<'b> MarkedPage<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        MarkedPage { bytes, backend: Available::best(), marks: TagMarks::NONE, start: 0, len: 0 }
    }

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

    #[inline]
    fn next(&mut self, mut at: usize, which: impl Fn(&TagMarks) -> &Marks) -> Option<usize> {
        loop {
            let mut within = at.wrapping_sub(self.start);
            if within >= self.len {
                self.mark(at)?;
                within = 0;
            }
            let marks = which(&self.marks)[within / 64] >> (within % 64);
            if marks != 0 {
                return Some(at + marks.trailing_zeros() as usize);
            }
            at = self.start + (within | 63) + 1;
        }
    }

    /// Marks the window that starts at `at`.
    #[inline(never)]
    fn mark(&mut self, at: usize) -> Option<()> {
        let rest = self.bytes.get(at..).filter(|rest| !rest.is_empty())?;
        let window = &rest[..rest.len().min(WINDOW)];
        mark_tags(self.backend, window, &mut self.marks);
        (self.start, self.len) = (at, window.len());
        Some(())
    }
}
