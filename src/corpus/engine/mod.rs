//! Runs chunks through the bulk engine: records, verdicts and columns of the lines of a chunk.
//!
//! | module | does |
//! |---|---|
//! | `compared` | the invalid records of two scans of a chunk, side by side |
//! | `copy_lines` | unchanged copies of the lines of a chunk |
//! | `gathered_records` | gathers records that are trimmed, or end at another byte than LF, for the engine |
//! | `line_walk` | the lines of a chunk one after the other, with their headers and the numbers of rows |
//! | `log_fields` | the fields of the lines of a chunk beside the records |
//! | `repeats` | texts of any length that the rows of a chunk repeat |
//! | `scanned` | [`ChunkScanner`] judges the records of a chunk, [`Scanned`] has their places in its lines |
//! | `some_records` | some of the records of a chunk |

mod compared;
mod copy_lines;
mod gathered_records;
mod line_walk;
mod log_fields;
mod repeats;
mod scanned;
mod some_records;

pub(crate) use compared::compared;
pub use copy_lines::WantedLines;
pub use log_fields::{LogColumns, LogFields};
pub use repeats::Repeats;
pub(crate) use scanned::OtherVerdicts;
pub use scanned::{ChunkScanner, ProblemAt, Scanned};
pub use some_records::SomeRecords;
