//! Processes bytes, one block at a time.

use alloc::vec::Vec;

/// The number of bytes that are examined together: every supported machine can compare this number at once.
const BLOCK: usize = 16;

/// Returns true if `is_such` holds for any byte of `text` and the byte at its place in `other`, which has the same length.
#[inline(always)]
pub(super) fn any(text: &[u8], other: &[u8], is_such: impl Fn(u8, u8) -> bool) -> bool {
    let of_block = |block: &[u8; BLOCK], other: &[u8; BLOCK]| {
        block.iter().zip(other).fold(0, |any, (&byte, &other)| any | u8::from(is_such(byte, other)))
    };
    match (text.last_chunk::<BLOCK>(), other.last_chunk::<BLOCK>()) {
        (Some(last), Some(last_other)) => {
            // The last block may overlap the block before.
            let blocks = text.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
            let any =
                blocks.fold(of_block(last, last_other), |any, (block, other)| any | of_block(block, other));
            any != 0
        }
        _ => text.iter().zip(other).fold(false, |any, (&byte, &other)| any | is_such(byte, other)),
    }
}

/// Appends the text with its letters in lower case.
#[inline(always)]
pub(super) fn push_lower(text: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    to.extend_from_slice(text);
    let lower = &mut to[start..];
    match (text.last_chunk::<BLOCK>(), lower.len().checked_sub(BLOCK)) {
        (Some(last), Some(last_at)) => {
            let blocks = lower.as_chunks_mut::<BLOCK>().0.iter_mut().zip(text.as_chunks::<BLOCK>().0);
            blocks.for_each(|(lower, block)| *lower = block.map(|byte| byte.to_ascii_lowercase()));
            lower[last_at..].copy_from_slice(&last.map(|byte| byte.to_ascii_lowercase()));
        }
        _ => lower.make_ascii_lowercase(),
    }
}
