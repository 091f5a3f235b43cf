//! The lengths of records.

use std::collections::BTreeMap;
use std::ops::RangeTo;

use super::loops::add_each;

/// The number of records of each length: exact up to [`Lengths::EXACT`] bytes, within 1% for longer records.
#[derive(Clone, Debug)]
pub struct Lengths {
    /// The counts of lengths below `SHORT`, one counter per length.
    short: Box<[u64; SHORT]>,
    /// The counts of the other lengths. Several lengths beyond `EXACT` share a bucket, whose key is its
    /// highest length.
    long: BTreeMap<u64, u64>,
    count: u64,
    sum: u64,
    max: u64,
}

const SHORT: usize = 1024;

impl Default for Lengths {
    fn default() -> Self {
        Lengths { short: Box::new([0; SHORT]), long: BTreeMap::new(), count: 0, sum: 0, max: 0 }
    }
}

impl Lengths {
    /// Percentiles of lengths up to this many bytes are exact.
    pub const EXACT: u64 = 64 << 10;

    #[inline]
    pub(super) fn count(&mut self, length: u64) {
        self.count += 1;
        self.sum += length;
        self.max = self.max.max(length);
        match self.short.get_mut(length as usize) {
            Some(count) => *count += 1,
            None => self.count_long(length),
        }
    }

    /// Counts the lengths of records, whose places are in two columns.
    pub(super) fn count_columns(&mut self, starts: &[u32], ends: &[u32]) {
        // `end` is less than `start` only if the file changes during the scan.
        let length = |(&start, &end): (&u32, &u32)| end.saturating_sub(start);
        let lengths = || starts.iter().zip(ends).map(length);
        let sum = lengths().map(u64::from).sum::<u64>();
        let max = lengths().fold(0, u32::max);
        // All long lengths share one counter at first, so that the loop has no branch.
        let mut counts = [[0u32; SHORT + 1]; 2];
        let count = |length: u32, counts: &mut [u32; SHORT + 1]| counts[SHORT.min(length as usize)] += 1;
        // Two arrays in turns: if many records have the same length, an increment need not wait for the one
        // before it.
        let [first, second] = &mut counts;
        let (pairs, rest) = starts.as_chunks::<2>();
        let (end_pairs, end_rest) = ends[..starts.len()].as_chunks::<2>();
        for (starts, ends) in pairs.iter().zip(end_pairs) {
            count(length((&starts[0], &ends[0])), first);
            count(length((&starts[1], &ends[1])), second);
        }
        rest.iter().zip(end_rest).for_each(|record| count(length(record), first));
        let used = used(max.into());
        for (sum, (first, second)) in self.short[used].iter_mut().zip(first[used].iter().zip(&second[used])) {
            *sum += u64::from(first + second);
        }
        if first[SHORT] + second[SHORT] > 0 {
            let long = lengths().map(u64::from).filter(|&length| length >= SHORT as u64);
            long.for_each(|length| self.count_long(length));
        }
        self.count += starts.len() as u64;
        self.sum += sum;
        self.max = self.max.max(max.into());
    }

    #[cold]
    fn count_long(&mut self, length: u64) {
        *self.long.entry(bucket(length)).or_default() += 1;
    }

    pub(super) fn clear(&mut self) {
        let used = used(self.max);
        self.short[used].fill(0);
        self.long.clear();
        (self.count, self.sum, self.max) = (0, 0, 0);
    }

    pub(super) fn add(&mut self, other: &Lengths) {
        let used = used(other.max);
        add_each(&mut self.short[used], &other.short[used]);
        for (&length, count) in &other.long {
            *self.long.entry(length).or_default() += count;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// Returns the number of empty records.
    pub(super) fn empty(&self) -> u64 {
        self.short[0]
    }

    /// Returns the shortest length, or `None` if there are no records.
    pub fn min(&self) -> Option<u64> {
        self.percentile(0)
    }

    /// Returns the longest length, which is exact.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// Returns the mean length, which is exact.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the number of records with at least `from` and fewer than `to` bytes. It is exact if both are
    /// at most [`Lengths::EXACT`].
    pub fn between(&self, from: u64, to: u64) -> u64 {
        self.all().filter(|(length, _)| (from..to).contains(length)).map(|(_, count)| count).sum()
    }

    /// Returns the least length that at least `percent` percent of the records do not exceed.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1) as u64;
        let mut seen = 0;
        self.all().find_map(|(length, count)| {
            seen += count;
            (seen >= rank).then_some(length.min(self.max))
        })
    }

    /// Returns each length, in order, with its number of records. Beyond `EXACT`, the length is the highest
    /// of its bucket.
    fn all(&self) -> impl Iterator<Item = (u64, u64)> {
        let short = self.short.iter().enumerate().map(|(length, &count)| (length as u64, count));
        short.chain(self.long.iter().map(|(&length, &count)| (length, count)))
    }
}

/// Returns the range of the counters in `short` that can be nonzero if no length is greater than `max`.
fn used(max: u64) -> RangeTo<usize> {
    ..usize::try_from(max).map_or(SHORT, |max| SHORT.min(max.saturating_add(1)))
}

/// Returns the highest length of the bucket of a length. There are 128 buckets between a power of two and the
/// next.
fn bucket(length: u64) -> u64 {
    if length <= Lengths::EXACT {
        return length;
    }
    let low_bits = length.ilog2() - 7;
    length | ((1 << low_bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_nearest_ranks() {
        let mut lengths = Lengths::default();
        assert_eq!(lengths.percentile(50), None);
        for length in 1..=200 {
            lengths.count(length);
        }
        assert_eq!([0, 50, 90, 99, 100].map(|p| lengths.percentile(p).unwrap()), [1, 100, 180, 198, 200]);
        assert_eq!((lengths.min(), lengths.max(), lengths.mean()), (Some(1), Some(200), Some(100.5)));
    }

    #[test]
    fn long_lengths_are_exact_up_to_the_limit_and_close_beyond() {
        for length in [1023, 1024, 1025, 65_535, 65_536, 65_537, 70_000, 1 << 20, (1 << 32) + 12_345] {
            let mut lengths = Lengths::default();
            lengths.count(length);
            lengths.count(u64::MAX >> 8);
            let found = lengths.percentile(50).unwrap();
            if length <= Lengths::EXACT {
                assert_eq!(found, length);
            } else {
                assert!(found >= length && (found - length) * 100 <= length, "{length}: {found}");
            }
        }
    }
}
