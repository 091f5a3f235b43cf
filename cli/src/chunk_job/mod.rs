//! The work on one chunk, by a worker.
//!
//! | module | does |
//! |---|---|
//! | `output` | [`ChunkOutput`]: the results of a chunk |
//! | `count` | counts the records, for the end of the run and for statistics |
//! | `to_first` | ends a run after its first finding |
//! | `append` | appends the outputs in input order, and encodes long ones |

mod append;
mod count;
mod output;
mod to_first;

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use urivalidate::corpus::{Chunk, ChunkScanner, Scanned};
use urivalidate::memory::room_for;
use urivalidate::{Base, Batch, Page, Validator};

pub(crate) use self::output::ChunkOutput;
use self::to_first::ToFirstFinding;
use crate::encode::{CHUNK_SIZE, Encoded, JudgedChunk};
use crate::findings::{Before, Found, SomeFindings};
use crate::host_filter::FilterMemory;
use crate::marked_lines::{MarkState, MarkedLines, Passage, has_marks};
use crate::plan::{End, Plan, Planned};
use crate::refusal::Refusal;

/// The work on each chunk.
pub(crate) struct ChunkJob<'a> {
    plan: &'a Plan,
    /// The results to reuse.
    outputs: Spare<ChunkOutput>,
    memory: Spare<Memory>,
    /// The facts about the next chunks, from those that were taken in input order.
    before: Mutex<Before>,
}

/// The memory of a scan.
#[derive(Default)]
struct Memory {
    chunk_scanner: ChunkScanner,
    /// The verdicts of the second grammar (`--also`).
    other: Batch,
    filter: FilterMemory,
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

impl<'a> ChunkJob<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        ChunkJob { plan, outputs: Spare::default(), memory: Spare::default(), before: Mutex::default() }
    }

    /// Begins a file. Call this and [`append`](Self::append) in input order.
    pub(crate) fn begin_file(&self) {
        self.before().marks = MarkState::default();
    }

    /// Returns what the chunks before have told.
    pub(crate) fn before(&self) -> MutexGuard<'_, Before> {
        self.before.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a result back, to reuse its memory.
    pub(crate) fn recycle(&self, mut done: ChunkOutput) {
        /// The most bytes of an output that are kept, so that small results do not hold the memory of large
        /// ones.
        const KEPT: usize = 2 << 20;

        done.encoded.truncate(self.plan.outputs.len());
        if done.encoded.iter().all(|encoded| encoded.capacity() <= KEPT) {
            // If the sink keeps up, at most this number of results is waiting.
            self.outputs.put(done, 2 * self.plan.scanner.thread_count() + 2);
        }
    }

    /// Scans a chunk of the file of this name.
    pub(crate) fn run(&self, file: &[u8], chunk: &Chunk<'_>) -> ChunkOutput {
        let mut memory = self.memory.take();
        let mut output = self.outputs.take();
        self.fill(&mut output, &mut memory, file, chunk);
        let copies = [&output.postponed, &output.unsure].into_iter().flatten();
        let copied: usize = copies.map(|chunk| chunk.bytes().len()).sum();
        chunk.report_result_bytes(output.held_bytes() + copied);
        self.memory.put(memory, usize::MAX);
        output
    }

    fn fill(&self, output: &mut ChunkOutput, memory: &mut Memory, file: &[u8], chunk: &Chunk<'_>) {
        let gate = &self.plan.gate;
        let is_open = gate.is_open(chunk);
        self.fill_as(output, memory, file, chunk, is_open);
        if is_open && output.has_invalid && gate.may_be_marked_before(chunk) {
            match chunk.try_to_owned() {
                Ok(chunk) => output.unsure = Some(chunk),
                Err(_) => output.refusal = Some(Refusal::OutOfMemory),
            }
        }
    }

    /// Fills an output. `is_open` is true if each problem of the chunk is a finding.
    fn fill_as(
        &self,
        output: &mut ChunkOutput,
        memory: &mut Memory,
        file: &[u8],
        chunk: &Chunk<'_>,
        is_open: bool,
    ) {
        let plan = self.plan;
        let validator = plan.reading.validator_of(chunk);
        output.begin(chunk, validator.grammar(), plan);
        if plan.needs_base && !chunk.layout().may_name_base() {
            output.refusal = Some(Refusal::NoBase);
            return;
        }
        if chunk.base() == 0 {
            if let Some(sentence) = plan.log.refuse(chunk) {
                (output.refusal, output.about_fields) = (Some(Refusal::NoFields), Some(sentence));
                return;
            }
            output.about_fields = chunk.fields_not_in_header(&plan.log);
        }
        let mut to_first = ToFirstFinding::new(plan);
        let format = chunk.layout().format();
        let mut marked = MarkedLines::default();
        if has_marks(format) {
            output.passage = Some(Passage::of(chunk));
            marked = MarkedLines::of(chunk, MarkState::default()).0;
        }
        (output.is_open, output.is_in_order) = (is_open, !is_open && plan.gate.needs_order(chunk));
        let scan = self.scan(memory, chunk, |pieces, other| {
            self.take_piece(output, &mut to_first, other, file, pieces, &marked)
        });
        match scan {
            Ok(()) => {}
            Err(Stop::After(line)) => {
                self.fill_as(output, memory, file, &chunk.head(line as usize + 1), is_open);
            }
            Err(Stop::Refused(refusal @ (Refusal::NoBase | Refusal::LongBase))) => {
                output.begin(chunk, validator.grammar(), plan);
                output.refusal = Some(refusal);
            }
            Err(Stop::Refused(refusal)) => output.refusal = Some(refusal),
        }
    }

    /// Scans a chunk, and passes its pieces to `take`: of each all records, and those that are kept. `take`
    /// also gets the memory for the verdicts of the second grammar.
    fn scan<S: From<Refusal>>(
        &self,
        memory: &mut Memory,
        chunk: &Chunk<'_>,
        mut take: impl FnMut([&Scanned<'_>; 2], &mut Batch) -> Result<(), S>,
    ) -> Result<(), S> {
        let plan = self.plan;
        let Memory { chunk_scanner, other, filter } = memory;
        let validator = plan.reading.validator_of(chunk);
        let flow = chunk_scanner.scan_pieces(chunk, &validator, plan.request, |whole| {
            let kept = match &plan.host_filter {
                None => Ok(*whole),
                Some(hosts) => hosts.kept(whole, filter).map_err(|_| Refusal::OutOfMemory.into()),
            };
            match kept.and_then(|kept| take([whole, &kept], other)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => ControlFlow::Break(stop),
            }
        });
        match flow {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(stop)) => Err(stop),
            Err(_) => Err(Refusal::OutOfMemory.into()),
        }
    }

    /// Counts and encodes a piece of a chunk: the whole piece, and the records that are kept.
    fn take_piece(
        &self,
        output: &mut ChunkOutput,
        to_first: &mut ToFirstFinding,
        other: &mut Batch,
        file: &[u8],
        [whole, scanned]: [&Scanned<'_>; 2],
        marked: &MarkedLines,
    ) -> Result<(), Stop> {
        let (plan, chunk) = (self.plan, scanned.chunk());
        let validator = plan.reading.validator_of(chunk);
        let needs_own_base = plan.needs_base && !chunk.layout().has_pages();
        if let Some(refusal) = needs_own_base.then(|| self.lack_of_base(whole, validator)).flatten() {
            return Err(refusal.into());
        }
        let found = if to_first.has_ended {
            Found::default()
        } else if output.is_open {
            to_first.found_if_open(scanned)
        } else if output.is_in_order {
            self.postpone_findings(output, scanned)?;
            Found::default()
        } else {
            plan.gate.findings(scanned, file, marked, &mut Before::default())
        };
        let scanned = to_first.cut(scanned, found.last).map_err(Stop::After)?;
        output.findings += found.counts;
        self.judge(file, scanned, SomeFindings::of(&found.findings), other, |input| {
            if output.counted_pieces.is_none() {
                self.count(output, whole, input, output.pieces == 0)?;
            }
            output.pieces += 1;
            Ok(self.encode(output, input)?)
        })
    }

    /// Postpones a piece of a chunk if its findings depend on the chunks before. If the run may end in it, it is
    /// counted later, too.
    fn postpone_findings(&self, output: &mut ChunkOutput, scanned: &Scanned<'_>) -> Result<(), Refusal> {
        let ends_run = matches!(self.plan.end, End::FirstInvalid);
        let is_done = output.postponed.is_some() && (!ends_run || output.counted_pieces.is_some());
        if is_done || !self.plan.gate.may_have_findings(scanned) {
            return Ok(());
        }
        if output.postponed.is_none() {
            output.postponed = Some(scanned.chunk().try_to_owned().map_err(|_| Refusal::OutOfMemory)?);
        }
        if ends_run {
            output.counted_pieces = Some(output.pieces);
        }
        Ok(())
    }

    /// Encodes a piece of a chunk, or postpones this piece and the next ones if the outputs would be too
    /// long.
    fn encode(&self, output: &mut ChunkOutput, input: &JudgedChunk<'_>) -> Result<(), Refusal> {
        /// If the outputs of some pieces bring the result to this number of bytes, the next pieces are
        /// postponed.
        const MOST: usize = 8 << 20;
        /// The bytes of memory for a byte of records: a row with escapes, and the values in it.
        const ROWS: usize = 8;

        if output.postponed.is_some() {
            return Ok(());
        }
        let outputs = &self.plan.outputs;
        let is_long = |planned: &Planned| planned.encoder.end_of_some(input, 0) < input.scanned.len();
        if output.encoded_pieces > 0 && output.held_bytes() >= MOST || outputs.iter().any(is_long) {
            output.postponed = Some(input.scanned.chunk().try_to_owned().map_err(|_| Refusal::OutOfMemory)?);
            return Ok(());
        }
        let first = output.encoded_pieces * outputs.len();
        if output.encoded.len() < first + outputs.len() {
            output.encoded.resize_with(first + outputs.len(), Encoded::default);
        }
        // The rows of long records, and vectors that are as long as the output, ask for themselves.
        let values = input.scanned.values().len().min(CHUNK_SIZE);
        let _room = room_for(values * ROWS).map_err(|_| Refusal::OutOfMemory)?;
        for (planned, to) in outputs.iter().zip(&mut output.encoded[first..]) {
            planned.encoder.encode(input, to).map_err(|_| Refusal::OutOfMemory)?;
        }
        output.encoded_pieces += 1;
        Ok(())
    }

    /// Returns the reason why a record has no base that the page itself names, if there is one. The record
    /// that names the base needs no base.
    fn lack_of_base(&self, scanned: &Scanned<'_>, validator: Validator) -> Option<Refusal> {
        let deriver = self.plan.derivation.deriver(validator);
        let mut last = None;
        (0..scanned.len()).find_map(|index| {
            let page = scanned.page(index);
            if page.is_some() && page == last {
                return None;
            }
            last = page;
            match page {
                None => Some(Refusal::NoBase),
                Some(Page { base: None, .. }) => None,
                Some(_) if deriver.as_ref().is_ok_and(|deriver| deriver.base(page).is_some()) => None,
                Some(Page { base: Some(base), .. }) if base.len() > Base::MAX_LEN => Some(Refusal::LongBase),
                Some(_) => Some(Refusal::NoBase),
            }
        })
    }

    /// Passes a scanned piece to `take`, with all facts that encoders need. If the plan has a second grammar,
    /// the piece gets its verdicts.
    fn judge<T>(
        &self,
        file: &[u8],
        scanned: Scanned<'_>,
        findings: SomeFindings<'_>,
        other: &mut Batch,
        take: impl FnOnce(&JudgedChunk<'_>) -> T,
    ) -> T {
        let (by_other, with_other);
        let scanned = match &self.plan.other_validator {
            None => &scanned,
            Some(other_validator) => {
                by_other = scanned.judge_by(other_validator, other);
                with_other = scanned.with_other(&by_other);
                &with_other
            }
        };
        let chunk = scanned.chunk();
        let first_line = chunk.first_line().unwrap_or(1);
        let validator = self.plan.reading.validator_of(chunk);
        let deriver = self.plan.derivation.deriver(validator).ok();
        take(&JudgedChunk { file, first_line, validator, deriver, scanned, findings })
    }
}

/// The reason why the scan of a chunk stops.
enum Stop {
    Refused(Refusal),
    /// The run ends after the first finding, which is in this line, counted from 0.
    After(u64),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Stop::Refused(refusal)
    }
}
