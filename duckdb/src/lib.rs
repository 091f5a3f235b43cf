//! The DuckDB extension `urivalidate`: the engine as scalar functions, and the corpus reader as a table
//! function.
//!
//! DuckDB loads the library and calls `urivalidate_init_c_api`, which registers the functions. Then queries
//! make DuckDB call these functions. All calls use version 1.2.0 of DuckDB's C API. No later version changes
//! it, so the same file works in all later versions. The README documents the functions.
//!
//! | module | content |
//! |---|---|
//! | `failure` | errors and panics as messages |
//! | `names` | finds members of closed lists by their names |
//! | `groups` | groups of rows with the same options |
//! | `functions` | the scalar functions: those of the library's catalogue that DuckDB can have |
//! | `read_uris` | the table function: arguments, files and rows |
//! | `ffi` | the interface to DuckDB: all unsafe code |
//!
//! # Arrow in between
//!
//! `is_valid_uri` judges strings in place, in DuckDB's vectors. All other functions copy the strings of a
//! vector side by side into an Arrow array, call the library, and write its result to DuckDB's vectors. So
//! every function has the same meaning as in the other packages, including the keys of `parse_url` and the
//! rows of the command, and one writer of arrays serves all functions. The copy costs nothing extra: the
//! kernels need the strings side by side anyway, and so does DuckDB (`ffi::output`). For `is_valid_uri`, such
//! a copy takes a tenth more time.

mod failure;
mod ffi;
mod functions;
mod groups;
mod names;
mod read_uris;
