//! The cells of a column for a group of rows, if they are not parts of the records: numbers and names.
//!
//! Small numbers are places in a table, and a range of small numbers is written as one word. Writing digits
//! for each row took a quarter of the time of offsets.

use std::ops::Range;

use urivalidate::Batch;
use urivalidate::work::looked_at;

/// The most rows of a group.
pub(super) const GROUP: usize = 64;

/// A place in some bytes for each row of a group. Both offsets are [`Batch::ABSENT`] if a row has no place.
#[derive(Clone, PartialEq)]
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
    /// Returns the places of the first `rows` rows.
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

/// The cells of a group, as places in a text.
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

    /// Copies the cells of another group.
    pub(super) fn copy(&mut self, other: &Self) {
        self.clear();
        self.own.extend_from_slice(&other.own);
        self.offsets.clone_from(&other.offsets);
        self.are_small = other.are_small;
    }

    /// Makes the same cell for all rows.
    pub(super) fn repeat(&mut self, cell: &[u8], rows: usize) {
        self.clear();
        self.own.extend_from_slice(cell);
        (0..rows).for_each(|row| self.offsets.set(row, 0..cell.len()));
        self.pad();
    }

    /// Makes a cell of each number. [`Batch::ABSENT`] makes an absent cell.
    pub(super) fn numbers(&mut self, numbers: &[u32]) {
        self.clear();
        let is_small = |number: u32| (u64::from(number) < NUMBERS) | (number == Batch::ABSENT);
        self.are_small = numbers.iter().fold(true, |all, &number| all & is_small(number));
        if !self.are_small {
            for (row, &number) in numbers.iter().enumerate() {
                match number {
                    Batch::ABSENT => self.offsets.set_absent(row),
                    number => self.push(row, itoa::Buffer::new().format(number).as_bytes()),
                }
            }
            return self.pad();
        }
        let offsets = self.offsets.starts.iter_mut().zip(&mut self.offsets.ends);
        for ((start, end), &number) in offsets.zip(numbers) {
            let digits = 1 + u32::from(number >= 10) + u32::from(number >= 100);
            let at = number.wrapping_mul(DIGITS as u32);
            let is_absent = number == Batch::ABSENT;
            *start = if is_absent { number } else { at };
            *end = if is_absent { number } else { at.wrapping_add(digits) };
        }
    }

    /// Makes a cell of each part's range, relative to the row's record, with one text between its numbers and
    /// one after them.
    pub(super) fn ranges(&mut self, records: &Offsets, parts: &Offsets, rows: usize, texts: [&str; 2]) {
        /// The bytes for a range of small numbers.
        const CELL: usize = 8;

        let [between, after] = texts.map(|text| text.bytes().next());
        let [between_len, after_len] = texts.map(str::len);
        let byte = |byte: Option<u8>| u64::from(byte.unwrap_or_default());
        self.clear();
        self.own.resize(GROUP * CELL, 0);
        for row in 0..rows {
            let (record, start, end) = (records.starts[row], parts.starts[row], parts.ends[row]);
            if start == Batch::ABSENT {
                self.offsets.set_absent(row);
                continue;
            }
            let [start, end] = [start, end].map(|offset| offset.saturating_sub(record));
            let (Some((first, first_len)), Some((second, second_len))) = (small(start), small(end)) else {
                let mut digits = itoa::Buffer::new();
                self.push(row, digits.format(start).as_bytes());
                self.push_more(row, texts[0].as_bytes());
                self.push_more(row, digits.format(end).as_bytes());
                self.push_more(row, texts[1].as_bytes());
                continue;
            };
            let second_at = first_len + between_len;
            let after_at = second_at + second_len;
            let cell = u64::from(first)
                | byte(between) << (8 * first_len)
                | u64::from(second) << (8 * second_at)
                | byte(after) << (8 * after_at);
            let at = row * CELL;
            if let Some(to) = self.own[at..].first_chunk_mut() {
                *to = cell.to_le_bytes();
            }
            self.offsets.set(row, at..at + after_at + after_len);
        }
        self.pad();
    }

    /// Makes a cell of each number, with the same text before it. Fast if most numbers are one more than the
    /// number before.
    pub(super) fn count(&mut self, before: &[u8], numbers: impl Iterator<Item = u64>) {
        /// The bytes for a short cell.
        const CELL: usize = 64;
        /// The most digits of a number.
        const MOST: usize = 20;

        if before.len() + MOST > CELL {
            self.clear();
            for (row, number) in numbers.enumerate() {
                self.push(row, before);
                self.push_more(row, itoa::Buffer::new().format(number).as_bytes());
            }
            return self.pad();
        }
        let mut cell = [0; CELL];
        cell[..before.len()].copy_from_slice(before);
        // The cells of a hundred numbers differ in their last two digits.
        let (mut hundred, mut len) = (0..0, 0);
        self.are_small = false;
        self.own.resize(GROUP * CELL + PAD, 0);
        let (cells, _) = self.own.as_chunks_mut::<CELL>();
        for ((row, number), to) in numbers.enumerate().zip(cells) {
            if !hundred.contains(&number) {
                let mut digits = itoa::Buffer::new();
                let digits = digits.format(number).as_bytes();
                len = before.len() + digits.len();
                cell[before.len()..len].copy_from_slice(digits);
                let start = number / 100 * 100;
                hundred = if start > 0 { start..start.saturating_add(100) } else { 0..0 };
            }
            *to = cell;
            if !hundred.is_empty() {
                let digits = (100 + (number - hundred.start) as usize) * DIGITS + 1;
                to[len - 2..len].copy_from_slice(&SMALL[digits..digits + 2]);
            }
            self.offsets.set(row, row * CELL..row * CELL + len);
        }
    }

    /// Makes a cell of each choice: the text with this index in `texts`, or absent for `None`.
    pub(super) fn choose(
        &mut self,
        texts: impl Iterator<Item = String>,
        choices: impl Iterator<Item = Option<usize>>,
    ) {
        self.clear();
        let mut places = Vec::new();
        for text in texts {
            let start = self.own.len();
            self.own.extend_from_slice(text.as_bytes());
            places.push(start..self.own.len());
        }
        for (row, choice) in choices.enumerate() {
            match choice.and_then(|choice| places.get(choice)) {
                Some(place) => self.offsets.set(row, place.clone()),
                None => self.offsets.set_absent(row),
            }
        }
        self.pad();
    }

    fn clear(&mut self) {
        self.own.clear();
        self.are_small = false;
    }

    /// Starts the cell of a row with this text.
    fn push(&mut self, row: usize, text: &[u8]) {
        let start = self.own.len();
        self.offsets.set(row, start..start);
        self.push_more(row, text);
    }

    /// Appends to the cell that was pushed last.
    fn push_more(&mut self, row: usize, text: &[u8]) {
        looked_at(text.len());
        self.own.extend_from_slice(text);
        self.offsets.ends[row] = self.own.len() as u32;
    }

    /// Adds bytes after the last cell, because a copy of a cell takes some bytes after it, too.
    fn pad(&mut self) {
        self.own.resize(self.own.len() + PAD, 0);
    }
}

/// The number of bytes after the last cell that a copy may read.
const PAD: usize = 64;

/// The number of small numbers, which start at 0.
const NUMBERS: u64 = 1000;

/// The bytes for a small number.
const DIGITS: usize = 4;

/// Returns the digits of a small number, with the first digit in the lowest byte, and their count.
#[inline(always)]
fn small(number: u32) -> Option<(u32, usize)> {
    let digits = SMALL[..NUMBERS as usize * DIGITS].as_chunks::<DIGITS>().0.get(number as usize)?;
    Some((u32::from_le_bytes(*digits), 1 + usize::from(number >= 10) + usize::from(number >= 100)))
}

/// The digits of all small numbers, and padding after them.
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
