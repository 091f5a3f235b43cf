//! Cutters find the ends of chunks. Each format has one, and
//! [`ReadSource`](crate::corpus::cut::read::ReadSource) asks it.
//!
//! A cutter goes through an input in order. Chunks are scanned in any order, so each chunk carries the facts
//! about the bytes before it that its format needs. Only the format can read these facts.

use crate::memory::OutOfMemory;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::rows::{OpenRow, QuotedRows};
use crate::corpus::limits::Limits;
use crate::work::memrchr;

/// Facts about a chunk that its cutter found. [`ChunkLines::facts`](super::chunk_lines::ChunkLines::facts)
/// returns them to the format.
pub(crate) trait ChunkFacts: Any + fmt::Debug + Send + Sync {
    /// Returns the memory that they take, in bytes, if it is worth mentioning.
    fn held_bytes(&self) -> usize {
        0
    }
}

/// The facts about a chunk. Chunks of lines have none.
pub(crate) type Facts = Option<Arc<dyn ChunkFacts>>;

/// Finds the ends of the chunks of one input, one after the other.
pub(crate) trait Cutter: Send {
    /// Searches the end of the next chunk, whose first bytes are `seen`. The search for the chunk after it
    /// starts there.
    ///
    /// # Errors
    ///
    /// Returns an error if memory is lacking.
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory>;

    /// Returns the facts about the next chunk that do not depend on its end.
    fn facts(&self) -> Facts {
        None
    }

    /// Returns true if a search needs all bytes that it asked for, even if they come slowly.
    fn is_patient(&self) -> bool {
        false
    }
}

/// The first bytes of the next chunk, and some after them.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) bytes: &'a [u8],
    /// The length in bytes of the byte order mark before the first line.
    pub(crate) mark: usize,
    /// Whether the input ends with these bytes.
    pub(crate) at_end: bool,
    pub(crate) limits: &'a Limits,
}

impl<'a> Seen<'a> {
    /// Returns the bytes without the last one, which is held back until the input is known to go on after it.
    pub(crate) fn known(&self) -> &'a [u8] {
        &self.bytes[..self.bytes.len().saturating_sub(1).max(self.mark)]
    }

    /// Returns the result of a search that starts anew with more bytes. It asks for many more, so that all
    /// searches together take linear time.
    pub(crate) fn needs_many(&self) -> NextEnd {
        NextEnd::Needs(self.bytes.len().saturating_add(self.bytes.len().max(self.limits.chunk_size)))
    }
}

/// The result of a search for the end of a chunk.
pub(crate) enum NextEnd {
    /// The chunk has this number of bytes.
    End(usize, Facts),
    /// The chunk has all bytes that remain.
    Rest,
    /// The search needs this number of bytes, unless the input ends before.
    Needs(usize),
    /// The chunk starts with a line over the limit.
    LongLine,
}

/// Cuts at line ends.
#[derive(Default)]
pub(crate) struct LineCutter {
    /// The number of bytes without a line end.
    searched: usize,
}

impl Cutter for LineCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        let Seen { bytes, limits, .. } = seen;
        let from = std::mem::replace(&mut self.searched, bytes.len());
        let line_end = memrchr(limits.terminator, &bytes[from..]);
        let end = line_end.map(|at| (limits.first_lines(&bytes[..=from + at]), None));
        let found = line_found(seen, end);
        if !matches!(found, NextEnd::Needs(_)) {
            self.searched = 0;
        }
        Ok(found)
    }
}

/// Cuts at the ends of rows, whose quoted cells can hold line ends.
pub(crate) struct RowCutter {
    rows: QuotedRows,
    /// The first row of the chunk, if its end is not found yet.
    row: Option<OpenRow>,
}

/// The fact that a chunk of rows has no quotes, so that each line is a row.
#[derive(Debug)]
pub(crate) struct NoQuotes;

impl ChunkFacts for NoQuotes {}

impl RowCutter {
    pub(crate) fn new(separator: u8, limits: &Limits) -> Self {
        RowCutter { rows: QuotedRows::new(separator, limits.terminator, limits.longest_line()), row: None }
    }
}

impl Cutter for RowCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        let Seen { bytes, mark, limits, .. } = seen;
        let row = self.row.get_or_insert(OpenRow::new(mark));
        let end = self.rows.last_end(bytes, row).map(|(end, has_quotes)| {
            let facts = (!has_quotes).then(|| Arc::new(NoQuotes) as Arc<dyn ChunkFacts>);
            (self.rows.first(&bytes[..end], mark, limits.chunk_lines), facts)
        });
        let found = line_found(seen, end);
        if !matches!(found, NextEnd::Needs(_)) {
            self.row = None;
        }
        Ok(found)
    }
}

/// Returns the result of a search for whole lines: their end, if there is one.
fn line_found(seen: Seen<'_>, end: Option<(usize, Facts)>) -> NextEnd {
    let Seen { bytes, mark, at_end, limits } = seen;
    match end {
        Some((end, facts)) => NextEnd::End(end, facts),
        None if bytes.len() - mark >= limits.longest_line() => NextEnd::LongLine,
        None if at_end => NextEnd::Rest,
        None => {
            let longest = limits.longest_line().saturating_add(mark);
            NextEnd::Needs(bytes.len().saturating_add(limits.chunk_size).min(longest))
        }
    }
}
