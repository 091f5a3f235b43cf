//! The rows of a table whose cells are found by masks. The other rows are read one by one.

use std::ops::Range;

use super::cell_window::{CellWindow, WindowRow, WindowRows};
use super::chunk_lines::ChunkLines;
use super::cutter::NoQuotes;
use super::line::Line;
use crate::simd::CellBytes;

/// A table, whose marked rows are found by masks.
pub(crate) trait TableFormat {
    /// Classifies the next row, without its line end. Remembers what a header says.
    fn find_row(&mut self, row: &[u8]) -> Line;

    /// Passes a row over the limit. `head` is some of its first bytes.
    fn skip_row(&mut self, head: &[u8]);

    /// Returns the finder of marked rows, if the first line of the table is known.
    fn marked_rows<'b>(&self, chunk: &ChunkLines<'b>) -> Option<MarkedRows<'b>>;

    /// Classifies a marked row: `line`, without its line end, which starts at byte `start` of the chunk.
    fn find_marked(&self, line: &[u8], start: usize, row: &MarkedRow) -> Line;
}

/// A row whose cells are found by masks. Its place is in the bytes of the chunk.
pub(crate) struct MarkedRow {
    /// The place of its line end.
    pub(crate) end: usize,
    /// The number of its cells.
    pub(crate) cells: usize,
    /// The wanted cell, with its quotes, and with the CR of the line end if it is the last one. `None` if the
    /// row has fewer cells.
    pub(crate) cell: Option<Range<usize>>,
}

/// Finds the marked rows of a chunk.
pub(crate) struct MarkedRows<'b> {
    bytes: &'b [u8],
    /// The number of the wanted cell, counted from 0.
    column: usize,
    window: CellWindow,
    /// The start of the window, its rows, and the number of those that have been passed.
    start: usize,
    rows: WindowRows,
    found: usize,
    passed: usize,
}

impl<'b> MarkedRows<'b> {
    /// Returns the finder of marked rows. `None` if lines end with the separator. `can_quote` says whether
    /// separators in quotes are text.
    pub(crate) fn new(chunk: &ChunkLines<'b>, separator: u8, can_quote: bool, column: usize) -> Option<Self> {
        let ChunkLines { bytes, terminator, max_record, .. } = *chunk;
        let has_quotes = can_quote && chunk.facts::<NoQuotes>().is_none();
        let window = CellWindow::new(CellBytes { separator, terminator, has_quotes }, max_record)?;
        let rows = [WindowRow::default(); _];
        Some(MarkedRows { bytes, column, window, start: 0, rows, found: 0, passed: 0 })
    }

    /// Returns the row that starts at `start`, if it is marked. The rows are passed in order, each of them
    /// here or in another way.
    #[inline]
    pub(crate) fn row(&mut self, start: usize) -> Option<MarkedRow> {
        if self.passed == self.found {
            self.found = self.window.rows(&self.bytes[start..], self.column, &mut self.rows);
            (self.start, self.passed) = (start, 0);
        }
        let row = self.rows[..self.found].get(self.passed)?;
        self.passed += 1;
        let place = |at: u16| self.start + usize::from(at);
        let cells = usize::from(row.cells);
        let cell = (cells > self.column).then(|| place(row.cell_start)..place(row.cell_end));
        Some(MarkedRow { end: place(row.end), cells, cell })
    }
}
