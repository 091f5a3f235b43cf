//! Streams to columns, and counts over columns: plain loops, which the compiler vectorises with what the machine has.

use alloc::vec::Vec;

use super::streams::Streams;
use crate::batch::{Column, Columns};
use crate::components::ABSENT;
use crate::error::Component;
use crate::grammar::Grammar;

/// The columns of a batch, those that nobody wants empty.
pub(crate) type Offsets = [Vec<u32>; Column::ALL.len()];

/// Where the lines of a piece stand in the buffer.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    /// Where the first one starts.
    pub(crate) base: u32,
    /// Whether the buffer has none of their LFs: there each line stands one byte earlier for each line before it.
    pub(crate) gathered: bool,
}

/// Appends the records of a piece, which is `lines`, to the columns that are wanted.
///
/// What this makes of suspects has no meaning: they are judged, and overwritten, later. No other line has userinfo or a
/// port, so its host is its authority.
#[inline(always)]
pub(super) fn fill(
    grammar: Grammar,
    lines: &[u8],
    place: Place,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut Offsets,
) {
    append_offsets(grammar, lines, place.base, streams, wanted, columns);
    if place.gathered {
        for column in columns {
            let first = column.len().saturating_sub(streams.lines);
            for (offset, line) in column[first..].iter_mut().zip(0u32..) {
                let moved = offset.wrapping_sub(line);
                *offset = if *offset == ABSENT { ABSENT } else { moved };
            }
        }
    }
}

/// [`fill`], as if the buffer had all LFs.
#[inline(always)]
fn append_offsets(
    grammar: Grammar,
    lines: &[u8],
    base: u32,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut Offsets,
) {
    fill_starts(lines, streams);
    append(columns, wanted, Column::Start, streams.start.iter().map(|&start| base + start));
    append(columns, wanted, Column::End, streams.end.iter().map(|&end| base + end));
    if Columns::RECORDS.contains_all(wanted) {
        return;
    }
    fill_rests(grammar, lines, streams);
    let Streams { start: rest, end, scheme_end, path, path_ends, fragments, .. } = streams;

    // `path` is at most one byte on where there is no authority: only "//" takes two.
    let has_authority = |rest: u32, path: u32| path >= rest + 2;
    let authority_start =
        |(&rest, &path): (&u32, &u32)| if has_authority(rest, path) { base + rest + 2 } else { ABSENT };
    let authority_end =
        |(&rest, &path): (&u32, &u32)| if has_authority(rest, path) { base + path } else { ABSENT };
    let path_start =
        |(&rest, &path): (&u32, &u32)| base + if has_authority(rest, path) { path } else { rest };
    let present = |&offset: &u32| if offset == ABSENT { ABSENT } else { base + offset };
    let rests = || rest.iter().zip(path.iter());
    append(columns, wanted, Column::SchemeEnd, scheme_end.iter().map(present));
    append(columns, wanted, Column::AuthorityStart, rests().map(authority_start));
    append(columns, wanted, Column::HostStart, rests().map(authority_start));
    append(columns, wanted, Column::HostEnd, rests().map(authority_end));
    append(columns, wanted, Column::PathStart, rests().map(path_start));

    // Most paths and queries end with their record.
    for (column, marks) in [(Column::PathEnd, path_ends), (Column::QueryEnd, fragments)] {
        append(columns, wanted, column, end.iter().map(|&end| base + end));
        let column = &mut columns[column as usize];
        if let Some(first) = column.len().checked_sub(end.len()) {
            for mark in marks {
                column[first + mark.line as usize] = base + mark.at;
            }
        }
    }
}

#[inline(always)]
fn append(
    columns: &mut Offsets,
    wanted: Columns,
    column: Column,
    offsets: impl ExactSizeIterator<Item = u32>,
) {
    if wanted.contains(column) {
        columns[column as usize].extend(offsets);
    }
}

/// Where the lines start: behind the line end before.
#[inline(always)]
fn fill_starts(lines: &[u8], streams: &mut Streams) {
    let Streams { start, end, crlf, .. } = streams;
    start.clear();
    start.push(0);
    if *crlf {
        start.extend(end.iter().map(|&end| end + 1 + u32::from(lines[end as usize] == b'\r')));
        // It is so, but for bytes that change while they are looked at.
        start.iter_mut().zip(&*end).for_each(|(start, &end)| *start = end.min(*start));
    } else {
        start.extend(end.iter().map(|&end| end + 1));
    }
    start.pop();
}

/// Moves the starts behind the scheme's colon: what is left is read alike, with a scheme and without.
#[inline(always)]
fn fill_rests(grammar: Grammar, lines: &[u8], streams: &mut Streams) {
    let Streams { start: rest, scheme_end, path, .. } = streams;
    if matches!(grammar, Grammar::Uri | Grammar::AbsoluteUri | Grammar::Iri) {
        for (rest, &colon) in rest.iter_mut().zip(&*scheme_end) {
            *rest = colon + 1;
        }
        return;
    }
    for ((rest, delimiter), path) in rest.iter_mut().zip(scheme_end).zip(path) {
        if lines[*delimiter as usize] == b':' {
            *rest = *delimiter + 1;
        } else {
            // The path's marker is wherever its first segment ends, but behind a "//" or "/".
            if *delimiter != *rest {
                *path = *rest;
            }
            *delimiter = ABSENT;
        }
    }
}

/// How many records have each component, in the order of [`Component::ALL`]; empty paths do not count.
///
/// `ignore_empty_port` is how `java.net.URI` sees ports.
#[inline(always)]
pub(super) fn count_components(columns: &Offsets, ignore_empty_port: bool) -> [u32; Component::ALL.len()] {
    let records = columns[Column::End as usize].len();
    let column = |column: Column| &columns[column as usize][..records];
    let end = column(Column::End);
    let scheme_end = column(Column::SchemeEnd);
    let authority_start = column(Column::AuthorityStart);
    let host_start = column(Column::HostStart);
    let host_end = column(Column::HostEnd);
    let path_start = column(Column::PathStart);
    let path_end = column(Column::PathEnd);
    let query_end = column(Column::QueryEnd);
    let colon = u32::from(ignore_empty_port);
    let mut counts = [0; Component::ALL.len()];
    for i in 0..records {
        let has_host = host_start[i] != ABSENT;
        // Without a path the record ends with the authority.
        let authority_end = path_start[i].min(end[i]);
        let has = [
            scheme_end[i] != ABSENT,
            authority_start[i] != ABSENT,
            has_host & (host_start[i] != authority_start[i]),
            has_host,
            has_host & (host_end[i].wrapping_add(colon) < authority_end),
            (path_end[i] != ABSENT) & (path_end[i] != path_start[i]),
            (path_end[i] != ABSENT) & (path_end[i] != query_end[i]),
            (query_end[i] != ABSENT) & (query_end[i] != end[i]),
        ];
        for (count, has) in counts.iter_mut().zip(has) {
            *count += u32::from(has);
        }
    }
    counts
}
