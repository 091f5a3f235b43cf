//! Hands chunks to workers, and results back in order.
//!
//! Workers pull their chunks. Each thread, including the calling one, takes the next chunk from the source,
//! and puts its result into its place in a window. The calling thread empties the window in order between its
//! own chunks. So a chunk of 256 KiB, some 25 microseconds of work, passes through no queue, and wakes no
//! busy thread.
//!
//! A thread that takes a chunk also cuts it: in memory it searches for one line end, in a file it reads the
//! bytes around the line end, in a stream it reads the whole chunk into a buffer. One thread at a time cuts,
//! so the cuts are the same for any number of threads, and a source may use the facts of earlier lines. (If
//! threads took numbers from an atomic counter, and each found its own lines, they could not know whether
//! they are inside a record over the limit.)
//!
//! The window has to be wide. One thread may be delayed with the first chunk in it, because it has the system
//! map the next megabytes or releases the last ones: then the others continue with later chunks. With room
//! for six chunks of 256 KiB, verdicts on two threads took 1.6 times as long as with 32, and the threads
//! slept for most of the extra time. 16 chunks are some 5% slower, and 64 no faster. While the sink is busy,
//! fewer chunks may be added: otherwise results would pile up while one waits for its reader. Spinning for
//! some microseconds before a thread falls asleep gains nothing.

use std::io;
use std::ops::ControlFlow;

use crate::corpus::cut::{Source, Weight};

/// Scans chunks one after the other on this thread.
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
        /// The maximum number of chunks while a result is being delivered: if that takes long, more results
        /// would pile up.
        pub(crate) chunks_while_delivering: usize,
        /// No chunk is added while the chunks in flight have this many bytes or more. Each counts with its
        /// own bytes until it has a result, then with the larger of its own and the result's bytes.
        pub(crate) bytes: usize,
    }

    /// Scans chunks on this thread and on `helpers` threads of `pool`, within the limits `most`, and delivers
    /// the results on this thread in the order of the chunks. A chunk is in flight until its result is
    /// delivered.
    pub(crate) fn on_threads<'a, S: Source<'a, Item: Weight> + Send, T: Send, B>(
        pool: impl FnOnce() -> io::Result<&'a rayon::ThreadPool>,
        helpers: usize,
        most: Most,
        source: &mut S,
        job: &(impl Fn(&S::Item) -> T + Sync),
        deliver: &mut impl FnMut(T) -> ControlFlow<B>,
    ) -> io::Result<ControlFlow<B>> {
        // Starting threads takes longer than scanning a chunk.
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
            // Stops the helpers even if delivery panics.
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
        /// Notified when a chunk can be taken, or waiting has become pointless.
        has_changed: Condvar,
        /// Notified for the same reasons, or when a result can be delivered. Only the calling thread waits
        /// for this.
        has_result: Condvar,
    }

    /// The chunks in flight.
    struct Window<T> {
        /// The results of the chunks, from chunk number `delivered` on.
        results: VecDeque<Option<Finished<T>>>,
        delivered: usize,
        /// The bytes of the chunks in flight.
        bytes: usize,
        /// The buffers to return to the source.
        buffers: Vec<Vec<u8>>,
        /// True if a thread is cutting.
        is_cutting: bool,
        /// True if the next cut may have to wait for input.
        is_slow: bool,
        is_delivering: bool,
        /// The end of the source.
        end: Option<Result<io::Result<()>, Panic>>,
        is_stopped: bool,
        /// The number of threads that wait to take a chunk, and whether the calling thread waits. Waking is a
        /// system call even if no thread waits, so these values avoid it.
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
        /// Returns true if a thread may take a chunk now.
        fn is_open(&self, most: Most) -> bool {
            let chunks = if self.is_delivering { most.chunks_while_delivering } else { most.chunks };
            let is_full = self.results.len() >= chunks || self.bytes >= most.bytes;
            let waits = self.is_slow && (self.is_delivering || !self.results.is_empty());
            !(self.is_cutting || is_full || waits || self.end.is_some())
        }

        /// Makes a place for the result of a chunk, and returns its number.
        fn push(&mut self, chunk: &impl Weight) -> usize {
            self.results.push_back(None);
            self.bytes += chunk.bytes();
            self.delivered + self.results.len() - 1
        }

        /// Takes the next result in order.
        fn pop(&mut self) -> Option<Finished<T>> {
            let finished = self.results.front_mut()?.take()?;
            self.results.pop_front();
            self.delivered += 1;
            self.bytes -= finished.bytes;
            Some(finished)
        }
    }

    impl<'a, S: Source<'a, Item: Weight> + Send, J: Fn(&S::Item) -> T + Sync, T: Send> Run<'_, S, J, T> {
        /// Scans chunks until there are no more.
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

        /// Delivers results, and scans chunks while no result is ready.
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
            // A panic must reach the calling thread, which would otherwise wait for ever.
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

        /// Scans a chunk that has a place in the window.
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

        /// Returns the next chunk, and whether the chunk after it may come slowly.
        fn cut(&self, buffers: Vec<Vec<u8>>) -> io::Result<(Option<S::Item>, bool)> {
            let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
            buffers.into_iter().for_each(|buffer| source.reuse(buffer));
            let chunk = source.next()?;
            Ok((chunk, source.is_slow()))
        }

        fn lock(&self) -> MutexGuard<'_, Window<T>> {
            self.window.lock().unwrap_or_else(PoisonError::into_inner)
        }

        /// Wakes a thread if a chunk can be taken.
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

    /// Stops the helpers when it is dropped.
    struct Stop<'r, 's, S, J, T>(&'r Run<'s, S, J, T>);

    impl<S, J, T> Drop for Stop<'_, '_, S, J, T> {
        fn drop(&mut self) {
            let mut window = self.0.window.lock().unwrap_or_else(PoisonError::into_inner);
            window.is_stopped = true;
            self.0.has_changed.notify_all();
        }
    }
}
