//! Cuts a WARC or ARC file between records.

use std::collections::TryReserveError;
use std::sync::Arc;

use super::state::RecordsState;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::{ChunkFacts, Cutter, Facts, NextEnd, Seen};

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
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, TryReserveError> {
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
