//! Valid records and the suggestions for invalid ones, one a line. Invalid records without a suggestion are left out and counted.

use std::collections::TryReserveError;
use std::io::IoSlice;

use urivalidate::Columns;
use urivalidate::tools::try_reserve;

use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, Write};
use crate::output::{Failure, note};

/// The valid records and the mended ones.
pub(crate) struct Mended {
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Mended {
    fn columns(&self) -> Columns {
        Columns::RECORDS
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        let scanned = input.scanned;
        let mut invalid = scanned.batch().invalid().iter().peekable();
        let mut left_out = 0_u64;
        to.extend_with(|bytes| {
            let mut append = |record: &[u8]| -> Result<(), TryReserveError> {
                // A suggestion can be longer than its record.
                try_reserve(bytes, record.len() + 1)?;
                bytes.extend_from_slice(record);
                bytes.push(self.terminator);
                Ok(())
            };
            for index in 0..scanned.len() {
                match invalid.next_if(|record| record.index as usize == index) {
                    None => append(input.record(index))?,
                    Some(record) => match input.suggestion(index, record.error.kind()) {
                        Some(mended) => append(&mended)?,
                        None => left_out += 1,
                    },
                }
            }
            Ok::<_, TryReserveError>(())
        })?;
        to.set_value(left_out, 0);
        Ok(())
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        Box::new(Counted { left_out: 0 })
    }
}

/// Writes one chunk after the other, and prints at the end how many records are left out.
struct Counted {
    left_out: u64,
}

impl Assemble for Counted {
    fn begin(&mut self, write: Write<'_>) -> Result<(), Failure> {
        write(&mut [])
    }

    fn append(&mut self, encoded: &Encoded, write: Write<'_>) -> Result<(), Failure> {
        self.left_out += encoded.value::<u64>().copied().unwrap_or_default();
        write(&mut [IoSlice::new(encoded.bytes())])
    }

    fn finish(&mut self, _: Write<'_>) -> Result<(), Failure> {
        let text = match self.left_out {
            0 => return Ok(()),
            1 => "1 invalid record has no suggestion and is left out".to_owned(),
            count => format!("{count} invalid records have no suggestion and are left out"),
        };
        note(b"--emit mended", &text);
        Ok(())
    }
}
