//! One part of each valid record, byte for byte, one a line: the URI itself or a component. Records without it have no line.

use std::collections::TryReserveError;

use urivalidate::{Columns, Component};

use super::encoder::{Encode, Encoded, JudgedChunk};

/// A part of each valid record.
pub(crate) struct Parts {
    /// Which component; without one all of the record.
    pub(crate) component: Option<Component>,
    /// What ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Parts {
    fn columns(&self) -> Columns {
        if self.component.is_some() { Columns::ALL } else { Columns::RECORDS }
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let scanned = input.scanned;
        let batch = scanned.batch();
        to.extend_with(|bytes| {
            bytes.try_reserve(scanned.values().len() + scanned.len())?;
            for index in (0..scanned.len()).filter(|&index| batch.is_valid(index)) {
                let record = scanned.record(index);
                let part = match self.component {
                    None => Some(record),
                    // In a file that changes a record can be shorter than its components; nothing that is made of it is delivered.
                    Some(component) => input
                        .components(index)
                        .ok()
                        .and_then(|components| components.get(component))
                        .map(|range| record.get(range).unwrap_or_default()),
                };
                if let Some(part) = part {
                    bytes.extend_from_slice(part);
                    bytes.push(self.terminator);
                }
            }
            Ok(())
        })
    }
}
