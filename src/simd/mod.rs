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
//! find_components takes a piece through these steps, some blocks at a time (group); single judges one record. form_marks finds the bytes that normal
//! forms may change (form_escapes: in escapes), dot_marks the places where dot segments may begin, and tag_marks the bytes at which tags of HTML
//! are cut; count_bytes counts line ends, and count_lines the lines with some components. strings_to_lines makes a piece of strings that lie apart; part_columns makes columns of offsets, copy_parts
//! columns of text, and copy_rows rows of text.
//!
//! Each instruction set has a file (sse42, avx2, avx512, neon; x86_64 has the functions that the first three share). Only these files name
//! intrinsics and target features; each gets the functions of its backend from kernels. backend is the table of the backends: a new backend
//! needs a file and a line in that table. Code of other rooms that gains by the features runs as a [`Job`]. Targets without vector registers, such as an operating system's kernel, have only the scalar backend.
//! A kernel is called once for a piece of many lines; back_off decides when it is not worth trying.
//! mask_structs declares the structs of masks that the other files pass on.
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
mod classify;
mod columns;
#[cfg(feature = "arrow")]
mod copy_parts;
mod copy_rows;
#[cfg(feature = "reader")]
mod count_bytes;
mod count_lines;
mod dot_marks;
mod find_components;
mod form_escapes;
mod form_marks;
mod group;
mod kernels;
mod mark;
mod mask_structs;
mod masks;
#[cfg(feature = "arrow")]
mod part_columns;
mod rare;
mod shape;
mod single;
mod streams;
#[cfg(feature = "arrow")]
mod strings_to_lines;
#[cfg(feature = "reader")]
mod tag_marks;
#[cfg(test)]
mod tests;
mod vector;

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
pub(crate) use backend::{
    Available, accepts, count_components, fill, find_part, mark_dots, mark_forms, run, scan, write_rows,
};
pub use backend::{Backend, BackendUnavailable};
#[cfg(feature = "arrow")]
pub(crate) use backend::{append_spans, copy_parts, gather, mark_present, part_lengths};
#[cfg(feature = "reader")]
pub(crate) use backend::{count_bytes, mark_newlines, mark_tags};
pub(crate) use columns::Placement;
#[cfg(feature = "arrow")]
pub(crate) use copy_parts::CopyEnds;
pub use copy_rows::{RowStep, ShortText, TextsAround};
pub(crate) use form_escapes::Marked;
pub(crate) use form_marks::FormMarks;
pub(crate) use group::Piece;
pub(crate) use kernels::Job;
#[cfg(feature = "arrow")]
pub(crate) use part_columns::PartSpans;
pub(crate) use streams::{LineCounts, NotedLine, Streams, collect};
#[cfg(feature = "arrow")]
pub(crate) use strings_to_lines::{GatheredLines, INLINE};
#[cfg(feature = "reader")]
pub(crate) use tag_marks::{Marks, TagMarks, WINDOW};
