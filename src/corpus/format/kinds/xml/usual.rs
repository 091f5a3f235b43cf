//! Most markup: tags without attributes in the root element, whose names are short and known. They are passed
//! with few branches, and a leaf with its text and its end tag at once. All else goes the way of `tag` and
//! `tokens`, which would pass these tags in the same way.

use super::elements::ElementFacts;
use super::events::{Event, Piece, Visit};
use super::namespaces::Namespace;
use super::short_name::ShortName;
use super::state::Root;
use super::tokens::{DEEPEST, Walk};
use super::vocabulary::{Presence, TextUrl};
use crate::work::looked_at;

impl<V: Visit> Walk<'_, V> {
    /// Passes the tag at `start`, which is in the root element, and perhaps the text and the end tag after
    /// it. Returns the next byte. `None` if the tag is not a usual one.
    #[inline]
    pub(super) fn pass_usual(&mut self, start: usize) -> Option<usize> {
        let name = start + 1;
        if *self.bytes.get(name)? == b'/' {
            return self.pass_usual_end(name + 1);
        }
        let name_end = self.marked.end_of_name(name)?;
        let name = name..name_end;
        if self.bytes[name_end] != b'>' {
            return None;
        }
        looked_at(name.len());
        let short = ShortName::of(self.bytes, name.clone())?;
        let namespaces = &self.state.namespaces;
        let &ElementFacts { namespace, text, fault, .. } = self.cache.known(short, namespaces)?;
        if fault.is_some() || self.state.open.len() >= DEEPEST {
            return None;
        }
        let (len, after) = (name.len(), name_end + 1);
        let is_strange = namespace == Namespace::None && self.state.root == Some(Root::Unknown);
        let text = text.filter(|_| !is_strange);
        let next = match self.end_of_usual_text(after) {
            Some(next) => next,
            _ if text.is_some() => return None,
            _ => return Some(self.open_usual(name_end, len, short, after)),
        };
        let mark = self.bytes[next + 1];
        if let Some(TextUrl { element, presence }) = text {
            let is_url = match presence {
                Presence::Whole | Presence::UnlessInAttribute => mark == b'/',
                Presence::Stray => !self.bytes[after..next].trim_ascii_start().is_empty(),
            };
            looked_at(next - after);
            if matches!(mark, b'!' | b'?') || next - after > self.max_record {
                return None;
            }
            if is_url {
                self.visit.take(Event::Text { element, pieces: &[Piece::Text(after..next)] });
            }
        }
        if mark == b'/' && next < self.end_at {
            let end = next + 2 + len;
            if self.bytes.get(end) == Some(&b'>') && ShortName::of(self.bytes, next + 2..end) == Some(short) {
                looked_at(len);
                return Some(end + 1);
            }
        }
        Some(self.open_usual(name_end, len, short, next))
    }

    /// Returns the `<` that ends the text from `at` on, which another byte follows. `None` if there is none, or
    /// if the text may have a fault.
    #[inline]
    fn end_of_usual_text(&mut self, mut at: usize) -> Option<usize> {
        loop {
            let mark = self.marked.content(at)?;
            match self.bytes[mark] {
                b'<' => return (mark + 1 < self.bytes.len()).then_some(mark),
                b'&' => at = self.reference(mark, false).ok()??,
                _ => return None,
            }
        }
    }

    /// Opens the element whose name ends at `name_end`, and returns `next`.
    #[inline]
    fn open_usual(&mut self, name_end: usize, len: usize, short: ShortName, next: usize) -> usize {
        let bindings = self.state.namespaces.mark();
        self.open(&(name_end - len..name_end), Some(short), false, bindings);
        next
    }

    /// Passes the end tag whose name starts at `name`, unless it ends the root element.
    #[inline]
    fn pass_usual_end(&mut self, name: usize) -> Option<usize> {
        let [.., _, open] = &self.state.open[..] else { return None };
        let len = open.name_len as usize;
        let end = name + len;
        let is_usual = self.bytes.get(end) == Some(&b'>')
            && ShortName::of(self.bytes, name..end) == Some(open.name?)
            && !open.has_base;
        if !is_usual {
            return None;
        }
        looked_at(len);
        let bindings = open.bindings;
        self.state.open.pop();
        self.state.namespaces.go_back(bindings);
        Some(end + 1)
    }
}
