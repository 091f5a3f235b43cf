//! Records without separators: the kernels know lines, so the records of a piece are gathered into a buffer with an LF behind
//! each. What is found there is moved back by as many bytes as LFs came before.
//!
//! A record that holds an LF of its own, or ends with a CR, is no line: the kernel finds another number of lines, or a CR,
//! and the piece goes to the scalar parser. (To look for LFs before takes longer than to gather.)

use alloc::vec::Vec;
use core::ops::Range;

use super::{Filler, PIECE, Piece};
use crate::batch::{Batch, Columns};
use crate::simd::Mark;
use crate::validator::Validator;

/// The most records of a piece: they may all be empty.
const MOST_RECORDS: usize = 4096;

/// Records that follow each other: one between each of these offsets and the next.
struct Ranges<'a>(&'a [u32]);

/// Scans records given as `offsets.len() - 1` ranges of `values`, which may hold any bytes.
///
/// Offsets must be in order and within the values, which must be shorter than 2^32 - 1 bytes.
pub(crate) fn scan_ranges(
    validator: &Validator,
    offsets: &[u32],
    values: &[u8],
    columns: Columns,
    batch: &mut Batch,
) {
    let mut filler = Filler::new(validator, values, 0, columns, batch);
    let mut gathered = core::mem::take(&mut filler.batch.scratch.gathered);
    let mut offsets = offsets;
    while let [first, rest @ ..] = offsets
        && !rest.is_empty()
    {
        let most = &rest[..rest.len().min(MOST_RECORDS)];
        let count = most.partition_point(|&end| (end - first) as usize <= PIECE).max(1);
        let piece = Ranges(&offsets[..=count]);
        // With the LFs offsets must still be less than the one that stands for what is absent.
        let end = rest[count - 1];
        let has_room = end < u32::MAX - MOST_RECORDS as u32;
        if filler.skips_kernel((end - first) as usize) || !has_room {
            filler.scalar(&piece);
        } else {
            let lines = piece.gather(values, &mut gathered);
            filler.kernel(&piece, lines, *first, Some(count));
        }
        offsets = &offsets[count..];
    }
    filler.batch.scratch.gathered = gathered;
    filler.finish();
}

impl Ranges<'_> {
    /// Puts the records into `room`, an LF behind each.
    fn gather<'a>(&self, values: &[u8], room: &'a mut Vec<u8>) -> &'a [u8] {
        /// Copies of this many bytes are a few instructions, so records are copied with what follows them.
        const COPIED: usize = 64;

        let &[start, .., end] = self.0 else { return &[] };
        let needed = (end - start) as usize + self.0.len() + COPIED;
        if room.len() < needed {
            room.resize(needed, 0);
        }
        let mut to = 0;
        for record in self.records() {
            let newline = to + record.len();
            let mut from = record.start;
            while to < newline {
                match values[from..].first_chunk::<COPIED>() {
                    Some(bytes) => room[to..to + COPIED].copy_from_slice(bytes),
                    // Close to the end of the values.
                    None => room[to..newline].copy_from_slice(&values[from..record.end]),
                }
                (from, to) = (from + COPIED, to + COPIED);
            }
            room[newline] = b'\n';
            to = newline + 1;
        }
        &room[..to]
    }
}

impl Piece for Ranges<'_> {
    fn records(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.windows(2).map(|pair| pair[0] as usize..pair[1] as usize)
    }

    fn suspect(&self, _: &[u8], suspect: Mark) -> Range<usize> {
        let line = suspect.line as usize;
        self.0[line] as usize..self.0[line + 1] as usize
    }
}
