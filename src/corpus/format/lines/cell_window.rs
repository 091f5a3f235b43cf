//! A window of a table, in which a kernel marks row ends and separators.
//!
//! In most windows, quotes stand around whole cells, and rows have one line each. Then the marks are all that
//! a reader needs. They have no meaning from the first byte on that is
//! [irregular](crate::simd::CellMarks). If a window has only few bytes of rows before such a byte, the next
//! rows get no window: first one row, then twice as many each time.
//!
//! An idea that failed: a window was good if it had any row. If every other row of a table is irregular, each
//! window then passed one or two rows, and the table took three to four times as long.

use crate::simd::{Available, CellBytes, CellMarks, Job, Marks, WINDOW, mark_cells, run};

/// The most rows that get no window.
const MOST_SKIPPED: u32 = 256;

/// A window is worth its time if its rows have at least its bytes divided by this number.
const SHARE: usize = 8;

/// The most rows of a window.
const MOST_ROWS: usize = 128;

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

/// A row of a window. Positions count from the window's start.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WindowRow {
    /// The place of its line end.
    pub(crate) end: u16,
    /// The number of its cells.
    pub(crate) cells: u16,
    /// The place of the wanted cell, with its quotes, if the row has the cell.
    pub(crate) cell_start: u16,
    pub(crate) cell_end: u16,
}

/// The rows of a window.
pub(crate) type WindowRows = [WindowRow; MOST_ROWS];

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
    /// number `column`, counted from 0. Returns the number of the rows.
    pub(crate) fn rows(&mut self, bytes: &[u8], column: usize, rows: &mut WindowRows) -> usize {
        if !self.mark(bytes) {
            return 0;
        }
        let len = first(&self.marks.inner, self.len);
        let found = run(self.backend, FindRows { marks: &self.marks, len, column, rows });
        let passed = rows[..found].last().map_or(0, |row| usize::from(row.end) + 1);
        self.note(found == rows.len() || found > 0 && self.is_large(passed, bytes));
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

/// Finds the rows of a window.
struct FindRows<'w> {
    marks: &'w CellMarks,
    len: usize,
    column: usize,
    rows: &'w mut WindowRows,
}

impl Job for FindRows<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let FindRows { marks, len, column, rows } = self;
        let column = column.min(WINDOW) as u16;
        let mut found = 0;
        let mut row = WindowRow { cells: 1, ..WindowRow::default() };
        for block in 0..len.div_ceil(64) {
            let first = 64 * block as u16;
            let mut ends = marks.row_end[block] & first_bits(len - 64 * block);
            let mut separators = marks.separator[block];
            loop {
                let before_end = ends & ends.wrapping_neg();
                let of_row = separators & before_end.wrapping_sub(1);
                row.take(of_row, first, column);
                if ends == 0 {
                    break;
                }
                row.end = first + ends.trailing_zeros() as u16;
                if row.cells == column + 1 {
                    row.cell_end = row.end;
                }
                rows[found] = row;
                found += 1;
                if found == rows.len() {
                    return found;
                }
                row = WindowRow { cells: 1, cell_start: row.end + 1, ..row };
                separators &= !of_row;
                ends &= ends - 1;
            }
        }
        found
    }
}

impl WindowRow {
    /// Takes these separators of the row. `first` is the place of their first bit.
    #[inline(always)]
    fn take(&mut self, mut separators: u64, first: u16, column: u16) {
        while separators != 0 && self.cells <= column + 1 {
            let place = first + separators.trailing_zeros() as u16;
            if self.cells == column {
                self.cell_start = place + 1;
            } else {
                self.cell_end = place;
            }
            self.cells += 1;
            separators &= separators - 1;
        }
        self.cells += separators.count_ones() as u16;
    }
}
