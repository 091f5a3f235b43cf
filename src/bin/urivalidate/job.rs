//! What workers make of a chunk, and what it says in order.

use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, Record};
use urivalidate::{Batch, Columns, Components, Error, Stats, Validator};

use crate::args::{Args, Emit, Form, Only};
use crate::rows::{Row, Rows};

/// What is to be done with every chunk. One for the whole run.
pub(crate) struct Job {
    validator: Validator,
    trim: bool,
    max_record: usize,
    task: Task,
    counts: bool,
    /// Results and batches whose memory is to be used again.
    spare: Spare<Yield>,
    spare_batches: Spare<Batch>,
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
        Job {
            validator,
            trim: args.trim,
            max_record: args.max_record,
            task,
            counts: args.stats.is_some(),
            spare: Spare::default(),
            spare_batches: Spare::default(),
        }
    }

    /// Whether workers have to know the numbers of lines.
    pub(crate) fn needs_line_numbers(&self) -> bool {
        matches!(self.task, Task::Rows(..))
    }

    /// How long a chunk may be. What is kept of a record is long even if the record is empty, so that memory depends on
    /// this.
    pub(crate) fn chunk_size(&self) -> usize {
        match self.task {
            Task::Count | Task::Lines(_) => 256 << 10,
            Task::Errors => 64 << 10,
            Task::Rows(..) => 16 << 10,
        }
    }

    /// Takes a result back.
    pub(crate) fn recycle(&self, done: Yield) {
        /// A chunk of a long record is no reason to keep its room.
        const KEPT: usize = 8 << 20;

        if done.text.capacity() <= KEPT {
            self.spare.put(done);
        }
    }

    fn fresh(&self) -> Yield {
        let mut fresh = self.spare.take();
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
        if self.is_for_bulk(chunk) {
            let mut batch = self.spare_batches.take();
            self.scan(chunk, &mut batch, &mut found);
            self.spare_batches.put(batch);
        } else if self.counts {
            self.dispatch(file, chunk, &mut found, Stats::count);
        } else {
            self.dispatch(file, chunk, &mut found, |_, _, _| {});
        }
        if self.counts {
            found.stats.count_bytes(chunk.bytes().len());
        }
        found
    }

    /// Whether all records of a chunk can be judged at once: nobody asks for a row each, and all are the lines that they
    /// stand in and within the limit.
    fn is_for_bulk(&self, chunk: &Chunk<'_>) -> bool {
        let needs_records = self.trim || matches!(self.task, Task::Rows(..));
        !needs_records && !chunk.is_part() && chunk.lines().len() <= self.max_record.min(Batch::MAX_BYTES)
    }

    /// Judges all records of a chunk at once.
    fn scan(&self, chunk: &Chunk<'_>, batch: &mut Batch, found: &mut Yield) {
        let lines = chunk.lines();
        let columns = if self.counts { Columns::ALL } else { Columns::NONE };
        self.validator.scan(lines, chunk.base(), columns, batch).expect("the chunk is short enough");
        found.records = batch.len() as u64;
        found.has_invalid = !batch.invalid().is_empty();
        let mark = (chunk.bytes().len() - lines.len()) as u64;
        if self.counts {
            found.stats.count_batch(lines, batch, mark + 1);
        }
        match self.task {
            Task::Count | Task::Rows(..) => {}
            Task::Errors => found.errors.extend(batch.invalid().iter().map(|record| Place {
                index: record.index.into(),
                column: 1 + if record.index == 0 { mark } else { 0 },
                error: record.error,
            })),
            Task::Lines(only) => {
                // The lines between two invalid ones are copied at once.
                let mut at = 0;
                for record in batch.invalid() {
                    let rest = &lines[record.end as usize..];
                    let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |line_feed| line_feed + 1);
                    let line = record.start as usize..record.end as usize + end;
                    found.text.extend_from_slice(match only {
                        Only::Valid => &lines[at..line.start],
                        Only::Invalid => &lines[line.clone()],
                    });
                    at = line.end;
                }
                if only == Only::Valid {
                    found.text.extend_from_slice(&lines[at..]);
                }
            }
        }
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
