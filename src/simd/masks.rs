//! Bytes to masks: what each byte of a block is.

use super::classify::{ALLOWED, HEX, LETTER, SCHEME, STRUCTURE};
use super::rare::{Odd, Rare, RareMasks};
use super::shape::Shape;
use super::vector::Vector;

/// What bytes are: of one block if `M` is `u64`, of several otherwise.
#[derive(Clone, Copy)]
pub(super) struct Masks<M> {
    pub(super) newline: M,
    pub(super) colon: M,
    pub(super) slash: M,
    /// Empty where nothing is asked that it delimits, see [`needs_terms`].
    pub(super) query: M,
    pub(super) letter: M,
    pub(super) scheme: M,
    /// `.`, `-` and `+`, empty where nothing is asked of hosts, see [`needs_hosts`].
    pub(super) dot: M,
    pub(super) dash: M,
    pub(super) plus: M,
}

/// Whether queries and fragments delimit something that is asked for: paths, or first segments.
pub(super) const fn needs_terms<S: Shape>(all: bool) -> bool {
    all || S::MAY_LACK_SCHEME
}

/// Whether it is asked which authorities are hosts: under RFC 2396 not all of them are.
pub(super) const fn needs_hosts<S: Shape>(all: bool) -> bool {
    all && S::OPAQUE
}

/// The masks of a block, and if it needs a closer look what that finds. `ALL` tells that the ends of paths are asked for,
/// `next` whether an LF follows the block.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(super) unsafe fn classify<V: Vector, S: Shape, const ALL: bool>(
    input: V,
    rare: &mut Rare,
    next: impl FnOnce() -> bool,
) -> (Masks<u64>, Option<Odd<u64>>) {
    // SAFETY: the caller promises the features.
    unsafe {
        let class = input.classify(&STRUCTURE);
        let newline = input.eq(b'\n');
        let masks = Masks {
            newline,
            colon: input.eq(b':'),
            slash: input.eq(b'/'),
            query: if needs_terms::<S>(ALL) { input.eq(b'?') } else { 0 },
            letter: class.at_least::<LETTER>(),
            scheme: class.at_least::<SCHEME>(),
            dot: if needs_hosts::<S>(ALL) { input.eq(b'.') } else { 0 },
            dash: if needs_hosts::<S>(ALL) { input.eq(b'-') } else { 0 },
            plus: if needs_hosts::<S>(ALL) { input.eq(b'+') } else { 0 },
        };
        let odd = !(class.at_least::<ALLOWED>() | newline);
        if odd | rare.pending == 0 {
            return (masks, None);
        }
        let rare_masks = RareMasks {
            odd,
            newline,
            cr: input.eq(b'\r'),
            percent: input.eq(b'%'),
            hex: input.classify(&HEX).at_least::<ALLOWED>(),
            hash: input.eq(b'#'),
            next_newline: next().into(),
        };
        (masks, Some(rare.block(rare_masks, S::FRAGMENT)))
    }
}
