//! Lines: the kernels take them as they are.

use core::ops::Range;

use super::{Filler, PIECE, Piece};
use crate::batch::{Batch, Columns};
use crate::simd::Mark;
use crate::validator::Validator;

/// Whole lines of a buffer, from `start` on.
struct Lines<'a> {
    lines: &'a [u8],
    start: usize,
}

/// Scans a buffer of LF-terminated records into `batch`; the last one may lack its LF.
///
/// The buffer must be shorter than 2^32 - 1 bytes.
pub(crate) fn scan_lines(
    validator: &Validator,
    buffer: &[u8],
    base: u64,
    columns: Columns,
    batch: &mut Batch,
) {
    let whole = memchr::memrchr(b'\n', buffer).map_or(0, |last| last + 1);
    let mut filler = Filler::new(validator, buffer, base, columns, batch);
    let mut start = 0;
    while start < whole {
        let mut end = whole.min(start + PIECE);
        // The last line is taken whole.
        end += memchr::memchr(b'\n', &buffer[end - 1..whole]).unwrap_or(0);
        let piece = Lines { lines: &buffer[start..end], start };
        if filler.skips_kernel(piece.lines.len()) {
            filler.scalar(&piece);
        } else {
            filler.kernel(&piece, piece.lines, start as u32, None);
        }
        start = end;
    }
    if whole < buffer.len() {
        filler.record(whole..buffer.len());
    }
    filler.finish();
}

impl Lines<'_> {
    /// The record that starts at `start` in the lines and ends with the LF at `newline`, or with the CR right before it.
    fn record(&self, start: usize, newline: usize) -> Range<usize> {
        let has_cr = newline > start && self.lines[newline - 1] == b'\r';
        self.start + start..self.start + newline - usize::from(has_cr)
    }
}

impl Piece for Lines<'_> {
    fn records(&self) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        memchr::memchr_iter(b'\n', self.lines).map(move |newline| {
            let record = self.record(start, newline);
            start = newline + 1;
            record
        })
    }

    fn suspect(&self, lines: &[u8], suspect: Mark) -> Range<usize> {
        let newline = suspect.at as usize;
        let start = memchr::memrchr(b'\n', &lines[..newline]).map_or(0, |before| before + 1);
        self.record(start, newline)
    }
}
