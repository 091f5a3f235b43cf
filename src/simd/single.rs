//! The check of a single record, for callers who filter one record at a time: it vouches for the record, or leaves it to a parser.
//!
//! The record is a line without its LF. Its first block, in which almost all authorities end, is marked as the scan marks lines; in later
//! blocks each byte must be allowed, and nothing else matters:
//!
//! ```text
//! first block    classify, mark     no fallback bit, and no cursor goes on
//! other blocks   classify           no fallback bit
//! the last one   LFs after it       the record ends there, whatever goes on
//! ```

use super::mark::{Carries, mark};
use super::masks::classify;
use super::rare::{Odd, Rare};
use super::shape::{Allowed, LineShape, with_shape};
use super::vector::{BLOCK, Vector};
use crate::grammar::Grammar;

/// [`is_plain`], for a grammar.
///
/// # Safety
///
/// The same as for [`is_plain`].
#[inline(always)]
pub(super) unsafe fn is_plain_for_grammar<V: Vector>(grammar: Grammar, record: &[u8]) -> bool {
    // SAFETY: the caller promises what `is_plain` requires.
    unsafe { with_shape!(grammar, S => is_plain::<V, S>(record, Allowed::by(grammar))) }
}

/// Returns whether a record is plainly valid, so that no parser has to judge it.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn is_plain<V: Vector, S: LineShape>(record: &[u8], allowed: Allowed) -> bool {
    // The steps below take lines, and a last CR would look like part of the line's end.
    if record.last() == Some(&b'\r') {
        return false;
    }
    // SAFETY: the caller promises the features, and a `u64` requires none.
    unsafe {
        let mut rare = Rare::new(allowed.fragment);
        let mut carries = Carries::<u64>::new();
        let Some((first, rest)) = record.split_first_chunk::<BLOCK>() else {
            let (masks, odd) = classify::<V, S, false>(V::load_last(record), &mut rare, || false);
            let fallback =
                mark::<u64, S, false>(masks, odd.unwrap_or(Odd::<u64>::NONE), &mut carries, allowed).fallback;
            return is_plain_end(record.len(), fallback, masks.newline);
        };
        let (masks, odd) = classify::<V, S, false>(V::load(first), &mut rare, || false);
        let fallback =
            mark::<u64, S, false>(masks, odd.unwrap_or(Odd::<u64>::NONE), &mut carries, allowed).fallback;
        if fallback | masks.newline != 0 || !carries.are_idle() {
            return false;
        }
        let (blocks, tail) = rest.as_chunks::<BLOCK>();
        let mut bad = 0;
        for block in blocks {
            let (masks, odd) = classify::<V, S, false>(V::load(block), &mut rare, || false);
            bad |= masks.newline | odd.map_or(0, |odd| odd.fallback);
        }
        let (masks, odd) = classify::<V, S, false>(V::load_last(tail), &mut rare, || false);
        bad == 0 && is_plain_end(tail.len(), odd.map_or(0, |odd| odd.fallback), masks.newline)
    }
}

/// Returns whether the last block of a record, which has `len` bytes of it, has no fallback bit, and no LF except those after the record.
#[inline(always)]
fn is_plain_end(len: usize, fallback: u64, newline: u64) -> bool {
    let end = 1 << len;
    fallback & (end | (end - 1)) | newline & (end - 1) == 0
}
