//! Sets of hosts: whether a list of names has the host of a URI, for lists of millions of names.
//!
//! | module | does |
//! |---|---|
//! | `name` | the form in which names and hosts are compared |
//! | `line` | the lines of a list: plain names, hosts files, and the plain domains of adblock lists |
//! | `hash` | the hashes of a name and of all names above it, in one pass from the end |
//! | `packed` | names with 6 bits for a character |
//! | `segments` | memory that grows without being moved |
//! | `table` | [`HostSet`]: the table of names |
//! | `look_up` | look-ups, for a group of hosts at a time |
//! | `builder` | [`HostSetBuilder`]: reads lists, and makes the table |
//!
//! A set answers exactly, because it holds all names. The names are in buckets of six on average: the number
//! of the names, a tag of a byte for each, and then the names, each with its length. A name takes 6 bits for
//! each character and 4 bytes more: 14.5 bytes for 14 characters, 24 for 26. The table is made when all
//! names are known, so it has no empty places. Until then, the names are in 64 parts by their hashes, each
//! with its hash and its tag; a part becomes buckets on its own, and the next part takes its memory. So a set
//! never takes much more memory than 6 bytes a name and its characters.
//!
//! A filter of one byte a name, which the cache may hold, says of nearly all names that are not in the set
//! that they are not. For the others, a look-up finds the place of a bucket and the bucket. A look-up of many
//! hosts takes each of these steps for a group of hosts, so that many places in memory are on their way at
//! the same time. Each step prefetches what the next step reads: with loads in their place, the processor
//! waited for most places one after the other. With offsets of names in an array of their own, a look-up
//! waited for one place more.

mod builder;
mod hash;
mod line;
mod look_up;
mod name;
mod packed;
mod segments;
mod table;
#[cfg(test)]
mod tests;

pub use builder::{HostListError, HostListFacts, HostListReader, HostSetBuilder};
pub use line::HostListFault;
pub use table::HostSet;
