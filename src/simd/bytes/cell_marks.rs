//! The bytes at which tables are cut into rows and cells: a pass over bytes that follows quotes, but knows
//! nothing of columns.
//!
//! A quoted cell may hold separators and quotes (RFC 4180). If quotes stand only where they should, a byte
//! is in a quoted cell if an odd number of quotes stand before it:
//!
//! ```text
//! parity    = parity of the QUOTEs up to here  the bytes in quoted cells, and their opening quotes
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

use super::tag_marks::{BLOCKS, Marks, filled, mask};
use crate::simd::block::vector::{BLOCK, Vector, Words};
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

/// The bytes of a window that decide which others are in quoted cells.
struct QuoteMarks {
    quote: Marks,
    /// The CRs, if a line end can have one.
    cr: Marks,
}

impl QuoteMarks {
    /// The marks of no bytes.
    const NONE: Self = QuoteMarks { quote: [0; _], cr: [0; _] };
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
    let mut quotes = QuoteMarks::NONE;
    // No closure, since a closure would not have the features.
    for (index, block) in blocks.iter().enumerate() {
        // SAFETY: the caller promises the features.
        unsafe { mark_block(V::load(block), of, !0, index, marks, &mut quotes) };
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        unsafe { mark_block(V::load_last(last), of, filled(last), blocks.len(), marks, &mut quotes) };
    }
    // SAFETY: the caller promises the features.
    unsafe { heed_quotes::<V::Words>(&quotes, bytes.len(), marks) };
}

/// Marks the bytes of a block, whether they are in quoted cells or not.
///
/// # Safety
///
/// The same as for [`mark_cells`].
#[inline(always)]
unsafe fn mark_block<V: Vector>(
    vector: V,
    of: CellBytes,
    filled: u64,
    index: usize,
    marks: &mut CellMarks,
    quotes: &mut QuoteMarks,
) {
    // SAFETY: the caller promises the features.
    unsafe {
        marks.row_end[index] = vector.eq(of.terminator) & filled;
        marks.separator[index] = vector.eq(of.separator) & filled;
        if of.has_quotes {
            quotes.quote[index] = vector.eq(b'"') & filled;
            quotes.cr[index] = if of.terminator == b'\n' { vector.eq(b'\r') & filled } else { 0 };
        }
    }
}

/// Moves the marks of bytes in quoted cells, and sets those of irregular bytes, in the first `len` bytes.
///
/// # Safety
///
/// The machine must have the features of `W`, and the caller must enable them.
#[inline(always)]
unsafe fn heed_quotes<W: Words>(quotes: &QuoteMarks, len: usize, marks: &mut CellMarks) {
    let count = len.div_ceil(BLOCK);
    (marks.irregular, marks.inner) = ([0; _], [0; _]);
    if quotes.quote[..count].iter().fold(0, |any, quote| any | quote) == 0 {
        return;
    }
    const { assert!(BLOCKS.is_multiple_of(W::COUNT)) };
    // SAFETY: the caller promises the features.
    unsafe {
        // A row starts at the first byte, so that a cell does.
        let (mut parity, mut before_start) = (0, W::splat(!0));
        let [mut before_close, mut before_cr] = [W::splat(0); 2];
        for at in (0..count).step_by(W::COUNT) {
            let (quote, cr) = (W::load(&quotes.quote[at..]), W::load(&quotes.cr[at..]));
            let (line_end, separator) = (W::load(&marks.row_end[at..]), W::load(&marks.separator[at..]));
            let inside = quote.parity(&mut parity);
            let (opening, closing) = (quote & inside, quote & !inside);
            let (row_end, separator) = (line_end & !inside, separator & !inside);
            let starts = (row_end | separator | closing).advance(&mut before_start);
            let after = closing.advance(&mut before_close);
            let after_cr = (after & cr).advance(&mut before_cr);
            let irregular =
                opening & !starts | after & !(row_end | separator | quote | cr) | after_cr & !row_end;
            row_end.store(&mut marks.row_end[at..]);
            separator.store(&mut marks.separator[at..]);
            irregular.store(&mut marks.irregular[at..]);
            (line_end & inside).store(&mut marks.inner[at..]);
        }
    }
    let unfilled = len % BLOCK;
    if unfilled > 0 {
        // The byte after the last one is not irregular.
        marks.irregular[len / BLOCK] &= (1 << unfilled) - 1;
    }
}

/// [`mark_cells`], byte by byte.
pub(in crate::simd) fn mark_cells_one_by_one(bytes: &[u8], of: CellBytes, marks: &mut CellMarks) {
    looked_at(bytes.len());
    let mut quotes = QuoteMarks::NONE;
    for (index, block) in bytes.chunks(BLOCK).enumerate() {
        let bits = |is_such: bool, byte: u8| if is_such { mask(block, |other| other == byte) } else { 0 };
        marks.row_end[index] = bits(true, of.terminator);
        marks.separator[index] = bits(true, of.separator);
        quotes.quote[index] = bits(of.has_quotes, b'"');
        quotes.cr[index] = bits(of.has_quotes && of.terminator == b'\n', b'\r');
    }
    // SAFETY: a `u64` requires nothing.
    unsafe { heed_quotes::<u64>(&quotes, bytes.len(), marks) };
}
