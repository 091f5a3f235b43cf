//! The place of a part in each record of a batch: two arrays, start and end.

use std::ops::Range;

use crate::batch::Batch;
use crate::column::ABSENT;
use crate::part::Part;
use crate::simd;

/// The place of one part in each record of a batch, in bytes of the scanned buffer. Start and end are
/// [`ABSENT`] if the record lacks the part.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) starts: Vec<u32>,
    pub(super) ends: Vec<u32>,
}

/// The places of a part in some adjacent records of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacesOf<'a> {
    pub(super) starts: &'a [u32],
    pub(super) ends: &'a [u32],
}

impl PlacesOf<'_> {
    /// Returns true if no record has the part. Few records have userinfo or a port.
    pub(super) fn are_absent(self) -> bool {
        self.starts.iter().fold(ABSENT, |all, start| all & start) == ABSENT
    }
}

impl Places {
    /// Returns the places in all records.
    pub(super) fn all(&self) -> PlacesOf<'_> {
        self.slice(0..self.starts.len())
    }

    /// Returns the places in these records.
    pub(super) fn slice(&self, records: Range<usize>) -> PlacesOf<'_> {
        PlacesOf { starts: &self.starts[records.clone()], ends: &self.ends[records] }
    }

    /// Finds the places of a part in a batch, which must have the [columns](Part::columns) of the part.
    pub(super) fn find(&mut self, part: Part, batch: &Batch) {
        self.starts.resize(batch.len(), ABSENT);
        self.ends.resize(batch.len(), ABSENT);
        let (starts, ends) = (&mut self.starts, &mut self.ends);
        simd::find_part(batch.backend, part, &batch.offsets, 0..batch.len(), starts, ends);
    }

    /// Makes the part of a record absent.
    pub(super) fn remove(&mut self, index: usize) {
        self.starts[index] = ABSENT;
        self.ends[index] = ABSENT;
    }

    /// Narrows each part to the range in it that `find` returns. For `None`, the part becomes absent.
    pub(super) fn narrow(&mut self, values: &[u8], find: impl Fn(&[u8]) -> Option<Range<usize>>) {
        for (start, end) in self.starts.iter_mut().zip(&mut self.ends) {
            if *start != ABSENT {
                let found = find(&values[*start as usize..*end as usize]);
                let first = *start;
                (*start, *end) = found
                    .map_or((ABSENT, ABSENT), |range| (first + range.start as u32, first + range.end as u32));
            }
        }
    }
}
