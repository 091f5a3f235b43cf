//! Some of the records of a scanned chunk, for callers whose output of all of them at once would be too long.

use std::ops::Range;

use super::scanned::Scanned;
use crate::batch::{Batch, InvalidRecord, invalid_among};
use crate::corpus::format::MalformedLine;

/// The verdicts of some of the records of a chunk. It is reused from range to range.
#[derive(Clone, Debug, Default)]
pub struct SomeRecords {
    batch: Batch,
    /// By the other grammar.
    other: Vec<InvalidRecord>,
}

impl SomeRecords {
    /// These records of a chunk as a scan of their own, which numbers them from 0. Malformed lines come with the record before them, and those
    /// before the first record of the chunk with that one. Line numbers, and all that describes the chunk as a whole, stay as they are.
    ///
    /// # Panics
    ///
    /// If there are not so many records.
    pub fn of<'s>(&'s mut self, scanned: &Scanned<'s>, records: Range<usize>) -> Scanned<'s> {
        let all = scanned.batch.len();
        scanned.batch.copy_records(records.clone(), &mut self.batch);
        let other = scanned.other.map(|other| {
            self.other.clear();
            self.other.extend(invalid_among(other, &records));
            &self.other[..]
        });
        let malformed = scanned.malformed();
        let before = |record: usize| {
            let place = (scanned.line_number(record), scanned.start_column(record));
            malformed.partition_point(|line: &MalformedLine| (line.line, line.column) < place)
        };
        let start = if records.start == 0 { 0 } else { before(records.start) };
        let end = if records.end == all { malformed.len() } else { before(records.end) };
        Scanned {
            batch: &self.batch,
            first: scanned.first + records.start,
            malformed: &malformed[start..end],
            other,
            ..*scanned
        }
    }
}
