//! Rows of valid records, copied.
//!
//! The only bytes of a valid record that a form may have to escape are non-ASCII characters and, in csv,
//! commas. Without these, its row follows a fixed [plan](super::copy_plan): constants, numbers and slices of
//! the record, which the library copies for many rows at a time. [`rows`](super::rows) writes the records
//! that have such bytes.
//!
//! No cell needs the parser: it took three fifths of the time of rows by `java` and `rfc2396`, and half of
//! the time of rows with IP literals.
//!
//! With all columns, these copies are a quarter of the time of csv, and the cells that this module makes are
//! another quarter. A vectorised copy alone gained little: it also had to drop the test for presence in each
//! cell, and to find the places of parts by vectors.

use std::ops::Range;
use urivalidate::memory::OutOfMemory;

use urivalidate::copy_rows::{RowStep, write_rows};
use urivalidate::work::{looked_at, memchr};
use urivalidate::{AuthorityKind, Batch, HostKind, Part};

use super::cell::{Special, TextForm};
use super::copy_plan::{Common, Content, CopyPlan, Step, name_cell};
use super::encoder::{Encoded, JudgedChunk};
use super::made_cells::{GROUP, MadeCells, Offsets};

impl<F: TextForm> CopyPlan<F> {
    /// Returns the copier of the rows of a chunk.
    pub(super) fn copier<'a>(&'a self, input: &JudgedChunk<'a>) -> Copier<'a, F> {
        let mut file = Vec::new();
        F::text(&mut file, input.file);
        let start = self.start().map(|[before, after]| [before.as_bytes(), &file, after.as_bytes()].concat());
        Copier {
            plan: self,
            input: *input,
            start: start.unwrap_or_default(),
            file,
            special: match F::SPECIAL {
                Special::NonAscii if !input.validator.grammar().allows_beyond_ascii() => Special::Nothing,
                special => special,
            },
            comma: 0,
            are_lines: input.scanned.has_lines(),
            group: 0..0,
            parts: self.parts.iter().map(|&part| (part, Offsets::default())).collect(),
            steps: &[],
            made: Vec::new(),
        }
    }
}

/// Makes the rows of a chunk, in order.
pub(super) struct Copier<'a, F> {
    plan: &'a CopyPlan<F>,
    input: JudgedChunk<'a>,
    /// The cells before the line number, if the first cell is the file's name.
    start: Vec<u8>,
    /// The cell of the file's name.
    file: Vec<u8>,
    /// The bytes that the form escapes.
    special: Special,
    /// The place of the next comma in the values, or `usize::MAX` if none is left.
    comma: usize,
    /// Whether records are whole lines.
    are_lines: bool,
    /// The records, valid or not, that the fields below describe.
    group: Range<usize>,
    /// The parts that the plan needs, the record first.
    parts: Vec<(Part, Offsets)>,
    steps: &'a [Step],
    /// The cells of each step, by the index of the step.
    made: Vec<MadeCells>,
}

impl<F: TextForm> Copier<'_, F> {
    /// Appends the rows of these valid records, up to the first record with a byte to escape, and returns the
    /// index of this record.
    pub(super) fn append(&mut self, records: Range<usize>, to: &mut Encoded) -> Result<usize, OutOfMemory> {
        let mut next = records.start;
        while next < records.end {
            if !self.group.contains(&next) {
                self.prepare(next..self.input.scanned.len().min(next + GROUP));
            }
            let end = records.end.min(self.group.end);
            let special = self.first_special(next..end);
            // If the file changes during the run, a part may lie outside the chunk.
            if next < special && !self.append_group(next..special, to)? {
                return Ok(next);
            }
            next = special;
            if special < end {
                break;
            }
        }
        Ok(next)
    }

    /// Sets the group to these records: finds their parts, chooses the steps and makes the cells.
    fn prepare(&mut self, group: Range<usize>) {
        let Self { plan, input, parts, .. } = self;
        let scanned = input.scanned;
        let mut absent = Vec::new();
        for (part, Offsets { starts, ends }) in &mut *parts {
            let is_absent = input.validator.find_part(*part, scanned.batch(), group.clone(), starts, ends);
            if is_absent.expect("the scan has the columns of the plan") {
                absent.push(*part);
            }
        }
        // A byte order mark may stand before the first record.
        let at_line_start = self.are_lines && group.start > 0;
        let hosts = offsets(parts, Part::Host).filter(|_| plan.has_host_kind);
        let have_names = hosts.is_some_and(|hosts| {
            let are_there =
                hosts.ends[..group.len()].iter().fold(true, |all, &end| all & (end != Batch::ABSENT));
            are_there && scanned.addresses(group.clone()).next().is_none()
        });
        let name = input.validator.grammar().default_host_kind();
        let mut common = Common::new(at_line_start, have_names.then_some(name));
        absent.into_iter().for_each(|part| common.lack(part));
        self.steps = plan.steps(common);
        self.made.resize_with(self.steps.len().max(self.made.len()), MadeCells::default);
        self.group = group;
        for (step, index) in self.steps.iter().zip(0..) {
            self.make(step.content, index);
        }
    }

    /// Makes the cells of the group for a step, unless the cells are a part of the records or constant.
    fn make(&mut self, content: Content, step: usize) {
        let Self { input, group, parts, made, .. } = self;
        let (others, made) = made.split_at_mut(step);
        let made = &mut made[0];
        let scanned = input.scanned;
        match content {
            Content::Constant | Content::Text(_) => {}
            Content::File => made.repeat(&self.file, group.len()),
            Content::Line => {
                let line = |index| input.first_line + scanned.line_number(index).unwrap_or_default();
                if self.are_lines {
                    let first = line(group.start);
                    made.count(&self.start, (first..).take(group.len()));
                } else {
                    made.count(&self.start, group.clone().map(line));
                }
            }
            Content::Start => {
                let mut columns = [0; GROUP];
                for (column, index) in columns.iter_mut().zip(group.clone()) {
                    // The lines of a chunk are shorter than 4 GiB.
                    let start = scanned.start_column(index).and_then(|start| u32::try_from(start).ok());
                    *column = start.unwrap_or(Batch::ABSENT);
                }
                made.numbers(&columns[..group.len()]);
            }
            Content::Length => {
                let mut lengths = [0; GROUP];
                if let Some(Offsets { starts, ends }) = offsets(parts, Part::Record) {
                    for ((length, start), end) in lengths.iter_mut().zip(starts).zip(ends) {
                        *length = end.saturating_sub(*start);
                    }
                }
                made.numbers(&lengths[..group.len()]);
            }
            Content::Range(part) => {
                // Without userinfo and port, the ranges of host and authority are the same.
                let places = offsets(parts, part);
                let is_same = |step: &Step| matches!(step.content, Content::Range(other) if offsets(parts, other) == places);
                if let Some(same) = self.steps[..step].iter().position(is_same) {
                    made.copy(&others[same]);
                } else if let Some((records, places)) = offsets(parts, Part::Record).zip(places) {
                    let [_, between, after] = F::RANGE;
                    made.ranges(records, places, group.len(), [between, after]);
                }
            }
            Content::HostKind => {
                let hosts = offsets(parts, Part::Host).into_iter().flat_map(|o| o.each(group.len()));
                let name = input.validator.grammar().default_host_kind();
                let mut addresses = scanned.addresses(group.clone()).peekable();
                let kinds = hosts.zip(group.clone()).map(|(host, index)| {
                    let address = addresses.next_if(|&(address, _)| address == index);
                    host.map(|_| address.map_or(name, |(_, kind)| kind))
                });
                let names = HostKind::ALL.iter().map(|kind| name_cell::<F>(kind.name()));
                let place = |kind| HostKind::ALL.iter().position(|&other| other == kind);
                made.choose(names, kinds.map(|kind| place(kind?)));
            }
            Content::Opaque => {
                // The record has a path unless it is opaque. By some grammars without opaque records, a path
                // may be absent, too.
                let has_opaque = input.validator.grammar().has_opaque();
                let paths = offsets(parts, Part::Path).into_iter().flat_map(|o| o.each(group.len()));
                let is_opaque = |path: Option<Range<u32>>| has_opaque && path.is_none();
                let cells = ["false", "true"].map(str::to_owned);
                made.choose(cells.into_iter(), paths.map(|path| Some(usize::from(is_opaque(path)))));
            }
            Content::AuthorityKind => {
                let each = |part| offsets(parts, part).into_iter().flat_map(|o| o.each(group.len()));
                let kind = |(authority, host): (Option<Range<u32>>, Option<Range<u32>>)| {
                    let is_server = authority?.is_empty() || host.is_some();
                    Some(if is_server { AuthorityKind::Server } else { AuthorityKind::Registry })
                };
                let names = AuthorityKind::ALL.iter().map(|kind| name_cell::<F>(kind.name()));
                let place = |kind| AuthorityKind::ALL.iter().position(|&other| other == kind);
                let authorities = each(Part::Authority).zip(each(Part::Host));
                made.choose(names, authorities.map(|places| place(kind(places)?)));
            }
        }
    }

    /// Appends the rows of these records of the group. Returns false if a part of a record lies outside the
    /// chunk.
    fn append_group(&mut self, records: Range<usize>, to: &mut Encoded) -> Result<bool, OutOfMemory> {
        let rows = records.start - self.group.start..records.end - self.group.start;
        let values = self.input.scanned.values();
        let mut steps = Vec::with_capacity(self.steps.len());
        for (step, made) in self.steps.iter().zip(&self.made) {
            let (from, offsets) = match step.content {
                Content::Constant => {
                    steps.push(RowStep::constant(&step.texts));
                    continue;
                }
                Content::Text(part) => (values, offsets(&self.parts, part)),
                _ => (made.text(), Some(&made.offsets)),
            };
            let Some(Offsets { starts, ends }) = offsets else { return Ok(false) };
            steps.push(RowStep::parts(&step.texts, from, &starts[rows.clone()], &ends[rows.clone()]));
        }
        let written = write_rows(&self.input.validator, &mut steps, rows.len(), |needed| to.room(needed))?;
        to.advance(written.unwrap_or_default());
        Ok(written.is_some())
    }

    /// Returns the index of the first of these records with a byte to escape, or the end of `records`. The
    /// records are in the group, and there is at least one.
    fn first_special(&mut self, mut records: Range<usize>) -> usize {
        let Some(offsets) = offsets(&self.parts, Part::Record) else { return records.start };
        let (values, first, end) = (self.input.scanned.values(), self.group.start, records.end);
        let start_of = |index: usize| offsets.starts[index - first] as usize;
        let end_of = |index: usize| offsets.ends[index - first] as usize;
        match self.special {
            Special::Nothing => end,
            Special::NonAscii => {
                let is_special = |&index: &usize| {
                    let record = start_of(index)..end_of(index);
                    looked_at(record.len());
                    !values.get(record).is_some_and(<[u8]>::is_ascii)
                };
                records.find(is_special).unwrap_or(end)
            }
            Special::Comma => {
                let start = start_of(records.start);
                if self.comma < start || self.comma == 0 {
                    let rest = values.get(start..).unwrap_or_default();
                    self.comma = memchr(b',', rest).map_or(usize::MAX, |at| start + at);
                }
                let comma = self.comma;
                if end_of(end - 1) <= comma {
                    return end;
                }
                records.find(|&index| comma < end_of(index)).unwrap_or(end)
            }
        }
    }
}

/// Returns the places of a part, if the plan needs it.
fn offsets(parts: &[(Part, Offsets)], part: Part) -> Option<&Offsets> {
    parts.iter().find(|(other, _)| *other == part).map(|(_, offsets)| offsets)
}
