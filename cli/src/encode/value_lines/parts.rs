//! One part of each valid record, byte for byte, one a line: the URI itself or a component. Records without
//! the part have no line.

use urivalidate::copy_rows::{RowStep, ShortText, TextsAround, write_rows};
use urivalidate::memory::OutOfMemory;
use urivalidate::{Batch, Columns, Part};

use crate::encode::encoder::{Encoded, JudgedChunk};
use crate::encode::tally::Tally;

/// The number of records whose parts are written at a time.
const GROUP: usize = 256;

/// A part of each valid record.
pub(super) struct PartLines {
    part: Part,
    /// The text around a part: the byte that ends a line, if the record has the part.
    texts: TextsAround,
}

impl PartLines {
    /// Returns the encoder of lines with this part, which end with the byte `terminator`.
    pub(super) fn new(part: Part, terminator: u8) -> Self {
        let nothing = ShortText::default();
        PartLines { part, texts: TextsAround::new(nothing, nothing, nothing, Some(terminator)) }
    }

    /// Returns the columns that a scan must fill.
    pub(super) fn columns(&self) -> Columns {
        // `find_part` finds the part `Record` of invalid records, too; `encode` removes it.
        self.part.columns()
    }

    pub(super) fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let scanned = input.scanned;
        let (mut starts, mut ends) = ([0; GROUP], [0; GROUP]);
        let mut invalid = scanned.batch().invalid().iter().map(|record| record.index as usize).peekable();
        let mut without = 0;
        for first in (0..scanned.len()).step_by(GROUP) {
            let records = first..scanned.len().min(first + GROUP);
            let is_absent = input
                .validator
                .find_part(self.part, scanned.batch(), records.clone(), &mut starts, &mut ends)
                .expect("the scan has the columns of the part");
            while let Some(index) = invalid.next_if(|index| records.contains(index)) {
                starts[index - first] = Batch::ABSENT;
                ends[index - first] = Batch::ABSENT;
            }
            if is_absent {
                without += records.len();
                continue;
            }
            without += starts[..records.len()].iter().filter(|&&start| start == Batch::ABSENT).count();
            let mut steps = [RowStep::parts(&self.texts, scanned.values(), &starts, &ends)];
            let written = write_rows(&input.validator, &mut steps, records.len(), |needed| to.room(needed))?;
            // If the file changes during the run, its values may be shorter than before; the run then fails
            // before this output is written.
            to.advance(written.unwrap_or_default());
        }
        let written = (scanned.len() - without) as u64;
        to.tally = Tally::of_values(scanned.len(), scanned.batch().invalid().len(), written);
        Ok(())
    }
}
