//! What workers make of a chunk, and what it says in order.

use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, Format, MalformedLine, Scanned, Scratch};
use urivalidate::{Columns, Components, Error, ErrorKind, Grammar, Stats, Validator};

use crate::args::{Args, From, Only};
use crate::problem::Problem;
use crate::routes::Task;
use crate::rows::{Row, Rows};

/// More bytes than a chunk has unless it holds a record of about as many, of which columns would take many times the memory.
const LONG: usize = 1 << 20;

/// What is to be done with every chunk. One for the whole run.
pub(crate) struct Job {
    validator: Validator,
    /// Judges the targets of requests, in logs that have been found out to be such.
    target_validator: Validator,
    tasks: Vec<Task>,
    counts: bool,
    counts_hosts: bool,
    stops_at_invalid: bool,
    /// Results and batches whose memory is to be used again.
    spare: Spare<Yield>,
    spare_scratch: Spare<Scratch>,
}

/// What has done its work and may do more.
#[derive(Default)]
struct Spare<T>(Mutex<Vec<T>>);

impl<T: Default> Spare<T> {
    fn take(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    fn put(&self, used: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(used);
    }
}

/// What a chunk yields.
pub(crate) struct Yield {
    /// What each task has to write, as it is.
    pub(crate) texts: Vec<Vec<u8>>,
    /// What [`Task::Errors`] has to write.
    pub(crate) errors: Vec<Place>,
    /// How the chunk was read.
    pub(crate) format: Format,
    pub(crate) grammar: Grammar,
    /// Scanned bytes.
    pub(crate) bytes: u64,
    pub(crate) lines: u64,
    /// Lines that do not fit their format included, in this number and the next one.
    pub(crate) records: u64,
    pub(crate) invalid: u64,
    /// Also of a record that has not ended yet.
    pub(crate) has_invalid: bool,
    /// Whether there was no memory for what has to be written of the next record.
    pub(crate) is_out_of_memory: bool,
    pub(crate) stats: Stats,
}

impl Default for Yield {
    fn default() -> Self {
        Yield {
            texts: Vec::new(),
            errors: Vec::new(),
            format: Format::Lines,
            grammar: Grammar::Uri,
            bytes: 0,
            lines: 0,
            records: 0,
            invalid: 0,
            has_invalid: false,
            is_out_of_memory: false,
            stats: Stats::new(),
        }
    }
}

/// A problem in a chunk.
pub(crate) struct Place {
    /// 0-based in the chunk.
    pub(crate) line: u64,
    /// The offending byte, 1-based in the line.
    pub(crate) column: u64,
    pub(crate) problem: Problem,
}

impl Place {
    fn malformed(line: &MalformedLine) -> Self {
        Place { line: line.line, column: 1, problem: Problem::Malformed(line.reason) }
    }
}

impl Job {
    pub(crate) fn new(args: &Args, validator: Validator, tasks: Vec<Task>) -> Self {
        let is_found_out = args.from == From::Auto && args.grammar.is_none();
        let target_validator = if is_found_out {
            let targets = Validator::new(Grammar::RequestTarget);
            targets.with_backend(validator.backend()).expect("it is there for the other validator")
        } else {
            validator
        };
        Job {
            validator,
            target_validator,
            tasks,
            counts: args.stats.is_some(),
            counts_hosts: args.top_hosts.is_some(),
            stops_at_invalid: args.fail_fast,
            spare: Spare::default(),
            spare_scratch: Spare::default(),
        }
    }

    /// Whether workers have to know the numbers of lines.
    pub(crate) fn needs_line_numbers(&self) -> bool {
        self.tasks.iter().any(|task| matches!(task, Task::Rows(..)))
    }

    pub(crate) fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// How long a chunk may be. What is kept of a record is long even if the record is empty, so that memory depends on
    /// this.
    pub(crate) fn chunk_size(&self) -> usize {
        let sizes = self.tasks.iter().map(|task| match task {
            Task::Lines(_) => 256 << 10,
            Task::Errors => 64 << 10,
            Task::Rows(..) => 16 << 10,
        });
        sizes.min().unwrap_or(256 << 10)
    }

    /// Takes a result back.
    pub(crate) fn recycle(&self, done: Yield) {
        /// A chunk of a long record is no reason to keep its room.
        const KEPT: usize = 8 << 20;

        if done.texts.iter().all(|text| text.capacity() <= KEPT) {
            self.spare.put(done);
        }
    }

    fn fresh(&self, chunk: &Chunk<'_>) -> Yield {
        let mut fresh = self.spare.take();
        fresh.texts.resize_with(self.tasks.len(), Vec::new);
        fresh.texts.iter_mut().for_each(Vec::clear);
        fresh.errors.clear();
        (fresh.bytes, fresh.lines, fresh.records, fresh.invalid) = (0, 0, 0, 0);
        (fresh.has_invalid, fresh.is_out_of_memory) = (false, false);
        if self.counts {
            fresh.stats.clear();
        }
        if self.counts_hosts {
            fresh.stats.count_hosts();
        }
        fresh.format = chunk.layout().format();
        fresh.grammar = self.validator(chunk).grammar();
        fresh
    }

    fn validator(&self, chunk: &Chunk<'_>) -> &Validator {
        match chunk.layout().grammar() {
            Grammar::RequestTarget => &self.target_validator,
            _ => &self.validator,
        }
    }

    /// Scans a chunk of the file of this name.
    pub(crate) fn run(&self, file: &[u8], chunk: &Chunk<'_>) -> Yield {
        let mut scratch = self.spare_scratch.take();
        let found = self.run_in(&mut scratch, file, chunk);
        self.spare_scratch.put(scratch);
        found
    }

    fn run_in(&self, scratch: &mut Scratch, file: &[u8], chunk: &Chunk<'_>) -> Yield {
        let mut found = self.fresh(chunk);
        let Ok(scanned) = scratch.scan(chunk, self.validator(chunk), self.columns()) else {
            return Yield { is_out_of_memory: true, ..found };
        };
        let bad_line = scanned.first_bad_line();
        if let Some(line) = bad_line.filter(|&line| self.stops_at_invalid && line + 1 < scanned.lines()) {
            // What comes behind it is not to be seen.
            let head = chunk.head(line as usize + 1);
            self.recycle(found);
            return self.run_in(scratch, file, &head);
        }
        let malformed = scanned.malformed().len() as u64;
        found.bytes = scanned.bytes();
        found.lines = scanned.lines();
        found.records = scanned.len() as u64 + malformed;
        found.invalid = scanned.batch().invalid().len() as u64 + malformed;
        found.has_invalid = bad_line.is_some();
        if self.counts {
            found.stats.count(&scanned);
        }
        let judged = Judged { file, first_line: chunk.first_line().unwrap_or(1), scanned: &scanned };
        for (task, text) in self.tasks.iter().zip(&mut found.texts) {
            found.is_out_of_memory |= match task {
                Task::Lines(_) => text.try_reserve(chunk.lines().len()),
                Task::Rows(rows, only) => text.try_reserve(judged.room(rows, *only)),
                Task::Errors => Ok(()),
            }
            .is_err();
            if found.is_out_of_memory {
                break;
            }
            match task {
                Task::Rows(rows, only) => judged.write(rows, *only, text),
                Task::Errors if !found.errors.is_empty() => {}
                Task::Errors => {
                    found.errors.extend(scanned.malformed().iter().map(Place::malformed));
                    found.errors.extend(scanned.batch().invalid().iter().map(|record| {
                        let index = record.index as usize;
                        Place {
                            line: scanned.line_number(index),
                            column: scanned.error_column(index, record.error.offset()),
                            problem: Problem::Invalid(record.error),
                        }
                    }));
                    found.errors.sort_by_key(|place| place.line);
                }
                Task::Lines(Only::Valid) => scanned.copy_valid_lines(text),
                Task::Lines(Only::Invalid) => scanned.copy_invalid_lines(text),
            }
        }
        found
    }

    fn columns(&self) -> Columns {
        let has_rows = self.tasks.iter().any(|task| matches!(task, Task::Rows(_, None | Some(Only::Valid))));
        if self.counts || has_rows { Columns::ALL } else { Columns::NONE }
    }
}

/// What rows are made of.
struct Judged<'a> {
    file: &'a [u8],
    /// 1-based, of the chunk.
    first_line: u64,
    scanned: &'a Scanned<'a>,
}

impl<'a> Judged<'a> {
    /// The row of a record, or what is made of it.
    fn row(&self, index: usize, verdict: Result<Components, Error>) -> Row<'a> {
        let is_too_long = verdict.is_err_and(|error| error.kind() == ErrorKind::RecordTooLong);
        Row {
            file: self.file,
            line: self.first_line + self.scanned.line_number(index),
            column: self.scanned.start_column(index),
            length: self.scanned.length(index),
            // One over the limit may not be here as a whole.
            text: (!is_too_long).then(|| self.scanned.record(index)),
            verdict: verdict.map_err(Problem::Invalid),
        }
    }

    /// Writes the rows of the records of this verdict.
    fn write(&self, rows: &Rows, only: Option<Only>, text: &mut Vec<u8>) {
        if only != Some(Only::Invalid) {
            let batch = self.scanned.batch();
            for index in (0..batch.len()).filter(|&index| only.is_none() || batch.is_valid(index)) {
                rows.write(text, &self.row(index, self.scanned.verdict(index)));
            }
            return;
        }
        // Where the rows are errors, those of lines that do not fit their format are between them.
        let malformed = if rows.are_errors() { self.scanned.malformed() } else { &[] };
        let mut malformed = malformed.iter().peekable();
        let write_malformed =
            |text: &mut Vec<u8>, line| rows.write(text, &malformed_row(self.file, self.first_line, line));
        for record in self.scanned.batch().invalid() {
            let row = self.row(record.index as usize, Err(record.error));
            while let Some(line) = malformed.next_if(|line| self.first_line + line.line < row.line) {
                write_malformed(text, line);
            }
            rows.write(text, &row);
        }
        malformed.for_each(|line| write_malformed(text, line));
    }

    /// The room that is surely needed for long rows.
    fn room(&self, rows: &Rows, only: Option<Only>) -> usize {
        if self.scanned.chunk().bytes().len() <= LONG {
            return 0;
        }
        let batch = self.scanned.batch();
        let wanted = (0..batch.len()).filter(|&index| is_wanted(only, batch.is_valid(index)));
        let verdict = |index| match self.scanned.error(index) {
            Some(error) => Err(error),
            None => self.scanned.verdict(index),
        };
        wanted.map(|index| rows.room(&self.row(index, verdict(index)))).sum()
    }
}

/// The row of a line that does not fit its format.
fn malformed_row<'a>(file: &'a [u8], first_line: u64, line: &MalformedLine) -> Row<'a> {
    Row {
        file,
        line: first_line + line.line,
        column: 1,
        length: line.length,
        text: None,
        verdict: Err(Problem::Malformed(line.reason)),
    }
}

/// Whether an output has a record of this verdict.
fn is_wanted(only: Option<Only>, is_valid: bool) -> bool {
    only.is_none_or(|only| is_valid == (only == Only::Valid))
}
