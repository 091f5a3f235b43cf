//! The parts of a message (RFC 2046): what stands between the lines with boundaries, in one pass.

use std::ops::Range;

use super::header::{self, Coding, Content, HeaderField, Kind};
use crate::work::{looked_at, memchr, memmem};

/// Takes the fields and the texts of a message, in order. Places are in the text.
pub(super) trait TakePart {
    /// Takes a field of the header of the message, or of one of its parts.
    fn field(&mut self, field: &HeaderField);

    /// Takes the content of a part that has a text.
    fn text(&mut self, range: Range<usize>, content: &Content);
}

/// The multiparts inside of each other that count. The parts of one that is deeper are a single text.
const DEEPEST: usize = 64;

/// A multipart that has not ended.
struct Open {
    boundary: Vec<u8>,
    is_digest: bool,
}

/// What the bytes up to the next boundary are.
enum Region {
    Leaf(Content),
    /// The text before the first part. If no part comes, it is the only text.
    Preamble(Content),
    /// The text after the last part, which is not shown.
    Epilogue,
}

/// A line with a boundary.
struct Delimiter {
    /// The end of the content before it, and the start of the next line.
    content_end: usize,
    next: usize,
    /// The number of multiparts around it that go on.
    depth: usize,
    /// Whether another part follows.
    opens: bool,
}

/// Passes the fields and texts of the message in this range of a text.
pub(super) fn walk(text: &[u8], message: Range<usize>, to: &mut impl TakePart) {
    let text = &text[..message.end];
    let mut open: Vec<Open> = Vec::new();
    let (mut at, mut is_message) = (message.start, true);
    loop {
        let in_digest = !is_message && open.last().is_some_and(|open| open.is_digest);
        let mut content = Content::unsaid(in_digest);
        let body = header::fields(text, at, |field| {
            content.note(text, field);
            to.field(field);
        });
        is_message = content.kind == Kind::Message && content.coding == Coding::None && body > at;
        at = body;
        let mut region = match &mut content.kind {
            Kind::Message if is_message => continue,
            Kind::Multipart { boundary, is_digest } if open.len() < DEEPEST => {
                open.push(Open { boundary: std::mem::take(boundary), is_digest: *is_digest });
                content.kind = Kind::Text;
                Region::Preamble(content)
            }
            _ => Region::Leaf(content),
        };
        loop {
            let delimiter = next_delimiter(text, at, &open);
            let end = delimiter.as_ref().map_or(text.len(), |delimiter| delimiter.content_end.max(at));
            let is_inside = |delimiter: &Delimiter| delimiter.depth >= open.len();
            match &region {
                Region::Leaf(content) if content.kind != Kind::Other => to.text(at..end, content),
                Region::Preamble(content) if !delimiter.as_ref().is_some_and(is_inside) => {
                    to.text(at..end, content);
                }
                _ => {}
            }
            let Some(Delimiter { next, depth, opens, .. }) = delimiter else { return };
            at = next;
            open.truncate(if opens { depth } else { depth - 1 });
            if opens {
                break;
            }
            region = Region::Epilogue;
        }
    }
}

/// Returns the first line from `from` on that has the boundary of an open multipart. `from` is the start of a
/// line.
fn next_delimiter(text: &[u8], from: usize, open: &[Open]) -> Option<Delimiter> {
    if open.is_empty() {
        return None;
    }
    let at_start = text[from..].starts_with(b"--").then_some(from);
    let others = memmem::find_iter(&text[from..], b"\n--").map(|at| from + at + 1);
    at_start.into_iter().chain(others).find_map(|start| {
        let rest = &text[start..];
        let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let line = &line[..line.len() - line.iter().rev().take_while(is_space).count()];
        let name = &line[2..];
        looked_at(open.len() * name.len());
        let closed = name.strip_suffix(b"--");
        let index = open.iter().rposition(|open| name == open.boundary || closed == Some(&open.boundary))?;
        let opens = name == open[index].boundary;
        let before = text[from..start].strip_suffix(b"\n").unwrap_or_default();
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        let next = start + memchr(b'\n', rest).map_or(rest.len(), |line_end| line_end + 1);
        Some(Delimiter { content_end: from + before.len(), next, depth: index + 1, opens })
    })
}
