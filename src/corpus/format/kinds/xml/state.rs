//! The facts that a chunk of an XML document has to know of the bytes before it.

#![cfg_attr(not(feature = "xml"), allow(dead_code, reason = "the parser is another feature"))]

/// The state of a document before a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct XmlState {
    /// The names of the elements that are open, one after the other.
    pub(super) names: Vec<u8>,
    pub(super) open: Vec<OpenElement>,
    /// The prefixes that stand for namespaces, the last ones first in force. An empty one is for names without a prefix.
    pub(super) prefixes: Vec<(Box<[u8]>, Namespace)>,
    /// The text that ends the markup that is being passed over because it exceeds the limit.
    pub(super) long: Option<&'static [u8]>,
    /// Whether the rest of the document is not read.
    pub(super) is_broken: bool,
    /// Bytes of the line before here.
    pub(crate) column: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenElement {
    pub(super) name_len: usize,
    /// The number of prefixes before it.
    pub(super) prefixes: usize,
}

/// A namespace that has names of elements or attributes with URLs, or another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    /// A name without a namespace, as RSS 2.0 has them.
    None,
    Sitemap,
    Image,
    Video,
    Atom,
    Rss1,
    Rdf,
    Media,
    Itunes,
    CommentApi,
    Xhtml,
    Xlink,
    Xml,
    Other,
}
