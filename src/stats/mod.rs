//! Statistics of a scan: [`Stats`] counts chunks, and counts can be added up. A [`Summary`] has the numbers
//! that `--stats=json` prints.
//!
//! Counts that do not depend on the order (lengths, components, errors) are plain numbers. Results that
//! depend on the order (the records that are samples; the schemes and hosts that are counted separately if
//! there are too many) are decided when the counts of chunks are [appended](Stats::append) in input order. So
//! no result depends on the number of threads.

mod agreement;
mod counters;
mod distinct;
mod hosts;
mod lengths;
mod loops;
mod names;
mod samples;
mod schemes;
mod summary;
mod suspicion;
mod value_map;

pub use agreement::{Agreement, Side};
pub use counters::{Counter, Stats};
pub use distinct::Distinct;
pub use hosts::{HostCount, Hosts};
pub use lengths::Lengths;
pub use samples::{Problem, Sample};
pub use schemes::Schemes;
pub use summary::{Figure, Members, ReadAs, Summary};
pub use suspicion::Suspicion;
pub use value_map::{ValueMap, ValueParts, compare_values};
