//! The value of a column for each valid record that has one, one a line.

use std::collections::TryReserveError;

use urivalidate::Columns;
use urivalidate::tools::Repeats;

use super::encoder::{Encode, Encoded, JudgedChunk};
use super::values::Values;

/// The values of a column, one a line, of valid records.
pub(crate) struct ValueLines {
    pub(crate) values: Values,
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for ValueLines {
    fn columns(&self) -> Columns {
        Columns::ALL
    }

    fn repeats(&self) -> Repeats {
        Repeats::among([self.values.column()])
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        to.extend_with(|bytes| {
            let mut reserved = Ok(());
            self.values.each(input, |value| {
                if reserved.is_ok() {
                    reserved = bytes.try_reserve(value.len() + 1);
                }
                if reserved.is_ok() {
                    bytes.extend_from_slice(value);
                    bytes.push(self.terminator);
                }
            });
            reserved
        })
    }
}
