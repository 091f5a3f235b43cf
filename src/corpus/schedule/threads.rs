//! The threads of a scanner.

use std::hint::black_box;
use std::io;
use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::memory;

/// The threads, started when an input has more than one chunk.
#[derive(Debug)]
pub(super) struct Threads {
    /// The number of threads, including the calling one.
    count: usize,
    scanning: OnceLock<ThreadPool>,
    /// Separate from the scanning threads, which wait for decoded bytes.
    decoding: OnceLock<ThreadPool>,
}

impl Threads {
    /// Takes this number of threads, at most `most`. 0 stands for the number of cores.
    pub(super) fn new(count: usize, most: usize) -> Self {
        let count = match count {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        }
        .min(most);
        Threads { count, scanning: OnceLock::new(), decoding: OnceLock::new() }
    }

    /// Returns the number of threads, including the calling one.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of threads that help the calling one, or None without helpers.
    pub(super) fn helpers(&self) -> Option<usize> {
        self.count.checked_sub(1).filter(|&helpers| helpers > 0)
    }

    pub(super) fn scanning(&self) -> io::Result<&ThreadPool> {
        Self::started(&self.scanning, self.count - 1)
    }

    pub(super) fn decoding(&self) -> io::Result<&ThreadPool> {
        Self::started(&self.decoding, self.count)
    }

    fn started(pool: &OnceLock<ThreadPool>, count: usize) -> io::Result<&ThreadPool> {
        if let Some(pool) = pool.get() {
            return Ok(pool);
        }
        let refused = |error: &dyn std::error::Error| {
            io::Error::other(format!("cannot start {count} threads: {error}"))
        };
        /// The stack size of a thread in bytes. It only takes address space. Builds without optimisation give
        /// each part of a kernel its own place, more than two megabytes in all.
        const STACK: usize = 8 << 20;

        /// The bytes of memory that a thread allocates when it starts.
        const START: usize = 256 << 10;

        if memory::is_limited() {
            memory::ask_for(count * (STACK + START)).map_err(|error| refused(&error))?;
        }
        let threads = ThreadPoolBuilder::new().num_threads(count).stack_size(STACK);
        let started = threads.build().map_err(|error| refused(&error))?;
        // The GNU allocator reserves 64 MiB of addresses for a thread when the thread first allocates. That
        // must not happen after another thread has been promised these bytes.
        if memory::is_limited() {
            started.broadcast(|_| drop(black_box(Box::new(0_u64))));
            memory::forget_answer();
        }
        Ok(pool.get_or_init(|| started))
    }
}
