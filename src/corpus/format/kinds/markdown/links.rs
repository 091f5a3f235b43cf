//! The links of a text in Markdown.

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Parser, Tag, TagEnd};

use super::destination;
use super::dialect::Dialect;
use super::found::{FoundLinks, Link, link};
use super::prose::{self, Context, MarkedProse, Prose};
use super::{mdx, quarto};
use crate::corpus::format::kinds::html::{self, TakeLink, tokens::PageState};
use crate::corpus::format::lines::element::Holder;
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::same_length::same_length;
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::looked_at;

/// The most times that a text is parsed because of bare links.
const MOST_PARSES: usize = 4;

/// Returns the links of a text, in the order of their places.
///
/// The parser has no bare links, so it can find code or another link that starts in a bare link and ends
/// after it. Then the text is parsed again, with letters in the place of that bare link's marks. More than
/// one such place in a block is rare, and each takes another turn; after the last turn, the rest of the code
/// is prose.
pub(super) fn links(bytes: &[u8], dialect: Dialect) -> Vec<FoundLinks> {
    let text = same_length(bytes);
    let (text, mut found) = match dialect {
        Dialect::Github => (text, Vec::new()),
        Dialect::Mdx => owned(mdx::markdown_of(&text)),
        Dialect::Quarto => owned(quarto::markdown_of(&text)),
    };
    let text = &*text;
    let mut masked = Cow::Borrowed(text);
    let mut turn = 1;
    loop {
        let mut walk = LinkWalk::new(text, dialect);
        for (event, range) in Parser::new_ext(&masked, dialect.options()).into_offset_iter() {
            walk.take(event, range);
        }
        walk.pass_definitions(text.len());
        if walk.overlapped.is_empty() || turn == MOST_PARSES {
            found.append(&mut walk.found);
            // A link comes after the links inside it.
            found.sort_by_key(|found| found.at);
            return found;
        }
        masked = Cow::Owned(without_marks(&masked, &walk.overlapped));
        turn += 1;
    }
}

fn owned<'t>((text, found): (String, Vec<FoundLinks>)) -> (Cow<'t, str>, Vec<FoundLinks>) {
    (Cow::Owned(text), found)
}

/// Returns a text with letters in the place of the marks in these ranges.
fn without_marks(text: &str, ranges: &[Range<usize>]) -> String {
    looked_at(text.len());
    let (mut masked, mut at) = (String::with_capacity(text.len()), 0);
    for range in ranges {
        masked.push_str(&text[at..range.start]);
        let of_link = text[range.clone()].chars();
        masked.extend(of_link.map(|char| if char.is_ascii_punctuation() { 'x' } else { char }));
        at = range.end;
    }
    masked + &text[at..]
}

/// A link whose text is open.
enum OpenLink<'t> {
    /// The destination follows the link's text.
    Inline(Holder, CowStr<'t>),
    /// The link's text is its destination.
    Autolink,
    /// The destination is in a definition.
    ByLabel,
    /// In a bare link.
    Passed,
}

struct LinkWalk<'t> {
    text: &'t str,
    dialect: Dialect,
    marked: MarkedProse<'t>,
    found: Vec<FoundLinks>,
    /// The prose before this byte has been searched, or is in `prose`.
    passed: usize,
    /// The prose that is open.
    prose: Option<Range<usize>>,
    is_code: bool,
    /// Whether the code is HTML.
    is_html_code: bool,
    /// Whether the last event was the start or the end of a block.
    is_between_blocks: bool,
    /// The lines of a block of HTML.
    html: Vec<Range<usize>>,
    open: Vec<OpenLink<'t>>,
    /// The number of open links whose destination follows their text.
    open_inline: usize,
    /// The brackets of prose that are open in the block: for each, whether it opens an image.
    brackets: Vec<bool>,
    /// The text of the block, up to its end if that is known.
    block: Range<usize>,
    /// Whether the block is a cell of a table.
    is_cell: bool,
    /// The last bare link that goes on after the prose that it starts in.
    bare: Option<Range<usize>>,
    /// The bare links in which code or other links start that end after them: the first one of each block.
    overlapped: Vec<Range<usize>>,
    /// Whether `overlapped` has a link of this block.
    is_overlapped: bool,
}

impl<'t> LinkWalk<'t> {
    fn new(text: &'t str, dialect: Dialect) -> Self {
        LinkWalk {
            text,
            dialect,
            marked: MarkedProse::new(text.as_bytes()),
            found: Vec::new(),
            passed: 0,
            prose: None,
            is_code: false,
            is_html_code: false,
            is_between_blocks: true,
            html: Vec::new(),
            open: Vec::new(),
            open_inline: 0,
            brackets: Vec::new(),
            block: 0..text.len(),
            is_cell: false,
            bare: None,
            overlapped: Vec::new(),
            is_overlapped: false,
        }
    }

    #[inline]
    fn take(&mut self, event: Event<'t>, range: Range<usize>) {
        // Most events are text in the middle of a block.
        if matches!(event, Event::Text(_)) && !self.is_between_blocks && !self.is_code && self.open.is_empty()
        {
            return self.extend(range.start, range.end);
        }
        self.take_any(event, range);
    }

    fn take_any(&mut self, event: Event<'t>, range: Range<usize>) {
        let is_of_blocks = match &event {
            Event::Start(tag) => !is_inline(tag.to_end()),
            Event::End(tag) => !is_inline(*tag),
            Event::Html(_) => true,
            _ => false,
        };
        // The text of an item of a list may be outside of a paragraph, and definitions may precede it.
        if mem::replace(&mut self.is_between_blocks, is_of_blocks) && !is_of_blocks && !self.is_code {
            // The parser omits the backslash of an escaped character.
            let before = self.text.as_bytes().get(self.passed..range.start).unwrap_or_default();
            let is_escaped = before.ends_with(b"\\");
            self.block.start = range.start - usize::from(is_escaped);
            self.pass_definitions(self.block.start);
        }
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                self.begin_link(link_type, link(), dest_url, range);
            }
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                self.begin_link(link_type, Holder::known("img", "src"), dest_url, range);
            }
            Event::End(TagEnd::Link | TagEnd::Image) => self.end_link(range),
            // A broken link can contain some of these marks.
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => {
                self.extend(range.start, range.start)
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {
                self.extend(range.start, range.end);
            }
            Event::Start(tag) => {
                self.pass_definitions(range.start);
                self.end_block();
                self.is_cell = tag == Tag::TableCell;
                if self.is_cell || matches!(tag, Tag::Paragraph | Tag::Heading { .. }) {
                    let text = self.text[range.clone()].trim_ascii_end();
                    looked_at(range.len() - text.len());
                    self.block.end = range.start + text.len();
                }
                self.is_code = matches!(tag, Tag::CodeBlock(_) | Tag::MetadataBlock(_));
                self.is_html_code = self.dialect == Dialect::Quarto
                    && matches!(tag, Tag::CodeBlock(CodeBlockKind::Fenced(info)) if info.trim() == "{=html}");
            }
            Event::End(tag) => {
                if mem::take(&mut self.is_code) {
                    self.pass_to(range.end);
                }
                self.pass_definitions(range.end);
                self.end_block();
                if tag == TagEnd::HtmlBlock || mem::take(&mut self.is_html_code) {
                    self.end_html();
                }
            }
            Event::Html(_) => {
                self.pass_to(range.end);
                self.html.push(range);
            }
            Event::InlineHtml(html) => {
                self.pass_to(range.end);
                self.take_inline_html(&html, range);
            }
            Event::Text(_) if self.is_html_code => self.html.push(range),
            Event::Text(_) if self.is_code || matches!(self.open.last(), Some(OpenLink::Autolink)) => {}
            Event::Text(_) | Event::SoftBreak | Event::HardBreak | Event::FootnoteReference(_) => {
                self.extend(range.start, range.end);
            }
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => self.pass_code(range),
            Event::Rule | Event::TaskListMarker(_) => self.pass_to(range.end),
        }
    }

    /// Adds bytes to the prose.
    fn extend(&mut self, start: usize, end: usize) {
        let start = start.max(self.passed);
        // The parser's text omits the backslash of an escape.
        let is_escaped = start > self.passed && self.text.as_bytes()[start - 1] == b'\\';
        let start = start - usize::from(is_escaped);
        let prose = self.prose.get_or_insert(start..start);
        prose.end = prose.end.max(end);
    }

    fn end_prose(&mut self) {
        let Some(range) = self.prose.take() else { return };
        let context = if self.open_inline == 0 { Context::Text } else { Context::LinkText };
        let prose =
            Prose { text: self.text, range, context, block: self.block.clone(), is_cell: self.is_cell };
        let passed = prose::links(&prose, &mut self.marked, &mut self.brackets, &mut self.found);
        self.passed = passed.to;
        if let Some(start) = passed.bare {
            self.bare = Some(start..passed.to);
        }
    }

    fn end_block(&mut self) {
        self.brackets.clear();
        (self.is_cell, self.is_overlapped) = (false, false);
        self.block.end = self.text.len();
    }

    /// Returns true if a link before this place goes on after it. Code or a link goes from this place to
    /// `end`.
    fn is_in_link(&mut self, at: usize, end: usize) -> bool {
        let is_in_link = at < self.passed;
        let goes_on = is_in_link && end > self.passed && !self.is_overlapped;
        if let Some(bare) = self.bare.clone().filter(|bare| goes_on && bare.end == self.passed) {
            self.overlapped.push(bare);
            self.is_overlapped = true;
        }
        is_in_link
    }

    /// Ends the prose, and passes code. The bytes after a bare link that starts before the code are prose.
    fn pass_code(&mut self, range: Range<usize>) {
        self.end_prose();
        if self.is_in_link(range.start, range.end) {
            self.extend(range.start, range.end);
        } else {
            self.passed = range.end;
        }
    }

    /// Ends the prose, and passes the bytes up to `to`.
    fn pass_to(&mut self, to: usize) {
        self.end_prose();
        self.passed = self.passed.max(to);
    }

    /// Ends the prose, and passes the bytes up to `to`, which are between blocks. They have only definitions
    /// and the marks of blocks.
    fn pass_definitions(&mut self, to: usize) {
        /// The length of `[a]:b`.
        const SHORTEST: usize = 5;

        self.end_prose();
        if self.passed + SHORTEST <= to {
            destination::of_definitions(self.text.as_bytes(), self.passed..to, |url, escapes| {
                self.found.push(FoundLinks::at(link(), url, escapes));
            });
        }
        self.passed = self.passed.max(to);
    }

    fn begin_link(&mut self, kind: LinkType, place: Holder, destination: CowStr<'t>, range: Range<usize>) {
        let open = match kind {
            LinkType::Inline => {
                self.end_prose();
                if self.is_in_link(range.start, range.end) && range.end <= self.passed {
                    return self.open.push(OpenLink::Passed);
                }
                let text_start = range.start + if place == link() { 1 } else { 2 };
                self.pass_to(text_start);
                self.open_inline += 1;
                OpenLink::Inline(place, destination)
            }
            LinkType::Autolink | LinkType::Email => {
                let url = range.start + 1..range.end - 1;
                self.pass_to(url.end);
                self.found.push(match kind {
                    LinkType::Email => {
                        FoundLinks::made(place, url.start, format!("mailto:{}", &self.text[url]))
                    }
                    _ => autolink(place, self.text, url),
                });
                OpenLink::Autolink
            }
            _ => {
                self.extend(range.start, range.start);
                OpenLink::ByLabel
            }
        };
        self.open.push(open);
    }

    fn end_link(&mut self, range: Range<usize>) {
        match self.open.pop() {
            Some(OpenLink::Inline(place, destination)) => {
                self.end_prose();
                self.open_inline -= 1;
                // A broken link in the text can go on over the end of this link.
                let text_end = self.passed.min(range.end);
                self.take_destination(place, &destination, text_end..range.end);
                self.pass_to(range.end);
            }
            Some(OpenLink::Autolink) => self.pass_to(range.end),
            Some(OpenLink::ByLabel | OpenLink::Passed) | None => self.extend(range.start, range.end),
        }
    }

    /// Takes the destination of a link, which is in the range `within`.
    fn take_destination(&mut self, place: Holder, destination: &str, within: Range<usize>) {
        let start = within.start;
        self.found.push(match destination::of_link(self.text.as_bytes(), within, destination) {
            Some((url, escapes)) => FoundLinks::at(place, url, escapes),
            // The marks of a block (like `>`) are in the middle of the destination.
            None => FoundLinks::made(place, start, destination.to_owned()),
        });
    }

    fn end_html(&mut self) {
        let lines = mem::take(&mut self.html);
        let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return };
        let block = first.start..last.end;
        let bytes = &self.text.as_bytes()[block.clone()];
        // For HTML, the marks of blocks before the lines are white space.
        let gaps = lines.windows(2).map(|pair| pair[0].end..pair[1].start).filter(|gap| !gap.is_empty());
        let mut only_html = Cow::Borrowed(bytes);
        for gap in gaps {
            only_html.to_mut()[gap.start - block.start..gap.end - block.start].fill(b' ');
        }
        self.take_html(&only_html, block.start);
    }

    /// Takes the links of a tag in prose.
    fn take_inline_html(&mut self, html: &str, range: Range<usize>) {
        let bytes = &self.text.as_bytes()[range.clone()];
        if html.len() == bytes.len() {
            return self.take_html(bytes, range.start);
        }
        let mut tag = html.bytes().peekable();
        let only_html: Vec<_> =
            bytes.iter().map(|&byte| tag.next_if(|&next| next == byte).unwrap_or(b' ')).collect();
        self.take_html(&only_html, range.start);
    }

    /// Takes the links of HTML that starts at `base`.
    fn take_html(&mut self, html: &[u8], base: usize) {
        looked_at(html.len());
        let mut taker = HtmlLinks { html, base, found: &mut self.found };
        html::links(PageState::default(), html, 0, usize::MAX, true, &mut taker);
    }
}

/// Returns the autolink in these bytes. It has character references, but a backslash stands for itself
/// (CommonMark sections 2.5 and 6.5).
fn autolink(place: Holder, text: &str, url: Range<usize>) -> FoundLinks {
    let raw = &text[url.clone()];
    if !raw.contains('&') {
        return FoundLinks::at(place, url, Escapes::None);
    }
    if !raw.contains('\\') {
        return FoundLinks::at(place, url, Escapes::Markdown);
    }
    let mut made = Vec::new();
    for (number, part) in raw.split('\\').enumerate() {
        made.extend_from_slice(if number > 0 { b"\\" } else { b"" });
        Escapes::Markdown.write(part.as_bytes(), &mut made);
    }
    FoundLinks::made(place, url.start, String::from_utf8_lossy(&made).into_owned())
}

/// Returns true if a tag is a mark within a text.
fn is_inline(tag: TagEnd) -> bool {
    use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong};

    matches!(tag, Emphasis | Image | Link | Strikethrough | Strong)
}

/// Takes the links of HTML.
struct HtmlLinks<'h, 'f> {
    html: &'h [u8],
    base: usize,
    found: &'f mut Vec<FoundLinks>,
}

impl TakeLink for HtmlLinks<'_, '_> {
    fn link(&mut self, url: Range<usize>, escapes: Escapes, place: Holder) {
        let url = self.base + url.start..self.base + url.end;
        self.found.push(FoundLinks::at(place.made(self.html), url, escapes));
    }

    fn malformed(&mut self, at: usize, reason: Malformed) {
        self.found.push(FoundLinks { at: self.base + at, link: Link::Malformed(reason) });
    }
}
