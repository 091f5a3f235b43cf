//! The facts about elements and attributes that tags share.

use std::ops::Range;

use super::namespaces::{Namespace, Namespaces};
use super::vocabulary::{TextUrl, text_with_url};
use crate::corpus::format::lines::line::Malformed;
use crate::work::looked_at;

/// An attribute, as ranges of bytes.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// The facts about an element that depend on its name and the bindings only.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementFacts {
    pub(super) namespace: Namespace,
    /// The number of bytes of the name before its local part.
    pub(super) local: usize,
    pub(super) text: Option<TextUrl>,
    pub(super) fault: Option<Malformed>,
}

/// The facts about the names that tags had lately. Documents have few names, again and again.
pub(super) struct NameCache {
    slots: Box<[Option<Slot>; NameCache::SLOTS]>,
}

struct Slot {
    name: [u8; NameCache::LONGEST],
    len: usize,
    /// The number of the set of bindings.
    bindings: u32,
    facts: ElementFacts,
}

impl Default for NameCache {
    fn default() -> Self {
        NameCache { slots: Box::new([const { None }; NameCache::SLOTS]) }
    }
}

impl NameCache {
    const SLOTS: usize = 64;
    /// Longer names are not kept.
    const LONGEST: usize = 24;

    #[inline]
    pub(super) fn get(&mut self, name: &[u8], namespaces: &Namespaces) -> ElementFacts {
        looked_at(name.len());
        if name.len() > NameCache::LONGEST || name.is_empty() {
            return ElementFacts::of(name, namespaces);
        }
        let (first, last) = (usize::from(name[0]), usize::from(name[name.len() - 1]));
        let middle = usize::from(name[name.len() / 2]);
        let slot = &mut self.slots[(first + last * 7 + middle * 31 + name.len() * 3) % NameCache::SLOTS];
        match slot {
            Some(slot) if slot.bindings == namespaces.number() && slot.name[..slot.len] == *name => {
                slot.facts
            }
            slot => {
                let facts = ElementFacts::of(name, namespaces);
                let mut bytes = [0; NameCache::LONGEST];
                bytes[..name.len()].copy_from_slice(name);
                let bindings = namespaces.number();
                *slot = Some(Slot { name: bytes, len: name.len(), bindings, facts });
                facts
            }
        }
    }
}

impl ElementFacts {
    #[inline(never)]
    fn of(name: &[u8], namespaces: &Namespaces) -> Self {
        let resolved = namespaces.resolve(name, true);
        ElementFacts {
            namespace: resolved.namespace,
            local: name.len() - resolved.local.len(),
            text: text_with_url(resolved.namespace, resolved.local),
            fault: resolved.fault,
        }
    }
}
