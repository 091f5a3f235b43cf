//! A single record, for callers who filter one at a time: judged here, or left to a parser.
//!
//! It is a line without its LF, and marked as the scan marks lines, but only as far as the first block, where almost all
//! authorities end; after that each byte must be allowed, and nothing else matters:
//!
//! ```text
//! first block    classify, mark     no fallback bit, and no cursor goes on
//! other blocks   classify           no fallback bit
//! the last one   LFs behind it      the record ends there, whatever goes on
//! ```

use super::mark::{Carries, mark};
use super::masks::classify;
use super::rare::{Odd, Rare};
use super::shape::{LineShape, with_shape};
use super::vector::{BLOCK, Vector};
use crate::grammar::Grammar;

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

/// Whether a record is plainly valid, so that no parser has to look at it.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
unsafe fn is_plain<V: Vector, S: LineShape>(record: &[u8]) -> bool {
    // The scan takes lines: this becomes one, unless its last byte would look like the CR of its end.
    if record.last() == Some(&b'\r') {
        return false;
    }
    // SAFETY: the caller promises the features, and a `u64` asks for none.
    unsafe {
        let mut rare = Rare::default();
        let mut carries = Carries::<u64>::new();
        let Some((first, rest)) = record.split_first_chunk::<BLOCK>() else {
            let (masks, odd) = classify::<V, S, false>(V::load_last(record), &mut rare, || false);
            let fallback =
                mark::<u64, S, false>(masks, odd.unwrap_or(Odd::<u64>::NONE), &mut carries).fallback;
            return is_plain_end(record.len(), fallback, masks.newline);
        };
        let (masks, odd) = classify::<V, S, false>(V::load(first), &mut rare, || false);
        let fallback = mark::<u64, S, false>(masks, odd.unwrap_or(Odd::<u64>::NONE), &mut carries).fallback;
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

/// Whether the last block of a record with this many bytes has no fallback bit, and no LF except those after
/// them.
#[inline(always)]
fn is_plain_end(len: usize, fallback: u64, newline: u64) -> bool {
    let end = 1 << len;
    fallback & (end | (end - 1)) | newline & (end - 1) == 0
}
