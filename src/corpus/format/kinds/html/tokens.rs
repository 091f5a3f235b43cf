//! Divides the bytes of a page into tags, text, comments and the content of scripts (section 13.2.5 of the
//! HTML standard).
//!
//! The state at the start of a chunk is small: the kind of text that the chunk starts in, and the open
//! elements of SVG and MathML. So a page is cut between tokens. The calling thread goes through a chunk to
//! find its end and its tags; a worker then reads the tags. The last chunk needs no such search, so a worker
//! goes through it. The same holds for a page of one chunk.
//!
//! This is the standard's tokenizer with a small part of its tree builder. An element whose content is text
//! has such content everywhere but in [SVG and MathML](super::foreign). `<noscript>` holds markup, as if
//! scripts were off. `<![CDATA[` starts a CDATA section in SVG and MathML; elsewhere it starts a comment up
//! to the next `>`.

use std::ops::Range;

use super::foreign::Foreign;
use super::marks::MarkedPage;
use super::names::Element;
use super::tag::{TagEnd, TagState, is_space, pass_tag};
use crate::corpus::format::lines::line::Malformed;
use crate::work::{looked_at, memchr, memchr2, memmem, memrchr, position};

/// The state of a page between two bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageState {
    text: TextKind,
    foreign: Foreign,
    /// The number of bytes of the line before this place.
    pub(crate) column: u64,
}

/// The kind of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum TextKind {
    /// Text with markup in it.
    #[default]
    Data,
    /// The content of this element, up to its end tag.
    Raw(Element),
    /// The content of a script, which can have comments.
    Script(ScriptText),
    Comment,
    Cdata,
    /// A declaration, or a bogus comment: up to the next `>`.
    Declaration,
    /// Text up to the end of the page.
    Plaintext,
    /// A tag over the limit. Its attributes do not count.
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
    /// After `<script` in a comment.
    ScriptInComment,
}

/// A visitor of the tags of a page.
pub(super) trait Visit {
    /// A start tag with this name begins.
    fn begin(&mut self, _element: Element, _name: Range<usize>) {}

    /// The tag has an attribute with this name and value.
    fn attribute(&mut self, _name: Range<usize>, _value: Range<usize>) {}

    /// The tag is complete.
    fn end(&mut self) {}

    /// The tag that starts at this byte does not count.
    fn malformed(&mut self, _at: usize, _reason: Malformed) {}
}

/// A visitor that does nothing.
struct Nothing;

impl Visit for Nothing {}

/// The number of bytes that a tag may have in addition to the longest record.
const REST_OF_TAG: usize = 64 << 10;

/// Returns the maximal length of a tag, in bytes.
fn longest_tag(max_record: usize) -> usize {
    max_record.saturating_add(REST_OF_TAG)
}

/// Cuts a page into chunks.
impl PageState {
    /// Returns the last place where a chunk with these bytes from `start` on may end, and the state there. If
    /// the place is `start`, a tag needs more bytes. `visit` gets the tags before the place.
    pub(super) fn border(
        mut self,
        bytes: &[u8],
        start: usize,
        max_record: usize,
        visit: &mut impl Visit,
    ) -> (usize, Self) {
        let end = TagWalk::new(&mut self, bytes, max_record, false, visit).pass(start);
        self.column = match memrchr(b'\n', &bytes[..end]) {
            Some(line_end) => (end - line_end - 1) as u64,
            None => self.column + end as u64,
        };
        (end, self)
    }

    /// Returns the end of the tag in which the first `end` bytes end; `end` if they end outside of tags.
    pub(crate) fn whole_tag(mut self, bytes: &[u8], start: usize, end: usize) -> usize {
        let at = TagWalk::new(&mut self, &bytes[..end], usize::MAX, false, &mut Nothing).pass(start);
        if at == end || self.text != TextKind::Data {
            return end;
        }
        let tag = pass_tag(&mut MarkedPage::new(bytes), at + 1, TagState::Name, |_, _| {});
        tag.map_or(end, |tag| tag.at)
    }

    /// Goes through a chunk that starts in this state.
    pub(super) fn walk(
        mut self,
        bytes: &[u8],
        start: usize,
        max_record: usize,
        is_last: bool,
        visit: &mut impl Visit,
    ) {
        TagWalk::new(&mut self, bytes, max_record, is_last, visit).pass(start);
    }
}

struct TagWalk<'w, V> {
    page: &'w mut PageState,
    bytes: &'w [u8],
    marked: MarkedPage<'w>,
    max_record: usize,
    /// Whether the page ends with the bytes.
    is_last: bool,
    visit: &'w mut V,
}

/// The place at which a search ended. `Ok`: another kind of text begins at this byte. `Err`: the search needs
/// more bytes, and must go on at this byte.
type Passed = Result<usize, usize>;

impl<'w, V: Visit> TagWalk<'w, V> {
    fn new(
        page: &'w mut PageState,
        bytes: &'w [u8],
        max_record: usize,
        is_last: bool,
        visit: &'w mut V,
    ) -> Self {
        TagWalk { page, bytes, marked: MarkedPage::new(bytes), max_record, is_last, visit }
    }

    /// Goes through the bytes, and returns the first byte that the next call needs again.
    fn pass(&mut self, mut at: usize) -> usize {
        loop {
            let passed = match self.page.text {
                TextKind::Data => self.pass_data(at),
                TextKind::Raw(element) => self.pass_raw(at, element),
                TextKind::Script(text) => self.pass_script(at, text),
                TextKind::Comment => self.pass_comment(at),
                TextKind::Cdata => self.pass_cdata(at),
                TextKind::Declaration => match memchr(b'>', &self.bytes[at..]) {
                    Some(found) => self.go_on(at + found + 1, TextKind::Data),
                    None => Err(self.bytes.len()),
                },
                TextKind::Plaintext => Err(self.bytes.len()),
                TextKind::LongTag { state, element, is_end } => {
                    self.pass_long_tag(at, state, element, is_end)
                }
            };
            match passed {
                Ok(next) => at = next,
                Err(end) => return end,
            }
        }
    }

    fn go_on(&mut self, at: usize, text: TextKind) -> Passed {
        self.page.text = text;
        Ok(at)
    }

    /// Returns whether the bytes from `at` on start with a word in any letter case. `Err` if they end within
    /// the word.
    fn starts_with(&self, at: usize, word: &[u8]) -> Result<bool, usize> {
        let rest = &self.bytes[at..];
        let len = rest.len().min(word.len());
        looked_at(len);
        match rest[..len].eq_ignore_ascii_case(&word[..len]) {
            true if len < word.len() => Err(at),
            is_start => Ok(is_start),
        }
    }

    /// Returns whether a tag with this name starts at `at`, with `before` before its name.
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
                    _ => return self.go_on(start + 2, TextKind::Declaration),
                },
                b'!' => return self.pass_declaration(start),
                b'?' => return self.go_on(start + 1, TextKind::Declaration),
                _ => {
                    at = start + 1;
                    continue;
                }
            }
            if !matches!(self.page.text, TextKind::Data) {
                return Ok(at);
            }
        }
    }

    /// Passes markup that starts with `<!`.
    fn pass_declaration(&mut self, start: usize) -> Passed {
        if self.starts_with(start, b"<!--")? {
            // A comment can end where it starts.
            for end in [&b"<!-->"[..], b"<!--->"] {
                if self.starts_with(start, end)? {
                    return Ok(start + end.len());
                }
            }
            return self.go_on(start + 4, TextKind::Comment);
        }
        if self.page.foreign.has_cdata() && self.starts_with(start, b"<![CDATA[")? {
            return self.go_on(start + 9, TextKind::Cdata);
        }
        self.go_on(start + 2, TextKind::Declaration)
    }

    fn pass_comment(&mut self, mut at: usize) -> Passed {
        loop {
            let Some(found) = memmem::find(&self.bytes[at..], b"--") else {
                let dash = usize::from(self.bytes[at..].ends_with(b"-"));
                return Err(self.bytes.len() - dash);
            };
            // The last two dashes of a run of dashes.
            let dashes = at + found;
            let rest = &self.bytes[dashes + 2..];
            let next = dashes + 2 + position(rest, |&byte| byte != b'-').ok_or(self.bytes.len() - 2)?;
            match self.bytes[next] {
                b'>' => return self.go_on(next + 1, TextKind::Data),
                b'!' if *self.bytes.get(next + 1).ok_or(next - 2)? == b'>' => {
                    return self.go_on(next + 2, TextKind::Data);
                }
                _ => at = next,
            }
        }
    }

    fn pass_cdata(&mut self, at: usize) -> Passed {
        match memmem::find(&self.bytes[at..], b"]]>") {
            Some(found) => self.go_on(at + found + 3, TextKind::Data),
            None => Err(at.max(self.bytes.len().saturating_sub(2))),
        }
    }

    fn pass_raw(&mut self, mut at: usize, element: Element) -> Passed {
        let name = element.name().unwrap_or_default().as_bytes();
        loop {
            let Some(found) = memchr(b'<', &self.bytes[at..]) else { return Err(self.bytes.len()) };
            at += found;
            if self.starts_tag(at, b"</", name)? {
                return self.go_on(at, TextKind::Data);
            }
            at += 1;
        }
    }

    fn pass_script(&mut self, mut at: usize, text: ScriptText) -> Passed {
        let go_on = |at, text| (at, TextKind::Script(text));
        loop {
            let rest = &self.bytes[at..];
            let found = match text {
                ScriptText::Code => memchr(b'<', rest),
                _ => memchr2(b'<', b'-', rest),
            };
            let Some(found) = found else { return Err(self.bytes.len()) };
            at += found;
            let (next, text) = match text {
                ScriptText::Code if self.starts_tag(at, b"</", b"script")? => (at, TextKind::Data),
                // The dashes of `<!--` can also be the dashes of the comment's end.
                ScriptText::Code if self.starts_with(at, b"<!--")? => go_on(at + 2, ScriptText::Comment),
                ScriptText::Code => (at + 1, self.page.text),
                _ if self.bytes[at] == b'-' => match self.starts_with(at, b"-->")? {
                    true => go_on(at + 3, ScriptText::Code),
                    false => (at + 1, self.page.text),
                },
                ScriptText::Comment if self.starts_tag(at, b"</", b"script")? => (at, TextKind::Data),
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

    /// Passes the tag that starts at `start`.
    #[inline]
    fn pass_tag(&mut self, start: usize, is_end: bool) -> Passed {
        let name_start = start + 1 + usize::from(is_end);
        let name = name_start..self.end_of_tag_name(name_start);
        // Outside of `<svg>` and `<math>`, the names of end tags do not matter.
        let element = if is_end && self.page.foreign.is_empty() {
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
                Ok(self.end_tag(tag_end, element, name, is_end))
            }
            Err(state) if is_long => self.go_on(end, TextKind::LongTag { state, element, is_end }),
            Err(_) => {
                if self.is_last && !is_end {
                    self.visit.malformed(start, Malformed::UnendedTag);
                }
                Err(start)
            }
        }
    }

    /// Returns the end of a tag's name, which has a letter at `at`.
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
                self.page.text = TextKind::Data;
                Ok(self.end_tag(tag_end, element, at..at, is_end))
            }
            Err(state) => {
                self.page.text = TextKind::LongTag { state, element, is_end };
                Err(self.bytes.len())
            }
        }
    }

    /// Goes on after a tag. `name` is the place of its name, if these bytes have it.
    #[inline]
    fn end_tag(&mut self, tag_end: TagEnd, element: Element, name: Range<usize>, is_end: bool) -> usize {
        let at = tag_end.at;
        let is_foreign = !self.page.foreign.is_empty() || element.is_foreign();
        if is_foreign && !self.is_html(&tag_end, element, name, is_end) {
            return at;
        }
        if element != Element::Other && !is_end {
            self.page.text = match element {
                Element::Script => TextKind::Script(ScriptText::Code),
                Element::Plaintext => TextKind::Plaintext,
                _ if element.is_raw_text() => TextKind::Raw(element),
                _ => TextKind::Data,
            };
        }
        at
    }

    /// Returns true if a tag in SVG or MathML, or a tag that starts these, is one of HTML.
    #[cold]
    fn is_html(&mut self, tag_end: &TagEnd, element: Element, name: Range<usize>, is_end: bool) -> bool {
        let tag = name.end..tag_end.at;
        let name = match &self.bytes[name] {
            // The start of a tag over the limit is not in these bytes.
            b"" => element.name().unwrap_or_default().as_bytes(),
            name => name,
        };
        looked_at(name.len());
        if is_end {
            self.page.foreign.end(name);
            return false;
        }
        let encoding = || {
            let (mut found, tag) = (Vec::new(), &self.bytes[tag]);
            let mut take = |name: Range<usize>, value: Range<usize>| {
                if found.is_empty() && tag[name].eq_ignore_ascii_case(b"encoding") {
                    found = tag[value].to_vec();
                }
            };
            _ = pass_tag(&mut MarkedPage::new(tag), 0, TagState::Name, &mut take);
            found
        };
        self.page.foreign.start(name, tag_end.is_self_closing, encoding)
    }
}
