//! Arrays of arrays whose first one names the columns, as CDX servers answer.
//!
//! An empty row ends the table: a key to ask for more rows may follow it, which is no row.

use crate::corpus::format::lines::line::Malformed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    /// Not in an array whose first element is one.
    None,
    /// In the row that names the columns.
    Header { cell: u32, found: Option<(u8, u32)> },
    /// After it. `cell` is `None` outside of rows.
    Rows { column: u32, cell: u32 },
    /// After the last row.
    Ended,
}

/// Rows are inside of so many arrays.
const DEPTH: usize = 2;

impl Table {
    pub(super) fn is_open(self) -> bool {
        self != Table::None
    }

    /// An array opens inside of so many, and is the first element of an array or not.
    pub(super) fn open_array(&mut self, depth: usize, is_first: bool) {
        if depth + 1 != DEPTH {
            return;
        }
        match self {
            Table::None if is_first => *self = Table::Header { cell: 0, found: None },
            Table::Rows { cell, .. } => *cell = 0,
            _ => {}
        }
    }

    /// A value follows in an array inside of so many.
    pub(super) fn pass_comma(&mut self, depth: usize) {
        if let (DEPTH, Table::Header { cell, .. } | Table::Rows { cell, .. }) = (depth, self) {
            *cell = cell.saturating_add(1);
        }
    }

    /// Whether cells inside of so many arrays name columns.
    pub(super) fn is_header(self, depth: usize) -> bool {
        depth == DEPTH && matches!(self, Table::Header { .. })
    }

    /// The cell has a name of this rank for the column of the records, or another name.
    pub(super) fn name_column(&mut self, rank: Option<u8>) {
        if let (Table::Header { cell, found }, Some(rank)) = (self, rank)
            && found.is_none_or(|(other, _)| rank < other)
        {
            *found = Some((rank, *cell));
        }
    }

    /// Whether a value inside of so many arrays is in the column of the records, if this is a table.
    pub(super) fn is_column(self, depth: usize) -> Option<bool> {
        match self {
            Table::None => None,
            Table::Rows { column, cell } => Some(depth == DEPTH && cell == column),
            Table::Header { .. } | Table::Ended => Some(false),
        }
    }

    /// An array inside of so many closes, and may lack something. `is_empty` if nothing was in it.
    pub(super) fn close(&mut self, depth: usize, is_empty: bool) -> Option<Malformed> {
        if depth + 1 != DEPTH {
            return None;
        }
        match *self {
            Table::Header { found: Some((_, column)), .. } => *self = Table::Rows { column, cell: 0 },
            Table::Header { .. } => return Some(Malformed::NotInHeader),
            Table::Rows { .. } if is_empty => *self = Table::Ended,
            Table::Rows { column, cell } if cell < column => return Some(Malformed::TooFewColumns),
            _ => {}
        }
        None
    }
}
