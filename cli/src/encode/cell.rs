//! The values of cells, and how a form writes them.

use std::ops::Range;

use crate::escape::is_clean;
use crate::json::{self, number};
use urivalidate::RowColumn;
use urivalidate::corpus::LogFields;
use urivalidate::stats::Problem;

/// The content of a cell.
pub(crate) enum Value<'a> {
    Absent,
    Bool(bool),
    Number(u64),
    Name(&'static str),
    Text(&'a [u8]),
    /// Text that this value owns.
    Made(Vec<u8>),
    Range(Range<usize>),
    /// An error as one cell. Only JSON has these cells; other forms write an error in three columns.
    Error(Problem),
    Message(Problem),
}

/// A form of text: how cells and rows are written.
pub(crate) trait TextForm: Send + Sync + 'static {
    /// A cell without content.
    const ABSENT: &'static str;
    /// The quotes around texts and names.
    const QUOTE: &'static str = "";
    /// The text for an empty cell, without quotes.
    const EMPTY: &'static str = "";
    /// The text before, between and after the numbers of a range.
    const RANGE: [&'static str; 3] = ["", "-", ""];
    /// The end of a row.
    const END: &'static str = "\n";
    /// Whether an error is one cell: an object.
    const HAS_OBJECTS: bool = false;
    /// The most bytes that the escape of one byte has.
    const LONGEST_ESCAPE: usize;
    /// The bytes that the form escapes in a valid record. A valid record has no control byte, quote or
    /// backslash.
    const SPECIAL: Special;

    /// Returns the text before a cell.
    fn before(name: &str, is_first: bool) -> String;

    /// Returns the text before the first row.
    fn header(_names: &[&str]) -> String {
        String::new()
    }

    /// Writes a text.
    fn text(out: &mut Vec<u8>, text: &[u8]);
}

/// Returns a row of names.
pub(super) fn header<F: TextForm>(names: &[&str], separator: &str) -> String {
    let mut row = Vec::new();
    for (index, name) in names.iter().enumerate() {
        if index > 0 {
            row.extend_from_slice(separator.as_bytes());
        }
        F::text(&mut row, name.as_bytes());
    }
    row.push(b'\n');
    String::from_utf8(row).expect("names and separators are UTF-8")
}

/// The bytes that cannot be copied unchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    Nothing,
    Comma,
    NonAscii,
}

impl<'a> Value<'a> {
    /// Returns the value of a field, or of the number of a row, in the line that was found last. `index` is
    /// the number of the field.
    pub(super) fn of_line(fields: &'a LogFields<'_>, column: RowColumn, index: usize) -> Self {
        if column == RowColumn::Row {
            return fields.row().map_or(Value::Absent, Value::Number);
        }
        fields.text(index).map_or(Value::Absent, Value::Text)
    }
}

impl Value<'_> {
    #[inline]
    pub(crate) fn write<F: TextForm>(self, out: &mut Vec<u8>) {
        match self {
            Value::Absent => out.extend_from_slice(F::ABSENT.as_bytes()),
            Value::Bool(value) => out.extend_from_slice(if value { b"true" } else { b"false" }),
            Value::Number(value) => number(out, value),
            Value::Name(name) => {
                [F::QUOTE, name, F::QUOTE].iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
            }
            Value::Text(value) => F::text(out, value),
            Value::Made(value) => F::text(out, &value),
            Value::Range(range) => {
                let [before, between, after] = F::RANGE;
                out.extend_from_slice(before.as_bytes());
                number(out, range.start as u64);
                out.extend_from_slice(between.as_bytes());
                number(out, range.end as u64);
                out.extend_from_slice(after.as_bytes());
            }
            Value::Error(error) => json::problem(out, error),
            Value::Message(error) => F::text(out, error.to_string().as_bytes()),
        }
    }

    /// Returns an upper bound of the bytes that [`write`](Self::write) appends.
    pub(crate) fn room<F: TextForm>(&self) -> usize {
        match self {
            Value::Text(text) => {
                let has_no_escapes =
                    is_clean(text, |byte| (byte < 0x20) | (byte == b'"') | (byte == b'\\') | (byte >= 0x7F));
                // Each byte may become an escape; 16 is for the quotes.
                16 + text.len() * if has_no_escapes { 1 } else { F::LONGEST_ESCAPE }
            }
            Value::Made(text) => Value::Text(text).room::<F>(),
            // All other values are short, even a message.
            _ => 256,
        }
    }
}
