//! Statistics as a tree of names and values. The command writes it as JSON; language bindings make values of
//! their language.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::time::Duration;

use super::agreement::{Agreement, Side};
use super::counters::Stats;
use super::hosts::{HostCount, Hosts};
use super::samples::{Problem, Sample};
use super::suspicion::Suspicion;
use crate::components::HostKind;
use crate::corpus::{Format, Malformed};
use crate::error::{Component, ErrorKind};
use crate::grammar::Grammar;
use crate::simd::Backend;

/// A value of a [`Summary`]: the kinds of values that JSON has. There will be no others.
///
/// Serde is not used because its data model has no text that may be invalid UTF-8. The command writes such
/// text as an object, Python as bytes; a serializer that does this would be larger than this type.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure<'a> {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A count, or a length in bytes.
    Number(u64),
    /// A mean, or seconds.
    Float(f64),
    /// Text, which may be invalid UTF-8.
    Text(Cow<'a, [u8]>),
    /// Values in order.
    List(Vec<Figure<'a>>),
    /// Names and their values in order. No name occurs twice.
    Map(Members<'a>),
}

/// Names and their values.
pub type Members<'a> = Vec<(Cow<'a, str>, Figure<'a>)>;

/// The format and the grammar of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadAs {
    /// The name of the format.
    pub format: &'static str,
    /// The name of the grammar that judged the records.
    pub grammar: &'static str,
}

impl ReadAs {
    /// Returns the names of this format and grammar, for inputs that all have them.
    pub fn new(format: Format, grammar: Grammar) -> Self {
        ReadAs { format: format.name(), grammar: grammar.name() }
    }

    /// Returns the names for all inputs that have these or the other ones. If two names differ, the result is
    /// `several`.
    ///
    /// ```
    /// use urivalidate::corpus::Format;
    /// use urivalidate::stats::ReadAs;
    /// use urivalidate::Grammar;
    ///
    /// let list = ReadAs::new(Format::Lines, Grammar::Uri);
    /// let both = list.and(ReadAs::new(Format::Csv, Grammar::Uri));
    /// assert_eq!((both.format, both.grammar), ("several", "uri"));
    /// ```
    #[must_use]
    pub fn and(self, other: ReadAs) -> Self {
        let both = |one, other| if one == other { one } else { "several" };
        ReadAs { format: both(self.format, other.format), grammar: both(self.grammar, other.grammar) }
    }
}

/// Statistics, and the facts of the scan that made them.
///
/// ```
/// use std::time::Duration;
/// use urivalidate::corpus::Format;
/// use urivalidate::Grammar;
/// use urivalidate::stats::{Figure, ReadAs, Stats, Summary};
///
/// let stats = Stats::new();
/// let summary = Summary::new(&stats, ReadAs::new(Format::Lines, Grammar::Uri)).elapsed(Duration::from_secs(1)).threads(2);
/// let members = summary.members();
/// assert!(members.contains(&("records".into(), Figure::Number(0))));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Summary<'a> {
    stats: &'a Stats,
    names: &'a [&'a [u8]],
    elapsed: Duration,
    read_as: ReadAs,
    backend: Backend,
    threads: usize,
    top_hosts: Option<usize>,
}

impl<'a> Summary<'a> {
    /// The version of the names and their meanings. It grows when a name is changed, is removed or gets
    /// another meaning, but not when one is added.
    pub const VERSION: u64 = 2;

    /// The percentiles of lengths in the summary.
    pub const PERCENTILES: [u64; 3] = [50, 90, 99];

    /// The name under which schemes that are not counted separately are listed.
    pub const OTHER: &'static str = "other";

    /// Returns a summary of these statistics of inputs that were read like this. The defaults are [the best
    /// backend](Backend::best), one thread, no time, no names and no hosts.
    pub fn new(stats: &'a Stats, read_as: ReadAs) -> Self {
        let (names, elapsed, backend) = (&[][..], Duration::ZERO, Backend::best());
        Summary { stats, names, elapsed, read_as, backend, threads: 1, top_hosts: None }
    }

    /// Sets the names of the inputs, by the [numbers](Sample::input) that samples have.
    #[must_use]
    pub fn names(self, names: &'a [&'a [u8]]) -> Self {
        Summary { names, ..self }
    }

    /// Sets the time of the scan.
    #[must_use]
    pub fn elapsed(self, elapsed: Duration) -> Self {
        Summary { elapsed, ..self }
    }

    /// Sets the backend of the scan.
    #[must_use]
    pub fn backend(self, backend: Backend) -> Self {
        Summary { backend, ..self }
    }

    /// Sets the number of threads that scanned.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Summary { threads, ..self }
    }

    /// Lists this number of the most frequent hosts of invalid records, and of all records if these were
    /// [counted](Stats::with_hosts); `None` lists none.
    #[must_use]
    pub fn top_hosts(self, top_hosts: Option<usize>) -> Self {
        Summary { top_hosts, ..self }
    }

    /// Returns the number of scanned bytes per second, or 0 if the scan took no time.
    pub fn bytes_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.stats.bytes() as f64 / seconds } else { 0.0 }
    }

    /// Returns the whole tree, with the names that `urivalidate --stats=json` prints.
    pub fn members(&self) -> Members<'a> {
        let stats = self.stats;
        let mut members = vec![
            number("bytes", stats.bytes()),
            number("lines", stats.lines()),
            number("records", stats.records()),
            number("valid", stats.valid()),
            number("invalid", stats.invalid()),
            number("empty", stats.empty()),
            ("grammar".into(), text(self.read_as.grammar)),
            ("format".into(), text(self.read_as.format)),
            ("backend".into(), text(self.backend.name())),
            number("threads", self.threads as u64),
            ("elapsed_seconds".into(), Figure::Float(self.elapsed.as_secs_f64())),
            number("bytes_per_second", self.bytes_per_second() as u64),
            counts("errors", present(ErrorKind::ALL, |kind| (kind.name(), stats.errors(kind)))),
            counts("error_components", self.error_components()),
            counts("components", all(Component::ALL, |one| (one.name(), stats.components(one)))),
            counts("host_kinds", present(HostKind::ALL, |kind| (kind.name(), stats.host_kinds(kind)))),
            counts("schemes", self.schemes()),
            number("other_schemes", stats.schemes().other()),
            counts(
                "suspicious",
                all(Suspicion::ALL, |suspicion| (suspicion.name(), stats.suspicious(suspicion))),
            ),
            ("length".into(), Figure::Map(self.length())),
            ("samples".into(), Figure::Map(self.samples())),
            number("sentinels", stats.sentinels()),
            number("malformed_lines", stats.malformed()),
            number("without_key", stats.without_key()),
            number("headers", stats.headers()),
            number("other_lines", stats.other_lines()),
            number("dropped", stats.dropped()),
            ("malformed_reasons".into(), Figure::List(self.malformed_reasons())),
        ];
        if let Some(shown) = self.top_hosts {
            let all = stats.hosts().map(|hosts| ("records", hosts));
            let hosts = all.into_iter().chain([("invalid", stats.invalid_hosts())]);
            let hosts = hosts.map(|(name, hosts)| (name.into(), top_hosts(hosts, shown)));
            members.push(("top_hosts".into(), Figure::Map(hosts.collect())));
        }
        if let Some(agreement) = stats.agreement() {
            members.push(("also".into(), Figure::Map(self.also(agreement))));
        }
        if let Some((form, records)) = stats.normal() {
            let normal = vec![("form".into(), text(form.name())), number("records", records)];
            members.push(("normal".into(), Figure::Map(normal)));
        }
        if let Some((column, distinct)) = stats.distinct() {
            let distinct = vec![
                ("column".into(), text(column.name())),
                number("count", distinct.count()),
                ("estimate".into(), Figure::Bool(distinct.is_estimate())),
            ];
            members.push(("distinct".into(), Figure::Map(distinct)));
        }
        members
    }

    fn error_components(&self) -> Vec<(&'static str, u64)> {
        let of = |component| self.stats.error_components(component);
        let mut counts = present(Component::ALL, |component| (component.name(), of(Some(component))));
        counts.extend(Some(("none", of(None))).filter(|&(_, count)| count > 0));
        counts
    }

    /// Returns the counts of schemes. A scheme with the name `other` is added to the schemes that are not
    /// counted separately.
    fn schemes(&self) -> Vec<(&'a str, u64)> {
        let (mut schemes, other) = (self.stats.schemes().sorted(), self.stats.schemes().other());
        if other > 0 {
            let named = schemes.iter().position(|&(name, _)| name == Self::OTHER);
            let named = named.map_or(0, |at| schemes.remove(at).1);
            schemes.push((Self::OTHER, other + named));
        }
        schemes
    }

    fn length(&self) -> Members<'a> {
        let lengths = self.stats.lengths();
        let number = |length: Option<u64>| length.map_or(Figure::Null, Figure::Number);
        let mut members: Members<'_> = vec![
            ("min".into(), number(lengths.min())),
            ("max".into(), number(lengths.max())),
            ("mean".into(), lengths.mean().map_or(Figure::Null, Figure::Float)),
        ];
        let percentile = |percent| (format!("p{percent}").into(), number(lengths.percentile(percent)));
        members.extend(Self::PERCENTILES.map(percentile));
        members
    }

    /// Returns the samples by the kind of error, and then those of lines that do not fit their format.
    fn samples(&self) -> Members<'a> {
        let errors = present(ErrorKind::ALL, |kind| (kind.name(), self.stats.errors(kind)));
        let malformed = Some((Problem::MALFORMED, self.stats.malformed())).filter(|&(_, count)| count > 0);
        let kinds = errors.into_iter().chain(malformed);
        kinds.map(|(kind, _)| (kind.into(), self.samples_of(kind, self.stats.samples()))).collect()
    }

    fn samples_of(&self, kind: &str, samples: &'a [Sample]) -> Figure<'a> {
        let samples = samples.iter().filter(|sample| sample.problem().kind() == kind);
        Figure::List(samples.map(|sample| Figure::Map(self.sample(sample))).collect())
    }

    fn sample(&self, sample: &'a Sample) -> Members<'a> {
        let bytes = |bytes: &'a [u8]| Figure::Text(bytes.into());
        let file = self.names.get(sample.input()).copied().unwrap_or_default();
        let mut members = vec![
            ("file".into(), bytes(file)),
            number("line", sample.line()),
            number("column", sample.column()),
            number("error_column", sample.error_column()),
            ("text".into(), bytes(sample.text())),
            number("text_start", sample.text_start()),
            number("length", sample.length()),
            ("offset".into(), sample.problem().offset().map_or(Figure::Null, Figure::Number)),
            ("message".into(), text(sample.problem().to_string())),
        ];
        if let Problem::Malformed(reason) = sample.problem() {
            members.push(("reason".into(), text(reason.name())));
        }
        members
    }

    /// Returns the verdicts of another grammar on the records.
    fn also(&self, agreement: &'a Agreement) -> Members<'a> {
        let side = |side| {
            let mut errors = present(ErrorKind::ALL, |kind| (kind.name(), agreement.only_for(side, kind)));
            errors.sort_by_key(|&(_, count)| Reverse(count));
            let samples =
                errors.iter().map(|&(kind, _)| (kind.into(), self.samples_of(kind, agreement.samples(side))));
            let samples = Figure::Map(samples.collect());
            let count = number("count", agreement.only(side));
            Figure::Map(vec![count, counts("errors", errors), ("samples".into(), samples)])
        };
        vec![
            ("grammar".into(), text(agreement.grammars()[1].name())),
            number("both", agreement.both()),
            number("neither", agreement.neither()),
            ("first_only".into(), side(Side::First)),
            ("second_only".into(), side(Side::Second)),
        ]
    }

    fn malformed_reasons(&self) -> Vec<Figure<'a>> {
        let reasons = Malformed::ALL.iter().map(|&reason| (reason, self.stats.malformed_for(reason)));
        let reasons = reasons.filter(|&(_, count)| count > 0);
        let entry = |(reason, count): (Malformed, u64)| {
            let (name, message) = (text(reason.name()), text(reason.message()));
            Figure::Map(vec![("reason".into(), name), ("message".into(), message), number("count", count)])
        };
        reasons.map(entry).collect()
    }
}

fn number<'a>(name: &'static str, number: u64) -> (Cow<'a, str>, Figure<'a>) {
    (name.into(), Figure::Number(number))
}

fn text<'a>(text: impl Into<Cow<'a, str>>) -> Figure<'a> {
    Figure::Text(match text.into() {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    })
}

fn counts<'a>(name: &'static str, counts: Vec<(&'a str, u64)>) -> (Cow<'a, str>, Figure<'a>) {
    let counts = counts.into_iter().map(|(name, count)| (name.into(), Figure::Number(count)));
    (name.into(), Figure::Map(counts.collect()))
}

fn all<T: Copy>(all: &[T], count: impl Fn(T) -> (&'static str, u64)) -> Vec<(&'static str, u64)> {
    all.iter().map(|&each| count(each)).collect()
}

/// Returns the items that occur, with their counts.
fn present<T: Copy>(items: &[T], count: impl Fn(T) -> (&'static str, u64)) -> Vec<(&'static str, u64)> {
    let mut counts = all(items, count);
    counts.retain(|&(_, count)| count > 0);
    counts
}

fn top_hosts<'a>(hosts: &'a Hosts, shown: usize) -> Figure<'a> {
    let entry = |(host, count): (&'a [u8], HostCount)| {
        Figure::Map(vec![
            ("host".into(), Figure::Text(host.into())),
            number("count", count.count),
            number("missed", count.missed),
        ])
    };
    let top = hosts.top(shown).into_iter().map(entry).collect();
    Figure::Map(vec![
        ("estimate".into(), Figure::Bool(hosts.is_estimate())),
        ("hosts".into(), Figure::List(top)),
    ])
}
