//! Values that are made one by one, one a line.

use std::io::Write as _;

use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::work::memchr2;

use crate::encode::column;
use crate::encode::encoder::{Encoded, JudgedChunk};
use crate::encode::tally::Tally;
use crate::encode::values::ColumnValues;

/// The values of a column, one a line, of valid records.
pub(super) struct MadeLines {
    pub(super) values: ColumnValues,
    /// The byte that ends a line.
    pub(super) terminator: u8,
}

impl MadeLines {
    pub(super) fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        input.ask_for_made()?;
        let mut tally = Tally::default();
        let lacks_line_ends = column::lacks_line_ends(self.values.column());
        to.extend_with(|bytes| {
            try_reserve(bytes, input.scanned.values().len() + input.scanned.len())?;
            tally = self.values.each(input, |[stem, rest]| {
                try_reserve(bytes, stem.len() + rest.len() + 1)?;
                if !stem.is_empty() {
                    bytes.extend_from_slice(stem);
                }
                if lacks_line_ends {
                    bytes.extend_from_slice(rest);
                    bytes.push(self.terminator);
                    return Ok(());
                }
                // Only decoded values have line ends; there they stay escapes.
                let other = if self.terminator == b'\n' { b'\r' } else { self.terminator };
                let mut rest = rest;
                while let Some(at) = memchr2(self.terminator, other, rest) {
                    try_reserve(bytes, rest.len() + 3)?;
                    bytes.extend_from_slice(&rest[..at]);
                    write!(bytes, "%{:02X}", rest[at]).expect("a Vec takes everything");
                    rest = &rest[at + 1..];
                }
                bytes.extend_from_slice(rest);
                bytes.push(self.terminator);
                Ok::<_, OutOfMemory>(())
            })?;
            Ok::<_, OutOfMemory>(())
        })?;
        // The values are those of valid records alone, so the others are not in the tally yet.
        to.tally = Tally { invalid: input.scanned.batch().invalid().len() as u64, ..tally };
        Ok(())
    }
}
