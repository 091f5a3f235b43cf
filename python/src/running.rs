//! Waits for the results of a scan, which runs on threads of its own.
//!
//! A waiting call lets other Python threads run, and checks for signals at intervals of `SIGNALS`.
//!
//! The threads of the scan never run Python. The thread that waits for a result reads from Python objects on
//! their behalf, because a signal can interrupt the read there. Also, the interpreter aborts if it ends while
//! another thread reads `sys.stdin.buffer`.
//!
//! A forked child has no threads for the scan, and another thread may have held a lock when the process
//! forked. So a child touches no lock of a scan that its parent started. The threads do not drop Python objects
//! either: each call of a function locks the list where pyo3 keeps the objects that such threads drop.

use std::any::Any;
use std::collections::VecDeque;
use std::mem;
use std::process;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::failure::is_exception;

/// The time between two checks for signals.
const SIGNALS: Duration = Duration::from_millis(50);

/// A function for the waiting thread to run.
type Call = Box<dyn FnOnce(Python<'_>) -> PyResult<()> + Send>;

/// A value with Python objects for the waiting thread to drop.
type Discarded = Box<dyn Any + Send>;

/// What the threads of a scan want from the thread that waits: that it looks for a result, or runs a
/// function.
#[derive(Default)]
pub(crate) struct Requests {
    state: Mutex<State>,
    has_changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Whether there may be a result.
    is_woken: bool,
    calls: VecDeque<Call>,
    discarded: Vec<Discarded>,
    /// Whether nobody waits any more.
    is_closed: bool,
}

impl Requests {
    /// Runs `action` on the thread that waits for a result, and returns the action's result. If the action
    /// raises an exception that is not an `Exception`, such as KeyboardInterrupt, the waiting thread raises
    /// it, and the scan ends.
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
            // Sending fails if the scan has ended.
            drop(answer.send(result));
            Ok(())
        };
        let nobody = || PyRuntimeError::new_err("nobody waits for results");
        {
            let mut state = self.state();
            if state.is_closed {
                return Err(nobody());
            }
            state.calls.push_back(Box::new(call));
        }
        self.has_changed.notify_all();
        answered.recv().map_err(|_| nobody())?
    }

    /// Drops a value on the thread that waits for a result. Once the scan is closed, drops it at once.
    pub(crate) fn discard(&self, value: impl Send + 'static) {
        let mut state = self.state();
        if !state.is_closed {
            state.discarded.push(Box::new(value));
        }
    }

    fn next_call(&self) -> Option<Call> {
        self.state().calls.pop_front()
    }

    fn take_discarded(&self) -> Vec<Discarded> {
        mem::take(&mut self.state().discarded)
    }

    /// Waits for a request, at most until the next check for signals.
    fn wait(&self) {
        let has_nothing = |state: &mut State| !state.is_woken && state.calls.is_empty();
        let waited = self.has_changed.wait_timeout_while(self.state(), SIGNALS, has_nothing);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.is_woken = false;
    }

    /// Refuses all calls from now on.
    fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let (calls, discarded) = (mem::take(&mut state.calls), mem::take(&mut state.discarded));
        drop(state);
        // The threads that made the calls get an error.
        drop((calls, discarded));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Requests {
    fn wake(self: Arc<Self>) {
        self.state().is_woken = true;
        self.has_changed.notify_all();
    }
}

/// A running scan. It ends early when this is dropped.
pub(crate) struct Running<S> {
    /// Always there until the drop.
    stream: Option<Mutex<S>>,
    requests: Arc<Requests>,
    /// The process that has the threads.
    process: u32,
}

impl<S> Running<S> {
    /// `stream` has the results of the scan, whose inputs make these requests.
    pub(crate) fn new(stream: S, requests: Arc<Requests>) -> Self {
        Running { stream: Some(Mutex::new(stream)), requests, process: process::id() }
    }

    /// Waits until `poll` has a result of the stream.
    ///
    /// # Errors
    ///
    /// The exception of a signal or of a read, or a RuntimeError if this process was forked after the start
    /// of the scan.
    pub(crate) fn next<T>(
        &self,
        py: Python<'_>,
        poll: impl Fn(&mut S, &mut Context<'_>) -> Poll<T>,
    ) -> PyResult<T> {
        let Some(stream) = self.stream.as_ref().filter(|_| self.is_of_this_process()) else {
            return Err(PyRuntimeError::new_err(
                "the scan belongs to the process that started it; a forked process cannot continue it",
            ));
        };
        let requests = &*self.requests;
        let waker = Waker::from(self.requests.clone());
        loop {
            // Check each time: a consumer's loop in C++ does not check for signals, and this loop never waits
            // if a result is always ready.
            py.check_signals()?;
            drop(requests.take_discarded());
            if let Some(call) = requests.next_call() {
                call(py)?;
                continue;
            }
            let mut context = Context::from_waker(&waker);
            let polled = poll(&mut stream.lock().unwrap_or_else(PoisonError::into_inner), &mut context);
            match polled {
                Poll::Ready(result) => {
                    drop(requests.take_discarded());
                    return Ok(result);
                }
                Poll::Pending => py.detach(|| requests.wait()),
            }
        }
    }

    fn is_of_this_process(&self) -> bool {
        self.process == process::id()
    }
}

impl<S> Drop for Running<S> {
    fn drop(&mut self) {
        if self.is_of_this_process() {
            self.requests.close();
        } else {
            // The drop of a stream takes its locks.
            mem::forget(self.stream.take());
        }
    }
}
