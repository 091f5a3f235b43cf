//! Results of a scan that another thread runs, pulled one after the other.
//!
//! | module | does |
//! |---|---|
//! | `channel` | [`Pull`]: a thread, and a short queue of its results |
//! | `inputs` | [`Scanner::pull`](crate::corpus::Scanner::pull): the events of several inputs |
//! | `records` | [`Records`]: the records of several inputs, one by one |

mod channel;
mod inputs;
mod records;

#[cfg(feature = "arrow")]
pub(crate) use channel::Outlet;
pub use channel::Pull;
#[cfg(feature = "arrow")]
pub(crate) use inputs::with_name;
pub use records::{FoundRecord, NotValid, Records};
