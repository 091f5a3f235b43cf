//! Objects like the one before: the same keys in the same order, written in the same way. Most lines of a log
//! are such objects.
//!
//! The text around the values of one line is compared with the next line, piece by piece. A value ends where
//! [`JsonCursor`] ends it, so the URL is the one that a search for its key finds. Any other line, and any line
//! with a backslash or an inner object, is left to that search:
//!
//! ```text
//! line     {"id":17,"url":"http://a/","ok":true}
//! pieces   {"id":   ,"url":"         ","ok":    }
//! values         17          http://a/      true
//! ```

use std::ops::Range;

use super::json_cursor::{JsonCursor, Next};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::marked_bytes::MarkedBytes;
use crate::simd::Marks;
use crate::work::{looked_at, memchr2, position};

/// The most pieces that are worth comparing.
const MOST: usize = 64;

/// The most bytes of a line that becomes the pattern.
const LONGEST: usize = 64 << 10;

/// Of many other lines in a row, one in this number becomes the new pattern. Before, the second does.
const PATIENCE: usize = 16;

/// The pieces of a line around its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UsualObject {
    /// The text of all pieces.
    text: Vec<u8>,
    /// The pieces before values.
    pieces: Vec<Piece>,
    /// The start of the text after the last value.
    last: usize,
    /// The number of the value that has the URL.
    wanted: usize,
    /// The number of other lines in a row. It counts from two after a line that fitted.
    misses: usize,
}

/// The text before a value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    text: Range<usize>,
    start: Start,
    /// Whether the value is a string. Its quotes are parts of pieces.
    is_string: bool,
}

impl UsualObject {
    /// Returns the text of the URL's string in a line that is like the last one.
    #[inline]
    pub(crate) fn url_in(&self, line: &[u8]) -> Option<Range<usize>> {
        let (url, end) = self.matched(line, 0, |at| string_end(&line[at..]).map(|end| at + end))?;
        (end == line.len()).then_some(url)
    }

    /// Returns the text of the URL's string in the line at this byte, if that line is like the last one, and its
    /// end, where its line end stands. Both count from the start of the bytes.
    #[inline]
    pub(crate) fn url_at(
        &self,
        marked: &mut MarkedBytes<'_, Marks>,
        start: usize,
    ) -> Option<(Range<usize>, usize)> {
        let bytes = marked.bytes;
        let string_end = |at| marked.next(at, |stops| stops).filter(|&end| bytes[end] == b'"');
        let (url, end) = self.matched(bytes, start, string_end)?;
        matches!(bytes[end..], [b'\n', ..] | [b'\r', b'\n', ..]).then_some((url, end))
    }

    /// Compares the pieces with the bytes from `at` on. Returns the URL and the end of the last piece. `string_end`
    /// returns the place of the closing quote of the string that starts at a byte, if the string has no escape.
    #[inline(always)]
    fn matched(
        &self,
        bytes: &[u8],
        mut at: usize,
        mut string_end: impl FnMut(usize) -> Option<usize>,
    ) -> Option<(Range<usize>, usize)> {
        let mut url = None;
        for (number, piece) in self.pieces.iter().enumerate() {
            let start = match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
                Some(&start) if piece.text.len() <= Start::LEN => {
                    looked_at(piece.text.len());
                    let differ = (u128::from_le_bytes(start) ^ piece.start.bytes) & piece.start.mask;
                    (differ == 0).then_some(at + piece.text.len())?
                }
                _ => after(bytes, at, &self.text[piece.text.clone()])?,
            };
            at = if piece.is_string { string_end(start)? } else { start + scalar_end(&bytes[start..])? };
            if number == self.wanted {
                url = Some(start..at);
            }
        }
        Some((url?, after(bytes, at, &self.text[self.last..])?))
    }

    /// Takes a line as the pattern for the next ones. `url` is the text of its URL's string, which has no
    /// escape.
    #[inline]
    pub(crate) fn learn(&mut self, line: &[u8], url: &Range<usize>) {
        self.misses += 1;
        let is_tried = self.misses.is_power_of_two() || self.misses.is_multiple_of(PATIENCE);
        if is_tried && line.len() <= LONGEST {
            self.take(line, url);
        }
    }

    /// Notes that a line was like the pattern. If lines of two kinds come in turns, the pattern stays.
    #[inline]
    pub(crate) fn fitted(&mut self) {
        self.misses = 2;
    }

    fn take(&mut self, line: &[u8], url: &Range<usize>) {
        self.text.clear();
        self.pieces.clear();
        let (mut from, mut wanted) = (0, None);
        let mut cursor = JsonCursor { line, at: 0 };
        cursor.skip_space();
        let walked = cursor.object(|cursor, _, _| {
            let is_string = match cursor.peek() {
                Some(b'"') => true,
                Some(b'{' | b'[') => return Err(Malformed::NotAString),
                _ => false,
            };
            let start = cursor.at + usize::from(is_string);
            cursor.value(false)?;
            let end = cursor.at - usize::from(is_string);
            if self.pieces.len() == MOST || is_string && string_end(&line[start..]) != Some(end - start) {
                return Err(Malformed::NotAString);
            }
            if (start, end) == (url.start, url.end) {
                wanted = Some(self.pieces.len());
            }
            let (text, piece) = (self.text.len(), &line[from..start]);
            self.text.extend_from_slice(piece);
            self.pieces.push(Piece { text: text..self.text.len(), start: Start::of(piece), is_string });
            from = end;
            Ok(Next::Passed)
        });
        match wanted {
            Some(wanted) if walked.is_ok() => {
                (self.wanted, self.last) = (wanted, self.text.len());
                self.text.extend_from_slice(&line[from..]);
            }
            // No line is like this one.
            _ => {
                self.pieces.clear();
                self.text.clear();
                self.last = 0;
            }
        }
    }
}

/// Returns the place after `piece`, if it stands at `at`.
#[inline]
fn after(line: &[u8], at: usize, piece: &[u8]) -> Option<usize> {
    looked_at(piece.len());
    line.get(at..)?.starts_with(piece).then_some(at + piece.len())
}

/// The first bytes of a piece, which are compared at once: a call for a few bytes takes three times as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    bytes: u128,
    mask: u128,
}

impl Start {
    const LEN: usize = size_of::<u128>();

    /// Returns the first bytes of a piece. A shorter piece is compared as far as it goes.
    fn of(piece: &[u8]) -> Self {
        let mut bytes = [0; Self::LEN];
        let len = piece.len().min(Self::LEN);
        bytes[..len].copy_from_slice(&piece[..len]);
        let mask = if len == Self::LEN { u128::MAX } else { (1 << (8 * len)) - 1 };
        Start { bytes: u128::from_le_bytes(bytes), mask }
    }
}

/// Returns the length of a string up to its closing quote, if it has no escape.
#[inline]
fn string_end(text: &[u8]) -> Option<usize> {
    memchr2(b'"', b'\\', text).filter(|&end| text[end] == b'"')
}

/// Returns the length of a number or a name, up to a comma, a bracket or a line end. `None` if another value may
/// start here.
#[inline]
fn scalar_end(text: &[u8]) -> Option<usize> {
    if matches!(text.first()?, b'"' | b'{' | b'[' | b' ' | b'\t' | b'\r' | b'\n') {
        return None;
    }
    position(text, |byte| matches!(byte, b',' | b'}' | b']' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::super::json::Json;
    use super::*;
    use crate::corpus::format::Format;
    use crate::corpus::format::lines::line::Line;
    use crate::corpus::format::lines::log_format::LineFormat;
    use crate::corpus::format::lines::options::FieldSelector;
    use crate::corpus::format::tests::case;

    const KEYS: [&str; 7] = ["url", "uri", "id", "", "in", "u\\u0072l", "title"];

    /// Values, some of them broken.
    const VALUES: [&str; 22] = [
        "\"http://a/b?c,d}\"",
        "\"urn:a\"",
        "\"\"",
        "7",
        "12345.6e7",
        "null",
        "true",
        "\"a, b\"",
        "\"x]\"",
        "\"\\u0075\"",
        "\"\\\"url\\\":\"",
        "{\"url\":\"urn:in\"}",
        "{}",
        "[1,2]",
        "[\"url\"]",
        "",
        "\"a\" b",
        "1 2",
        "1\"2",
        " 7 ",
        "\"x,\"url\":\"y",
        "\\",
    ];

    fn json() -> Json {
        Json::new(&FieldSelector::Uri, &["url", "uri"], false).unwrap()
    }

    #[test]
    fn a_line_like_the_last_one_has_its_url_in_the_same_place() {
        let mut usual = UsualObject::default();
        let line = br#"{"id": 17, "url":"http://a/","ok":true } "#;
        assert_eq!(usual.url_in(line), None);
        let url = 18..27;
        assert_eq!(&line[url.clone()], b"http://a/");
        usual.learn(line, &url);
        assert_eq!(usual.url_in(line), Some(url));
        let longer = br#"{"id": 2345, "url":"x","ok":null } "#;
        assert_eq!(usual.url_in(longer), Some(20..21));
        for other in [
            &br#"{"id": "2", "url":"x","ok":null } "#[..],
            br#"{"id":  2, "url":"x","ok":null } "#,
            br#"{"id": 2, "url":"\u0078","ok":null } "#,
            br#"{"id": 2, "url":"x","ok":{"a":1} } "#,
            br#"{"id": 2, "url":"x","ok":null }"#,
            br#"{"id": 2, "url":"x","ok":null } x"#,
            br#"{"id": 2, "url":"x","url":"y","ok":null } "#,
        ] {
            assert_eq!(usual.url_in(other), None, "{}", other.escape_ascii());
        }
        // Inner objects and escapes are left to the search.
        for (line, url) in [(&br#"{"url":"x","a":{}}"#[..], 8..9), (br#"{"url":"x","a":"\n"}"#, 8..9)] {
            let mut usual = UsualObject::default();
            usual.learn(line, &url);
            assert_eq!(usual.url_in(line), None);
        }
    }

    #[test]
    fn a_pattern_stays_while_lines_like_it_come() {
        let mut usual = UsualObject::default();
        let [first, second] = [&br#"{"url":"x"}"#[..], br#"{"url":"x","a":1}"#];
        usual.learn(first, &(8..9));
        for _ in 0..10 {
            assert_eq!(usual.url_in(first), Some(8..9));
            usual.fitted();
            usual.learn(second, &(8..9));
            assert_eq!(usual.url_in(second), None);
        }
        usual.learn(second, &(8..9));
        assert_eq!((usual.url_in(first), usual.url_in(second)), (None, Some(8..9)));
    }

    /// Makes lines of few kinds, some of them broken.
    struct Lines {
        state: u64,
        keys: Vec<&'static str>,
    }

    impl Lines {
        fn new() -> Self {
            Lines { state: 17, keys: Vec::new() }
        }

        /// A linear congruential generator; the upper bits are random enough.
        fn below(&mut self, end: usize) -> usize {
            self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.state >> 33) as usize % end
        }

        fn next(&mut self) -> String {
            if self.below(8) == 0 {
                self.keys = (0..1 + self.below(4)).map(|_| KEYS[self.below(KEYS.len())]).collect();
            }
            let mut line = String::from("{");
            for number in 0..self.keys.len() {
                let comma = [",", ",", ",", ", ", ";"][self.below(if number == 1 { 5 } else { 3 })];
                line.push_str(if number == 0 { "" } else { comma });
                // Half of the lines have only values of the usual kinds.
                let value = VALUES[self.below(if number % 2 == 0 { 5 } else { VALUES.len() })];
                line.push_str(&format!("\"{}\":{value}", self.keys[number]));
            }
            line.push_str(["}", "} ", "}x", "", "}"][self.below(5).saturating_sub(self.below(5))]);
            line
        }
    }

    /// The lines before a line do not change its URL.
    #[test]
    fn lines_are_found_as_if_each_stood_alone() {
        let (mut json, mut usual, mut lines) = (json(), 0, Lines::new());
        for _ in 0..600_000 {
            let line = lines.next();
            let line = line.as_bytes();
            usual += usize::from(json.is_usual(line));
            let alone = LineFormat::find(&mut self::json(), line);
            assert_eq!(LineFormat::find(&mut json, line), alone, "{}", line.escape_ascii());
            assert!(!json.is_usual(line) || matches!(alone, Line::Record(_)), "{}", line.escape_ascii());
        }
        assert!(usual > 2_000, "{usual} lines were like the one before");
    }

    /// A chunk of one line has no line before, so that chunks of all sizes have the same results only if these
    /// lines do not matter.
    #[test]
    fn chunks_of_all_sizes_have_the_same_urls() {
        let mut lines = Lines::new();
        for round in 0..200 {
            let mut text = String::from("{\"url\":\"http://a/\"}\n");
            for _ in 0..40 {
                // A string over the borders of windows.
                if lines.below(40) == 0 {
                    text.push_str(&format!("{{\"url\":\"{}\"}}\n", "x".repeat(lines.below(5_000))));
                }
                text.push_str(&lines.next());
                text.push_str(["\n", "\r\n", "\n", "\n\n"][lines.below(4)]);
            }
            if round % 2 == 0 {
                text.push_str(lines.next().trim_end());
            }
            let found = case(Format::Jsonl).run(&text);
            assert_eq!(found.count as usize, text.lines().count());
        }
    }
}
