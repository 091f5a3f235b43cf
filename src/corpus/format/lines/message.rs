//! The message of a line that another program has wrapped: the line as the first program wrote it.

use std::ops::Range;

use super::line::{Field, Line, Malformed};
use super::unescape::Escapes;

/// The place of a message in its line, and its escapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) range: Range<usize>,
    pub(crate) escapes: Escapes,
    /// Whether the message is only a part of a longer one.
    pub(crate) is_part: bool,
}

/// Finds the message of a line, if the line is wrapped.
pub(crate) type Unwrap = fn(&[u8]) -> Option<Message>;

impl Message {
    /// Returns a message without escapes.
    pub(crate) fn unescaped(range: Range<usize>) -> Self {
        Message { range, escapes: Escapes::None, is_part: false }
    }

    /// Returns the text of the message in `line`, without its line end. `buffer` holds it if it has escapes.
    pub(crate) fn text<'t>(&self, line: &'t [u8], buffer: &'t mut Vec<u8>) -> &'t [u8] {
        let raw = &line[self.range.clone()];
        let text = if self.escapes == Escapes::None {
            raw
        } else {
            buffer.clear();
            self.escapes.write(raw, buffer);
            buffer
        };
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.strip_suffix(b"\r").unwrap_or(text)
    }
}

/// Classifies a wrapped line: `find` classifies its message. A line without the wrapper can still fit the
/// format, and a part of a message can hold the record.
pub(crate) fn find_in_message(
    unwrap: Unwrap,
    line: &[u8],
    buffer: &mut Vec<u8>,
    find: impl FnOnce(&[u8]) -> Line,
) -> Line {
    let Some(message) = unwrap(line) else {
        return match find(line) {
            Line::WithoutKey => Malformed::NotWrapped.into(),
            Line::Malformed(reason) if reason != Malformed::Empty => Malformed::NotWrapped.into(),
            found => found,
        };
    };
    match find(message.text(line, buffer)) {
        Line::Malformed(_) | Line::WithoutKey if message.is_part => Malformed::PartOfLine.into(),
        found => found.inside(message.range.start, &line[message.range], message.escapes),
    }
}

impl Line {
    /// Returns the line with the ranges of the outer line. `self` is the classification of the text of `raw`,
    /// which starts at `start` of the outer line and has the escapes `outer`.
    pub(crate) fn inside(self, start: usize, raw: &[u8], outer: Escapes) -> Line {
        let Line::Record(Field { range, tail, escapes }) = self else { return self };
        let origin = |range: Range<usize>| {
            start + outer.origin(raw, range.start)..start + outer.origin(raw, range.end)
        };
        let tail = if tail.is_empty() { 0..0 } else { origin(tail) };
        Line::Record(Field { range: origin(range), tail, escapes: outer.around(escapes) })
    }
}
