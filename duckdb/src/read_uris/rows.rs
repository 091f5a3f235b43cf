//! The rows of a scan, pulled some at a time.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use arrow_array::{Array, ArrayRef, RecordBatch};
use urivalidate::arrow::{RowConverter, RowEvent, RowStream};
use urivalidate::corpus::{Input, MissingKey};

use super::advice;
use super::files::of_file;
use super::plan::Plan;
use super::reading::scanner;
use crate::failure::Failure;

/// A running scan. It ends early when this is dropped, for example after LIMIT or an interrupt.
pub(crate) struct Rows {
    state: Mutex<State>,
    /// The index in the batches of each requested column. To count rows, DuckDB also requests columns that do
    /// not exist: they have no index.
    places: Vec<Option<usize>>,
}

struct State {
    batches: Batches,
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
        let scanner = scanner(&plan.reading, plan.threads);
        let inputs = plan.files.iter().map(Input::path);
        let stream = RowStream::new(scanner, plan.reading.clone(), converter, inputs)?;
        let batches = Batches {
            stream,
            files: plan.files.clone(),
            has_malformed: plan.has_malformed,
            keyless: None,
            knows_key: false,
        };
        Ok(Rows { state: Mutex::new(State { batches, batch: None, taken: 0 }), places })
    }

    /// Returns the next rows, at most `most`, or `None` at the end.
    pub(crate) fn next(&self, most: usize) -> Result<Option<RowColumns>, Failure> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let State { batch: Some(batch), taken, .. } = &mut *state else {
                let Some(batch) = state.batches.next()? else { return Ok(None) };
                (state.batch, state.taken) = (Some(batch), 0);
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

/// The batches of a scan.
struct Batches {
    stream: RowStream,
    files: Vec<PathBuf>,
    /// True if lines that do not fit their format have rows.
    has_malformed: bool,
    /// The failure of the first file in which no line has the key. This is no failure if another file has it.
    keyless: Option<Failure>,
    knows_key: bool,
}

impl Batches {
    /// Waits for the next batch. Returns `None` at the end.
    fn next(&mut self) -> Result<Option<RecordBatch>, Failure> {
        while let Some(event) = self.stream.next_event() {
            let (file, status, fit) = match event? {
                (_, RowEvent::Rows(batch)) => return Ok(Some(batch)),
                (file, RowEvent::End { status, fit, .. }) => (&self.files[file], status, fit),
                _ => continue,
            };
            self.knows_key |= fit.has_key();
            match status {
                Err(error) if error.get_ref().is_some_and(|inner| inner.is::<MissingKey>()) => {
                    self.keyless.get_or_insert_with(|| of_file(file, error));
                }
                Err(error) => return Err(of_file(file, error)),
                Ok(()) => match fit.misfits() {
                    Some(misfits) if misfits.are_all && !self.has_malformed => {
                        return Err(advice::failure(file, &misfits));
                    }
                    _ => {}
                },
            }
        }
        self.keyless.take().filter(|_| !self.knows_key).map_or(Ok(None), Err)
    }
}
