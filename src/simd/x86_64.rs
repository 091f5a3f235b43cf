//! x86_64: SSE4.2, AVX2 and AVX-512, each with the bit instructions of the processors that have it.
//!
//! Not PCMPESTRI: it is slower than two shuffles and a comparison.

use core::arch::x86_64::*;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::vector::{BLOCK, NibbleTable, Vector, Words};

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

/// Fetches what lies 4 KiB behind a block. Distances from 1 to 8 KiB do as well.
#[inline(always)]
fn prefetch(block: &[u8; BLOCK]) {
    // SAFETY: every x86_64 has the instruction, which never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(block.as_ptr().wrapping_add(4 << 10).cast()) };
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
    type Words = Words512;

    #[inline(always)]
    unsafe fn load(block: &[u8; BLOCK]) -> Self {
        // SAFETY: the load reads the 64 bytes of the block; the features are promised.
        Avx512(unsafe { _mm512_loadu_si512(block.as_ptr().cast()) })
    }

    #[inline(always)]
    unsafe fn load_last(bytes: &[u8]) -> Self {
        assert!(bytes.len() < BLOCK);
        // SAFETY: the load reads the bytes that are masked, and touches no others; the features are promised.
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

/// Passes carries on from lane to lane: bit *i* of `makes` says that lane *i* makes one whatever comes in, of `passes` that
/// it passes one on. Returns the lanes that one comes into.
#[inline(always)]
fn carry_in<const LANES: u32>(makes: u64, passes: u64, carry: &mut u64) -> u64 {
    // Adding up does to the lanes what it does to the bits of a lane.
    let into = ((makes << 1 | *carry) + passes) ^ passes;
    *carry = into >> LANES & 1;
    into
}

/// The operators of a register, lane by lane.
macro_rules! operators {
    ($words:ident, $and:ident, $or:ident, $xor:ident, $ones:expr) => {
        impl BitAnd for $words {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                // SAFETY: there are such words only where the features are.
                $words(unsafe { $and(self.0, other.0) })
            }
        }

        impl BitOr for $words {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                // SAFETY: there are such words only where the features are.
                $words(unsafe { $or(self.0, other.0) })
            }
        }

        impl BitXor for $words {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                // SAFETY: there are such words only where the features are.
                $words(unsafe { $xor(self.0, other.0) })
            }
        }

        impl Not for $words {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: there are such words only where the features are.
                $words(unsafe { $xor(self.0, $ones) })
            }
        }
    };
}

/// Four masks in one register.
#[derive(Clone, Copy)]
pub(crate) struct Words256(__m256i);

operators!(Words256, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, _mm256_set1_epi64x(-1));

impl Words256 {
    /// The lanes in which `a` is less than `b`, unsigned.
    #[inline(always)]
    unsafe fn less(a: __m256i, b: __m256i) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe {
            // There is a signed comparison only: it gives the same with the sign bits turned over.
            let sign = _mm256_set1_epi64x(i64::MIN);
            Self::lanes(_mm256_cmpgt_epi64(_mm256_xor_si256(b, sign), _mm256_xor_si256(a, sign)))
        }
    }

    /// The lanes in which `a` equals `b`.
    #[inline(always)]
    unsafe fn equal(a: __m256i, b: __m256i) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe { Self::lanes(_mm256_cmpeq_epi64(a, b)) }
    }

    /// The sign bits of the lanes.
    #[inline(always)]
    unsafe fn lanes(comparison: __m256i) -> u64 {
        // SAFETY: the features are promised to the methods that call this.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(comparison)) as u64 }
    }

    /// All ones in the lanes named.
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
            // The word before each word: the register turned by one lane, with the last word before at its start.
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
}

super::stamp! {
    sse42: super::Sse42, "sse4.2", "ssse3", "popcnt";
    avx2: super::Avx2, "avx2", "bmi1", "bmi2", "lzcnt", "popcnt";
    avx512: super::Avx512,
        "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512vbmi2", "avx2", "bmi1", "bmi2", "lzcnt", "popcnt";
}
