//! The rows of a chunk, also where all of them are too long to be held in memory at once.

use std::collections::TryReserveError;
use std::fmt;
use std::ops::ControlFlow;

use arrow_array::RecordBatch;

use super::{RowConverter, repeats_of};
use crate::arrow::FunctionError;
use crate::corpus::Chunk;
use crate::corpus::engine::SomeRecords;
use crate::corpus::fit::Fit;
use crate::corpus::reading::Reading;
use crate::stats::ReadAs;
use crate::validator::Validator;

/// The rows of a chunk, and how it was read.
#[derive(Debug)]
pub struct ChunkRows {
    made: Made,
    read_as: ReadAs,
    fit: Fit,
}

#[derive(Debug)]
enum Made {
    All(RecordBatch),
    /// The rows [repeat](crate::tools::Repeats) too much text. The sink makes them of the chunk, some records at a time.
    Later(Box<Chunk<'static>>),
}

impl ChunkRows {
    /// Scans a chunk of the file of this name and makes its rows, unless they are too long. Call this on a worker. Reports the bytes of the
    /// result to the chunk.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out, if the rows have more bytes than offsets of 32 bits can address, or if they have the column `resolved` and
    /// neither the derivation nor the input can name a base.
    pub fn new(
        reading: &Reading,
        rows: &RowConverter,
        file: &[u8],
        chunk: &Chunk<'_>,
    ) -> Result<Self, ChunkRowsError> {
        rows.check_base(chunk.layout())?;
        let repeats = repeats_of(rows);
        let grammar = reading.validator_of(chunk).grammar();
        let read_as = ReadAs::new(chunk.layout().format(), grammar);
        let mut fit = Fit::default();
        let made = reading.scan(chunk, rows.scanned_columns(), |scanned| {
            fit = Fit::new(scanned, grammar);
            let deriver = rows.derivation.deriver(Validator::of(scanned.batch())).ok();
            if repeats.are_many(scanned, deriver.as_ref()) {
                return Ok(Made::Later(Box::new(chunk.try_to_owned()?)));
            }
            rows.convert(file, chunk.first_line().unwrap_or(1), scanned).map(Made::All)
        })??;
        chunk.report_result_bytes(match &made {
            Made::All(batch) => batch.get_array_memory_size(),
            Made::Later(chunk) => chunk.bytes().len(),
        });
        Ok(ChunkRows { made, read_as, fit })
    }

    /// Returns the format and the grammar of the chunk.
    pub fn read_as(&self) -> ReadAs {
        self.read_as
    }

    /// Takes the counts of the lines that do and do not fit.
    pub fn take_fit(&mut self) -> Fit {
        std::mem::take(&mut self.fit)
    }

    /// Passes the rows to `take`, in order and in batches that memory can hold, until it breaks. Call this in the sink, with the same values as
    /// in [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`new`](Self::new).
    pub fn each<B>(
        self,
        reading: &Reading,
        rows: &RowConverter,
        file: &[u8],
        mut take: impl FnMut(RecordBatch) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, ChunkRowsError> {
        let chunk = match self.made {
            Made::All(batch) => return Ok(take(batch)),
            Made::Later(chunk) => chunk,
        };
        let repeats = repeats_of(rows);
        let flow = reading.scan(&chunk, rows.scanned_columns(), |scanned| {
            let deriver = rows.derivation.deriver(Validator::of(scanned.batch())).ok();
            let (mut some, mut first) = (SomeRecords::default(), 0);
            while first < scanned.len() {
                let end = repeats.end_of_some(scanned, deriver.as_ref(), first);
                let records = some.of(scanned, first..end).expect("parts end within the chunk");
                let batch = rows.convert(file, chunk.first_line().unwrap_or(1), &records)?;
                if let ControlFlow::Break(value) = take(batch) {
                    return Ok(ControlFlow::Break(value));
                }
                first = end;
            }
            Ok::<_, FunctionError>(ControlFlow::Continue(()))
        })??;
        Ok(flow)
    }
}

/// The reason why a chunk has no rows.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChunkRowsError {
    /// Memory ran out.
    OutOfMemory(TryReserveError),
    /// The rows cannot be made.
    Rows(FunctionError),
}

impl fmt::Display for ChunkRowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChunkRowsError::OutOfMemory(error) => error.fmt(f),
            ChunkRowsError::Rows(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ChunkRowsError {}

impl From<TryReserveError> for ChunkRowsError {
    fn from(error: TryReserveError) -> Self {
        ChunkRowsError::OutOfMemory(error)
    }
}

impl From<FunctionError> for ChunkRowsError {
    fn from(error: FunctionError) -> Self {
        match error {
            FunctionError::OutOfMemory(error) => ChunkRowsError::OutOfMemory(error),
            error => ChunkRowsError::Rows(error),
        }
    }
}
