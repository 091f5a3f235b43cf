//! Cuts a stream into chunks, which end where the cutter of its format says.

use std::io::{self, ErrorKind};
use std::mem;

use super::chunk::{Bytes, Cut, RecordPart};
use super::source::Source;
use crate::corpus::format::{Cutter, Facts, Layout, NextEnd, Seen};
use crate::corpus::input::byte_stream::ByteStream;
use crate::corpus::input::foreign::Foreign;
use crate::corpus::limits::Limits;
use crate::corpus::mark::{BYTE_ORDER_MARK, mark_len};
use crate::error::Error;
use crate::memory;
use crate::work::{looked_at, memchr};

/// The number of bytes that the last part of a record over the limit keeps of the record's start.
const HEAD: usize = 1024;

/// The records of an input that is read.
///
/// Buffers come back through [`Source::reuse`], so a scan has no more buffers than chunks in flight. A buffer
/// grows beyond the chunk size only for a longer record, and up to the record limit. The chunk that starts
/// with such a record has at most a chunk size of the lines after it.
pub(crate) struct ReadSource<'i> {
    input: &'i mut dyn ByteStream,
    limits: Limits,
    /// The bytes after the last chunk, with which the next chunk starts.
    carry: Vec<u8>,
    /// The buffers to reuse.
    spare: Vec<Vec<u8>>,
    /// The offset of the next chunk in the input, in bytes.
    position: u64,
    cutter: Box<dyn Cutter>,
    /// Whether the input holds documents.
    is_document: bool,
    /// The record over the limit that has begun and not ended.
    long: Option<LongRecord>,
    at_end: bool,
    /// The error that ended the input. It is returned after all bytes before it have been cut into chunks.
    error: Option<io::Error>,
    is_slow: bool,
}

/// The number of bytes of the first read. Each later read doubles the number of bytes read so far.
const FIRST_READ: usize = 64 << 10;

struct LongRecord {
    part: RecordPart,
    /// The number of bytes of the record so far.
    length: u64,
    ends_with_cr: bool,
    /// The bytes that were read before the record was known to be over the limit. The bytes from `at` on have
    /// not been handed out.
    held: Vec<u8>,
    at: usize,
}

/// A buffer whose first `len` bytes are filled. Later reads overwrite the others.
struct Filling {
    buffer: Vec<u8>,
    len: usize,
}

impl<'i> ReadSource<'i> {
    /// Reads `input`, whose next byte is byte `position` of the whole and starts a line.
    pub(crate) fn new(input: &'i mut dyn ByteStream, limits: Limits, position: u64, layout: &Layout) -> Self {
        ReadSource {
            input,
            limits,
            carry: Vec::new(),
            spare: Vec::new(),
            position,
            cutter: layout.cutter(&limits),
            is_document: layout.has_documents(),
            long: None,
            at_end: false,
            error: None,
            is_slow: false,
        }
    }

    /// Returns the number of bytes of the input that have been cut into chunks.
    pub(crate) fn position(&self) -> u64 {
        self.position
    }

    /// Reads until `filling` has `target` bytes, the input ends, or the input is slow and a whole line has
    /// come.
    fn fill(&mut self, filling: &mut Filling, target: usize) -> io::Result<()> {
        if filling.buffer.capacity() < target {
            // The buffer grows by a share of its length, so that growing takes linear time.
            let grown = (filling.len + filling.len / 4).min(self.limits.longest_line()).max(target);
            let missing = grown - filling.buffer.len();
            memory::try_reserve_exact(&mut filling.buffer, missing).map_err(|_| ErrorKind::OutOfMemory)?;
        }
        self.is_slow = false;
        while filling.len < target && !self.at_end && !self.is_slow {
            // Most files are short, and filling a whole buffer with zeros takes longer than reading a short
            // file.
            let room = target.min(filling.len.saturating_add(filling.len.max(FIRST_READ)));
            if filling.buffer.len() < room {
                filling.buffer.resize(room, 0);
            }
            let room = target.min(filling.buffer.len());
            let (count, result) = self.input.read(&mut filling.buffer[filling.len..room]);
            let new = &filling.buffer[filling.len..filling.len + count];
            self.is_slow = self.input.is_slow() && memchr(self.limits.terminator, new).is_some();
            filling.len += count;
            self.error = result.err();
            self.at_end = count == 0 || self.error.is_some();
        }
        Ok(())
    }

    /// Cuts off the first `len` bytes. The other bytes start the next chunk.
    fn cut<'a>(
        &mut self,
        filling: Filling,
        len: usize,
        mark: usize,
        part: Option<RecordPart>,
        facts: Facts,
    ) -> Cut<'a> {
        let Filling { buffer, len: filled } = filling;
        looked_at(filled - len);
        let base = self.position;
        self.position += len as u64;
        let is_last = self.at_end && filled == len;
        let is_cut_off = self.error.is_some();
        self.carry.clear();
        match memory::try_reserve(&mut self.carry, filled - len) {
            Ok(()) => self.carry.extend_from_slice(&buffer[len..filled]),
            // The input ends with this error after the chunk.
            Err(_) => (self.error, self.at_end) = (Some(ErrorKind::OutOfMemory.into()), true),
        }
        Cut { bytes: Bytes::Read { buffer, len }, base, mark, part, is_cut_off, is_last, facts }
    }

    /// Cuts off all bytes that remain, if any.
    fn rest<'a>(&mut self, filling: Filling, mark: usize) -> Option<Cut<'a>> {
        let (len, facts) = (filling.len, self.cutter.facts());
        (len > 0).then(|| self.cut(filling, len, mark, None, facts))
    }

    /// Returns the length of the byte order mark at the start of `filled`, in bytes.
    fn mark(&self, filled: &[u8]) -> usize {
        if self.position == 0 { mark_len(filled) } else { 0 }
    }

    /// Returns the next chunk of whole records, or the first part of a record over the limit.
    fn next_records<'a>(&mut self, mut filling: Filling) -> io::Result<Option<Cut<'a>>> {
        // Enough for a mark, for the start of a record after it, and to hold back one byte.
        let least = if self.position == 0 { BYTE_ORDER_MARK.len() + 1 } else { filling.len + 1 };
        let mut target = self.limits.chunk_size.max(least);
        loop {
            self.fill(&mut filling, target)?;
            while self.cutter.is_patient() && filling.len < target && !self.at_end {
                self.fill(&mut filling, target)?;
            }
            let (bytes, limits) = (&filling.buffer[..filling.len], self.limits);
            let (mark, at_end) = (self.mark(bytes), self.at_end);
            let found = self.cutter.next_end(Seen { bytes, mark, at_end, limits: &limits });
            match found.map_err(|_| ErrorKind::OutOfMemory)? {
                NextEnd::End(end, facts) => {
                    return Ok(Some(self.cut(filling, end, mark, None, facts)));
                }
                NextEnd::Rest => return Ok(self.rest(filling, mark)),
                NextEnd::LongLine => return Ok(Some(self.begin_long(filling, mark))),
                NextEnd::Needs(len) => target = len,
            }
        }
    }

    fn begin_long<'a>(&mut self, mut filling: Filling, mark: usize) -> Cut<'a> {
        filling.buffer.truncate(filling.len);
        let record = &filling.buffer[mark..];
        let part = RecordPart {
            is_first: true,
            error: Error::record_too_long(record, self.limits.max_record),
            head: record[..record.len().min(HEAD)].into(),
            mark,
            length: None,
        };
        let (length, ends_with_cr) = (record.len() as u64, record.ends_with(b"\r"));
        let long = LongRecord { part, length, ends_with_cr, held: filling.buffer, at: 0 };
        self.held_part(Vec::new(), long, mark)
    }

    /// Returns the next part of the held bytes. It is small, so that the time to copy it for an output does
    /// not matter.
    fn held_part<'a>(&mut self, mut buffer: Vec<u8>, mut long: LongRecord, mark: usize) -> Cut<'a> {
        let end = long.held.len().min(long.at.saturating_add(self.limits.chunk_size).max(mark));
        buffer.clear();
        buffer.extend_from_slice(&long.held[long.at..end]);
        long.at = end;
        if end == long.held.len() {
            (long.held, long.at) = (Vec::new(), 0);
        }
        let (len, part) = (buffer.len(), long.part.clone());
        long.part.is_first = false;
        self.long = Some(long);
        self.cut(Filling { buffer, len }, len, mark, Some(part), None)
    }

    /// Returns the next part of the record over the limit.
    fn next_part<'a>(&mut self, mut filling: Filling, mut long: LongRecord) -> io::Result<Cut<'a>> {
        let target = self.limits.chunk_size.max(filling.len);
        self.fill(&mut filling, target)?;
        let filled = &filling.buffer[..filling.len];
        let line_end = memchr(self.limits.terminator, filled);
        let text = &filled[..line_end.unwrap_or(filled.len())];
        long.length += text.len() as u64;
        long.ends_with_cr = text.last().map_or(long.ends_with_cr, |&last| last == b'\r');
        let mut part = long.part.clone();
        if line_end.is_some() {
            let drops_cr = long.ends_with_cr && self.limits.terminator == b'\n';
            part.length = Some(long.length - u64::from(drops_cr));
        } else if self.at_end {
            part.length = Some(long.length);
        } else {
            self.long = Some(long);
        }
        let len = line_end.map_or(filling.len, |at| at + 1);
        Ok(self.cut(filling, len, 0, Some(part), None))
    }

    fn next_cut<'a>(&mut self) -> io::Result<Option<Cut<'a>>> {
        let mut buffer = self.spare.pop().unwrap_or_default();
        let len = self.carry.len();
        if buffer.len() < len {
            mem::swap(&mut buffer, &mut self.carry);
        } else {
            buffer[..len].copy_from_slice(&self.carry);
        }
        let filling = Filling { buffer, len };
        let chunk = match self.long.take() {
            Some(long) if !long.held.is_empty() => Some(self.held_part(filling.buffer, long, 0)),
            Some(long) => Some(self.next_part(filling, long)?),
            None => self.next_records(filling)?,
        };
        match self.error.take_if(|_| chunk.is_none()) {
            Some(error) => Err(error),
            None => Ok(chunk),
        }
    }
}

impl<'a> Source<'a> for ReadSource<'_> {
    type Item = Cut<'a>;

    fn next(&mut self) -> io::Result<Option<Cut<'a>>> {
        let is_start = self.position == 0 && self.long.is_none();
        let cut = self.next_cut()?;
        // As ASCII, a document in UTF-16 would have no links. A list would have no valid record.
        if is_start && self.is_document {
            let head = cut.as_ref().map_or(&[][..], Cut::bytes);
            if let Some(foreign) = Foreign::document(head) {
                return Err(foreign.into());
            }
        }
        Ok(cut)
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        // A single long record is no reason to keep its memory for the rest of the scan.
        if buffer.len() <= 4 * self.limits.chunk_size {
            self.spare.push(buffer);
        }
    }

    fn is_finished(&self) -> bool {
        self.at_end && self.carry.is_empty() && self.long.is_none() && self.error.is_none()
    }

    fn is_slow(&self) -> bool {
        self.is_slow
    }
}
