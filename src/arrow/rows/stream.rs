//! The rows of several inputs, batch by batch.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::RowConverter;
use super::chunk_rows::{ChunkRows, ChunkRowsError};
use crate::corpus::{Chunk, FileEvent, Fit, Format, Input, Outlet, Pull, Reading, Scanner, with_name};
use crate::stats::ReadAs;

/// The rows of several inputs as record batches, in order.
///
/// As an iterator, it has the batches. An error of an input comes after its last batch, and names the input;
/// the batches of the next input follow. An input is also an error
/// ([`InvalidData`](io::ErrorKind::InvalidData)) if none of its lines fits its format and the rows leave such
/// lines out. [`next_event`](Self::next_event) and [`poll_event`](Self::poll_event) tell more: how an input
/// is read, and which lines the rows leave out.
///
/// The scan runs on threads of its own, and waits while two batches wait to be pulled, so memory stays
/// [bounded](Scanner). To end the scan early, drop this.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use urivalidate::RowKind;
/// use urivalidate::arrow::{RowConverter, RowStream};
/// use urivalidate::corpus::{Input, Reading, ReadingOptions};
///
/// let reading = Reading::new(ReadingOptions::default())?;
/// let rows = RowConverter::new(RowKind::Components, reading.validator().grammar()).columns(&["line", "host"])?;
/// let inputs = [Input::reader("list", &b"http://example.com/\nno uri\n"[..])];
/// for batch in RowStream::new(reading.batch_scanner(1 << 16), reading, rows, inputs)? {
///     let batch = batch?;
///     assert_eq!(batch.column(1).as_string::<i32>().iter().collect::<Vec<_>>(), [Some("example.com"), None]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// If the scan panics, the call that pulls the next batch panics with the same message.
pub struct RowStream {
    pull: Pull<(usize, RowEvent)>,
    names: Vec<OsString>,
    schema: SchemaRef,
    has_malformed: bool,
}

/// An event of one of the inputs of a [`RowStream`].
#[derive(Debug)]
#[non_exhaustive]
pub enum RowEvent {
    /// The input is read in this way. Comes once, before the rows of the input, also if it has none.
    Begin(ReadAs),
    /// The next rows. There is at least one.
    Rows(RecordBatch),
    /// The end of the input, or an error. Without a [`Begin`](RowEvent::Begin) before it, the error came
    /// before the first line.
    #[non_exhaustive]
    End {
        /// The value that [`Scanner::scan_input`] would return.
        status: io::Result<()>,
        /// The lines that do and do not fit the format, as far as the input was read.
        fit: Fit,
    },
}

impl RowStream {
    /// Scans inputs on threads of its own. `reading` judges the records; `scanner` should be [one of its
    /// scanners](Reading::batch_scanner). It numbers lines if `rows` has a column for them.
    /// [Paths](Input::path) are opened in their turn.
    ///
    /// A batch has at most as many rows as a [chunk has lines](Scanner::chunk_lines), and no row of a second
    /// input.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses the thread.
    pub fn new(
        scanner: Scanner,
        reading: impl Into<Arc<Reading>>,
        rows: RowConverter,
        inputs: impl IntoIterator<Item = Input<'static>>,
    ) -> io::Result<Self> {
        let inputs: Vec<_> = inputs.into_iter().collect();
        let names: Vec<_> = inputs.iter().map(|input| input.name().as_os_str().to_owned()).collect();
        let (schema, has_malformed) = (rows.schema().clone(), rows.has_malformed());
        let log = rows.log_columns();
        let scanner = scanner
            .number_lines(rows.needs_line_numbers())
            .number_rows(log.has_rows())
            .keep_headers(log.fields() > 0);
        let job = RowJob { most: scanner.most_lines(), reading: reading.into(), rows, names: names.clone() };
        let pull = Pull::start(move |outlet| job.run(&scanner, inputs, outlet))?;
        Ok(RowStream { pull, names, schema, has_malformed })
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Waits for the next event, and returns it with the number of its input, counted from 0. Returns `None`
    /// at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out, if rows are too long for a record batch, if rows have the column
    /// `resolved` and nothing can name a base, if they have a field (`log.NAME`) that the format lacks or the
    /// header of the first input does not name, or if the system refuses threads. It is the last event. An
    /// error of an input is in its [end](RowEvent::End).
    pub fn next_event(&mut self) -> Option<io::Result<(usize, RowEvent)>> {
        self.pull.next()
    }

    /// Returns the next event if it is there, as [`next_event`](Self::next_event) returns it. Otherwise
    /// arranges that the task is woken when there is an event, as [`Pull::poll_next`] does.
    pub fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<(usize, RowEvent)>>> {
        self.pull.poll_next(context)
    }

    /// Returns the next batch if it is there, as the iterator returns it. Otherwise arranges that the task is
    /// woken, as [`Pull::poll_next`] does.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<RecordBatch>>> {
        loop {
            let Some(event) = ready!(self.pull.poll_next(context)) else { return Poll::Ready(None) };
            if let Some(item) = self.item_of(event) {
                return Poll::Ready(Some(item));
            }
        }
    }

    /// Returns the item for an event, if it has one.
    fn item_of(&self, event: io::Result<(usize, RowEvent)>) -> Option<io::Result<RecordBatch>> {
        let (input, event) = match event {
            Ok(event) => event,
            Err(error) => return Some(Err(error)),
        };
        let (status, fit) = match event {
            RowEvent::Rows(rows) => return Some(Ok(rows)),
            RowEvent::Begin(_) => return None,
            RowEvent::End { status, fit } => (status, fit),
        };
        let misfits = || fit.misfits().filter(|misfits| misfits.are_all && !self.has_malformed);
        let error = match status {
            Err(error) => error,
            Ok(()) => io::Error::new(io::ErrorKind::InvalidData, misfits()?.sentence),
        };
        Some(Err(with_name(&self.names[input], &error)))
    }
}

impl Iterator for RowStream {
    type Item = io::Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let event = self.pull.next()?;
            if let Some(item) = self.item_of(event) {
                return Some(item);
            }
        }
    }
}

impl FusedIterator for RowStream {}

impl fmt::Debug for RowStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowStream").field("inputs", &self.names.len()).finish_non_exhaustive()
    }
}

/// The scan, as its thread runs it.
struct RowJob {
    reading: Arc<Reading>,
    rows: RowConverter,
    names: Vec<OsString>,
    /// The most rows of a batch.
    most: usize,
}

type RowOutlet = Outlet<(usize, RowEvent)>;

impl RowJob {
    fn run(&self, scanner: &Scanner, inputs: Vec<Input<'static>>, outlet: &RowOutlet) -> io::Result<()> {
        let job = |input: usize, chunk: &Chunk<'_>| {
            ChunkRows::new(&self.reading, &self.rows, self.name(input), chunk, input == 0)
        };
        let mut fit = Fit::default();
        let mut has_begun = false;
        let stopped = scanner.scan_inputs(inputs, job, |input, event| match event {
            FileEvent::Begin => {
                has_begun = false;
                outlet.flow().map_break(Ok)
            }
            FileEvent::Result(rows) => {
                let mut begin = |rows: &ChunkRows| match std::mem::replace(&mut has_begun, true) {
                    true => ControlFlow::Continue(()),
                    false => outlet.send((input, RowEvent::Begin(rows.read_as()))),
                };
                let passed = rows.and_then(|mut rows| {
                    fit.append(rows.take_fit());
                    if begin(&rows).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    let name = self.name(input);
                    rows.each(&self.reading, &self.rows, name, |rows| self.send(outlet, input, &rows))
                });
                match passed {
                    Ok(flow) => flow.map_break(Ok),
                    Err(error) => ControlFlow::Break(Err(error_of(error))),
                }
            }
            FileEvent::End { status, .. } => {
                let fit = std::mem::take(&mut fit);
                // An empty input has no lines that could show its format.
                if status.is_ok() && !std::mem::take(&mut has_begun) {
                    let format = self.reading.format().unwrap_or(Format::Lines);
                    let read_as = ReadAs::new(format, self.reading.validator().grammar());
                    outlet.send((input, RowEvent::Begin(read_as))).map_break(Ok)?;
                }
                outlet.send((input, RowEvent::End { status, fit })).map_break(Ok)
            }
        })?;
        stopped.unwrap_or(Ok(()))
    }

    /// Sends the rows of a part of a chunk, in batches of at most the chosen number of rows.
    fn send(&self, outlet: &RowOutlet, input: usize, rows: &RecordBatch) -> ControlFlow<()> {
        for start in (0..rows.num_rows()).step_by(self.most) {
            let rows = rows.slice(start, self.most.min(rows.num_rows() - start));
            outlet.send((input, RowEvent::Rows(rows)))?;
        }
        // Without rows nothing is sent, so ask whether the consumer has gone away.
        outlet.flow()
    }

    fn name(&self, input: usize) -> &[u8] {
        self.names[input].as_encoded_bytes()
    }
}

fn error_of(error: ChunkRowsError) -> io::Error {
    match error {
        ChunkRowsError::OutOfMemory(error) => io::Error::new(io::ErrorKind::OutOfMemory, error),
        error => io::Error::other(error),
    }
}
