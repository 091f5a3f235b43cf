//! The places between the outermost blocks of a document that are certain without a parser.
//!
//! A line that follows a blank line and is not indented ends every open block, except a fenced code block or
//! HTML that starts outside of all other blocks. So the start of each line is enough to look at, until a line
//! may or may not open one of these two: an indented fence that may be in an item of a list, for example.
//! From there on, the parser decides.

use crate::work::{looked_at, memchr, memchr_iter, memmem, position};

/// Returns the last place in a text, but for its start, where an outermost block certainly starts. No block
/// is open at the start of the text.
pub(super) fn last_certain_start(text: &[u8]) -> Option<usize> {
    let mut lines = Lines { open: Open::Nothing, after_blank: true, item: Item::None, may_be_html: false };
    let (mut at, mut last) = (0, None);
    // The parser also ends lines at a CR alone.
    let is_alone = |&at: &usize| text.get(at + 1) != Some(&b'\n');
    let certain = memchr_iter(b'\r', text).find(is_alone).unwrap_or(text.len());
    for line_end in memchr_iter(b'\n', &text[..certain]) {
        let line = &text[at..line_end];
        if lines.starts_block(line) && at > 0 {
            last = Some(at);
        }
        if lines.pass(line).is_none() {
            break;
        }
        at = line_end + 1;
    }
    last
}

/// The block that is open before a line, outside of all other blocks.
#[derive(Clone, Copy)]
enum Open {
    /// Neither code nor HTML with an end of its own.
    Nothing,
    /// A fenced code block. A line of at least `len` bytes `fence` ends it.
    Code { fence: u8, len: usize },
    /// HTML that this text ends.
    Html(&'static [u8]),
}

/// Whether the outermost open block is an item of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    None,
    /// Lines that are indented by this number of columns belong to it.
    Open(usize),
    Perhaps,
}

struct Lines {
    open: Open,
    after_blank: bool,
    item: Item,
    /// Whether HTML may be open that a blank line ends.
    may_be_html: bool,
}

/// A line may or may not open code or HTML.
struct Uncertain;

impl Lines {
    /// Returns true if a block certainly starts at this line.
    fn starts_block(&self, line: &[u8]) -> bool {
        let is_flush = line.first().is_some_and(|&byte| !is_space(byte));
        matches!(self.open, Open::Nothing) && self.after_blank && is_flush
    }

    /// Goes on after a line. `None` if the line may or may not open code or HTML.
    fn pass(&mut self, line: &[u8]) -> Option<()> {
        match self.open {
            Open::Nothing => self.pass_text(line).ok(),
            Open::Code { fence, len } => {
                if ends_code(line, fence, len) {
                    self.end(false);
                }
                Some(())
            }
            Open::Html(end) => {
                if memmem::find(line, end).is_some() {
                    self.end(false);
                }
                Some(())
            }
        }
    }

    /// Nothing is open after the line.
    fn end(&mut self, is_blank: bool) {
        *self = Lines { open: Open::Nothing, after_blank: is_blank, item: Item::None, may_be_html: false };
    }

    fn pass_text(&mut self, line: &[u8]) -> Result<(), Uncertain> {
        if line.first().is_some_and(u8::is_ascii_alphabetic) {
            // Most lines: text that opens nothing.
            let ends_item = std::mem::replace(&mut self.after_blank, false) || self.item == Item::None;
            self.item = if ends_item { Item::None } else { Item::Perhaps };
            return Ok(());
        }
        let indent = position(line, |&byte| byte != b' ').unwrap_or(line.len());
        let text = without_spaces(&line[indent..]);
        if text.is_empty() {
            (self.after_blank, self.may_be_html) = (true, false);
            return Ok(());
        }
        let after_blank = std::mem::replace(&mut self.after_blank, false);
        if indent >= 4 || text[0] == b'\t' || matches!(self.item, Item::Open(columns) if indent >= columns) {
            return Ok(());
        }
        let (fence, html_end) = (fence_len(text), end_of_html(text));
        let opens = fence.is_some() || html_end.is_some();
        if opens && (self.may_be_html || self.item == Item::Perhaps && indent > 0) {
            return Err(Uncertain);
        }
        if opens {
            self.end(false);
            self.open = match (fence, html_end) {
                (Some(len), _) => Open::Code { fence: text[0], len },
                (_, Some(end)) if memmem::find(text, end).is_none() => Open::Html(end),
                _ => Open::Nothing,
            };
            return Ok(());
        }
        let ends_item = match self.item {
            Item::None => true,
            // Text can go on in the paragraph of an item, without its indentation.
            Item::Open(_) => after_blank || ends_paragraph(text),
            Item::Perhaps => indent == 0 && (after_blank || ends_paragraph(text)),
        };
        let was_open = matches!(self.item, Item::Open(_));
        self.item = if ends_item { Item::None } else { Item::Perhaps };
        if text[0] == b'<' {
            self.may_be_html |= text.get(1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/');
        } else if let Some(marker) = marker_len(text).filter(|_| !is_rule(text)) {
            // In a paragraph, a number is text unless it is 1.
            let interrupts = !text[0].is_ascii_digit() || &text[..marker - 1] == b"1";
            let is_item = (after_blank || interrupts || was_open) && !self.may_be_html;
            let columns = content_indent(&text[marker..]).filter(|_| is_item);
            self.item = columns.map_or(Item::Perhaps, |columns| Item::Open(indent + marker + columns));
        }
        Ok(())
    }
}

/// Returns true if the parser takes a byte of a line as white space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0x0B | 0x0C)
}

/// Returns a text without the white space at its end.
fn without_spaces(text: &[u8]) -> &[u8] {
    let spaces = text.iter().rev().take_while(|&&byte| is_space(byte)).count();
    looked_at(spaces);
    &text[..text.len() - spaces]
}

/// Returns the text that ends HTML that starts like this, if nothing else ends it (CommonMark section 4.6,
/// kinds 1 to 5).
fn end_of_html(text: &[u8]) -> Option<&'static [u8]> {
    const ELEMENTS: [(&[u8], &[u8]); 4] = [
        (b"pre", b"</pre>"),
        (b"style", b"</style>"),
        (b"script", b"</script>"),
        (b"textarea", b"</textarea>"),
    ];

    let tag = text.strip_prefix(b"<")?;
    match tag {
        [b'!', b'-', b'-', ..] => return Some(b"-->"),
        [b'!', letter, ..] if letter.is_ascii_alphabetic() => return Some(b">"),
        [b'?', ..] => return Some(b"?>"),
        _ if tag.starts_with(b"![CDATA[") => return Some(b"]]>"),
        _ => {}
    }
    let is = |name: &[u8]| {
        let (start, after) = tag.split_at_checked(name.len())?;
        let ends = after.first().is_none_or(|&byte| is_space(byte) || byte == b'>');
        (ends && start.eq_ignore_ascii_case(name)).then_some(())
    };
    ELEMENTS.iter().find(|(name, _)| is(name).is_some()).map(|(_, end)| *end)
}

/// Returns the length of the fence at the start of a line of text.
fn fence_len(text: &[u8]) -> Option<usize> {
    let fence = text[0];
    if !matches!(fence, b'`' | b'~') {
        return None;
    }
    let len = position(text, |&byte| byte != fence).unwrap_or(text.len());
    (len >= 3 && (fence == b'~' || memchr(b'`', &text[len..]).is_none())).then_some(len)
}

/// Returns true if a line ends a code block with this fence.
fn ends_code(line: &[u8], fence: u8, len: usize) -> bool {
    let indent = position(line, |&byte| byte != b' ').unwrap_or(line.len());
    let text = line[indent..].strip_suffix(b"\r").unwrap_or(&line[indent..]);
    let fences = position(text, |&byte| byte != fence).unwrap_or(text.len());
    indent < 4 && fences >= len && position(&text[fences..], |&byte| byte != b' ').is_none()
}

/// Returns true if a line is a heading, a thematic break or the start of a quote, which end a paragraph.
fn ends_paragraph(text: &[u8]) -> bool {
    let marks = text.iter().take(7).take_while(|&&byte| byte == b'#').count();
    let is_heading =
        matches!(marks, 1..=6) && text.get(marks).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    is_heading || text[0] == b'>' || is_rule(text)
}

/// Returns true if a line is a thematic break, or underlines a heading.
fn is_rule(text: &[u8]) -> bool {
    let mark = text[0];
    let is_mark = |byte: &u8| *byte == mark || matches!(byte, b' ' | b'\t');
    let count = || text.iter().filter(|&&byte| byte == mark).count();
    looked_at(text.len().min(2));
    matches!(mark, b'-' | b'*' | b'_') && position(text, |byte| !is_mark(byte)).is_none() && count() >= 3
}

/// Returns the length of the marker of an item at the start of a line of text.
fn marker_len(text: &[u8]) -> Option<usize> {
    let digits = text.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
    let is_marker = match text.get(digits)? {
        b'-' | b'*' | b'+' => digits == 0,
        b'.' | b')' => matches!(digits, 1..=9),
        _ => false,
    };
    let ends = text.get(digits + 1).is_none_or(|&byte| is_space(byte));
    (is_marker && ends).then_some(digits + 1)
}

/// Returns the columns between the marker of an item and its text. `None` if they are not certain.
fn content_indent(rest: &[u8]) -> Option<usize> {
    let spaces = position(rest, |&byte| byte != b' ').filter(|&spaces| !is_space(rest[spaces]))?;
    Some(if spaces <= 4 { spaces } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_not_indented_starts_a_block_after_a_blank_line() {
        for (text, expected) in [
            ("a\n\nb\nc\n", Some("b\nc\n")),
            ("a\n\n b\n", None),
            ("a\nb\n", None),
            ("- a\n\n  b\n\nc\n", Some("c\n")),
            ("- a\n \t\n- b\n", Some("- b\n")),
            ("```\na\n\nb\n```\n\nc\n", Some("c\n")),
            ("````\n\na\n```\n\nb\n", None),
            ("~~~ `\n\na\n~~~ \n\nb\n", Some("b\n")),
            ("``` `\n\na\n", Some("a\n")),
            ("- ```\n  a\n\nb\n", Some("b\n")),
            ("- a\n  ```\n  b\n\nc\n\n  ```\n\nd\n", Some("c\n\n  ```\n\nd\n")),
            ("1. a\n   ```\n   b\n\nc\n", Some("c\n")),
            ("- a\nb\n  ```\n\nc\n", None),
            ("* * *\n  ```\n\na\n", None),
            ("> ```\n\na\n", Some("a\n")),
            ("<!--\n\na\n\n-->\n\nb\n", Some("b\n")),
            ("<!-->\n\na\n", Some("a\n")),
            ("<pre>\n\na\n\n</pre>\n\nb\n", Some("b\n")),
            ("<div>\n```\n\na\n", None),
            ("<div>\na\n\nb\n", Some("b\n")),
            ("a\r\n\r\nb\r\n", Some("b\r\n")),
            ("a\n\nb\n\nc\rd\n\ne\n", Some("b\n\nc\rd\n\ne\n")),
            ("", None),
        ] {
            let found = last_certain_start(text.as_bytes()).map(|at| &text[at..]);
            assert_eq!(found, expected, "{text:?}");
        }
    }
}
