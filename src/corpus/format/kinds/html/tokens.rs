//! Which bytes of a page are tags, and which are text, comments, or the content of scripts (section 13.2.5 of the HTML standard).
//!
//! The state at the start of a chunk is small: the kind of text that the chunk starts in, and how many `<svg>` and `<math>` are open. So a
//! page is cut between tokens: the calling thread goes through a chunk for the place where it may end, and for its tags, which a worker looks
//! at. The last chunk needs no such place, so a worker goes through it, and through a page of one chunk.
//!
//! This is the standard's tokenizer with a small part of its tree builder. An element whose content is text has such content wherever it
//! stands, also in `<svg>` and `<math>`, unless it closes itself there; `<noscript>` holds markup, as where there are no scripts.
//! `<![CDATA[` is one in `<svg>` and `<math>`, and elsewhere a comment up to the next `>`.

use std::ops::Range;

use super::marks::MarkedPage;
use super::names::Element;
use super::tag::{TagEnd, TagState, is_space, pass_tag};
use crate::corpus::format::lines::line::Malformed;
use crate::work::{looked_at, memchr, memchr2, memmem, memrchr, position};

/// The state of a page between two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageState {
    text: Text,
    /// `<svg>` and `<math>` that are open.
    foreign: u32,
    /// Bytes of the line before here.
    pub(crate) column: u64,
}

/// The kind of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Text {
    /// Text with markup in it.
    #[default]
    Data,
    /// The content of this element, up to its end tag.
    Raw(Element),
    /// That of a script, which has comments.
    Script(ScriptText),
    Comment,
    Cdata,
    /// A declaration, or a bogus comment: up to the next `>`.
    Declaration,
    /// All of the rest.
    Plain,
    /// A tag over the limit, whose attributes are not looked at.
    LongTag {
        state: TagState,
        element: Element,
        is_end: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScriptText {
    Code,
    /// After `<!--`.
    Comment,
    /// After `<script` in that.
    ScriptInComment,
}

/// A visitor of the tags of a page.
pub(super) trait Visit {
    /// A start tag begins here, and has this name.
    fn begin(&mut self, _element: Element, _name: Range<usize>) {}

    /// It has an attribute of this name and value.
    fn attribute(&mut self, _name: Range<usize>, _value: Range<usize>) {}

    /// It is whole.
    fn end(&mut self) {}

    /// A tag that starts here is not looked at.
    fn malformed(&mut self, _at: usize, _reason: Malformed) {}
}

/// Nothing is.
struct Nothing;

impl Visit for Nothing {}

/// The bytes that a tag may have in addition to the longest record.
const REST_OF_TAG: usize = 64 << 10;

/// The bytes of a tag that is not over the limit.
fn longest_tag(max_record: usize) -> usize {
    max_record.saturating_add(REST_OF_TAG)
}

/// A page that is cut into chunks.
impl PageState {
    /// The last place where a chunk with these bytes from `start` on may end, and the state there. It may not where that is at `start`:
    /// then a tag needs more bytes. `visit` sees the tags before it.
    pub(super) fn border(
        mut self,
        bytes: &[u8],
        start: usize,
        max_record: usize,
        visit: &mut impl Visit,
    ) -> (usize, Self) {
        let end = Walk::new(&mut self, bytes, max_record, false, visit).pass(start);
        self.column = match memrchr(b'\n', &bytes[..end]) {
            Some(line_end) => (end - line_end - 1) as u64,
            None => self.column + end as u64,
        };
        (end, self)
    }

    /// The end of the tag in which the first `end` bytes end; `end` if they end in none.
    pub(crate) fn whole_tag(mut self, bytes: &[u8], start: usize, end: usize) -> usize {
        let at = Walk::new(&mut self, &bytes[..end], usize::MAX, false, &mut Nothing).pass(start);
        if at == end || self.text != Text::Data {
            return end;
        }
        let tag = pass_tag(&mut MarkedPage::new(bytes), at + 1, TagState::Name, |_, _| {});
        tag.map_or(end, |tag| tag.at)
    }

    /// Goes through a chunk that starts here.
    pub(super) fn walk(
        mut self,
        bytes: &[u8],
        start: usize,
        max_record: usize,
        is_last: bool,
        visit: &mut impl Visit,
    ) {
        Walk::new(&mut self, bytes, max_record, is_last, visit).pass(start);
    }
}

struct Walk<'w, V> {
    page: &'w mut PageState,
    bytes: &'w [u8],
    marked: MarkedPage<'w>,
    max_record: usize,
    /// Whether the page ends where the bytes do.
    is_last: bool,
    visit: &'w mut V,
}

/// The place at which a search ended: to this byte, where something else begins, or no further than this one, for
/// want of bytes.
type Passed = Result<usize, usize>;

impl<'w, V: Visit> Walk<'w, V> {
    fn new(
        page: &'w mut PageState,
        bytes: &'w [u8],
        max_record: usize,
        is_last: bool,
        visit: &'w mut V,
    ) -> Self {
        Walk { page, bytes, marked: MarkedPage::new(bytes), max_record, is_last, visit }
    }

    /// Goes through the bytes, and says from where on they are needed again.
    fn pass(&mut self, mut at: usize) -> usize {
        loop {
            let passed = match self.page.text {
                Text::Data => self.pass_data(at),
                Text::Raw(element) => self.pass_raw(at, element),
                Text::Script(text) => self.pass_script(at, text),
                Text::Comment => self.pass_comment(at),
                Text::Cdata => self.pass_cdata(at),
                Text::Declaration => match memchr(b'>', &self.bytes[at..]) {
                    Some(found) => self.go_on(at + found + 1, Text::Data),
                    None => Err(self.bytes.len()),
                },
                Text::Plain => Err(self.bytes.len()),
                Text::LongTag { state, element, is_end } => self.pass_long_tag(at, state, element, is_end),
            };
            match passed {
                Ok(next) => at = next,
                Err(end) => return end,
            }
        }
    }

    fn go_on(&mut self, at: usize, text: Text) -> Passed {
        self.page.text = text;
        Ok(at)
    }

    /// Whether the bytes from `at` on start with a word in lower case; `Err` if they end in it.
    fn starts_with(&self, at: usize, word: &[u8]) -> Result<bool, usize> {
        let rest = &self.bytes[at..];
        let len = rest.len().min(word.len());
        looked_at(len);
        match rest[..len].eq_ignore_ascii_case(&word[..len]) {
            true if len < word.len() => Err(at),
            is_start => Ok(is_start),
        }
    }

    /// Whether a tag of this name starts here, with `before` before the name.
    fn starts_tag(&self, at: usize, before: &[u8], name: &[u8]) -> Result<bool, usize> {
        let after = at + before.len();
        if !self.starts_with(at, before)? || !self.starts_with(after, name).map_err(|_| at)? {
            return Ok(false);
        }
        let next = self.bytes.get(after + name.len()).ok_or(at)?;
        Ok(is_space(*next) || matches!(next, b'/' | b'>'))
    }

    fn pass_data(&mut self, mut at: usize) -> Passed {
        loop {
            let Some(start) = self.marked.less(at) else { return Err(self.bytes.len()) };
            looked_at(2);
            match self.bytes.get(start + 1).ok_or(start)? {
                first if first.is_ascii_alphabetic() => at = self.pass_tag(start, false)?,
                b'/' => match self.bytes.get(start + 2).ok_or(start)? {
                    first if first.is_ascii_alphabetic() => at = self.pass_tag(start, true)?,
                    _ => return self.go_on(start + 2, Text::Declaration),
                },
                b'!' => return self.pass_declaration(start),
                b'?' => return self.go_on(start + 1, Text::Declaration),
                _ => {
                    at = start + 1;
                    continue;
                }
            }
            if !matches!(self.page.text, Text::Data) {
                return Ok(at);
            }
        }
    }

    /// Passes markup that starts with `<!`.
    fn pass_declaration(&mut self, start: usize) -> Passed {
        if self.starts_with(start, b"<!--")? {
            // A comment may end where it starts.
            for end in [&b"<!-->"[..], b"<!--->"] {
                if self.starts_with(start, end)? {
                    return Ok(start + end.len());
                }
            }
            return self.go_on(start + 4, Text::Comment);
        }
        if self.page.foreign > 0 && self.starts_with(start, b"<![CDATA[")? {
            return self.go_on(start + 9, Text::Cdata);
        }
        self.go_on(start + 2, Text::Declaration)
    }

    fn pass_comment(&mut self, mut at: usize) -> Passed {
        loop {
            let Some(found) = memmem::find(&self.bytes[at..], b"--") else {
                let dash = usize::from(self.bytes[at..].ends_with(b"-"));
                return Err(self.bytes.len() - dash);
            };
            // The last two dashes of a row of them.
            let dashes = at + found;
            let rest = &self.bytes[dashes + 2..];
            let next = dashes + 2 + position(rest, |&byte| byte != b'-').ok_or(self.bytes.len() - 2)?;
            match self.bytes[next] {
                b'>' => return self.go_on(next + 1, Text::Data),
                b'!' if *self.bytes.get(next + 1).ok_or(next - 2)? == b'>' => {
                    return self.go_on(next + 2, Text::Data);
                }
                _ => at = next,
            }
        }
    }

    fn pass_cdata(&mut self, at: usize) -> Passed {
        match memmem::find(&self.bytes[at..], b"]]>") {
            Some(found) => self.go_on(at + found + 3, Text::Data),
            None => Err(at.max(self.bytes.len().saturating_sub(2))),
        }
    }

    fn pass_raw(&mut self, mut at: usize, element: Element) -> Passed {
        let name = element.name().unwrap_or_default().as_bytes();
        loop {
            let Some(found) = memchr(b'<', &self.bytes[at..]) else { return Err(self.bytes.len()) };
            at += found;
            if self.starts_tag(at, b"</", name)? {
                return self.go_on(at, Text::Data);
            }
            at += 1;
        }
    }

    fn pass_script(&mut self, mut at: usize, text: ScriptText) -> Passed {
        let go_on = |at, text| (at, Text::Script(text));
        loop {
            let rest = &self.bytes[at..];
            let found = match text {
                ScriptText::Code => memchr(b'<', rest),
                _ => memchr2(b'<', b'-', rest),
            };
            let Some(found) = found else { return Err(self.bytes.len()) };
            at += found;
            let (next, text) = match text {
                ScriptText::Code if self.starts_tag(at, b"</", b"script")? => (at, Text::Data),
                // Its dashes may be those of its end.
                ScriptText::Code if self.starts_with(at, b"<!--")? => go_on(at + 2, ScriptText::Comment),
                ScriptText::Code => (at + 1, self.page.text),
                _ if self.bytes[at] == b'-' => match self.starts_with(at, b"-->")? {
                    true => go_on(at + 3, ScriptText::Code),
                    false => (at + 1, self.page.text),
                },
                ScriptText::Comment if self.starts_tag(at, b"</", b"script")? => (at, Text::Data),
                ScriptText::Comment if self.starts_tag(at, b"<", b"script")? => {
                    go_on(at + 7, ScriptText::ScriptInComment)
                }
                ScriptText::ScriptInComment if self.starts_tag(at, b"</", b"script")? => {
                    go_on(at + 8, ScriptText::Comment)
                }
                _ => (at + 1, self.page.text),
            };
            at = next;
            if text != self.page.text {
                return self.go_on(at, text);
            }
        }
    }

    /// A tag that starts here.
    #[inline]
    fn pass_tag(&mut self, start: usize, is_end: bool) -> Passed {
        let name_start = start + 1 + usize::from(is_end);
        let name = name_start..self.end_of_tag_name(name_start);
        // The names of end tags do not matter elsewhere.
        let element = if is_end && self.page.foreign == 0 {
            Element::Other
        } else {
            Element::of(self.bytes, name.clone())
        };
        let passed = if is_end {
            pass_tag(&mut self.marked, name.end, TagState::Name, |_, _| {})
        } else {
            self.visit.begin(element, name.clone());
            let visit = &mut *self.visit;
            pass_tag(&mut self.marked, name.end, TagState::Name, |name, value| visit.attribute(name, value))
        };
        let end = passed.as_ref().map_or(self.bytes.len(), |tag_end| tag_end.at);
        let is_long = end - start > longest_tag(self.max_record);
        if is_long && !is_end {
            self.visit.malformed(start, Malformed::TooLong);
        }
        match passed {
            Ok(tag_end) => {
                if !is_long && !is_end {
                    self.visit.end();
                }
                Ok(self.end_tag(tag_end, element, is_end))
            }
            Err(state) if is_long => self.go_on(end, Text::LongTag { state, element, is_end }),
            Err(_) => {
                if self.is_last && !is_end {
                    self.visit.malformed(start, Malformed::UnendedTag);
                }
                Err(start)
            }
        }
    }

    /// The end of the name of a tag, which has a letter here.
    #[inline]
    fn end_of_tag_name(&mut self, mut at: usize) -> usize {
        loop {
            match self.marked.name_end(at) {
                Some(end) if self.bytes[end] == b'=' => at = end + 1,
                end => return end.unwrap_or(self.bytes.len()),
            }
        }
    }

    fn pass_long_tag(&mut self, at: usize, state: TagState, element: Element, is_end: bool) -> Passed {
        match pass_tag(&mut self.marked, at, state, |_, _| {}) {
            Ok(tag_end) => {
                self.page.text = Text::Data;
                Ok(self.end_tag(tag_end, element, is_end))
            }
            Err(state) => {
                self.page.text = Text::LongTag { state, element, is_end };
                Err(self.bytes.len())
            }
        }
    }

    /// After a tag.
    fn end_tag(&mut self, tag_end: TagEnd, element: Element, is_end: bool) -> usize {
        let TagEnd { at, is_self_closing } = tag_end;
        let page = &mut *self.page;
        if element == Element::Other {
            return at;
        }
        if is_end {
            page.foreign = page.foreign.saturating_sub(element.is_foreign().into());
        } else if !(is_self_closing && (page.foreign > 0 || element.is_foreign())) {
            page.foreign = page.foreign.saturating_add(element.is_foreign().into());
            page.text = match element {
                Element::Script => Text::Script(ScriptText::Code),
                Element::Plaintext => Text::Plain,
                _ if element.is_raw_text() => Text::Raw(element),
                _ => Text::Data,
            };
        }
        at
    }
}
