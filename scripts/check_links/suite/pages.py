"""Pages: attributes of HTML, lists of URLs in them, refreshes, styles, and markup in SVG and MathML. html5lib
reads them.
"""

import re

import html5lib
import tinycss2

from .cases import Link, Place

SPACE = " \t\n\f\r"
# The attributes with one URL, and the start of a tag with such an attribute.
TAGS = [
    ("<a class=x href", "b</a>"),
    ("<A HREF", "b</A>"),
    ('<area alt="" href', ""),
    ("<link rel=x href", ""),
    ('<img alt="<" src', ""),
    ("<script async src", "</script>"),
    ("<iframe width=1 src", "<a href=http://no.example/></iframe>"),
    ("<embed src", ""),
    ("<source src", ""),
    ("<track src", ""),
    ("<input type=image src", ""),
    ("<video controls poster", "</video>"),
    ("<audio src", "</audio>"),
    ("<form method=get action", "</form>"),
    ("<button formaction", "</button>"),
    ("<object data", "</object>"),
    ("<blockquote cite", "</blockquote>"),
    ("<q cite", "</q>"),
    ("<ins cite", "</ins>"),
    ("<del cite", "</del>"),
    ("<div itemscope itemid", "</div>"),
    ("<svg><a xlink:href", "</a></svg>"),
    ("<svg><image href", "/></svg>"),
    ("<svg><use href", "/></svg>"),
    ("<noscript></noscript><a id=x href", "</a>"),
]
ATTRIBUTES = {
    "href",
    "src",
    "poster",
    "action",
    "formaction",
    "data",
    "cite",
    "itemid",
    "{http://www.w3.org/1999/xlink}href",
    "xlink:href",
}
NUMBERS = {
    "&": "&#38;",
    "<": "&#x3c;",
    ">": "&#62;",
    '"': "&#x22;",
    "'": "&#39;",
    " ": "&#32;",
    "=": "&#61;",
    "`": "&#96;",
}


def named(url, choose, quote):
    """The URL with references for the bytes that could end a value in these quotes."""
    written = url.replace("&", "&amp;")
    if quote == '"' or choose.random() < 0.5:
        written = written.replace('"', "&quot;")
    if quote == "'" or choose.random() < 0.5:
        written = written.replace("'", choose.choice(["&#39;", "&apos;", "&#x27;", "&#0000039;"]))
    if choose.random() < 0.5:
        written = written.replace("<", "&lt;").replace(">", "&gt;")
    return written


def numbered(url, choose):
    """The URL with references by number for some of its bytes, the first one too."""
    share = choose.choice([0.1, 0.5])
    written = "".join(
        f"&#{ord(char)};" if char < "\x7f" and choose.random() < share else NUMBERS.get(char, char)
        for char in url[1:]
    )
    return f"&#x{ord(url[0]):x};" + written


class Html(Place):
    """A value of an attribute that holds a URL."""

    reader = "html5lib"
    options = "--from", "html"
    grammar = "rfc3987:IRI-reference"
    head = "<!doctype html>\n<title>a <a href=no></title>\n"
    has_references = True
    before = (
        "",
        "text ",
        "<p>",
        "<!-- <a href=http://no.example/> -->",
        "<p data-href='http://no.example/'>",
        "<style>a{b:url(no)}</style>",
    )
    before += (
        "<script>'<a href=no>'</script>",
        "<textarea><a href=no></textarea>",
        "<![CDATA[<b>]]>",
        "<b title='<a href=no>'>",
        "&lt;a href=no>",
    )
    after = "", " text", "<br>", "</p>", "<!-- x -->", "\n"
    between = " ", "<p>", "\n", "text"
    quotes = '"', "'"
    space = "", "", "", " ", "\n  ", "\t"

    def written(self, url, choose, quote):
        """The URL with the escapes of a value in these quotes."""
        if "\0" in url or "\r" in url or url != url.strip():
            return None
        return numbered(url, choose) if choose.random() < 0.25 else named(url, choose, quote)

    def value(self, url, choose, quote):
        """The link of a value that is one URL."""
        written = self.written(url, choose, quote)
        return (
            None
            if written is None
            else [Link(written, url, choose.choice(self.space)), choose.choice(self.space)]
        )

    def planted(self, url, choose):
        quote = choose.choice(self.quotes)
        value = self.value(url, choose, quote)
        if value is None:
            return None
        start, end = choose.choice(TAGS)
        equals = choose.choice(["=", "=", " = ", "\n=", "= "])
        return [
            start + equals + quote,
            *value,
            quote + choose.choice(["", " ", " id=x", "\n", " /"]) + ">" + end,
        ]

    def page(self, text):
        return html5lib.parse(self.head + text, namespaceHTMLElements=False)

    def read(self, text):
        values = (
            value
            for element in self.page(text).iter()
            for name, value in element.attrib.items()
            if name in ATTRIBUTES and value != "no"
        )
        return [value.strip(SPACE) for value in values]


class Unquoted(Html):
    """A value without quotes."""

    def planted(self, url, choose):
        written = self.written(url, choose, '"')
        # A slash before the end of the tag would be part of the value.
        if written is None or re.search(r"[\s\"'=<>`]", written):
            return None
        start, end = choose.choice(TAGS)
        return [
            start + choose.choice(["=", " = "]),
            Link(written, url),
            choose.choice([">", " >", " id=x>", "\n>", " />"]) + end,
        ]


class Raw(Html):
    """A value that nobody escaped: the standard says which references it has."""

    reader_decides = True
    quotes = ('"',)

    def written(self, url, choose, quote):
        return None if re.search('["\0\r]', url) or "&" not in url else url


class Markup(Html):
    """Tags in SVG and MathML, in elements that hold raw text elsewhere, and in other places where the
    standard has tags or not.
    """

    sides = (
        ("<svg><title>", "</title></svg>"),
        ("<svg><style>", "</style></svg>"),
        ("<svg><script>", "</script></svg>"),
        ("<math><textarea>", "</textarea></math>"),
        ("<svg><desc>", "</desc></svg>"),
        ("<svg><![CDATA[<a href=no>]]>", "</svg>"),
        ("<table><tr><td>", "</table>"),
        ("<details><summary>", "</summary></details>"),
        ("<template></template><p>", "</p>"),
        ("<plain>", "</plain>"),
        ("<script><!-- <script> </script> <a href=no> --></script>", ""),
        ("<!--><p>", ""),
        ("<!-- -- > <a href=no> --!>", ""),
        ("<?php '<a href=no' ?>", ""),
        ("</x href=no>", ""),
    )
    between = ()

    def planted(self, url, choose):
        written = self.written(url, choose, '"')
        if written is None:
            return None
        left, right = choose.choice(self.sides)
        return [left + '<a href="', Link(written, url), '">x</a>' + right]


class UrlList(Html):
    """A list of URLs between white space."""

    def planted(self, url, choose):
        quote = choose.choice(self.quotes)
        written = self.written(url, choose, quote)
        if written is None or re.search(rf"[{SPACE}]", url):
            return None
        start = choose.choice(["<a ping=", "<area ping=", "<div itemscope itemtype="])
        space = choose.choice([" ", "\n", "  \t"])
        return [start + quote, Link(written, url), space, Link(written, url), quote + ">x</div></a>"]

    def read(self, text):
        return [
            url
            for element in self.page(text).iter()
            for name, value in element.attrib.items()
            if name in ("ping", "itemtype")
            for url in re.split(rf"[{SPACE}]+", value)
        ]


def candidates(value):
    """The candidates of a srcset, as the standard parses it: each URL, and whether its descriptors are good."""
    at = 0
    while True:
        at += len(re.match(rf"[{SPACE},]*", value[at:])[0])
        if at >= len(value):
            return
        url = re.match(rf"[^{SPACE}]+", value[at:])[0]
        at += len(url)
        descriptors = []
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            # Commas in parentheses separate nothing.
            end, depth = at, 0
            while end < len(value) and not (depth == 0 and value[end] == ","):
                depth = max(0, depth + (value[end] == "(") - (depth > 0 and value[end] == ")"))
                end += 1
            descriptors = re.split(rf"[{SPACE}]+(?![^()]*\))", value[at:end].strip(SPACE))
            descriptors = [text for text in descriptors if text]
            at = end + 1
        yield url, are_good(descriptors)


def are_good(descriptors):
    width = density = height = None
    for text in descriptors:
        if re.fullmatch(r"[0-9]+w", text) and width is density is None and int(text[:-1]):
            width = text
        elif (
            re.fullmatch(r"-?([0-9]+|[0-9]*\.[0-9]+)([eE][+-]?[0-9]+)?x", text)
            and width is density is height is None
            and float(text[:-1]) >= 0
        ):
            density = text
        elif re.fullmatch(r"[0-9]+h", text) and height is density is None and int(text[:-1]):
            height = text
        else:
            return False
    return height is None or width is not None


class Srcset(Html):
    """Candidates, some with descriptors that the standard does not have. It drops these candidates, so their
    links are broken.
    """

    sides = (
        ("<img srcset=", ">"),
        ("<picture><source srcset=", "></picture>"),
        ("<link rel=preload as=image imagesrcset=", ">"),
    )
    good = "", " 2x", " 640w", " 1.5x", " .5x", " 1e3x", " 0x", "\n 2x", " 640w 480h", "  2x "
    bad = " foo", " -1x", " 1x 2x", " 0w", " 2X", " 1.5w", " 2", " 640w 2x", " x", " +1x", " 480h", " 1x foo"
    batch = 250

    def planted(self, url, choose):
        quote = choose.choice(self.quotes)
        written = self.written(url, choose, quote)
        if written is None or url.strip(",") != url:
            return None
        parts = [choose.choice(["", " ", "\n\t"])]
        for number in range(choose.randint(1, 3)):
            descriptors = choose.choice(self.bad if choose.random() < 0.25 else self.good)
            broken = re.search(rf"[{SPACE}]", url)
            # What the standard takes for another candidate, or another descriptor, is not planted here.
            if broken and (url[broken.start() - 1] == "," or re.search("[,()]", url[broken.start() :])):
                return None
            read = list(candidates(url + descriptors))
            is_whole = len(read) == 1 and read[0][1]
            if is_whole and read[0][0] != url:
                return None
            link = Link(written, url, breaker=None if is_whole else descriptors)
            parts += [", " if number else "", link, descriptors]
        left, right = choose.choice(self.sides)
        return [left + quote, *parts, quote + right]

    def agrees(self, case):
        values = [
            (url, is_good)
            for element in self.page(case.text).iter()
            for name, value in element.attrib.items()
            if name in ("srcset", "imagesrcset")
            for url, is_good in candidates(value)
        ]
        planted = [(re.split(rf"[{SPACE}]", link.value)[0], link.breaker is None) for _, link in case.links]
        if values != planted:
            raise AssertionError(f"{self.name}: the standard has {values}, not {planted}, in {case.text!r}")
        return True


class Refresh(Html):
    """The URL of a refresh."""

    def planted(self, url, choose):
        outer, inner = choose.choice([('"', "'"), ("'", '"'), ('"', "")])
        written = self.written(url, choose, outer)
        if (
            written is None
            or inner
            and inner in url
            or not inner
            and url[0] in "'\""
            or re.match("(?i)url", url)
        ):
            return None
        before = choose.choice(["0; url=", "5;URL = ", "0,url=", " 3 ; url=", "0; ", "1.5;url="])
        return [
            f"<meta http-equiv=refresh content={outer}{before}{inner}",
            Link(written, url),
            inner + outer + ">",
        ]

    def read(self, text):
        found = []
        for element in self.page(text).iter("meta"):
            content = element.get("content")
            rest = re.fullmatch(rf"[{SPACE}]*[0-9.]+[{SPACE}]*[;,]?[{SPACE}]*(.*)", content, re.DOTALL)[1]
            url = re.fullmatch(rf"(?:[uU][rR][lL][{SPACE}]*=[{SPACE}]*)?(.*)", rest, re.DOTALL)[1]
            if url[:1] in ("'", '"'):
                url = url[1:].split(url[0])[0]
            found.append(url.strip(SPACE))
        return found


class Style(Html):
    """A `url()` of a style. docs/formats.md: escapes of CSS are not undone, so a backslash makes a URL
    invalid.
    """

    reader = "tinycss2"

    def planted(self, url, choose):
        outer, inner = choose.choice([('"', "'"), ("'", '"'), ('"', ""), ("'", "")])
        written = self.written(url, choose, outer)
        # Without quotes, these break the url() and not only the URL. A line end breaks a string.
        bad = r"\n|\f|\\" if inner else r"[\s\"'()\\\x00-\x1f\x7f]"
        if written is None or inner and inner in url or re.search(bad, url):
            return None
        before = choose.choice(
            [
                "background:url(",
                "color:red;background: url( ",
                "a:b;cursor:URL(",
                "background-image: linear-gradient(red,blue), url(",
            ]
        )
        after = choose.choice([")", " )", ") no-repeat", ");color:red", "), none"])
        return [f"<p style={outer}{before}{inner}", Link(written, url), inner + after + outer + ">x"]

    def read(self, text):
        found = []

        def walk(tokens):
            for token in tokens:
                if token.type == "url":
                    found.append(token.value)
                elif token.type == "function":
                    if token.lower_name == "url":
                        found.extend(part.value for part in token.arguments if part.type == "string")
                    else:
                        walk(token.arguments)

        for element in self.page(text).iter():
            if style := element.get("style"):
                walk(tinycss2.parse_component_value_list(style))
        return found


CONTAINERS = [
    Html("attribute"),
    Unquoted("attribute without quotes"),
    Raw("attribute, not escaped"),
    Markup("attribute in SVG and others"),
    UrlList("list of URLs"),
    Srcset("srcset"),
    Refresh("refresh"),
    Style("style"),
]
