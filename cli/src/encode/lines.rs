//! Lines, byte for byte as they came: of valid records, of invalid ones, and those without a record.

use std::collections::TryReserveError;

use urivalidate::Columns;
use urivalidate::corpus::{Format, Scanned};

use super::{Encode, Encoded, Input};

/// Which lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Share {
    Valid,
    Invalid,
    /// Those that hold no record.
    Rest,
}

/// A share of the lines. Header lines are in each, so that each can be read again.
pub(crate) struct Lines {
    pub(crate) share: Share,
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
            match self.share {
                Share::Valid if self.is_trimmed && scanned.chunk().layout().format() == Format::Lines => {
                    copy_trimmed(scanned, bytes);
                }
                Share::Valid => scanned.copy_valid_lines(bytes),
                Share::Invalid => scanned.copy_invalid_lines(bytes),
                Share::Rest => scanned.copy_other_lines(bytes),
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
