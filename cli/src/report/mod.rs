//! Statistics for people and for programs.

mod files;
mod table;

use std::time::Duration;

use urivalidate::{Component, ErrorKind, HostKind, Hosts, Sample, Stats, Suspicion};

use crate::args::Args;
use crate::json::{self, Object};
use crate::output::Failure;
use crate::shown::Shown;
use crate::style::Styles;
pub(crate) use files::Files;
use table::Table;

/// What has been counted, and how.
pub(crate) struct Report<'a> {
    args: &'a Args,
    stats: &'a Stats,
    /// Of all inputs.
    names: &'a [&'a [u8]],
    elapsed: Duration,
    read_as: ReadAs,
}

/// How inputs were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadAs {
    pub(crate) format: &'static str,
    pub(crate) grammar: &'static str,
}

impl ReadAs {
    /// How both were read: what differs is `several`.
    pub(crate) fn and(self, other: ReadAs) -> Self {
        let both = |one, other| if one == other { one } else { "several" };
        ReadAs { format: both(self.format, other.format), grammar: both(self.grammar, other.grammar) }
    }
}

/// The key of the schemes that are not told apart.
const OTHER: &str = "other";

/// The percentiles of lengths that are told.
const PERCENTILES: [u64; 3] = [50, 90, 99];

impl<'a> Report<'a> {
    pub(crate) fn new(
        args: &'a Args,
        stats: &'a Stats,
        names: &'a [&'a [u8]],
        elapsed: Duration,
        read_as: ReadAs,
    ) -> Self {
        Report { args, stats, names, elapsed, read_as }
    }

    fn bytes_per_second(&self) -> f64 {
        let seconds = self.elapsed.as_secs_f64();
        if seconds > 0.0 { self.stats.bytes as f64 / seconds } else { 0.0 }
    }

    fn errors(&self) -> Vec<(ErrorKind, u64)> {
        present(ErrorKind::ALL, |kind| self.stats.errors(kind))
    }

    fn error_components(&self) -> Vec<(&'static str, u64)> {
        let named = present(Component::ALL, |component| self.stats.error_components(Some(component)));
        let mut counts: Vec<_> =
            named.into_iter().map(|(component, count)| (component.name(), count)).collect();
        counts.extend(Some(("none", self.stats.error_components(None))).filter(|&(_, count)| count > 0));
        counts
    }

    /// The most frequent first. One that is called `other` is among those that are not told apart, which come last.
    fn schemes(&self) -> Vec<(&'a str, u64)> {
        let schemes = &self.stats.schemes;
        let mut counts = schemes.sorted();
        if schemes.other() > 0 {
            let named =
                counts.iter().position(|&(name, _)| name == OTHER).map_or(0, |at| counts.remove(at).1);
            counts.push((OTHER, schemes.other() + named));
        }
        counts
    }

    fn host_kinds(&self) -> Vec<(HostKind, u64)> {
        present(HostKind::ALL, |kind| self.stats.host_kinds(kind))
    }

    fn samples(&self, kind: ErrorKind) -> impl Iterator<Item = &'a Sample> {
        self.stats.samples().iter().filter(move |sample| sample.error.kind() == kind)
    }

    /// Writes one JSON object, with those of the files if there are several.
    ///
    /// # Errors
    ///
    /// What `write` says, or that what was kept of the files cannot be read again.
    pub(crate) fn write_json(
        &self,
        files: &mut Files,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut out = Vec::new();
        let mut object = Object::new(&mut out);
        self.members(&mut object);
        if files.of_each().is_empty() {
            object.end();
        } else {
            object.key("files").push(b'[');
            write(&out)?;
            files.copy_json(&mut write)?;
            out.clear();
            out.extend_from_slice(b"]}");
        }
        out.push(b'\n');
        write(&out)
    }

    fn members(&self, object: &mut Object<'_>) {
        let stats = self.stats;
        object.number("bytes", stats.bytes);
        object.number("records", stats.records());
        object.number("valid", stats.valid);
        object.number("invalid", stats.invalid);
        object.number("empty", stats.empty);
        object.string("grammar", self.read_as.grammar);
        object.string("format", self.read_as.format);
        object.string("backend", self.args.backend().name());
        object.number("threads", self.args.threads() as u64);
        json::float(object.key("elapsed_seconds"), self.elapsed.as_secs_f64());
        object.number("bytes_per_second", self.bytes_per_second() as u64);
        counts(object, "errors", self.errors().into_iter().map(|(kind, count)| (kind.name(), count)));
        counts(object, "error_components", self.error_components());
        let components =
            Component::ALL.iter().map(|&component| (component.name(), stats.components(component)));
        counts(object, "components", components);
        counts(object, "host_kinds", self.host_kinds().into_iter().map(|(kind, count)| (kind.name(), count)));
        counts(object, "schemes", self.schemes());
        object.number("other_schemes", stats.schemes.other());
        let suspicious =
            Suspicion::ALL.iter().map(|&suspicion| (suspicion.name(), stats.suspicious(suspicion)));
        counts(object, "suspicious", suspicious);
        self.length(object.object("length"));
        self.samples_json(object.object("samples"));
        object.number("sentinels", stats.sentinels);
        object.number("malformed_lines", stats.malformed);
        self.top_hosts(object);
    }

    /// The hosts of all records, and those of the invalid ones, each with a key and how many records there are.
    fn hosts(&self) -> impl Iterator<Item = (&'static str, u64, &'a Hosts)> {
        let stats = self.stats;
        let all = stats.hosts().map(|hosts| ("records", stats.records(), hosts));
        let invalid = stats.invalid_hosts().map(|hosts| ("invalid", stats.invalid, hosts));
        all.into_iter().chain(invalid)
    }

    /// How many of them are asked for.
    fn hosts_shown(&self) -> usize {
        self.args.top_hosts.map_or(0, |n| n as usize)
    }

    fn top_hosts(&self, object: &mut Object<'_>) {
        if self.args.top_hosts.is_none() {
            return;
        }
        let mut top = object.object("top_hosts");
        for (key, _, hosts) in self.hosts() {
            let mut member = top.object(key);
            let estimate: &[u8] = if hosts.is_estimate() { b"true" } else { b"false" };
            member.key("estimate").extend_from_slice(estimate);
            let list = member.key("hosts");
            list.push(b'[');
            for (i, (host, count)) in hosts.top(self.hosts_shown()).into_iter().enumerate() {
                if i > 0 {
                    list.push(b',');
                }
                let mut entry = Object::new(list);
                entry.text("host", host);
                entry.number("count", count.count);
                entry.number("missed", count.missed);
                entry.end();
            }
            list.push(b']');
            member.end();
        }
        top.end();
    }

    fn length(&self, mut object: Object<'_>) {
        let lengths = &self.stats.lengths;
        object.number_or_null("min", lengths.min());
        object.number_or_null("max", lengths.max());
        match lengths.mean() {
            Some(mean) => json::float(object.key("mean"), mean),
            None => object.null("mean"),
        }
        for percent in PERCENTILES {
            object.number_or_null(&format!("p{percent}"), lengths.percentile(percent));
        }
        object.end();
    }

    fn samples_json(&self, mut object: Object<'_>) {
        for (kind, _) in self.errors() {
            let list = object.key(kind.name());
            list.push(b'[');
            for (i, sample) in self.samples(kind).enumerate() {
                if i > 0 {
                    list.push(b',');
                }
                let mut sample_object = Object::new(list);
                sample_object.text("file", self.names[sample.input]);
                sample_object.number("line", sample.line);
                sample_object.number("column", sample.column);
                sample_object.text("text", whole_characters(&sample.text));
                sample_object.end();
            }
            list.push(b']');
        }
        object.end();
    }
}

impl Report<'_> {
    /// A table for people, which says only what is there.
    pub(crate) fn table(&self, files: &Files, styles: Styles) -> Vec<u8> {
        let stats = self.stats;
        let records = stats.records();
        let mut table = Table::new(styles);
        table.count("records", records);
        table.share("valid", stats.valid, records);
        table.share("invalid", stats.invalid, records);
        if stats.empty > 0 {
            table.share("empty", stats.empty, records);
        }
        for (name, lines) in [("sentinels", stats.sentinels), ("malformed lines", stats.malformed)] {
            if lines > 0 {
                table.count(name, lines);
            }
        }
        table.count("bytes", stats.bytes);
        table.note(&format!(
            "{:.3} s, {}, {}grammar {}, {} on {}",
            self.elapsed.as_secs_f64(),
            rate(self.bytes_per_second()),
            match self.read_as.format {
                "lines" => String::new(),
                format => format!("format {format}, "),
            },
            self.read_as.grammar,
            self.args.backend(),
            match self.args.threads() {
                1 => "1 thread".to_owned(),
                threads => format!("{threads} threads"),
            }
        ));
        if stats.invalid > 0 {
            table.section("errors", "of invalid records");
            for (kind, count) in self.errors() {
                table.share(kind.name(), count, stats.invalid);
            }
            table.section("errors in", "of invalid records");
            for (component, count) in self.error_components() {
                table.share(component, count, stats.invalid);
            }
        }
        if stats.valid > 0 {
            table.section("components", "of valid records");
            for (component, count) in present(Component::ALL, |component| stats.components(component)) {
                table.share(component.name(), count, stats.valid);
            }
        }
        let hosts = self.host_kinds();
        if !hosts.is_empty() {
            table.section("hosts", "of those present");
            let all = stats.components(Component::Host);
            for (kind, count) in hosts {
                table.share(kind.name(), count, all);
            }
        }
        let schemes = self.schemes();
        if !schemes.is_empty() {
            table.section("schemes", "of those present");
            let all = stats.components(Component::Scheme);
            for &(scheme, count) in schemes.iter().take(SCHEMES_SHOWN) {
                table.share(scheme, count, all);
            }
            if schemes.len() > SCHEMES_SHOWN {
                let rest = schemes[SCHEMES_SHOWN..].iter().map(|(_, count)| count).sum();
                table.share(&format!("{} more", schemes.len() - SCHEMES_SHOWN), rest, all);
            }
        }
        let suspicious = present(Suspicion::ALL, |suspicion| stats.suspicious(suspicion));
        if !suspicious.is_empty() {
            table.section("valid but suspicious", "of valid records");
            for (suspicion, count) in suspicious {
                table.share(suspicion.name(), count, stats.valid);
            }
        }
        for (key, all, hosts) in self.hosts() {
            let top = hosts.top(self.hosts_shown());
            if top.is_empty() {
                continue;
            }
            let is_estimate = hosts.is_estimate();
            let what = if is_estimate { "at least, and how many more at most" } else { "of these" };
            table.section(
                match key {
                    "invalid" => "hosts with most invalid records",
                    _ => "hosts with most records",
                },
                what,
            );
            for (host, count) in top {
                let name = Shown::new(host).to_string();
                if is_estimate {
                    table.estimate(&name, count.count, count.missed);
                } else {
                    table.share(&name, count.count, all);
                }
            }
        }
        if records > 0 {
            table.section("lengths", "in bytes");
            table.optional("shortest", stats.lengths.min());
            for percent in PERCENTILES {
                table.optional(&format!("{percent}% up to"), stats.lengths.percentile(percent));
            }
            table.optional("longest", stats.lengths.max());
            table.number("mean", format!("{:.1}", stats.lengths.mean().unwrap_or_default()));
        }
        for (kind, _) in self.errors() {
            table.section(&format!("samples: {kind}"), "");
            for sample in self.samples(kind) {
                let place = format!("{}:{}", Shown::new(self.names[sample.input]), sample.line);
                let text = whole_characters(&sample.text);
                let more = if sample.length > text.len() as u64 { "…" } else { "" };
                table.line(&place, &format!("{}{more}", Shown::new(text)));
            }
        }
        if !files.of_each().is_empty() {
            table.section("files", "records, invalid, bytes");
            for file in files.of_each() {
                let name = Shown::new(self.names[file.input]).to_string();
                table.file(&name, [file.records, file.invalid, file.bytes]);
            }
        }
        table.finish()
    }
}

/// How many schemes the table names.
const SCHEMES_SHOWN: usize = 20;

/// A text that was cut off, without a part of a character at its end.
fn whole_characters(text: &[u8]) -> &[u8] {
    match str::from_utf8(text) {
        Err(error) if error.error_len().is_none() && text.len() == Sample::MAX_TEXT => {
            &text[..error.valid_up_to()]
        }
        _ => text,
    }
}

/// Those that occur, with their counts.
fn present<T: Copy>(all: &[T], count: impl Fn(T) -> u64) -> Vec<(T, u64)> {
    all.iter().map(|&each| (each, count(each))).filter(|&(_, count)| count > 0).collect()
}

fn counts<'a>(object: &mut Object<'_>, key: &str, counts: impl IntoIterator<Item = (&'a str, u64)>) {
    let mut member = object.object(key);
    for (name, count) in counts {
        member.number(name, count);
    }
    member.end();
}

fn rate(bytes_per_second: f64) -> String {
    match bytes_per_second {
        rate if rate >= 1e9 => format!("{:.2} GB/s", rate / 1e9),
        rate => format!("{:.1} MB/s", rate / 1e6),
    }
}
