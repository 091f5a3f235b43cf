//! The rows of a scan, one batch at a time, and how its files are read.

use std::collections::VecDeque;
use std::ffi::CString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use urivalidate::stats::ReadAs;
use urivalidate::tools::both_read_as;

use crate::work::Work;

/// A message of the work of a scan.
pub(crate) enum Item {
    /// The next file is read in this way. Comes once for each file, before its rows.
    ReadAs(ReadAs),
    Rows(RecordBatch),
    /// Something about the file that has just ended.
    Warning(String),
}

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
        *all = both_read_as(*all, Some(read_as));
    }
}

/// The rows of a running scan.
pub(crate) struct Rows {
    work: Work<Item>,
    read_as: SharedReadAs,
    /// Batches that came before they were requested.
    batches: Mutex<VecDeque<RecordBatch>>,
}

impl Rows {
    pub(crate) fn new(work: Work<Item>, read_as: SharedReadAs) -> Self {
        Rows { work, read_as, batches: Mutex::default() }
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

    /// Waits for the next message. Returns false at the end.
    fn receive(&self, py: Python<'_>) -> PyResult<bool> {
        match self.work.next(py)? {
            Some(Item::Rows(batch)) => self.batches().push_back(batch),
            Some(Item::ReadAs(read_as)) => self.read_as.add(read_as),
            Some(Item::Warning(text)) => {
                let text = CString::new(text.replace('\0', "\\0")).unwrap_or_default();
                PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    fn batches(&self) -> MutexGuard<'_, VecDeque<RecordBatch>> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
