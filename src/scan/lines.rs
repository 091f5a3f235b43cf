//! Scans lines: kernels take them unchanged.

use core::ops::Range;

use super::filler::{Filler, PIECE};
use crate::batch::Batch;
use crate::grammar::{Rules, SchemeRule};
use crate::request::Request;
use crate::simd::{Available, Backend, NotedLine, Piece, Placement, Streams};
use crate::work::{memchr, memchr_iter, memrchr};

/// Scans a buffer of LF-terminated records into `batch`. The last record may lack its LF.
///
/// The buffer must be shorter than 2^32 - 1 bytes.
pub(crate) fn scan_lines(
    rules: Rules,
    backend: Available,
    buffer: &[u8],
    request: Request,
    batch: &mut Batch,
) {
    if request == Request::COUNTS && can_count(rules, backend) && !batch.counts_back_off.skips(buffer.len()) {
        let mut filler = Filler::new(rules, backend, buffer, request, batch);
        filler.count_components();
        let is_done = filler.all_lines();
        batch.counts_back_off.note_worth(buffer.len(), is_done, MOST_UNCOUNTED);
        if is_done {
            return;
        }
    }
    let mut filler = Filler::new(rules, backend, buffer, request, batch);
    if request.has_candidates() {
        filler.note_forms();
    }
    filler.all_lines();
}

/// Returns true if kernels can count the components of a grammar's lines: each line that they accept has a
/// scheme.
fn can_count(rules: Rules, backend: Available) -> bool {
    backend.backend() != Backend::Scalar && rules.grammar().facts().scheme != SchemeRule::Forbidden
}

/// Counting components takes a kernel less time than filling columns, but more lines fall back. With this
/// number of other lines for each line that falls back, both take about the same time.
///
/// The lines of the whole buffer count: lines that fall back come in clusters, and a buffer that is filled after
/// all is scanned twice. When each piece of 128 KiB had to have so many other lines, half the chunks of a list
/// failed, with one line in seventy that falls back.
const LINES_A_FALLBACK: usize = 16;

/// The most bytes after which the scan tries again to count components. A failure takes a tenth of the time
/// of the statistics of a piece.
const MOST_UNCOUNTED: usize = 8 << 20;

impl Filler<'_> {
    /// Adds all lines of the buffer. If the scan counts components, returns false when it meets lines that
    /// are better not counted.
    fn all_lines(mut self) -> bool {
        let buffer = self.buffer;
        self.batch.are_lines = true;
        let whole = memrchr(b'\n', buffer).map_or(0, |last| last + 1);
        let mut start = 0;
        while start < whole {
            let mut end = whole.min(start + PIECE);
            // The piece includes all of its last line.
            end += memchr(b'\n', &buffer[end - 1..whole]).unwrap_or(0);
            match self.lines(start..end) {
                None => return false,
                Some(0) => {
                    // The LFs of the piece have vanished meanwhile.
                    self.record(start..end);
                    start = end;
                }
                Some(taken) => start += taken,
            }
        }
        if whole < buffer.len() {
            self.record(whole..buffer.len());
        }
        self.finish();
        true
    }

    /// Returns true if so many lines fall back, with those of the piece that ends at `end`, that the buffer is
    /// better not counted. Lines after the piece are taken to be as long as those before.
    fn are_too_many(&self, piece: &Streams, end: usize) -> bool {
        let fallback =
            self.batch.invalid.len() + self.batch.other_authorities.len() + piece.fallback.lines.len();
        let lines = self.batch.records + piece.lines;
        let product = |a: usize, b: usize| a as u128 * b as u128;
        product(fallback, end) * LINES_A_FALLBACK as u128 > product(lines, self.buffer.len())
    }

    /// Adds the lines of a piece. Returns the number of bytes that they take: all bytes if the last one is an
    /// LF. Adds nothing and returns `None` if the scan counts components, and too many lines fall back.
    fn lines(&mut self, piece: Range<usize>) -> Option<usize> {
        let Range { start, end } = piece;
        let buffer = self.buffer;
        let lines = &buffer[start..end];
        if !self.skips_kernel(lines.len()) {
            let streams = self.scan(Piece::Lines(lines), lines.len());
            if self.counts_components() && self.are_too_many(&streams, end) {
                self.batch.streams = streams;
                return None;
            }
            let origin = Placement::Lines(start as u32);
            let record_of = |line: &NotedLine| start + line.start as usize..start + line.end as usize;
            return Some(self.add(streams, origin, lines.len(), record_of));
        }
        if self.counts_components() {
            return None;
        }
        let mut taken = 0;
        self.records(memchr_iter(b'\n', lines).map(|newline| {
            let has_cr = newline > taken && lines[newline - 1] == b'\r';
            let record = start + taken..start + newline - usize::from(has_cr);
            taken = newline + 1;
            record
        }));
        Some(taken)
    }
}
