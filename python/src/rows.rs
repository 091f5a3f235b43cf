//! The rows of a scan, one batch at a time, and how its files are read.

use std::collections::VecDeque;
use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use urivalidate::arrow::{RowEvent, RowStream};
use urivalidate::stats::ReadAs;

use crate::advice;
use crate::failure::of_file;
use crate::input::FileNames;
use crate::running::Running;

/// How the files of a scan are read, as far as it is known. It outlives the scan.
#[derive(Clone, Default)]
pub(crate) struct SharedReadAs(Arc<Mutex<Option<ReadAs>>>);

impl SharedReadAs {
    /// The name of the format; `several` if files have different ones.
    pub(crate) fn format(&self) -> Option<&'static str> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).map(|read_as| read_as.format)
    }

    fn add(&self, read_as: ReadAs) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all = Some(all.map_or(read_as, |all| all.and(read_as)));
    }
}

/// The rows of a running scan.
pub(crate) struct Rows {
    running: Running<RowStream>,
    names: FileNames,
    /// Whether lines that do not fit their format have rows.
    has_malformed: bool,
    read_as: SharedReadAs,
    /// Batches that came before they were requested.
    batches: Mutex<VecDeque<RecordBatch>>,
}

impl Rows {
    pub(crate) fn new(
        running: Running<RowStream>,
        names: FileNames,
        has_malformed: bool,
        read_as: SharedReadAs,
    ) -> Self {
        Rows { running, names, has_malformed, read_as, batches: Mutex::default() }
    }

    /// Waits for the next batch. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// The failure of the scan, the exception of a signal, or a warning that is an error.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.batches().pop_front() {
                return Ok(Some(batch));
            }
            if !self.receive(py)? {
                return Ok(None);
            }
        }
    }

    /// Waits until the format of the first file is known.
    pub(crate) fn wait_for_format(&self, py: Python<'_>) -> PyResult<()> {
        while self.read_as.format().is_none() && self.receive(py)? {}
        Ok(())
    }

    /// Waits for the next event. Returns false at the end.
    fn receive(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(event) = self.running.next(py, RowStream::poll_event)? else { return Ok(false) };
        match event.map_err(of_file)? {
            (_, RowEvent::Begin(read_as)) => self.read_as.add(read_as),
            (_, RowEvent::Rows(batch)) => self.batches().push_back(batch),
            (input, RowEvent::End { status, fit, .. }) => {
                status.map_err(|error| self.names.failure(input, error))?;
                let misfits = if self.has_malformed { None } else { fit.misfits() };
                let Some(misfits) = misfits else { return Ok(true) };
                let message = advice::message(self.names.bytes(input), &misfits);
                if misfits.are_all {
                    return Err(PyValueError::new_err(message));
                }
                let text = CString::new(message.replace('\0', "\\0")).unwrap_or_default();
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
            }
            _ => {}
        }
        Ok(true)
    }

    fn batches(&self) -> MutexGuard<'_, VecDeque<RecordBatch>> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
