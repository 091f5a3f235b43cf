//! A window of a table, in which a kernel marks row ends and separators.
//!
//! In most windows, quotes stand around whole cells, and rows have one line each. Then the marks are all that
//! a reader needs. They have no meaning from the first byte on that is
//! [irregular](crate::simd::CellMarks). If a window has only few bytes of rows before such a byte, the next
//! rows get no window: first one row, then twice as many each time.
//!
//! An idea that failed: a window was good if it had any row. If every other row of a table is irregular, each
//! window then passed one or two rows, and the table took three to four times as long.

use crate::simd::{Available, CellBytes, CellMarks, CellPlaces, Marks, WINDOW, find_cells, mark_cells};

/// The most rows that get no window.
const MOST_SKIPPED: u32 = 256;

/// A window is worth its time if its rows have at least its bytes divided by this number.
const SHARE: usize = 8;

/// The marks of a window.
#[derive(Debug)]
pub(crate) struct CellWindow {
    of: CellBytes,
    /// The most bytes of a window, so that no row in it is over the limit.
    most: usize,
    backend: Available,
    marks: CellMarks,
    /// The number of bytes whose marks have a meaning.
    len: usize,
    /// The number of rows that still get no window, and how many these were the last time.
    skipped: u32,
    last_skipped: u32,
}

impl CellWindow {
    /// Returns an empty window. `longest` is the maximal length of a row, in bytes. `None` if lines end with
    /// the separator.
    pub(crate) fn new(of: CellBytes, longest: usize) -> Option<Self> {
        let (backend, marks) = (Available::best(), CellMarks::NONE);
        let window =
            CellWindow { of, most: longest.min(WINDOW), backend, marks, len: 0, skipped: 0, last_skipped: 0 };
        (of.separator != of.terminator).then_some(window)
    }

    /// Marks the first bytes, which start with a row. Returns false if there is no window for this row.
    #[inline]
    fn mark(&mut self, bytes: &[u8]) -> bool {
        if self.skipped > 0 {
            self.skipped -= 1;
            return false;
        }
        let window = &bytes[..bytes.len().min(self.most)];
        mark_cells(self.backend, window, self.of, &mut self.marks);
        self.len = first(&self.marks.irregular, window.len());
        true
    }

    /// Notes whether the window was worth its time.
    fn note(&mut self, is_worth_it: bool) {
        self.last_skipped = if is_worth_it { 0 } else { (2 * self.last_skipped).clamp(1, MOST_SKIPPED) };
        self.skipped = self.last_skipped;
    }

    /// Returns true if this number of bytes is a large part of the window at the start of `bytes`.
    fn is_large(&self, passed: usize, bytes: &[u8]) -> bool {
        SHARE * passed >= bytes.len().min(self.most)
    }

    /// Returns the end of the last row that is found in the first bytes, which start with a row; the end
    /// includes its line end.
    pub(crate) fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        if !self.mark(bytes) {
            return None;
        }
        let mut blocks = self.marks.row_end[..self.len.div_ceil(64)].iter().enumerate().rev();
        let last = blocks.find_map(|(block, &ends)| {
            let ends = ends & first_bits(self.len - 64 * block);
            ends.checked_ilog2().map(|last| 64 * block + last as usize + 1)
        });
        self.note(last.is_some_and(|end| self.is_large(end, bytes)));
        last
    }

    /// Finds the rows of one line in the first bytes, which start with a row, and in each the cell with the
    /// number `column`, counted from 0, at most [`CellPlaces::LAST_COLUMN`]. Returns the number of the rows.
    pub(crate) fn rows(&mut self, bytes: &[u8], column: usize, places: &mut CellPlaces) -> usize {
        if !self.mark(bytes) {
            return 0;
        }
        let len = first(&self.marks.inner, self.len);
        let found = find_cells(self.backend, &self.marks, len, column, places);
        let passed = found.checked_sub(1).map_or(0, |last| places.row_ends[last] as usize + 1);
        self.note(found >= CellPlaces::MANY || self.is_large(passed, bytes));
        found
    }
}

/// Returns the place of the first mark among the first `len`, or `len`.
fn first(marks: &Marks, len: usize) -> usize {
    let marks = &marks[..len.div_ceil(64)];
    let block = marks.iter().position(|&marks| marks != 0);
    block.map_or(len, |block| len.min(64 * block + marks[block].trailing_zeros() as usize))
}

/// Returns the first bits of a mask, all if there are more than 64.
#[inline(always)]
fn first_bits(count: usize) -> u64 {
    if count < 64 { (1 << count) - 1 } else { !0 }
}
