//! Decodes the bodies of HTTP responses: chunks, content codings, and the charsets in which ASCII bytes do not stand for ASCII characters.

use std::borrow::Cow;
#[cfg(any(feature = "gzip", feature = "brotli", feature = "zstd"))]
use std::io::Read;

use super::http::{Head, without_chunks};
use crate::corpus::format::kinds::html::charset;
use crate::corpus::mark::mark_len;
use crate::work::{looked_at, memchr};

/// The content of a body.
pub(super) struct Content<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) decoded: Decoded,
}

/// The part of a body that decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Decoded {
    All,
    /// No byte decodes: perhaps the body is not encoded as its head says.
    Nothing,
    /// Only the beginning decodes.
    Part,
}

/// The error of content that is longer than a record may be.
pub(super) struct TooLong;

/// Undoes the codings that `head` names. An archive can decode a body and keep its head: then the body is the content.
pub(super) fn content<'a>(head: &Head<'_>, body: &'a [u8], longest: usize) -> Result<Content<'a>, TooLong> {
    let (bytes, is_whole) =
        if head.is_chunked() { without_chunks(body) } else { (Cow::Borrowed(body), true) };
    let mut content = Content { bytes, decoded: if is_whole { Decoded::All } else { Decoded::Part } };
    if head.has_too_many_codings() {
        content.decoded = Decoded::Nothing;
        return Ok(content);
    }
    for coding in head.codings() {
        let mut text = Vec::new();
        let is_whole = decode(coding, &content.bytes, longest, &mut text);
        looked_at(content.bytes.len() + text.len());
        if text.len() > longest {
            return Err(TooLong);
        }
        let decoded = match is_whole {
            true => Decoded::All,
            false if text.is_empty() => Decoded::Nothing,
            false => Decoded::Part,
        };
        content.decoded = content.decoded.max(decoded);
        if decoded != Decoded::Nothing {
            content.bytes = Cow::Owned(text);
        }
    }
    Ok(content)
}

/// Returns the length of an encoded block in bytes. Its content can be up to a thousand times as long. 0 for a block without a coding, the maximum
/// for codings without a limit.
pub(super) fn encoded_len(block: &[u8]) -> usize {
    match Head::read(block).codings().next() {
        None => 0,
        // Brotli and zstd content can be longer by any factor.
        Some(coding) if !coding.ends_with(b"gzip") && !coding.eq_ignore_ascii_case(b"deflate") => usize::MAX,
        Some(_) => block.len(),
    }
}

/// Appends the text of `bytes` in this coding, at most `longest` + 1 bytes, and returns whether this is the whole text. If the feature of a coding
/// is off, the coding decodes nothing.
fn decode(coding: &[u8], bytes: &[u8], longest: usize, to: &mut Vec<u8>) -> bool {
    match &*coding.to_ascii_lowercase() {
        #[cfg(feature = "gzip")]
        b"gzip" | b"x-gzip" => read(flate2::read::MultiGzDecoder::new(bytes), longest, to),
        #[cfg(feature = "gzip")]
        b"deflate" => {
            let is_whole = read(flate2::read::ZlibDecoder::new(bytes), longest, to);
            // Some servers omit the zlib format around it (RFC 9110 section 8.4.1.2).
            let is_raw = !is_whole && to.is_empty();
            let is_whole = is_whole || is_raw && read(flate2::read::DeflateDecoder::new(bytes), longest, to);
            if is_raw && !is_whole {
                // Nearly any bytes can be the start of a raw deflated text.
                to.clear();
            }
            is_whole
        }
        #[cfg(feature = "brotli")]
        b"br" => read(brotli_decompressor::Decompressor::new(bytes, 4096), longest, to),
        #[cfg(feature = "zstd")]
        b"zstd" => zstd::stream::read::Decoder::new(bytes).is_ok_and(|decoder| read(decoder, longest, to)),
        _ => {
            let _ = (bytes, longest, to);
            false
        }
    }
}

#[cfg(any(feature = "gzip", feature = "brotli", feature = "zstd"))]
fn read(decoder: impl Read, longest: usize, to: &mut Vec<u8>) -> bool {
    decoder.take((longest as u64).saturating_add(1)).read_to_end(to).is_ok()
}

/// Returns the text of a page whose charset has ASCII bytes that do not stand for ASCII characters: UTF-16, or, as the only other one of the Encoding
/// Standard, ISO-2022-JP. The charset is that of a byte order mark, otherwise that of the media type, otherwise the one that the page names.
pub(super) fn decoded(content: &[u8], charset: Option<&[u8]>) -> Option<Vec<u8>> {
    let text = utf_16(content, charset);
    if text.is_some() || memchr(ESCAPE, content).is_none() {
        return text;
    }
    let is_it = |charset: &[u8]| {
        [&b"iso-2022-jp"[..], b"csiso2022jp"].iter().any(|name| charset.eq_ignore_ascii_case(name))
    };
    let is_japanese = match charset {
        _ if mark_len(content) > 0 => false,
        Some(charset) => is_it(charset),
        None => charset::named(content).is_some_and(is_it),
    };
    is_japanese.then(|| without_two_byte_characters(content))
}

/// The first byte of the sequences of ISO-2022-JP that switch the character set.
const ESCAPE: u8 = 0x1B;

/// Returns a page in ISO-2022-JP, in which each byte of another set than ASCII and JIS X 0201's Latin letters is replaced by a byte that no tag has.
/// URLs with such characters are not URIs.
fn without_two_byte_characters(content: &[u8]) -> Vec<u8> {
    let mut text = content.to_vec();
    let mut is_ascii = true;
    let mut at = 0;
    while at < text.len() {
        match content[at..] {
            [ESCAPE, b'(', b'B' | b'J', ..] => (is_ascii, at) = (true, at + 3),
            [ESCAPE, b'(', b'I', ..] | [ESCAPE, b'$', b'@' | b'B', ..] => (is_ascii, at) = (false, at + 3),
            // A line end is a line end in each set.
            [byte, ..] => {
                if !is_ascii && byte != b'\n' {
                    text[at] = 0xFF;
                }
                at += 1;
            }
            [] => break,
        }
    }
    looked_at(content.len());
    text
}

/// Returns the text of a page in UTF-16. A byte order mark or, without one, the charset decides.
fn utf_16(content: &[u8], charset: Option<&[u8]>) -> Option<Vec<u8>> {
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
    looked_at(content.len());
    let (pairs, _) = content.as_chunks::<2>();
    let units =
        pairs.iter().map(|&pair| if is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) });
    let chars = char::decode_utf16(units).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER));
    Some(chars.collect::<String>().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_two_bytes_are_no_tags() {
        let page = b"<p>\x1B$B<a href=\x1B(B<a href=b>\x1B(J<a href=c>\x1B(I<a>\n\x1B(B<d>\x1B";
        let text = without_two_byte_characters(page);
        let expected = b"<p>\x1B$B\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x1B(B<a href=b>\x1B(J<a href=c>\x1B(I\xFF\xFF\xFF\n\x1B(B<d>\x1B";
        assert_eq!(text.escape_ascii().to_string(), expected.escape_ascii().to_string());
    }

    #[test]
    fn the_charset_is_that_of_the_mark_or_the_media_type_or_the_page() {
        let japanese = b"<meta charset='iso-2022-jp'>\x1B$B<a>";
        assert!(decoded(japanese, None).is_some());
        assert!(decoded(japanese, Some(b"utf-8")).is_none());
        assert!(decoded(b"\x1B$B<a>", Some(b"ISO-2022-JP")).is_some());
        assert!(decoded(b"\xEF\xBB\xBF\x1B$B<a>", Some(b"ISO-2022-JP")).is_none());
        assert!(decoded(b"<meta charset=iso-2022-jp><a>", None).is_none());
        assert!(decoded(b"<\0a\0", Some(b"utf-16")).is_some_and(|text| text == b"<a"));
        assert!(decoded(b"\xFE\xFF\0a", Some(b"utf-8")).is_some_and(|text| text == "\u{FEFF}a".as_bytes()));
    }
}
