//! The prefixes that stand for namespaces (Namespaces in XML 1.0).

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use super::names::first_bad;
use crate::corpus::format::lines::line::Malformed;
use crate::work::{looked_at, position};

/// The maximal number of bindings in scope.
const MOST: usize = 1024;

/// A namespace whose elements or attributes hold URLs, or another namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Namespace {
    /// No namespace, as in RSS 2.0.
    #[default]
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
    /// Licenses of Creative Commons in RSS.
    License,
    /// Threads in Atom (RFC 4685).
    Thread,
    /// Chapters of podcasts.
    Chapters,
    Xhtml,
    Xlink,
    SchemaInstance,
    Xml,
    Other,
}

/// A prefix and its namespace. An empty prefix is for names of elements without a prefix.
#[derive(Clone, Debug)]
struct Binding {
    prefix: Box<[u8]>,
    namespace: Namespace,
    /// Tells namespaces apart that are not known.
    key: u64,
}

/// The bindings in scope. Later ones take precedence.
#[derive(Clone, Debug, Default)]
pub(super) struct Namespaces {
    bindings: Vec<Binding>,
    /// The number of this set of bindings: equal numbers mean equal bindings.
    number: u32,
    last_number: u32,
}

/// A name, divided at its colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Resolved<'n> {
    pub(super) namespace: Namespace,
    pub(super) key: u64,
    pub(super) local: &'n [u8],
    /// The fault of the name, if it has one.
    pub(super) fault: Option<Malformed>,
}

impl Namespaces {
    /// Returns the number of bindings, and the number of their set.
    pub(super) fn mark(&self) -> (u32, u32) {
        (self.bindings.len() as u32, self.number)
    }

    /// Returns the number of the set of bindings.
    #[inline]
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Goes back to the bindings at a mark.
    #[inline]
    pub(super) fn go_back(&mut self, (len, number): (u32, u32)) {
        if self.number != number {
            self.bindings.truncate(len as usize);
            self.number = number;
        }
    }

    /// Returns true if one of the bindings satisfies the predicate.
    pub(super) fn any(&self, is_such: impl Fn(Namespace) -> bool) -> bool {
        self.bindings.iter().any(|binding| is_such(binding.namespace))
    }

    /// Binds a prefix to the namespace with this URI, whose references are undone. Returns the fault of the
    /// declaration, if it has one.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many bindings.
    pub(super) fn bind(&mut self, prefix: &[u8], uri: &[u8]) -> Result<Option<Malformed>, Malformed> {
        static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        const OF_XML: &[u8] = b"http://www.w3.org/XML/1998/namespace";
        const OF_XMLNS: &[u8] = b"http://www.w3.org/2000/xmlns/";

        if self.bindings.len() == MOST {
            return Err(Malformed::TooDeep);
        }
        // These declarations are forbidden, and have no effect (section 3 and "Prefix Declared").
        let is_forbidden = prefix.contains(&b':')
            || !prefix.is_empty() && first_bad(prefix, true).is_some()
            || match prefix {
                b"xml" => uri != OF_XML,
                b"xmlns" => true,
                _ => uri == OF_XML || uri == OF_XMLNS || uri.is_empty() && !prefix.is_empty(),
            };
        if is_forbidden || prefix == b"xml" {
            return Ok(is_forbidden.then_some(Malformed::IllFormed));
        }
        looked_at(uri.len());
        let binding =
            Binding { prefix: prefix.into(), namespace: Namespace::of(uri), key: KEYS.hash_one(uri) };
        self.bindings.push(binding);
        self.last_number = self.last_number.wrapping_add(1);
        self.number = self.last_number;
        Ok(None)
    }

    fn binding(&self, prefix: &[u8]) -> Option<&Binding> {
        self.bindings.iter().rev().find(|binding| *binding.prefix == *prefix)
    }

    /// Resolves the name of an element or an attribute. An attribute without a prefix has no namespace.
    pub(super) fn resolve<'n>(&self, name: &'n [u8], is_element: bool) -> Resolved<'n> {
        let resolved = |namespace, key, local, fault| Resolved { namespace, key, local, fault };
        let Some(colon) = position(name, |&byte| byte == b':') else {
            let binding = if is_element { self.binding(b"") } else { None };
            let (namespace, key) =
                binding.map_or((Namespace::None, 0), |binding| (binding.namespace, binding.key));
            return resolved(namespace, key, name, None);
        };
        let (prefix, local) = (&name[..colon], &name[colon + 1..]);
        // Both parts are names.
        let is_qualified = !prefix.is_empty() && !local.contains(&b':') && first_bad(local, true).is_none();
        if !is_qualified {
            return resolved(Namespace::Other, 0, local, Some(Malformed::IllFormed));
        }
        if prefix == b"xml" {
            return resolved(Namespace::Xml, 0, local, None);
        }
        match self.binding(prefix) {
            Some(binding) => resolved(binding.namespace, binding.key, local, None),
            // Elements with the usual prefix are what their writer meant.
            None => resolved(Namespace::usual(prefix), 0, local, Some(Malformed::UndeclaredPrefix)),
        }
    }
}

impl Namespace {
    /// Returns the namespace with this URI. Only its host and its path count, in any letter case: documents
    /// have `https` for `http`, a slash too many or too few, and the host without `www`.
    fn of(uri: &[u8]) -> Self {
        /// No namespace of the table is longer.
        const LONGEST: usize = 80;

        if uri.is_empty() {
            return Namespace::None;
        }
        let uri = uri.trim_ascii();
        if uri.len() > LONGEST {
            return Namespace::Other;
        }
        let lower = uri.to_ascii_lowercase();
        let rest =
            lower.strip_prefix(b"https://").or_else(|| lower.strip_prefix(b"http://")).unwrap_or(&lower);
        let rest = rest.strip_prefix(b"www.").unwrap_or(rest);
        let len = rest.iter().rev().skip_while(|&&byte| byte == b'/' || byte == b'#').count();
        Self::named(&rest[..len])
    }

    /// Returns the namespace with this host and path, in lower case and without `www.` and without slashes
    /// and `#` at the end.
    fn named(place: &[u8]) -> Self {
        match place {
            b"sitemaps.org/schemas/sitemap/0.9"
            | b"sitemaps.org/schemas/sitemap/0.84"
            | b"sitemaps.org/schemas/sitemap"
            | b"sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"
            | b"sitemaps.org/schemas/sitemap/0.9/siteindex.xsd"
            | b"google.com/schemas/sitemap/0.84"
            | b"google.com/schemas/sitemap/0.9"
            | b"google.com/schemas/sitemap" => Namespace::Sitemap,
            b"google.com/schemas/sitemap-image/1.1" | b"google.com/schemas/sitemap-image/1.0" => {
                Namespace::Image
            }
            b"google.com/schemas/sitemap-video/1.1" | b"google.com/schemas/sitemap-video/1.0" => {
                Namespace::Video
            }
            // The drafts of Atom had other names.
            b"w3.org/2005/atom"
            | b"purl.org/atom/ns"
            | b"purl.org/atom"
            | b"purl.org/pie"
            | b"purl.org/echo"
            | b"example.com/newformat"
            | b"example.com/necho"
            | b"uri/of/echo/namespace" => Namespace::Atom,
            b"purl.org/rss/1.0"
            | b"my.netscape.com/rdf/simple/0.9"
            | b"channel.netscape.com/rdf/simple/0.9"
            | b"purl.org/rss/1.0/modules/rss091"
            | b"purl.org/net/rss1.1" => Namespace::Rss1,
            // Some writers of RSS 2.0 put its elements into a namespace.
            b"backend.userland.com/rss"
            | b"backend.userland.com/rss2"
            | b"backend.userland.com/rss091"
            | b"backend.userland.com/rss092"
            | b"blogs.law.harvard.edu/tech/rss"
            | b"cyber.law.harvard.edu/rss/rss.html" => Namespace::None,
            b"w3.org/1999/02/22-rdf-syntax-ns" => Namespace::Rdf,
            b"search.yahoo.com/mrss" => Namespace::Media,
            b"itunes.com/dtds/podcast-1.0.dtd" | b"example.com/dtds/podcast-1.0.dtd" => Namespace::Itunes,
            b"wellformedweb.org/commentapi" => Namespace::CommentApi,
            b"backend.userland.com/creativecommonsrssmodule" => Namespace::License,
            b"purl.org/syndication/thread/1.0" => Namespace::Thread,
            b"podlove.org/simple-chapters" => Namespace::Chapters,
            b"w3.org/1999/xhtml" => Namespace::Xhtml,
            b"w3.org/1999/xlink" => Namespace::Xlink,
            b"w3.org/2001/xmlschema-instance" => Namespace::SchemaInstance,
            _ => Namespace::Other,
        }
    }

    /// Returns the namespace that a prefix usually stands for.
    fn usual(prefix: &[u8]) -> Self {
        match prefix {
            b"image" => Namespace::Image,
            b"video" => Namespace::Video,
            b"atom" | b"atom10" => Namespace::Atom,
            b"rdf" => Namespace::Rdf,
            b"media" => Namespace::Media,
            b"itunes" => Namespace::Itunes,
            b"wfw" => Namespace::CommentApi,
            b"creativeCommons" => Namespace::License,
            b"thr" => Namespace::Thread,
            b"psc" => Namespace::Chapters,
            b"xhtml" => Namespace::Xhtml,
            b"xlink" => Namespace::Xlink,
            b"xsi" => Namespace::SchemaInstance,
            _ => Namespace::Other,
        }
    }

    /// Returns true if elements or attributes of the namespace hold URLs, in sitemaps, feeds or pages.
    pub(super) fn is_known(self) -> bool {
        !matches!(
            self,
            Namespace::None
                | Namespace::Other
                | Namespace::Xml
                | Namespace::Xlink
                | Namespace::SchemaInstance
        )
    }
}
