//! Normal forms by the text of RFC 3987, as an oracle that shares no code with the library.

use super::rfc3986::is_unreserved;

/// Normalises a component by section 5.3.2: the escapes of well-formed UTF-8 become characters if they are
/// `iunreserved`. `lower` is set for a host, which ignores the case of ASCII.
pub(super) fn normal_text(text: &str, lower: bool) -> String {
    let mut normal = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let escaped: Vec<u8> = rest
            .as_bytes()
            .chunks(3)
            .take_while(|escape| escape[0] == b'%')
            .map(|escape| u8::from_str_radix(str::from_utf8(&escape[1..]).unwrap(), 16).unwrap())
            .collect();
        if escaped.is_empty() {
            let end = rest.find('%').unwrap_or(rest.len());
            push(&rest[..end], lower, &mut normal);
            rest = &rest[end..];
        } else {
            push_decoded(&escaped, lower, &mut normal);
            rest = &rest[3 * escaped.len()..];
        }
    }
    normal
}

fn push(text: &str, lower: bool, to: &mut String) {
    *to += &if lower { text.to_ascii_lowercase() } else { text.to_owned() };
}

fn push_decoded(bytes: &[u8], lower: bool, to: &mut String) {
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            let text = char.to_string();
            if is_unreserved(char) || is_ucschar(char) {
                push(&text, lower, to);
            } else {
                text.bytes().for_each(|byte| *to += &format!("%{byte:02X}"));
            }
        }
        chunk.invalid().iter().for_each(|byte| *to += &format!("%{byte:02X}"));
    }
}

/// Section 2.2, `ucschar`.
fn is_ucschar(char: char) -> bool {
    match u32::from(char) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        value @ 0x1_0000..=0xE_FFFD => value & 0xFFFF <= 0xFFFD && !(0xE_0000..0xE_1000).contains(&value),
        _ => false,
    }
}
