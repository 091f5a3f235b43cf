//! A derived column of each valid record that has it, one a line.

use std::collections::TryReserveError;

use urivalidate::corpus::Repeats;
use urivalidate::memory::try_reserve;
use urivalidate::{Columns, Deriver, RowColumn};

use super::encoder::{Encode, Encoded, JudgedChunk};
use super::tally::Tally;

/// A derived column of valid records.
pub(crate) struct Derived {
    pub(crate) column: RowColumn,
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Derived {
    fn columns(&self) -> Columns {
        Deriver::columns(self.column)
    }

    fn repeats(&self) -> Repeats {
        Repeats::among([self.column])
    }

    fn column(&self) -> Option<RowColumn> {
        Some(self.column)
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let Some(deriver) = input.deriver else { return Ok(()) };
        let scanned = input.scanned;
        let mut written = 0;
        input.ask_for_made()?;
        to.extend_with(|bytes| {
            try_reserve(bytes, scanned.values().len() + scanned.len())?;
            let (batch, values) = (scanned.batch(), scanned.values());
            let page_of = |index| scanned.page(index);
            let derived = deriver.derive_batch(self.column, batch, values, page_of, |_, value| {
                let Some(value) = value else { return Ok::<_, TryReserveError>(()) };
                try_reserve(bytes, value.len() + 1)?;
                bytes.extend_from_slice(value);
                bytes.push(self.terminator);
                written += 1;
                Ok(())
            });
            derived.expect("the scan has the columns that this encoder asks for")
        })?;
        to.tally = Tally::of_values(scanned.len(), scanned.batch().invalid().len(), written);
        Ok(())
    }
}
