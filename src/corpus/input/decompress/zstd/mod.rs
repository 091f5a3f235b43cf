//! zstd, RFC 8878.
//!
//! | module | decodes with | built by the feature |
//! |---|---|---|
//! | `libzstd` | zstd's own library, in C | `zstd` |
//! | `ruzstd` | a library in Rust, in three times the time | `zstd-rust` |
//!
//! `frame` has the fields of frames, and the errors of both. With both features, `libzstd` decodes. The two
//! give the same content. Errors may differ: see `ruzstd`.
//!
//! The crate `zstd` has a feature `rust-backend` of its own: libzstd as translated to Rust. That is a
//! prerelease, and needs a C compiler for its assembly on x86_64.

mod frame;
#[cfg(feature = "zstd")]
pub(super) mod libzstd;
#[cfg(feature = "zstd-rust")]
#[cfg_attr(feature = "zstd", allow(dead_code, reason = "libzstd decodes"))]
pub(super) mod ruzstd;

#[cfg(feature = "rayon")]
pub(crate) use frame::{START, is_plausible};
#[cfg(feature = "zstd")]
pub(crate) use libzstd::Zstd;
#[cfg(not(feature = "zstd"))]
pub(crate) use ruzstd::Zstd;
