//! Cuts a document outside of tags. The events that it finds on the way go with the chunk, so no other pass
//! is needed.

use std::sync::Arc;

use super::found::FoundEvents;
use super::state::XmlState;
use crate::corpus::format::lines::cutter::{ChunkFacts, Cutter, Facts, NextEnd, Seen};
use crate::memory::{self, OutOfMemory};

/// The bytes of memory that the events may take for a byte of the document.
const EVENTS: usize = 8;

/// The facts about a chunk of a document.
#[derive(Debug, Default)]
pub(super) struct XmlFacts {
    /// The state at the chunk's start.
    pub(super) state: XmlState,
    /// The events, if all of them are known.
    pub(super) found: Option<FoundEvents>,
}

impl ChunkFacts for XmlFacts {
    fn held_bytes(&self) -> usize {
        self.found.as_ref().map_or(0, FoundEvents::held_bytes)
    }
}

/// Cuts outside of tags, document types and the texts of URLs.
#[derive(Default)]
pub(super) struct XmlCutter {
    state: XmlState,
}

impl Cutter for XmlCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        if seen.at_end {
            return Ok(NextEnd::Rest);
        }
        let (known, mark) = (seen.known(), seen.mark);
        let _room = memory::room_for(known.len().saturating_mul(EVENTS))?;
        let (mut after, mut found) = (self.state.clone(), FoundEvents::default());
        let end = after.border(known, mark, seen.limits.max_record, &mut found);
        if end <= mark {
            return Ok(seen.needs_many());
        }
        let state = std::mem::replace(&mut self.state, after);
        Ok(NextEnd::End(end, Some(Arc::new(XmlFacts { state, found: found.of_chunk(end) }))))
    }

    fn facts(&self) -> Facts {
        Some(Arc::new(XmlFacts { state: self.state.clone(), found: None }))
    }
}
