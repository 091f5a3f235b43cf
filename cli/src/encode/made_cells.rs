//! The cells of a column for a group of rows, where these are not parts of the records: numbers and names.

use std::ops::Range;

use urivalidate::Batch;
use urivalidate::tools::work::looked_at;

/// The most rows of a group.
pub(super) const GROUP: usize = 64;

/// A place in some bytes for each row of a group. Both offsets are [`Batch::ABSENT`] where a row has none.
pub(super) struct Offsets {
    pub(super) starts: [u32; GROUP],
    pub(super) ends: [u32; GROUP],
}

impl Default for Offsets {
    fn default() -> Self {
        Offsets { starts: [0; GROUP], ends: [0; GROUP] }
    }
}

impl Offsets {
    /// The places of the first rows.
    pub(super) fn each(&self, rows: usize) -> impl Iterator<Item = Option<Range<u32>>> {
        let places = self.starts.iter().zip(&self.ends).take(rows);
        places.map(|(&start, &end)| (start != Batch::ABSENT).then_some(start..end))
    }

    fn set(&mut self, row: usize, place: Range<usize>) {
        self.starts[row] = place.start as u32;
        self.ends[row] = place.end as u32;
    }

    fn set_absent(&mut self, row: usize) {
        self.starts[row] = Batch::ABSENT;
        self.ends[row] = Batch::ABSENT;
    }
}

/// The cells, as places in a text.
#[derive(Default)]
pub(super) struct MadeCells {
    pub(super) offsets: Offsets,
    own: Vec<u8>,
    /// Whether the text is the table of [`SMALL`] numbers.
    are_small: bool,
}

impl MadeCells {
    pub(super) fn text(&self) -> &[u8] {
        if self.are_small { &SMALL } else { &self.own }
    }

    /// The same cell in all rows.
    pub(super) fn repeat(&mut self, cell: &[u8], rows: usize) {
        self.clear();
        self.own.extend_from_slice(cell);
        (0..rows).for_each(|row| self.offsets.set(row, 0..cell.len()));
        self.pad();
    }

    /// Numbers, where rows have them.
    pub(super) fn numbers(&mut self, numbers: impl Iterator<Item = Option<u64>>) {
        self.clear();
        // Others come after the small ones.
        self.are_small = true;
        for (row, number) in numbers.enumerate() {
            match number {
                None => self.offsets.set_absent(row),
                Some(number @ ..NUMBERS) => {
                    let start = number as usize * DIGITS;
                    let len = 1 + usize::from(number >= 10) + usize::from(number >= 100);
                    self.offsets.set(row, start..start + len);
                }
                Some(number) => {
                    if self.are_small {
                        self.are_small = false;
                        self.own.extend_from_slice(&SMALL);
                    }
                    self.push(row, itoa::Buffer::new().format(number).as_bytes());
                }
            }
        }
        self.pad();
    }

    /// Numbers that mostly are the one before and one more, with the same text before each.
    pub(super) fn count(&mut self, before: &[u8], numbers: impl Iterator<Item = u64>) {
        /// The bytes for a cell, if it is short.
        const CELL: usize = 64;

        self.clear();
        let mut cell = [0; CELL];
        // The cells of a hundred numbers differ in their last two digits.
        let (mut hundred, mut len) = (u64::MAX, 0);
        self.own.resize(GROUP * CELL, 0);
        for (row, number) in numbers.enumerate() {
            if number / 100 != hundred || number < 100 {
                let mut digits = itoa::Buffer::new();
                let digits = digits.format(number).as_bytes();
                (hundred, len) = (number / 100, before.len() + digits.len());
                let Some(cell) = cell.get_mut(..len) else {
                    self.push(row, before);
                    self.push_more(row, digits);
                    hundred = u64::MAX;
                    continue;
                };
                cell[..before.len()].copy_from_slice(before);
                cell[before.len()..].copy_from_slice(digits);
            }
            let start = row * CELL;
            if let Some(to) = self.own[start..].first_chunk_mut::<CELL>() {
                *to = cell;
                if number >= 100 {
                    let digits = (100 + number % 100) as usize * DIGITS + 1;
                    to[len - 2..len].copy_from_slice(&SMALL[digits..digits + 2]);
                }
            }
            self.offsets.set(row, start..start + len);
        }
        self.pad();
    }

    /// Texts, where rows have cells: the plain one, or another.
    pub(super) fn texts(&mut self, plain: &[u8], texts: impl Iterator<Item = Option<Option<Vec<u8>>>>) {
        self.clear();
        self.own.extend_from_slice(plain);
        for (row, text) in texts.enumerate() {
            match text {
                None => self.offsets.set_absent(row),
                Some(None) => self.offsets.set(row, 0..plain.len()),
                Some(Some(text)) => self.push(row, &text),
            }
        }
        self.pad();
    }

    fn clear(&mut self) {
        self.own.clear();
        self.are_small = false;
    }

    /// The cell of a row.
    fn push(&mut self, row: usize, text: &[u8]) {
        let start = self.own.len();
        self.offsets.set(row, start..start);
        self.push_more(row, text);
    }

    /// More of the cell that was pushed last.
    fn push_more(&mut self, row: usize, text: &[u8]) {
        looked_at(text.len());
        self.own.extend_from_slice(text);
        self.offsets.ends[row] = self.own.len() as u32;
    }

    /// Bytes behind the last cell: cells are copied with what follows them.
    fn pad(&mut self) {
        self.own.resize(self.own.len() + PAD, 0);
    }
}

/// The most bytes that are copied with a cell.
const PAD: usize = 64;

/// The small numbers.
const NUMBERS: u64 = 1000;

/// The bytes for a small number.
const DIGITS: usize = 4;

/// Numbers of up to three digits, and bytes behind them.
static SMALL: [u8; NUMBERS as usize * DIGITS + PAD] = {
    let mut table = [0; NUMBERS as usize * DIGITS + PAD];
    let mut number = 0;
    while number < NUMBERS as usize {
        let digits = [number / 100, number / 10 % 10, number % 10];
        let skipped = match number {
            0..10 => 2,
            10..100 => 1,
            _ => 0,
        };
        let mut digit = skipped;
        while digit < digits.len() {
            table[number * DIGITS + digit - skipped] = b'0' + digits[digit] as u8;
            digit += 1;
        }
        number += 1;
    }
    table
};
