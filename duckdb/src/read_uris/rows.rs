//! The rows of a scan, pulled one batch at a time.
//!
//! The scan runs on its own threads. Memory stays bounded, because a channel of small capacity makes the scan wait for its consumer. If the
//! consumer goes away, for example after LIMIT or an interrupt, the scan ends at its next chunk.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::{Array, ArrayRef, RecordBatch};
use urivalidate::arrow::RowConverter;
use urivalidate::corpus::{Chunk, FileEvent};
use urivalidate::tools::{ChunkRows, Fit, Reading, is_missing_key};

use super::advice;
use super::files::of_file;
use super::plan::Plan;
use super::reading::scanner;
use crate::failure::{Failure, caught};

/// The number of finished record batches that may wait for the consumer.
const WAITING: usize = 2;

/// A running scan. It ends early when this is dropped.
pub(crate) struct Rows {
    state: Mutex<State>,
    is_abandoned: Arc<AtomicBool>,
    /// The index in the batches of each requested column. To count rows, DuckDB also requests columns that do not exist: they have no index.
    places: Vec<Option<usize>>,
}

struct State {
    batches: Receiver<Result<RecordBatch, Failure>>,
    batch: Option<RecordBatch>,
    /// The number of rows of the batch that the consumer has taken.
    taken: usize,
}

/// Some rows, column by column.
pub(crate) struct RowColumns {
    pub(crate) rows: usize,
    /// The values of each requested column, or `None` if the column does not exist.
    pub(crate) columns: Vec<Option<ArrayRef>>,
}

impl Rows {
    /// Starts a scan for the columns with these indices in the schema.
    pub(crate) fn start(plan: &Plan, columns: &[usize]) -> Result<Self, Failure> {
        let fields = plan.schema().fields();
        let mut names: Vec<&str> = Vec::new();
        for field in columns.iter().filter_map(|&index| fields.get(index)) {
            if !names.contains(&field.name().as_str()) {
                names.push(field.name());
            }
        }
        let converter = RowConverter::new(plan.kind, plan.reading.validator().grammar()).columns(&names)?;
        let converter = converter.with_malformed(plan.has_malformed);
        let place = |&index: &usize| {
            // The converter may add columns to the requested ones, so this finds columns by name.
            let field = fields.get(index)?;
            converter.schema().index_of(field.name()).ok()
        };
        let places = columns.iter().map(place).collect();
        let (sender, batches) = sync_channel(WAITING);
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let scan = Scan {
            files: plan.files.clone(),
            reading: plan.reading.clone(),
            threads: plan.threads,
            converter,
            sender,
            is_abandoned,
        };
        let is_abandoned = scan.is_abandoned.clone();
        thread::Builder::new()
            .name("urivalidate".to_owned())
            .spawn(move || {
                if let Err(failure) = caught(|| scan.run()) {
                    // Sending fails if the consumer has gone away.
                    drop(scan.sender.send(Err(failure)));
                }
            })
            .map_err(|error| Failure(format!("cannot start a thread: {error}")))?;
        Ok(Rows { state: Mutex::new(State { batches, batch: None, taken: 0 }), is_abandoned, places })
    }

    /// Returns the next rows, at most `most`, or `None` at the end.
    pub(crate) fn next(&self, most: usize) -> Result<Option<RowColumns>, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let State { batch: Some(batch), taken, .. } = &mut *state else {
                match state.batches.recv() {
                    Ok(batch) => (state.batch, state.taken) = (Some(batch?), 0),
                    // The scan has ended without a failure, because it would have sent one.
                    Err(_) => return Ok(None),
                }
                continue;
            };
            let rows = most.min(batch.num_rows() - *taken);
            if rows > 0 {
                let column =
                    |place: &Option<usize>| place.map(|place| batch.column(place).slice(*taken, rows));
                let columns = self.places.iter().map(column).collect();
                *taken += rows;
                return Ok(Some(RowColumns { rows, columns }));
            }
            state.batch = None;
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}

/// A scan, as its thread runs it.
struct Scan {
    files: Vec<std::path::PathBuf>,
    reading: Arc<Reading>,
    threads: usize,
    converter: RowConverter,
    sender: SyncSender<Result<RecordBatch, Failure>>,
    is_abandoned: Arc<AtomicBool>,
}

impl Scan {
    fn run(&self) -> Result<(), Failure> {
        let scanner = scanner(&self.reading, self.threads).number_lines(self.converter.needs_line_numbers());
        let job = |file: usize, chunk: &Chunk<'_>| self.convert(file, chunk);
        let mut fit = Fit::default();
        // The first file in which no line has the key. This is no failure if another file has it.
        let (mut keyless, mut knows_key) = (None, false);
        let failure = scanner.scan_files(&self.files, job, |file, event| match event {
            FileEvent::Begin => {
                fit = Fit::default();
                self.flow()
            }
            FileEvent::End { status: Err(error), .. } if is_missing_key(&error) => {
                keyless.get_or_insert_with(|| of_file(&self.files[file], error));
                self.flow()
            }
            FileEvent::End { status: Err(error), .. } => {
                ControlFlow::Break(Some(of_file(&self.files[file], error)))
            }
            FileEvent::End { .. } => match fit.misfits() {
                Some(misfits) if misfits.are_all && !self.converter.has_malformed() => {
                    ControlFlow::Break(Some(advice::failure(&self.files[file], &misfits)))
                }
                _ => self.flow(),
            },
            FileEvent::Result(Err(failure)) => ControlFlow::Break(Some(failure)),
            FileEvent::Result(Ok(mut rows)) => {
                fit.append(rows.take_fit());
                knows_key |= fit.has_key();
                let sent =
                    rows.each(&self.reading, &self.converter, self.name(file), |batch| self.send(batch));
                sent.unwrap_or_else(|error| ControlFlow::Break(Some(error.into())))
            }
            _ => self.flow(),
        })?;
        failure.flatten().or(keyless.filter(|_| !knows_key)).map_or(Ok(()), Err)
    }

    /// Sends a batch to the consumer. Returns `Break` if the consumer has gone away.
    fn send(&self, batch: RecordBatch) -> ControlFlow<Option<Failure>> {
        if batch.num_rows() > 0 && self.sender.send(Ok(batch)).is_err() {
            return ControlFlow::Break(None);
        }
        self.flow()
    }

    /// Returns `Break` if the consumer has gone away.
    fn flow(&self) -> ControlFlow<Option<Failure>> {
        if self.is_abandoned.load(Ordering::Relaxed) {
            ControlFlow::Break(None)
        } else {
            ControlFlow::Continue(())
        }
    }

    fn convert(&self, file: usize, chunk: &Chunk<'_>) -> Result<ChunkRows, Failure> {
        // If a worker did not catch its panic, the process would end.
        caught(|| Ok(ChunkRows::new(&self.reading, &self.converter, self.name(file), chunk)?))
    }

    /// Returns the name of a file.
    fn name(&self, file: usize) -> &[u8] {
        self.files[file].as_os_str().as_encoded_bytes()
    }
}
