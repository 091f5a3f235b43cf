//! Finds places where JSON documents can be cut: outside of strings.

use crate::work::{memchr, memchr3};

/// Follows the strings of JSON documents, over any number of chunks.
///
/// A string ends at its line's end at the latest, since none may hold an LF. So a quote that is missing costs one line, here as where
/// the documents are read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JsonStrings {
    /// The start of the string that is open after the bytes passed so far.
    open: Option<usize>,
    /// Whether that is a string over the limit, which began in an earlier chunk.
    is_long: bool,
    /// Whether the next byte belongs to an escape.
    is_escaped: bool,
}

impl JsonStrings {
    /// Passes bytes that start at `start` of the chunk.
    pub(crate) fn pass(&mut self, bytes: &[u8], start: usize) {
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

    /// The last place at which a chunk may end, after `passed` of its bytes: before the string that is open, unless it is a long one. At 0
    /// it may not.
    pub(crate) fn border(&self, passed: usize) -> Option<usize> {
        let border = self.open.filter(|_| !self.is_long).unwrap_or(passed);
        Some(border).filter(|&border| border > 0)
    }

    /// The state at the end of a chunk, if `passed` bytes have been passed from its start on: the next one starts there.
    pub(crate) fn from(self, end: usize, passed: usize) -> Self {
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

    /// The places where the text may be cut, byte by byte.
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
