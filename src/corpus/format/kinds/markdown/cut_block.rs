//! Cuts a block that has too many marks to be parsed at once.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use super::state::MarkdownState;
use crate::work::{looked_at, memchr, memrchr, position};

/// The innermost block so far.
#[derive(Default)]
pub(super) struct Innermost {
    /// The number of open items of lists and of open footnotes.
    items: usize,
    is_in_item: bool,
    kind: Kind,
}

#[derive(Clone, Default)]
enum Kind {
    /// A block with links.
    #[default]
    Text,
    /// A fenced code block that starts at this byte.
    Code(usize),
    /// A block of HTML that starts at this byte.
    Html(usize),
}

impl Innermost {
    /// Takes the next event of the parser.
    pub(super) fn take(&mut self, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(Tag::Item | Tag::FootnoteDefinition(_)) => self.items += 1,
            Event::End(tag) => {
                use pulldown_cmark::TagEnd::{FootnoteDefinition, Item};

                self.items -= usize::from(matches!(tag, Item | FootnoteDefinition));
                return;
            }
            Event::Start(_) => {}
            _ => return,
        }
        self.kind = match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Kind::Code(range.start),
            Event::Start(Tag::HtmlBlock) => Kind::Html(range.start),
            _ => Kind::Text,
        };
        self.is_in_item = self.items > 0;
    }

    /// Returns the state after `text`, which ends within the block or after it: definitions are no events of
    /// the parser.
    pub(super) fn state_within(&self, text: &[u8]) -> MarkdownState {
        let with_links = if self.is_in_item { MarkdownState::RestOfItem } else { MarkdownState::Between };
        match self.kind {
            Kind::Code(start) => {
                let (fence, code) = (text[start], &text[start..]);
                let len = position(code, |&byte| byte != fence).unwrap_or(code.len());
                let lines = &code[memchr(b'\n', code).map_or(code.len(), |line_end| line_end + 1)..];
                let is_open = rest_of_code(lines, fence, len).is_none();
                if is_open { MarkdownState::Code { fence, len } } else { with_links }
            }
            Kind::Html(start) => {
                let html = &text[start..];
                let end = end_of_html(html).filter(|end| rest_of_html(html, end).is_none());
                end.map_or(with_links, |end| MarkdownState::Html { end })
            }
            Kind::Text => with_links,
        }
    }
}

/// Returns the text that ends HTML that starts like this, if it has no tags up to its end (CommonMark section
/// 4.6).
fn end_of_html(html: &[u8]) -> Option<&'static [u8]> {
    const ENDS: [(&[u8], &[u8]); 7] = [
        (b"<!--", b"-->"),
        (b"<![CDATA[", b"]]>"),
        (b"<!", b">"),
        (b"<?", b"?>"),
        (b"<script", b"</script>"),
        (b"<style", b"</style>"),
        (b"<textarea", b"</textarea>"),
    ];

    let starts_with =
        |start: &[u8]| html.get(..start.len()).is_some_and(|html| html.eq_ignore_ascii_case(start));
    ENDS.iter().find(|(start, _)| starts_with(start)).map(|(_, end)| *end)
}

/// Returns the last place in a text at which the text can be cut: after a line, else before white space, else
/// at the end. No character is cut.
pub(super) fn last_place(text: &[u8]) -> usize {
    let after_line = memrchr(b'\n', text).map(|line_end| line_end + 1);
    let before_space = || text.iter().rposition(u8::is_ascii_whitespace).filter(|&at| at > 0);
    looked_at(text.len());
    let before_char = || {
        // A character has up to three bytes after its first one.
        let is_inside = |byte: &&u8| **byte & 0xC0 == 0x80;
        let inside = text.iter().rev().take(3).take_while(is_inside).count();
        let first = text.len() - inside - 1;
        if text[first] >= 0xC0 { first } else { text.len() }
    };
    after_line.or_else(before_space).unwrap_or_else(before_char)
}

/// Returns the length in bytes of the rest of a code block, with the line that ends it. `None` if no line
/// does.
pub(super) fn rest_of_code(text: &[u8], fence: u8, len: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(line_end) = memchr(b'\n', &text[at..]) {
        let line = text[at..at + line_end].trim_ascii();
        at += line_end + 1;
        looked_at(line_end);
        // The marks of outer blocks can stand before the fence.
        let line = &line[position(line, |byte| !b" \t>".contains(byte)).unwrap_or(line.len())..];
        if line.len() >= len && line.iter().all(|&byte| byte == fence) {
            return Some(at);
        }
    }
    None
}

/// Returns the length in bytes of the rest of a block of HTML, with the text that ends it.
pub(super) fn rest_of_html(text: &[u8], end: &[u8]) -> Option<usize> {
    looked_at(text.len());
    let found = text.windows(end.len()).position(|text| text.eq_ignore_ascii_case(end));
    found.map(|at| at + end.len())
}
