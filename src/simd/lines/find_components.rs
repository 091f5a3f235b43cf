//! The scan: lines to verdicts and columns, 64 bytes at a time, all lines of a block at once.
//!
//! A mask is a `u64` with a bit for each byte of a block. Component borders are found by carry arithmetic, as in
//! bit-parallel (Parabix) text processing: with *cursors* (at most one bit a run) and a class to run *through*,
//! `(cursors + through) & !through` moves every cursor to the first byte that is not in the class, and the carry takes a
//! cursor over the block's end. For `uri`:
//!
//! ```text
//! start      = after each NL                                    line starts
//! scheme     = run start through SCHEME                         must be ":"
//! r          = after that ":"
//! authority  = after "//" at r
//! ae         = run authority through SCHEME                     must be ":" "/" "?" "#" or the end
//! path       = ae, or r, or r + 1                               somewhere in the path, a bit a line
//! query      = run path to "?" "#" or the end
//! fragment   = the first "#"
//! fallback   = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | an authority that ends otherwise
//! form       = an upper-case letter that a run to scheme or ae went through | a dot after "/", ":" or NL
//!            | a digit of an escape that a normal form may change
//! ```
//!
//! `scheme`, `path` and the ends each have one bit a line in line order, so that the positions of the bits
//! fill a column. Most paths end with their line, so only the ends of the others are written out. Fragments
//! are treated in the same way.
//!
//! If an authority runs to ":", a port follows, or a password: [`ports`](super::ports) reads its digits, and
//! moves `path` to its end.
//!
//! A line with a fallback bit may still be valid (userinfo, brackets, characters beyond ASCII): the scalar
//! parser of its grammar judges it. A line without a fallback bit is valid. So the masks alone never reject a
//! line. If the first of its bits is a forbidden byte, the grammar makes the error of that byte without the parser
//! where it can. If the columns include hosts, lines of RFC 2396 whose authority is not a plain hostname fall
//! back, too: an authority of RFC 2396 need not be a host.
//!
//! If the caller wants them, lines with a `form` bit are noted: no other line that the masks accept can have
//! another [normal form](crate::Normalizer). That takes three more comparisons a block. A separate pass over
//! the bytes, such as [`form_marks`](crate::simd::forms::form_marks), takes nine and searches the borders
//! again: half the time of the whole scan.
//!
//! If all components are wanted, hosts that do not end with a letter are noted: no other host of a line that
//! the masks accept can be an address. That takes 3% more instructions with AVX2, and less time than reading
//! the last bytes of all hosts again, when the chunk is scanned.
//!
//! If the caller wants counts of components, the bits of empty paths, queries and fragments are counted, and
//! only the ends of lines are written out ([`count_lines`](super::count_lines)). Lines without a scheme or a
//! host fall back, and so do lines whose host does not end with a letter, which may be an address. All other
//! lines have the same components, except these three.
//!
//! Records without separators are scanned in the same way: each record gets a gap after it, in the place of
//! its LF. The gaps are a bitmap, made from the offsets. A block is loaded from the position of its first
//! byte, and its bytes (AVX-512) or its masks are moved apart. So nothing is copied, and a record may hold
//! LFs: these are bytes that are not allowed.
//!
//! Rare bytes cost nothing while they are absent: one comparison finds `%`, `#`, CR and disallowed bytes
//! together, and their masks are computed and stored only for a block that has one. Errors, queries and
//! fragments are searched only in groups of blocks that have one.
//!
//! Tried on a Zen processor, and slower or hardly faster:
//!
//! - all passes in one loop over blocks: it keeps too much in registers;
//! - finding the stretch between `//` and the next `/` by a subtraction, and bad bytes in it: running through
//!   good bytes needs one run less;
//! - searching a scheme's colon in a line's first eight bytes instead of writing out its position: 5%;
//! - writing out three positions a block unconditionally: 5%; eight positions of one block by VPCOMPRESSB:
//!   20%. The positions of eight blocks by VPCOMPRESSD, as AVX-512 writes them now, take less than half the
//!   time of blocks one by one;
//! - storing masks that are mostly empty with the others, and counting lines and searching errors block by
//!   block: 10 to 30%;
//! - finding the last LF of a group by a mask of its blocks instead of a search from the end: no gain;
//! - writing out the positions of the three streams in one loop, with AVX2: at most 1% faster;
//! - copying records that have no separators, with an LF after each, and scanning the copy: twice the time;
//! - the first errors made of marks, without the parser, gained nothing: the processor mispredicted the blocks,
//!   lines and paths of the marks. Now blocks with many forbidden bytes are all treated alike, and a component is
//!   found by two loads ([`terms`](super::terms)).

use super::group::{Group, Piece};
use super::shape::{Allowed, Counts, Forms, LineShape, with_shape};
use super::streams::{Streams, collect};
use crate::grammar::{Grammar, SchemeRule};
use crate::simd::block::mask_structs::GROUP;
use crate::simd::block::vector::{BLOCK, Vector, Words};

/// [`scan`], for a grammar and a constant of [`collect`].
///
/// # Safety
///
/// The same as for [`scan`].
#[inline(always)]
pub(in crate::simd) unsafe fn for_grammar<V: Vector, const COLLECT: u8>(
    grammar: Grammar,
    piece: Piece<'_>,
    streams: &mut Streams,
) {
    let allowed = Allowed::by(grammar);
    // SAFETY: the caller promises what `scan` requires.
    unsafe {
        match COLLECT {
            collect::NOTHING => {
                with_shape!(grammar, S => scan::<V, S, { collect::NOTHING }, false>(allowed, piece, streams))
            }
            collect::ENDS => {
                with_shape!(grammar, S => scan::<V, S, { collect::ENDS }, false>(allowed, piece, streams))
            }
            collect::ENDS_AND_FORMS => with_shape!(grammar, S => {
                // The compiler drops the scans of other shapes.
                let is_rfc_3986 = const { S::AUTHORITY && !S::OPAQUE };
                assert!(is_rfc_3986, "the normal form is one of RFC 3986");
                scan::<V, Forms<S>, { collect::ENDS }, false>(allowed, piece, streams);
            }),
            collect::ENDS_AND_COUNTS => with_shape!(grammar, S => {
                assert!(!matches!(S::SCHEME, SchemeRule::Forbidden), "the scan counts schemes");
                scan::<V, Counts<S>, { collect::ENDS }, false>(allowed, piece, streams);
            }),
            _ => with_shape!(grammar, S => scan::<V, S, { collect::ALL }, true>(allowed, piece, streams)),
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
    allowed: Allowed,
    mut piece: Piece<'_>,
    streams: &mut Streams,
) {
    streams.clear();
    // SAFETY: the caller promises the features.
    let mut group = unsafe { Group::<V, S, ALL>::new(allowed) };
    let mut base = 0u32;
    loop {
        // SAFETY: as above.
        let (count, bytes) = unsafe { group.classify(&mut piece) };
        if count == 0 {
            break;
        }
        // This is compiled once, for lines and for gaps. Only AVX-512 has a second copy, with loops of a
        // known length, for full groups, which nearly all groups are: verdicts gain a third, and columns a
        // tenth. Other backends gain less than the code is worth. SAFETY: as above.
        unsafe {
            if <V::Words as Words>::COUNT == 8 && count == GROUP {
                group.finish::<COLLECT>(GROUP, bytes, base, streams);
            } else {
                group.finish::<COLLECT>(count, bytes, base, streams);
            }
        }
        base = u32::wrapping_add(base, (GROUP * BLOCK) as u32);
    }
    streams.drop_unfinished();
}
