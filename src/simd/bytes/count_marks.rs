//! Counts the bytes that a parser of Markdown may make nodes of.

use crate::simd::block::classify::{ALLOWED, MARKDOWN_MARK, MARKDOWN_MARK_SET};
use crate::simd::block::vector::{BLOCK, Vector};
use crate::work::looked_at;

/// Returns the number of bytes of [`MARKDOWN_MARK_SET`].
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn count_marks<V: Vector>(bytes: &[u8]) -> usize {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let mut count = 0;
    for block in blocks {
        // SAFETY: the caller promises the features.
        count +=
            unsafe { V::load(block).classify(&MARKDOWN_MARK).at_least::<ALLOWED>() }.count_ones() as usize;
    }
    looked_at(bytes.len() - rest.len());
    count + count_marks_one_by_one(rest)
}

/// [`count_marks`], byte by byte.
pub(in crate::simd) fn count_marks_one_by_one(bytes: &[u8]) -> usize {
    looked_at(bytes.len());
    bytes.iter().filter(|&&byte| MARKDOWN_MARK_SET.contains(byte)).count()
}
