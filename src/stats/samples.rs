//! Samples: records and lines with a problem.

use super::suspicion::Suspicion;
use crate::corpus::{Malformed, Scanned};
use crate::error::{Component, Error, ErrorKind, Found};

/// The problem of a line: its record is invalid or suspicious, or it does not fit its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The record is invalid.
    Invalid(Error),
    /// The line does not fit its format, and so has no record.
    Malformed(Malformed),
    /// The record is valid, but suspicious. Statistics have no samples of such records.
    Suspicious(Suspicion),
}

impl Problem {
    /// The name of the problem of a line that does not fit its format.
    pub const MALFORMED: &'static str = "malformed-line";

    /// The name of the problem of a suspicious record.
    pub const SUSPICIOUS: &'static str = "suspicious";

    /// Returns the name of the [`ErrorKind`](crate::ErrorKind), [`Problem::MALFORMED`] or
    /// [`Problem::SUSPICIOUS`].
    pub fn kind(self) -> &'static str {
        match self {
            Problem::Invalid(error) => error.kind().name(),
            Problem::Malformed(_) => Self::MALFORMED,
            Problem::Suspicious(_) => Self::SUSPICIOUS,
        }
    }

    /// Returns the component with the error of an invalid record.
    pub fn component(self) -> Option<Component> {
        match self {
            Problem::Invalid(error) => error.component(),
            Problem::Malformed(_) | Problem::Suspicious(_) => None,
        }
    }

    /// Returns the character that [the grammar forbids](crate::Error::character) in an invalid record.
    pub fn character(self) -> Option<Found> {
        match self {
            Problem::Invalid(error) => error.character(),
            Problem::Malformed(_) | Problem::Suspicious(_) => None,
        }
    }

    /// Returns the 0-based byte of an invalid record at which the error lies.
    pub fn offset(self) -> Option<u64> {
        match self {
            Problem::Invalid(error) => Some(error.offset() as u64),
            Problem::Malformed(_) | Problem::Suspicious(_) => None,
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Invalid(error) => error.fmt(f),
            Problem::Malformed(reason) => f.write_str(reason.message()),
            Problem::Suspicious(reason) => write!(f, "{reason}: {}", reason.message()),
        }
    }
}

/// A sample of a problem: an invalid record, or a line that does not fit its format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub(super) input: usize,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) error_column: u64,
    pub(super) problem: Problem,
    pub(super) text: Vec<u8>,
    pub(super) text_start: u64,
    pub(super) length: u64,
}

impl Sample {
    /// The most samples for each kind of error, and for each reason why a line does not fit its format,
    /// unless [`with_samples`](crate::stats::Stats::with_samples) sets another number.
    pub const PER_KIND: u64 = 5;

    /// The longest text of a sample in bytes.
    pub const MAX_TEXT: usize = 512;

    /// Returns a sample of a record or line of `length` bytes. `bytes` are all its bytes or the first ones;
    /// `place` is its line, its column, and the column of the error.
    pub(super) fn new(bytes: &[u8], length: u64, place: (u64, u64, u64), problem: Problem) -> Self {
        // The text has the error in the middle, and is cut between characters.
        let is_inside = |at: usize| bytes.get(at).is_some_and(|&byte| byte & 0xC0 == 0x80);
        let offset = problem.offset().map_or(0, |offset| offset as usize);
        let last_start = bytes.len().saturating_sub(Self::MAX_TEXT);
        let start = offset.saturating_sub(Self::MAX_TEXT / 2).min(last_start);
        let end = bytes.len().min(start + Self::MAX_TEXT);
        let start = (start..start + 3).find(|&at| start == 0 || !is_inside(at)).unwrap_or(start + 3).min(end);
        let end = (end.saturating_sub(3)..=end).rev().find(|&at| !is_inside(at)).unwrap_or(end).max(start);
        let text = bytes[start..end].to_vec();
        let (line, column, error_column) = place;
        Sample { input: 0, line, column, error_column, problem, text, text_start: start as u64, length }
    }

    /// Returns the 0-based number of the input, as set by
    /// [`Stats::set_input`](crate::stats::Stats::set_input).
    pub fn input(&self) -> usize {
        self.input
    }

    /// Returns the 1-based number of the line in its input.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns the 1-based byte of the line at which the record starts.
    pub fn column(&self) -> u64 {
        self.column
    }

    /// Returns the 1-based byte of the line with the error, before any unescaping. If the line does not fit
    /// its format, it is the same as [`column`](Self::column).
    pub fn error_column(&self) -> u64 {
        self.error_column
    }

    /// Returns the problem.
    pub fn problem(&self) -> Problem {
        self.problem
    }

    /// Returns the bytes of the record, or of the line that does not fit its format. A long text is cut
    /// between characters, to at most [`Sample::MAX_TEXT`] bytes around the error.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// Returns the 0-based byte of the record at which the text starts.
    pub fn text_start(&self) -> u64 {
        self.text_start
    }

    /// Returns the length of the whole record in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns a sample of an invalid record in a chunk that follows the first `lines` lines of the same
    /// input.
    pub(super) fn of_record(scanned: &Scanned<'_>, index: usize, error: Error, lines: u64) -> Self {
        let line = lines + scanned.line_number(index).unwrap_or_default() + 1;
        let start = scanned.start_column(index).unwrap_or_default();
        let place = (line, start, scanned.error_column(index, error.offset()).unwrap_or_default());
        let record = scanned.record(index).unwrap_or_default();
        Sample::new(record, scanned.length(index).unwrap_or_default(), place, Problem::Invalid(error))
    }
}

/// The number of problems: kinds of errors, reasons why lines do not fit their format, and reasons why records
/// are suspicious.
const PROBLEMS: usize = ErrorKind::ALL.len() + Malformed::ALL.len() + Suspicion::ALL.len();

/// The first samples of each problem.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    list: Vec<Sample>,
    /// The number of samples for each problem.
    counts: [u64; PROBLEMS],
    /// The most samples for each problem.
    per_kind: u64,
}

impl Default for Samples {
    fn default() -> Self {
        Samples { list: Vec::new(), counts: [0; PROBLEMS], per_kind: Sample::PER_KIND }
    }
}

impl Samples {
    /// Sets the most samples for each problem.
    pub(super) fn keep(&mut self, per_kind: u64) {
        self.per_kind = per_kind;
    }

    pub(super) fn per_kind(&self) -> u64 {
        self.per_kind
    }

    /// Returns true if this problem has too few samples.
    pub(super) fn wants(&self, problem: Problem) -> bool {
        self.counts[number(problem)] < self.per_kind
    }

    /// Adds a sample, unless its problem has enough samples.
    pub(super) fn push(&mut self, sample: Sample) {
        if self.wants(sample.problem) {
            self.counts[number(sample.problem)] += 1;
            self.list.push(sample);
        }
    }

    /// Adds the samples of lines that follow the first `lines` lines.
    pub(super) fn add(&mut self, other: &Samples, lines: u64) {
        for sample in &other.list {
            if self.wants(sample.problem) {
                self.push(Sample { line: lines + sample.line, ..sample.clone() });
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.counts.fill(0);
    }

    pub(super) fn as_slice(&self) -> &[Sample] {
        &self.list
    }

    pub(super) fn set_input(&mut self, input: usize) {
        self.list.iter_mut().for_each(|sample| sample.input = input);
    }
}

/// Returns the 0-based number of a problem.
fn number(problem: Problem) -> usize {
    match problem {
        Problem::Invalid(error) => error.kind() as usize,
        Problem::Malformed(reason) => ErrorKind::ALL.len() + reason as usize,
        Problem::Suspicious(reason) => ErrorKind::ALL.len() + Malformed::ALL.len() + reason as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grammar, parse};

    #[test]
    fn long_texts_are_cut_around_the_error() {
        for (before, after) in [(0, 600), (300, 600), (600, 600), (600, 10), (100, 100)] {
            let record = format!("{}{}x {}", "a:", "b".repeat(before), "c".repeat(after));
            let error = parse(Grammar::Uri, record.as_bytes()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Space);
            let sample =
                Sample::new(record.as_bytes(), record.len() as u64, (1, 1, 1), Problem::Invalid(error));
            let from = sample.text_start as usize;
            assert_eq!(sample.text, &record.as_bytes()[from..record.len().min(from + Sample::MAX_TEXT)]);
            assert_eq!(sample.text[error.offset() - from], b' ', "{before} {after}");
        }
    }
    #[test]
    fn texts_are_cut_between_characters() {
        for shift in 0..4 {
            let record = format!("a:{}{}{}{}", "x".repeat(shift), "é".repeat(400), " ", "€".repeat(400));
            let error = parse(Grammar::Iri, record.as_bytes()).unwrap_err();
            let sample =
                Sample::new(record.as_bytes(), record.len() as u64, (1, 1, 1), Problem::Invalid(error));
            let text = str::from_utf8(&sample.text).unwrap();
            assert!(
                text.contains(' ') && text.len() > Sample::MAX_TEXT - 8 && text.len() <= Sample::MAX_TEXT
            );
            assert!(record[sample.text_start as usize..].starts_with(text));
        }
    }
}
