//! Bitmaps that are built one word at a time.

use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

use crate::simd::{self, Available};

/// A builder of a bitmap. Bit `i % 64` of word `i / 64` is value `i`, and bits after the last value are 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// Appends the lowest `count` bits of a word. The other bits must be 0.
    #[inline]
    fn push_word(&mut self, word: u64, count: usize) {
        let used = self.len % 64;
        match self.words.last_mut() {
            Some(last) if used > 0 => {
                *last |= word << used;
                if used + count > 64 {
                    self.words.push(word >> (64 - used));
                }
            }
            _ => self.words.push(word),
        }
        self.len += count;
    }

    /// Appends a bit for each item.
    #[inline]
    pub(super) fn extend<T>(&mut self, items: &[T], bit: impl Fn(&T) -> bool) {
        self.words.reserve(items.len() / 64 + 2);
        for items in items.chunks(64) {
            let mut word = 0;
            let (groups, rest) = items.as_chunks();
            for (i, group) in groups.iter().enumerate() {
                word |= u64::from(byte(group, &bit)) << (8 * i);
            }
            for (i, item) in rest.iter().enumerate() {
                word |= u64::from(bit(item)) << (8 * groups.len() + i);
            }
            self.push_word(word, items.len());
        }
    }

    /// Appends a bit for each offset, which is set if the offset is present.
    pub(super) fn extend_present(&mut self, backend: Available, offsets: &[u32]) {
        self.extend_with(offsets.len(), |words| simd::mark_present(backend, offsets, words));
    }

    /// Appends `len` bits, which `append` appends as words.
    pub(super) fn extend_with(&mut self, len: usize, append: impl FnOnce(&mut Vec<u64>)) {
        if self.len.is_multiple_of(64) {
            append(&mut self.words);
            self.len += len;
        } else {
            let mut words = Vec::new();
            append(&mut words);
            self.extend_words(&words, len);
        }
    }

    /// Appends `count` bits that are not set.
    pub(super) fn extend_absent(&mut self, count: usize) {
        self.len += count;
        self.words.resize(self.len.div_ceil(64), 0);
    }

    /// Clears a bit.
    pub(super) fn clear(&mut self, index: usize) {
        self.words[index / 64] &= !(1 << (index % 64));
    }

    /// Appends `len` bits from words with the layout of this type.
    pub(super) fn extend_words(&mut self, words: &[u64], len: usize) {
        self.words.reserve(words.len() + 1);
        for (i, &word) in words.iter().enumerate() {
            self.push_word(word, (len - 64 * i).min(64));
        }
    }

    /// Returns the number of bits.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Returns true if no bit is set.
    pub(super) fn are_none(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Returns the bitmap.
    pub(super) fn finish(self) -> BooleanBuffer {
        BooleanBuffer::new(Buffer::from_vec(self.words), 0, self.len)
    }

    /// Returns the bitmap as Arrow's null bitmap, if any value is null.
    pub(super) fn finish_nulls(self) -> Option<NullBuffer> {
        Some(NullBuffer::new(self.finish())).filter(|nulls| nulls.null_count() > 0)
    }
}

/// Returns a byte with a bit for each of eight items.
#[inline]
fn byte<T>(items: &[T; 8], bit: impl Fn(&T) -> bool) -> u8 {
    /// Multiplication by this number moves bit 0 of byte i to bit 56 + i, and no two bits to the same place.
    const GATHER: u64 = 0x0102_0408_1020_4080;

    let bytes = items.each_ref().map(|item| u8::from(bit(item)));
    (u64::from_le_bytes(bytes).wrapping_mul(GATHER) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::ABSENT;

    #[test]
    fn bits_of_any_number_follow_each_other() {
        let mut bits = Bits::default();
        let mut expected = Vec::new();
        for len in [1, 63, 64, 65, 5, 128, 0, 200, 59, 64] {
            let items: Vec<usize> = (0..len).map(|i| i * 7 + len).collect();
            bits.extend(&items, |item| item % 3 == 0);
            expected.extend(items.iter().map(|item| item % 3 == 0));
            let words: Vec<u64> = items
                .chunks(64)
                .map(|items| items.iter().enumerate().map(|(i, item)| (*item as u64 % 2) << i).sum())
                .collect();
            bits.extend_words(&words, len);
            let offsets: Vec<u32> =
                items.iter().map(|item| if item % 5 == 0 { ABSENT } else { *item as u32 }).collect();
            bits.extend_present(Available::best(), &offsets);
            expected.extend(items.iter().map(|item| item % 2 == 1));
            expected.extend(items.iter().map(|item| item % 5 != 0));
            bits.extend_absent(len);
            expected.extend(items.iter().map(|_| false));
            if let Some(index) = expected.iter().rposition(|&bit| bit) {
                bits.clear(index);
                expected[index] = false;
            }
            assert_eq!((bits.len(), bits.words.len()), (expected.len(), expected.len().div_ceil(64)));
        }
        assert_eq!(bits.finish().iter().collect::<Vec<_>>(), expected);
    }
}
