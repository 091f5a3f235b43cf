//! SIMD: the backends, the choice of one for this machine, and the entry points of their kernels.
//!
//! ```text
//! piece of records      -> vector: blocks of 64 bytes in registers, looked up in the tables of classify
//!                      -> masks: the classes of the bytes; rare: CR, escapes and #, which few blocks have
//!                      -> mark: the ends of components, by the shape of the grammar's lines
//!                      -> streams: positions, and the lines that fall back to the parser
//!                      -> columns: offsets
//! ```
//!
//! `docs/engine.md` draws these steps for three records.
//!
//! | room | has |
//! |---|---|
//! | [`block`] | blocks in registers: the operations of instruction sets, classes, structs of masks |
//! | [`forms`] | the bytes that normal forms may change |
//! | [`lines`] | from blocks to columns, for lines: the steps above |
//! | `bytes` | passes over bytes that are not records yet: line ends, tags |
//! | [`copies`] | parts of records copied side by side, as rows or columns |
//!
//! Each instruction set has a file (sse42, avx2, avx512, neon; x86_64 has the functions that the first three
//! share). Only these files and prefetch name intrinsics and target features; each gets the functions of its
//! backend from kernels. backend is the table of the backends: a new backend needs a file and a line in that table. Code
//! outside of this folder that gains by the features runs as a [`Job`]. Targets without vector registers,
//! such as an operating system's kernel, have only the scalar backend. A kernel is called once for a piece of
//! many lines; back_off decides when it is not worth trying.
//!
//! The module [`scan`](crate::scan) makes columns of the streams, and sends the lines that fall back to the
//! parser.

#![allow(unsafe_code)]
// Without kernels, the parts of kernels are unused.
#![cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon", target_endian = "little")
    )),
    allow(dead_code, unused_imports, unused_macros)
)]

mod back_off;
mod backend;
mod block;
#[cfg(feature = "corpus")]
mod bytes;
mod copies;
mod forms;
mod kernels;
mod lines;
#[cfg(any(feature = "corpus", feature = "arrow"))]
mod prefetch;
#[cfg(test)]
mod tests;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse42;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;

pub(crate) use back_off::BackOff;
pub use backend::Backend;
pub(crate) use backend::{
    Available, accepts, component_of, count_components, fill, find_part, mark_dots, mark_forms, run, scan,
    write_rows,
};
#[cfg(feature = "arrow")]
pub(crate) use backend::{append_spans, copy_parts, gather, mark_present, part_lengths};
#[cfg(feature = "corpus")]
pub(crate) use backend::{count_bytes, find_cells, mark_byte, mark_cells, mark_strings, mark_tags};
#[cfg(feature = "markdown")]
pub(crate) use backend::{count_marks, mark_prose};
#[cfg(feature = "xml")]
pub(crate) use backend::{mark_markup, sound_len};
#[cfg(feature = "markdown")]
pub(crate) use block::classify::MARKDOWN_MARK_SET;
#[cfg(feature = "corpus")]
pub(crate) use bytes::cell_marks::{CellBytes, CellMarks};
#[cfg(feature = "corpus")]
pub(crate) use bytes::cell_places::CellPlaces;
#[cfg(feature = "xml")]
pub(crate) use bytes::markup_marks::MarkupMarks;
#[cfg(feature = "markdown")]
pub(crate) use bytes::prose_marks::ProseMarks;
#[cfg(feature = "corpus")]
pub(crate) use bytes::tag_marks::{Marks, TagMarks, WINDOW};
#[cfg(feature = "arrow")]
pub(crate) use copies::copy_parts::CopyEnds;
pub use copies::copy_rows::{RowStep, ShortText, TextsAround};
#[cfg(feature = "arrow")]
pub(crate) use copies::part_columns::PartSpans;
#[cfg(feature = "arrow")]
pub(crate) use copies::strings_to_lines::{GatheredLines, INLINE};
pub(crate) use forms::form_escapes::Marked;
pub(crate) use forms::form_marks::FormMarks;
pub(crate) use kernels::Job;
pub(crate) use lines::columns::Placement;
pub(crate) use lines::group::Piece;
pub(crate) use lines::streams::{LineCounts, NotedLine, Streams, collect};
#[cfg(any(feature = "corpus", feature = "arrow"))]
pub(crate) use prefetch::prefetch;
