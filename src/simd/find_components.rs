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
//! fallback   = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | an authority that ends otherwise
//! form       = an upper-case letter that a run to scheme or ae went through | a dot behind "/", ":" or NL
//!            | a digit of an escape that a normal form may change
//! ```
//!
//! Each of `scheme`, `path` and the ends has one bit a line in line order, so writing out its positions fills a column.
//! Most paths end with their line, so only those that do not are written out, and fragments likewise.
//!
//! A line with a fallback bit may still be valid (userinfo, a port, brackets, characters beyond ASCII): the scalar parser of its
//! grammar judges it. A line without one is valid: the masks never have the last word against a line, and never make an error. If
//! the columns include hosts, lines by RFC 2396 whose host is no plain hostname fall back, too: an authority need not be one.
//!
//! If it is asked for, lines with a `form` bit are noted: no other line that the masks vouch for can have another
//! [normal form](crate::Normalizer). That takes three comparisons more a block; a pass of its own over the bytes, as
//! [`form_marks`](super::form_marks) is, takes nine and looks for the borders again: half as long as the whole scan.
//!
//! Records without separators are scanned alike: each gets a gap after it, in the place of its LF. The gaps are a bitmap, made from
//! the offsets; a block is loaded from where its first byte stands, and its bytes (AVX-512) or its masks are moved apart. So
//! nothing is copied, and a record may hold LFs: these are bytes that are not allowed.
//!
//! Rare bytes cost nothing while they are absent: one comparison finds `%`, `#`, CR and disallowed bytes alike, and
//! only a block that has one computes and stores their masks; only a group of blocks that has an error, a query or a
//! fragment is gone through for them.
//!
//! Tried and slower, on a Zen processor:
//!
//! - all passes in one loop over blocks: it keeps too much in registers;
//! - the stretch between `//` and the next `/` by a subtraction, to look for bad bytes in it: to run through good ones is one
//!   run less;
//! - to look for a scheme's colon in a line's first eight bytes instead of writing out its position: 5%;
//! - to write out three positions a block without asking: 5%; eight of one block by VPCOMPRESSB: 20%. Those of eight blocks by VPCOMPRESSD,
//!   as AVX-512 does it now, take less than half the time of blocks one by one;
//! - to store masks that are mostly empty with the others, and to count lines and look for errors block by block: 10 to 30%;
//! - to find the last LF of a group by a mask of its blocks instead of a search from the end: no gain;
//! - to copy records that have no separators, with an LF after each, and to scan the copy: twice the time.

use super::group::{Group, Piece};
use super::mask_structs::GROUP;
use super::shape::{Forms, LineShape, with_shape};
use super::streams::{Streams, collect};
use super::vector::{BLOCK, Vector, Words};
use crate::grammar::Grammar;

/// [`scan`], for a grammar and one of [`collect`].
///
/// # Safety
///
/// As [`scan`].
#[inline(always)]
pub(super) unsafe fn for_grammar<V: Vector, const COLLECT: u8>(
    grammar: Grammar,
    piece: Piece<'_>,
    streams: &mut Streams,
) {
    // SAFETY: the caller promises what `scan` asks for.
    unsafe {
        match COLLECT {
            collect::NOTHING => {
                with_shape!(grammar, S => scan::<V, S, { collect::NOTHING }, false>(piece, streams))
            }
            collect::ENDS => {
                with_shape!(grammar, S => scan::<V, S, { collect::ENDS }, false>(piece, streams))
            }
            collect::ENDS_AND_FORMS => {
                with_shape!(grammar, S => scan::<V, Forms<S>, { collect::ENDS }, false>(piece, streams))
            }
            _ => with_shape!(grammar, S => scan::<V, S, { collect::ALL }, true>(piece, streams)),
        }
    }
}

/// Scans a piece, a group of blocks at a time.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn scan<V: Vector, S: LineShape, const COLLECT: u8, const ALL: bool>(
    mut piece: Piece<'_>,
    streams: &mut Streams,
) {
    streams.clear();
    // SAFETY: the caller promises the features.
    let mut group = unsafe { Group::<V, S, ALL>::new() };
    let mut base = 0u32;
    loop {
        // SAFETY: as above.
        let count = unsafe { group.classify(&mut piece) };
        if count == 0 {
            break;
        }
        // Compiled once, for lines and for gaps; but by AVX-512 verdicts gain a third, and columns a tenth, if full groups, as
        // nearly all are, have loops of a known length. Other backends gain less than the code is worth.
        // SAFETY: as above.
        unsafe {
            if <V::Words as Words>::COUNT == 8 && count == GROUP {
                group.finish::<COLLECT>(GROUP, base, streams);
            } else {
                group.finish::<COLLECT>(count, base, streams);
            }
        }
        base = u32::wrapping_add(base, (GROUP * BLOCK) as u32);
    }
    streams.drop_unfinished();
}
