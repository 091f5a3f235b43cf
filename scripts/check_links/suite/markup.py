"""AsciiDoc and RST as formats of their own. docutils reads RST; AsciiDoc is read by hand."""

import io

import docutils.core
import docutils.nodes

from .texts import AsciiDocMacro, RstLink, RstTarget

RST = "--from", "rst", "--grammar", "uri"


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


class Link(RstLink):
    reader = "docutils"

    def read(self, text):
        return rst_links(text)


class Target(RstTarget):
    reader = "docutils"

    def read(self, text):
        return rst_links(text)


CONTAINERS = [
    AsciiDocMacro(
        "macro of AsciiDoc",
        options=("--from", "asciidoc", "--grammar", "uri"),
        head="= A text\n\n",
        line_ends=("\n\n",),
    ),
    Link("link of RST", options=RST, head="A text\n======\n\n", line_ends=("\n\n",)),
    Target("target of RST", options=RST, head="A text\n======\n\n", line_ends=("\n\n",)),
]
