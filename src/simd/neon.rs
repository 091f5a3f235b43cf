//! aarch64 with NEON: registers of 16 bytes. Every aarch64 machine has NEON.
//!
//! Not there, by count of instructions:
//!
//! - dotprod: a mask takes four comparisons and six instructions to join their lanes. UDOT joins four bytes, so as
//!   many would remain.
//! - SVE2 with registers of 16 bytes: four comparisons, four stores of their predicates and a load are nine
//!   instructions instead of ten.
//! - [Codes](super::block::codes), looked up by TBL and TBX: about a tenth fewer instructions for verdicts, but many
//!   cores split these two into several operations.
//!
//! Rust 1.96 has no stable intrinsics for the first two.

use core::arch::aarch64::*;

use super::block::vector::{BLOCK, NibbleTable, Vector};
use super::kernels::kernels;

kernels! { Neon: "neon" }

/// Four registers of 16 bytes, among which the bytes of a block are dealt out: byte *i* is in register *i* mod 4.
#[derive(Clone, Copy)]
pub(crate) struct Neon([uint8x16_t; 4]);

impl Neon {
    /// Returns the lanes, each all ones or all zeros, as bits. NEON has no movemask: shifts that insert join the
    /// lanes of four adjacent bytes to half a byte, and a narrowing shift joins the halves.
    #[inline(always)]
    unsafe fn movemask(self) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe {
            let [a, b, c, d] = self.0;
            let low = vsriq_n_u8::<1>(b, a);
            let high = vsriq_n_u8::<1>(d, c);
            let four = vsriq_n_u8::<2>(high, low);
            let twice = vreinterpretq_u16_u8(vsriq_n_u8::<4>(four, four));
            vget_lane_u64::<0>(vreinterpret_u64_u8(vshrn_n_u16::<4>(twice)))
        }
    }
}

impl Vector for Neon {
    type Words = u64;

    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        // SAFETY: the load reads the 64 bytes of the block; the features are promised.
        let uint8x16x4_t(a, b, c, d) = unsafe { vld4q_u8(block.as_ptr()) };
        Neon([a, b, c, d])
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
