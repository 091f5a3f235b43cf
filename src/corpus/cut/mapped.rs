//! Cuts the lines of a mapped file, as long as its pages can be touched.

use std::io;

use super::chunk::Chunk;
use super::follow::FormatTracker;
use super::slice::SliceSource;
use super::source::Source;
use crate::corpus::input::map::Mapping;

/// The source ends early, as [`SliceSource`] does, where reading has to continue: also if the bytes have
/// changed meanwhile.
pub(crate) struct MappedSource<'a> {
    pub(crate) lines: FormatTracker<SliceSource<'a>>,
    pub(crate) mapping: &'a Mapping,
}

impl<'a> Source<'a> for MappedSource<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> io::Result<Option<Chunk<'a>>> {
        // The thread that cuts a chunk also scans it.
        if !self.mapping.can_be_touched() {
            return Ok(None);
        }
        self.lines.next()
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        self.lines.reuse(buffer);
    }

    fn is_finished(&self) -> bool {
        self.lines.is_finished()
    }

    fn is_slow(&self) -> bool {
        false
    }
}
