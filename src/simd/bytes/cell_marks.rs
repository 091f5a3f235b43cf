//! The bytes at which tables are cut into rows and cells: a pass over bytes that follows quotes, but knows
//! nothing of columns.
//!
//! A quoted cell may hold separators and quotes (RFC 4180). If quotes stand only where they should, a byte
//! is in a quoted cell if an odd number of quotes stand before it:
//!
//! ```text
//! parity    = prefix_xor(QUOTE) ^ before       the bytes in quoted cells, and their opening quotes
//! opening   = QUOTE & parity
//! closing   = QUOTE & ~parity
//! row_end   = LF & ~parity
//! separator = SEPARATOR & ~parity
//! irregular = opening & ~((row_end | separator | closing) << 1)      a quote within a cell
//!           | (closing << 1) & ~(row_end | separator | QUOTE | CR)   text after a cell
//!           | ((closing << 1) & CR) << 1 & ~row_end                  the same
//! inner     = LF & parity                      a line end in a row
//! ```
//!
//! Up to the first irregular byte, this is what a reader of one byte after the other finds. From there on,
//! the marks have no meaning: the caller reads the row of that byte in another way, and goes on after it.

use super::tag_marks::{Marks, filled, mask};
use crate::simd::block::vector::{BLOCK, Vector};
use crate::work::looked_at;

/// The bytes at which a table is cut.
#[derive(Clone, Debug)]
pub(crate) struct CellMarks {
    /// The line ends outside of quoted cells.
    pub(crate) row_end: Marks,
    /// The separators outside of quoted cells.
    pub(crate) separator: Marks,
    /// The bytes that make a row [irregular](self).
    pub(crate) irregular: Marks,
    /// The line ends in quoted cells.
    pub(crate) inner: Marks,
}

impl CellMarks {
    /// The marks of no bytes.
    pub(crate) const NONE: Self =
        CellMarks { row_end: [0; _], separator: [0; _], irregular: [0; _], inner: [0; _] };

    #[inline(always)]
    fn set(&mut self, index: usize, [row_end, separator, irregular, inner]: [u64; 4]) {
        self.row_end[index] = row_end;
        self.separator[index] = separator;
        self.irregular[index] = irregular;
        self.inner[index] = inner;
    }
}

/// The bytes that separate cells and rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellBytes {
    pub(crate) separator: u8,
    /// The byte that ends a line. Before an LF, a CR belongs to the line end.
    pub(crate) terminator: u8,
    /// Whether cells can be quoted.
    pub(crate) has_quotes: bool,
}

/// The bytes of a block.
struct BlockMasks {
    line_end: u64,
    separator: u64,
    quote: u64,
    cr: u64,
}

/// The state between two blocks. The fields but for the first are 0 or 1.
struct Open {
    /// All bits, if the next block starts in a quoted cell.
    parity: u64,
    /// Whether a cell may start here.
    cell: u64,
    /// Whether the last byte is a closing quote.
    closed: u64,
    /// Whether the last bytes are a closing quote and a CR.
    cr: u64,
}

impl Open {
    /// The start of a row.
    const ROW: Self = Open { parity: 0, cell: 1, closed: 0, cr: 0 };

    #[inline(always)]
    fn marks(&mut self, block: BlockMasks) -> [u64; 4] {
        let BlockMasks { line_end, separator, quote, cr } = block;
        // Most blocks have no quotes, and nothing is open.
        if quote | self.parity | self.closed | self.cr == 0 {
            self.cell = (line_end | separator) >> 63;
            return [line_end, separator, 0, 0];
        }
        let parity = prefix_xor(quote) ^ self.parity;
        let (opening, closing) = (quote & parity, quote & !parity);
        let (row_end, separator) = (line_end & !parity, separator & !parity);
        let starts = row_end | separator | closing;
        let after = closing << 1 | self.closed;
        let after_cr = (after & cr) << 1 | self.cr;
        let irregular = opening & !(starts << 1 | self.cell)
            | after & !(row_end | separator | quote | cr)
            | after_cr & !row_end;
        *self = Open {
            parity: ((parity as i64) >> 63) as u64,
            cell: starts >> 63,
            closed: closing >> 63,
            cr: (after & cr) >> 63,
        };
        [row_end, separator, irregular, line_end & parity]
    }
}

/// Returns the parity of the bits up to each bit.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Marks these bytes, at most [`WINDOW`](super::tag_marks::WINDOW). A row starts at the first one.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_cells<V: Vector>(bytes: &[u8], of: CellBytes, marks: &mut CellMarks) {
    looked_at(bytes.len());
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    let mut open = Open::ROW;
    // No closure, since a closure would not have the features.
    for (index, block) in blocks.iter().enumerate() {
        // SAFETY: the caller promises the features.
        marks.set(index, open.marks(unsafe { masks_of(V::load(block), of) }));
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        let of_block = open.marks(unsafe { masks_of(V::load_last(last), of) });
        marks.set(blocks.len(), of_block.map(|mask| mask & filled(last)));
    }
}

#[inline(always)]
unsafe fn masks_of<V: Vector>(vector: V, of: CellBytes) -> BlockMasks {
    // SAFETY: the caller promises the features.
    unsafe {
        let quote = if of.has_quotes { vector.eq(b'"') } else { 0 };
        let cr = if of.has_quotes && of.terminator == b'\n' { vector.eq(b'\r') } else { 0 };
        BlockMasks { line_end: vector.eq(of.terminator), separator: vector.eq(of.separator), quote, cr }
    }
}

/// [`mark_cells`], byte by byte.
pub(in crate::simd) fn mark_cells_one_by_one(bytes: &[u8], of: CellBytes, marks: &mut CellMarks) {
    looked_at(bytes.len());
    let mut open = Open::ROW;
    for (index, block) in bytes.chunks(BLOCK).enumerate() {
        let bits = |is_such: bool, byte: u8| if is_such { mask(block, |other| other == byte) } else { 0 };
        let of_block = BlockMasks {
            line_end: bits(true, of.terminator),
            separator: bits(true, of.separator),
            quote: bits(of.has_quotes, b'"'),
            cr: bits(of.has_quotes && of.terminator == b'\n', b'\r'),
        };
        marks.set(index, open.marks(of_block));
    }
}
