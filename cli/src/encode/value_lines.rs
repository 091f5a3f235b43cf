//! The value of a column for each valid record that has one, one a line.

use std::io::Write as _;

use urivalidate::corpus::{LogColumns, Repeats};
use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::{Request, RowColumn};

use super::encoder::{Encode, Encoded, JudgedChunk};
use super::tally::Tally;
use super::values::ColumnValues;

/// The values of a column, one a line, of valid records.
pub(crate) struct ValueLines {
    pub(crate) values: ColumnValues,
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for ValueLines {
    fn request(&self) -> Request {
        self.values.columns().into()
    }

    fn repeats(&self) -> Repeats {
        Repeats::among([self.values.column()])
    }

    fn log_columns(&self) -> LogColumns {
        LogColumns::among([self.values.column()])
    }

    fn column(&self) -> Option<RowColumn> {
        Some(self.values.column())
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        input.ask_for_made()?;
        let mut tally = Tally::default();
        to.extend_with(|bytes| {
            try_reserve(bytes, input.scanned.values().len() + input.scanned.len())?;
            tally = self.values.each(input, |[stem, rest]| {
                try_reserve(bytes, stem.len() + rest.len() + 1)?;
                if !stem.is_empty() {
                    bytes.extend_from_slice(stem);
                }
                // Only decoded values have line ends; there they stay escapes.
                let is_end = |byte: u8| byte == self.terminator || self.terminator == b'\n' && byte == b'\r';
                let mut rest = rest;
                while let Some(at) = rest.iter().position(|&byte| is_end(byte)) {
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
