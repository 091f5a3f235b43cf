//! Counters of a scan, which can be added up.

use std::collections::{BTreeMap, HashMap};

use crate::batch::{Batch, Column};
use crate::components::HostKind;
use crate::corpus::Scanned;
use crate::error::{Component, Error, ErrorKind};
use crate::grammar;
use crate::hosts::{self, Hosts};
use crate::suspicious::{self, Suspicion};

/// What a scan counts: verdicts, errors, components, kinds of host, schemes, lengths, and a few invalid records as samples.
///
/// Workers count their chunks, and the sink [`append`](Self::append)s the counts in input order, so that the result is the
/// same for any number of threads and any size of chunks. Memory is bounded.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::corpus::{Scanner, Scratch};
/// use urivalidate::{Columns, Grammar, Stats, Validator};
///
/// let validator = Validator::new(Grammar::Uri);
/// let mut total = Stats::new();
/// Scanner::new().scan_slice(
///     b"http://example.com/\nhttp://example.com/a b\n",
///     |chunk| {
///         let mut stats = Stats::new();
///         let mut scratch = Scratch::default();
///         stats.count(&scratch.scan(chunk, &validator, Columns::ALL).unwrap());
///         stats
///     },
///     |stats| {
///         total.append(&stats);
///         ControlFlow::Continue(())
///     },
/// )?;
/// assert_eq!((total.records(), total.valid, total.invalid), (2, 1, 1));
/// assert_eq!(total.samples()[0].line, 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// Bytes of the inputs.
    pub bytes: u64,
    /// Valid records.
    pub valid: u64,
    /// Invalid records.
    pub invalid: u64,
    /// Empty records, valid or not.
    pub empty: u64,
    /// Lines of a log in which a sentinel stands for want of a record.
    pub sentinels: u64,
    /// Lines of a log that do not fit its format.
    pub malformed: u64,
    /// The lengths of all records in bytes.
    pub lengths: Lengths,
    /// The schemes of valid records.
    pub schemes: Schemes,
    errors: [u64; ErrorKind::ALL.len()],
    /// The last one counts errors in no component.
    error_components: [u64; Component::ALL.len() + 1],
    components: [u64; Component::ALL.len()],
    host_kinds: [u64; HostKind::ALL.len()],
    suspicious: [u64; Suspicion::ALL.len()],
    samples: Vec<Sample>,
    /// Lines of the input, up to the last one of which something was counted.
    lines: u64,
    /// Of all records, and of the invalid ones, if they are asked for.
    hosts: Option<Box<[Hosts; 2]>>,
}

/// An invalid record that shows a kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// The number of the input, from 0, as [`Stats::set_input`] was told.
    pub input: usize,
    /// 1-based in its input.
    pub line: u64,
    /// The 1-based byte of the line that the record starts at.
    pub column: u64,
    /// What is wrong with it.
    pub error: Error,
    /// The record's first bytes, at most [`Sample::MAX_TEXT`].
    pub text: Vec<u8>,
    /// The whole record's length in bytes.
    pub length: u64,
}

impl Sample {
    /// Samples for each kind of error.
    pub const PER_KIND: u64 = 5;

    /// The longest text of a sample in bytes.
    pub const MAX_TEXT: usize = 512;
}

impl Stats {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Stats::default()
    }

    /// Back to nothing, keeping the memory.
    pub fn clear(&mut self) {
        (self.bytes, self.valid, self.invalid, self.empty) = (0, 0, 0, 0);
        (self.sentinels, self.malformed, self.lines) = (0, 0, 0);
        self.lengths.clear();
        self.schemes.clear();
        self.errors.fill(0);
        self.error_components.fill(0);
        self.components.fill(0);
        self.host_kinds.fill(0);
        self.suspicious.fill(0);
        self.samples.clear();
        self.hosts.iter_mut().flat_map(|hosts| hosts.iter_mut()).for_each(Hosts::clear);
    }

    /// Counts the records of a chunk, what its other lines are, and its bytes. Chunks are counted apart, and then
    /// [appended](Self::append).
    ///
    /// # Panics
    ///
    /// If the scan was not asked for [`Columns::ALL`](crate::Columns::ALL).
    pub fn count(&mut self, scanned: &Scanned<'_>) {
        let batch = scanned.batch();
        for record in batch.invalid() {
            let index = record.index as usize;
            let (column, line) = (scanned.start_column(index), self.lines + scanned.line_number(index) + 1);
            let (bytes, length) = (scanned.record(index), scanned.length(index));
            self.count_invalid(bytes, length, column, record.error, line);
        }
        self.lines += scanned.lines();
        self.sentinels += scanned.sentinels();
        self.malformed += scanned.malformed().len() as u64;
        self.bytes += scanned.bytes();
        if !scanned.chunk().is_part() {
            self.count_columns(scanned.values(), batch);
        } else if !scanned.is_empty() {
            self.lengths.count(scanned.length(0));
        }
    }

    /// Counts what the columns of a batch say.
    fn count_columns(&mut self, buffer: &[u8], batch: &Batch) {
        self.valid += batch.valid_count() as u64;
        add_each(&mut self.components, &batch.component_counts());
        let columns = [Column::Start, Column::End, Column::SchemeEnd, Column::HostStart, Column::HostEnd];
        let [starts, ends, scheme_ends, host_starts, host_ends] = columns.map(|column| batch.column(column));
        // One thing at a time: each loop keeps what it needs in registers.
        let empty = self.lengths.short[0];
        self.lengths.count_columns(starts, ends);
        self.empty += self.lengths.short[0] - empty;
        self.schemes.count_columns(buffer, starts, scheme_ends);
        let mut plain_hosts = 0;
        for (&host_start, &host_end) in host_starts.iter().zip(host_ends) {
            if host_start != Batch::ABSENT {
                // Most hosts are told by their last byte.
                match buffer[(host_end as usize).saturating_sub(1)] {
                    b'0'..=b'9' | b']' => {
                        let host = &buffer[host_start as usize..host_end as usize];
                        self.host_kinds[grammar::host_kind(batch.grammar, host) as usize] += 1;
                    }
                    _ => plain_hosts += 1,
                }
            }
        }
        self.host_kinds[grammar::plain_host_kind(batch.grammar) as usize] += plain_hosts;
        suspicious::count_batch(&mut self.suspicious, buffer, batch);
        if let Some([hosts, _]) = self.hosts.as_deref_mut() {
            let ends = batch.column(Column::HostEnd);
            for (&start, &end) in batch.column(Column::HostStart).iter().zip(ends) {
                if start != Batch::ABSENT {
                    hosts.count(&buffer[start as usize..end as usize]);
                }
            }
        }
    }

    #[cold]
    fn count_invalid(&mut self, bytes: &[u8], length: u64, column: u64, error: Error, line: u64) {
        self.invalid += 1;
        let kind = error.kind() as usize;
        self.errors[kind] += 1;
        self.error_components
            [error.component().map_or(Component::ALL.len(), |component| component as usize)] += 1;
        if let (Some(counts), Some(host)) = (self.hosts.as_deref_mut(), hosts::of_invalid(bytes, &error)) {
            counts.iter_mut().for_each(|hosts| hosts.count(host));
        }
        if self.errors[kind] <= Sample::PER_KIND {
            self.samples.push(Sample {
                input: 0,
                line,
                column,
                error,
                text: bytes[..bytes.len().min(Sample::MAX_TEXT)].to_vec(),
                length,
            });
        }
    }

    /// From now on counts hosts, too, which takes time.
    pub fn count_hosts(&mut self) {
        self.hosts.get_or_insert_default();
    }

    /// Adds what follows in the same input: the lines of its samples come after those counted here.
    pub fn append(&mut self, next: &Stats) {
        self.add(next, self.lines);
    }

    /// Adds the counts of another input.
    pub fn merge(&mut self, other: &Stats) {
        self.add(other, 0);
    }

    fn add(&mut self, other: &Stats, lines: u64) {
        for sample in &other.samples {
            let kind = sample.error.kind();
            let here = self.samples.iter().filter(|sample| sample.error.kind() == kind).count() as u64;
            if here < Sample::PER_KIND {
                self.samples.push(Sample { line: lines + sample.line, ..sample.clone() });
            }
        }
        self.bytes += other.bytes;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.empty += other.empty;
        self.sentinels += other.sentinels;
        self.malformed += other.malformed;
        self.lines += other.lines;
        self.lengths.add(&other.lengths);
        self.schemes.add(&other.schemes);
        add_each(&mut self.errors, &other.errors);
        add_each(&mut self.error_components, &other.error_components);
        add_each(&mut self.components, &other.components);
        add_each(&mut self.host_kinds, &other.host_kinds);
        add_each(&mut self.suspicious, &other.suspicious);
        if let Some(other) = &other.hosts {
            let hosts = self.hosts.get_or_insert_default();
            hosts.iter_mut().zip(&**other).for_each(|(hosts, other)| hosts.add(other));
        }
    }

    /// Says which input all samples so far come from.
    pub fn set_input(&mut self, input: usize) {
        for sample in &mut self.samples {
            sample.input = input;
        }
    }

    /// All records.
    pub fn records(&self) -> u64 {
        self.valid + self.invalid
    }

    /// How many records have this kind of error.
    pub fn errors(&self, kind: ErrorKind) -> u64 {
        self.errors[kind as usize]
    }

    /// How many records have their error in this component, or in none that could be named.
    pub fn error_components(&self, component: Option<Component>) -> u64 {
        self.error_components[component.map_or(Component::ALL.len(), |component| component as usize)]
    }

    /// How many valid records have this component, be it empty; of paths, how many are not empty.
    pub fn components(&self, component: Component) -> u64 {
        self.components[component as usize]
    }

    /// How many valid records have a host of this kind.
    pub fn host_kinds(&self, kind: HostKind) -> u64 {
        self.host_kinds[kind as usize]
    }

    /// How many valid records are suspicious for this reason.
    pub fn suspicious(&self, suspicion: Suspicion) -> u64 {
        self.suspicious[suspicion as usize]
    }

    /// The hosts of all records, as far as [`count_hosts`](Self::count_hosts) came first. Of an invalid record the host counts
    /// if the error lies behind it.
    pub fn hosts(&self) -> Option<&Hosts> {
        self.hosts.as_deref().map(|[hosts, _]| hosts)
    }

    /// The hosts of the invalid records.
    pub fn invalid_hosts(&self) -> Option<&Hosts> {
        self.hosts.as_deref().map(|[_, hosts]| hosts)
    }

    /// The first invalid records of each kind in input order, at most [`Sample::PER_KIND`] of each.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

fn add_each<const N: usize>(sums: &mut [u64; N], others: &[u64; N]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}

/// How often each length occurs: exact up to [`Lengths::EXACT`] bytes, within 1% beyond.
#[derive(Clone, Debug)]
pub struct Lengths {
    /// Lengths below `SHORT`, one counter each.
    short: Box<[u64; SHORT]>,
    /// The others; beyond `EXACT` those of a bucket under its highest.
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
    fn count(&mut self, length: u64) {
        self.count += 1;
        self.sum += length;
        self.max = self.max.max(length);
        match self.short.get_mut(length as usize) {
            Some(count) => *count += 1,
            None => self.count_long(length),
        }
    }

    /// Counts the lengths between two columns.
    fn count_columns(&mut self, starts: &[u32], ends: &[u32]) {
        let (mut sum, mut max) = (0, 0);
        for (&start, &end) in starts.iter().zip(ends) {
            let length = end - start;
            sum += u64::from(length);
            max = length.max(max);
            match self.short.get_mut(length as usize) {
                Some(count) => *count += 1,
                None => self.count_long(length.into()),
            }
        }
        self.count += ends.len() as u64;
        self.sum += sum;
        self.max = self.max.max(max.into());
    }

    #[cold]
    fn count_long(&mut self, length: u64) {
        *self.long.entry(bucket(length)).or_default() += 1;
    }

    fn clear(&mut self) {
        self.short.fill(0);
        self.long.clear();
        (self.count, self.sum, self.max) = (0, 0, 0);
    }

    fn add(&mut self, other: &Lengths) {
        add_each(&mut self.short, &other.short);
        for (&length, count) in &other.long {
            *self.long.entry(length).or_default() += count;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// The shortest length. None without records, as of the others.
    pub fn min(&self) -> Option<u64> {
        self.percentile(0)
    }

    /// The longest length, exact.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// The mean length, exact.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The least length that at least `percent` of 100 records do not exceed.
    pub fn percentile(&self, percent: u64) -> Option<u64> {
        let rank = (u128::from(self.count) * u128::from(percent)).div_ceil(100).max(1) as u64;
        let short = self.short.iter().enumerate().map(|(length, &count)| (length as u64, count));
        let long = self.long.iter().map(|(&length, &count)| (length, count));
        let mut seen = 0;
        short.chain(long).find_map(|(length, count)| {
            seen += count;
            (seen >= rank).then_some(length.min(self.max))
        })
    }
}

/// The highest length of the bucket that a length falls in: 128 buckets between a power of two and the next.
fn bucket(length: u64) -> u64 {
    if length <= Lengths::EXACT {
        return length;
    }
    let low_bits = length.ilog2() - 7;
    length | ((1 << low_bits) - 1)
}

/// How often each scheme occurs, in lower case.
///
/// The first [`Schemes::MAX`] different ones are counted each, further ones and those of more than [`Schemes::MAX_LENGTH`]
/// bytes together.
#[derive(Clone, Debug, Default)]
pub struct Schemes {
    /// In the order of their first appearance.
    counts: Vec<(Box<[u8]>, u64)>,
    numbers: HashMap<Box<[u8]>, usize>,
    /// The number of the scheme that was counted last: the next one is most often the same.
    last: usize,
    other: u64,
}

impl Schemes {
    /// More different schemes are not told apart.
    pub const MAX: usize = 1000;

    /// Longer schemes are not told apart.
    pub const MAX_LENGTH: usize = 64;

    #[inline]
    fn count(&mut self, scheme: &[u8]) {
        match self.counts.get_mut(self.last) {
            Some((last, count)) if **last == *scheme => *count += 1,
            _ => self.count_other_than_last(scheme),
        }
    }

    /// Counts the schemes of records that start and whose schemes end at these columns of `buffer`.
    fn count_columns(&mut self, buffer: &[u8], starts: &[u32], scheme_ends: &[u32]) {
        // The last scheme, if short, as a number: comparing these takes no call.
        let (mut last, mut last_len) = (0, 0);
        let mut run = 0;
        for (&start, &end) in starts.iter().zip(scheme_ends).filter(|&(_, &end)| end != Batch::ABSENT) {
            let (record, len) = (&buffer[start as usize..], end - start);
            let packed = Self::packed(record, len);
            if len == last_len && packed == last && packed != 0 {
                run += 1;
                continue;
            }
            self.counts_of_last(run);
            run = 0;
            (last, last_len) = (packed, len);
            self.count(&record[..len as usize]);
        }
        self.counts_of_last(run);
    }

    /// Counts the last scheme so many times more.
    fn counts_of_last(&mut self, times: u64) {
        if let Some((_, count)) = self.counts.get_mut(self.last) {
            *count += times;
        }
    }

    /// A scheme of up to eight bytes as a number; 0 for a longer one, or where the record has not so many bytes.
    #[inline]
    fn packed(record: &[u8], len: u32) -> u64 {
        match record.first_chunk() {
            Some(&chunk) if (1..=8).contains(&len) => {
                u64::from_le_bytes(chunk) & (u64::MAX >> (64 - 8 * len))
            }
            _ => 0,
        }
    }

    fn count_other_than_last(&mut self, scheme: &[u8]) {
        // Lists mix a few schemes: finding these needs no hashing.
        if let Some(number) = self.counts.iter().take(4).position(|(known, _)| **known == *scheme) {
            self.counts[number].1 += 1;
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
        // A chunk may have more than `MAX`: which of them come first is known when chunks are added up in order.
        if let Some(number) = self.number(lower, usize::MAX) {
            self.counts[number].1 += 1;
            self.last = number;
        }
    }

    /// The number of a scheme in lower case, given one if fewer than `max` have one.
    fn number(&mut self, scheme: &[u8], max: usize) -> Option<usize> {
        if let Some(&number) = self.numbers.get(scheme) {
            return Some(number);
        }
        let number = self.counts.len();
        if number >= max {
            return None;
        }
        self.counts.push((scheme.into(), 0));
        self.numbers.insert(scheme.into(), number);
        Some(number)
    }

    fn clear(&mut self) {
        self.counts.clear();
        self.numbers.clear();
        (self.last, self.other) = (0, 0);
    }

    fn add(&mut self, other: &Schemes) {
        for (scheme, count) in &other.counts {
            match self.number(scheme, Self::MAX) {
                Some(number) => self.counts[number].1 += count,
                None => self.other += count,
            }
        }
        self.other += other.other;
    }

    /// The schemes and their counts, the most frequent first, equal ones by name.
    pub fn sorted(&self) -> Vec<(&str, u64)> {
        let mut schemes: Vec<_> = self
            .counts
            .iter()
            .map(|(name, count)| (str::from_utf8(name).unwrap_or_default(), *count))
            .collect();
        schemes.sort_by(|(a, m), (b, n)| n.cmp(m).then(a.cmp(b)));
        schemes
    }

    /// Records with a scheme that is not told apart.
    pub fn other(&self) -> u64 {
        self.other
    }
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
}
