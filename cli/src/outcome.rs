//! The findings of a run, and the exit status that follows from them.

use crate::args::{Args, Emit};
use crate::findings::FindingCounts;

/// The numbers of records and findings, and whether anything else failed. Lines that do not fit their format
/// count as records here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) records: u64,
    /// The number of findings: invalid records, unless the user makes other choices.
    pub(crate) invalid: u64,
    /// The numbers of findings, and of problems that are none.
    pub(crate) counts: FindingCounts,
    /// The number of records that the filter by hosts drops.
    pub(crate) dropped: u64,
    /// Whether there is a finding, including a record whose scan stopped before its end.
    pub(crate) has_invalid: bool,
    pub(crate) has_failed: bool,
    /// Whether the statistics are worse than those of the earlier run to which they are compared.
    pub(crate) is_worse: bool,
}

impl Outcome {
    /// Returns the exit status.
    pub(crate) fn status(&self, args: &Args) -> u8 {
        if args.write_baseline.is_some() && !self.has_failed {
            return 0;
        }
        let is_check = args.emit() == Emit::Errors || args.quiet || args.fail_fast;
        let is_bad = match args.max_invalid {
            // An unfinished record is not counted yet.
            Some(tolerance) => {
                let left = u64::from(self.has_invalid && self.invalid == 0);
                tolerance.is_exceeded(self.invalid + left, self.records + left)
            }
            None => is_check && self.has_invalid,
        };
        if self.has_failed { 2 } else { u8::from(is_bad || self.is_worse) }
    }
}
