//! Repairs invalid records if only one repair is likely.

use alloc::vec::Vec;
use core::ops::Range;

use crate::error::{Component, Error, ErrorKind};
use crate::grammar::Rules;
#[cfg(feature = "surt")]
use crate::idna;
use crate::validator::Validator;
use crate::work::looked_at;

/// The maximum number of rounds. A round mends every occurrence of one character in one component, and the
/// number of these is small.
const ROUNDS: usize = 160;

/// The schemes for which browsers read `\` as `/` (<https://url.spec.whatwg.org/#special-scheme>).
const SPECIAL: [&[u8]; 6] = [b"http", b"https", b"ftp", b"file", b"ws", b"wss"];

impl Validator {
    /// The length in bytes of the longest record that [`suggest`](Self::suggest) mends.
    pub(crate) const LONGEST_MENDED: usize = 64 << 10;

    /// Returns a repaired form of an invalid record if only one repair is likely. The result is always valid.
    ///
    /// Only these changes are made:
    ///
    /// * White space at both ends is removed, including invisible characters such as U+200B.
    /// * A character that the grammar does not allow in its path, query or fragment is percent-encoded.
    /// * `\` in a path becomes `/`, as browsers read it in references without a scheme and in the schemes
    ///   that they know (`http`, `https`, `ftp`, `ws`, `wss`, `file`). A `\` before an escape, as in
    ///   `\%C3\%B6`, is removed.
    /// * A host beyond ASCII is written in Punycode, with the feature `surt`, if browsers would write the
    ///   same.
    /// * `%u2019`, as JavaScript's `escape` writes it, becomes `%E2%80%99`. Any other `%` without two
    ///   hexadecimal digits becomes `%25`.
    ///
    /// The result is `None` for other errors in a scheme, in a host (except for a backslash after it) or in a
    /// port, for tabs and line ends within a record, and for records of more than 64 KiB. The function takes
    /// linear time.
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
    let mut mended = trimmed(record.to_vec());
    for _ in 0..ROUNDS {
        match rules.parse(&mended) {
            Ok(_) => return Some(mended),
            Err(error) => mended = mend(rules, &mended, &error)?,
        }
    }
    None
}

/// Returns the record without white space at its ends.
fn trimmed(mut record: Vec<u8>) -> Vec<u8> {
    let last = record.utf8_chunks().last().filter(|chunk| chunk.invalid().is_empty());
    let end = last.map_or(0, |chunk| chunk.valid().len() - chunk.valid().trim_end_matches(is_blank).len());
    record.truncate(record.len() - end);
    let first = record.utf8_chunks().next();
    let start =
        first.map_or(0, |chunk| chunk.valid().len() - chunk.valid().trim_start_matches(is_blank).len());
    record.drain(..start);
    record
}

/// Returns true for white space, and for characters that are equally invisible at the end of a line:
/// zero-width characters, directional marks, the byte order mark.
fn is_blank(char: char) -> bool {
    char.is_whitespace()
        || matches!(char, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// Returns the record without this error, and without the same error later in its component.
fn mend(rules: Rules, record: &[u8], error: &Error) -> Option<Vec<u8>> {
    looked_at(record.len());
    let offset = error.offset();
    let component = error.component();
    let is_after_authority =
        matches!(component, Some(Component::Path | Component::Query | Component::Fragment));
    let component_end = is_after_authority.then(|| component_end(record, offset, component));
    let (is_special, is_in_path) = (is_special(record), error.component() == Some(Component::Path));
    let is_backslash = record.get(offset) == Some(&b'\\');
    if is_backslash
        && (component_end.is_none() || is_in_path && may_start_authority(rules, &record[..offset]))
    {
        return if is_special { mend_separator(record, offset, is_in_path) } else { None };
    }
    #[cfg(feature = "surt")]
    if error.kind() == ErrorKind::NonAscii && error.component() == Some(Component::Host) {
        return mend_host(record, offset);
    }
    let end = component_end?;
    // Backslashes come first: a later repair might produce escapes after some of them.
    if record[offset..end].contains(&b'\\') {
        return Some(mend_backslashes(record, offset..end, is_special && is_in_path));
    }
    match error.kind() {
        ErrorKind::InvalidPercentEncoding => return mend_escapes(record, offset, end),
        ErrorKind::InvalidUtf8 => return Some(encode_invalid(record, end)),
        ErrorKind::Space
        | ErrorKind::NonAscii
        | ErrorKind::BracketOutsideHost
        | ErrorKind::SecondFragment => {}
        // In a grammar without fragments, a `#` probably starts a fragment, so it is not mended.
        ErrorKind::InvalidCharacter if record.get(offset) != Some(&b'#') => {}
        ErrorKind::ControlCharacter if !record.get(offset)?.is_ascii_whitespace() => {}
        _ => return None,
    }
    if record.get(offset).is_some_and(u8::is_ascii) || rules.grammar().allows_beyond_ascii() {
        let char = char_at(record, offset);
        let (start, char) = (char.start, &record[char]);
        return Some(encode(record, start..end, |rest| if rest.starts_with(char) { char.len() } else { 0 }));
    }
    Some(encode(record, offset..end, |rest| usize::from(!rest[0].is_ascii())))
}

/// Returns the record with its host in Punycode. `offset` is a byte of the host.
#[cfg(feature = "surt")]
fn mend_host(record: &[u8], offset: usize) -> Option<Vec<u8>> {
    let before = record[..offset].iter().rposition(|byte| b"/@".contains(byte));
    let (start, end) = (before? + 1, end_before(record, offset, b":/?#"));
    let host = idna::agreed_ascii(&record[start..end])?;
    Some([&record[..start], &host, &record[end..]].concat())
}

/// Returns the end of this component, in which `offset` lies. An opaque URI has no component before its
/// fragment. A host ends with its authority.
pub(crate) fn component_end(record: &[u8], offset: usize, component: Option<Component>) -> usize {
    match component {
        None | Some(Component::Query) => end_before(record, offset, b"#"),
        Some(Component::Fragment) => record.len(),
        Some(Component::Userinfo) => end_before(record, offset, b"@/?#"),
        Some(Component::Path) => end_before(record, offset, b"?#"),
        _ => end_before(record, offset, b"/?#"),
    }
}

/// Returns the first position of one of these bytes, from `start` on, or the end of the record.
fn end_before(record: &[u8], start: usize, delimiters: &[u8]) -> usize {
    let found = record[start..].iter().position(|byte| delimiters.contains(byte));
    found.map_or(record.len(), |at| start + at)
}

/// Writes bytes in this range as `%HH`. `wrong_bytes` gets the rest of the range and returns how many bytes
/// at its start are wrong.
fn encode(record: &[u8], range: Range<usize>, wrong_bytes: impl Fn(&[u8]) -> usize) -> Vec<u8> {
    let mut encoded = record[..range.start].to_vec();
    let mut at = range.start;
    while at < range.end {
        let wrong = wrong_bytes(&record[at..range.end]);
        record[at..at + wrong].iter().for_each(|&byte| push_encoded(&mut encoded, byte));
        if wrong == 0 {
            encoded.push(record[at]);
        }
        at += wrong.max(1);
    }
    encoded.extend_from_slice(&record[range.end..]);
    encoded
}

fn push_encoded(to: &mut Vec<u8>, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    to.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xF)]]);
}

/// Returns true if these bytes start with an escape.
pub(crate) fn starts_with_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'%', one, two, ..] if one.is_ascii_hexdigit() && two.is_ascii_hexdigit())
}

/// Mends each `%` before `end` that starts no escape, from the last one before `offset` on. `%uHHHH` is the
/// character with this number; any other `%` stands for itself. Returns None if a number is half of a
/// character and the other half is missing.
fn mend_escapes(record: &[u8], offset: usize, end: usize) -> Option<Vec<u8>> {
    let start = record[..offset].iter().rposition(|&byte| byte == b'%')?;
    let mut mended = record[..start].to_vec();
    let mut rest = &record[start..end];
    while let Some((&byte, others)) = rest.split_first() {
        if byte != b'%' || starts_with_escape(rest) {
            mended.push(byte);
            rest = others;
        } else if let Some((first, after)) = utf16_escape(rest) {
            let second = utf16_escape(after);
            let units = [first, second.map_or(0, |(unit, _)| unit)];
            let char = char::decode_utf16(units).next()?.ok()?;
            char.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_encoded(&mut mended, byte));
            rest = second.filter(|_| char.len_utf16() == 2).map_or(after, |(_, after)| after);
        } else {
            push_encoded(&mut mended, byte);
            rest = others;
        }
    }
    mended.extend_from_slice(&record[end..]);
    Some(mended)
}

/// Returns the number of a `%uHHHH` at the start of these bytes, and the bytes after it.
fn utf16_escape(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let (digits, rest) = bytes.strip_prefix(b"%u")?.split_first_chunk::<4>()?;
    let digits =
        str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((u16::from_str_radix(digits, 16).ok()?, rest))
}

/// Writes a `\` that ends a host, or comes before an authority, as `/`. Returns None if this might cut off an
/// authority before its `@`, or if the `\` comes before an escape, which might belong to the host.
fn mend_separator(record: &[u8], offset: usize, is_in_path: bool) -> Option<Vec<u8>> {
    let segment = &record[offset..end_before(record, offset, b"/?#")];
    if !is_in_path && segment.contains(&b'@') || starts_with_escape(&record[offset + 1..]) {
        return None;
    }
    let mut mended = record.to_vec();
    mended[offset] = b'/';
    Some(mended)
}

/// Removes each `\` in this range that comes before an escape, and writes the others as `/` or as `%5C`.
fn mend_backslashes(record: &[u8], range: Range<usize>, are_slashes: bool) -> Vec<u8> {
    let mut mended = record[..range.start].to_vec();
    for at in range.clone() {
        match record[at] {
            b'\\' if starts_with_escape(&record[at + 1..]) => {}
            b'\\' if are_slashes => mended.push(b'/'),
            b'\\' => push_encoded(&mut mended, b'\\'),
            byte => mended.push(byte),
        }
    }
    mended.extend_from_slice(&record[range.end..]);
    mended
}

/// Returns true if a `/` after this start of a record may be one of the two before an authority.
fn may_start_authority(rules: Rules, start: &[u8]) -> bool {
    let before_slash = start.strip_suffix(b"/").unwrap_or(start);
    rules.grammar().facts().authority
        && !before_slash.contains(&b'/')
        && matches!(before_slash, [] | [.., b':'])
}

/// Returns true if browsers read a `\` in the record as a `/`.
fn is_special(record: &[u8]) -> bool {
    let end = record.iter().position(|byte| b":/?#\\".contains(byte));
    match end.map(|end| (&record[..end], record[end])) {
        Some((scheme, b':')) => SPECIAL.iter().any(|special| scheme.eq_ignore_ascii_case(special)),
        _ => true,
    }
}

/// Writes each byte before `end`, a delimiter or the record's end, that is not part of well-formed UTF-8 as
/// `%HH`.
fn encode_invalid(record: &[u8], end: usize) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(record.len());
    for chunk in record[..end].utf8_chunks() {
        encoded.extend_from_slice(chunk.valid().as_bytes());
        chunk.invalid().iter().for_each(|&byte| push_encoded(&mut encoded, byte));
    }
    encoded.extend_from_slice(&record[end..]);
    encoded
}

/// Returns the range of the whole character to which the byte at `offset` belongs, or of the byte.
pub(crate) fn char_at(record: &[u8], offset: usize) -> Range<usize> {
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
            ("http://a/%zz%20%u", "http://a/%25zz%20%25u"),
            ("http://a/%u2019%uD83D%uDE00?%u0041%uabcd", "http://a/%E2%80%99%F0%9F%98%80?%41%EA%AF%8D"),
            ("http://a/%u201%u+123", "http://a/%25u201%25u+123"),
            (r"http://a/\%C3\%B6\b?\%C3\b#\%41", "http://a/%C3%B6/b?%C3%5Cb#%41"),
            (r"http:\\a\b\%41", "http://a/b%41"),
            (r"urn:a\%41\b", "urn:a%41%5Cb"),
            ("http://a/é\\é?\\%zz", "http://a/%C3%A9/%C3%A9?%5C%25zz"),
            (r"http://a/\%zz", "http://a//%25zz"),
            (r"http://a/?b:\c", "http://a/?b:%5Cc"),
            ("\u{A0}http://a/\u{3000}", "http://a/"),
            ("\u{FEFF}http://a/\u{200B}\u{B}\u{200E} ", "http://a/"),
            ("\u{A0}http://a/\u{A0}b\u{200B}c\u{A0}", "http://a/%C2%A0b%E2%80%8Bc"),
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
        // Brackets stay if the grammar allows them.
        for grammar in [Grammar::Java, Grammar::Rfc2396] {
            suggests(grammar, "http://a/a[1].jpg?x[]=1#[", Some("http://a/a%5B1%5D.jpg?x[]=1#["));
        }
        suggests(
            Grammar::Iri,
            "http://a/\u{E000}\u{E001}\u{E000}?\u{E000}",
            Some("http://a/%EE%80%80%EE%80%81%EE%80%80?\u{E000}"),
        );
        suggests(Grammar::UriReference, r"\a\b c", Some("/a/b%20c"));
        suggests(Grammar::UriReference, r"\\a\b", Some("//a/b"));
        suggests(Grammar::RequestTarget, r"/\%41", Some("/%41"));
        suggests(Grammar::RequestTarget, "/a b?{}", Some("/a%20b?%7B%7D"));
        // As many different characters as possible.
        let many: alloc::string::String = ('\u{4E00}'..'\u{5000}').collect();
        assert!(Validator::new(Grammar::Uri).suggest(alloc::format!("http://a/{many}").as_bytes()).is_some());
        let all: alloc::string::String = (0..=0x7Fu8)
            .map(char::from)
            .filter(|c| !c.is_ascii_whitespace() && !"?#\\".contains(*c))
            .collect();
        assert!(
            Validator::new(Grammar::Uri)
                .suggest(alloc::format!("http://a/{all}?{all}#{all}").as_bytes())
                .is_some()
        );
        let broken = b"http://a/\xE2\x82/\xFF\xC3\xA9";
        let mended = "http://a/%E2%82/%FFé";
        assert_eq!(Validator::new(Grammar::Iri).suggest(broken).as_deref(), Some(mended.as_bytes()));
    }

    #[cfg(feature = "surt")]
    #[test]
    fn hosts_beyond_ascii_are_written_in_punycode() {
        for (record, mended) in [
            ("http://é/", Some("http://xn--9ca/")),
            ("//u@É.b.:1/é", Some("//u@xn--9ca.b.:1/%C3%A9")),
            ("//é#ß", Some("//xn--9ca#%C3%9F")),
            // Browsers write these in another way, or refuse them.
            ("//ß", None),
            ("//ς", None),
            ("//a\u{200D}é", None),
            ("//a\u{FF0F}b", None),
            ("//é%41", None),
            ("//é..a", None),
        ] {
            suggests(Grammar::UriReference, record, mended);
        }
    }

    #[test]
    fn what_has_several_or_none_is_not() {
        for record in [
            "http://a/",
            "",
            "www.a.com/x",
            "1http://a/",
            "http://a b/",
            "http://ß/",
            "http://[x/",
            "http://a:b/",
            "http://a/b\tc",
            "http://a/b\nc",
            "http://u@v@h/",
            r"http://a\@b/",
            r"C:\a",
            r"http://a\%41",
            r"http:\%41",
            r"http:/\%41",
            "http://a/%uD83D",
            "http://a/%uD83Dx%uDE00",
            "http://a/%uDE00%uD83D",
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

    /// Tests that a suggestion is valid for any error, and that a valid record gets none.
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
