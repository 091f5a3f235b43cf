//! The target URIs of records, as lines of their headers. The lines of blocks belong to no record.

use super::arc::ArcHeader;
use super::cutter::RecordsCutter;
use super::header::is_version;
use super::records::{Blocks, RecordEvent};
use super::state::{Expected, RecordsState};
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::Cutter;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::line::{Field, Line};
use crate::corpus::format::lines::line_counter::LineCounter;
use crate::corpus::format::lines::log_format::{COPIES, LogFormat};
use crate::corpus::format::lines::unescape::Escapes;
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{self, OutOfMemory, Room};
use crate::work::{memchr_iter, memmem};

#[derive(Clone, Copy, Debug)]
pub(super) struct Targets;

impl LogFormat for Targets {
    fn grammar(&self) -> Grammar {
        Grammar::Uri
    }

    fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
        Some(Box::new(RecordsCutter::new(Blocks::Skipped)))
    }

    fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
        RecordsState::before(chunk).whole_record(chunk, end, Blocks::Skipped)
    }

    fn starts_line(&self, chunk: &ChunkLines<'_>) -> bool {
        RecordsState::before(chunk).column == 0
    }

    fn room_for(&self, _bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        memory::room_for(held.saturating_mul(COPIES))
    }

    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let bytes = chunk.bytes;
        let mut lines = LineCounter::new(chunk);
        let state = RecordsState::before(chunk);
        sink.set_bytes_before(state.column);
        state.walk_chunk(chunk, Blocks::Skipped, |event| match event {
            RecordEvent::Record(record) => {
                let Some(target) = record.header.target_at.map(|at| record.start + at) else { return };
                let escapes = Escapes::of_folds(record.header.target);
                let (start, number) = lines.pass(target);
                let range = target - start..target - start + record.header.target.len();
                let field = Field { range, tail: 0..0, escapes };
                sink.take(Line::Record(field), &bytes[start..], start, number as u32);
            }
            RecordEvent::Malformed(at, reason) => {
                let (line_start, number) = lines.pass(at);
                sink.take_malformed_place(reason, at, line_start, number);
            }
        });
        sink.set_lines(lines.finish(chunk));
    }

    fn fitting_lines(&self, head: &[u8], _: usize) -> usize {
        fitting_lines(head)
    }
}

/// Returns the number of lines among the first lines of an input that belong to a WARC or ARC file.
pub(crate) fn fitting_lines(head: &[u8]) -> usize {
    let in_arc = ArcHeader::starts_file(head);
    let starts_file = in_arc || is_version(head);
    let start = if starts_file { Some(0) } else { memmem::find(head, b"\nWARC/").map(|at| at + 1) };
    let mut end = head.len();
    RecordsState { expected: Expected::Garbage, in_arc, column: 0 }.walk_head(head, |event| {
        if let RecordEvent::Malformed(at, _) = event {
            end = end.min(at);
        }
    });
    start.filter(|&start| start < end).map_or(0, |start| memchr_iter(b'\n', &head[start..end]).count())
}
