//! Compressed inputs: gzip and zstd, recognised by their first bytes.
//!
//! | module | does |
//! |---|---|
//! | `format` | [`Format`]: magic numbers, and what goes wrong |
//! | `decoder` | the trait [`Decode`](decoder::Decode): a format as a state machine from bytes to bytes |
//! | `gzip`, `zstd` | its two implementations |
//! | `in_turn` | [`InTurn`]: decodes on the calling thread |
//! | `ahead` | [`Ahead`]: decodes on the workers, ahead of the scan, and several members at a time |
//!
//! Not here: what is done with the decompressed bytes, which are read and cut into chunks like any other stream
//! ([`Input`](super::input::Input)).
//!
//! # What is read
//!
//! A file is a sequence of members (gzip, RFC 1952 section 2.2; zstd calls them frames, RFC 8878 section 3), which are decompressed one after
//! the other: where a member ends, in the middle of a line or of a CR LF, means nothing. Zeros up to the end may follow
//! the last gzip member, as tapes and block devices leave them. Anything else that follows it is an error, where gzip(1)
//! warns and ignores it: nothing is skipped silently here. zstd's skippable frames have no content.
//!
//! The window of a zstd frame may have up to 128 MiB, as with zstd(1) unless told; levels up to 19 use 8 MiB.
//!
//! # Errors
//!
//! What comes before the error in the decompressed stream is scanned, also an incomplete last record. The
//! message names the byte of the compressed input, counted from 0, at which decoding stopped: that of a truncated input is its length, that of a
//! corrupt zstd frame the start of the block. A damage may have come before, as a checksum stands behind what it is about.

#![cfg_attr(
    not(any(feature = "gzip", feature = "zstd")),
    allow(dead_code, reason = "nothing is ever decoded")
)]

#[cfg(feature = "rayon")]
mod ahead;
mod decoder;
mod format;
#[cfg(feature = "gzip")]
mod gzip;
mod in_turn;
#[cfg(feature = "zstd")]
mod zstd;

#[cfg(feature = "rayon")]
pub(super) use ahead::Ahead;
pub(super) use format::{Format, peek};
pub(super) use in_turn::InTurn;
