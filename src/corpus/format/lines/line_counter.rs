//! The lines of a chunk whose records are not lines, counted on the way.

use super::chunk_lines::ChunkLines;
use crate::work::{memchr_iter, memrchr};

/// Which line a byte of a chunk is in. The bytes have to come in order.
pub(crate) struct LineCounter<'a> {
    bytes: &'a [u8],
    /// The bytes that have been passed.
    counted: usize,
    number: u64,
    line_start: usize,
}

impl<'a> LineCounter<'a> {
    pub(crate) fn new(chunk: &ChunkLines<'a>) -> Self {
        LineCounter { bytes: chunk.bytes, counted: chunk.mark, number: 0, line_start: chunk.mark }
    }

    /// The start of this byte's line in the chunk, and the line's number, counted from 0. A line that starts before the chunk
    /// counts as if it started with it.
    pub(crate) fn pass(&mut self, to: usize) -> (usize, u64) {
        let passed = &self.bytes[self.counted..to];
        self.number += memchr_iter(b'\n', passed).count() as u64;
        self.line_start =
            memrchr(b'\n', passed).map_or(self.line_start, |line_end| self.counted + line_end + 1);
        self.counted = to;
        (self.line_start, self.number)
    }

    /// The number of lines that end in the chunk; the last one of the input may lack its end.
    pub(crate) fn finish(mut self, chunk: &ChunkLines<'_>) -> u64 {
        let (_, ended) = self.pass(self.bytes.len());
        let has_open_line = self.bytes.len() > chunk.mark && !self.bytes.ends_with(b"\n");
        ended + u64::from(chunk.is_last && has_open_line)
    }
}
