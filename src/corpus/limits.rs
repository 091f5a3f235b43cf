//! The limits of a scan: sizes, and how records end.

use crate::simd::{self, Available};
use crate::work::{looked_at, memchr_iter};

/// The limits that the sources need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) chunk_size: usize,
    /// The maximum number of lines of a chunk.
    pub(crate) chunk_lines: usize,
    pub(crate) max_record: usize,
    /// The byte that ends a record.
    pub(crate) terminator: u8,
    /// Strips white space at both ends of a record.
    pub(crate) trim: bool,
    pub(crate) number_lines: bool,
}

impl Limits {
    /// Returns how many bytes of these whole lines fit into one chunk: all of them, unless there are more than [`chunk_lines`](Self::chunk_lines)
    /// lines.
    pub(crate) fn first_lines(&self, lines: &[u8]) -> usize {
        if self.chunk_lines == usize::MAX {
            return lines.len();
        }
        // A line has at least one byte. A kernel counts line ends: a search for each took 4 to 6% of the time of record batches. The work is counted
        // for few bytes, too, so that it grows steadily and not in a step.
        looked_at(lines.len());
        if lines.len() <= self.chunk_lines
            || simd::count_bytes(Available::best(), lines, self.terminator) <= self.chunk_lines
        {
            return lines.len();
        }
        memchr_iter(self.terminator, lines).nth(self.chunk_lines - 1).map_or(lines.len(), |end| end + 1)
    }

    /// Returns the bytes of the longest line whose record is within the limit, with CR and LF.
    pub(crate) fn longest_line(&self) -> usize {
        self.max_record.saturating_add(2)
    }
}
