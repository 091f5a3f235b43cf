//! Statistics for people: first the verdict, then the errors, the most frequent first.

use unicode_width::UnicodeWidthStr;
use urivalidate::Component;
use urivalidate::stats::{Problem, Sample, Side, Summary};

use super::contents::{Report, differences, distinct_is, most_first, of_kind, present};
use super::excerpt::Excerpt;
use super::figures::{grouped, percent, plural, rate};
use super::files::Files;
use super::run_facts::RunFacts;
use super::table::ReportRows;
use crate::advice::advice;
use crate::shown::Shown;
use crate::style::Styles;

/// The columns of the screen, if its width is unknown.
const COLUMNS: usize = 90;

/// The columns before a sample.
const INDENT: usize = 8;

/// The fewest columns of a sample's excerpt.
const SHORTEST: usize = 20;

/// The most rows of a section, unless the user asks for all.
const SCHEMES: usize = 20;
const FILES: usize = 20;
const NAMES: usize = 5;

/// The number of hosts with the most invalid records, unless the user sets a number.
const HOSTS: usize = 5;

impl Report<'_> {
    /// Returns the screen. It has all counts if `full` is true. Samples fit into `columns`, the width of the
    /// terminal, if it is known.
    pub(crate) fn screen(
        &self,
        files: &Files,
        facts: &RunFacts,
        full: bool,
        styles: Styles,
        columns: Option<usize>,
    ) -> Vec<u8> {
        let mut table = ReportRows::new(styles, columns);
        table.sentence(self.verdict());
        self.summary(&mut table);
        self.error_rows(&mut table, full, styles);
        self.agreement_rows(&mut table, full, styles);
        self.host_rows(&mut table);
        self.suspicious_rows(&mut table);
        self.distinct_rows(&mut table);
        if full {
            self.counted(&mut table);
        }
        self.file_rows(&mut table, files, full);
        self.comparison_rows(&mut table, facts);
        table.note(wrapped(&self.timing(), columns.unwrap_or(usize::MAX)).join("\n"));
        table.finish()
    }

    /// Adds the changes since an earlier run.
    fn comparison_rows(&self, table: &mut ReportRows, facts: &RunFacts) {
        let Some(before) = &facts.before else { return };
        let compared = before.compared(self.stats, self.top_hosts);
        table.section("Changes", "before -> now");
        for (name, was, now) in compared.changes(self.read_as.grammar) {
            let change = Shown::new(format!("{was} -> {now}").as_bytes()).to_string();
            table.number(&name, change, String::new(), None);
        }
        match compared.new_hosts() {
            None => {}
            Some([]) => table.line("No new hosts among the most frequent.".to_owned()),
            Some(hosts) => {
                table.section("New hosts among the most frequent", "records");
                for (host, count) in hosts {
                    table.number(
                        &Shown::new(host.as_bytes()).to_string(),
                        grouped(*count),
                        String::new(),
                        None,
                    );
                }
            }
        }
        let sentence = Shown::new(compared.sentence().as_bytes()).to_string();
        if compared.is_worse() { table.warning(sentence) } else { table.line(sentence) }
    }

    /// Adds facts that the verdict leaves out: lines without records, empty records, files that could not be
    /// read.
    fn summary(&self, table: &mut ReportRows) {
        if let Some(sum) = self.lines_sum() {
            table.line(sum);
        }
        let empty = self.stats.empty();
        if empty > 0 {
            table.line(format!(
                "{} empty.",
                if empty == 1 { "1 is".to_owned() } else { grouped(empty) + " are" }
            ));
        }
        if let Some(unreadable) = self.unreadable_files(NAMES) {
            table.warning(format!("{unreadable}."));
        }
    }

    /// Adds the errors, the most frequent first, each with samples.
    fn error_rows(&self, table: &mut ReportRows, full: bool, styles: Styles) {
        let (invalid, malformed) = (self.stats.invalid(), self.stats.malformed());
        if invalid + malformed == 0 {
            return;
        }
        let of = match (invalid, malformed) {
            (invalid, 0) => format!("of {}", plural(invalid, "invalid record")),
            (0, malformed) => format!("of {}", plural(malformed, "malformed line")),
            (invalid, malformed) => {
                format!(
                    "of {} and {}",
                    plural(invalid, "invalid record"),
                    plural(malformed, "malformed line")
                )
            }
        };
        table.section("errors", &of);
        let shown = self.shown_samples(full);
        let errors = self.errors().into_iter().map(|(kind, count)| {
            let samples = self.samples(kind).take(shown).collect::<Vec<_>>();
            ((kind.name().to_owned(), samples), count)
        });
        let reasons = self.malformed().into_iter().map(|(reason, count)| {
            let samples = self.malformed_samples(reason).take(shown).collect();
            ((Problem::MALFORMED.to_owned(), samples), count)
        });
        let rows = most_first(errors.chain(reasons).collect());
        for ((name, samples), count) in rows {
            let all = invalid + malformed;
            table.number(&name, grouped(count), percent(count, all), Some((count, all)));
            samples.into_iter().for_each(|sample| self.sample_rows(table, sample, styles));
        }
    }

    /// Returns the number of samples to show of each kind.
    fn shown_samples(&self, full: bool) -> usize {
        let unless_told = if full { Sample::PER_KIND } else { 1 };
        self.samples.unwrap_or(unless_told) as usize
    }

    /// Adds the verdicts of two grammars and, for records on which they differ, the errors.
    fn agreement_rows(&self, table: &mut ReportRows, full: bool, styles: Styles) {
        let Some(agreement) = self.stats.agreement() else { return };
        let records = self.stats.records();
        let (first, second) = (self.read_as.grammar, agreement.grammars()[1].name());
        table.section(&format!("{first} and {second}"), "of all records");
        for (name, count) in [
            ("valid as both".to_owned(), agreement.both()),
            (format!("valid as {first} only"), agreement.only(Side::First)),
            (format!("valid as {second} only"), agreement.only(Side::Second)),
            ("invalid as both".to_owned(), agreement.neither()),
        ] {
            table.number(&name, grouped(count), percent(count, records), Some((count, records)));
        }
        for (agreement, side, matched, other) in self.sides() {
            let all = agreement.only(side);
            if all == 0 {
                continue;
            }
            let of = format!("of {}", plural(all, "record"));
            table.section(&format!("valid as {matched}, but not as {other}"), &of);
            for (kind, count) in differences(agreement, side) {
                table.number(kind.name(), grouped(count), percent(count, all), Some((count, all)));
                let samples = of_kind(agreement.samples(side), kind).take(self.shown_samples(full));
                samples.for_each(|sample| self.sample_rows(table, sample, styles));
            }
        }
    }

    /// Adds the place of a sample, its text and, below the text, a mark at the wrong byte and the reason.
    fn sample_rows(
        &self,
        table: &mut ReportRows,
        sample: &Sample,
        Styles { place, bad, faint, is_ascii, .. }: Styles,
    ) {
        let width = table.columns().unwrap_or(COLUMNS).saturating_sub(INDENT).max(SHORTEST);
        let excerpt = Excerpt::new(sample, width, is_ascii);
        let at = format!(
            "{}:{}:{}",
            Shown::new(self.names[sample.input()]),
            sample.line(),
            sample.error_column(),
        );
        let Excerpt { before, error, after, has_error } = &excerpt;
        table.line(format!("      {place}{at}{place:#}"));
        table.line(format!("        {before}{bad}{error}{bad:#}{after}"));
        let (indent, mark) = if *has_error { excerpt.columns() } else { (0, 0) };
        let gap = if *has_error { " " } else { "" };
        let (problem, advice) = (sample.problem(), advice(sample.problem()));
        let message = format!("{problem}{advice}");
        let mark = format!("{:indent$}{bad}{}{bad:#}", "", "^".repeat(mark));
        // A message that does not fit behind the mark has lines of its own.
        if table.columns().is_none_or(|_| indent + 2 + message.width() <= width) {
            table.line(format!("        {mark}{gap}{faint}{message}{faint:#}"));
            return;
        }
        if *has_error {
            table.line(format!("        {mark}"));
        }
        for line in wrapped(&message, width) {
            table.line(format!("        {faint}{line}{faint:#}"));
        }
    }

    /// Adds the hosts with the most invalid records and, if requested, those with the most records.
    fn host_rows(&self, table: &mut ReportRows) {
        for (key, all, hosts) in self.hosts() {
            let top = hosts.top(self.top_hosts.unwrap_or(HOSTS));
            if top.is_empty() {
                continue;
            }
            let is_estimate = hosts.is_estimate();
            let (name, what) = match key {
                "invalid" => ("hosts with most invalid records", "of invalid records"),
                _ => ("hosts with most records", "of all records"),
            };
            table.section(
                name,
                if is_estimate { "lower bounds, and the most that can be missing" } else { what },
            );
            for (host, count) in top {
                let share = if is_estimate {
                    format!("+{}", grouped(count.missed))
                } else {
                    percent(count.count, all)
                };
                let name = Shown::new(host).to_string();
                table.number(&name, grouped(count.count), share, Some((count.count, all)));
            }
        }
    }

    fn suspicious_rows(&self, table: &mut ReportRows) {
        let suspicious = most_first(self.suspicious());
        if !suspicious.is_empty() {
            table.section("valid but suspicious", "of valid records");
            for (suspicion, count) in suspicious {
                share(table, suspicion.name(), count, self.stats.valid());
            }
        }
    }

    fn distinct_rows(&self, table: &mut ReportRows) {
        if let Some((column, distinct)) = self.stats.distinct() {
            table.section("different values", distinct_is(distinct));
            table.number(column.name(), grouped(distinct.count()), String::new(), None);
        }
    }

    /// Adds the counts of all records, valid or not.
    fn counted(&self, table: &mut ReportRows) {
        let stats = self.stats;
        if stats.invalid() > 0 {
            table.section("errors in", "of invalid records");
            for (component, count) in most_first(self.error_components()) {
                share(table, component, count, stats.invalid());
            }
        }
        if stats.valid() > 0 {
            table.section("components", "of valid records");
            for (component, count) in present(Component::ALL, |component| stats.components(component)) {
                share(table, component.name(), count, stats.valid());
            }
        }
        if let Some((form, normal)) = stats.normal().filter(|_| stats.valid() > 0) {
            table.section("normal forms", "of valid records");
            share(table, &format!("normal by {form}"), normal, stats.valid());
        }
        let hosts = self.host_kinds();
        if !hosts.is_empty() {
            table.section("hosts", "of those present");
            for (kind, count) in most_first(hosts) {
                share(table, kind.name(), count, stats.components(Component::Host));
            }
        }
        let (schemes, other) = self.schemes();
        if !schemes.is_empty() {
            table.section("schemes", "of those present");
            let all = stats.components(Component::Scheme);
            for &(scheme, count) in schemes.iter().take(SCHEMES) {
                share(table, scheme, count, all);
            }
            let rest = &schemes[schemes.len().min(SCHEMES)..];
            if !rest.is_empty() {
                let count = rest.iter().map(|(_, count)| count).sum();
                share(table, &format!("{} more", grouped(rest.len() as u64)), count, all);
            }
            if other > 0 {
                share(table, "not counted separately", other, all);
            }
        }
        if stats.records() > 0 {
            let lengths = stats.lengths();
            table.section("lengths", "in bytes");
            table.optional("shortest", lengths.min());
            for percent in Summary::PERCENTILES {
                table.optional(&format!("{percent}% up to"), lengths.percentile(percent));
            }
            table.optional("longest", lengths.max());
            let mean = format!("{:.1}", lengths.mean().unwrap_or_default());
            table.number("mean", mean, String::new(), None);
        }
    }

    fn file_rows(&self, table: &mut ReportRows, files: &Files, full: bool) {
        let all = files.of_each();
        if all.is_empty() {
            return;
        }
        let mut shown: Vec<_> = all.iter().collect();
        if full || all.len() <= FILES {
            table.section("files", "records, invalid, bytes");
        } else {
            shown.sort_by_key(|file| std::cmp::Reverse(file.invalid));
            shown.truncate(FILES);
            let all = grouped(all.len() as u64);
            table.section(
                &format!("{FILES} of {all} files"),
                "those with most invalid records: records, invalid, bytes",
            );
        }
        for file in shown {
            let name = Shown::new(self.names[file.input]).to_string();
            table.file(&name, [file.records, file.invalid, file.bytes]);
        }
    }

    fn timing(&self) -> String {
        let format = match self.read_as.format {
            "lines" => String::new(),
            format => format!("format {format}, "),
        };
        format!(
            "{} bytes in {:.3} s, {}; {format}grammar {}, {} on {}",
            grouped(self.stats.bytes()),
            self.elapsed.as_secs_f64(),
            rate(self.as_summary().bytes_per_second()),
            self.read_as.grammar,
            self.backend,
            plural(self.threads as u64, "thread"),
        )
    }
}

/// Breaks a text at its spaces into lines of at most `columns` columns. A longer word has a line of its own.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn share(table: &mut ReportRows, name: &str, count: u64, all: u64) {
    table.number(name, grouped(count), percent(count, all), None);
}
