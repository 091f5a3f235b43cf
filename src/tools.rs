//! Functions for tools around the library: the command, the packages for Python and DuckDB, fuzzers and benches use them.
//!
//! They are not part of the library's interface, and may change in any release.

/// Counts of the bytes that the code examines, which the growth tests compare; and searches that count.
pub mod work {
    pub use crate::work::*;
}

use alloc::string::String;

use crate::error::Error;
use crate::grammar::Grammar;
#[cfg(any(feature = "reader", feature = "arrow"))]
pub use crate::memory::Room;
pub use crate::normal::{FormChange, FormStep};
use crate::normal::{Normalizer, form_changes as changes};
#[cfg(any(feature = "reader", feature = "arrow"))]
pub use crate::row_column::Elsewhere;
pub use crate::simd::{RowStep, ShortText, TextsAround};
use crate::{Batch, ColumnsMissing, Part, Validator, names, simd};
#[cfg(any(feature = "reader", feature = "arrow"))]
use crate::{RowColumn, RowKind};

#[cfg(feature = "reader")]
pub use corpus::{
    Advice, Counter, Fit, Guess, LikelyKey, LooksLike, Misfits, Reading, ReadingError, ReadingOption,
    ReadingOptions, Remedy, Repeats, SomeRecords, ValueMap, ValueParts, WantedLines, are_lines, are_mostly,
    compare_values, copy_lines, copy_of, count_alone, estimate_lines, first_bad_line, first_lines,
    format_aliases, has_key_in_lines, is_long, is_missing_key, is_table, longest_copy, resolve_in_parts,
};

#[cfg(all(feature = "reader", feature = "arrow"))]
pub use crate::arrow::rows::repeats_of;

/// Makes a list of features, each with true if this build has it.
macro_rules! features {
    ($($name:literal),+ $(,)?) => { &[$(($name, cfg!(feature = $name))),+] };
}

/// The library's features, each with true if this build has it. `corpus` and `reader`, which only enable other features, and `std` are left out.
pub const FEATURES: &[(&str, bool)] = features![
    "mmap",
    "rayon",
    "gzip",
    "brotli",
    "regex",
    "zstd",
    "bzip2",
    "xz",
    "system-zstd",
    "system-xz",
    "markdown",
    "xml",
    "surt",
    "domains",
    "arrow",
];

/// Returns the names of a grammar other than [its own](Grammar::name).
pub fn grammar_aliases(grammar: Grammar) -> &'static [&'static str] {
    grammar.aliases()
}

/// Returns the changes from a record to its normal form, in the order of its parts, and for each part in the order of the steps. A record that is
/// its own normal form has no changes.
///
/// # Errors
///
/// Returns the errors of [`Normalizer::normalize`].
pub fn form_changes(normalizer: &Normalizer, record: &[u8]) -> Result<alloc::vec::Vec<FormChange>, Error> {
    changes(normalizer, record)
}

/// Returns the error of a record of more than `limit` bytes. `record` holds at least the first `limit` bytes.
pub fn record_too_long(record: &[u8], limit: usize) -> Error {
    Error::record_too_long(record, limit)
}

/// Returns true if two errors have the same kind and the same message, whatever their offsets.
pub fn have_same_message(one: &Error, other: &Error) -> bool {
    one.has_message_of(other)
}

/// Returns the message for a name that is not one of the known names. `what` is the kind of name, such as `grammar`.
pub fn unknown_name(what: &str, name: &str, known: &[impl AsRef<str>]) -> String {
    names::unknown_name(what, name, known)
}

/// Returns where the column of this name is, if rows of this kind lack it by this grammar. Returns `None` if these rows have it, or no column has
/// this name.
#[cfg(any(feature = "reader", feature = "arrow"))]
pub fn elsewhere(name: &str, kind: RowKind, grammar: Grammar) -> Option<Elsewhere> {
    RowColumn::elsewhere(name, kind, grammar)
}

/// Returns true if the error is a zone identifier, which a validator [with zone identifiers](Validator::with_zone_ids) allows.
pub fn is_zone_id(error: &Error) -> bool {
    error.is_zone_id()
}

/// Reserves room for at least `additional` more items, as [`Vec::try_reserve`] does. A large allocation leaves memory for small ones, which end the
/// process if they fail.
///
/// # Errors
///
/// Returns an error if memory runs out.
#[cfg(any(feature = "reader", feature = "arrow"))]
#[inline]
pub fn try_reserve<T>(
    items: &mut alloc::vec::Vec<T>,
    additional: usize,
) -> Result<(), alloc::collections::TryReserveError> {
    crate::memory::try_reserve(items, additional)
}

/// Asks the system for the memory of work that allocates about `bytes` bytes, and gives it back.
///
/// # Errors
///
/// Returns an error if memory runs out.
#[cfg(any(feature = "reader", feature = "arrow"))]
pub fn ask_for_memory(bytes: usize) -> Result<(), alloc::collections::TryReserveError> {
    crate::memory::ask_for(bytes)
}

/// Returns the room for work that allocates about `bytes` bytes without asking the system, after asking for all of
/// them. Until it is dropped, others that ask are told that these bytes are taken.
///
/// # Errors
///
/// Returns an error if memory runs out.
#[cfg(any(feature = "reader", feature = "arrow"))]
pub fn room_for(bytes: usize) -> Result<Room, alloc::collections::TryReserveError> {
    crate::memory::room_for(bytes)
}

/// Finds a part in some records of a batch, by the validator's backend. Sets two offsets per record, in the scanned buffer: the start and the end
/// of the part. Both are [`Batch::ABSENT`] if it is absent. Returns true if no record has the part.
///
/// # Errors
///
/// Returns an error if the scan did not fill the part's [columns](Part::columns).
///
/// # Panics
///
/// Panics if the batch lacks a record, or if there are fewer starts or ends than records.
pub fn find_part(
    validator: &Validator,
    part: Part,
    batch: &Batch,
    records: core::ops::Range<usize>,
    starts: &mut [u32],
    ends: &mut [u32],
) -> Result<bool, ColumnsMissing> {
    batch.find_part(validator.available_backend(), part, records, starts, ends)
}

/// Returns those of these records whose hosts are addresses, in order, with the kinds of the hosts. All other hosts are names.
///
/// # Panics
///
/// Panics if the scan did not fill the columns of hosts and a host may be an address, or if the range of records is not in order.
#[cfg(feature = "reader")]
pub fn addresses(
    scanned: &crate::corpus::Scanned<'_>,
    records: core::ops::Range<usize>,
) -> impl Iterator<Item = (usize, crate::HostKind)> {
    scanned.batch().addresses(scanned.values(), records)
}

/// Writes rows of these steps into the room that `room` provides, by the validator's backend. The room may be larger than requested. Returns the
/// number of the rows' bytes, or `None` if a part is not in its buffer, if a step has fewer parts than rows, or if no room is large enough.
///
/// # Errors
///
/// Returns the error of the room.
///
/// # Panics
///
/// Panics if the room is smaller than requested.
pub fn write_rows<'r, E>(
    validator: &Validator,
    steps: &mut [RowStep<'_>],
    rows: usize,
    room: impl FnOnce(usize) -> Result<&'r mut [u8], E>,
) -> Result<Option<usize>, E> {
    simd::write_rows(validator.available_backend(), steps, rows, room)
}

/// Functions for files and their chunks.
#[cfg(feature = "reader")]
mod corpus {
    pub use crate::corpus::advice::{Advice, Guess, ReadingOption, Remedy, are_mostly};
    pub use crate::corpus::engine::{Repeats, SomeRecords, WantedLines};
    pub use crate::corpus::fit::{Fit, Misfits};
    pub use crate::corpus::format::{LikelyKey, LooksLike};
    pub use crate::corpus::reading::{Reading, ReadingError, ReadingOptions};
    pub use crate::stats::counters::Counter;
    pub use crate::stats::value_map::{ValueMap, ValueParts, compare_values};

    use std::collections::TryReserveError;

    use crate::column::ColumnsMissing;
    use crate::corpus::format::MissingKey;
    use crate::corpus::{Chunk, Format, Scanned, Scanner};
    use crate::derived::Deriver;
    use crate::stats::Stats;

    /// Appends the wanted lines of a chunk, and the header lines of a log. If a line may hold more than one record, appends the records instead,
    /// one per line.
    ///
    /// If `to` ends within a line, for example after the last line of another input, the function first ends that line, and appends no byte order
    /// mark.
    pub fn copy_lines(scanned: &Scanned<'_>, wanted: WantedLines<'_>, to: &mut Vec<u8>) {
        scanned.copy_lines(wanted, to);
    }

    /// Makes the column `resolved` for all records of a chunk, as [`Deriver::derive_batch`] does. `take` gets each value in two parts: other values
    /// may have the same first part, which is a beginning of the base.
    ///
    /// # Errors
    ///
    /// Returns an error if the scan did not fill the columns of the derived one. The inner result is the first error of `take`.
    pub fn resolve_in_parts<E>(
        deriver: &Deriver<'_>,
        scanned: &Scanned<'_>,
        take: impl FnMut(usize, Option<ValueParts<'_>>) -> Result<(), E>,
    ) -> Result<Result<(), E>, ColumnsMissing> {
        deriver.resolve_in_parts(scanned.batch(), scanned.values(), |index| scanned.page(index), take)
    }

    /// Returns true if the records of a chunk are whole lines, one after the other.
    pub fn are_lines(scanned: &Scanned<'_>) -> bool {
        scanned.has_lines()
    }

    /// Returns the 0-based number of the first line in the chunk that has an invalid record or does not fit its format.
    ///
    /// A record over the limit is known to be invalid long before its end, which may be in a later chunk.
    pub fn first_bad_line(scanned: &Scanned<'_>) -> Option<u64> {
        scanned.first_bad_line()
    }

    /// Returns the first `lines` lines of the chunk, with the byte order mark. Returns the whole chunk if it has no more lines, or if it [is a
    /// part](Chunk::is_part).
    pub fn first_lines<'c>(chunk: &'c Chunk<'_>, lines: usize) -> Chunk<'c> {
        chunk.head(lines)
    }

    /// Returns true if the chunk is larger than 1 MiB. With the default [chunk size](Scanner::chunk_size) this happens only if a single record is
    /// about that long. Memory for such a chunk is not worth keeping for the next ones.
    pub fn is_long(chunk: &Chunk<'_>) -> bool {
        chunk.is_long()
    }

    /// Lets chunks of a list have more lines than [`Scanner::chunk_lines`] if a sample of the chunk has few: the caller handles them. This saves
    /// the time for counting.
    pub fn estimate_lines(scanner: Scanner) -> Scanner {
        scanner.estimate_lines()
    }

    /// Returns the same chunk with a copy of its bytes, which outlives the input.
    ///
    /// # Errors
    ///
    /// Returns an error if memory runs out.
    pub fn copy_of(chunk: &Chunk<'_>) -> Result<Chunk<'static>, TryReserveError> {
        chunk.try_to_owned()
    }

    /// Returns the maximal number of bytes that [`copy_lines`] appends to an empty vector.
    pub fn longest_copy(scanned: &Scanned<'_>) -> usize {
        scanned.longest_copy()
    }

    /// Counts the records of a chunk, which has all columns, for only one counter of the statistics, to measure its time.
    pub fn count_alone(stats: &mut Stats, counter: Counter, scanned: &Scanned<'_>) {
        stats.count_alone(counter, scanned);
    }

    /// Returns the names of a format other than [its own](Format::name).
    pub fn format_aliases(format: Format) -> &'static [&'static str] {
        format.aliases()
    }

    /// Returns true if this is the error of an input of which no line has the key.
    pub fn is_missing_key(error: &std::io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<MissingKey>())
    }

    /// Returns true if each line of a format, or each object of its documents, has or lacks the key of the URI.
    pub fn has_key_in_lines(format: Format) -> bool {
        format.has_key_in_lines()
    }

    /// Returns true if the lines of a format are rows of a table.
    pub fn is_table(format: Format) -> bool {
        format.is_table()
    }
}
