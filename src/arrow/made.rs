//! The values of a block: parts of its strings, or texts made from them.

use std::ops::Range;

use arrow_buffer::Buffer;

use super::FunctionError;
use super::places::Places;
use super::strings::Block;
use super::text::{TextBuilder, TextLayout};
use crate::column::ABSENT;
use crate::memory;
use crate::part::Part;

/// The length of a part in bytes from which the text that is made of it may need much memory.
const LONG: usize = 1 << 20;

/// A text that is made of a part, with the memory to make it, has at most this many times the bytes of the
/// part.
const LONGEST: usize = 4;

/// The value of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    /// The part of the string, unchanged.
    Part,
    /// The text that was just appended.
    Made,
}

/// The values of a block. The memory is reused for the next block.
#[derive(Default)]
pub(super) struct BlockText {
    /// The part of each row's string. For a row with made text, any part.
    parts: Places,
    /// The rows with made text, in order.
    rows: Vec<u32>,
    /// The place of each made text in `made`.
    places: Places,
    made: Vec<u8>,
}

impl BlockText {
    /// Begins a block, with a part of each string as its value. The value of a row that is NULL or lacks the
    /// part is NULL.
    pub(super) fn begin(&mut self, part: Part, block: &Block<'_>) {
        self.parts.find(part, block.batch);
        block.null_records().for_each(|index| self.parts.remove(index));
        self.rows.clear();
        self.places.starts.clear();
        self.places.ends.clear();
        self.made.clear();
    }

    /// Makes the values of all invalid records NULL.
    pub(super) fn reject(&mut self, block: &Block<'_>) {
        for invalid in block.batch.invalid() {
            self.parts.remove(invalid.index as usize);
        }
    }

    /// Makes room for a text of `len` bytes.
    pub(super) fn reserve(&mut self, len: usize) -> Result<(), FunctionError> {
        if i32::try_from(self.made.len().saturating_add(len)).is_err() {
            return Err(too_long());
        }
        Ok(memory::try_reserve(&mut self.made, len)?)
    }

    /// Sets the value of a row that is not NULL. Rows must be set in order. `write` gets the part, which it
    /// may narrow, and a buffer. If it returns [`Value::Made`], the text that it appended to the buffer is
    /// the value.
    pub(super) fn set(
        &mut self,
        index: usize,
        write: impl FnOnce(&mut Range<usize>, &mut Vec<u8>) -> Value,
    ) -> Result<(), FunctionError> {
        let (part_start, part_end) = (self.parts.starts[index], self.parts.ends[index]);
        if part_start == ABSENT {
            return Ok(());
        }
        let mut part = part_start as usize..part_end as usize;
        let _room = if part.len() < LONG { None } else { Some(memory::room_for(LONGEST * part.len())?) };
        let start = self.made.len();
        match write(&mut part, &mut self.made) {
            Value::Null => self.parts.remove(index),
            Value::Part => {
                self.parts.starts[index] = part.start as u32;
                self.parts.ends[index] = part.end as u32;
            }
            Value::Made => {
                let end = i32::try_from(self.made.len()).map_err(|_| too_long())?.cast_unsigned();
                self.rows.push(index as u32);
                self.places.starts.push(start as u32);
                self.places.ends.push(end);
                return Ok(());
            }
        }
        self.made.truncate(start);
        Ok(())
    }

    /// Appends the values to a column, run by run.
    pub(super) fn append_to(
        &mut self,
        column: &mut TextBuilder,
        block: &Block<'_>,
    ) -> Result<(), FunctionError> {
        let made = Buffer::from_vec(std::mem::take(&mut self.made));
        let (mut row, mut count) = (0, 0);
        for run in self.rows.chunk_by(|one, next| one + 1 == *next) {
            let first = run[0] as usize;
            column.append(block, row..first, self.parts.slice(row..first))?;
            column.append_made(&made, self.places.slice(count..count + run.len()))?;
            (row, count) = (first + run.len(), count + run.len());
        }
        let rest = row..block.batch.len();
        column.append(block, rest.clone(), self.parts.slice(rest))
    }
}

/// Returns the error for a block whose made texts are too long for views. Some implementations of Arrow read
/// the offsets of views as signed.
fn too_long() -> FunctionError {
    FunctionError::TooLong(TextLayout::Utf8View.data_type())
}
