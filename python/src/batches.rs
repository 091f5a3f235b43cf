//! Passes the record batches of a scan to a consumer in C.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::SchemaRef;
use pyo3::prelude::*;

use crate::capsule::StreamError;
use crate::failure::{caught, is_exception};
use crate::pending::raise_soon;
use crate::rows::Rows;

/// The batches for a consumer that can receive errors but not exceptions.
pub(crate) struct Batches {
    schema: SchemaRef,
    state: State,
}

enum State {
    Running(Arc<Rows>),
    /// The scan failed with this error. Each later call returns it again: an end would look as if the scan
    /// had read everything.
    Failed(StreamError),
}

impl Batches {
    pub(crate) fn new(schema: SchemaRef, rows: Arc<Rows>) -> Self {
        Batches { schema, state: State::Running(rows) }
    }

    /// Returns the next batch, or `None` at the end.
    pub(crate) fn next(&mut self, py: Python<'_>) -> Result<Option<ArrayRef>, StreamError> {
        let rows = match &self.state {
            State::Running(rows) => rows,
            State::Failed(error) => return Err(error.clone()),
        };
        let exception = match caught(|| rows.next(py)) {
            Ok(batch) => return Ok(batch.map(as_array)),
            Err(exception) => exception,
        };
        let error = StreamError::of_exception(py, &exception);
        self.state = State::Failed(error.clone());
        if is_exception(py, &exception) {
            return Err(error);
        }
        // A consumer in Python gets the empty batch, and the interpreter raises the exception. Another
        // consumer requests the next batch, and gets the error.
        raise_soon(exception);
        Ok(Some(as_array(RecordBatch::new_empty(self.schema.clone()))))
    }
}

/// The struct array that represents a batch in Arrow's C data interface.
pub(crate) fn as_array(batch: RecordBatch) -> ArrayRef {
    Arc::new(StructArray::from(batch)) as ArrayRef
}
