//! The right edge of a URI in running prose. No delimiter marks it there, so custom decides.
//!
//! White space, `<`, `>`, `"` and control characters surely end a URI. Other bytes that no URI can have,
//! closing brackets and typographic marks end it if the text before the URI opened them, or if no letter or
//! digit follows up to the sure end. Otherwise the word is the record, and is broken.

use super::openers::{Openers, first_char};
use crate::corpus::format::lines::unescape::{APOSTROPHES, Escapes};
use crate::work::{looked_at, memchr, memchr2, memrchr};

/// The references that end a URI.
const ENDS: [&[u8]; 8] = [b"&quot;", b"&lt;", b"&gt;", b"&nbsp;", b"&#34;", b"&#60;", b"&#62;", b"&#x22;"];

/// The macros of AsciiDoc whose targets are URIs.
const MACROS: [&[u8]; 5] = [b"link:", b"image:", b"image::", b"video::", b"audio::"];

/// Returns the end of a URI in a text, and its escapes. Its scheme starts at `start`, and ends, with the
/// slashes, at `rest`. If nothing follows the scheme, the end is `rest`. `has_macros` is true in AsciiDoc,
/// where brackets right after a URI have its text.
pub(super) fn word_end(
    text: &[u8],
    start: usize,
    rest: usize,
    is_markup: bool,
    has_macros: bool,
) -> (usize, Escapes) {
    let mut openers = None;
    let end = walk(text, rest, is_markup, |at| match text[at] {
        b'[' => {
            let is_target = has_macros || MACROS.iter().any(|name| text[..start].ends_with(name));
            at > rest && opens_macro(&text[rest..], at - rest, is_target)
        }
        _ => openers.get_or_insert_with(|| Openers::before(text, start)).close(&text[at..]),
    });
    let end = without_line_ends(text, rest, end);
    (end, if is_markup { Escapes::of_markup(&text[rest..end]) } else { Escapes::None })
}

/// Returns the end of a URI. `ends` decides, at a byte that may end the URI, whether the byte does.
#[inline]
fn walk(text: &[u8], start: usize, is_markup: bool, mut ends: impl FnMut(usize) -> bool) -> usize {
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
            0..=b' ' | 0x7F | b'<' | b'>' | b'"' => break,
            b'.' | b',' | b':' | b';' | b'!' | b'?' | b'*' | b'\'' => {
                at += 1;
                continue;
            }
            b'`' | b'|' | b'\\' => {
                if ends(at) {
                    break;
                }
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
            0x80.. => {
                let (len, mark) = char_at(&text[at..]);
                match mark {
                    Mark::Letter => end = at + len,
                    Mark::Typographic if !ends(at) => {}
                    Mark::Typographic | Mark::End => break,
                }
                at += len;
                continue;
            }
            _ => {
                at += 1;
                end = at;
                continue;
            }
        };
        if is_open {
            if byte == b'[' && *opened == 0 && ends(at) {
                // All bytes before the text of the URI belong to the URI.
                end = at;
                break;
            }
            *opened += 1;
        } else if *opened > 0 {
            *opened -= 1;
            end = at + 1;
        } else if ends(at) {
            break;
        }
        at += 1;
    }
    looked_at(at + 1 - start);
    end
}

/// Returns true if a bracket at `at` encloses the text of a URI that ends there, as in AsciiDoc:
/// `https://a.example[the text]`. In other texts than AsciiDoc, the brackets end the word, do not follow the
/// name of a parameter, and have no number and no bracket: `https://a.example/b[1]` is a broken URI.
fn opens_macro(text: &[u8], at: usize, has_macros: bool) -> bool {
    /// The longest text, in bytes.
    const LONGEST: usize = 256;

    let inner = &text[at + 1..text.len().min(at + 1 + LONGEST)];
    let Some(len) = memchr2(b']', b'\n', inner).filter(|&len| inner[len] == b']') else { return false };
    // An IP address can follow a userinfo.
    if text[..at].ends_with(b"@") && memchr(b'/', &text[..at]).is_none() {
        return false;
    }
    let after = &text[at + len + 2..];
    let is_letter = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    let goes_on = match after.first() {
        Some(b'.' | b',' | b':' | b';' | b'!' | b'*') => is_letter(after.get(1)),
        byte => is_letter(byte) || byte.is_some_and(|byte| b"[(=/&?%#@_~+$-".contains(byte)),
    };
    let inner = &inner[..len];
    let is_number = len > 0 && inner.iter().all(u8::is_ascii_digit);
    let is_text = !is_number && !goes_on && memchr(b'[', inner).is_none();
    has_macros || is_text && (memchr(b' ', inner).is_some() || !ends_in_name(&text[..at]))
}

/// Returns true if a URI ends with the name of a parameter in its query.
fn ends_in_name(uri: &[u8]) -> bool {
    let Some(mark) = memchr(b'?', uri) else { return false };
    let query = &uri[mark + 1..];
    let parameter = &query[memrchr(b'&', query).map_or(0, |at| at + 1)..];
    looked_at(parameter.len());
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-".contains(byte);
    !parameter.is_empty() && parameter.iter().all(is_letter)
}

/// Returns the end of a URI without the escapes of line ends and tabs before a quote:
/// `'see https://a.example/\n'`.
fn without_line_ends(text: &[u8], start: usize, end: usize) -> usize {
    let Some(b'\'' | b'`' | b'"') = text.get(end) else { return end };
    let mut uri = &text[start..end];
    while let [before @ .., b'\\', b'n' | b'r' | b't'] = uri {
        uri = before;
    }
    if uri.len() < end - start {
        while let [before @ .., b'.' | b',' | b':' | b';' | b'!' | b'?'] = uri {
            uri = before;
        }
    }
    looked_at(end - start - uri.len());
    start + uri.len()
}

pub(super) fn starts_with_ignoring_case(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// The role of a character beyond ASCII after the start of a URI.
enum Mark {
    /// It belongs to the URI.
    Letter,
    /// It is a quote, a dash or another mark of typography, which stands around a URI or, by mistake, in it.
    Typographic,
    /// It ends the URI.
    End,
}

/// Returns the length in bytes of the first character of a text, and its role. A byte that starts no
/// character counts as one.
fn char_at(text: &[u8]) -> (usize, Mark) {
    // No character of four bytes ends a URI, so their bytes are passed one by one.
    let Some(char) = first_char(text) else { return (1, Mark::Letter) };
    let mark = if char.is_whitespace()
        || char.is_control()
        || matches!(char, '\u{3000}'..='\u{303F}' | '\u{FE10}'..='\u{FE6F}')
        || matches!(char, '\u{FF01}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}' | '\u{FF3B}'..='\u{FF40}' | '\u{FF5B}'..='\u{FF65}')
    {
        Mark::End
    } else if matches!(char, '\u{AB}' | '\u{BB}' | '\u{2000}'..='\u{206F}' | '\u{FEFF}') {
        Mark::Typographic
    } else {
        Mark::Letter
    };
    (char.len_utf8(), mark)
}
