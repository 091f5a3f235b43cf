//! The right edge of a URI in running prose. No delimiter marks it there, so custom decides.

use crate::corpus::format::lines::unescape::{APOSTROPHES, Escapes};
use crate::work::looked_at;

/// The references that end a URI.
const ENDS: [&[u8]; 8] = [b"&quot;", b"&lt;", b"&gt;", b"&nbsp;", b"&#34;", b"&#60;", b"&#62;", b"&#x22;"];

/// Returns the end of a URI, and its escapes. Its scheme, with the slashes, ends at `start`. If nothing follows the scheme, the end is `start`.
pub(in crate::corpus::format::kinds) fn end(text: &[u8], start: usize, is_markup: bool) -> (usize, Escapes) {
    let (mut at, mut end) = (start, start);
    let (mut round, mut square, mut curly) = (0_usize, 0_usize, 0_usize);
    while let Some(&byte) = text.get(at) {
        let (opened, is_open) = match byte {
            b'(' => (&mut round, true),
            b')' => (&mut round, false),
            b'[' => (&mut square, true),
            b']' => (&mut square, false),
            b'{' => (&mut curly, true),
            b'}' => (&mut curly, false),
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' | b'`' | b'|' | b'\\' => break,
            b'.' | b',' | b':' | b';' | b'!' | b'?' | b'*' | b'\'' => {
                at += 1;
                continue;
            }
            b'&' if is_markup && ENDS.iter().any(|entity| starts_with_ignoring_case(&text[at..], entity)) => {
                break;
            }
            b'&' if is_markup => {
                // An apostrophe does not belong to the URI's end, like the `'` above.
                let is_apostrophe = APOSTROPHES.iter().any(|entity| text[at..].starts_with(entity));
                at += Escapes::Markup.step_len(&text[at..]);
                if !is_apostrophe {
                    end = at;
                }
                continue;
            }
            0x80.. => match char_len(&text[at..]) {
                Some(len) => {
                    at += len;
                    end = at;
                    continue;
                }
                None => break,
            },
            _ => {
                at += 1;
                end = at;
                continue;
            }
        };
        if is_open {
            *opened += 1;
        } else if *opened == 0 {
            break;
        } else {
            *opened -= 1;
            end = at + 1;
        }
        at += 1;
    }
    looked_at(at + 1 - start);
    (end, if is_markup { Escapes::of_markup(&text[start..end]) } else { Escapes::None })
}

pub(super) fn starts_with_ignoring_case(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// Returns the length in bytes of the first character of a text, or `None` if the character ends a URI. A byte that starts no character counts as
/// one.
fn char_len(text: &[u8]) -> Option<usize> {
    let len = match text[0] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        // No character of four bytes ends a URI, so their bytes are passed one by one.
        _ => return Some(1),
    };
    let Some(bytes) = text.get(..len) else { return Some(1) };
    // A copy, since the bytes of a mapped file can change between two reads.
    let mut copy = [0; 3];
    copy[..len].copy_from_slice(bytes);
    let Some(char) = str::from_utf8(&copy[..len]).ok().and_then(|text| text.chars().next()) else {
        return Some(1);
    };
    let ends = char.is_whitespace()
        || char.is_control()
        || matches!(char, '\u{AB}' | '\u{BB}' | '\u{2000}'..='\u{206F}' | '\u{3000}'..='\u{303F}' | '\u{FE10}'..='\u{FE6F}' | '\u{FEFF}')
        || matches!(char, '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}');
    (!ends).then_some(len)
}
