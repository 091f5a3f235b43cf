//! The bytes that a normal form may change: a pass over bytes that knows nothing of records.
//!
//! A mark says "check this byte", never what to write. Bytes without a mark are the same in the normal form
//! of each valid record, unless this depends on the record's borders: see [`normal::bulk`](crate::normal).
//! The normal form need not change a marked byte.
//!
//! ```text
//! upper    A-Z                                           in a scheme or host they become lower case
//! dots_and_digits
//!          a dot after a slash, a colon or an LF         perhaps a dot segment
//!          the last digit of an escape that
//!            has a digit from a to f                     becomes upper case
//!            is %2D, %2E, %30 to %39, or %4x to %7x      perhaps the escape of an unreserved character
//! ```
//!
//! In lines, letters are marked only in the head. The head of a line ends at the first `?` or `#`, at the
//! first slash that follows no slash, colon or LF, or at the first slash that follows two slashes. All
//! schemes and hosts are in heads. The byte at which a head ends has a mark in `heads`.
//!
//! ```text
//! for each group of blocks:
//!     for each block: its masks; those of escapes only where a % is near
//!     for as many blocks as a vector has words: their marks, by the carry arithmetic of Words
//! ```
//!
//! Marks of several blocks at once take an eighth less of the time of this pass with AVX-512, and nothing
//! less where a vector has one word: then the masks of a block stay in registers.

use alloc::vec::Vec;

use super::form_escapes::{Marked, last_digits};
use crate::simd::block::mask_structs::{GROUP, masks};
use crate::simd::block::vector::{BLOCK, Vector, Words};

/// Marks, a bit for each byte, 64 a word.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormMarks {
    pub(crate) upper: Vec<u64>,
    pub(crate) dots_and_digits: Vec<u64>,
    /// The ends of the heads, if the bytes are lines; else empty.
    pub(crate) heads: Vec<u64>,
}

/// Marks these bytes. The marks replace the contents of `marks`.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_forms<V: Vector>(values: &[u8], marked: Marked, marks: &mut FormMarks) {
    // Vectors of words are stored whole.
    let words = values.len().div_ceil(BLOCK).next_multiple_of(<V::Words as Words>::COUNT);
    marks.upper.resize(words, 0);
    marks.dots_and_digits.resize(words, 0);
    marks.heads.resize(if marked.are_lines { words } else { 0 }, 0);
    let mut masks = FormMasks::<[u64; GROUP]>::NONE;
    // SAFETY: the caller promises the features.
    let mut carries = unsafe { Carries::<V::Words>::new() };
    let mut escapes = EscapeBlocks::default();
    for (number, group) in values.chunks(GROUP * BLOCK).enumerate() {
        let first = number * GROUP;
        let (blocks, last) = group.as_chunks::<BLOCK>();
        let mut count = group.len().div_ceil(BLOCK);
        let words = first..first + count.next_multiple_of(<V::Words as Words>::COUNT);
        let mut group_marks = [
            &mut marks.upper[words.clone()],
            &mut marks.dots_and_digits[words.clone()],
            marks.heads.get_mut(words).unwrap_or_default(),
        ];
        // No closure, since a closure would not have the features.
        for i in 0..count {
            // SAFETY: the caller promises the features.
            unsafe {
                let input = match blocks.get(i) {
                    Some(block) => V::load(block),
                    None => V::load_last(last),
                };
                let block = classify(input, values, first + i, marked, &mut escapes);
                if const { <V::Words as Words>::COUNT == 1 } {
                    // The masks stay in registers.
                    mark(block.one(), marked, &mut carries).store(i, &mut group_marks);
                } else {
                    masks.set(i, block, ALL);
                }
            }
        }
        escapes.end_group();
        if const { <V::Words as Words>::COUNT == 1 } {
            continue;
        }
        while !count.is_multiple_of(<V::Words as Words>::COUNT) {
            // SAFETY: a `u64` requires nothing.
            unsafe { masks.set(count, FormMasks::<u64>::NONE, ALL) };
            count += 1;
        }
        for i in (0..count).step_by(<V::Words as Words>::COUNT) {
            // SAFETY: the caller promises the features.
            unsafe { mark::<V::Words>(masks.get(i), marked, &mut carries).store(i, &mut group_marks) };
        }
    }
}

/// The words of [`FormMarks`] for some blocks.
struct MarkedWords<W> {
    upper: W,
    dots_and_digits: W,
    heads: W,
}

impl<W: Words> MarkedWords<W> {
    /// Stores the words of `upper`, `dots_and_digits` and `heads` of a group, from word `i` on. `heads` is
    /// empty if the bytes are not lines.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn store(self, i: usize, [upper, dots_and_digits, heads]: &mut [&mut [u64]; 3]) {
        // SAFETY: the caller promises the features.
        unsafe {
            self.upper.store(&mut upper[i..]);
            self.dots_and_digits.store(&mut dots_and_digits[i..]);
            if let Some(heads) = heads.get_mut(i..).filter(|heads| !heads.is_empty()) {
                self.heads.store(heads);
            }
        }
    }
}

impl FormMasks<u64> {
    /// Returns the masks of one block as words, which must be single.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn one<W: Words>(self) -> FormMasks<W> {
        let FormMasks { newline, colon, slash, dot, term, upper, escape } = self;
        // SAFETY: the caller promises the features.
        unsafe {
            FormMasks {
                newline: W::load(&[newline]),
                colon: W::load(&[colon]),
                slash: W::load(&[slash]),
                dot: W::load(&[dot]),
                term: W::load(&[term]),
                upper: W::load(&[upper]),
                escape: W::load(&[escape]),
            }
        }
    }
}

masks! {
    /// The classes of bytes.
    FormMasks {
        newline,
        colon,
        slash,
        dot,
        /// `?` and `#`.
        term,
        upper,
        /// The last digits of escapes that may change.
        escape,
    }
}

/// All masks are needed.
const ALL: FormMasks<bool> =
    FormMasks { newline: true, colon: true, slash: true, dot: true, term: true, upper: true, escape: true };

/// The blocks that have escapes.
#[derive(Default)]
struct EscapeBlocks {
    /// The `%` of the block before.
    percent: u64,
    /// The number of blocks with escapes in the group.
    count: usize,
    /// Whether examining each block is faster than predicting which ones have escapes.
    are_many: bool,
}

impl EscapeBlocks {
    /// Returns whether to examine the next block, which has these `%`. Most blocks have no escape, and no
    /// escape of the block before goes on in them.
    #[inline(always)]
    fn examine(&mut self, percent: u64) -> bool {
        let may_have = percent | self.percent >> 62 != 0;
        self.percent = percent;
        self.count += usize::from(percent != 0);
        may_have || self.are_many
    }

    #[inline(always)]
    fn end_group(&mut self) {
        self.are_many = self.count >= GROUP / 8;
        self.count = 0;
    }
}

/// Returns the masks of a block.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
unsafe fn classify<V: Vector>(
    input: V,
    values: &[u8],
    block: usize,
    marked: Marked,
    escapes: &mut EscapeBlocks,
) -> FormMasks<u64> {
    // SAFETY: the caller promises the features.
    unsafe {
        let is_examined = escapes.examine(input.eq(b'%'));
        FormMasks {
            newline: input.eq(b'\n'),
            colon: input.eq(b':'),
            slash: input.eq(b'/'),
            dot: input.eq(b'.'),
            term: input.eq(b'?') | input.eq(b'#'),
            upper: input.at_least::<b'A'>() & !input.at_least::<b'['>(),
            escape: if is_examined { escapes_from::<V>(values, block * BLOCK, marked) } else { 0 },
        }
    }
}

/// Returns the last digits of the escapes that may change in the block that starts at this byte.
///
/// # Safety
///
/// The machine must have the features of `V`.
#[inline(always)]
unsafe fn escapes_from<V: Vector>(values: &[u8], start: usize, marked: Marked) -> u64 {
    let copy;
    let window = match start.checked_sub(2).and_then(|before| values.get(before..)?.first_chunk()) {
        Some(window) => window,
        None => {
            copy = border(values, start);
            &copy
        }
    };
    // SAFETY: the caller promises the features.
    unsafe { last_digits::<V>(window, marked) }
}

/// Returns the window of the first or the last block.
#[cold]
#[inline(never)]
fn border(values: &[u8], start: usize) -> [u8; BLOCK + 2] {
    let mut window = [0; BLOCK + 2];
    let first = start.saturating_sub(2);
    let bytes = &values[first..values.len().min(start + BLOCK)];
    window[2 - (start - first)..][..bytes.len()].copy_from_slice(bytes);
    window
}

/// The carries from block to block.
struct Carries<W> {
    /// Slashes, colons and LFs.
    delimiter: W,
    newline: W,
    slash: W,
    /// Slashes after a slash.
    two_slashes: W,
    /// 1 if a head goes on.
    head: u64,
}

impl<W: Words> Carries<W> {
    /// Returns the carries at the start of the bytes, which are those after an LF.
    ///
    /// # Safety
    ///
    /// The machine must have the features of `W`.
    #[inline(always)]
    unsafe fn new() -> Self {
        // SAFETY: the caller promises the features.
        let (newline, nothing) = unsafe { (W::splat(!0), W::splat(0)) };
        Carries { delimiter: newline, newline, slash: nothing, two_slashes: nothing, head: 0 }
    }
}

/// Returns the words of `upper`, `dots_and_digits` and `heads` of some blocks.
///
/// # Safety
///
/// The machine must have the features of `W`.
#[inline(always)]
unsafe fn mark<W: Words>(masks: FormMasks<W>, marked: Marked, carries: &mut Carries<W>) -> MarkedWords<W> {
    let FormMasks { newline, colon, slash, dot, term, mut upper, escape } = masks;
    // SAFETY: the caller promises the features.
    unsafe {
        let after_delimiter = (slash | newline | colon).advance(&mut carries.delimiter);
        let mut heads = W::splat(0);
        if marked.are_lines {
            let two = slash & slash.advance(&mut carries.slash);
            let third = slash & two.advance(&mut carries.two_slashes);
            let within = !(slash & !after_delimiter | third | newline | term);
            let start = newline.advance(&mut carries.newline);
            let sum = start.add(within, &mut carries.head);
            upper = upper & within & !sum;
            heads = sum & !within;
        }
        MarkedWords { upper, dots_and_digits: dot & after_delimiter | escape, heads }
    }
}
