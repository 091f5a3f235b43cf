//! The sources of chunks, and the memory of chunks in flight.

use std::io;

use super::chunk::Chunk;

/// A source of chunks.
pub(crate) trait Source<'a> {
    /// A chunk, something that becomes a chunk, or a file.
    type Item;

    /// Returns the next chunk, or None after the last.
    fn next(&mut self) -> io::Result<Option<Self::Item>>;

    /// Takes back the buffer of a chunk that has been scanned.
    fn reuse(&mut self, buffer: Vec<u8>);

    /// Returns true if certainly no chunk follows.
    fn is_finished(&self) -> bool;

    /// Returns true if the input comes slower than it is scanned: then results should not wait for more
    /// input.
    #[cfg_attr(
        not(feature = "rayon"),
        allow(dead_code, reason = "chunks in flight are what would have to wait")
    )]
    fn is_slow(&self) -> bool;
}

/// An item that takes up memory while it is in flight.
pub(crate) trait Weight {
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one is under way at a time"))]
    fn bytes(&self) -> usize;

    /// Returns the number of bytes of the job's result, if the job reported it.
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one is in flight at a time"))]
    fn result_bytes(&self) -> usize;

    /// Returns the item's buffer, for another item to reuse.
    fn into_buffer(self) -> Option<Vec<u8>>;
}

impl Weight for Chunk<'_> {
    fn bytes(&self) -> usize {
        let facts = self.cut.facts.as_ref().map_or(0, |facts| facts.held_bytes());
        Chunk::bytes(self).len() + facts
    }

    fn result_bytes(&self) -> usize {
        Chunk::result_bytes(self)
    }

    fn into_buffer(self) -> Option<Vec<u8>> {
        Chunk::into_buffer(self)
    }
}
