//! One part of each valid record, byte for byte, one a line: the URI itself or a component. Records without it have no line.

use std::collections::TryReserveError;

use urivalidate::{Columns, Part};

use super::arrays::BatchArrays;
use super::encoder::{Encode, Encoded, JudgedChunk};

/// A part of each valid record.
pub(crate) struct Parts {
    pub(crate) part: Part,
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Parts {
    fn columns(&self) -> Columns {
        Columns::RECORDS | self.part.columns()
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let scanned = input.scanned;
        let (batch, arrays) = (scanned.batch(), BatchArrays::new(scanned.batch()));
        to.extend_with(|bytes| {
            bytes.try_reserve(scanned.values().len() + scanned.len())?;
            for index in (0..scanned.len()).filter(|&index| batch.is_valid(index)) {
                if let Some(range) = arrays.part(self.part, index) {
                    // The values of a file that changes can be shorter than they were; nothing that is made of them is delivered.
                    bytes.extend_from_slice(scanned.values().get(range).unwrap_or_default());
                    bytes.push(self.terminator);
                }
            }
            Ok(())
        })
    }
}
