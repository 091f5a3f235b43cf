//! The scan: lines to verdicts and columns, 64 bytes at a time, all lines of a block at once.
//!
//! A mask is a `u64` with a bit for each byte of a block. Component borders are found by carry arithmetic, as in
//! bit-parallel (Parabix) text processing: with *cursors* (at most one bit a run) and a class to run *through*,
//! `(cursors + through) & !through` moves every cursor to the first byte that is not in the class, and the carry takes a
//! cursor over the block's end. For `uri`:
//!
//! ```text
//! start      = behind each NL                                   line starts
//! scheme     = run start through SCHEME                         must be ":"
//! r          = behind that ":"
//! authority  = behind "//" at r
//! ae         = run authority through SCHEME                     must be "/" "?" "#" or the end
//! path       = ae, or r, or r + 1                               somewhere in the path, a bit a line
//! query      = run path to "?" "#" or the end
//! fragment   = the first "#"
//! suspicious = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | an authority that ends otherwise
//! ```
//!
//! Each of `scheme`, `path` and the ends has one bit a line in line order, so writing out its positions fills a column.
//! Most paths end with their line, so only those that do not are written out, and fragments likewise.
//!
//! A line with a suspicious bit may still be valid (userinfo, a port, brackets, characters beyond ASCII): it becomes a
//! suspect, and the scalar parser of its grammar judges it. A line without one is valid: the masks never have
//! the last word against a line, and never make an error. Where columns tell hosts, RFC 2396 makes suspects of those
//! that are no plain hostname, too: an authority need not be one.
//!
//! What is rare costs nothing while it is absent: `%`, `#` and CR are told by the same comparison
//! as bytes that are not allowed, and only a block that has one computes and stores their masks; only a group of blocks
//! that has an error, a query or a fragment is gone through for them.
//!
//! What was tried and is slower, on a Zen processor:
//!
//! - all passes in one loop over blocks: it keeps too much in registers;
//! - the stretch between `//` and the next `/` by a subtraction, to look for bad bytes in it: to run through good ones is one
//!   run less;
//! - to look for a scheme's colon in a line's first eight bytes instead of writing out its position: 5%;
//! - to write out three positions a block without asking: 5%; eight by VPCOMPRESSB: 20%;
//! - to store masks that are mostly empty with the others, and to count lines and look for errors block by block: 10 to 30%.

use super::group::{GROUP, Group};
use super::shape::{Shape, with_shape};
use super::streams::{Streams, collect};
use super::vector::{BLOCK, Vector};
use crate::grammar::Grammar;

/// [`scan`], for a grammar and what to collect.
///
/// # Safety
///
/// As [`scan`].
#[inline(always)]
pub(super) unsafe fn for_grammar<V: Vector>(
    grammar: Grammar,
    collect: u8,
    piece: &[u8],
    streams: &mut Streams,
) {
    // SAFETY: the caller promises what `scan` asks for.
    unsafe {
        match collect {
            collect::NOTHING => {
                with_shape!(grammar, S => scan::<V, S, { collect::NOTHING }, false>(piece, streams))
            }
            collect::ENDS => {
                with_shape!(grammar, S => scan::<V, S, { collect::ENDS }, false>(piece, streams))
            }
            _ => with_shape!(grammar, S => scan::<V, S, { collect::ALL }, true>(piece, streams)),
        }
    }
}

/// Scans whole lines: `piece` is empty or ends with LF. What stands behind its last LF is left out: there can be such bytes if
/// they are those of a file that changes.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn scan<V: Vector, S: Shape, const COLLECT: u8, const ALL: bool>(piece: &[u8], streams: &mut Streams) {
    assert!(u32::try_from(piece.len()).is_ok());
    streams.clear();
    let wanted = match COLLECT {
        collect::NOTHING => 0,
        collect::ENDS => 1,
        _ => 3,
    };
    // Room for every bit of every mask, whatever they are (the bytes may be those of a file that changes), and for the two
    // positions that writing goes further.
    for stream in &mut streams.streams()[..wanted] {
        stream.reserve(piece.len() + BLOCK + 2);
    }
    // SAFETY: the caller promises the features.
    let mut group = unsafe { Group::<V, S, ALL>::new() };
    let (blocks, tail) = piece.as_chunks::<BLOCK>();
    let (groups, rest) = blocks.as_chunks::<GROUP>();
    for (i, blocks) in groups.iter().enumerate() {
        let base = i * GROUP * BLOCK;
        let next = piece.get(base + GROUP * BLOCK) == Some(&b'\n');
        // SAFETY: the caller promises the features; there is room in the streams for what `COLLECT` names.
        unsafe {
            group.classify(blocks, 0, next);
            group.finish::<COLLECT>(GROUP, base as u32, streams);
        }
    }
    let base = groups.len() * GROUP * BLOCK;
    // SAFETY: as above.
    unsafe {
        group.classify(rest, 0, tail.first() == Some(&b'\n'));
        if !tail.is_empty() {
            // Zeros are no line: no LF follows them.
            let mut block = [0; BLOCK];
            block[..tail.len()].copy_from_slice(tail);
            group.classify(&[block], rest.len(), false);
        }
        let count = rest.len() + usize::from(!tail.is_empty());
        group.finish::<COLLECT>(count, base as u32, streams);
    }
    streams.crlf = group.rare.any_crlf;
    // Behind the last LF a line starts that is none: it may have left markers in the last block. There are fewer only if a CR
    // LF changed while it was looked at.
    let lines = streams.lines;
    for stream in &mut streams.streams()[..wanted] {
        stream.resize(lines, 0);
    }
}
