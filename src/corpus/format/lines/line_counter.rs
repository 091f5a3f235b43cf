//! Counts the lines of a chunk whose records are not lines.

use super::chunk_lines::ChunkLines;
use crate::simd::{Available, Marks, WINDOW, mark_byte};

/// Finds the line that a byte of a chunk is in. Callers must ask for bytes in ascending order.
pub(crate) struct LineCounter<'a> {
    bytes: &'a [u8],
    /// The number of bytes passed.
    counted: usize,
    number: u64,
    line_start: usize,
    backend: Available,
    /// The line ends from `window` to `marked`.
    marks: Marks,
    window: usize,
    marked: usize,
}

impl<'a> LineCounter<'a> {
    pub(crate) fn new(chunk: &ChunkLines<'a>) -> Self {
        let ChunkLines { bytes, mark, .. } = *chunk;
        LineCounter {
            bytes,
            counted: mark,
            number: 0,
            line_start: mark,
            backend: Available::best(),
            marks: [0; _],
            window: mark,
            marked: mark,
        }
    }

    /// Returns the start of this byte's line in the chunk, and the line's number, counted from 0. A line that
    /// starts before the chunk counts as if it started with the chunk.
    pub(crate) fn pass(&mut self, to: usize) -> (usize, u64) {
        while self.counted < to {
            if self.counted == self.marked {
                self.mark();
            }
            let end = to.min(self.marked);
            let (from, last) = (self.counted - self.window, end - 1 - self.window);
            for word in from / 64..=last / 64 {
                let mut ends = self.marks[word];
                if word == from / 64 {
                    ends &= u64::MAX << (from % 64);
                }
                if word == last / 64 {
                    ends &= u64::MAX >> (63 - last % 64);
                }
                if ends != 0 {
                    self.number += u64::from(ends.count_ones());
                    self.line_start = self.window + word * 64 + 64 - ends.leading_zeros() as usize;
                }
            }
            self.counted = end;
        }
        (self.line_start, self.number)
    }

    /// Marks the next window.
    fn mark(&mut self) {
        self.window = self.marked;
        self.marked = self.bytes.len().min(self.window + WINDOW);
        mark_byte(self.backend, &self.bytes[self.window..self.marked], b'\n', &mut self.marks);
    }

    /// Returns the number of lines that end in the chunk. The last line of the input counts even without a
    /// line end.
    pub(crate) fn finish(mut self, chunk: &ChunkLines<'_>) -> u64 {
        let (_, ended) = self.pass(self.bytes.len());
        let has_open_line = self.bytes.len() > chunk.mark && !self.bytes.ends_with(b"\n");
        ended + u64::from(chunk.is_last && has_open_line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_as_one_by_one() {
        let text: String =
            (0..3_000_usize).map(|number| "x".repeat(number * 7 % 40 * (number % 3)) + "\n").collect();
        let chunk = ChunkLines { mark: 3, ..ChunkLines::head(text.as_bytes()) };
        for step in [1, 63, 64, 65, 1000, 5000] {
            let mut lines = LineCounter::new(&chunk);
            for to in (3..text.len()).step_by(step) {
                let before = &text[3..to];
                let start = before.rfind('\n').map_or(3, |at| 3 + at + 1);
                let expected = (start, before.matches('\n').count() as u64);
                // Only for some bytes: the check of all bytes would take quadratic time.
                if to % 97 == 0 || step > 100 {
                    assert_eq!(lines.pass(to), expected, "{to}");
                } else {
                    lines.pass(to);
                }
            }
            assert_eq!(lines.finish(&chunk), text[3..].matches('\n').count() as u64);
        }
    }
}
