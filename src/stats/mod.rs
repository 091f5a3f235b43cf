//! Counters of a scan, which can be added up.
//!
//! Counts that add up in any order (lengths, components, errors) are plain numbers. Results that depend on the order (which
//! records are samples, which schemes and hosts are counted apart if there are too many) are settled when the counts of chunks
//! are [appended](Stats::append) in input order, so that nothing depends on the number of threads.
//!
//! # Where the time goes
//!
//! A list of real URLs of 82 bytes, mapped, on one thread with AVX-512, in samples of the processor's time:
//!
//! | time of `--stats` beyond that of `--emit none` | share |
//! |---|---:|
//! | to find positions in the kernel, and, two thirds of it, to write out the streams of ends, schemes and paths | 44% |
//! | streams to columns | 9% |
//! | components, from all columns | 3% |
//! | schemes, from the first bytes of each record | 14% |
//! | lengths | 9% |
//! | kinds of hosts, from the last byte of each host | 8% |
//! | lints | 3% |
//! | invalid records and samples | 3% |
//!
//! The rest is the memory for it. Since positions are written for eight blocks at a time, the kernel takes 10 ms of 307 MB more for all
//! positions than for verdicts, where it took 18; the counters take 16, and columns 3. So the positions that lengths, schemes and hosts need take more than the counters do. `benches` measure
//! each counter alone ([`Counter`]).
//!
//! Where 64 records that follow each other have one scheme, or hosts that end with lower-case letters, a look at all of them together counts
//! them, and counters of lengths that no record has are left alone. That takes an eighth less of the time beyond `--emit none` than to
//! look at each of the records. Tried:
//!
//! - a kernel that counts the masks of components, and writes out only ends: in cycles a record it takes 37 where all positions take 45, so
//!   that with the columns that need not be made, it could save a fifth. It would have to take back its counts for each line that falls
//!   back, and everything would be counted in two ways, so it was not kept;
//! - all counters over 256 records before the next ones, so that their bytes stay in the L1 cache: a twentieth of the counters' time, which
//!   cannot be seen in the whole.

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
pub use counters::{Counter, Stats};
pub use distinct::Distinct;
pub use hosts::{HostCount, Hosts};
pub use lengths::Lengths;
pub use lint::Lint;
pub use samples::{Problem, Sample};
pub use schemes::Schemes;
pub use summary::{Figure, Members, ReadAs, Summary};
