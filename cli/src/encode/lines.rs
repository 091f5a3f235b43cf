//! The lines of records, byte for byte as they came.

use std::collections::TryReserveError;

use urivalidate::Columns;
use urivalidate::corpus::{Format, Scanned};

use super::{Encode, Encoded, Input};
use crate::args::Verdict;

/// The lines of the records of a verdict.
pub(crate) struct Lines {
    pub(crate) verdict: Verdict,
    /// Whether the valid records of a list are written without the white space around them, which is no part of them: read
    /// again, they are valid as they are.
    pub(crate) is_trimmed: bool,
}

impl Encode for Lines {
    fn columns(&self) -> Columns {
        if self.is_trimmed { Columns::RECORDS } else { Columns::NONE }
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
            match self.verdict {
                Verdict::Valid if self.is_trimmed && scanned.chunk().layout().format() == Format::Lines => {
                    copy_trimmed(scanned, bytes);
                }
                Verdict::Valid => scanned.copy_valid_lines(bytes),
                Verdict::Invalid => scanned.copy_invalid_lines(bytes),
            }
            Ok(())
        })
    }
}

/// Appends the valid records, each with the byte that ends its line.
fn copy_trimmed(scanned: &Scanned<'_>, to: &mut Vec<u8>) {
    let batch = scanned.batch();
    for index in (0..scanned.len()).filter(|&index| batch.is_valid(index)) {
        to.extend_from_slice(scanned.record(index));
        // The last line may have none.
        to.extend(scanned.line(index).last().filter(|&&end| end == b'\n' || end == 0));
    }
}
