//! Bytes to masks: what each byte of a block is.

use super::classify::{ALLOWED, HEX, LETTER, SCHEME, STRUCTURE};
use super::rare::{Rare, RareMasks};
use super::shape::Shape;
use super::vector::{BLOCK, Vector};

/// What bytes are: of one block if `M` is `u64`, of several otherwise.
#[derive(Clone, Copy)]
pub(super) struct Masks<M> {
    pub(super) newline: M,
    /// Where records end: the LF, or the CR before it.
    pub(super) end: M,
    pub(super) colon: M,
    pub(super) slash: M,
    /// These two are empty where nothing is asked that they delimit.
    pub(super) query: M,
    pub(super) hash: M,
    pub(super) letter: M,
    pub(super) scheme: M,
    /// Suspicious bytes: not allowed, in a bad escape, a second `#`.
    pub(super) error: M,
}

/// Whether queries and fragments delimit something that is asked for: paths, or first segments.
pub(super) const fn needs_terms<S: Shape>(all: bool) -> bool {
    all || S::MAY_LACK_SCHEME
}

/// The masks of a block. `ALL` tells that the ends of paths are asked for, `next` whether an LF follows the block.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(super) unsafe fn classify<V: Vector, S: Shape, const ALL: bool>(
    block: &[u8; BLOCK],
    rare: &mut Rare,
    next: impl FnOnce() -> bool,
) -> Masks<u64> {
    // SAFETY: the caller promises the features.
    unsafe {
        let input = V::load(block);
        let class = input.classify(&STRUCTURE);
        let newline = input.eq(b'\n');
        let odd = !(class.at_least::<ALLOWED>() | newline);
        let mut masks = Masks {
            newline,
            end: newline,
            colon: input.eq(b':'),
            slash: input.eq(b'/'),
            query: if needs_terms::<S>(ALL) { input.eq(b'?') } else { 0 },
            hash: 0,
            letter: class.at_least::<LETTER>(),
            scheme: class.at_least::<SCHEME>(),
            error: 0,
        };
        if odd != 0 || rare.is_pending {
            let rare_masks = RareMasks {
                odd,
                newline,
                cr: input.eq(b'\r'),
                percent: input.eq(b'%'),
                hex: input.classify(&HEX).at_least::<ALLOWED>(),
                hash: input.eq(b'#'),
                next_is_newline: next(),
            };
            masks.hash = rare_masks.hash;
            (masks.end, masks.error) = rare.block(rare_masks, S::FRAGMENT);
        }
        masks
    }
}
