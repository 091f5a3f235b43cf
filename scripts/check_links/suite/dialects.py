"""Dialects of Markdown: MDX, and the Markdown of Quarto. Their links are those of Markdown, and cmarkgfm reads
them; html5lib reads elements of MDX; two patterns read shortcodes of Quarto.
"""

import re
from html import escape

import html5lib

from .cases import Place
from .markdown import Bare, Definition, Destination, InAngles

# Not in links of the suite: nothing must be found there.
NONE = "http://no.example/"


class Element(Place):
    """An attribute of an element of JSX."""

    reader = "html5lib"
    options = "--from", "mdx"
    suffix = ".mdx"
    grammar = "rfc3987:IRI-reference"
    has_references = True
    line_ends = "\n\n", "\r\n\r\n"
    sides = (
        ('<a href="', '">b</a>'),
        ("<Card href='", "' />"),
        ('<Link to="', '">b</Link>'),
        ("<NavLink exact to='", "'>*b*</NavLink>"),
        ("<img\n  src=\"", '"\n/>'),
        ('<Tabs a={b} href="', '" c="d"/>'),
        ("<Docs.Card src='", "' b/>"),
    )
    before = (
        "",
        "See ",
        "- ",
        "> ",
        "        ",
        f"{{/* {NONE} */}}\n\n",
        f"{{'{NONE}'}} ",
        f"import a from '{NONE}'\n\n",
        f"export const a = {{\n\n  b: '{NONE}',\n}}\n\n",
        f'```jsx\n<a href="{NONE}">\n```\n\n',
        f'`<a href="{NONE}">` ',
        "é 😀 ",
    )
    after = "", " there", ".", "\n\ntext"
    between = " ", " and ", "\n"

    def escape(self, url, choose):
        # White space at both ends of a value is no part of a URL.
        if re.search(r"[\0\r\n]", url) or url != url.strip() or url.startswith(NONE):
            return None
        return escape(url, quote=True)

    def read(self, text):
        found = []
        for element in html5lib.parseFragment(text, namespaceHTMLElements=False).iter():
            found += [value for name, value in element.attrib.items() if name in ("href", "src", "to")]
        # For html5lib, code is text, too.
        return [value for value in found if value != NONE]


class Dialect:
    """What both dialects change for the containers of Markdown."""

    before = "", "See ", "- ", "> ", "1. ", "* ", "a\nb ", "# ", "`[a](no)` ", "```\n[a](no)\n```\n\n", "\\[a](no) ", "é 😀 "
    after = "", " there", ".", ", b", " `x`", "\nb"

    def can_hold(self, url):
        return super().can_hold(url) and not re.search(self.code, url)


class Mdx(Dialect):
    options = "--from", "mdx"
    suffix = ".mdx"
    # Braces and `<` are code.
    code = "[{}<]"


class MdxDestination(Mdx, Destination):
    """A link or an image in MDX."""


class MdxInAngles(Mdx, InAngles):
    """A destination in angle brackets in MDX."""


class MdxDefinition(Mdx, Definition):
    """A definition in MDX."""

    before = Definition.before


class Quarto(Dialect):
    options = "--from", "quarto"
    suffix = ".qmd"
    # A `$` may start mathematics, `{{<` a shortcode.
    code = r"[$]|\{\{<"


class QuartoDestination(Quarto, Destination):
    """A link or an image in Quarto."""


class QuartoInAngles(Quarto, InAngles):
    """A destination in angle brackets in Quarto."""


class QuartoBare(Quarto, Bare):
    """A bare link in Quarto."""

    before = "", "See ", "- ", "> ", "(", "*", '"', "x: "
    after = "", " there", ".", ",", ")", "*", '"', "|", "]", "?!"


class Shortcode(Place):
    """An argument of a shortcode."""

    options = "--from", "quarto"
    suffix = ".qmd"
    grammar = "rfc3987:IRI-reference"
    line_ends = "\n\n", "\r\n\r\n"
    pattern = r"\S+"
    before = "", "See ", "- ", "> ", f"```\n{NONE}\n```\n\n", "$a$ ", f"`{NONE}` "
    after = "", " there", ".", "\n\n::: {.note}\ntext\n:::"
    between = " ", " and "
    sides = (("{{< video ", " >}}"), ("{{< video ", ' title="a b" >}}'), ("{{< x a=1 url=", " >}}"), ("{{<y\n ", "\n>}}"))

    def escape(self, url, choose):
        is_url = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", url)
        fits = re.fullmatch(self.pattern, url) and not re.search("[\"'\0\r\n\\\\]|>}}|{{<", url)
        return url if is_url and fits else None

    def read(self, text):
        found = []
        for code in re.findall(r"(?s)\{\{<(.*?)>\}\}", text):
            for quoted, other, bare in re.findall(r"""(?s)(?:[\w.-]+=)?(?:"([^"]*)"|'([^']*)'|(\S+))""", code):
                value = quoted or other or bare
                if re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", value):
                    found.append(value)
        return found


class QuotedArgument(Shortcode):
    """An argument of a shortcode in quotes, which may have spaces."""

    pattern = ".+"
    sides = (('{{< x url="', '" >}}'), ("{{< x 'a b' '", "' >}}"), ("{{< x url='", "' title=b >}}"))


CONTAINERS = [
    Element("attribute in MDX"),
    MdxDestination("link in MDX"),
    MdxInAngles("link in angle brackets in MDX"),
    MdxDefinition("definition in MDX"),
    QuartoDestination("link in Quarto"),
    QuartoInAngles("link in angle brackets in Quarto"),
    QuartoBare("bare link in Quarto"),
    Shortcode("shortcode of Quarto"),
    QuotedArgument("shortcode of Quarto, in quotes"),
]
