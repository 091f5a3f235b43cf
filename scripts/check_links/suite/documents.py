"""XML: sitemaps, their extensions, feeds, and documents of no vocabulary that the command knows. lxml
(libxml2) reads them.
"""

import re

import lxml.etree

from .cases import Link, Place

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
EXTENSIONS = (
    'xmlns:i="http://www.google.com/schemas/sitemap-image/1.1" xmlns:v="http://www.google.com/schemas/sitemap-video/1.1" '
    'xmlns:h="http://www.w3.org/1999/xhtml"'
)
# What XML has no character for, or a reader changes.
FORBIDDEN = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def references(text, choose, quote=None):
    """The text with references for what may not stand there, and for other characters."""
    must = {"&": "&amp;", "<": "&lt;"}
    if quote:
        must |= {quote: "&quot;" if quote == '"' else "&apos;", "\n": "&#10;", "\t": "&#x9;"}
    share = choose.choice([0, 0, 0.2])

    def written(char):
        if char not in must:
            return f"&#x{ord(char):X};" if choose.random() < share else "&gt;" if char == ">" else char
        return must[char] if choose.random() < 0.7 else f"&#{ord(char)};"

    return "".join(map(written, text))


def sections(text, choose):
    """The text in a CDATA section."""
    return None if "]]>" in text else f"<![CDATA[{text}]]>"


def mixed(text, choose):
    """The text in parts: references, sections, and comments between them."""
    at = choose.randint(1, len(text) - 1)
    head, tail = references(text[:at], choose), sections(text[at:], choose)
    return None if tail is None else head + choose.choice(["", "<!-- c -->", "<?p i?>"]) + tail


class Xml(Place):
    """A URL in an element or an attribute."""

    reader = "lxml"
    options = "--from", "xml"
    has_references = True
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SITEMAP}" {EXTENSIONS}>\n'
    tail = "</urlset>\n"
    # The elements that hold a URL, as their start and end, or with the start of an attribute.
    elements = ()
    attributes = ()
    # The paths of the same, in the form of lxml.
    tags = ()
    before = (
        "",
        "<!-- <loc>http://no.example/</loc> -->",
        "<x><![CDATA[<loc>no</loc>]]></x>",
        "<?p <loc>no</loc>?>",
        "text &amp; text",
        "\n  ",
    )
    after = "", "<lastmod>2026-01-01</lastmod>", "\n", "<x y='no'/>"
    between = "", " ", "\n", "<x/>"

    def __init__(self, name, **facts):
        super().__init__(name, **facts)
        if self.grammar == "rfc3986:URI":
            self.has_references = False

    def planted(self, url, choose):
        if FORBIDDEN.search(url):
            return None
        if self.attributes and (not self.elements or choose.random() < 0.5):
            start, end = choose.choice(self.attributes)
            quote = choose.choice("\"'")
            equals = choose.choice(["=", "=", " = "]) + quote + choose.choice(["", "", " ", "\n "])
            return [
                start + equals,
                Link(references(url, choose, quote), url),
                choose.choice(["", " "]) + quote + end,
            ]
        start, end = choose.choice(self.elements)
        written = choose.choice([references, references, sections, mixed])(url, choose)
        if written is None:
            return None
        if written.startswith("<![CDATA["):
            start, written = start + choose.choice(["", "\n  "]) + "<![CDATA[", written[len("<![CDATA[") :]
        return [
            start,
            Link(written, url, choose.choice(["", "", " ", "\n    "])),
            choose.choice(["", " ", "\n"]) + end,
        ]

    def read(self, text):
        root = lxml.etree.fromstring((self.head + text + self.tail).encode())
        found = []
        for element in root.iter("*"):
            name = lxml.etree.QName(element)
            for attribute in element.attrib:
                if (name.localname, lxml.etree.QName(attribute).localname) in self.tags:
                    found.append(element.attrib[attribute].strip(" \t\r\n"))
            # Without the text of comments and instructions.
            text = element.xpath("string()").strip(" \t\r\n")
            if name.localname in self.tags and text and element.attrib.get("isPermaLink") != "false":
                found.append(text)
        return found


def sitemap(name, namespace, prefix=""):
    """A sitemap with a namespace and a prefix of its own."""
    declared = f"xmlns:{prefix}" if prefix else "xmlns"
    prefix = prefix and prefix + ":"
    return Xml(
        name,
        head=f'<?xml version="1.0"?>\n<{prefix}urlset {declared}="{namespace}">\n',
        tail=f"</{prefix}urlset>\n",
        elements=(
            (f"<{prefix}url><{prefix}loc>", f"</{prefix}loc></{prefix}url>"),
            (f"<{prefix}url>\n<{prefix}loc >", f"</{prefix}loc\n></{prefix}url>"),
        ),
        tags=("loc",),
        before=(
            "",
            "<!-- <loc>http://no.example/</loc> -->",
            f"<{prefix}x><![CDATA[<loc>no</loc>]]></{prefix}x>",
            "\n  ",
        ),
        after=("", "\n"),
    )


class Feed(Xml):
    grammar = "rfc3986:URI-reference"


CONTAINERS = [
    sitemap("sitemap", SITEMAP),
    sitemap("sitemap with a prefix", SITEMAP, "s"),
    sitemap("sitemap, https", "https://www.sitemaps.org/schemas/sitemap/0.9"),
    sitemap("sitemap, slash at the end", SITEMAP + "/"),
    sitemap("sitemap, host alone", "http://sitemaps.org/schemas/sitemap/0.9"),
    sitemap("sitemap, Google's namespace", "http://www.google.com/schemas/sitemap/0.84", "g"),
    sitemap("sitemap, Google's of 2005", "https://www.google.com/schemas/sitemap/0.84"),
    Xml(
        "sitemap index",
        head=f'<sitemapindex xmlns="{SITEMAP}">\n',
        tail="</sitemapindex>\n",
        elements=(("<sitemap><loc>", "</loc></sitemap>"),),
        tags=("loc",),
    ),
    Xml(
        "extensions of sitemaps",
        elements=(
            ("<url><i:image><i:loc>", "</i:loc></i:image></url>"),
            ("<url><i:image><i:license>", "</i:license></i:image></url>"),
            ("<url><v:video><v:content_loc>", "</v:content_loc></v:video></url>"),
            ("<url><v:video><v:player_loc autoplay='a'>", "</v:player_loc></v:video></url>"),
            ("<url><v:video><v:thumbnail_loc>", "</v:thumbnail_loc></v:video></url>"),
        ),
        attributes=(
            ('<url><h:link rel="alternate" hreflang="de" href', "/></url>"),
            ("<url><v:video><v:uploader info", ">a</v:uploader></v:video></url>"),
        ),
        tags=(
            "loc",
            "license",
            "content_loc",
            "player_loc",
            "thumbnail_loc",
            ("link", "href"),
            ("uploader", "info"),
        ),
    ),
    Feed(
        "RSS 2.0",
        head='<rss version="2.0" xmlns:m="http://search.yahoo.com/mrss/" xmlns:a="http://www.w3.org/2005/Atom">\n<channel>\n',
        tail="</channel></rss>",
        elements=(
            ("<item><link>", "</link></item>"),
            ("<item><guid>", "</guid></item>"),
            ('<item><guid isPermaLink="true">', "</guid></item>"),
            ("<item><guid isPermaLink='false'>no</guid><comments>", "</comments></item>"),
            ("<image><url>", "</url></image>"),
            ("<docs>", "</docs>"),
        ),
        attributes=(
            ('<item><enclosure length="1" type="x" url', "/></item>"),
            ("<item><source url", ">a</source></item>"),
            ("<m:content url", "/>"),
            ("<m:group><m:thumbnail width='1' url", "></m:thumbnail></m:group>"),
            ('<a:link rel="self" href', "/>"),
        ),
        tags=(
            "link",
            "guid",
            "comments",
            "url",
            "docs",
            ("enclosure", "url"),
            ("source", "url"),
            ("content", "url"),
            ("thumbnail", "url"),
            ("link", "href"),
        ),
    ),
    Feed(
        "Atom",
        head='<feed xmlns="http://www.w3.org/2005/Atom">\n',
        tail="</feed>\n",
        elements=(
            ("<entry><id>", "</id></entry>"),
            ("<author><uri>", "</uri></author>"),
            ("<icon>", "</icon>"),
            ("<logo>", "</logo>"),
        ),
        attributes=(
            ("<link href", "/>"),
            ("<entry><content type='x' src", "/></entry>"),
            ("<category term='a' scheme", "/>"),
            ("<generator uri", ">a</generator>"),
        ),
        tags=(
            "id",
            "uri",
            "icon",
            "logo",
            ("link", "href"),
            ("content", "src"),
            ("category", "scheme"),
            ("generator", "uri"),
        ),
    ),
    Feed(
        "OPML",
        head='<opml version="2.0"><body>\n',
        tail="</body></opml>\n",
        attributes=(
            ("<outline text='a' xmlUrl", "/>"),
            ("<outline htmlUrl", "></outline>"),
            ("<outline type='link' url", "/>"),
        ),
        tags=(("outline", "xmlUrl"), ("outline", "htmlUrl"), ("outline", "url")),
    ),
    Feed(
        "RSS 1.0",
        head='<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">\n',
        tail="</rdf:RDF>\n",
        elements=(("<item><link>", "</link></item>"), ("<image><url>", "</url></image>")),
        attributes=(("<item rdf:about", "></item>"), ("<image rdf:resource", "/>")),
        tags=("link", "url", ("item", "about"), ("image", "resource")),
    ),
    Feed(
        "XML of no known vocabulary",
        suffix=".xml",
        head='<root xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\n',
        tail="</root>\n",
        attributes=(("<a href", "/>"), ("<b src", ">x</b>"), ("<c xlink:href", "/>")),
        tags=(("a", "href"), ("b", "src"), ("c", "href")),
    ),
]
