//! The characters of names (section 2.3 of XML 1.0).

use crate::work::looked_at;

/// Returns the first byte of a name that cannot stand there. The ASCII characters of the name after the first
/// one are known to be characters of names. Unless `is_utf8`, characters beyond ASCII are not judged.
#[inline]
pub(super) fn first_bad(name: &[u8], is_utf8: bool) -> Option<usize> {
    let Some(&first) = name.first() else { return Some(0) };
    if first.is_ascii() && !(first.is_ascii_alphabetic() || first == b'_' || first == b':') {
        return Some(0);
    }
    if name.is_ascii() || !is_utf8 { None } else { first_bad_char(name) }
}

#[cold]
fn first_bad_char(name: &[u8]) -> Option<usize> {
    looked_at(name.len());
    // Bytes that are not UTF-8 are reported as such.
    let text = str::from_utf8(name).ok()?;
    let mut chars = text.char_indices();
    chars
        .find(|&(at, char)| !(char.is_ascii() || is_start(char) || at > 0 && is_later(char)))
        .map(|(at, _)| at)
}

/// Returns true if a name can start with this character, which is beyond ASCII.
fn is_start(char: char) -> bool {
    matches!(
        char,
        '\u{C0}'..='\u{D6}'
            | '\u{D8}'..='\u{F6}'
            | '\u{F8}'..='\u{2FF}'
            | '\u{370}'..='\u{37D}'
            | '\u{37F}'..='\u{1FFF}'
            | '\u{200C}'..='\u{200D}'
            | '\u{2070}'..='\u{218F}'
            | '\u{2C00}'..='\u{2FEF}'
            | '\u{3001}'..='\u{D7FF}'
            | '\u{F900}'..='\u{FDCF}'
            | '\u{FDF0}'..='\u{FFFD}'
            | '\u{10000}'..='\u{EFFFF}'
    )
}

/// Returns true if a name can have this character beyond ASCII after its first character, but not as the
/// first.
fn is_later(char: char) -> bool {
    matches!(char, '\u{B7}' | '\u{300}'..='\u{36F}' | '\u{203F}'..='\u{2040}')
}

/// Returns true if the byte can be in a name.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b":_-.".contains(&byte) || !byte.is_ascii()
}

/// Returns true if the byte is white space.
#[inline]
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
