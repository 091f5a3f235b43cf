//! The pass over all files.

use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::CommandFactory;
use clap::error::ErrorKind;
use urivalidate::corpus::{Chunk, FileEvent, Format, Input, MissingKey};
use urivalidate::stats::ReadAs;
use urivalidate::{Grammar, parse};

use crate::args::{Args, From, is_hyphen};
use crate::chunk_job::{ChunkJob, ChunkOutput};
use crate::counted::Counted;
use crate::host_filter::HostFilter;
use crate::inputs::{Inputs, inputs};
use crate::interrupt;
use crate::log_fields::SeenInputs;
use crate::outcome::Outcome;
use crate::output::{Failure, Output, complain, note, reason};
use crate::outputs::{Outputs, OutputsError};
use crate::pipe;
use crate::plan::{End, Plan};
use crate::progress::Progress;
use crate::report::RunFacts;
use crate::sink::Sink;
use crate::standard_stream::StandardStream;

/// Scans all files and prints the requested output.
pub(crate) fn run(args: &Args, plan: Plan, seen: Option<SeenInputs>) -> Outcome {
    let mut outcome = Outcome::default();
    match scan_all(args, plan, seen, &mut outcome) {
        Ok(()) | Err(Failure::Closed) => {}
        Err(Failure::Output(name, error)) => {
            complain(&name, &error);
            outcome.has_failed = true;
        }
    }
    outcome
}

fn scan_all(
    args: &Args,
    mut plan: Plan,
    seen: Option<SeenInputs>,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let start = Instant::now();
    let (mut inputs, stream) = match seen {
        Some(SeenInputs { inputs, stream }) => (inputs, stream),
        None => (inputs(args, &plan.globs), None),
    };
    let outputs = match Outputs::open(args, &plan, &mut inputs) {
        Ok(outputs) => outputs,
        Err(OutputsError::Failed(failure)) => return Err(failure),
        Err(OutputsError::Conflict(conflict)) => {
            Args::command().error(ErrorKind::ArgumentConflict, conflict).exit()
        }
    };
    // Nobody can read a file before it is put in its place at the end. So chunks are filled, and the file's
    // content does not depend on when the bytes of a pipe arrive.
    let is_all_hidden = !outputs.planned.is_empty() && outputs.planned.iter().all(Output::is_hidden);
    plan.scanner = plan.scanner.fill_chunks(is_all_hidden && matches!(plan.end, End::Never));
    let plan = &plan;
    inputs.skip_unknown(plan, args);
    let about_walk = inputs.sentences(args);
    let Inputs { files, is_walked, skipped, errors, .. } = inputs;
    let names: Vec<&[u8]> = files.iter().map(|file| file.as_os_str().as_encoded_bytes()).collect();
    // An empty file has no detected format.
    let format = plan.reading.format().unwrap_or(Format::Lines);
    let unread = ReadAs::new(format, plan.reading.validator().grammar());
    let facts = RunFacts::of_process(plan.before.clone());
    let counted = Counted::new(args, plan, facts, &names, skipped, unread, start).map(Arc::new);
    if let Some(counted) = counted.clone() {
        interrupt::before_exit(Some(Box::new(move || counted.print_interrupted())));
    }
    let job = ChunkJob::new(plan);
    let mut sink = Sink::new(plan, &job, outputs.planned, Progress::new(args, &files), counted.clone());
    for (path, error) in &errors {
        complain(path.as_os_str().as_encoded_bytes(), error);
        sink.outcome.has_failed = true;
    }
    if plan.has_notes {
        about_walk.iter().for_each(|(about, text)| note(about.as_bytes(), text));
        for (list, text) in plan.host_filter.iter().flat_map(HostFilter::notes) {
            note(list.as_os_str().as_encoded_bytes(), text);
        }
    }
    let mut pass = Pass {
        plan,
        names: &names,
        is_walked: &is_walked,
        searches_keys: matches!(args.from, From::Auto) && args.key.is_none() && args.field.is_none(),
        sink,
        counted: counted.as_deref(),
        read: Vec::new(),
        keyless: Vec::new(),
        begun: None,
        stream,
    };
    pass.scan(&job, &files);
    pass.report_keyless();
    let Pass { mut sink, read, .. } = pass;
    *outcome = sink.outcome;
    if let Some(failure) = sink.failure {
        return Err(failure);
    }
    sink.finish()?;
    write_baseline(plan, &job, outputs.baseline, &read, outcome.has_failed)?;
    sink.sum_up();
    // From here on, a signal prints no statistics.
    interrupt::before_exit(None);
    let Some(counted) = counted else { return Ok(()) };
    outcome.is_worse = counted.is_worse();
    if let Some(mut output) = outputs.report {
        output.empty()?;
        output.write(&counted.page())?;
        output.put_in_place()?;
    }
    match outputs.stats {
        Some(mut output) => counted.print(|text| output.write(text)),
        None => Ok(()),
    }
}

/// Writes the baseline, if requested, or says which findings of a baseline are gone. `read` are the names of the
/// files that were read to their ends.
fn write_baseline(
    plan: &Plan,
    job: &ChunkJob<'_>,
    output: Option<Output>,
    read: &[&[u8]],
    has_failed: bool,
) -> Result<(), Failure> {
    let before = job.before();
    if let Some(((text, findings), mut output)) = plan.gate.baseline_to_write(&before).zip(output) {
        let about = output.name().to_owned();
        if has_failed {
            note(&about, "stays as it was, because the run failed");
            return Ok(());
        }
        output.empty()?;
        output.write(&text)?;
        output.put_in_place()?;
        if plan.has_notes {
            let findings =
                if findings == 1 { "1 finding".to_owned() } else { format!("{findings} findings") };
            note(&about, &format!("{findings} written"));
        }
    }
    if let Some(text) = plan.gate.about_gone(&before, read).filter(|_| plan.has_notes) {
        note(b"--baseline", &text);
    }
    Ok(())
}

/// The pass over all files, in order, with the totals.
struct Pass<'a> {
    plan: &'a Plan,
    names: &'a [&'a [u8]],
    /// True for each file that a walk found.
    is_walked: &'a [bool],
    /// True if the user chose no key and no format.
    searches_keys: bool,
    sink: Sink<'a>,
    /// The statistics so far, if the run has them.
    counted: Option<&'a Counted>,
    /// The names of the files that were read to their ends.
    read: Vec<&'a [u8]>,
    /// The files in which no line has the key, until another file turns out to have it.
    keyless: Vec<Keyless>,
    /// The number and the start time of the last file that was begun.
    begun: Option<(usize, Instant)>,
    /// The stream whose first bytes were read already.
    stream: Option<(PathBuf, Box<dyn Read + Send>)>,
}

/// A file in which no line has the key.
struct Keyless {
    /// The number of the file.
    number: usize,
    reason: String,
    /// The number of its lines.
    lines: u64,
}

impl Pass<'_> {
    fn scan(&mut self, job: &ChunkJob<'_>, files: &[PathBuf]) {
        let is_stream = |path: &PathBuf| is_hyphen(path) || StandardStream::of(path).is_some();
        let mut first = 0;
        // Open streams of the process are scanned one by one, and the files between them together.
        for files in files.chunk_by(|one, next| !is_stream(one) && !is_stream(next)) {
            let (plan, names) = (self.plan, &self.names[first..]);
            let flow = match files {
                [path] if is_stream(path) => self.scan_stream(job, first, path),
                files => {
                    let work = |file: usize, chunk: &Chunk<'_>| job.run(names[file], chunk);
                    let take = |file, event| self.take(first + file, event);
                    match plan.scanner.scan_files(files, work, take) {
                        Ok(stopped) => stopped.map_or(ControlFlow::Continue(()), ControlFlow::Break),
                        Err(error) => self.end_file(first, Err(error), Duration::ZERO),
                    }
                }
            };
            if flow.is_break() {
                return;
            }
            first += files.len();
        }
    }

    /// Scans standard input, or another open stream of the process that has this path.
    fn scan_stream(&mut self, job: &ChunkJob<'_>, number: usize, path: &Path) -> ControlFlow<()> {
        let begin = Instant::now();
        let (plan, name) = (self.plan, self.names[number]);
        let opened = match self.stream.take_if(|(seen, _)| seen == path) {
            Some((path, stream)) => Ok(Input::stream(path, stream)),
            None => open_stream(path),
        };
        let stopped = opened.and_then(|input| {
            if input.file().is_none() && io::stdin().is_terminal() && plan.has_notes {
                note(name, "reading records from the terminal; Ctrl-D ends the input");
            }
            if self.begin_file(number).is_break() {
                return Ok(Some(()));
            }
            let work = |chunk: &Chunk<'_>| job.run(name, chunk);
            let take = |chunk| self.take_chunk(number, chunk);
            match input.file() {
                Some(file) => pipe::widen(file),
                None => pipe::widen(io::stdin()),
            }
            plan.scanner.scan_input(input, work, take)
        });
        let status = match stopped {
            Ok(None) => Ok(()),
            Ok(Some(())) => return ControlFlow::Break(()),
            Err(error) => Err(error),
        };
        self.end_file(number, status, begin.elapsed())
    }

    /// Handles an event of a file.
    fn take(&mut self, number: usize, event: FileEvent<ChunkOutput>) -> ControlFlow<()> {
        match event {
            FileEvent::Begin => self.begin_file(number),
            FileEvent::Result(chunk) => self.take_chunk(number, chunk),
            FileEvent::End { status, elapsed, .. } => self.end_file(number, status, elapsed),
            _ => ControlFlow::Continue(()),
        }
    }

    fn begin_file(&mut self, number: usize) -> ControlFlow<()> {
        self.begin(number);
        self.sink.begin_outputs()
    }

    fn take_chunk(&mut self, number: usize, chunk: ChunkOutput) -> ControlFlow<()> {
        if self.sink.refusal.is_some() {
            // Memory ran out for a record, so the rest of the file is lost.
            return ControlFlow::Continue(());
        }
        let flow = self.sink.take(chunk);
        if flow.is_break() && self.sink.failure.is_none() {
            let elapsed = self.begun.map_or(Duration::ZERO, |(_, begun)| begun.elapsed());
            return self.end(number, Ok(()), elapsed);
        }
        flow
    }

    fn end_file(&mut self, number: usize, status: io::Result<()>, elapsed: Duration) -> ControlFlow<()> {
        if self.begun.is_none_or(|(begun, _)| begun != number) {
            self.begin(number);
        }
        let status = match (self.sink.about_fields.take(), self.sink.refusal) {
            (Some(about), _) => Err(io::Error::other(about)),
            (None, Some(refusal)) => Err(refusal.into()),
            (None, None) => status,
        };
        self.end(number, status, elapsed)
    }

    fn begin(&mut self, number: usize) {
        self.begun = Some((number, Instant::now()));
        let is_walked = self.is_walked.get(number) == Some(&true);
        if let Some(counted) = self.counted {
            counted.begin_file(number);
        }
        self.sink.begin(self.names[number], is_walked);
    }

    fn end(&mut self, number: usize, status: io::Result<()>, elapsed: Duration) -> ControlFlow<()> {
        let is_walked = self.is_walked.get(number) == Some(&true);
        // Most JSON files of a folder are about something else.
        let is_about_else = |error: &io::Error| self.searches_keys && is_walked && lacks_key(error);
        let status = status.or_else(|error| if is_about_else(&error) { Ok(()) } else { Err(error) });
        let is_read = status.is_ok();
        match status {
            Err(error) if lacks_key(&error) => {
                let reason = format!("{error}; --key chooses another");
                self.keyless.push(Keyless { number, reason, lines: self.sink.keyless() });
                if self.sink.knows_key || self.names.len() == 1 {
                    self.report_keyless();
                }
            }
            Err(error) => self.fail(number, error),
            Ok(()) => {}
        }
        let (sink, name) = (&mut self.sink, self.names[number]);
        sink.end(is_walked, is_read);
        self.read.extend(Some(name).filter(|_| is_read && !sink.has_enough()));
        if let Some(Err(error)) = self.counted.map(|counted| counted.end_file(elapsed)) {
            sink.failure = Some(error.into());
        }
        if sink.failure.is_some() || sink.has_enough() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Reports that a file could not be read.
    fn fail(&mut self, number: usize, mut error: io::Error) {
        let (sink, name) = (&mut self.sink, self.names[number]);
        if error.kind() == io::ErrorKind::InvalidInput && self.plan.reading.format().is_none() {
            error = io::Error::other(format!("{error}; --from chooses another format"));
        }
        // A name may also have bytes that no name has, or too many.
        let is_missing = matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename);
        if is_missing && looks_like_uri(name) {
            error = io::Error::other(format!("{}; --explain checks one URI", reason(&error)));
        }
        // Windows denies access to directories.
        let is_denied = cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied;
        if error.kind() == io::ErrorKind::IsADirectory
            || is_denied && Path::new(&*String::from_utf8_lossy(name)).is_dir()
        {
            error = io::Error::other("is a directory; --recursive scans the files in it");
        }
        sink.progress.suspend(|| complain(name, &error));
        sink.outcome.has_failed = true;
        if let Some(counted) = self.counted {
            counted.add_unreadable(number, &error);
        }
    }

    /// Reports the files in which no line has the key. This is an error of each file, unless another file has
    /// the key: logs of several kinds of events have quiet hours.
    fn report_keyless(&mut self) {
        for Keyless { number, reason, lines } in std::mem::take(&mut self.keyless) {
            if !self.sink.knows_key {
                self.fail(number, io::Error::other(reason));
            } else if self.plan.has_notes {
                let lines = if lines == 1 {
                    "1 keyless line is".to_owned()
                } else {
                    format!("{lines} keyless lines are")
                };
                let text = format!("{reason} ({lines} no failure, since another file has the key)");
                self.sink.progress.suspend(|| note(self.names[number], &text));
            }
        }
    }
}

/// Returns true if this is the error of a file in which no line has the key.
fn lacks_key(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<MissingKey>())
}

/// Returns true if the name of a missing file is meant as a URI: it starts with a scheme and `//`.
fn looks_like_uri(name: &[u8]) -> bool {
    let colon = name.windows(3).position(|bytes| bytes == b"://");
    colon.is_some_and(|colon| parse(Grammar::Uri, &name[..=colon]).is_ok())
}

/// Returns the open stream of the process that has this path: standard input, or a file.
fn open_stream(path: &Path) -> io::Result<Input<'static>> {
    if is_hyphen(path) {
        StandardStream::Stdin.check()?;
        return Ok(Input::stream(path, io::stdin()));
    }
    if let Some(stream) = StandardStream::of(path) {
        stream.check()?;
    }
    Input::open(path)
}
