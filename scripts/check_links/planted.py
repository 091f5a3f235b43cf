"""URIs that the script inserts between delimiters in texts, pages, Markdown and XML.

The script inserts each line of the lists between each kind of delimiters that can hold it, escaped as the delimiters require. The command must find
a valid URI byte for byte, and must report a broken one as broken on its line. The verdicts on the lists are the command's own, as plain lines.
Python's html.parser and ElementTree read pages and XML, to check that these contain the inserted URIs.
"""

import collections
import json
import pathlib
import re
from html import escape
from html.parser import HTMLParser
from xml.etree import ElementTree

import tested_command

SAMPLE = pathlib.Path(__file__).parent.parent.parent / "corpora" / "sample.txt"


def markup(url):
    return escape(url, quote=True)


def no(*bad):
    return lambda url: None if any(part in url for part in bad) else url


def link(url):
    """The URL if it can be a destination in Markdown: with balanced brackets, no backslash, and no text at its end that looks like a title."""
    depth = 0
    for char in url:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return None
    return None if depth or "\\" in url or re.search(r"\s[\"'(].*[\"')]\s*$", url) else url


# Each place has a name, the text around a URI, and a function that escapes the URI (None if the place cannot hold it).
PLACES = [
    ("quotes", 'He said "{}" twice.', no('"', "\\")),
    ("single quotes", "curl '{}' | sh", no("'", "\\")),
    ("backticks", "Run `{}` now.", no("`", "\\")),
    ("angle brackets", "See <{}>, for example.", no(">")),
    ("appendix C", "See <URL:{}>.", no(">")),
    ("N-Triples", "<http://a.example/s> <http://a.example/p> <{}> .", no(">")),
    ("JSON", '{{"id": 1, "url": {}}}', lambda url: json.dumps(url)),
    ("JSON, ASCII and slashes", '["x",{}]', lambda url: json.dumps(url).replace("/", "\\/")),
    ("attribute", '<p>a <a class="x" href="{}">b</a>', markup),
    ("attribute, spaces", '<p>a <a class="x" href = " {} ">b</a>', markup),
    ("attribute, single quotes", "<img src='{}' alt=''>", markup),
    ("attribute without quotes", "<a href={}>x</a>", lambda url: None if re.search(r"[\s\"'=<>`]", url) else markup(url)),
    ("element", "<url><loc>{}</loc></url>", markup),
    ("element, spaces", "<url><loc> {} </loc></url>", markup),
    ("element with attributes", '<guid isPermaLink="true">{}</guid>', markup),
    ("character data", "<link><![CDATA[{}]]></link>", no("]]>")),
    ("references", "<p>&quot;{}&quot; &lt;b&gt;", lambda url: None if '"' in url else markup(url)),
    ("link of Markdown", "A [link]({}) in a text.", link),
    ("link with a title", 'A [link]({} "title") in a text.', link),
    ("link in angle brackets", "A [link](<{}>) in a text.", no(">", "<")),
]
# The places in attributes of pages.
ATTRIBUTES = [
    ("href", '<p><a class=x href="{}">b</a>', markup),
    ("href, single quotes", "<A HREF='{}' >b</A>", markup),
    ("href, spaces", '<area alt="" href=" {} ">', markup),
    ("href without quotes", "<link href={}>", lambda url: None if re.search(r"[\s\"'=<>`]", url) or url.endswith("/") else markup(url)),
    ("references by number", '<form action="{}">', lambda url: "".join(f"&#{ord(char)};" if char in "&\"<:" else char for char in url)),
    ("src in a comment's neighbour", '<!-- <a href="http://no.example/"> --><img alt="<" src="{}"/>', markup),
    ("srcset", '<img srcset="{} 2x, {} 640w">', lambda url: None if re.search(r"\s", url) or url.strip(",") != url else markup(url)),
    ("ping", '<a ping="{} {}">b</a>', lambda url: None if re.search(r"\s", url) else markup(url)),
    ("refresh", "<meta http-equiv=refresh content=\"0; url='{}'\">", lambda url: None if "'" in url else markup(url)),
    ("style", "<p style='background: url(\"{}\")'>", lambda url: None if '"' in url or "\\" in url else markup(url)),
]


def destination(url):
    """The URL as a destination in Markdown, with an escape for each byte that could end the destination or be an escape."""
    return re.sub(r"([\\`*_\[\]()<>&!~|\"'])", r"\\\1", url)


def unreferenced(write):
    """A function like `write` that rejects URIs with character references, which Markdown decodes."""
    return lambda url: None if re.search(r"&#?\w+;", url) else write(url)


# The places in Markdown. White space breaks a link, and text that looks like a title is not part of a destination.
LINKS = [
    ("link", "A [link]({}) in a text.", unreferenced(link)),
    ("image with a title", '![image]({} "title") in a text.', unreferenced(link)),
    ("link, escaped", "- [link]({})", lambda url: None if re.search(r"\s", url) else destination(url)),
    ("link in angle brackets", "> A [link](<{}>) in a quote.", no("<", ">", "\\", "&")),
    ("definition", "[label {number}]: {}", lambda url: None if re.search(r"[<>\s]", url) else destination(url)),
    ("definition in angle brackets", "[label {number}]: <{}> 'title'", no("<", ">", "\\", "&")),
    ("autolink", "See <{}>.", lambda url: url.replace("&", "&amp;") if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", url) and not re.search(r"[<>]|&.*\s|\s.*&", url) else None),
    ("bare", "See {} there.", lambda url: url if re.fullmatch(r"(https?|ftp)://[A-Za-z0-9][^\s\x80-\U0010ffff<>\"`|\\(){}\[\]*_~&']*[A-Za-z0-9/]", url) else None),
    ("HTML", '<a href="{}">b</a>', markup),
    ("HTML in a list", '1. a <img src="{}">', markup),
]
# The places in elements and attributes of XML.
ELEMENTS = [
    ("loc", '<s:loc xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"> {} </s:loc>', markup),
    ("link", "<link>{}</link>", markup),
    ("CDATA", "<guid><![CDATA[{}]]></guid>", no("]]>")),
    ("enclosure", '<enclosure type="x" url="{}"/>', markup),
    ("href", "<a:link xmlns:a='http://www.w3.org/2005/Atom' href='{}'></a:link>", markup),
]
# Text that starts with "<" is read as markup.
HEADS = {"text": "A text.\n", "markup": "<!-- markup -->\n"}


def found_in(command, options, text):
    """The verdict and the URI of each record that the command finds, by line."""
    found = collections.defaultdict(list)
    for row in tested_command.json_rows(command, [*options, "--emit", "components", "-"], text.encode()):
        found[row["line"]].append((row["valid"], row["uri"]))
    return found


class Values(HTMLParser):
    """All values of attributes, in the order of the page."""

    def __init__(self):
        super().__init__()
        self.values = []

    def handle_starttag(self, tag, attrs):
        self.values += [value for _, value in attrs]

    handle_startendtag = handle_starttag


def in_pages(command, urls, valid, total, wrong):
    for name, place, write in ATTRIBUTES:
        count = place.count("{}")
        held = (url for url in urls if url == url.strip())
        planted = [(url, place.format(*[written] * count)) for url in held if (written := write(url)) is not None]
        text = "<!doctype html>\n" + "".join(line + "\n" for _, line in planted)
        found = found_in(command, ["--from", "html", "-g", "uri"], text)
        for number, (url, line) in enumerate(planted, 2):
            values = Values()
            values.feed(line)
            assert any(url in (value or "") for value in values.values), line
            is_right = found[number] == [(url in valid, url)] * count
            total[url in valid, is_right] += 1
            if not is_right:
                wrong.append(("page", name, url, line, found[number]))


def planted_rows(command, form, places, head, tail, urls, valid, total, wrong):
    """Inserts each URL on a separate line, between blank lines."""
    for name, place, write in places:
        held = [(url, written) for url in urls if url == url.strip() and (written := write(url)) is not None]
        lines = [place.replace("{number}", str(number)).replace("{}", written) for number, (_, written) in enumerate(held)]
        text = head + "".join(line + "\n\n" for line in lines) + tail
        if head:
            texts = ["".join(element.itertext()).strip() for element in ElementTree.fromstring(text)]
            values = [list(element.attrib.values()) for element in ElementTree.fromstring(text)]
            assert all(url in (inner, *outer) for (url, _), inner, outer in zip(held, texts, values, strict=True)), name
        found = found_in(command, ["--from", form, "-g", "uri"], text)
        first = 1 + head.count("\n")
        for number, (url, _) in enumerate(held):
            here = found[first + 2 * number]
            is_right = here == [(url in valid, url)]
            total[url in valid, is_right] += 1
            if not is_right:
                wrong.append((form, name, url, lines[number], here))


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("lists", nargs="*", metavar="LIST", default=[SAMPLE], help="(default corpora/sample.txt)")


def main(arguments):
    command, urls = arguments.command, set()
    for path in arguments.lists:
        for line in pathlib.Path(path).read_bytes().split(b"\n"):
            try:
                url = line.removesuffix(b"\r").decode()
            except UnicodeDecodeError:
                continue
            # In a text, the command finds URIs with a scheme and slashes. Without a host, only the scheme remains.
            if re.match(r"[A-Za-z0-9+._-]*[A-Za-z0-9]://[^\s]", url) and not re.search(r"[\x00-\x1f\x7f\x85\u2028\u2029]", url):
                urls.add(url)
    urls = sorted(urls)
    lines = "".join(url + "\n" for url in urls).encode()
    verdicts = tested_command.run(command, ["--from", "lines", "--emit", "valid", "-"], lines)
    valid = set(verdicts.decode().splitlines())
    total = collections.Counter()
    wrong = []
    for head_name, head in HEADS.items():
        for name, place, write in PLACES:
            is_tag = "<" in place and name not in ("angle brackets", "appendix C", "N-Triples", "link in angle brackets")
            if head_name == "text" and name == "references" or head_name == "markup" and not is_tag:
                continue
            # White space at the ends of what delimiters hold is not part of the URL.
            held = (url for url in urls if url == url.strip())
            planted = [(url, written) for url in held if (written := write(url)) is not None]
            text = head + "".join(place.format(written) + "\n" for _, written in planted)
            found = found_in(command, ["--from", "text"], text)
            for number, (url, written) in enumerate(planted, 2):
                here = [record for record in found[number] if record[1] not in ("http://a.example/s", "http://a.example/p")]
                is_right = here == [(url in valid, url)]
                total[url in valid, is_right] += 1
                if not is_right:
                    wrong.append((head_name, name, url, place.format(written), here))
    in_pages(command, urls, valid, total, wrong)
    planted_rows(command, "markdown", LINKS, "", "", urls, valid, total, wrong)
    planted_rows(command, "xml", ELEMENTS, "<rss>\n", "</rss>\n", urls, valid, total, wrong)
    by_place = collections.Counter((head, name) for head, name, *_ in wrong)
    for key, count in by_place.most_common():
        print(*key, count)
    for case in wrong[:: max(1, len(wrong) // 40)]:
        print(*case, sep=" | ")
    print(f"{len(urls)} URIs ({len(valid)} of them valid): {total[True, True]} valid ones came out whole, {total[False, True]} broken ones were reported; wrong: {len(wrong)}")
    return bool(wrong) or not total[True, True]
