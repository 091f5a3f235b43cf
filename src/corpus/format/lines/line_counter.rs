//! Counts the lines of a chunk whose records are not lines.

use super::chunk_lines::ChunkLines;
use crate::simd::{Available, Job, Marks, WINDOW, mark_byte, run};

/// Finds the line that a byte of a chunk is in. Callers must ask for bytes in ascending order.
///
/// Line ends are marked and counted window by window. A question looks at one block, and at those before it up
/// to the last line end.
pub(crate) struct LineCounter<'a> {
    bytes: &'a [u8],
    /// The number of bytes passed.
    counted: usize,
    /// The number of line ends in them.
    number: u64,
    line_start: usize,
    backend: Available,
    /// The line ends from `window` to `marked`.
    marks: Marks,
    /// For each block, the number of line ends before it.
    before: [u64; BLOCKS],
    window: usize,
    marked: usize,
}

/// The bytes whose marks are one number.
const BLOCK: usize = u64::BITS as usize;
const BLOCKS: usize = WINDOW / BLOCK;

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
            before: [0; _],
            window: mark,
            marked: mark,
        }
    }

    /// Returns the start of this byte's line in the chunk, and the line's number, counted from 0. A line that
    /// starts before the chunk counts as if it started with the chunk.
    #[inline]
    pub(crate) fn pass(&mut self, to: usize) -> (usize, u64) {
        while to > self.marked {
            self.pass_in_window(self.marked);
            self.mark();
        }
        self.pass_in_window(to);
        (self.line_start, self.number)
    }

    /// Passes the bytes up to one of the window, or up to its end.
    #[inline]
    fn pass_in_window(&mut self, to: usize) {
        if to <= self.counted {
            return;
        }
        let (first, last) = (self.counted - self.window, to - 1 - self.window);
        let mut block = last / BLOCK;
        let mut ends = self.marks[block] & (u64::MAX >> (BLOCK - 1 - last % BLOCK));
        self.number = self.before[block] + u64::from(ends.count_ones());
        while ends == 0 && block > first / BLOCK {
            block -= 1;
            ends = self.marks[block];
        }
        if ends != 0 {
            self.line_start = self.window + (block + 1) * BLOCK - ends.leading_zeros() as usize;
        }
        self.counted = to;
    }

    /// Marks the next window.
    fn mark(&mut self) {
        self.window = self.marked;
        self.marked = self.bytes.len().min(self.window + WINDOW);
        mark_byte(self.backend, &self.bytes[self.window..self.marked], b'\n', &mut self.marks);
        run(self.backend, Count { marks: &self.marks, first: self.number, before: &mut self.before });
    }

    /// Returns the number of lines that end in the chunk. The last line of the input counts even without a
    /// line end.
    pub(crate) fn finish(mut self, chunk: &ChunkLines<'_>) -> u64 {
        let (_, ended) = self.pass(self.bytes.len());
        let has_open_line = self.bytes.len() > chunk.mark && !self.bytes.ends_with(b"\n");
        ended + u64::from(chunk.is_last && has_open_line)
    }
}

/// Counts the line ends before each block of a window.
struct Count<'c> {
    marks: &'c Marks,
    /// The number of line ends before the window.
    first: u64,
    before: &'c mut [u64; BLOCKS],
}

impl Job for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut number = self.first;
        for (before, ends) in self.before.iter_mut().zip(self.marks) {
            *before = number;
            number += u64::from(ends.count_ones());
        }
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
