//! Keys of queries, as in Spark's `parse_url`: the key is inserted into Java's regular expression
//! `(&|^)KEY=([^&]*)`, and the second group of the first match is the value. (If the key has a group, that is
//! the second group.)
//!
//! A key without special characters is searched without a regular expression. Other keys are translated,
//! because the same syntax can mean different things in Java and Rust. `\d`, `\w`, `\s` and letters under
//! `(?i)` are ASCII in both Java and regex-lite. A query holds no line end, so `.` and `$` mean the same in
//! both. Other syntax is refused: look-around, back references, possessive quantifiers, atomic groups, nested
//! sets, flags except `(?i)`, named classes, word boundaries, and the repetition of the group with the value
//! or of a part that can match the empty string.

use std::fmt::Write;
use std::iter::Peekable;
use std::ops::Range;
use std::str::Chars;

use regex_lite::Regex;

use super::FunctionError;
use super::repeats::Repeats;
use crate::work::memchr;

/// A key, which finds its value in a query.
#[derive(Clone, Debug)]
pub(super) enum Key {
    /// The key and the `=` after it.
    Word(Vec<u8>),
    Pattern(Regex),
}

impl Key {
    pub(super) fn new(key: &str) -> Result<Self, FunctionError> {
        // A key with "&" is no word either: it could match in two ways at the start of a query.
        if !key.chars().any(|char| r"\^$.|?*+()[]{}&".contains(char)) {
            return Ok(Key::Word(format!("{key}=").into_bytes()));
        }
        let invalid = |reason| FunctionError::InvalidKey { key: key.to_owned(), reason };
        let translated = Translation::of(key).map_err(invalid)?;
        match Regex::new(&format!("(&|^){translated}=([^&]*)")) {
            Ok(pattern) => Ok(Key::Pattern(pattern)),
            Err(error) => Err(invalid(error.to_string())),
        }
    }

    /// Returns the place of the value in a query, if the query has the key.
    pub(super) fn find(&self, query: &[u8]) -> Option<Range<usize>> {
        match self {
            Key::Word(word) => {
                let mut start = 0;
                while !query[start..].starts_with(word) {
                    start += memchr(b'&', &query[start..])? + 1;
                }
                start += word.len();
                let end = memchr(b'&', &query[start..]).map_or(query.len(), |at| start + at);
                Some(start..end)
            }
            Key::Pattern(pattern) => {
                // The queries of valid URLs are UTF-8.
                let query = std::str::from_utf8(query).ok()?;
                Some(pattern.captures(query)?.get(2)?.range())
            }
        }
    }
}

/// The translation of a regular expression of Java to one of Rust.
struct Translation<'a> {
    rest: Peekable<Chars<'a>>,
    out: String,
    repeats: Repeats,
}

const ONLY_JAVA: &str = "only Java's regular expressions have";

impl<'a> Translation<'a> {
    fn of(key: &'a str) -> Result<String, String> {
        let mut translation =
            Translation { rest: key.chars().peekable(), out: String::new(), repeats: Repeats::default() };
        // The group before the key, which matches the empty string at the start of a query.
        translation.repeats.item(true);
        let mut is_quantified = false;
        while let Some(char) = translation.rest.next() {
            let quantifies = matches!(char, '*' | '+' | '?' | '{');
            if quantifies && is_quantified {
                return Err(format!("a quantifier cannot follow a quantifier: {char:?}"));
            }
            translation.item(char)?;
            is_quantified = quantifies;
        }
        Ok(translation.out)
    }

    /// Translates the item that starts with `char`, outside of sets.
    fn item(&mut self, char: char) -> Result<(), String> {
        match char {
            '\\' => {
                self.repeats.item(false);
                return self.escape();
            }
            '[' => {
                self.repeats.item(false);
                return self.set();
            }
            '(' => return self.group(),
            '*' | '+' | '?' => {
                self.out.push(char);
                let (least, most) = (u32::from(char == '+'), (char == '?').then_some(1));
                return self.end_quantifier(least, most);
            }
            '{' => return self.count(),
            ')' => self.repeats.close()?,
            '|' => self.repeats.alternative(),
            '^' | '$' => self.repeats.item(true),
            '.' => self.repeats.item(false),
            literal => {
                self.repeats.item(false);
                self.literal(literal);
                return Ok(());
            }
        }
        self.out.push(char);
        Ok(())
    }

    fn literal(&mut self, char: char) {
        self.out.push_str(&regex_lite::escape(char.encode_utf8(&mut [0; 4])));
    }

    /// Translates the `?` of a lazy quantifier, after the quantifier itself.
    fn end_quantifier(&mut self, least: u32, most: Option<u32>) -> Result<(), String> {
        self.repeats.quantify(least, most)?;
        if self.rest.peek() == Some(&'+') {
            return Err(format!("{ONLY_JAVA} possessive quantifiers"));
        }
        self.out.extend(self.rest.next_if_eq(&'?'));
        Ok(())
    }

    fn count(&mut self) -> Result<(), String> {
        let mut count = String::new();
        while let Some(char) = self.rest.next_if(|&char| char.is_ascii_digit() || char == ',') {
            count.push(char);
        }
        let is_count =
            count.starts_with(|char: char| char.is_ascii_digit()) && count.matches(',').count() < 2;
        if !is_count || self.rest.next() != Some('}') {
            return Err("\"{\" starts no {n}, {n,} or {n,m}".to_owned());
        }
        // Writing to a string cannot fail.
        let _ = write!(self.out, "{{{count}}}");
        let (least, most) = count.split_once(',').unwrap_or((&count, &count));
        let number = |digits: &str| digits.parse().map_err(|_| format!("{digits} is too large a count"));
        let most = if most.is_empty() { None } else { Some(number(most)?) };
        self.end_quantifier(number(least)?, most)
    }

    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_none() {
            self.repeats.open(true);
            return Ok(());
        }
        let mut head = String::new();
        while let Some(char) = self.rest.next_if(|&char| char.is_ascii_alphanumeric() || char == '<') {
            head.push(char);
        }
        let end = self.rest.next().unwrap_or_default();
        let is_known = match (head.as_str(), end) {
            ("", ':') | ("i", ':' | ')') => true,
            (head, '>') => {
                head.len() > 1 && head.rfind('<') == Some(0) && head.as_bytes()[1].is_ascii_alphabetic()
            }
            _ => false,
        };
        if !is_known {
            return Err(format!("{ONLY_JAVA} \"(?{head}{end}\""));
        }
        let _ = write!(self.out, "?{head}{end}");
        match end {
            ')' => self.repeats.end_item(),
            _ => self.repeats.open(end == '>'),
        }
        Ok(())
    }

    fn set(&mut self) -> Result<(), String> {
        self.out.push('[');
        self.out.extend(self.rest.next_if_eq(&'^'));
        let mut is_empty = true;
        loop {
            match self.rest.next() {
                None => return Err("\"[\" without \"]\"".to_owned()),
                Some(']') if is_empty => return Err("\"[\" is followed by \"]\"".to_owned()),
                Some(']') => break,
                Some('[') => return Err(format!("{ONLY_JAVA} sets in sets")),
                Some('&') if self.rest.peek() == Some(&'&') => {
                    return Err(format!("{ONLY_JAVA} intersections of sets"));
                }
                Some('-') => self.out.push('-'),
                Some('\\') => self.escape()?,
                Some(literal) => self.literal(literal),
            }
            is_empty = false;
        }
        self.out.push(']');
        Ok(())
    }

    /// Translates the rest of an escape after its backslash, inside and outside of sets.
    fn escape(&mut self) -> Result<(), String> {
        match self.rest.next() {
            None => return Err("a backslash at the end".to_owned()),
            Some(class @ ('d' | 'D' | 'w' | 'W' | 's' | 'S')) => {
                self.out.push('\\');
                self.out.push(class);
            }
            Some('t') => self.literal('\t'),
            Some('x') => self.code_point(2)?,
            Some('u') => self.code_point(4)?,
            Some('Q') => {
                let rest: String = self.rest.by_ref().collect();
                let (quoted, after) = rest.split_once("\\E").unwrap_or((&rest, ""));
                if quoted.is_empty() || !after.is_empty() {
                    return Err("\\Q has to quote all that follows it".to_owned());
                }
                self.out.push_str(&regex_lite::escape(quoted));
            }
            Some(char) if char.is_ascii_alphanumeric() => {
                return Err(format!("{ONLY_JAVA} \"\\{char}\""));
            }
            Some(char) => self.literal(char),
        }
        Ok(())
    }

    fn code_point(&mut self, digits: usize) -> Result<(), String> {
        let code: String = self.rest.by_ref().take(digits).collect();
        let is_code = code.len() == digits && code.bytes().all(|byte| byte.is_ascii_hexdigit());
        let char = u32::from_str_radix(&code, 16).ok().filter(|_| is_code).and_then(char::from_u32);
        match char {
            Some(char) => {
                self.literal(char);
                Ok(())
            }
            None => Err(format!("\"{code}\" is no code point of {digits} digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value<'a>(key: &str, query: &'a str) -> Option<&'a str> {
        Key::new(key).unwrap().find(query.as_bytes()).map(|range| &query[range])
    }

    #[test]
    fn a_word_starts_a_parameter_and_ends_at_an_equals_sign() {
        for (key, query, expected) in [
            ("a", "a=1", Some("1")),
            ("a", "xa=1&a=2&a=3", Some("2")),
            ("a", "a=&b=1", Some("")),
            ("a", "a&b=a=1", None),
            ("a", "aa=1", None),
            ("a", "&&a=1=2", Some("1=2")),
            ("", "x&=1", Some("1")),
            ("a=b", "a=b=c", Some("c")),
            ("é", "é=ü", Some("ü")),
            ("a", "", None),
        ] {
            assert_eq!(value(key, query), expected, "{key:?} in {query:?}");
            // A regular expression for the same key has the same result.
            assert_eq!(value(&format!("(?:{key})"), query), expected, "(?:{key}) in {query:?}");
        }
    }

    #[test]
    fn a_key_is_a_regular_expression() {
        for (key, query, expected) in [
            ("a.c", "abc=1", Some("1")),
            (r"a\.c", "abc=1&a.c=2", Some("2")),
            ("[a-c]+", "x=0&abc=1", Some("1")),
            // The first branch has no "=", so the group of the value is absent.
            ("a|b", "a=1", None),
            ("(a|b)", "b=1", Some("b")),
            ("(?:a|b)", "b=1", Some("1")),
            ("(?<n>a)", "a=1", Some("a")),
            ("(?i)K", "\u{212A}=0&k=1", Some("1")),
            (r"\w", "é=0&e=1", Some("1")),
            (r"\d{2,3}", "1=a&123=b", Some("b")),
            (r"\Qa.b\E", "axb=1&a.b=2", Some("2")),
            (r"\x61\u0062", "ab=1", Some("1")),
            (r"[^\w-]", "-=1&.=2", Some("2")),
            ("a&b", "a&b=1", Some("1")),
            ("x*?", "xx=1", Some("1")),
        ] {
            assert_eq!(value(key, query), expected, "{key:?} in {query:?}");
        }
    }

    #[test]
    fn what_only_java_has_is_refused() {
        for key in [
            "(?=a)",
            "(?!a)",
            "(?<=a)",
            "(?<!a)",
            "(?>a)",
            "a*+",
            "a{1}+",
            r"(a)\1",
            r"\k<n>",
            "[a[b]]",
            "[a&&b]",
            r"\p{L}",
            r"\bx",
            "(?s).",
            r"\R",
            "[]a]",
            "(",
            "a)",
            "a**",
            "{",
            "a{,2}",
            "\\",
            "[",
            "[z-a]",
            "(a*)+",
            "(|a){2}",
            "(a*){1,9999999999}",
            "*a",
            "+",
            "{2}a",
        ] {
            let Err(error) = Key::new(key) else { panic!("{key:?} is taken") };
            assert!(error.to_string().starts_with("the key \""), "{error}");
        }
    }
}
