//! The target URIs of records, found line by line. A record can be in several chunks.

use std::io;
use std::sync::Arc;

use super::arc::ArcHeader;
use super::cutter::HeaderCutter;
use super::header::{field, field_end, is_version, number, without_brackets};
use crate::corpus::format::lines::chunk_lines::{ChunkLines, without_cr};
use crate::corpus::format::lines::cutter::Cutter;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Line, Malformed};
use crate::corpus::format::lines::log_format::{COPIES, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::{memchr, memchr_iter, memmem, memrchr};

/// The state at a place between two bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Targets {
    position: Position,
    /// Whether the last header was a header of an ARC file.
    in_arc: bool,
}

/// The position in a record. `Between` and `Header` are at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// Before a version, or before empty lines and a version.
    Between,
    /// In a header. `length` is the length of its block, if the header has stated it so far.
    Header { length: Option<u64> },
    /// In a block with `left` bytes to come, at any byte of a line.
    Block { left: u64 },
    /// In the line in which a block ends, `bytes` bytes after the block. Only a line end should follow the
    /// block.
    AfterBlock { bytes: u64, ends_with_cr: bool },
    /// In a line over the limit that belongs to a header, or stands in the place of a header.
    LongLine,
    /// In text that is not a record.
    Lost,
}

/// An event of the walk. Positions are in the bytes of the chunk.
enum Event<'a> {
    /// A line of a header, or a line in the place of a header.
    Line { start: usize, line: &'a [u8], what: Line },
    /// A malformed line that ends at `at`. Not all of it is in the chunk.
    Malformed { at: usize, length: u64, reason: Malformed },
}

impl Targets {
    /// The state at the start of a file.
    pub(super) const START: Self = Targets { position: Position::Between, in_arc: false };

    /// Goes through the bytes of a chunk that starts in this state, and returns the state at its end.
    fn walk<'a>(self, chunk: &ChunkLines<'a>, mut each: impl FnMut(Event<'a>)) -> Self {
        let end = self.pass(chunk, &mut each);
        let is_in_record = matches!(end.position, Position::Header { .. } | Position::Block { .. });
        if chunk.is_last && is_in_record {
            let text = chunk.text();
            let last_line = memrchr(b'\n', text.strip_suffix(b"\n").unwrap_or(text)).map_or(0, |at| at + 1);
            let length = without_cr(&text[last_line..]).len() as u64;
            each(Event::Malformed { at: chunk.mark + last_line, length, reason: Malformed::CutOff });
        }
        end
    }

    fn pass<'a>(self, chunk: &ChunkLines<'a>, mut each: impl FnMut(Event<'a>)) -> Self {
        let bytes = chunk.bytes;
        let ends_input = chunk.long_line.is_none_or(|line| line.length.is_some());
        let Targets { mut position, mut in_arc } = self;
        let mut at = chunk.mark;
        loop {
            let rest = &bytes[at..];
            match position {
                Position::Block { left } => {
                    let here = left.min(rest.len() as u64);
                    at += here as usize;
                    if here < left {
                        return Targets { position: Position::Block { left: left - here }, in_arc };
                    }
                    // An empty block ends where its header ends.
                    let is_line_start = bytes[at - 1] == b'\n';
                    position = if is_line_start {
                        Position::Between
                    } else {
                        Position::AfterBlock { bytes: 0, ends_with_cr: false }
                    };
                }
                Position::AfterBlock { bytes: before, ends_with_cr } => {
                    let line_feed = memchr(b'\n', rest);
                    let here = &rest[..line_feed.unwrap_or(rest.len())];
                    let length = before + here.len() as u64;
                    let ends_with_cr = here.last().map_or(ends_with_cr, |&last| last == b'\r');
                    let junk = length - u64::from(ends_with_cr);
                    let line_ends = line_feed.is_some() || ends_input;
                    if line_ends && junk > 0 {
                        each(Event::Malformed { at, length: junk, reason: Malformed::NoVersion });
                        position = Position::Lost;
                    } else if line_feed.is_some() {
                        position = Position::Between;
                    } else {
                        position = Position::AfterBlock { bytes: length, ends_with_cr };
                        return Targets { position, in_arc };
                    }
                    at += here.len() + usize::from(line_feed.is_some());
                }
                // The chunk is a part of a line that is over the limit since the line's start.
                _ if chunk.long_line.is_some() => {
                    return Targets { position: position.pass_part(chunk, at, &mut each), in_arc };
                }
                _ if rest.is_empty() => return Targets { position, in_arc },
                Position::Lost if !in_arc && !is_version(rest) => match memmem::find(rest, b"\nWARC/") {
                    Some(before) => at += before + 1,
                    None => return Targets { position, in_arc },
                },
                _ => {
                    let in_header = matches!(position, Position::Header { .. });
                    let line_feed = if in_header { field_end(rest) } else { memchr(b'\n', rest) };
                    let line = &rest[..line_feed.unwrap_or(rest.len())];
                    let mut start = at;
                    at += line.len() + usize::from(line_feed.is_some());
                    let mut line = if line_feed.is_some() { without_cr(line) } else { line };
                    let mut what;
                    (Targets { position, in_arc }, what) =
                        Targets { position, in_arc }.pass_line(line, chunk.max_record);
                    if let Some(Line::Record(field)) = &mut what
                        && let Some(line_end) = memrchr(b'\n', &line[..field.range.start])
                    {
                        // The URI stands in a later line of its field.
                        let passed = line_end + 1;
                        (start, line) = (start + passed, &line[passed..]);
                        field.range = field.range.start - passed..field.range.end - passed;
                    }
                    if let Some(what) = what {
                        each(Event::Line { start, line, what });
                    }
                }
            }
        }
    }

    /// Returns the state after a whole line, and the line's role.
    fn pass_line(self, line: &[u8], max_record: usize) -> (Self, Option<Line>) {
        let Targets { position, in_arc } = self;
        if position == Position::Between || position == Position::Lost && in_arc {
            let header = ArcHeader::read(line).filter(|_| line.len() <= max_record);
            if let Some(ArcHeader { url, length, describes_file, .. }) = header {
                let position = Position::Block { left: length };
                return (Targets { position, in_arc: true }, (!describes_file).then(|| Line::unescaped(url)));
            }
        }
        let (position, what) = position.pass_line(line, max_record);
        (Targets { position, in_arc: in_arc && !matches!(position, Position::Header { .. }) }, what)
    }
}

impl Position {
    /// Returns the state after a whole line that is not a header of ARC, and the line's role.
    fn pass_line(self, line: &[u8], max_record: usize) -> (Self, Option<Line>) {
        let malformed = |reason| (Position::Lost, Some(Line::Malformed(reason)));
        if line.len() > max_record {
            return if self == Position::Lost { (self, None) } else { malformed(Malformed::TooLong) };
        }
        match self {
            Position::Header { length: Some(left) } if line.is_empty() => (Position::Block { left }, None),
            Position::Header { length: None } if line.is_empty() => malformed(Malformed::NoContentLength),
            Position::Header { .. } => match field(line) {
                Some((name, value)) if name.eq_ignore_ascii_case(b"content-length") => {
                    (Position::Header { length: number(&line[value]) }, None)
                }
                Some((name, value)) if name.eq_ignore_ascii_case(b"warc-target-uri") => {
                    let uri = without_brackets(line, value);
                    let escapes = Escapes::of_folds(&line[uri.clone()]);
                    (self, Some(Line::escaped(uri, escapes)))
                }
                _ => (self, None),
            },
            _ if is_version(line) => (Position::Header { length: None }, None),
            Position::Between if line.is_empty() => (Position::Between, None),
            Position::Between => malformed(Malformed::NoVersion),
            _ => (Position::Lost, None),
        }
    }

    /// Passes the rest of a part of a line over the limit, from `at` on.
    fn pass_part<'a>(self, chunk: &ChunkLines<'a>, at: usize, each: &mut impl FnMut(Event<'a>)) -> Self {
        // The line has ended with its earlier part.
        let is_over = at == chunk.bytes.len() && !chunk.bytes.is_empty();
        match (self, chunk.long_line.and_then(|line| line.length)) {
            (Position::Lost, _) => Position::Lost,
            (Position::Between | Position::Header { .. }, _) if is_over => self,
            (_, None) => Position::LongLine,
            (_, Some(length)) => {
                each(Event::Malformed { at, length, reason: Malformed::TooLong });
                Position::Lost
            }
        }
    }
}

impl LogFormat for Targets {
    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
        Some(Box::new(HeaderCutter::default()))
    }

    fn follow(&self, chunk: &ChunkLines<'_>) -> io::Result<Option<Arc<dyn LogFormat>>> {
        let end = self.walk(chunk, |_| {});
        Ok((end != *self).then(|| Arc::new(end) as Arc<dyn LogFormat>))
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let bytes = chunk.bytes;
        let (mut counted, mut number) = (chunk.mark, 0);
        // Lines can be far apart.
        let mut number_of = |at: usize| {
            number += memchr_iter(b'\n', &bytes[counted..at]).count() as u64;
            counted = at;
            number
        };
        self.walk(chunk, |event| match event {
            Event::Line { start, line, what } => sink.take(what, line, start, number_of(start) as u32),
            Event::Malformed { at, length, reason } => sink.take_malformed(number_of(at), length, reason),
        });
        let is_unended = chunk.long_line.is_none_or(|line| line.length.is_some()) && !bytes.ends_with(b"\n");
        let has_last = is_unended && (bytes.len() > chunk.mark || chunk.long_line.is_some());
        sink.set_lines(number_of(bytes.len()) + u64::from(has_last));
    }

    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        fitting_lines(head)
    }
}

/// Returns the number of lines among the first lines of an input that belong to a WARC or ARC file.
pub(crate) fn fitting_lines(head: &[u8]) -> usize {
    let chunk = ChunkLines::head(head);
    let mut end = head.len();
    let in_arc = ArcHeader::starts_file(head);
    Targets { position: Position::Lost, in_arc }.walk(&chunk, |event| {
        end = end.min(match event {
            Event::Line { start, what: Line::Malformed(_), .. } => start,
            Event::Malformed { at, .. } => at,
            Event::Line { .. } => end,
        });
    });
    let starts_file = in_arc || is_version(head);
    let start = if starts_file { Some(0) } else { memmem::find(head, b"\nWARC/").map(|at| at + 1) };
    start.filter(|&start| start < end).map_or(0, |start| memchr_iter(b'\n', &head[start..end]).count())
}
