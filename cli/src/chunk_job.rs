//! The work on one chunk, by a worker.

use std::convert::Infallible;
use std::mem;
use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, ChunkScanner, Evidence, Format, Scanned, Wrapper};
use urivalidate::stats::Stats;
use urivalidate::tools::{
    Fit, Guess, SomeRecords, are_mostly, copy_of, first_bad_line, first_lines, is_table,
    scan_to_first_problem,
};
use urivalidate::{Columns, ErrorKind, Grammar, InvalidRecord, Page, Validator};

use crate::encode::{Encode, Encoded, JudgedChunk};
use crate::output::Failure;
use crate::plan::{End, Plan};
use crate::refusal::Refusal;

/// The work on each chunk.
pub(crate) struct ChunkJob<'a> {
    plan: &'a Plan,
    /// The results to reuse.
    outputs: Spare<ChunkOutput>,
    /// The scanners for the grammar and for the second one (`--also`).
    chunk_scanners: Spare<[ChunkScanner; 2]>,
}

/// Values to reuse.
#[derive(Default)]
struct Spare<T>(Mutex<Vec<T>>);

impl<T: Default> Spare<T> {
    fn take(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Keeps a value, unless there are `most` already.
    fn put(&self, used: T, most: usize) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < most {
            kept.push(used);
        }
    }
}

/// The results of a chunk.
pub(crate) struct ChunkOutput {
    /// The encoded rows, one value for each output of the plan.
    pub(crate) encoded: Vec<Encoded>,
    /// The chunk, if one of its outputs is too long for memory. The chunk is then [encoded later](ChunkJob::append).
    postponed: Option<Chunk<'static>>,
    /// The format of the chunk.
    pub(crate) format: Format,
    pub(crate) grammar: Grammar,
    /// The key that was detected, at the start of a file.
    pub(crate) key: Option<String>,
    /// The number of lines that support the format, if it was guessed.
    pub(crate) evidence: Option<Evidence>,
    /// The wrapper of the lines, if one was detected.
    pub(crate) wrapper: Option<Wrapper>,
    /// The number of lines that lack the key, and whether others have it.
    pub(crate) keyless: u64,
    pub(crate) has_key: bool,
    /// The number of records with a character beyond ASCII that the grammar of IRIs allows.
    pub(crate) beyond_ascii: u64,
    /// The evidence against the format: see [`Hint`](crate::hint::Hint).
    pub(crate) misfits: u64,
    /// A guess about the file's format, if the file starts here and may have another format.
    pub(crate) guess: Option<Guess>,
    /// The numbers of lines that do and do not fit their format.
    pub(crate) fit: Fit,
    /// The number of scanned bytes.
    pub(crate) bytes: u64,
    /// The number of records. This number and `invalid` include lines that do not fit their format.
    pub(crate) records: u64,
    pub(crate) invalid: u64,
    /// Whether a record is invalid, including a record that has not ended yet.
    pub(crate) has_invalid: bool,
    /// The reason why the output is not complete.
    pub(crate) refusal: Option<Refusal>,
    pub(crate) stats: Stats,
}

impl Default for ChunkOutput {
    fn default() -> Self {
        ChunkOutput {
            encoded: Vec::new(),
            postponed: None,
            format: Format::Lines,
            grammar: Grammar::Uri,
            key: None,
            evidence: None,
            wrapper: None,
            keyless: 0,
            has_key: false,
            beyond_ascii: 0,
            misfits: 0,
            guess: None,
            fit: Fit::default(),
            bytes: 0,
            records: 0,
            invalid: 0,
            has_invalid: false,
            refusal: None,
            stats: Stats::new(),
        }
    }
}

impl<'a> ChunkJob<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        ChunkJob { plan, outputs: Spare::default(), chunk_scanners: Spare::default() }
    }

    /// Takes a result back, to reuse its memory.
    pub(crate) fn recycle(&self, done: ChunkOutput) {
        /// The most bytes of an output that are kept, so that small results do not hold the memory of large ones.
        const KEPT: usize = 2 << 20;

        if done.encoded.iter().all(|encoded| encoded.capacity() <= KEPT) {
            // If the sink keeps up, at most this number of results is waiting.
            self.outputs.put(done, 2 * self.plan.scanner.thread_count() + 2);
        }
    }

    /// Scans a chunk of the file of this name.
    pub(crate) fn run(&self, file: &[u8], chunk: &Chunk<'_>) -> ChunkOutput {
        let mut chunk_scanners = self.chunk_scanners.take();
        let mut output = self.outputs.take();
        self.fill(&mut output, &mut chunk_scanners, file, chunk);
        let postponed = output.postponed.as_ref().map_or(0, |chunk| chunk.bytes().len());
        let encoded = output.encoded.iter().map(Encoded::held_bytes).sum::<usize>();
        chunk.report_result_bytes(encoded + postponed);
        self.chunk_scanners.put(chunk_scanners, usize::MAX);
        output
    }

    fn fill(
        &self,
        output: &mut ChunkOutput,
        chunk_scanners: &mut [ChunkScanner; 2],
        file: &[u8],
        chunk: &Chunk<'_>,
    ) {
        let plan = self.plan;
        output.encoded.resize_with(plan.outputs.len(), Encoded::default);
        output.encoded.iter_mut().for_each(Encoded::clear);
        let validator = plan.validator(chunk.layout());
        (output.format, output.grammar) = (chunk.layout().format(), validator.grammar());
        output.key = chunk.layout().key_found().filter(|_| chunk.base() == 0).map(str::to_owned);
        output.evidence = chunk.layout().evidence();
        output.wrapper = chunk.layout().wrapper();
        output.guess = None;
        output.postponed = None;
        (output.bytes, output.records, output.invalid) = (0, 0, 0);
        (output.keyless, output.has_key, output.beyond_ascii) = (0, false, 0);
        (output.has_invalid, output.refusal) = (false, None);
        if plan.statistics.is_some() {
            output.stats.clear();
        }
        let lacks_base = plan.needs_base && !chunk.layout().has_pages();
        if lacks_base && output.format != Format::Html {
            output.refusal = Some(Refusal::NoBase);
            return;
        }
        let [chunk_scanner, other_scanner] = chunk_scanners;
        let Ok(mut scanned) = chunk_scanner.scan(chunk, &validator, plan.columns) else {
            output.refusal = Some(Refusal::OutOfMemory);
            return;
        };
        if lacks_base && !self.all_have_base(&scanned, validator) {
            output.refusal = Some(Refusal::NoBase);
            return;
        }
        let bad_line = first_bad_line(&scanned);
        if let Some(line) = bad_line.filter(|_| matches!(plan.end, End::FirstInvalid)) {
            // Bytes after this line must not affect the results.
            let head = first_lines(chunk, line as usize + 1);
            // If the rest of a page is a single tag, no shorter head exists.
            if line + 1 < scanned.lines() && head.bytes().len() < chunk.bytes().len() {
                return self.fill(output, chunk_scanners, file, &head);
            }
            match scan_to_first_problem(chunk_scanner, chunk, &validator, plan.columns) {
                Ok(to_first) => scanned = to_first,
                Err(_) => {
                    output.refusal = Some(Refusal::OutOfMemory);
                    return;
                }
            }
        }
        let malformed = scanned.malformed().len() as u64;
        output.fit =
            if plan.leaves_out_misfits() { Fit::new(&scanned, output.grammar) } else { Fit::default() };
        output.bytes = scanned.bytes();
        output.records = scanned.len() as u64 + malformed;
        output.invalid = scanned.batch().invalid().len() as u64 + malformed;
        output.has_invalid = bad_line.is_some();
        output.keyless = scanned.without_key();
        output.has_key = !scanned.is_empty() || scanned.sentinels() > 0;
        let is_beyond = |record: &&InvalidRecord| record.error.kind() == ErrorKind::NonAscii;
        output.beyond_ascii = scanned.batch().invalid().iter().filter(is_beyond).count() as u64;
        output.misfits = if output.format == Format::Lines { output.invalid } else { malformed };
        if plan.hints() && chunk.base() == 0 {
            output.guess = guess(output, malformed, chunk, scanned.batch().invalid());
        }
        if let Some(statistics) = &plan.statistics {
            output.stats = statistics.set_up(mem::take(&mut output.stats));
            output.stats.count(&scanned).expect("statistics have the plan scan for all columns");
        }
        if let Some(other_validator) = &plan.other_validator {
            match other_scanner.scan(chunk, other_validator, Columns::NONE) {
                Ok(other) => {
                    if plan.statistics.is_some() {
                        output.stats.count_against(&scanned, &other);
                    }
                    scanned = scanned.with_other(&other);
                }
                Err(_) => output.refusal = Some(Refusal::OutOfMemory),
            }
        }
        let input = self.judged(file, &scanned);
        if let Some(statistics) = &plan.statistics {
            if statistics.makes_values() && input.ask_for_made().is_err() {
                output.refusal = Some(Refusal::OutOfMemory);
                return;
            }
            if let Some(deriver) = input.deriver {
                let counted = output.stats.count_normal_records(&scanned, &deriver.normalizer());
                counted.expect("the scan had these columns");
            }
            if let Some(values) = statistics.distinct {
                let counted: Result<(), Infallible> = values.each(&input, |value| {
                    output.stats.count_value_parts(value);
                    Ok(())
                });
                let Ok(()) = counted;
            }
        }
        for (planned, to) in plan.outputs.iter().zip(&mut output.encoded) {
            if end_of_some(&*planned.encoder, &input, 0) < scanned.len() {
                if output.postponed.is_none() {
                    output.postponed = copy_of(chunk).ok();
                }
                if output.postponed.is_none() {
                    output.refusal = Some(Refusal::OutOfMemory);
                    return;
                }
            } else if planned.encoder.encode(&input, to).is_err() {
                output.refusal = Some(Refusal::OutOfMemory);
                return;
            }
        }
    }

    /// Returns true if the page itself names the base of each of its records. The record that names the base needs no base.
    fn all_have_base(&self, scanned: &Scanned<'_>, validator: Validator) -> bool {
        let deriver = self.plan.derivation.deriver(validator);
        let has_base = |page: Page<'_>| {
            page.base.is_none() || deriver.as_ref().is_ok_and(|deriver| deriver.base(Some(page)).is_some())
        };
        let mut last = None;
        (0..scanned.len()).all(|index| {
            let page = scanned.page(index);
            page.is_some() && (page == last || page.is_some_and(has_base)) && {
                last = page;
                true
            }
        })
    }

    /// Returns a scanned chunk with all facts that encoders need.
    fn judged<'s>(&'s self, file: &'s [u8], scanned: &'s Scanned<'s>) -> JudgedChunk<'s> {
        let chunk = scanned.chunk();
        let first_line = chunk.first_line().unwrap_or(1);
        let validator = self.plan.validator(chunk.layout());
        let deriver = self.plan.derivation.deriver(validator).ok();
        JudgedChunk { file, first_line, validator, deriver, scanned }
    }

    /// Passes the outputs of a chunk to a function, each with the number of the output in the plan. A long output is encoded here, part by
    /// part, so that it is never in memory as a whole.
    pub(crate) fn append(
        &self,
        file: &[u8],
        output: &mut ChunkOutput,
        mut append: impl FnMut(usize, &Encoded) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for (number, encoded) in output.encoded.iter().enumerate() {
            append(number, encoded)?;
        }
        let Some(chunk) = output.postponed.take() else { return Ok(()) };
        let (plan, validator) = (self.plan, self.plan.validator(chunk.layout()));
        let mut chunk_scanners = self.chunk_scanners.take();
        let [chunk_scanner, other_scanner] = &mut chunk_scanners;
        let scanned = match plan.end {
            End::FirstInvalid => scan_to_first_problem(chunk_scanner, &chunk, &validator, plan.columns),
            _ => chunk_scanner.scan(&chunk, &validator, plan.columns),
        };
        let other = plan.other_validator.as_ref();
        let other = other.map(|other| other_scanner.scan(&chunk, other, Columns::NONE)).transpose();
        let (Ok(scanned), Ok(other)) = (scanned, other) else {
            output.refusal = Some(Refusal::OutOfMemory);
            return Ok(());
        };
        let scanned = other.map_or(scanned, |other| scanned.with_other(&other));
        let input = self.judged(file, &scanned);
        let (mut some, mut part) = (SomeRecords::default(), Encoded::default());
        for (number, planned) in plan.outputs.iter().enumerate() {
            let encoder = &*planned.encoder;
            if end_of_some(encoder, &input, 0) == scanned.len() {
                continue;
            }
            let mut first = 0;
            while first < scanned.len() {
                let end = end_of_some(encoder, &input, first);
                let records = some.of(&scanned, first..end).expect("parts end within the chunk");
                part.clear();
                if encoder.encode(&JudgedChunk { scanned: &records, ..input }, &mut part).is_err() {
                    output.refusal = Some(Refusal::OutOfMemory);
                    return Ok(());
                }
                append(number, &part)?;
                first = end;
            }
        }
        self.chunk_scanners.put(chunk_scanners, usize::MAX);
        Ok(())
    }
}

/// Returns the end of the records from `first` on whose output can be held in memory at once.
fn end_of_some(encoder: &dyn Encode, input: &JudgedChunk<'_>, first: usize) -> usize {
    let scanned = input.scanned;
    let end = encoder.repeats().end_of_some(scanned, input.deriver.as_ref(), first);
    // The number of lines of a list was estimated. In other formats a line may hold any number of records.
    match scanned.chunk().layout().format() {
        Format::Lines => end.min(first.saturating_add(encoder.chunk_lines())),
        _ => end,
    }
}

/// Returns a guess from a file's first chunk: another format of its lines or, if the lines fit, the reason why most records are invalid.
fn guess(
    output: &ChunkOutput,
    malformed: u64,
    chunk: &Chunk<'_>,
    invalid: &[InvalidRecord],
) -> Option<Guess> {
    if output.format == Format::Lines || are_mostly(malformed, output.records) {
        return Guess::new(chunk.bytes(), chunk.layout());
    }
    if !are_mostly(output.invalid, output.records) {
        return None;
    }
    let hosts = is_table(output.format).then(|| Guess::of_hosts(chunk.bytes())).flatten();
    let values = hosts.unwrap_or_else(|| Guess::of_values(output.format, output.grammar, invalid));
    // If the user chose the format, no hint names other formats.
    (output.evidence.is_some() || !matches!(values, Guess::Values(_, None))).then_some(values)
}
