//! Streams to columns, and counts over columns: plain loops, which the compiler vectorises for each backend.

use core::ops::Range;

use super::streams::Streams;
use crate::column::{ABSENT, Column, ColumnArrays, Columns};
use crate::error::Component;
use crate::grammar::{Grammar, SchemeRule};
use crate::part::Part;

/// The place of a piece's records in the buffer.
#[derive(Clone, Copy)]
pub(crate) enum Placement {
    /// The records stand as in the piece, which starts at this offset.
    Lines(u32),
    /// The records start at this offset, but without the gaps of the piece: each record stands one byte
    /// earlier for each record before it.
    Gaps(u32),
}

/// Appends the records of a piece to the wanted columns.
///
/// The results for lines that fall back have no meaning: a parser judges these lines later, and overwrites
/// the results. No other line has userinfo.
#[inline(always)]
pub(in crate::simd) fn fill(
    grammar: Grammar,
    origin: Placement,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut ColumnArrays,
) {
    match origin {
        Placement::Lines(base) => append_offsets::<false>(grammar, base, streams, wanted, columns),
        Placement::Gaps(base) => append_offsets::<true>(grammar, base, streams, wanted, columns),
    }
}

/// [`fill`], for a piece with or without gaps.
#[inline(always)]
fn append_offsets<const GAPS: bool>(
    grammar: Grammar,
    base: u32,
    streams: &mut Streams,
    wanted: Columns,
    columns: &mut ColumnArrays,
) {
    // The number to add to the positions of a line.
    let base_of = |line: u32| if GAPS { base.wrapping_sub(line) } else { base };
    let bases = || (0u32..).map(base_of);
    fill_starts(streams);
    append(columns, wanted, Column::Start, add(&streams.rest, bases()));
    append(columns, wanted, Column::End, add(&streams.end, bases()));
    if Columns::RECORDS.contains_all(wanted) {
        return;
    }
    fill_rests(grammar, streams);
    let Streams { rest, end, scheme_end, path, path_ends, fragments, ports, .. } = streams;

    // Without an authority, `path` is at most one byte after `rest`: only "//" takes two bytes.
    let has_authority = |rest: u32, path: u32| path >= rest.wrapping_add(2);
    let rests = || rest.iter().zip(path.iter()).zip(bases()).map(|((&rest, &path), base)| (rest, path, base));
    let authority_start = |(rest, path, base): (u32, u32, u32)| {
        if has_authority(rest, path) { base.wrapping_add(rest).wrapping_add(2) } else { ABSENT }
    };
    let authority_end = |(rest, path, base): (u32, u32, u32)| {
        if has_authority(rest, path) { base.wrapping_add(path) } else { ABSENT }
    };
    let path_start = |(rest, path, base): (u32, u32, u32)| {
        base.wrapping_add(if has_authority(rest, path) { path } else { rest })
    };
    let present = |(&offset, base): (&u32, u32)| {
        if offset == ABSENT { ABSENT } else { base.wrapping_add(offset) }
    };
    append(columns, wanted, Column::SchemeEnd, scheme_end.iter().zip(bases()).map(present));
    append(columns, wanted, Column::AuthorityStart, rests().map(authority_start));
    // Lines with userinfo fall back, and few have a port.
    let absent = || core::iter::repeat_n(ABSENT, end.len());
    append(columns, wanted, Column::UserinfoEnd, absent());
    append(columns, wanted, Column::HostStart, rests().map(authority_start));
    append(columns, wanted, Column::HostEnd, rests().map(authority_end));
    append(columns, wanted, Column::PortStart, absent());
    append(columns, wanted, Column::PathStart, rests().map(path_start));

    // Most paths and queries end with their record.
    append(columns, wanted, Column::PathEnd, add(end, bases()));
    append(columns, wanted, Column::QueryEnd, add(end, bases()));
    for (column, marks, distance) in [
        (Column::HostEnd, &*ports, 0),
        (Column::PortStart, ports, 1),
        (Column::PathEnd, path_ends, 0),
        (Column::QueryEnd, fragments, 0),
    ] {
        let column = &mut columns[column];
        if let Some(first) = column.len().checked_sub(end.len()) {
            for mark in marks {
                if let Some(offset) = column.get_mut(first + mark.line as usize) {
                    *offset = base_of(mark.line).wrapping_add(mark.at + distance);
                }
            }
        }
    }
}

#[inline(always)]
fn add(positions: &[u32], bases: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    positions.iter().zip(bases).map(|(&position, base)| base.wrapping_add(position))
}

#[inline(always)]
fn append(columns: &mut ColumnArrays, wanted: Columns, column: Column, offsets: impl Iterator<Item = u32>) {
    if wanted.contains(column) {
        columns[column].extend(offsets);
    }
}

/// Fills `rest` with the starts of the lines: 0, and the byte after each LF except the last.
#[inline(always)]
fn fill_starts(streams: &mut Streams) {
    let Streams { rest: start, end, newline, crlf, .. } = streams;
    let newlines = if *crlf { newline } else { end };
    start.clear();
    start.push(0);
    start.extend(newlines.iter().map(|&newline| newline + 1));
    start.pop();
}

/// Moves the starts past the scheme's colon, so that the rests of lines with and without a scheme are read in
/// the same way.
#[inline(always)]
fn fill_rests(grammar: Grammar, streams: &mut Streams) {
    let Streams { rest, scheme_end, path, .. } = streams;
    if grammar.facts().scheme == SchemeRule::Required {
        for (rest, &colon) in rest.iter_mut().zip(&*scheme_end) {
            *rest = colon + 1;
        }
        return;
    }
    for ((rest, delimiter), path) in rest.iter_mut().zip(scheme_end).zip(path) {
        // A scheme is not empty, and the path's marker lies after the colon.
        let is_at_start = *delimiter == *rest;
        let has_scheme = !is_at_start & (*path != *delimiter);
        // Without a scheme the path's marker is at the end of its first segment, except after "//" or "/".
        *path = if is_at_start | has_scheme { *path } else { *rest };
        *rest = if has_scheme { *delimiter + 1 } else { *rest };
        *delimiter = if has_scheme { *delimiter } else { ABSENT };
    }
}

/// Returns the number of records that have each component, in the order of [`Component::ALL`]; empty paths do
/// not count.
#[inline(always)]
pub(in crate::simd) fn count_components(columns: &ColumnArrays) -> [u32; Component::ALL.len()] {
    let records = columns[Column::End].len();
    let columns: [&[u32]; Column::ALL.len()] =
        core::array::from_fn(|column| &columns[Column::ALL[column]][..records]);
    let offset = |column: Column, index: usize| columns[column as usize][index];
    let mut counts = [0; Component::ALL.len()];
    for index in 0..records {
        for (count, &component) in counts.iter_mut().zip(Component::ALL) {
            let place = Part::from(component).place(|column| offset(column, index));
            let is_counted = (component != Component::Path) | (place.start != place.end);
            *count += u32::from(place.is_there & is_counted);
        }
    }
    counts
}

/// [`find_part`], compiled for a backend.
pub(in crate::simd) type FindPart =
    unsafe fn(Part, &ColumnArrays, Range<usize>, &mut [u32], &mut [u32]) -> bool;

/// Writes the places of a part in some records, from finished columns, to `starts` and `ends`. Both offsets
/// are [`ABSENT`] if a record lacks the part. Returns whether all records lack the part.
#[inline(always)]
pub(in crate::simd) fn find_part(
    part: Part,
    columns: &ColumnArrays,
    records: Range<usize>,
    starts: &mut [u32],
    ends: &mut [u32],
) -> bool {
    let (starts, ends) = (&mut starts[..records.len()], &mut ends[..records.len()]);
    part.places(|column| &columns[column][records.clone()], starts, ends);
    starts.iter().fold(ABSENT, |all, start| all & start) == ABSENT
}
