//! The sources of chunks, and the weight of chunks in flight.

use std::io;

use super::chunk::Chunk;

/// A source of chunks.
pub(crate) trait Source<'a> {
    /// A chunk, something that becomes one, or a file.
    type Item;

    /// The next chunk, and none after the last.
    fn next(&mut self) -> io::Result<Option<Self::Item>>;

    /// Takes back the buffer of a chunk that has been scanned.
    fn reuse(&mut self, buffer: Vec<u8>);

    /// Whether there is surely no further chunk.
    fn is_finished(&self) -> bool;

    /// Whether the input comes slower than it is scanned, so that results should not wait for more of it.
    #[cfg_attr(
        not(feature = "rayon"),
        allow(dead_code, reason = "chunks in flight are what would have to wait")
    )]
    fn is_slow(&self) -> bool;
}

/// Takes up memory while it is in flight.
pub(crate) trait Weight {
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one is under way at a time"))]
    fn bytes(&self) -> usize;

    /// The bytes of the job's result, as far as the job reported them.
    #[cfg_attr(not(feature = "rayon"), allow(dead_code, reason = "one is in flight at a time"))]
    fn result_bytes(&self) -> usize;

    /// Its buffer, to be used again.
    fn into_buffer(self) -> Option<Vec<u8>>;
}

impl Weight for Chunk<'_> {
    fn bytes(&self) -> usize {
        Chunk::bytes(self).len()
    }

    fn result_bytes(&self) -> usize {
        Chunk::result_bytes(self)
    }

    fn into_buffer(self) -> Option<Vec<u8>> {
        Chunk::into_buffer(self)
    }
}
