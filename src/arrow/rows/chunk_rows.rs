//! The rows of a chunk, also where all of them are too long to be held in memory at once.

use crate::memory::OutOfMemory;
use std::fmt;
use std::ops::ControlFlow;

use arrow_array::RecordBatch;

use super::RowConverter;
use crate::arrow::FunctionError;
use crate::corpus::{Chunk, Fit, Reading, SomeRecords};
use crate::stats::ReadAs;
use crate::validator::Validator;

/// The rows of a chunk, and how it was read.
#[derive(Debug)]
pub(super) struct ChunkRows {
    /// The rows of the first pieces of the chunk.
    made: Vec<RecordBatch>,
    /// The chunk, if the rows of all pieces are too long. The sink makes the others, some records at a time.
    rest: Option<Box<Chunk<'static>>>,
    read_as: ReadAs,
    fit: Fit,
}

impl ChunkRows {
    /// Scans a chunk of the file of this name and makes its rows, unless they are too long. Call this on a
    /// worker. Reports the bytes of the result to the chunk.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out, if the rows have more bytes than offsets of 32 bits can address,
    /// if they have the column `resolved` and neither the derivation nor the input can name a base, or if they
    /// have a field that the format lacks or the header of the first input does not name.
    pub(super) fn new(
        reading: &Reading,
        rows: &RowConverter,
        file: &[u8],
        chunk: &Chunk<'_>,
        is_first_input: bool,
    ) -> Result<Self, ChunkRowsError> {
        /// If the rows of some pieces bring the result to this number of bytes, or to this number of chunk
        /// sizes, the sink makes the others.
        const MOST: usize = 8 << 20;
        const MOST_CHUNK_SIZES: usize = 4;

        rows.check_base(chunk.layout())?;
        rows.check_fields(chunk, is_first_input)?;
        let most = MOST.max(chunk.limits.chunk_size.saturating_mul(MOST_CHUNK_SIZES));
        let repeats = rows.repeats();
        let grammar = reading.validator_of(chunk).grammar();
        let read_as = ReadAs::new(chunk.layout().format(), grammar);
        let mut fit = Fit::default();
        let (mut made, mut bytes, mut is_whole) = (Vec::new(), 0, true);
        let flow = reading.scan_pieces(chunk, rows.scanned_columns(), |scanned| {
            fit.append(Fit::new(scanned, grammar));
            let deriver = rows.derivation.deriver(Validator::of(scanned.batch())).ok();
            is_whole = is_whole && bytes < most && !repeats.are_many(scanned, deriver.as_ref());
            if !is_whole {
                // The later pieces count for the fit.
                return ControlFlow::Continue(());
            }
            match rows.convert(file, chunk.first_line().unwrap_or(1), scanned) {
                Ok(batch) => {
                    bytes += batch.get_array_memory_size();
                    made.push(batch);
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(error),
            }
        })?;
        if let ControlFlow::Break(error) = flow {
            return Err(error.into());
        }
        let rest = if is_whole { None } else { Some(Box::new(chunk.try_to_owned()?)) };
        chunk.report_result_bytes(bytes + rest.as_ref().map_or(0, |chunk| chunk.bytes().len()));
        Ok(ChunkRows { made, rest, read_as, fit })
    }

    /// Returns the format and the grammar of the chunk.
    pub(super) fn read_as(&self) -> ReadAs {
        self.read_as
    }

    /// Takes the counts of the lines that do and do not fit.
    pub(super) fn take_fit(&mut self) -> Fit {
        std::mem::take(&mut self.fit)
    }

    /// Passes the rows to `take`, in order and in batches that memory can hold, until it breaks. Call this in
    /// the sink, with the same values as in [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`new`](Self::new).
    pub(super) fn each<B>(
        self,
        reading: &Reading,
        rows: &RowConverter,
        file: &[u8],
        mut take: impl FnMut(RecordBatch) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, ChunkRowsError> {
        let mut made = self.made.len();
        for batch in self.made {
            if let ControlFlow::Break(value) = take(batch) {
                return Ok(ControlFlow::Break(value));
            }
        }
        let Some(chunk) = self.rest else { return Ok(ControlFlow::Continue(())) };
        let repeats = rows.repeats();
        let mut some = SomeRecords::default();
        let flow = reading.scan_pieces(&chunk, rows.scanned_columns(), |scanned| {
            if made > 0 {
                made -= 1;
                return ControlFlow::Continue(());
            }
            let deriver = rows.derivation.deriver(Validator::of(scanned.batch())).ok();
            let mut first = 0;
            loop {
                let end = repeats.end_of_some(scanned, deriver.as_ref(), first);
                let records = some.of(scanned, first..end).expect("parts end within the chunk");
                match rows.convert(file, chunk.first_line().unwrap_or(1), &records) {
                    Ok(batch) => take(batch).map_break(Ok)?,
                    Err(error) => return ControlFlow::Break(Err(error)),
                }
                first = end;
                if first == scanned.len() {
                    return ControlFlow::Continue(());
                }
            }
        })?;
        match flow {
            ControlFlow::Continue(()) => Ok(ControlFlow::Continue(())),
            ControlFlow::Break(value) => Ok(ControlFlow::Break(value?)),
        }
    }
}

/// The reason why a chunk has no rows.
#[derive(Debug)]
pub(super) enum ChunkRowsError {
    /// Memory ran out.
    OutOfMemory(OutOfMemory),
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

impl From<OutOfMemory> for ChunkRowsError {
    fn from(error: OutOfMemory) -> Self {
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
