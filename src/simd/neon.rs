//! aarch64 with NEON: registers of 16 bytes. Every aarch64 machine has NEON.

use core::arch::aarch64::*;

use super::block::vector::{BLOCK, NibbleTable, Vector};
use super::kernels::kernels;

kernels! { Neon: "neon" }

/// Four registers of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Neon([uint8x16_t; 4]);

impl Neon {
    /// Returns the lanes, each all ones or all zeros, as bits. NEON has no movemask: each lane keeps a
    /// different bit, and three rounds of pairwise additions gather eight lanes to a byte.
    #[inline(always)]
    unsafe fn movemask(self) -> u64 {
        const BITS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: the load reads the 16 bytes of the array; the features are promised to the methods that
        // call this.
        unsafe {
            let bits = vld1q_u8(BITS.as_ptr());
            let [a, b, c, d] = self.0;
            let low = vpaddq_u8(vandq_u8(a, bits), vandq_u8(b, bits));
            let high = vpaddq_u8(vandq_u8(c, bits), vandq_u8(d, bits));
            let sum = vpaddq_u8(low, high);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)))
        }
    }
}

impl Vector for Neon {
    type Words = u64;

    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        let from = block.as_ptr();
        // SAFETY: the loads read the 64 bytes of the block; the features are promised.
        unsafe {
            Neon([vld1q_u8(from), vld1q_u8(from.add(16)), vld1q_u8(from.add(32)), vld1q_u8(from.add(48))])
        }
    }

    #[inline(always)]
    unsafe fn eq(mut self, byte: u8) -> u64 {
        // SAFETY: the features are promised.
        unsafe {
            for part in &mut self.0 {
                *part = vceqq_u8(*part, vdupq_n_u8(byte));
            }
            self.movemask()
        }
    }

    #[inline(always)]
    unsafe fn and(mut self, other: Self) -> Self {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            // SAFETY: the features are promised.
            *part = unsafe { vandq_u8(*part, other) };
        }
        self
    }

    #[inline(always)]
    unsafe fn classify(mut self, table: &NibbleTable) -> Self {
        // SAFETY: the loads read the 16 bytes of each table; the features are promised.
        unsafe {
            let low = vld1q_u8(table.low.as_ptr());
            let high = vld1q_u8(table.high.as_ptr());
            for part in &mut self.0 {
                // The lookup gives 0 for an index over 15, and so for bytes beyond ASCII.
                let nibbles = vandq_u8(*part, vdupq_n_u8(0x8F));
                *part = vandq_u8(vqtbl1q_u8(low, nibbles), vqtbl1q_u8(high, vshrq_n_u8::<4>(*part)));
            }
        }
        self
    }

    #[inline(always)]
    unsafe fn at_least<const LEAST: u8>(mut self) -> u64 {
        // SAFETY: the features are promised.
        unsafe {
            for part in &mut self.0 {
                *part = vcgeq_u8(*part, vdupq_n_u8(LEAST));
            }
            self.movemask()
        }
    }
}
