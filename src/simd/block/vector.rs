//! The operations of a backend: operations on a block of 64 bytes ([`Vector`]), and the arithmetic of the
//! masks that they return ([`Words`]).
//!
//! Instruction sets differ only in the implementations of these traits, and the scan is written once, over
//! the traits. A mask is a `u64` whose bit *i* belongs to byte *i* of its block.
//!
//! The methods are `unsafe` and always inlined, and have no `#[target_feature]`: they are inlined into the
//! entry points, which have it. Called from any other function, every instruction would stay a function call,
//! twenty times slower, while every test passes; `scripts/check-inlining` finds such calls.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::codes::CodeTable;

/// The bytes of a block.
pub(crate) const BLOCK: usize = 64;

/// The positions that [`Words::write_positions`] may write after the last one.
pub(in crate::simd) const SURPLUS: usize = 32;

/// The classes that each half of an ASCII byte allows: byte `b` is in class `k` if bit `k` is set in both
/// `low[b & 0x0F]` and `high[b >> 4]`.
pub(crate) struct NibbleTable {
    pub(crate) low: [u8; 16],
    pub(crate) high: [u8; 16],
}

/// A block of 64 bytes in registers.
///
/// # Safety
///
/// The machine must have the features of the implementation. The methods require nothing else.
pub(crate) trait Vector: Copy {
    /// The masks that are processed at once.
    type Words: Words;

    /// Loads a block.
    unsafe fn load(block: &[u8; BLOCK]) -> Self;

    /// Loads fewer bytes than a block has, and LFs after them.
    #[inline(always)]
    unsafe fn load_last(bytes: &[u8]) -> Self {
        let block = padded(bytes);
        // SAFETY: the caller promises the features.
        unsafe { Self::load(&block) }
    }

    /// Makes the processor fetch the bytes 4 KiB after the block, if the instruction set can do that: without
    /// this, it stops at the end of a page.
    #[inline(always)]
    unsafe fn prefetch(_block: &[u8; BLOCK]) {}

    /// Moves bytes up, to leave a gap at each bit of `gaps`; the bytes in the gaps have no meaning. Returns
    /// `None` if the instruction set cannot do that.
    #[inline(always)]
    unsafe fn spread(self, _gaps: u64) -> Option<Self> {
        None
    }

    /// Returns one bit for each byte that equals `byte`.
    unsafe fn eq(self, byte: u8) -> u64;

    /// Returns the bits that both have, byte by byte.
    unsafe fn and(self, other: Self) -> Self;

    /// Returns the classes of each byte, a bit each; bytes beyond ASCII have no class.
    unsafe fn classify(self, table: &NibbleTable) -> Self;

    /// Returns one bit for each byte that is, unsigned, at least `LEAST`, which must not be 0.
    unsafe fn at_least<const LEAST: u8>(self) -> u64;

    /// Whether the instruction set has [`codes`](Self::codes).
    const CODES: bool = false;

    /// Returns the three bits of the bytes' codes, the lowest first, and one bit for each uncommon byte. Bytes
    /// beyond ASCII are uncommon, and their codes have no meaning. `None` without [`CODES`](Self::CODES).
    #[inline(always)]
    unsafe fn codes(self, _table: &CodeTable) -> Option<([u64; 3], u64)> {
        None
    }
}

/// Returns a block of `bytes` and LFs after them. Copies of constant sizes need no function call.
#[inline(always)]
fn padded(bytes: &[u8]) -> [u8; BLOCK] {
    /// Copies the first and the last `N` bytes, which may overlap.
    #[inline(always)]
    fn copy<const N: usize>(bytes: &[u8], block: &mut [u8; BLOCK]) -> bool {
        let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) else {
            return false;
        };
        block[..N].copy_from_slice(first);
        block[bytes.len() - N..bytes.len()].copy_from_slice(last);
        true
    }
    let mut block = [b'\n'; BLOCK];
    let _ = copy::<32>(bytes, &mut block)
        || copy::<16>(bytes, &mut block)
        || copy::<8>(bytes, &mut block)
        || copy::<4>(bytes, &mut block)
        || copy::<2>(bytes, &mut block)
        || copy::<1>(bytes, &mut block);
    block
}

/// The masks of [`COUNT`](Self::COUNT) blocks in a row, which form a number of this many times 64 bits.
///
/// # Safety
///
/// The same as for [`Vector`]. The operators, too, are for machines that have the features.
pub(crate) trait Words:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The number of masks.
    const COUNT: usize;

    /// Returns `COUNT` copies of a mask.
    unsafe fn splat(mask: u64) -> Self;

    /// Loads the first masks of `from`.
    unsafe fn load(from: &[u64]) -> Self;

    /// Stores the masks at the start of `to`.
    unsafe fn store(self, to: &mut [u64]);

    /// Moves each marker one byte on. `before` has the markers of the blocks before, and gets the markers of
    /// these blocks.
    unsafe fn advance(self, before: &mut Self) -> Self;

    /// Adds cursors to the bytes that they may run through. The carry, 0 or 1, is a cursor, too. If it is 1,
    /// no other cursor stands at the first byte, because two cursors have a line end between them.
    ///
    /// In the sum, the bytes that a cursor runs through are 0, and the byte at which it stops is 1.
    unsafe fn add(self, through: Self, carry: &mut u64) -> Self;

    /// Moves each cursor to the first byte that is not in `through`; see [`add`](Self::add) for the carry.
    #[inline(always)]
    unsafe fn run(self, through: Self, carry: &mut u64) -> Self {
        // SAFETY: the caller promises the features.
        unsafe { self.add(through, carry) & !through }
    }

    /// Sets each bit up to which an odd number of bits are set, that bit included. `carry` is 1 if an odd number
    /// is set before these masks, else 0.
    #[cfg(any(feature = "corpus", test))]
    unsafe fn parity(self, carry: &mut u64) -> Self;

    /// Returns true if no mask has a bit.
    #[cfg(any(feature = "corpus", test))]
    unsafe fn is_zero(self) -> bool;

    /// Returns the bits of each half of a mask, 32 bits, that has no 0. A run of 63 bits has such a half,
    /// wherever it starts.
    unsafe fn full_halves(self) -> Self;

    /// Writes the positions of the bits of these masks to `to`, in order, and returns the place for the next
    /// position. The first mask starts at `base`.
    ///
    /// # Safety
    ///
    /// In addition, `to` must have room for one position a bit and [`SURPLUS`] more.
    #[inline(always)]
    unsafe fn write_positions(words: &[u64], base: u32, to: *mut u32) -> *mut u32 {
        // SAFETY: the caller promises the room.
        unsafe { write_one_by_one(words, base, to) }
    }
}

/// [`Words::write_positions`], word by word.
///
/// # Safety
///
/// `to` must have room for a position a bit and [`SURPLUS`] more.
#[inline(always)]
pub(in crate::simd) unsafe fn write_one_by_one(words: &[u64], mut base: u32, to: *mut u32) -> *mut u32 {
    // A sum for each word, since a product of its index takes an instruction more.
    let bases = core::iter::repeat_with(|| {
        let block = base;
        base = base.wrapping_add(BLOCK as u32);
        block
    });
    // SAFETY: the caller promises the room.
    unsafe { write_each(words, bases, to, |base, at| base.wrapping_add(at)) }
}

/// Writes a number for each bit of these words to `to`, in order, and returns the place for the next number.
/// `number` gets the item of the word, and the bit's position in the word. Most words have one or two bits,
/// so two numbers are always written; a number without a bit has the position 64.
///
/// # Safety
///
/// `to` must have room for a number a bit and [`SURPLUS`] more.
#[inline(always)]
pub(in crate::simd) unsafe fn write_each<I>(
    words: &[u64],
    items: impl Iterator<Item = I>,
    to: *mut u32,
    number: impl Fn(&I, u32) -> u32,
) -> *mut u32 {
    let mut next = to;
    for (&bits, item) in words.iter().zip(items) {
        let second = bits & bits.wrapping_sub(1);
        // SAFETY: `to` has room for a number a bit, and for the two that are written even if a word has fewer
        // bits.
        unsafe {
            next.write(number(&item, bits.trailing_zeros()));
            next.add(1).write(number(&item, second.trailing_zeros()));
            let mut rest = second & second.wrapping_sub(1);
            let mut further = next.add(2);
            while rest != 0 {
                further.write(number(&item, rest.trailing_zeros()));
                further = further.add(1);
                rest &= rest - 1;
            }
            next = next.add(bits.count_ones() as usize);
        }
    }
    next
}

impl Words for u64 {
    const COUNT: usize = 1;

    #[inline(always)]
    unsafe fn splat(mask: u64) -> Self {
        mask
    }

    #[inline(always)]
    unsafe fn load(from: &[u64]) -> Self {
        from[0]
    }

    #[inline(always)]
    unsafe fn store(self, to: &mut [u64]) {
        to[0] = self;
    }

    #[inline(always)]
    unsafe fn advance(self, before: &mut Self) -> Self {
        let moved = self << 1 | *before >> 63;
        *before = self;
        moved
    }

    #[inline(always)]
    unsafe fn add(self, through: Self, carry: &mut u64) -> Self {
        let (sum, over) = through.overflowing_add(self | *carry);
        *carry = opaque(u64::from(over));
        sum
    }

    #[cfg(any(feature = "corpus", test))]
    #[inline(always)]
    unsafe fn parity(self, carry: &mut u64) -> Self {
        let parity = prefix_xor(self) ^ carry.wrapping_neg();
        *carry = parity >> 63;
        parity
    }

    #[cfg(any(feature = "corpus", test))]
    #[inline(always)]
    unsafe fn is_zero(self) -> bool {
        self == 0
    }

    #[inline(always)]
    unsafe fn full_halves(self) -> Self {
        const LOWER: u64 = u32::MAX as u64;
        let lower = if self & LOWER == LOWER { LOWER } else { 0 };
        let upper = if self & !LOWER == !LOWER { !LOWER } else { 0 };
        lower | upper
    }
}

/// Returns the parity of the bits up to each bit.
#[cfg(any(feature = "corpus", test))]
#[inline(always)]
pub(in crate::simd) fn prefix_xor(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

/// Returns the same value, hidden from the compiler on x86_64 and aarch64.
///
/// Otherwise, the compiler would pair the additions of several runs in vector registers, with their carries,
/// and move them in and out again for each block, which costs a third of the speed. If vectors are added, the
/// compiler would pair the carries alone: then the first run over some blocks waits for a later run over the
/// blocks before, although both could run side by side.
#[inline(always)]
pub(in crate::simd) fn opaque(value: u64) -> u64 {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    {
        let mut value = value;
        // SAFETY: the empty assembly leaves the register unchanged.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) value, options(pure, nomem, nostack, preserves_flags))
        };
        value
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    value
}

/// The definition of the operations, byte by byte.
#[cfg(test)]
#[derive(Clone, Copy)]
pub(crate) struct Emulated([u8; BLOCK]);

#[cfg(test)]
impl Emulated {
    fn mask(self, of: impl Fn(u8) -> bool) -> u64 {
        self.0.iter().enumerate().fold(0, |mask, (i, &byte)| mask | u64::from(of(byte)) << i)
    }
}

#[cfg(test)]
impl Vector for Emulated {
    type Words = u64;

    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        Emulated(*block)
    }

    unsafe fn eq(self, byte: u8) -> u64 {
        self.mask(|b| b == byte)
    }

    unsafe fn and(self, other: Self) -> Self {
        Emulated(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    unsafe fn classify(self, table: &NibbleTable) -> Self {
        Emulated(self.0.map(|b| {
            if b.is_ascii() { table.low[usize::from(b & 0x0F)] & table.high[usize::from(b >> 4)] } else { 0 }
        }))
    }

    unsafe fn at_least<const LEAST: u8>(self) -> u64 {
        self.mask(|b| b >= LEAST)
    }
}
