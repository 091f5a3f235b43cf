//! A short text, and the text that stands for it in an output. Neighbours often begin with the same host.
//!
//! A comparison and a copy each take one block of a fixed size, without a loop or a call of a function.

use alloc::vec::Vec;

/// The most bytes of a text.
const BLOCK: usize = 64;

/// A text, and the text that stands for it. Remembers nothing if one of them is longer than a block.
#[derive(Clone, Debug)]
pub(crate) struct Remembered {
    text: [u8; BLOCK],
    /// All bits of each byte that the text has.
    mask: [u8; BLOCK],
    /// The length of the text; no text has it if nothing is remembered.
    len: usize,
    value: [u8; BLOCK],
    value_len: usize,
}

impl Default for Remembered {
    fn default() -> Self {
        Remembered { text: [0; BLOCK], mask: [0; BLOCK], len: usize::MAX, value: [0; BLOCK], value_len: 0 }
    }
}

impl Remembered {
    /// Remembers a text, and the value that stands for it.
    pub(crate) fn set(&mut self, text: &[u8], value: &[u8]) {
        *self = Remembered::default();
        if let (Some(own_text), Some(mask), Some(own_value)) = (
            self.text.get_mut(..text.len()),
            self.mask.get_mut(..text.len()),
            self.value.get_mut(..value.len()),
        ) {
            own_text.copy_from_slice(text);
            mask.fill(!0);
            own_value.copy_from_slice(value);
            (self.len, self.value_len) = (text.len(), value.len());
        }
    }

    /// Returns the length of the remembered text.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns true if `bytes`, which have at least the length of the remembered text, begin with it.
    #[inline(always)]
    pub(crate) fn begins(&self, bytes: &[u8]) -> bool {
        let Some(block) = bytes.first_chunk::<BLOCK>() else {
            return self.text.get(..self.len).is_some_and(|text| bytes.starts_with(text));
        };
        let own = self.text.as_chunks().0.iter().zip(self.mask.as_chunks().0);
        let mut difference = 0;
        for (bytes, (text, mask)) in block.as_chunks().0.iter().zip(own) {
            let [bytes, text, mask] =
                [u64::from_ne_bytes(*bytes), u64::from_ne_bytes(*text), u64::from_ne_bytes(*mask)];
            difference |= (bytes ^ text) & mask;
        }
        difference == 0
    }

    /// Appends the value.
    #[inline(always)]
    pub(crate) fn push_value(&self, to: &mut Vec<u8>) {
        let end = to.len() + self.value_len;
        to.extend_from_slice(&self.value);
        to.truncate(end);
    }
}
