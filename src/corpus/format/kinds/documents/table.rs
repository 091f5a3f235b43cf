//! Arrays of arrays whose first array names the columns, like the answers of CDX servers.
//!
//! An empty row ends the table. After it, a CDX server can put a key to request more rows, which is not a
//! row.

use crate::corpus::format::lines::line::Malformed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableState {
    /// Outside of tables: outside of arrays whose first element is an array.
    None,
    /// In the row that names the columns. `found` is the best name so far: its rank and its cell.
    Header { cell: u32, found: Option<(u8, u32)> },
    /// After the header. `column` has the records; `cell` is the current cell of a row.
    Rows { column: u32, cell: u32 },
    /// After the last row.
    Ended,
}

/// The number of arrays around the cells of a row.
const DEPTH: usize = 2;

impl TableState {
    pub(super) fn is_open(self) -> bool {
        self != TableState::None
    }

    /// Handles the start of an array. `depth` arrays and objects are around it. `is_first`: it is the first
    /// element of an array.
    pub(super) fn open_array(&mut self, depth: usize, is_first: bool) {
        if depth + 1 != DEPTH {
            return;
        }
        match self {
            TableState::None if is_first => *self = TableState::Header { cell: 0, found: None },
            TableState::Rows { cell, .. } => *cell = 0,
            _ => {}
        }
    }

    /// Handles the start of an object. `depth` arrays and objects are around it. A row with objects names no
    /// columns.
    pub(super) fn open_object(&mut self, depth: usize) {
        if self.is_header(depth) {
            *self = TableState::None;
        }
    }

    /// Handles a comma in an array. `depth` counts the arrays and objects around the value after the comma.
    pub(super) fn pass_comma(&mut self, depth: usize) {
        if let (DEPTH, TableState::Header { cell, .. } | TableState::Rows { cell, .. }) = (depth, self) {
            *cell = cell.saturating_add(1);
        }
    }

    /// Returns true if cells at this depth name columns.
    pub(super) fn is_header(self, depth: usize) -> bool {
        depth == DEPTH && matches!(self, TableState::Header { .. })
    }

    /// Handles a cell of the header. `rank` is the rank of its name, or `None` for a name of another column.
    pub(super) fn name_column(&mut self, rank: Option<u8>) {
        if let (TableState::Header { cell, found }, Some(rank)) = (self, rank)
            && found.is_none_or(|(other, _)| rank < other)
        {
            *found = Some((rank, *cell));
        }
    }

    /// Returns whether a value at this depth is in the column of the records. `None` outside of tables.
    pub(super) fn is_column(self, depth: usize) -> Option<bool> {
        match self {
            TableState::None => None,
            TableState::Rows { column, cell } => Some(depth == DEPTH && cell == column),
            TableState::Header { .. } | TableState::Ended => Some(false),
        }
    }

    /// Handles the end of an array, and returns the reason if the array is malformed. `depth` arrays and
    /// objects are around it.
    pub(super) fn close(&mut self, depth: usize, is_empty: bool) -> Option<Malformed> {
        if depth + 1 != DEPTH {
            return None;
        }
        match *self {
            TableState::Header { found: Some((_, column)), .. } => {
                *self = TableState::Rows { column, cell: 0 }
            }
            TableState::Header { .. } => return Some(Malformed::NotInHeader),
            TableState::Rows { .. } if is_empty => *self = TableState::Ended,
            TableState::Rows { column, cell } if cell < column => return Some(Malformed::TooFewColumns),
            _ => {}
        }
        None
    }
}
