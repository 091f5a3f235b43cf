//! A row of text, written into room that is surely enough for it.
//!
//! Texts are copied in blocks of a fixed size, so that a copy is a few moves and no call: the next cell overwrites the surplus.

use std::ops::Range;

use super::cell::TextForm;

/// The bytes that are copied at a time.
pub(super) const BLOCK: usize = 32;

/// A short text, in a block that is copied whole.
#[derive(Clone, Copy)]
pub(super) struct Block {
    bytes: [u8; BLOCK],
    pub(super) len: usize,
}

impl Block {
    /// # Panics
    ///
    /// If it is too long.
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [0; BLOCK];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        Block { bytes, len: text.len() }
    }
}

/// The cells at the start of all rows of a file, before the number of the line.
pub(super) struct RowStart {
    text: Vec<u8>,
    /// The text, if it has no more bytes than this.
    short: [u8; Self::SHORT],
}

impl RowStart {
    const SHORT: usize = 2 * BLOCK;

    pub(super) fn new(text: Vec<u8>) -> Self {
        let mut short = [0; Self::SHORT];
        if let Some(short) = short.get_mut(..text.len()) {
            short.copy_from_slice(&text);
        }
        RowStart { text, short }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

/// A row being written, in room that is surely enough for it.
pub(super) struct RowWriter<'a> {
    pub(super) bytes: &'a mut [u8],
    pub(super) at: usize,
    pub(super) values: &'a [u8],
    /// The number of bytes of a record for which the buffer has room: in a file that changes no part can be
    /// longer.
    pub(super) longest: usize,
}

impl RowWriter<'_> {
    #[inline(always)]
    pub(super) fn block(&mut self, block: &Block) {
        const HALF: usize = BLOCK / 2;

        if let Some(room) = self.bytes[self.at..].first_chunk_mut::<BLOCK>() {
            // Most are so short, and those of a step are always or never.
            let (first, second) = block.bytes.split_at(HALF);
            room[..HALF].copy_from_slice(first);
            if block.len > HALF {
                room[HALF..].copy_from_slice(second);
            }
        }
        self.at += block.len;
    }

    /// The start of a row.
    #[inline(always)]
    pub(super) fn start(&mut self, start: &RowStart, number: &Block) {
        match self.bytes[self.at..].first_chunk_mut() {
            Some(room) if start.text.len() <= RowStart::SHORT => {
                *room = start.short;
                self.at += start.text.len();
            }
            _ => self.exactly(&start.text),
        }
        self.block(number);
    }

    /// One or two bytes, or none.
    #[inline(always)]
    pub(super) fn short(&mut self, text: &'static str) {
        for &byte in text.as_bytes() {
            self.bytes[self.at] = byte;
            self.at += 1;
        }
    }

    /// A cell whose text lies here in the values. If it is short, no branch depends on its presence or length.
    #[inline(always)]
    pub(super) fn text<F: TextForm, const SHORT: usize>(
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

    pub(super) fn exactly(&mut self, bytes: &[u8]) {
        self.bytes[self.at..][..bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    #[inline(always)]
    pub(super) fn number(&mut self, number: u64) {
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
pub(super) struct Counter {
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
    pub(super) fn at(&mut self, number: u64) -> Block {
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
