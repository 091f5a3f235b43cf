//! Records that are not all bytes of their line, or may contain LF: records that are trimmed, and records
//! that end at another byte.

use crate::batch::Batch;
use crate::column::Columns;
use crate::corpus::cut::chunk::Chunk;
use crate::corpus::format::without_cr;
use crate::error::Error;
use crate::memory::{self, OutOfMemory};
use crate::request::Request;
use crate::validator::Validator;
use crate::work::{looked_at, memchr, memchr_iter};

/// The records of a chunk in one buffer, with nothing between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct GatheredRecords {
    values: Vec<u8>,
    /// The start of each record, and the end of the last one.
    offsets: Vec<u32>,
    origins: Vec<RecordOrigin>,
    too_long: Vec<(usize, Error)>,
    /// True if the chunk has only one line, which needs no copy: the offsets then refer to the chunk's lines.
    is_alone: bool,
}

/// The place of a record in the chunk's lines.
#[derive(Clone, Copy, Debug)]
struct RecordOrigin {
    line: u32,
    record: u32,
}

impl GatheredRecords {
    /// Replaces the gathered records with the records of `chunk`.
    pub(crate) fn gather(&mut self, chunk: &Chunk<'_>) -> Result<(), OutOfMemory> {
        self.values.clear();
        self.offsets.clear();
        self.origins.clear();
        self.too_long.clear();
        let lines = chunk.lines();
        let first_end = memchr(chunk.limits.terminator, lines);
        // Checked only once: the lines of a mapped file may change.
        self.is_alone = first_end.is_none_or(|end| end + 1 == lines.len());
        if self.is_alone {
            return if lines.is_empty() { Ok(()) } else { self.push(chunk, 0, first_end) };
        }
        memory::try_reserve_exact(&mut self.values, lines.len())?;
        self.offsets.push(0);
        let mut start = 0;
        for end in memchr_iter(chunk.limits.terminator, lines) {
            self.push(chunk, start, Some(end))?;
            start = end + 1;
        }
        if start < lines.len() {
            self.push(chunk, start, None)?;
        }
        Ok(())
    }

    /// Adds the record of the line that starts at `start`. `end` is the position of its terminator, if it has
    /// one.
    fn push(&mut self, chunk: &Chunk<'_>, start: usize, end: Option<usize>) -> Result<(), OutOfMemory> {
        let line = &chunk.lines()[start..end.unwrap_or(chunk.lines().len())];
        let mut record =
            if end.is_some() && chunk.limits.terminator == b'\n' { without_cr(line) } else { line };
        looked_at(record.len());
        let mut trimmed = 0;
        if record.len() > chunk.limits.max_record {
            memory::try_reserve(&mut self.too_long, 1)?;
            self.too_long.push((self.origins.len(), Error::record_too_long(record, chunk.limits.max_record)));
        } else if chunk.limits.trim {
            let end = record.trim_ascii_end();
            record = end.trim_ascii_start();
            trimmed = end.len() - record.len();
        }
        let origin = RecordOrigin { line: start as u32, record: (start + trimmed) as u32 };
        memory::try_reserve(&mut self.origins, 1)?;
        self.origins.push(origin);
        memory::try_reserve(&mut self.offsets, 2)?;
        if self.is_alone {
            self.offsets.extend([origin.record, origin.record + record.len() as u32]);
        } else {
            self.values.extend_from_slice(record);
            self.offsets.push(self.values.len() as u32);
        }
        Ok(())
    }

    /// Returns the number of records.
    pub(crate) fn len(&self) -> usize {
        self.origins.len()
    }

    /// Judges the records.
    pub(crate) fn scan(&self, chunk: &Chunk<'_>, validator: &Validator, request: Request, batch: &mut Batch) {
        let request = if self.too_long.is_empty() { request } else { request | Columns::RECORDS };
        let scanned = validator.scan_ranges(&self.offsets, self.values(chunk), None, request, batch);
        scanned.expect("the offsets are in order");
        batch.reject(&self.too_long);
    }

    /// Returns the bytes to which the offsets refer. `chunk` is the chunk that was gathered.
    pub(crate) fn values<'a>(&'a self, chunk: &'a Chunk<'_>) -> &'a [u8] {
        if self.is_alone { chunk.lines() } else { &self.values }
    }

    /// Returns a record. `chunk` is the chunk that was gathered.
    pub(crate) fn record<'a>(&'a self, chunk: &'a Chunk<'_>, index: usize) -> &'a [u8] {
        &self.values(chunk)[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Returns the number of bytes before a record in its line.
    pub(crate) fn start_in_line(&self, index: usize) -> u32 {
        self.origins[index].record - self.origins[index].line
    }

    /// Returns the unchanged line of a record. `chunk` is the chunk that was gathered.
    pub(crate) fn line<'c>(&self, chunk: &'c Chunk<'_>, index: usize) -> &'c [u8] {
        let lines = chunk.lines();
        let end = self.origins.get(index + 1).map_or(lines.len(), |next| next.line as usize);
        &lines[self.origins[index].line as usize..end]
    }
}
