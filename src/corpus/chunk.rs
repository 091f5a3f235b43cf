//! A piece of an input that one worker scans.

use std::sync::Arc;

use super::format::{ChunkLines, Layout, LongLine};
use crate::error::Error;

/// Whole records that follow each other in one input, or a part of a single record over the limit.
#[derive(Debug)]
pub struct Chunk<'a> {
    pub(super) bytes: Bytes<'a>,
    pub(super) base: u64,
    pub(super) first_line: Option<u64>,
    /// Bytes of the byte order mark.
    pub(super) mark: usize,
    pub(super) max_record: usize,
    /// The byte that ends a record.
    pub(super) terminator: u8,
    /// Whether white space at both ends of a record is no part of it.
    pub(super) trim: bool,
    pub(super) part: Option<Part>,
    /// Whether an error of the input ended it here, within a line if no line ends here.
    pub(super) is_cut_off: bool,
    /// None as long as the chunk is not on its way to a worker.
    pub(super) layout: Option<Layout>,
}

#[derive(Debug)]
pub(super) enum Bytes<'a> {
    Borrowed(&'a [u8]),
    /// The buffer's first `len` bytes.
    Read {
        buffer: Vec<u8>,
        len: usize,
    },
}

/// Which part of a record over the limit a chunk holds.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) error: Error,
    /// The first bytes of the record.
    pub(super) head: Arc<[u8]>,
    /// Bytes between the start of the line and the record.
    pub(super) mark: usize,
    /// The record's length in bytes if it ends in this chunk.
    pub(super) length: Option<u64>,
}

impl Chunk<'_> {
    /// The chunk's bytes as they came, line ends and byte order mark included.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Borrowed(bytes) => bytes,
            Bytes::Read { buffer, len } => &buffer[..*len],
        }
    }

    /// The chunk's lines as they came: its bytes without the byte order mark.
    pub fn lines(&self) -> &[u8] {
        &self.bytes()[self.mark..]
    }

    /// Where the chunk starts in its input, in bytes.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The 1-based number of the line that the chunk starts in, if the scanner was asked to
    /// [number lines](super::Scanner::number_lines).
    pub fn first_line(&self) -> Option<u64> {
        self.first_line
    }

    /// The layout of its lines: the one that the scanner was given or found.
    pub fn layout(&self) -> &Layout {
        self.layout.as_ref().expect("a scan gives out no other chunks")
    }

    /// The chunk as formats look at it.
    pub(super) fn format_lines(&self) -> ChunkLines<'_> {
        ChunkLines {
            bytes: self.bytes(),
            mark: self.mark,
            is_first: self.base == 0,
            max_record: self.max_record,
            terminator: self.terminator,
            long_line: self.part.as_ref().map(|part| LongLine { head: &part.head, length: part.length }),
        }
    }

    /// Whether the chunk holds a part of a single record that is over the limit, and too long to be held whole.
    ///
    /// All parts but the last have no records; [`lines`](Self::lines) gives their bytes.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// Whether the last line lacks its end because an error of the input came before it: then the last record in it may not be whole.
    pub(super) fn ends_cut_off(&self) -> bool {
        self.is_cut_off && !self.bytes().ends_with(&[self.terminator])
    }

    /// The chunk's first lines, with the byte order mark: all of them if there are not so many, or if it
    /// [is a part](Self::is_part).
    pub fn head(&self, lines: usize) -> Chunk<'_> {
        let all = self.bytes();
        let mut ends = memchr::memchr_iter(self.terminator, self.lines());
        let end = if self.is_part() { None } else { ends.nth(lines.saturating_sub(1)) };
        Chunk {
            bytes: Bytes::Borrowed(&all[..end.map_or(all.len(), |end| self.mark + end + 1)]),
            part: self.part.clone(),
            layout: self.layout.clone(),
            ..*self
        }
    }

    /// The same piece of the input, with the bytes that have been read there now.
    pub(super) fn with_bytes(&self, buffer: Vec<u8>) -> Chunk<'static> {
        let len = buffer.len();
        Chunk {
            mark: if self.base == 0 { mark_len(&buffer) } else { 0 },
            is_cut_off: len < self.bytes().len(),
            bytes: Bytes::Read { buffer, len },
            part: None,
            layout: self.layout.clone(),
            ..*self
        }
    }

    /// The buffer, to be used again.
    pub(super) fn into_buffer(self) -> Option<Vec<u8>> {
        match self.bytes {
            Bytes::Borrowed(_) => None,
            Bytes::Read { buffer, .. } => Some(buffer),
        }
    }
}

/// What an input in UTF-8 may start with.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// The length of the byte order mark that an input starts with.
pub(super) fn mark_len(input: &[u8]) -> usize {
    if input.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// The number of lines that end in `bytes`, each with `terminator`.
pub(super) fn count_lines(terminator: u8, bytes: &[u8]) -> u64 {
    memchr::memchr_iter(terminator, bytes).count() as u64
}
