//! Counters of a scan. The counters of several chunks or inputs can be added up.
//!
//! Counts that do not depend on the order (lengths, components, errors) are plain numbers. Results that depend on the order (the records
//! that are samples; the schemes and hosts that are counted separately if there are too many) are decided when the counts of chunks are
//! [appended](Stats::append) in input order. So no result depends on the number of threads.
//!
//! # Where the time goes
//!
//! A mapped list of real URLs with a mean length of 82 bytes, on one thread with AVX-512, in samples of CPU time:
//!
//! | time of `--stats` beyond that of `--emit none` | share |
//! |---|---:|
//! | kernel: finding positions (a third), and writing the streams of ends, schemes and paths (two thirds) | 44% |
//! | streams to columns | 9% |
//! | components, from all columns | 3% |
//! | schemes, from the first bytes of each record | 14% |
//! | lengths | 9% |
//! | kinds of hosts, from the last byte of each host | 8% |
//! | lints | 3% |
//! | invalid records and samples | 3% |
//!
//! The rest is memory management. For 307 MB, the kernel takes 10 ms longer for all positions than for verdicts alone (18 ms before
//! positions were written for eight blocks at a time); the counters take 16 ms, and columns 3 ms. `benches` measure each counter alone
//! ([`Counter`]).
//!
//! If 64 adjacent records have one scheme, or hosts that end with lower-case letters, one test counts all of them. Counters of lengths
//! beyond the longest record are skipped. This takes an eighth less of the time beyond `--emit none` than a test of each record. Tried:
//!
//! - a kernel that counts the masks of components, and writes out only ends: it takes 37 cycles per record instead of 45 for all positions.
//!   With the columns that are no longer made, it could save a fifth. It would have to undo its counts for each line that falls back to a
//!   parser, and everything would be counted in two ways, so it was not kept;
//! - all counters over 256 records before the next 256, so that their bytes stay in the L1 cache: this saves a twentieth of the counters'
//!   time, which does not show in the total.

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
