//! x86_64 with SSE4.2: registers of 16 bytes.
//!
//! PCMPESTRI is not used: it is slower than two shuffles and a comparison.

use core::arch::asm;
use core::arch::x86_64::*;

use super::block::vector::{BLOCK, NibbleTable, Vector};
use super::kernels::kernels;
use super::x86_64::{above_sign_bit, prefetch, to_sign_bit};

kernels! { Sse42: "sse4.2", "ssse3", "popcnt" }

/// Four registers of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Sse42([__m128i; 4]);

impl Sse42 {
    /// Returns the sign bits of the bytes.
    #[inline(always)]
    unsafe fn movemask(self) -> u64 {
        let mut mask = 0;
        for (i, part) in self.0.into_iter().enumerate() {
            // SAFETY: the features are promised to the methods that call this.
            mask |= u64::from(unsafe { _mm_movemask_epi8(part) } as u16) << (16 * i);
        }
        mask
    }
}

impl Vector for Sse42 {
    type Words = u64;

    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        let from = block.as_ptr().cast::<__m128i>();
        // SAFETY: the loads read the 64 bytes of the block; the features are promised.
        unsafe {
            Sse42([
                _mm_loadu_si128(from),
                _mm_loadu_si128(from.add(1)),
                _mm_loadu_si128(from.add(2)),
                _mm_loadu_si128(from.add(3)),
            ])
        }
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
                *part = _mm_cmpeq_epi8(*part, _mm_set1_epi8(byte as i8));
            }
            self.movemask()
        }
    }

    #[inline(always)]
    unsafe fn and(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            // SAFETY: the features are promised.
            *part = unsafe { _mm_and_si128(*part, other) };
        }
        self
    }

    #[inline(always)]
    unsafe fn classify(mut self, table: &NibbleTable) -> Self {
        // SAFETY: the loads read the 16 bytes of each table; the features are promised.
        unsafe {
            let low = _mm_loadu_si128(table.low.as_ptr().cast());
            let high = _mm_loadu_si128(table.high.as_ptr().cast());
            for part in &mut self.0 {
                let nibbles = _mm_and_si128(_mm_srli_epi16::<4>(*part), _mm_set1_epi8(0x0F));
                // The shuffle uses only the low nibble of an index, and gives 0 for bytes beyond ASCII.
                *part = _mm_and_si128(_mm_shuffle_epi8(low, *part), _mm_shuffle_epi8(high, nibbles));
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
                    add_saturating(*part, _mm_set1_epi8(const { to_sign_bit(LEAST) }))
                } else {
                    _mm_subs_epu8(*part, _mm_set1_epi8(const { above_sign_bit(LEAST) }))
                };
            }
            self.movemask()
        }
    }
}

/// Returns the saturated sums of the bytes. The compiler would make two instructions of the sum and a
/// movemask of it, so it does not see the sum.
#[inline(always)]
fn add_saturating(a: __m128i, b: __m128i) -> __m128i {
    // SAFETY: every x86_64 has the instruction, and the empty assembly leaves the register unchanged.
    unsafe {
        let mut sum = _mm_adds_epu8(a, b);
        asm!("/* {0} */", inout(xmm_reg) sum, options(pure, nomem, nostack, preserves_flags));
        sum
    }
}
