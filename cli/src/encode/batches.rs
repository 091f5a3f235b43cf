//! Rows as record batches: workers make a batch of each piece of a chunk, column by column.

use std::io;
use std::marker::PhantomData;

use arrow_array::RecordBatch;
use urivalidate::arrow::{FunctionError, Only, RowConverter};
use urivalidate::corpus::{Format, LogColumns, Reading, Repeats};
use urivalidate::memory::{OutOfMemory, room_for};
use urivalidate::{Grammar, Request, RowKind};

use super::column;
use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, LeftOut, Made, Write};
use crate::args::{Args, Verdict};
use crate::output::Failure;

/// Rows of errors, components or offsets, to be written in a container.
pub(crate) struct Batches<C> {
    kind: RowKind,
    rows: RowConverter,
    leaves_out: LeftOut,
    container: PhantomData<fn() -> C>,
}

/// The file format of record batches.
pub(crate) trait Container: Sized + 'static {
    /// Starts an empty file for batches of these rows.
    fn new(rows: &RowConverter) -> Result<Self, Failure>;

    /// Returns the memory in bytes of the rows that are not written yet. Another batch, or the end, can copy
    /// them.
    fn held_bytes(&self) -> usize {
        0
    }

    /// Takes a batch, and writes it now or later.
    fn append(&mut self, batch: &RecordBatch, write: Write<'_>) -> Result<(), Failure>;

    /// Writes the remaining rows and the end.
    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure>;
}

/// Makes the allocator keep some megabytes of freed memory. Batches of the same size follow each other, and
/// returning a page to the system and taking it again costs more than filling it. The GNU allocator keeps
/// twice the size of the largest block that was freed.
fn keep_freed_memory() {
    const LARGEST: usize = 4 << 20;

    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGEST)));
}

impl<C> Batches<C> {
    /// Returns the encoder of the rows of a verdict, or of all records, with the columns of these names if
    /// `names` is given.
    pub(crate) fn new(
        args: &Args,
        reading: &Reading,
        kind: RowKind,
        names: Option<&[String]>,
        verdict: Option<Verdict>,
    ) -> Result<Self, String> {
        keep_freed_memory();
        // The guessed format may differ from file to file.
        let format = reading.format().map_or("auto", Format::name);
        let grammar = reading.known_grammar().map_or("auto", Grammar::name);
        let mut rows = RowConverter::new(kind, reading.validator().grammar())
            .derivation(args.derivation())
            .metadata("format", format)
            .metadata("grammar", grammar)
            .metadata("version", env!("CARGO_PKG_VERSION"));
        if let Some(names) = names {
            rows = rows.columns(names).map_err(|error| match error {
                FunctionError::ColumnElsewhere { name, elsewhere } => column::needs(&name, &elsewhere),
                error => error.to_string(),
            })?;
        }
        // Users who name columns name the column of suggestions, too, if they want it.
        if args.suggest && kind == RowKind::Errors && names.is_none() {
            rows = rows.suggest();
        }
        if let Some(also) = args.also {
            rows = rows.metadata("also", also.name());
        }
        if verdict == Some(Verdict::Differing) && names.is_none() {
            rows = rows.also();
        }
        if let Some(verdict) = verdict {
            rows = rows.only(match verdict {
                Verdict::Valid => Only::Valid,
                Verdict::Invalid => Only::Invalid,
                Verdict::Differing => Only::Differing,
            });
        }
        if let Some(kinds) = &args.kind {
            rows = rows.kinds(kinds);
        }
        let leaves_out = LeftOut::by_rows(rows.has_malformed(), verdict);
        Ok(Batches { kind, rows, leaves_out, container: PhantomData })
    }
}

impl<C: Container> Encode for Batches<C> {
    fn request(&self) -> Request {
        self.rows.scanned_columns().into()
    }

    fn needs_line_numbers(&self) -> bool {
        self.rows.needs_line_numbers()
    }

    fn log_columns(&self) -> LogColumns {
        self.rows.log_columns().clone()
    }

    fn chunk_lines(&self) -> usize {
        /// An empty record takes some 150 bytes in the columns of components.
        const LINES: usize = 32 << 10;
        /// The most cells of fields in the rows of a chunk: each takes some bytes even if it is absent.
        const CELLS: usize = 1 << 20;

        LINES.min(CELLS / self.rows.log_columns().fields().max(1)).max(1)
    }

    fn repeats(&self) -> Repeats {
        self.rows.repeats()
    }

    fn leaves_out(&self) -> LeftOut {
        self.leaves_out
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), OutOfMemory> {
        let converted = match self.rows.convert(input.file, input.first_line, input.scanned) {
            Err(FunctionError::OutOfMemory(error)) => return Err(error),
            converted => converted,
        };
        let bytes = converted.as_ref().map_or(0, RecordBatch::get_array_memory_size);
        if let Ok(batch) = &converted
            && self.kind == RowKind::Errors
        {
            let errors = input.scanned.batch().invalid().len() + input.scanned.malformed().len();
            to.tally.other_kinds = (errors - batch.num_rows()) as u64;
        }
        to.set_made(Made::Batch(converted), bytes);
        Ok(())
    }

    fn assemble(&self) -> Box<dyn Assemble> {
        Box::new(Contained::<C> { rows: self.rows.clone(), container: None })
    }
}

/// The batches of all chunks in order.
struct Contained<C> {
    rows: RowConverter,
    /// `None` before `begin`.
    container: Option<C>,
}

impl<C: Container> Assemble for Contained<C> {
    fn begin(&mut self, _: Write<'_>) -> Result<(), Failure> {
        self.container = Some(C::new(&self.rows)?);
        Ok(())
    }

    fn append(&mut self, encoded: &Encoded, write: Write<'_>) -> Result<(), Failure> {
        match (encoded.made(), &mut self.container) {
            (Made::Batch(Ok(batch)), Some(container)) if batch.num_rows() > 0 => {
                // A container may copy the batch, and does not ask for its memory.
                let copies = batch.get_array_memory_size().saturating_mul(2);
                let _room = room_for(copies.saturating_add(container.held_bytes()))
                    .map_err(|error| failure(&error))?;
                container.append(batch, write)
            }
            (Made::Batch(Err(error)), _) => Err(failure(error)),
            // The chunk has no rows, or memory ran out for them.
            _ => Ok(()),
        }
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        let Some(container) = &mut self.container else { return Ok(()) };
        let _room = room_for(container.held_bytes()).map_err(|error| failure(&error))?;
        container.finish(write)
    }
}

/// Returns the failure that ends a run if rows cannot be made or written.
pub(crate) fn failure(error: &impl std::error::Error) -> Failure {
    Failure::Output(b"rows".to_vec(), io::Error::other(error.to_string()))
}
