//! Numbers for names, in the order of their first appearance. The names of the hash table share one buffer,
//! so that the short-lived counts of a chunk need no allocation per name.

use std::hash::{BuildHasher, RandomState};

use crate::work::looked_at;

/// Names and their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    /// The end of each name in `bytes`.
    ends: Vec<usize>,
    /// The slots of the hash table: the number of a name plus one, or 0 for an empty slot. The number of
    /// slots is 0 or a power of two, and at least twice the number of names.
    slots: Vec<u32>,
    /// The hash keys, which are random because names come from untrusted input.
    state: RandomState,
}

impl Names {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the name with this number, if there is one.
    #[inline]
    pub(super) fn get(&self, number: usize) -> Option<&[u8]> {
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..end])
    }

    /// Returns all names, in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).filter_map(|number| self.get(number))
    }

    /// Returns the number of a name, if it has one.
    pub(super) fn find(&self, name: &[u8]) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = self.state.hash_one(name) as usize & mask;
        looked_at(name.len() + 1);
        // Some slots are empty, so the loop ends.
        while let Some(number) = (self.slots[at] as usize).checked_sub(1) {
            if self.get(number) == Some(name) {
                return Some(number);
            }
            at = (at + 1) & mask;
            looked_at(1);
        }
        None
    }

    /// Returns the number of a name. A new name gets the next number. There must be fewer than 2^32 - 1
    /// names.
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

    /// Adds a new name to the slots.
    fn put(&mut self, number: usize) {
        let mask = self.slots.len() - 1;
        let mut at = self.state.hash_one(self.get(number).unwrap_or_default()) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = number as u32 + 1;
    }

    /// Removes all names, and keeps about as much memory as they needed.
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
