//! Cuts a file at the ends of its chunks. The workers read the chunks in parallel.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::chunk::{Bytes, Chunk, Cut};
use super::follow::FormatTracker;
use super::source::{Source, Weight};
use crate::corpus::input::watch::FileWatch;
use crate::corpus::limits::Limits;
use crate::corpus::mark::mark_len;
use crate::memory;
use crate::work::{memchr, memrchr};

/// The number of bytes that the first search for a chunk's last line end reads.
const WINDOW: usize = 4 << 10;

/// The whole lines of a regular file, read only around the ends of chunks.
///
/// The source ends early, at `position`: before the last chunk, before a record too far over the limit to be
/// held as one chunk, and where the file cannot be read. Reading in order continues from there.
pub(crate) struct BorderSource<'f> {
    file: &'f FileWatch<'f>,
    limits: Limits,
    position: u64,
    /// Set once a worker has failed to read its chunk.
    is_broken: &'f AtomicBool,
    window: Vec<u8>,
    /// The buffers to reuse.
    spare: Vec<Vec<u8>>,
}

impl<'f> BorderSource<'f> {
    /// Cuts `file` from `position`, which is the start of a line.
    pub(crate) fn new(
        file: &'f FileWatch<'f>,
        limits: Limits,
        position: u64,
        is_broken: &'f AtomicBool,
    ) -> Self {
        BorderSource { file, limits, position, is_broken, window: Vec::new(), spare: Vec::new() }
    }

    /// Returns the length of the next chunk: up to the last line end within the chunk size, otherwise up to
    /// the first one after that.
    fn next_len(&mut self) -> Option<usize> {
        let reach = self.limits.chunk_size;
        let rest = self.file.len().checked_sub(self.position)?;
        if rest <= reach as u64 {
            return None;
        }
        let (mut from, mut size) = (reach, WINDOW);
        while from > 0 {
            let start = from.saturating_sub(size);
            let line_end = memrchr(self.limits.terminator, self.read(start, from - start)?);
            if let Some(at) = line_end {
                return Some(start + at + 1);
            }
            // Each step is longer than the last, so that a long line takes few reads.
            (from, size) = (start, size.saturating_mul(2));
        }
        let longest = self.limits.longest_line();
        let mut from = reach;
        while from < longest {
            let len = reach.min(longest - from).min(usize::try_from(rest - from as u64).unwrap_or(reach));
            let line_end = memchr(self.limits.terminator, self.read(from, len)?);
            if let Some(at) = line_end {
                return Some(from + at + 1);
            }
            from += len;
        }
        None
    }

    /// Reads `len` bytes, from byte `start` after the position. Returns None if the file has fewer.
    fn read(&mut self, start: usize, len: usize) -> Option<&[u8]> {
        self.window.resize(len, 0);
        let (count, result) = self.file.read_at(&mut self.window, self.position + start as u64);
        (result.is_ok() && count == len && len > 0).then_some(&self.window)
    }
}

impl<'a> Source<'a> for BorderSource<'_> {
    /// A cut whose buffer holds no bytes of the file yet.
    type Item = Cut<'a>;

    fn next(&mut self) -> io::Result<Option<Cut<'a>>> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let Some(len) = self.next_len() else { return Ok(None) };
        let mut buffer = self.spare.pop().unwrap_or_default();
        if buffer.len() < len {
            let missing = len - buffer.len();
            memory::try_reserve_exact(&mut buffer, missing).map_err(|_| io::ErrorKind::OutOfMemory)?;
            buffer.resize(len, 0);
        }
        let base = self.position;
        self.position += len as u64;
        Ok(Some(Cut::lines(Bytes::Read { buffer, len }, base, 0)))
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        if buffer.len() <= 4 * self.limits.chunk_size {
            self.spare.push(buffer);
        }
    }

    fn is_finished(&self) -> bool {
        self.position == self.file.len()
    }

    fn is_slow(&self) -> bool {
        false
    }
}

/// The chunks of a [`BorderSource`].
pub(crate) struct UnreadSource<'f>(pub(crate) FormatTracker<BorderSource<'f>>);

impl<'a> Source<'a> for UnreadSource<'_> {
    type Item = UnreadChunk<'a>;

    fn next(&mut self) -> io::Result<Option<UnreadChunk<'a>>> {
        let chunk = self.0.next()?;
        Ok(chunk.map(|chunk| UnreadChunk { len: chunk.bytes().len(), chunk: Mutex::new(chunk) }))
    }

    fn reuse(&mut self, buffer: Vec<u8>) {
        self.0.reuse(buffer);
    }

    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    fn is_slow(&self) -> bool {
        false
    }
}

/// A chunk that its worker has to read first.
pub(crate) struct UnreadChunk<'a> {
    chunk: Mutex<Chunk<'a>>,
    len: usize,
}

impl<'a> UnreadChunk<'a> {
    /// Reads the chunk. The second value is false if its bytes are no longer whole lines, because the file is
    /// shorter, has changed or cannot be read.
    pub(crate) fn read(&self, file: &FileWatch<'_>) -> (MutexGuard<'_, Chunk<'a>>, bool) {
        let mut chunk = self.chunk.lock().unwrap_or_else(PoisonError::into_inner);
        let (base, terminator) = (chunk.base(), chunk.limits.terminator);
        let Bytes::Read { buffer, len } = &mut chunk.cut.bytes else { return (chunk, false) };
        let bytes = &mut buffer[..*len];
        let (count, result) = file.read_at(bytes, base);
        file.look();
        let is_whole = result.is_ok() && count == bytes.len() && bytes.last() == Some(&terminator);
        let mark = if base == 0 { mark_len(bytes) } else { 0 };
        chunk.cut.mark = mark;
        (chunk, is_whole)
    }
}

impl Weight for UnreadChunk<'_> {
    fn bytes(&self) -> usize {
        self.len
    }

    fn result_bytes(&self) -> usize {
        self.chunk.lock().unwrap_or_else(PoisonError::into_inner).result_bytes()
    }

    fn into_buffer(self) -> Option<Vec<u8>> {
        self.chunk.into_inner().unwrap_or_else(PoisonError::into_inner).into_buffer()
    }
}
