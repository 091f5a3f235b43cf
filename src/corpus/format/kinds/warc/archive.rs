//! Formats that read the blocks of an archive's records: cut between records, one page after the other.

use std::fmt::Debug;

use super::cutter::RecordsCutter;
use super::records::{ArchiveRecord, Blocks, RecordEvent};
use super::state::RecordsState;
use crate::corpus::format::lines::chunk_lines::ChunkLines;
use crate::corpus::format::lines::cutter::Cutter;
use crate::corpus::format::lines::document_sink::DocumentSink;
use crate::corpus::format::lines::fields::FieldSink;
use crate::corpus::format::lines::log_format::LogFormat;
use crate::corpus::limits::Limits;
use crate::grammar::Grammar;
use crate::memory::{OutOfMemory, Room};

/// What a format makes of the records of an archive.
pub(crate) trait Archive: Debug + Send + Sync + 'static {
    /// Takes the links of a record.
    fn take(&self, record: &ArchiveRecord<'_>, sink: &mut DocumentSink<'_, '_>);

    /// See [`LogFormat::room_for`].
    fn room_for(&self, bytes: &[u8], held: usize) -> Result<Room, OutOfMemory>;

    /// See [`LogFormat::fitting_lines`].
    fn fitting_lines(&self, head: &[u8]) -> usize;
}

/// The format of an archive's pages.
#[derive(Debug)]
pub(crate) struct PagesOf<A>(pub(crate) A);

impl<A: Archive> LogFormat for PagesOf<A> {
    fn grammar(&self) -> Grammar {
        Grammar::UriReference
    }

    fn is_document(&self) -> bool {
        true
    }

    fn has_pages(&self) -> bool {
        true
    }

    fn cutter(&self, _limits: &Limits) -> Option<Box<dyn Cutter>> {
        Some(Box::new(RecordsCutter::new(Blocks::Whole)))
    }

    fn whole(&self, chunk: &ChunkLines<'_>, end: usize) -> usize {
        RecordsState::before(chunk).whole_record(chunk, end, Blocks::Whole)
    }

    fn room_for(&self, bytes: &[u8], held: usize) -> Result<Room, OutOfMemory> {
        self.0.room_for(bytes, held)
    }

    /// The chunk has the state at its start, which the cutter found.
    fn extract(&self, chunk: &ChunkLines<'_>, sink: &mut FieldSink<'_>) {
        let records = RecordsState::before(chunk);
        let mut sink = DocumentSink::new(chunk, records.column, sink);
        records.walk_chunk(chunk, Blocks::Whole, |event| match event {
            RecordEvent::Record(record) => self.0.take(&record, &mut sink),
            RecordEvent::Malformed(at, reason) => sink.malformed(at, reason),
        });
        sink.finish();
    }

    fn fitting_lines(&self, head: &[u8], _most_misfits: usize) -> usize {
        self.0.fitting_lines(head)
    }
}
