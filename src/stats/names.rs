//! Numbers for names, in the order of their first appearance: a hash table whose names lie one after the other, so that the
//! counts of a chunk, which are made and thrown away, cost no allocation a name.

use std::hash::{BuildHasher, RandomState};

use crate::work::looked_at;

/// Names and their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    /// The end of each name in the bytes.
    ends: Vec<usize>,
    /// By hash: the number of a name and one more, or 0. Their number is none or a power of two, at least twice that of the names.
    slots: Vec<u32>,
    /// Keyed at random, as names come from strangers.
    state: RandomState,
}

impl Names {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The name with this number; nothing if there is none.
    #[inline]
    pub(super) fn get(&self, number: usize) -> Option<&[u8]> {
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    /// All names, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|number| self.get(number))
    }

    /// The number of a name that has one.
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = self.state.hash_one(name) as usize & mask;
        looked_at(name.len() + 1);
        // There are empty slots, so this ends.
        while let Some(number) = (self.slots[at] as usize).checked_sub(1) {
            if self.get(number) == Some(name) {
                return Some(number);
            }
            at = (at + 1) & mask;
            looked_at(1);
        }
        None
    }

    /// The number of a name, which gets the next one if it has none. There must be fewer than 2^32 - 1.
    pub(super) fn number(&mut self, name: &[u8]) -> usize {
        if let Some(number) = self.find(name) {
            return number;
        }
        let number = self.len();
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        if self.len() * 2 > self.slots.len() {
            looked_at(self.bytes.len());
            self.slots = vec![0; (self.len() * 4).next_power_of_two().max(16)];
            (0..number).for_each(|number| self.put(number));
        }
        self.put(number);
        number
    }

    /// Puts a name into the table that is not there.
    fn put(&mut self, number: usize) {
        let mask = self.slots.len() - 1;
        let mut at = self.state.hash_one(self.get(number).unwrap_or_default()) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = number as u32 + 1;
    }

    /// Forgets all names, keeping about as much memory as they needed.
    pub(super) fn clear(&mut self) {
        self.slots.truncate((self.len() * 4).next_power_of_two().max(16));
        self.slots.fill(0);
        self.bytes.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn names_keep_their_numbers() {
        let mut names = Names::default();
        assert_eq!((names.find(b""), names.get(0)), (None, None));
        for round in [1000, 3, 20_000, 0, 50] {
            let mut expected = HashMap::new();
            for i in 0..round {
                let name = format!("{:x}", i * 7919 % (round * 2 / 3 + 1));
                let next = expected.len();
                let number = *expected.entry(name.clone()).or_insert(next);
                assert_eq!(names.number(name.as_bytes()), number);
                assert_eq!(names.get(number), Some(name.as_bytes()));
            }
            assert_eq!((names.len(), names.iter().count()), (expected.len(), expected.len()));
            assert!(expected.iter().all(|(name, &number)| names.find(name.as_bytes()) == Some(number)));
            assert_eq!(names.find(b"none of them"), None);
            names.clear();
            assert_eq!((names.len(), names.find(b"0")), (0, None));
        }
    }
}
