//! Statistics as one JSON object. `docs/statistics.md` says what each key is, `docs/statistics.schema.json` what it may be.

use urivalidate::{Component, Lint, Problem, Sample};

use super::{Files, OTHER, PERCENTILES, Report};
use crate::json::{self, Object};
use crate::output::Failure;

/// Which keys there are. It grows when a key is renamed, goes, or comes to mean something else, not when one is added.
const VERSION: u64 = 1;

impl Report<'_> {
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
        object.number("version", VERSION);
        self.members(&mut object);
        if !self.unreadable.is_empty() {
            let list = object.key("unreadable");
            list.push(b'[');
            for (i, &input) in self.unreadable.iter().enumerate() {
                if i > 0 {
                    list.push(b',');
                }
                json::text(list, self.names[input]);
            }
            list.push(b']');
        }
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

    /// The members that a file's object has, too.
    pub(super) fn members(&self, object: &mut Object<'_>) {
        let stats = self.stats;
        object.number("bytes", stats.bytes());
        object.number("lines", stats.lines());
        object.number("records", stats.records());
        object.number("valid", stats.valid());
        object.number("invalid", stats.invalid());
        object.number("empty", stats.empty());
        object.string("grammar", self.read_as.grammar);
        object.string("format", self.read_as.format);
        object.string("backend", self.backend.name());
        object.number("threads", self.threads as u64);
        json::float(object.key("elapsed_seconds"), self.elapsed.as_secs_f64());
        object.number("bytes_per_second", self.bytes_per_second() as u64);
        counts(object, "errors", self.errors().into_iter().map(|(kind, count)| (kind.name(), count)));
        counts(object, "error_components", self.error_components());
        let components =
            Component::ALL.iter().map(|&component| (component.name(), stats.components(component)));
        counts(object, "components", components);
        counts(object, "host_kinds", self.host_kinds().into_iter().map(|(kind, count)| (kind.name(), count)));
        self.schemes_json(object);
        let lints = Lint::ALL.iter().map(|&lint| (lint.name(), stats.lints(lint)));
        counts(object, "suspicious", lints);
        self.length(object.object("length"));
        self.samples_json(object.object("samples"));
        object.number("sentinels", stats.sentinels());
        object.number("malformed_lines", stats.malformed());
        object.number("other_lines", stats.other_lines());
        let list = object.key("malformed_reasons");
        list.push(b'[');
        for (i, (reason, count)) in self.malformed().into_iter().enumerate() {
            if i > 0 {
                list.push(b',');
            }
            let mut entry = Object::new(list);
            entry.string("reason", &reason.to_string());
            entry.number("count", count);
            entry.end();
        }
        list.push(b']');
        self.top_hosts_json(object);
    }

    /// No key may come twice: a scheme that is called `other` is counted with those that are not told apart.
    fn schemes_json(&self, object: &mut Object<'_>) {
        let (mut schemes, other) = self.schemes();
        if other > 0 {
            let named =
                schemes.iter().position(|&(name, _)| name == OTHER).map_or(0, |at| schemes.remove(at).1);
            schemes.push((OTHER, other + named));
        }
        counts(object, "schemes", schemes);
        object.number("other_schemes", other);
    }

    fn top_hosts_json(&self, object: &mut Object<'_>) {
        let Some(shown) = self.top_hosts else { return };
        let mut top = object.object("top_hosts");
        for (key, _, hosts) in self.hosts() {
            let mut member = top.object(key);
            let estimate: &[u8] = if hosts.is_estimate() { b"true" } else { b"false" };
            member.key("estimate").extend_from_slice(estimate);
            let list = member.key("hosts");
            list.push(b'[');
            for (i, (host, count)) in hosts.top(shown).into_iter().enumerate() {
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
        let lengths = self.stats.lengths();
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
            self.sample_list(object.key(kind.name()), self.samples(kind));
        }
        if self.stats.malformed() > 0 {
            let samples = self
                .stats
                .samples()
                .iter()
                .filter(|sample| matches!(sample.problem(), Problem::Malformed(_)));
            self.sample_list(object.key(Problem::MALFORMED), samples);
        }
        object.end();
    }

    fn sample_list<'b>(&self, list: &mut Vec<u8>, samples: impl Iterator<Item = &'b Sample>) {
        list.push(b'[');
        for (i, sample) in samples.enumerate() {
            if i > 0 {
                list.push(b',');
            }
            let mut object = Object::new(list);
            object.text("file", self.names[sample.input()]);
            object.number("line", sample.line());
            object.number("column", sample.column());
            object.number("error_column", sample.error_column());
            object.text("text", sample.text());
            object.number("text_start", sample.text_start());
            object.number("length", sample.length());
            object.number_or_null("offset", sample.problem().offset());
            object.string("message", &sample.problem().to_string());
            object.end();
        }
        list.push(b']');
    }
}

fn counts<'a>(object: &mut Object<'_>, key: &str, counts: impl IntoIterator<Item = (&'a str, u64)>) {
    let mut member = object.object(key);
    for (name, count) in counts {
        member.number(name, count);
    }
    member.end();
}
