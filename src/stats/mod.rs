//! Counters of a scan, which can be added up.
//!
//! What adds up whatever the order (lengths, components, errors) is plain numbers. What depends on the order (which records are
//! samples, which schemes and hosts are told apart where there are too many) is settled when the counts of chunks are
//! [appended](Stats::append) in input order, so that nothing depends on the number of threads.
//!
//! What bounds the statistics of a list of real URLs of 82 bytes, by one thread with AVX-512, is that lengths, schemes and hosts ask for
//! positions. In cycles a record: the verdict takes 20, to write out where the records end makes it 31, all positions 45; counting adds
//! 15, and of the whole time a fifth is the system's, which maps the file. What was tried: a kernel that counts the masks of components,
//! and writes out only ends, takes 37, so that with the columns that need not be made, it could save a fifth. It would have to take back
//! what it counted of each line that falls back, and there would be two ways to count everything, so it was not kept.

mod agreement;
mod counters;
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
pub use hosts::{HostCount, Hosts};
pub use lengths::Lengths;
pub use lint::Lint;
pub use samples::{Problem, Sample};
pub use schemes::Schemes;
pub use summary::{Figure, Members, ReadAs, Summary};
