//! Makes texts of pages in charsets in which ASCII bytes do not stand for ASCII characters.

use crate::corpus::format::kinds::html::charset;
use crate::corpus::mark::mark_len;
use crate::work::{looked_at, memchr};

/// Makes a text piece by piece, in which ASCII bytes stand for ASCII characters.
#[derive(Clone, Debug)]
pub(super) enum Transcoder {
    Utf16 {
        is_little: bool,
    },
    /// ISO-2022-JP. Each byte of another set than ASCII and JIS X 0201's Latin letters is replaced by a byte
    /// that no tag has. URLs with such characters are not URIs.
    Iso2022Jp {
        is_ascii: bool,
    },
}

/// The first byte of the sequences of ISO-2022-JP that switch the character set.
const ESCAPE: u8 = 0x1B;

impl Transcoder {
    /// Returns the transcoder for a page, if its charset has ASCII bytes that do not stand for ASCII
    /// characters: UTF-16, or, as the only other one of the Encoding Standard, ISO-2022-JP. The charset is
    /// that of a byte order mark, otherwise that of the media type, otherwise the one that the page names.
    pub(super) fn of(content: &[u8], charset: Option<&[u8]>) -> Option<Self> {
        let utf_16 = utf_16(content, charset);
        if utf_16.is_some() || memchr(ESCAPE, content).is_none() {
            return utf_16;
        }
        let is_it = |charset: &[u8]| {
            [&b"iso-2022-jp"[..], b"csiso2022jp"].iter().any(|name| charset.eq_ignore_ascii_case(name))
        };
        let is_japanese = match charset {
            _ if mark_len(content) > 0 => false,
            Some(charset) => is_it(charset),
            None => charset::named(content).is_some_and(is_it),
        };
        is_japanese.then_some(Transcoder::Iso2022Jp { is_ascii: true })
    }

    /// Returns the text of content.
    pub(super) fn whole_text(mut self, content: &[u8]) -> Vec<u8> {
        let mut text = Vec::with_capacity(content.len());
        self.push(content, true, &mut text);
        text
    }

    /// Appends the text of the next bytes, and returns the number of bytes that are done. The others must
    /// come again, with more bytes. If `is_last`, the content ends with these bytes, and all are done.
    pub(super) fn push(&mut self, content: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize {
        looked_at(content.len());
        match self {
            Transcoder::Utf16 { is_little } => push_utf_16(*is_little, content, is_last, text),
            Transcoder::Iso2022Jp { is_ascii } => push_iso_2022_jp(is_ascii, content, is_last, text),
        }
    }
}

/// A byte order mark or, without one, the charset decides whether a page is in UTF-16.
fn utf_16(content: &[u8], charset: Option<&[u8]>) -> Option<Transcoder> {
    let is = |name: &[u8]| charset.is_some_and(|charset| charset.eq_ignore_ascii_case(name));
    let is_little = match content {
        [0xFF, 0xFE, ..] => true,
        [0xFE, 0xFF, ..] => false,
        [0xEF, 0xBB, 0xBF, ..] => return None,
        // In the Encoding Standard, `utf-16` is little-endian.
        _ if is(b"utf-16") || is(b"utf-16le") => true,
        _ if is(b"utf-16be") => false,
        _ => return None,
    };
    Some(Transcoder::Utf16 { is_little })
}

fn push_utf_16(is_little: bool, content: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize {
    let unit = |pair: &[u8; 2]| if is_little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
    let (mut pairs, _) = content.as_chunks::<2>();
    if let (false, [others @ .., last]) = (is_last, pairs)
        && (0xD800..0xDC00).contains(&unit(last))
    {
        // The other half of the character follows.
        pairs = others;
    }
    for char in char::decode_utf16(pairs.iter().map(unit)) {
        let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
        text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }
    if is_last { content.len() } else { 2 * pairs.len() }
}

fn push_iso_2022_jp(is_ascii: &mut bool, content: &[u8], is_last: bool, text: &mut Vec<u8>) -> usize {
    let mut at = 0;
    while at < content.len() {
        let (len, ascii_after) = match content[at..] {
            [ESCAPE, b'(', b'B' | b'J', ..] => (3, true),
            [ESCAPE, b'(', b'I', ..] | [ESCAPE, b'$', b'@' | b'B', ..] => (3, false),
            [ESCAPE] | [ESCAPE, _] if !is_last => break,
            // A line end is a line end in each set.
            [byte, ..] => {
                text.push(if *is_ascii || byte == b'\n' { byte } else { 0xFF });
                at += 1;
                continue;
            }
            [] => break,
        };
        text.extend_from_slice(&content[at..at + len]);
        (at, *is_ascii) = (at + len, ascii_after);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_two_bytes_are_no_tags() {
        let page = b"<p>\x1B$B<a href=\x1B(B<a href=b>\x1B(J<a href=c>\x1B(I<a>\n\x1B(B<d>\x1B";
        let text = Transcoder::Iso2022Jp { is_ascii: true }.whole_text(page);
        let expected = b"<p>\x1B$B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x1B(B<a href=b>\x1B(J<a href=c>\x1B(I\xFF\xFF\xFF\n\x1B(B<d>\x1B";
        assert_eq!(text.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }

    #[test]
    fn the_charset_is_that_of_the_mark_or_the_media_type_or_the_page() {
        let japanese = b"<meta charset='iso-2022-jp'>\x1B$B<a>";
        let decoded = |content: &[u8], charset| Some(Transcoder::of(content, charset)?.whole_text(content));
        assert!(decoded(japanese, None).is_some());
        assert!(decoded(japanese, Some(b"utf-8")).is_none());
        assert!(decoded(b"\x1B$B<a>", Some(b"ISO-2022-JP")).is_some());
        assert!(decoded(b"\xEF\xBB\xBF\x1B$B<a>", Some(b"ISO-2022-JP")).is_none());
        assert!(decoded(b"<meta charset=iso-2022-jp><a>", None).is_none());
        assert!(decoded(b"<\0a\0", Some(b"utf-16")).is_some_and(|text| text == b"<a"));
        assert!(decoded(b"\xFE\xFF\0a", Some(b"utf-8")).is_some_and(|text| text == "\u{FEFF}a".as_bytes()));
    }
}
