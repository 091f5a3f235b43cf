"""The links of the examples of CommonMark and of cmark-gfm, in Markdown.

Each SPEC is a file of examples: spec.txt of the specification, which the source package of PyPI's
`commonmark` contains, or a file of cmark-gfm's tests. The package cmarkgfm makes a page of each example, and
Python's html.parser reads the links in it. The command must find each of them. It may also find destinations
of unused definitions, links in the text of an image, and broken links.
"""

import collections
import html.parser
import pathlib
import re
from urllib.parse import unquote_to_bytes

import cmarkgfm
from tested_command import json_rows

EXAMPLE = re.compile(r"^`{32} example[^\n]*\n(.*?)^\.\n(.*?)^`{32}$", re.DOTALL | re.MULTILINE)
URLS = {("a", "href"), ("img", "src"), ("link", "href"), ("span", "itemtype")}
OPTIONS = ["--from", "markdown", "--emit", "components", "--columns", "uri,valid,malformed", "-"]


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attrs):
        self.links += [value or "" for name, value in attrs if (tag, name) in URLS]

    handle_startendtag = handle_starttag


def links_of(text):
    """The links of the page that an example makes. The extension `tagfilter` hides some HTML, and is left
    out.
    """
    options = cmarkgfm.cmark.Options.CMARK_OPT_UNSAFE
    page = cmarkgfm.markdown_to_html_with_extensions(text, options, ["table", "autolink", "strikethrough"])
    links = Links()
    links.feed(page)
    links.close()
    return links.links


def same(url):
    """The bytes that a URL stands for, because writers of HTML escape some bytes."""
    return unquote_to_bytes(url.strip())


def why_missing(text, url, found):
    """Why the command need not find a link of the page, by docs/formats.md; None if it must."""
    # All that remains of a broken destination on a page is a bare link up to its space.
    if any(whole.startswith(url + b" ") and not row["valid"] for whole, row in found.items()):
        return "cut at a space on a page"
    if url.startswith(b"mailto:") and url not in text.encode():
        return "bare e-mail addresses"
    if f"]: {url.decode(errors='replace')}" in text and "[^" in text:
        return "footnotes"
    return None


def why_added(text, row):
    """Why the command may find a link that the page does not have; None if it may not."""
    if not row["valid"]:
        return "broken ones"
    if any(same(row["uri"]) in same(line) for line in re.findall(r"\]:(?:.*\n)?.*", text)):
        return "definitions without a reference"
    if re.match(r"!\[.*\]\(.*\]\(", text):
        return "in the text of images"
    if re.match(r"\[.*\]", text):
        return "in the text of links"
    return None


def compare(command, text, counts):
    """Compares one example. Yields what differs."""
    rows = json_rows(command, OPTIONS, text.encode())
    # The other rows are places where a tag breaks.
    found = {same(row["uri"]): row for row in rows if row["uri"] is not None}
    expected = {same(link) for link in links_of(text)}
    for url in expected:
        if url in found:
            counts["links"] += 1
        elif name := why_missing(text, url, found):
            counts[name] += 1
        else:
            yield "is not found", url
    for url, row in found.items():
        if url not in expected:
            if name := why_added(text, row):
                counts[name] += 1
            else:
                yield "is none", url


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("specs", metavar="SPEC", nargs="+", type=pathlib.Path)


def main(arguments):
    failed = False
    for spec in arguments.specs:
        examples = EXAMPLE.findall(spec.read_text(encoding="utf-8").replace("→", "\t"))
        counts, wrong = collections.Counter(), []
        for text, _ in examples:
            wrong += [(text, *difference) for difference in compare(arguments.command, text, counts)]
        for case in wrong:
            print(*map(repr, case), sep=" | ")
        named = ", ".join(f"{count} {name}" for name, count in counts.items())
        print(f"{spec.name}: {len(examples)} examples: {named}; wrong: {len(wrong)}")
        failed |= bool(wrong) or not counts["links"]
    return failed
