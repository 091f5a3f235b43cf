//! The DuckDB extension `urivalidate`.

mod failure;
mod ffi;
mod functions;
mod read_uris;
mod scalar;
