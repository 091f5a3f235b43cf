//! The errors of functions over arrays.

use crate::memory::OutOfMemory;
use core::fmt;

use arrow_schema::{ArrowError, DataType};

use crate::column::ColumnsMissing;
use crate::error::Error;
use crate::host_set::HostListError;
use crate::names::unknown_name;
use crate::row_column::Elsewhere;
use crate::unsupported::Unsupported;
use crate::validator::ScanError;

/// The reason why a function has no result. Invalid records are part of a result, except in
/// [`ParseUrl::parse`](super::ParseUrl::parse).
#[derive(Debug)]
#[non_exhaustive]
pub enum FunctionError {
    /// The array holds neither strings nor bytes.
    UnsupportedType(DataType),
    /// No field has this name.
    UnknownField {
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// These rows lack the column, but others have it.
    ColumnElsewhere {
        /// The name of the column.
        name: String,
        /// The rows that have it.
        elsewhere: Elsewhere,
    },
    /// A field is named twice.
    RepeatedField(String),
    /// Rows have the column `resolved`, but neither the derivation nor the input names a base, so that no row
    /// would have a value.
    NoBase,
    /// Rows have a field of lines that the format lacks or the header does not name. The sentence says which.
    NoFields(String),
    /// No grammar or form has this name.
    UnknownName {
        /// The kind of the name: `grammar` or `form`.
        what: &'static str,
        /// The unknown name.
        name: String,
        /// The known names.
        known: &'static [&'static str],
    },
    /// The grammar does not support the form.
    Unsupported(Unsupported),
    /// No part of a URL has this name.
    UnknownPart {
        /// The unknown name.
        name: String,
        /// The names of the parts.
        known: &'static [&'static str],
    },
    /// A key is given with a part that has no keys: only a query has.
    KeyWithoutQuery {
        /// The name of the part.
        part: String,
    },
    /// A list of hosts has a faulty line, or is too long.
    HostList(HostListError),
    /// The base, a constant, is invalid.
    InvalidBase {
        /// The base, with U+FFFD for bytes that are not UTF-8.
        base: String,
        /// The error of the base.
        error: Error,
    },
    /// No scheme can have this name.
    InvalidScheme(String),
    /// The key of a query is not a regular expression, or has syntax that only Java supports.
    InvalidKey {
        /// The key.
        key: String,
        /// The reason.
        reason: String,
    },
    /// A URL is invalid. The fields describe the first one.
    InvalidUrl {
        /// The 0-based row.
        row: usize,
        /// The URL, with U+FFFD for bytes that are not UTF-8.
        url: String,
        /// The error of the URL.
        error: Error,
    },
    /// A string has a `%` without two hexadecimal digits after it. The fields describe the first such string.
    InvalidEscape {
        /// The 0-based row.
        row: usize,
        /// The string, with U+FFFD for bytes that are not UTF-8.
        text: String,
    },
    /// The results have more bytes than the offsets of their type can address.
    TooLong(DataType),
    /// The array is inconsistent, or one of its strings has 2^32 - 1 bytes or more.
    Scan(ScanError),
    /// The scan of a chunk did not fill the columns that its rows need.
    ColumnsMissing(ColumnsMissing),
    /// The system has no memory for the results.
    OutOfMemory(OutOfMemory),
    /// An error of Arrow.
    Arrow(ArrowError),
}

impl fmt::Display for FunctionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FunctionError::UnsupportedType(data_type) => {
                write!(f, "expected an array of strings or of binary values, got one of {data_type}")
            }
            FunctionError::UnknownField { name, known } => f.write_str(&unknown_name("field", name, known)),
            FunctionError::ColumnElsewhere { name, elsewhere } => match elsewhere {
                Elsewhere::Rows(kinds) => {
                    let kinds: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
                    write!(f, "the column {name} is in rows of {}", kinds.join(" and "))
                }
                Elsewhere::Grammars(grammars) => {
                    let grammars: Vec<_> = grammars.iter().map(|grammar| grammar.name()).collect();
                    write!(f, "the column {name} needs grammar {}", grammars.join(" or "))
                }
                Elsewhere::Counts => write!(f, "the column {name} is in no rows: the command counts it"),
            },
            FunctionError::NoFields(about) => f.write_str(about),
            FunctionError::NoBase => f.write_str(
                "the column resolved needs a base, and the input names none; resolve_uri takes one",
            ),
            FunctionError::RepeatedField(name) => write!(f, "duplicate field {name:?}"),
            FunctionError::UnknownName { what, name, known } => f.write_str(&unknown_name(what, name, known)),
            FunctionError::Unsupported(error) => error.fmt(f),
            FunctionError::UnknownPart { name, known } => f.write_str(&unknown_name("part", name, known)),
            FunctionError::KeyWithoutQuery { part } => {
                write!(f, "a key needs the part QUERY, got {part}")
            }
            FunctionError::HostList(error) => write!(f, "the list of hosts: {error}"),
            FunctionError::InvalidBase { base, error } => {
                /// A base that is too long would hide the reason.
                const SHOWN: usize = 256;

                let end = base.char_indices().nth(SHOWN).map_or(base.len(), |(end, _)| end);
                let more = if end < base.len() { "…" } else { "" };
                let at = error.offset();
                write!(f, "the base {:?}{more} is invalid, {error} (at byte {at})", &base[..end])
            }
            FunctionError::InvalidScheme(name) => write!(f, "{name:?} is no scheme"),
            FunctionError::InvalidKey { key, reason } => write!(f, "the key {key:?}: {reason}"),
            FunctionError::InvalidUrl { row, url, error } => {
                write!(f, "the URL in row {row} is invalid, {error} (at byte {}): {url:?}", error.offset())
            }
            FunctionError::InvalidEscape { row, text } => {
                write!(f, "row {row} has a \"%\" without two hexadecimal digits: {text:?}")
            }
            FunctionError::TooLong(data_type) => {
                write!(
                    f,
                    "the results have more bytes than an array of {data_type} can hold, 2^31 - 1; \
                     pass fewer rows at a time, or large_utf8"
                )
            }
            FunctionError::Scan(error) => error.fmt(f),
            FunctionError::ColumnsMissing(error) => error.fmt(f),
            FunctionError::OutOfMemory(_) => f.write_str("out of memory: pass fewer rows at a time"),
            FunctionError::Arrow(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for FunctionError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            FunctionError::InvalidUrl { error, .. } | FunctionError::InvalidBase { error, .. } => Some(error),
            FunctionError::Unsupported(error) => Some(error),
            FunctionError::HostList(error) => Some(error),
            FunctionError::Scan(error) => Some(error),
            FunctionError::ColumnsMissing(error) => Some(error),
            FunctionError::OutOfMemory(error) => Some(error),
            FunctionError::Arrow(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Unsupported> for FunctionError {
    fn from(error: Unsupported) -> Self {
        FunctionError::Unsupported(error)
    }
}

impl From<ScanError> for FunctionError {
    fn from(error: ScanError) -> Self {
        FunctionError::Scan(error)
    }
}

impl From<ColumnsMissing> for FunctionError {
    fn from(error: ColumnsMissing) -> Self {
        FunctionError::ColumnsMissing(error)
    }
}

impl From<OutOfMemory> for FunctionError {
    fn from(error: OutOfMemory) -> Self {
        FunctionError::OutOfMemory(error)
    }
}

impl From<ArrowError> for FunctionError {
    fn from(error: ArrowError) -> Self {
        FunctionError::Arrow(error)
    }
}
