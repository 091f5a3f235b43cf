//! Divides the bytes of a document into tags, text, comments and other markup, and checks that they are
//! well-formed (XML 1.0).
//!
//! A walk goes through the bytes of a chunk once. It stops before markup that the bytes cut, and the next
//! chunk starts there. Comments, CDATA sections and processing instructions can be cut at any byte, so their
//! length does not matter. A tag, a document type, and the text of an element that holds a URL are not cut.
//!
//! After most faults the walk goes on, so that each one is reported. After a fault in a tag, an end tag that
//! does not match, or text outside of the root element, the open elements are not known: the rest of the
//! document is not read.

use std::ops::Range;
use std::sync::Arc;

use super::attributes::{Attribute, AttributeFacts};
use super::declaration::{self, Declaration};
use super::doctype::{self, Fault};
use super::elements::ElementFacts;
use super::entities::{DefaultBinding, Reference, Referent, reference};
use super::events::{Event, Piece, Visit};
use super::marks::MarkedDocument;
use super::names::{first_bad, is_space};
use super::recent_names::{RecentNames, Slot};
use super::short_name::ShortName;
use super::state::{Inside, Place, XmlState};
use crate::corpus::format::lines::line::Malformed;
use crate::work::{looked_at, memchr, memmem, memrchr, position};

/// The number of bytes that a tag, a document type or the text of a URL may have in addition to the longest
/// record.
const REST: usize = 64 << 10;

/// The maximal depth of elements.
pub(super) const DEEPEST: usize = 1024;

/// The reason why a walk ends, or interrupts its way.
pub(super) enum Stop {
    /// The bytes end in markup or a reference that starts at this byte.
    Cut(usize),
    /// The document is broken: the fault is at this byte.
    Broken(usize, Malformed),
    /// The walk has reached the byte where it should end.
    At(usize),
}

/// The byte after the markup that was passed.
pub(super) type Passed = Result<usize, Stop>;

/// A walk through the bytes of a chunk.
pub(super) struct Walk<'w, V> {
    pub(super) state: &'w mut XmlState,
    pub(super) bytes: &'w [u8],
    pub(super) marked: MarkedDocument<'w>,
    pub(super) max_record: usize,
    /// Whether the document ends with the bytes.
    pub(super) is_last: bool,
    pub(super) visit: &'w mut V,
    /// The walk ends at the first place at or after this byte where a chunk may end.
    pub(super) end_at: usize,
    /// Whether the walk ends after the start tag of the root element.
    pub(super) ends_at_root: bool,
    /// Whether no tag goes the short way.
    #[cfg(test)]
    pub(super) skips_usual: bool,
    /// The attributes of the tag.
    pub(super) attributes: Vec<Attribute>,
    /// The text of the element that was opened.
    pub(super) pieces: Vec<Piece>,
    /// The malformed places in the tag and the text, until it is known that the bytes do not cut them.
    pub(super) faults: Vec<(usize, Malformed)>,
    pub(super) recent: RecentNames<ElementFacts>,
    /// The attributes that tags had lately. Each is kept for the number of its element's name.
    pub(super) recent_attributes: RecentNames<AttributeFacts>,
    /// The attributes of a usual tag that hold URLs, with their slots.
    pub(super) given: Vec<(Slot, Attribute)>,
}

impl<'w, V: Visit> Walk<'w, V> {
    pub(super) fn new(
        state: &'w mut XmlState,
        bytes: &'w [u8],
        max_record: usize,
        is_last: bool,
        visit: &'w mut V,
    ) -> Self {
        Walk {
            state,
            bytes,
            marked: MarkedDocument::new(bytes),
            max_record,
            is_last,
            visit,
            end_at: usize::MAX,
            ends_at_root: false,
            #[cfg(test)]
            skips_usual: false,
            attributes: Vec::new(),
            pieces: Vec::new(),
            faults: Vec::new(),
            recent: RecentNames::default(),
            recent_attributes: RecentNames::default(),
            given: Vec::new(),
        }
    }

    /// Goes through the bytes from `start` on. Returns the first byte that the next walk needs again, before
    /// which a chunk may end.
    pub(super) fn pass(&mut self, start: usize) -> usize {
        if self.state.is_broken {
            return self.bytes.len();
        }
        let mut at = start;
        loop {
            let stop = match self.pass_some(at) {
                Ok(next) => {
                    at = next;
                    continue;
                }
                Err(stop) => stop,
            };
            let (at, reason) = match stop {
                Stop::At(at) => return at,
                Stop::Broken(at, reason) => (at, reason),
                Stop::Cut(at) if self.is_last => {
                    let is_whole = at == self.bytes.len()
                        && self.state.inside.is_none()
                        && self.state.place == Place::Epilog;
                    if is_whole {
                        return at;
                    }
                    (at, Malformed::Unended)
                }
                Stop::Cut(at) if self.bytes.len() - at > self.longest() => (at, Malformed::TooLong),
                Stop::Cut(at) => return at,
            };
            self.visit.take(Event::Malformed(at, reason));
            self.visit.take(Event::Broken(at));
            self.state.is_broken = true;
            return self.bytes.len();
        }
    }

    /// Returns the maximal length of markup that cannot be cut.
    pub(super) fn longest(&self) -> usize {
        self.max_record.saturating_add(REST)
    }

    /// Reports a fault after which the walk goes on.
    pub(super) fn fault(&mut self, at: usize, reason: Malformed) {
        self.visit.take(Event::Malformed(at, reason));
    }

    /// Passes markup and the text before it.
    fn pass_some(&mut self, at: usize) -> Passed {
        match self.state.inside {
            Some(inside) => self.pass_inside(at, inside),
            None if self.state.place == Place::Content => self.pass_content(at),
            None => self.pass_outside(at),
        }
    }

    /// Passes text and markup in the root element.
    #[inline]
    fn pass_content(&mut self, mut at: usize) -> Passed {
        loop {
            let Some(mark) = self.marked.content(at) else { return Err(Stop::Cut(self.end_of_text(at))) };
            match self.bytes[mark] {
                b'<' => {
                    if mark >= self.end_at {
                        return Err(Stop::At(mark));
                    }
                    if let Some(next) = self.pass_usual(mark) {
                        at = next;
                        continue;
                    }
                    at = self.pass_markup(mark)?;
                    if self.state.inside.is_some() || self.state.place != Place::Content {
                        return Ok(at);
                    }
                }
                b'&' => match self.reference(mark, false)? {
                    Some(next) => at = next,
                    None => {
                        self.fault(mark, Malformed::BadReference);
                        at = mark + 1;
                    }
                },
                _ => at = self.pass_bracket(mark, Self::fault)?,
            }
        }
    }

    /// Returns the end of the text from `at` on that the next bytes cannot change. The bytes end in the text.
    fn end_of_text(&self, at: usize) -> usize {
        let end = self.bytes.len();
        if self.is_last {
            return end;
        }
        // A character of several bytes can be cut.
        let start = end.saturating_sub(3).max(at);
        let last = self.bytes[start..].iter().rposition(|&byte| byte >= 0xC0);
        match last.map(|last| start + last) {
            Some(last)
                if str::from_utf8(&self.bytes[last..]).is_err_and(|error| error.error_len().is_none()) =>
            {
                last
            }
            _ => end,
        }
    }

    /// Passes a `]` of text. The text must not have `]]>`.
    fn pass_bracket(&mut self, at: usize, fault: impl Fn(&mut Self, usize, Malformed)) -> Passed {
        match self.bytes.get(at..at + 3) {
            Some(b"]]>") => fault(self, at, Malformed::IllFormed),
            Some(_) => {}
            None if self.is_last || !b"]]>".starts_with(&self.bytes[at..]) => {}
            None => return Err(Stop::Cut(at)),
        }
        Ok(at + 1)
    }

    /// Returns the place after the reference at `at`, or `None` if it is none.
    pub(super) fn reference(&self, at: usize, is_in_value: bool) -> Result<Option<usize>, Stop> {
        /// No declared entities.
        static NONE: std::sync::LazyLock<super::entities::Entities> =
            std::sync::LazyLock::new(Default::default);

        let rest = &self.bytes[at..];
        let entities = self.state.entities.as_deref().unwrap_or(&NONE);
        match reference(rest, Some(entities), self.is_last) {
            Reference::Whole(_, Referent::Unread { is_for_values: false }) if is_in_value => Ok(None),
            Reference::Whole(len, _) => Ok(Some(at + len)),
            Reference::Bad => Ok(None),
            Reference::Cut => Err(Stop::Cut(at)),
        }
    }

    /// Passes white space and markup before or after the root element.
    fn pass_outside(&mut self, at: usize) -> Passed {
        let spaces = position(&self.bytes[at..], |&byte| !is_space(byte));
        let Some(next) = spaces.map(|spaces| at + spaces) else { return Err(Stop::Cut(self.bytes.len())) };
        if next >= self.end_at {
            return Err(Stop::At(next));
        }
        if next > at && self.state.place == Place::Start {
            self.state.place = Place::Prolog;
        }
        if self.bytes[next] != b'<' {
            return Err(Stop::Broken(next, Malformed::NotXml));
        }
        self.pass_markup(next)
    }

    /// Passes the markup that starts at `start`.
    #[inline]
    fn pass_markup(&mut self, start: usize) -> Passed {
        looked_at(2);
        match self.bytes.get(start + 1).ok_or(Stop::Cut(start))? {
            b'/' => self.pass_end_tag(start),
            b'!' => self.pass_declaration(start),
            b'?' => self.pass_instruction(start),
            _ => self.pass_start_tag(start),
        }
    }

    #[inline]
    fn pass_end_tag(&mut self, start: usize) -> Passed {
        let broken = || Err(Stop::Broken(start, Malformed::NotXml));
        let Some(open) = self.state.open.last() else { return broken() };
        let name_len = open.name_len as usize;
        let name = start + 2;
        let mut at = name + name_len;
        looked_at(name_len);
        if at > self.bytes.len() {
            let is_cut = match open.name {
                Some(short) => short.bytes(name_len).starts_with(&self.bytes[name..]),
                None => self.last_long_name(name_len).starts_with(&self.bytes[name..]),
            };
            return if is_cut { Err(Stop::Cut(start)) } else { broken() };
        }
        let is_same = match open.name {
            Some(short) => ShortName::of(self.bytes, name..at) == Some(short),
            None => self.bytes[name..at] == *self.last_long_name(name_len),
        };
        if !is_same {
            return broken();
        }
        while is_space(*self.bytes.get(at).ok_or(Stop::Cut(start))?) {
            at += 1;
        }
        looked_at(at - start);
        if self.bytes[at] != b'>' {
            return broken();
        }
        if at - start > self.longest() {
            return Err(Stop::Broken(start, Malformed::TooLong));
        }
        self.close();
        Ok(at + 1)
    }

    /// Returns the name of the innermost open element, which is not short and has this length.
    fn last_long_name(&self, len: usize) -> &[u8] {
        &self.state.names[self.state.names.len() - len..]
    }

    /// Passes markup that starts with `<!`.
    fn pass_declaration(&mut self, start: usize) -> Passed {
        if self.state.place == Place::Content && self.starts_with(start, CDATA_START)? {
            let content = start + CDATA_START.len();
            return match end_of_cdata(&self.bytes[content..]) {
                Some(len) => Ok(content + len + CDATA_END.len()),
                None => self.go_on(content, Inside::Cdata),
            };
        }
        if self.starts_with(start, b"<!--")? {
            return self.go_on(start + 4, Inside::Comment { is_after_dash: false });
        }
        if !self.starts_with(start, doctype::WORD)? {
            return Err(Stop::Broken(start, Malformed::NotXml));
        }
        let is_late =
            !matches!(self.state.place, Place::Start | Place::Prolog) || self.state.entities.is_some();
        let (end, entities) = match doctype::parse(self.bytes, start, self.state.is_standalone) {
            Ok(parsed) => parsed,
            Err(Fault::Cut) => return Err(Stop::Cut(start)),
            Err(Fault::At(at)) => return Err(Stop::Broken(at, Malformed::NotXml)),
        };
        if end - start > self.longest() {
            return Err(Stop::Broken(start, Malformed::TooLong));
        }
        if is_late {
            self.fault(start, Malformed::LateDeclaration);
            return Ok(end);
        }
        for DefaultBinding { prefix, uri } in &entities.bindings {
            let bound = self.state.namespaces.bind(prefix, uri);
            bound.map_err(|reason| Stop::Broken(start, reason))?;
        }
        let entities = Arc::new(entities);
        self.visit.take(Event::Entities(&entities));
        self.state.entities = Some(entities);
        self.state.place = Place::Prolog;
        Ok(end)
    }

    /// Passes markup that starts with `<?`: the XML declaration, or a processing instruction.
    fn pass_instruction(&mut self, start: usize) -> Passed {
        let name = start + 2;
        let Some(end) = self.marked.end_of_name(name) else { return Err(Stop::Cut(start)) };
        looked_at(end - start);
        let target = &self.bytes[name..end];
        let after = self.bytes[end];
        if let Some(bad) = first_bad(target, !self.state.has_other_charset) {
            return Err(Stop::Broken(name + bad, Malformed::NotXml));
        }
        if self.state.place == Place::Start && declaration::starts(&self.bytes[start..]) {
            let Some(declaration) = Declaration::parse(&self.bytes[start..]) else {
                return Err(Stop::Cut(start));
            };
            self.state.has_other_charset = declaration.has_other_charset();
            self.state.is_standalone = declaration.is_standalone;
            self.state.place = Place::Prolog;
            if let Some(at) = declaration.fault {
                self.fault(start + at, Malformed::IllFormed);
            }
            return Ok(start + declaration.len);
        }
        if after == b'?' {
            // The name ends with the instruction.
            if *self.bytes.get(end + 1).ok_or(Stop::Cut(start))? != b'>' {
                return Err(Stop::Broken(end, Malformed::NotXml));
            }
        } else if !is_space(after) {
            return Err(Stop::Broken(end, Malformed::NotXml));
        }
        if target.eq_ignore_ascii_case(b"xml") {
            self.fault(start, Malformed::LateDeclaration);
        } else if target.contains(&b':') {
            self.fault(name, Malformed::IllFormed);
        }
        self.go_on(end, Inside::Instruction)
    }

    fn go_on(&mut self, at: usize, inside: Inside) -> Passed {
        if self.state.place == Place::Start {
            self.state.place = Place::Prolog;
        }
        self.state.inside = Some(inside);
        Ok(at)
    }

    /// Passes a comment, a CDATA section or a processing instruction.
    fn pass_inside(&mut self, at: usize, inside: Inside) -> Passed {
        let rest = &self.bytes[at..];
        let (found, len) = match inside {
            Inside::Comment { is_after_dash } => return self.pass_comment(at, is_after_dash),
            Inside::Cdata => (end_of_cdata(rest), CDATA_END.len()),
            Inside::Instruction => (memmem::find(rest, b"?>"), 2),
        };
        match found {
            Some(found) => self.leave(at + found + len),
            // The last bytes may be a part of its end.
            None => {
                self.cut_inside(self.end_of_text(at).min((self.bytes.len() + 1).saturating_sub(len).max(at)))
            }
        }
    }

    /// Passes a comment, which must not have two dashes before its end.
    fn pass_comment(&mut self, start: usize, is_after_dash: bool) -> Passed {
        let bytes = self.bytes;
        let is_after = |at: usize| if at > start { bytes[at - 1] == b'-' } else { is_after_dash };
        let mut at = start;
        loop {
            let Some(found) = memmem::find(&bytes[at..], b"--") else {
                let to = self.end_of_text(at) - usize::from(bytes[at..].ends_with(b"-"));
                self.state.inside = Some(Inside::Comment { is_after_dash: is_after(to) });
                return self.cut_inside(to);
            };
            let dashes = at + found;
            match bytes.get(dashes + 2) {
                Some(b'>') => return self.leave(dashes + 3),
                Some(_) => {
                    if !is_after(dashes) {
                        self.fault(dashes, Malformed::IllFormed);
                    }
                    at = dashes + 1;
                }
                None => {
                    self.state.inside = Some(Inside::Comment { is_after_dash: is_after(dashes) });
                    return self.cut_inside(dashes);
                }
            }
        }
    }

    /// Ends the walk in markup that can be cut.
    fn cut_inside(&mut self, at: usize) -> Passed {
        if self.is_last { Err(Stop::Cut(self.bytes.len())) } else { Err(Stop::At(at)) }
    }

    fn leave(&mut self, at: usize) -> Passed {
        self.state.inside = None;
        Ok(at)
    }

    /// Returns whether the bytes from `at` on start with a word. They may be cut within it.
    #[inline]
    fn starts_with<const LEN: usize>(&self, at: usize, word: &[u8; LEN]) -> Result<bool, Stop> {
        let rest = &self.bytes[at..];
        looked_at(rest.len().min(LEN));
        match rest.first_chunk() {
            Some(first) => Ok(first == word),
            None if word.starts_with(rest) => Err(Stop::Cut(at)),
            None => Ok(false),
        }
    }

    /// Finds the text from `at` on up to the next tag, in [`pieces`](Self::pieces). Returns the place of that
    /// tag. `None` if the bytes end in the text.
    pub(super) fn find_text(&mut self, start: usize) -> Option<usize> {
        self.pieces.clear();
        let (mut at, mut piece) = (start, start);
        let mut has_references = false;
        loop {
            let mark = self.marked.content(at)?;
            match self.bytes[mark] {
                b'<' => {
                    if mark > piece {
                        let text = piece..mark;
                        let is_verbatim = !std::mem::take(&mut has_references);
                        self.pieces.push(if is_verbatim { Piece::Verbatim(text) } else { Piece::Text(text) });
                    }
                    let markup = self.other_markup(mark)?;
                    let Some((end, content)) = markup else { return Some(mark) };
                    if let Some(content) = content {
                        self.pieces.push(Piece::Cdata(content));
                    }
                    (at, piece) = (end, end);
                }
                b'&' => {
                    has_references = true;
                    at = match self.reference(mark, false).ok()? {
                        Some(next) => next,
                        None => {
                            self.faults.push((mark, Malformed::BadReference));
                            mark + 1
                        }
                    };
                }
                _ => {
                    let keep = |walk: &mut Self, at, reason| walk.faults.push((at, reason));
                    at = self.pass_bracket(mark, keep).ok()?;
                }
            }
        }
    }

    /// Returns the end of the comment, CDATA section or processing instruction at `at`, with the content of a
    /// CDATA section. The outer value is `None` if the bytes end in it. The inner one is `None` if other
    /// markup is there.
    fn other_markup(&mut self, at: usize) -> Option<Option<(usize, Option<Range<usize>>)>> {
        let rest = &self.bytes[at..];
        match rest.get(1)? {
            b'!' if self.starts_with(at, CDATA_START).ok()? => {
                let content = at + CDATA_START.len();
                let end = content + end_of_cdata(&self.bytes[content..])?;
                Some(Some((end + CDATA_END.len(), Some(content..end))))
            }
            b'!' if self.starts_with(at, b"<!--").ok()? => {
                let start = at + 4;
                let mut from = start;
                loop {
                    let dashes = from + memmem::find(&self.bytes[from..], b"--")?;
                    if *self.bytes.get(dashes + 2)? == b'>' {
                        return Some(Some((dashes + 3, None)));
                    }
                    if dashes == start || self.bytes[dashes - 1] != b'-' {
                        self.faults.push((dashes, Malformed::IllFormed));
                    }
                    from = dashes + 1;
                }
            }
            b'?' => {
                let name = at + 2;
                let end = self.marked.end_of_name(name)?;
                let target = &self.bytes[name..end];
                let is_sound = first_bad(target, !self.state.has_other_charset).is_none()
                    && !target.eq_ignore_ascii_case(b"xml")
                    && !target.contains(&b':')
                    && (is_space(self.bytes[end]) || self.bytes[end..].starts_with(b"?>"));
                // The usual way reports a fault.
                if !is_sound {
                    return Some(None);
                }
                let len = memmem::find(&self.bytes[end..], b"?>")?;
                Some(Some((end + len + 2, None)))
            }
            _ => Some(None),
        }
    }

    /// Closes the last open element.
    #[inline]
    pub(super) fn close(&mut self) {
        let state = &mut *self.state;
        let Some(open) = state.open.pop() else { return };
        if open.name.is_none() {
            state.names.truncate(state.names.len() - open.name_len as usize);
        }
        state.namespaces.go_back(open.bindings);
        if open.has_base {
            state.bases.pop();
            self.visit.take(Event::Base(state.bases.last()));
        }
        if state.open.is_empty() {
            state.place = Place::Epilog;
        }
    }
}

/// The start and the end of a CDATA section.
const CDATA_START: &[u8; 9] = b"<![CDATA[";
const CDATA_END: &[u8; 3] = b"]]>";

/// Returns the place of the end of a CDATA section. A section of HTML has few `]`, and a search for all three
/// bytes takes long to prepare.
fn end_of_cdata(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b']', &bytes[at..])?;
        if bytes[at..].starts_with(CDATA_END) {
            return Some(at);
        }
        at += 1;
    }
}

impl XmlState {
    /// Returns the last place where a chunk with these bytes from `start` on may end. Changes the state to
    /// the one there. If the place is `start`, markup needs more bytes.
    pub(super) fn border(
        &mut self,
        bytes: &[u8],
        start: usize,
        max_record: usize,
        visit: &mut impl Visit,
    ) -> usize {
        let end = Walk::new(self, bytes, max_record, false, visit).pass(start);
        if end > start {
            self.column = match memrchr(b'\n', &bytes[..end]) {
                Some(line_end) => (end - line_end - 1) as u64,
                None => self.column + end as u64,
            };
        }
        end
    }
}
