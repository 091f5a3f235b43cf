//! For tools around the library: the command, the packages for Python and DuckDB, fuzzers and benches use these names.
//!
//! The rest of the library is its interface. These names may change in any release.

pub use crate::grammar::may_be_address;

/// Counts of the bytes that the code looks at, which the growth tests compare; and searches that count.
pub mod work {
    pub use crate::work::*;
}

use crate::error::Error;
use crate::grammar::Grammar;
pub use crate::normal::{FormChange, FormStep};
use crate::normal::{Normalizer, form_changes as changes};
pub use crate::simd::{RowStep, ShortText, TextsAround};
use crate::{Batch, Part, Validator, simd};

#[cfg(feature = "reader")]
pub use corpus::{
    Counter, LikelyKey, Reading, ReadingError, ReadingOptions, SomeRecords, WantedLines, are_lines,
    both_read_as, copy_lines, copy_of, count_alone, first_bad_line, first_lines, format_aliases, likely_key,
    open, scan_to_first_problem,
};

/// Names of features, each with whether this build has it.
macro_rules! features {
    ($($name:literal),+ $(,)?) => { &[$(($name, cfg!(feature = $name))),+] };
}

/// The library's features, and whether this build has them; without `corpus` and `reader`, which only lead to others, and `std`.
pub const FEATURES: &[(&str, bool)] = features![
    "mmap", "rayon", "gzip", "brotli", "regex", "zstd", "bzip2", "xz", "markdown", "xml", "surt", "domains",
    "arrow",
];

/// The names of a grammar other than [its own](Grammar::name).
pub fn grammar_aliases(grammar: Grammar) -> &'static [&'static str] {
    grammar.aliases()
}

/// The changes that lead from a record to its normal form, in the order of its parts, and for each part in the order of the steps. A record that is
/// its own normal form has none.
///
/// # Errors
///
/// As [`Normalizer::normalize`].
pub fn form_changes(normalizer: &Normalizer, record: &[u8]) -> Result<alloc::vec::Vec<FormChange>, Error> {
    changes(normalizer, record)
}

/// The error of a record of more than `limit` bytes; `record` holds at least the first of them.
pub fn record_too_long(record: &[u8], limit: usize) -> Error {
    Error::record_too_long(record, limit)
}

/// Whether two errors have one kind and one message, wherever they lie.
pub fn have_same_message(one: &Error, other: &Error) -> bool {
    one.has_message_of(other)
}

/// Finds a part in some records of a batch, by the validator's backend: sets an offset a record, where the part starts and where it ends in the scanned buffer. Both are
/// [`Batch::ABSENT`] where it is absent. Returns whether no record has the part.
///
/// # Panics
///
/// If the scan did not fill the part's [columns](Part::columns), the batch lacks a record, or there are fewer starts or ends than records.
pub fn find_part(
    validator: &Validator,
    part: Part,
    batch: &Batch,
    records: core::ops::Range<usize>,
    starts: &mut [u32],
    ends: &mut [u32],
) -> bool {
    batch.find_part(validator.available_backend(), part, records, starts, ends)
}

/// Writes rows of these steps into the room that is asked for, which may have more bytes, by the validator's backend. Returns the number of
/// their bytes, or `None` if a part is not in its buffer.
///
/// # Errors
///
/// The error of the room.
///
/// # Panics
///
/// If a step has fewer parts than there are rows, or the room is less than asked for.
pub fn write_rows<'r, E>(
    validator: &Validator,
    steps: &mut [RowStep<'_>],
    rows: usize,
    room: impl FnOnce(usize) -> Result<&'r mut [u8], E>,
) -> Result<Option<usize>, E> {
    simd::write_rows(validator.available_backend(), steps, rows, room)
}

/// For files and their chunks.
#[cfg(feature = "reader")]
mod corpus {
    pub use crate::corpus::engine::{SomeRecords, WantedLines};
    pub use crate::corpus::format::{LikelyKey, likely_key};
    pub use crate::corpus::reading::{Reading, ReadingError, ReadingOptions};
    pub use crate::corpus::schedule::open;
    pub use crate::stats::Counter;

    use std::collections::TryReserveError;

    use crate::column::Columns;
    use crate::corpus::{Chunk, ChunkScanner, Format, Scanned};
    use crate::stats::{ReadAs, Stats};
    use crate::validator::Validator;

    /// Appends the wanted lines of a chunk, and the header lines of a log. If a line may hold more than one record, the records are
    /// appended, one a line.
    ///
    /// If `to` ends within a line, as after the last line of another input, this ends that line first and appends no byte order mark.
    pub fn copy_lines(scanned: &Scanned<'_>, wanted: WantedLines<'_>, to: &mut Vec<u8>) {
        scanned.copy_lines(wanted, to);
    }

    /// Whether the records of a chunk are whole lines, one after the other.
    pub fn are_lines(scanned: &Scanned<'_>) -> bool {
        scanned.has_lines()
    }

    /// The 0-based number of the first line in the chunk that holds an invalid record or does not fit its format.
    ///
    /// A record over the limit is known to be invalid before its end, which may be far.
    pub fn first_bad_line(scanned: &Scanned<'_>) -> Option<u64> {
        scanned.first_bad_line()
    }

    /// The chunk's first lines, with the byte order mark: all of them if there are not so many, or if it [is a part](Chunk::is_part).
    pub fn first_lines<'c>(chunk: &'c Chunk<'_>, lines: usize) -> Chunk<'c> {
        chunk.head(lines)
    }

    /// The same chunk with a copy of its bytes, which outlives the input.
    pub fn copy_of(chunk: &Chunk<'_>) -> Chunk<'static> {
        chunk.to_owned()
    }

    /// [Scans](ChunkScanner::scan) a chunk twice, the second time without the records and the malformed places that follow its first problem, if a line
    /// may hold several records. The number of lines stays.
    ///
    /// # Errors
    ///
    /// As those of a scan.
    pub fn scan_to_first_problem<'a>(
        chunk_scanner: &'a mut ChunkScanner,
        chunk: &'a Chunk<'_>,
        validator: &Validator,
        columns: Columns,
    ) -> Result<Scanned<'a>, TryReserveError> {
        chunk_scanner.scan_to_first_problem(chunk, validator, columns)
    }

    /// Counts the records of a chunk, which has all columns, for one counter of the statistics alone: to see how long that takes.
    pub fn count_alone(stats: &mut Stats, counter: Counter, scanned: &Scanned<'_>) {
        stats.count_alone(counter, scanned);
    }

    /// The names of a format other than [its own](Format::name).
    pub fn format_aliases(format: Format) -> &'static [&'static str] {
        format.aliases()
    }

    /// The format and the grammar of two inputs together; either may be absent. If two names differ, the result is `several`.
    pub fn both_read_as(one: Option<ReadAs>, other: Option<ReadAs>) -> Option<ReadAs> {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
        let both = |one, other| if one == other { one } else { "several" };
        Some(ReadAs { format: both(one.format, other.format), grammar: both(one.grammar, other.grammar) })
    }
}
