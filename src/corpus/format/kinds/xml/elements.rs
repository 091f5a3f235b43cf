//! The facts about elements and attributes that tags share.

use std::ops::Range;

use super::namespaces::{Namespace, Namespaces};
use super::short_name::ShortName;
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
    name: ShortName,
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

    /// Returns the facts about a name that a tag had lately. Such a name has no bad character.
    #[inline]
    pub(super) fn known(&self, name: ShortName, namespaces: &Namespaces) -> Option<&ElementFacts> {
        let place = name.hash(NameCache::SLOTS);
        let is_same = |slot: &&Slot| slot.name == name && slot.bindings == namespaces.number();
        let facts = |place: usize| self.slots[place].as_ref().filter(is_same).map(|slot| &slot.facts);
        facts(place).or_else(|| facts(place ^ 1))
    }

    /// Returns the facts about a name. Long ones, which have no `short` form, are not kept.
    #[inline]
    pub(super) fn get(
        &mut self,
        name: &[u8],
        short: Option<ShortName>,
        namespaces: &Namespaces,
    ) -> ElementFacts {
        looked_at(name.len());
        let Some(short) = short else { return ElementFacts::of(name, namespaces) };
        if let Some(&facts) = self.known(short, namespaces) {
            return facts;
        }
        let facts = ElementFacts::of(name, namespaces);
        let slot = Slot { name: short, bindings: namespaces.number(), facts };
        // Two names that want one place both get one, so that they do not drive each other out.
        let place = short.hash(NameCache::SLOTS);
        self.slots[place ^ 1] = self.slots[place].replace(slot);
        facts
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
