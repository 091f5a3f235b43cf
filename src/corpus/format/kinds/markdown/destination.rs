//! The place of a destination in its link, or in a definition (CommonMark sections 4.7 and 6.3).
//!
//! The parser says where a link lies, and what its destination stands for, but not where that lies.

use std::ops::Range;

use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memmem};

/// The place of the destination in these bytes of a text, `open` being what stands before it. It is one of those of `text` if escapes are undone.
pub(super) fn place(
    bytes: &[u8],
    within: Range<usize>,
    open: &[u8],
    text: &str,
) -> Option<(Range<usize>, Escapes)> {
    let found = memmem::find(&bytes[within.clone()], open)?;
    let start = pass_space(bytes, within.start + found + open.len(), within.end);
    let raw = raw_len(&bytes[start..within.end]);
    let range = match bytes.get(start) {
        Some(b'<') if start < within.end => start + 1..start + raw.saturating_sub(1).max(1),
        _ => start..start + raw,
    };
    let escapes = Escapes::of_markdown(&bytes[range.clone()]);
    let mut unescaped = Vec::new();
    escapes.write(&bytes[range.clone()], &mut unescaped);
    (unescaped == text.as_bytes()).then_some((range, escapes))
}

/// Passes white space, and after a line end what the blocks around put before the next line.
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

/// The length of a destination: with its angle brackets, or up to white space or a bracket that it does not open.
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
