//! How a scan reads files, according to the arguments of `read_uris`.

use urivalidate::corpus::{Reading, ReadingOptions, Scanner};

use super::parameters::Parameters;
use crate::failure::Failure;

/// The number of rows in a record batch. Each chunk of a file becomes one batch, or several if its rows
/// repeat long texts.
const BATCH_ROWS: usize = 16 << 10;

/// The largest number of threads. A larger number would be a mistake, and might exceed the limit of the
/// system.
const MOST_THREADS: i64 = 1024;

/// Makes the [`Reading`] from the arguments.
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
    Ok(Reading::new(options)?)
}

/// Returns the number of threads; 0 stands for the number of cores.
pub(super) fn threads(given: &Parameters) -> Result<usize, Failure> {
    let threads = given.threads.unwrap_or_default();
    if threads > MOST_THREADS {
        return Err(Failure(format!("threads is {threads}: at most {MOST_THREADS} are possible")));
    }
    usize::try_from(threads).map_err(|_| Failure(format!("threads is {threads}: it cannot be negative")))
}

/// Returns a scanner for this reading. It maps no files: it would have to handle a signal in a process that
/// belongs to others.
pub(super) fn scanner(reading: &Reading, threads: usize) -> Scanner {
    reading.batch_scanner(BATCH_ROWS).threads(threads)
}
