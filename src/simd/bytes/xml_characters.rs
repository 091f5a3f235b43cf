//! The characters that XML has (section 2.2 of XML 1.0): a check of many bytes at once.
//!
//! In UTF-8, the first byte of a character says how many bytes follow it. So the bytes that must be later
//! bytes of characters are the first bytes, moved up, and a comparison of two masks finds everything that is
//! no UTF-8, except for a few pairs of bytes.

use crate::simd::block::classify::{ALLOWED, XML_FORBIDDEN, XML_FORBIDDEN_SET};
use crate::simd::block::vector::{BLOCK, Vector};
use crate::work::looked_at;

/// The first bytes of characters in a block whose next bytes may be in the block after it.
#[derive(Clone, Copy, Default)]
struct Firsts {
    /// Whether the block has bytes beyond ASCII.
    are_any: bool,
    /// The first bytes of characters of at least two bytes, of three, and of four.
    two: u64,
    three: u64,
    four: u64,
    /// The bytes that limit the byte after them.
    e0: u64,
    ed: u64,
    f0: u64,
    f4: u64,
    /// The first two bytes of U+FFFE and U+FFFF.
    ef: u64,
    bf: u64,
}

/// Returns the number of first bytes that certainly have only characters of XML: up to a block of 64 bytes
/// that has a forbidden one, or up to the end. The end of these bytes cuts no character. If the document is
/// not `is_utf8`, bytes beyond ASCII are not judged.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn sound_len<V: Vector>(bytes: &[u8], is_utf8: bool) -> usize {
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    let mut before = Firsts::default();
    // No closure, since a closure would not have the features.
    for (index, block) in blocks.iter().enumerate() {
        // SAFETY: the caller promises the features.
        if !unsafe { is_sound(V::load(block), is_utf8, &mut before) } {
            looked_at((index + 1) * BLOCK);
            return without_open(&bytes[..index * BLOCK], is_utf8);
        }
    }
    looked_at(bytes.len());
    // SAFETY: the caller promises the features.
    if !last.is_empty() && !unsafe { is_sound(V::load_last(last), is_utf8, &mut before) } {
        return without_open(&bytes[..bytes.len() - last.len()], is_utf8);
    }
    without_open(bytes, is_utf8)
}

/// Returns true if a block has only characters of XML, as far as the bytes up to its end tell.
#[inline(always)]
unsafe fn is_sound<V: Vector>(block: V, is_utf8: bool, before: &mut Firsts) -> bool {
    // SAFETY: the caller promises the features.
    unsafe {
        if block.classify(&XML_FORBIDDEN).at_least::<ALLOWED>() != 0 {
            return false;
        }
        if !is_utf8 {
            return true;
        }
        let beyond = block.at_least::<0x80>();
        if beyond == 0 && !before.are_any {
            return true;
        }
        let firsts = Firsts {
            are_any: beyond != 0,
            two: block.at_least::<0xC0>(),
            three: block.at_least::<0xE0>(),
            four: block.at_least::<0xF0>(),
            e0: block.eq(0xE0),
            ed: block.eq(0xED),
            f0: block.eq(0xF0),
            f4: block.eq(0xF4),
            ef: block.eq(0xEF),
            bf: block.eq(0xBF),
        };
        let next = |firsts: u64, before: u64| firsts << 1 | before >> 63;
        let third = |firsts: u64, before: u64| firsts << 2 | before >> 62;
        let expected = next(firsts.two, before.two)
            | third(firsts.three, before.three)
            | firsts.four << 3
            | before.four >> 61;
        let later = beyond & !firsts.two;
        let never = firsts.two & !block.at_least::<0xC2>() | block.at_least::<0xF5>();
        // Longer than needed, a surrogate, or beyond the last character (RFC 3629).
        let from_90 = block.at_least::<0x90>();
        let from_a0 = block.at_least::<0xA0>();
        let pairs = next(firsts.e0, before.e0) & !from_a0
            | next(firsts.ed, before.ed) & from_a0
            | next(firsts.f0, before.f0) & !from_90
            | next(firsts.f4, before.f4) & from_90;
        let no_characters =
            third(firsts.ef, before.ef) & next(firsts.bf, before.bf) & later & block.at_least::<0xBE>();
        *before = firsts;
        (expected ^ later) | never | pairs | no_characters == 0
    }
}

/// Returns the number of these bytes before a character that their end cuts. They are sound up to there.
#[inline]
fn without_open(bytes: &[u8], is_utf8: bool) -> usize {
    let end = bytes.len();
    let tail = &bytes[end.saturating_sub(3)..];
    match tail.iter().rposition(|&byte| byte >= 0xC0) {
        Some(at) if is_utf8 => {
            let len = match tail[at] {
                0xF0.. => 4,
                0xE0.. => 3,
                _ => 2,
            };
            if tail.len() - at < len { end - (tail.len() - at) } else { end }
        }
        _ => end,
    }
}

/// [`sound_len`], byte by byte, and only up to the first byte beyond ASCII.
pub(in crate::simd) fn sound_len_one_by_one(bytes: &[u8]) -> usize {
    crate::work::position(bytes, |&byte| !byte.is_ascii() || XML_FORBIDDEN_SET.contains(byte))
        .unwrap_or(bytes.len())
}
