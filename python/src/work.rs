//! Work on a thread of its own, whose results are waited for here.
//!
//! A channel of few places holds the work back until its results are asked for, so that memory stays bounded. Who waits lets
//! other Python threads run, and looks for signals now and then.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How many results may wait, beside what the work has under way.
const WAITING: usize = 2;

/// How often a signal is looked for.
const SIGNALS: Duration = Duration::from_millis(50);

/// Work under way. Dropped, it ends early.
pub(crate) struct Work<T> {
    results: Mutex<Receiver<PyResult<T>>>,
    is_abandoned: Arc<AtomicBool>,
}

/// Where the work puts its results.
pub(crate) struct Outlet<T> {
    results: SyncSender<PyResult<T>>,
    is_abandoned: Arc<AtomicBool>,
}

impl<T> Outlet<T> {
    /// Hands over a result; says to stop if nobody wants it.
    pub(crate) fn send(&self, result: T) -> ControlFlow<()> {
        match self.results.send(Ok(result)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Says to stop if nobody waits for results.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.is_abandoned.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl<T: Send + 'static> Work<T> {
    /// Starts some work.
    pub(crate) fn start(work: impl FnOnce(&Outlet<T>) -> PyResult<()> + Send + 'static) -> PyResult<Self> {
        let (sender, results) = sync_channel(WAITING);
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let outlet = Outlet { results: sender, is_abandoned: is_abandoned.clone() };
        let run = move || {
            let failure = match catch_unwind(AssertUnwindSafe(|| work(&outlet))) {
                Ok(result) => result.err(),
                Err(_) => Some(PyRuntimeError::new_err("internal error")),
            };
            if let Some(failure) = failure {
                // Nobody may be there to hear it.
                drop(outlet.results.send(Err(failure)));
            }
        };
        thread::Builder::new()
            .name("urivalidate".to_owned())
            .spawn(run)
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Work { results: Mutex::new(results), is_abandoned })
    }

    /// Waits for the next result; None at the end.
    ///
    /// # Errors
    ///
    /// What the work failed for, or what a signal asks for.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            let received = py.detach(|| {
                let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
                results.recv_timeout(SIGNALS)
            });
            match received {
                Ok(result) => return result.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            }
        }
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}
