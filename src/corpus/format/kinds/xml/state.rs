//! The facts about the bytes before a chunk of an XML document.

/// The state of a document before a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct XmlState {
    /// The names of the open elements, one after the other.
    pub(super) names: Vec<u8>,
    pub(super) open: Vec<OpenElement>,
    /// The prefixes that stand for namespaces. Later ones take precedence. An empty prefix is for names without a prefix.
    pub(super) prefixes: Vec<(Box<[u8]>, Namespace)>,
    /// The text that ends the markup over the limit that is being skipped.
    pub(super) long: Option<&'static [u8]>,
    /// Whether the rest of the document is not read.
    pub(super) is_broken: bool,
    /// The number of bytes of the line before this place.
    pub(crate) column: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenElement {
    pub(super) name_len: usize,
    /// The number of prefixes declared before the element.
    pub(super) prefixes: usize,
}

/// A namespace whose elements or attributes hold URLs, or another namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    /// No namespace, as in RSS 2.0.
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
