//! x86_64 with AVX2: registers of 32 bytes, and the bit instructions of the processors that have them.

use core::arch::asm;
use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::block::vector::{BLOCK, NibbleTable, Vector, Words};
use super::kernels::kernels;
#[cfg(any(feature = "corpus", test))]
use super::x86_64::parity_before;
use super::x86_64::{above_sign_bit, carry_in, operators, prefetch, to_sign_bit};

kernels! { Avx2: "avx2", "bmi1", "bmi2", "lzcnt", "popcnt" }

/// Two registers of 32 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2([__m256i; 2]);

impl Avx2 {
    /// Returns the sign bits of the bytes.
    #[inline(always)]
    unsafe fn movemask(self) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        let (low, high) = unsafe { (_mm256_movemask_epi8(self.0[0]), _mm256_movemask_epi8(self.0[1])) };
        u64::from(low as u32) | u64::from(high as u32) << 32
    }
}

impl Vector for Avx2 {
    type Words = Words256;

    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        let from = block.as_ptr().cast::<__m256i>();
        // SAFETY: the loads read the 64 bytes of the block; the features are promised.
        unsafe { Avx2([_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))]) }
    }

    #[inline(always)]
    unsafe fn prefetch(block: &[u8; BLOCK]) {
        prefetch(block);
    }

    #[inline(always)]
    unsafe fn eq(mut self, byte: u8) -> u64 {
        // SAFETY: the features are promised.
        unsafe {
            for part in &mut self.0 {
                *part = _mm256_cmpeq_epi8(*part, _mm256_set1_epi8(byte as i8));
            }
            self.movemask()
        }
    }

    #[inline(always)]
    unsafe fn and(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            // SAFETY: the features are promised.
            *part = unsafe { _mm256_and_si256(*part, other) };
        }
        self
    }

    #[inline(always)]
    unsafe fn classify(mut self, table: &NibbleTable) -> Self {
        // SAFETY: the loads read the 16 bytes of each table; the features are promised.
        unsafe {
            // The shuffle works in halves of 16 bytes, so each half gets the whole table.
            let low = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.low.as_ptr().cast()));
            let high = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.high.as_ptr().cast()));
            for part in &mut self.0 {
                let nibbles = _mm256_and_si256(_mm256_srli_epi16::<4>(*part), _mm256_set1_epi8(0x0F));
                *part = _mm256_and_si256(_mm256_shuffle_epi8(low, *part), _mm256_shuffle_epi8(high, nibbles));
            }
        }
        self
    }

    #[inline(always)]
    unsafe fn at_least<const LEAST: u8>(mut self) -> u64 {
        // SAFETY: the features are promised.
        unsafe {
            for part in &mut self.0 {
                *part = if LEAST <= 0x80 {
                    add_saturating(*part, _mm256_set1_epi8(const { to_sign_bit(LEAST) }))
                } else {
                    _mm256_subs_epu8(*part, _mm256_set1_epi8(const { above_sign_bit(LEAST) }))
                };
            }
            self.movemask()
        }
    }
}

/// Returns the saturated sums of the bytes. The compiler would make two instructions of the sum and a
/// movemask of it, so it does not see the sum.
#[inline]
#[target_feature(enable = "avx2")]
fn add_saturating(a: __m256i, b: __m256i) -> __m256i {
    let mut sum = _mm256_adds_epu8(a, b);
    // SAFETY: the empty assembly leaves the register unchanged.
    unsafe { asm!("/* {0} */", inout(ymm_reg) sum, options(pure, nomem, nostack, preserves_flags)) };
    sum
}

/// Four masks in one register.
#[derive(Clone, Copy)]
pub(crate) struct Words256(__m256i);

operators!(Words256, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_set1_epi64x(-1));

impl Words256 {
    /// Returns the lanes in which `a` is less than `b`, unsigned.
    #[inline(always)]
    unsafe fn less(a: __m256i, b: __m256i) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe {
            // AVX2 has only a signed comparison, which gives the unsigned result if the sign bits are
            // inverted.
            let sign = _mm256_set1_epi64x(i64::MIN);
            Self::lanes(_mm256_cmpgt_epi64(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign)))
        }
    }

    /// Returns the lanes in which `a` equals `b`.
    #[inline(always)]
    unsafe fn equal(a: __m256i, b: __m256i) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe { Self::lanes(_mm256_cmpeq_epi64(a, b)) }
    }

    /// Returns the sign bits of the lanes.
    #[inline(always)]
    unsafe fn lanes(comparison: __m256i) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(comparison)) as u64 }
    }

    /// Returns all ones in these lanes.
    #[inline(always)]
    unsafe fn ones_in(lanes: u64) -> __m256i {
        // SAFETY: the features are promised to the methods that call this.
        unsafe {
            let bits = _mm256_setr_epi64x(1, 2, 4, 8);
            _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(lanes as i64), bits), bits)
        }
    }
}

impl Words for Words256 {
    const COUNT: usize = 4;

    #[inline(always)]
    unsafe fn splat(mask: u64) -> Self {
        // SAFETY: the features are promised.
        Words256(unsafe { _mm256_set1_epi64x(mask as i64) })
    }

    #[inline(always)]
    unsafe fn load(from: &[u64]) -> Self {
        let from: &[u64; 4] = from[..4].try_into().expect("four words");
        // SAFETY: the load reads the four words; the features are promised.
        Words256(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: &mut [u64]) {
        let to: &mut [u64; 4] = (&mut to[..4]).try_into().expect("four words");
        // SAFETY: the store writes the four words; the features are promised.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn advance(self, before: &mut Self) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            // The word before each word: the register rotated by one lane, with the last word of `before` in
            // the first lane.
            let turned = _mm256_permute4x64_epi64::<0b10_01_00_11>(self.0);
            let last = _mm256_permute4x64_epi64::<0b10_01_00_11>(before.0);
            let lower = _mm256_blend_epi32::<0b0000_0011>(turned, last);
            *before = self;
            Words256(_mm256_or_si256(_mm256_slli_epi64::<1>(self.0), _mm256_srli_epi64::<63>(lower)))
        }
    }

    #[inline(always)]
    unsafe fn add(self, through: Self, carry: &mut u64) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            let sum = _mm256_add_epi64(through.0, self.0);
            let makes = Self::less(sum, self.0);
            let passes = Self::equal(sum, _mm256_set1_epi64x(-1));
            let into = carry_in::<4>(makes, passes, carry);
            Words256(_mm256_sub_epi64(sum, Self::ones_in(into)))
        }
    }

    #[cfg(any(feature = "corpus", test))]
    #[inline(always)]
    unsafe fn parity(self, carry: &mut u64) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            let mut parity = self.0;
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<1>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<2>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<4>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<8>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<16>(parity));
            parity = _mm256_xor_si256(parity, _mm256_slli_epi64::<32>(parity));
            let parities = _mm256_movemask_pd(_mm256_castsi256_pd(parity)) as u64;
            let before = parity_before::<4>(parities, carry);
            Words256(_mm256_xor_si256(parity, Self::ones_in(before)))
        }
    }

    #[cfg(any(feature = "corpus", test))]
    #[inline(always)]
    unsafe fn is_zero(self) -> bool {
        // SAFETY: the features are promised.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    unsafe fn full_halves(self) -> Self {
        // SAFETY: the features are promised.
        Words256(unsafe { _mm256_cmpeq_epi32(self.0, _mm256_set1_epi32(-1)) })
    }
}
