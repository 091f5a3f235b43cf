//! Scans many files: large files one after the other, each on all threads; small files in parallel, each on
//! one thread.
//!
//! A file of one chunk cannot be shared between threads, and system calls take most of its time. So workers
//! pull small files as they pull chunks. Results wait for their turn, so the number of results of each file
//! is limited.

use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use super::scanner::Scanner;
use crate::corpus::cut::chunk::Chunk;
use crate::corpus::input::named::Input;

/// The events of one of [several files](Scanner::scan_files), in this order.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileEvent<T> {
    /// The file is open and readable.
    Begin,
    /// The job's result for the next chunk.
    Result(T),
    /// The end of the file, or an error. Without a [`Begin`](FileEvent::Begin) before it, the file cannot be
    /// opened.
    #[non_exhaustive]
    End {
        /// The value that [`Scanner::scan_input`] would return.
        status: io::Result<()>,
        /// The time to open and scan the file. Small files are scanned in parallel.
        elapsed: Duration,
    },
}

impl Scanner {
    /// Opens files and scans them in order, as [`scan_input`](Self::scan_input) scans each. Jobs and events
    /// get the number of the path, counted from 0. With several threads, files of up to one chunk are scanned
    /// in parallel.
    ///
    /// An error of a file is an event, and the next file follows. The sink may stop the scan. It gets no
    /// event after that.
    ///
    /// ```no_run
    /// use std::ops::ControlFlow;
    /// use urivalidate::corpus::{FileEvent, Scanner, ChunkScanner};
    /// use urivalidate::{Columns, Grammar, Validator};
    ///
    /// let validator = Validator::new(Grammar::Uri);
    /// let paths = ["seeds.txt", "crawl.log.gz"];
    /// Scanner::new().scan_files(
    ///     &paths,
    ///     |_, chunk| {
    ///         let mut chunk_scanner = ChunkScanner::default();
    ///         chunk_scanner.scan(chunk, &validator, Columns::NONE).map_or(0, |scanned| scanned.batch().valid_count())
    ///     },
    ///     |path, event| {
    ///         match event {
    ///             FileEvent::Begin => println!("{}", paths[path]),
    ///             FileEvent::Result(valid) => println!("  {valid} URIs"),
    ///             FileEvent::End { status: Err(error), .. } => eprintln!("{}: {error}", paths[path]),
    ///             _ => {}
    ///         }
    ///         ControlFlow::<()>::Continue(())
    ///     },
    /// )?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses threads.
    pub fn scan_files<T: Send, B>(
        &self,
        paths: &[impl AsRef<Path> + Sync],
        job: impl Fn(usize, &Chunk<'_>) -> T + Sync,
        mut sink: impl FnMut(usize, FileEvent<T>) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let mut next = 0;
        while let Some(path) = paths.get(next) {
            #[cfg(feature = "rayon")]
            if self.has_helpers() {
                let (flow, scanned) = self.scan_small_files(paths, next, &job, &mut sink)?;
                if flow.is_break() {
                    return Ok(flow.break_value());
                }
                if scanned > next {
                    next = scanned;
                    continue;
                }
            }
            let flow = self.scan_one(|| Input::open(path), next, &job, &mut sink);
            if flow.is_break() {
                return Ok(flow.break_value());
            }
            next += 1;
        }
        Ok(None)
    }

    /// Scans inputs in order, as [`scan_files`](Self::scan_files) scans files. Jobs and events get the number
    /// of the input, counted from 0.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses threads.
    pub(crate) fn scan_inputs<T: Send, B>(
        &self,
        inputs: Vec<Input<'_>>,
        job: impl Fn(usize, &Chunk<'_>) -> T + Sync,
        mut sink: impl FnMut(usize, FileEvent<T>) -> ControlFlow<B>,
    ) -> io::Result<Option<B>> {
        let mut inputs = inputs.into_iter().peekable();
        let mut next = 0;
        while let Some(input) = inputs.next() {
            let first = next;
            if !input.is_path() {
                let flow = self.scan_one(|| Ok(input), first, &job, &mut sink);
                if flow.is_break() {
                    return Ok(flow.break_value());
                }
                next += 1;
                continue;
            }
            let mut paths = vec![input.name];
            while let Some(input) = inputs.next_if(Input::is_path) {
                paths.push(input.name);
            }
            next += paths.len();
            let job = |number: usize, chunk: &Chunk<'_>| job(first + number, chunk);
            let stopped = self.scan_files(&paths, job, |number, event| sink(first + number, event))?;
            if stopped.is_some() {
                return Ok(stopped);
            }
        }
        Ok(None)
    }

    /// Scans one of the inputs.
    fn scan_one<'i, T: Send, B>(
        &self,
        open: impl FnOnce() -> io::Result<Input<'i>>,
        number: usize,
        job: &(impl Fn(usize, &Chunk<'_>) -> T + Sync),
        sink: &mut impl FnMut(usize, FileEvent<T>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let begin = Instant::now();
        let stopped = open().and_then(|input| match sink(number, FileEvent::Begin) {
            ControlFlow::Continue(()) => self.scan_input(
                input,
                |chunk| job(number, chunk),
                |result| sink(number, FileEvent::Result(result)),
            ),
            ControlFlow::Break(with) => Ok(Some(with)),
        });
        let status = match stopped {
            Ok(None) => Ok(()),
            Ok(Some(with)) => return ControlFlow::Break(with),
            Err(error) => Err(error),
        };
        sink(number, FileEvent::End { status, elapsed: begin.elapsed() })
    }
}

#[cfg(feature = "rayon")]
mod small {
    use std::io;
    use std::ops::ControlFlow;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::FileEvent;
    use crate::corpus::cut::chunk::Chunk;
    use crate::corpus::cut::{Source, Weight};
    use crate::corpus::input::named::Input;
    use crate::corpus::schedule::scanner::Scanner;

    /// The maximum number of events of a file that are held. A compressed file may have many.
    const MOST_EVENTS: usize = 10;

    /// The number of a file, and its length in bytes.
    struct SmallFile {
        number: usize,
        len: usize,
        /// The result bytes of the file's events.
        result_bytes: AtomicUsize,
    }

    impl Weight for SmallFile {
        fn bytes(&self) -> usize {
            self.len
        }

        fn result_bytes(&self) -> usize {
            self.result_bytes.load(Ordering::Relaxed)
        }

        fn into_buffer(self) -> Option<Vec<u8>> {
            None
        }
    }

    /// A run of small files.
    struct SmallFiles<'a, P> {
        paths: &'a [P],
        next: usize,
        longest: usize,
    }

    impl<'a, P: AsRef<Path>> Source<'a> for SmallFiles<'_, P> {
        type Item = SmallFile;

        fn next(&mut self) -> io::Result<Option<SmallFile>> {
            let number = self.next;
            let Some(path) = self.paths.get(number) else { return Ok(None) };
            let len = match path.as_ref().metadata() {
                Ok(metadata) if metadata.is_file() => usize::try_from(metadata.len()).ok(),
                _ => None,
            };
            Ok(len.filter(|&len| len <= self.longest).map(|len| {
                self.next += 1;
                SmallFile { number, len, result_bytes: AtomicUsize::new(0) }
            }))
        }

        fn reuse(&mut self, _: Vec<u8>) {}

        fn is_finished(&self) -> bool {
            self.next == self.paths.len()
        }

        fn is_slow(&self) -> bool {
            false
        }
    }

    impl Scanner {
        /// Scans small files from number `first` on. Returns the number of the next file, which is not small.
        pub(crate) fn scan_small_files<T: Send, B>(
            &self,
            paths: &[impl AsRef<Path> + Sync],
            first: usize,
            job: &(impl Fn(usize, &Chunk<'_>) -> T + Sync),
            sink: &mut impl FnMut(usize, FileEvent<T>) -> ControlFlow<B>,
        ) -> io::Result<(ControlFlow<B>, usize)> {
            let alone = self.on_one_thread();
            let mut source = SmallFiles { paths, next: first, longest: self.chunk_bytes() };
            // The events of a file, or None if there are too many.
            let scan = |file: &SmallFile| {
                let mut events = Vec::new();
                let path = &paths[file.number];
                let job = |number: usize, chunk: &Chunk<'_>| {
                    let result = job(number, chunk);
                    file.result_bytes.fetch_add(chunk.result_bytes(), Ordering::Relaxed);
                    result
                };
                let flow = alone.scan_one(|| Input::open(path), file.number, &job, &mut |_, event| {
                    events.push(event);
                    let is_too_much = events.len() > MOST_EVENTS;
                    if is_too_much { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                (file.number, flow.is_continue().then_some(events))
            };
            let flow = self.share_out(&mut source, &scan, &mut |(number, events)| match events {
                Some(events) => events.into_iter().try_for_each(|event| sink(number, event)),
                // On this thread: the others scan files meanwhile.
                None => alone.scan_one(|| Input::open(&paths[number]), number, job, sink),
            })?;
            Ok((flow, source.next))
        }
    }
}
