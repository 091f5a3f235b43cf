"""AsciiDoc and RST as formats of their own. docutils reads RST; AsciiDoc is read by hand."""

import io
import re

import docutils.core
import docutils.nodes

from .texts import AsciiDocMacro, RstLink, RstTarget, Text


def rst_links(text):
    """The links and images of an RST document."""
    settings = {
        "report_level": 5,
        "halt_level": 5,
        "warning_stream": io.StringIO(),
        "file_insertion_enabled": False,
        "input_encoding": "unicode",
    }
    tree = docutils.core.publish_doctree(text, settings_overrides=settings)
    found = []
    for node in tree.findall():
        if (
            isinstance(node, docutils.nodes.reference | docutils.nodes.target)
            and node.get("refuri")
            and not (isinstance(node, docutils.nodes.reference) and node.get("refname"))
        ):
            found.append(node["refuri"])
        elif isinstance(node, docutils.nodes.image):
            found.append(node["uri"])
    return list(dict.fromkeys(found))


class AsciiDoc(AsciiDocMacro):
    options = "--from", "asciidoc", "--grammar", "uri"
    head = "= A text\n\n"
    line_ends = "\n\n", "\r\n\r\n"
    has_queries = True


class AsciiDocReference(AsciiDoc):
    """A macro with a relative reference. docs/formats.md: one with a space is reported, though AsciiDoc sees
    text."""

    options = "--from", "asciidoc"
    grammar = "rfc3986:URI-reference"
    has_references = True
    sides = ("link:", "[a b]"), ("image::", "[alt]"), ("image:", "[alt,100]"), ("link:", "[]")
    without = re.compile(r"[^\x20-\x7e]|\\|\)|'|--|\.\.|::|:(?!//)|^ | $|  |^//|^/$")

    def can_hold(self, url):
        return Text.can_hold(self, url) and re.match("[A-Za-z0-9/]", url) is not None

    def planted(self, url, choose):
        planted = super().planted(url, choose)
        # An image on a line of its own is a block.
        return planted if planted and (planted[0] != "image::" or " " not in url) else None

    def read(self, text):
        return re.findall(r"(?:link|image):{1,2}([^\[\]]*)\[", text)


class Rst:
    reader = "docutils"
    options = "--from", "rst", "--grammar", "uri"
    head = "A text\n======\n\n"
    line_ends = "\n\n", "\r\n\r\n"

    def read(self, text):
        return rst_links(text)


class Link(Rst, RstLink):
    """A link of RST."""


class Target(Rst, RstTarget):
    """A target or an image of RST."""


class Reference(Link):
    """A relative reference."""

    options = "--from", "rst"
    grammar = "rfc3986:URI-reference"
    has_references = True
    without = re.compile(r"[^!-~]|[_*|]|@|^[^/]*:|^[^A-Za-z0-9/]")


CONTAINERS = [
    AsciiDoc("AsciiDoc"),
    AsciiDocReference("AsciiDoc, references"),
    Link("RST, link"),
    Target("RST, target"),
    Reference("RST, references"),
]
