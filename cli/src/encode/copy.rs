//! Rows of valid records, copied.
//!
//! A valid record has no byte that a form writes in another way, but for non-ASCII characters and, in csv, commas. So its row
//! is a fixed [plan](super::copy_plan): constants, numbers and slices of the record. The record that the plan is not good for is left
//! to the [rows](super::rows).
//!
//! These copies are what bounds the output: with all columns more than half of the time, where the scan is an eighth; with a host alone
//! less than a third.

use std::collections::TryReserveError;
use std::ops::Range;

use urivalidate::tools::work::{looked_at, memchr};
use urivalidate::tools::{are_lines, may_be_address};
use urivalidate::{Column, Part, RowColumn};

use super::arrays::BatchArrays;
use super::cell::{Special, TextForm};
use super::copy_plan::{Absent, Content, CopyPlan, Step};
use super::encoder::{Encoded, JudgedChunk};
use super::row;
use super::row_writer::{Block, Counter, RowStart, RowWriter};

/// Longer records are left to the rows: room is made for a record in each cell.
const LONG: usize = 1 << 16;

/// The number of rows that are written by the same steps.
const GROUP: usize = 64;

impl<F: TextForm> CopyPlan<F> {
    /// The copier of the rows of a chunk.
    pub(super) fn copier<'a>(&'a self, input: &JudgedChunk<'a>) -> Copier<'a, F> {
        let (batch, grammar) = (input.scanned.batch(), input.validator.grammar());
        let mut file = Vec::new();
        F::text(&mut file, input.file);
        let start =
            self.start().map(|[before, behind]| [before.as_bytes(), &file, behind.as_bytes()].concat());
        Copier {
            plan: self,
            input: *input,
            offsets: BatchArrays::new(batch),
            start: RowStart::new(start.unwrap_or_default()),
            file,
            line: Counter::default(),
            special: match F::SPECIAL {
                Special::NonAscii if !grammar.allows_beyond_ascii() => Special::Nothing,
                special => special,
            },
            comma: 0,
            are_lines: are_lines(input.scanned),
            name: Block::new(&[F::QUOTE, grammar.plain_host_kind().name(), F::QUOTE].concat()),
        }
    }
}

/// Makes the rows of a chunk, in order.
pub(super) struct Copier<'a, F> {
    plan: &'a CopyPlan<F>,
    input: JudgedChunk<'a>,
    offsets: BatchArrays<'a>,
    /// The cells before the number of the line, if the first one is the file's name.
    start: RowStart,
    /// The cell of the file's name.
    file: Vec<u8>,
    line: Counter,
    /// The bytes to look for.
    special: Special,
    /// The earliest place of the next comma.
    comma: usize,
    /// Whether records are whole lines.
    are_lines: bool,
    /// The cell of the kind of hosts that are names.
    name: Block,
}

impl<F: TextForm> Copier<'_, F> {
    /// Appends the rows of these valid records, up to the first one that has to be written in another way, whose index is
    /// returned.
    pub(super) fn append(
        &mut self,
        records: Range<usize>,
        to: &mut Encoded,
    ) -> Result<usize, TryReserveError> {
        let mut rest = records;
        while !rest.is_empty() {
            let group = rest.start..rest.end.min(rest.start + GROUP);
            rest.start = group.end;
            let steps = self.plan.steps(self.absent(group.clone()));
            let end = self.append_by(steps, group.clone(), to)?;
            if end < group.end {
                return Ok(end);
            }
        }
        Ok(rest.end)
    }

    /// The parts that all of these records lack.
    fn absent(&self, records: Range<usize>) -> Absent {
        // Each in a loop of its own, which knows its part.
        let lack = [
            self.lack::<0>(&records),
            self.lack::<1>(&records),
            self.lack::<2>(&records),
            self.lack::<3>(&records),
            self.lack::<4>(&records),
            self.lack::<5>(&records),
            self.lack::<6>(&records),
        ];
        // A byte order mark comes before the first.
        Absent::new(lack, self.are_lines && records.start > 0)
    }

    /// Whether these records lack the part of this number. Those of a scan without its columns do not.
    #[inline(always)]
    fn lack<const NUMBER: usize>(&self, records: &Range<usize>) -> bool {
        let part = const { Absent::PARTS[NUMBER] };
        self.plan.columns().contains_all(part.columns())
            && records.clone().all(|index| self.offsets.part(part, index).is_none())
    }

    /// Appends the rows of these valid records by these steps, as [`append`](Self::append) does.
    fn append_by(
        &mut self,
        steps: &[Step],
        records: Range<usize>,
        to: &mut Encoded,
    ) -> Result<usize, TryReserveError> {
        let values = self.input.scanned.values();
        for index in records.clone() {
            let at = |column: Column| self.offsets.at(column, index);
            let range = at(Column::Start) as usize..at(Column::End) as usize;
            if range.len() > LONG || self.has_special(values, range.clone()) {
                return Ok(index);
            }
            let most = self.plan.fixed + self.file.len() + self.start.len() + self.plan.texts * range.len();
            let room = to.room(most)?;
            let mut row = RowWriter { bytes: room, at: 0, values, longest: range.len() };
            for step in steps {
                match &step.content {
                    Content::Constant => row.block(&step.before),
                    Content::File => {
                        row.block(&step.before);
                        row.exactly(&self.file);
                    }
                    Content::Line => {
                        let line = self.input.first_line + self.input.scanned.line_number(index);
                        row.block(&step.before);
                        row.start(&self.start, &self.line.at(line));
                    }
                    Content::Start => {
                        row.block(&step.before);
                        row.number(self.input.scanned.start_column(index));
                    }
                    Content::Length => {
                        row.block(&step.before);
                        row.number(range.len() as u64);
                    }
                    Content::Text(part, absent) => {
                        let found = self.offsets.part(*part, index);
                        match part {
                            Part::Record => row.text::<F, 128>(&step.before, absent, found),
                            Part::Path | Part::Query => {
                                row.text::<F, 64>(&step.before, absent, found);
                            }
                            Part::Scheme | Part::Port => {
                                row.text::<F, 16>(&step.before, absent, found);
                            }
                            _ => row.text::<F, 32>(&step.before, absent, found),
                        }
                    }
                    Content::Range(part, absent) => match self.offsets.part(*part, index) {
                        None => row.block(absent),
                        Some(part) => {
                            row.block(&step.before);
                            row.number(part.start.saturating_sub(range.start) as u64);
                            row.short(F::RANGE[1]);
                            row.number(part.end.saturating_sub(range.start) as u64);
                            row.short(F::RANGE[2]);
                        }
                    },
                    Content::HostKind(absent) => match self.offsets.part(Part::Host, index) {
                        None => row.block(absent),
                        Some(host) => {
                            row.block(&step.before);
                            if values.get(host).is_some_and(may_be_address) {
                                row.exactly(&self.other(RowColumn::HostKind, index));
                            } else {
                                row.block(&self.name);
                            }
                        }
                    },
                    Content::Other(column) => {
                        row.block(&step.before);
                        row.exactly(&self.other(*column, index));
                    }
                }
            }
            let len = row.at;
            to.advance(len);
        }
        Ok(records.end)
    }

    /// A cell by the record's components.
    #[cold]
    fn other(&self, column: RowColumn, index: usize) -> Vec<u8> {
        let row = row::OutputRow::new(&self.input, index, self.input.components(index));
        let mut cell = Vec::new();
        row.value(column, self.plan.are_ranges).write::<F>(&mut cell);
        cell
    }

    /// Whether the record holds what the form writes in another way.
    #[inline(always)]
    fn has_special(&mut self, values: &[u8], record: Range<usize>) -> bool {
        match self.special {
            Special::Nothing => false,
            Special::NonAscii => {
                looked_at(record.len());
                !values.get(record).is_some_and(<[u8]>::is_ascii)
            }
            Special::Comma => {
                if self.comma < record.start || self.comma == 0 {
                    let rest = values.get(record.start..).unwrap_or_default();
                    self.comma = memchr(b',', rest).map_or(usize::MAX, |at| record.start + at);
                }
                self.comma < record.end
            }
        }
    }
}
