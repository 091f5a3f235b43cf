//! The check of a single record, for callers who filter one record at a time: it accepts the record, or
//! leaves it to a parser.
//!
//! The record is a line without its LF. Its first block, in which almost all authorities end, is marked as
//! the scan marks lines; in later blocks each byte must be allowed, and nothing else matters:
//!
//! ```text
//! first block    classify, mark     no fallback bit, and no cursor goes on
//! other blocks   classify           no fallback bit
//! the last one   LFs after it       the record ends there, whatever goes on
//! ```

use super::mark::{Carries, mark};
use super::masks::classify;
use super::rare::{Rare, Uncommon};
use super::shape::{Allowed, LineShape, with_shape};
use crate::grammar::Grammar;
use crate::simd::block::vector::{BLOCK, Vector};

/// [`accepts`], for a grammar.
///
/// # Safety
///
/// The same as for [`accepts`].
#[inline(always)]
pub(in crate::simd) unsafe fn accepts_as<V: Vector>(grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: the caller promises what `accepts` requires.
    unsafe { with_shape!(grammar, S => accepts::<V, S>(record, Allowed::by(grammar))) }
}

/// Returns whether a record is valid without a doubt, so that no parser has to judge it.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn accepts<V: Vector, S: LineShape>(record: &[u8], allowed: Allowed) -> bool {
    // The steps below take lines, and a last CR would look like part of the line's end.
    if record.last() == Some(&b'\r') {
        return false;
    }
    // SAFETY: the caller promises the features, and a `u64` requires none.
    unsafe {
        let mut rare = Rare::new(allowed.fragment);
        let mut carries = Carries::<u64>::new();
        let Some((first, rest)) = record.split_first_chunk::<BLOCK>() else {
            let (masks, uncommon) = classify::<V, S, false>(V::load_last(record), &mut rare, || false);
            let uncommon = uncommon.unwrap_or(Uncommon::<u64>::NONE);
            let markers = mark::<u64, S, false>(masks, uncommon, &mut carries, allowed);
            // A parser reads ports.
            return accepts_end(
                record.len(),
                markers.fallback | uncommon.forbidden | markers.port,
                masks.newline,
            );
        };
        let (masks, uncommon) = classify::<V, S, false>(V::load(first), &mut rare, || false);
        let uncommon = uncommon.unwrap_or(Uncommon::<u64>::NONE);
        let markers = mark::<u64, S, false>(masks, uncommon, &mut carries, allowed);
        if markers.fallback | uncommon.forbidden | markers.port | masks.newline != 0 || !carries.are_idle() {
            return false;
        }
        let (blocks, tail) = rest.as_chunks::<BLOCK>();
        let mut bad = 0;
        for block in blocks {
            let (masks, uncommon) = classify::<V, S, false>(V::load(block), &mut rare, || false);
            bad |= masks.newline | uncommon.map_or(0, |uncommon| uncommon.forbidden);
        }
        let (masks, uncommon) = classify::<V, S, false>(V::load_last(tail), &mut rare, || false);
        bad == 0 && accepts_end(tail.len(), uncommon.map_or(0, |uncommon| uncommon.forbidden), masks.newline)
    }
}

/// Returns whether the last block of a record, which has `len` bytes of it, has no fallback bit, and no LF
/// except those after the record.
#[inline(always)]
fn accepts_end(len: usize, fallback: u64, newline: u64) -> bool {
    let end = 1 << len;
    fallback & (end | (end - 1)) | newline & (end - 1) == 0
}
