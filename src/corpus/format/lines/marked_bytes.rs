//! Bytes that are marked window by window, with a search for the next mark of some kind.

use crate::simd::{Available, Marks, TagMarks, WINDOW, mark_strings, mark_tags};
#[cfg(feature = "xml")]
use crate::simd::{MarkupMarks, mark_markup};
#[cfg(feature = "markdown")]
use crate::simd::{ProseMarks, mark_prose};

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

/// The marks of the bytes at which strings of JSON end or cannot be copied, and of LFs.
impl WindowMarks for Marks {
    const NONE: Self = [0; _];

    #[inline]
    fn mark(&mut self, backend: Available, window: &[u8]) {
        mark_strings(backend, window, self);
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

#[cfg(feature = "markdown")]
impl WindowMarks for ProseMarks {
    const NONE: Self = ProseMarks::NONE;

    #[inline]
    fn mark(&mut self, backend: Available, window: &[u8]) {
        mark_prose(backend, window, self);
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
            match self.look(at, &which)? {
                Ok(found) => return Some(found),
                Err(next) => at = next,
            }
        }
    }

    /// Returns the first such byte before `end`.
    #[cfg(feature = "markdown")]
    #[inline]
    pub(crate) fn next_before(
        &mut self,
        mut at: usize,
        end: usize,
        which: impl Fn(&M) -> &Marks,
    ) -> Option<usize> {
        while at < end {
            match self.look(at, &which)? {
                Ok(found) => return Some(found).filter(|&found| found < end),
                Err(next) => at = next,
            }
        }
        None
    }

    /// Looks at the block of this byte, from the byte on. Returns the first mark, or the start of the next
    /// block. `None` if the bytes end before.
    #[inline(always)]
    fn look(&mut self, at: usize, which: impl Fn(&M) -> &Marks) -> Option<Result<usize, usize>> {
        let mut within = at.wrapping_sub(self.start);
        if within >= self.len {
            self.mark(at)?;
            within = 0;
        }
        let marks = which(&self.marks)[within / 64] >> (within % 64);
        Some(match marks {
            0 => Err(self.start + (within | 63) + 1),
            marks => Ok(at + marks.trailing_zeros() as usize),
        })
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
