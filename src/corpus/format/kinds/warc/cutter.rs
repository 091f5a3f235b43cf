//! Cuts a WARC or ARC file: between records, or between the fields of headers.

use crate::memory::OutOfMemory;
use std::sync::Arc;

use super::state::RecordsState;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::{ChunkFacts, Cutter, Facts, LineCutter, NextEnd, Seen};
use crate::work::memrchr;

impl ChunkFacts for RecordsState {}

impl RecordsState {
    /// Returns the state at the start of a chunk.
    pub(crate) fn before(chunk: &ChunkLines<'_>) -> Self {
        chunk.facts().copied().unwrap_or_default()
    }
}

/// Cuts between records, or within a record over the limit.
#[derive(Default)]
pub(crate) struct RecordsCutter(RecordsState);

impl Cutter for RecordsCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        if seen.at_end {
            return Ok(NextEnd::Rest);
        }
        let border = self.0.border(seen.known(), seen.mark, seen.limits.max_record);
        if border.at > seen.mark {
            let facts = self.facts();
            self.0 = border.state;
            return Ok(NextEnd::End(border.at, facts));
        }
        Ok(match border.wanted {
            Some(record) => NextEnd::Needs((seen.mark + record).max(seen.bytes.len()) + 1),
            None => seen.needs_many(),
        })
    }

    fn facts(&self) -> Facts {
        Some(Arc::new(self.0))
    }
}

/// Cuts at line ends, but not before a line that may belong to the field before it: one that starts with
/// white space.
pub(super) struct HeaderCutter(LineCutter);

impl Default for HeaderCutter {
    fn default() -> Self {
        HeaderCutter(LineCutter::that_marks_last())
    }
}

impl Cutter for HeaderCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        /// The bytes of lines that start with white space, from which on they are cut nonetheless. They are
        /// those of a block.
        const LONGEST: usize = 64 << 10;

        let Seen { bytes, mark, at_end, limits } = seen;
        let (last, facts) = match self.0.next_end(seen)? {
            NextEnd::End(last, facts) => (last, facts),
            other => return Ok(other),
        };
        let mut end = last;
        loop {
            let goes_on = match bytes.get(end) {
                Some(next) => matches!(next, b' ' | b'\t'),
                None => !at_end,
            };
            if !goes_on {
                return Ok(NextEnd::End(end, facts));
            }
            match memrchr(limits.terminator, &bytes[mark..end - 1]) {
                Some(before) => end = mark + before + 1,
                None if at_end => return Ok(NextEnd::Rest),
                None if bytes.len() - mark > LONGEST => return Ok(NextEnd::End(last, facts)),
                None => return Ok(seen.needs_many()),
            }
        }
    }

    fn marks_last(&self) -> bool {
        self.0.marks_last()
    }
}
