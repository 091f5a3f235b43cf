//! Most markup: tags in the root element that are written as most are, with names and attributes that tags
//! had lately. They are passed with few branches, and a leaf with its text and its end tag at once. All else
//! goes the way of `tag` and `tokens`, which would pass these tags in the same way.
//!
//! Elements and attributes mostly come in the order in which they came before. So each name is first compared
//! with the name that came last after the one before it: one comparison of 16 bytes, without a search for the
//! end of the name. A leaf of a sitemap takes about 120 instructions with its text and its end tag. The two
//! searches in marks take 50 of them.

use std::ops::Range;

use super::attributes::{self, Attribute, AttributeFacts, AttributeUse};
use super::elements::ElementFacts;
use super::events::{Event, Piece, Visit};
use super::namespaces::Namespace;
use super::recent_names::Slot;
use super::short_name::ShortName;
use super::state::Root;
use super::tokens::{DEEPEST, Walk};
use super::vocabulary::{Presence, TextUrl};
use crate::work::looked_at;

/// The rest of a usual tag, from its first attribute on.
struct UsualRest {
    /// The place after the tag's `>`.
    after: usize,
    is_empty: bool,
    /// False if an attribute says that the text of the element is no URL.
    is_link: bool,
}

impl<V: Visit> Walk<'_, V> {
    /// Passes the tag at `start`, which is in the root element, and perhaps the text and the end tag after
    /// it. Returns the next byte. `None` if the tag is not a usual one.
    #[inline]
    pub(super) fn pass_usual(&mut self, start: usize) -> Option<usize> {
        #[cfg(test)]
        if self.skips_usual {
            return None;
        }
        let name_start = start + 1;
        let first = u128::from_le_bytes(*self.bytes.get(name_start..)?.first_chunk()?);
        if first as u8 == b'/' {
            return self.pass_usual_end(name_start + 1);
        }
        let (slot, end_of_name) = self.usual_name(name_start, first)?;
        let recent = self.recent.at(slot);
        let ElementFacts { namespace, fault, .. } = recent.facts;
        if fault.is_some() || self.state.open.len() >= DEEPEST {
            return None;
        }
        looked_at(recent.len());
        let is_strange = namespace == Namespace::None && self.state.root == Some(Root::Unknown);
        let mut has_text = recent.facts.text.is_some() && !is_strange;
        let name = name_start..name_start + recent.len();
        let mut after = name.end + 1;
        let has_attributes = end_of_name == b' ';
        if has_attributes {
            let rest = self.pass_usual_attributes(recent.number, name.end)?;
            after = rest.after;
            has_text &= rest.is_link;
            if after - start > self.longest() || has_text && !self.is_independent(slot, rest.is_empty) {
                return None;
            }
            if rest.is_empty {
                self.give_usual_attributes(slot, &name);
                return Some(after);
            }
        }
        let Some((next, has_references)) = self.end_of_usual_text(after) else {
            if has_text {
                return None;
            }
            if has_attributes {
                self.give_usual_attributes(slot, &name);
            }
            return Some(self.open_usual(name, slot, after));
        };
        let mark = self.bytes[next + 1];
        let is_url = has_text && self.is_usual_url(slot, after..next, mark)?;
        // From here on, the tag and its text count.
        if has_attributes {
            self.give_usual_attributes(slot, &name);
        }
        if is_url && let Some(TextUrl { element, .. }) = self.recent.at(slot).facts.text {
            let text = after..next;
            let piece = if has_references { Piece::Text(text) } else { Piece::Verbatim(text) };
            self.visit.take(Event::Text { element, pieces: &[piece] });
        }
        if mark == b'/' && next < self.end_at && self.is_name(slot, next + 2) {
            let end = next + 2 + name.len();
            if self.bytes.get(end) == Some(&b'>') {
                looked_at(name.len());
                return Some(end + 1);
            }
        }
        Some(self.open_usual(name, slot, next))
    }

    /// Returns the slot of the name of a usual tag, and the byte after the name: `>` or a space. The name
    /// starts at `start` with these 16 bytes.
    #[inline(always)]
    fn usual_name(&mut self, start: usize, first: u128) -> Option<(Slot, u8)> {
        let number = self.state.namespaces.number();
        if let Some(slot) = self.recent.expected(first, number)
            && let Some(&end @ (b'>' | b' ')) = self.bytes.get(start + self.recent.at(slot).len())
        {
            self.recent.go_on(slot);
            return Some((slot, end));
        }
        let (short, end) = self.short_name(start)?;
        let end = self.bytes[end];
        if !matches!(end, b'>' | b' ') {
            return None;
        }
        let slot = self.recent.expect(short, number)?;
        self.recent.go_on(slot);
        Some((slot, end))
    }

    /// Returns the name from `start` on, and its end. `None` if it is not a short one.
    #[inline(never)]
    fn short_name(&mut self, start: usize) -> Option<(ShortName, usize)> {
        let end = self.marked.end_of_name(start)?;
        Some((ShortName::of(self.bytes, start..end)?, end))
    }

    /// Returns true if the name in a slot is at `start`. The caller must check that it ends there.
    #[inline(always)]
    fn is_name(&self, slot: Slot, start: usize) -> bool {
        let recent = self.recent.at(slot);
        match self.bytes.get(start..).and_then(|rest| rest.first_chunk()) {
            Some(&first) if recent.starts(u128::from_le_bytes(first)) => true,
            _ => self.is_long_name(slot, start),
        }
    }

    #[inline(never)]
    fn is_long_name(&self, slot: Slot, start: usize) -> bool {
        let recent = self.recent.at(slot);
        let name = start..start + recent.len();
        name.end <= self.bytes.len() && ShortName::of(self.bytes, name) == Some(recent.short)
    }

    /// Passes the attributes of a tag, from the space before them on, if they and their values are usual. The
    /// ones with URLs are then in [`given`](Walk::given). `number` is that of the element's name.
    #[inline(never)]
    fn pass_usual_attributes(&mut self, number: u32, start: usize) -> Option<UsualRest> {
        self.given.clear();
        let (mut space, mut is_link) = (start, true);
        // The slots of the attributes, so that none occurs twice, and whether one has a prefix. Two with
        // prefixes could be the same attribute.
        let (mut seen, mut has_prefix) = (0_u64, false);
        loop {
            let name_start = space + 1;
            let slot = self.usual_attribute(name_start, number)?;
            let recent = self.recent_attributes.at(slot);
            let name = name_start..name_start + recent.len();
            let AttributeFacts { of, is_prefixed } = recent.facts;
            let quote = *self.bytes.get(name.end + 1)?;
            let is_repeated = seen >> slot & 1 == 1 || has_prefix && is_prefixed;
            if is_repeated || !matches!(quote, b'"' | b'\'') {
                return None;
            }
            seen |= 1 << slot;
            has_prefix |= is_prefixed;
            let value = name.end + 2;
            let mut at = value;
            let end = loop {
                let mark = self.marked.in_value(at)?;
                at = match self.bytes[mark] {
                    byte if byte == quote => break mark,
                    b'<' => return None,
                    b'&' => self.reference(mark, true).ok()??,
                    _ => mark + 1,
                };
            };
            looked_at(end - space);
            match of {
                AttributeUse::Other => {}
                AttributeUse::PermaLink => is_link &= attributes::is_link(&self.bytes[value..end]),
                _ => self.given.push((slot, Attribute { name, value: value..end })),
            }
            match self.bytes.get(end + 1)? {
                b' ' => space = end + 1,
                b'>' => return Some(UsualRest { after: end + 2, is_empty: false, is_link }),
                b'/' if self.bytes.get(end + 2) == Some(&b'>') => {
                    return Some(UsualRest { after: end + 3, is_empty: true, is_link });
                }
                _ => return None,
            }
        }
    }

    /// Returns the slot of the attribute whose name starts at `start`, and has a `=` after it.
    #[inline(always)]
    fn usual_attribute(&mut self, start: usize, number: u32) -> Option<Slot> {
        let first = u128::from_le_bytes(*self.bytes.get(start..)?.first_chunk()?);
        if let Some(slot) = self.recent_attributes.expected(first, number)
            && self.bytes.get(start + self.recent_attributes.at(slot).len()) == Some(&b'=')
        {
            self.recent_attributes.go_on(slot);
            return Some(slot);
        }
        let (short, end) = self.short_name(start)?;
        if self.bytes[end] != b'=' {
            return None;
        }
        let slot = self.recent_attributes.expect(short, number)?;
        self.recent_attributes.go_on(slot);
        Some(slot)
    }

    /// Gives the [`given`](Walk::given) attributes. `name` is the name of the element, which is in `slot`.
    #[inline(never)]
    fn give_usual_attributes(&mut self, slot: Slot, name: &Range<usize>) {
        let facts = self.recent.at(slot).facts;
        let given = std::mem::take(&mut self.given);
        for (slot, attribute) in &given {
            let AttributeFacts { of, .. } = self.recent_attributes.at(*slot).facts;
            self.give_attribute(of, attribute, name, &facts, false);
        }
        self.given = given;
    }

    /// Returns true if the text of the element in this slot counts whatever its attributes are. An element
    /// that `is_empty` must have no record.
    fn is_independent(&self, slot: Slot, is_empty: bool) -> bool {
        match self.recent.at(slot).facts.text.map(|text| text.presence) {
            Some(Presence::UnlessInAttribute) => false,
            Some(Presence::Whole) => !is_empty,
            Some(Presence::Stray) | None => true,
        }
    }

    /// Returns whether the text of the element in this slot is a URL. `mark` is the byte after the `<` that
    /// ends the text. `None` if the text is not a usual one.
    #[inline]
    fn is_usual_url(&self, slot: Slot, text: Range<usize>, mark: u8) -> Option<bool> {
        let TextUrl { presence, .. } = self.recent.at(slot).facts.text?;
        looked_at(text.len());
        if matches!(mark, b'!' | b'?') || text.len() > self.max_record {
            return None;
        }
        Some(match presence {
            Presence::Whole | Presence::UnlessInAttribute => mark == b'/',
            Presence::Stray => !self.bytes[text].trim_ascii_start().is_empty(),
        })
    }

    /// Returns the `<` that ends the text from `at` on, which another byte follows, and whether the text has
    /// references. `None` if there is none, or if the text may have a fault.
    #[inline(always)]
    fn end_of_usual_text(&mut self, at: usize) -> Option<(usize, bool)> {
        let mark = self.marked.content(at)?;
        let is_verbatim = self.bytes[mark] == b'<';
        let mark = if is_verbatim { mark } else { self.end_after(mark)? };
        (mark + 1 < self.bytes.len()).then_some((mark, !is_verbatim))
    }

    /// Returns the `<` that ends the text from this reference on.
    #[inline(never)]
    fn end_after(&mut self, mut mark: usize) -> Option<usize> {
        loop {
            let at = match self.bytes[mark] {
                b'<' => return Some(mark),
                b'&' => self.reference(mark, false).ok()??,
                _ => return None,
            };
            mark = self.marked.content(at)?;
        }
    }

    /// Opens the element whose name is in a slot, and returns `next`.
    #[inline]
    fn open_usual(&mut self, name: Range<usize>, slot: Slot, next: usize) -> usize {
        let bindings = self.state.namespaces.mark();
        let short = self.recent.at(slot).short;
        self.open(&name, Some(short), false, bindings);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::corpus::format::kinds::xml::state::XmlState;
    use crate::corpus::format::tests::cases;

    /// Keeps events as text.
    #[derive(Default)]
    struct Kept(Vec<String>);

    impl Visit for Kept {
        fn take(&mut self, event: Event<'_>) {
            self.0.push(format!("{event:?}"));
        }
    }

    /// Returns the events of a document that is cut after each `step` bytes, the number of open elements after
    /// each part, and the last state.
    fn events(text: &[u8], step: usize, skips_usual: bool) -> (Vec<String>, Vec<(usize, usize)>, String) {
        let (mut state, mut kept, mut open) = (XmlState::default(), Kept::default(), Vec::new());
        let (mut start, mut end) = (0, 0);
        while start < text.len() && !state.is_broken {
            end = (end + step).min(text.len());
            let mut walk = Walk::new(&mut state, &text[start..end], 300, end == text.len(), &mut kept);
            walk.skips_usual = skips_usual;
            if start % 3 == 1 {
                walk.end_at = step / 2;
            }
            let passed = walk.pass(0);
            start += passed;
            open.push((start, state.open.len()));
            if end == text.len() && passed == 0 {
                break;
            }
        }
        (kept.0, open, format!("{state:?}"))
    }

    const NAMES: [&str; 16] = [
        "url",
        "loc",
        "link",
        "a:link",
        "guid",
        "s:loc",
        "s:url",
        "h:a",
        "h:img",
        "u:x",
        "enclosure",
        "name-of-fifteen",
        "name-of-sixteen_",
        "name-of-seventeen",
        "a-name-of-more-than-thirty-two-bytes",
        "b\u{e9}",
    ];
    const ATTRIBUTES: [&str; 26] = [
        " href='/a'",
        " href=\"b?a=1&amp;b\"",
        " href='\"c'",
        " rel=\"d'e]\"",
        " src='&bad;'",
        " url=\"&lt\"",
        " href='<'",
        " isPermaLink='false'",
        " isPermaLink=\" true \"",
        " xml:base='http://h/'",
        " xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'",
        " xmlns:u='x'",
        " u:href='y'",
        " h:href='z'",
        " x:href='k'",
        "  rel = 'f'",
        "\nhref='g'",
        "rel='h'",
        " srcset='i 2x, j'",
        " ping='l m'",
        " a-name-of-more-than-thirty-two-bytes='1'",
        " alt=''",
        " rel",
        " /",
        " v:href='w'",
        " xlink:href='n'",
    ];
    const TEXTS: [&str; 14] = [
        "",
        "",
        "\n",
        "http://e.org/",
        "http://e.org/?a&amp;b",
        " http://e.org/&#x41; ",
        "a&b",
        "]]>",
        "]",
        "<!-- c -->",
        "<![CDATA[d&e]]>",
        "<?p i?>",
        "f\t",
        "\u{e9}",
    ];

    /// An element with these parts, or only its start or end tag.
    fn element((name, attributes, text, inner, kind): (&str, Vec<&str>, &str, String, u8)) -> String {
        let attributes = attributes.concat();
        match kind {
            0 => format!("<{name}{attributes}>{text}{inner}"),
            1 => format!("{text}</{name}>"),
            2 | 3 => format!("<{name}{attributes}/>"),
            4 => format!("<{name}{attributes} >{text}{inner}</{name} >"),
            _ => format!("<{name}{attributes}>{text}{inner}</{name}>"),
        }
    }

    fn elements() -> impl Strategy<Value = String> {
        let leaf = (
            select(&NAMES[..]),
            proptest::collection::vec(select(&ATTRIBUTES[..]), 0..3),
            select(&TEXTS[..]),
            Just(String::new()),
            2..30_u8,
        );
        leaf.prop_map(element).prop_recursive(3, 40, 6, |inner| {
            let inner = proptest::collection::vec(inner, 0..6).prop_map(|inner| inner.concat());
            let attributes = proptest::collection::vec(select(&ATTRIBUTES[..]), 0..3);
            (select(&NAMES[..]), attributes, select(&TEXTS[..]), inner, 0..60_u8).prop_map(element)
        })
    }

    const ROOTS: [&str; 4] = [
        "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'",
        "<rss",
        "<feed xmlns='http://www.w3.org/2005/Atom'",
        "<other",
    ];
    const BINDINGS: &str = " xmlns:s='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:a='http://www.w3.org/2005/Atom' \
                            xmlns:h='http://www.w3.org/1999/xhtml' xmlns:u='http://u/' xmlns:v='http://u/' \
                            xmlns:xlink='http://www.w3.org/1999/xlink'>";

    proptest! {
        #![proptest_config(ProptestConfig { cases: cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_short_way_passes_tags_as_the_general_one(
            root in select(&ROOTS[..]),
            before in prop_oneof![Just(0), 1_500..2_100_usize],
            content in proptest::collection::vec(elements(), 1..8),
            step in prop_oneof![Just(usize::MAX), 20..600_usize],
        ) {
            let name = &root[1..root.find(' ').unwrap_or(root.len())];
            // Twice, so that all names are known.
            let content = content.concat().repeat(2);
            let text = format!("{root}{BINDINGS}{}{content}</{name}>", "x".repeat(before));
            let step = step.min(text.len());
            prop_assert_eq!(events(text.as_bytes(), step, false), events(text.as_bytes(), step, true), "{:?}", text);
        }
    }
}
