//! What workers make of a chunk, and what it says in order.

use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, Record, Scanner};
use urivalidate::{Components, Error, Stats, Validator};

use crate::args::{Args, Emit, Form, Only};
use crate::rows::{Row, Rows};

/// What is to be done with every chunk. One for the whole run.
pub(crate) struct Job {
    validator: Validator,
    trim: bool,
    task: Task,
    counts: bool,
    /// Results whose memory is to be used again.
    spare: Mutex<Vec<Yield>>,
}

/// Which output a chunk yields.
enum Task {
    /// None but the verdicts' numbers.
    Count,
    /// The errors: where they are in the file is known later.
    Errors,
    /// The lines of these records.
    Lines(Only),
    /// A row for each of these records.
    Rows(Rows, Option<Only>),
}

/// What a chunk yields.
#[derive(Default)]
pub(crate) struct Yield {
    /// What goes to standard output as it is.
    pub(crate) text: Vec<u8>,
    pub(crate) errors: Vec<Place>,
    pub(crate) records: u64,
    pub(crate) has_invalid: bool,
    pub(crate) stats: Stats,
}

/// An error in a chunk.
pub(crate) struct Place {
    /// 0-based in the chunk.
    pub(crate) index: u64,
    /// The 1-based byte of the line.
    pub(crate) column: u64,
    pub(crate) error: Error,
}

impl Job {
    pub(crate) fn new(args: &Args, validator: Validator) -> Self {
        let rows = |emit| Rows::new(emit, args.to, args.grammar);
        let task = match args.emit() {
            Emit::None => Task::Count,
            Emit::Errors if args.to == Form::Text => Task::Errors,
            Emit::Errors => Task::Rows(rows(Emit::Errors), Some(Only::Invalid)),
            Emit::Valid => Task::Lines(Only::Valid),
            Emit::Invalid => Task::Lines(Only::Invalid),
            emit @ (Emit::Components | Emit::Offsets) => Task::Rows(rows(emit), args.only),
        };
        Job { validator, trim: args.trim, task, counts: args.stats.is_some(), spare: Mutex::default() }
    }

    /// Whether workers have to know the numbers of lines.
    pub(crate) fn needs_line_numbers(&self) -> bool {
        matches!(self.task, Task::Rows(..))
    }

    /// How long a chunk may be. A row is long even if its record is empty, so that memory depends on this.
    pub(crate) fn chunk_size(&self) -> usize {
        match self.task {
            Task::Count | Task::Lines(_) => Scanner::CHUNK_SIZE,
            Task::Errors => 64 << 10,
            Task::Rows(..) => 16 << 10,
        }
    }

    /// Takes a result back.
    pub(crate) fn recycle(&self, done: Yield) {
        /// A chunk of a long record is no reason to keep its room.
        const KEPT: usize = 8 << 20;

        if done.text.capacity() <= KEPT {
            self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(done);
        }
    }

    fn fresh(&self) -> Yield {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut fresh = spare.unwrap_or_default();
        fresh.text.clear();
        fresh.errors.clear();
        (fresh.records, fresh.has_invalid) = (0, false);
        if self.counts {
            fresh.stats.clear();
        }
        fresh
    }

    /// Scans a chunk of the file of this name.
    pub(crate) fn run(&self, file: &[u8], chunk: &Chunk<'_>) -> Yield {
        let mut found = self.fresh();
        if self.counts {
            self.dispatch(file, chunk, &mut found, Stats::count);
            found.stats.count_bytes(chunk.bytes().len());
        } else {
            self.dispatch(file, chunk, &mut found, |_, _, _| {});
        }
        found
    }

    /// Picks the loop of the task, so that none of them asks for each record what it is for.
    fn dispatch(
        &self,
        file: &[u8],
        chunk: &Chunk<'_>,
        found: &mut Yield,
        count: impl Fn(&mut Stats, &Record<'_>, &Result<Components, Error>),
    ) {
        let Yield { text, errors, records, has_invalid, stats } = found;
        // It is known before its end, which may be far.
        *has_invalid = chunk.is_part();
        let mut tally = |record: &Record<'_>, verdict: &Result<Components, Error>| {
            *records += 1;
            *has_invalid |= verdict.is_err();
            count(stats, record, verdict);
        };
        match &self.task {
            Task::Count => self.judge(chunk, tally),
            Task::Errors => self.judge(chunk, |record, verdict| {
                tally(record, verdict);
                if let Err(error) = *verdict {
                    errors.push(Place { index: record.index, column: record.column, error });
                }
            }),
            Task::Lines(only) => {
                self.judge(chunk, |record, verdict| {
                    tally(record, verdict);
                    if verdict.is_ok() == (*only == Only::Valid) && !chunk.is_part() {
                        text.extend_from_slice(record.line);
                    }
                });
                // Of a record over the limit every part passes through.
                if chunk.is_part() && *only == Only::Invalid {
                    text.extend_from_slice(chunk.lines());
                }
            }
            Task::Rows(rows, only) => {
                let first_line = chunk.first_line().unwrap_or(1);
                self.judge(chunk, |record, verdict| {
                    tally(record, verdict);
                    if only.is_none_or(|only| verdict.is_ok() == (only == Only::Valid)) {
                        rows.write(text, Row { file, line: first_line + record.index, record, verdict });
                    }
                });
            }
        }
    }

    /// Judges every record of a chunk.
    fn judge(&self, chunk: &Chunk<'_>, mut each: impl FnMut(&Record<'_>, &Result<Components, Error>)) {
        for record in chunk.records() {
            let record = if self.trim { record.trim() } else { record };
            each(&record, &record.parse(&self.validator));
        }
    }
}
