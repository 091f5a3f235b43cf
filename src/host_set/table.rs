//! The table of names.

use alloc::vec::Vec;

use super::hash::Seed;
use super::segments::Segments;

/// The number of parts of a table. A name is in the part with the number of the highest bits of its hash.
pub(super) const PARTS: usize = 64;

/// The bit of a tag that says that the names below belong to the set.
pub(super) const BELOW: u8 = 0x80;

/// A set of hosts: names, each alone or with all names below it, and addresses.
///
/// Hosts are compared in a normal form: in lower case, with all escapes decoded, and without a dot at the
/// end. A name beyond ASCII is equal to its form in Punycode (feature `domains`). Two addresses of IPv6 are
/// equal if they stand for the same address, with or without brackets.
///
/// ```
/// use urivalidate::HostSet;
///
/// let list = b"example.com\n.example.org # and all below\n0.0.0.0 ads.example.net\n||example.edu^\n";
/// let set = HostSet::from_list(list)?;
/// assert!(set.contains(b"Example.COM.") && !set.contains(b"www.example.com"));
/// assert!(set.contains(b"example.org") && set.contains(b"a.b.example.org"));
/// assert!(set.contains(b"ads.example.net") && set.contains(b"www.example.edu"));
/// assert!(!set.contains(b"badexample.org") && !set.contains(b""));
/// # Ok::<(), urivalidate::HostListError>(())
/// ```
#[derive(Clone, Debug)]
pub struct HostSet {
    pub(super) seed: Seed,
    /// The number of different names.
    pub(super) len: usize,
    /// The place of each bucket. A bucket has the number of its names, their tags, and the names; a name has
    /// its length and its codes.
    pub(super) places: Vec<u32>,
    /// Three bits for each name, of the word that its hash chooses. So most names that are not in the set
    /// need no other look.
    pub(super) filter: Vec<u64>,
    /// The first bucket of each part, and the number of its buckets.
    pub(super) parts: [(u32, u32); PARTS],
    pub(super) buckets: Segments,
    /// The numbers of labels of the names with all names below: bit `n` stands for `n` labels, the last bit
    /// also for more.
    pub(super) depths: u64,
}

/// What a table needs of a hash.
#[derive(Clone, Copy, Debug)]
pub(super) struct HashParts {
    pub(super) part: usize,
    /// The bits that choose a bucket of the part.
    pub(super) in_part: u32,
    /// The tag, without [`BELOW`].
    pub(super) tag: u8,
}

impl HashParts {
    #[inline(always)]
    pub(super) fn of(hash: u64) -> Self {
        const SHIFT: u32 = u64::BITS - PARTS.ilog2();
        let in_part = (hash >> (SHIFT - u32::BITS)) as u32;
        HashParts { part: (hash >> SHIFT) as usize, in_part, tag: hash as u8 & !BELOW }
    }

    /// Returns the number of the word of a filter with this number of words, and the bits of the name in it.
    #[inline(always)]
    pub(super) fn in_filter(self, words: usize) -> (usize, u64) {
        let place = ((self.part as u64) << 32 | u64::from(self.in_part)) << (32 - PARTS.ilog2());
        let word = ((place >> 32) * words as u64) >> 32;
        let bit = |shift: u32| 1 << ((self.in_part >> shift) & 63);
        (word as usize, bit(0) | bit(6) | bit(12))
    }

    /// Returns the number of the bucket, if the part has this number of buckets.
    #[inline(always)]
    pub(super) fn bucket(in_part: u32, buckets: u32) -> u32 {
        ((u64::from(in_part) * u64::from(buckets)) >> 32) as u32
    }
}

impl HostSet {
    /// Returns the number of different names.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the set has no name.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of bytes of memory that the set holds.
    pub fn held_bytes(&self) -> usize {
        let table = self.places.capacity() * size_of::<u32>() + self.filter.capacity() * size_of::<u64>();
        table + self.buckets.held_bytes()
    }
}
