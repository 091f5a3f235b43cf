//! The pass over all files.

use std::fs::File;
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use urivalidate::corpus::{Chunk, Scanner};
use urivalidate::{Stats, Validator};

use crate::args::{Args, Emit, StatsForm};
use crate::job::{Job, Yield};
use crate::output::{Failure, Output, complain};
use crate::report::{self, Report};
use crate::style::Styles;

/// Whether records were invalid, and whether something else went wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) has_invalid: bool,
    pub(crate) has_failed: bool,
}

/// Scans all files and prints what was asked for.
pub(crate) fn run(args: &Args, validator: Validator) -> Outcome {
    let mut outcome = Outcome::default();
    match scan_all(args, validator, &mut outcome) {
        Ok(()) | Err(Failure::Closed) => {}
        Err(Failure::Output(name, error)) => {
            complain(name.as_bytes(), &error);
            outcome.has_failed = true;
        }
    }
    outcome
}

fn scan_all(args: &Args, validator: Validator, outcome: &mut Outcome) -> Result<(), Failure> {
    let start = Instant::now();
    let job = Job::new(args, validator);
    let scanner = Scanner::new()
        .threads(args.threads())
        .chunk_size(job.chunk_size())
        .max_record(args.max_record)
        .number_lines(job.needs_line_numbers())
        .map_files(!args.no_mmap);
    let stdin = [Path::new("-").to_owned()];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let names: Vec<&[u8]> = files.iter().map(|file| file.as_os_str().as_encoded_bytes()).collect();
    let mut total = Stats::new();
    let mut reports = Vec::new();
    let mut sink = Sink {
        job: &job,
        outcome,
        output: Output::stdout(),
        styles: Styles::new(args.color, &io::stdout()),
        is_quiet: args.quiet,
        name: &[],
        records: 0,
        stats: args.stats.map(|_| Stats::new()),
        rows: Vec::new(),
        failure: None,
    };
    for (input, path) in files.iter().enumerate() {
        let begun = Instant::now();
        sink.begin(names[input]);
        if let Err(error) = scan(&scanner, &job, path, &mut sink) {
            complain(names[input], &error);
            sink.outcome.has_failed = true;
        }
        if let Some(failure) = sink.failure {
            return Err(failure);
        }
        if let Some(stats) = &mut sink.stats {
            stats.set_input(input);
            total.merge(stats);
            if files.len() > 1 {
                reports.push(report::OfFile::new(
                    names[input],
                    &Report::new(args, stats, &names, begun.elapsed()),
                ));
            }
        }
        if sink.has_enough() {
            break;
        }
    }
    match args.stats {
        None => Ok(()),
        Some(form) => {
            let is_alone = args.emit() == Emit::None;
            let styles = if is_alone { sink.styles } else { Styles::new(args.color, &io::stderr()) };
            let mut output = if is_alone { sink.output } else { Output::stderr() };
            let report = Report::new(args, &total, &names, start.elapsed());
            output.write(&match form {
                StatsForm::Table => report.table(&reports, styles),
                StatsForm::Json => report.json(&reports),
            })
        }
    }
}

/// Scans one file, or standard input.
fn scan(scanner: &Scanner, job: &Job, path: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    let name = sink.name;
    let work = |chunk: &Chunk<'_>| job.run(name, chunk);
    let take = |found| sink.take(found);
    if path == "-" {
        scanner.scan_reader(io::stdin().lock(), work, take)
    } else {
        scanner.scan_file(File::open(path)?, work, take)
    }
}

/// Gets what the chunks yield, in input order.
struct Sink<'a> {
    job: &'a Job,
    outcome: &'a mut Outcome,
    output: Output,
    styles: Styles,
    is_quiet: bool,
    /// Of the file that is scanned.
    name: &'a [u8],
    /// In this file so far.
    records: u64,
    /// Of this file so far, if they are asked for.
    stats: Option<Stats>,
    rows: Vec<u8>,
    failure: Option<Failure>,
}

impl<'a> Sink<'a> {
    fn begin(&mut self, name: &'a [u8]) {
        self.name = name;
        self.records = 0;
        if let Some(stats) = &mut self.stats {
            *stats = Stats::new();
        }
    }

    fn take(&mut self, found: Yield) -> ControlFlow<()> {
        self.outcome.has_invalid |= found.has_invalid;
        let written = self.output.write(&found.text).and_then(|()| self.write_errors(&found));
        self.records += found.records;
        if let Some(stats) = &mut self.stats {
            stats.append(&found.stats);
        }
        self.job.recycle(found);
        if let Err(failure) = written {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        if self.has_enough() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether the exit status is known, if that is all there is to know.
    fn has_enough(&self) -> bool {
        self.is_quiet && self.outcome.has_invalid
    }

    /// Writes `FILE:LINE:COLUMN: KIND: MESSAGE` for each error.
    fn write_errors(&mut self, found: &Yield) -> Result<(), Failure> {
        /// Bytes that are worth a call of the system.
        const FULL: usize = 64 << 10;

        let Styles { place, bad, .. } = self.styles;
        self.rows.clear();
        for at in &found.errors {
            let rows = &mut self.rows;
            let line = self.records + at.index + 1;
            let column = at.column + at.error.offset() as u64;
            let _ = write!(rows, "{place}");
            rows.extend_from_slice(self.name);
            let _ =
                writeln!(rows, ":{line}:{column}{place:#}: {bad}{}{bad:#}: {}", at.error.kind(), at.error);
            if rows.len() >= FULL {
                self.output.write(rows)?;
                rows.clear();
            }
        }
        self.output.write(&self.rows)
    }
}
