//! The whole records of a WARC or ARC file.
//!
//! Chunks end between records, so that a worker has each header with its block. A record over the limit is
//! passed in parts, and no format reads its block. The calling thread goes from header to header to find the
//! places where chunks may end, and the state there.

use std::ops::ControlFlow;

use super::arc::ArcHeader;
use super::header::{RecordHeader, is_version};
use super::http::encoded_len;
use super::state::{Expected, RecordsState};
use crate::corpus::format::lines::chunk_lines::{ChunkLines, without_cr};
use crate::corpus::format::lines::line::Malformed;
use crate::work::{looked_at, memchr, memchr_iter, memmem, memrchr};

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
    pub(crate) fn border(self, bytes: &[u8], start: usize, max_record: usize) -> Border {
        self.walk(bytes, start, max_record, End::Open, |_| {})
    }

    /// Goes through a chunk that starts in this state.
    pub(crate) fn walk_chunk<'a>(self, chunk: &ChunkLines<'a>, each: impl FnMut(RecordEvent<'a>)) {
        let end = if chunk.is_last { End::OfFile } else { End::Border };
        self.walk(chunk.bytes, chunk.mark, chunk.max_record, end, each);
    }

    fn walk<'a>(
        self,
        bytes: &'a [u8],
        start: usize,
        max_record: usize,
        end: End,
        each: impl FnMut(RecordEvent<'a>),
    ) -> Border {
        let RecordsState { expected, in_arc, column } = self;
        let walk = RecordWalk {
            bytes,
            at: start,
            max_record,
            end,
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

    /// Returns the end of the record in which the first `end` bytes end; `end` if they end outside of
    /// records.
    pub(crate) fn whole_record(self, bytes: &[u8], start: usize, end: usize) -> usize {
        let (mut at, mut state, mut whole) = (start, self, end);
        while at < end {
            let border = state.walk(bytes, at, usize::MAX, End::Open, |event| {
                if let RecordEvent::Record(ArchiveRecord { start, header, block: Block::Whole(block) }) =
                    event
                    && start < end
                {
                    whole = whole.max(start + header.len + block.len());
                }
            });
            if border.at == at {
                break;
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

    /// Passes the rest of the block of a record over the limit.
    fn pass_block(&mut self, left: u64) {
        let here = left.min(self.rest().len() as u64);
        self.at += here as usize;
        self.expected = if here < left { Expected::Block { left: left - here } } else { Expected::Record };
    }

    /// Passes text that is not a record, up to the next header.
    fn pass_garbage(&mut self, starts_line: bool) -> Flow {
        let (rest, is_open) = (self.rest(), self.end == End::Open);
        if starts_line && is_start(rest, self.in_arc, self.max_record) {
            self.expected = Expected::Record;
            return Flow::Continue(());
        }
        let line_end = if self.in_arc { header_line(rest, self.max_record) } else { version_line(rest) };
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
                    rest.len().saturating_sub(VERSION_LINE - 1)
                };
                return Flow::Break(());
            }
            None => self.at = self.bytes.len(),
        }
        Flow::Continue(())
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
        let header = if is_warc { RecordHeader::read(head) } else { of_arc(head, may_end) };
        self.in_arc = header.map_or(self.in_arc, |header| header.is_arc);
        match header {
            Some(header) => self.pass_block_of(header),
            None if !is_warc => self.lose(Malformed::NoVersion, 1),
            None if may_grow => Flow::Break(()),
            None => {
                let is_cut_off = may_end && self.end == End::OfFile;
                let reason = if is_cut_off { Malformed::CutOff } else { Malformed::TooLong };
                self.lose(reason, VERSION_LINE - 1)
            }
        }
    }

    /// Passes a header, and its block unless the record is over the limit.
    fn pass_block_of(&mut self, header: RecordHeader<'a>) -> Flow {
        let (start, rest) = (self.at, self.rest());
        let Some(length) = header.content_length else {
            return self.lose(Malformed::NoContentLength, header.len);
        };
        let whole = (header.len as u64).saturating_add(length);
        if whole > self.max_record as u64 {
            (self.each)(RecordEvent::Record(ArchiveRecord { start, header, block: Block::TooLong }));
            self.at += header.len;
            self.expected = Expected::Block { left: length };
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

/// Returns the header of an ARC file's record at the start of these bytes. At the end of the file, the header
/// can lack its line end.
fn of_arc(bytes: &[u8], may_end: bool) -> Option<RecordHeader<'_>> {
    let line_end = memchr(b'\n', bytes).or(may_end.then_some(bytes.len()))?;
    let line = &bytes[..line_end];
    let ArcHeader { url, content_type, length, describes_file } = ArcHeader::read(without_cr(line))?;
    Some(RecordHeader {
        len: bytes.len().min(line_end + 1),
        content_length: Some(length),
        kind: if describes_file { b"warcinfo" } else { b"response" },
        content_type: &line[content_type],
        target: &line[url],
        is_arc: true,
    })
}

/// Returns true if a record starts with these bytes, which start a line.
fn is_start(bytes: &[u8], in_arc: bool, max_record: usize) -> bool {
    let first = || ArcHeader::first(&bytes[..bytes.len().min(max_record)]);
    is_version(bytes) || in_arc && first().is_some()
}

/// Returns the line end before the next version, or the next header of an ARC file.
fn header_line(bytes: &[u8], max_record: usize) -> Option<usize> {
    memchr_iter(b'\n', bytes).find(|line_end| is_start(&bytes[line_end + 1..], true, max_record))
}

/// The length of a line end and the start of a version.
const VERSION_LINE: usize = "\nWARC/1".len();

/// Returns the line end before the next version.
fn version_line(bytes: &[u8]) -> Option<usize> {
    let starts = memmem::find_iter(bytes, b"\nWARC/");
    starts.into_iter().find(|at| is_version(&bytes[at + 1..]))
}
