//! The lines of a chunk, as the formats read them.

use std::any::Any;

use super::cutter::{ChunkFacts, NoQuotes};
use super::message::Unwrap;
use super::rows::QuotedRows;
use crate::work::{memchr, memchr_iter, memmem};

/// Whole lines that follow each other in one input, or a part of a line over the limit.
///
/// The bytes must not change while a format reads them, since formats read some of them more than once. So
/// inputs in formats are read, not mapped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkLines<'a> {
    /// The bytes as read, with the byte order mark and the line ends.
    pub(crate) bytes: &'a [u8],
    /// The length in bytes of the byte order mark before the first line.
    pub(crate) mark: usize,
    /// Whether the chunk is the start of the input.
    pub(crate) is_first: bool,
    /// The maximal number of bytes in a line.
    pub(crate) max_record: usize,
    /// The byte that ends a line.
    pub(crate) terminator: u8,
    pub(crate) long_line: Option<LongLine<'a>>,
    /// Whether the input is known to end here. Only formats whose chunks can end within lines use it.
    pub(crate) is_last: bool,
    /// The facts from the cutter of the format.
    pub(crate) facts: Option<&'a dyn ChunkFacts>,
    /// The separator of a table whose quoted cells may hold line ends.
    pub(crate) row_separator: Option<u8>,
    /// Finds the message of a line, if lines are wrapped.
    pub(crate) unwrap: Option<Unwrap>,
}

/// A line over the limit that comes in parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongLine<'a> {
    /// The first bytes of the line.
    pub(crate) head: &'a [u8],
    /// The length of the line in bytes, without its end, if this is its last part.
    pub(crate) length: Option<u64>,
}

impl<'a> ChunkLines<'a> {
    /// Returns the first lines of an input whose format is to be detected.
    pub(crate) fn head(lines: &'a [u8]) -> Self {
        ChunkLines {
            bytes: lines,
            mark: 0,
            is_first: true,
            max_record: usize::MAX,
            terminator: b'\n',
            long_line: None,
            is_last: false,
            facts: None,
            row_separator: None,
            unwrap: None,
        }
    }

    /// Returns the facts from the format's cutter. There are none at the start of an input that is examined
    /// before it is cut.
    pub(crate) fn facts<T: 'static>(&self) -> Option<&'a T> {
        (self.facts? as &dyn Any).downcast_ref()
    }

    /// Returns the lines without the byte order mark.
    pub(crate) fn text(&self) -> &'a [u8] {
        &self.bytes[self.mark..]
    }

    /// Returns the rows of the chunk, if they may have more than one line.
    pub(crate) fn rows(&self) -> Option<QuotedRows> {
        // CR and LF follow the longest row.
        let longest = self.max_record.saturating_add(2);
        let separator = self.row_separator.filter(|_| self.facts::<NoQuotes>().is_none());
        separator.map(|separator| QuotedRows::new(separator, self.terminator, longest))
    }

    /// Returns a row or a line without its end, if it has one.
    pub(crate) fn without_end(&self, line: &'a [u8]) -> &'a [u8] {
        match line.strip_suffix(&[self.terminator]) {
            Some(line) if self.terminator == b'\n' => without_cr(line),
            Some(line) => line,
            None => line,
        }
    }

    /// Returns whole lines: the start of each in the chunk's bytes, and its text without its end.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &'a [u8])> + use<'a> {
        let Self { bytes, mark, terminator, .. } = *self;
        let line_ends = memchr_iter(terminator, &bytes[mark..]).map(move |at| mark + at);
        let is_unended = !bytes.ends_with(&[terminator]) && bytes.len() > mark;
        let mut start = mark;
        line_ends.chain(is_unended.then_some(bytes.len())).map(move |end| {
            let line = &bytes[start..end];
            // A last line without an end keeps its CR: it is part of the record.
            let has_end = end < bytes.len() && terminator == b'\n';
            let line = if has_end { without_cr(line) } else { line };
            (std::mem::replace(&mut start, end + 1), line)
        })
    }

    /// Returns the end of the first line or row, with its line end.
    fn first_end(&self) -> usize {
        let end = match self.rows() {
            Some(rows) => rows.iter(self.bytes, self.mark).next().map(|row| row.end),
            None => memchr(self.terminator, self.text()).map(|end| self.mark + end + 1),
        };
        end.unwrap_or(self.bytes.len())
    }

    /// Returns the lines or rows after the first one, if the chunk has any.
    pub(crate) fn without_first(&self) -> Option<Self> {
        let mark = self.first_end();
        (self.long_line.is_none() && mark < self.bytes.len()).then_some(ChunkLines { mark, ..*self })
    }

    /// Returns the first line or row without its end, and whether it is over the limit. If it is, possibly
    /// only its first bytes.
    pub(crate) fn first(&self) -> (&'a [u8], bool) {
        match self.long_line {
            Some(LongLine { head, .. }) => (head, true),
            None => {
                let line = self.without_end(&self.bytes[self.mark..self.first_end()]);
                (line, line.len() > self.max_record)
            }
        }
    }

    /// Returns the last line that has `word` at its byte `at` and satisfies `is_header`, without its end, and
    /// whether it is over the limit. If it is, possibly only its first bytes.
    pub(crate) fn last_header(
        &self,
        word: &[u8],
        at: usize,
        is_header: impl Fn(&[u8]) -> bool,
    ) -> Option<(&'a [u8], bool)> {
        if let Some(LongLine { head, .. }) = self.long_line {
            return is_header(head).then_some((head, true));
        }
        let text = self.text();
        // Most chunks have no header, and a search from the end is not vectorized.
        let lines_with_word = memmem::find_iter(text, word).filter_map(|found| {
            let start = found.checked_sub(at).filter(|&start| start == 0 || text[start - 1] == b'\n')?;
            let line = &text[start..];
            let line = memchr(b'\n', line).map_or(line, |end| without_cr(&line[..end]));
            Some((line, line.len() > self.max_record))
        });
        lines_with_word.filter(|(line, _)| is_header(line)).last()
    }
}

/// Returns the text before an LF, without one CR.
#[inline]
pub(crate) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
