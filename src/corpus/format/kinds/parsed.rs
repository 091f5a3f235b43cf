//! Cuts documents where their parser finds a border.

use std::sync::Arc;

use crate::corpus::format::lines::cutter::{ChunkFacts, Cutter, Facts, NextEnd, Seen};
use crate::memory::{self, OutOfMemory, Room};

/// The number of bytes that a part of a document may have in addition to the longest record.
pub(super) const REST: usize = 64 << 10;

/// Returns the maximal length of a part of a document that cannot be cut, in bytes.
pub(super) fn longest_part(max_record: usize) -> usize {
    max_record.saturating_add(REST)
}

/// The state of a document between two bytes.
pub(super) trait DocumentState: ChunkFacts + Default {
    /// Returns the last place in these bytes where a chunk that begins at `start` may end, and the state
    /// there. If the place is `start`, more bytes are needed.
    fn border(&self, bytes: &[u8], start: usize, max_record: usize) -> (usize, Self);

    /// Returns the room to find a [border](Self::border) in these bytes: the tree of a parser.
    fn room_for(bytes: &[u8]) -> Result<Room, OutOfMemory> {
        /// The bytes of memory that a parser of elements may take for a byte.
        const PARSED: usize = 32;

        memory::room_for(bytes.len().saturating_mul(PARSED))
    }

    /// Returns true if the last bytes of a document can be one chunk.
    fn are_one_chunk(bytes: &[u8], max_record: usize) -> bool {
        bytes.len() <= longest_part(max_record)
    }
}

/// Cuts where the parser finds a border, or within an item over the limit.
pub(super) struct ParsedCutter<S>(Arc<S>);

impl<S: DocumentState> ParsedCutter<S> {
    pub(super) fn boxed() -> Box<dyn Cutter> {
        Box::new(ParsedCutter(Arc::new(S::default())))
    }
}

impl<S: DocumentState> Cutter for ParsedCutter<S> {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        let Seen { bytes, mark, at_end, limits } = seen;
        if at_end && S::are_one_chunk(&bytes[mark..], limits.max_record) {
            return Ok(NextEnd::Rest);
        }
        let known = if at_end { bytes } else { seen.known() };
        let _room = S::room_for(known)?;
        let (end, after) = self.0.border(known, mark, limits.max_record);
        if end > mark {
            let facts = self.facts();
            self.0 = Arc::new(after);
            return Ok(NextEnd::End(end, facts));
        }
        if at_end {
            return Ok(NextEnd::Rest);
        }
        // Each attempt parses the block from its start, so the next one gets many more bytes, but no more
        // than it takes to exceed the limit.
        let most = longest_part(limits.max_record).saturating_mul(2).max(bytes.len() + 1);
        Ok(NextEnd::Needs(bytes.len().saturating_add(bytes.len().max(limits.chunk_size)).min(most)))
    }

    fn facts(&self) -> Facts {
        Some(self.0.clone())
    }

    /// The links in a part of a document are not urgent, and each attempt parses from the start.
    fn is_patient(&self) -> bool {
        true
    }
}
