//! The elements and attributes that hold URLs, by their namespaces.

use super::namespaces::{Namespace, Namespaces};
use super::state::Root;

/// An element whose text is a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextUrl {
    /// The name for the column `element`. It has the usual prefix of sitemaps and feeds, if there is one.
    pub(super) element: &'static str,
    pub(super) presence: Presence,
}

/// The texts of an element that count as URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// The text, even if it is empty, unless the element has other elements.
    Whole,
    /// The same, but an empty text counts only if no attribute of the element holds a URL.
    UnlessInAttribute,
    /// The text before the first element inside, unless it is empty. Such an element should have another
    /// element for its URL.
    Stray,
}

/// Returns the root element of a document, given its name and the bindings that it declares.
pub(super) fn root(namespace: Namespace, name: &[u8], namespaces: &Namespaces) -> Root {
    match (namespace, name) {
        (Namespace::Sitemap | Namespace::None, b"urlset" | b"sitemapindex") => Root::Sitemap,
        (Namespace::Atom, b"feed" | b"entry") | (Namespace::None, b"rss" | b"opml" | b"feed") => Root::Feed,
        (Namespace::Rdf, b"RDF") if namespaces.any(|bound| bound == Namespace::Rss1) => Root::Feed,
        _ if namespace.is_known() || namespaces.any(Namespace::is_known) => Root::Known,
        _ => Root::Unknown,
    }
}

/// Returns the use of an element's text, if it is a URL.
pub(super) fn text_with_url(namespace: Namespace, name: &[u8]) -> Option<TextUrl> {
    let whole = |element| TextUrl { element, presence: Presence::Whole };
    let rss = matches!(namespace, Namespace::None | Namespace::Rss1);
    Some(match (namespace, name) {
        (Namespace::Sitemap | Namespace::None, b"loc") => whole("loc"),
        (Namespace::Sitemap, b"url") => TextUrl { element: "url", presence: Presence::Stray },
        (Namespace::Sitemap | Namespace::None, b"sitemap") => {
            TextUrl { element: "sitemap", presence: Presence::Stray }
        }
        (Namespace::Image, b"loc") => whole("image:loc"),
        (Namespace::Image, b"license") => whole("image:license"),
        (Namespace::Video, b"thumbnail_loc") => whole("video:thumbnail_loc"),
        (Namespace::Video, b"content_loc") => whole("video:content_loc"),
        (Namespace::Video, b"player_loc") => whole("video:player_loc"),
        (Namespace::Video, b"gallery_loc") => whole("video:gallery_loc"),
        (_, b"link") if rss => TextUrl { element: "link", presence: Presence::UnlessInAttribute },
        (_, b"url") if rss => whole("url"),
        (_, b"docs") if rss => whole("docs"),
        (_, b"comments") if rss => whole("comments"),
        (Namespace::None, b"guid") => whole("guid"),
        (Namespace::Atom, b"id") => whole("id"),
        (Namespace::Atom, b"uri" | b"url") => whole("uri"),
        // Some write the URL of a link as its text.
        (Namespace::Atom, b"link") => TextUrl { element: "link", presence: Presence::Stray },
        (Namespace::Atom, b"homepage") => whole("homepage"),
        (Namespace::Atom, b"icon") => whole("icon"),
        (Namespace::Atom, b"logo") => whole("logo"),
        (Namespace::Itunes, b"new-feed-url") => whole("itunes:new-feed-url"),
        (Namespace::License, b"license") => whole("creativecommons:license"),
        (Namespace::CommentApi, b"comment") => whole("wfw:comment"),
        (Namespace::CommentApi, b"commentRss" | b"commentRSS") => whole("wfw:commentrss"),
        _ => return None,
    })
}

/// An attribute that holds URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AttributeUrl {
    /// The name of the element, unless any element can have the attribute.
    pub(super) element: Option<&'static str>,
    pub(super) name: &'static str,
    pub(super) holds: Holds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Url,
    /// URLs between white space.
    Urls,
    /// The base of the element and its contents.
    Base,
}

/// Returns the use of an attribute that holds URLs. `root` is the root element of the document.
pub(super) fn attribute_with_url(
    element: (Namespace, &[u8]),
    attribute: (Namespace, &[u8]),
    root: Root,
) -> Option<AttributeUrl> {
    use Namespace::{
        Atom, Chapters, Itunes, Media, None as No, Rdf, Rss1, SchemaInstance, Thread, Video, Xlink, Xml,
    };

    let (namespace, name) = element;
    let url = |element, name| AttributeUrl { element, name, holds: Holds::Url };
    if attribute.0 != No {
        return Some(match attribute {
            (Xml, b"base") => AttributeUrl { holds: Holds::Base, ..url(None, "xml:base") },
            (Xlink, b"href") => url(None, "xlink:href"),
            (Rdf, b"about") => url(None, "rdf:about"),
            (Rdf, b"resource") => url(None, "rdf:resource"),
            (SchemaInstance, b"schemaLocation") if root == Root::Unknown => {
                AttributeUrl { holds: Holds::Urls, ..url(None, "xsi:schemalocation") }
            }
            (SchemaInstance, b"noNamespaceSchemaLocation") if root == Root::Unknown => {
                url(None, "xsi:nonamespaceschemalocation")
            }
            _ => return None,
        });
    }
    Some(match (namespace, name, attribute.1) {
        (No, b"enclosure", b"url") => url(Some("enclosure"), "url"),
        (No, b"source", b"url") => url(Some("source"), "url"),
        (No, b"outline", b"xmlUrl" | b"xmlurl" | b"xmlURL") => url(Some("outline"), "xmlurl"),
        (No, b"outline", b"htmlUrl" | b"htmlurl" | b"htmlURL") => url(Some("outline"), "htmlurl"),
        (No, b"outline", b"url") => url(Some("outline"), "url"),
        (Atom | No | Rss1, b"link", b"href") => url(Some("link"), "href"),
        (Atom, b"content" | b"summary", b"src") => url(Some("content"), "src"),
        (Atom, b"category", b"scheme") => url(Some("category"), "scheme"),
        (Atom, b"generator", b"uri" | b"url") => url(Some("generator"), "uri"),
        (Video, b"uploader", b"info") => url(Some("video:uploader"), "info"),
        (Media, b"content", b"url") => url(Some("media:content"), "url"),
        (Media, b"thumbnail", b"url") => url(Some("media:thumbnail"), "url"),
        (Media, b"player", b"url") => url(Some("media:player"), "url"),
        (Media, b"license", b"href") => url(Some("media:license"), "href"),
        (Itunes, b"image" | b"link", b"href") => url(Some(itunes(name)), "href"),
        (Itunes, b"image", b"url") => url(Some("itunes:image"), "url"),
        (Thread, b"in-reply-to", b"href") => url(Some("thr:in-reply-to"), "href"),
        (Thread, b"in-reply-to", b"ref") => url(Some("thr:in-reply-to"), "ref"),
        (Thread, b"in-reply-to", b"source") => url(Some("thr:in-reply-to"), "source"),
        (Chapters, b"chapter", b"href") => url(Some("psc:chapter"), "href"),
        (Chapters, b"chapter", b"image") => url(Some("psc:chapter"), "image"),
        (_, _, b"href") if root == Root::Unknown => url(None, "href"),
        (_, _, b"src") if root == Root::Unknown => url(None, "src"),
        _ => return None,
    })
}

fn itunes(name: &[u8]) -> &'static str {
    if name == b"link" { "itunes:link" } else { "itunes:image" }
}
