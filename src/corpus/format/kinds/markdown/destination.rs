//! The place of a destination in its link or definition (CommonMark sections 4.7 and 6.3).
//!
//! The parser gives the place of a link and the text of its destination, but not the destination's place.

use std::ops::Range;

use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memchr2, memmem};

/// Returns the place of the destination in the range `within`, which is a link after its text. `None` if the
/// destination does not stand for `text`.
pub(super) fn of_link(bytes: &[u8], within: Range<usize>, text: &str) -> Option<(Range<usize>, Escapes)> {
    let text_end = &bytes[within.clone()];
    let bracket = within.start + if text_end.starts_with(b"](") { 0 } else { memmem::find(text_end, b"](")? };
    let (url, _) = after(bytes, bracket + 2, within.end);
    let escapes = Escapes::of_markdown(&bytes[url.clone()]);
    let mut unescaped = Vec::new();
    escapes.write(&bytes[url.clone()], &mut unescaped);
    (unescaped == text.as_bytes()).then_some((url, escapes))
}

/// The places of the destinations in the range `within`, which has only definitions and the marks of blocks.
pub(super) fn of_definitions(
    bytes: &[u8],
    within: Range<usize>,
    mut each: impl FnMut(Range<usize>, Escapes),
) {
    let bytes = &bytes[..within.end];
    let mut at = within.start;
    while let Some(found) = memchr(b'[', &bytes[at..]) {
        let label = at + found + 1;
        let label_end = label + raw_len_before(&bytes[label..], b']');
        at = label_end;
        // In a definition of a footnote, its text follows the colon.
        if bytes[label_end..].starts_with(b"]:") && bytes[label] != b'^' {
            let (url, end) = after(bytes, label_end + 2, bytes.len());
            each(url.clone(), Escapes::of_markdown(&bytes[url]));
            at = end;
            let title = pass_space(bytes, end, bytes.len());
            let closing = match bytes.get(title) {
                Some(b'(') => b')',
                Some(&quote @ (b'"' | b'\'')) => quote,
                _ => continue,
            };
            at = (title + 1 + raw_len_before(&bytes[title + 1..], closing)).min(bytes.len());
        }
    }
}

/// Returns the place of the destination after this byte, and the destination's end with its angle bracket.
fn after(bytes: &[u8], at: usize, end: usize) -> (Range<usize>, usize) {
    let start = pass_space(bytes, at, end);
    let len = raw_len(&bytes[start..end]);
    let is_angle = len > 1 && bytes[start] == b'<';
    let url = if is_angle { start + 1..start + len - 1 } else { start..start + len };
    (url, start + len)
}

/// Returns the length of a text up to a `closing` byte without a backslash before it.
fn raw_len_before(text: &[u8], closing: u8) -> usize {
    let mut at = 0;
    while let Some(found) = memchr2(closing, b'\\', &text[at..]) {
        at += found;
        if text[at] == closing {
            return at;
        }
        at = (at + 2).min(text.len());
    }
    text.len()
}

/// Passes white space, and after a line end the marks of blocks (like `>`) before the next line.
fn pass_space(bytes: &[u8], mut at: usize, end: usize) -> usize {
    let mut is_new_line = false;
    while at < end {
        match bytes[at] {
            b'\n' | b'\r' => is_new_line = true,
            b' ' | b'\t' => {}
            b'>' if is_new_line => {}
            _ => break,
        }
        at += 1;
    }
    at
}

/// Returns the length of a destination: with its angle brackets, or up to white space or a closing bracket
/// without an opening one.
fn raw_len(text: &[u8]) -> usize {
    let is_angle = text.first() == Some(&b'<');
    let (mut at, mut depth) = (usize::from(is_angle), 0_usize);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'>' if is_angle => {
                at += 1;
                break;
            }
            _ if is_angle => {}
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ if byte.is_ascii_whitespace() => break,
            _ => {}
        }
        at += 1;
    }
    let len = at.min(text.len());
    looked_at(len);
    len
}
