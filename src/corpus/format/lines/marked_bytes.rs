//! Bytes that are marked window by window, with a search for the next mark of some kind.

use crate::simd::{Available, Marks, TagMarks, WINDOW, mark_tags};
#[cfg(feature = "xml")]
use crate::simd::{MarkupMarks, mark_markup};

/// The marks of a window.
pub(crate) trait WindowMarks {
    /// The marks of no bytes.
    const NONE: Self;

    /// Marks the bytes of a window.
    fn mark(&mut self, backend: Available, window: &[u8]);
}

impl WindowMarks for TagMarks {
    const NONE: Self = TagMarks::NONE;

    #[inline]
    fn mark(&mut self, backend: Available, window: &[u8]) {
        mark_tags(backend, window, self);
    }
}

#[cfg(feature = "xml")]
impl WindowMarks for MarkupMarks {
    const NONE: Self = MarkupMarks::NONE;

    #[inline]
    fn mark(&mut self, backend: Available, window: &[u8]) {
        mark_markup(backend, window, self);
    }
}

/// Bytes that are marked window by window. Searches mostly go forward.
pub(crate) struct MarkedBytes<'b, M> {
    pub(crate) bytes: &'b [u8],
    backend: Available,
    marks: M,
    /// The start of the marked window, and its length in bytes.
    start: usize,
    len: usize,
}

impl<'b, M: WindowMarks> MarkedBytes<'b, M> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        MarkedBytes { bytes, backend: Available::best(), marks: M::NONE, start: 0, len: 0 }
    }

    /// Returns the first byte at or after `at` that has a mark among those that `which` selects.
    #[inline]
    pub(crate) fn next(&mut self, mut at: usize, which: impl Fn(&M) -> &Marks) -> Option<usize> {
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
        self.marks.mark(self.backend, window);
        (self.start, self.len) = (at, window.len());
        Some(())
    }
}
