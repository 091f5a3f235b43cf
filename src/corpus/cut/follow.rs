//! Gives chunks the facts that earlier lines state.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::chunk::{Chunk, Cut};
use super::line_numbers::LineNumbers;
use super::source::Source;
use crate::corpus::format::Layout;
use crate::corpus::limits::Limits;

/// A source whose chunks know their layout, and the facts from earlier lines that they need.
pub(crate) struct FormatTracker<S> {
    pub(crate) source: S,
    limits: Limits,
    pub(crate) state: FormatState,
}

/// The facts from earlier lines that the next chunk needs.
#[derive(Clone)]
pub(crate) struct FormatState {
    pub(crate) layout: Layout,
    /// The numbering of lines, if lines are numbered.
    line_numbers: Option<LineNumbers>,
    /// The numbering of rows, if rows are numbered.
    row_numbers: Option<LineNumbers>,
}

impl FormatState {
    /// Returns the state at the start of an input with this layout.
    pub(crate) fn start(layout: Layout, limits: &Limits) -> Self {
        let layout = layout.for_new_input();
        FormatState {
            layout,
            line_numbers: limits.number_lines.then(|| LineNumbers::from(1)),
            row_numbers: limits.number_rows.then(|| LineNumbers::from(1)),
        }
    }

    /// Renumbers the lines after chunks that took line numbers and were discarded: the next line is line
    /// `first_line`, if lines are numbered.
    #[cfg(feature = "rayon")]
    pub(crate) fn renumber(self, first_line: Option<u64>) -> Self {
        FormatState { line_numbers: first_line.map(LineNumbers::from), ..self }
    }
}

impl<S> FormatTracker<S> {
    pub(crate) fn new(source: S, limits: Limits, state: FormatState) -> Self {
        FormatTracker { source, limits, state }
    }
}

impl<'a, S: Source<'a, Item = Cut<'a>>> Source<'a> for FormatTracker<S> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> io::Result<Option<Chunk<'a>>> {
        let Some(cut) = self.source.next()? else { return Ok(None) };
        let FormatState { layout, line_numbers, row_numbers } = &mut self.state;
        let next = layout.follow(&cut.format_lines(&self.limits), self.limits.keep_headers)?;
        let layout = mem::replace(layout, next);
        let numbers =
            |numbers: &mut Option<LineNumbers>| numbers.as_ref().map(|numbers| Arc::new(numbers.next()));
        let (line_numbers, row_numbers) = (numbers(line_numbers), numbers(row_numbers));
        let result_bytes = AtomicUsize::new(0);
        Ok(Some(Chunk { cut, limits: self.limits, layout, line_numbers, row_numbers, result_bytes }))
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
