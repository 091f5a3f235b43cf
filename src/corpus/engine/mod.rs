//! Chunks through the bulk engine: records, verdicts and columns of the lines of a chunk.
//!
//! | module | does |
//! |---|---|
//! | `gather` | records that are trimmed, or end at another byte than LF, as the engine takes them |
//! | `scanned` | [`Scratch`] judges the records of a chunk, [`Scanned`] says where they lie in its lines |

mod gather;
mod scanned;

pub use scanned::{ProblemAt, Scanned, Scratch};
