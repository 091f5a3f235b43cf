//! Rows as record batches: workers make a batch of each piece of a chunk, column by column.

use std::collections::TryReserveError;
use std::io;
use std::marker::PhantomData;

use arrow_array::RecordBatch;
use urivalidate::arrow::{FunctionError, Only, RowConverter};
use urivalidate::corpus::Format;
use urivalidate::tools::{Repeats, is_long, repeats_of};
use urivalidate::{Columns, RowKind};

use super::encoder::{Assemble, Encode, Encoded, JudgedChunk, Write};
use crate::args::{Args, Verdict};
use crate::output::Failure;
use crate::reading::Reading;

/// Rows of errors, components or offsets, to be written in a container.
pub(crate) struct Batches<C> {
    rows: RowConverter,
    container: PhantomData<fn() -> C>,
}

/// The file format of record batches.
pub(crate) trait Container: Sized + 'static {
    /// Starts an empty file for batches of these rows.
    fn new(rows: &RowConverter) -> Result<Self, Failure>;

    /// Takes a batch, and writes it now or later.
    fn append(&mut self, batch: &RecordBatch, write: Write<'_>) -> Result<(), Failure>;

    /// Writes the remaining rows and the end.
    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure>;
}

/// The result of a worker for a chunk.
type Converted = Result<RecordBatch, FunctionError>;

/// Makes the allocator keep some megabytes of freed memory. Batches of the same size follow each other, and returning a page to the system
/// and taking it again costs more than filling it. The GNU allocator keeps twice the size of the largest block that was freed.
fn keep_freed_memory() {
    const LARGEST: usize = 4 << 20;

    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGEST)));
}

impl<C> Batches<C> {
    /// Returns the encoder of the rows of a verdict, or of all records, with the columns of these names if `names` is given.
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
        let grammar = if reading.finds_out_grammar() { "auto" } else { reading.grammar.name() };
        let mut rows = RowConverter::new(kind, reading.grammar)
            .derivation(args.derivation())
            .metadata("format", format)
            .metadata("grammar", grammar)
            .metadata("version", env!("CARGO_PKG_VERSION"));
        if let Some(names) = names {
            rows = rows.columns(names).map_err(|error| error.to_string())?;
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
        Ok(Batches { rows, container: PhantomData })
    }
}

impl<C: Container> Encode for Batches<C> {
    fn columns(&self) -> Columns {
        self.rows.scanned_columns()
    }

    fn needs_line_numbers(&self) -> bool {
        self.rows.needs_line_numbers()
    }

    fn chunk_lines(&self) -> usize {
        // An empty record takes some 150 bytes in the columns of components.
        32 << 10
    }

    fn repeats(&self) -> Repeats {
        repeats_of(&self.rows)
    }

    fn encode(&self, input: &JudgedChunk<'_>, to: &mut Encoded) -> Result<(), TryReserveError> {
        /// The number of copies of each byte: in the record, in its components, and two temporary ones.
        const COPIES: usize = 4;

        let chunk = input.scanned.chunk();
        if is_long(chunk) {
            // Without this check, Arrow would end the process if memory runs out.
            Vec::<u8>::new().try_reserve_exact(input.scanned.values().len().saturating_mul(COPIES))?;
        }
        let converted: Converted = self.rows.convert(input.file, input.first_line, input.scanned);
        let bytes = converted.as_ref().map_or(0, RecordBatch::get_array_memory_size);
        to.set_value(converted, bytes);
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
        let converted = encoded.value::<Converted>();
        match (converted, &mut self.container) {
            (Some(Ok(batch)), Some(container)) if batch.num_rows() > 0 => container.append(batch, write),
            (Some(Err(error)), _) => Err(failure(error)),
            // The chunk has no rows, or memory ran out for them.
            _ => Ok(()),
        }
    }

    fn finish(&mut self, write: Write<'_>) -> Result<(), Failure> {
        self.container.as_mut().map_or(Ok(()), |container| container.finish(write))
    }
}

/// Returns the failure that ends a run if rows cannot be made or written.
pub(crate) fn failure(error: &impl std::error::Error) -> Failure {
    Failure::Output(b"rows".to_vec(), io::Error::other(error.to_string()))
}
