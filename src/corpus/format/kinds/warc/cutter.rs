//! Cuts a WARC or ARC file between its records.

use std::sync::Arc;

use super::records::Blocks;
use super::state::RecordsState;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::{ChunkFacts, Cutter, Facts, NextEnd, Seen};
use crate::memory::OutOfMemory;

impl ChunkFacts for RecordsState {}

impl RecordsState {
    /// Returns the state at the start of a chunk.
    pub(crate) fn before(chunk: &ChunkLines<'_>) -> Self {
        chunk.facts().copied().unwrap_or_default()
    }
}

/// Cuts between records, or within a block that nobody reads.
pub(crate) struct RecordsCutter {
    state: RecordsState,
    blocks: Blocks,
}

impl RecordsCutter {
    pub(crate) fn new(blocks: Blocks) -> Self {
        RecordsCutter { state: RecordsState::default(), blocks }
    }
}

impl Cutter for RecordsCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        if seen.at_end {
            return Ok(NextEnd::Rest);
        }
        let Seen { mark, limits, .. } = seen;
        let known = seen.known();
        // The targets of headers are lines of a log. A page hands out its links in pieces.
        let first = match self.blocks {
            Blocks::Skipped => limits.first_lines(known),
            Blocks::Whole => known.len(),
        };
        let border_in = |bytes| self.state.border(bytes, mark, limits.max_record, self.blocks);
        let mut border = border_in(&known[..first]);
        if border.at == mark && first < known.len() {
            // The header has more lines.
            border = border_in(known);
        }
        if border.at > mark {
            let facts = self.facts();
            self.state = border.state;
            return Ok(NextEnd::End(border.at, facts));
        }
        Ok(match border.wanted {
            Some(record) => NextEnd::Needs((mark + record).max(seen.bytes.len()) + 1),
            None => seen.needs_many(),
        })
    }

    fn facts(&self) -> Facts {
        Some(Arc::new(self.state))
    }
}
