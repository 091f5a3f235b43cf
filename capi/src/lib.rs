//! The C interface of [`urivalidate`](https://docs.rs/urivalidate): what `urivalidate.h` declares.
//!
//! The header is made of these sources, comments included, so that public comments speak to C. Rust calls the library itself.
//!
//! | module | has |
//! |---|---|
//! | [`version`], [`status`], [`numbers`], [`names`] | versions; what functions return; numbers for the library's enumerations, and their names |
//! | [`guard`] | the border: no panic crosses it, failures become numbers and messages |
//! | `pointers` | slices of the caller's memory |
//! | [`validator`] | a grammar with its options |
//! | [`record`] | one record: verdict, components, error |
//! | [`text`], `output` | text made of one record, into the caller's buffer |
//! | [`url_part`] | Spark's `parse_url` |
//! | [`scan`], [`columns`] | buffers of records, into the caller's columns |
//! | [`arrow`] | arrays in and out, by Arrow's C data interface |

// The header has them in this order.
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
