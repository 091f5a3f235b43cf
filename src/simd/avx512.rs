//! x86_64 with AVX-512: a register of 64 bytes for each block.

use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::block::codes::CodeTable;
use super::block::vector::{BLOCK, NibbleTable, Vector, Words, write_one_by_one};
use super::kernels::kernels;
#[cfg(any(feature = "corpus", test))]
use super::x86_64::parity_before;
use super::x86_64::{carry_in, operators, prefetch};

kernels! {
    Avx512: "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vbmi", "avx512vbmi2", "avx512vpopcntdq", "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"
}

/// One register of 64 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(__m512i);

impl Vector for Avx512 {
    type Words = Words512;

    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        // SAFETY: the load reads the 64 bytes of the block; the features are promised.
        Avx512(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn load_last(bytes: &[u8]) -> Self {
        assert!(bytes.len() < BLOCK);
        // SAFETY: the load reads only the bytes whose mask bit is set; the features are promised.
        Avx512(unsafe {
            let newlines = _mm512_set1_epi8(b'\n' as i8);
            _mm512_mask_loadu_epi8(newlines, (1 << bytes.len()) - 1, bytes.as_ptr().cast())
        })
    }

    #[inline(always)]
    unsafe fn prefetch(block: &[u8; BLOCK]) {
        prefetch(block);
    }

    #[inline(always)]
    unsafe fn spread(self, gaps: u64) -> Option<Self> {
        // SAFETY: the features are promised.
        Some(Avx512(unsafe { _mm512_maskz_expand_epi8(!gaps, self.0) }))
    }

    #[inline(always)]
    unsafe fn eq(self, byte: u8) -> u64 {
        // SAFETY: the features are promised.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    unsafe fn and(self, other: Self) -> Self {
        // SAFETY: the features are promised.
        Avx512(unsafe { _mm512_and_si512(self.0, other.0) })
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

    const CODES: bool = true;

    #[inline(always)]
    unsafe fn codes(self, table: &CodeTable) -> Option<([u64; 3], u64)> {
        let (halves, _) = table.0.as_chunks::<BLOCK>();
        // SAFETY: the loads read the 64 bytes of each half; the features are promised.
        unsafe {
            let [lower, upper] =
                [&halves[0], &halves[1]].map(|half| _mm512_loadu_si512(half.as_ptr().cast()));
            // The look-up ignores the highest bit, which bytes beyond ASCII have.
            let codes = _mm512_permutex2var_epi8(lower, self.0, upper);
            let bit = |bit: i8| _mm512_test_epi8_mask(codes, _mm512_set1_epi8(bit));
            let uncommon = _mm512_movepi8_mask(_mm512_or_si512(codes, self.0));
            Some(([bit(1), bit(2), bit(4)], uncommon))
        }
    }
}

/// Eight masks in one register.
#[derive(Clone, Copy)]
pub(crate) struct Words512(__m512i);

operators!(Words512, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512, _mm512_set1_epi64(-1));

impl Words for Words512 {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn splat(mask: u64) -> Self {
        // SAFETY: the features are promised.
        Words512(unsafe { _mm512_set1_epi64(mask as i64) })
    }

    #[inline(always)]
    unsafe fn load(from: &[u64]) -> Self {
        let from: &[u64; 8] = from[..8].try_into().expect("eight words");
        // SAFETY: the load reads the eight words; the features are promised.
        Words512(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn store(self, to: &mut [u64]) {
        let to: &mut [u64; 8] = (&mut to[..8]).try_into().expect("eight words");
        // SAFETY: the store writes the eight words; the features are promised.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn advance(self, before: &mut Self) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            // The word before each word.
            let lower = _mm512_alignr_epi64::<7>(self.0, before.0);
            *before = self;
            Words512(_mm512_shldi_epi64::<1>(self.0, lower))
        }
    }

    #[inline(always)]
    unsafe fn add(self, through: Self, carry: &mut u64) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            let ones = _mm512_set1_epi64(-1);
            let sum = _mm512_add_epi64(through.0, self.0);
            let makes = _mm512_cmplt_epu64_mask(sum, self.0);
            let passes = _mm512_cmpeq_epi64_mask(sum, ones);
            let into = carry_in::<8>(makes.into(), passes.into(), carry) as __mmask8;
            Words512(_mm512_mask_sub_epi64(sum, into, sum, ones))
        }
    }

    #[cfg(any(feature = "corpus", test))]
    #[inline(always)]
    unsafe fn parity(self, carry: &mut u64) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            let mut parity = self.0;
            parity = _mm512_xor_si512(parity, _mm512_slli_epi64::<1>(parity));
            parity = _mm512_xor_si512(parity, _mm512_slli_epi64::<2>(parity));
            parity = _mm512_xor_si512(parity, _mm512_slli_epi64::<4>(parity));
            parity = _mm512_xor_si512(parity, _mm512_slli_epi64::<8>(parity));
            parity = _mm512_xor_si512(parity, _mm512_slli_epi64::<16>(parity));
            parity = _mm512_xor_si512(parity, _mm512_slli_epi64::<32>(parity));
            let parities = _mm512_movepi64_mask(parity);
            let before = parity_before::<8>(parities.into(), carry) as __mmask8;
            Words512(_mm512_xor_si512(parity, _mm512_movm_epi64(before)))
        }
    }

    #[cfg(any(feature = "corpus", test))]
    #[inline(always)]
    unsafe fn is_zero(self) -> bool {
        // SAFETY: the features are promised.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) == 0 }
    }

    #[inline(always)]
    unsafe fn full_halves(self) -> Self {
        // SAFETY: the features are promised.
        unsafe {
            let ones = _mm512_set1_epi32(-1);
            Words512(_mm512_maskz_mov_epi32(_mm512_cmpeq_epi32_mask(self.0, ones), ones))
        }
    }

    /// Processes eight words at once. The two lowest bits of each word become numbers, side by side in its
    /// lane. Then one instruction closes the gaps left by missing bits.
    #[inline(always)]
    unsafe fn write_positions(words: &[u64], mut base: u32, to: *mut u32) -> *mut u32 {
        let (eights, rest) = words.as_chunks::<8>();
        let mut next = to;
        // SAFETY: the features are promised, and so is room for a position a bit and the surplus: a store
        // writes 16 positions.
        unsafe {
            let starts =
                _mm512_setr_epi32(0, 0, 64, 64, 128, 128, 192, 192, 256, 256, 320, 320, 384, 384, 448, 448);
            for eight in eights {
                let bits = _mm512_loadu_si512(eight.as_ptr().cast());
                let second = without_lowest(bits);
                let third = without_lowest(second);
                if _mm512_test_epi64_mask(third, third) == 0 {
                    let seconds = _mm512_slli_epi64::<32>(number(second, third));
                    let numbers = _mm512_or_si512(number(bits, second), seconds);
                    let present = _mm512_cmplt_epu32_mask(numbers, _mm512_set1_epi32(BLOCK as i32));
                    let starts = _mm512_add_epi32(starts, _mm512_set1_epi32(base as i32));
                    let positions = _mm512_maskz_compress_epi32(present, _mm512_add_epi32(numbers, starts));
                    _mm512_storeu_si512(next.cast(), positions);
                    next = next.add(present.count_ones() as usize);
                } else {
                    next = write_many(eight, base, next);
                }
                base = base.wrapping_add((8 * BLOCK) as u32);
            }
            write_one_by_one(rest, base, next)
        }
    }
}

/// [`write_one_by_one`], for eight words, some of which have three bits or more. It is compiled only once,
/// because its copies were a quarter of the code of the scans.
///
/// # Safety
///
/// The same as for [`write_one_by_one`]; the machine must have the features.
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
#[inline(never)]
unsafe fn write_many(eight: &[u64; 8], base: u32, to: *mut u32) -> *mut u32 {
    // SAFETY: the caller promises the room.
    unsafe { write_one_by_one(eight, base, to) }
}

/// Returns the words, each without its lowest bit.
///
/// # Safety
///
/// The machine must have the features of [`Avx512`].
#[inline(always)]
unsafe fn without_lowest(bits: __m512i) -> __m512i {
    // SAFETY: the caller promises the features.
    unsafe { _mm512_and_si512(bits, _mm512_add_epi64(bits, _mm512_set1_epi64(-1))) }
}

/// Returns the number of the lowest bit of each word, given the words without it; 64 for a word without bits.
///
/// # Safety
///
/// The same as for [`without_lowest`].
#[inline(always)]
unsafe fn number(bits: __m512i, without: __m512i) -> __m512i {
    // SAFETY: the caller promises the features.
    unsafe {
        let lowest = _mm512_xor_si512(bits, without);
        _mm512_popcnt_epi64(_mm512_add_epi64(lowest, _mm512_set1_epi64(-1)))
    }
}
