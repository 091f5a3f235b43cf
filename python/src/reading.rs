//! How a scan reads files and judges their records.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use urivalidate::Columns;
use urivalidate::corpus::{Chunk, Format, Scanned, Scanner};
use urivalidate::stats::ReadAs;
use urivalidate::tools::{Reading, ReadingOptions};

use crate::mapping::mapping_files;
use crate::options::value_error;

/// Makes the [`Reading`] from the options.
pub(crate) fn reading(options: ReadingOptions<'_>) -> PyResult<Reading> {
    Reading::new(options).map_err(value_error)
}

/// Sets the number of threads of the scanner, and makes it map files. 0 stands for the number of cores.
pub(crate) fn on_threads(scanner: Scanner, threads: usize) -> Scanner {
    mapping_files(scanner.threads(threads))
}

/// How the scan reads an empty input.
pub(crate) fn of_nothing(reading: &Reading) -> ReadAs {
    ReadAs::new(reading.format().unwrap_or(Format::Lines), reading.validator().grammar())
}

/// How the scan reads a chunk.
pub(crate) fn of_chunk(reading: &Reading, chunk: &Chunk<'_>) -> ReadAs {
    ReadAs::new(chunk.layout().format(), reading.validator_of(chunk).grammar())
}

/// Scans a chunk for these columns, and passes the result to a function.
pub(crate) fn scan<T>(
    reading: &Reading,
    chunk: &Chunk<'_>,
    columns: Columns,
    take: impl FnOnce(&Scanned<'_>) -> PyResult<T>,
) -> PyResult<T> {
    reading.scan(chunk, columns, take).map_err(|error| PyMemoryError::new_err(error.to_string()))?
}
