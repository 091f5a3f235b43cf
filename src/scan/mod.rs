//! Buffers to a [`Batch`](crate::batch::Batch): [`lines`], and [`ranges`] without separators.
//!
//! A buffer is cut into pieces of some 128 KiB, so that a kernel's output is still in the L2 cache when it is
//! read. (At the end of a piece the kernel waits for memory again: with 32 KiB, which the L1 cache holds, AVX-512 takes 10% longer.
//! To cut pieces where groups of blocks end gains nothing.) There are two halves to the columns:
//!
//! - A kernel (see [`simd`](crate::simd)) takes whole pieces. It yields streams of positions, which become columns at once
//!   ([`simd::fill`](crate::simd::fill)), and a list of the lines that fall back.
//! - The scalar parser judges these lines, one by one, and its results replace those of the columns.
//!
//! Both halves meet in the [`filler`]. If most records fall back, whole pieces go to the parser (see
//! [`BackOff`](crate::simd::BackOff)).
//!
//! # Bytes that change
//!
//! A buffer may be a mapped file that somebody writes to while it is scanned. Then the verdicts are worth nothing, but the batch is
//! whole all the same: each column has an offset a record, no record ends before it starts, and all lie within the buffer. So one
//! look at the bytes decides where a record lies, and the result is handed on; and a look that fails finds a record, not a panic.

mod filler;
mod lines;
mod nulls;
mod ranges;

pub(crate) use lines::scan_lines;
pub use nulls::Nulls;
pub use ranges::Offset;
pub(crate) use ranges::{end_of, scan_ranges};
