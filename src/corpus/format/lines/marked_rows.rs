//! The rows of a table whose cells are found by masks. The other rows are read one by one.

use std::ops::Range;

use super::cell_window::CellWindow;
use super::chunk_lines::ChunkLines;
use super::cutter::NoQuotes;
use super::line::Line;
use crate::simd::{CellBytes, CellPlaces};

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

    /// Returns true if the wanted cell of a marked row is surely a record as it stands. `bytes` are those of the
    /// chunk.
    fn is_record(&self, bytes: &[u8], row: &MarkedRow) -> bool;
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
    /// The start of the window, its rows, and their number.
    start: usize,
    rows: CellPlaces,
    found: usize,
}

impl<'b> MarkedRows<'b> {
    /// Returns the finder of marked rows. `None` if lines end with the separator, or if the cell comes after many
    /// others. `can_quote` says whether separators in quotes are text.
    pub(crate) fn new(chunk: &ChunkLines<'b>, separator: u8, can_quote: bool, column: usize) -> Option<Self> {
        let ChunkLines { bytes, terminator, max_record, .. } = *chunk;
        let has_quotes = can_quote && chunk.facts::<NoQuotes>().is_none();
        let window = CellWindow::new(CellBytes { separator, terminator, has_quotes }, max_record)?;
        let is_near = column <= CellPlaces::LAST_COLUMN;
        is_near.then_some(MarkedRows { bytes, column, window, start: 0, rows: CellPlaces::NONE, found: 0 })
    }

    /// Finds the marked rows of a window at `start`, where a row starts. Returns their number: 0 if that row is not
    /// marked. The caller passes the rows in order, each of them here or in another way.
    pub(crate) fn find(&mut self, start: usize) -> usize {
        self.found = self.window.rows(&self.bytes[start..], self.column, &mut self.rows);
        self.start = start;
        self.found
    }

    /// Returns the rows that were found last.
    #[inline]
    pub(crate) fn iter(&self) -> impl Iterator<Item = MarkedRow> {
        let CellPlaces { row_ends, cells, starts, ends } = &self.rows;
        let rows = row_ends[..self.found].iter().zip(cells).zip(starts.iter().zip(ends));
        rows.map(|((&end, &cells), (&cell_start, &cell_end))| {
            let place = |at: u32| self.start + at as usize;
            let cells = cells as usize;
            let cell = (cells > self.column).then(|| place(cell_start)..place(cell_end));
            MarkedRow { end: place(end), cells, cell }
        })
    }
}
