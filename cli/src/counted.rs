//! The statistics of a run so far. The thread that takes results counts; a signal may have them printed at any
//! time.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use urivalidate::Backend;
use urivalidate::stats::{ReadAs, Stats};

use crate::args::{Args, StatsForm};
use crate::output::{Failure, reason};
use crate::plan::Plan;
use crate::report::{Files, Report, RunFacts};
use crate::standard_stream::StandardStream;
use crate::style::Styles;

/// The statistics of a run, with the facts to print them.
pub(crate) struct Counted {
    facts: RunFacts,
    /// The names of all inputs.
    names: Vec<Vec<u8>>,
    skipped: Option<u64>,
    backend: Backend,
    threads: usize,
    samples: Option<u64>,
    top_hosts: Option<usize>,
    /// The form of the statistics, if the run prints them.
    form: Option<StatsForm>,
    /// Whether they go to standard output; otherwise they go to standard error.
    is_stdout: bool,
    styles: Styles,
    /// The width of the terminal, if it is known.
    columns: Option<usize>,
    /// The format and grammar of inputs that were not read.
    unread: ReadAs,
    begun: Instant,
    empty: Stats,
    so_far: Mutex<SoFar>,
}

/// The counts so far.
struct SoFar {
    total: Stats,
    read_as: Option<ReadAs>,
    /// The file under scan.
    file: Option<OfFile>,
    files: Files,
    /// The numbers of the files that could not be read, each with the reason.
    unreadable: Vec<(usize, String)>,
}

/// The counts of a file so far.
struct OfFile {
    number: usize,
    stats: Stats,
    read_as: Option<ReadAs>,
    begun: Instant,
}

impl Counted {
    /// Returns the statistics of a run of this plan, with no counts yet. Returns `None` if the run has no
    /// statistics.
    pub(crate) fn new(
        args: &Args,
        plan: &Plan,
        facts: RunFacts,
        names: &[&[u8]],
        skipped: u64,
        unread: ReadAs,
        begun: Instant,
    ) -> Option<Self> {
        let statistics = plan.statistics.as_ref()?;
        let (styles, columns) = plan.screen(args);
        Some(Counted {
            facts,
            names: names.iter().map(|name| name.to_vec()).collect(),
            skipped: args.recursive.then_some(skipped),
            backend: args.backend(),
            threads: plan.scanner.thread_count(),
            samples: args.samples,
            top_hosts: args.top_hosts.map(|n| n as usize),
            form: args.stats,
            is_stdout: plan.has_stdout_for_stats,
            styles,
            columns,
            unread,
            begun,
            empty: statistics.new_stats(),
            so_far: Mutex::new(SoFar {
                total: statistics.new_stats(),
                read_as: None,
                file: None,
                files: Files::new(args.stats == Some(StatsForm::Json)),
                unreadable: Vec::new(),
            }),
        })
    }

    /// Begins the file with this number.
    pub(crate) fn begin_file(&self, number: usize) {
        let (stats, begun) = (self.empty.clone(), Instant::now());
        self.lock().file = Some(OfFile { number, stats, read_as: None, begun });
    }

    /// Counts a chunk of the file under scan.
    pub(crate) fn append(&self, stats: &Stats, read_as: Option<ReadAs>) {
        if let Some(file) = &mut self.lock().file {
            file.stats.append(stats);
            file.read_as = file.read_as.or(read_as);
        }
    }

    /// Ends the file under scan.
    ///
    /// # Errors
    ///
    /// Returns an error if the results of the file cannot be stored.
    pub(crate) fn end_file(&self, elapsed: Duration) -> io::Result<()> {
        self.end(&mut self.lock(), Some(elapsed))
    }

    fn end(&self, so_far: &mut SoFar, elapsed: Option<Duration>) -> io::Result<()> {
        let Some(OfFile { number, mut stats, read_as, begun }) = so_far.file.take() else { return Ok(()) };
        so_far.read_as = [so_far.read_as, read_as].into_iter().flatten().reduce(ReadAs::and);
        stats.set_input(number);
        so_far.total.merge(&stats);
        if self.names.len() == 1 {
            return Ok(());
        }
        let names = self.names();
        let elapsed = elapsed.unwrap_or_else(|| begun.elapsed());
        let report = self.report(&names, &stats, &[], read_as.unwrap_or(self.unread), elapsed);
        so_far.files.add(number, names[number], &report)
    }

    /// Adds a file that could not be read, or not to its end.
    pub(crate) fn add_unreadable(&self, number: usize, error: &io::Error) {
        self.lock().unreadable.push((number, reason(error)));
    }

    /// Passes the statistics to `write` in the requested form.
    ///
    /// # Errors
    ///
    /// Returns the first error of `write`, or an error if the stored results of the files cannot be read.
    pub(crate) fn print(&self, write: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        self.print_so_far(&mut self.lock(), &self.facts, write)
    }

    fn print_so_far(
        &self,
        so_far: &mut SoFar,
        facts: &RunFacts,
        mut write: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let names = self.names();
        let SoFar { total, read_as, files, unreadable, .. } = so_far;
        let report =
            self.report(&names, total, unreadable, read_as.unwrap_or(self.unread), self.begun.elapsed());
        match self.form {
            None => Ok(()),
            Some(StatsForm::Json) => report.write_json(files, facts, write),
            Some(form) => {
                let is_full = form == StatsForm::Full;
                write(&report.screen(files, facts, is_full, self.styles, self.columns))
            }
        }
    }

    /// Prints the statistics so far, because a signal ends the run, and a sentence about the interruption.
    ///
    /// Another thread may hold the lock of the standard library's stream for the whole run, so this writes to
    /// the system itself. Failures are ignored, because nobody can read a message now.
    pub(crate) fn print_interrupted(&self) {
        use std::io::{IsTerminal, Write};

        let (stdout, stderr) = (StandardStream::Stdout.copy(), StandardStream::Stderr.copy());
        let (Some(_), Ok(mut stderr), Ok(mut stdout)) = (self.form, stderr, stdout) else { return };
        let mut so_far = self.lock();
        let read = so_far.files.len() + usize::from(so_far.file.is_some());
        // If the results of the file cannot be stored, they are in the total nonetheless.
        let _ = self.end(&mut so_far, None);
        let facts = self.facts.interrupted();
        if stderr.is_terminal() {
            // Removes the progress.
            let _ = stderr.write_all(b"\r\x1b[K");
        }
        let target = if self.is_stdout { &mut stdout } else { &mut stderr };
        let _ = self.print_so_far(&mut so_far, &facts, |text| target.write_all(text).map_err(Failure::from));
        let of = match self.names.len() {
            1 => String::new(),
            all => format!(", of {read} of {all} files"),
        };
        let sentence = format!("interrupted: the statistics are of what was read until then{of}");
        let _ = stderr.write_all(format!("urivalidate: --stats: {sentence}\n").as_bytes());
    }

    /// Returns the page.
    pub(crate) fn page(&self) -> Vec<u8> {
        let so_far = self.lock();
        let (names, elapsed) = (self.names(), self.begun.elapsed());
        let read_as = so_far.read_as.unwrap_or(self.unread);
        let report = self.report(&names, &so_far.total, &so_far.unreadable, read_as, elapsed);
        report.page(&so_far.files, &self.facts)
    }

    /// Returns true if the counts are worse than those of the earlier run to which they are compared.
    pub(crate) fn is_worse(&self) -> bool {
        let so_far = self.lock();
        let before = self.facts.before.as_ref();
        before.is_some_and(|before| before.compared(&so_far.total, self.top_hosts).is_worse())
    }

    fn names(&self) -> Vec<&[u8]> {
        self.names.iter().map(Vec::as_slice).collect()
    }

    fn report<'r>(
        &self,
        names: &'r [&'r [u8]],
        stats: &'r Stats,
        unreadable: &'r [(usize, String)],
        read_as: ReadAs,
        elapsed: Duration,
    ) -> Report<'r> {
        let &Counted { skipped, backend, threads, samples, top_hosts, .. } = self;
        Report { stats, names, unreadable, skipped, elapsed, read_as, backend, threads, samples, top_hosts }
    }

    fn lock(&self) -> MutexGuard<'_, SoFar> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
