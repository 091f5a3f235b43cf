//! What workers make of a chunk, and what it says in order.

use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, Record};
use urivalidate::{Batch, Columns, Components, Error, Stats, Validator};

use crate::args::{Args, Only};
use crate::routes::Task;
use crate::rows::Row;

/// What is to be done with every chunk. One for the whole run.
pub(crate) struct Job {
    validator: Validator,
    trim: bool,
    max_record: usize,
    tasks: Vec<Task>,
    counts: bool,
    counts_hosts: bool,
    stops_at_invalid: bool,
    /// Whether records end with LF, as the engine has it.
    has_lines: bool,
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

/// What a chunk yields.
#[derive(Default)]
pub(crate) struct Yield {
    /// What each task has to write, as it is.
    pub(crate) texts: Vec<Vec<u8>>,
    /// What [`Task::Errors`] has to write.
    pub(crate) errors: Vec<Place>,
    /// Scanned bytes.
    pub(crate) bytes: u64,
    pub(crate) records: u64,
    pub(crate) invalid: u64,
    /// Also of a record that has not ended yet.
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
    pub(crate) fn new(args: &Args, validator: Validator, tasks: Vec<Task>) -> Self {
        Job {
            validator,
            trim: args.trim,
            max_record: args.max_record,
            tasks,
            counts: args.stats.is_some(),
            counts_hosts: args.top_hosts.is_some(),
            stops_at_invalid: args.fail_fast,
            has_lines: !args.null,
            spare: Spare::default(),
            spare_batches: Spare::default(),
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

    fn fresh(&self) -> Yield {
        let mut fresh = self.spare.take();
        fresh.texts.resize_with(self.tasks.len(), Vec::new);
        fresh.texts.iter_mut().for_each(Vec::clear);
        fresh.errors.clear();
        (fresh.bytes, fresh.records, fresh.invalid, fresh.has_invalid) = (0, 0, 0, false);
        if self.counts {
            fresh.stats.clear();
        }
        if self.counts_hosts {
            fresh.stats.count_hosts();
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
            if !(self.stops_at_invalid && found.has_invalid) {
                return self.finish(found);
            }
            // One by one they can be left at any.
            self.recycle(found);
            found = self.fresh();
        }
        if self.counts {
            self.dispatch(file, chunk, &mut found, Stats::count);
        } else {
            self.dispatch(file, chunk, &mut found, |_, _, _| {});
        }
        self.finish(found)
    }

    fn finish(&self, mut found: Yield) -> Yield {
        if self.counts {
            found.stats.count_bytes(found.bytes as usize);
        }
        found
    }

    /// Whether all records of a chunk can be judged at once: nobody asks for rows, and all are the lines that they stand in
    /// and within the limit.
    fn is_for_bulk(&self, chunk: &Chunk<'_>) -> bool {
        let needs_records = self.trim || !self.has_lines || self.needs_line_numbers();
        !needs_records && !chunk.is_part() && chunk.lines().len() <= self.max_record.min(Batch::MAX_BYTES)
    }

    /// Judges all records of a chunk at once.
    fn scan(&self, chunk: &Chunk<'_>, batch: &mut Batch, found: &mut Yield) {
        let lines = chunk.lines();
        let columns = if self.counts { Columns::ALL } else { Columns::NONE };
        self.validator.scan(lines, chunk.base(), columns, batch).expect("the chunk is short enough");
        found.bytes = chunk.bytes().len() as u64;
        found.records = batch.len() as u64;
        found.invalid = batch.invalid().len() as u64;
        found.has_invalid = found.invalid > 0;
        let mark = (chunk.bytes().len() - lines.len()) as u64;
        if self.counts {
            found.stats.count_batch(lines, batch, mark + 1);
        }
        for (task, text) in self.tasks.iter().zip(&mut found.texts) {
            match *task {
                Task::Rows(..) => unreachable!("rows are made of records one by one"),
                Task::Errors if !found.errors.is_empty() => {}
                Task::Errors => found.errors.extend(batch.invalid().iter().map(|record| Place {
                    index: record.index.into(),
                    column: 1 + if record.index == 0 { mark } else { 0 },
                    error: record.error,
                })),
                Task::Lines(only) => copy_lines(lines, batch, only, text),
            }
        }
    }

    /// Judges the records of a chunk one by one, up to the first invalid one if the run is to stop there.
    fn dispatch(
        &self,
        file: &[u8],
        chunk: &Chunk<'_>,
        found: &mut Yield,
        count: impl Fn(&mut Stats, &Record<'_>, &Result<Components, Error>),
    ) {
        let Yield { texts, errors, bytes, records, invalid, has_invalid, stats } = found;
        let first_line = chunk.first_line().unwrap_or(1);
        let wants_errors = self.tasks.iter().any(|task| matches!(task, Task::Errors));
        *bytes = chunk.bytes().len() as u64;
        let mut seen = *bytes - chunk.lines().len() as u64;
        for record in chunk.records() {
            let record = if self.trim { record.trim() } else { record };
            let verdict = record.parse(&self.validator);
            seen += record.line.len() as u64;
            *records += 1;
            *invalid += u64::from(verdict.is_err());
            count(stats, &record, &verdict);
            for (task, text) in self.tasks.iter().zip(&mut *texts) {
                match task {
                    Task::Errors => {}
                    Task::Lines(only) => {
                        if is_wanted(Some(*only), &verdict) && !chunk.is_part() {
                            text.extend_from_slice(record.line);
                        }
                    }
                    Task::Rows(rows, only) => {
                        if is_wanted(*only, &verdict) {
                            let line = first_line + record.index;
                            rows.write(text, Row { file, line, record: &record, verdict: &verdict });
                        }
                    }
                }
            }
            if let Err(error) = verdict {
                if wants_errors {
                    errors.push(Place { index: record.index, column: record.column, error });
                }
                if self.stops_at_invalid && !chunk.is_part() {
                    *bytes = seen;
                    break;
                }
            }
        }
        // A record over the limit is known to be invalid before its end, which may be far.
        *has_invalid = *invalid > 0 || chunk.is_part();
        if chunk.is_part() {
            // Every part of it passes through.
            for (task, text) in self.tasks.iter().zip(texts) {
                if matches!(task, Task::Lines(Only::Invalid)) {
                    text.extend_from_slice(chunk.lines());
                }
            }
        }
    }
}

/// Whether an output has a record of this verdict.
fn is_wanted(only: Option<Only>, verdict: &Result<Components, Error>) -> bool {
    only.is_none_or(|only| verdict.is_ok() == (only == Only::Valid))
}

/// Copies the lines of the valid or of the invalid records; those between two invalid ones at once.
fn copy_lines(lines: &[u8], batch: &Batch, only: Only, text: &mut Vec<u8>) {
    let mut at = 0;
    for record in batch.invalid() {
        let rest = &lines[record.end as usize..];
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |line_feed| line_feed + 1);
        let line = record.start as usize..record.end as usize + end;
        text.extend_from_slice(match only {
            Only::Valid => &lines[at..line.start],
            Only::Invalid => &lines[line.clone()],
        });
        at = line.end;
    }
    if only == Only::Valid {
        text.extend_from_slice(&lines[at..]);
    }
}
