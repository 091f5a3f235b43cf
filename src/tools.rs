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

#[cfg(feature = "reader")]
pub use corpus::{
    Counter, LikelyKey, Reading, ReadingError, ReadingOptions, WantedLines, are_lines, both_read_as,
    copy_lines, count_alone, first_bad_line, first_lines, format_aliases, likely_key, open,
    scan_to_first_problem,
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

/// For files and their chunks.
#[cfg(feature = "reader")]
mod corpus {
    pub use crate::corpus::engine::WantedLines;
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
