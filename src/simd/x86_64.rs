//! x86_64: SSE4.2, AVX2 and AVX-512, each with the bit instructions of the processors that have it.
//!
//! Not PCMPESTRI: it is slower than two shuffles and a comparison.

use core::arch::x86_64::*;

use super::vector::{BLOCK, NibbleTable, Vector};

/// Four registers of 16 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Sse42([__m128i; 4]);

/// Two registers of 32 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Avx2([__m256i; 2]);

/// One register of 64 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512i);

/// What a saturating addition must add for `least` to reach the sign bit, which is what a movemask sees.
const fn to_sign_bit(least: u8) -> i8 {
    (0x80 - least) as i8
}

impl Sse42 {
    /// The sign bits.
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
    unsafe fn classify(mut self, table: &NibbleTable) -> Self {
        // SAFETY: the loads read the 16 bytes of each table; the features are promised.
        unsafe {
            let low = _mm_loadu_si128(table.low.as_ptr().cast());
            let high = _mm_loadu_si128(table.high.as_ptr().cast());
            for part in &mut self.0 {
                let nibbles = _mm_and_si128(_mm_srli_epi16::<4>(*part), _mm_set1_epi8(0x0F));
                // The shuffle takes the low nibble of an index itself, and gives 0 for bytes beyond ASCII.
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
                *part = _mm_adds_epu8(*part, _mm_set1_epi8(const { to_sign_bit(LEAST) }));
            }
            self.movemask()
        }
    }
}

impl Avx2 {
    /// The sign bits.
    #[inline(always)]
    unsafe fn movemask(self) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        let (low, high) = unsafe { (_mm256_movemask_epi8(self.0[0]), _mm256_movemask_epi8(self.0[1])) };
        u64::from(low as u32) | u64::from(high as u32) << 32
    }
}

impl Vector for Avx2 {
    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        let from = block.as_ptr().cast::<__m256i>();
        // SAFETY: the loads read the 64 bytes of the block; the features are promised.
        unsafe { Avx2([_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))]) }
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
    unsafe fn classify(mut self, table: &NibbleTable) -> Self {
        // SAFETY: the loads read the 16 bytes of each table; the features are promised.
        unsafe {
            // The shuffle works in halves of 16 bytes: each gets the whole table.
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
                *part = _mm256_adds_epu8(*part, _mm256_set1_epi8(const { to_sign_bit(LEAST) }));
            }
            self.movemask()
        }
    }
}

impl Vector for Avx512 {
    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        // SAFETY: the load reads the 64 bytes of the block; the features are promised.
        Avx512(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn eq(self, byte: u8) -> u64 {
        // SAFETY: the features are promised.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    unsafe fn classify(self, table: &NibbleTable) -> Self {
        // SAFETY: the loads read the 16 bytes of each table; the features are promised.
        unsafe {
            let low = _mm512_broadcast_i32x4(_mm_loadu_si128(table.low.as_ptr().cast()));
            let high = _mm512_broadcast_i32x4(_mm_loadu_si128(table.high.as_ptr().cast()));
            let nibbles = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), _mm512_set1_epi8(0x0F));
            Avx512(_mm512_and_si512(_mm512_shuffle_epi8(low, self.0), _mm512_shuffle_epi8(high, nibbles)))
        }
    }

    #[inline(always)]
    unsafe fn at_least<const LEAST: u8>(self) -> u64 {
        // SAFETY: the features are promised.
        unsafe { _mm512_cmpge_epu8_mask(self.0, _mm512_set1_epi8(LEAST as i8)) }
    }
}

super::stamp! {
    sse42 / sse42_is_available: Sse42, "sse4.2", "ssse3", "popcnt";
    avx2 / avx2_is_available: Avx2, "avx2", "bmi1", "bmi2", "lzcnt", "popcnt";
    avx512 / avx512_is_available:
        Avx512, "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx2", "bmi1", "bmi2", "lzcnt", "popcnt";
}

/// [`count_components`](super::count::count_components), eight records at a time.
#[target_feature(enable = "avx2")]
pub(super) fn avx2_count(
    columns: &[alloc::vec::Vec<u32>; crate::batch::Column::ALL.len()],
    ignore_empty_port: bool,
) -> [u32; crate::error::Component::ALL.len()] {
    super::count::count_components(columns, ignore_empty_port)
}
