//! Valid records and the suggestions for invalid ones, one a line. Invalid records without a suggestion are
//! left out and counted.

use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::{Columns, Request};

use super::encoder::{Encode, Encoded, JudgedChunk, LeftOut};

/// The valid records and the mended ones.
pub(crate) struct Mended {
    /// The byte that ends a line.
    pub(crate) terminator: u8,
}

impl Encode for Mended {
    fn request(&self) -> Request {
        Columns::RECORDS.into()
    }

    fn leaves_out(&self) -> LeftOut {
        LeftOut::Misfits
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let scanned = input.scanned;
        let mut invalid = scanned.batch().invalid().iter().peekable();
        let mut unmended = 0;
        to.extend_with(|bytes| {
            let mut append = |record: &[u8]| -> Result<(), OutOfMemory> {
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
                        None => unmended += 1,
                    },
                }
            }
            Ok::<_, OutOfMemory>(())
        })?;
        to.tally.unmended = unmended;
        Ok(())
    }
}
