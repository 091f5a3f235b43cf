//! Chunks to workers, results back in order.
//!
//! Workers pull their chunks: each thread, the calling one among them, takes the next chunk from the source by itself, and
//! puts its result into its place in a window, which the calling thread empties in order between its own chunks. So a chunk,
//! which is some 25 microseconds of work, goes through no queue, and wakes nobody up who has work.
//!
//! To take a chunk is to cut it: in memory a search for one line end, in a file a read of the bytes around it, in a stream a read of the
//! whole chunk into a buffer. That is done by one thread at a time, so the cuts are the same for any number of threads, and a source may follow the facts of earlier lines.
//! (Threads that take numbers from an atomic counter, and each find their lines by themselves, cannot know whether they are
//! inside a record over the limit.)
//!
//! The window has to be wide: while one thread is held up with the first chunk in it, because it has the system map the next megabytes or
//! gives back the last ones, the others go on with later chunks. With room for six chunks of 256 KiB two threads took 1.6 times as long
//! for verdicts as with 32, asleep for most of the rest; 16 make it some 5% slower, and 64 no faster. While the sink is busy, fewer may
//! come: results would pile up while one waits for its reader. To have threads turn round for some microseconds before they fall asleep
//! gains nothing.

use std::io;
use std::ops::ControlFlow;

use crate::corpus::cut::{Source, Weight};

/// Scans one chunk after the other on this thread.
pub(crate) fn in_turn<'a, S: Source<'a, Item: Weight>, T, B>(
    source: &mut S,
    job: &impl Fn(&S::Item) -> T,
    deliver: &mut impl FnMut(T) -> ControlFlow<B>,
) -> io::Result<ControlFlow<B>> {
    while let Some(chunk) = source.next()? {
        if let ControlFlow::Break(with) = deliver(job(&chunk)) {
            return Ok(ControlFlow::Break(with));
        }
        if let Some(buffer) = chunk.into_buffer() {
            source.reuse(buffer);
        }
    }
    Ok(ControlFlow::Continue(()))
}

#[cfg(feature = "rayon")]
pub(crate) use ordered::{Most, on_threads};

#[cfg(feature = "rayon")]
mod ordered {
    use std::any::Any;
    use std::collections::VecDeque;
    use std::io;
    use std::ops::ControlFlow;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

    use crate::corpus::cut::{Source, Weight};

    /// The limits on chunks in flight.
    #[derive(Clone, Copy)]
    pub(crate) struct Most {
        pub(crate) chunks: usize,
        /// The same while a result is being delivered: where that takes long, further ones would pile up.
        pub(crate) chunks_while_delivering: usize,
        /// No chunk is added while those in flight have this many bytes or more. Each counts with its own bytes until it has a result, then with
        /// the larger of both.
        pub(crate) bytes: usize,
    }

    /// Scans chunks on this thread and on `helpers` threads of `pool`, not more than `most` at a time, and delivers the results
    /// on this thread in the order of the chunks. A chunk is in flight until its result is delivered.
    pub(crate) fn on_threads<'a, S: Source<'a, Item: Weight> + Send, T: Send, B>(
        pool: impl FnOnce() -> io::Result<&'a rayon::ThreadPool>,
        helpers: usize,
        most: Most,
        source: &mut S,
        job: &(impl Fn(&S::Item) -> T + Sync),
        deliver: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        // To start threads takes longer than to scan a chunk.
        let Some(first) = source.next()? else { return Ok(ControlFlow::Continue(())) };
        if source.is_finished() {
            return Ok(deliver(job(&first)));
        }
        let pool = pool()?;
        let is_slow = source.is_slow();
        let run = Run {
            most,
            job,
            source: Mutex::new(source),
            window: Mutex::new(Window { is_slow, ..Window::default() }),
            has_changed: Condvar::new(),
            has_result: Condvar::new(),
        };
        pool.in_place_scope(|scope| {
            let run = &run;
            // Also when delivering panics.
            let _stop = Stop(run);
            let mut window = run.lock();
            let place = window.push(&first);
            for _ in 0..helpers {
                scope.spawn(move |_| run.help());
            }
            drop(window);
            let window = run.scan(first, place);
            run.work_and_deliver(window, deliver)
        })
    }

    struct Run<'s, S, J, T> {
        most: Most,
        job: &'s J,
        /// Locked only by the thread that is cutting.
        source: Mutex<&'s mut S>,
        window: Mutex<Window<T>>,
        /// There may be a chunk to take, or nothing to wait for any more.
        has_changed: Condvar,
        /// The same, or there may be a result to deliver: only the calling thread waits for this.
        has_result: Condvar,
    }

    /// The chunks in flight.
    struct Window<T> {
        /// Their results, from chunk number `delivered` on.
        results: VecDeque<Option<Finished<T>>>,
        delivered: usize,
        /// Their bytes.
        bytes: usize,
        /// Buffers on their way back to the source.
        buffers: Vec<Vec<u8>>,
        /// Whether somebody is cutting.
        is_cutting: bool,
        /// Whether the next cut may have to wait for input.
        is_slow: bool,
        is_delivering: bool,
        /// The end of the source.
        end: Option<Result<io::Result<()>, Panic>>,
        is_stopped: bool,
        /// The number of threads that wait to take a chunk, and whether the calling one waits. To wake up nobody is a call of the
        /// system, too.
        waiting: usize,
        caller_waits: bool,
    }

    struct Finished<T> {
        value: Result<T, Panic>,
        bytes: usize,
    }

    type Panic = Box<dyn Any + Send>;

    impl<T> Default for Window<T> {
        fn default() -> Self {
            Window {
                results: VecDeque::new(),
                delivered: 0,
                bytes: 0,
                buffers: Vec::new(),
                is_cutting: false,
                is_slow: false,
                is_delivering: false,
                end: None,
                is_stopped: false,
                waiting: 0,
                caller_waits: false,
            }
        }
    }

    impl<T> Window<T> {
        /// Whether a thread may take a chunk now.
        fn is_open(&self, most: Most) -> bool {
            let chunks = if self.is_delivering { most.chunks_while_delivering } else { most.chunks };
            let is_full = self.results.len() >= chunks || self.bytes >= most.bytes;
            let waits = self.is_slow && (self.is_delivering || !self.results.is_empty());
            !(self.is_cutting || is_full || waits || self.end.is_some())
        }

        /// Makes a place for the result of a chunk, and says its number.
        fn push(&mut self, chunk: &impl Weight) -> usize {
            self.results.push_back(None);
            self.bytes += chunk.bytes();
            self.delivered + self.results.len() - 1
        }

        /// The next result in order.
        fn pop(&mut self) -> Option<Finished<T>> {
            let finished = self.results.front_mut()?.take()?;
            self.results.pop_front();
            self.delivered += 1;
            self.bytes -= finished.bytes;
            Some(finished)
        }
    }

    impl<'a, S: Source<'a, Item: Weight> + Send, J: Fn(&S::Item) -> T + Sync, T: Send> Run<'_, S, J, T> {
        /// Scans chunks as long as there are any.
        fn help(&self) {
            let mut window = self.lock();
            loop {
                if window.is_stopped || window.end.is_some() {
                    return;
                }
                if window.is_open(self.most) {
                    window = self.take_chunk(window);
                } else {
                    window.waiting += 1;
                    window = self.has_changed.wait(window).unwrap_or_else(PoisonError::into_inner);
                    window.waiting -= 1;
                }
            }
        }

        /// Delivers results, and scans chunks while there are none.
        fn work_and_deliver<'w, B>(
            &'w self,
            mut window: MutexGuard<'w, Window<T>>,
            deliver: &mut impl FnMut(T) -> ControlFlow<B>,
        ) -> io::Result<ControlFlow<B>> {
            loop {
                if let Some(Finished { value, .. }) = window.pop() {
                    window.is_delivering = true;
                    self.wake(&window);
                    drop(window);
                    let value = value.unwrap_or_else(|panic| resume_unwind(panic));
                    if let ControlFlow::Break(with) = deliver(value) {
                        return Ok(ControlFlow::Break(with));
                    }
                    window = self.lock();
                    window.is_delivering = false;
                } else if window.is_open(self.most) {
                    window = self.take_chunk(window);
                } else if window.results.is_empty()
                    && let Some(end) = window.end.take()
                {
                    drop(window);
                    return end.unwrap_or_else(|panic| resume_unwind(panic)).map(ControlFlow::Continue);
                } else {
                    window.caller_waits = true;
                    window = self.has_result.wait(window).unwrap_or_else(PoisonError::into_inner);
                    window.caller_waits = false;
                }
            }
        }

        /// Cuts a chunk and scans it.
        fn take_chunk<'w>(&'w self, mut window: MutexGuard<'w, Window<T>>) -> MutexGuard<'w, Window<T>> {
            window.is_cutting = true;
            let buffers = std::mem::take(&mut window.buffers);
            drop(window);
            // A panic has to be passed on to the calling thread, which would wait for ever.
            let cut = catch_unwind(AssertUnwindSafe(|| self.cut(buffers)));
            let mut window = self.lock();
            window.is_cutting = false;
            let chunk = match cut {
                Ok(Ok((Some(chunk), is_slow))) => {
                    window.is_slow = is_slow;
                    chunk
                }
                cut => {
                    window.end = Some(cut.map(|cut| cut.map(drop)));
                    self.has_changed.notify_all();
                    self.has_result.notify_one();
                    return window;
                }
            };
            let number = window.push(&chunk);
            self.wake(&window);
            drop(window);
            self.scan(chunk, number)
        }

        /// Scans a chunk that has a place.
        fn scan<'w>(&'w self, chunk: S::Item, number: usize) -> MutexGuard<'w, Window<T>> {
            let own = chunk.bytes();
            let value = catch_unwind(AssertUnwindSafe(|| (self.job)(&chunk)));
            let bytes = own.max(chunk.result_bytes());
            let buffer = chunk.into_buffer();
            let mut window = self.lock();
            window.bytes += bytes - own;
            window.buffers.extend(buffer);
            let place = number - window.delivered;
            window.results[place] = Some(Finished { value, bytes });
            if place == 0 && window.caller_waits {
                self.has_result.notify_one();
            }
            window
        }

        /// The next chunk, and whether the chunk after it may be slow to come.
        fn cut(&self, buffers: Vec<Vec<u8>>) -> io::Result<(Option<S::Item>, bool)> {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            buffers.into_iter().for_each(|buffer| source.reuse(buffer));
            let chunk = source.next()?;
            Ok((chunk, source.is_slow()))
        }

        fn lock(&self) -> MutexGuard<'_, Window<T>> {
            self.window.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Wakes up somebody if there is a chunk to take.
        fn wake(&self, window: &Window<T>) {
            if window.is_open(self.most) {
                if window.waiting > 0 {
                    self.has_changed.notify_one();
                }
                if window.caller_waits {
                    self.has_result.notify_one();
                }
            }
        }
    }

    /// Lets the helpers go.
    struct Stop<'r, 's, S, J, T>(&'r Run<'s, S, J, T>);

    impl<S, J, T> Drop for Stop<'_, '_, S, J, T> {
        fn drop(&mut self) {
            let mut window = self.0.window.lock().unwrap_or_else(PoisonError::into_inner);
            window.is_stopped = true;
            self.0.has_changed.notify_all();
        }
    }
}
