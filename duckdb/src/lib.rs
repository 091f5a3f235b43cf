//! The DuckDB extension `urivalidate`: the engine as scalar functions, and the corpus reader as a table function.
//!
//! DuckDB loads the library and calls `urivalidate_init_c_api`, which registers the functions; from then on DuckDB calls back. All of that goes
//! through version 1.2.0 of its C API, which no later version changes, so one file serves them all. The README documents the functions.
//!
//! | module | does |
//! |---|---|
//! | `failure` | errors and panics as messages |
//! | `names` | members of closed lists, by their names |
//! | `scalar` | scalar functions: records and options, rows that share options |
//! | `functions` | the scalar functions |
//! | `read_uris` | the table function: arguments, files, and rows that are pulled |
//! | `ffi` | the border: all unsafe code |
//!
//! # Arrow in between
//!
//! `is_valid_uri` judges strings where they lie in DuckDB's vectors. All other functions copy the strings of a vector side by side into an
//! array of Arrow, call the library, and write its result to DuckDB's vectors. So every function has the meaning that it has elsewhere, the
//! keys of `parse_url` and the rows of the command included, and one writer of arrays serves all. The copy costs nothing extra: the kernels need the strings
//! side by side anyway, and so does DuckDB (`ffi::output`). Tried: verdicts by such a copy, which took a tenth more time.

mod failure;
mod ffi;
mod functions;
mod names;
mod read_uris;
mod scalar;
