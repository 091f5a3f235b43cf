//! The places of the URLs in an attribute's value, as ranges of the page's bytes. The ranges still contain character references.
//!
//! A URL does not include white space at its ends, even if a reference stands for it. Tabs and line ends inside a URL stay: parsers of URLs remove
//! them, and the standard calls such a URL invalid.

use std::ops::Range;

use super::names::Holds;
use super::tag::is_space;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr};

/// Passes the URLs of a value to `each`, in order. If an attribute holds a URL only together with another attribute, the caller checks the other
/// one.
pub(super) fn urls(holds: Holds, value: &[u8], mut each: impl FnMut(Range<usize>)) {
    match holds {
        Holds::Url => each(trimmed(value)),
        Holds::Urls => words(value, each),
        Holds::Images => images(value, each),
        Holds::Styles => styles(value, each),
        Holds::Refresh => each_of(refresh(value), each),
        Holds::HttpEquiv => {}
    }
}

fn each_of(found: Option<Range<usize>>, mut each: impl FnMut(Range<usize>)) {
    if let Some(range) = found {
        each(range);
    }
}

/// Returns true if a value is this word, in any letter case.
pub(super) fn is_word(value: &[u8], word: &[u8]) -> bool {
    let mut cursor = Cursor::new(value);
    let is_start = word.iter().all(|&byte| cursor.next().is_some_and(|next| next.is(byte)));
    is_start && cursor.next().is_none()
}

/// Returns a value without the white space around it.
fn trimmed(value: &[u8]) -> Range<usize> {
    Escapes::of_html(value).trimmed(value)
}

/// A character of a value, with its place. `ascii` is the character if it is ASCII.
#[derive(Clone, Copy)]
struct Char {
    start: usize,
    end: usize,
    ascii: Option<u8>,
}

impl Char {
    fn is(self, byte: u8) -> bool {
        self.ascii.is_some_and(|ascii| ascii.eq_ignore_ascii_case(&byte))
    }

    fn is_space(self) -> bool {
        self.ascii.is_some_and(is_space)
    }

    fn is_quote(self) -> bool {
        self.is(b'"') || self.is(b'\'')
    }
}

/// Goes through the characters of a value, with references undone. Characters beyond ASCII come byte by byte.
#[derive(Clone)]
struct Cursor<'v> {
    value: &'v [u8],
    at: usize,
}

impl<'v> Cursor<'v> {
    fn new(value: &'v [u8]) -> Self {
        Cursor { value, at: 0 }
    }

    fn peek(&self) -> Option<Char> {
        self.clone().next()
    }

    /// Passes the characters that satisfy `is_such`.
    fn pass(&mut self, is_such: impl Fn(Char) -> bool) {
        while self.peek().is_some_and(&is_such) {
            self.next();
        }
    }

    /// Passes the next character if it is `byte`, and returns whether it is.
    fn pass_byte(&mut self, byte: u8) -> bool {
        let is_next = self.peek().is_some_and(|char| char.is(byte));
        if is_next {
            self.next();
        }
        is_next
    }
}

impl Iterator for Cursor<'_> {
    type Item = Char;

    fn next(&mut self) -> Option<Char> {
        let (start, first) = (self.at, *self.value.get(self.at)?);
        let (taken, ascii) = if first == b'&' {
            Escapes::Html.ascii_step(&self.value[start..])
        } else {
            (1, Some(first).filter(u8::is_ascii))
        };
        looked_at(taken);
        self.at += taken;
        Some(Char { start, end: self.at, ascii })
    }
}

/// The words between white space.
fn words(value: &[u8], mut each: impl FnMut(Range<usize>)) {
    let mut cursor = Cursor::new(value);
    loop {
        cursor.pass(Char::is_space);
        let start = cursor.at;
        cursor.pass(|char| !char.is_space());
        if start == cursor.at {
            return;
        }
        each(start..cursor.at);
    }
}

/// The URLs of a `srcset`: words, each with an optional descriptor up to a comma outside of parentheses. A comma at the end of a word does not
/// belong to the word; such a word has no descriptor.
fn images(value: &[u8], mut each: impl FnMut(Range<usize>)) {
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
        each(start..end);
        if has_comma {
            continue;
        }
        let mut is_in_parentheses = false;
        for char in cursor.by_ref() {
            if char.is(b'(') {
                is_in_parentheses = true;
            } else if char.is(b')') {
                is_in_parentheses = false;
            } else if char.is(b',') && !is_in_parentheses {
                break;
            }
        }
    }
}

/// Returns the URL of a refresh (section 4.2.5.3 of the standard).
fn refresh(value: &[u8]) -> Option<Range<usize>> {
    let is_digit = |char: Char| char.ascii.is_some_and(|byte| byte.is_ascii_digit());
    let mut cursor = Cursor::new(value);
    cursor.pass(Char::is_space);
    if !cursor.peek().is_some_and(|char| is_digit(char) || char.is(b'.')) {
        return None;
    }
    cursor.pass(|char| is_digit(char) || char.is(b'.'));
    if !cursor.peek()?.is_space() && !cursor.peek()?.is(b';') && !cursor.peek()?.is(b',') {
        return None;
    }
    cursor.pass(Char::is_space);
    if !cursor.pass_byte(b';') {
        cursor.pass_byte(b',');
    }
    cursor.pass(Char::is_space);
    let start = cursor.peek()?.start;
    let is_named = |cursor: &mut Cursor<'_>| {
        let is_url = cursor.pass_byte(b'r') && cursor.pass_byte(b'l');
        cursor.pass(Char::is_space);
        let is_assigned = is_url && cursor.pass_byte(b'=');
        cursor.pass(Char::is_space);
        is_assigned
    };
    let starts_with_u = cursor.pass_byte(b'u');
    let mut url = start..value.len();
    if !starts_with_u || is_named(&mut cursor) {
        url.start = cursor.at;
        if let Some(quote) = cursor.peek().filter(|char| char.is_quote()) {
            cursor.next();
            url.start = cursor.at;
            let closing = cursor.find(|char| char.ascii == quote.ascii);
            url.end = closing.map_or(value.len(), |char| char.start);
        }
    }
    let within = trimmed(&value[url.clone()]);
    Some(url.start + within.start..url.start + within.end)
}

/// The addresses in `url(…)` of style declarations. CSS escapes are not decoded.
fn styles(value: &[u8], mut each: impl FnMut(Range<usize>)) {
    // Most values have no `url(…)`.
    if memchr(b'(', value).is_none() && memchr(b'&', value).is_none() {
        return;
    }
    let mut cursor = Cursor::new(value);
    // The number of bytes of `url(` matched before this character.
    let mut matched = 0;
    let mut is_in_word = false;
    while let Some(char) = cursor.next() {
        if char.is(b"url("[matched]) && (matched > 0 || !is_in_word) {
            matched += 1;
        } else {
            matched = 0;
        }
        is_in_word = char.ascii.is_none_or(|byte| byte.is_ascii_alphanumeric() || b"-_\\".contains(&byte));
        if char.is_quote() {
            end_of_string(&mut cursor, char);
        } else if char.is(b'/') && cursor.pass_byte(b'*') {
            while cursor
                .next()
                .is_some_and(|char| !char.is(b'*') || !cursor.peek().is_some_and(|c| c.is(b'/')))
            {
            }
        } else if char.is(b'\\') {
            cursor.next();
        } else if matched == 4 {
            matched = 0;
            each(url_in_style(&mut cursor));
        }
    }
}

/// Passes the rest of a string, and returns the place of its closing quote, or the value's end.
fn end_of_string(cursor: &mut Cursor<'_>, quote: Char) -> usize {
    while let Some(char) = cursor.next() {
        if char.ascii == quote.ascii {
            return char.start;
        }
        if char.is(b'\\') {
            cursor.next();
        }
    }
    cursor.at
}

/// Passes the text after `url(`, and returns the address.
fn url_in_style(cursor: &mut Cursor<'_>) -> Range<usize> {
    cursor.pass(Char::is_space);
    let mut start = cursor.at;
    let end;
    if let Some(quote) = cursor.peek().filter(|char| char.is_quote()) {
        cursor.next();
        start = cursor.at;
        end = end_of_string(cursor, quote);
    } else {
        loop {
            match cursor.next() {
                Some(char) if char.is(b'\\') => drop(cursor.next()),
                Some(char) if char.is(b')') => {
                    end = char.start;
                    break;
                }
                Some(_) => {}
                None => {
                    end = cursor.at;
                    break;
                }
            }
        }
    }
    let within = trimmed(&cursor.value[start..end]);
    start + within.start..start + within.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(holds: Holds, value: &str) -> Vec<&str> {
        let mut found = Vec::new();
        urls(holds, value.as_bytes(), |range| found.push(&value[range]));
        found
    }

    #[test]
    fn white_space_around_a_url_is_no_part_of_it() {
        for (value, url) in [
            (" \t\r\n\u{c}a b ", "a b"),
            ("a", "a"),
            ("", ""),
            (" \n", ""),
            ("&#32;&Tab;a&amp;b&NewLine;&#x20 ", "a&amp;b"),
            ("&amp;", "&amp;"),
            ("&#9;", ""),
            ("\u{a0}a", "\u{a0}a"),
        ] {
            assert_eq!(found(Holds::Url, value), [url], "{value:?}");
        }
        assert_eq!(found(Holds::Urls, " a\t b,c&#10;d&amp;e\n"), ["a", "b,c", "d&amp;e"]);
        assert!(found(Holds::Urls, " \n").is_empty());
    }

    #[test]
    fn commas_in_a_srcset_are_read_as_the_standard_reads_them() {
        for (value, urls) in [
            ("a.png 1x, b.png 2x", &["a.png", "b.png"][..]),
            ("a.png, b.png 100w", &["a.png", "b.png"]),
            ("a,b.png 1x,c.png", &["a,b.png", "c.png"]),
            ("a.png,,, b.png", &["a.png", "b.png"]),
            (" , a.png ,b.png", &["a.png", "b.png"]),
            ("data:,a 1x, b", &["data:,a", "b"]),
            ("a calc(1, 2) 3x, b", &["a", "b"]),
            ("a (1, b", &["a"]),
            ("a&comma; b", &["a", "b"]),
            ("a&#32;1x,b&amp;c", &["a", "b&amp;c"]),
            ("", &[]),
            (" , ,", &[]),
        ] {
            assert_eq!(found(Holds::Images, value), urls, "{value:?}");
        }
    }

    #[test]
    fn a_refresh_names_its_url_in_many_ways() {
        for (value, url) in [
            ("5; url=a", Some("a")),
            ("5;URL='a b' c", Some("a b")),
            (" 0 , uRl = \"a\"", Some("a")),
            ("5 a", Some("a")),
            ("5;'a", Some("a")),
            ("5;u", Some("u")),
            ("5;urla", Some("urla")),
            ("5;ur=a", Some("ur=a")),
            ("5; url a", Some("url a")),
            (".5;url=", Some("")),
            ("1.5.2;url=a&amp;b ", Some("a&amp;b")),
            ("5;url=&quot;a&quot;b", Some("a")),
            ("5;u=a", Some("u=a")),
            ("5", None),
            ("5;", None),
            ("5; ", None),
            ("5x;url=a", None),
            ("url=a", None),
            ("", None),
        ] {
            assert_eq!(found(Holds::Refresh, value), Vec::from_iter(url), "{value:?}");
        }
    }

    #[test]
    fn styles_hold_urls() {
        for (value, urls) in [
            ("background: url(a.png), URL( 'b c.png' ) x", &["a.png", "b c.png"][..]),
            ("background:url(&quot;a&quot;)", &["a"]),
            ("background:url(a b", &["a b"]),
            ("x:url('a)'", &["a)"]),
            ("x:curl(a) -url(b) url (c)", &[]),
            ("content:'url(a)';x:url(b)", &["b"]),
            ("/* url(a) */x:url(b)/*url(c)", &["b"]),
            ("x:url(a\\)b)", &["a\\)b"]),
            ("x:url()", &[""]),
            ("url&#40;a)", &["a"]),
            ("color:red", &[]),
        ] {
            assert_eq!(found(Holds::Styles, value), urls, "{value:?}");
        }
    }

    #[test]
    fn words_are_compared_with_their_references() {
        assert!(is_word(b"ReFresh", b"refresh"));
        assert!(is_word(b"&#114;efresh", b"refresh"));
        assert!(!is_word(b"refreshing", b"refresh"));
        assert!(!is_word(b"", b"refresh"));
    }
}
