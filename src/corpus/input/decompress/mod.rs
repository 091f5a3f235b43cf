//! Compressed inputs: gzip, zstd, bzip2 and xz, recognised by their first bytes.
//!
//! | module | does |
//! |---|---|
//! | `bzip2_start` | distinguishes a bzip2 stream from text |
//! | `compression` | [`Compression`]: magic numbers and errors |
//! | `dictionary` | finds the dictionary of a `.warc.zst` file |
//! | `decoder` | the trait [`Decode`](decoder::Decode): a format as a state machine from bytes to bytes |
//! | `gzip`, `zstd`, `bzip2`, `xz` | the implementations of that trait; two for zstd and xz, in C and in Rust |
//! | `reader` | decoded bytes as a reader |
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
//! zstd and xz can be decoded in C and in Rust. 120 MB of URLs, the decoder alone, on one thread, CPU time in
//! one run, medians of five, on a busy machine of the same kind:
//!
//! | | in C | in Rust | ratio |
//! |---|---|---|---|
//! | zstd, level 3 | 80 ms | 237 ms | 3.0 |
//! | xz, level 6 | 541 ms | 1175 ms | 2.2 |
//! | xz, level 1, in blocks | 538 ms | 1219 ms | 2.3 |
//!
//! libdeflate decodes members of 1 MiB at 2.1 GB/s, zlib-ng at 0.9 and zlib at 0.7. It is not used for two
//! reasons: it needs a member and its content as a whole, and their sizes are not bounded; and its safe
//! binding does not return where in the input the member ended, so the next member could not be found.
//!
//! A single member can be decoded on many cores: each guesses where the next block starts, and decodes it twice
//! if it refers to bytes before it, as rapidgzip does. CPU time for 102 MB of URLs in a member of 30 MB, medians
//! of five in turns, on a busy machine with two cores:
//!
//! | | CPU time |
//! |---|---|
//! | zlib-rs, which this uses | 205 ms |
//! | rapidgzip 0.16 in C++, one thread; two threads | 289 ms; 937 ms |
//! | the crate rapidgzip-core 0.2.1, two threads | 254 ms: it decodes in turn on two cores |
//!
//! So guessing costs three times the work, and pays from four cores on. The crate is young, and starts threads
//! of its own beside those of the scan: it is not used.

#![cfg_attr(
    not(any(feature = "gzip", feature = "__zstd", feature = "bzip2", feature = "__xz")),
    allow(dead_code, unused_variables, reason = "nothing is ever decoded")
)]

#[cfg(all(test, feature = "zstd", feature = "zstd-rust", feature = "__liblzma", feature = "xz-rust"))]
mod agreement;
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
#[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
mod reader;
#[cfg(feature = "__xz")]
mod xz;
#[cfg(feature = "__zstd")]
mod zstd;

pub(crate) use compression::{Compression, peek};
pub(crate) use in_turn::InTurn;
#[cfg(feature = "rayon")]
pub(crate) use parallel::ParallelDecoder;

/// Returns a reader of the content of zstd, with windows of at most this number of bytes.
#[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
pub(crate) fn zstd_reader(
    bytes: impl std::io::Read,
    largest_window: u64,
) -> std::io::Result<impl std::io::Read> {
    Ok(reader::Reader::new(bytes, zstd::Zstd::new(None)?.largest_window(largest_window)))
}
