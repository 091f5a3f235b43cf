//! The bytes at which a link can start or end in the prose of Markdown.

use super::tag_marks::{Marks, filled};
use crate::simd::block::classify::{ALLOWED, PROSE_MARK, PROSE_MARK_SET};
use crate::simd::block::vector::{BLOCK, Vector};
use crate::work::looked_at;

/// The bytes at which a link can start or end: `\`, `[`, `]`, `<`, `:`, and `w` before another `w`. The last
/// `w` of a block is always marked: the next block may start with another.
#[derive(Clone, Debug)]
pub(crate) struct ProseMarks(pub(crate) Marks);

impl ProseMarks {
    /// The marks of no bytes.
    pub(crate) const NONE: Self = ProseMarks([0; _]);
}

/// Marks these bytes, at most [`WINDOW`](super::tag_marks::WINDOW).
///
/// # Safety
///
/// The machine must have the features of `V`, and the caller must enable them.
#[inline(always)]
pub(in crate::simd) unsafe fn mark_prose<V: Vector>(bytes: &[u8], marks: &mut ProseMarks) {
    looked_at(bytes.len());
    let (blocks, last) = bytes.as_chunks::<BLOCK>();
    // No closure, since a closure would not have the features.
    for (block, marks) in blocks.iter().zip(&mut marks.0) {
        // SAFETY: the caller promises the features.
        *marks = unsafe { prose_of(V::load(block)) };
    }
    if !last.is_empty() {
        // SAFETY: the caller promises the features.
        marks.0[blocks.len()] = unsafe { prose_of(V::load_last(last)) } & filled(last);
    }
}

#[inline(always)]
unsafe fn prose_of<V: Vector>(vector: V) -> u64 {
    // SAFETY: the caller promises the features.
    unsafe {
        let letters = vector.eq(b'w');
        vector.classify(&PROSE_MARK).at_least::<ALLOWED>() | letters & (letters >> 1 | 1 << (BLOCK - 1))
    }
}

/// [`mark_prose`], byte by byte.
pub(in crate::simd) fn mark_prose_one_by_one(bytes: &[u8], marks: &mut ProseMarks) {
    looked_at(bytes.len());
    for (block, marks) in bytes.chunks(BLOCK).zip(&mut marks.0) {
        *marks = block.iter().enumerate().fold(0, |marks, (at, &byte)| {
            let is_letter = byte == b'w' && (at == BLOCK - 1 || block.get(at + 1) == Some(&b'w'));
            marks | u64::from(is_letter || PROSE_MARK_SET.contains(byte)) << at
        });
    }
}
