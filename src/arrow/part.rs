//! Where a part of each record of a batch lies: two columns, start and end.

use std::ops::Range;

use crate::batch::Batch;
use crate::column::{Column, Columns};
use crate::components::ABSENT;
use crate::error::Component;

/// A part of a record that a column of results is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Component(Component),
    /// RFC 2396 section 3: all between the scheme's colon and the fragment's `#`.
    SchemeSpecific,
    /// The path, and the query with its `?` if there is one.
    PathAndQuery,
}

/// The place of one part in each record of a batch, in bytes of what was scanned; both are [`ABSENT`] where it is absent.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

impl Part {
    /// Its name, and those of its start and its end.
    pub(super) const fn names(self) -> [&'static str; 3] {
        macro_rules! names {
            ($name:literal) => {
                [$name, concat!($name, "_start"), concat!($name, "_end")]
            };
        }
        match self {
            Part::Component(Component::Scheme) => names!("scheme"),
            Part::Component(Component::Authority) => names!("authority"),
            Part::Component(Component::Userinfo) => names!("userinfo"),
            Part::Component(Component::Host) => names!("host"),
            Part::Component(Component::Port) => names!("port"),
            Part::Component(Component::Path) => names!("path"),
            Part::Component(Component::Query) => names!("query"),
            Part::Component(Component::Fragment) => names!("fragment"),
            Part::SchemeSpecific => names!("scheme_specific_part"),
            Part::PathAndQuery => names!("path_and_query"),
        }
    }

    /// The columns that say where it is.
    pub(super) fn columns(self) -> Columns {
        match self {
            Part::Component(Component::Scheme) => Column::Start | Column::SchemeEnd,
            Part::Component(Component::Authority) => {
                Column::AuthorityStart | Column::PathStart | Column::QueryEnd
            }
            Part::Component(Component::Userinfo) => Column::AuthorityStart | Column::HostStart,
            Part::Component(Component::Host) => Column::HostStart | Column::HostEnd,
            Part::Component(Component::Port) => {
                Column::HostStart | Column::HostEnd | Column::PathStart | Column::QueryEnd
            }
            Part::Component(Component::Path) => Column::PathStart | Column::PathEnd,
            Part::Component(Component::Query) => Column::PathEnd | Column::QueryEnd,
            Part::Component(Component::Fragment) => Column::QueryEnd | Column::End,
            Part::SchemeSpecific => Column::Start | Column::SchemeEnd | Column::QueryEnd,
            Part::PathAndQuery => Column::PathStart | Column::QueryEnd,
        }
    }
}

impl Places {
    /// Whether no record has the part, as few have userinfo or a port.
    pub(super) fn are_absent(&self) -> bool {
        self.starts.iter().fold(ABSENT, |all, start| all & start) == ABSENT
    }

    /// Finds a part in a batch that has its [columns](Part::columns).
    pub(super) fn find(&mut self, part: Part, batch: &Batch) {
        use Column::{
            AuthorityStart, End, HostEnd, HostStart, PathEnd, PathStart, QueryEnd, SchemeEnd, Start,
        };

        /// What follows a delimiter that stands before `end`.
        fn behind(delimiter: u32, end: u32) -> (u32, u32) {
            if (delimiter == end) | (delimiter == ABSENT) { (ABSENT, ABSENT) } else { (delimiter + 1, end) }
        }

        /// Without a path the authority ends where the record does.
        fn authority_end(path_start: u32, query_end: u32) -> u32 {
            if path_start == ABSENT { query_end } else { path_start }
        }

        let ignores_empty_port = batch.rules.ignores_empty_port();
        let Places { starts, ends } = self;
        starts.resize(batch.len(), ABSENT);
        ends.resize(batch.len(), ABSENT);
        let column = |column: Column| batch.filled(column);
        match part {
            Part::Component(Component::Scheme) => {
                set(starts, ends, [column(Start), column(SchemeEnd)], |[start, end]| {
                    if end == ABSENT { (ABSENT, ABSENT) } else { (start, end) }
                });
            }
            Part::Component(Component::Authority) => {
                let columns = [column(AuthorityStart), column(PathStart), column(QueryEnd)];
                set(starts, ends, columns, |[start, path, query_end]| {
                    if start == ABSENT { (ABSENT, ABSENT) } else { (start, authority_end(path, query_end)) }
                });
            }
            Part::Component(Component::Userinfo) => {
                set(starts, ends, [column(AuthorityStart), column(HostStart)], |[authority, host]| {
                    let is_absent = host == ABSENT || host == authority;
                    if is_absent { (ABSENT, ABSENT) } else { (authority, host.wrapping_sub(1)) }
                });
            }
            Part::Component(Component::Host) => {
                starts.copy_from_slice(column(HostStart));
                ends.copy_from_slice(column(HostEnd));
            }
            Part::Component(Component::Port) => {
                let columns = [column(HostStart), column(HostEnd), column(PathStart), column(QueryEnd)];
                set(starts, ends, columns, |[host, end, path, query_end]| {
                    let port = behind(end, authority_end(path, query_end));
                    let is_absent = (host == ABSENT) | (ignores_empty_port & (port.0 == port.1));
                    if is_absent { (ABSENT, ABSENT) } else { port }
                });
            }
            Part::Component(Component::Path) => {
                starts.copy_from_slice(column(PathStart));
                ends.copy_from_slice(column(PathEnd));
            }
            Part::Component(Component::Query) => {
                let columns = [column(PathEnd), column(QueryEnd)];
                set(starts, ends, columns, |[path_end, query_end]| behind(path_end, query_end));
            }
            Part::Component(Component::Fragment) => {
                set(starts, ends, [column(QueryEnd), column(End)], |[query_end, end]| behind(query_end, end));
            }
            Part::SchemeSpecific => {
                let columns = [column(Start), column(SchemeEnd), column(QueryEnd)];
                set(starts, ends, columns, |[start, scheme_end, query_end]| match (query_end, scheme_end) {
                    (ABSENT, _) => (ABSENT, ABSENT),
                    (_, ABSENT) => (start, query_end),
                    _ => (scheme_end + 1, query_end),
                });
            }
            Part::PathAndQuery => {
                set(starts, ends, [column(PathStart), column(QueryEnd)], |[start, end]| {
                    if start == ABSENT { (ABSENT, ABSENT) } else { (start, end) }
                });
            }
        }
    }

    /// Forgets the part of a record.
    pub(super) fn remove(&mut self, index: usize) {
        self.starts[index] = ABSENT;
        self.ends[index] = ABSENT;
    }

    /// Puts in the place of each part a part of it, or nothing.
    pub(super) fn narrow(&mut self, values: &[u8], find: impl Fn(&[u8]) -> Option<Range<usize>>) {
        for (start, end) in self.starts.iter_mut().zip(&mut self.ends) {
            if *start != ABSENT {
                let found = find(&values[*start as usize..*end as usize]);
                let first = *start;
                (*start, *end) = found
                    .map_or((ABSENT, ABSENT), |range| (first + range.start as u32, first + range.end as u32));
            }
        }
    }
}

/// Makes places of what stands in columns of the same length. A function of its own for each part, so that the loop is one that
/// is made many places at a time.
#[inline(never)]
fn set<const N: usize>(
    starts: &mut [u32],
    ends: &mut [u32],
    columns: [&[u32]; N],
    place: impl Fn([u32; N]) -> (u32, u32),
) {
    let len = starts.len();
    let (ends, columns) = (&mut ends[..len], columns.map(|column| &column[..len]));
    for index in 0..len {
        let mut offsets = [0; N];
        for (offset, column) in offsets.iter_mut().zip(columns) {
            *offset = column[index];
        }
        (starts[index], ends[index]) = place(offsets);
    }
}
