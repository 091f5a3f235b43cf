//! All counters of a scan.
//!
//! # Where the time goes
//!
//! If the lines of a list are mostly URLs with a host that is no address, the kernel counts their components
//! by masks, and writes out only their places ([`Request::COUNTS`]). Then the counters look at the places,
//! and at the first bytes of records for the schemes; records that the kernel does not accept are counted one
//! by one. With AVX2 and a list of .gov URLs, this takes 1.6 times as long as `--emit none`, and all columns
//! take 2 times as long. For other lists, logs, and statistics of hosts, all columns are counted:
//!
//! A mapped list of real URLs with a mean length of 82 bytes, on one thread with AVX-512, in samples of CPU
//! time:
//!
//! | time of `--stats` beyond that of `--emit none` | share |
//! |---|---:|
//! | kernel: finding positions (a third), and writing the streams of ends, schemes and paths (two thirds) | 44% |
//! | streams to columns | 9% |
//! | components, from all columns | 3% |
//! | schemes, from the first bytes of each record | 14% |
//! | lengths | 9% |
//! | kinds of hosts, from the last byte of each host, before kernels marked the hosts that may be addresses | 8% |
//! | suspicious | 3% |
//! | invalid records and samples | 3% |
//!
//! Lines whose hosts are no names in the DNS fall back. Finding them costs 5 to 9% of the time of the statistics.
//!
//! The rest is memory management. For 307 MB, the kernel takes 10 ms longer for all positions than for
//! verdicts alone (18 ms before positions were written for eight blocks at a time); the counters take 16 ms,
//! and columns 3 ms. `benches` measure each counter alone ([`Counter`]).
//!
//! If 64 adjacent records have one scheme, one test counts all of them. Counters of lengths beyond the
//! longest record are skipped. Both, and a test for the ends of 64 hosts, took an eighth less of the time
//! beyond `--emit none` than tests of each record. Tried:
//!
//! - all counters over 256 records before the next 256, so that their bytes stay in the L1 cache: this saves
//!   a twentieth of the counters' time, which does not show in the total.

use std::borrow::Cow;

use super::agreement::Agreement;
use super::distinct::Distinct;
use super::hosts::{Hosts, InvalidHost};
use super::lengths::Lengths;
use super::loops::{GROUP, add_each};
use super::samples::{Problem, Sample, Samples};
use super::schemes::Schemes;
use super::suspicion::{self, Suspicion};
use crate::batch::Batch;
use crate::column::{Column, Columns, ColumnsMissing};
use crate::components::HostKind;
use crate::corpus::{Malformed, Scanned};
use crate::error::{Component, Error, ErrorKind};
use crate::grammar::Grammar;
use crate::names::named_enum;
use crate::normal::{NormalForm, NormalizedRecords};
use crate::request::Request;
use crate::row_column::RowColumn;
use crate::simd::LineCounts;
use crate::validator::Validator;
use crate::work::looked_at;

/// The counters of a scan: verdicts, errors, components, kinds of hosts, schemes, lengths, and a few invalid
/// records as samples.
///
/// Workers count their chunks, and the sink [`append`](Self::append)s the counts in input order, so that the
/// result is the same for any number of threads and any size of chunks. Memory is bounded.
///
/// ```
/// use std::ops::ControlFlow;
/// use urivalidate::corpus::{Scanner, ChunkScanner};
/// use urivalidate::stats::Stats;
/// use urivalidate::{Grammar, Validator};
///
/// let validator = Validator::new(Grammar::Uri);
/// let mut total = Stats::new();
/// Scanner::new().scan_slice(
///     b"http://example.com/\nhttp://example.com/a b\n",
///     |chunk| {
///         let mut stats = Stats::new();
///         let mut chunk_scanner = ChunkScanner::default();
///         stats.count(&chunk_scanner.scan(chunk, &validator, stats.request()).unwrap()).unwrap();
///         stats
///     },
///     |stats| {
///         total.append(&stats);
///         ControlFlow::<()>::Continue(())
///     },
/// )?;
/// assert_eq!((total.records(), total.valid(), total.invalid()), (2, 1, 1));
/// assert_eq!(total.samples()[0].line(), 2);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stats {
    bytes: u64,
    lines: u64,
    valid: u64,
    invalid: u64,
    empty: u64,
    sentinels: u64,
    without_key: u64,
    headers: u64,
    dropped: u64,
    malformed: Reasons,
    lengths: Lengths,
    schemes: Schemes,
    errors: [u64; ErrorKind::ALL.len()],
    /// The number of errors in each component. The last number counts errors in no component.
    error_components: [u64; Component::ALL.len() + 1],
    components: [u64; Component::ALL.len()],
    host_kinds: [u64; HostKind::ALL.len()],
    suspicious: [u64; Suspicion::ALL.len()],
    samples: Samples,
    /// The hosts of all records, if they are counted.
    hosts: Option<Box<Hosts>>,
    invalid_hosts: Hosts,
    /// The agreement with another grammar, if it is counted.
    agreement: Option<Box<Agreement>>,
    /// The number of valid records that are their own normal forms, if it is counted.
    normal: Option<(NormalForm, u64)>,
    /// The distinct values of a column, if they are counted.
    distinct: Option<(RowColumn, Box<Distinct>)>,
}

named_enum! {
    /// The parts of the statistics that examine every record.
    Counter {
        /// The numbers of records with each component.
        Components = "components",
        /// The lengths of records.
        Lengths = "lengths",
        /// The schemes.
        Schemes = "schemes",
        /// The kinds of hosts.
        HostKinds = "host-kinds",
        /// The reasons why valid records are suspicious.
        Suspicions = "suspicious",
    }
}

/// The number of lines for each reason. A type of its own, because long arrays do not implement `Default`.
#[derive(Clone, Debug)]
struct Reasons([u64; Malformed::ALL.len()]);

impl Default for Reasons {
    fn default() -> Self {
        Reasons([0; Malformed::ALL.len()])
    }
}

impl Stats {
    /// Returns counters that are 0.
    pub fn new() -> Self {
        Stats::default()
    }

    /// Sets all counters to 0, and keeps the memory.
    pub fn clear(&mut self) {
        (self.bytes, self.valid, self.invalid, self.empty) = (0, 0, 0, 0);
        (self.sentinels, self.without_key, self.headers, self.lines) = (0, 0, 0, 0);
        self.dropped = 0;
        self.malformed.0.fill(0);
        self.lengths.clear();
        self.schemes.clear();
        self.errors.fill(0);
        self.error_components.fill(0);
        self.components.fill(0);
        self.host_kinds.fill(0);
        self.suspicious.fill(0);
        self.samples.clear();
        self.hosts.iter_mut().for_each(|hosts| hosts.clear());
        self.invalid_hosts.clear();
        self.agreement = None;
        self.normal.iter_mut().for_each(|(_, normal)| *normal = 0);
        self.distinct.iter_mut().for_each(|(_, distinct)| **distinct = Distinct::new());
    }

    /// Returns the request for a scan whose results are to be [counted](Self::count). Such a scan
    /// may count the components instead of filling the columns in which they lie, which takes less time.
    pub fn request(&self) -> Request {
        if self.hosts.is_some() { Columns::ALL.into() } else { Request::COUNTS }
    }

    /// Counts the records of a chunk, its other lines by their roles, and its bytes. Each chunk is counted by
    /// its own `Stats`, which is then [appended](Self::append). If the chunk has the verdicts [of another
    /// grammar](Scanned::with_other), counts on which records the two grammars agree:
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use urivalidate::corpus::{Scanner, ChunkScanner};
    /// use urivalidate::stats::{Side, Stats};
    /// use urivalidate::{Batch, Grammar, Validator};
    ///
    /// let [uri, java] = [Grammar::Uri, Grammar::Java].map(Validator::new);
    /// let mut total = Stats::new();
    /// Scanner::new().scan_slice(
    ///     b"http://example.com/\nhttp://example.com/?x[]=1\nurn:\nhttp:/ /\n",
    ///     |chunk| {
    ///         let (mut chunk_scanner, mut batch) = (ChunkScanner::default(), Batch::default());
    ///         let mut stats = Stats::new();
    ///         let scanned = chunk_scanner.scan(chunk, &uri, stats.request()).unwrap();
    ///         let other = scanned.judge_by(&java, &mut batch);
    ///         stats.count(&scanned.with_other(&other)).unwrap();
    ///         stats
    ///     },
    ///     |stats| {
    ///         total.append(&stats);
    ///         ControlFlow::<()>::Continue(())
    ///     },
    /// )?;
    /// let agreement = total.agreement().unwrap();
    /// assert_eq!((agreement.both(), agreement.neither()), (1, 1));
    /// assert_eq!((agreement.only(Side::First), agreement.only(Side::Second)), (1, 1));
    /// assert_eq!(agreement.samples(Side::First)[0].text(), b"urn:");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the scan was not asked for [`request`](Self::request) or [`Columns::ALL`]. Then
    /// nothing is counted.
    pub fn count(&mut self, scanned: &Scanned<'_>) -> Result<(), ColumnsMissing> {
        let batch = scanned.batch();
        let counts = batch.counts.filter(|_| self.hosts.is_none());
        if counts.is_none() {
            ColumnsMissing::check(batch.columns(), Columns::ALL)?;
        }
        self.count_normal(scanned)?;
        if let Some(other) = scanned.other() {
            self.agreement_of([batch.rules.grammar(), other.grammar]).count(scanned, other);
        }
        let mut invalid_host = InvalidHost::default();
        for record in batch.invalid() {
            let index = record.index as usize;
            self.count_invalid(scanned, index, record.error, &mut invalid_host);
        }
        self.count_malformed(scanned);
        self.lines += scanned.lines();
        self.sentinels += scanned.sentinels();
        self.without_key += scanned.without_key();
        self.headers += scanned.headers();
        self.dropped += scanned.dropped() as u64;
        self.bytes += scanned.bytes();
        if let Some(counts) = counts {
            self.add_counts(scanned.values(), batch, counts);
        } else if !scanned.chunk().is_part() {
            self.count_columns(scanned.values(), batch, |_| true);
        } else if !scanned.is_empty() {
            self.lengths.count(scanned.length(0).unwrap_or_default());
        }
        Ok(())
    }

    /// Counts a batch whose components the scan has counted.
    fn add_counts(&mut self, buffer: &[u8], batch: &Batch, counts: LineCounts) {
        looked_at(batch.len());
        let [starts, ends] = [Column::Start, Column::End].map(|column| batch.filled(column));
        let by_kernel = (batch.valid_count() - batch.other_authorities.len()) as u64;
        self.valid += batch.valid_count() as u64;
        for (component, count) in [
            (Component::Scheme, by_kernel),
            (Component::Authority, by_kernel),
            (Component::Host, by_kernel),
            (Component::Path, by_kernel.saturating_sub(counts.empty_paths)),
            (Component::Query, counts.queries),
            (Component::Fragment, counts.fragments),
        ] {
            self.components[component as usize] += count;
        }
        self.host_kinds[batch.rules.grammar().default_host_kind() as usize] += by_kernel;
        let mut with_scheme = Cow::Borrowed(batch.validity());
        for (&index, components) in batch.other_authorities.iter().zip(&batch.parsed) {
            let index = index as usize;
            for &component in Component::ALL {
                let part = components.get(component);
                let is_there = part.is_some_and(|part| component != Component::Path || !part.is_empty());
                self.components[component as usize] += u64::from(is_there);
            }
            if let Some(kind) = components.host_kind() {
                self.host_kinds[kind as usize] += 1;
            }
            if components.scheme().is_none() {
                with_scheme.to_mut()[index / GROUP] &= !(1 << (index % GROUP));
            }
            let record = buffer.get(starts[index] as usize..ends[index] as usize).unwrap_or_default();
            suspicion::count(&mut self.suspicious, record, components);
        }
        self.count_lengths(starts, ends);
        self.schemes.count_columns(buffer, starts, &with_scheme[..]);
        suspicion::count_long(&mut self.suspicious, batch);
    }

    /// Counts the lengths of records, whose places are in two columns.
    fn count_lengths(&mut self, starts: &[u32], ends: &[u32]) {
        let empty = self.lengths.empty();
        self.lengths.count_columns(starts, ends);
        self.empty += self.lengths.empty() - empty;
    }

    /// Counts the columns of a batch, with the counters for which `wants` returns true.
    fn count_columns(&mut self, buffer: &[u8], batch: &Batch, wants: impl Fn(Counter) -> bool) {
        looked_at(batch.len());
        let columns = [Column::Start, Column::End, Column::SchemeEnd, Column::HostStart, Column::HostEnd];
        let [starts, ends, scheme_ends, host_starts, host_ends] = columns.map(|column| batch.filled(column));
        // Each counter has a loop of its own, so that its values stay in registers.
        if wants(Counter::Components) {
            self.valid += batch.valid_count() as u64;
            let counts = batch.component_counts().expect("statistics are made of all columns");
            for (total, &component) in self.components.iter_mut().zip(Component::ALL) {
                *total += counts.get(component);
            }
        }
        if wants(Counter::Lengths) {
            self.count_lengths(starts, ends);
        }
        if wants(Counter::Schemes) {
            self.schemes.count_columns(buffer, starts, scheme_ends);
        }
        if wants(Counter::HostKinds) {
            self.count_host_kinds(buffer, batch, host_starts);
        }
        if wants(Counter::Suspicions) {
            suspicion::count_batch(&mut self.suspicious, buffer, batch);
        }
        if let Some(hosts) = &mut self.hosts {
            for (&start, &end) in
                host_starts.iter().zip(host_ends).filter(|&(&start, _)| start != Batch::ABSENT)
            {
                hosts.count(buffer.get(start as usize..end as usize).unwrap_or_default());
            }
        }
    }

    /// Counts the records of a chunk, which has all columns, with only one of the counters: this measures its
    /// time.
    pub fn count_alone(&mut self, counter: Counter, scanned: &Scanned<'_>) {
        self.count_columns(scanned.values(), scanned.batch(), |wanted| wanted == counter);
    }

    /// Counts the kinds of the hosts.
    fn count_host_kinds(&mut self, buffer: &[u8], batch: &Batch, host_starts: &[u32]) {
        let is_there = |&start: &u32| u64::from(start != Batch::ABSENT);
        let hosts: u64 = host_starts.iter().map(is_there).sum();
        let mut addresses = 0;
        for (_, kind) in batch.addresses(buffer, 0..batch.len()) {
            self.host_kinds[kind as usize] += 1;
            addresses += 1;
        }
        self.host_kinds[batch.rules.grammar().default_host_kind() as usize] += hosts - addresses;
    }

    #[cold]
    fn count_invalid(
        &mut self,
        scanned: &Scanned<'_>,
        index: usize,
        error: Error,
        invalid_host: &mut InvalidHost,
    ) {
        self.invalid += 1;
        let kind = error.kind() as usize;
        self.errors[kind] += 1;
        self.error_components
            [error.component().map_or(Component::ALL.len(), |component| component as usize)] += 1;
        let record = scanned.record(index).unwrap_or_default();
        // An error after a host has at least "//h" before it.
        if error.offset() > 2
            && let Some(host) = invalid_host.of(record, &error)
        {
            self.invalid_hosts.count(host);
            self.hosts.iter_mut().for_each(|hosts| hosts.count(host));
        }
        if self.samples.wants(Problem::Invalid(error)) {
            self.samples.push(Sample::of_record(scanned, index, error, self.lines));
        }
    }

    /// Counts the lines of a chunk that do not fit their format.
    fn count_malformed(&mut self, scanned: &Scanned<'_>) {
        // One pass over the lines finds the samples by their line numbers.
        let lines = scanned.chunk().lines().split(|&byte| byte == b'\n');
        let mut lines = lines.inspect(|line| looked_at(line.len() + 1));
        let mut next = 0;
        for malformed in scanned.malformed() {
            self.malformed.0[malformed.reason as usize] += 1;
            let problem = Problem::Malformed(malformed.reason);
            if self.samples.wants(problem) {
                // A problem in a document or an archive has a place, but no text.
                let text = if malformed.length == 0 {
                    None
                } else {
                    lines.nth((malformed.line - std::mem::replace(&mut next, malformed.line + 1)) as usize)
                };
                let (line, column) = (self.lines + malformed.line + 1, malformed.column);
                let text = text.unwrap_or_default();
                self.samples.push(Sample::new(text, malformed.length, (line, column, column), problem));
            }
        }
    }

    /// Counts the hosts of all records, too. This takes time.
    #[must_use]
    pub fn with_hosts(mut self) -> Self {
        self.hosts.get_or_insert_default();
        self
    }

    /// Counts the valid records that are their own normal forms, too, if their grammar has this form. This
    /// takes time.
    #[must_use]
    pub fn with_normal(mut self, form: NormalForm) -> Self {
        self.normal.get_or_insert((form, 0));
        self
    }

    fn count_normal(&mut self, scanned: &Scanned<'_>) -> Result<(), ColumnsMissing> {
        let batch = scanned.batch();
        let Some((form, normal)) = self.normal.as_mut().filter(|_| !scanned.chunk().is_part()) else {
            return Ok(());
        };
        let Ok(normalizer) = Validator::of(batch).normalizer(*form) else { return Ok(()) };
        let mut forms = NormalizedRecords::new();
        normalizer.normalize_batch(batch, scanned.values(), &mut forms)?;
        *normal += (batch.valid_count() - forms.changed().len()) as u64;
        Ok(())
    }

    /// Counts the distinct values of this column, too. Call [`count_value`](Self::count_value) with each
    /// value.
    #[must_use]
    pub fn with_distinct(mut self, column: RowColumn) -> Self {
        self.distinct.get_or_insert_with(|| (column, Box::default()));
        self
    }

    /// Counts a record's value of the column of [`with_distinct`](Self::with_distinct); without that call,
    /// counts nothing.
    pub fn count_value(&mut self, value: &[u8]) {
        self.count_value_parts([b"", value]);
    }

    /// Counts a value as [`count_value`](Self::count_value) does. The value consists of two parts; the first
    /// one, which many values may share, is held and hashed once.
    pub fn count_value_parts(&mut self, value: [&[u8]; 2]) {
        if let Some((_, distinct)) = &mut self.distinct {
            distinct.insert_parts(value);
        }
    }

    /// Returns the agreement that is counted. Begins one of these grammars if there is none.
    fn agreement_of(&mut self, grammars: [Grammar; 2]) -> &mut Agreement {
        let per_kind = self.samples.per_kind();
        self.agreement.get_or_insert_with(|| Box::new(Agreement::new(grammars, per_kind)))
    }

    /// Keeps `per_kind` samples of each kind of error and of each reason, in place of [`Sample::PER_KIND`].
    #[must_use]
    pub fn with_samples(mut self, per_kind: u64) -> Self {
        self.samples.keep(per_kind);
        self
    }

    /// Adds the counts of the next part of the same input: the line numbers of its samples continue after the
    /// lines counted so far.
    pub fn append(&mut self, next: &Stats) {
        self.add(next, self.lines);
    }

    /// Adds the counts of another input.
    pub fn merge(&mut self, other: &Stats) {
        self.add(other, 0);
    }

    fn add(&mut self, other: &Stats, lines: u64) {
        self.samples.add(&other.samples, lines);
        if let Some(other) = &other.agreement {
            self.agreement_of(other.grammars()).add(other, lines);
        }
        self.bytes += other.bytes;
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.empty += other.empty;
        self.sentinels += other.sentinels;
        self.without_key += other.without_key;
        self.headers += other.headers;
        self.dropped += other.dropped;
        add_each(&mut self.malformed.0, &other.malformed.0);
        self.lines += other.lines;
        self.lengths.add(&other.lengths);
        self.schemes.add(&other.schemes);
        add_each(&mut self.errors, &other.errors);
        add_each(&mut self.error_components, &other.error_components);
        add_each(&mut self.components, &other.components);
        add_each(&mut self.host_kinds, &other.host_kinds);
        add_each(&mut self.suspicious, &other.suspicious);
        if let Some(other) = &other.hosts {
            self.hosts.get_or_insert_default().add(other);
        }
        self.invalid_hosts.add(&other.invalid_hosts);
        if let Some((form, normal)) = other.normal {
            self.normal.get_or_insert((form, 0)).1 += normal;
        }
        if let Some((column, distinct)) = &other.distinct {
            self.distinct.get_or_insert_with(|| (*column, Box::default())).1.merge(distinct);
        }
    }

    /// Sets the number of the input of all samples so far.
    pub fn set_input(&mut self, input: usize) {
        self.samples.set_input(input);
        self.agreement.iter_mut().for_each(|agreement| agreement.set_input(input));
    }

    /// Returns the number of bytes of the inputs, after decompression.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of lines of the inputs. If a line holds at most one record, these are the lines
    /// with a record, with a sentinel, those [without the key](Self::without_key), those that do not fit
    /// their format, [`headers`](Self::headers), [`other_lines`](Self::other_lines), and those of
    /// [`dropped`](Self::dropped) records.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the number of all records.
    pub fn records(&self) -> u64 {
        self.valid + self.invalid
    }

    /// Returns the number of valid records.
    pub fn valid(&self) -> u64 {
        self.valid
    }

    /// Returns the number of invalid records.
    pub fn invalid(&self) -> u64 {
        self.invalid
    }

    /// Returns the number of empty records, valid or not.
    pub fn empty(&self) -> u64 {
        self.empty
    }

    /// Returns the number of lines of a log with a sentinel in place of a record.
    pub fn sentinels(&self) -> u64 {
        self.sentinels
    }

    /// Returns the number of lines, or of objects in documents, that lack the key. They have no record.
    pub fn without_key(&self) -> u64 {
        self.without_key
    }

    /// Returns the number of lines of a log that do not fit its format.
    pub fn malformed(&self) -> u64 {
        self.malformed.0.iter().sum()
    }

    /// Returns the number of lines of a log that do not fit its format for this reason.
    pub fn malformed_for(&self, reason: Malformed) -> u64 {
        self.malformed.0[reason as usize]
    }

    /// Returns the number of lines that describe other lines: the header of a table or an index, the
    /// directives of a W3C log.
    pub fn headers(&self) -> u64 {
        self.headers
    }

    /// Returns the number of other lines without a record that fit their format, such as those in the blocks
    /// of WARC records.
    pub fn other_lines(&self) -> u64 {
        let with_record = self.records() + self.dropped;
        let counted = with_record + self.sentinels + self.without_key + self.malformed() + self.headers;
        self.lines.saturating_sub(counted)
    }

    /// Returns the number of records that [were dropped](Scanned::dropped), which no other counter counts.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns the form and the number of valid records that are their own normal forms, if they were
    /// [counted](Self::with_normal).
    pub fn normal(&self) -> Option<(NormalForm, u64)> {
        self.normal
    }

    /// Returns the column and its distinct values, if they were [counted](Self::with_distinct).
    pub fn distinct(&self) -> Option<(RowColumn, &Distinct)> {
        self.distinct.as_ref().map(|(column, distinct)| (*column, &**distinct))
    }

    /// Returns the lengths of all records.
    pub fn lengths(&self) -> &Lengths {
        &self.lengths
    }

    /// Returns the schemes of valid records.
    pub fn schemes(&self) -> &Schemes {
        &self.schemes
    }

    /// Returns the number of records with this kind of error.
    pub fn errors(&self, kind: ErrorKind) -> u64 {
        self.errors[kind as usize]
    }

    /// Returns the number of records with their error in this component, or in no particular component.
    pub fn error_components(&self, component: Option<Component>) -> u64 {
        self.error_components[component.map_or(Component::ALL.len(), |component| component as usize)]
    }

    /// Returns the number of valid records with this component. Empty components count, except empty paths.
    pub fn components(&self, component: Component) -> u64 {
        self.components[component as usize]
    }

    /// Returns the number of valid records with a host of this kind.
    pub fn host_kinds(&self, kind: HostKind) -> u64 {
        self.host_kinds[kind as usize]
    }

    /// Returns the number of valid records that are suspicious for this reason.
    pub fn suspicious(&self, suspicion: Suspicion) -> u64 {
        match suspicion {
            Suspicion::UnregisteredScheme => self.schemes.unregistered(),
            _ => self.suspicious[suspicion as usize],
        }
    }

    /// Returns the hosts of all records, if [`with_hosts`](Self::with_hosts) was called before counting. The
    /// host of an invalid record counts if the error lies after it.
    pub fn hosts(&self) -> Option<&Hosts> {
        self.hosts.as_deref()
    }

    /// Returns the hosts of the invalid records whose error lies after the host.
    pub fn invalid_hosts(&self) -> &Hosts {
        &self.invalid_hosts
    }

    /// Returns the verdicts of another grammar on the records, if chunks had [both](Scanned::with_other).
    pub fn agreement(&self) -> Option<&Agreement> {
        self.agreement.as_deref()
    }

    /// Returns the first invalid records of each kind, and the first lines that do not fit their format for
    /// each reason, in input order: at most [`Sample::PER_KIND`] each, or the number set by
    /// [`with_samples`](Self::with_samples).
    pub fn samples(&self) -> &[Sample] {
        self.samples.as_slice()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::corpus::{Chunk, ChunkScanner, Scanner};
    use crate::{Columns, Validator};

    #[test]
    fn kinds_of_hosts_are_those_that_records_have_by_themselves() {
        const RECORDS: [&str; 10] = [
            "http://[::1]/",
            "http://[v1.x]/",
            "http://10.0.0.1/",
            "http://10.0.0.256/",
            "http://a.b1/",
            "http://1.example/",
            "http:///a",
            "urn:x",
            "http://[::1/",
            "//h]",
        ];
        for &grammar in Grammar::ALL {
            let validator = Validator::new(grammar);
            for others in [0, 1, 63, 64, 200] {
                let records: Vec<_> =
                    RECORDS.iter().copied().chain(vec!["http://example.com/"; others]).collect();
                let mut expected = [0; HostKind::ALL.len()];
                let parsed = records.iter().filter_map(|record| validator.parse(record.as_bytes()).ok());
                for kind in parsed.filter_map(|components| components.host_kind()) {
                    expected[kind as usize] += 1;
                }
                let count = |chunk: &Chunk<'_>| {
                    let mut stats = Stats::new();
                    let mut chunk_scanner = ChunkScanner::default();
                    stats.count(&chunk_scanner.scan(chunk, &validator, Columns::ALL).unwrap()).unwrap();
                    stats
                };
                let mut stats = Stats::new();
                let append = |of_chunk| {
                    stats.append(&of_chunk);
                    ControlFlow::<()>::Continue(())
                };
                let end = Scanner::new().scan_slice(records.join("\n").as_bytes(), count, append);
                assert!(end.is_ok());
                assert_eq!(stats.host_kinds, expected, "{grammar}, {others}");
            }
        }
    }
}
