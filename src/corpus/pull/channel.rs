//! A thread, and a short queue of its results.

use std::any::Any;
use std::fmt;
use std::io;
use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;

/// The number of results that may wait for the consumer.
const WAITING: usize = 2;

/// The stack size of the thread in bytes, which is that of the scanner's other threads. It only takes address
/// space.
const STACK: usize = 8 << 20;

/// The results of a scan that runs on a thread of its own, in order.
///
/// The scan waits while two results wait to be pulled, so memory stays bounded however slow the consumer is.
/// To end the scan early, drop this: the drop does not wait, and the scan ends when it has its next result. A
/// scan that waits for the bytes of a pipe ends when they come.
///
/// [`next`](Iterator::next) waits for the next result. [`poll_next`](Self::poll_next) does not wait. A task
/// can call it, and so can a thread that has to do other work while it waits.
///
/// [`Scanner::pull`](crate::corpus::Scanner::pull) starts a scan. If the scan as a whole fails, its error is
/// the last item.
///
/// # Panics
///
/// If the scan panics, the call that pulls the next result panics with the same message.
pub struct Pull<T> {
    /// None after the end.
    messages: Option<Receiver<Message<T>>>,
    shared: Arc<Shared>,
}

/// The state that both threads share.
#[derive(Default)]
struct Shared {
    is_abandoned: AtomicBool,
    /// Wakes the task that waits for the next result.
    waker: Mutex<Option<Waker>>,
}

impl Shared {
    fn wake(&self) {
        let waker = self.waker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

enum Message<T> {
    Result(io::Result<T>),
    Panic(Box<dyn Any + Send>),
}

/// The end of the queue that the scan holds.
pub(crate) struct Outlet<T> {
    /// None during the drop.
    messages: Option<SyncSender<Message<T>>>,
    shared: Arc<Shared>,
}

impl<T> Outlet<T> {
    /// Sends a result, and waits while the queue is full. Returns `Break` if the consumer has gone away.
    pub(crate) fn send(&self, result: T) -> ControlFlow<()> {
        self.flow()?;
        self.send_message(Message::Result(Ok(result)))
    }

    /// Returns `Break` if the consumer has gone away.
    pub(crate) fn flow(&self) -> ControlFlow<()> {
        if self.shared.is_abandoned.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn send_message(&self, message: Message<T>) -> ControlFlow<()> {
        let messages = self.messages.as_ref().expect("there until the drop");
        if messages.send(message).is_err() {
            return ControlFlow::Break(());
        }
        self.shared.wake();
        ControlFlow::Continue(())
    }
}

impl<T> Drop for Outlet<T> {
    fn drop(&mut self) {
        // The consumer finds the end of the queue when it wakes.
        self.messages = None;
        self.shared.wake();
    }
}

impl<T: Send + 'static> Pull<T> {
    /// Runs `work` on a new thread.
    pub(crate) fn start(
        work: impl FnOnce(&Outlet<T>) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(WAITING);
        let shared = Arc::new(Shared::default());
        let outlet = Outlet { messages: Some(sender), shared: shared.clone() };
        let run = move || {
            // A value that a panic leaves half done is dropped with the work.
            let last = match catch_unwind(AssertUnwindSafe(|| work(&outlet))) {
                Ok(Ok(())) => return,
                Ok(Err(error)) => Message::Result(Err(error)),
                Err(panic) => Message::Panic(panic),
            };
            let _: ControlFlow<()> = outlet.send_message(last);
        };
        let thread = thread::Builder::new().name("urivalidate".to_owned()).stack_size(STACK);
        let started = thread.spawn(run);
        started.map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))?;
        Ok(Pull { messages: Some(receiver), shared })
    }
}

impl<T> Pull<T> {
    /// Returns the next result if it is there, or `Ready(None)` at the end. Otherwise arranges that the task
    /// is woken when there is a result.
    ///
    /// Only the last waker is woken.
    pub fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<T>>> {
        let Some(messages) = &self.messages else { return Poll::Ready(None) };
        // Set before the look into the queue: a result that comes later wakes the task.
        let waker = context.waker().clone();
        *self.shared.waker.lock().unwrap_or_else(PoisonError::into_inner) = Some(waker);
        match messages.try_recv() {
            Ok(message) => Poll::Ready(self.open(Some(message))),
            Err(TryRecvError::Disconnected) => Poll::Ready(self.open(None)),
            Err(TryRecvError::Empty) => Poll::Pending,
        }
    }

    fn open(&mut self, message: Option<Message<T>>) -> Option<io::Result<T>> {
        match message {
            Some(Message::Result(result)) => return Some(result),
            Some(Message::Panic(panic)) => {
                self.messages = None;
                resume_unwind(panic)
            }
            None => self.messages = None,
        }
        None
    }
}

impl<T> Iterator for Pull<T> {
    type Item = io::Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        let message = self.messages.as_ref()?.recv().ok();
        self.open(message)
    }
}

impl<T> FusedIterator for Pull<T> {}

impl<T> Drop for Pull<T> {
    fn drop(&mut self) {
        self.shared.is_abandoned.store(true, Ordering::Relaxed);
    }
}

impl<T> fmt::Debug for Pull<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pull").field("has_ended", &self.messages.is_none()).finish_non_exhaustive()
    }
}
