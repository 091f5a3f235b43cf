//! Scans lines: kernels take them unchanged.

use core::ops::Range;

use super::filler::{Filler, PIECE};
use crate::batch::Batch;
use crate::column::Columns;
use crate::grammar::Rules;
use crate::simd::{Available, Piece, Placement};
use crate::work::{memchr, memchr_iter, memrchr};

/// Scans a buffer of LF-terminated records into `batch`. The last record may lack its LF.
///
/// The buffer must be shorter than 2^32 - 1 bytes.
pub(crate) fn scan_lines(
    rules: Rules,
    backend: Available,
    buffer: &[u8],
    columns: Columns,
    batch: &mut Batch,
) {
    let whole = memrchr(b'\n', buffer).map_or(0, |last| last + 1);
    let mut filler = Filler::new(rules, backend, buffer, columns, batch);
    filler.batch.are_lines = true;
    if columns.has_forms() {
        filler.note_forms();
    }
    let mut start = 0;
    while start < whole {
        let mut end = whole.min(start + PIECE);
        // The piece includes all of its last line.
        end += memchr(b'\n', &buffer[end - 1..whole]).unwrap_or(0);
        let taken = filler.lines(start..end);
        if taken == 0 {
            // The LFs of the piece have vanished meanwhile.
            filler.record(start..end);
            start = end;
        } else {
            start += taken;
        }
    }
    if whole < buffer.len() {
        filler.record(whole..buffer.len());
    }
    filler.finish();
}

impl Filler<'_> {
    /// Adds the lines of a piece. Returns the number of bytes that they take: all bytes if the last one is an LF.
    fn lines(&mut self, piece: Range<usize>) -> usize {
        let Range { start, end } = piece;
        let buffer = self.buffer;
        let lines = &buffer[start..end];
        if !self.skips_kernel(lines.len()) {
            let origin = Placement::Lines(start as u32);
            return self.kernel(Piece::Lines(lines), origin, lines.len(), |line| {
                start + line.start as usize..start + line.end as usize
            });
        }
        let mut taken = 0;
        self.records(memchr_iter(b'\n', lines).map(|newline| {
            let has_cr = newline > taken && lines[newline - 1] == b'\r';
            let record = start + taken..start + newline - usize::from(has_cr);
            taken = newline + 1;
            record
        }));
        taken
    }
}
