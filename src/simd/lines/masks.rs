//! Bytes to masks: the classes of the bytes of a block.

use super::rare::{Rare, RareMasks, Uncommon};
use super::shape::LineShape;
use crate::simd::block::classify::{ALLOWED, HEX, JOINT, LETTER, SCHEME, STRUCTURE, STRUCTURE_OF_NAMES};
use crate::simd::block::codes::{self, CodeTable};
use crate::simd::block::mask_structs::masks;
use crate::simd::block::vector::{Vector, Words};
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

masks! {
    /// The bits of [codes](crate::simd::block::codes), the lowest first.
    Codes {
        first,
        second,
        third,
    }
}

impl Codes<u64> {
    /// Returns the codes of a vector that [`has_codes`], and its uncommon bytes.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `V`.
    #[inline(always)]
    unsafe fn of<V: Vector>(input: V, table: &CodeTable) -> (Self, u64) {
        // SAFETY: the caller promises the features.
        let ([first, second, third], uncommon) = unsafe { input.codes(table) }.expect("it has codes");
        (Codes { first, second, third }, uncommon)
    }
}

impl<W: Words> Codes<W> {
    /// Returns the masks of the bytes' classes, but those that codes do not tell apart.
    #[inline(always)]
    pub(in crate::simd) fn masks<S: LineShape>(self, all: bool) -> Masks<W> {
        let Codes { first, second, third } = self;
        let bit = |mask: W, is_set: bool| if is_set { mask } else { !mask };
        let of =
            |code: u8| bit(first, code & 1 != 0) & bit(second, code & 2 != 0) & bit(third, code & 4 != 0);
        let none = first & !first;
        let needed = Masks::<bool>::needed::<S>(all);
        Masks {
            newline: of(codes::NEWLINE),
            colon: of(codes::COLON),
            slash: of(codes::SLASH),
            query: if needed.query { of(codes::QUESTION) } else { none },
            letter: of(codes::LETTER),
            // Letters, digits with "+", and joints.
            scheme: (first | second) & !third,
            joint: if needed.joint { of(codes::JOINT) } else { none },
            dot: none,
            dash: none,
            plus: none,
            upper: none,
        }
    }
}

/// Returns whether the scan makes its masks of codes: whether the instruction set has them, and they tell all
/// wanted classes apart.
pub(in crate::simd) const fn has_codes<V: Vector, S: LineShape>(all: bool) -> bool {
    let Masks { dot, dash, plus, upper, .. } = Masks::<bool>::needed::<S>(all);
    V::CODES && !(dot || dash || plus || upper)
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
        let (mut masks, uncommon) = structure::<V, S, ALL>(input, newline);
        if uncommon | rare.pending | rare.are_many == 0 {
            return (masks, None);
        }
        let (lost, uncommon) = examine::<V, S>(input, newline, uncommon, rare, next);
        if lost != 0 {
            masks = Masks { newline: newline | lost, ..masks.map(|mask| mask & !lost) };
        }
        (masks, uncommon)
    }
}

/// [`classify`], for a vector that [`has_codes`].
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(in crate::simd) unsafe fn classify_by_codes<V: Vector, S: LineShape>(
    input: V,
    rare: &mut Rare,
    next: impl FnOnce() -> bool,
) -> (Codes<u64>, Option<Uncommon<u64>>) {
    let table = if needs_names::<S>() { &codes::OF_NAMES } else { &codes::OF_LINES };
    // SAFETY: the caller promises the features.
    unsafe {
        let (codes, uncommon) = Codes::of(input, table);
        if uncommon | rare.pending | rare.are_many == 0 {
            return (codes, None);
        }
        let beyond_ascii = input.at_least::<0x80>();
        let (lost, uncommon) = examine::<V, S>(input, input.eq(b'\n'), uncommon, rare, next);
        (codes.map(|mask| (mask | beyond_ascii) & !lost), uncommon)
    }
}

/// Returns the masks of a block's rare bytes if it needs them, and the byte that counts as an LF though it is
/// none, if there is one: the bytes have changed during the scan, and this byte was an LF at the block before.
/// It counts as nothing else.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
unsafe fn examine<V: Vector, S: LineShape>(
    input: V,
    newline: u64,
    uncommon: u64,
    rare: &mut Rare,
    next: impl FnOnce() -> bool,
) -> (u64, Option<Uncommon<u64>>) {
    // SAFETY: the caller promises the features.
    unsafe {
        let percent = input.eq(b'%');
        // If the masks of all blocks with escapes were stored, lists with an escape in each record would take a fifth
        // more time.
        let are_escapes = rare.are_whole_escapes(uncommon, percent);
        if are_escapes || rare.is_on_its_own(percent, input.eq(b'\r') | input.eq(b'#')) {
            let hex = input.classify(&HEX).at_least::<ALLOWED>();
            let forbidden = rare.forbidden(uncommon, percent, hex);
            let form = if S::FORMS { rare.forms.block(input, percent, Marked::default()) } else { 0 };
            let uncommon = Uncommon { forbidden, form, ..Uncommon::<u64>::NONE };
            return (0, (!are_escapes || forbidden | form != 0).then_some(uncommon));
        }
        let lost = rare.first_is_newline() & !newline;
        let rare_masks = RareMasks {
            uncommon: uncommon & !lost,
            newline: newline | lost,
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
        (lost, Some(uncommon))
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
        if uncommon | rare.pending | rare.are_many == 0 {
            return (masks, None);
        }
        (masks, examine_with_gaps(input, gaps, spread, uncommon, rare))
    }
}

/// [`classify_with_gaps`], for a vector that [`has_codes`] and can spread its bytes.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
pub(in crate::simd) unsafe fn classify_with_gaps_by_codes<V: Vector>(
    input: V,
    gaps: u64,
    rare: &mut Rare,
) -> (Codes<u64>, Option<Uncommon<u64>>) {
    let spread = |mask: u64| mask & !gaps;
    // SAFETY: the caller promises the features.
    unsafe {
        let input = input.spread(gaps).expect("it can");
        let (codes, uncommon) = Codes::of(input, &codes::OF_GAPS);
        let (codes, uncommon) = (codes.map(spread), spread(uncommon));
        if uncommon | rare.pending | rare.are_many == 0 {
            return (codes, None);
        }
        let beyond_ascii = input.at_least::<0x80>();
        let codes = codes.map(|mask| spread(mask | beyond_ascii));
        (codes, examine_with_gaps(input, gaps, spread, uncommon, rare))
    }
}

/// [`examine`], for records without separators. `spread` makes room for the gaps in a mask.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
unsafe fn examine_with_gaps<V: Vector>(
    input: V,
    gaps: u64,
    spread: impl Fn(u64) -> u64,
    uncommon: u64,
    rare: &mut Rare,
) -> Option<Uncommon<u64>> {
    // SAFETY: the caller promises the features.
    unsafe {
        let percent = spread(input.eq(b'%'));
        let hex = spread(input.classify(&HEX).at_least::<ALLOWED>());
        let are_escapes = rare.are_whole_escapes(uncommon, percent);
        if are_escapes || rare.is_on_its_own(percent, spread(input.eq(b'#'))) {
            let forbidden = rare.forbidden(uncommon, percent, hex);
            let uncommon = Uncommon { forbidden, ..Uncommon::<u64>::NONE };
            return (!are_escapes || forbidden != 0).then_some(uncommon);
        }
        Some(rare.block(RareMasks {
            uncommon,
            newline: gaps,
            cr: 0,
            percent,
            hex,
            hash: spread(input.eq(b'#')),
            next_newline: 0,
        }))
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
