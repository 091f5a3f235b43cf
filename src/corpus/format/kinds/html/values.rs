//! The places of the URLs in an attribute's value, as ranges of the page's bytes. The ranges still contain
//! character references.
//!
//! A URL does not include white space at its ends, even if a reference stands for it. Tabs and line ends
//! inside a URL stay: parsers of URLs remove them, and the standard calls such a URL invalid.

use std::ops::Range;

use super::chars::{Char, Cursor};
use super::names::Holds;
use super::srcset::{self, Candidate};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::memchr;

/// Passes the URLs of a value to `each`, in order. If an attribute holds a URL only together with another
/// attribute, the caller checks the other one.
pub(super) fn urls(holds: Holds, value: &[u8], mut each: impl FnMut(Candidate)) {
    let url = |range| each(Candidate::Url(range));
    match holds {
        Holds::Url => each(Candidate::Url(trimmed(value))),
        Holds::Urls => words(value, url),
        Holds::Images => srcset::candidates(value, each),
        Holds::Styles => styles(value, url),
        Holds::Refresh => each_of(refresh(value), url),
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
        urls(holds, value.as_bytes(), |url| {
            let Candidate::Url(range) = url else { panic!("{value}") };
            found.push(&value[range]);
        });
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
