//! The state of a document between two bytes.

use std::sync::Arc;

use super::entities::Entities;
use super::namespaces::Namespaces;
use super::short_name::ShortName;

/// The state of a document between two bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct XmlState {
    pub(super) place: Place,
    /// The markup that goes on here, if it is neither text nor a tag.
    pub(super) inside: Option<Inside>,
    /// The names of the open elements that are not short, one after the other.
    pub(super) names: Vec<u8>,
    pub(super) open: Vec<OpenElement>,
    pub(super) namespaces: Namespaces,
    /// The bases of the open elements that have an `xml:base`.
    pub(super) bases: Vec<Arc<[u8]>>,
    /// The root element, once it is known.
    pub(super) root: Option<Root>,
    /// The entities that the document type declares, if the document has one.
    pub(super) entities: Option<Arc<Entities>>,
    /// Whether the declaration names a charset other than UTF-8.
    pub(super) has_other_charset: bool,
    /// Whether the declaration says that no entity is declared elsewhere.
    pub(super) is_standalone: bool,
    /// Whether the rest of the document is not read.
    pub(super) is_broken: bool,
    /// The number of bytes of the line before this place.
    pub(crate) column: u64,
}

/// The part of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    /// The first byte, the only place for an XML declaration.
    #[default]
    Start,
    /// Before the root element.
    Prolog,
    /// In the root element.
    Content,
    /// After the root element.
    Epilog,
}

/// Markup that can be cut at any byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Comment {
        /// Whether the byte before is a dash of the comment.
        is_after_dash: bool,
    },
    Cdata,
    /// A processing instruction.
    Instruction,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OpenElement {
    /// The name, if it is short. Otherwise, it is in [`names`](XmlState::names).
    pub(super) name: Option<ShortName>,
    pub(super) name_len: u32,
    /// Whether the element has an `xml:base`.
    pub(super) has_base: bool,
    /// The number of bindings before the element, and their number in the order of all sets of bindings.
    pub(super) bindings: (u32, u32),
}

/// The root element of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// A sitemap or an index of sitemaps.
    Sitemap,
    Feed,
    /// Another element, but it declares or has a namespace with elements that hold URLs.
    Known,
    /// An element of a vocabulary that is not known.
    Unknown,
}
