//! Bytes that a form of output must escape. Most texts have none, which a check of many bytes at a time finds
//! out.

use urivalidate::work::{looked_at, position};

/// Returns true if no byte is special. `is_special` should have no branches: use `|`, not `||`.
#[inline]
pub(crate) fn is_clean(text: &[u8], is_special: impl Fn(u8) -> bool) -> bool {
    looked_at(text.len());
    let is_dirty = in_blocks::<16>(text, &is_special).or_else(|| in_blocks::<4>(text, &is_special));
    !is_dirty.unwrap_or_else(|| text.iter().any(|&byte| is_special(byte)))
}

/// Returns whether a byte is special, for a text of at least `N` bytes.
#[inline]
fn in_blocks<const N: usize>(text: &[u8], is_special: impl Fn(u8) -> bool) -> Option<bool> {
    // The loop does not stop at the first special byte, so that vector instructions check a block at once.
    let is_dirty = |block: &[u8; N]| block.iter().fold(false, |has, &byte| has | is_special(byte));
    // The last block may overlap the one before.
    let last = text.last_chunk()?;
    Some(text.as_chunks().0.iter().any(is_dirty) || is_dirty(last))
}

/// Writes a text with another text for each special byte.
#[inline]
pub(crate) fn escaped(
    out: &mut Vec<u8>,
    text: &[u8],
    is_special: impl Fn(u8) -> bool,
    escape: impl Fn(&mut Vec<u8>, u8),
) {
    if is_clean(text, &is_special) {
        out.extend_from_slice(text);
        return;
    }
    let mut rest = text;
    while let Some(at) = position(rest, |&byte| is_special(byte)) {
        out.extend_from_slice(&rest[..at]);
        escape(out, rest[at]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}
