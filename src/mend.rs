//! What a record probably was meant to be, where there is one way to mend it.

use alloc::vec::Vec;

use crate::error::{Component, Error, ErrorKind};
use crate::grammar::Rules;
use crate::validator::Validator;

/// The most rounds of mending. A round mends every occurrence of one byte value, and few values can be wrong.
const ROUNDS: usize = 64;

/// The schemes for which browsers take `\` for `/` (<https://url.spec.whatwg.org/#special-scheme>).
const SPECIAL: [&[u8]; 6] = [b"http", b"https", b"ftp", b"file", b"ws", b"wss"];

impl Validator {
    /// The longest record in bytes that [`suggest`](Self::suggest) mends.
    pub const LONGEST_MENDED: usize = 64 << 10;

    /// An invalid record, mended, if there is exactly one obvious way to mend it. The result is always valid.
    ///
    /// White space at both ends is left out. What cannot be in a path, a query or a fragment is percent-encoded; but `\` in a path is
    /// `/`, as browsers take it for the schemes that they know (`http`, `https`, `ftp`, `ws`, `wss`, `file`) and in references
    /// without a scheme. A `%` without two hexadecimal digits becomes `%25`.
    ///
    /// Nothing is suggested for what is wrong with a scheme, a host (a backslash behind it aside) or a port, for tabs and line ends
    /// within a record, and for records of more than [`LONGEST_MENDED`](Self::LONGEST_MENDED) bytes. It takes linear time.
    ///
    /// ```
    /// use urivalidate::{Grammar, Validator};
    ///
    /// let validator = Validator::new(Grammar::Uri);
    /// assert_eq!(validator.suggest(b"http://example.com/a b").as_deref(), Some(&b"http://example.com/a%20b"[..]));
    /// assert_eq!(validator.suggest(br"http:\\example.com\a").as_deref(), Some(&b"http://example.com/a"[..]));
    /// assert_eq!(validator.suggest(b"www.example.com"), None);
    /// ```
    pub fn suggest(&self, record: &[u8]) -> Option<Vec<u8>> {
        suggestion(self.rules(), record)
    }
}

/// See [`Validator::suggest`].
pub(crate) fn suggestion(rules: Rules, record: &[u8]) -> Option<Vec<u8>> {
    if record.len() > Validator::LONGEST_MENDED || rules.is_valid(record) {
        return None;
    }
    let mut mended = record.trim_ascii().to_vec();
    for _ in 0..ROUNDS {
        match rules.parse(&mended) {
            Ok(_) => return Some(mended),
            Err(error) => mended = mend(rules, &mended, &error)?,
        }
    }
    None
}

/// The record without this error, and without others by the same byte behind it.
fn mend(rules: Rules, record: &[u8], error: &Error) -> Option<Vec<u8>> {
    let offset = error.offset();
    let is_behind_authority =
        matches!(error.component(), Some(Component::Path | Component::Query | Component::Fragment));
    if error.kind() == ErrorKind::InvalidPercentEncoding && is_behind_authority {
        let percent = record[..offset].iter().rposition(|&byte| byte == b'%')?;
        return Some(encode_percent_signs(record, percent));
    }
    if error.kind() == ErrorKind::InvalidUtf8 && is_behind_authority {
        return Some(encode_invalid(record));
    }
    let &byte = record.get(offset)?;
    if byte == b'\\' && !matches!(error.component(), Some(Component::Query | Component::Fragment)) {
        if is_special(record) {
            return mend_backslashes(record, offset, is_behind_authority);
        }
        // No separator, and a part of the path only where there is one: `C:\a` is the name of a file.
        let is_in_path = is_behind_authority && record[offset - 1] != b':';
        return is_in_path.then(|| encode(record, offset, |byte| byte == b'\\'));
    }
    let is_mendable = match error.kind() {
        ErrorKind::Space
        | ErrorKind::NonAscii
        | ErrorKind::BracketOutsideHost
        | ErrorKind::SecondFragment => true,
        // Where no fragment may be, its `#` is a byte like others only for those who did not mean one.
        ErrorKind::InvalidCharacter => byte != b'#',
        ErrorKind::ControlCharacter => !byte.is_ascii_whitespace(),
        _ => false,
    };
    if !is_mendable || !is_behind_authority {
        return None;
    }
    if byte.is_ascii() {
        return Some(encode(record, offset, |other| other == byte));
    }
    // Some characters may be there, or none.
    if !rules.grammar().allows_beyond_ascii() {
        return Some(encode(record, offset, |byte| !byte.is_ascii()));
    }
    let char = char_at(record, offset);
    let (before, rest) = (&record[..char.start], &record[char.start..]);
    let mut mended = encode(&rest[..char.len()], 0, |_| true);
    mended.splice(0..0, before.iter().copied());
    mended.extend_from_slice(&rest[char.len()..]);
    Some(mended)
}

/// Writes each such byte from `start` on as `%HH`.
fn encode(record: &[u8], start: usize, is_wrong: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut encoded = record[..start].to_vec();
    for &byte in &record[start..] {
        if is_wrong(byte) { push_encoded(&mut encoded, byte) } else { encoded.push(byte) }
    }
    encoded
}

fn push_encoded(to: &mut Vec<u8>, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    to.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xF)]]);
}

/// Writes each `%` from `start` on that starts no escape as `%25`.
fn encode_percent_signs(record: &[u8], start: usize) -> Vec<u8> {
    let mut encoded = record[..start].to_vec();
    for (at, &byte) in record.iter().enumerate().skip(start) {
        let is_escape =
            matches!(record[at + 1..], [one, two, ..] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit());
        if byte == b'%' && !is_escape { push_encoded(&mut encoded, byte) } else { encoded.push(byte) }
    }
    encoded
}

/// Whether browsers take a `\` in it for a `/`.
fn is_special(record: &[u8]) -> bool {
    let end = record.iter().position(|byte| b":/?#\\".contains(byte));
    match end.map(|end| (&record[..end], record[end])) {
        Some((scheme, b':')) => SPECIAL.iter().any(|special| scheme.eq_ignore_ascii_case(special)),
        _ => true,
    }
}

/// Writes each `\` from `start` on as `/`, up to a query or fragment. Where an authority may be cut off before an `@`, nobody knows what was meant.
fn mend_backslashes(record: &[u8], start: usize, is_in_path: bool) -> Option<Vec<u8>> {
    let end =
        record[start..].iter().position(|byte| b"?#".contains(byte)).map_or(record.len(), |at| start + at);
    let segment = record[start..end].split(|&byte| byte == b'/').next().unwrap_or_default();
    if !is_in_path && segment.contains(&b'@') {
        return None;
    }
    let mut mended = record.to_vec();
    mended[start..end].iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
    Some(mended)
}

/// Writes each byte that is no part of well-formed UTF-8 as `%HH`.
fn encode_invalid(record: &[u8]) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(record.len());
    for chunk in record.utf8_chunks() {
        encoded.extend_from_slice(chunk.valid().as_bytes());
        chunk.invalid().iter().for_each(|&byte| push_encoded(&mut encoded, byte));
    }
    encoded
}

/// The whole character that the byte at `offset` belongs to, or the byte.
fn char_at(record: &[u8], offset: usize) -> core::ops::Range<usize> {
    let mut start = 0;
    for chunk in record.utf8_chunks() {
        let valid = start + chunk.valid().len();
        if offset < valid {
            let text = chunk.valid();
            let at = (0..=offset - start).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            let len = text[at..].chars().next().map_or(1, char::len_utf8);
            return start + at..start + at + len;
        }
        start = valid + chunk.invalid().len();
        if offset < start {
            return offset..offset + 1;
        }
    }
    offset..offset + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Grammar;

    #[track_caller]
    fn suggests(grammar: Grammar, record: &str, expected: Option<&str>) {
        let found = Validator::new(grammar).suggest(record.as_bytes());
        let found = found.as_deref().map(|mended| str::from_utf8(mended).unwrap());
        assert_eq!(found, expected, "{record}");
    }

    #[test]
    fn what_has_one_mending_is_mended() {
        for (record, expected) in [
            ("http://a/b c d?e f#g h", "http://a/b%20c%20d?e%20f#g%20h"),
            (" http://a/\t", "http://a/"),
            ("http://a/é/ü?“", "http://a/%C3%A9/%C3%BC?%E2%80%9C"),
            ("http://a/x[]=1?x[]=1", "http://a/x%5B%5D=1?x%5B%5D=1"),
            ("http://a/#a#b#c", "http://a/#a%23b%23c"),
            ("http://a/100%", "http://a/100%25"),
            ("http://a/%zz%20%u2019", "http://a/%25zz%20%25u2019"),
            ("http://a/{x}|y^\"<>`", "http://a/%7Bx%7D%7Cy%5E%22%3C%3E%60"),
            (r"http://a/b\c?d\e", "http://a/b/c?d%5Ce"),
            (r"HTTP:\\a\b c", "HTTP://a/b%20c"),
            (r"http://a\b", "http://a/b"),
            (r"http:\\a@b\c", "http://a@b/c"),
            (r"urn:a\b", "urn:a%5Cb"),
            ("http://a/\u{1}\u{7F}", "http://a/%01%7F"),
        ] {
            suggests(Grammar::Uri, record, Some(expected));
        }
        suggests(Grammar::Iri, "http://a/é b", Some("http://a/é%20b"));
        suggests(Grammar::Iri, "http://a/é\u{E000}b", Some("http://a/é%EE%80%80b"));
        suggests(Grammar::Java, "http://a/é\u{2028}?x[]=1", Some("http://a/é%E2%80%A8?x[]=1"));
        suggests(Grammar::UriReference, r"\a\b c", Some("/a/b%20c"));
        suggests(Grammar::RequestTarget, "/a b?{}", Some("/a%20b?%7B%7D"));
        let broken = b"http://a/\xE2\x82/\xFF\xC3\xA9";
        let mended = "http://a/%E2%82/%FFé";
        assert_eq!(Validator::new(Grammar::Iri).suggest(broken).as_deref(), Some(mended.as_bytes()));
    }

    #[test]
    fn what_has_several_or_none_is_not() {
        for record in [
            "http://a/",
            "",
            "www.a.com/x",
            "1http://a/",
            "http://a b/",
            "http://é/",
            "http://[x/",
            "http://a:b/",
            "http://a/b\tc",
            "http://a/b\nc",
            "http://u@v@h/",
            r"http://a\@b/",
            r"C:\a",
            "http://%zz/",
            "http://a{b}/",
        ] {
            suggests(Grammar::Uri, record, None);
        }
        suggests(Grammar::AbsoluteUri, "http://a/#b", None);
        let longest = "x".repeat(Validator::LONGEST_MENDED - 10);
        suggests(
            Grammar::Uri,
            &alloc::format!("http://a/{longest} "),
            Some(&alloc::format!("http://a/{longest}")),
        );
        suggests(Grammar::Uri, &alloc::format!("http://a/{longest}  "), None);
    }

    /// Whatever is wrong, what is suggested is valid, and there is nothing to mend in what is.
    #[test]
    fn suggestions_are_valid() {
        let templates: [&[u8]; 5] = [
            b"http://a:80/b?c#d",
            b"http://u@[::1]/%20?e=[f]",
            b"a:b/c%",
            b"//h/p q?r",
            "/é/\u{E000}\\x#y".as_bytes(),
        ];
        for &grammar in Grammar::ALL {
            let validator = Validator::new(grammar);
            for template in templates {
                for at in 0..=template.len() {
                    for byte in 0..=u8::MAX {
                        let mut record = template.to_vec();
                        record.insert(at, byte);
                        let Some(mended) = validator.suggest(&record) else { continue };
                        assert!(
                            !validator.is_valid(&record) && validator.parse(&mended).is_ok(),
                            "{grammar} {record:?}"
                        );
                        assert_eq!(validator.suggest(&mended), None);
                    }
                }
            }
        }
    }
}
