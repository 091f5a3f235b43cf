//! Compressed inputs: gzip, zstd, bzip2 and xz, recognised by their first bytes.
//!
//! | module | does |
//! |---|---|
//! | `bzip2_start` | distinguishes a bzip2 stream from text |
//! | `compression` | [`Compression`]: magic numbers and errors |
//! | `dictionary` | finds the dictionary of a `.warc.zst` file |
//! | `decoder` | the trait [`Decode`](decoder::Decode): a format as a state machine from bytes to bytes |
//! | `gzip`, `zstd`, `bzip2`, `xz` | the implementations of that trait |
//! | `in_turn` | [`InTurn`]: decodes on the calling thread |
//! | `parallel` | [`ParallelDecoder`]: decodes on the workers, ahead of the scan, and several members at a time |
//!
//! The reader cuts the decompressed bytes into chunks, as it cuts any other stream
//! ([`ByteStream`](super::byte_stream::ByteStream)).
//!
//! The [module above](crate::corpus#compressed) lists the accepted inputs and the errors. The formats are RFC
//! 1952 (members in section 2.2) and RFC 8878 (frames in section 3).

//! # Measured
//!
//! 200 MB of URLs in the page cache, on a shared 2-core x86_64 server, medians of five runs. The first row is
//! the command on one thread, with verdicts alone. The others are decoders that write to /dev/null, alone,
//! and decoders that write through a pipe to the command.
//!
//! | | one gzip member | members of 1 MiB | zstd |
//! |---|---|---|---|
//! | this | 290 ms | 235 ms | 128 ms |
//! | `gzip -dc` or `zstd -dc` alone; piped | 705; 809 ms | 754; 997 ms | 175; 212 ms |
//! | `pigz -dc` alone; piped | 460; 511 ms | 582; 904 ms | |
//!
//! libdeflate decodes members of 1 MiB at 2.1 GB/s, zlib-ng at 0.9 and zlib at 0.7. It is not used for two
//! reasons: it needs a member and its content as a whole, and their sizes are not bounded; and its safe
//! binding does not return where in the input the member ended, so the next member could not be found.

#![cfg_attr(
    not(any(feature = "gzip", feature = "zstd", feature = "bzip2", feature = "__xz")),
    allow(dead_code, unused_variables, reason = "nothing is ever decoded")
)]

#[cfg(feature = "bzip2")]
mod bzip2;
mod bzip2_start;
mod compression;
mod decoder;
mod dictionary;
#[cfg(feature = "gzip")]
mod gzip;
mod in_turn;
#[cfg(feature = "rayon")]
mod parallel;
#[cfg(feature = "__xz")]
mod xz;
#[cfg(feature = "zstd")]
mod zstd;

pub(crate) use compression::{Compression, peek};
pub(crate) use in_turn::InTurn;
#[cfg(feature = "rayon")]
pub(crate) use parallel::ParallelDecoder;
