//! The pass over all files.

use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use clap::CommandFactory;
use clap::error::ErrorKind;
use urivalidate::Stats;
use urivalidate::corpus::{Chunk, Format};

use crate::args::{Args, From, StatsForm, is_hyphen};
use crate::inputs::inputs;
use crate::job::Job;
use crate::outcome::Outcome;
use crate::output::{Failure, complain, note};
use crate::outputs::{Outputs, Refusal};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::report::{Files, ReadAs, Report};
use crate::sink::Sink;
use crate::stream::Stream;
use crate::style::Styles;

/// Scans all files and prints what was asked for.
pub(crate) fn run(plan: &Plan<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    match scan_all(plan, &mut outcome) {
        Ok(()) | Err(Failure::Closed) => {}
        Err(Failure::Output(name, error)) => {
            complain(&name, &error);
            outcome.has_failed = true;
        }
    }
    outcome
}

fn scan_all(plan: &Plan<'_>, outcome: &mut Outcome) -> Result<(), Failure> {
    let (args, start) = (plan.args, Instant::now());
    let (files, listed) = inputs(args);
    let outputs = match Outputs::open(plan, &files) {
        Ok(outputs) => outputs,
        Err(Refusal::Failed(failure)) => return Err(failure),
        Err(Refusal::Conflict(conflict)) => {
            Args::command().error(ErrorKind::ArgumentConflict, conflict).exit()
        }
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
    let mut unreadable = Vec::new();
    // Of an empty file nothing is found out.
    let format = if let From::Format(format) = args.from { format } else { Format::Lines };
    let unread = ReadAs { format: format.name(), grammar: args.grammar().name() };
    let mut reports = Files::new(args.stats == Some(StatsForm::Json));
    let report = Report {
        stats: &Stats::new(),
        names: &names,
        unreadable: &[],
        elapsed: Duration::ZERO,
        read_as: unread,
        backend: args.backend(),
        threads: args.threads(),
        top_hosts: args.top_hosts.map(|n| n as usize),
    };
    let job = Job::new(plan);
    let mut sink = Sink::new(plan, &job, outputs.planned, Progress::new(args, &files));
    if let (Err(error), Some(list)) = (listed, &args.files_from) {
        complain(list.as_os_str().as_encoded_bytes(), &error);
        sink.outcome.has_failed = true;
    }
    for (input, path) in files.iter().enumerate() {
        let begun = Instant::now();
        sink.begin(names[input], args.counts().then(new_stats));
        if let Err(error) = scan(plan, &job, names[input], path, &mut sink) {
            sink.progress.suspend(|| complain(names[input], &error));
            sink.outcome.has_failed = true;
            unreadable.push(input);
        }
        *outcome = sink.outcome;
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
                let elapsed = begun.elapsed();
                reports.add(input, names[input], &Report { stats, elapsed, read_as, ..report })?;
            }
        }
        if sink.has_enough() {
            break;
        }
    }
    *outcome = sink.outcome;
    sink.finish()?;
    if !args.counts() {
        return Ok(());
    }
    let read_as = total_read_as.unwrap_or(unread);
    let elapsed = start.elapsed();
    let report = Report { stats: &total, unreadable: &unreadable, elapsed, read_as, ..report };
    if let Some(mut output) = outputs.report {
        output.empty()?;
        output.write(&report.page(&reports))?;
    }
    let Some((form, mut output)) = args.stats.zip(outputs.stats) else { return Ok(()) };
    let styles = || match plan.has_stdout_for_stats() {
        true => Styles::new(args.color, &io::stdout()),
        false => Styles::new(args.color, &io::stderr()),
    };
    match form {
        StatsForm::Table => output.write(&report.screen(&reports, false, styles())),
        StatsForm::Full => output.write(&report.screen(&reports, true, styles())),
        StatsForm::Json => report.write_json(&mut reports, |text| output.write(text)),
    }
}

/// Scans one file, or standard input.
fn scan(plan: &Plan<'_>, job: &Job<'_>, name: &[u8], path: &Path, sink: &mut Sink<'_>) -> io::Result<()> {
    let work = |chunk: &Chunk<'_>| job.run(name, chunk);
    if is_hyphen(path) {
        Stream::Stdin.check()?;
        if io::stdin().is_terminal() && !plan.args.quiet {
            note(name, "reading records from the terminal, up to an end of file (Ctrl-D)");
        }
        if sink.begin_outputs() {
            plan.scanner.scan_reader(io::stdin(), work, |chunk| sink.take(chunk))?;
        }
    } else {
        let file = open(path)?;
        if sink.begin_outputs() {
            plan.scanner.scan_file(file, work, |chunk| sink.take(chunk))?;
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
    match file.read(&mut []) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => Err(error),
        _ => Ok(file),
    }
}
