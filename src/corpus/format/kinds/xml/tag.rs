//! Start tags: their attributes, their namespaces, and the URLs in them and after them.

use std::ops::Range;
use std::sync::Arc;

use super::attributes::{self, Attribute, AttributeFacts, AttributeUse};
use super::bases;
use super::elements::ElementFacts;
use super::events::{Event, Piece, ValueHolds, Visit};
use super::names::{first_bad, is_space};
use super::namespaces::{Namespace, Resolved};
use super::short_name::ShortName;
use super::state::{OpenElement, Place, Root};
use super::tokens::{DEEPEST, Passed, Stop, Walk};
use super::vocabulary::{self, AttributeUrl, Holds, Presence, TextUrl};
use crate::corpus::format::lines::element::Name;
use crate::corpus::format::lines::line::Malformed;
use crate::work::looked_at;

/// The most attributes of a tag. All of them are in memory, so that none occurs twice.
const MOST_ATTRIBUTES: usize = 1 << 16;

/// The name of an attribute with a prefix.
struct Qualified<'n> {
    /// Tells namespaces apart.
    key: u64,
    local: &'n [u8],
    at: usize,
    name: &'n [u8],
}

/// The end of a tag.
struct TagEnd {
    /// The place after its `>`.
    at: usize,
    is_empty: bool,
}

impl<V: Visit> Walk<'_, V> {
    /// Passes the start tag at `start`; of an element whose text is a URL also that text.
    #[inline]
    pub(super) fn pass_start_tag(&mut self, start: usize) -> Passed {
        let name_start = start + 1;
        let end = self.marked.end_of_name(name_start).ok_or(Stop::Cut(start))?;
        let name = name_start..end;
        looked_at(name.len());
        let short = ShortName::of(self.bytes, name.clone());
        if let Some(bad) = first_bad(&self.bytes[name.clone()], !self.state.has_other_charset) {
            return Err(Stop::Broken(if bad == 0 { start } else { name.start + bad }, Malformed::NotXml));
        }
        if self.state.place == Place::Epilog {
            return Err(Stop::Broken(start, Malformed::NotXml));
        }
        let tag_end = if self.bytes[end] == b'>' {
            self.attributes.clear();
            self.faults.clear();
            TagEnd { at: end + 1, is_empty: false }
        } else {
            self.pass_attributes(start, end)?
        };
        if tag_end.at - start > self.longest() {
            return Err(Stop::Broken(start, Malformed::TooLong));
        }
        if self.state.open.len() == DEEPEST {
            return Err(Stop::Broken(start, Malformed::TooDeep));
        }
        let bindings = self.state.namespaces.mark();
        if !self.attributes.is_empty() {
            self.bind().map_err(|reason| Stop::Broken(start, reason))?;
        }
        let (facts, number) = self.recent.get(&self.bytes[name.clone()], short, &self.state.namespaces);
        // Without a namespace, elements of an unknown vocabulary only look like those of feeds.
        let is_strange = facts.namespace == Namespace::None && self.state.root == Some(Root::Unknown);
        let text =
            facts.text.filter(|_| !is_strange && (self.attributes.is_empty() || self.is_link(&facts, &name)));
        let next = match text {
            Some(_) if !tag_end.is_empty => match self.find_text(tag_end.at) {
                Some(next) => Some(next),
                None if self.is_last || self.bytes.len() - tag_end.at > self.longest() => {
                    // The text is read like any other.
                    self.faults.retain(|&(at, _)| at < tag_end.at);
                    None
                }
                None => {
                    self.state.namespaces.go_back(bindings);
                    return Err(Stop::Cut(start));
                }
            },
            _ => None,
        };
        // From here on, the tag and its text count.
        if facts.fault.is_some() || !self.attributes.is_empty() {
            self.check_names(&name, &facts);
        }
        let has_base = self.has_base();
        self.open(&name, short, has_base.is_some(), bindings);
        if self.state.place != Place::Content {
            self.state.place = Place::Content;
            let local = &self.bytes[name.start + facts.local..name.end];
            self.state.root = Some(vocabulary::root(facts.namespace, local, &self.state.namespaces));
            if self.ends_at_root {
                return Err(Stop::At(tag_end.at));
            }
        }
        self.give_faults();
        let has_url = !self.attributes.is_empty() && self.give_attributes(&name, &facts, number, has_base);
        let mut after = tag_end.at;
        if let Some(text) = text {
            if tag_end.is_empty {
                self.pieces.clear();
                self.give_text(text, after..after, true, has_url);
            } else if let Some(next) = next {
                let is_closed = self.bytes.get(next + 1) == Some(&b'/');
                self.give_text(text, after..next, is_closed, has_url);
                after = next;
            } else if self.bytes.len() - after > self.max_record {
                self.fault(after, Malformed::TooLong);
            }
        }
        if tag_end.is_empty {
            self.close();
        }
        Ok(after)
    }

    /// Adds an element to the open ones.
    #[inline(always)]
    pub(super) fn open(
        &mut self,
        name: &Range<usize>,
        short: Option<ShortName>,
        has_base: bool,
        bindings: (u32, u32),
    ) {
        if short.is_none() {
            looked_at(name.len());
            self.state.names.extend_from_slice(&self.bytes[name.clone()]);
        }
        let name_len = name.len() as u32;
        self.state.open.push(OpenElement { name: short, name_len, has_base, bindings });
    }

    /// Passes the attributes of the tag that starts at `start`, and the tag's end.
    fn pass_attributes(&mut self, start: usize, mut at: usize) -> Result<TagEnd, Stop> {
        self.attributes.clear();
        self.faults.clear();
        let bytes = self.bytes;
        let byte = |at: usize| bytes.get(at).copied().ok_or(Stop::Cut(start));
        let broken = |at: usize| Err(Stop::Broken(at, Malformed::NotXml));
        loop {
            let before = at;
            while is_space(byte(at)?) {
                at += 1;
            }
            looked_at(at + 1 - before);
            match byte(at)? {
                b'>' => return Ok(TagEnd { at: at + 1, is_empty: false }),
                b'/' => {
                    return match byte(at + 1)? {
                        b'>' => Ok(TagEnd { at: at + 2, is_empty: true }),
                        _ => broken(at),
                    };
                }
                _ => {}
            }
            let name_start = at;
            at = self.marked.end_of_name(at).ok_or(Stop::Cut(start))?;
            let name = name_start..at;
            if let Some(bad) = first_bad(&bytes[name.clone()], !self.state.has_other_charset) {
                return broken(name.start + bad);
            }
            if name.start == before {
                // White space must be between attributes. After the tag's name, there can be no other byte.
                self.faults.push((name.start, Malformed::IllFormed));
            }
            while is_space(byte(at)?) {
                at += 1;
            }
            if byte(at)? != b'=' {
                return broken(at);
            }
            at += 1;
            while is_space(byte(at)?) {
                at += 1;
            }
            looked_at(at - name.start);
            let quote = byte(at)?;
            if !matches!(quote, b'"' | b'\'') {
                return broken(at);
            }
            at += 1;
            let value = at;
            loop {
                at = self.marked.in_value(at).ok_or(Stop::Cut(start))?;
                match bytes[at] {
                    byte if byte == quote => break,
                    b'<' => return broken(at),
                    b'&' => match self.reference(at, true).map_err(|_| Stop::Cut(start))? {
                        Some(next) => at = next,
                        None => {
                            self.faults.push((at, Malformed::BadReference));
                            at += 1;
                        }
                    },
                    _ => at += 1,
                }
            }
            if self.attributes.len() == MOST_ATTRIBUTES {
                return Err(Stop::Broken(start, Malformed::TooLong));
            }
            self.attributes.push(Attribute { name, value: value..at });
            at += 1;
        }
    }

    /// Binds the prefixes that the tag declares.
    fn bind(&mut self) -> Result<(), Malformed> {
        for attribute in &self.attributes {
            let name = &self.bytes[attribute.name.clone()];
            let Some(prefix) = name.strip_prefix(b"xmlns") else { continue };
            let prefix = match prefix {
                b"" => prefix,
                [b':'] => {
                    self.faults.push((attribute.name.start, Malformed::IllFormed));
                    continue;
                }
                [b':', prefix @ ..] => prefix,
                _ => continue,
            };
            let raw = &self.bytes[attribute.value.clone()];
            let uri = bases::text(raw, self.state.entities.as_deref());
            if let Some(fault) = self.state.namespaces.bind(prefix, &uri)? {
                self.faults.push((attribute.name.start, fault));
            }
        }
        Ok(())
    }

    /// Returns false if an attribute says that the text of the element is no URL.
    fn is_link(&self, facts: &ElementFacts, name: &Range<usize>) -> bool {
        let local = &self.bytes[name.start + facts.local..name.end];
        let is_false = |attribute: &Attribute| {
            self.bytes[attribute.name.clone()] == *b"isPermaLink"
                && !attributes::is_link(&self.bytes[attribute.value.clone()])
        };
        local != b"guid" || !self.attributes.iter().any(is_false)
    }

    /// Checks the prefixes of the tag's names, and that no attribute occurs twice.
    fn check_names(&mut self, name: &Range<usize>, facts: &ElementFacts) {
        /// Up to this number, attributes are compared one by one.
        const FEW: usize = 8;

        self.faults.extend(facts.fault.map(|fault| (name.start, fault)));
        let (bytes, attributes) = (self.bytes, &self.attributes);
        let name_of = |attribute: &Attribute| &bytes[attribute.name.clone()];
        if attributes.len() <= FEW {
            for (at, attribute) in attributes.iter().enumerate().skip(1) {
                let is_same = |other: &Attribute| name_of(other) == name_of(attribute);
                if attributes[..at].iter().any(is_same) {
                    self.faults.push((attribute.name.start, Malformed::RepeatedAttribute));
                }
            }
        } else {
            let mut sorted: Vec<&Attribute> = attributes.iter().collect();
            // A stable sort, so that the first one of a name stays the first.
            sorted.sort_by_key(|attribute| name_of(attribute));
            looked_at(attributes.iter().map(|attribute| attribute.name.len()).sum::<usize>());
            for pair in sorted.windows(2).filter(|pair| name_of(pair[0]) == name_of(pair[1])) {
                self.faults.push((pair[1].name.start, Malformed::RepeatedAttribute));
            }
        }
        let mut qualified: Vec<Qualified<'_>> = Vec::new();
        for attribute in attributes {
            let name = name_of(attribute);
            if !name.contains(&b':') || name.starts_with(b"xmlns:") {
                continue;
            }
            let Resolved { key, local, fault, .. } = self.state.namespaces.resolve(name, false);
            let at = attribute.name.start;
            match fault {
                Some(fault) => self.faults.push((at, fault)),
                None => qualified.push(Qualified { key, local, at, name }),
            }
        }
        if qualified.len() > 1 {
            qualified.sort_by_key(|one| (one.key, one.local, one.at));
            for pair in qualified.windows(2) {
                let (one, other) = (&pair[0], &pair[1]);
                // Equal names are reported already.
                if one.key == other.key && one.local == other.local && one.name != other.name {
                    self.faults.push((other.at, Malformed::RepeatedAttribute));
                }
            }
        }
    }

    /// Reports the malformed places of the tag and its text.
    #[inline]
    fn give_faults(&mut self) {
        if !self.faults.is_empty() {
            self.faults.sort_by_key(|&(at, _)| at);
            for &(at, reason) in &self.faults {
                self.visit.take(Event::Malformed(at, reason));
            }
        }
    }

    /// Returns the attribute `xml:base` of the tag.
    #[inline]
    fn has_base(&self) -> Option<Range<usize>> {
        let is_base = |attribute: &&Attribute| self.bytes[attribute.name.clone()] == *b"xml:base";
        self.attributes.iter().find(is_base).map(|attribute| attribute.value.clone())
    }

    /// Gives the URLs of the attributes, and returns whether one of them is known to hold one. `number` is
    /// that of the element's name.
    fn give_attributes(
        &mut self,
        name: &Range<usize>,
        facts: &ElementFacts,
        number: u32,
        base: Option<Range<usize>>,
    ) -> bool {
        let around = self.state.bases.last().cloned();
        if let Some(value) = base {
            let value = bases::text(&self.bytes[value], self.state.entities.as_deref());
            let base: Arc<[u8]> = bases::within(around.as_deref(), &value).into();
            self.visit.take(Event::Base(Some(&base)));
            self.state.bases.push(base);
        }
        let mut has_url = false;
        let attributes = std::mem::take(&mut self.attributes);
        for attribute in &attributes {
            let of = self.use_of(attribute, name, facts, number);
            if let AttributeUse::Url(AttributeUrl { holds: Holds::Base, .. }) = of {
                self.visit.take(Event::Base(around.as_ref()));
                self.give_attribute(of, attribute, name, facts, around.is_none());
                self.visit.take(Event::Base(self.state.bases.last()));
            } else {
                self.give_attribute(of, attribute, name, facts, false);
            }
            has_url |= matches!(of, AttributeUse::Url(_));
        }
        self.attributes = attributes;
        has_url
    }

    /// Returns the use of an attribute, and keeps it for other tags if it is a usual one.
    fn use_of(
        &mut self,
        attribute: &Attribute,
        name: &Range<usize>,
        facts: &ElementFacts,
        number: u32,
    ) -> AttributeUse {
        let short = ShortName::of(self.bytes, attribute.name.clone()).filter(|_| number != 0);
        if let Some(place) = short.and_then(|short| self.recent_attributes.find(short, number)) {
            return self.recent_attributes.at(place).facts.of;
        }
        let full = &self.bytes[attribute.name.clone()];
        let local = &self.bytes[name.start + facts.local..name.end];
        let root = self.state.root.unwrap_or(Root::Unknown);
        let of = AttributeUse::of(full, facts, local, root, &self.state.namespaces);
        let is_usual = self.faults.is_empty()
            && !full.starts_with(b"xmlns")
            && !matches!(of, AttributeUse::Url(AttributeUrl { holds: Holds::Urls | Holds::Base, .. }));
        if let Some(short) = short.filter(|_| is_usual) {
            let facts = AttributeFacts { of, is_prefixed: full.contains(&b':') };
            self.recent_attributes.keep(short, full.len(), number, facts);
        }
        of
    }

    /// Gives the URLs of an attribute. `name` is the element's name. `is_first` means that the attribute is a
    /// base within no other.
    pub(super) fn give_attribute(
        &mut self,
        of: AttributeUse,
        attribute: &Attribute,
        name: &Range<usize>,
        facts: &ElementFacts,
        is_first: bool,
    ) {
        let Attribute { name: attribute, value } = attribute.clone();
        match of {
            AttributeUse::Url(url) => {
                let element = match url.element {
                    Some(element) => Name::Known(element),
                    None => Name::At(name.start as u32..name.end as u32),
                };
                let holds = match url.holds {
                    Holds::Base if is_first => ValueHolds::FirstBase,
                    Holds::Url | Holds::Base => ValueHolds::Url,
                    Holds::Urls => ValueHolds::Urls,
                };
                self.visit.take(Event::Attribute { element, attribute: url.name, holds, value });
            }
            AttributeUse::Html => {
                let (element, local) = (name.clone(), name.start + facts.local..name.end);
                self.visit.take(Event::Html { element, local, attribute, value });
            }
            AttributeUse::Other | AttributeUse::PermaLink => {}
        }
    }

    /// Gives the text of an element that holds a URL: the [`pieces`](Walk::pieces), which lie in this range.
    /// `is_closed` means that the element has no other elements, and `has_url` that one of its attributes
    /// holds a URL.
    fn give_text(&mut self, text: TextUrl, range: Range<usize>, is_closed: bool, has_url: bool) {
        let bytes = self.bytes;
        let is_blank = |piece: &Piece| {
            looked_at(piece.range().len());
            piece.is_blank(bytes)
        };
        let is_url = match text.presence {
            Presence::Whole => is_closed,
            Presence::UnlessInAttribute => is_closed && !(has_url && self.pieces.iter().all(is_blank)),
            Presence::Stray => !self.pieces.iter().all(is_blank),
        };
        if !is_url {
            return;
        }
        if range.len() > self.max_record {
            return self.fault(range.start, Malformed::TooLong);
        }
        if self.pieces.is_empty() {
            self.pieces.push(Piece::Verbatim(range.end..range.end));
        }
        self.visit.take(Event::Text { element: text.element, pieces: &self.pieces });
    }
}
