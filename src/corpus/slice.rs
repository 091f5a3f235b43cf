//! Cuts memory into chunks that end at line ends.

use memchr::{memchr, memrchr};

use super::chunk::{Bytes, Chunk, count_lines, mark_len};
use super::limits::Limits;
use super::pool::Source;

/// The whole lines of a slice.
///
/// It ends early, at `position`, before a record without LF and before one so far over the limit that it is not to be held
/// as one chunk: reading goes on from there.
pub(super) struct SliceSource<'a> {
    bytes: &'a [u8],
    limits: Limits,
    pub(super) position: usize,
    pub(super) line: Option<u64>,
}

impl<'a> SliceSource<'a> {
    pub(super) fn new(bytes: &'a [u8], limits: Limits) -> Self {
        SliceSource { bytes, limits, position: 0, line: limits.first_line() }
    }

    /// Where the chunk that starts at `position` ends: behind the last LF in reach, else behind the first one.
    fn end(&self, mark: usize) -> Option<usize> {
        let rest = &self.bytes[self.position..];
        let near = &rest[..rest.len().min(self.limits.chunk_size)];
        let line_end = memrchr(self.limits.terminator, near).or_else(|| {
            let longest = self.limits.longest_line().saturating_add(mark);
            let far = &rest[near.len()..rest.len().min(longest.max(near.len()))];
            memchr(self.limits.terminator, far).map(|at| near.len() + at)
        });
        line_end.map(|at| self.position + at + 1)
    }
}

impl<'a> Source<'a> for SliceSource<'a> {
    fn next(&mut self) -> std::io::Result<Option<Chunk<'a>>> {
        let mark = if self.position == 0 { mark_len(self.bytes) } else { 0 };
        let Some(end) = self.end(mark) else { return Ok(None) };
        let bytes = &self.bytes[self.position..end];
        let chunk = Chunk {
            bytes: Bytes::Borrowed(bytes),
            base: self.position as u64,
            first_line: self.line,
            mark,
            max_record: self.limits.max_record,
            terminator: self.limits.terminator,
            trim: self.limits.trim,
            part: None,
            is_cut_off: false,
            layout: None,
        };
        self.position = end;
        self.line = self.line.map(|line| line + count_lines(self.limits.terminator, bytes));
        Ok(Some(chunk))
    }

    fn reuse(&mut self, _buffer: Vec<u8>) {}

    fn is_finished(&self) -> bool {
        self.position == self.bytes.len()
    }

    fn is_slow(&self) -> bool {
        false
    }
}
