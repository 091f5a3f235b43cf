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
//! ae         = run authority to "/" "?" "#" or the end          authority ends
//! path       = ae, or r, or r + 1                               somewhere in the path, a bit a line
//! query      = run path to "?" "#" or the end
//! fragment   = the first "#"
//! suspicious = a byte that is not allowed | a bad escape | a second "#" | a start that is no letter
//!            | a scheme that ends without ":" | a byte in the authority that no scheme has
//! ```
//!
//! Each of `scheme`, `path` and the ends has one bit a line in line order, so writing out its positions fills a column.
//! Most paths end with their line, so only those that do not are written out, and fragments likewise.
//!
//! A line with a suspicious bit may still be valid (userinfo, a port, brackets, characters beyond ASCII): it becomes a
//! suspect, and the scalar parser of its grammar judges it. A line without one is valid: the masks never have
//! the last word against a line, and never make an error.
//!
//! What is rare costs nothing while it is absent: `%`, `#` and CR are told by the same comparison
//! as bytes that are not allowed, and only a block that has one computes their masks.

use super::passes::Passes;
use super::shape::{AbsoluteUri, OriginForm, Reference, RelativeRef, Rfc2396Reference, Shape, Uri};
use super::streams::{Streams, collect, note, note_suspects, write_positions};
use super::vector::{BLOCK, Vector};
use crate::grammar::Grammar;

/// The blocks of a group: few enough for their masks to stay in the L1 cache, many enough to keep the loops going.
const GROUP: usize = 32;

/// Evaluates an expression in which a name stands for the shape of a grammar's lines.
macro_rules! with_shape {
    ($grammar:expr, $shape:ident => $value:expr) => {
        match $grammar {
            Grammar::Uri | Grammar::Iri => {
                type $shape = Uri;
                $value
            }
            Grammar::AbsoluteUri => {
                type $shape = AbsoluteUri;
                $value
            }
            Grammar::UriReference | Grammar::IriReference => {
                type $shape = Reference;
                $value
            }
            Grammar::RelativeRef => {
                type $shape = RelativeRef;
                $value
            }
            Grammar::Rfc2396 | Grammar::Java => {
                type $shape = Rfc2396Reference;
                $value
            }
            Grammar::RequestTarget => {
                type $shape = OriginForm;
                $value
            }
        }
    };
}

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

/// [`is_plain`], for a grammar.
///
/// # Safety
///
/// As [`is_plain`].
#[inline(always)]
pub(super) unsafe fn is_plain_for_grammar<V: Vector>(grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: the caller promises what `is_plain` asks for.
    unsafe { with_shape!(grammar, S => is_plain::<V, S>(record)) }
}

/// Whether a single record is valid and no suspect, in which case no parser has to look at it.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn is_plain<V: Vector, S: Shape>(record: &[u8]) -> bool {
    /// A longer record gains nothing over a piece with one line.
    const BLOCKS: usize = 8;

    let (blocks, tail) = record.as_chunks::<BLOCK>();
    // The scan takes lines: this becomes one, unless its last byte would look like the CR of its end.
    if blocks.len() >= BLOCKS || record.last() == Some(&b'\r') {
        return false;
    }
    let mut last = [0; BLOCK];
    last[..tail.len()].copy_from_slice(tail);
    last[tail.len()] = b'\n';
    let count = blocks.len() + 1;
    // SAFETY: the caller promises the features.
    let passes = unsafe {
        let mut passes = Passes::<V, S, false, BLOCKS>::new();
        passes.classify(blocks, 0, tail.is_empty());
        passes.classify(&[last], blocks.len(), false);
        passes.mark(count);
        passes
    };
    let lines: u32 = passes.masks.newline[..count].iter().map(|newline| newline.count_ones()).sum();
    let errors = passes.markers.error[..count].iter().fold(0, |all, error| all | error);
    lines == 1 && errors == 0
}

/// Scans whole lines: `piece` is empty or ends with LF.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn scan<V: Vector, S: Shape, const COLLECT: u8, const ALL: bool>(piece: &[u8], streams: &mut Streams) {
    assert!(matches!(piece.last(), None | Some(b'\n')) && u32::try_from(piece.len()).is_ok());
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
    let mut passes = unsafe { Passes::<V, S, ALL, GROUP>::new() };
    let (blocks, tail) = piece.as_chunks::<BLOCK>();
    let (groups, rest) = blocks.as_chunks::<GROUP>();
    for (i, group) in groups.iter().enumerate() {
        let base = i * GROUP * BLOCK;
        let next = piece.get(base + GROUP * BLOCK) == Some(&b'\n');
        // SAFETY: the caller promises the features; there is room in the streams for what `COLLECT` names.
        unsafe {
            passes.classify(group, 0, next);
            finish::<V, S, COLLECT, ALL>(&mut passes, GROUP, base as u32, streams);
        }
    }
    let base = groups.len() * GROUP * BLOCK;
    // SAFETY: as above.
    unsafe {
        passes.classify(rest, 0, tail.first() == Some(&b'\n'));
        if !tail.is_empty() {
            // Zeros are no line: no LF follows them.
            let mut block = [0; BLOCK];
            block[..tail.len()].copy_from_slice(tail);
            passes.classify(&[block], rest.len(), false);
        }
        let count = rest.len() + usize::from(!tail.is_empty());
        finish::<V, S, COLLECT, ALL>(&mut passes, count, base as u32, streams);
    }
    streams.crlf = passes.rare.any_crlf;
    // Behind the last LF a line starts that is none: it may have left markers in the last block.
    let lines = streams.lines;
    for stream in &mut streams.streams()[..wanted] {
        stream.truncate(lines);
    }
}

/// The passes behind the first, over `count` blocks, which start at `base`: marks them, counts their lines, notes what few
/// of these have, and writes out the positions that are asked for.
///
/// This is no closure: one that is called twice is not inlined, and then has none of the features.
///
/// # Safety
///
/// The machine must have the features of `V`; what `COLLECT` names must have room for all bits of the masks, and two more.
#[inline(always)]
unsafe fn finish<V: Vector, S: Shape, const COLLECT: u8, const ALL: bool>(
    passes: &mut Passes<V, S, ALL, GROUP>,
    count: usize,
    base: u32,
    streams: &mut Streams,
) {
    // SAFETY: the caller promises the features.
    unsafe { passes.mark(count) };
    let Passes { masks, markers, .. } = passes;
    let mut lines = streams.lines;
    for i in 0..count {
        let newline = masks.newline[i];
        let error = markers.error[i];
        let base = base + (i * BLOCK) as u32;
        if ALL && markers.path_end[i] | masks.hash[i] != 0 {
            note(&mut streams.path_ends, markers.path_end[i], newline, lines, base);
            // A second "#" is an error: a line without one has one mark.
            note(&mut streams.fragments, masks.hash[i], newline, lines, base);
        }
        if error | streams.error_goes_on != 0 {
            note_suspects(streams, error, newline, lines, base);
        }
        lines += newline.count_ones() as usize;
    }
    streams.lines = lines;
    // SAFETY: the caller promises the room.
    unsafe {
        if COLLECT != collect::NOTHING {
            write_positions(&mut streams.end, &masks.end[..count], base);
        }
        if ALL {
            write_positions(&mut streams.scheme_end, &markers.scheme_end[..count], base);
            write_positions(&mut streams.path, &markers.path[..count], base);
        }
    }
}
