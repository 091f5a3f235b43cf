//! Documents of lines whose meaning depends on the block around them: AsciiDoc and reStructuredText.
//!
//! A line is read by itself, with the block that is open before it. So chunks end at line ends, and the
//! thread that cuts them follows the blocks. A URI that continues in the next line ends with its line.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Field, Line, Malformed};
use crate::corpus::format::lines::log_format::{COPIES, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};

/// A link in a line: its place, and its escapes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineLink {
    pub(super) range: Range<usize>,
    pub(super) escapes: Escapes,
    /// Whether the link is an image.
    pub(super) is_image: bool,
}

impl LineLink {
    pub(super) fn link(range: Range<usize>, escapes: Escapes) -> Self {
        LineLink { range, escapes, is_image: false }
    }

    fn holder(&self) -> Holder {
        if self.is_image { Holder::known("img", "src") } else { Holder::known("a", "href") }
    }
}

/// The block that is open at the start of a line.
pub(super) trait Block: Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Passes a line. Returns true if the line can have links.
    fn pass(&mut self, line: &[u8]) -> bool;

    /// Finds the links in a line that can have some, in order. A link whose text is known only when the
    /// document is converted has an empty range.
    fn links(line: &[u8], found: &mut Vec<LineLink>);

    /// Returns true if these first lines of an input are surely a document of this kind.
    fn is_document(head: &[u8]) -> bool;
}

/// A format of documents. It has the block at the start of a chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct LightMarkup<B>(B);

impl<B: Block> LightMarkup<B> {
    pub(super) fn boxed() -> Arc<dyn LogFormat> {
        Arc::new(LightMarkup(B::default()))
    }
}

impl<B: Block> LogFormat for LightMarkup<B> {
    fn grammar(&self) -> Grammar {
        Grammar::UriReference
    }

    fn follow(&self, chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        let mut block = self.0.clone();
        if chunk.long_line.is_none() {
            chunk.iter().for_each(|(_, line)| _ = block.pass(line));
        }
        Ok((block != self.0).then(|| Arc::new(LightMarkup(block)) as Arc<dyn LogFormat>))
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        sink.set_several_a_line();
        if let Some(line) = chunk.long_line {
            return sink.take_long(line.length);
        }
        let mut block = self.0.clone();
        let (mut number, mut found) = (0, Vec::new());
        for (start, line) in chunk.iter() {
            let has_links = block.pass(line);
            if line.len() > chunk.max_record {
                sink.begin_piece();
                sink.take(Line::Malformed(Malformed::TooLong), line, start, number);
            } else if has_links {
                B::links(line, &mut found);
            }
            for link in found.drain(..) {
                sink.begin_piece();
                let holder = link.holder();
                let line_of_link = if link.range.is_empty() {
                    Line::Sentinel
                } else {
                    Line::Record(Field { range: link.range, tail: 0..0, escapes: link.escapes })
                };
                sink.take_at(Some(holder), line_of_link, line, start, number);
            }
            number += 1;
        }
        sink.set_lines(number.into());
    }

    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        if B::is_document(head) { ChunkLines::head(head).iter().count() } else { 0 }
    }
}
