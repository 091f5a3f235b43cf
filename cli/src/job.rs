//! What workers make of a chunk, and what it says in order.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, Fields, Format, MalformedLine, Record};
use urivalidate::{Batch, Columns, Components, Error, Grammar, Stats, Validator};

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
    trim: bool,
    max_record: usize,
    tasks: Vec<Task>,
    counts: bool,
    counts_hosts: bool,
    stops_at_invalid: bool,
    /// Whether lines are not records as they are: with `--null` records may hold LFs.
    edits_lines: bool,
    /// Results and batches whose memory is to be used again.
    spare: Spare<Yield>,
    spare_batches: Spare<Batch>,
    spare_fields: Spare<Fields>,
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

/// Records that are judged one by one, and the lines between them that do not fit the format.
struct Input<'a, R> {
    file: &'a [u8],
    chunk: &'a Chunk<'a>,
    records: R,
    malformed: &'a [MalformedLine],
    /// The 1-based byte of its line that byte `offset` of a record comes from, of which the number in the chunk is given,
    /// too.
    column: &'a dyn Fn(usize, &Record<'_>, usize) -> u64,
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
            trim: args.trim,
            max_record: args.max_record,
            tasks,
            counts: args.stats.is_some(),
            counts_hosts: args.top_hosts.is_some(),
            stops_at_invalid: args.fail_fast,
            edits_lines: args.trim || args.null,
            spare: Spare::default(),
            spare_batches: Spare::default(),
            spare_fields: Spare::default(),
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
        let are_lines = chunk.layout().format() == Format::Lines;
        let mut found = if are_lines && !(self.edits_lines && self.is_short(chunk)) {
            self.run_lines(file, chunk)
        } else {
            self.run_fields(file, chunk)
        };
        if self.counts {
            found.stats.count_bytes(found.bytes as usize);
        }
        found
    }

    /// Whether all records of a chunk are surely within the limit, and what is made of them all at once is no longer than
    /// usual.
    fn is_short(&self, chunk: &Chunk<'_>) -> bool {
        !chunk.is_part() && chunk.lines().len() <= self.max_record.min(LONG)
    }

    /// The lines are the records.
    fn run_lines(&self, file: &[u8], chunk: &Chunk<'_>) -> Yield {
        if !self.edits_lines && self.is_short(chunk) {
            let found = self.at_once(|batch, found| self.scan_lines(file, chunk, batch, found), chunk);
            if !(self.stops_at_invalid && found.has_invalid) {
                return found;
            }
            // One by one they can be left at any.
            self.recycle(found);
        }
        let mut found = self.fresh(chunk);
        let records = chunk.records().map(|record| if self.trim { record.trim() } else { record });
        let column = |_, record: &Record<'_>, offset| record.column + offset as u64;
        self.one_by_one(Input { file, chunk, records, malformed: &[], column: &column }, &mut found);
        found.lines = found.records;
        // A record over the limit is known to be invalid before its end, which may be far.
        found.has_invalid |= chunk.is_part();
        if chunk.is_part() {
            // Every part of it passes through.
            for (task, text) in self.tasks.iter().zip(&mut found.texts) {
                if matches!(task, Task::Lines(Only::Invalid)) {
                    text.extend_from_slice(chunk.lines());
                }
            }
        }
        found
    }

    /// The records are fields of the lines.
    fn run_fields(&self, file: &[u8], chunk: &Chunk<'_>) -> Yield {
        let mut fields = self.spare_fields.take();
        if fields.extract(chunk, self.trim).is_err() {
            return Yield { is_out_of_memory: true, ..self.fresh(chunk) };
        }
        let found = self.run_found(file, chunk, &fields);
        // Those of a long record are no reason to keep its room.
        if chunk.bytes().len() <= LONG {
            self.spare_fields.put(fields);
        }
        found
    }

    /// The records are these fields.
    fn run_found(&self, file: &[u8], chunk: &Chunk<'_>, fields: &Fields) -> Yield {
        if chunk.lines().len() <= LONG {
            let found =
                self.at_once(|batch, found| self.scan_fields(file, chunk, fields, batch, found), chunk);
            if !(self.stops_at_invalid && found.has_invalid) {
                return found;
            }
            self.recycle(found);
        }
        let mut found = self.fresh(chunk);
        let (records, malformed) = (fields.records(chunk), fields.malformed());
        let column = |index, _: &Record<'_>, offset| fields.column(chunk, index, offset);
        self.one_by_one(Input { file, chunk, records, malformed, column: &column }, &mut found);
        found.lines = fields.lines();
        if self.counts {
            found.stats.count_lines_beside(fields);
        }
        found
    }

    fn at_once(&self, scan: impl FnOnce(&mut Batch, &mut Yield), chunk: &Chunk<'_>) -> Yield {
        let mut batch = self.spare_batches.take();
        let mut found = self.fresh(chunk);
        scan(&mut batch, &mut found);
        self.spare_batches.put(batch);
        found.bytes = chunk.bytes().len() as u64;
        found.has_invalid = found.invalid > 0;
        found
    }

    fn columns(&self) -> Columns {
        let has_rows = self.tasks.iter().any(|task| matches!(task, Task::Rows(_, None | Some(Only::Valid))));
        if self.counts || has_rows { Columns::ALL } else { Columns::NONE }
    }

    /// Judges all lines of a chunk at once.
    fn scan_lines(&self, file: &[u8], chunk: &Chunk<'_>, batch: &mut Batch, found: &mut Yield) {
        let lines = chunk.lines();
        let validator = self.validator(chunk);
        validator.scan(lines, chunk.base(), self.columns(), batch).expect("the chunk is short enough");
        found.lines = batch.len() as u64;
        found.records = batch.len() as u64;
        found.invalid = batch.invalid().len() as u64;
        let mark = (chunk.bytes().len() - lines.len()) as u64;
        let first_line = chunk.first_line().unwrap_or(1);
        if self.counts {
            found.stats.count_batch(lines, batch, mark + 1);
        }
        for (task, text) in self.tasks.iter().zip(&mut found.texts) {
            match task {
                Task::Rows(rows, only) => {
                    let source =
                        |index, range| (index as u64, if index == 0 { mark + 1 } else { 1 }, &lines[range]);
                    let judged = Judged { file, first_line, validator, batch, values: lines, malformed: &[] };
                    judged.write(rows, *only, source, text);
                }
                Task::Errors if !found.errors.is_empty() => {}
                Task::Errors => found.errors.extend(batch.invalid().iter().map(|record| Place {
                    line: record.index.into(),
                    column: 1 + record.error.offset() as u64 + if record.index == 0 { mark } else { 0 },
                    problem: Problem::Invalid(record.error),
                })),
                Task::Lines(only) => copy_lines(lines, batch, *only, text),
            }
        }
    }

    /// Judges all fields of a chunk at once.
    fn scan_fields(
        &self,
        file: &[u8],
        chunk: &Chunk<'_>,
        fields: &Fields,
        batch: &mut Batch,
        found: &mut Yield,
    ) {
        let validator = self.validator(chunk);
        fields.scan(validator, self.columns(), batch).expect("the fields are short enough");
        let first_line = chunk.first_line().unwrap_or(1);
        let malformed = fields.malformed().len() as u64;
        found.lines = fields.lines();
        found.records = batch.len() as u64 + malformed;
        found.invalid = batch.invalid().len() as u64 + malformed;
        if self.counts {
            found.stats.count_fields(fields, batch);
        }
        for (task, text) in self.tasks.iter().zip(&mut found.texts) {
            match task {
                Task::Rows(rows, only) => {
                    let source = |index, range| {
                        let bytes = fields.record_bytes(index, range);
                        (fields.line_number(index), fields.start_column(index), bytes)
                    };
                    let (values, malformed) = (fields.values(), fields.malformed());
                    let judged = Judged { file, first_line, validator, batch, values, malformed };
                    judged.write(rows, *only, source, text);
                }
                Task::Errors if !found.errors.is_empty() => {}
                Task::Errors => {
                    found.errors.extend(fields.malformed().iter().map(Place::malformed));
                    found.errors.extend(batch.invalid().iter().map(|record| {
                        let index = record.index as usize;
                        Place {
                            line: fields.line_number(index),
                            column: fields.column(chunk, index, record.error.offset()),
                            problem: Problem::Invalid(record.error),
                        }
                    }));
                    found.errors.sort_by_key(|place| place.line);
                }
                Task::Lines(Only::Invalid) => {
                    for record in batch.invalid() {
                        text.extend_from_slice(fields.line(chunk, record.index as usize));
                    }
                }
                Task::Lines(Only::Valid) => {
                    for index in (0..fields.len()).filter(|&index| batch.is_valid(index)) {
                        text.extend_from_slice(fields.line(chunk, index));
                    }
                }
            }
        }
    }

    /// Judges records one by one, up to the first problem if the run is to stop there.
    fn one_by_one<'a, R: Iterator<Item = Record<'a>>>(&self, input: Input<'_, R>, found: &mut Yield) {
        if self.counts {
            self.dispatch(input, found, Stats::count);
        } else {
            self.dispatch(input, found, |_, _, _| {});
        }
    }

    fn dispatch<'a, R: Iterator<Item = Record<'a>>>(
        &self,
        Input { file, chunk, records, malformed, column }: Input<'_, R>,
        found: &mut Yield,
        count: impl Fn(&mut Stats, &Record<'_>, &Result<Components, Error>),
    ) {
        let validator = self.validator(chunk);
        let first_line = chunk.first_line().unwrap_or(1);
        let wants_errors = self.tasks.iter().any(|task| matches!(task, Task::Errors));
        let stops = |found: &Yield| self.stops_at_invalid && found.invalid > 0 && !chunk.is_part();
        let mut malformed = malformed.iter().peekable();
        let all = chunk.bytes().len() as u64;
        let mut seen = all - chunk.lines().len() as u64;
        found.bytes = all;
        for (index, record) in records.enumerate() {
            while let Some(line) = malformed.next_if(|line| line.line < record.index) {
                self.report(file, first_line, line, found);
                if stops(found) {
                    return;
                }
            }
            let verdict = record.parse(validator);
            let row = Row {
                file,
                line: first_line + record.index,
                column: record.column,
                length: record.length,
                // One over the limit may not be here as a whole.
                text: (!record.is_too_long()).then_some(record.bytes),
                verdict: verdict.map_err(Problem::Invalid),
            };
            if record.line.len() > LONG && !self.reserve(record.line.len(), &row, &mut found.texts) {
                found.is_out_of_memory = true;
                return;
            }
            seen += record.line.len() as u64;
            found.records += 1;
            found.invalid += u64::from(verdict.is_err());
            count(&mut found.stats, &record, &verdict);
            for (task, text) in self.tasks.iter().zip(&mut found.texts) {
                match task {
                    Task::Errors => {}
                    Task::Lines(only) => {
                        if is_wanted(Some(*only), verdict.is_ok()) && !chunk.is_part() {
                            text.extend_from_slice(record.line);
                        }
                    }
                    Task::Rows(rows, only) => {
                        if is_wanted(*only, verdict.is_ok()) {
                            rows.write(text, &row);
                        }
                    }
                }
            }
            if let Err(error) = verdict {
                found.has_invalid = true;
                if wants_errors {
                    found.errors.push(Place {
                        line: record.index,
                        column: column(index, &record, error.offset()),
                        problem: Problem::Invalid(error),
                    });
                }
                if stops(found) {
                    if chunk.layout().format() == Format::Lines {
                        found.bytes = seen;
                    }
                    return;
                }
            }
        }
        for line in malformed {
            self.report(file, first_line, line, found);
            if stops(found) {
                return;
            }
        }
    }

    /// Makes room for what is written of a record with a line of so many bytes, if there is memory for it.
    fn reserve(&self, line: usize, row: &Row<'_>, texts: &mut [Vec<u8>]) -> bool {
        self.tasks.iter().zip(texts).all(|(task, text)| {
            let room = match task {
                Task::Lines(only) if is_wanted(Some(*only), row.verdict.is_ok()) => line,
                Task::Rows(rows, only) if is_wanted(*only, row.verdict.is_ok()) => rows.room(row),
                _ => 0,
            };
            text.try_reserve_exact(room).is_ok()
        })
    }

    /// Says of a line that it does not fit its format.
    fn report(&self, file: &[u8], first_line: u64, line: &MalformedLine, found: &mut Yield) {
        found.records += 1;
        found.invalid += 1;
        found.has_invalid = true;
        let mut wants_errors = false;
        for (task, text) in self.tasks.iter().zip(&mut found.texts) {
            match task {
                Task::Errors => wants_errors = true,
                Task::Rows(rows, _) if rows.are_errors() => {
                    rows.write(text, &malformed_row(file, first_line, line));
                }
                // It is no record.
                Task::Rows(..) | Task::Lines(_) => {}
            }
        }
        if wants_errors {
            found.errors.push(Place::malformed(line));
        }
    }
}

/// What rows are made of where records have been judged at once.
struct Judged<'a> {
    file: &'a [u8],
    /// 1-based, of the chunk.
    first_line: u64,
    validator: &'a Validator,
    batch: &'a Batch,
    /// What was scanned.
    values: &'a [u8],
    malformed: &'a [MalformedLine],
}

impl Judged<'_> {
    /// Writes the rows of the records of this verdict. `source` says of a record, given its index and its place in what was
    /// scanned, the 0-based number of its line in the chunk, the 1-based byte of the line that it starts at, and its bytes.
    fn write<'b>(
        &self,
        rows: &Rows,
        only: Option<Only>,
        source: impl Fn(usize, Range<usize>) -> (u64, u64, &'b [u8]),
        text: &mut Vec<u8>,
    ) {
        let write = |text: &mut Vec<u8>, (line, column, bytes): (u64, u64, &[u8]), verdict| {
            let (line, length) = (self.first_line + line, bytes.len() as u64);
            rows.write(text, &Row { file: self.file, line, column, length, text: Some(bytes), verdict });
        };
        if only != Some(Only::Invalid) {
            for row in self.batch.rows().filter(|row| only.is_none() || row.is_valid()) {
                let verdict = row.verdict(self.validator, self.values).map_err(Problem::Invalid);
                write(text, source(row.index(), row.range()), verdict);
            }
            return;
        }
        // Where the rows are errors, those of lines that do not fit their format are between them.
        let malformed = if rows.are_errors() { self.malformed } else { &[] };
        let mut malformed = malformed.iter().peekable();
        let write_malformed =
            |text: &mut Vec<u8>, line| rows.write(text, &malformed_row(self.file, self.first_line, line));
        for record in self.batch.invalid() {
            let place = source(record.index as usize, record.start as usize..record.end as usize);
            while let Some(line) = malformed.next_if(|line| line.line < place.0) {
                write_malformed(text, line);
            }
            write(text, place, Err(Problem::Invalid(record.error)));
        }
        malformed.for_each(|line| write_malformed(text, line));
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

/// Copies the lines of the valid or of the invalid records; those between two invalid ones at once.
///
/// In a mapped file that shrinks meanwhile line ends get lost. What is copied then is thrown away.
fn copy_lines(lines: &[u8], batch: &Batch, only: Only, text: &mut Vec<u8>) {
    let mut at = 0;
    for record in batch.invalid() {
        let rest = &lines[record.end as usize..];
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |line_feed| line_feed + 1);
        let line = record.start as usize..record.end as usize + end;
        text.extend_from_slice(match only {
            Only::Valid => lines.get(at..line.start).unwrap_or_default(),
            Only::Invalid => &lines[line.clone()],
        });
        at = line.end;
    }
    if only == Only::Valid {
        text.extend_from_slice(&lines[at..]);
    }
}
