//! The statistics of an earlier run, and the changes since.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use urivalidate::ErrorKind;
use urivalidate::stats::{Figure, Members, Stats, Summary};

use super::figures::{grouped, percent};

/// The compared part of the statistics that `--stats=json` printed for an earlier run.
#[derive(Clone)]
pub(crate) struct Before {
    /// The name of the file.
    name: String,
    date: Option<String>,
    records: u64,
    valid: u64,
    errors: BTreeMap<String, u64>,
    /// The name of the grammar.
    grammar: String,
    /// The most frequent hosts, if the run listed them.
    hosts: Option<BTreeSet<String>>,
}

/// The changes since an earlier run.
pub(crate) struct Comparison<'a> {
    before: &'a Before,
    records: u64,
    valid: u64,
    /// Each kind of error that occurs in one of the runs, with its numbers before and now.
    kinds: Vec<(String, u64, u64)>,
    /// The hosts that are among the most frequent only now, with their numbers of records. `None` if one of
    /// the runs has no list of hosts.
    new_hosts: Option<Vec<(String, u64)>>,
}

impl Before {
    /// Reads the statistics from a file.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file holds no statistics of this version.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read(path).map_err(|error| crate::output::reason(&error))?;
        let json: Value = serde_json::from_slice(&text)
            .map_err(|error| format!("is no output of --stats=json: {error}"))?;
        let number = |name: &str| json.get(name).and_then(Value::as_u64);
        let version = number("version").ok_or("is no output of --stats=json: it has no version")?;
        if version != Summary::VERSION {
            return Err(format!(
                "has version {version} of the statistics, and this command writes {}",
                Summary::VERSION
            ));
        }
        let count = |name: &str| {
            number(name).ok_or_else(|| format!("is no output of --stats=json: it has no {name}"))
        };
        let errors = json
            .get("errors")
            .and_then(Value::as_object)
            .ok_or("is no output of --stats=json: it has no errors")?;
        // Another version may have other kinds, which cannot be compared.
        let known =
            errors.iter().filter_map(|(kind, count)| Some((kind.parse::<ErrorKind>().ok()?.name(), count)));
        let errors = known.map(|(kind, count)| Some((kind.to_owned(), count.as_u64()?)));
        let errors = errors.collect::<Option<_>>();
        let errors = errors.ok_or("is no output of --stats=json: a number of errors is no whole number")?;
        let hosts = json.pointer("/top_hosts/records/hosts").and_then(Value::as_array);
        let name_of = |host: &Value| Some(host.get("host")?.as_str()?.to_owned());
        Ok(Before {
            name: path.to_string_lossy().into_owned(),
            date: json.get("date").and_then(Value::as_str).map(str::to_owned),
            records: count("records")?,
            valid: count("valid")?,
            errors,
            grammar: json.get("grammar").and_then(Value::as_str).unwrap_or_default().to_owned(),
            hosts: hosts.map(|hosts| hosts.iter().filter_map(name_of).collect()),
        })
    }

    /// Compares these statistics with the later ones. `top_hosts` is the number of hosts that the later run
    /// lists.
    pub(crate) fn compared(&self, stats: &Stats, top_hosts: Option<usize>) -> Comparison<'_> {
        let now = ErrorKind::ALL.iter().map(|&kind| (kind.name().to_owned(), stats.errors(kind)));
        let mut now: BTreeMap<String, u64> = now.filter(|&(_, count)| count > 0).collect();
        let kinds =
            self.errors.iter().map(|(kind, &count)| (kind.clone(), count, now.remove(kind).unwrap_or(0)));
        let mut kinds: Vec<_> = kinds.collect();
        kinds.extend(now.into_iter().map(|(kind, count)| (kind, 0, count)));
        let hosts = stats.hosts().zip(top_hosts).zip(self.hosts.as_ref());
        let new_hosts = hosts.map(|((hosts, shown), before)| {
            let listed = hosts.top(shown).into_iter();
            let listed =
                listed.map(|(host, count)| (String::from_utf8_lossy(host).into_owned(), count.count));
            listed.filter(|(host, _)| !before.contains(host)).collect()
        });
        Comparison { before: self, records: stats.records(), valid: stats.valid(), kinds, new_hosts }
    }
}

impl Comparison<'_> {
    /// Returns true if the share of valid records fell by a hundredth of a percent point or more, if a kind of
    /// error is new, or if there are no records any more.
    pub(crate) fn is_worse(&self) -> bool {
        self.is_gone()
            || self.has_fallen()
            || self.kinds.iter().any(|&(_, before, now)| before == 0 && now > 0)
    }

    fn is_gone(&self) -> bool {
        self.before.records > 0 && self.records == 0
    }

    fn has_fallen(&self) -> bool {
        // Without records, nothing is invalid.
        let share = |valid: u64, records: u64| (u128::from(valid), u128::from(records.max(1)));
        let share_of = |valid, records| if records == 0 { (1, 1) } else { share(valid, records) };
        let ((valid, records), (valid_now, records_now)) =
            (share_of(self.before.valid, self.before.records), share_of(self.valid, self.records));
        // valid / records - valid_now / records_now >= 1 / 10,000
        let (one, other) = (valid * records_now, valid_now * records);
        one > other && (one - other) >= (records * records_now).div_ceil(10_000)
    }

    /// Returns the sentence about both runs.
    pub(super) fn sentence(&self) -> String {
        let date = self.before.date.as_ref().map_or(String::new(), |date| format!(", {date}"));
        let verdict = match (self.has_fallen(), self.is_worse()) {
            _ if self.is_gone() => "there are no records any more",
            (true, _) => "the share of valid records fell",
            (_, true) => "there are new kinds of errors",
            _ => "no worse",
        };
        format!("Compared with {}{date}: {verdict}.", self.before.name)
    }

    /// Returns what changed: a name, the value before and the value now.
    /// `grammar` is the name of the grammar now.
    pub(super) fn changes(&self, grammar: &str) -> Vec<(String, String, String)> {
        let before = self.before;
        let share =
            |count: u64, records: u64| if records == 0 { "-".to_owned() } else { percent(count, records) };
        let mut changes = vec![
            ("records".to_owned(), grouped(before.records), grouped(self.records)),
            ("valid".to_owned(), share(before.valid, before.records), share(self.valid, self.records)),
        ];
        if before.grammar != grammar {
            changes.push(("grammar".to_owned(), before.grammar.clone(), grammar.to_owned()));
        }
        let kinds = self.kinds.iter().filter(|&&(_, was, now)| (was, before.records) != (now, self.records));
        changes.extend(kinds.map(|&(ref kind, was, now)| {
            (kind.clone(), share(was, before.records), share(now, self.records))
        }));
        changes
    }

    /// Returns the hosts that are among the most frequent only now.
    pub(super) fn new_hosts(&self) -> Option<&[(String, u64)]> {
        self.new_hosts.as_deref()
    }

    /// Returns the members of the object in JSON.
    pub(super) fn members(&self) -> Members<'_> {
        let text = |text: &str| Figure::Text(text.as_bytes().to_vec().into());
        let pair = |before: u64, now: u64| {
            Figure::Map(vec![("before".into(), Figure::Number(before)), ("now".into(), Figure::Number(now))])
        };
        let kinds = self.kinds.iter().map(|(kind, before, now)| (kind.clone().into(), pair(*before, *now)));
        let host = |(host, count): &(String, u64)| {
            Figure::Map(vec![("host".into(), text(host)), ("count".into(), Figure::Number(*count))])
        };
        let hosts = self.new_hosts.as_ref().map(|hosts| Figure::List(hosts.iter().map(host).collect()));
        vec![
            ("file".into(), text(&self.before.name)),
            ("date".into(), self.before.date.as_deref().map_or(Figure::Null, text)),
            ("is_worse".into(), Figure::Bool(self.is_worse())),
            ("records".into(), pair(self.before.records, self.records)),
            ("valid".into(), pair(self.before.valid, self.valid)),
            ("errors".into(), Figure::Map(kinds.collect())),
            ("new_hosts".into(), hosts.unwrap_or(Figure::Null)),
        ]
    }
}
