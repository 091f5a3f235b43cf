//! The schemes of records.

use super::loops::GROUP;
use super::names::Names;
use crate::batch::Batch;
use crate::registry;
use crate::work::memchr;

/// Counts of schemes, in lower case.
///
/// The first [`Schemes::MAX`] different schemes are counted separately. All others, and schemes of more than
/// [`Schemes::MAX_LENGTH`] bytes, are counted together.
#[derive(Clone, Debug, Default)]
pub struct Schemes {
    names: Names,
    /// The count of each scheme, by the number of its name.
    counts: Vec<u64>,
    /// The number of the scheme that was counted last: the next scheme is usually the same.
    last: usize,
    other: u64,
}

/// A recent scheme of one to seven bytes, which may occur again, or [`Recent::NONE`].
#[derive(Clone, Copy, Debug)]
struct Recent {
    scheme: [u8; 8],
    len: usize,
    /// The scheme and its colon as a number. `mask` has the bits that they take.
    head: u64,
    mask: u64,
    /// The number of times that the scheme occurred again.
    again: u64,
}

impl Recent {
    /// No scheme: no record matches it.
    const NONE: Recent = Recent { scheme: [0; 8], len: 0, head: 1, mask: 0, again: 0 };

    /// Returns a recent scheme; `head` is the [`head`] of its record.
    fn new(scheme: &[u8], head: u64) -> Self {
        let len = scheme.len();
        if head == 0 || !(1..8).contains(&len) {
            return Recent::NONE;
        }
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(scheme);
        let mask = u64::MAX >> (56 - 8 * len);
        Recent { scheme: bytes, len, head: head & mask, mask, again: 0 }
    }

    /// Returns true if a valid record with this head has this scheme. The comparison includes the colon, so
    /// only the scheme can match.
    #[inline(always)]
    fn is_in(&self, head: u64) -> bool {
        head & self.mask == self.head
    }

    /// Returns true if all of these records start with this scheme and its colon.
    #[inline(always)]
    fn is_in_all(&self, buffer: &[u8], starts: &[u32]) -> bool {
        let others = starts.iter().fold(0, |others, &start| others | (head(buffer, start) ^ self.head));
        (self.mask != 0) & (others & self.mask == 0)
    }
}

/// Which records have a scheme. Invalid records have none.
pub(super) trait SchemesOf: Copy {
    /// Returns the same for the group of records with this number, which has `len` records.
    fn group(self, number: usize, len: usize) -> Self;

    /// Returns true if all records of the group have a scheme.
    fn all(self, len: usize) -> bool;

    /// Returns true if the record with this number in the group has a scheme.
    fn has(self, index: usize) -> bool;
}

/// The ends of schemes.
impl SchemesOf for &[u32] {
    #[inline(always)]
    fn group(self, number: usize, len: usize) -> Self {
        &self[number * GROUP..][..len]
    }

    #[inline(always)]
    fn all(self, len: usize) -> bool {
        !self[..len].iter().fold(false, |any, &end| any | (end == Batch::ABSENT))
    }

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        self[index] != Batch::ABSENT
    }
}

/// A bit for each record, set if it has a scheme.
impl SchemesOf for &[u64] {
    #[inline(always)]
    fn group(self, number: usize, _: usize) -> Self {
        &self[number..=number]
    }

    #[inline(always)]
    fn all(self, len: usize) -> bool {
        self[0].count_ones() as usize == len
    }

    #[inline(always)]
    fn has(self, index: usize) -> bool {
        self[0] >> index & 1 == 1
    }
}

/// Returns the eight bytes at the start of a record, or 0 if the buffer ends before.
#[inline(always)]
fn head(buffer: &[u8], start: u32) -> u64 {
    let start = start as usize;
    let head = buffer.get(start..start.saturating_add(8)).and_then(<[u8]>::first_chunk);
    head.map_or(0, |&head| u64::from_le_bytes(head))
}

impl Schemes {
    /// The most schemes that are counted separately.
    pub const MAX: usize = 1000;

    /// The most bytes of a scheme that is counted separately.
    pub const MAX_LENGTH: usize = 64;

    #[inline]
    fn count(&mut self, scheme: &[u8]) {
        if self.names.get(self.last) == Some(scheme) {
            self.counts[self.last] += 1;
        } else {
            self.count_other_than_last(scheme);
        }
    }

    /// Counts the schemes of records, whose starts in `buffer` are in a column.
    pub(super) fn count_columns(&mut self, buffer: &[u8], starts: &[u32], schemes: impl SchemesOf) {
        // Long stretches of a list have at most two schemes, and most have one. Comparisons of numbers
        // recognise these without a branch.
        let mut recent = [Recent::NONE; 2];
        for (number, starts) in starts.chunks(GROUP).enumerate() {
            let schemes = schemes.group(number, starts.len());
            let [one, other] = &mut recent;
            if schemes.all(starts.len()) && one.is_in_all(buffer, starts) {
                one.again += starts.len() as u64;
                continue;
            }
            let (mut ones, mut others, mut present) = (0, 0, 0);
            for (index, &start) in starts.iter().enumerate() {
                let (head, is_there) = (head(buffer, start), schemes.has(index));
                ones += u64::from(one.is_in(head) & is_there);
                others += u64::from(other.is_in(head) & is_there);
                present += u64::from(is_there);
            }
            if ones + others == present {
                one.again += ones;
                other.again += others;
                if ones < others {
                    // The more frequent scheme may be the only one from here on.
                    recent.swap(0, 1);
                }
            } else {
                self.count_group(&mut recent, buffer, starts, schemes);
            }
        }
        recent.iter().for_each(|recent| self.count_again(recent));
    }

    /// Counts the schemes of a group that has new schemes.
    fn count_group(
        &mut self,
        recent: &mut [Recent; 2],
        buffer: &[u8],
        starts: &[u32],
        schemes: impl SchemesOf,
    ) {
        for (_, &start) in starts.iter().enumerate().filter(|&(index, _)| schemes.has(index)) {
            let head = head(buffer, start);
            if let Some(recent) = recent.iter_mut().find(|recent| recent.is_in(head)) {
                recent.again += 1;
                continue;
            }
            let record = buffer.get(start as usize..).unwrap_or_default();
            let scheme = &record[..memchr(b':', record).unwrap_or_default()];
            self.count(scheme);
            // The new scheme replaces the less recent of the two.
            recent.swap(0, 1);
            self.count_again(&std::mem::replace(&mut recent[0], Recent::new(scheme, head)));
        }
    }

    /// Adds the number of times that a recent scheme occurred again.
    fn count_again(&mut self, recent: &Recent) {
        if recent.again > 0 {
            self.count(&recent.scheme[..recent.len]);
            self.counts[self.last] += recent.again - 1;
        }
    }

    fn count_other_than_last(&mut self, scheme: &[u8]) {
        // Lists mix a few schemes, which are found without hashing.
        if let Some(number) = self.names.iter().take(4).position(|known| known == scheme) {
            self.counts[number] += 1;
            self.last = number;
            return;
        }
        let mut lower = [0; Self::MAX_LENGTH];
        let Some(lower) = lower.get_mut(..scheme.len()) else {
            self.other += 1;
            return;
        };
        lower.copy_from_slice(scheme);
        lower.make_ascii_lowercase();
        // A chunk may have more than `MAX` schemes: the first ones are only known when chunks are added up in
        // order.
        if let Some(number) = self.number(lower, usize::MAX) {
            self.counts[number] += 1;
            self.last = number;
        }
    }

    /// Returns the number of a scheme in lower case. A new scheme gets a number if there are fewer than
    /// `max`.
    fn number(&mut self, scheme: &[u8], max: usize) -> Option<usize> {
        if self.names.len() >= max {
            return self.names.find(scheme);
        }
        let number = self.names.number(scheme);
        if number == self.counts.len() {
            self.counts.push(0);
        }
        Some(number)
    }

    pub(super) fn clear(&mut self) {
        self.counts.clear();
        self.names.clear();
        (self.last, self.other) = (0, 0);
    }

    pub(super) fn add(&mut self, other: &Schemes) {
        for (scheme, count) in other.names.iter().zip(&other.counts) {
            match self.number(scheme, Self::MAX) {
                Some(number) => self.counts[number] += count,
                None => self.other += count,
            }
        }
        self.other += other.other;
    }

    /// Returns the schemes and their counts, with the most frequent first. Equally frequent schemes are
    /// sorted by name.
    pub fn sorted(&self) -> Vec<(&str, u64)> {
        let names = self.names.iter().map(|name| str::from_utf8(name).unwrap_or_default());
        let mut schemes: Vec<_> = names.zip(self.counts.iter().copied()).collect();
        schemes.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        schemes
    }

    /// Returns the number of records with a scheme that [IANA](https://www.iana.org/assignments/uri-schemes)
    /// has not registered, among the schemes that are counted separately. The registry is the one of 2024.
    pub fn unregistered(&self) -> u64 {
        let counts = self.names.iter().zip(&self.counts);
        counts.filter(|(name, _)| !registry::is_registered(name)).map(|(_, count)| count).sum()
    }

    /// Returns the number of records with a scheme that is not counted separately.
    pub fn other(&self) -> u64 {
        self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_are_lower_cased_and_bounded_in_order_of_appearance() {
        let mut chunk = Schemes::default();
        for name in ["HTTP", "http", "Http", "ftp", "http"] {
            chunk.count(name.as_bytes());
        }
        chunk.count(&[b'x'; 65]);
        let mut total = Schemes::default();
        total.add(&chunk);
        assert_eq!(total.sorted(), [("http", 4), ("ftp", 1)]);
        assert_eq!(total.other(), 1);

        let mut many = Schemes::default();
        for i in 0..1200 {
            many.count(format!("s{i}").as_bytes());
        }
        total.add(&many);
        assert_eq!(total.sorted().len(), Schemes::MAX);
        assert_eq!(total.other(), 1 + 1200 - 998);
        assert!(total.sorted().iter().any(|&(name, _)| name == "s997"));
        assert!(!total.sorted().iter().any(|&(name, _)| name == "s998"));
    }

    #[test]
    fn columns_are_counted_as_one_by_one() {
        let names = ["http", "https", "HTTP", "x", "ftp", "abcdefgh", "abcdefghi", "view-source"];
        let long = "y".repeat(70);
        let mut state = 1u32;
        // Runs of one scheme, and invalid records between the others.
        for (mixed, run) in [(1, 1), (2, 1), (3, 1), (9, 1), (1, 2000), (2, 300), (9, 150)] {
            let (mut buffer, mut starts, mut ends) = (Vec::new(), Vec::new(), Vec::new());
            let mut expected = Schemes::default();
            for record in 0..2000 {
                if record % run == 0 {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                }
                let name = names.get((state >> 16) as usize % mixed).copied().unwrap_or(&long);
                starts.push(buffer.len() as u32);
                ends.push((buffer.len() + name.len()) as u32);
                expected.count(name.as_bytes());
                buffer.extend_from_slice(name.as_bytes());
                buffer.extend_from_slice(b":a\n");
                if run == 1 || record % 500 == 499 {
                    // An invalid record.
                    starts.push(buffer.len() as u32);
                    ends.push(Batch::ABSENT);
                    buffer.extend_from_slice(b"a b\n");
                }
            }
            let mut bits = vec![0u64; starts.len().div_ceil(GROUP)];
            for index in (0..ends.len()).filter(|&index| ends[index] != Batch::ABSENT) {
                bits[index / GROUP] |= 1 << (index % GROUP);
            }
            let (mut found, mut by_bits) = (Schemes::default(), Schemes::default());
            found.count_columns(&buffer, &starts, &ends[..]);
            by_bits.count_columns(&buffer, &starts, &bits[..]);
            for found in [found, by_bits] {
                assert_eq!(
                    (found.sorted(), found.other()),
                    (expected.sorted(), expected.other()),
                    "{mixed} {run}"
                );
            }
        }
    }
}
