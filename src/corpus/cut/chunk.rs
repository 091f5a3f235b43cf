//! A piece of an input that one worker scans.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::line_numbers::ChunkLineNumbers;
use crate::corpus::format::{ChunkLines, Facts, Layout, LongLine};
use crate::corpus::limits::Limits;
use crate::corpus::mark::mark_len;
use crate::error::Error;
use crate::memory::{self, OutOfMemory};
use crate::work::memchr_iter;

/// Whole records that follow each other in one input, or a part of a single record over the limit.
#[derive(Debug)]
pub struct Chunk<'a> {
    pub(crate) cut: Cut<'a>,
    pub(crate) limits: Limits,
    pub(crate) layout: Layout,
    /// The chunk's place in the numbering of lines, if lines are numbered.
    pub(crate) line_numbers: Option<Arc<ChunkLineNumbers>>,
    /// The chunk's place in the numbering of rows, if rows are numbered.
    pub(crate) row_numbers: Option<Arc<ChunkLineNumbers>>,
    /// The number of bytes of the job's result, as the job reported it.
    pub(crate) result_bytes: AtomicUsize,
}

/// A piece that a source cuts off its input: a chunk without any facts from the lines before it.
#[derive(Debug)]
pub(crate) struct Cut<'a> {
    pub(crate) bytes: Bytes<'a>,
    pub(crate) base: u64,
    /// The length of the byte order mark at its start, in bytes.
    pub(crate) mark: usize,
    pub(crate) part: Option<RecordPart>,
    /// True if an error of the input ended the cut here: within a line, unless a line ends here.
    pub(crate) is_cut_off: bool,
    /// True if the input is known to end here. It is set if chunks may end within lines.
    pub(crate) is_last: bool,
    /// The facts from the cutter of the format.
    pub(crate) facts: Facts,
}

impl<'a> Cut<'a> {
    /// Returns a cut of whole lines, without facts.
    pub(super) fn lines(bytes: Bytes<'a>, base: u64, mark: usize) -> Self {
        Cut { bytes, base, mark, part: None, is_cut_off: false, is_last: false, facts: None }
    }
}

#[derive(Debug)]
pub(crate) enum Bytes<'a> {
    Borrowed(&'a [u8]),
    /// The buffer's first `len` bytes.
    Read {
        buffer: Vec<u8>,
        len: usize,
    },
}

/// The part of a record over the limit that a chunk holds.
#[derive(Clone, Debug)]
pub(crate) struct RecordPart {
    /// True if the part starts with the line.
    pub(crate) is_first: bool,
    pub(crate) error: Error,
    /// The first bytes of the record.
    pub(crate) head: Arc<[u8]>,
    /// The number of bytes between the start of the line and the record.
    pub(crate) mark: usize,
    /// The record's length in bytes, if the record ends in this chunk.
    pub(crate) length: Option<u64>,
}

impl Cut<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Read { buffer, len } => &buffer[..*len],
        }
    }

    /// Returns the view of the cut that formats examine.
    pub(crate) fn format_lines(&self, limits: &Limits) -> ChunkLines<'_> {
        ChunkLines {
            bytes: self.bytes(),
            mark: self.mark,
            is_first: self.base == 0,
            max_record: limits.max_record,
            terminator: limits.terminator,
            long_line: self.part.as_ref().map(|part| LongLine { head: &part.head, length: part.length }),
            is_last: self.is_last,
            facts: self.facts.as_deref(),
            row_separator: None,
            unwrap: None,
        }
    }
}

impl Chunk<'_> {
    /// Returns the unchanged bytes of the chunk, with line ends and byte order mark.
    pub fn bytes(&self) -> &[u8] {
        self.cut.bytes()
    }

    /// Returns the unchanged lines of the chunk: its bytes without the byte order mark.
    pub fn lines(&self) -> &[u8] {
        &self.bytes()[self.cut.mark..]
    }

    /// Returns true if the chunk is larger than 1 MiB. With the default [chunk
    /// size](crate::corpus::Scanner::chunk_size) this happens only if a single record is about that long.
    /// Memory for such a chunk is not worth keeping for the next ones.
    pub fn is_long(&self) -> bool {
        const LONG: usize = 1 << 20;

        self.bytes().len() > LONG
    }

    /// Returns the offset of the chunk in its input, in bytes.
    pub fn base(&self) -> u64 {
        self.cut.base
    }

    /// Returns the 1-based number of the chunk's first line, if the scanner [numbers
    /// lines](crate::corpus::Scanner::number_lines).
    ///
    /// This method waits until the chunks before have been [scanned](crate::corpus::ChunkScanner::scan), so a
    /// job should scan this chunk before it calls the method.
    pub fn first_line(&self) -> Option<u64> {
        self.line_numbers.as_ref().map(|numbers| numbers.first())
    }

    /// Returns the fence of the Markdown code block in which the chunk starts: its byte, and the least length of
    /// the fence that ends the block. Only code with very many marks goes on in the next chunk.
    pub fn open_fence(&self) -> Option<(u8, usize)> {
        self.layout.open_fence(&self.format_lines())
    }

    /// Reports the number of lines in the chunk, for which later chunks wait. Only the first report counts.
    pub(crate) fn tell_lines(&self, count: impl FnOnce() -> u64) {
        if let Some(numbers) = &self.line_numbers {
            numbers.tell(count);
        }
    }

    /// Returns the 1-based number of the chunk's first row, if the scanner [numbers
    /// rows](crate::corpus::Scanner::number_rows). It waits as [`first_line`](Self::first_line) does.
    pub(crate) fn first_row(&self) -> Option<u64> {
        self.row_numbers.as_ref().map(|numbers| numbers.first())
    }

    /// Reports the number of rows in the chunk. Only the first report counts.
    pub(crate) fn tell_rows(&self, count: impl FnOnce() -> u64) {
        if let Some(numbers) = &self.row_numbers {
            numbers.tell(count);
        }
    }

    /// Takes back the reported number of lines.
    #[cfg_attr(not(feature = "mmap"), allow(dead_code, reason = "what is read does not change"))]
    pub(crate) fn retract_lines(&self) {
        if let Some(numbers) = &self.line_numbers {
            numbers.retract();
        }
    }

    /// Returns the layout of the chunk's lines: the one that the scanner was given or detected.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the view of the chunk that formats examine.
    pub(crate) fn format_lines(&self) -> ChunkLines<'_> {
        self.cut.format_lines(&self.limits)
    }

    /// Reports that the job's result for this chunk holds this many bytes of memory. The scan starts fewer
    /// chunks while large results wait for the sink. The last report counts. Without a report, the scan
    /// assumes that a result is no larger than its chunk.
    pub fn report_result_bytes(&self, bytes: usize) {
        self.result_bytes.store(bytes, Ordering::Relaxed);
    }

    /// Returns the number of bytes that the job reported.
    pub(crate) fn result_bytes(&self) -> usize {
        self.result_bytes.load(Ordering::Relaxed)
    }

    /// Returns true if the chunk holds a part of a single record that is over the limit and too long to be
    /// held whole.
    ///
    /// Only the last part has a record; [`lines`](Self::lines) returns the bytes of each part.
    pub fn is_part(&self) -> bool {
        self.cut.part.is_some()
    }

    /// Returns true if the chunk starts with a line. All chunks of lines do, except the later parts of a record
    /// over the limit, and those of an archive that start in a block.
    pub fn starts_line(&self) -> bool {
        let is_part = self.cut.part.as_ref().is_some_and(|part| !part.is_first);
        !is_part && self.layout.starts_line(&self.format_lines())
    }

    /// Returns true if the last line lacks its end because an error ended the input before it: then the last
    /// record in it may be incomplete.
    pub(crate) fn ends_cut_off(&self) -> bool {
        self.cut.is_cut_off && !self.bytes().ends_with(&[self.limits.terminator])
    }

    /// Returns the first `lines` lines of the chunk, with the byte order mark. Returns the whole chunk if it
    /// has no more lines, or if it [is a part](Self::is_part). Something that the last line cuts is included
    /// as a whole: a tag of a page, a row of a table, a record of a WARC file, or a block or an element of a
    /// document.
    pub fn head(&self, lines: usize) -> Chunk<'_> {
        let all = self.bytes();
        let mut ends = memchr_iter(self.limits.terminator, self.lines());
        let end = if self.is_part() { None } else { ends.nth(lines.saturating_sub(1)) };
        let end = end.map_or(all.len(), |end| self.cut.mark + end + 1);
        let end = if end < all.len() { self.layout.whole(&self.format_lines(), end) } else { end };
        let is_last = self.cut.is_last && end == all.len();
        let (bytes, part) = (Bytes::Borrowed(&all[..end]), self.cut.part.clone());
        self.with_cut(Cut { bytes, part, is_last, facts: self.cut.facts.clone(), ..self.cut })
    }

    /// Returns the same piece of the input, with the bytes that have now been read there.
    pub(crate) fn with_bytes(&self, buffer: Vec<u8>) -> Chunk<'static> {
        let len = buffer.len();
        self.with_cut(Cut {
            mark: if self.base() == 0 { mark_len(&buffer) } else { 0 },
            is_cut_off: len < self.bytes().len(),
            bytes: Bytes::Read { buffer, len },
            part: None,
            facts: self.cut.facts.clone(),
            ..self.cut
        })
    }

    /// Returns the same chunk with a copy of its bytes, which outlives the input.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub fn try_to_owned(&self) -> Result<Chunk<'static>, OutOfMemory> {
        let mut buffer = Vec::new();
        memory::try_reserve_exact(&mut buffer, self.bytes().len())?;
        buffer.extend_from_slice(self.bytes());
        let len = buffer.len();
        Ok(self.with_cut(Cut {
            bytes: Bytes::Read { buffer, len },
            part: self.cut.part.clone(),
            facts: self.cut.facts.clone(),
            ..self.cut
        }))
    }

    /// Returns a chunk with another cut in the same place.
    fn with_cut<'c>(&self, cut: Cut<'c>) -> Chunk<'c> {
        Chunk {
            cut,
            limits: self.limits,
            layout: self.layout.clone(),
            line_numbers: self.line_numbers.clone(),
            row_numbers: self.row_numbers.clone(),
            result_bytes: AtomicUsize::new(0),
        }
    }

    /// Returns the buffer, for another chunk to reuse.
    pub(crate) fn into_buffer(self) -> Option<Vec<u8>> {
        match self.cut.bytes {
            Bytes::Borrowed(_) => None,
            Bytes::Read { buffer, .. } => Some(buffer),
        }
    }
}

/// Returns the number of lines that end in `bytes`, each with `terminator`.
pub(crate) fn count_lines(terminator: u8, bytes: &[u8]) -> u64 {
    memchr_iter(terminator, bytes).count() as u64
}
