//! The places where dot segments may begin in a path that has more than one segment: dots after slashes.

use alloc::vec::Vec;

use crate::simd::block::vector::{BLOCK, Vector, Words};

/// Marks the dots that follow a slash, a bit for each byte, 64 a word. The marks replace the contents of
/// `marks`.
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_dots<V: Vector>(values: &[u8], marks: &mut Vec<u64>) {
    let words = values.len().div_ceil(BLOCK);
    marks.resize(words, 0);
    let mut slashes = 0;
    let (blocks, last) = values.as_chunks::<BLOCK>();
    // No closure, since a closure would not have the features.
    for (block, marks) in blocks.iter().zip(&mut *marks) {
        // SAFETY: the caller promises the features.
        *marks = unsafe { dots_after_slashes(V::load(block), &mut slashes) };
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        marks[words - 1] = unsafe { dots_after_slashes(V::load_last(last), &mut slashes) };
    }
}

/// Returns the dots of a block that follow a slash. `slashes` has the slashes of the block before, and gets
/// the slashes of this block.
#[inline(always)]
unsafe fn dots_after_slashes<V: Vector>(vector: V, slashes: &mut u64) -> u64 {
    // SAFETY: the caller promises the features.
    unsafe { vector.eq(b'.') & vector.eq(b'/').advance(slashes) }
}

/// [`mark_dots`], byte by byte.
pub(in crate::simd) fn mark_dots_by_bytes(values: &[u8], marks: &mut Vec<u64>) {
    marks.clear();
    let mut is_after_slash = false;
    for block in values.chunks(BLOCK) {
        let mut word = 0;
        for (at, &byte) in block.iter().enumerate() {
            word |= u64::from(is_after_slash && byte == b'.') << at;
            is_after_slash = byte == b'/';
        }
        marks.push(word);
    }
}
