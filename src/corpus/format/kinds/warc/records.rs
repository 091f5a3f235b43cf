//! The records of a WARC or ARC file.
//!
//! Chunks end between records, so that a worker has each header with its block. A block that nobody reads is
//! passed in parts: all blocks if the format needs [headers alone](Blocks::Skipped), otherwise that of a
//! record over the limit. The calling thread goes from header to header to find the places where chunks may
//! end, and the state there.

use std::ops::ControlFlow;

use super::arc::ArcHeader;
use super::header::{HeaderEnd, RecordHeader, is_version};
use super::http::encoded_len;
use super::state::{Expected, RecordsState};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::line::Malformed;
use crate::work::{looked_at, memchr, memchr_iter, memmem, memrchr};

/// The blocks that a format needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// A chunk has each block whole, with its header.
    Whole,
    /// No block is read, so that blocks may have any length.
    Skipped,
}

/// The kind of end of some bytes of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// More bytes can follow. The walk searches a border.
    Open,
    /// The border that a walk found. A record is not in these bytes unless all of it is before the border.
    Border,
    OfFile,
}

/// An event of the walk. Positions are in the bytes of the chunk.
pub(crate) enum RecordEvent<'a> {
    Record(ArchiveRecord<'a>),
    Malformed(usize, Malformed),
}

/// A record with its header.
pub(crate) struct ArchiveRecord<'a> {
    pub(crate) start: usize,
    pub(crate) header: RecordHeader<'a>,
    pub(crate) block: Block<'a>,
}

pub(crate) enum Block<'a> {
    Whole(&'a [u8]),
    /// The file ends in the block.
    CutOff(&'a [u8]),
    /// The record is over the limit.
    TooLong,
    /// Nobody reads the block, or its length is not known.
    Skipped,
}

/// The place up to which bytes have been passed.
pub(crate) struct Border {
    pub(crate) at: usize,
    pub(crate) state: RecordsState,
    /// The length in bytes of the record that starts at this place, with its header, if it is known.
    pub(crate) wanted: Option<usize>,
}

impl RecordsState {
    /// Returns the last place in these bytes at which a chunk that begins at `start` may end, and the state
    /// there. If the place is `start`, more bytes are needed.
    pub(crate) fn border(self, bytes: &[u8], start: usize, max_record: usize, blocks: Blocks) -> Border {
        self.walk(bytes, start, max_record, (End::Open, blocks), |_| {})
    }

    /// Goes through a chunk that starts in this state.
    pub(crate) fn walk_chunk<'a>(
        self,
        chunk: &ChunkLines<'a>,
        blocks: Blocks,
        each: impl FnMut(RecordEvent<'a>),
    ) {
        let end = if chunk.is_last { End::OfFile } else { End::Border };
        self.walk(chunk.bytes, chunk.mark, chunk.max_record, (end, blocks), each);
    }

    /// Goes through the headers of the first bytes of a file.
    pub(super) fn walk_head<'a>(self, head: &'a [u8], each: impl FnMut(RecordEvent<'a>)) {
        self.walk(head, 0, usize::MAX, (End::Open, Blocks::Skipped), each);
    }

    fn walk<'a>(
        self,
        bytes: &'a [u8],
        start: usize,
        max_record: usize,
        (end, blocks): (End, Blocks),
        each: impl FnMut(RecordEvent<'a>),
    ) -> Border {
        let RecordsState { expected, in_arc, column } = self;
        let walk = RecordWalk {
            bytes,
            at: start,
            max_record,
            end,
            blocks,
            expected,
            in_arc,
            encoded: 0,
            wanted: None,
            each,
        };
        let RecordWalk { at, expected, in_arc, wanted, .. } = walk.run(column == 0);
        let column = match memrchr(b'\n', &bytes[start..at]) {
            Some(line_end) => (at - start - line_end - 1) as u64,
            None => column + (at - start) as u64,
        };
        Border { at, state: RecordsState { expected, in_arc, column }, wanted }
    }

    /// Returns the end of the record in which the first `end` bytes of a chunk end; `end` if they end outside
    /// of records. Without its block, a record is its header.
    pub(crate) fn whole_record(self, chunk: &ChunkLines<'_>, end: usize, blocks: Blocks) -> usize {
        let ChunkLines { bytes, mark: start, .. } = *chunk;
        let (mut at, mut state, mut whole) = (start, self, end);
        while at < end {
            let border = state.walk(bytes, at, usize::MAX, (End::Open, blocks), |event| {
                if let RecordEvent::Record(ArchiveRecord { start, header, block }) = event
                    && start < end
                {
                    let block = if let Block::Whole(block) = block { block } else { b"" };
                    whole = whole.max(start + header.len + block.len());
                }
            });
            if border.at == at {
                // The file ends in this record.
                return bytes.len();
            }
            (at, state) = (border.at, border.state);
        }
        whole
    }
}

/// A walk through the bytes of a chunk, or to its border.
struct RecordWalk<'a, F> {
    bytes: &'a [u8],
    /// The place up to which the bytes have been passed.
    at: usize,
    max_record: usize,
    end: End,
    blocks: Blocks,
    expected: Expected,
    in_arc: bool,
    /// The number of encoded bytes in the blocks so far.
    encoded: usize,
    /// See [`Border::wanted`].
    wanted: Option<usize>,
    each: F,
}

/// Whether a walk goes on, or needs bytes that it does not have.
type Flow = ControlFlow<()>;

impl<'a, F: FnMut(RecordEvent<'a>)> RecordWalk<'a, F> {
    /// Walks as far as the bytes allow. `starts_line` is true if they start a line.
    fn run(mut self, mut starts_line: bool) -> Self {
        let start = self.at;
        while self.at < self.bytes.len() {
            let flow = match self.expected {
                Expected::Block { left } => {
                    self.pass_block(left);
                    Flow::Continue(())
                }
                Expected::Garbage => self.pass_garbage(starts_line),
                Expected::Record => self.pass_record(starts_line),
            };
            looked_at(1);
            if flow.is_break() {
                break;
            }
            if self.at > start {
                starts_line = self.bytes[self.at - 1] == b'\n';
            }
        }
        if self.end == End::OfFile && matches!(self.expected, Expected::Block { .. }) && self.at > start {
            (self.each)(RecordEvent::Malformed(self.at - 1, Malformed::CutOff));
        }
        self
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Passes the rest of a block that nobody reads.
    fn pass_block(&mut self, left: u64) {
        let here = left.min(self.rest().len() as u64);
        self.at += here as usize;
        self.expected = if here < left { Expected::Block { left: left - here } } else { Expected::Record };
    }

    /// Passes text that is not a record, up to the next header.
    fn pass_garbage(&mut self, starts_line: bool) -> Flow {
        let (rest, is_open) = (self.rest(), self.end == End::Open);
        if starts_line && self.starts_record(rest) {
            self.expected = Expected::Record;
            return Flow::Continue(());
        }
        let line_end = if self.in_arc {
            memchr_iter(b'\n', rest).find(|line_end| self.starts_record(&rest[line_end + 1..]))
        } else {
            version_line(rest)
        };
        match line_end {
            Some(line_end) => self.at += line_end + 1,
            None if is_open => {
                self.at += if self.in_arc {
                    // The last line may be a part of a header.
                    let whole_lines = memrchr(b'\n', rest).map_or(0, |line_end| line_end + 1);
                    let is_over = rest.len() - whole_lines >= self.max_record;
                    if is_over { rest.len() } else { whole_lines }
                } else {
                    // The last bytes may be the start of a version line.
                    rest.len().saturating_sub(VERSION)
                };
                return Flow::Break(());
            }
            None => self.at = self.bytes.len(),
        }
        Flow::Continue(())
    }

    /// Returns true if a record starts with these bytes, which start a line.
    fn starts_record(&self, bytes: &[u8]) -> bool {
        let is_arc = || {
            let may_end = bytes.len() < self.max_record && self.end == End::OfFile;
            ArcHeader::record(&bytes[..bytes.len().min(self.max_record)], may_end).is_some()
        };
        is_version(bytes) || self.in_arc && is_arc()
    }

    /// Passes a line end between records, or a record.
    fn pass_record(&mut self, starts_line: bool) -> Flow {
        let rest = self.rest();
        let line_end = match rest {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            [b'\r'] if self.end == End::OfFile => 1,
            _ => 0,
        };
        if line_end > 0 {
            self.at += line_end;
            return Flow::Continue(());
        }
        if self.end == End::Open && rest.len() < VERSION_LINE {
            return Flow::Break(());
        }
        if !starts_line {
            // This passes the byte, so that the event belongs to the chunk that ends after the byte.
            return self.lose(Malformed::NoVersion, 1);
        }
        let is_warc = is_version(rest);
        let (may_end, head) = (rest.len() < self.max_record, &rest[..rest.len().min(self.max_record)]);
        let may_grow = may_end && self.end == End::Open;
        if !is_warc && may_grow && memchr(b'\n', rest).is_none() {
            return Flow::Break(());
        }
        if !is_warc {
            let Some(header) = ArcHeader::record(head, may_end) else {
                return self.lose(Malformed::NoVersion, 1);
            };
            self.in_arc = true;
            return self.pass_block_of(header);
        }
        let (header, header_end) = RecordHeader::read(head);
        match header_end {
            HeaderEnd::EmptyLine => {
                self.in_arc = false;
                self.pass_block_of(header)
            }
            HeaderEnd::Version => self.lose_record(Malformed::NoContentLength, header, header.len),
            HeaderEnd::OfBytes if may_grow => Flow::Break(()),
            HeaderEnd::OfBytes if may_end && self.end == End::OfFile => {
                self.lose_record(Malformed::CutOff, header, header.len.max(VERSION))
            }
            // The next chunk starts with the version. A header over the limit has more bytes.
            HeaderEnd::OfBytes if rest.len() + VERSION <= self.max_record => {
                self.lose_record(Malformed::NoContentLength, header, header.len)
            }
            // A version that starts in these bytes would have ended the header.
            HeaderEnd::OfBytes => {
                self.lose(Malformed::TooLong, (self.max_record + 1).saturating_sub(VERSION).max(VERSION))
            }
        }
    }

    /// Passes a header, and its block if it is read.
    fn pass_block_of(&mut self, header: RecordHeader<'a>) -> Flow {
        let (start, rest) = (self.at, self.rest());
        let Some(length) = header.content_length else {
            return self.lose_record(Malformed::NoContentLength, header, header.len);
        };
        let whole = (header.len as u64).saturating_add(length);
        let is_too_long = whole > self.max_record as u64;
        if is_too_long || self.blocks == Blocks::Skipped {
            let block = if self.blocks == Blocks::Skipped { Block::Skipped } else { Block::TooLong };
            (self.each)(RecordEvent::Record(ArchiveRecord { start, header, block }));
            self.at += header.len;
            if length > 0 {
                self.expected = Expected::Block { left: length };
            }
            return Flow::Continue(());
        }
        let whole = whole as usize;
        let block = match rest.get(header.len..whole) {
            Some(block) => Block::Whole(block),
            None if self.end == End::Open => {
                self.wanted = Some(whole);
                return Flow::Break(());
            }
            None => {
                (self.each)(RecordEvent::Malformed(start, Malformed::CutOff));
                Block::CutOff(&rest[header.len..])
            }
        };
        if let (Block::Whole(block), End::Open) = (&block, self.end) {
            self.encoded = self.encoded.saturating_add(encoded_len(block));
        }
        (self.each)(RecordEvent::Record(ArchiveRecord { start, header, block }));
        self.at += whole.min(rest.len());
        if self.encoded >= ENCODED { Flow::Break(()) } else { Flow::Continue(()) }
    }

    /// Reports a record whose end is not known, and passes its first `len` bytes.
    fn lose_record(&mut self, reason: Malformed, header: RecordHeader<'a>, len: usize) -> Flow {
        let start = self.at;
        let flow = self.lose(reason, len);
        (self.each)(RecordEvent::Record(ArchiveRecord { start, header, block: Block::Skipped }));
        flow
    }

    /// Reports text that is not a record, and passes its first `len` bytes.
    fn lose(&mut self, reason: Malformed, len: usize) -> Flow {
        (self.each)(RecordEvent::Malformed(self.at, reason));
        self.at += len;
        self.expected = Expected::Garbage;
        Flow::Continue(())
    }
}

/// If a record brings the encoded blocks of a chunk to this number of bytes, the chunk ends after the record.
/// A block can decode to a thousand times its length, so the work on such blocks is shared out in small
/// parts.
const ENCODED: usize = 64 << 10;

/// The length of the start of a version, and with the line end before it.
const VERSION: usize = "WARC/1".len();
const VERSION_LINE: usize = "\n".len() + VERSION;

/// Returns the line end before the next version.
fn version_line(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, b"\nWARC/").find(|line_end| is_version(&bytes[line_end + 1..]))
}
