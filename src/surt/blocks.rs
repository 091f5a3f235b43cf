//! Processes bytes, one block at a time.

use alloc::vec::Vec;

/// The number of bytes that are processed together.
const BLOCK: usize = 64;

/// The flags of bytes, eight bytes side by side.
pub(super) type Flags = u64;

/// Returns a flag in each of the eight bytes.
pub(super) const fn each(flag: u8) -> Flags {
    Flags::from_ne_bytes([flag; 8])
}

/// Appends the first `len` bytes of `text` with their letters in lower case. Returns all flags that `of`
/// returns for any of these bytes and the byte after it, which is 0 if the text ends. `text` should go on
/// after these bytes.
#[inline(always)]
pub(super) fn push_lower(text: &[u8], len: usize, to: &mut Vec<u8>, of: impl Fn(u8, u8) -> u8) -> Flags {
    let start = to.len();
    // The flags of each place are joined once, after the last block.
    let mut joined = [0; BLOCK];
    let mut push_block = |block: &[u8; BLOCK], next: &[u8; BLOCK], left: usize| {
        let count = left.min(BLOCK) as u8;
        let mut lower = [0; BLOCK];
        let bytes = block.iter().zip(next).zip(&INDICES);
        for (((&byte, &next), &index), (flags, lower)) in bytes.zip(joined.iter_mut().zip(&mut lower)) {
            let of_byte = of(byte, next);
            *flags |= if index < count { of_byte } else { 0 };
            *lower = byte.to_ascii_lowercase();
        }
        to.extend_from_slice(&lower);
    };
    for at in (0..len).step_by(BLOCK) {
        let rest = &text[at..];
        match (rest.first_chunk(), rest.get(1..).and_then(<[u8]>::first_chunk)) {
            (Some(block), Some(next)) => push_block(block, next, len - at),
            _ => {
                let (mut block, mut next) = ([0; BLOCK], [0; BLOCK]);
                block[..rest.len()].copy_from_slice(rest);
                next[..rest.len() - 1].copy_from_slice(&rest[1..]);
                push_block(&block, &next, len - at);
            }
        }
    }
    to.truncate(start + len);
    joined.as_chunks().0.iter().fold(0, |all, flags| all | Flags::from_ne_bytes(*flags))
}

/// The index of each byte of a block.
const INDICES: [u8; BLOCK] = {
    let mut indices = [0; BLOCK];
    let mut index = 0;
    while index < BLOCK {
        indices[index] = index as u8;
        index += 1;
    }
    indices
};

/// Returns true if `is_such` holds for any byte of `text` and the byte at its place in `other`, which has the
/// same length.
#[inline(always)]
pub(super) fn any(text: &[u8], other: &[u8], is_such: impl Fn(u8, u8) -> bool) -> bool {
    let any_of = |text: &[u8], other: &[u8]| {
        text.iter().zip(other).fold(false, |any, (&byte, &other)| any | is_such(byte, other))
    };
    match (text.last_chunk::<BLOCK>(), other.last_chunk::<BLOCK>()) {
        (Some(last), Some(last_other)) => {
            let mut blocks = text.as_chunks::<BLOCK>().0.iter().zip(other.as_chunks::<BLOCK>().0);
            // The last block may overlap the block before.
            blocks.any(|(block, other)| any_of(block, other)) || any_of(last, last_other)
        }
        _ => any_of(text, other),
    }
}
