//! Lists: the line is the record.

use std::sync::Arc;

use crate::corpus::format::lines::entry::{Entry, FieldChoice};
use crate::corpus::format::lines::line::Line;
use crate::corpus::format::lines::log_format::{LineFormat, starts_as_uri};
use crate::work::memchr;

pub(crate) const ENTRY: Entry = Entry {
    about: "every line is a record, even a blank line or one that starts with #",
    sentinels: "",
    fields: FieldChoice::None("no fields", || Arc::new(List)),
    #[cfg(test)]
    example: ["", "", "\n"],
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct List;

impl LineFormat for List {
    #[inline]
    fn find(&mut self, line: &[u8]) -> Line {
        Line::unescaped(0..line.len())
    }

    /// A line with a space could be a line of a log.
    fn fits(&mut self, line: &[u8]) -> bool {
        starts_as_uri(line) && memchr(b' ', line).is_none()
    }
}
