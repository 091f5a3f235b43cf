//! The content of a report, in any form.

use std::time::Duration;

use urivalidate::corpus::Malformed;
use urivalidate::stats::{
    Agreement, Distinct, Hosts, Problem, ReadAs, Sample, Side, Stats, Summary, Suspicion,
};
use urivalidate::{Backend, Component, ErrorKind, Grammar, HostKind};

use super::figures::{grouped, percent, plural};
use crate::shown::Shown;

/// The counts, and the facts about the run that made them.
#[derive(Clone, Copy)]
pub(crate) struct Report<'a> {
    pub(crate) stats: &'a Stats,
    /// The names of all inputs.
    pub(crate) names: &'a [&'a [u8]],
    /// The numbers of the inputs that could not be read, or only in part, each with the reason.
    pub(crate) unreadable: &'a [(usize, String)],
    /// The number of files that a walk skipped, with `--recursive`.
    pub(crate) skipped: Option<u64>,
    pub(crate) elapsed: Duration,
    pub(crate) read_as: ReadAs,
    pub(crate) backend: Backend,
    pub(crate) threads: usize,
    /// The number of samples of each kind, if the arguments set one.
    pub(crate) samples: Option<u64>,
    /// The number of hosts to list, if the arguments set one.
    pub(crate) top_hosts: Option<usize>,
}

impl<'a> Report<'a> {
    /// Returns the summary for programs.
    pub(super) fn as_summary(&self) -> Summary<'a> {
        let Report { stats, names, elapsed, read_as, backend, threads, top_hosts, .. } = *self;
        let summary = Summary::new(stats, read_as).names(names).elapsed(elapsed);
        summary.backend(backend).threads(threads).top_hosts(top_hosts)
    }

    pub(super) fn errors(&self) -> Vec<(ErrorKind, u64)> {
        present(ErrorKind::ALL, |kind| self.stats.errors(kind))
    }

    pub(super) fn error_components(&self) -> Vec<(&'static str, u64)> {
        let named = present(Component::ALL, |component| self.stats.error_components(Some(component)));
        let mut counts: Vec<_> =
            named.into_iter().map(|(component, count)| (component.name(), count)).collect();
        counts.extend(Some(("none", self.stats.error_components(None))).filter(|&(_, count)| count > 0));
        counts
    }

    /// Returns the reasons why lines do not fit their format, with their counts.
    pub(super) fn malformed(&self) -> Vec<(Malformed, u64)> {
        present(Malformed::ALL, |reason| self.stats.malformed_for(reason))
    }

    /// Returns the schemes that are counted separately, the most frequent first, and the number of records
    /// with other schemes.
    pub(super) fn schemes(&self) -> (Vec<(&'a str, u64)>, u64) {
        (self.stats.schemes().sorted(), self.stats.schemes().other())
    }

    pub(super) fn host_kinds(&self) -> Vec<(HostKind, u64)> {
        present(HostKind::ALL, |kind| self.stats.host_kinds(kind))
    }

    pub(super) fn suspicious(&self) -> Vec<(Suspicion, u64)> {
        present(Suspicion::ALL, |suspicion| self.stats.suspicious(suspicion))
    }

    /// Returns the samples of a kind of error.
    pub(super) fn samples(&self, kind: ErrorKind) -> impl Iterator<Item = &'a Sample> {
        of_kind(self.stats.samples(), kind)
    }

    /// Returns the two sides of the comparison, if the run compares two grammars. The records of a side match
    /// the first of the two named grammars, but not the second.
    pub(super) fn sides(&self) -> impl Iterator<Item = (&'a Agreement, Side, &'static str, &'static str)> {
        self.stats.agreement().into_iter().flat_map(|agreement| {
            let (first, second) = (self.read_as.grammar, agreement.grammars()[1].name());
            [(agreement, Side::First, first, second), (agreement, Side::Second, second, first)]
        })
    }

    /// Returns the samples of lines that do not fit their format for this reason.
    pub(super) fn malformed_samples(&self, reason: Malformed) -> impl Iterator<Item = &'a Sample> {
        self.stats.samples().iter().filter(move |sample| sample.problem() == Problem::Malformed(reason))
    }

    /// Returns the hosts of all records, if they were counted, and those of invalid records. Each list comes
    /// with its key and its number of records.
    pub(super) fn hosts(&self) -> impl Iterator<Item = (&'static str, u64, &'a Hosts)> {
        let stats = self.stats;
        let all = stats.hosts().map(|hosts| ("records", stats.records(), hosts));
        all.into_iter().chain([("invalid", stats.invalid(), stats.invalid_hosts())])
    }

    /// Returns the grammar's name for a record.
    pub(super) fn records_are(&self) -> &'static str {
        // Files that were read in several ways have no common grammar.
        self.read_as.grammar.parse::<Grammar>().map_or("record", Grammar::noun)
    }

    /// Returns the sentence with the numbers of valid and invalid records.
    pub(super) fn verdict(&self) -> String {
        let stats = self.stats;
        if stats.lines() == 0 && !self.unreadable.is_empty() && self.unreadable.len() == self.names.len() {
            return "Nothing could be read.".to_owned();
        }
        let noun = self.records_are();
        let (records, lines) = (stats.records(), stats.lines());
        let of = format!("{} in {}", plural(records, noun), plural(lines, "line"));
        let valid = match (records, stats.invalid()) {
            (0, _) => return format!("No {noun}s in {}.", plural(lines, "line")),
            (1, 0) => "it is valid".to_owned(),
            (1, _) => "it is invalid".to_owned(),
            (_, 0) => "all valid".to_owned(),
            (_, invalid) if invalid == records => "none of them valid".to_owned(),
            (_, invalid) => {
                let share = percent(stats.valid(), records);
                format!("{share} valid, {} invalid", grouped(invalid))
            }
        };
        format!("{of}: {valid}.")
    }

    /// Returns the files that could not be read, at most `most` of them by name, each with the reason.
    pub(super) fn unreadable_files(&self, most: usize) -> Option<String> {
        if self.unreadable.is_empty() {
            return None;
        }
        let named = self.unreadable.iter().take(most).map(|(input, reason)| {
            format!("{} ({})", Shown::new(self.names[*input]), Shown::new(reason.as_bytes()))
        });
        let named: Vec<_> = named.collect();
        let more = self.unreadable.len().saturating_sub(most);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let files = plural(self.unreadable.len() as u64, "file");
        Some(format!("{files} could not be read, or not to the end: {}{more}", named.join(", ")))
    }

    /// Returns the number of lines as a sum of its parts, if some lines have no record. Returns `None` for
    /// texts, whose lines hold any number of records.
    pub(super) fn lines_sum(&self) -> Option<String> {
        let stats = self.stats;
        let parts = [
            (stats.records(), self.records_are()),
            (stats.sentinels(), "sentinel"),
            (stats.malformed(), "malformed line"),
            (stats.headers(), "header line"),
            (stats.without_key(), "keyless line"),
            (stats.other_lines(), "other line"),
            (stats.dropped(), "dropped record"),
        ];
        let sum: u64 = parts.iter().map(|(count, _)| count).sum();
        if stats.lines() == stats.records() || stats.lines() != sum {
            return None;
        }
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<_> = parts.map(|&(count, noun)| plural(count, noun)).collect();
        Some(format!("{} = {}", plural(stats.lines(), "line"), parts.join(" + ")))
    }
}

/// Returns the words for the precision of the number of distinct values.
pub(super) fn distinct_is(distinct: &Distinct) -> &'static str {
    if distinct.is_estimate() { "an estimate, within about 2%" } else { "exact" }
}

/// Returns the samples of a kind of error.
pub(super) fn of_kind(samples: &[Sample], kind: ErrorKind) -> impl Iterator<Item = &Sample> {
    let shows =
        move |sample: &&Sample| matches!(sample.problem(), Problem::Invalid(error) if error.kind() == kind);
    samples.iter().filter(shows)
}

/// Returns the errors of the records that match only the grammar of this side, the most frequent first. The
/// other grammar reports them.
pub(super) fn differences(agreement: &Agreement, side: Side) -> Vec<(ErrorKind, u64)> {
    most_first(present(ErrorKind::ALL, |kind| agreement.only_for(side, kind)))
}

/// Returns the values that occur, with their counts.
pub(super) fn present<T: Copy>(all: &[T], count: impl Fn(T) -> u64) -> Vec<(T, u64)> {
    all.iter().map(|&each| (each, count(each))).filter(|&(_, count)| count > 0).collect()
}

/// Sorts the values, the most frequent first.
pub(super) fn most_first<T>(mut counts: Vec<(T, u64)>) -> Vec<(T, u64)> {
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    counts
}
