//! Character references in attribute values of HTML (section 13.2.5.72 and following of the standard).
//!
//! A lookup takes a whole name: names consist of letters and digits, and in an attribute a name without a
//! semicolon counts only if no letter, digit or `=` follows. So `&copy=1` and `&notit` stand for themselves,
//! and no lookup has to try the prefixes of a name.
//!
//! The table, `named.txt`, is a copy of Python's table, which follows the standard; `scripts/make-references`
//! writes it. The crates that have the table include a tokenizer, or have not changed for years.

use std::sync::LazyLock;

use crate::work::{looked_at, position};

/// The named references, in the order of their names.
static NAMED: LazyLock<Vec<Named>> =
    LazyLock::new(|| include_str!("named.txt").lines().map(Named::parse).collect());

/// A named reference.
struct Named {
    /// The name without `&` and `;`.
    name: &'static str,
    text: &'static str,
    needs_semicolon: bool,
}

impl Named {
    /// Parses a line of the table.
    fn parse(line: &'static str) -> Self {
        let (name, text) = line.split_once(' ').unwrap_or((line, ""));
        let text = match text {
            r"\n" => "\n",
            r"\t" => "\t",
            r"\\" => r"\",
            text => text,
        };
        let with_semicolon = name.strip_suffix(';');
        Named { name: with_semicolon.unwrap_or(name), text, needs_semicolon: with_semicolon.is_some() }
    }
}

/// The text that a reference stands for.
pub(crate) enum Referent {
    Text(&'static str),
    Char(char),
}

/// The longest name, in bytes.
const LONGEST_NAME: usize = 31;

/// Returns the length in bytes and the text of the reference that starts with the `&` at the start of `raw`.
/// `None` if this `&` starts no reference.
pub(crate) fn reference(raw: &[u8]) -> Option<(usize, Referent)> {
    // Nearly all references in URLs are `&amp;`.
    if raw.starts_with(b"&amp;") {
        return Some((5, Referent::Char('&')));
    }
    if raw.get(1) == Some(&b'#') {
        return numbered(raw).map(|(taken, char)| (taken, Referent::Char(char)));
    }
    let rest = &raw[1..raw.len().min(LONGEST_NAME + 2)];
    let len = position(rest, |byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let name = str::from_utf8(&rest[..len]).ok()?;
    let is_ended = match rest.get(len) {
        Some(b';') => true,
        Some(b'=') => return None,
        _ => false,
    };
    let named = &NAMED[NAMED.binary_search_by_key(&name, |named| named.name).ok()?];
    let is_whole = is_ended || !named.needs_semicolon;
    is_whole.then_some((1 + len + usize::from(is_ended), Referent::Text(named.text)))
}

/// Parses `&#` and a number. A number without a character stands for U+FFFD. A number from 0x80 to 0x9F
/// stands for the character that windows-1252 has there.
fn numbered(raw: &[u8]) -> Option<(usize, char)> {
    let (start, radix) = if matches!(raw.get(2), Some(b'x' | b'X')) { (3, 16) } else { (2, 10) };
    let digits = &raw[start..];
    let mut number = 0u32;
    let mut len = 0;
    while let Some(digit) = digits.get(len).and_then(|&byte| char::from(byte).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    looked_at(len + 1);
    if len == 0 {
        return None;
    }
    let char = match number {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[number as usize - 0x80],
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    Some((start + len + usize::from(digits.get(len) == Some(&b';')), char))
}

/// The characters of windows-1252 from 0x80 to 0x9F. Five of these bytes have no character.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

#[cfg(test)]
mod tests {
    use super::*;

    fn referent(raw: &str) -> Option<(usize, String)> {
        reference(raw.as_bytes()).map(|(taken, referent)| match referent {
            Referent::Text(text) => (taken, text.to_owned()),
            Referent::Char(char) => (taken, char.to_string()),
        })
    }

    #[test]
    fn references_end_as_the_standard_says() {
        for (raw, taken, text) in [
            ("&amp;b", 5, "&"),
            ("&amp", 4, "&"),
            ("&amp/", 4, "&"),
            ("&AMP;", 5, "&"),
            ("&Tab;", 5, "\t"),
            ("&nGt;", 5, "≫⃒"),
            ("&CounterClockwiseContourIntegral;", 33, "∳"),
            ("&#38", 4, "&"),
            ("&#x26;", 6, "&"),
            ("&#X26g", 5, "&"),
            ("&#0;", 4, "\u{FFFD}"),
            ("&#xD800;", 8, "\u{FFFD}"),
            ("&#x110000;", 10, "\u{FFFD}"),
            ("&#99999999999999999999;", 23, "\u{FFFD}"),
            ("&#x80;", 6, "€"),
            ("&#x1F600;", 9, "😀"),
        ] {
            assert_eq!(referent(raw), Some((taken, text.to_owned())), "{raw}");
        }
        for raw in [
            "&",
            "&;",
            "&copy=1",
            "&copyx",
            "&notit;",
            "&notin",
            "&amp1",
            "&nosuch;",
            "&#",
            "&#;",
            "&#x;",
            "&#xg",
            "& amp;",
            "&CounterClockwiseContourIntegralx;",
        ] {
            assert_eq!(referent(raw), None, "{raw}");
        }
    }

    #[test]
    fn every_name_is_found() {
        assert_eq!(NAMED.len(), 2125);
        assert!(NAMED.is_sorted_by_key(|named| named.name));
        assert!(NAMED.iter().all(|named| named.name.len() <= LONGEST_NAME && !named.text.is_empty()));
        assert_eq!(NAMED.iter().filter(|named| !named.needs_semicolon).count(), 106);
        for &Named { name, text, needs_semicolon } in NAMED.iter() {
            assert_eq!(referent(&format!("&{name};x")), Some((name.len() + 2, text.to_owned())), "{name}");
            let without = referent(&format!("&{name}/")).map(|(taken, _)| taken);
            assert_eq!(without, (!needs_semicolon).then_some(name.len() + 1), "{name}");
        }
    }
}
