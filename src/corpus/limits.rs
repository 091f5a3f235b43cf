//! The limits of a scan: sizes, and how records end.

use crate::simd::{self, Available};
use crate::work::{looked_at, memchr_iter};

/// The limits that the sources need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) chunk_size: usize,
    /// The most lines of a chunk.
    pub(crate) chunk_lines: usize,
    pub(crate) max_record: usize,
    /// The byte that ends a record.
    pub(crate) terminator: u8,
    /// Whether white space at both ends of a record is no part of it.
    pub(crate) trim: bool,
    pub(crate) number_lines: bool,
}

impl Limits {
    /// The first of these whole lines that a chunk can hold, in bytes: all of them unless they are more than
    /// [`chunk_lines`](Self::chunk_lines).
    pub(crate) fn first_lines(&self, lines: &[u8]) -> usize {
        if self.chunk_lines == usize::MAX {
            return lines.len();
        }
        // A line has a byte at least. A kernel counts ends: to count them by a search took 4 to 6% of the time of record batches. The work counts for
        // few bytes, too, so that it grows with them and not in a step.
        looked_at(lines.len());
        if lines.len() <= self.chunk_lines
            || simd::count_bytes(Available::best(), lines, self.terminator) <= self.chunk_lines
        {
            return lines.len();
        }
        memchr_iter(self.terminator, lines).nth(self.chunk_lines - 1).map_or(lines.len(), |end| end + 1)
    }

    /// The bytes of the longest line whose record is within the limit: CR and LF follow it.
    pub(crate) fn longest_line(&self) -> usize {
        self.max_record.saturating_add(2)
    }
}
