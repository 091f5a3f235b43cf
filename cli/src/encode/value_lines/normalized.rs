//! The normal form of each valid record, one a line. Runs of records in normal form are copied whole.

use std::ops::Range;

use urivalidate::memory::{OutOfMemory, try_reserve};
use urivalidate::{Column, NormalizedRecords};

use crate::encode::encoder::{Encoded, JudgedChunk};
use crate::encode::tally::Tally;

/// The normal forms of valid records.
pub(super) struct NormalizedLines {
    /// The byte that ends a line.
    pub(super) terminator: u8,
}

impl NormalizedLines {
    pub(super) fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let Some(deriver) = input.deriver else { return Ok(()) };
        input.ask_for_made()?;
        let (batch, values) = (input.scanned.batch(), input.scanned.values());
        let mut forms = NormalizedRecords::new();
        let normalized = deriver.normalizer().normalize_batch(batch, values, &mut forms);
        normalized.expect("the scan had these columns");
        let column = |column| batch.column(column).expect("the scan had these columns");
        let (starts, ends) = (column(Column::Start), column(Column::End));
        let invalid = batch.invalid().len();
        to.tally = Tally::of_values(batch.len(), invalid, (batch.len() - invalid) as u64);
        let are_lines = input.scanned.has_lines();
        to.extend_with(|bytes| {
            try_reserve(bytes, values.len() + batch.len())?;
            let mut changed = forms.changed().peekable();
            let mut invalid = batch.invalid().iter().peekable();
            let mut next = 0;
            while next < batch.len() {
                let first_invalid = invalid.peek().map_or(batch.len(), |record| record.index as usize);
                let first_changed = changed.peek().map_or(batch.len(), |&(index, _)| index);
                let run = next..first_invalid.min(first_changed);
                next = run.end + 1;
                self.copy(values, &starts[run.clone()], &ends[run], are_lines, bytes)?;
                if first_changed < first_invalid {
                    let form = changed.next().map_or(&b""[..], |(_, form)| form);
                    try_reserve(bytes, form.len() + 1)?;
                    bytes.extend_from_slice(form);
                    bytes.push(self.terminator);
                } else {
                    invalid.next();
                }
            }
            Ok(())
        })
    }

    /// Appends these records. Records with only the terminator between them are copied together. `are_lines`
    /// means that all lines end alike.
    fn copy(
        &self,
        values: &[u8],
        starts: &[u32],
        ends: &[u32],
        are_lines: bool,
        bytes: &mut Vec<u8>,
    ) -> Result<(), OutOfMemory> {
        let mut append = |range: Range<u32>| -> Result<(), OutOfMemory> {
            // If the file changes during the run, its values may be shorter than before; the run then fails
            // before this output is written.
            let text = values.get(range.start as usize..range.end as usize).unwrap_or_default();
            try_reserve(bytes, text.len() + 1)?;
            bytes.extend_from_slice(text);
            bytes.push(self.terminator);
            Ok(())
        };
        let (Some(&first), Some(&last)) = (starts.first(), ends.last()) else { return Ok(()) };
        let is_terminator = |at: u32| values.get(at as usize) == Some(&self.terminator);
        // Between two lines is at least one byte. If it is one byte everywhere, no line needs a look.
        let between = || starts[1..].iter().zip(ends).map(|(start, end)| start - end).sum::<u32>();
        if are_lines && is_terminator(ends[0]) && between() as usize == starts.len() - 1 {
            return append(first..last);
        }
        let mut run = first;
        for (&end, &start) in ends.iter().zip(&starts[1..]) {
            if start != end + 1 || !is_terminator(end) {
                append(run..end)?;
                run = start;
            }
        }
        append(run..last)
    }
}
