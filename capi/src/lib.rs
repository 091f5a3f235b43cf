//! The C interface of [`urivalidate`](https://docs.rs/urivalidate), which `urivalidate.h` declares.
//!
//! The header is generated from these sources, including the public comments. So the public comments address
//! programmers in C. Programs in Rust use `urivalidate` itself.
//!
//! | module | content |
//! |---|---|
//! | [`version`], [`status`], [`numbers`], [`names`] | versions; the results of functions; numbers for the library's enumerations, and their names |
//! | [`guard`] | the boundary: no panic crosses it, failures become numbers and messages |
//! | `pointers`, [`bytes`] | slices of the caller's memory; the bytes that functions read |
//! | [`validator`] | a grammar with its options |
//! | [`record`] | one record: verdict, components, error |
//! | [`text`], [`output`] | text made from one record; the caller's room for it |
//! | [`url_part`] | Spark's `parse_url` |
//! | [`scan`], [`columns`] | scans buffers of records into the caller's columns |
//! | [`arrow`] | functions over arrays, which use Arrow's C data interface |
//!
//! # Parameters
//!
//! All functions pass the same thing in the same way, short functions too:
//!
//! | thing | parameter |
//! |---|---|
//! | bytes that a function reads: a record, a base, a name, a buffer | [`Bytes`](bytes::Bytes), by value |
//! | room for a text | a pointer to a [`Text`](output::Text) |
//! | strings with offsets | a pointer to [`Strings32`](scan::Strings32) or [`Strings64`](scan::Strings64) |
//! | room for the results of a scan | a pointer to [`Columns`](columns::Columns) |
//! | an array of Arrow, room for one | [`ArrowIn`](arrow::transfer::ArrowIn), [`ArrowOut`](arrow::transfer::ArrowOut), by value |
//! | room for one result or an error | a pointer to it |
//!
//! A function has at most five parameters, in this order: its object, its options, what it reads, what it
//! writes, its error. A function that needs more gets a structure. `tests/header.rs` checks the number and
//! the types.
//!
//! A structure of two words goes by value: the calling conventions of x86-64 (System V) and AArch64 pass it
//! in two registers, like two parameters. A structure that the function writes, or that is larger, goes by
//! pointer. No structure has padding, and zeros are the default of every member that the caller sets. So a
//! later minor version, which has another soname, can add members at the end: sources that fill structures
//! with zeros first keep their meaning.

// The header has the content of the modules in this order.
pub mod version;

pub mod status;

pub mod bytes;

pub mod numbers;

pub mod names;

pub mod validator;

pub mod record;

pub mod output;

pub mod text;

pub mod guard;

pub mod url_part;

pub mod columns;

pub mod scan;

pub mod arrow;

mod pointers;
