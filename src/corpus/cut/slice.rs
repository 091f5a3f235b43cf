//! Cuts memory into chunks that end at line ends.

use super::chunk::{Bytes, Cut};
use super::source::Source;
use crate::corpus::limits::Limits;
use crate::corpus::mark::mark_len;
use crate::work::{memchr, memrchr};

/// The whole lines of a slice.
///
/// The source ends early, at `position`: before a record without LF, and before a record too far over the
/// limit to be held as one chunk. Reading continues from there.
pub(crate) struct SliceSource<'a> {
    bytes: &'a [u8],
    limits: Limits,
    pub(crate) position: usize,
}

impl<'a> SliceSource<'a> {
    pub(crate) fn new(bytes: &'a [u8], limits: Limits) -> Self {
        SliceSource { bytes, limits, position: 0 }
    }

    /// Returns the end of the chunk that starts at `position`: after the last line end within the chunk size,
    /// otherwise after the first one; earlier if the chunk would have too many lines, as far as
    /// [estimated](Limits::estimated_first_lines).
    fn end(&self, mark: usize) -> Option<usize> {
        let rest = &self.bytes[self.position..];
        let near = &rest[..rest.len().min(self.limits.chunk_size)];
        let line_end = memrchr(self.limits.terminator, near).or_else(|| {
            let longest = self.limits.longest_line().saturating_add(mark);
            let far = &rest[near.len()..rest.len().min(longest.max(near.len()))];
            memchr(self.limits.terminator, far).map(|at| near.len() + at)
        });
        line_end.map(|at| self.position + self.limits.estimated_first_lines(&rest[..=at]))
    }
}

impl<'a> Source<'a> for SliceSource<'a> {
    type Item = Cut<'a>;

    fn next(&mut self) -> std::io::Result<Option<Cut<'a>>> {
        let mark = if self.position == 0 { mark_len(self.bytes) } else { 0 };
        let Some(end) = self.end(mark) else { return Ok(None) };
        let bytes = &self.bytes[self.position..end];
        let base = self.position as u64;
        self.position = end;
        Ok(Some(Cut::lines(Bytes::Borrowed(bytes), base, mark)))
    }

    fn reuse(&mut self, _buffer: Vec<u8>) {}

    fn is_finished(&self) -> bool {
        self.position == self.bytes.len()
    }

    fn is_slow(&self) -> bool {
        false
    }
}
