//! The selected field of a format, and the other choices that formats leave open.

use core::fmt;

#[cfg(feature = "regex")]
use super::pattern::Pattern;
use super::wrapper::Wrapper;

/// The field of a format that holds the records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldSelector {
    /// The format's usual field.
    #[default]
    Uri,
    /// A field that `docs/formats.md` names for the format, or a column: by its name if the format has a
    /// header, by its number, counted from 1, if the format has columns.
    Field(String),
    /// A key, in formats of JSON objects.
    Key(String),
}

impl FieldSelector {
    /// Returns a column by its number, counted from 1.
    pub(crate) fn number(&self) -> Option<usize> {
        match self {
            FieldSelector::Field(field) => field.parse().ok().filter(|&number| number > 0),
            _ => None,
        }
    }
}

/// The role of the first line of a table: a header or a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderRow {
    /// The first line is a header if it names the selected column, or a column called `url` or `uri`.
    #[default]
    Auto,
    /// The first line is a header.
    Yes,
    /// The first line is a row like the others.
    No,
}

/// The choices that a [`Format`](crate::corpus::Format) leaves open.
///
/// ```
/// use urivalidate::corpus::{FieldSelector, Format, HeaderRow, Layout, LayoutOptions};
///
/// let mut options = LayoutOptions::from(FieldSelector::Field("2".to_owned()));
/// options.header = HeaderRow::No;
/// assert!(Layout::new(Format::Csv, &options).is_ok());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayoutOptions {
    /// The field that holds the records.
    pub field: FieldSelector,
    /// The role of the first line of a table: a header or a row.
    pub header: HeaderRow,
    /// The separator between the cells of [`Format::Delimited`](crate::corpus::Format::Delimited).
    pub delimiter: Option<u8>,
    /// The wrapper of each line. Detection finds the format inside the wrapper;
    /// [`Layout::new`](crate::corpus::Layout::new) ignores this field.
    pub wrapper: Option<Wrapper>,
    /// The pattern that finds the records of [`Format::Regex`](crate::corpus::Format::Regex).
    #[cfg(feature = "regex")]
    pub pattern: Option<Pattern>,
}

impl From<FieldSelector> for LayoutOptions {
    fn from(field: FieldSelector) -> Self {
        LayoutOptions { field, ..LayoutOptions::default() }
    }
}

/// The selected column of a table whose header may name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ColumnSelector {
    /// The column that the format takes for the URI.
    Uri,
    /// A column by its name, in any letter case.
    Name(Box<[u8]>),
    /// A column by its number, counted from 1.
    Number(usize),
}

impl ColumnSelector {
    pub(crate) fn new(selector: &FieldSelector) -> Option<Self> {
        match selector {
            FieldSelector::Uri => Some(ColumnSelector::Uri),
            FieldSelector::Key(_) => None,
            FieldSelector::Field(field) => match selector.number() {
                Some(number) => Some(ColumnSelector::Number(number)),
                // The number is 0, or too large for a column.
                None if field.bytes().all(|byte| byte.is_ascii_digit()) => None,
                None => Some(ColumnSelector::Name(field.as_bytes().into())),
            },
        }
    }
}

/// Displays a missing column as the user named it.
impl fmt::Display for ColumnSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnSelector::Uri => f.write_str("column url or uri"),
            ColumnSelector::Name(name) => write!(f, "column {}", String::from_utf8_lossy(name)),
            ColumnSelector::Number(number) => write!(f, "column number {number}"),
        }
    }
}
