//! The way to read files that the arguments choose.

use urivalidate::corpus::Scanner;
use urivalidate::tools::{Reading, ReadingError, ReadingOptions};

use super::parameters::Parameters;
use crate::failure::Failure;
use crate::names::unknown;

/// The rows of a record batch, which is made of a chunk.
const BATCH_ROWS: usize = 16 << 10;

/// More would be a mistake, and may be more than the system gives.
const MOST_THREADS: i64 = 1024;

/// The way to read.
pub(super) fn reading(given: &Parameters) -> Result<Reading, Failure> {
    let options = ReadingOptions {
        format: given.format.as_deref().unwrap_or("auto"),
        grammar: given.grammar.as_deref(),
        zone_ids: given.zone_ids.unwrap_or_default(),
        field: given.field.as_deref(),
        key: given.key.as_deref(),
        header: given.header,
        delimiter: given.delimiter.as_deref(),
        trim: given.trim.unwrap_or_default(),
    };
    Reading::new(options).map_err(|error| match error {
        ReadingError::UnknownFormat { known } => unknown("format", options.format, &known),
        ReadingError::UnknownGrammar(error) => {
            unknown("grammar", options.grammar.unwrap_or_default(), error.names())
        }
        other => other.into(),
    })
}

/// The number of threads; 0 for as many as there are cores.
pub(super) fn threads(given: &Parameters) -> Result<usize, Failure> {
    let threads = given.threads.unwrap_or_default();
    if threads > MOST_THREADS {
        return Err(Failure(format!("threads is {threads}: at most {MOST_THREADS} are possible")));
    }
    usize::try_from(threads).map_err(|_| Failure(format!("threads is {threads}: it cannot be negative")))
}

/// A scanner that reads like this. It maps no files: for that it would have to handle a signal of the process, which is not ours.
pub(super) fn scanner(reading: &Reading, threads: usize) -> Scanner {
    reading.batch_scanner(BATCH_ROWS).threads(threads)
}
