//! Counters of a scan, which can be added up.
//!
//! Counts that add up in any order (lengths, components, errors) are plain numbers. Results that depend on the order (which
//! records are samples, which schemes and hosts are counted apart if there are too many) are settled when the counts of chunks
//! are [appended](Stats::append) in input order, so that nothing depends on the number of threads.
//!
//! The statistics of a list of real URLs of 82 bytes, on one thread with AVX-512, are bound by the positions that lengths, schemes and
//! hosts need. In cycles a record: the verdict takes 20, to write out where the records end makes it 31, all positions 45; counting adds
//! 15, and of the whole time a fifth is the system's, which maps the file. Tried: a kernel that counts the masks of components, and
//! writes out only ends, takes 37, so that with the columns that need not be made, it could save a fifth. It would have to take back its
//! counts for each line that falls back, and everything would be counted in two ways, so it was not kept.

mod agreement;
mod counters;
mod distinct;
mod hosts;
mod lengths;
mod lint;
mod loops;
mod names;
mod samples;
mod schemes;
mod summary;

pub use agreement::{Agreement, Side};
pub use counters::Stats;
pub use distinct::Distinct;
pub use hosts::{HostCount, Hosts};
pub use lengths::Lengths;
pub use lint::Lint;
pub use samples::{Problem, Sample};
pub use schemes::Schemes;
pub use summary::{Figure, Members, ReadAs, Summary};
