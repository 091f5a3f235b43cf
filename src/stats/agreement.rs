//! The verdicts of two grammars on the same records.

use super::loops::add_each;
use super::samples::{Problem, Sample, Samples};
use crate::batch::InvalidRecord;
use crate::corpus::Scanned;
use crate::corpus::engine::{OtherVerdicts, compared};
use crate::error::ErrorKind;
use crate::grammar::Grammar;

/// One of two grammars. A record on which they differ matches only one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first grammar, by which all other statistics are counted.
    First,
    /// The second grammar.
    Second,
}

/// The number of records on which two grammars agree or differ, and the first records on which they differ.
/// See [`Stats::count`](super::Stats::count).
#[derive(Clone, Debug)]
pub struct Agreement {
    grammars: [Grammar; 2],
    both: u64,
    neither: u64,
    /// The records that match only one grammar, by the [`Side`] of this grammar.
    only: [OneSided; 2],
}

/// The records that match only one grammar, with the errors that the other grammar finds.
#[derive(Clone, Debug, Default)]
struct OneSided {
    /// The number of records by the kind of their error.
    errors: [u64; ErrorKind::ALL.len()],
    samples: Samples,
}

impl Agreement {
    pub(super) fn new(grammars: [Grammar; 2], samples_per_kind: u64) -> Self {
        let mut only = [OneSided::default(), OneSided::default()];
        only.iter_mut().for_each(|only| only.samples.keep(samples_per_kind));
        Agreement { grammars, both: 0, neither: 0, only }
    }

    /// Returns the two grammars. If the first grammar differs from file to file, it is the grammar of the
    /// first file.
    pub fn grammars(&self) -> [Grammar; 2] {
        self.grammars
    }

    /// Returns the number of records that match both grammars.
    pub fn both(&self) -> u64 {
        self.both
    }

    /// Returns the number of records that match neither grammar.
    pub fn neither(&self) -> u64 {
        self.neither
    }

    /// Returns the number of records that match only this grammar.
    pub fn only(&self, side: Side) -> u64 {
        self.only[side as usize].errors.iter().sum()
    }

    /// Returns the number of records that match only this grammar and for which the other grammar reports
    /// this kind of error.
    pub fn only_for(&self, side: Side, kind: ErrorKind) -> u64 {
        self.only[side as usize].errors[kind as usize]
    }

    /// Returns the first records that match only this grammar, for each kind of error that the other grammar
    /// reports.
    pub fn samples(&self, side: Side) -> &[Sample] {
        self.only[side as usize].samples.as_slice()
    }

    /// Counts a chunk that was scanned by both grammars.
    pub(super) fn count(&mut self, scanned: &Scanned<'_>, other: OtherVerdicts<'_>) {
        let mut differing = 0;
        let mut neither = 0;
        for (one, other) in compared(scanned.batch().invalid(), other.invalid) {
            if let (Some(_), Some(_)) = (one, other) {
                neither += 1;
                continue;
            }
            differing += 1;
            one.inspect(|record| self.only[Side::Second as usize].count(scanned, record));
            other.inspect(|record| self.only[Side::First as usize].count(scanned, record));
        }
        self.neither += neither;
        self.both += scanned.len() as u64 - neither - differing;
    }

    /// Adds the counts of lines that follow the first `lines` lines.
    pub(super) fn add(&mut self, other: &Agreement, lines: u64) {
        self.both += other.both;
        self.neither += other.neither;
        for (only, other) in self.only.iter_mut().zip(&other.only) {
            add_each(&mut only.errors, &other.errors);
            only.samples.add(&other.samples, lines);
        }
    }

    pub(super) fn set_input(&mut self, input: usize) {
        self.only.iter_mut().for_each(|only| only.samples.set_input(input));
    }
}

impl OneSided {
    /// Counts a record by the kind of its error.
    fn count(&mut self, scanned: &Scanned<'_>, record: &InvalidRecord) {
        self.errors[record.error.kind() as usize] += 1;
        if self.samples.wants(Problem::Invalid(record.error)) {
            self.samples.push(Sample::of_record(scanned, record.index as usize, record.error, 0));
        }
    }
}
