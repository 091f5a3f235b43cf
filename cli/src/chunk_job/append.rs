//! Appends the outputs of chunks in input order. A long output is encoded here, part by part, so that it is
//! never in memory as a whole.

use urivalidate::corpus::{Chunk, SomeRecords};

use super::ChunkJob;
use super::output::ChunkOutput;
use super::to_first::ToFirstFinding;
use crate::encode::{Encoded, JudgedChunk};
use crate::findings::{Before, Found, SomeFindings};
use crate::marked_lines::{MarkedLines, has_marks};
use crate::output::Failure;
use crate::refusal::Refusal;

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

impl From<Refusal> for Unfinished {
    fn from(refusal: Refusal) -> Self {
        Unfinished::Refused(refusal)
    }
}

impl ChunkJob<'_> {
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
        let mut scan = self.append_pieces(output, &mut postponed, first, &mut append);
        if let Err(Unfinished::After { piece, line }) = scan {
            before.undo();
            let head = chunk.head(line as usize + 1);
            let mut postponed = Postponed { file, chunk: &head, marked: &marked, before: &mut before };
            scan = self.append_pieces(output, &mut postponed, piece, &mut append);
        }
        if output.is_in_order {
            output.has_invalid = output.findings.findings > 0;
        }
        match scan {
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
        let &mut Postponed { file, chunk, marked, ref mut before } = postponed;
        let mut memory = self.memory.take();
        let mut to_first = ToFirstFinding::new(self.plan);
        let (mut some, mut part) = (SomeRecords::default(), Encoded::default());
        let mut pieces = 0;
        let scan = self.scan(&mut memory, chunk, |[whole, scanned], other| {
            let piece = pieces;
            pieces += 1;
            // The findings of a chunk that needs the order are all in the postponed pieces.
            let found = if to_first.has_ended || output.is_in_order && piece < first {
                Found::default()
            } else if output.is_open {
                to_first.found_if_open(scanned)
            } else {
                before.begin_piece();
                self.plan.gate.findings(scanned, file, marked, before)
            };
            let scanned = to_first.cut(scanned, found.last);
            let scanned = scanned.map_err(|line| Unfinished::After { piece, line })?;
            if piece < first {
                return Ok(());
            }
            if output.is_in_order {
                output.findings += found.counts;
            }
            self.judge(file, scanned, SomeFindings::of(&found.findings), other, |input| {
                if output.counted_pieces.is_some_and(|counted| counted <= piece) {
                    self.count(output, whole, input, piece == 0)?;
                }
                self.append_piece(input, &mut some, &mut part, append)
            })
        });
        self.memory.put(memory, usize::MAX);
        scan
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
                let end = encoder.end_of_some(input, first);
                let records = some.of(input.scanned, first..end).expect("parts end within the chunk");
                let scanned = if end - first == all { input.scanned } else { &records };
                part.clear();
                let findings = input.findings.from(first);
                let encoded = encoder.encode(&JudgedChunk { scanned, findings, ..*input }, part);
                encoded.map_err(|_| Refusal::OutOfMemory)?;
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
