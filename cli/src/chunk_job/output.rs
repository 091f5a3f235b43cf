//! The results of a chunk.

use urivalidate::Grammar;
use urivalidate::corpus::{Chunk, Evidence, Fit, Format, Guess, Wrapper};
use urivalidate::stats::Stats;

use crate::encode::Encoded;
use crate::findings::FindingCounts;
use crate::marked_lines::Passage;
use crate::plan::{Plan, Statistics};
use crate::refusal::Refusal;

/// The results of a chunk.
pub(crate) struct ChunkOutput {
    /// The encoded rows of the chunk's pieces in order: of each piece, one value for each output of the plan.
    pub(super) encoded: Vec<Encoded>,
    /// The chunk, if its outputs are too long for memory. The other pieces are then [encoded
    /// later](super::ChunkJob::append).
    pub(super) postponed: Option<Chunk<'static>>,
    /// The number of pieces, and the number of those that are encoded.
    pub(super) pieces: usize,
    pub(super) encoded_pieces: usize,
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
    /// order](crate::findings::Gate::needs_order) are counted when it is [appended](super::ChunkJob::append).
    pub(crate) findings: FindingCounts,
    /// Whether each problem of the chunk is a finding.
    pub(super) is_open: bool,
    /// Whether the findings are counted when the chunk is appended.
    pub(super) is_in_order: bool,
    /// The number of pieces that are counted, if the others are counted when the chunk is appended.
    pub(super) counted_pieces: Option<usize>,
    /// The chunk, if each problem was taken as a finding, but the chunks before may mark its lines.
    pub(super) unsure: Option<Chunk<'static>>,
    /// The effect of the chunk's comments on the document.
    pub(super) passage: Option<Passage>,
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
    pub(super) fn begin(&mut self, chunk: &Chunk<'_>, grammar: Grammar, plan: &Plan) {
        let layout = chunk.layout();
        let is_start = chunk.base() == 0;
        let mut encoded = std::mem::take(&mut self.encoded);
        encoded.iter_mut().for_each(Encoded::clear);
        let mut stats = self.stats.take();
        match &mut stats {
            Some(stats) => stats.clear(),
            None => stats = plan.statistics.as_ref().map(Statistics::new_stats),
        }
        *self = ChunkOutput {
            encoded,
            format: layout.format(),
            grammar,
            key: layout.key_found().filter(|_| is_start).map(str::to_owned),
            preamble: if is_start { layout.preamble() } else { 0 },
            evidence: layout.evidence(),
            wrapper: layout.wrapper(),
            remark: layout.remark(),
            stats,
            ..ChunkOutput::default()
        };
    }

    /// Returns the memory of the outputs in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        self.encoded.iter().map(Encoded::held_bytes).sum()
    }
}
