//! The string literals in the lines of a text.
//!
//! A literal is one container: its escapes are undone before URIs are searched in it. Only lines with a
//! backslash are searched for literals.
//!
//! `"` opens a literal unless a letter or digit precedes it (`5"`), but the prefixes of source code may
//! precede it (`r"`, `b"`). `'` also needs a closing `'` in its line: it can be an apostrophe. A literal
//! without a closing `"` has the rest of its line, since the literals of some languages go on in the next
//! line.

use std::ops::Range;

use crate::work::{memchr3, memrchr};

/// Finds the literals of a text, line by line, from its start to its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Strings {
    /// All literals that start before this byte are known.
    at: usize,
    /// The content of the last literal.
    last: Range<usize>,
}

impl Strings {
    /// Returns the content of the literal around byte `place`, if the byte is in one. The places of later
    /// calls are not before `place`.
    pub(super) fn around(&mut self, text: &[u8], place: usize) -> Option<Range<usize>> {
        if self.at < place
            && let Some(line_end) = memrchr(b'\n', &text[self.at..place])
        {
            self.at += line_end + 1;
        }
        while self.at < place {
            let Some(found) = memchr3(b'"', b'\'', b'\\', &text[self.at..place]) else {
                self.at = place;
                break;
            };
            let (mark, after) = (self.at + found, self.at + found + 1);
            self.at = match text[mark] {
                b'\\' => after + 1,
                quote if opens(text, mark) || self.follows_literal(text, mark) => {
                    match (quote, end(text, after, quote)) {
                        (_, (end, true)) => {
                            self.last = after..end;
                            end + 1
                        }
                        (b'"', (end, false)) => {
                            self.last = after..end;
                            end
                        }
                        _ => after,
                    }
                }
                _ => after,
            };
        }
        self.last.contains(&place).then(|| self.last.clone())
    }

    /// Returns true if a literal ends directly before the quote at `mark`: in `"""`, and in the quoted cells
    /// of a table.
    fn follows_literal(&self, text: &[u8], mark: usize) -> bool {
        self.at == mark && mark > 0 && self.last.end + 1 == mark && text[mark - 1] == text[mark]
    }
}

/// Returns the end of the content of a literal that starts at `start`, and whether a quote closes it.
pub(super) fn end(text: &[u8], start: usize, quote: u8) -> (usize, bool) {
    let mut at = start;
    while let Some(found) = text.get(at..).and_then(|rest| memchr3(quote, b'\\', b'\n', rest)) {
        let mark = at + found;
        match text[mark] {
            b'\\' if text.get(mark + 1).is_some_and(|&byte| byte != b'\n') => at = mark + 2,
            b'\\' => at = mark + 1,
            byte => return (mark, byte == quote),
        }
    }
    (text.len(), false)
}

/// Returns true if the quote at `mark` can open a literal.
pub(super) fn opens(text: &[u8], mark: usize) -> bool {
    /// The most letters of a prefix: `u8R`.
    const LONGEST: usize = 3;

    let before = &text[mark.saturating_sub(LONGEST + 1)..mark];
    let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let prefix = &before[before.len() - letters..];
    if letters == 0 {
        // In TeX, `''` closes a quotation. After the others, a quote is a part of a URI or closes a
        // quotation, too.
        let closes = |&last: &u8| b"/._~#)]}\"".contains(&last) || text[mark] == b'\'' && last == b'\'';
        return !before.last().is_some_and(closes);
    }
    let is_prefix = |prefix: &[u8]| prefix.iter().all(|byte| b"rbufRBUFL".contains(byte));
    letters <= 2 && is_prefix(prefix) || matches!(prefix, b"u8" | b"u8R")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_quotes_around_them() {
        for (text, place, expected) in [
            (r#"{"a":"b\n"}"#, b'\n', Some(r"b\n")),
            (r#"5" x "b\n""#, b'\n', Some(r"b\n")),
            (r#"x = b"b\n" + 'c'"#, b'\n', Some(r"b\n")),
            (r"it's 'b\n' x", b'\n', Some(r"b\n")),
            (r"it's b\n x", b'\n', None),
            (r"'b\n", b'\n', None),
            (r#"x "b\n"#, b'\n', Some(r"b\n")),
            (r#"x \"b\n\""#, b'\n', None),
            (r#""a\"b\n""#, b'\n', Some(r#"a\"b\n"#)),
            (r#""a" b\n "c""#, b'\n', None),
            ("\"a\n b\\n \"c\"", b'\n', None),
        ] {
            assert_eq!(place, b'\n');
            let at = text.find(r"\n").unwrap();
            let found = Strings::default().around(text.as_bytes(), at).map(|range| &text[range]);
            assert_eq!(found, expected, "{text}");
        }
    }
}
