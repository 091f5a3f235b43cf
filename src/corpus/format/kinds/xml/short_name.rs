//! Short names as numbers, which are compared and kept without a function call.

use std::ops::Range;

/// A name of 1 to [`LONGEST`](Self::LONGEST) bytes. No name has a zero byte, so two names with the same
/// numbers are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShortName {
    /// The first 16 bytes, and zeros if the name has fewer.
    head: u128,
    /// The last 16 bytes, if the name has more than 16; otherwise zeros.
    tail: u128,
}

impl ShortName {
    /// A name that no tag has.
    pub(super) const NONE: Self = ShortName { head: 1, tail: 0 };
    /// The length of the longest short name, in bytes.
    pub(super) const LONGEST: usize = 2 * HALF;

    /// Returns the name in this range of the bytes of a document, unless it is empty or long.
    #[inline]
    pub(super) fn of(bytes: &[u8], name: Range<usize>) -> Option<Self> {
        let len = name.len();
        if len == 0 || len > Self::LONGEST {
            return None;
        }
        let rest = &bytes[name.start..];
        let first = match rest.first_chunk() {
            Some(&half) => half,
            None => padded(rest),
        };
        let first = u128::from_le_bytes(first);
        if len <= HALF {
            return Some(ShortName { head: first & FIRST_BYTES[len], tail: 0 });
        }
        let last = rest[..len].last_chunk().map_or(0, |&half| u128::from_le_bytes(half));
        Some(ShortName { head: first, tail: last })
    }

    /// Returns the first 16 bytes.
    #[inline(always)]
    pub(super) fn head(self) -> u128 {
        self.head
    }

    /// Returns the bits of a name of this length in 16 bytes; none if it is longer.
    pub(super) fn mask(len: usize) -> u128 {
        FIRST_BYTES.get(len).copied().unwrap_or(0)
    }

    /// Returns a number below `most`, a power of two, that differs between most names.
    #[inline]
    pub(super) fn hash(self, most: usize) -> usize {
        /// An odd number with bits all over.
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

        let both = self.head ^ self.tail.rotate_left(17);
        let word = (both as u64) ^ ((both >> 64) as u64).rotate_left(23);
        (word.wrapping_mul(FACTOR) >> 40) as usize & (most - 1)
    }

    /// Returns the bytes of the name, which has this length, and zeros after them.
    pub(super) fn bytes(self, len: usize) -> [u8; Self::LONGEST] {
        let mut bytes = [0; Self::LONGEST];
        bytes[..HALF].copy_from_slice(&self.head.to_le_bytes());
        if len > HALF {
            bytes[len - HALF..len].copy_from_slice(&self.tail.to_le_bytes());
        }
        bytes
    }
}

/// The bytes of a number.
const HALF: usize = size_of::<u128>();

/// For each length, a number whose first bytes have all bits. A shift takes several times as long.
static FIRST_BYTES: [u128; HALF + 1] = {
    let (mut masks, mut len) = ([0; HALF + 1], 1);
    while len <= HALF {
        masks[len] = u128::MAX >> (8 * (HALF - len));
        len += 1;
    }
    masks
};

/// Returns the bytes at the end of a document, and zeros after them.
#[cold]
fn padded(rest: &[u8]) -> [u8; HALF] {
    let mut half = [0; HALF];
    half[..rest.len()].copy_from_slice(rest);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_if_their_bytes_are() {
        let text = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for len in 1..=ShortName::LONGEST {
            for start in [0, 5, text.len() - len] {
                let name = ShortName::of(text, start..start + len).unwrap();
                assert_eq!(name.bytes(len)[..len], text[start..start + len]);
                for place in 0..len {
                    let mut other = *text;
                    other[start + place] = b'-';
                    assert_ne!(ShortName::of(&other, start..start + len), Some(name), "{len}, {place}");
                }
                let mut longer = text[start..start + len].to_vec();
                assert_eq!(ShortName::of(&longer, 0..len), Some(name));
                longer.push(b'x');
                assert_eq!(ShortName::of(&longer, 0..len), Some(name));
                assert_ne!(ShortName::of(&longer, 0..len + 1), Some(name));
            }
        }
        assert_eq!(ShortName::of(text, 3..3), None);
        assert_eq!(ShortName::of(text, 3..4 + ShortName::LONGEST), None);
    }
}
