"""Bare links in Markdown, compared with those of cmark-gfm, GitHub's parser (PyPI's `cmarkgfm`).

corpora/markdown/bare.jsonl has texts, each with the links that cmark-gfm finds in it: the script compares
them with the installed cmark-gfm, and the command's links with both. Then it makes texts of pieces, and
compares the links of the command with those of cmark-gfm. A bare e-mail address is no record, so its link
does not count, and neither does `www.` alone. In square brackets, the command finds bare links on purpose; no
text has such a link.

`--write` writes the links of the installed cmark-gfm into the file.
"""

import collections
import html.parser
import json
import pathlib
import random
import re
from urllib.parse import unquote_to_bytes

import cmarkgfm
import tested_command

PROBES = pathlib.Path(__file__).parent.parent.parent / "corpora" / "markdown" / "bare.jsonl"

BEFORE = ["", "(", "*", "_", "**", "~~", "`x` ", "x", "1", "é", "\\", ".", "&amp;", "-", "<b>", "[a](b)", "\"", "/"]
STARTS = ["http://", "https://", "HTTP://", "ftp://", "www.", "Www.", "httpx://", "file://", "https:/"]
HOSTS = ["e.org", "e.org/", "e.org/a", "localhost/", "a_b.org", "x._y.z/", "_.org", "-e.org", "u:p@e.org:1/", "é.org", "“e.org”", "[::1]/", "{e}", "e", "", "."]
PARTS = ["a", "|", "\\", '"', "`", "``", ">", "[", "]", "{", "}", "(", ")", "&amp;", "&copy;", "&#32;", "&", ";", ".", ",", "!", "?", "=", "*", "_", "**", "~~", "'"]
PARTS += ["é", "。", "%zz", "^", "#", "/", "@", ":", "http://", "www.", "<", "<b>", "\\*", "\\_", "![x](y)", "[x](y)"]
AFTER = ["", " c", " `", " ``", "` c", " *", "_", "**", " ~~", ". C", ")", " <b>", " [d](e)", "\nf `g` h", " \\", "\n"]
IN_BRACKETS = re.compile(r"\[[^\]\s]*(http://|www\.)")


class Links(html.parser.HTMLParser):
    """The links of a page, but for those of e-mail addresses and of footnotes."""

    def __init__(self, page):
        super().__init__()
        self.links, self.href = [], None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if not any(name.startswith("data-footnote") for name in attributes):
            self.links += [attributes[name] for name in ("href", "src") if name in attributes]

    def handle_data(self, data):
        if self.links and self.links[-1] == "mailto:" + data:
            self.links.pop()


def of_cmark(text):
    page = cmarkgfm.github_flavored_markdown_to_html(text, options=cmarkgfm.Options.CMARK_OPT_FOOTNOTES)
    return [unquote_to_bytes(link) for link in Links(page).links]


def of_command(command, texts):
    """The links of each text: the texts are the parts of one document, between lines that no link goes over."""
    document, first_lines = "", []
    for text in texts:
        first_lines.append(document.count("\n") + 1)
        document += text.rstrip("\n") + "\n\n***\n\n"
    found = {line: [] for line in first_lines}
    number = 0
    options = ["--from", "markdown", "--emit", "components", "--columns", "line,uri", "-"]
    for row in tested_command.json_rows(command, options, document.encode()):
        while number + 1 < len(first_lines) and row["line"] >= first_lines[number + 1]:
            number += 1
        found[first_lines[number]].append(unquote_to_bytes(row["uri"]))
    return list(found.values())


def made(random_source):
    text = "p " + random_source.choice(BEFORE) + random_source.choice(STARTS) + random_source.choice(HOSTS)
    text += "".join(random_source.choices(PARTS, k=random_source.randrange(6)))
    return IN_BRACKETS.sub(" ", text) + random_source.choice(AFTER)


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("--texts", type=int, default=20_000, metavar="N", help="texts made of pieces (default 20000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")


def main(arguments):
    probes = [json.loads(line) for line in PROBES.read_text(encoding="utf-8").splitlines()]
    wrong = []
    texts = [probe["text"] for probe in probes]
    expected = [of_cmark(text) for text in texts]
    if arguments.write:
        links = [[unquote_to_bytes(link).decode() for link in links] for links in expected]
        lines = [json.dumps({"text": text, "links": of_text}, ensure_ascii=False) for text, of_text in zip(texts, links, strict=True)]
        PROBES.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    else:
        wrong += [("the file", probe["text"], probe["links"], links) for probe, links in zip(probes, expected, strict=True) if [link.encode() for link in probe["links"]] != links]
    source = random.Random(arguments.seed)
    texts += [made(source) for _ in range(arguments.texts)]
    expected += [of_cmark(text) for text in texts[len(probes) :]]
    found = of_command(arguments.command, texts)
    counts = collections.Counter()
    for text, links, here in zip(texts, expected, found, strict=True):
        links, here = ([link for link in some if link != b"http://www"] for some in (links, here))
        counts["links"] += len(links)
        if links != here:
            wrong.append(("the command", text, links, here))
    for case in wrong[:40]:
        print(*case, sep=" | ")
    print(f"{len(texts)} texts ({len(probes)} of the file) with {counts['links']} links of cmark-gfm; wrong: {len(wrong)}")
    return bool(wrong) or not counts["links"]
