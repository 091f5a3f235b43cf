//! How a scan reads files and judges their records.

use std::ops::ControlFlow;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use urivalidate::Request;
use urivalidate::corpus::{Chunk, Format, Reading, ReadingOptions, Scanned, Scanner};
use urivalidate::stats::ReadAs;

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

/// Scans a chunk as `request` says, and passes the result to a function piece by piece, until it fails.
pub(crate) fn scan(
    reading: &Reading,
    chunk: &Chunk<'_>,
    request: Request,
    mut take: impl FnMut(&Scanned<'_>) -> PyResult<()>,
) -> PyResult<()> {
    let flow = reading.scan_pieces(chunk, request, |scanned| match take(scanned) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => ControlFlow::Break(error),
    });
    flow.map_err(|error| PyMemoryError::new_err(error.to_string()))?.break_value().map_or(Ok(()), Err)
}
