//! Functions that the instruction sets of x86_64 share.

use core::arch::x86_64::*;

#[cfg(any(feature = "corpus", test))]
use super::block::vector::prefix_xor;
use super::block::vector::{BLOCK, opaque};

/// Returns the number that a saturating addition must add so that `least` reaches the sign bit, which a
/// movemask reads.
pub(super) const fn to_sign_bit(least: u8) -> i8 {
    0x80_u8.saturating_sub(least) as i8
}

/// Returns the number that a saturating subtraction must take away so that only `least`, which is above the
/// sign bit, and more keep that bit.
pub(super) const fn above_sign_bit(least: u8) -> i8 {
    least.saturating_sub(0x80) as i8
}

/// Fetches the bytes 4 KiB after a block. Distances from 1 to 8 KiB are as fast.
#[inline(always)]
pub(super) fn prefetch(block: &[u8; BLOCK]) {
    // SAFETY: every x86_64 has the instruction, which faults at no address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(4 << 10).cast()) };
}

/// Passes carries on from lane to lane: if bit *i* of `makes` is set, lane *i* makes a carry; if bit *i* of
/// `passes` is set, it passes on the carry that comes into it. Returns the lanes that a carry comes into.
#[inline(always)]
pub(super) fn carry_in<const LANES: u32>(makes: u64, passes: u64, carry: &mut u64) -> u64 {
    // A carry goes from lane to lane as it goes from bit to bit in a lane.
    let into = ((makes << 1 | *carry) + passes) ^ passes;
    *carry = opaque(into >> LANES & 1);
    into
}

/// Returns the parity of the bits before each lane, given the parity of the bits in each. `carry` is the parity before
/// the first lane.
#[cfg(any(feature = "corpus", test))]
#[inline(always)]
pub(super) fn parity_before<const LANES: u32>(parities: u64, carry: &mut u64) -> u64 {
    let before = prefix_xor(parities << 1 | *carry);
    *carry = before >> LANES & 1;
    before
}

/// The operators of a register, lane by lane.
macro_rules! operators {
    ($words:ident, $and:ident, $or:ident, $xor:ident, $ones:expr) => {
        impl BitAnd for $words {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                // SAFETY: these words exist only on a machine that has the features.
                $words(unsafe { $and(self.0, other.0) })
            }
        }

        impl BitOr for $words {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                // SAFETY: these words exist only on a machine that has the features.
                $words(unsafe { $or(self.0, other.0) })
            }
        }

        impl BitXor for $words {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                // SAFETY: these words exist only on a machine that has the features.
                $words(unsafe { $xor(self.0, other.0) })
            }
        }

        impl Not for $words {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: these words exist only on a machine that has the features.
                $words(unsafe { $xor(self.0, $ones) })
            }
        }
    };
}
pub(super) use operators;
