//! MDX: Markdown with elements of JSX, expressions of JavaScript in braces, and lines that import and export.
//!
//! The parser knows none of these. So a copy of the text, in which they are white space, is parsed, and the
//! URLs of the elements are found here. In MDX, neither indented code nor autolinks (`<https://…>`) exist.
//! Fenced code becomes white space, too, because it may be indented by any number of columns.
//!
//! | text | record |
//! |---|---|
//! | `href="…"`, `src='…'` of any element; `to="…"` of `Link` and `NavLink`; the attributes of HTML's elements | the text between the quotes, its references undone |
//! | `href={…}`, `{…}`, `{/* … */}` | none: code |
//! | `import …`, `export …` | none: code, up to a blank line |
//! | `<https://a>` | a bare link, which the `>` breaks: MDX does not compile it |

use std::ops::Range;

use super::found::FoundLinks;
use crate::corpus::format::kinds::html::urls_of;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::{looked_at, memchr, memmem, memrchr, position};

/// Returns a text of the same length that is Markdown, and the URLs in the text's elements.
pub(super) fn markdown_of(text: &str) -> (String, Vec<FoundLinks>) {
    let mut scan = Scan {
        bytes: text.as_bytes(),
        markdown: text.as_bytes().to_vec(),
        found: Vec::new(),
        no_brace: false,
        no_module_end: false,
        line: (0, false),
        marks: None,
        no_ticks: [0; MOST_TICKS + 1],
    };
    scan.pass();
    let markdown = String::from_utf8_lossy(&scan.markdown).into_owned();
    (markdown, scan.found)
}

struct Scan<'t> {
    bytes: &'t [u8],
    markdown: Vec<u8>,
    found: Vec<FoundLinks>,
    /// Whether a `{` has no counterpart, so that the next ones need no search.
    no_brace: bool,
    /// Whether brackets of an import or export do not close.
    no_module_end: bool,
    /// The start of the line, and whether it has text before the place that has been reached.
    line: (usize, bool),
    /// The last line whose marks were needed.
    marks: Option<LineMarks>,
    /// For each number of backticks, the place before which as many do not follow.
    no_ticks: [usize; MOST_TICKS + 1],
}

/// The marks of quotes and items at the start of a line.
#[derive(Clone, Copy)]
struct LineMarks {
    /// The line's start.
    line: usize,
    is_in_quote: bool,
    /// Whether an open bracket follows the marks, perhaps before the label of a definition.
    is_label: bool,
}

/// The most backticks that open code within a line.
const MOST_TICKS: usize = 16;

impl<'t> Scan<'t> {
    fn pass(&mut self) {
        let (mut at, mut after_blank) = (0, true);
        while at < self.bytes.len() {
            self.line = (at, false);
            let line = self.line_at(at);
            let is_blank = line.trim_ascii().is_empty();
            let next = if let Some(end) = self.code_end(at) {
                Some(end)
            } else if after_blank && (line.starts_with(b"import ") || line.starts_with(b"export ")) {
                Some(self.module_end(at))
            } else {
                None
            };
            match next {
                Some(end) => {
                    self.blank(at..end);
                    (at, after_blank) = (end, true);
                }
                None => {
                    let indent = position(line, |byte| !matches!(byte, b' ' | b'\t')).unwrap_or(line.len());
                    // Indented text is no code.
                    if !is_blank && (indent >= 4 || memchr(b'\t', &line[..indent]).is_some()) {
                        self.markdown[at] = b'.';
                    }
                    (at, after_blank) = (self.pass_line(at), is_blank);
                }
            }
        }
    }

    /// Returns the line that starts at this byte, with its end.
    fn line_at(&self, at: usize) -> &'t [u8] {
        let bytes: &'t [u8] = self.bytes;
        let rest = &bytes[at..];
        &rest[..memchr(b'\n', rest).map_or(rest.len(), |end| end + 1)]
    }

    /// Replaces bytes by spaces. The text after them in their last line is not indented by that.
    fn blank(&mut self, range: Range<usize>) {
        looked_at(range.len());
        let masked = &mut self.markdown[range.clone()];
        masked.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
        if let Some(line_end) = memrchr(b'\n', &self.bytes[range.clone()]) {
            self.line = (range.start + line_end + 1, false);
        }
        let (line_start, has_text) = self.line;
        let after = &self.bytes[range.end..];
        let next = position(after, |byte| !matches!(byte, b' ' | b'\t' | b'\r')).map(|at| after[at]);
        if !has_text && line_start < range.end && next.is_some_and(|byte| byte != b'\n') {
            self.markdown[line_start] = b'.';
            self.line.1 = true;
        }
    }

    /// Returns the end of the fenced code that starts with this line.
    fn code_end(&self, start: usize) -> Option<usize> {
        let first = without_marks(self.line_at(start)).trim_ascii_end();
        let fence = *first.first().filter(|byte| matches!(byte, b'`' | b'~'))?;
        let len = position(first, |&byte| byte != fence).unwrap_or(first.len());
        if len < 3 || fence == b'`' && memchr(b'`', &first[len..]).is_some() {
            return None;
        }
        let mut at = start + self.line_at(start).len();
        while at < self.bytes.len() {
            let line = self.line_at(at);
            at += line.len();
            let line = without_marks(line).trim_ascii_end();
            if line.len() >= len && line.iter().all(|&byte| byte == fence) {
                break;
            }
        }
        Some(at)
    }

    /// Returns the end of lines that import or export: a blank line outside of brackets.
    fn module_end(&mut self, start: usize) -> usize {
        let (mut at, mut code) = (start, Code::default());
        let mut first_blank = None;
        while at < self.bytes.len() {
            let line = at..at + self.line_at(at).len();
            if self.bytes[line.clone()].trim_ascii().is_empty() {
                if self.no_module_end || code.depth == 0 && !code.is_in_text() {
                    return at;
                }
                first_blank.get_or_insert(at);
            }
            for index in line.clone() {
                code.take(self.bytes, index);
            }
            at = line.end;
        }
        // Brackets that do not close are no reason to lose the rest of the document.
        self.no_module_end = code.depth > 0 || code.is_in_text();
        first_blank.filter(|_| self.no_module_end).unwrap_or(at)
    }

    /// Goes through a line, and the elements and expressions that start in it. Returns the start of the next
    /// line.
    fn pass_line(&mut self, mut at: usize) -> usize {
        loop {
            let Some(found) = position(&self.bytes[at..], |byte| b"\n\\`{<]:".contains(byte)) else {
                return self.bytes.len();
            };
            self.line.1 |= !self.markdown[at..at + found].trim_ascii().is_empty();
            at += found;
            let rest = &self.bytes[at..];
            at = match rest[0] {
                b'\n' => return at + 1,
                b'\\' => at + 1 + usize::from(rest.get(1).is_some_and(u8::is_ascii_punctuation)),
                b'`' => self.pass_ticks(at),
                b'{' => match self.expression_end(at) {
                    Some(end) => {
                        self.blank(at..end);
                        end
                    }
                    None => at + 1,
                },
                b'<' => self.pass_less(at),
                // A destination is text.
                b']' if rest.starts_with(b"](") => {
                    at + 2 + destination_len(&rest[2..], self.marks().is_in_quote)
                }
                b']' if rest.starts_with(b"]:") && self.marks().is_label => {
                    at + 2 + definition_len(&rest[2..], self.marks().is_in_quote)
                }
                b':' if rest.starts_with(b"://") => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'<' | b')');
                    at + position(rest, ends).unwrap_or(rest.len())
                }
                _ => at + 1,
            };
            self.line.1 |= self.markdown[at - 1] != b' ';
        }
    }

    /// Returns the marks of the line. Each line is looked at once.
    fn marks(&mut self) -> LineMarks {
        let start = self.line.0;
        match self.marks {
            Some(marks) if marks.line == start => marks,
            _ => {
                let line = self.line_at(start);
                let text = without_marks(line);
                looked_at(line.len());
                let marks = &line[..line.len() - text.len()];
                let is_in_quote = memchr(b'>', marks).is_some();
                *self.marks.insert(LineMarks { line: start, is_in_quote, is_label: text.starts_with(b"[") })
            }
        }
    }

    /// Passes code between backticks.
    fn pass_ticks(&mut self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        let len = position(rest, |&byte| byte != b'`').unwrap_or(rest.len());
        let from = start + len;
        if len > MOST_TICKS || from < self.no_ticks[len] {
            return from;
        }
        let mut at = from;
        while let Some(found) = position(&self.bytes[at..], |byte| matches!(byte, b'`' | b'\n')) {
            at += found;
            if self.bytes[at] == b'\n' {
                at += 1;
                if self.line_at(at).trim_ascii().is_empty() {
                    break;
                }
                continue;
            }
            let run = position(&self.bytes[at..], |&byte| byte != b'`').unwrap_or(self.bytes.len() - at);
            at += run;
            if run == len {
                return at;
            }
        }
        self.no_ticks[len] = at;
        from
    }

    /// Returns the end of the expression that starts with this brace.
    fn expression_end(&mut self, start: usize) -> Option<usize> {
        if self.no_brace {
            return None;
        }
        let mut code = Code::default();
        for at in start..self.bytes.len() {
            code.take(self.bytes, at);
            if code.depth == 0 && !code.is_in_text() {
                looked_at(at - start);
                return Some(at + 1);
            }
        }
        looked_at(self.bytes.len() - start);
        self.no_brace = true;
        None
    }

    /// Passes what starts with `<`.
    fn pass_less(&mut self, start: usize) -> usize {
        let rest = &self.bytes[start..];
        if rest.starts_with(b"<!--") {
            let end = memmem::find(rest, b"-->").map_or(rest.len(), |end| end + 3);
            self.blank(start..start + end);
            return start + end;
        }
        match self.element_end(start) {
            Some(end) => {
                self.blank(start..end);
                end
            }
            None => {
                // An autolink would be one of Markdown.
                self.markdown[start] = b' ';
                start + 1
            }
        }
    }

    /// Returns the end of a tag of JSX, and takes its URLs. `None` if it is none.
    fn element_end(&mut self, start: usize) -> Option<usize> {
        let bytes = self.bytes;
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-.:".contains(byte) || !byte.is_ascii();
        let name_end =
            |at: usize| at + position(&bytes[at..], |byte| !is_name(byte)).unwrap_or(bytes.len() - at);
        let space_end = |at: usize| {
            at + position(&bytes[at..], |byte| !byte.is_ascii_whitespace()).unwrap_or(bytes.len() - at)
        };
        let is_closing = bytes.get(start + 1) == Some(&b'/');
        let name = start + 1 + usize::from(is_closing);
        let name = name..name_end(name);
        if bytes[name.clone()]
            .first()
            .is_some_and(|byte| !byte.is_ascii_alphabetic() && !b"_$".contains(byte))
        {
            return None;
        }
        let mut urls = Vec::new();
        let mut at = space_end(name.end);
        loop {
            match *bytes.get(at)? {
                b'>' => break,
                b'/' if bytes.get(at + 1) == Some(&b'>') => at += 1,
                b'{' => at = space_end(self.expression_end(at)?),
                byte if is_name(&byte) && at > name.end && !name.is_empty() => {
                    let attribute = at..name_end(at);
                    at = space_end(attribute.end);
                    if bytes.get(at) != Some(&b'=') {
                        continue;
                    }
                    at = space_end(at + 1);
                    match *bytes.get(at)? {
                        quote @ (b'"' | b'\'') => {
                            let end = at + 1 + memchr(quote, &bytes[at + 1..])?;
                            self.urls(&bytes[name.clone()], &bytes[attribute], at + 1..end, &mut urls);
                            at = space_end(end + 1);
                        }
                        b'{' => at = space_end(self.expression_end(at)?),
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        self.found.append(&mut urls);
        Some(at + 1)
    }

    /// The URLs in the value of an attribute.
    fn urls(&self, element: &[u8], attribute: &[u8], value: Range<usize>, urls: &mut Vec<FoundLinks>) {
        let text = &self.bytes[value.clone()];
        let mut take = |name: &'static str, url: Range<usize>| {
            let element = String::from_utf8_lossy(element).into();
            let place = Holder { element: Name::Made(element), attribute: Some(Name::Known(name)) };
            let escapes = Escapes::of_html(&text[url.clone()]);
            urls.push(FoundLinks::at(place, value.start + url.start..value.start + url.end, escapes));
        };
        let is_link = matches!(element, b"Link" | b"NavLink");
        let of_component = [("href", true), ("src", true), ("to", is_link)].into_iter();
        match of_component.clone().find(|&(name, counts)| counts && attribute == name.as_bytes()) {
            Some((name, _)) => take(name, Escapes::of_html(text).trimmed(text)),
            // The names of HTML's elements start with a small letter.
            None if element.first().is_some_and(u8::is_ascii_lowercase) => {
                urls_of(element, attribute, text, take)
            }
            None => {}
        }
    }
}

/// Returns a line without spaces and the marks of quotes and items before its text.
fn without_marks(line: &[u8]) -> &[u8] {
    let marks = position(line, |byte| !b" \t>-*+".contains(byte)).unwrap_or(line.len());
    let rest = &line[marks..];
    let digits = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    match rest[digits..] {
        [b'.' | b')', b' ', ..] if digits > 0 => rest[digits + 2..].trim_ascii_start(),
        _ => rest,
    }
}

/// Returns the length of a destination, of the white space before it, and of its title, up to the closing
/// bracket or the line's end.
fn destination_len(text: &[u8], is_in_quote: bool) -> usize {
    let start = space_len(text, is_in_quote);
    let mut depth = 0_usize;
    let ends = |byte: &u8| {
        let is_end = *byte == b'\n' || *byte == b')' && depth == 0;
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    };
    position(&text[start..], ends).map_or(text.len(), |len| start + len)
}

/// Returns the length of a definition's destination, and of the white space before it.
fn definition_len(text: &[u8], is_in_quote: bool) -> usize {
    let start = space_len(text, is_in_quote);
    let ends = |byte: &u8| match text[start] {
        b'<' => matches!(byte, b'>' | b'\n'),
        _ => byte.is_ascii_whitespace(),
    };
    position(&text[start..], ends).map_or(text.len(), |len| start + len)
}

/// Returns the length of white space, which may have one line end. In a quote, the next line has its marks,
/// too.
fn space_len(text: &[u8], is_in_quote: bool) -> usize {
    let is_space = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r');
    let start = position(text, |&byte| !is_space(byte)).unwrap_or(text.len());
    if text.get(start) != Some(&b'\n') {
        return start;
    }
    let is_before = |byte: u8| is_space(byte) || is_in_quote && byte == b'>';
    let next = &text[start + 1..];
    start + 1 + position(next, |&byte| !is_before(byte)).unwrap_or(next.len())
}

/// A place in code of JavaScript.
#[derive(Default)]
struct Code {
    /// The number of open brackets.
    depth: usize,
    /// The quote of the string, or the kind of the comment.
    text: Text,
    /// For each template around this place, the number of open brackets in it.
    templates: Vec<usize>,
    /// Whether the byte belongs to the one before it.
    is_passed: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Text {
    #[default]
    None,
    Quoted(u8),
    Template,
    Line,
    Block,
}

impl Code {
    /// Returns true in a string, a template or a comment.
    fn is_in_text(&self) -> bool {
        self.text != Text::None
    }

    fn take(&mut self, bytes: &[u8], at: usize) {
        if std::mem::take(&mut self.is_passed) {
            return;
        }
        let (byte, next) = (bytes[at], bytes.get(at + 1).copied());
        match (self.text, byte) {
            (Text::Quoted(_) | Text::Template, b'\\') => self.is_passed = true,
            (Text::Quoted(quote), byte) if byte == quote || byte == b'\n' => self.text = Text::None,
            (Text::Template, b'`') => self.text = Text::None,
            (Text::Template, b'$') if next == Some(b'{') => {
                self.templates.push(self.depth);
                self.depth += 1;
                (self.text, self.is_passed) = (Text::None, true);
            }
            (Text::Line, b'\n') => self.text = Text::None,
            (Text::Block, b'*') if next == Some(b'/') => {
                // The slash ends the comment.
                (self.text, self.is_passed) = (Text::None, true);
            }
            (Text::None, b'"' | b'\'') => self.text = Text::Quoted(byte),
            (Text::None, b'`') => self.text = Text::Template,
            (Text::None, b'/') if next == Some(b'/') => self.text = Text::Line,
            (Text::None, b'/') if next == Some(b'*') => (self.text, self.is_passed) = (Text::Block, true),
            (Text::None, b'{' | b'(' | b'[') => self.depth += 1,
            (Text::None, b'}' | b')' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                if self.templates.last() == Some(&self.depth) {
                    self.templates.pop();
                    self.text = Text::Template;
                }
            }
            _ => {}
        }
    }
}
