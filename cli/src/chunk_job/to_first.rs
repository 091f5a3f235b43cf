//! Ends a run after its first finding.

use urivalidate::corpus::{Scanned, SomeRecords};

use crate::findings::{FindingAt, FindingCounts, Found};
use crate::plan::{End, Plan};

/// Cuts the pieces of a chunk after the first finding, if the run ends there.
pub(super) struct ToFirstFinding {
    ends_run: bool,
    /// Whether the finding was in a piece before.
    pub(super) has_ended: bool,
    some: SomeRecords,
}

impl ToFirstFinding {
    pub(super) fn new(plan: &Plan) -> Self {
        let ends_run = matches!(plan.end, End::FirstInvalid);
        ToFirstFinding { ends_run, has_ended: false, some: SomeRecords::default() }
    }

    /// Returns the findings of a piece if each problem is one.
    pub(super) fn found_if_open<'s>(&self, scanned: &Scanned<'s>) -> Found<'s> {
        let last = if self.ends_run { scanned.problems().next().map(FindingAt::Problem) } else { None };
        let problems = scanned.batch().invalid().len() + scanned.malformed().len();
        let findings = if last.is_some() { 1 } else { problems as u64 };
        Found { counts: FindingCounts::of(findings), last, ..Found::default() }
    }

    /// Returns the next piece up to the finding that ends the run, if it has this finding. A later piece has
    /// only the facts about the chunk.
    ///
    /// # Errors
    ///
    /// Returns the line of the finding, counted from 0, if the chunk goes on after it. Bytes after this line
    /// must not affect the results.
    pub(super) fn cut<'s>(
        &'s mut self,
        scanned: &'s Scanned<'s>,
        last: Option<FindingAt<'_>>,
    ) -> Result<Scanned<'s>, u64> {
        let chunk = scanned.chunk();
        // If the rest of a page is a single tag, no shorter head exists.
        let goes_on = |line: &u64| chunk.head(*line as usize + 1).bytes().len() < chunk.bytes().len();
        if let Some(line) = last.and_then(|last| last.line(scanned)).filter(goes_on) {
            return Err(line);
        }
        if self.has_ended {
            return Ok(self.some.none_of(scanned));
        }
        self.has_ended = last.is_some();
        Ok(match last {
            None => *scanned,
            Some(FindingAt::Problem(problem)) => self.some.to_problem(scanned, problem),
            Some(FindingAt::Suspicious(index, _)) => self.some.to_record(scanned, index),
        })
    }
}
