//! A lookup of frequent names in any letter case: a hash table without collisions, made at compile time.

use std::ops::Range;

use crate::work::looked_at;

/// The number of bytes of a word. Longer names are rare; they are compared one after the other.
const WORD: usize = 8;

/// Maps names to values. Names are ASCII in lower case, without NUL. Each name of at most [`WORD`] bytes has
/// its own slot, of `SLOTS` slots.
pub(super) struct NameTable<T: 'static, const SLOTS: usize> {
    names: &'static [(&'static str, T)],
    factor: u64,
    words: [u64; SLOTS],
    values: [T; SLOTS],
    /// The value of all other names.
    other: T,
}

impl<T: Copy, const SLOTS: usize> NameTable<T, SLOTS> {
    pub(super) const fn new(names: &'static [(&'static str, T)], other: T) -> Self {
        assert!(SLOTS.is_power_of_two());
        let mut table = NameTable {
            names,
            factor: 0x9E37_79B9_7F4A_7C15,
            words: [0; SLOTS],
            values: [other; SLOTS],
            other,
        };
        while !table.fill() {
            table.factor = table.factor.wrapping_mul(5).wrapping_add(2);
        }
        table
    }

    /// Fills the slots, and returns false if two words need the same slot.
    const fn fill(&mut self) -> bool {
        self.words = [0; SLOTS];
        let mut at = 0;
        while at < self.names.len() {
            let (name, value) = self.names[at];
            at += 1;
            if name.len() > WORD {
                continue;
            }
            let word = word_of(name.as_bytes());
            // The bit `LOWER` turns upper case into lower case. It must not turn another byte into a letter
            // of the name.
            assert!(are_letters(name.as_bytes()));
            let slot = self.slot(word);
            if self.words[slot] != 0 {
                return false;
            }
            (self.words[slot], self.values[slot]) = (word, value);
        }
        true
    }

    const fn slot(&self, word: u64) -> usize {
        (word.wrapping_mul(self.factor) >> (u64::BITS - SLOTS.trailing_zeros())) as usize
    }

    /// Returns the value of the name in this range of the bytes.
    #[inline]
    pub(super) fn get(&self, bytes: &[u8], name: Range<usize>) -> T {
        looked_at(name.len());
        let len = name.len();
        if len.wrapping_sub(1) >= WORD {
            return self.long(&bytes[name]);
        }
        let rest = &bytes[name.start..];
        let word = match rest.first_chunk::<WORD>() {
            Some(word) => u64::from_le_bytes(*word),
            None => word_of(&rest[..len]),
        };
        let lower = (word | LOWER) & u64::MAX >> (u64::BITS as usize - 8 * len);
        let slot = self.slot(lower);
        if self.words[slot] == lower { self.values[slot] } else { self.other }
    }

    fn long(&self, name: &[u8]) -> T {
        let is_it =
            |of_table: &str| of_table.len() == name.len() && of_table.as_bytes().eq_ignore_ascii_case(name);
        self.names.iter().find(|(of_table, _)| is_it(of_table)).map_or(self.other, |&(_, value)| value)
    }
}

/// The bit that turns letters into lower case, in each byte. It turns no other byte into a letter.
const LOWER: u64 = 0x2020_2020_2020_2020;

const fn are_letters(name: &[u8]) -> bool {
    let mut at = 0;
    while at < name.len() {
        if !name[at].is_ascii_lowercase() {
            return false;
        }
        at += 1;
    }
    true
}

const fn word_of(name: &[u8]) -> u64 {
    let mut word = 0;
    let mut at = name.len();
    while at > 0 {
        at -= 1;
        word = word << 8 | name[at] as u64;
    }
    word
}
