//! Keys of web archives, one a line. The library appends them to the output.

use urivalidate::memory::{OutOfMemory, try_reserve};

use crate::encode::encoder::{Encoded, JudgedChunk};
use crate::encode::tally::Tally;

/// The keys of valid records.
pub(super) struct SurtLines {
    /// The byte that ends a line.
    pub(super) terminator: u8,
}

impl SurtLines {
    pub(super) fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let Some(deriver) = input.deriver else { return Ok(()) };
        input.ask_for_made()?;
        let (batch, values) = (input.scanned.batch(), input.scanned.values());
        let lines = to.extend_with(|bytes| {
            try_reserve(bytes, values.len() + batch.len())?;
            let lines = deriver.append_surts(batch, values, self.terminator, bytes);
            lines.expect("the scan had these columns")
        })?;
        to.tally = Tally::of_values(batch.len(), batch.invalid().len(), lines as u64);
        Ok(())
    }
}
