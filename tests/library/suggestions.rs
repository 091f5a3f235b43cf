//! Tests that the suggestion for an invalid record keeps all parts that do not need to change.

use proptest::collection::vec;
use proptest::prelude::*;
use urivalidate::{Component, ErrorKind};

use crate::agreement;
use crate::oracle::Oracle;
use crate::properties::{mutation, original};

/// A part of a record that a suggestion writes in another way: its place in the suggestion, and its original
/// text.
struct Change {
    at: usize,
    now: usize,
    was: Vec<u8>,
}

/// Compares the record and the suggestion from left to right. Returns the changes, or an error where no
/// change explains the difference.
fn changes(record: &[u8], suggestion: &[u8]) -> Result<Vec<Change>, String> {
    let (mut old, mut new) = (0, 0);
    let mut changes = Vec::new();
    while old < record.len() {
        let (rest, mended) = (&record[old..], &suggestion[new..]);
        // In a zone identifier of java, a "%" starts no escape.
        let has_broken_escape = rest[0] == b'%' && !is_escape(rest) && is_escape(mended);
        if mended.first() == rest.first() && !has_broken_escape {
            (old, new) = (old + 1, new + 1);
            continue;
        }
        let encoded = encoded(mended);
        let (was, now) = if rest[0] == b'\\' && is_escape(&rest[1..]) && mended.first() == Some(&b'%') {
            (1, 0)
        } else if rest[0] == b'\\' && mended.first() == Some(&b'/') {
            (1, 1)
        } else if let Some((len, char)) =
            utf16_escape(rest).filter(|(_, char)| encoded.starts_with(char.as_bytes()))
        {
            (len, 3 * char.len())
        } else if has_broken_escape && encoded.first() == Some(&b'%') {
            (1, 3)
        } else {
            // Takes a whole character: without one of its bytes, the error would be another.
            let chars = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
            let len = chars.chars().next().map_or(1, char::len_utf8);
            if !encoded.starts_with(&rest[..len]) {
                return Err(format!(
                    "{:?} became {:?}",
                    rest.escape_ascii().to_string(),
                    mended.escape_ascii().to_string()
                ));
            }
            (len, 3 * len)
        };
        changes.push(Change { at: new, now, was: rest[..was].to_vec() });
        (old, new) = (old + was, new + now);
    }
    if new == suggestion.len() { Ok(changes) } else { Err("more follows".to_owned()) }
}

fn is_escape(bytes: &[u8]) -> bool {
    bytes.len() > 2 && bytes[0] == b'%' && bytes[1..3].iter().all(u8::is_ascii_hexdigit)
}

/// Returns the bytes that the escapes at the start spell.
fn encoded(bytes: &[u8]) -> Vec<u8> {
    let escapes = bytes.chunks(3).take_while(|escape| is_escape(escape));
    escapes.map(|escape| u8::from_str_radix(str::from_utf8(&escape[1..]).unwrap(), 16).unwrap()).collect()
}

/// Returns the length of an escape that JavaScript's `escape` writes, and its character.
fn utf16_escape(bytes: &[u8]) -> Option<(usize, String)> {
    let units = bytes.chunks(6).map_while(|escape| {
        let digits = escape
            .strip_prefix(b"%u")
            .filter(|digits| digits.len() == 4 && digits.iter().all(u8::is_ascii_hexdigit))?;
        u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
    });
    let char = char::decode_utf16(units.take(2)).next()?.ok()?;
    Some((6 * char.len_utf16(), char.to_string()))
}

/// Returns the record without white space at its ends.
fn trimmed(record: &[u8]) -> &[u8] {
    let is_blank = |char: &str| {
        let invisible =
            "\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{202A}\u{202B}\u{202C}\u{202D}\u{202E}\u{FEFF}";
        char.chars().all(|char| {
            char.is_whitespace() || invisible.contains(char) || ('\u{2060}'..='\u{2069}').contains(&char)
        })
    };
    let ends = |range: std::ops::Range<usize>| record.get(range).and_then(|bytes| str::from_utf8(bytes).ok());
    let (mut start, mut end) = (0, record.len());
    while let Some(len) = (1..=4).find(|len| ends(start..start + len).is_some_and(is_blank)) {
        start += len;
    }
    while let Some(len) =
        (1..=4).find(|&len| end >= start + len && ends(end - len..end).is_some_and(is_blank))
    {
        end -= len;
    }
    &record[start..end]
}

/// Tests this for an escape that spells a backslash, too.
#[test]
fn a_backslash_before_an_escape_is_left_out() {
    let record = br"a\%5Cb";
    let suggestion = urivalidate::Validator::new(urivalidate::Grammar::UriReference).suggest(record).unwrap();
    assert_eq!(suggestion, b"a%5Cb");
    let changes = changes(record, &suggestion).unwrap();
    assert_eq!(changes.iter().map(|change| (change.at, change.now)).collect::<Vec<_>>(), [(1, 0)]);
}

/// Tests a host in which IDNA ignores a character. Browsers go to the same host.
#[cfg(feature = "surt")]
#[test]
fn an_invisible_character_of_a_host_is_left_out() {
    let validator = urivalidate::Validator::new(urivalidate::Grammar::UriReference);
    assert_eq!(validator.suggest("//\u{200B}http".as_bytes()).unwrap(), b"//http");
}

#[test]
fn the_percent_of_a_zone_identifier_is_kept() {
    let record = b"//[fe80::1%en0]/a%::";
    let suggestion = urivalidate::Validator::new(urivalidate::Grammar::Java).suggest(record).unwrap();
    assert_eq!(suggestion, b"//[fe80::1%en0]/a%25::");
    let changes = changes(record, &suggestion).unwrap();
    assert_eq!(changes.iter().map(|change| change.at).collect::<Vec<_>>(), [17]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::cases(40_000), failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests that a suggestion with an unchanged host changes only white space at the ends and bytes that the
    /// grammar does not allow: if any change is undone, the record is invalid.
    #[test]
    fn only_what_is_wrong_changes(mut record in original(), mutations in vec(mutation(), 1..4)) {
        for mutation in mutations {
            mutation.apply(&mut record);
        }
        for oracle in Oracle::all() {
            let Some(suggestion) = oracle.validator.suggest(&record) else { continue };
            // A host beyond ASCII changes as a whole: to Punycode, or to ASCII alone if IDNA ignores its
            // other characters.
            let slashes = trimmed(&record).iter().map(|&byte| if byte == b'\\' { b'/' } else { byte });
            let error = oracle.validator.parse(slashes.collect::<Vec<_>>()).err();
            if error.is_some_and(|error| (error.kind(), error.component()) == (ErrorKind::NonAscii, Some(Component::Host))) {
                continue;
            }
            let context = || {
                let [record, suggestion] = [&record, &suggestion].map(|text| text.escape_ascii().to_string());
                format!("{record:?} became {suggestion:?} as {}", agreement::name(oracle))
            };
            prop_assert!(oracle.whole.contains(&suggestion), "{}", context());
            let changes = changes(trimmed(&record), &suggestion);
            prop_assert!(changes.is_ok(), "{}: {}", context(), changes.err().unwrap());
            for Change { at, now, was } in changes.unwrap() {
                let mut undone = suggestion.clone();
                undone.splice(at..at + now, was);
                prop_assert!(!oracle.whole.contains(&undone), "{}: {:?} is valid", context(), undone.escape_ascii().to_string());
            }
        }
    }
}
