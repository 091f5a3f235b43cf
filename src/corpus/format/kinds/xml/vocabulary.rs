//! The elements and attributes that hold URLs, by the URIs of their namespaces.

use super::state::Namespace;

impl Namespace {
    /// Returns the namespace with this URI.
    pub(super) fn of(uri: &[u8]) -> Self {
        match uri {
            b"" => Namespace::None,
            b"http://www.sitemaps.org/schemas/sitemap/0.9"
            | b"http://www.google.com/schemas/sitemap/0.84" => Namespace::Sitemap,
            b"http://www.google.com/schemas/sitemap-image/1.1" => Namespace::Image,
            b"http://www.google.com/schemas/sitemap-video/1.1" => Namespace::Video,
            b"http://www.w3.org/2005/Atom" | b"http://purl.org/atom/ns#" => Namespace::Atom,
            b"http://purl.org/rss/1.0/" | b"http://my.netscape.com/rdf/simple/0.9/" => Namespace::Rss1,
            b"http://www.w3.org/1999/02/22-rdf-syntax-ns#" => Namespace::Rdf,
            b"http://search.yahoo.com/mrss/" | b"http://search.yahoo.com/mrss" => Namespace::Media,
            b"http://www.itunes.com/dtds/podcast-1.0.dtd" => Namespace::Itunes,
            b"http://wellformedweb.org/CommentAPI/" => Namespace::CommentApi,
            b"http://www.w3.org/1999/xhtml" => Namespace::Xhtml,
            b"http://www.w3.org/1999/xlink" => Namespace::Xlink,
            _ => Namespace::Other,
        }
    }
}

/// Returns the name for the column `element` of an element whose text is a URL. It has the usual prefix of sitemaps and feeds, if there is one.
pub(super) fn element_with_url(namespace: Namespace, name: &[u8]) -> Option<&'static str> {
    Some(match (namespace, name) {
        (Namespace::Sitemap | Namespace::None, b"loc") => "loc",
        (Namespace::Image, b"loc") => "image:loc",
        (Namespace::Image, b"license") => "image:license",
        (Namespace::Video, b"thumbnail_loc") => "video:thumbnail_loc",
        (Namespace::Video, b"content_loc") => "video:content_loc",
        (Namespace::Video, b"player_loc") => "video:player_loc",
        (Namespace::Video, b"gallery_loc") => "video:gallery_loc",
        (Namespace::None | Namespace::Rss1, b"link") => "link",
        (Namespace::None | Namespace::Rss1, b"url") => "url",
        (Namespace::None | Namespace::Rss1, b"docs") => "docs",
        (Namespace::None | Namespace::Rss1, b"comments") => "comments",
        (Namespace::None, b"guid") => "guid",
        (Namespace::Atom, b"id") => "id",
        (Namespace::Atom, b"uri" | b"url") => "uri",
        (Namespace::Atom, b"icon") => "icon",
        (Namespace::Atom, b"logo") => "logo",
        (Namespace::Itunes, b"new-feed-url") => "itunes:new-feed-url",
        (Namespace::CommentApi, b"comment") => "wfw:comment",
        (Namespace::CommentApi, b"commentRss") => "wfw:commentrss",
        _ => return None,
    })
}

/// Returns the names for the columns `element` and `attribute` of an attribute that holds a URL. The element is `None` if any element can have the
/// attribute.
pub(super) fn attribute_with_url(
    element: (Namespace, &[u8]),
    attribute: (Namespace, &[u8]),
) -> Option<(Option<&'static str>, &'static str)> {
    let (namespace, name) = element;
    Some(match (namespace, name, attribute) {
        (_, _, (Namespace::Xml, b"base")) => (None, "xml:base"),
        (_, _, (Namespace::Xlink, b"href")) => (None, "xlink:href"),
        (_, _, (Namespace::Rdf, b"about")) => (None, "rdf:about"),
        (_, _, (Namespace::Rdf, b"resource")) => (None, "rdf:resource"),
        (Namespace::None, b"enclosure", (Namespace::None, b"url")) => (Some("enclosure"), "url"),
        (Namespace::None, b"source", (Namespace::None, b"url")) => (Some("source"), "url"),
        (Namespace::None, b"outline", (Namespace::None, b"xmlUrl")) => (Some("outline"), "xmlurl"),
        (Namespace::None, b"outline", (Namespace::None, b"htmlUrl")) => (Some("outline"), "htmlurl"),
        (Namespace::None, b"outline", (Namespace::None, b"url")) => (Some("outline"), "url"),
        (Namespace::Atom, b"link", (Namespace::None, b"href")) => (Some("link"), "href"),
        (Namespace::Atom, b"content", (Namespace::None, b"src")) => (Some("content"), "src"),
        (Namespace::Atom, b"category", (Namespace::None, b"scheme")) => (Some("category"), "scheme"),
        (Namespace::Atom, b"generator", (Namespace::None, b"uri" | b"url")) => (Some("generator"), "uri"),
        (Namespace::Video, b"uploader", (Namespace::None, b"info")) => (Some("video:uploader"), "info"),
        (Namespace::Media, b"content", (Namespace::None, b"url")) => (Some("media:content"), "url"),
        (Namespace::Media, b"thumbnail", (Namespace::None, b"url")) => (Some("media:thumbnail"), "url"),
        (Namespace::Media, b"player", (Namespace::None, b"url")) => (Some("media:player"), "url"),
        (Namespace::Itunes, b"image", (Namespace::None, b"href")) => (Some("itunes:image"), "href"),
        _ => return None,
    })
}
