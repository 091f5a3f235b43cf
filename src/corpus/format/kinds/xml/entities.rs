//! The general entities that a document declares in itself (section 4 of XML 1.0), and references to them.
//!
//! Entities of plain text are read where a URL has them. Documents of RDF name their namespaces so. Markup in
//! entities and external entities are not read.

use std::collections::HashMap;

use super::names::{first_bad, is_name_byte};
use crate::corpus::format::lines::unescape::Escapes;
use crate::work::looked_at;

/// The maximal length of the text of an entity that is read, in bytes. A reference has few bytes, so this
/// bounds the text that a document can stand for.
const LONGEST_TEXT: usize = 256;

/// The maximal length of the name in a reference, in bytes.
const LONGEST_NAME: usize = 4 << 10;

/// The maximal number of digits in a reference.
const MOST_DIGITS: usize = 32;

/// The maximal depth of entities in entities that are read.
const DEEPEST: usize = 64;

/// The entities that a document type declares.
#[derive(Debug, Default)]
pub(super) struct Entities {
    declared: HashMap<Box<[u8]>, Entity>,
    /// The declared entities, once [all of them](Self::finish) are known.
    read: HashMap<Box<[u8]>, Read>,
    /// The prefixes that elements have without declaring them, each with a namespace's URI.
    pub(super) bindings: Vec<DefaultBinding>,
    /// Whether others may be declared in parts that are not read, so that no reference is known to lack its
    /// declaration.
    pub(super) may_lack_some: bool,
}

/// A prefix with a namespace's URI.
#[derive(Debug)]
pub(super) struct DefaultBinding {
    pub(super) prefix: Box<[u8]>,
    pub(super) uri: Box<[u8]>,
}

/// A declared entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    /// An entity with this text as declared.
    Internal(Box<[u8]>),
    /// An entity in another file.
    External,
}

/// The content of an entity, with the entities inside.
#[derive(Clone, Debug)]
enum Read {
    /// Short plain text.
    Text(Box<[u8]>),
    /// Other content.
    Unread { is_for_values: bool },
    /// The entity contains itself, or one that is not declared.
    Unsound,
}

/// The text that a reference stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Referent {
    /// A character, or the text of an entity.
    Text,
    /// Markup, or text that is not read.
    Unread {
        /// Whether a value of an attribute may have the reference.
        is_for_values: bool,
    },
}

/// A place that starts like a reference.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reference {
    /// A reference of this number of bytes.
    Whole(usize, Referent),
    /// No reference with a meaning.
    Bad,
    /// The bytes end in the reference.
    Cut,
}

impl Entities {
    /// Adds a declaration. The first one of a name counts.
    pub(super) fn declare(&mut self, name: &[u8], entity: Entity) {
        self.declared.entry(name.into()).or_insert(entity);
    }

    /// Reads the entities, after the last declaration.
    pub(super) fn finish(&mut self) {
        let names: Vec<Box<[u8]>> = self.declared.keys().cloned().collect();
        for name in names {
            self.read(&name, DEEPEST);
        }
    }

    /// Reads an entity and those in it.
    fn read(&mut self, name: &[u8], depth: usize) -> Read {
        if let Some(read) = self.read.get(name) {
            return read.clone();
        }
        let declared = match self.declared.get(name) {
            None if self.may_lack_some => return Read::Unread { is_for_values: true },
            None => return Read::Unsound,
            Some(Entity::External) => return Read::Unread { is_for_values: false },
            Some(Entity::Internal(_)) if depth == 0 => return Read::Unread { is_for_values: true },
            Some(Entity::Internal(declared)) => declared.clone(),
        };
        // An entity that contains itself finds this.
        self.read.insert(name.into(), Read::Unsound);
        let read = self.read_text(&declared, depth);
        self.read.insert(name.into(), read.clone());
        read
    }

    /// Reads the text of an entity as declared.
    fn read_text(&mut self, declared: &[u8], depth: usize) -> Read {
        looked_at(declared.len());
        let mut text = Vec::new();
        let (mut is_text, mut is_for_values) = (true, !declared.contains(&b'<'));
        let mut rest = declared;
        while let Some(at) = rest.iter().position(|&byte| byte == b'&') {
            append(&rest[..at], &mut text);
            rest = &rest[at..];
            let Reference::Whole(len, _) = reference(rest, None, true) else { return Read::Unsound };
            match &rest[1..len - 1] {
                // The text of these references is read once more, as markup.
                b"amp" | b"lt" => is_text = false,
                b"gt" | b"quot" | b"apos" => Escapes::Markup.write(&rest[..len], &mut text),
                [b'#', ..] => {
                    let before = text.len();
                    Escapes::Markup.write(&rest[..len], &mut text);
                    is_text &= !text[before..].iter().any(|byte| b"&<".contains(byte));
                }
                name => match self.read(name, depth - 1) {
                    Read::Text(inner) => append(&inner, &mut text),
                    Read::Unread { is_for_values: is_inner } => {
                        is_text = false;
                        is_for_values &= is_inner;
                    }
                    Read::Unsound => return Read::Unsound,
                },
            }
            rest = &rest[len..];
        }
        append(rest, &mut text);
        match is_text && is_for_values && text.len() <= LONGEST_TEXT {
            true => Read::Text(text.into()),
            false => Read::Unread { is_for_values },
        }
    }

    /// Returns the text that a reference to an entity stands for, if the entity is declared and sound.
    fn referent(&self, name: &[u8]) -> Option<Referent> {
        match self.read.get(name) {
            Some(Read::Text(_)) => Some(Referent::Text),
            Some(&Read::Unread { is_for_values }) => Some(Referent::Unread { is_for_values }),
            Some(Read::Unsound) => None,
            None if self.declared.contains_key(name) => Some(Referent::Unread { is_for_values: false }),
            None => self.may_lack_some.then_some(Referent::Unread { is_for_values: true }),
        }
    }

    /// Returns the text of an entity, if it is read.
    fn text_of(&self, name: &[u8]) -> Option<&[u8]> {
        match self.read.get(name)? {
            Read::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Appends `raw` to `text` with its references undone, and returns true. Returns false if it has a
    /// reference that is not read.
    pub(super) fn undo(&self, raw: &[u8], text: &mut Vec<u8>) -> bool {
        looked_at(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.iter().position(|&byte| byte == b'&') {
            text.extend_from_slice(&rest[..at]);
            rest = &rest[at..];
            let len = match reference(rest, Some(self), true) {
                Reference::Whole(_, Referent::Unread { .. }) => return false,
                Reference::Whole(len, Referent::Text) => len,
                Reference::Bad | Reference::Cut => 1,
            };
            match self.text_of(&rest[1..len.max(2) - 1]).filter(|_| len > 1) {
                Some(of_entity) => text.extend_from_slice(of_entity),
                None => Escapes::Markup.write(&rest[..len], text),
            }
            rest = &rest[len..];
        }
        text.extend_from_slice(rest);
        true
    }
}

/// Appends a part of an entity, unless the entity is too long already.
fn append(part: &[u8], text: &mut Vec<u8>) {
    if text.len() <= LONGEST_TEXT {
        text.extend_from_slice(&part[..part.len().min(LONGEST_TEXT + 1)]);
    }
}

/// Returns the reference that starts with the `&` at the start of `rest`. `is_whole` means that nothing
/// follows `rest`. Without entities, any name has a meaning.
#[inline]
pub(super) fn reference(rest: &[u8], entities: Option<&Entities>, is_whole: bool) -> Reference {
    const NAMED: [&[u8]; 5] = [b"&amp;", b"&lt;", b"&gt;", b"&quot;", b"&apos;"];

    for name in NAMED {
        if rest.starts_with(name) {
            return Reference::Whole(name.len(), Referent::Text);
        }
    }
    other_reference(rest, entities, is_whole)
}

#[cold]
fn other_reference(rest: &[u8], entities: Option<&Entities>, is_whole: bool) -> Reference {
    let cut = if is_whole { Reference::Bad } else { Reference::Cut };
    match rest.get(1) {
        None => cut,
        Some(b'#') => numbered(rest, cut),
        Some(_) => {
            let within = &rest[1..rest.len().min(LONGEST_NAME + 2)];
            let len = within.iter().position(|&byte| !is_name_byte(byte)).unwrap_or(within.len());
            looked_at(len);
            if len > LONGEST_NAME {
                return Reference::Bad;
            }
            let name = &within[..len];
            match within.get(len) {
                None => cut,
                Some(b';') if first_bad(name, true).is_none() => {
                    let referent = match entities {
                        None => Some(Referent::Unread { is_for_values: true }),
                        Some(entities) => entities.referent(name),
                    };
                    referent.map_or(Reference::Bad, |referent| Reference::Whole(len + 2, referent))
                }
                Some(_) => Reference::Bad,
            }
        }
    }
}

/// Returns the reference to a character that `rest` starts with.
fn numbered(rest: &[u8], cut: Reference) -> Reference {
    let (start, radix) = match rest.get(2) {
        None => return cut,
        Some(b'x') => (3, 16),
        Some(_) => (2, 10),
    };
    let digits = &rest[start..rest.len().min(start + MOST_DIGITS + 1)];
    let (mut number, mut len) = (0_u32, 0);
    while let Some(digit) = digits.get(len).and_then(|&byte| char::from(byte).to_digit(radix)) {
        number = number.saturating_mul(radix).saturating_add(digit);
        len += 1;
    }
    looked_at(len);
    match digits.get(len) {
        None if len <= MOST_DIGITS => cut,
        Some(b';') if len > 0 && is_character(number) => Reference::Whole(start + len + 1, Referent::Text),
        _ => Reference::Bad,
    }
}

/// Returns true if a document can have the character with this number (section 2.2 of XML 1.0).
fn is_character(number: u32) -> bool {
    matches!(number, 0x9 | 0xA | 0xD | 0x20..=0xD7FF | 0xE000..=0xFFFD | 0x1_0000..=0x10_FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_a_meaning_or_none() {
        let whole = |len| Reference::Whole(len, Referent::Text);
        for (text, expected) in [
            ("&amp;x", whole(5)),
            ("&apos;", whole(6)),
            ("&#38;", whole(5)),
            ("&#x26;", whole(6)),
            ("&#000000000000038;", whole(18)),
            ("&#X26;", Reference::Bad),
            ("&#0;", Reference::Bad),
            ("&#xFFFE;", Reference::Bad),
            ("&#xD800;", Reference::Bad),
            ("&#99999999999;", Reference::Bad),
            ("&#;", Reference::Bad),
            ("&#x;", Reference::Bad),
            ("& ", Reference::Bad),
            ("&;", Reference::Bad),
            ("&amp ", Reference::Bad),
            ("&AMP;", Reference::Bad),
            ("&1;", Reference::Bad),
            ("&nbsp;", Reference::Bad),
            ("&", Reference::Cut),
            ("&amp", Reference::Cut),
            ("&#", Reference::Cut),
            ("&#x", Reference::Cut),
            ("&#3", Reference::Cut),
        ] {
            assert_eq!(reference(text.as_bytes(), Some(&Entities::default()), false), expected, "{text}");
        }
        assert_eq!(reference(b"&amp", Some(&Entities::default()), true), Reference::Bad);
        assert_eq!(reference(&[b"&".as_slice(), &[b'a'; 5000]].concat(), None, false), Reference::Bad);
        assert_eq!(reference(&[b"&#".as_slice(), &[b'0'; 300]].concat(), None, false), Reference::Bad);
    }

    #[test]
    fn entities_stand_for_their_texts() {
        let mut entities = Entities::default();
        let internal = |text: &str| Entity::Internal(text.as_bytes().into());
        for (name, text) in [
            ("a", "http://a.example/"),
            ("a", "no"),
            ("b", "&a;b&#38;c"),
            ("c", "&a;b&#x63;&gt;"),
            ("m", "x<b/>"),
            ("n", "&m;"),
            ("loop", "&loop;"),
            ("many", "&long;&long;&long;"),
        ] {
            entities.declare(name.as_bytes(), internal(text));
        }
        entities.declare(b"long", internal(&"x".repeat(100)));
        entities.declare(b"e", Entity::External);
        entities.declare(b"lacks", internal("&nosuch;"));
        entities.finish();
        let undone = |raw: &str| {
            let mut text = Vec::new();
            entities.undo(raw.as_bytes(), &mut text).then(|| String::from_utf8(text).unwrap())
        };
        assert_eq!(undone("&a;x&amp;y").as_deref(), Some("http://a.example/x&y"));
        assert_eq!(undone("&c;").as_deref(), Some("http://a.example/bc>"));
        // Bad references stand for themselves.
        assert_eq!(undone("&x;& &loop;").as_deref(), Some("&x;& &loop;"));
        for unread in ["&b;", "&m;", "&n;", "&many;", "&e;"] {
            assert_eq!(undone(unread), None, "{unread}");
        }
        for (text, is_for_values) in [("&m;", false), ("&n;", false), ("&e;", false), ("&b;", true)] {
            let expected = Reference::Whole(3, Referent::Unread { is_for_values });
            assert_eq!(reference(text.as_bytes(), Some(&entities), false), expected, "{text}");
        }
        for bad in ["&loop;", "&lacks;", "&x;"] {
            assert_eq!(reference(bad.as_bytes(), Some(&entities), false), Reference::Bad, "{bad}");
        }
    }
}
