//! Runs work on a separate thread, and waits for its results.
//!
//! Memory stays bounded, because a channel of small capacity makes the work wait for its consumer. A waiting call lets other
//! Python threads run, and checks for signals at intervals of `SIGNALS`.
//!
//! The thread of the work never runs Python. The thread that waits for a result reads from Python objects on behalf of the work, because a
//! signal can interrupt the read there. Also, the interpreter aborts if it ends while another thread reads `sys.stdin.buffer`.
//!
//! A forked child has no thread for the work, and another thread may have held a lock of the channel when the process forked. So a child does not
//! touch the channel.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{mem, process, thread};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::{caught, is_exception};

/// The number of finished results that may wait for the consumer.
const WAITING: usize = 2;

/// The time between two checks for signals.
const SIGNALS: Duration = Duration::from_millis(50);

/// Running work. It ends early when this is dropped.
pub(crate) struct Work<T> {
    /// Always there until the drop.
    messages: Option<Mutex<Receiver<Message<T>>>>,
    is_abandoned: Arc<AtomicBool>,
    /// The process that has the thread.
    process: u32,
}

/// The sender of the work's results.
pub(crate) struct Outlet<T> {
    messages: SyncSender<Message<T>>,
    is_abandoned: Arc<AtomicBool>,
}

enum Message<T> {
    Result(T),
    Failure(PyErr),
    Call(Call),
}

/// A function for the waiting thread to run.
type Call = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

impl<T> Outlet<T> {
    /// Sends a result. Returns `Break` if the consumer has gone away.
    pub(crate) fn send(&self, result: T) -> ControlFlow<()> {
        match self.messages.send(Message::Result(result)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Returns `Break` if the consumer has gone away.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.is_abandoned.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Runs `action` on the thread that waits for a result, and returns the action's result. If the action raises an exception that is not an
    /// `Exception`, such as KeyboardInterrupt, the waiting thread raises it, and the work ends.
    pub(crate) fn call<R: Send + 'static>(
        &self,
        action: impl FnOnce(Python<'_>) -> PyResult<R> + Send + 'static,
    ) -> PyResult<R> {
        let (answer, answered) = sync_channel(1);
        let call = move |py: Python<'_>| {
            let result = match action(py) {
                Err(error) if !is_exception(py, &error) => return Err(error),
                result => result,
            };
            // Sending fails if the work has ended.
            drop(answer.send(result));
            Ok(())
        };
        let nobody = || PyRuntimeError::new_err("nobody waits for results");
        self.messages.send(Message::Call(Box::new(call))).map_err(|_| nobody())?;
        answered.recv().map_err(|_| nobody())?
    }
}

impl<T: Send + 'static> Work<T> {
    /// Starts the work on a new thread.
    pub(crate) fn start(work: impl FnOnce(&Outlet<T>) -> PyResult<()> + Send + 'static) -> PyResult<Self> {
        let (sender, messages) = sync_channel(WAITING);
        let is_abandoned = Arc::new(AtomicBool::new(false));
        let outlet = Outlet { messages: sender, is_abandoned: is_abandoned.clone() };
        let run = move || {
            if let Err(failure) = caught(|| work(&outlet)) {
                // Sending fails if the consumer has gone away.
                drop(outlet.messages.send(Message::Failure(failure)));
            }
        };
        thread::Builder::new()
            .name("urivalidate".to_owned())
            .spawn(run)
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        Ok(Work { messages: Some(Mutex::new(messages)), is_abandoned, process: process::id() })
    }

    /// Waits for the next result. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// The failure of the work, the exception of a signal, or a RuntimeError if this process was forked after the start of the work.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<T>> {
        let Some(messages) = self.messages.as_ref().filter(|_| self.is_of_this_process()) else {
            return Err(PyRuntimeError::new_err(
                "the scan belongs to the process that started it; a forked process cannot continue it",
            ));
        };
        loop {
            // Check each time: a consumer's loop in C++ does not check for signals, and this loop never waits if a result is always ready.
            py.check_signals()?;
            let received = py.detach(|| {
                let messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
                messages.recv_timeout(SIGNALS)
            });
            match received {
                Ok(Message::Result(result)) => return Ok(Some(result)),
                Ok(Message::Failure(failure)) => return Err(failure),
                Ok(Message::Call(call)) => call(py)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl<T> Work<T> {
    fn is_of_this_process(&self) -> bool {
        self.process == process::id()
    }
}

impl<T> Drop for Work<T> {
    fn drop(&mut self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
        if !self.is_of_this_process() {
            // The drop of a channel takes its locks.
            mem::forget(self.messages.take());
        }
    }
}
