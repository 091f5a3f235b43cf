//! All characters that a grammar forbids in a record.
//!
//! A parser ends at the first one. A server that is to take the record must allow all of them.

use alloc::vec::Vec;

use crate::error::{Component, Error, ErrorKind, Found};
use crate::mend::{char_at, component_end, starts_with_escape};
use crate::validator::Validator;
use crate::work::looked_at;

/// A character of every grammar and of every component in which a character can be forbidden. It is no
/// hexadecimal digit, which might complete a broken escape.
const ALLOWED: u8 = b'z';

/// A character, and the component in which it is forbidden.
type Forbidden = (Found, Option<Component>);

impl Validator {
    /// The maximum number of characters of one record, and of rounds to find them.
    const MOST_FORBIDDEN: usize = 160;

    /// Returns the characters that the grammar forbids in this record, in the order in which they are found:
    /// each once for each component in which it is forbidden.
    ///
    /// The first is the [character](Error::character) of the record's error. For the others, the record is
    /// parsed again, as if allowed characters stood in place of those found so far. This ends at the first
    /// error that no single character makes, such as a broken port, and after 160 characters. Of a record of
    /// more than 64 KiB, only the first character is returned. The function takes linear time.
    ///
    /// ```
    /// use urivalidate::{Component, Found, Grammar, Validator};
    ///
    /// let validator = Validator::new(Grammar::Uri);
    /// let query = Some(Component::Query);
    /// let expected = vec![(Found::Byte(b'{'), query), (Found::Byte(b'}'), query)];
    /// assert_eq!(validator.forbidden_characters("http://h/?a={x}&b={y}"), expected);
    /// assert_eq!(validator.forbidden_characters("http://h/"), []);
    /// ```
    pub fn forbidden_characters(&self, record: impl AsRef<[u8]>) -> Vec<(Found, Option<Component>)> {
        let record = record.as_ref();
        let first = |record: &[u8]| {
            let error = self.rules().parse(record).err()?;
            Some((error.character()?, error))
        };
        let mut all = Vec::new();
        if record.len() > Self::LONGEST_MENDED {
            all.extend(first(record).map(|(character, error)| (character, error.component())));
            return all;
        }
        let mut record = record.to_vec();
        for _ in 0..Self::MOST_FORBIDDEN {
            let Some((character, error)) = first(&record) else { break };
            add(&mut all, (character, error.component()));
            allow(&mut record, &error, &mut all);
        }
        all
    }
}

/// Adds a character that is not there yet.
fn add(all: &mut Vec<Forbidden>, forbidden: Forbidden) {
    if all.len() < Validator::MOST_FORBIDDEN && !all.contains(&forbidden) {
        all.push(forbidden);
    }
}

/// Puts allowed characters in place of the error's character, there and later in its component. Non-ASCII
/// characters are replaced and added all at once, because a text has many of them.
fn allow(record: &mut [u8], error: &Error, all: &mut Vec<Forbidden>) {
    looked_at(record.len());
    let (offset, component) = (error.offset(), error.component());
    let end = component_end(record, offset, component);
    match error.kind() {
        ErrorKind::InvalidPercentEncoding => {
            let start = record[..offset].iter().rposition(|&byte| byte == b'%').unwrap_or(offset);
            for at in start..end {
                if record[at] == b'%' && !starts_with_escape(&record[at..]) {
                    record[at] = ALLOWED;
                }
            }
        }
        kind @ (ErrorKind::NonAscii | ErrorKind::InvalidUtf8) => {
            let text = record[offset..end].to_vec();
            let mut at = offset;
            for chunk in text.utf8_chunks() {
                for char in chunk.valid().chars() {
                    if kind == ErrorKind::NonAscii && !char.is_ascii() {
                        add(all, (Found::Char(char), component));
                        record[at..at + char.len_utf8()].fill(ALLOWED);
                    }
                    at += char.len_utf8();
                }
                for &byte in chunk.invalid() {
                    add(all, (Found::Byte(byte), component));
                    record[at] = ALLOWED;
                    at += 1;
                }
            }
        }
        _ => {
            let found = char_at(record, offset);
            let char = record[found.clone()].to_vec();
            let mut at = found.start;
            while at < end {
                if record[at..end].starts_with(&char) {
                    record[at..at + char.len()].fill(ALLOWED);
                }
                at += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::grammar::Grammar;

    /// Returns the characters, each with its component's name.
    fn forbidden(grammar: Grammar, record: impl AsRef<[u8]>) -> Vec<(String, &'static str)> {
        let found = Validator::new(grammar).forbidden_characters(record);
        found
            .into_iter()
            .map(|(char, component)| (char.to_text(), component.map_or("", Component::name)))
            .collect()
    }

    #[track_caller]
    fn finds(grammar: Grammar, record: impl AsRef<[u8]>, expected: &[(&str, &'static str)]) {
        let expected: Vec<_> =
            expected.iter().map(|&(char, component)| (String::from(char), component)).collect();
        assert_eq!(forbidden(grammar, record), expected);
    }

    #[test]
    fn each_character_is_found_once_in_each_component() {
        finds(Grammar::Uri, "http://h/", &[]);
        finds(
            Grammar::Uri,
            "http://h/{a}{b}?{#}",
            &[("{", "path"), ("}", "path"), ("{", "query"), ("}", "fragment")],
        );
        finds(
            Grammar::Uri,
            "http://h/x[1]?x[1] ",
            &[("[", "path"), ("]", "path"), ("[", "query"), ("]", "query"), (" ", "query")],
        );
        finds(Grammar::Uri, "http://h/%%41%zz%?%", &[("%", "path"), ("%", "query")]);
        // No replacement completes an escape.
        finds(Grammar::Uri, "http://h/{%{1", &[("{", "path"), ("%", "path")]);
        finds(Grammar::Uri, "http://h/é%é", &[("é", "path"), ("%", "path")]);
        finds(Grammar::Uri, "http://{@{/", &[("{", "userinfo"), ("{", "host")]);
        finds(Grammar::Uri, "http://é@ö/", &[("é", "userinfo"), ("ö", "host")]);
        finds(Grammar::Uri, "http://%zz@%zz/", &[("%", "userinfo"), ("%", "host")]);
        let opaque = alloc::format!("a:{}}}", "b{/".repeat(200));
        finds(Grammar::Java, opaque, &[("{", ""), ("}", "")]);
        finds(Grammar::Uri, "http://h/#a#b#c", &[("#", "fragment")]);
        finds(
            Grammar::Uri,
            "http://a_{b}.c^/|",
            &[("{", "host"), ("}", "host"), ("^", "host"), ("|", "path")],
        );
        finds(
            Grammar::Uri,
            "http://h/\u{e9}|\u{e9}\u{20ac}?\u{e9}",
            &[("é", "path"), ("€", "path"), ("|", "path"), ("é", "query")],
        );
        finds(
            Grammar::Uri,
            b"http://h/\xFFa\xC3?\xFF",
            &[("0xFF", "path"), ("0xC3", "path"), ("0xFF", "query")],
        );
        finds(
            Grammar::Iri,
            b"http://h/\xC3\xA9\xFF{\xFE",
            &[("0xFF", "path"), ("0xFE", "path"), ("{", "path")],
        );
        finds(Grammar::Iri, "http://h/\u{e000}{\u{e000}", &[("\u{e000}", "path"), ("{", "path")]);
        finds(Grammar::RequestTarget, "/a|b?c|d\\", &[("|", "path"), ("|", "query"), ("\\", "query")]);
    }

    #[test]
    fn the_search_ends_where_no_character_makes_the_error() {
        finds(Grammar::Uri, "http://h:p/{", &[]);
        finds(Grammar::Uri, "http://[::1{]/{", &[]);
        finds(Grammar::Uri, "h", &[]);
        finds(Grammar::Uri, "", &[]);
        let long = alloc::format!("http://h/{}{{}}", "a".repeat(Validator::LONGEST_MENDED));
        finds(Grammar::Uri, long, &[("{", "path")]);
    }

    /// A record with more characters than are returned takes linear time.
    #[test]
    fn many_characters_are_bounded() {
        let all: String = (0x4E00..0x4E00 + 20_000).filter_map(char::from_u32).collect();
        let record = &alloc::format!("http://h/{all}")[..60_000];
        assert_eq!(forbidden(Grammar::Uri, record).len(), Validator::MOST_FORBIDDEN);
        #[cfg(all(debug_assertions, feature = "std"))]
        {
            let work = |len: usize| {
                let start = crate::work::so_far();
                forbidden(Grammar::Uri, &record[..len]);
                crate::work::so_far() - start
            };
            assert!(work(60_000) <= 2 * work(30_000) + 1_000);
        }
    }

    /// If allowed characters take the place of all that are found, the record is valid.
    #[test]
    fn a_grammar_that_allowed_them_would_take_the_record() {
        let mut random = 1u32;
        for _ in 0..20_000 {
            let mut record = b"http://h/a?b#".to_vec();
            for _ in 0..6 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = 9 + (random >> 24) as usize % (record.len() - 8);
                record.insert(at, b"{}|[]^ %\"<>`\\\xC3\xA9z"[(random >> 16) as usize % 16]);
            }
            let found = Validator::new(Grammar::Uri).forbidden_characters(&record);
            let is_found = |byte: u8| found.iter().any(|(found, _)| *found == Found::Byte(byte));
            let allowed: Vec<u8> = record
                .iter()
                .enumerate()
                .map(|(at, &byte)| match byte {
                    b'%' if starts_with_escape(&record[at..]) => b'%',
                    0x80.. => ALLOWED,
                    _ if is_found(byte) => ALLOWED,
                    _ => byte,
                })
                .collect();
            let record = String::from_utf8_lossy(&record).into_owned();
            assert!(Validator::new(Grammar::Uri).is_valid(&allowed), "{record}");
        }
    }
}
