//! Rows of valid records, copied.
//!
//! A valid record has no byte that a form writes in another way, but for non-ASCII characters and, in csv, commas. So its row
//! is a fixed plan: constants, numbers and slices of the record. They are copied in blocks of a fixed size, into room that
//! was made before, so that a copy is a few moves and no call: the next cell overwrites the surplus of a copy. The record
//! that the plan is not good for is left to the [rows](super::rows).
//!
//! These copies are what bounds the output: with all columns two thirds of the time, some three nanoseconds a cell, where the scan
//! is a seventh; with a host alone less than a third.

use std::collections::TryReserveError;
use std::marker::PhantomData;
use std::mem;
use std::ops::Range;

use urivalidate::tools::may_be_address;
use urivalidate::tools::work::{looked_at, memchr};
use urivalidate::{CellType, Column, Columns, Part, RowColumn};

use super::arrays::BatchArrays;
use super::cell::{Special, TextForm};
use super::encoder::{Encoded, JudgedChunk};
use super::row;

/// The bytes that are copied at a time.
const BLOCK: usize = 32;

/// Longer records are left to the rows: room is made for a record in each cell.
const LONG: usize = 1 << 16;

/// The steps for a row.
pub(super) struct CopyPlan<F> {
    steps: Vec<Step>,
    /// The bytes of a row without the file's name and the texts of the record, or more.
    fixed: usize,
    /// The number of texts of the record that a row can have.
    texts: usize,
    columns: Columns,
    are_ranges: bool,
    form: PhantomData<F>,
}

/// A cell and the text before it.
struct Step {
    before: Block,
    source: Content,
}

/// The content of a cell.
enum Content {
    /// Nothing.
    Constant,
    File,
    Line,
    Start,
    Length,
    /// A part of the record; or this instead of the whole cell, if it is absent.
    Text(Part, Block),
    Range(Part, Block),
    /// The kind of the host, or this instead of the whole cell.
    HostKind(Block),
    /// A value that needs the components of the record.
    Other(RowColumn),
}

/// A short text, in a block that is copied whole.
#[derive(Clone, Copy)]
struct Block {
    bytes: [u8; BLOCK],
    len: usize,
}

impl Block {
    /// # Panics
    ///
    /// If it is too long.
    fn new(text: &str) -> Self {
        let mut bytes = [0; BLOCK];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Block { bytes, len: text.len() }
    }
}

/// The steps so far, and a constant that comes before the next one.
#[derive(Default)]
struct Steps {
    steps: Vec<Step>,
    constant: String,
}

impl Steps {
    /// A cell after `before`; if the record lacks it, `absent` stands for both.
    fn cell(&mut self, before: &str, absent: &str, source: impl FnOnce(Block) -> Content) {
        if self.constant.len() + before.len().max(absent.len()) > BLOCK {
            self.flush();
        }
        let constant = mem::take(&mut self.constant);
        let source = source(Block::new(&(constant.clone() + absent)));
        self.steps.push(Step { before: Block::new(&(constant + before)), source });
    }

    /// Writes the constant.
    fn flush(&mut self) {
        for part in mem::take(&mut self.constant).as_bytes().chunks(BLOCK) {
            let part = str::from_utf8(part).expect("constants are ASCII");
            self.steps.push(Step { before: Block::new(part), source: Content::Constant });
        }
    }
}

impl<F: TextForm> CopyPlan<F> {
    /// The plan of rows with these columns. Each is a component of the record or a value.
    pub(super) fn new(columns: &[RowColumn], are_ranges: bool) -> Self {
        let mut steps = Steps::default();
        let (mut texts, mut needed) = (0, Part::Record.columns());
        for (i, &column) in columns.iter().enumerate() {
            let before = F::before(column.name(), i == 0);
            let absent = before.clone() + F::ABSENT;
            let mut part = |steps: &mut Steps, part: Part, is_range: bool| {
                needed = needed | part.columns();
                if is_range {
                    steps.cell(&(before.clone() + F::RANGE[0]), &absent, |absent| {
                        Content::Range(part, absent)
                    });
                } else {
                    texts += 1;
                    steps.cell(&(before.clone() + F::QUOTE), &absent, |absent| Content::Text(part, absent));
                }
            };
            match (column, column.cell_type()) {
                (RowColumn::File, _) => steps.cell(&before, "", |_| Content::File),
                (RowColumn::Line, _) => steps.cell(&before, "", |_| Content::Line),
                (RowColumn::Start, _) => steps.cell(&before, "", |_| Content::Start),
                (RowColumn::Length, _) => steps.cell(&before, "", |_| Content::Length),
                (RowColumn::Valid, _) => steps.constant += &(before + "true"),
                (RowColumn::Uri, _) => part(&mut steps, Part::Record, false),
                (RowColumn::HostKind, _) => {
                    needed = needed | Part::Host.columns();
                    steps.cell(&before, &absent, Content::HostKind);
                }
                (RowColumn::Opaque | RowColumn::AuthorityKind, _) => {
                    needed = Columns::ALL;
                    texts += 1;
                    steps.cell(&before, "", |_| Content::Other(column));
                }
                (_, CellType::Part(found)) => part(&mut steps, found, are_ranges),
                // A valid record has no error, and nothing that is made of one.
                _ => steps.constant += &absent,
            }
        }
        steps.constant += F::END;
        steps.flush();
        // A number or a name has fewer bytes than a block, and a range has two numbers. Behind the row there
        // is room for a text's first bytes, which are copied whatever its length.
        let fixed = steps.steps.len() * 3 * BLOCK + 128;
        CopyPlan { steps: steps.steps, fixed, texts, columns: needed, are_ranges, form: PhantomData }
    }

    /// The columns of a scan that it needs.
    pub(super) fn columns(&self) -> Columns {
        self.columns
    }

    /// The copier of the rows of a chunk.
    pub(super) fn copier<'a>(&'a self, input: &JudgedChunk<'a>) -> Copier<'a, F> {
        let (batch, grammar) = (input.scanned.batch(), input.validator.grammar());
        let mut file = Vec::new();
        F::text(&mut file, input.file);
        Copier {
            plan: self,
            input: *input,
            offsets: BatchArrays::new(batch),
            file,
            line: Counter::default(),
            special: match F::SPECIAL {
                Special::NonAscii if !grammar.allows_beyond_ascii() => Special::Nothing,
                special => special,
            },
            comma: 0,
            name: Block::new(&[F::QUOTE, grammar.plain_host_kind().name(), F::QUOTE].concat()),
        }
    }
}

/// Makes the rows of a chunk, in order.
pub(super) struct Copier<'a, F> {
    plan: &'a CopyPlan<F>,
    input: JudgedChunk<'a>,
    offsets: BatchArrays<'a>,
    /// The cell of the file's name.
    file: Vec<u8>,
    line: Counter,
    /// The bytes to look for.
    special: Special,
    /// The earliest place of the next comma.
    comma: usize,
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
        let values = self.input.scanned.values();
        for index in records.clone() {
            let at = |column: Column| self.offsets.at(column, index);
            let range = at(Column::Start) as usize..at(Column::End) as usize;
            if range.len() > LONG || self.has_special(values, range.clone()) {
                return Ok(index);
            }
            let most = self.plan.fixed + self.file.len() + self.plan.texts * range.len();
            let room = to.room(most)?;
            let mut row = RowWriter { bytes: room, at: 0, values, longest: range.len() };
            for step in &self.plan.steps {
                match &step.source {
                    Content::Constant => row.block(&step.before),
                    Content::File => {
                        row.block(&step.before);
                        row.exactly(&self.file);
                    }
                    Content::Line => {
                        row.block(&step.before);
                        let line = self.input.first_line + self.input.scanned.line_number(index);
                        row.block(&self.line.at(line));
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

/// A row being written, in room that is surely enough for it.
struct RowWriter<'a> {
    bytes: &'a mut [u8],
    at: usize,
    values: &'a [u8],
    /// The number of bytes of a record for which the buffer has room: in a file that changes no part can be
    /// longer.
    longest: usize,
}

impl RowWriter<'_> {
    #[inline(always)]
    fn block(&mut self, block: &Block) {
        if let Some(room) = self.bytes[self.at..].first_chunk_mut() {
            *room = block.bytes;
        }
        self.at += block.len;
    }

    /// One or two bytes, or none.
    #[inline(always)]
    fn short(&mut self, text: &'static str) {
        for &byte in text.as_bytes() {
            self.bytes[self.at] = byte;
            self.at += 1;
        }
    }

    /// A cell whose text lies here in the values. If it is short, no branch depends on its presence or length.
    #[inline(always)]
    fn text<F: TextForm, const SHORT: usize>(
        &mut self,
        before: &Block,
        absent: &Block,
        part: Option<Range<usize>>,
    ) {
        let is_there = part.is_some();
        let Range { start, end } = part.unwrap_or_default();
        self.block(if is_there { before } else { absent });
        if !F::EMPTY.is_empty() && is_there && start == end {
            self.short(F::EMPTY);
        }
        self.copy::<SHORT>(start, end.saturating_sub(start).min(self.longest));
        if let Some(&quote) = F::QUOTE.as_bytes().first() {
            self.bytes[self.at] = quote;
            self.at += usize::from(is_there);
        }
    }

    #[inline(always)]
    fn copy<const SHORT: usize>(&mut self, start: usize, len: usize) {
        let from = self.values.get(start..).unwrap_or_default();
        let to = &mut self.bytes[self.at..];
        self.at += len;
        let (Some(first), Some(room)) = (from.first_chunk::<SHORT>(), to.first_chunk_mut::<SHORT>()) else {
            // The end of the values is near.
            let rest = from.get(..len).unwrap_or_default();
            to[..rest.len()].copy_from_slice(rest);
            return;
        };
        *room = *first;
        let mut done = SHORT;
        while done < len {
            match (from.get(done..).and_then(<[u8]>::first_chunk::<BLOCK>), to[done..].first_chunk_mut()) {
                (Some(block), Some(room)) => *room = *block,
                _ => {
                    let rest = from.get(done..len).unwrap_or_default();
                    to[done..][..rest.len()].copy_from_slice(rest);
                    return;
                }
            }
            done += BLOCK;
        }
    }

    fn exactly(&mut self, bytes: &[u8]) {
        self.bytes[self.at..][..bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    #[inline(always)]
    fn number(&mut self, number: u64) {
        match SMALL.get(number as usize) {
            Some(digits) => {
                if let Some(room) = self.bytes[self.at..].first_chunk_mut() {
                    *room = *digits;
                }
                self.at += 1 + usize::from(number >= 10) + usize::from(number >= 100);
            }
            None => self.exactly(itoa::Buffer::new().format(number).as_bytes()),
        }
    }
}

/// Numbers of up to three digits.
static SMALL: [[u8; 4]; 1000] = {
    let mut table = [[0; 4]; 1000];
    let mut number = 0;
    while number < table.len() {
        let [hundreds, tens, ones] = [number / 100, number / 10 % 10, number % 10];
        let digits = [b'0' + hundreds as u8, b'0' + tens as u8, b'0' + ones as u8];
        table[number] = match number {
            0..10 => [digits[2], 0, 0, 0],
            10..100 => [digits[1], digits[2], 0, 0],
            _ => [digits[0], digits[1], digits[2], 0],
        };
        number += 1;
    }
    table
};

/// The number of a line, which mostly is the one before and one more.
struct Counter {
    number: u64,
    digits: Block,
}

impl Default for Counter {
    fn default() -> Self {
        Counter { number: 0, digits: Block::new("0") }
    }
}

impl Counter {
    #[inline(always)]
    fn at(&mut self, number: u64) -> Block {
        let Block { bytes, len } = &mut self.digits;
        let last = &mut bytes[(*len - 1) % BLOCK];
        if number == self.number + 1 && *last < b'9' {
            *last += 1;
        } else if number != self.number {
            self.digits = Block::new(itoa::Buffer::new().format(number));
        }
        self.number = number;
        self.digits
    }
}
