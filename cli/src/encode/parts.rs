//! One part of each valid record, byte for byte, one a line: the URI itself or a component. Records without
//! the part have no line.

use urivalidate::memory::OutOfMemory;

use urivalidate::copy_rows::{RowStep, ShortText, TextsAround, write_rows};
use urivalidate::{Batch, CellType, Part, Request, RowColumn};

use super::encoder::{Encode, Encoded, JudgedChunk};
use super::tally::Tally;

/// The number of records whose parts are written at a time.
const GROUP: usize = 256;

/// A part of each valid record.
pub(crate) struct Parts {
    part: Part,
    /// The text around a part: the byte that ends a line, if the record has the part.
    texts: TextsAround,
}

impl Parts {
    /// Returns the encoder of lines with this part, which end with the byte `terminator`.
    pub(crate) fn new(part: Part, terminator: u8) -> Self {
        let nothing = ShortText::default();
        Parts { part, texts: TextsAround::new(nothing, nothing, nothing, Some(terminator)) }
    }
}

impl Encode for Parts {
    fn request(&self) -> Request {
        // `find_part` finds the part `Record` of invalid records, too; `encode` removes it.
        self.part.columns().into()
    }

    fn column(&self) -> Option<RowColumn> {
        let has_part = |column: &RowColumn| match column.cell_type() {
            CellType::Part(part) => part == self.part,
            _ => *column == RowColumn::Uri && self.part == Part::Record,
        };
        RowColumn::ALL.iter().copied().find(has_part)
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
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
