//! The work on one chunk, by a worker.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use urivalidate::corpus::{Chunk, ChunkScanner, Evidence, Fit, Format, Guess, Scanned, SomeRecords, Wrapper};
use urivalidate::memory::room_for;
use urivalidate::stats::Stats;
use urivalidate::{Base, Batch, ErrorKind, Grammar, InvalidRecord, Page, Validator};

use crate::encode::{CHUNK_SIZE, Encode, Encoded, JudgedChunk};
use crate::findings::{Before, FindingAt, FindingCounts, Found, SomeFindings};
use crate::hint::are_mostly;
use crate::host_filter::FilterMemory;
use crate::marked_lines::{MarkState, MarkedLines, Passage, has_marks};
use crate::output::Failure;
use crate::plan::{End, Plan, Planned, Statistics};
use crate::refusal::Refusal;

/// The work on each chunk.
pub(crate) struct ChunkJob<'a> {
    plan: &'a Plan,
    /// The results to reuse.
    outputs: Spare<ChunkOutput>,
    memory: Spare<Memory>,
    /// What chunks that were taken in input order tell about the next ones.
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

/// The results of a chunk.
pub(crate) struct ChunkOutput {
    /// The encoded rows of the chunk's pieces in order: of each piece, one value for each output of the plan.
    encoded: Vec<Encoded>,
    /// The chunk, if its outputs are too long for memory. The other pieces are then [encoded
    /// later](ChunkJob::append).
    postponed: Option<Chunk<'static>>,
    /// The number of pieces, and the number of those that are encoded.
    pieces: usize,
    encoded_pieces: usize,
    /// The format of the chunk.
    pub(crate) format: Format,
    pub(crate) grammar: Grammar,
    /// The key that was detected, at the start of a file.
    pub(crate) key: Option<String>,
    /// The number of lines before the table that the file has, at the start of the file.
    pub(crate) preamble: usize,
    /// The number of lines that support the format, if it was guessed.
    pub(crate) evidence: Option<Evidence>,
    /// The wrapper of the lines, if one was detected.
    pub(crate) wrapper: Option<Wrapper>,
    /// A sentence about how the file is read.
    pub(crate) remark: Option<&'static str>,
    /// A sentence about fields that the format lacks, or that the header of the file does not name.
    pub(crate) about_fields: Option<String>,
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
    /// The numbers of findings. Those of a chunk whose findings [need the
    /// order](crate::findings::Gate::needs_order) are counted when it is [appended](ChunkJob::append).
    pub(crate) findings: FindingCounts,
    /// Whether each problem of the chunk is a finding.
    is_open: bool,
    /// Whether the findings are counted when the chunk is appended.
    is_in_order: bool,
    /// The number of pieces that are counted, if the others are counted when the chunk is appended.
    counted_pieces: Option<usize>,
    /// The chunk, if each problem was taken as a finding, but the chunks before may mark its lines.
    unsure: Option<Chunk<'static>>,
    /// The effect of the chunk's comments on the document.
    passage: Option<Passage>,
    /// The number of records that are kept. This number and the next two include lines that do not fit their
    /// format.
    pub(crate) records: u64,
    /// The numbers of records and of invalid ones, kept or not.
    pub(crate) seen: u64,
    pub(crate) invalid: u64,
    /// The number of records that the filter by hosts drops.
    pub(crate) dropped: u64,
    /// Whether a record is invalid, including a record that has not ended yet.
    pub(crate) has_invalid: bool,
    /// The reason why the output is not complete.
    pub(crate) refusal: Option<Refusal>,
    /// The counts, if the run has statistics.
    pub(crate) stats: Option<Stats>,
}

impl Default for ChunkOutput {
    fn default() -> Self {
        ChunkOutput {
            encoded: Vec::new(),
            postponed: None,
            pieces: 0,
            encoded_pieces: 0,
            format: Format::Lines,
            grammar: Grammar::Uri,
            key: None,
            preamble: 0,
            evidence: None,
            wrapper: None,
            remark: None,
            about_fields: None,
            keyless: 0,
            has_key: false,
            beyond_ascii: 0,
            misfits: 0,
            guess: None,
            fit: Fit::default(),
            bytes: 0,
            findings: FindingCounts::default(),
            is_open: false,
            is_in_order: false,
            counted_pieces: None,
            unsure: None,
            passage: None,
            records: 0,
            seen: 0,
            invalid: 0,
            dropped: 0,
            has_invalid: false,
            refusal: None,
            stats: None,
        }
    }
}

impl ChunkOutput {
    /// Begins the results of a chunk whose records this grammar judges.
    fn begin(&mut self, chunk: &Chunk<'_>, grammar: Grammar, plan: &Plan) {
        let layout = chunk.layout();
        self.encoded.iter_mut().for_each(Encoded::clear);
        (self.pieces, self.encoded_pieces, self.postponed) = (0, 0, None);
        (self.format, self.grammar) = (layout.format(), grammar);
        self.key = layout.key_found().filter(|_| chunk.base() == 0).map(str::to_owned);
        self.preamble = if chunk.base() == 0 { layout.preamble() } else { 0 };
        (self.evidence, self.wrapper, self.guess) = (layout.evidence(), layout.wrapper(), None);
        self.remark = layout.remark();
        self.about_fields = None;
        (self.bytes, self.records, self.invalid, self.misfits) = (0, 0, 0, 0);
        (self.seen, self.dropped) = (0, 0);
        (self.keyless, self.has_key, self.beyond_ascii) = (0, false, 0);
        (self.fit, self.has_invalid, self.refusal) = (Fit::default(), false, None);
        (self.is_open, self.is_in_order, self.counted_pieces) = (false, false, None);
        (self.findings, self.unsure, self.passage) = (FindingCounts::default(), None, None);
        match &mut self.stats {
            Some(stats) => stats.clear(),
            None => self.stats = plan.statistics.as_ref().map(Statistics::new_stats),
        }
    }

    /// Returns the memory of the outputs in bytes.
    fn held_bytes(&self) -> usize {
        self.encoded.iter().map(Encoded::held_bytes).sum()
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
        let Memory { chunk_scanner, other, filter } = memory;
        let mut to_first = ToFirstFinding::new(plan);
        let format = chunk.layout().format();
        let mut marked = MarkedLines::default();
        if has_marks(format) {
            output.passage = Some(Passage::of(chunk));
            marked = MarkedLines::of(chunk, MarkState::default()).0;
        }
        (output.is_open, output.is_in_order) = (is_open, !is_open && plan.gate.needs_order(chunk));
        let flow = chunk_scanner.scan_pieces(chunk, &validator, plan.request, |scanned| {
            let kept = match &plan.host_filter {
                None => Ok(*scanned),
                Some(hosts) => hosts.kept(scanned, filter),
            };
            match kept {
                Ok(kept) => self.take_piece(output, &mut to_first, other, file, [scanned, &kept], &marked),
                Err(_) => ControlFlow::Break(Stop::Refused(Refusal::OutOfMemory)),
            }
        });
        match flow {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(Stop::After(line))) => {
                self.fill_as(output, memory, file, &chunk.head(line as usize + 1), is_open);
            }
            Ok(ControlFlow::Break(Stop::Refused(refusal @ (Refusal::NoBase | Refusal::LongBase)))) => {
                output.begin(chunk, validator.grammar(), plan);
                output.refusal = Some(refusal);
            }
            Ok(ControlFlow::Break(Stop::Refused(refusal))) => output.refusal = Some(refusal),
            Err(_) => output.refusal = Some(Refusal::OutOfMemory),
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
    ) -> ControlFlow<Stop> {
        let (plan, chunk) = (self.plan, scanned.chunk());
        let validator = plan.reading.validator_of(chunk);
        let needs_own_base = plan.needs_base && !chunk.layout().has_pages();
        if let Some(refusal) = needs_own_base.then(|| self.lack_of_base(whole, validator)).flatten() {
            return ControlFlow::Break(Stop::Refused(refusal));
        }
        let found = if to_first.has_ended {
            Found::default()
        } else if output.is_open {
            to_first.found_if_open(scanned)
        } else if output.is_in_order {
            if let Err(refusal) = self.postpone_findings(output, scanned) {
                return ControlFlow::Break(Stop::Refused(refusal));
            }
            Found::default()
        } else {
            plan.gate.findings(scanned, file, marked, &mut Before::default())
        };
        if let Some(line) = found.last.and_then(|last| last.line(scanned)) {
            // Bytes after this line must not affect the results. If the rest of a page is a single tag, no
            // shorter head exists.
            if chunk.head(line as usize + 1).bytes().len() < chunk.bytes().len() {
                return ControlFlow::Break(Stop::After(line));
            }
        }
        let mut scanned = to_first.cut(scanned, found.last);
        output.findings += found.counts;
        let by_other;
        if let Some(other_validator) = &plan.other_validator {
            by_other = scanned.judge_by(other_validator, other);
            scanned = scanned.with_other(&by_other);
        }
        let input = self.judged(file, &scanned, SomeFindings::of(&found.findings));
        if output.counted_pieces.is_none()
            && let Err(refusal) = self.count(output, whole, &input, output.pieces == 0)
        {
            return ControlFlow::Break(Stop::Refused(refusal));
        }
        output.pieces += 1;
        match self.encode(output, &input) {
            Ok(()) => ControlFlow::Continue(()),
            Err(refusal) => ControlFlow::Break(Stop::Refused(refusal)),
        }
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

    /// Counts a piece of a chunk. `whole` also has the records that are not kept.
    fn count(
        &self,
        output: &mut ChunkOutput,
        whole: &Scanned<'_>,
        input: &JudgedChunk<'_>,
        is_first: bool,
    ) -> Result<(), Refusal> {
        let (plan, scanned) = (self.plan, input.scanned);
        let chunk = scanned.chunk();
        // Facts about the file do not depend on the records that are kept.
        let whole = if plan.host_filter.is_some() { whole } else { scanned };
        let malformed = scanned.malformed().len() as u64;
        if plan.leaves_out_misfits() {
            output.fit.append(Fit::new(scanned, output.grammar));
        }
        let invalid = whole.batch().invalid().len() as u64;
        output.bytes += scanned.bytes();
        output.records += scanned.len() as u64 + malformed;
        output.seen += whole.len() as u64 + malformed;
        output.dropped += scanned.dropped() as u64;
        output.invalid += invalid + malformed;
        output.has_invalid = match output.is_open {
            true => output.has_invalid || scanned.first_bad_line().is_some(),
            false => output.findings.findings > 0,
        };
        output.keyless += scanned.without_key();
        output.has_key |= !whole.is_empty() || scanned.sentinels() > 0;
        let is_beyond = |record: &&InvalidRecord| record.error.kind() == ErrorKind::NonAscii;
        output.beyond_ascii += whole.batch().invalid().iter().filter(is_beyond).count() as u64;
        output.misfits += if output.format == Format::Lines { invalid + malformed } else { malformed };
        if plan.hints() && chunk.base() == 0 && is_first {
            output.guess = guess(output, malformed, chunk, whole.batch().invalid());
        }
        match (&plan.statistics, &mut output.stats) {
            (Some(statistics), Some(stats)) => count_values(stats, statistics, input),
            _ => Ok(()),
        }
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
        let is_long = |planned: &Planned| end_of_some(&*planned.encoder, input, 0) < input.scanned.len();
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

    /// Returns a scanned chunk with all facts that encoders need.
    fn judged<'s>(
        &'s self,
        file: &'s [u8],
        scanned: &'s Scanned<'s>,
        findings: SomeFindings<'s>,
    ) -> JudgedChunk<'s> {
        let chunk = scanned.chunk();
        let first_line = chunk.first_line().unwrap_or(1);
        let validator = self.plan.reading.validator_of(chunk);
        let deriver = self.plan.derivation.deriver(validator).ok();
        JudgedChunk { file, first_line, validator, deriver, scanned, findings }
    }

    /// Passes the outputs of a chunk to a function, each with the number of the output in the plan. A long
    /// output is encoded here, part by part, so that it is never in memory as a whole.
    pub(crate) fn append(
        &self,
        file: &[u8],
        output: &mut ChunkOutput,
        mut append: impl FnMut(usize, &Encoded) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut before = self.before();
        let start = before.marks;
        if let Some(chunk) = output.unsure.take().filter(|_| start.marks_lines()) {
            let mut memory = self.memory.take();
            self.fill_as(output, &mut memory, file, &chunk, false);
            self.memory.put(memory, usize::MAX);
        }
        for (place, encoded) in output.encoded.iter().enumerate() {
            append(place % self.plan.outputs.len(), encoded)?;
        }
        if let Some(passage) = output.passage {
            before.marks = passage.after(start);
        }
        let Some(chunk) = output.postponed.take() else { return Ok(()) };
        let format = chunk.layout().format();
        let mut marked = MarkedLines::default();
        if has_marks(format) {
            (marked, before.marks) = MarkedLines::of(&chunk, start);
        }
        let first = output.encoded_pieces;
        let mut postponed = Postponed { file, chunk: &chunk, marked: &marked, before: &mut before };
        let mut flow = self.append_pieces(output, &mut postponed, first, &mut append);
        if let Err(Unfinished::After { piece, line }) = flow {
            before.undo();
            let head = chunk.head(line as usize + 1);
            let mut postponed = Postponed { file, chunk: &head, marked: &marked, before: &mut before };
            flow = self.append_pieces(output, &mut postponed, piece, &mut append);
        }
        if output.is_in_order {
            output.has_invalid = output.findings.findings > 0;
        }
        match flow {
            Err(Unfinished::Failed(failure)) => return Err(failure),
            Err(Unfinished::Refused(refusal)) => output.refusal = Some(refusal),
            Ok(()) | Err(Unfinished::After { .. }) => {}
        }
        Ok(())
    }

    /// Appends the pieces of a chunk from `first` on.
    fn append_pieces(
        &self,
        output: &mut ChunkOutput,
        postponed: &mut Postponed<'_>,
        first: usize,
        append: &mut impl FnMut(usize, &Encoded) -> Result<(), Failure>,
    ) -> Result<(), Unfinished> {
        let (plan, &mut Postponed { file, chunk, marked, ref mut before }) = (self.plan, postponed);
        let validator = plan.reading.validator_of(chunk);
        let mut memory = self.memory.take();
        let Memory { chunk_scanner, other, filter } = &mut memory;
        let mut to_first = ToFirstFinding::new(plan);
        let (mut some, mut part) = (SomeRecords::default(), Encoded::default());
        let mut pieces = 0;
        let mut append_next = |whole: &Scanned<'_>| {
            let piece = pieces;
            pieces += 1;
            let kept;
            let scanned = match &plan.host_filter {
                None => whole,
                Some(hosts) => {
                    let refused = |_| Unfinished::Refused(Refusal::OutOfMemory);
                    kept = hosts.kept(whole, filter).map_err(refused)?;
                    &kept
                }
            };
            // The findings of a chunk that needs the order are all in the postponed pieces.
            let found = if to_first.has_ended || output.is_in_order && piece < first {
                Found::default()
            } else if output.is_open {
                to_first.found_if_open(scanned)
            } else {
                before.begin_piece();
                plan.gate.findings(scanned, file, marked, before)
            };
            if let Some(line) = found.last.and_then(|last| last.line(scanned))
                && chunk.head(line as usize + 1).bytes().len() < chunk.bytes().len()
            {
                return Err(Unfinished::After { piece, line });
            }
            let mut scanned = to_first.cut(scanned, found.last);
            if piece < first {
                return Ok(());
            }
            if output.is_in_order {
                output.findings += found.counts;
            }
            let by_other;
            if let Some(other_validator) = &plan.other_validator {
                by_other = scanned.judge_by(other_validator, other);
                scanned = scanned.with_other(&by_other);
            }
            let input = self.judged(file, &scanned, SomeFindings::of(&found.findings));
            if output.counted_pieces.is_some_and(|counted| counted <= piece) {
                self.count(output, whole, &input, piece == 0).map_err(Unfinished::Refused)?;
            }
            self.append_piece(&input, &mut some, &mut part, append)
        };
        let flow = chunk_scanner.scan_pieces(chunk, &validator, plan.request, |scanned| {
            match append_next(scanned) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        });
        self.memory.put(memory, usize::MAX);
        match flow {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(error)) => Err(error),
            Err(_) => Err(Unfinished::Refused(Refusal::OutOfMemory)),
        }
    }

    /// Encodes a piece of a chunk part by part, and passes each part on.
    fn append_piece(
        &self,
        input: &JudgedChunk<'_>,
        some: &mut SomeRecords,
        part: &mut Encoded,
        append: &mut impl FnMut(usize, &Encoded) -> Result<(), Failure>,
    ) -> Result<(), Unfinished> {
        let all = input.scanned.len();
        for (number, planned) in self.plan.outputs.iter().enumerate() {
            let encoder = &*planned.encoder;
            let mut first = 0;
            loop {
                let end = end_of_some(encoder, input, first);
                let records = some.of(input.scanned, first..end).expect("parts end within the chunk");
                let scanned = if end - first == all { input.scanned } else { &records };
                part.clear();
                let findings = input.findings.from(first);
                let encoded = encoder.encode(&JudgedChunk { scanned, findings, ..*input }, part);
                encoded.map_err(|_| Unfinished::Refused(Refusal::OutOfMemory))?;
                append(number, part).map_err(Unfinished::Failed)?;
                first = end;
                if first == all {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Counts the records of a piece of a chunk for statistics.
fn count_values(stats: &mut Stats, statistics: &Statistics, input: &JudgedChunk<'_>) -> Result<(), Refusal> {
    let scanned = input.scanned;
    let memory = Statistics::memory_for(scanned.len(), scanned.values().len());
    let _room = room_for(memory).map_err(|_| Refusal::OutOfMemory)?;
    if statistics.makes_values() {
        input.ask_for_made().map_err(|_| Refusal::OutOfMemory)?;
    }
    stats.count(scanned).expect("statistics have the plan scan for all columns");
    if let Some(values) = statistics.distinct {
        let Ok(_) = values.each(input, |value| {
            stats.count_value_parts(value);
            Ok::<_, Infallible>(())
        });
    }
    Ok(())
}

/// The reason why the scan of a chunk stops.
enum Stop {
    Refused(Refusal),
    /// The run ends after the first finding, which is in this line, counted from 0.
    After(u64),
}

/// A chunk whose outputs are encoded when they are appended.
struct Postponed<'a> {
    file: &'a [u8],
    chunk: &'a Chunk<'a>,
    marked: &'a MarkedLines,
    before: &'a mut Before,
}

/// The reason why a postponed output is not complete.
enum Unfinished {
    Refused(Refusal),
    /// The run ends after the first finding, which is in this piece and in this line, counted from 0.
    After {
        piece: usize,
        line: u64,
    },
    Failed(Failure),
}

/// Cuts the pieces of a chunk after the first finding, if the run ends there.
struct ToFirstFinding {
    ends_run: bool,
    /// Whether the finding was in a piece before.
    has_ended: bool,
    some: SomeRecords,
}

impl ToFirstFinding {
    fn new(plan: &Plan) -> Self {
        let ends_run = matches!(plan.end, End::FirstInvalid);
        ToFirstFinding { ends_run, has_ended: false, some: SomeRecords::default() }
    }

    /// Returns the findings of a piece if each problem is one.
    fn found_if_open<'s>(&self, scanned: &Scanned<'s>) -> Found<'s> {
        let last = if self.ends_run { scanned.problems().next().map(FindingAt::Problem) } else { None };
        let problems = scanned.batch().invalid().len() + scanned.malformed().len();
        let findings = if last.is_some() { 1 } else { problems as u64 };
        Found { counts: FindingCounts::of(findings), last, ..Found::default() }
    }

    /// Returns the next piece up to the finding that ends the run, if it has this finding. A later piece has
    /// only the facts about the chunk.
    fn cut<'s>(&'s mut self, scanned: &'s Scanned<'s>, last: Option<FindingAt<'_>>) -> Scanned<'s> {
        if self.has_ended {
            return self.some.none_of(scanned);
        }
        self.has_ended = last.is_some();
        match last {
            None => *scanned,
            Some(FindingAt::Problem(problem)) => self.some.to_problem(scanned, problem),
            Some(FindingAt::Suspicious(index, _)) => self.some.to_record(scanned, index),
        }
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

/// Returns a guess from a file's first chunk: another format of its lines or, if the lines fit, the reason
/// why most records are invalid.
fn guess(
    output: &ChunkOutput,
    malformed: u64,
    chunk: &Chunk<'_>,
    invalid: &[InvalidRecord],
) -> Option<Guess> {
    let tried = |guess: Guess| guess.tried(chunk.bytes(), chunk.layout(), output.grammar);
    if output.format == Format::Lines || are_mostly(malformed, output.seen) {
        return Guess::new(chunk.bytes(), chunk.layout()).map(tried);
    }
    if !are_mostly(output.invalid, output.seen) {
        return None;
    }
    let hosts = output.format.is_table().then(|| Guess::of_hosts(chunk.bytes())).flatten();
    let values = tried(hosts.unwrap_or_else(|| Guess::of_values(output.format, output.grammar, invalid)));
    // If the user chose the format, no hint names other formats.
    (output.evidence.is_some() || !matches!(values, Guess::Values(_, None))).then_some(values)
}
