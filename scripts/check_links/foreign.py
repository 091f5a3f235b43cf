"""Links of pages with SVG and MathML, compared with those that html5lib finds, a parser of the standard
(PyPI's `html5lib`).

There, the content of elements such as `title` and `style` is markup. corpora/pages/foreign.jsonl has pages,
each with the links that html5lib finds in it: the script compares them with the installed html5lib, and the
command's links with both.

`--write` writes the links of the installed html5lib into the file.
"""

import json
import pathlib

import html5lib
import tested_command

PROBES = pathlib.Path(__file__).parent.parent.parent / "corpora" / "pages" / "foreign.jsonl"
OPTIONS = ["--from", "html", "--emit", "components", "--columns", "uri,malformed", "-"]


def of_html5lib(page):
    tree = html5lib.parse(page, treebuilder="etree", namespaceHTMLElements=False)
    # A formatting element can be open again in another place of the tree: then the tree has a copy of it.
    links = [element.get("href", element.get("src")) for element in tree.iter() if isinstance(element.tag, str)]
    return list(dict.fromkeys(link for link in links if link is not None))


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("--write", action="store_true")


def main(arguments):
    probes = [json.loads(line) for line in PROBES.read_text(encoding="utf-8").splitlines()]
    expected = [of_html5lib(probe["text"]) for probe in probes]
    if arguments.write:
        lines = [json.dumps({"text": probe["text"], "links": links}) for probe, links in zip(probes, expected, strict=True)]
        PROBES.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    wrong = []
    for probe, links in zip(probes, expected, strict=True):
        if not arguments.write and probe["links"] != links:
            wrong.append(("the file", probe["text"], probe["links"], links))
        rows = tested_command.json_rows(arguments.command, OPTIONS, probe["text"].encode())
        found = [row["uri"] for row in rows if row["uri"] is not None]
        if found != links:
            wrong.append(("the command", probe["text"], links, found))
    for case in wrong:
        print(*case, sep=" | ")
    print(f"{len(probes)} pages with {sum(map(len, expected))} links of html5lib; wrong: {len(wrong)}")
    return bool(wrong) or len(probes) < 40
