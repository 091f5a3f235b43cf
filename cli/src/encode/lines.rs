//! The lines of records, byte for byte as they came.

use std::collections::TryReserveError;

use urivalidate::Columns;

use super::{Encode, Encoded, Input};
use crate::args::Verdict;

/// The lines of the records of this verdict.
pub(crate) struct Lines(pub(crate) Verdict);

impl Encode for Lines {
    fn columns(&self) -> Columns {
        Columns::NONE
    }

    fn needs_line_numbers(&self) -> bool {
        false
    }

    fn chunk_size(&self) -> usize {
        256 << 10
    }

    fn encode(&self, input: &Input<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let scanned = input.scanned;
        to.extend_with(|bytes| {
            bytes.try_reserve(scanned.chunk().lines().len())?;
            match self.0 {
                Verdict::Valid => scanned.copy_valid_lines(bytes),
                Verdict::Invalid => scanned.copy_invalid_lines(bytes),
            }
            Ok(())
        })
    }
}
