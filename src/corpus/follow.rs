//! Chunks learn what the lines before them say.

use std::io;

use super::chunk::Chunk;
use super::format::Layout;
use super::pool::Source;

/// A source whose chunks know their layout, and what they have to know of the lines before them.
pub(super) struct Following<S> {
    pub(super) source: S,
    /// The layout of the next chunk.
    pub(super) layout: Layout,
}

impl<S> Following<S> {
    pub(super) fn new(source: S, layout: Layout) -> Self {
        Following { source, layout }
    }
}

impl<'a, S: Source<'a>> Source<'a> for Following<S> {
    fn next(&mut self) -> io::Result<Option<Chunk<'a>>> {
        let Some(mut chunk) = self.source.next()? else { return Ok(None) };
        let behind = self.layout.follow(&chunk.format_lines())?;
        chunk.layout = Some(std::mem::replace(&mut self.layout, behind));
        Ok(Some(chunk))
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        self.source.reuse(buffer);
    }

    fn is_finished(&self) -> bool {
        self.source.is_finished()
    }

    fn is_slow(&self) -> bool {
        self.source.is_slow()
    }
}
