//! The filter by hosts: `--hosts` keeps the records whose hosts are in a list, `--not-hosts` drops them.
//!
//! The filter is between the scan of a piece and all that comes after it. So findings, statistics and
//! encoders see only the records that are kept.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urivalidate::corpus::{Chunk, Format, Input, Layout, LayoutOptions, Scanned, Scanner, SomeRecords};
use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::{
    Batch, Column, Columns, HostListError, HostListFacts, HostListFault, HostSet, HostSetBuilder, Part,
    Request,
};

use crate::args::Args;
use crate::output::reason;
use crate::shown::Shown;

/// The maximum number of bytes of a line of a list.
const MAX_LINE: usize = 1 << 20;

/// The lists of a run.
pub(crate) struct HostFilter {
    /// The hosts to keep; `None` keeps all.
    hosts: Option<HostSet>,
    /// The hosts to drop.
    not_hosts: Option<HostSet>,
    /// Notes about lists, each with the name of its file.
    notes: Vec<(PathBuf, String)>,
}

/// The memory of the filter, which pieces reuse.
#[derive(Default)]
pub(crate) struct FilterMemory {
    kept: Vec<u32>,
    some: SomeRecords,
}

impl HostFilter {
    /// Reads the lists of the command line. Returns `None` if there are none.
    ///
    /// # Errors
    ///
    /// Returns a message about a list that cannot be read.
    pub(crate) fn new(args: &Args) -> Result<Option<Self>, String> {
        if args.hosts.is_empty() && args.not_hosts.is_empty() {
            return Ok(None);
        }
        let mut notes = Vec::new();
        let hosts = set_of("--hosts", &args.hosts, &mut notes)?;
        let not_hosts = set_of("--not-hosts", &args.not_hosts, &mut notes)?;
        Ok(Some(HostFilter { hosts, not_hosts, notes }))
    }

    /// Returns the options of the filter, for notes.
    pub(crate) fn about(&self) -> &'static str {
        match (&self.hosts, &self.not_hosts) {
            (Some(_), Some(_)) => "--hosts, --not-hosts",
            (Some(_), None) => "--hosts",
            (None, _) => "--not-hosts",
        }
    }

    /// Returns the notes about lists, each with the name of its file.
    pub(crate) fn notes(&self) -> &[(PathBuf, String)] {
        &self.notes
    }

    /// Returns the request for a scan, in place of this one. A record cannot be taken out of counts.
    pub(crate) fn request(request: Request) -> Request {
        request.without_counts() | Columns::RECORDS | Part::Host.columns()
    }

    /// Returns the records of a piece that are kept, as a scan without the others.
    pub(crate) fn kept<'s>(
        &self,
        scanned: &Scanned<'s>,
        memory: &'s mut FilterMemory,
    ) -> Result<Scanned<'s>, OutOfMemory> {
        let FilterMemory { kept, some } = memory;
        kept.clear();
        if scanned.chunk().is_part() {
            // A part of a record over the limit, which is invalid and has no host.
            return if self.hosts.is_none() { Ok(*scanned) } else { some.keep(scanned, &[]) };
        }
        let batch = scanned.batch();
        try_reserve(kept, scanned.len())?;
        let column = |column| batch.column(column).unwrap_or_default();
        let places = column(Column::HostStart).iter().zip(column(Column::HostEnd));
        let hosts = places.map(|(&start, &end)| {
            let is_there = start != Batch::ABSENT;
            is_there.then(|| scanned.values().get(start as usize..end as usize)).flatten()
        });
        match (&self.hosts, &self.not_hosts) {
            (Some(hosts_kept), None) => {
                hosts_kept.contains_each(hosts, |index, is_in| {
                    if is_in {
                        kept.push(index as u32);
                    }
                });
            }
            (None, Some(dropped)) => {
                dropped.contains_each(hosts, |index, is_in| {
                    if !is_in {
                        kept.push(index as u32);
                    }
                });
            }
            (Some(hosts_kept), Some(dropped)) => {
                let mut is_kept = Vec::new();
                try_reserve(&mut is_kept, scanned.len())?;
                hosts_kept.contains_each(hosts.clone(), |_, is_in| is_kept.push(is_in));
                dropped.contains_each(hosts, |index, is_in| {
                    if is_kept[index] && !is_in {
                        kept.push(index as u32);
                    }
                });
            }
            (None, None) => return Ok(*scanned),
        }
        if kept.len() == scanned.len() { Ok(*scanned) } else { some.keep(scanned, kept) }
    }
}

/// Reads the lists of an option as one set. Returns `None` if there are none.
fn set_of(
    option: &str,
    lists: &[PathBuf],
    notes: &mut Vec<(PathBuf, String)>,
) -> Result<Option<HostSet>, String> {
    if lists.is_empty() {
        return Ok(None);
    }
    let mut builder = HostSetBuilder::new();
    for path in lists {
        let facts = read(path, &mut builder).map_err(|error| format!("{option} {error}"))?;
        notes.extend(sentence(&facts).map(|text| (path.clone(), text)));
    }
    builder.build().map(Some).map_err(|error| format!("{option}: {error}"))
}

/// Returns the note about a list that has rules which are no names, or no names at all.
fn sentence(facts: &HostListFacts) -> Option<String> {
    let first = facts.first_left_out.unwrap_or_default();
    let left_out = match facts.left_out {
        0 if facts.names > 0 => return None,
        0 => return Some("the list has no names".to_owned()),
        1 => format!("1 rule is left out, because it is not about a whole host: line {first}"),
        count => {
            format!(
                "{count} rules are left out, because they are not about whole hosts; the first is in line {first}"
            )
        }
    };
    Some(if facts.names == 0 { format!("the list has no names; {left_out}") } else { left_out })
}

/// Adds the names of a list, which may be compressed. An error has the name of the file.
fn read(path: &Path, builder: &mut HostSetBuilder) -> Result<HostListFacts, String> {
    let name = Shown::new(path.as_os_str().as_encoded_bytes());
    let of_file = |error: io::Error| format!("{name}: {}", reason(&error));
    let of_list = |error: HostListError| match error {
        HostListError::Line { line, fault } => format!("{name}:{line}: {fault}"),
        error => format!("{name}: {error}"),
    };
    let layout = Layout::new(Format::Lines, &LayoutOptions::default()).map_err(|error| error.to_string())?;
    let mut list = builder.list();
    let mut lines = 0;
    let copied = |chunk: &Chunk<'_>| {
        let mut copy = Vec::new();
        let is_long = chunk.is_part();
        try_reserve(&mut copy, chunk.lines().len()).map(|()| {
            copy.extend_from_slice(chunk.lines());
            (copy, is_long)
        })
    };
    let take = |copy: Result<(Vec<u8>, bool), OutOfMemory>| {
        let added = copy.map_err(HostListError::from).and_then(|(copy, is_long)| {
            if is_long {
                return Err(HostListError::Line { line: lines + 1, fault: HostListFault::LongLine });
            }
            lines += copy.iter().filter(|&&byte| byte == b'\n').count() as u64;
            list.add(&copy)
        });
        match added {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        }
    };
    let scanner = Scanner::new().layout(layout).max_record(MAX_LINE).fill_chunks(true);
    let input = Input::open(path).map_err(of_file)?;
    match scanner.scan_input(input, copied, take).map_err(of_file)? {
        None => Ok(list.facts()),
        Some(error) => Err(of_list(error)),
    }
}
