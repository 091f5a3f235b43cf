//! Counts the records of a chunk, and makes the guess about its file.

use std::convert::Infallible;

use urivalidate::corpus::{Chunk, Fit, Format, Guess, Scanned};
use urivalidate::memory::room_for;
use urivalidate::stats::Stats;
use urivalidate::{ErrorKind, InvalidRecord};

use super::ChunkJob;
use super::output::ChunkOutput;
use crate::encode::JudgedChunk;
use crate::hint::are_mostly;
use crate::plan::Statistics;
use crate::refusal::Refusal;

impl ChunkJob<'_> {
    /// Counts a piece of a chunk. `whole` also has the records that are not kept.
    pub(super) fn count(
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
