//! The URI that each valid record refers to, one a line.

use std::collections::TryReserveError;

use urivalidate::{Base, Columns};

use super::encoder::{Encode, Encoded, JudgedChunk};

/// The column `resolved` of valid records.
pub(crate) struct Resolved {
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Resolved {
    fn columns(&self) -> Columns {
        Base::COLUMNS
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let Some(deriver) = input.deriver else { return Ok(()) };
        let scanned = input.scanned;
        to.extend_with(|bytes| {
            bytes.try_reserve(scanned.values().len() + scanned.len())?;
            let page_of = |index| scanned.page(index);
            deriver.resolve_batch(scanned.batch(), scanned.values(), page_of, |_, target| {
                let Some(target) = target else { return Ok(()) };
                bytes.try_reserve(target.len() + 1)?;
                bytes.extend_from_slice(target);
                bytes.push(self.terminator);
                Ok(())
            })
        })
    }
}
