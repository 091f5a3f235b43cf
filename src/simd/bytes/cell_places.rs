//! The places of one cell in each row of a window, from the [marks](super::cell_marks) of the window.
//!
//! Each row has a cursor, and all cursors move from cell to cell at once. A row without a further cell keeps its
//! cursor at its end, so that the cursors stay in the order of the rows:
//!
//! ```text
//! cursor = the first byte of each row
//! end    = run cursor through ~(ROW_END | SEPARATOR)       the end of the cell
//! cursor = after a SEPARATOR at end | a ROW_END at end      the next cell; once for each cell before the wanted one
//! ```
//!
//! A row has as many cells as marks. The counts of marks up to two row ends tell their number.
//!
//! Tried, and slower by a half: a loop over the marks of each block. The processor predicts neither how many marks
//! a block has nor which of them end rows.

use super::cell_marks::CellMarks;
use super::tag_marks::{BLOCKS, Marks};
use crate::simd::block::vector::{BLOCK, SURPLUS, Words};

/// The most rows whose places are found at once: at least those of two blocks.
const MOST_ROWS: usize = 2 * BLOCK;

/// Positions of rows, and what a backend writes after the last one. An unfinished row can have a position, too.
type Positions = [u32; MOST_ROWS + 1 + SURPLUS];

/// The rows of a window. Positions count from its start.
#[derive(Debug)]
pub(crate) struct CellPlaces {
    /// The place of each row's line end.
    pub(crate) row_ends: Positions,
    /// The number of its cells.
    pub(crate) cells: [u32; MOST_ROWS],
    /// The place of its wanted cell. If the row has no such cell, both are the row's end.
    pub(crate) starts: Positions,
    pub(crate) ends: Positions,
}

impl CellPlaces {
    /// The places of no rows.
    pub(crate) const NONE: Self =
        CellPlaces { row_ends: [0; _], cells: [0; _], starts: [0; _], ends: [0; _] };

    /// The highest number of a cell, counted from 0, that is found in this way. Each cell before it takes a step, and
    /// with several hundred steps, reading the rows one by one is faster.
    pub(crate) const LAST_COLUMN: usize = 128;

    /// If the rows of a window are not all found, at least this number of them are.
    pub(crate) const MANY: usize = MOST_ROWS - BLOCK;
}

/// Finds the cells with the number `column`, counted from 0, in the rows of the first `len` bytes of a window, and
/// returns the number of these rows. If there are very many, those that are found are the first ones.
///
/// # Panics
///
/// Panics if `column` is higher than [`CellPlaces::LAST_COLUMN`].
///
/// # Safety
///
/// The machine must have the features of `W`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn find_cells<W: Words>(
    marks: &CellMarks,
    len: usize,
    column: usize,
    places: &mut CellPlaces,
) -> usize {
    assert!(column <= CellPlaces::LAST_COLUMN);
    let mut row_ends: Marks = [0; _];
    let (mut rows, mut count) = (0, 0);
    for (ends, &marked) in row_ends.iter_mut().zip(&marks.row_end).take(len.div_ceil(BLOCK)) {
        let filled = len - BLOCK * count;
        let within = marked & if filled < BLOCK { (1 << filled) - 1 } else { !0 };
        if rows + within.count_ones() as usize > MOST_ROWS {
            break;
        }
        rows += within.count_ones() as usize;
        (*ends, count) = (within, count + 1);
    }
    // SAFETY: the caller promises the features. Whatever the marks are, no row has two cursors, since a row's end stops
    // each cursor. So each array has room for a position of each row, of an unfinished one, and for the surplus.
    unsafe {
        let mut cursors: Marks = [0; _];
        let mut before = W::splat(!0);
        for at in (0..count).step_by(W::COUNT) {
            W::load(&row_ends[at..]).advance(&mut before).store(&mut cursors[at..]);
        }
        for _ in 0..column {
            let (mut carry, mut before, mut any) = (0, W::splat(0), W::splat(0));
            for at in (0..count).step_by(W::COUNT) {
                let row_end = W::load(&row_ends[at..]);
                let separator = W::load(&marks.separator[at..]) & !row_end;
                let end = W::load(&cursors[at..]).run(!(row_end | separator), &mut carry);
                let at_separator = end & separator;
                any = any | at_separator;
                (at_separator.advance(&mut before) | end & row_end).store(&mut cursors[at..]);
            }
            if any.is_zero() {
                break;
            }
        }
        let mut cell_ends: Marks = [0; _];
        let mut carry = 0;
        for at in (0..count).step_by(W::COUNT) {
            let inside = !(W::load(&row_ends[at..]) | W::load(&marks.separator[at..]));
            W::load(&cursors[at..]).run(inside, &mut carry).store(&mut cell_ends[at..]);
        }
        W::write_positions(&row_ends, 0, places.row_ends.as_mut_ptr());
        for (marks, positions) in [(&cursors, &mut places.starts), (&cell_ends, &mut places.ends)] {
            let end = W::write_positions(marks, 0, positions.as_mut_ptr());
            debug_assert!((rows..=rows + 1).contains(&end.offset_from_unsigned(positions.as_ptr())));
        }
    }
    let (mut marks_before, mut sum) = ([0; BLOCKS], 0);
    for (before, (row_end, separator)) in marks_before.iter_mut().zip(row_ends.iter().zip(&marks.separator)) {
        *before = sum;
        sum += (row_end | separator).count_ones();
    }
    let mut before_row = 0;
    for (cells, &end) in places.cells[..rows].iter_mut().zip(&places.row_ends) {
        let (block, at) = (end as usize / BLOCK % BLOCKS, end % BLOCK as u32);
        let up_to_end = (row_ends[block] | marks.separator[block]) << (BLOCK as u32 - 1 - at);
        let up_to_row = marks_before[block] + up_to_end.count_ones();
        *cells = up_to_row - before_row;
        before_row = up_to_row;
    }
    rows
}
