//! The facts about elements that tags share.

use super::namespaces::{Namespace, Namespaces};
use super::recent_names::RecentNames;
use super::short_name::ShortName;
use super::vocabulary::{TextUrl, text_with_url};
use crate::corpus::format::lines::line::Malformed;
use crate::work::looked_at;

/// The facts about an element that depend on its name and the bindings only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ElementFacts {
    pub(super) namespace: Namespace,
    /// The number of bytes of the name before its local part.
    pub(super) local: usize,
    pub(super) text: Option<TextUrl>,
    pub(super) fault: Option<Malformed>,
}

impl RecentNames<ElementFacts> {
    /// Returns the facts about the name of an element, and its number; 0 if it is a long name.
    #[inline]
    pub(super) fn get(
        &mut self,
        name: &[u8],
        short: Option<ShortName>,
        namespaces: &Namespaces,
    ) -> (ElementFacts, u32) {
        looked_at(name.len());
        let Some(short) = short else { return (ElementFacts::of(name, namespaces), 0) };
        if let Some(place) = self.find(short, namespaces.number()) {
            let recent = self.at(place);
            return (recent.facts, recent.number);
        }
        let facts = ElementFacts::of(name, namespaces);
        (facts, self.keep(short, name.len(), namespaces.number(), facts))
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
