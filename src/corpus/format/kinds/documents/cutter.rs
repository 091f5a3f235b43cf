//! Cuts JSON documents outside of strings.

use crate::memory::OutOfMemory;

use crate::corpus::format::lines::cutter::{Cutter, NextEnd, Seen};
use crate::work::{memchr, memchr3};

/// Cuts outside of strings, or within a string over the limit: a document may have no line ends.
#[derive(Default)]
pub(super) struct StringCutter {
    strings: JsonStrings,
    /// The number of bytes of the chunk that `strings` has passed.
    passed: usize,
}

impl Cutter for StringCutter {
    fn next_end(&mut self, seen: Seen<'_>) -> Result<NextEnd, OutOfMemory> {
        let Seen { bytes, mark, at_end, limits } = seen;
        if at_end {
            return Ok(NextEnd::Rest);
        }
        let known = bytes.len().saturating_sub(1);
        // A string within the limit, its quotes, and the byte that is held back.
        let longest = limits.max_record.saturating_add(3 + mark);
        self.strings.pass(&bytes[self.passed..known], self.passed);
        self.passed = known;
        let border = self.strings.border(known).filter(|&border| border > mark);
        Ok(match border.or((bytes.len() >= longest).then_some(known)) {
            Some(border) => {
                let end = limits.first_lines(&bytes[..border]);
                (self.strings, self.passed) = (self.strings.from(end, known), 0);
                NextEnd::End(end, None)
            }
            None => NextEnd::Needs(bytes.len().saturating_add(limits.chunk_size).min(longest)),
        })
    }
}

/// Tracks the strings of JSON documents across chunks.
///
/// A string ends at the end of its line at the latest, since no string may hold an LF. So a missing quote
/// affects one line, both here and when the documents are read.
#[derive(Clone, Copy, Debug, Default)]
struct JsonStrings {
    /// The start of the string that is open after the bytes passed so far.
    open: Option<usize>,
    /// True if the open string is over the limit and began in an earlier chunk.
    is_long: bool,
    /// True if the next byte belongs to an escape.
    is_escaped: bool,
}

impl JsonStrings {
    /// Processes `bytes`, which start at byte `start` of the chunk.
    fn pass(&mut self, bytes: &[u8], start: usize) {
        let mut at = 0;
        while at < bytes.len() {
            let rest = &bytes[at..];
            if std::mem::take(&mut self.is_escaped) && rest[0] != b'\n' {
                at += 1;
            } else if self.open.is_none() {
                let Some(quote) = memchr(b'"', rest) else { return };
                self.open = Some(start + at + quote);
                at += quote + 1;
            } else {
                let Some(found) = memchr3(b'"', b'\\', b'\n', rest) else { return };
                if rest[found] == b'\\' {
                    self.is_escaped = true;
                } else {
                    (self.open, self.is_long) = (None, false);
                }
                at += found + 1;
            }
        }
    }

    /// Returns the last place at which a chunk may end, after `passed` of its bytes: before an open string,
    /// or after these bytes if no string is open or it is a long one. Returns None if that place is the start
    /// of the chunk.
    fn border(&self, passed: usize) -> Option<usize> {
        let border = self.open.filter(|_| !self.is_long).unwrap_or(passed);
        Some(border).filter(|&border| border > 0)
    }

    /// Returns the state at `end`, where the next chunk starts, after `passed` bytes of this chunk have been
    /// processed.
    fn from(self, end: usize, passed: usize) -> Self {
        if end == passed && self.open.is_some() {
            JsonStrings { open: Some(0), is_long: true, ..self }
        } else {
            JsonStrings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the places where the text may be cut, found byte by byte.
    fn borders(text: &str) -> Vec<usize> {
        let mut strings = JsonStrings::default();
        let at = |at: usize| {
            strings.pass(&text.as_bytes()[at..at + 1], at);
            strings.border(at + 1)
        };
        (0..text.len()).filter_map(at).collect()
    }

    #[test]
    fn no_string_is_cut() {
        assert_eq!(borders(r#"["a\"",1]"#), [1, 1, 1, 1, 1, 6, 7, 8, 9]);
        assert!(borders("\"a").is_empty());
        assert_eq!(borders("\"a\n\""), [3, 3]);
        assert_eq!(borders("\"\\\n[\""), [3, 4, 4]);
        assert_eq!(borders(r#""\\"1"#), [4, 5]);
    }

    #[test]
    fn pieces_are_no_other_than_the_whole() {
        let text = br#"{"a\\":"b\"","c":["",""],"d" "e\"#;
        let mut whole = JsonStrings::default();
        whole.pass(text, 0);
        for at in 0..text.len() {
            let mut pieces = JsonStrings::default();
            pieces.pass(&text[..at], 0);
            pieces.pass(&text[at..], at);
            assert_eq!(format!("{pieces:?}"), format!("{whole:?}"), "{at}");
        }
    }
}
