"""The links of the CommonMark specification, in Markdown.

SPEC is spec.txt of the specification, which the source package of PyPI's `commonmark` contains. Python's html.parser reads the links in the HTML of
each example. The command must find each of them. It may also find destinations of unused definitions, bare links, links in the text of an image,
and broken links.
"""

import collections
import html.parser
import pathlib
import re
import sys
from urllib.parse import unquote_to_bytes

from tested_command import json_rows

EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n(.*?)^`{32}$", re.DOTALL | re.MULTILINE)
URLS = {("a", "href"), ("img", "src"), ("link", "href")}
BARE = re.compile(r"(?i)(https?|ftp)://|www\.|mailto:")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attrs):
        self.links += [value or "" for name, value in attrs if (tag, name) in URLS]

    handle_startendtag = handle_starttag


def same(url):
    """The bytes that a URL stands for, because writers of HTML escape some bytes."""
    return unquote_to_bytes(url.strip())


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("spec", metavar="SPEC")


def main(arguments):
    spec = arguments.spec
    options = ["--from", "markdown", "--emit", "components", "--columns", "uri,valid,malformed", "-"]
    examples = EXAMPLE.findall(pathlib.Path(spec).read_text(encoding="utf-8").replace("→", "\t"))
    if len(examples) < 600:
        sys.exit(f"{spec} has {len(examples)} examples only")
    counts, wrong = collections.Counter(), []
    for text, page in examples:
        links = Links()
        links.feed(page)
        links.close()
        rows = json_rows(arguments.command, options, text.encode())
        # The other rows are places where a tag breaks.
        found = {same(row["uri"]): row for row in rows if row["uri"] is not None}
        expected = {same(link) for link in links.links}
        counts["links"] += len(expected)
        for url in expected - found.keys():
            wrong.append((text, "is not found", url))
        for url, row in found.items():
            if url in expected:
                continue
            definition = any(same(row["uri"]) in same(line) for line in re.findall(r"\]:(?:.*\n)?.*", text))
            if not row["valid"]:
                counts["broken ones"] += 1
            elif definition:
                counts["definitions without a reference"] += 1
            elif BARE.match(row["uri"]):
                counts["bare ones"] += 1
            elif re.match(r"!\[.*\]\(.*\]\(", text):
                counts["in the text of images"] += 1
            else:
                wrong.append((text, "is none", url))
    for case in wrong:
        print(*case, sep=" | ")
    print(f"{len(examples)} examples:", ", ".join(f"{count} {name}" for name, count in counts.items()) + f"; wrong: {len(wrong)}")
    return bool(wrong)
