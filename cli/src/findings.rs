//! Findings: the problems that fail a check. These are invalid records, lines that do not fit their format
//! and, if the user denies them, suspicious records; without those that the user ignores or knows.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::AddAssign;
use std::path::Path;

use regex::bytes::{Regex, RegexSet};
use urivalidate::corpus::{Chunk, Format, MalformedLine, ProblemAt, Scanned};
use urivalidate::stats::{Problem, Suspicion};
use urivalidate::{Columns, Request};

use crate::args::{Args, is_hyphen};
use crate::baseline::{self, Counts, Folder, Key};
use crate::marked_lines::{MarkState, MarkedLines, has_marks, holds_mark};
use crate::paths::path_of;

/// The choices of the user about findings.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    ignored: RegexSet,
    ignores_comments: bool,
    denied: Vec<Suspicion>,
    /// The known findings, if there is a baseline, and its folder.
    baseline: Option<(Counts, Folder)>,
    /// The folder of the baseline to write.
    writes: Option<Folder>,
    /// Whether the first finding ends the run.
    ends_at_first: bool,
}

/// The numbers of findings, and of problems that are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FindingCounts {
    pub(crate) findings: u64,
    /// Those that `--ignore` and `--ignore-file` name.
    ignored: u64,
    /// Comments and blank lines of lists.
    comments: u64,
    /// Those in marked lines of documents.
    marked: u64,
    /// Those of the baseline.
    known: u64,
}

impl AddAssign for FindingCounts {
    fn add_assign(&mut self, other: Self) {
        self.findings += other.findings;
        self.ignored += other.ignored;
        self.comments += other.comments;
        self.marked += other.marked;
        self.known += other.known;
    }
}

impl FindingCounts {
    /// Returns the numbers if each problem is a finding.
    pub(crate) fn of(findings: u64) -> Self {
        FindingCounts { findings, ..FindingCounts::default() }
    }

    /// Returns notes about problems that are no findings: each with what it is about.
    pub(crate) fn sentences(&self) -> Vec<(&'static str, String)> {
        let problems =
            |count: u64| if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
        let lines = |count: u64| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
        let all = [
            ("--ignore", self.ignored, problems(self.ignored) + " ignored"),
            (
                "--comments",
                self.comments,
                lines(self.comments) + " of lists ignored: comments and blank lines",
            ),
            (
                "urivalidate-ignore",
                self.marked,
                problems(self.marked) + " ignored in marked lines of documents",
            ),
            ("--baseline", self.known, problems(self.known) + " known"),
        ];
        let all = all.into_iter().filter(|&(_, count, _)| count > 0);
        all.map(|(about, _, text)| (about, text)).collect()
    }
}

/// The knowledge from the chunks before, in input order.
#[derive(Debug, Default)]
pub(crate) struct Before {
    /// The state of the document.
    pub(crate) marks: MarkState,
    /// The numbers of the findings that are in the baseline.
    known: Counts,
    /// The findings of this piece that are in the baseline, if the run may end in it.
    known_in_piece: Vec<Key>,
    /// All findings, if a baseline is written.
    found: Counts,
    name: Name,
}

impl Before {
    /// Begins a piece of a chunk.
    pub(crate) fn begin_piece(&mut self) {
        self.known_in_piece.clear();
    }

    /// Forgets the findings of the last piece.
    pub(crate) fn undo(&mut self) {
        for key in self.known_in_piece.drain(..) {
            *self.known.entry(key).or_default() -= 1;
        }
    }
}

/// The name of a file in the baseline. It is kept for the file's next finding, because it takes calls of the
/// system.
#[derive(Debug, Default)]
struct Name {
    file: Vec<u8>,
    name: Vec<u8>,
}

impl Name {
    fn of(&mut self, folder: &Folder, file: &[u8]) -> Vec<u8> {
        if self.file != file {
            (self.file, self.name) = (file.to_owned(), name_in(folder, file));
        }
        self.name.clone()
    }
}

/// The findings of a piece of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The invalid records that are no findings, in order.
    unreported_records: Vec<u32>,
    /// The lines and columns of malformed lines that are no findings, in order.
    unreported_lines: Vec<(u64, u64)>,
    /// The suspicious records that are findings, in order.
    denied: Vec<(u32, Suspicion)>,
}

/// The findings of a piece, with their numbers.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    pub(crate) findings: Findings,
    pub(crate) counts: FindingCounts,
    /// The finding that ends the run.
    pub(crate) last: Option<FindingAt<'a>>,
}

/// The findings of some records of a piece.
#[derive(Clone, Copy)]
pub(crate) struct SomeFindings<'a> {
    findings: &'a Findings,
    /// The index of the first record in the piece.
    first: usize,
}

/// A finding, or a problem that may be one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FindingAt<'a> {
    Problem(ProblemAt<'a>),
    /// A suspicious record, by its index.
    Suspicious(usize, Suspicion),
}

impl FindingAt<'_> {
    /// Returns the 0-based number of its line in the chunk.
    pub(crate) fn line(self, scanned: &Scanned<'_>) -> Option<u64> {
        match self {
            FindingAt::Problem(ProblemAt::Line(line)) => Some(line.line),
            FindingAt::Problem(ProblemAt::Record(record)) => scanned.line_number(record.index as usize),
            FindingAt::Suspicious(index, _) => scanned.line_number(index),
        }
    }
}

impl Gate {
    /// Returns the choices of the command line.
    ///
    /// # Errors
    ///
    /// Returns a message about a faulty expression, or about a file that cannot be read.
    pub(crate) fn new(args: &Args) -> Result<Self, String> {
        let of_file = |option: &str, path: &Path, error: io::Error| {
            format!("{option} {}: {}", path.display(), crate::output::reason(&error))
        };
        let of_option = |pattern: &String| (pattern.clone(), "--ignore".to_owned());
        let mut patterns: Vec<_> = args.ignore.iter().map(of_option).collect();
        if let Some(path) = &args.ignore_file {
            let text = fs::read_to_string(path).map_err(|error| of_file("--ignore-file", path, error))?;
            let lines = (1..).zip(text.lines().map(str::trim_end));
            let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
            let of_line = |(number, line): (u64, &str)| {
                (line.to_owned(), format!("--ignore-file {}:{number}", path.display()))
            };
            patterns.extend(lines.map(of_line));
        }
        let ignored = match RegexSet::new(patterns.iter().map(|(pattern, _)| pattern)) {
            Ok(ignored) => ignored,
            Err(error) => {
                let is_faulty = |(pattern, _): &&(String, String)| Regex::new(pattern).is_err();
                let about = patterns.iter().find(is_faulty).map_or("--ignore", |(_, about)| about);
                return Err(format!("{about}: {error}"));
            }
        };
        let baseline = args.baseline.as_ref().map(|path| {
            let counts = baseline::read(path).map_err(|error| of_file("--baseline", path, error))?;
            Ok::<_, String>((counts, Folder::of(path)))
        });
        Ok(Gate {
            ignored,
            ignores_comments: args.comments,
            denied: args.denied(),
            baseline: baseline.transpose()?,
            writes: args.write_baseline.as_deref().map(Folder::of),
            ends_at_first: args.fail_fast,
        })
    }

    /// Returns true if each problem of a chunk is a finding, and nothing else is, unless the chunks before mark
    /// its lines. Searches the chunk.
    pub(crate) fn is_open(&self, chunk: &Chunk<'_>) -> bool {
        self.has_no_choices() && !(has_marks(chunk.layout().format()) && holds_mark(chunk.bytes()))
    }

    /// Returns true if the chunks before may mark lines of a chunk.
    pub(crate) fn may_be_marked_before(&self, chunk: &Chunk<'_>) -> bool {
        chunk.base() > 0 && has_marks(chunk.layout().format())
    }

    /// Returns true if the user has made no choices about findings.
    pub(crate) fn has_no_choices(&self) -> bool {
        self.ignored.is_empty()
            && !self.ignores_comments
            && self.denied.is_empty()
            && self.baseline.is_none()
            && self.writes.is_none()
    }

    /// Returns true if the findings of a chunk depend on the chunks before.
    pub(crate) fn needs_order(&self, chunk: &Chunk<'_>) -> bool {
        self.baseline.is_some() || self.writes.is_some() || self.may_be_marked_before(chunk)
    }

    /// Returns the request for a scan.
    pub(crate) fn request(&self) -> Request {
        if self.denied.is_empty() { Request::default() } else { Columns::ALL.into() }
    }

    /// Returns true if a piece may have findings.
    pub(crate) fn may_have_findings(&self, scanned: &Scanned<'_>) -> bool {
        scanned.first_bad_line().is_some() || !self.denied_records(scanned).is_empty()
    }

    /// Returns the findings of a piece of the file of this name, up to the one that ends the run. `marked` are
    /// the marked lines of the chunk.
    pub(crate) fn findings<'s>(
        &self,
        scanned: &Scanned<'s>,
        file: &[u8],
        marked: &MarkedLines,
        before: &mut Before,
    ) -> Found<'s> {
        let (mut findings, mut counts) = (Findings::default(), FindingCounts::default());
        let denied = self.denied_records(scanned);
        for at in merged(scanned, &denied, 0) {
            let is_finding = self.is_finding(scanned, at, file, marked, before, &mut counts);
            match at {
                FindingAt::Problem(ProblemAt::Record(record)) if !is_finding => {
                    findings.unreported_records.push(record.index);
                }
                FindingAt::Problem(ProblemAt::Line(line)) if !is_finding => {
                    findings.unreported_lines.push((line.line, line.column));
                }
                FindingAt::Suspicious(index, reason) if is_finding => {
                    findings.denied.push((index as u32, reason));
                }
                _ => {}
            }
            counts.findings += u64::from(is_finding);
            if is_finding && self.ends_at_first {
                return Found { findings, counts, last: Some(at) };
            }
        }
        Found { findings, counts, last: None }
    }

    fn is_finding(
        &self,
        scanned: &Scanned<'_>,
        at: FindingAt<'_>,
        file: &[u8],
        marked: &MarkedLines,
        before: &mut Before,
        counts: &mut FindingCounts,
    ) -> bool {
        let index = match at {
            FindingAt::Problem(ProblemAt::Line(_)) => None,
            FindingAt::Problem(ProblemAt::Record(record)) => Some(record.index as usize),
            FindingAt::Suspicious(index, _) => Some(index),
        };
        // The bytes of a mapped file can change, but an engine that reads them twice expects that they do
        // not.
        let record = index.and_then(|index| scanned.record(index)).map(<[u8]>::to_vec);
        if let Some(record) = &record {
            let is_list = scanned.chunk().layout().format() == Format::Lines;
            let text = record.trim_ascii_start();
            if self.ignores_comments && is_list && (text.is_empty() || text.starts_with(b"#")) {
                counts.comments += 1;
                return false;
            }
            if self.ignored.is_match(record) {
                counts.ignored += 1;
                return false;
            }
        }
        if at.line(scanned).is_some_and(|line| marked.contain(line)) {
            counts.marked += 1;
            return false;
        }
        if self.baseline.is_none() && self.writes.is_none() {
            return true;
        }
        let (kind, record) = match at {
            FindingAt::Problem(ProblemAt::Record(found)) => {
                (found.error.kind().name().to_owned(), record.unwrap_or_default())
            }
            FindingAt::Problem(ProblemAt::Line(line)) => {
                (Problem::MALFORMED.to_owned(), line.reason.name().as_bytes().to_vec())
            }
            FindingAt::Suspicious(_, reason) => {
                (format!("{}:{reason}", Problem::SUSPICIOUS), record.unwrap_or_default())
            }
        };
        let key = |folder, name: &mut Name| Key { file: name.of(folder, file), kind, record };
        if let Some(folder) = &self.writes {
            *before.found.entry(key(folder, &mut before.name)).or_default() += 1;
            return true;
        }
        let Some((known, folder)) = &self.baseline else { return true };
        let key = key(folder, &mut before.name);
        let Some(&most) = known.get(&key) else { return true };
        let in_piece = self.ends_at_first.then(|| key.clone());
        let come = before.known.entry(key).or_default();
        if *come == most {
            return true;
        }
        *come += 1;
        before.known_in_piece.extend(in_piece);
        counts.known += 1;
        false
    }

    /// Returns the valid records that are suspicious for a denied reason, each with the first such reason.
    fn denied_records(&self, scanned: &Scanned<'_>) -> Vec<(u32, Suspicion)> {
        if self.denied.is_empty() {
            return Vec::new();
        }
        let reason = |index: usize| {
            let components = scanned.verdict(index)?.ok()?;
            let mut reasons = Suspicion::of(scanned.record(index)?, &components);
            reasons.find(|reason| self.denied.contains(reason))
        };
        (0..scanned.len()).filter_map(|index| Some((index as u32, reason(index)?))).collect()
    }

    /// Returns the text of the baseline to write, and the number of its findings.
    pub(crate) fn baseline_to_write(&self, before: &Before) -> Option<(Vec<u8>, u64)> {
        self.writes.as_ref()?;
        Some((baseline::written(&before.found), before.found.values().sum()))
    }

    /// Returns a sentence about findings of the baseline that did not come, in the files that were read to
    /// their ends or are not there any more.
    pub(crate) fn about_gone(&self, before: &Before, files: &[&[u8]]) -> Option<String> {
        let (known, folder) = self.baseline.as_ref()?;
        let scanned: std::collections::BTreeSet<_> = files.iter().map(|file| name_in(folder, file)).collect();
        let mut by_file = BTreeMap::new();
        for (key, count) in known {
            let left = count - before.known.get(key).copied().unwrap_or_default();
            if left > 0 && (scanned.contains(&key.file) || !folder.has(&key.file)) {
                let gone: &mut u64 = by_file.entry(&key.file).or_default();
                *gone = gone.saturating_add(left);
            }
        }
        let gone = by_file.values().fold(0, |gone: u64, more| gone.saturating_add(*more));
        let problems = if gone == 1 { "1 problem is".to_owned() } else { format!("{gone} problems are") };
        (gone > 0).then(|| format!("{problems} gone; --write-baseline writes the baseline anew"))
    }
}

/// Returns the name of an input in a baseline.
fn name_in(folder: &Folder, file: &[u8]) -> Vec<u8> {
    match path_of(file) {
        Ok(path) if !is_hyphen(&path) => folder.relative(&path),
        _ => file.to_owned(),
    }
}

impl<'a> SomeFindings<'a> {
    pub(crate) fn of(findings: &'a Findings) -> Self {
        SomeFindings { findings, first: 0 }
    }

    /// Returns the findings of the records from `first` on.
    pub(crate) fn from(self, first: usize) -> Self {
        SomeFindings { first, ..self }
    }

    /// Returns the findings among these records, in their order.
    pub(crate) fn among<'s>(
        self,
        scanned: &Scanned<'s>,
    ) -> impl Iterator<Item = FindingAt<'s>> + use<'a, 's> {
        let end = self.first + scanned.len();
        let denied = &self.findings.denied;
        let denied = &denied[denied.partition_point(|&(index, _)| (index as usize) < self.first)..];
        let denied = &denied[..denied.partition_point(|&(index, _)| (index as usize) < end)];
        merged(scanned, denied, self.first).filter(move |&at| match at {
            FindingAt::Problem(ProblemAt::Record(record)) => self.reports(record.index as usize),
            FindingAt::Problem(ProblemAt::Line(line)) => self.reports_line(line),
            FindingAt::Suspicious(..) => true,
        })
    }

    fn reports(self, index: usize) -> bool {
        self.findings.unreported_records.binary_search(&((self.first + index) as u32)).is_err()
    }

    fn reports_line(self, line: &MalformedLine) -> bool {
        self.findings.unreported_lines.binary_search(&(line.line, line.column)).is_err()
    }

    /// Returns true if no valid record is a finding.
    pub(crate) fn has_no_denied(self) -> bool {
        self.findings.denied.is_empty()
    }

    /// Returns true if the record is valid, but a finding.
    pub(crate) fn denies(self, index: usize) -> bool {
        let denied = &self.findings.denied;
        denied.binary_search_by_key(&((self.first + index) as u32), |&(index, _)| index).is_ok()
    }
}

/// Returns the problems of a piece and these suspicious records, in their order. The indices of suspicious
/// records count from `first`.
fn merged<'s, 'd>(
    scanned: &Scanned<'s>,
    denied: &'d [(u32, Suspicion)],
    first: usize,
) -> impl Iterator<Item = FindingAt<'s>> + use<'s, 'd> {
    let scanned = *scanned;
    let mut problems = scanned.problems().peekable();
    let mut denied = denied.iter().map(move |&(index, reason)| (index as usize - first, reason)).peekable();
    std::iter::from_fn(move || {
        let is_before = |&(index, _): &(usize, Suspicion)| match problems.peek() {
            None => true,
            Some(ProblemAt::Record(record)) => index < record.index as usize,
            Some(ProblemAt::Line(line)) => {
                let place = scanned.line_number(index).zip(scanned.start_column(index));
                place < Some((line.line, line.column))
            }
        };
        match denied.next_if(is_before) {
            Some((index, reason)) => Some(FindingAt::Suspicious(index, reason)),
            None => problems.next().map(FindingAt::Problem),
        }
    })
}
