//! What workers make of a chunk.

use std::sync::{Mutex, PoisonError};

use urivalidate::corpus::{Chunk, Format, Scratch};
use urivalidate::{Grammar, Stats};

use crate::encode::{Encoded, Input};
use crate::plan::{End, Plan};

/// What is to be done with every chunk.
pub(crate) struct Job<'a> {
    plan: &'a Plan<'a>,
    /// What is to be used again.
    outputs: Spare<ChunkOutput>,
    scratches: Spare<Scratch>,
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

/// What is made of a chunk.
pub(crate) struct ChunkOutput {
    /// For each output of the plan.
    pub(crate) encoded: Vec<Encoded>,
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
    /// Whether there was no memory for the records, or for what has to be written of them.
    pub(crate) is_out_of_memory: bool,
    pub(crate) stats: Stats,
}

impl Default for ChunkOutput {
    fn default() -> Self {
        ChunkOutput {
            encoded: Vec::new(),
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

impl<'a> Job<'a> {
    pub(crate) fn new(plan: &'a Plan<'a>) -> Self {
        Job { plan, outputs: Spare::default(), scratches: Spare::default() }
    }

    /// Takes a result back.
    pub(crate) fn recycle(&self, done: ChunkOutput) {
        /// A chunk of a long record is no reason to keep its room.
        const KEPT: usize = 8 << 20;

        if done.encoded.iter().all(|encoded| encoded.capacity() <= KEPT) {
            self.outputs.put(done);
        }
    }

    /// Scans a chunk of the file of this name.
    pub(crate) fn run(&self, file: &[u8], chunk: &Chunk<'_>) -> ChunkOutput {
        let mut scratch = self.scratches.take();
        let mut output = self.outputs.take();
        self.fill(&mut output, &mut scratch, file, chunk);
        self.scratches.put(scratch);
        output
    }

    fn fill(&self, output: &mut ChunkOutput, scratch: &mut Scratch, file: &[u8], chunk: &Chunk<'_>) {
        let plan = self.plan;
        output.encoded.resize_with(plan.outputs.len(), Encoded::default);
        output.encoded.iter_mut().for_each(Encoded::clear);
        let validator = plan.validator(chunk.layout().grammar());
        (output.format, output.grammar) = (chunk.layout().format(), validator.grammar());
        (output.bytes, output.lines, output.records, output.invalid) = (0, 0, 0, 0);
        (output.has_invalid, output.is_out_of_memory) = (false, false);
        if plan.args.counts() {
            output.stats.clear();
        }
        let Ok(scanned) = scratch.scan(chunk, validator, plan.columns) else {
            output.is_out_of_memory = true;
            return;
        };
        let bad_line = scanned.first_bad_line();
        let stops_here = |&line: &u64| matches!(plan.end, End::FirstInvalid) && line + 1 < scanned.lines();
        if let Some(line) = bad_line.filter(stops_here) {
            // What comes behind it is not to be seen.
            return self.fill(output, scratch, file, &chunk.head(line as usize + 1));
        }
        let malformed = scanned.malformed().len() as u64;
        output.bytes = scanned.bytes();
        output.lines = scanned.lines();
        output.records = scanned.len() as u64 + malformed;
        output.invalid = scanned.batch().invalid().len() as u64 + malformed;
        output.has_invalid = bad_line.is_some();
        if plan.args.counts() {
            if plan.args.top_hosts.is_some() {
                output.stats.count_hosts();
            }
            output.stats.count(&scanned);
        }
        let input = Input { file, first_line: chunk.first_line().unwrap_or(1), validator, scanned: &scanned };
        let mut encodings = plan.outputs.iter().zip(&mut output.encoded);
        output.is_out_of_memory = encodings.any(|(planned, to)| planned.encoder.encode(&input, to).is_err());
    }
}
