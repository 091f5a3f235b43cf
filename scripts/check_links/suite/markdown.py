"""Markdown: links, images, definitions, autolinks, bare links and HTML. cmarkgfm reads it, and html5lib the
page that cmarkgfm makes.
"""

import re
from html import escape
from urllib.parse import unquote_to_bytes

import cmarkgfm
import html5lib

from .cases import Link, Place
from .texts import is_balanced

REFERENCE = re.compile(r"&(#\d|#[xX][0-9a-fA-F]|[A-Za-z][A-Za-z0-9]*;)")
PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
CONTROL = re.compile(r"[\x00-\x20\x7f]")


def links_of(text):
    """The links of the page that a document makes: the value of the attribute, and the text of the link."""
    # All of GitHub's extensions but the one that hides some HTML.
    extensions = ["table", "autolink", "strikethrough", "tasklist"]
    page = cmarkgfm.cmark.markdown_to_html_with_extensions(
        text, cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE, extensions
    )
    for element in html5lib.parseFragment(page, namespaceHTMLElements=False).iter():
        if element.tag == "a" and "href" in element.attrib:
            yield element.attrib["href"], "".join(element.itertext())
        elif element.tag == "img":
            yield element.attrib["src"], ""


class Markdown(Place):
    """A destination in a block."""

    reader = "cmarkgfm"
    options = "--from", "markdown"
    suffix = ".md"
    grammar = "rfc3987:IRI-reference"
    line_ends = "\n\n", "\r\n\r\n"
    before = (
        "", "See ", "- ", "> ", "1. ", "- a\n    - ", "> - ", "* ", "a\nb ", "- [ ] ", "# ", "`[a](no)` ", "```\n[a](no)\n```\n\n",
        "a\n\n    [a](no)\n\nx ", "<!-- [a](no) -->\n\n", "a ``<http://no.example/>`` ", "\\[a](no) ", "<div>\n\n", "é 😀 ",
    )  # fmt: skip
    after = "", " there", ".", ", b", " `x`", "\nb", " \\\nb"
    between = " ", ", ", " and\n", " | "

    def can_hold(self, url):
        return not re.search("[\0\r\n]", url)

    def agrees(self, case):
        seen = [unquote_to_bytes(link.value) for _, link in case.links if link.is_seen]
        values = [unquote_to_bytes(value) for value, _ in links_of(case.text)]
        if any(not link.is_seen for _, link in case.links):
            # The command reports it on purpose.
            return not any(unquote_to_bytes(link.value) in values for _, link in case.links)
        if values != seen:
            raise AssertionError(f"{self.name}: the reader finds {values}, not {seen}, in {case.text!r}")
        return True


def minimal(url):
    """The URL with a backslash only where Markdown would read it as something else."""
    written = re.sub(r"\\(?=[!-/:-@\[-`{-~])|[`<>]|\\$", r"\\\g<0>", url)
    written = REFERENCE.sub(lambda found: "&amp;" + found[0][1:], written)
    return written if is_balanced(url, ("()",)) else re.sub("[()]", r"\\\g<0>", written)


def full(url):
    """The URL with a backslash before every punctuation mark."""
    return PUNCTUATION.sub(r"\\\g<0>", url)


class Destination(Markdown):
    """A link or an image."""

    has_references = True
    sides = (
        ("[link](", ")"),
        ("![image](", ' "title")'),
        ("[link](", " 'title')"),
        ("[a *b* `c`](", ")"),
        ("![](", ")"),
        ("[link](  ", "\n)"),
        ("[ab](", "\n(a title))"),
        ("**[b](", ")**"),
        ("*[b](", ")*"),
        ("~~[b](", ")~~"),
        ("[[a]](", ")"),
    )
    before = (*Markdown.before, "| a | b |\n|---|---|\n| x | ")

    def parts(self, url, choose):
        parts = super().parts(url, choose)
        if parts and parts[0] == "# " and any("\n" in part for part in parts if isinstance(part, str)):
            parts[0] = ""
        if parts and parts[0].startswith("| a"):
            # A row of a table: a bar needs a backslash, also in a link.
            if (
                any("\n" in part for part in parts[1:] if isinstance(part, str))
                or len([part for part in parts if isinstance(part, Link)]) > 1
            ):
                return None
            link = parts[2]
            if "\\|" in link.written:
                return None
            parts[2] = Link(link.written.replace("|", "\\|"), link.value)
            parts[-1] = " |"
        return parts

    def escape(self, url, choose):
        if CONTROL.search(url) or not self.can_hold(url):
            return None
        return full(url) if choose.random() < 0.3 else minimal(url)


class InAngles(Destination):
    """A destination in angle brackets, which may have spaces."""

    sides = ("[link](<", ">)"), ("![image](<", '> "title")'), ("[link](<", ">  )")

    def escape(self, url, choose):
        return minimal(url) if self.can_hold(url) else None


class WithSpace(Destination):
    """A destination with a space, which CommonMark reads as text. docs/formats.md: it is reported up to the
    closing bracket.
    """

    sides = ("[link](", ")"), ("![image](", ")"), ("[link](", ' "title")')
    before = "", "See ", "- ", "> ", "1. ", "# "
    after = "", " there", ".", ", b"
    between = " ", ", "

    def link(self, url, choose):
        bad = re.search(r"[\x00-\x1f\x7f\\`<>*_~\[\]&\"']|\s\(|\)\s", url)
        if bad or not re.search(" ", url) or not is_balanced(url, ("()",)):
            return None
        return Link(url, url, is_seen=False)


class Definition(Markdown):
    """A definition, and a link that uses it."""

    has_references = True
    sides = ("", ""), ("", " 'title'"), ("<", ">"), ("<", '>\n"title"'), ("\n  ", "")
    before = "", "> ", "- ", "  ", "text\n\n"

    def parts(self, url, choose):
        label = f"label {choose.getrandbits(60):x}"
        left, right = choose.choice(self.sides)
        before = choose.choice(self.before)
        if (
            not self.can_hold(url)
            or left != "<"
            and CONTROL.search(url)
            or "\n" in left + right
            and before in ("> ", "- ")
        ):
            return None
        return [before, f"[{label}]: {left}", Link(minimal(url), url), right, f"\n\n[{label}] there"]


class DefinitionWithSpace(Markdown):
    """A definition with a space, which CommonMark reads as text. docs/formats.md: it is reported."""

    def parts(self, url, choose):
        if re.search(r"[\x00-\x1f\x7f\\`<>*_~\[\]&\"'()]", url) or " " not in url:
            return None
        return [f"[label {choose.getrandbits(60):x}]: ", Link(url, url, is_seen=False)]


class Autolink(Markdown):
    """A URI in angle brackets."""

    sides = (("<", ">"),)
    between = " ", ", "

    def escape(self, url, choose):
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20\x7f<>]*", url):
            return None
        return REFERENCE.sub(lambda found: "&amp;" + found[0][1:], url)


class AutolinkWithSpace(Autolink):
    """An autolink with a space, which CommonMark reads as text. docs/formats.md: it is reported."""

    def link(self, url, choose):
        if (
            not re.match(r"[A-Za-z][A-Za-z0-9+.-]{1,31}://[A-Za-z0-9]", url)
            or " " not in url
            or re.search(r"[\x00-\x1f\x7f<>\\`*_~\[\]&]", url)
        ):
            return None
        return Link(url, url, is_seen=False)


class Bare(Markdown):
    """A bare link. GitHub's rules decide where it ends, and whether it is one."""

    reader_decides = True
    before = (
        "",
        "See ",
        "- ",
        "> ",
        "1. ",
        "# ",
        "(",
        "(see ",
        "*",
        "**",
        "_",
        "~~",
        '"',
        "“",
        "'",
        "a\n",
        "x: ",
        "a,",
        "| a |\n|---|\n| ",
    )
    after = (
        "",
        " there",
        ".",
        ",",
        ";",
        ":",
        "!",
        "?",
        ")",
        ").",
        "*",
        "**",
        "_",
        "~~",
        '"',
        "”",
        "'",
        "\n",
        "&amp;",
        "&lt;",
        "`",
        "|",
        "]",
        "}",
        ">",
        "\\",
        "/",
        " |",
        "...",
        "?!",
        "))",
        "<br>",
    )
    between = " ", ", ", " and ", "\n", "|", "<br>"

    def escape(self, url, choose):
        if not re.match(r"(?i)(https?|ftp)://", url) or not self.can_hold(url):
            return None
        return url

    def agrees(self, case):
        found = list(links_of(case.text))
        links, at = [], 0
        for value, shown in found:
            # Where a text has the link more often than the page, its place is not known.
            if case.text.count(shown) != sum(other == shown for _, other in found):
                return False
            start = case.text.find(shown, at)
            if start < 0:
                return False
            at = start + len(shown)
            prefix = "http://" if shown.lower().startswith("www.") else ""
            if unquote_to_bytes(value) != unquote_to_bytes(prefix + shown):
                return False
            links.append((len(case.text[:start].encode()), Link(shown, prefix + shown)))
        case.links = links
        return True


class Www(Bare):
    """A bare link without a scheme."""

    def link(self, url, choose):
        rest = re.sub("(?i)^https?://(?:www[.])?(?=[A-Za-z0-9])", "www.", url)
        if not rest.startswith("www.") or not self.can_hold(url):
            return None
        # GitHub has no bare links after an open bracket. Here they are records, on purpose.
        if rest.count("[") > rest.count("]"):
            return None
        return Link(rest, "http://" + rest)


class Html(Markdown):
    """An attribute of HTML."""

    has_references = True
    sides = (
        ('<a href="', '">b</a>'),
        ("<img src='", "'>"),
        ('<p><a class=x href="', '">b</a></p>'),
        ("<div>\n<a href=' ", " '>b</a>\n</div>"),
    )
    after = "", " there", "."
    between = " ", ", "

    def escape(self, url, choose):
        return escape(url, quote=True) if self.can_hold(url) and url == url.strip() else None

    def parts(self, url, choose):
        parts = super().parts(url, choose)
        # In a block of HTML, Markdown has no links and no code.
        if parts and any("<div>\n<a" in part for part in parts if isinstance(part, str)):
            parts[0] = ""
        return parts

    def agrees(self, case):
        values = [value.strip(" \t\n\f\r") for value, _ in links_of(case.text)]
        seen = [link.value for _, link in case.links]
        if values != seen:
            raise AssertionError(f"{self.name}: the reader finds {values}, not {seen}, in {case.text!r}")
        return True


CONTAINERS = [
    Destination("link of Markdown"),
    InAngles("link in angle brackets"),
    WithSpace("link with a space, on purpose"),
    Definition("definition"),
    DefinitionWithSpace("definition with a space, on purpose"),
    Autolink("autolink"),
    AutolinkWithSpace("autolink with a space, on purpose"),
    Bare("bare link"),
    Www("bare link without a scheme"),
    Html("HTML in Markdown"),
]
