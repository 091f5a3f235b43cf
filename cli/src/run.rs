//! The pass over all files.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use clap::CommandFactory;
use clap::error::ErrorKind;
use urivalidate::corpus::{Chunk, Format, Scanner};
use urivalidate::{Grammar, Stats, Validator};

use crate::args::{Args, Emit, From, StatsForm};
use crate::inputs::inputs;
use crate::job::{Job, Yield};
use crate::output::{Failure, Output, complain, note};
use crate::progress::Progress;
use crate::report::{Files, ReadAs, Report};
use crate::routes::{self, Refusal, Task};
use crate::shown::Shown;
use crate::stream::Stream;
use crate::style::Styles;
use crate::tolerance::Tolerance;

/// How many records were invalid, and whether something else went wrong. Lines that do not fit their format count as invalid records
/// here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) records: u64,
    pub(crate) invalid: u64,
    /// Also of a record that was left before its end.
    pub(crate) has_invalid: bool,
    pub(crate) has_failed: bool,
}

impl Outcome {
    /// The exit status.
    pub(crate) fn status(&self, args: &Args) -> u8 {
        let is_check = args.emit() == Emit::Errors || args.quiet || args.fail_fast;
        let is_bad = match args.max_invalid {
            // Of a record that was left before its end nothing has been counted.
            Some(tolerance) => {
                let left = u64::from(self.has_invalid && self.invalid == 0);
                tolerance.is_exceeded(self.invalid + left, self.records + left)
            }
            None => is_check && self.has_invalid,
        };
        if self.has_failed { 2 } else { u8::from(is_bad) }
    }
}

/// Scans all files and prints what was asked for.
pub(crate) fn run(args: &Args, validator: Validator) -> Outcome {
    let mut outcome = Outcome::default();
    match scan_all(args, validator, &mut outcome) {
        Ok(()) | Err(Failure::Closed) => {}
        Err(Failure::Output(name, error)) => {
            complain(&name, &error);
            outcome.has_failed = true;
        }
    }
    outcome
}

fn scan_all(args: &Args, validator: Validator, outcome: &mut Outcome) -> Result<(), Failure> {
    let start = Instant::now();
    let (files, listed) = inputs(args);
    let outputs = match routes::open(args, &files) {
        Ok(outputs) => outputs,
        Err(Refusal::Failed(failure)) => return Err(failure),
        Err(Refusal::Conflict(conflict)) => {
            Args::command().error(ErrorKind::ArgumentConflict, conflict).exit()
        }
    };
    if let (Err(error), Some(list)) = (listed, &args.files_from) {
        complain(list.as_os_str().as_encoded_bytes(), &error);
        outcome.has_failed = true;
    }
    let job = Job::new(args, validator, routes::tasks(args).expect("it was checked"));
    let scanner = Scanner::new()
        .threads(args.threads())
        .chunk_size(job.chunk_size())
        .max_record(args.max_record)
        .terminator(if args.null { 0 } else { b'\n' })
        .trim(args.trim)
        .number_lines(job.needs_line_numbers())
        .map_files(!args.no_mmap);
    let scanner = match args.layout() {
        Some(layout) => scanner.layout(layout.expect("it was checked")),
        None => scanner.detect_format(args.pick()),
    };
    let names: Vec<&[u8]> = files.iter().map(|file| file.as_os_str().as_encoded_bytes()).collect();
    let new_stats = || {
        let mut stats = Stats::new();
        if args.top_hosts.is_some() {
            stats.count_hosts();
        }
        stats
    };
    let mut total = new_stats();
    let mut total_read_as = None;
    // Of an empty file nothing is found out.
    let format = if let From::Format(format) = args.from { format } else { Format::Lines };
    let unread = ReadAs { format: format.name(), grammar: args.grammar().name() };
    let mut reports = Files::new(args.stats == Some(StatsForm::Json));
    let mut sink = Sink {
        job: &job,
        outcome,
        outputs: outputs.tasks,
        have_begun: false,
        styles: Styles::new(args.color, &io::stdout()),
        progress: Progress::new(args, &files),
        end: match (args.quiet, args.fail_fast) {
            (true, _) => End::Decided(args.max_invalid.unwrap_or(Tolerance::Records(0))),
            (false, true) => End::FirstInvalid,
            (false, false) => End::Never,
        },
        name: &[],
        lines: 0,
        read_as: None,
        announced: if args.from == From::Auto && !args.quiet { Some(Format::Lines) } else { None },
        stats: None,
        rows: Vec::new(),
        is_out_of_memory: false,
        failure: None,
    };
    for (input, path) in files.iter().enumerate() {
        let begun = Instant::now();
        sink.begin(names[input], args.stats.map(|_| new_stats()));
        if let Err(error) = scan(&scanner, &job, path, &mut sink) {
            sink.progress.suspend(|| complain(names[input], &error));
            sink.outcome.has_failed = true;
        }
        if let Some(failure) = sink.failure {
            return Err(failure);
        }
        if let Some(stats) = &mut sink.stats {
            let read_as = sink.read_as.unwrap_or(unread);
            if let Some(read_as) = sink.read_as {
                total_read_as = Some(total_read_as.map_or(read_as, |before: ReadAs| before.and(read_as)));
            }
            stats.set_input(input);
            total.merge(stats);
            if files.len() > 1 {
                let report = Report::new(args, stats, &names, begun.elapsed(), read_as);
                reports.add(input, names[input], &report)?;
            }
        }
        if sink.has_enough() {
            break;
        }
    }
    sink.finish()?;
    match args.stats.zip(outputs.stats) {
        None => Ok(()),
        Some((form, mut output)) => {
            let is_alone = args.emit() == Emit::None;
            let styles = if is_alone { sink.styles } else { Styles::new(args.color, &io::stderr()) };
            let read_as = total_read_as.unwrap_or(unread);
            let report = Report::new(args, &total, &names, start.elapsed(), read_as);
            match form {
                StatsForm::Table => output.write(&report.table(&reports, styles)),
                StatsForm::Json => report.write_json(&mut reports, |text| output.write(text)),
            }
        }
    }
}

/// Scans one file, or standard input.
fn scan(scanner: &Scanner, job: &Job, path: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    let name = sink.name;
    let work = |chunk: &Chunk<'_>| job.run(name, chunk);
    if routes::is_stream(path) {
        Stream::Stdin.check()?;
        if sink.begin_outputs() {
            scanner.scan_reader(io::stdin().lock(), work, |found| sink.take(found))?;
        }
    } else {
        let file = open(path)?;
        if sink.begin_outputs() {
            scanner.scan_file(file, work, |found| sink.take(found))?;
        }
    }
    if sink.is_out_of_memory { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
}

/// Opens a file to be read.
fn open(path: &Path) -> io::Result<File> {
    if let Some(stream) = Stream::of(path) {
        stream.check()?;
    }
    let mut file = File::open(path)?;
    // Of a directory only reading fails.
    let _ = file.read(&mut [])?;
    Ok(file)
}

/// When there is no need to go on.
enum End {
    Never,
    /// When the exit status is known, which is all there is to know.
    Decided(Tolerance),
    /// Behind the first invalid record.
    FirstInvalid,
}

/// Gets what the chunks yield, in input order.
struct Sink<'a> {
    job: &'a Job,
    outcome: &'a mut Outcome,
    /// Of the job's tasks, in their order.
    outputs: Vec<Output>,
    /// Whether the outputs are empty, but for what has been written since.
    have_begun: bool,
    styles: Styles,
    progress: Progress,
    end: End,
    /// Of the file that is scanned.
    name: &'a [u8],
    /// In this file so far.
    lines: u64,
    /// This file, if it is known yet.
    read_as: Option<ReadAs>,
    /// The format that was last said to have been found out, if that is said at all.
    announced: Option<Format>,
    /// Of this file so far, if they are asked for.
    stats: Option<Stats>,
    rows: Vec<u8>,
    /// Whether a record of this file found no memory.
    is_out_of_memory: bool,
    failure: Option<Failure>,
}

impl<'a> Sink<'a> {
    fn begin(&mut self, name: &'a [u8], stats: Option<Stats>) {
        self.name = name;
        self.lines = 0;
        self.read_as = None;
        self.is_out_of_memory = false;
        self.stats = stats;
    }

    fn take(&mut self, found: Yield) -> ControlFlow<()> {
        self.outcome.has_invalid |= found.has_invalid;
        self.outcome.invalid += found.invalid;
        self.outcome.records += found.records;
        self.progress.advance(found.bytes);
        if self.read_as.is_none() {
            self.learn(found.format, found.grammar);
        }
        let written = self.write(&found);
        self.lines += found.lines;
        if let Some(stats) = &mut self.stats {
            stats.append(&found.stats);
        }
        self.is_out_of_memory = found.is_out_of_memory;
        self.job.recycle(found);
        if let Err(failure) = written {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        if self.is_out_of_memory || self.has_enough() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// How the file is read, which is said if it has been found out and could surprise.
    fn learn(&mut self, format: Format, grammar: Grammar) {
        self.read_as = Some(ReadAs { format: format.name(), grammar: grammar.name() });
        if self.announced.is_some_and(|announced| announced != format) {
            self.announced = Some(format);
            if format != Format::Lines {
                let text = format!("read as {format}, grammar {grammar}; --from and --grammar choose others");
                self.progress.suspend(|| note(self.name, &text));
            }
        }
    }

    fn has_enough(&self) -> bool {
        match self.end {
            End::Never => false,
            // A record over the limit is bad enough before its end.
            End::Decided(Tolerance::Records(0)) => self.outcome.has_invalid,
            End::Decided(tolerance) => tolerance.is_exceeded_for_good(self.outcome.invalid),
            End::FirstInvalid => self.outcome.invalid > 0,
        }
    }

    /// Makes the outputs ready to be written, once there is something to read.
    /// False if that failed.
    fn begin_outputs(&mut self) -> bool {
        if !mem::replace(&mut self.have_begun, true) {
            self.failure = (0..self.outputs.len()).try_for_each(|number| self.begin_output(number)).err();
        }
        self.failure.is_none()
    }

    /// Writes what comes before the rows.
    fn begin_output(&mut self, number: usize) -> Result<(), Failure> {
        self.outputs[number].empty()?;
        match &self.job.tasks()[number] {
            Task::Rows(rows, _) => self.write_to(number, &rows.header()),
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.progress.finish();
        // Nothing could be read: what was there before stays.
        if !self.have_begun {
            let is_new = |&number: &usize| self.outputs[number].is_new();
            let new: Vec<_> = (0..self.outputs.len()).filter(is_new).collect();
            new.into_iter().try_for_each(|number| self.begin_output(number))?;
        }
        Ok(())
    }

    /// Writes what a chunk yielded to each output.
    fn write(&mut self, found: &Yield) -> Result<(), Failure> {
        for (number, task) in self.job.tasks().iter().enumerate() {
            match task {
                Task::Errors => self.write_errors(number, found)?,
                Task::Lines(_) | Task::Rows(..) => self.write_to(number, &found.texts[number])?,
            }
        }
        Ok(())
    }

    fn write_to(&mut self, number: usize, bytes: &[u8]) -> Result<(), Failure> {
        if bytes.is_empty() {
            return Ok(());
        }
        let output = &mut self.outputs[number];
        let written = if output.is_terminal() {
            self.progress.suspend(|| output.write(bytes))
        } else {
            output.write(bytes)
        };
        match written {
            // The files still want theirs.
            Err(Failure::Closed) if self.outputs.len() > 1 => {
                self.outputs[number].close();
                Ok(())
            }
            written => written,
        }
    }

    /// Writes `FILE:LINE:COLUMN: KIND: MESSAGE` for each error.
    fn write_errors(&mut self, number: usize, found: &Yield) -> Result<(), Failure> {
        /// Bytes that are worth a call of the system.
        const FULL: usize = 64 << 10;

        // The colours are those of standard output.
        let styles = if self.outputs[number].is_file() { Styles::default() } else { self.styles };
        let Styles { place, bad, .. } = styles;
        let mut rows = mem::take(&mut self.rows);
        rows.clear();
        let name = Shown::new(self.name).to_string();
        for at in &found.errors {
            let line = self.lines + at.line + 1;
            let column = at.column;
            let _ = writeln!(
                rows,
                "{place}{name}:{line}:{column}{place:#}: {bad}{}{bad:#}: {}",
                at.problem.kind(),
                at.problem
            );
            if rows.len() >= FULL {
                self.write_to(number, &rows)?;
                rows.clear();
            }
        }
        self.write_to(number, &rows)?;
        self.rows = rows;
        Ok(())
    }
}
