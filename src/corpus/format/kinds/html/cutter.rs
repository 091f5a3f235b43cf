//! Cuts a page outside of tags, and at a line end if there is one: a reader may want to know the rest of a line. The
//! tags that it finds on the way go with the chunk, so no other pass is needed.

use std::mem;
use std::sync::Arc;

use super::found::{FoundTags, base, border};
use super::tokens::PageState;
use crate::corpus::format::lines::cutter::{ChunkFacts, Cutter, Facts, NextEnd, Seen};
use crate::memory::{self, OutOfMemory};
use crate::work::memrchr;

/// The bytes of memory that the tags of a page may take for a byte of the page.
const TAGS: usize = 8;

/// The facts about a chunk of a page.
#[derive(Debug, Default)]
pub(super) struct PageFacts {
    /// The state at the chunk's start.
    pub(super) page: PageState,
    /// The `<base href>` that the page has before the chunk.
    pub(super) base: Option<Arc<[u8]>>,
    /// The tags, if all of them are known.
    pub(super) tags: Option<FoundTags>,
}

impl ChunkFacts for PageFacts {
    fn held_bytes(&self) -> usize {
        self.tags.as_ref().map_or(0, FoundTags::held_bytes)
    }
}

/// Cuts outside of tags, or within a tag over the limit.
#[derive(Default)]
pub(super) struct PageCutter {
    page: PageState,
    base: Option<Arc<[u8]>>,
}

impl Cutter for PageCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        if seen.at_end {
            return Ok(NextEnd::Rest);
        }
        let (known, mark, max_record) = (seen.known(), seen.mark, seen.limits.max_record);
        let lines = memrchr(b'\n', known).map_or(0, |at| at + 1);
        if lines <= mark && seen.bytes.len() < seen.limits.chunk_size {
            return Ok(seen.needs_many());
        }
        let _room = memory::room_for(known.len().saturating_mul(TAGS))?;
        let (mut end, mut after, mut tags) = border(self.page, &known[..lines.max(mark)], mark, max_record);
        if end <= mark {
            (end, after, tags) = border(self.page, known, mark, max_record);
        }
        if end <= mark {
            return Ok(seen.needs_many());
        }
        let (bytes, page) = (&known[..end], mem::replace(&mut self.page, after));
        let tags = Some(tags).filter(|tags| !tags.lack_some());
        let before = self.base.clone();
        if before.is_none() {
            let base = match &tags {
                Some(tags) => tags.base(bytes, max_record),
                None => base(page, bytes, mark, max_record),
            };
            self.base = base.map(Arc::from);
        }
        Ok(NextEnd::End(end, Some(Arc::new(PageFacts { page, base: before, tags }))))
    }

    fn facts(&self) -> Facts {
        Some(Arc::new(PageFacts { page: self.page, base: self.base.clone(), tags: None }))
    }
}
