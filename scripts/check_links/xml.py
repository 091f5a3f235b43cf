"""The verdicts of libxml2 on XML files, such as those of its own tests, and on mutants of small documents.

Each FOLDER has XML files. lxml, which is libxml2, parses each file without its external parts. Each file that
it refuses must be malformed for the command, and no other may be. Files in other encodings than UTF-8 are
left out. A mutant has a few changed bytes.
"""

import collections
import pathlib
import random
import subprocess

import lxml.etree

# Small documents with each kind of markup, in which a change is seldom in a text. They have no declarations
# of elements and attributes, whose contents the command does not check (docs/formats.md).
SMALL = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!DOCTYPE urlset [ <!ENTITY e "x"> <!-- c --> <?p i?> ]>
<!-- a --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:p='urn:p'>
<url p:a="1" a='2&#38;'><loc>http://a.example/&amp;&e;&#x41;</loc><p:x/><![CDATA[ <&]]]]></url ><?q?>
</urlset>
<!-- z -->
"""
FEED = b"""<rss version='2.0' xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
<guid isPermaLink="true"> http://a.example/?a&#x3d;1 </guid><media:group><media:content url="/b&quot;c"
 xml:lang="en"/></media:group><link><![CDATA[http://b.example/]]></link>\xc3\xa9<a:b xmlns:a="urn:a" a:c=""/></item></channel></rss>"""
PIECES = (
    b'<|>|&|;|"|\'|=|/|?|!|--|]]>|<!--|-->|<![CDATA[|:|xmlns:q="urn:q"|q:|p:| a="3"|\x00|\x0c|\xff|\xc3\xa9|&#0;|&#x110000;|'
    b'&lt;|&f;|&|%|<?xml version="1.0"?>|<!DOCTYPE a>|<a>|</a>|<a/>|\n|\r| |xml|-'
).split(b"|")
# The files that the command judges differently on purpose, by the reason.
DIFFERENCES = {
    "entities are not expanded": [
        "759579.xml",
        "lol_classic.xml",
        "lol_ig_attr.xml",
        "lol_ig_content.xml",
        "lol_long_name.xml",
        "lol_long_value.xml",
        "lol_param.xml",
        "ns-ent.xml",
        "quadratic-defattr.xml",
        "t8.xml",
        "t8a.xml",
    ],
    "an empty file is fine": ["empty.xml"],
    "xml:id is a specification of its own": ["id_err1.xml", "id_err2.xml", "id_tst4.xml"],
}
# libxml2 says of a namespace that it is no URI. lxml refuses the document then, but it is well-formed.
NO_ERRORS = {"WAR_NS_URI", "WAR_NS_URI_RELATIVE"}


def refusal(data):
    """Why libxml2 refuses a document; None if it does not."""
    parser = lxml.etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        lxml.etree.fromstring(data, parser)
    except lxml.etree.XMLSyntaxError as error:
        if not len(parser.error_log):
            return error.msg
        for entry in parser.error_log:
            if entry.level_name != "WARNING" and entry.type_name not in NO_ERRORS:
                return f"{entry.line}:{entry.column} {entry.message}"
    return None


def is_utf8(data):
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:8]:
        return False
    declared = data[:200].partition(b"encoding=")[2][1:6].lower()
    return declared in (b"", b"utf-8", b"us-as", b"ascii")


def mutants(count, seed):
    """Samples with one to three places changed."""
    choose = random.Random(seed)
    sources = [SMALL, FEED]
    for _ in range(count):
        data = bytearray(choose.choice(sources))
        for _ in range(choose.randint(1, 3)):
            at = choose.randrange(len(data) + 1)
            drop = choose.choice([0, 0, 1, 1, 2, 8])
            data[at : at + drop] = choose.choice(PIECES) if choose.random() < 0.7 else b""
        yield bytes(data)


def judged(command, data):
    """Whether the command finds a document malformed, with what it says."""
    options = [
        "--from",
        "xml",
        "--emit",
        "components",
        "--columns",
        "line,column,malformed,message",
        "--to",
        "jsonl",
        "-",
    ]
    ended = subprocess.run([command, *options], input=data, capture_output=True, timeout=600)
    malformed = [line for line in ended.stdout.splitlines() if b'"malformed":true' in line]
    return bool(malformed) or ended.returncode == 2, (malformed or [ended.stderr])[0].decode(
        errors="replace"
    )[:200]


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=pathlib.Path)
    parser.add_argument(
        "--mutants", type=int, default=2000, metavar="N", help="the number of mutants (default: 2000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="other mutants for each number (default: 1)")


def main(arguments):
    counts, wrong, differing = collections.Counter(), [], set()
    listed = {name for names in DIFFERENCES.values() for name in names}
    files = sorted(file for folder in arguments.folders for file in folder.rglob("*.xml"))
    documents = [(file.name, file.read_bytes()) for file in files]
    documents += [("mutant", data) for data in mutants(arguments.mutants, arguments.seed)]
    for name, data in documents:
        kind = "mutants" if name == "mutant" else "files"
        if not is_utf8(data):
            counts[f"{kind} not in UTF-8, left out"] += 1
            continue
        is_malformed, said = judged(arguments.command, data)
        why = refusal(data)
        if is_malformed == bool(why):
            counts[f"{kind} refused by both" if why else f"{kind} accepted by both"] += 1
        elif name in listed:
            differing.add(name)
        else:
            wrong.append((name, why or "libxml2 accepts it", said, data[:1000] if kind == "mutants" else b""))
    if files:
        wrong += [(name, "no longer differs") for name in listed - differing]
        counts["different on purpose"] = len(differing)
    for case in wrong:
        print(*case, sep=" | ")
    named = ", ".join(f"{count} {name}" for name, count in counts.items())
    print(f"{len(documents)} documents: {named}; wrong: {len(wrong)}")
    return bool(wrong)
