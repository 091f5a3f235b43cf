//! The candidates of a `srcset`: a URL each, with descriptors (section 4.8.4.2.2 of the standard).
//!
//! A comma outside of parentheses ends a candidate. A comma at the end of a URL does not belong to it; such a
//! URL has no descriptors. Browsers drop a candidate if its descriptors are not a width (`100w`, possibly
//! with a height, `50h`) or a density (`2x`, `1.5x`). There are two ways to write such a candidate:
//!
//! | text | found | why |
//! |---|---|---|
//! | `Annual Report.png 2x`, `a /b.png` | the URL `Annual Report.png`, which its space breaks | a word of a path is no descriptor |
//! | `a.png foo`, `a.png -1x`, `a.png 0w`, `a.png 1x 2x` | a bad descriptor | nothing else in the text looks like a URL |

use std::ops::Range;

use super::chars::{Char, Cursor};

/// A candidate of a `srcset`, or the URL of another attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    Url(Range<usize>),
    /// A URL with a descriptor at byte `at` that makes browsers drop it.
    BadDescriptor {
        url: Range<usize>,
        at: usize,
    },
}

/// Passes the candidates of a `srcset` to `each`, in order.
pub(super) fn candidates(value: &[u8], mut each: impl FnMut(Candidate)) {
    let mut cursor = Cursor::new(value);
    loop {
        cursor.pass(|char| char.is_space() || char.is(b','));
        let start = cursor.at;
        let (mut end, mut has_comma) = (start, false);
        while let Some(char) = cursor.peek().filter(|char| !char.is_space()) {
            has_comma = char.is(b',');
            if !has_comma {
                end = char.end;
            }
            cursor.next();
        }
        if start == end {
            return;
        }
        let url = start..end;
        each(if has_comma { Candidate::Url(url) } else { with_descriptors(&mut cursor, url) });
    }
}

/// Passes the descriptors after a URL, and the comma after them.
fn with_descriptors(cursor: &mut Cursor<'_>, url: Range<usize>) -> Candidate {
    let mut descriptors = Descriptors::default();
    while let Some((word, place, has_comma)) = next_word(cursor) {
        if !place.is_empty() {
            descriptors.take(&word, place);
        }
        if has_comma {
            break;
        }
    }
    descriptors.judge(url)
}

/// Passes white space and the next word, with the comma after it. Returns the word, its place, and whether a
/// comma ends the candidate. `None` at the end of the value.
fn next_word(cursor: &mut Cursor<'_>) -> Option<(Word, Range<usize>, bool)> {
    cursor.pass(Char::is_space);
    let (start, mut end) = (cursor.at, cursor.at);
    let (mut word, mut is_in_parentheses) = (Word::default(), false);
    cursor.peek()?;
    for char in cursor.by_ref() {
        if !is_in_parentheses && (char.is_space() || char.is(b',')) {
            return Some((word, start..end, char.is(b',')));
        }
        is_in_parentheses = char.is(b'(') || is_in_parentheses && !char.is(b')');
        word.push(char);
        end = char.end;
    }
    Some((word, start..end, false))
}

/// The first characters of a word. Descriptors are short.
#[derive(Default)]
struct Word {
    text: [u8; Word::MOST],
    len: usize,
    /// Whether the word has more characters, or other ones than ASCII.
    is_other: bool,
    /// Whether the word has characters that are neither letters nor digits.
    has_marks: bool,
}

impl Word {
    const MOST: usize = 32;

    fn push(&mut self, char: Char) {
        let ascii = char.ascii.filter(|_| self.len < Word::MOST);
        self.is_other |= ascii.is_none();
        self.has_marks |= char.ascii.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        if let Some(ascii) = ascii {
            self.text[self.len] = ascii;
            self.len += 1;
        }
    }

    fn kind(&self) -> WordKind {
        let text = &self.text[..self.len];
        if text.starts_with(b"(") {
            return WordKind::NoDescriptor;
        }
        let Some((&unit, number)) = text.split_last().filter(|_| !self.is_other) else {
            return WordKind::Text;
        };
        let is_positive = || number.iter().any(|&byte| byte != b'0');
        match unit {
            b'w' if is_integer(number) && is_positive() => WordKind::Width,
            b'h' if is_integer(number) && is_positive() => WordKind::Height,
            b'x' if is_number(number) => WordKind::Density,
            _ => {
                let is_such = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let is_like_number = text[0].is_ascii_digit() || b"+-.".contains(&text[0]);
                match is_like_number && number.iter().all(is_such) && unit.is_ascii_alphanumeric() {
                    true => WordKind::NoDescriptor,
                    false => WordKind::Text,
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordKind {
    Width,
    Height,
    Density,
    /// Like a descriptor, but none, for example `0w`.
    NoDescriptor,
    /// Another word, which can be a part of a URL.
    Text,
}

fn is_integer(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Returns true if a text is a valid floating-point number (section 2.3.4.3 of the standard) that is not
/// negative.
fn is_number(text: &[u8]) -> bool {
    let text = if matches!(text, b"-0" | b"-0.0") { &text[1..] } else { text };
    let mantissa_len = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
    let (mantissa, exponent) = text.split_at(mantissa_len);
    let has_exponent = match exponent {
        [] => true,
        [_, b'+' | b'-', digits @ ..] | [_, digits @ ..] => is_integer(digits),
    };
    let whole_len = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    let (whole, fraction) = mantissa.split_at(whole_len);
    let is_mantissa = match fraction {
        [] => is_integer(whole),
        [_, digits @ ..] => is_integer(digits) && (whole.is_empty() || is_integer(whole)),
    };
    has_exponent && is_mantissa
}

/// The descriptors of a candidate so far.
#[derive(Default)]
struct Descriptors {
    width: bool,
    density: bool,
    /// The place of the height.
    height: Option<usize>,
    /// The first descriptor that browsers do not know, or that contradicts one before it.
    bad: Option<usize>,
    /// The end of the last word that can be a part of the URL.
    text_end: Option<usize>,
    /// Whether such a word certainly is a part of a URL, or a descriptor follows the last one.
    is_of_url: bool,
}

impl Descriptors {
    fn take(&mut self, word: &Word, place: Range<usize>) {
        let kind = word.kind();
        let is_bad = match kind {
            WordKind::Width => std::mem::replace(&mut self.width, true) || self.density,
            WordKind::Density => {
                std::mem::replace(&mut self.density, true) || self.width || self.height.is_some()
            }
            WordKind::Height => self.height.replace(place.start).is_some() || self.density,
            WordKind::NoDescriptor | WordKind::Text => true,
        };
        if is_bad {
            self.bad.get_or_insert(place.start);
        }
        match kind {
            WordKind::Text => {
                self.text_end = Some(place.end);
                self.is_of_url |= word.has_marks;
            }
            WordKind::NoDescriptor => {}
            _ => self.is_of_url |= self.text_end.is_some(),
        }
    }

    fn judge(self, url: Range<usize>) -> Candidate {
        let lacks_width = self.height.filter(|_| !self.width);
        let Some(at) = self.bad.or(lacks_width) else { return Candidate::Url(url) };
        match self.text_end.filter(|_| self.is_of_url) {
            Some(end) => Candidate::Url(url.start..end),
            None => Candidate::BadDescriptor { url, at },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The URLs, and the bad descriptors from their first byte on.
    fn found(value: &str) -> Vec<Result<&str, &str>> {
        let mut found = Vec::new();
        candidates(value.as_bytes(), |candidate| {
            found.push(match candidate {
                Candidate::Url(url) => Ok(&value[url]),
                Candidate::BadDescriptor { at, .. } => Err(&value[at..]),
            });
        });
        found
    }

    #[test]
    fn commas_are_read_as_the_standard_reads_them() {
        for (value, urls) in [
            ("a.png 1x, b.png 2x", &["a.png", "b.png"][..]),
            ("a.png, b.png 100w", &["a.png", "b.png"]),
            ("a,b.png 1x,c.png", &["a,b.png", "c.png"]),
            ("a.png,,, b.png", &["a.png", "b.png"]),
            (" , a.png ,b.png", &["a.png", "b.png"]),
            ("data:,a 1x, b", &["data:,a", "b"]),
            ("a&comma; b", &["a", "b"]),
            ("a&#32;1x,b&amp;c", &["a", "b&amp;c"]),
            ("", &[]),
            (" , ,", &[]),
        ] {
            assert_eq!(found(value), urls.iter().copied().map(Ok).collect::<Vec<_>>(), "{value:?}");
        }
    }

    #[test]
    fn descriptors_are_those_of_the_standard() {
        for good in [
            "", " ", "1x", "1.5x", ".5x", "0x", "-0x", "1e3x", "1.5E-1x", "1w", "007w", "1w 2h", "2h 1w",
            "1&#119;", "1x ",
        ] {
            assert_eq!(found(&format!("a.png {good}, b")), [Ok("a.png"), Ok("b")], "{good}");
        }
        for (bad, at) in [
            ("foo", "foo"),
            ("-1x", "-1x"),
            ("+1x", "+1x"),
            ("1.x", "1.x"),
            (".x", ".x"),
            ("1e-x", "1e-x"),
            ("1X", "1X"),
            ("1", "1"),
            ("0w", "0w"),
            ("-1w", "-1w"),
            ("1.5w", "1.5w"),
            ("1x 2x", "2x"),
            ("1w 2x", "2x"),
            ("1w 2w", "2w"),
            ("1w 2h 3h", "3h"),
            ("1x 2h", "2h"),
            ("2h 1x", "1x"),
            ("2h", "2h"),
            ("0h 1w", "0h 1w"),
            ("(1x, 2x)", "(1x, 2x)"),
            ("1x (1, b", "(1, b"),
            ("calc", "calc"),
        ] {
            let value = format!("b, a.png {bad}");
            assert_eq!(found(&value), [Ok("b"), Err(at)], "{bad}");
        }
        assert_eq!(found("a (1x, 2x), b"), [Err("(1x, 2x), b"), Ok("b")]);
    }

    #[test]
    fn a_space_in_a_url_is_no_descriptor() {
        for (value, url) in [
            ("Annual Report.png 2x", "Annual Report.png"),
            ("Annual Report 2x", "Annual Report"),
            ("My Annual Report.png", "My Annual Report.png"),
            ("a b.png foo", "a b.png foo"),
            ("a 2x b.png 2x", "a 2x b.png"),
            ("a /b", "a /b"),
            ("a b\u{e9}", "a b\u{e9}"),
            ("a b&#46;png 1x", "a b&#46;png"),
            ("a.png b%20c 100w 50h", "a.png b%20c"),
        ] {
            assert_eq!(found(value), [Ok(url)], "{value:?}");
            assert_eq!(found(&format!("c 1x , {value} ,d")), [Ok("c"), Ok(url), Ok("d")], "{value:?}");
        }
    }
}
