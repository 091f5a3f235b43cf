//! Scans buffers into a [`Batch`](crate::batch::Batch): [`lines`], and [`ranges`] without separators.
//!
//! A buffer is cut into pieces of some 128 KiB, so that a kernel's output is still in the L2 cache when it is
//! read. (The kernel waits for memory at the end of each piece: with 32 KiB, which the L1 cache holds,
//! AVX-512 takes 10% longer. Cutting pieces at the ends of groups of blocks gains nothing.) Two parts fill
//! the columns:
//!
//! - A kernel (see [`simd`](crate::simd)) scans whole pieces. It writes streams of positions, which become
//!   columns at once ([`simd::fill`](crate::simd::fill)), and a list of the lines that fall back.
//! - The scalar parser judges these lines one by one, and its results replace those of the kernel. If the kernel
//!   knows the first forbidden byte of a line, the grammar makes the error without the parser.
//!
//! The [`filler`] joins both parts. If most records fall back, the parser judges whole pieces (see
//! [`BackOff`](crate::simd::BackOff)).
//!
//! # Bytes that change
//!
//! A buffer may be a mapped file that another process writes during the scan. Then the verdicts are
//! worthless, but the batch stays consistent: each column has one offset per record, no record ends before it
//! starts, and all records lie within the buffer. So the place of a record is found with one read of its
//! bytes, and the result is passed on. If a later search fails, the code assumes a record, and does not
//! panic.

mod filler;
mod lines;
mod nulls;
mod ranges;
#[cfg(all(test, feature = "corpus"))]
mod tests;

pub(crate) use lines::scan_lines;
pub use nulls::Nulls;
pub use ranges::Offset;
pub(crate) use ranges::{end_of, scan_ranges};
