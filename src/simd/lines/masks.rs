//! Bytes to masks: the classes of the bytes of a block.

use super::rare::{Rare, RareMasks, Uncommon, bad_digits};
use super::shape::LineShape;
use crate::simd::block::classify::{ALLOWED, HEX, JOINT, LETTER, SCHEME, STRUCTURE, STRUCTURE_OF_NAMES};
use crate::simd::block::mask_structs::masks;
use crate::simd::block::vector::Vector;
use crate::simd::forms::form_escapes::Marked;

masks! {
    /// The classes of bytes.
    Masks {
        newline,
        colon,
        slash,
        /// Empty if no wanted result depends on it, see [`needs_terms`].
        query,
        letter,
        scheme,
        /// The dots; empty if neither hosts, see [`needs_hosts`], nor normal forms are wanted. `dash` and
        /// `plus` are empty if hosts are not wanted.
        dot,
        dash,
        plus,
        /// The dots and dashes; empty if names are not wanted, see [`needs_names`].
        joint,
        /// `A` to `Z`, empty if normal forms are not wanted.
        upper,
    }
}

impl Masks<bool> {
    /// Returns the masks that a scan needs. `all` means that the ends of paths are wanted.
    pub(in crate::simd) const fn needed<S: LineShape>(all: bool) -> Self {
        let hosts = needs_hosts::<S>(all);
        Masks {
            newline: true,
            colon: true,
            slash: true,
            query: needs_terms::<S>(all),
            letter: true,
            scheme: true,
            dot: hosts || S::FORMS,
            dash: hosts,
            plus: hosts,
            joint: needs_names::<S>(),
            upper: S::FORMS,
        }
    }
}

/// Returns whether queries and fragments delimit a wanted component: paths, or first segments; or are
/// counted.
pub(in crate::simd) const fn needs_terms<S: LineShape>(all: bool) -> bool {
    all || S::COUNTS || S::MAY_LACK_SCHEME
}

/// Returns whether the scan must know which authorities are hosts, since not all are under RFC 2396.
pub(in crate::simd) const fn needs_hosts<S: LineShape>(all: bool) -> bool {
    (all || S::COUNTS) && S::OPAQUE
}

/// Returns whether the scan must know which hosts are names in the DNS: statistics count the others. Under RFC
/// 2396, all hosts are such names but for the lengths.
pub(in crate::simd) const fn needs_names<S: LineShape>() -> bool {
    S::COUNTS && !S::OPAQUE
}

/// Returns the masks of a block of lines, and the masks of its rare bytes if it needs them. `ALL` means that
/// the ends of paths are wanted; `next` returns whether an LF follows the block.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(in crate::simd) unsafe fn classify<V: Vector, S: LineShape, const ALL: bool>(
    input: V,
    rare: &mut Rare,
    next: impl FnOnce() -> bool,
) -> (Masks<u64>, Option<Uncommon<u64>>) {
    // SAFETY: the caller promises the features.
    unsafe {
        let newline = input.eq(b'\n');
        let (mut masks, mut uncommon) = structure::<V, S, ALL>(input, newline);
        if uncommon | rare.pending | rare.are_escapes_many == 0 {
            return (masks, None);
        }
        let percent = input.eq(b'%');
        if rare.are_whole_escapes(uncommon, percent) {
            rare.count_escapes(percent);
            let fallback = bad_digits(percent, input.classify(&HEX).at_least::<ALLOWED>());
            let form = if S::FORMS { rare.forms.block(input, percent, Marked::default()) } else { 0 };
            let uncommon = Uncommon { fallback, form, ..Uncommon::<u64>::NONE };
            return (masks, (fallback | form != 0).then_some(uncommon));
        }
        let lost = rare.first_is_newline() & !newline;
        if lost != 0 {
            // The bytes have changed during the scan: this byte was an LF at the block before. It counts as
            // an LF, and as nothing else.
            masks = Masks { newline: newline | lost, ..masks.map(|mask| mask & !lost) };
            uncommon &= !lost;
        }
        let rare_masks = RareMasks {
            uncommon,
            newline: masks.newline,
            cr: input.eq(b'\r') & !lost,
            percent: percent & !lost,
            hex: input.classify(&HEX).at_least::<ALLOWED>() & !lost,
            hash: input.eq(b'#') & !lost,
            next_newline: next().into(),
        };
        let mut uncommon = rare.block(rare_masks);
        if S::FORMS {
            uncommon.form = rare.forms.block(input, percent & !lost, Marked::default());
        }
        (masks, Some(uncommon))
    }
}

/// [`classify`], for records without separators: the block has a gap after each record, in place of an LF. An
/// LF or a CR among the bytes is not part of a line's end, but an uncommon byte.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(in crate::simd) unsafe fn classify_with_gaps<V: Vector, S: LineShape, const ALL: bool>(
    input: V,
    gaps: u64,
    rare: &mut Rare,
) -> (Masks<u64>, Option<Uncommon<u64>>) {
    // SAFETY: the caller promises the features.
    unsafe {
        let spread_input = input.spread(gaps);
        let input = spread_input.unwrap_or(input);
        // If the instruction set cannot spread the bytes, the masks are spread.
        let spread = |mask: u64| if spread_input.is_some() { mask & !gaps } else { spread(mask, gaps) };
        let (masks, uncommon) = structure::<V, S, ALL>(input, 0);
        let (masks, uncommon) = (Masks { newline: gaps, ..masks.map(spread) }, spread(uncommon));
        if uncommon | rare.pending | rare.are_escapes_many == 0 {
            return (masks, None);
        }
        let percent = spread(input.eq(b'%'));
        if rare.are_whole_escapes(uncommon, percent) {
            let hex = spread(input.classify(&HEX).at_least::<ALLOWED>());
            rare.count_escapes(percent);
            let fallback = bad_digits(percent, hex);
            return (masks, (fallback != 0).then_some(Uncommon { fallback, ..Uncommon::<u64>::NONE }));
        }
        let rare_masks = RareMasks {
            uncommon,
            newline: gaps,
            cr: 0,
            percent,
            hex: spread(input.classify(&HEX).at_least::<ALLOWED>()),
            hash: spread(input.eq(b'#')),
            next_newline: 0,
        };
        (masks, Some(rare.block(rare_masks)))
    }
}

/// Returns the masks of a block, and the bytes that are neither allowed nor an LF.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
unsafe fn structure<V: Vector, S: LineShape, const ALL: bool>(input: V, newline: u64) -> (Masks<u64>, u64) {
    let needed = const { Masks::needed::<S>(ALL) };
    // SAFETY: the caller promises the features.
    unsafe {
        let class = input.classify(if needed.joint { &STRUCTURE_OF_NAMES } else { &STRUCTURE });
        let eq = |byte, is_needed: bool| if is_needed { input.eq(byte) } else { 0 };
        let letter = class.at_least::<LETTER>();
        let masks = Masks {
            newline,
            colon: input.eq(b':'),
            slash: input.eq(b'/'),
            query: eq(b'?', needed.query),
            letter,
            scheme: class.at_least::<SCHEME>(),
            dot: eq(b'.', needed.dot),
            dash: eq(b'-', needed.dash),
            plus: eq(b'+', needed.plus),
            joint: if needed.joint { class.eq(JOINT) } else { 0 },
            upper: if needed.upper { letter & !input.at_least::<b'a'>() } else { 0 },
        };
        (masks, !(class.at_least::<ALLOWED>() | newline))
    }
}

/// Returns the digits of a block, in which each bit of `gaps` stands for a gap after a record.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(in crate::simd) unsafe fn digits<V: Vector>(input: V, gaps: u64) -> u64 {
    // SAFETY: the caller promises the features.
    unsafe {
        let spread_input = if gaps == 0 { None } else { input.spread(gaps) };
        let input = spread_input.unwrap_or(input);
        let digits = input.at_least::<b'0'>() & !input.at_least::<{ b'9' + 1 }>();
        if spread_input.is_some() { digits & !gaps } else { spread(digits, gaps) }
    }
}

/// Inserts a 0 into a mask at each bit of `gaps`, and moves the bits after it up.
///
/// (PDEP does this in one instruction, but takes hundreds of cycles on the first Zen processors.)
#[inline(always)]
fn spread(mut mask: u64, mut gaps: u64) -> u64 {
    while gaps != 0 {
        let from_gap_on = (gaps & gaps.wrapping_neg()).wrapping_neg();
        mask = mask.wrapping_add(mask & from_gap_on);
        gaps &= gaps - 1;
    }
    mask
}
