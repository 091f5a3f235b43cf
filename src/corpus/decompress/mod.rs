//! Compressed inputs: gzip and zstd, recognised by their first bytes.
//!
//! | module | does |
//! |---|---|
//! | `compression` | [`Compression`]: magic numbers, and what goes wrong |
//! | `decoder` | the trait [`Decode`](decoder::Decode): a format as a state machine from bytes to bytes |
//! | `gzip`, `zstd` | its two implementations |
//! | `in_turn` | [`InTurn`]: decodes on the calling thread |
//! | `parallel` | [`ParallelDecoder`]: decodes on the workers, ahead of the scan, and several members at a time |
//!
//! Not here: what is done with the decompressed bytes, which are read and cut into chunks like any other stream
//! ([`Input`](super::input::Input)).
//!
//! What is accepted and which errors there are is said in the [module above](super#compressed). The formats are RFC 1952
//! (members in section 2.2) and RFC 8878 (frames in section 3).

#![cfg_attr(
    not(any(feature = "gzip", feature = "zstd")),
    allow(dead_code, unused_variables, reason = "nothing is ever decoded")
)]

mod compression;
mod decoder;
#[cfg(feature = "gzip")]
mod gzip;
mod in_turn;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "zstd")]
mod zstd;

pub(super) use compression::{Compression, peek};
pub(super) use in_turn::InTurn;
#[cfg(feature = "rayon")]
pub(super) use parallel::ParallelDecoder;
