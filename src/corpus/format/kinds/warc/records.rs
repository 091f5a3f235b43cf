//! The whole records of a WARC or ARC file.
//!
//! Chunks end between records, so that a worker has each header with its block. A record over the limit is passed in parts, and no format reads its
//! block. The calling thread goes from header to header to find the places where chunks may end, and the state there.

use super::arc::ArcHeader;
use super::header::{Header, is_version};
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
pub(crate) enum Met<'a> {
    Record(Record<'a>),
    Malformed(usize, Malformed),
}

/// A record with its header.
pub(crate) struct Record<'a> {
    pub(crate) start: usize,
    pub(crate) header: Header<'a>,
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
    /// Returns the last place in these bytes at which a chunk that begins at `start` may end, and the state there. If the place is `start`, more
    /// bytes are needed.
    pub(crate) fn border(self, bytes: &[u8], start: usize, max_record: usize) -> Border {
        self.walk(bytes, start, max_record, End::Open, |_| {})
    }

    /// Goes through a chunk that starts in this state.
    pub(crate) fn walk_chunk<'a>(self, chunk: &ChunkLines<'a>, each: impl FnMut(Met<'a>)) {
        let end = if chunk.is_last { End::OfFile } else { End::Border };
        self.walk(chunk.bytes, chunk.mark, chunk.max_record, end, each);
    }

    fn walk<'a>(
        self,
        bytes: &'a [u8],
        start: usize,
        max_record: usize,
        end: End,
        mut each: impl FnMut(Met<'a>),
    ) -> Border {
        let RecordsState { mut expected, mut in_arc, .. } = self;
        let (mut at, mut wanted) = (start, None);
        let mut encoded = 0_usize;
        while at < bytes.len() {
            let rest = &bytes[at..];
            let starts_line = if at == start { self.column == 0 } else { bytes[at - 1] == b'\n' };
            match expected {
                Expected::Block { left } => {
                    let here = left.min(rest.len() as u64);
                    at += here as usize;
                    expected =
                        if here < left { Expected::Block { left: left - here } } else { Expected::Record };
                }
                Expected::Garbage if starts_line && is_start(rest, in_arc, max_record) => {
                    expected = Expected::Record
                }
                // The last line may be a part of a header.
                Expected::Garbage if in_arc && end == End::Open => match header_line(rest, max_record) {
                    Some(line_end) => at += line_end + 1,
                    None => {
                        let whole_lines = memrchr(b'\n', rest).map_or(0, |line_end| line_end + 1);
                        let is_over = rest.len() - whole_lines >= max_record;
                        at += if is_over { rest.len() } else { whole_lines };
                        break;
                    }
                },
                Expected::Garbage => {
                    match if in_arc { header_line(rest, max_record) } else { version_line(rest) } {
                        Some(line_end) => at += line_end + 1,
                        // The last bytes may be the start of a version line.
                        None if end == End::Open => {
                            at += rest.len().saturating_sub(VERSION_LINE - 1);
                            break;
                        }
                        None => at = bytes.len(),
                    }
                }
                Expected::Record if rest.starts_with(b"\n") => at += 1,
                Expected::Record if rest.starts_with(b"\r\n") => at += 2,
                Expected::Record if end == End::OfFile && rest == b"\r" => at += 1,
                Expected::Record if end == End::Open && rest.len() < VERSION_LINE => break,
                Expected::Record if !starts_line => {
                    each(Met::Malformed(at, Malformed::NoVersion));
                    (at, expected) = (at + 1, Expected::Garbage);
                }
                Expected::Record => {
                    let is_warc = is_version(rest);
                    let (may_end, head) = (rest.len() < max_record, &rest[..rest.len().min(max_record)]);
                    if !is_warc && may_end && end == End::Open && memchr(b'\n', rest).is_none() {
                        break;
                    }
                    let header = if is_warc { Header::read(head) } else { of_arc(head, may_end) };
                    in_arc = header.map_or(in_arc, |header| header.is_arc);
                    if !is_warc && header.is_none() {
                        each(Met::Malformed(at, Malformed::NoVersion));
                        // This passes the byte, so that the event belongs to the chunk that ends after the byte.
                        (at, expected) = (at + 1, Expected::Garbage);
                        continue;
                    }
                    let Some(header) = header else {
                        if may_end && end == End::Open {
                            break;
                        }
                        let is_cut_off = may_end && end == End::OfFile;
                        let reason = if is_cut_off { Malformed::CutOff } else { Malformed::TooLong };
                        each(Met::Malformed(at, reason));
                        at += VERSION_LINE - 1;
                        expected = Expected::Garbage;
                        continue;
                    };
                    let Some(length) = header.content_length else {
                        each(Met::Malformed(at, Malformed::NoContentLength));
                        at += header.len;
                        expected = Expected::Garbage;
                        continue;
                    };
                    let whole = (header.len as u64).saturating_add(length);
                    if whole > max_record as u64 {
                        each(Met::Record(Record { start: at, header, block: Block::TooLong }));
                        at += header.len;
                        expected = Expected::Block { left: length };
                        continue;
                    }
                    let whole = whole as usize;
                    let block = match rest.get(header.len..whole) {
                        Some(block) => Block::Whole(block),
                        None if end == End::Open => {
                            wanted = Some(whole);
                            break;
                        }
                        None => {
                            each(Met::Malformed(at, Malformed::CutOff));
                            Block::CutOff(&rest[header.len..])
                        }
                    };
                    if let (Block::Whole(block), End::Open) = (&block, end) {
                        encoded = encoded.saturating_add(encoded_len(block));
                    }
                    each(Met::Record(Record { start: at, header, block }));
                    at += whole.min(rest.len());
                    if encoded >= ENCODED {
                        break;
                    }
                }
            }
            looked_at(1);
        }
        if end == End::OfFile && matches!(expected, Expected::Block { .. }) && at > start {
            each(Met::Malformed(at - 1, Malformed::CutOff));
        }
        let column = match memrchr(b'\n', &bytes[start..at]) {
            Some(line_end) => (at - start - line_end - 1) as u64,
            None => self.column + (at - start) as u64,
        };
        Border { at, state: RecordsState { expected, in_arc, column }, wanted }
    }

    /// Returns the end of the record in which the first `end` bytes end; `end` if they end outside of records.
    pub(crate) fn whole_record(self, bytes: &[u8], start: usize, end: usize) -> usize {
        let (mut at, mut state, mut whole) = (start, self, end);
        while at < end {
            let border = state.walk(bytes, at, usize::MAX, End::Open, |met| {
                if let Met::Record(Record { start, header, block: Block::Whole(block) }) = met
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

/// If a record brings the encoded blocks of a chunk to this number of bytes, the chunk ends after the record. A block can decode to a thousand times
/// its length, so the work on such blocks is shared out in small parts.
const ENCODED: usize = 64 << 10;

/// Returns the header of an ARC file's record at the start of these bytes. At the end of the file, the header can lack its line end.
fn of_arc(bytes: &[u8], may_end: bool) -> Option<Header<'_>> {
    let line_end = memchr(b'\n', bytes).or(may_end.then_some(bytes.len()))?;
    let line = &bytes[..line_end];
    let ArcHeader { url, content_type, length, describes_file } = ArcHeader::read(without_cr(line))?;
    Some(Header {
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
