//! Statistics as one self-contained page of HTML: no script, no font, no picture, no network.
//!
//! The content comes from untrusted input: invalid URIs. All text is first made printable ([`Shown`]) and
//! then escaped by the template. No URI becomes a link or an attribute, and a policy in the page forbids
//! everything except the page's own styles.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use urivalidate::Component;
use urivalidate::stats::{Lengths, Sample, Side, Summary};

use super::contents::{Report, differences, distinct_is, most_first, of_kind, present};
use super::excerpt::Excerpt;
use super::figures::{grouped, percent, plural, rate};
use super::files::Files;
use super::run_facts::RunFacts;
use crate::shown::Shown;

/// Returns the command line, cut if it is long.
fn command_line(facts: &RunFacts) -> String {
    /// The most arguments that the page shows.
    const ARGUMENTS: usize = 50;

    let shown: Vec<_> = facts.command.iter().take(ARGUMENTS).map(|argument| shown(argument)).collect();
    let more = if facts.command.len() > ARGUMENTS { " …" } else { "" };
    shown.join(" ") + more
}

/// The page's policy: no request, no script, no frame; only its own styles.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

/// The most columns of a sample.
const EXCERPT: usize = 300;

/// The most rows of a table.
const SCHEMES: usize = 20;
const HOSTS: usize = 10;
const FILES: usize = 1000;

/// The most files that the heading names.
const NAMED: usize = 3;

/// One row of a table: a name, a count, and the total.
type Count = (String, u64, u64);

impl Report<'_> {
    /// Returns the page.
    pub(crate) fn page(&self, files: &Files, facts: &RunFacts) -> Vec<u8> {
        let stats = self.stats;
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    title { (self.named_files()) ": " (self.verdict()) }
                    style { (PreEscaped(include_str!("page.css"))) }
                }
                body {
                    header {
                        h1 { (self.verdict()) }
                        p.faint { "of " bdi { (self.named_files()) } }
                        @if let Some(sum) = self.lines_sum() { p { (sum) } }
                        @if let Some(unreadable) = self.unreadable_files(FILES) { p.bad { (unreadable) } }
                        (self.tiles())
                    }
                    main {
                        (self.comparison_section(facts))
                        (self.error_section())
                        (self.agreement_section())
                        (self.host_section())
                        (self.suspicious_section())
                        (self.distinct_section())
                        (self.normal_section())
                        @if stats.records() > 0 {
                            section { h2 { "Lengths" } (histogram(stats.lengths())) (length_table(stats.lengths())) }
                        }
                        (self.counted_section())
                        (self.file_section(files))
                        (self.sample_section())
                    }
                    footer {
                        p { (self.how()) }
                        p { (facts.date) ": " bdi { (command_line(facts)) } }
                    }
                }
            }
        };
        page.into_string().into_bytes()
    }

    /// Returns the names of the files, if they are few.
    fn named_files(&self) -> String {
        let named: Vec<_> = self
            .names
            .iter()
            .take(NAMED)
            .map(|name| match *name {
                b"-" => "standard input".to_owned(),
                name => shown(name),
            })
            .collect();
        let more = self.names.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {} more", grouped(more as u64)) } else { String::new() };
        format!("{}{more}", named.join(", "))
    }

    fn tiles(&self) -> Markup {
        let stats = self.stats;
        let tile = |class: &str, count: u64, name: &str| html! { li { b class=(class) { (grouped(count)) } (name) } };
        html! {
            ul.tiles {
                (tile("", stats.records(), "records"))
                (tile("good", stats.valid(), "valid"))
                (tile("bad", stats.invalid(), "invalid"))
                @if stats.malformed() > 0 { (tile("bad", stats.malformed(), "malformed lines")) }
                @if stats.sentinels() > 0 { (tile("", stats.sentinels(), "sentinels")) }
                @if stats.empty() > 0 { (tile("", stats.empty(), "empty")) }
                (tile("", stats.bytes(), "bytes"))
            }
        }
    }

    /// Returns the section with the changes since an earlier run.
    fn comparison_section(&self, facts: &RunFacts) -> Markup {
        let Some(before) = &facts.before else { return html! {} };
        let compared = before.compared(self.stats, self.top_hosts);
        html! {
            section {
                h2 { "Changes" }
                p { (shown(compared.sentence().as_bytes())) }
                table {
                    thead { tr { th { "" } th { "before" } th { "now" } } }
                    tbody {
                        @for (name, was, now) in compared.changes(self.read_as.grammar) {
                            tr { td { (name) } td { (shown(was.as_bytes())) } td { (now) } }
                        }
                    }
                }
                @if let Some(hosts) = compared.new_hosts() {
                    @if !hosts.is_empty() {
                        p {
                            "New hosts among the most frequent: "
                            @for (index, (host, count)) in hosts.iter().enumerate() {
                                @if index > 0 { ", " }
                                bdi { (shown(host.as_bytes())) } " (" (grouped(*count)) ")"
                            }
                        }
                    }
                }
            }
        }
    }

    fn error_section(&self) -> Markup {
        let stats = self.stats;
        let kinds = most_first(self.errors()).into_iter();
        let kinds = kinds.map(|(kind, count)| (kind.name().to_owned(), count, stats.invalid())).collect();
        let components = most_first(self.error_components()).into_iter();
        let components = components.map(|(name, count)| (name.to_owned(), count, stats.invalid())).collect();
        let reasons = most_first(self.malformed()).into_iter();
        let reasons =
            reasons.map(|(reason, count)| (reason.message().to_owned(), count, stats.malformed())).collect();
        html! {
            @if stats.invalid() + stats.malformed() > 0 {
                section {
                    h2 { "Errors" }
                    div.columns {
                        (table("By kind, of invalid records", kinds, "bad"))
                        (table("By component, of invalid records", components, "bad"))
                        (table("Lines that do not fit their format", reasons, "bad"))
                    }
                }
            }
        }
    }

    /// Returns the section with the verdicts of two grammars.
    fn agreement_section(&self) -> Markup {
        let Some(agreement) = self.stats.agreement() else { return html! {} };
        let all = self.stats.records();
        let (first, second) = (self.read_as.grammar, agreement.grammars()[1].name());
        let verdicts = vec![
            ("valid as both".to_owned(), agreement.both(), all),
            (format!("valid as {first} only"), agreement.only(Side::First), all),
            (format!("valid as {second} only"), agreement.only(Side::Second), all),
            ("invalid as both".to_owned(), agreement.neither(), all),
        ];
        let sides = || self.sides().filter(|(agreement, side, ..)| agreement.only(*side) > 0);
        html! {
            section {
                h2 { (first) " and " (second) }
                div.columns {
                    (table("Of all records", verdicts, "plain"))
                    @for (agreement, side, matched, other) in sides() {
                        @let all = agreement.only(side);
                        @let kinds = differences(agreement, side).into_iter();
                        (table(
                            &format!("Valid as {matched}, but not as {other}"),
                            kinds.map(|(kind, count)| (kind.name().to_owned(), count, all)).collect(),
                            "bad",
                        ))
                    }
                }
                @for (agreement, side, matched, other) in sides() {
                    @for (kind, count) in differences(agreement, side) {
                        h3 { "valid as " (matched) ", " (kind) " as " (other) " " span.faint { (grouped(count)) } }
                        @for sample in of_kind(agreement.samples(side), kind) { (self.sample(sample)) }
                    }
                }
            }
        }
    }

    fn host_section(&self) -> Markup {
        let tables = self.hosts().map(|(key, all, hosts)| {
            let (caption, class) = match key {
                "invalid" => ("With most invalid records", "bad"),
                _ => ("With most records", "plain"),
            };
            let estimate = if hosts.is_estimate() { " (at least)" } else { "" };
            let top = hosts.top(self.top_hosts.unwrap_or(HOSTS)).into_iter();
            let rows: Vec<Count> = top.map(|(host, count)| (shown(host), count.count, all)).collect();
            (format!("{caption}{estimate}"), rows, class)
        });
        let tables: Vec<_> = tables.filter(|(_, rows, _)| !rows.is_empty()).collect();
        html! {
            @if !tables.is_empty() {
                section {
                    h2 { "Hosts" }
                    div.columns { @for (caption, rows, class) in tables { (table(&caption, rows, class)) } }
                }
            }
        }
    }

    fn suspicious_section(&self) -> Markup {
        let suspicious = most_first(self.suspicious()).into_iter();
        let suspicious: Vec<_> = suspicious
            .map(|(suspicion, count)| (suspicion.name().to_owned(), count, self.stats.valid()))
            .collect();
        html! {
            @if !suspicious.is_empty() {
                section { h2 { "Valid but suspicious" } (table("Of valid records", suspicious, "plain")) }
            }
        }
    }

    fn distinct_section(&self) -> Markup {
        html! {
            @if let Some((column, distinct)) = self.stats.distinct() {
                section {
                    h2 { "Different values" }
                    p { (column.name()) ": " (grouped(distinct.count())) " (" (distinct_is(distinct)) ")" }
                }
            }
        }
    }

    fn normal_section(&self) -> Markup {
        html! {
            @if let Some((form, normal)) = self.stats.normal().filter(|_| self.stats.valid() > 0) {
                @let rows = vec![(format!("normal by {form}"), normal, self.stats.valid())];
                section { h2 { "Normal forms" } (table("Of valid records", rows, "plain")) }
            }
        }
    }

    /// Returns the section with the parts of valid records.
    fn counted_section(&self) -> Markup {
        let stats = self.stats;
        let components = present(Component::ALL, |component| stats.components(component)).into_iter();
        let components = components
            .map(|(component, count)| (component.name().to_owned(), count, stats.valid()))
            .collect();
        let all = stats.components(Component::Host);
        let kinds = most_first(self.host_kinds()).into_iter();
        let kinds = kinds.map(|(kind, count)| (kind.name().to_owned(), count, all)).collect();
        let all = stats.components(Component::Scheme);
        let (schemes, other) = self.schemes();
        let rest = &schemes[schemes.len().min(SCHEMES)..];
        let more = rest.iter().map(|(_, count)| count).sum::<u64>();
        let mut named: Vec<Count> =
            schemes.iter().take(SCHEMES).map(|&(name, count)| (name.to_owned(), count, all)).collect();
        let more = (format!("{} more", grouped(rest.len() as u64)), more, all);
        named.extend(
            [more, ("not counted separately".to_owned(), other, all)].into_iter().filter(|row| row.1 > 0),
        );
        html! {
            @if stats.valid() > 0 {
                section {
                    h2 { "What valid records have" }
                    div.columns {
                        (table("Components", components, "plain"))
                        (table("Schemes, of those present", named, "plain"))
                        (table("Kinds of host, of those present", kinds, "plain"))
                    }
                }
            }
        }
    }

    fn file_section(&self, files: &Files) -> Markup {
        let mut shown_files: Vec<_> = files.of_each().iter().collect();
        let all = shown_files.len();
        if all > FILES {
            shown_files.sort_by_key(|file| std::cmp::Reverse(file.invalid));
            shown_files.truncate(FILES);
        }
        html! {
            @if all > 0 {
                section {
                    h2 { "Files" }
                    table.files {
                        @if all > FILES {
                            caption { "The " (grouped(FILES as u64)) " of " (grouped(all as u64)) " with most invalid records" }
                        }
                        thead {
                            tr {
                                th scope="col" { "File" }
                                @for name in ["Records", "Invalid", "Share", "Bytes"] { th.number scope="col" { (name) } }
                            }
                        }
                        tbody {
                            @for file in shown_files {
                                tr {
                                    th scope="row" { bdi { (shown(self.names[file.input])) } }
                                    td.number { (grouped(file.records)) }
                                    td.number { (grouped(file.invalid)) }
                                    td.number { @if file.records > 0 { (percent(file.invalid, file.records)) } }
                                    td.number { (grouped(file.bytes)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    fn sample_section(&self) -> Markup {
        let kinds = most_first(self.errors()).into_iter();
        let kinds = kinds.map(|(kind, count)| (kind.name().to_owned(), count, self.samples(kind).collect()));
        let reasons = most_first(self.malformed()).into_iter();
        let reasons = reasons.map(|(reason, count)| {
            (format!("malformed-line: {}", reason.message()), count, self.malformed_samples(reason).collect())
        });
        let all: Vec<(String, u64, Vec<&Sample>)> = kinds.chain(reasons).collect();
        html! {
            @if !all.is_empty() {
                section {
                    h2 { "Samples" }
                    @for (name, count, samples) in all {
                        h3 { (name) " " span.faint { (grouped(count)) } }
                        @for sample in samples { (self.sample(sample)) }
                    }
                }
            }
        }
    }

    fn sample(&self, sample: &Sample) -> Markup {
        let Excerpt { before, error, after, has_error } = Excerpt::new(sample, EXCERPT, false);
        html! {
            div.sample {
                p.faint {
                    bdi { (shown(self.names[sample.input()])) } ":" (sample.line()) ":" (sample.error_column())
                    @if has_error { " " bdi { (sample.problem()) } }
                }
                pre { (before) @if has_error { mark { (error) } } (after) }
            }
        }
    }

    fn how(&self) -> String {
        format!(
            "{} in {:.3} s, {}; format {}, grammar {}, {} on {}; urivalidate {}",
            plural(self.stats.bytes(), "byte"),
            self.elapsed.as_secs_f64(),
            rate(self.as_summary().bytes_per_second()),
            self.read_as.format,
            self.read_as.grammar,
            self.backend,
            plural(self.threads as u64, "thread"),
            env!("CARGO_PKG_VERSION"),
        )
    }
}

fn shown(bytes: &[u8]) -> String {
    Shown::new(bytes).to_string()
}

/// Returns a table of counts with bars, or nothing if there are no counts. A full bar stands for the total.
fn table(caption: &str, rows: Vec<Count>, class: &str) -> Markup {
    html! {
        @if !rows.is_empty() {
            table {
                caption { (caption) }
                tbody {
                    @for (name, count, all) in rows {
                        tr {
                            th scope="row" { bdi { (name) } }
                            td.number { (grouped(count)) }
                            td.number { @if all > 0 { (percent(count, all)) } }
                            td.bars aria-hidden="true" {
                                svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" {
                                    rect class=(class) width=(share_of(count, all, 1000)) height="10" {}
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the number of units for `count`, at least one, if `units` stand for `most`.
fn share_of(count: u64, most: u64, units: u64) -> u64 {
    let length = u128::from(count) * u128::from(units) / u128::from(most.max(1));
    (length as u64).max(u64::from(count > 0))
}

/// Returns a histogram of the lengths. Every second bound of the ranges is a doubling.
fn histogram(lengths: &Lengths) -> Markup {
    const HEIGHT: u64 = 140;
    const WIDTH: u64 = 900;

    let longest = lengths.max().unwrap_or_default();
    let edges = (3..62).flat_map(|power| [1 << power, (1 << power) + (1 << (power - 1))]);
    let mut edges: Vec<u64> = std::iter::once(0).chain(edges).collect();
    let last = edges.iter().position(|&edge| edge > longest).unwrap_or(edges.len() - 1);
    edges.truncate(last + 1);
    let counts: Vec<u64> = edges.windows(2).map(|pair| lengths.between(pair[0], pair[1])).collect();
    let most = counts.iter().copied().max().unwrap_or_default();
    let step = WIDTH / counts.len().max(1) as u64;
    // Only some ranges have labels, so that the labels fit.
    let every = (counts.len() / 12).max(1);
    let bars = counts.iter().zip(edges.windows(2)).enumerate().filter(|(_, (count, _))| **count > 0);
    html! {
        svg role="img" viewBox={ "0 0 " (WIDTH) " " (HEIGHT + 30) } {
            title { "Records by length in bytes" }
            @for (i, (&count, range)) in bars {
                @let height = share_of(count, most, HEIGHT - 10);
                rect.simple x=(i as u64 * step + 1) y=(HEIGHT - height) width=(step.saturating_sub(2).max(1)) height=(height) {
                    title { (range[0]) " to " (range[1] - 1) " bytes: " (grouped(count)) }
                }
            }
            line.axis x1="0" y1=(HEIGHT) x2=(WIDTH) y2=(HEIGHT) {}
            @for (i, edge) in edges.iter().enumerate().step_by(every) {
                text x=(i as u64 * step) y=(HEIGHT + 16) { (grouped(*edge)) }
            }
        }
    }
}

fn length_table(lengths: &Lengths) -> Markup {
    let cell = |name: &str, length: Option<u64>| {
        html! { @if let Some(length) = length { li { b { (grouped(length)) } (name) } } }
    };
    html! {
        ul.tiles {
            (cell("shortest, in bytes", lengths.min()))
            @for percent in Summary::PERCENTILES { (cell(&format!("{percent}% up to"), lengths.percentile(percent))) }
            (cell("longest", lengths.max()))
            li { b { (format!("{:.1}", lengths.mean().unwrap_or_default())) } "mean" }
        }
    }
}
