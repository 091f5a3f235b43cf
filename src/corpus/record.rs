//! The records of a chunk.

use memchr::Memchr;

use super::chunk::Chunk;
use crate::components::Components;
use crate::error::{Error, ErrorKind};
use crate::validator::Validator;

/// One record, and where it comes from.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Record<'a> {
    /// What is judged: no line end, no byte order mark. Of a record over the limit possibly its first bytes only.
    pub bytes: &'a [u8],
    /// The line as it came, its end included. Of a record over the limit possibly its last bytes only.
    pub line: &'a [u8],
    /// The 0-based number of the record's line in its chunk.
    pub index: u64,
    /// The 1-based byte of the line that the record starts at; a byte order mark counts.
    pub column: u64,
    /// The whole record's length in bytes.
    pub length: u64,
    /// What is wrong whatever the bytes are.
    error: Option<Error>,
}

impl<'a> Record<'a> {
    /// Judges the record. Over the limit it is [`RecordTooLong`](ErrorKind::RecordTooLong), and
    /// [`Truncated`](ErrorKind::Truncated) if an error of the input came before its end.
    ///
    /// # Errors
    ///
    /// As [`parse`](crate::parse); the offset counts from the record's first byte.
    #[inline]
    pub fn parse(&self, validator: &Validator) -> Result<Components, Error> {
        match self.error {
            None => validator.parse(self.bytes),
            Some(error) => Err(error),
        }
    }

    /// Whether the record is longer than the scan's limit.
    pub fn is_too_long(&self) -> bool {
        self.error.is_some_and(|error| error.kind() == ErrorKind::RecordTooLong)
    }

    /// The record without ASCII white space (CR too) at both ends. One over the limit stays as it is.
    #[inline]
    pub fn trim(self) -> Self {
        if self.is_too_long() {
            return self;
        }
        let end = self.bytes.trim_ascii_end();
        let bytes = end.trim_ascii_start();
        let column = self.column + (end.len() - bytes.len()) as u64;
        // The only other error that is no parser's; its offset is the record's end.
        let error = self.error.map(|_| Error::truncated(bytes));
        Record { bytes, column, length: bytes.len() as u64, error, ..self }
    }
}

/// The records of a [`Chunk`] in order.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    chunk: &'a Chunk<'a>,
    bytes: &'a [u8],
    line_ends: Memchr<'a>,
    /// Where the next line starts.
    start: usize,
    index: u64,
}

impl<'a> Records<'a> {
    pub(super) fn new(chunk: &'a Chunk<'_>) -> Self {
        let bytes = chunk.lines();
        Records { chunk, bytes, line_ends: memchr::memchr_iter(chunk.terminator, bytes), start: 0, index: 0 }
    }

    /// The one record of a chunk that holds the last part of it.
    #[cold]
    fn next_of_part(&mut self) -> Option<Record<'a>> {
        let part = self.chunk.part.as_ref()?;
        let length = part.length.filter(|_| self.index == 0)?;
        self.index = 1;
        Some(Record {
            bytes: &part.head,
            line: self.bytes,
            index: 0,
            column: part.mark as u64 + 1,
            length,
            error: Some(part.error),
        })
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    #[inline]
    fn next(&mut self) -> Option<Record<'a>> {
        if self.chunk.part.is_some() {
            return self.next_of_part();
        }
        let (bytes, end) = match self.line_ends.next() {
            Some(line_end) => {
                let line = &self.bytes[self.start..line_end];
                (if self.chunk.terminator == b'\n' { without_cr(line) } else { line }, line_end + 1)
            }
            None if self.start < self.bytes.len() => (&self.bytes[self.start..], self.bytes.len()),
            None => return None,
        };
        let max = self.chunk.max_record;
        let record = Record {
            bytes,
            line: &self.bytes[self.start..end],
            index: self.index,
            column: if self.start == 0 { self.chunk.mark as u64 + 1 } else { 1 },
            length: bytes.len() as u64,
            error: if bytes.len() > max {
                Some(Error::record_too_long(bytes, max))
            } else if end == self.bytes.len() && self.chunk.ends_cut_off() {
                Some(Error::truncated(bytes))
            } else {
                None
            },
        };
        self.start = end;
        self.index += 1;
        Some(record)
    }
}

/// What stands before an LF, without one CR.
#[inline]
pub(super) fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
