//! Goes through a document, with quick-xml.
//!
//! The reader sees one chunk at a time, which starts at a tag anywhere in the document. So the walk keeps the open elements; the reader does not
//! know them.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::{BytesStart, Event};

use super::state::{Namespace, OpenElement, XmlState};
use super::vocabulary::{attribute_with_url, element_with_url};
use crate::corpus::format::kinds::html;
use crate::corpus::format::kinds::parsed::{DocumentState, REST};
use crate::corpus::format::lines::cutter::ChunkFacts;
use crate::corpus::format::lines::element::{Holder, Name};
use crate::corpus::format::lines::line::Malformed;
use crate::corpus::format::lines::same_length::same_length;
use crate::work::{looked_at, memmem, memrchr};

/// The maximal depth of elements.
const DEEPEST: usize = 1024;

/// The maximal number of pieces of a text that holds a URL.
const MOST_PIECES: usize = 64 << 10;

/// After each step of this number of bytes, the walk keeps the state in which a chunk may end.
const STEP: usize = 4096;

/// Takes the texts that hold URLs.
pub(super) trait Visit {
    /// Takes a URL in the value of an attribute.
    fn attribute(&mut self, _place: Holder, _url: Range<usize>) {}

    /// Takes the text of an element that holds a URL.
    fn text(&mut self, _element: &'static str, _contents: &[XmlToken]) {}

    fn malformed(&mut self, _at: usize, _reason: Malformed) {}
}

struct Nothing;

impl Visit for Nothing {}

/// A piece of an element's text, as a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum XmlToken {
    /// Text with references.
    Text(Range<usize>),
    Cdata(Range<usize>),
}

/// The root element of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    Sitemap,
    Feed,
    Other,
}

/// Returns the root element of a document that starts with `head`.
pub(super) fn root(head: &[u8]) -> Option<Root> {
    let text = same_length(head);
    let mut reader = reader(&text);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => {
                let mut state = XmlState::default();
                state.bind(&tag).ok()?;
                let name = tag.name();
                let (namespace, name) = state.resolve(name.as_ref().as_bytes(), true);
                return Some(match (namespace, name) {
                    (Namespace::Sitemap | Namespace::None, b"urlset" | b"sitemapindex") => Root::Sitemap,
                    (Namespace::Atom, b"feed") | (Namespace::None, b"rss" | b"opml" | b"feed") => Root::Feed,
                    (Namespace::Rdf, b"RDF")
                        if state.prefixes.iter().any(|(_, ns)| *ns == Namespace::Rss1) =>
                    {
                        Root::Feed
                    }
                    _ => Root::Other,
                });
            }
            Event::Text(text) if text.trim_ascii().is_empty() => {}
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            _ => return None,
        }
    }
}

impl ChunkFacts for XmlState {}

impl DocumentState for XmlState {
    fn border(&self, bytes: &[u8], start: usize, max_record: usize) -> (usize, Self) {
        border(self.clone(), bytes, start, max_record)
    }
}

/// See [`DocumentState::border`].
fn border(state: XmlState, bytes: &[u8], start: usize, max_record: usize) -> (usize, XmlState) {
    let column = state.column;
    let mut nothing = Nothing;
    let mut walk = MarkupWalk::new(state.clone(), bytes, max_record, false, &mut nothing);
    walk.kept = Some((start, state));
    let end = walk.pass(start);
    let is_over = walk.state.is_broken || walk.state.long.is_some();
    let (end, mut state) = match walk.kept {
        Some(kept) if !is_over => kept,
        _ => (end, walk.state),
    };
    if end > start {
        state.column = match memrchr(b'\n', &bytes[..end]) {
            Some(line_end) => (end - line_end - 1) as u64,
            None => column + end as u64,
        };
    }
    (end, state)
}

/// Returns the start of the first tag at or after `end` at which a chunk may end.
pub(super) fn whole_element(state: XmlState, bytes: &[u8], start: usize, end: usize) -> usize {
    let mut nothing = Nothing;
    let mut walk = MarkupWalk::new(state.clone(), bytes, usize::MAX, false, &mut nothing);
    (walk.kept, walk.next_kept) = (Some((start, state)), end);
    walk.step = usize::MAX;
    walk.pass(start);
    walk.kept.map(|(at, _)| at).filter(|&at| at >= end).unwrap_or(bytes.len())
}

/// Goes through a chunk that starts in this state.
pub(super) fn walk(
    state: XmlState,
    bytes: &[u8],
    start: usize,
    max_record: usize,
    is_last: bool,
    visit: &mut impl Visit,
) {
    MarkupWalk::new(state, bytes, max_record, is_last, visit).pass(start);
}

fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

/// The text of an element that holds a URL.
struct Contents {
    element: &'static str,
    start: usize,
    pieces: Vec<XmlToken>,
}

struct MarkupWalk<'w, V> {
    state: XmlState,
    bytes: &'w [u8],
    max_record: usize,
    is_last: bool,
    visit: &'w mut V,
    contents: Option<Contents>,
    /// The last place so far where a chunk may end, and the state there. `None` if the walk does not search such a place.
    kept: Option<(usize, XmlState)>,
    next_kept: usize,
    step: usize,
}

impl<'w, V: Visit> MarkupWalk<'w, V> {
    fn new(state: XmlState, bytes: &'w [u8], max_record: usize, is_last: bool, visit: &'w mut V) -> Self {
        MarkupWalk {
            state,
            bytes,
            max_record,
            is_last,
            visit,
            contents: None,
            kept: None,
            next_kept: 0,
            step: STEP,
        }
    }

    /// Goes through the bytes. Returns the first byte that is needed again, if the markup there is over the limit.
    fn pass(&mut self, start: usize) -> usize {
        let mut start = start;
        self.next_kept = self.next_kept.max(start + 1);
        if let Some(end) = self.state.long {
            let rest = &self.bytes[start..];
            looked_at(rest.len());
            match memmem::find(rest, end) {
                Some(at) => start += at + if end == b"<" { 0 } else { end.len() },
                // The last bytes may be a part of the markup's end.
                None => return start.max(self.bytes.len().saturating_sub(end.len() - 1)),
            }
            self.state.long = None;
        }
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        // The reader would drop the mark and count from there.
        while self.bytes[start..].starts_with(MARK) {
            start += MARK.len();
        }
        if self.state.is_broken {
            return self.bytes.len();
        }
        let text = same_length(&self.bytes[start..]);
        let mut reader = reader(&text);
        looked_at(text.len());
        let mut text_start = None;
        loop {
            let at = start + reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = start + reader.buffer_position() as usize;
            self.keep(at);
            text_start = match event {
                Ok(Event::Text(_) | Event::GeneralRef(_)) => text_start.or(Some(at)),
                Ok(Event::Eof) => text_start,
                _ => None,
            };
            let taken = match event {
                Ok(Event::Eof) if self.is_last => {
                    if !self.state.open.is_empty() {
                        self.visit.malformed(self.bytes.len(), Malformed::Unended);
                    }
                    return self.bytes.len();
                }
                Ok(Event::Eof) => {
                    self.end_in_token(text_start.unwrap_or(self.bytes.len()), true);
                    return self.bytes.len();
                }
                Ok(event) => self.take(event, at..end, start, &text),
                Err(Error::Syntax(error)) if !matches!(error, SyntaxError::InvalidBangMarkup) => {
                    if self.is_last {
                        self.visit.malformed(at, Malformed::Unended);
                    } else {
                        self.end_in_token(at, false);
                    }
                    return self.bytes.len();
                }
                Err(_) if !self.is_last && self.bytes.len() - at < REST && self.kept.is_some() => {
                    // More bytes can change its meaning.
                    return self.bytes.len();
                }
                Err(_) => Err((at, Malformed::NotXml)),
            };
            if let Err((at, reason)) = taken {
                self.visit.malformed(at, reason);
                self.state.is_broken = true;
                return self.bytes.len();
            }
        }
    }

    /// Handles a token that starts at `at` and does not end in these bytes; others follow. If it is over the limit, it is skipped.
    fn end_in_token(&mut self, at: usize, is_text: bool) {
        const ENDS: [(&[u8], &[u8]); 3] = [(b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")];

        let is_long = match &self.contents {
            Some(contents) => self.bytes.len() - contents.start > self.max_record.saturating_add(REST),
            None => self.bytes.len() - at > self.max_record.saturating_add(REST),
        };
        if !is_long {
            return;
        }
        let rest = &self.bytes[at..];
        let end = ENDS.iter().find(|(opening, _)| !is_text && rest.starts_with(opening)).map(|(_, end)| *end);
        self.state.long = end.or(is_text.then_some(b"<"));
        self.state.is_broken = self.state.long.is_none();
        match self.contents.take() {
            Some(contents) => self.visit.malformed(contents.start, Malformed::TooLong),
            // After it, the open elements are not known.
            None if self.state.is_broken => self.visit.malformed(at, Malformed::TooLong),
            None => {}
        }
    }

    /// Keeps the state before a tag, if the walk searches a place to cut at.
    fn keep(&mut self, at: usize) {
        let may_end = self.contents.is_none() && at >= self.next_kept && self.bytes.get(at) == Some(&b'<');
        if may_end && self.kept.is_some() {
            self.kept = Some((at, self.state.clone()));
            self.next_kept = at.saturating_add(self.step);
        }
    }

    /// Takes an event. The reader reads `text`, which starts at `base`.
    fn take(
        &mut self,
        event: Event<'_>,
        range: Range<usize>,
        base: usize,
        text: &str,
    ) -> Result<(), (usize, Malformed)> {
        if let Some(contents) = &self.contents
            && (range.end - contents.start > self.max_record || contents.pieces.len() >= MOST_PIECES)
            && !matches!(event, Event::End(_))
        {
            self.visit.malformed(contents.start, Malformed::TooLong);
            self.contents = None;
        }
        match event {
            Event::Start(tag) => {
                self.contents = None;
                let broken = |reason| (range.start, reason);
                self.begin(&tag, range.clone(), base, text).map_err(broken)
            }
            Event::Empty(tag) => {
                self.contents = None;
                let broken = |reason| (range.start, reason);
                self.begin(&tag, range.clone(), base, text).map_err(broken)?;
                self.state.close();
                if let Some(contents) = self.contents.take() {
                    self.visit.text(contents.element, &[XmlToken::Text(range.end..range.end)]);
                }
                Ok(())
            }
            Event::End(tag) => {
                let contents = self.contents.take();
                if self.state.last_name() != Some(tag.name().as_ref().as_bytes()) {
                    return Err((range.start, Malformed::NotXml));
                }
                self.state.close();
                match contents {
                    Some(contents) if range.start - contents.start > self.max_record => {
                        self.visit.malformed(contents.start, Malformed::TooLong);
                    }
                    Some(mut contents) => {
                        if contents.pieces.is_empty() {
                            contents.pieces.push(XmlToken::Text(range.start..range.start));
                        }
                        self.visit.text(contents.element, &contents.pieces);
                    }
                    None => {}
                }
                Ok(())
            }
            Event::Text(_) | Event::GeneralRef(_) if self.state.open.is_empty() => {
                let rest = &self.bytes[range.clone()];
                let blank = rest.len() - rest.trim_ascii_start().len();
                looked_at(rest.len());
                if blank == rest.len() { Ok(()) } else { Err((range.start + blank, Malformed::NotXml)) }
            }
            Event::Text(_) | Event::GeneralRef(_) => {
                match self.contents.as_mut().map(|contents| &mut contents.pieces) {
                    None => {}
                    Some(pieces) => match pieces.last_mut() {
                        Some(XmlToken::Text(piece)) if piece.end == range.start => piece.end = range.end,
                        _ => pieces.push(XmlToken::Text(range)),
                    },
                }
                Ok(())
            }
            Event::CData(_) => {
                if let Some(contents) = &mut self.contents {
                    contents.pieces.push(XmlToken::Cdata(range.start + 9..range.end - 3));
                }
                Ok(())
            }
            Event::Comment(_) | Event::PI(_) | Event::Decl(_) | Event::DocType(_) | Event::Eof => Ok(()),
        }
    }

    /// Opens an element, and takes the URLs of its attributes.
    fn begin(
        &mut self,
        tag: &BytesStart<'_>,
        range: Range<usize>,
        base: usize,
        text: &str,
    ) -> Result<(), Malformed> {
        if self.state.open.len() == DEEPEST {
            return Err(Malformed::TooDeep);
        }
        let (full_name, before) = (tag.name(), self.state.prefixes.len());
        let has_attributes = tag.len() > full_name.as_ref().len();
        if has_attributes {
            self.state.bind(tag)?;
        }
        let full_name = full_name.as_ref().as_bytes();
        let (namespace, name) = self.state.resolve(full_name, true);
        let mut is_link = true;
        if has_attributes {
            let name_start = range.start + 1;
            let at = |part: &str| base + (part.as_ptr() as usize - text.as_ptr() as usize);
            for attribute in tag.attributes().with_checks(false) {
                let attribute = attribute.map_err(|_| Malformed::NotXml)?;
                let key = self.state.resolve(attribute.key.as_ref().as_bytes(), false);
                let value_start = at(&attribute.value);
                let value = value_start..value_start + attribute.value.len();
                if key.1 == b"isPermaLink" && attribute.value.trim() == "false" {
                    is_link = false;
                }
                let element = || Name::At(name_start as u32..(name_start + full_name.len()) as u32);
                if let Some((known, attribute)) = attribute_with_url((namespace, name), key) {
                    let element = known.map_or_else(element, Name::Known);
                    self.visit.attribute(Holder { element, attribute: Some(Name::Known(attribute)) }, value);
                } else if namespace == Namespace::Xhtml
                    && key.0 == Namespace::None
                    && !(name.iter().chain(key.1).any(u8::is_ascii_uppercase))
                {
                    let visit = &mut *self.visit;
                    html::urls_of(name, key.1, &self.bytes[value], |attribute, url| {
                        let url = value_start + url.start..value_start + url.end;
                        let attribute = Some(Name::Known(attribute));
                        visit.attribute(Holder { element: element(), attribute }, url);
                    });
                }
            }
        }
        if let Some(element) = element_with_url(namespace, name).filter(|_| is_link) {
            self.contents = Some(Contents { element, start: range.end, pieces: Vec::new() });
        }
        self.state.names.extend_from_slice(full_name);
        self.state.open.push(OpenElement { name_len: full_name.len(), prefixes: before });
        Ok(())
    }
}

impl XmlState {
    fn last_name(&self) -> Option<&[u8]> {
        let last = self.open.last()?;
        Some(&self.names[self.names.len() - last.name_len..])
    }

    fn close(&mut self) {
        if let Some(OpenElement { name_len, prefixes }) = self.open.pop() {
            self.names.truncate(self.names.len() - name_len);
            self.prefixes.truncate(prefixes);
        }
    }

    /// Takes the namespaces that a tag declares. Only the few with URLs count, and declarations that hide one of these.
    fn bind(&mut self, tag: &BytesStart<'_>) -> Result<(), Malformed> {
        let mut tag = tag.attributes();
        for attribute in tag.with_checks(false) {
            let attribute = attribute.map_err(|_| Malformed::NotXml)?;
            let prefix = match attribute.key.as_ref().as_bytes() {
                b"xmlns" => &b""[..],
                key => match key.strip_prefix(b"xmlns:") {
                    Some(prefix) => prefix,
                    None => continue,
                },
            };
            let namespace = Namespace::of(attribute.value.trim_ascii().as_bytes());
            if self.prefix(prefix) != Some(namespace) {
                let matters =
                    namespace != Namespace::Other || prefix.is_empty() || self.prefix(prefix).is_some();
                if matters {
                    if self.prefixes.len() == DEEPEST {
                        return Err(Malformed::TooDeep);
                    }
                    self.prefixes.push((prefix.into(), namespace));
                }
            }
        }
        Ok(())
    }

    fn prefix(&self, prefix: &[u8]) -> Option<Namespace> {
        self.prefixes.iter().rev().find(|(known, _)| **known == *prefix).map(|&(_, namespace)| namespace)
    }

    /// Returns the namespace of a name, and the name without its prefix. An attribute without a prefix has no namespace.
    fn resolve<'n>(&self, name: &'n [u8], is_element: bool) -> (Namespace, &'n [u8]) {
        match name.iter().position(|&byte| byte == b':') {
            Some(colon) if &name[..colon] == b"xml" => (Namespace::Xml, &name[colon + 1..]),
            Some(colon) => (self.prefix(&name[..colon]).unwrap_or(Namespace::Other), &name[colon + 1..]),
            None if is_element => (self.prefix(b"").unwrap_or(Namespace::None), name),
            None => (Namespace::None, name),
        }
    }
}
