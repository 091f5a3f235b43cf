//! The facts about attributes that tags share.

use std::ops::Range;

use super::elements::ElementFacts;
use super::namespaces::{Namespace, Namespaces};
use super::state::Root;
use super::vocabulary::{AttributeUrl, Holds, attribute_with_url};
use crate::corpus::format::kinds::html::{self, HeldUrls};

/// An attribute, as ranges of bytes.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: Range<usize>,
    pub(super) value: Range<usize>,
}

/// The facts about an attribute that depend on its name, its element and the bindings only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AttributeFacts {
    pub(super) of: AttributeUse,
    pub(super) is_prefixed: bool,
}

/// The use of an attribute.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum AttributeUse {
    #[default]
    Other,
    Url(AttributeUrl),
    /// An attribute of XHTML whose value can hold URLs among other text.
    Html,
    /// The value says whether the text of a `guid` is a URL.
    PermaLink,
}

impl AttributeUse {
    /// Returns the use of the attribute with a name. `local` is the name of the element without its prefix.
    pub(super) fn of(
        name: &[u8],
        element: &ElementFacts,
        local: &[u8],
        root: Root,
        namespaces: &Namespaces,
    ) -> Self {
        let (namespace, local_name) = if name.contains(&b':') {
            let resolved = namespaces.resolve(name, false);
            (resolved.namespace, resolved.local)
        } else {
            (Namespace::None, name)
        };
        if let Some(url) = attribute_with_url((element.namespace, local), (namespace, local_name), root) {
            return AttributeUse::Url(url);
        }
        // The names of XHTML are in lower case.
        let is_lower = |name: &[u8]| !name.iter().any(u8::is_ascii_uppercase);
        if element.namespace == Namespace::Xhtml
            && namespace == Namespace::None
            && is_lower(local)
            && is_lower(name)
            && let Some(held) = html::held_urls(local, name)
        {
            return match held {
                HeldUrls::One(name) => {
                    AttributeUse::Url(AttributeUrl { element: None, name, holds: Holds::Url })
                }
                HeldUrls::Within => AttributeUse::Html,
            };
        }
        if local == b"guid" && name == b"isPermaLink" {
            return AttributeUse::PermaLink;
        }
        AttributeUse::Other
    }
}

/// Returns false if the value of an `isPermaLink` says that a text is no URL.
pub(super) fn is_link(value: &[u8]) -> bool {
    value.trim_ascii() != b"false"
}
