//! xz, by the [file format](https://tukaani.org/xz/xz-file-format.txt) of its authors.
//!
//! | module | decodes with | built by the feature |
//! |---|---|---|
//! | `liblzma` | xz's own library, in C | `xz`, `system-xz` |
//! | `xz4rust` | a library in Rust, in twice the time | `xz-rust` |
//!
//! `streams` divides an input into streams. With the features of both libraries, `liblzma` decodes. The two
//! give the same content. The bytes of errors may differ: see `xz4rust`.

#[cfg(feature = "__liblzma")]
pub(super) mod liblzma;
pub(super) mod streams;
#[cfg(feature = "xz-rust")]
#[cfg_attr(feature = "__liblzma", allow(dead_code, reason = "liblzma decodes"))]
pub(super) mod xz4rust;

#[cfg(feature = "rayon")]
pub(crate) use streams::is_plausible;

#[cfg(feature = "__liblzma")]
use liblzma::Decoder;
#[cfg(not(feature = "__liblzma"))]
use xz4rust::Decoder;

pub(crate) type Xz = streams::Streams<Decoder>;
