//! Processes bytes, one block at a time.

use alloc::vec::Vec;

/// The number of bytes that are examined together: every supported machine can compare this number at once.
pub(super) const BLOCK: usize = 16;

/// Returns true if `is_such` holds for any byte of `text` and the byte at its place in `other`, which has the
/// same length.
#[inline(always)]
pub(super) fn any(text: &[u8], other: &[u8], is_such: impl Fn(u8, u8) -> bool) -> bool {
    flags(text, other, |byte, other| u8::from(is_such(byte, other))) != 0
}

/// Returns all flags that `of` returns for any byte of `text` and the byte at its place in `other`, which has
/// the same length.
#[inline(always)]
pub(super) fn flags(text: &[u8], other: &[u8], of: impl Fn(u8, u8) -> u8) -> u8 {
    // The flags of each place are joined once, after the last block.
    let join = |mut flags: [u8; BLOCK], block: &[u8; BLOCK], other: &[u8; BLOCK]| {
        for (flags, (&byte, &other)) in flags.iter_mut().zip(block.iter().zip(other)) {
            *flags |= of(byte, other);
        }
        flags
    };
    match (text.last_chunk::<BLOCK>(), other.last_chunk::<BLOCK>()) {
        (Some(last), Some(last_other)) => {
            let blocks = text.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
            let flags = blocks.fold([0; BLOCK], |flags, (block, other)| join(flags, block, other));
            // The last block may overlap the block before.
            join(flags, last, last_other).into_iter().fold(0, |all, flags| all | flags)
        }
        _ => text.iter().zip(other).fold(0, |flags, (&byte, &other)| flags | of(byte, other)),
    }
}

/// Appends the text with its letters in lower case.
#[inline(always)]
pub(super) fn push_lower(text: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    match text.last_chunk::<BLOCK>() {
        // Blocks of a fixed size need no function call.
        Some(last) => {
            for block in text.as_chunks::<BLOCK>().0 {
                to.extend_from_slice(&block.map(|byte| byte.to_ascii_lowercase()));
            }
            // The last block may overlap the block before.
            to.truncate(start + text.len() - BLOCK);
            to.extend_from_slice(&last.map(|byte| byte.to_ascii_lowercase()));
        }
        None => {
            to.extend_from_slice(text);
            to[start..].make_ascii_lowercase();
        }
    }
}
