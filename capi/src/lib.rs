//! The C interface of [`urivalidate`](https://docs.rs/urivalidate), which `urivalidate.h` declares.
//!
//! The header is generated from these sources, including the public comments. So the public comments address programmers in C. Programs in Rust use
//! `urivalidate` itself.
//!
//! | module | content |
//! |---|---|
//! | [`version`], [`status`], [`numbers`], [`names`] | versions; the results of functions; numbers for the library's enumerations, and their names |
//! | [`guard`] | the boundary: no panic crosses it, failures become numbers and messages |
//! | `pointers` | slices of the caller's memory |
//! | [`validator`] | a grammar with its options |
//! | [`record`] | one record: verdict, components, error |
//! | [`text`], `output` | text made from one record, written to the caller's buffer |
//! | [`url_part`] | Spark's `parse_url` |
//! | [`scan`], [`columns`] | scans buffers of records into the caller's columns |
//! | [`arrow`] | functions over arrays, which use Arrow's C data interface |

// The header has the content of the modules in this order.
pub mod version;

pub mod status;

pub mod numbers;

pub mod names;

pub mod validator;

pub mod record;

pub mod text;

pub mod guard;

pub mod url_part;

pub mod columns;

pub mod scan;

pub mod arrow;

mod output;

mod pointers;
