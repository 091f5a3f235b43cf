//! The interface to DuckDB: the only unsafe code of the package.

mod aggregate_function;
mod api;
mod entry;
mod input;
mod logical_type;
mod output;
mod scalar_function;
mod table_function;
mod value;
