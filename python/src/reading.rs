//! The way to read files and to judge their records.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use urivalidate::corpus::{Chunk, Format, Scanned, Scanner};
use urivalidate::tools::{Reading, ReadingError, ReadingOptions};
use urivalidate::{Columns, ReadAs};

use crate::mapping::mapping_files;
use crate::options::{unknown, value_error};

/// The way to read that these options choose.
pub(crate) fn reading(options: ReadingOptions<'_>) -> PyResult<Reading> {
    Reading::new(options).map_err(|error| match error {
        ReadingError::UnknownFormat { known } => unknown("format", options.format, &known),
        ReadingError::UnknownGrammar(error) => {
            unknown("grammar", options.grammar.unwrap_or_default(), error.names())
        }
        other => value_error(other),
    })
}

/// The scanner with this number of threads; 0 for one on each core.
pub(crate) fn on_threads(scanner: Scanner, threads: usize) -> Scanner {
    mapping_files(scanner.threads(threads))
}

/// The way to read an empty input.
pub(crate) fn of_nothing(reading: &Reading) -> ReadAs {
    ReadAs::new(reading.format().unwrap_or(Format::Lines), reading.validator().grammar())
}

/// The way to read a chunk.
pub(crate) fn of_chunk(reading: &Reading, chunk: &Chunk<'_>) -> ReadAs {
    ReadAs::new(chunk.layout().format(), reading.validator_of(chunk).grammar())
}

/// Scans a chunk for these columns, and hands over the result.
pub(crate) fn scan<T>(
    reading: &Reading,
    chunk: &Chunk<'_>,
    columns: Columns,
    take: impl FnOnce(&Scanned<'_>) -> PyResult<T>,
) -> PyResult<T> {
    reading.scan(chunk, columns, take).map_err(|error| PyMemoryError::new_err(error.to_string()))?
}
