"""The published cases of other projects: html5lib's tokenizer, linkify and xurls.

HTML5LIB is the folder of the tokenizer's cases in the source package of PyPI's `html5lib`. The script reads
each case whose start tag has attributes once for each attribute: it turns the attribute into the `href` of an
`a`, which must be the URL that the case expects as the value. It puts cases of text, most of which are
character references, into an attribute, where all but three references mean the same. The other cases have no
link.

LINKIFY is the folder `tests` of the crate linkify, XURLS the folder of the Go module xurls. `--from text`
must find the links with a scheme that linkify finds, and the first link that xurls finds in its strict mode,
except for the listed differences. The script fails for a difference that is not listed, and for a listed one
that no longer exists.
"""

import collections
import json
import pathlib
import re

from tested_command import json_rows

SPACE = "\t\n\f\r "


def found(command, form, text, columns="uri"):
    """The rows for a text."""
    grammar = "uri-reference" if form == "html" else "uri"
    options = ["--from", form, "--grammar", grammar, "--emit", "components", "--columns", f"{columns},malformed", "-"]
    # The other rows are places where a page breaks.
    return [row for row in json_rows(command, options, text.encode()) if row["uri"] is not None]


# The tokenizer's cases.


def unescaped(value):
    """A value of a case that is escaped twice."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), value)
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    if isinstance(value, dict):
        return {unescaped(name): unescaped(item) for name, item in value.items()}
    return value


# Without `;` and before a letter, these are references in text, but not in an attribute.
ONLY_IN_TEXT = {"&noti;", "I'm &notit", "I'm &notin"}


def tokenizer_cases(folder):
    """The inputs that start like a page, and the expected tokens."""
    files = sorted(folder.glob("*.test"))
    for file in files:
        for case in json.loads(file.read_text(encoding="utf-8")).get("tests", []):
            if "Data state" not in case.get("initialStates", ["Data state"]):
                continue
            text, tokens = case["input"], [token for token in case["output"] if isinstance(token, list)]
            if case.get("doubleEscaped"):
                text, tokens = unescaped(text), unescaped(tokens)
            if not re.search("[\ud800-\udfff]", text):  # no text in UTF-8 has these
                yield text, tokens


def same(url):
    """A URL in the tokenizer's form. The tokenizer replaces NULs and line ends; the command keeps and reports
    them. White space around a URL is not part of it."""
    return url.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").strip(SPACE)


def with_href(text, tags, index, attribute):
    """The text with this attribute of this tag as the `href` of an `a`, or None if the right place in the
    text is not certain."""
    # If the text has several tags with this name, the right one is not known.
    name, attributes = tags[index][1:3]
    pattern = "<" + re.escape(name).replace("\ufffd", "[\ufffd\0]") + r"(?=[\t\n\f\r />])"
    starts = list(re.finditer(pattern, text, re.IGNORECASE))
    if len(starts) != 1 or "href" in attributes:
        return None
    head, tail = text[: starts[0].start()], text[starts[0].end() :]
    pattern = r"(?<=[\t\n\f\r /\"'])" + re.escape(attribute).replace("\ufffd", "[\ufffd\0]") + r"(?=[\t\n\f\r />=])"
    names = list(re.finditer(pattern, tail, re.IGNORECASE))
    if not names or len(names) > 1 and len(attributes) > 1:
        return None
    # A tag may repeat its only attribute.
    return f"{head}<a{re.sub(pattern, 'href', tail, flags=re.IGNORECASE)}"


def compare_tokenizers(command, folder):
    counts, wrong, texts = collections.Counter(), [], []
    for text, tokens in tokenizer_cases(folder):
        tags = [token for token in tokens if token[0] == "StartTag"]
        for index, tag in enumerate(tags):
            for attribute, value in tag[2].items():
                page = with_href(text, tags, index, attribute)
                if page is None:
                    counts["not to be renamed"] += 1
                    continue
                counts["attributes"] += 1
                urls = [same(row["uri"]) for row in found(command, "html", page)]
                if urls != [same(value)]:
                    wrong.append((page, same(value), urls))
        if [token[0] for token in tokens] == ["Character"] and not re.search("[\"\n\r<\0]", text):
            texts.append((text, text if text in ONLY_IN_TEXT else tokens[0][1]))
        elif not any(tag[2] for tag in tags):
            counts["without attributes"] += 1
            if urls := found(command, "html", text):
                wrong.append((text, [], urls))
    # Each case has its own line. These cases cannot extend to the next line.
    rows = found(command, "html", "".join(f'<a href="{text}">\n' for text, _ in texts), "line,uri")
    urls = {row["line"]: same(row["uri"]) for row in rows}
    for line, (text, value) in enumerate(texts, 1):
        counts["texts"] += 1
        if urls.get(line) != same(value):
            wrong.append((text, same(value), urls.get(line)))
    return counts, wrong


# The cases in prose.

# The texts of linkify in which the command deliberately finds other links, by the reason.
LINKIFY = {
    "the word is the record": ["http://example.org/foo|bar", "http://example.org/]()", "http://example.org/`a", "http://example.org/`a`"],
    "a bracket right before a URI delimits it": ["(http://example.org/.)"],
    "brackets at the end may be a text of AsciiDoc": ["http://example.org/a[b]"],
    "what is no scheme is reported with its URI": ["1abc://foo", "1abc://example.com"],
    "a scheme has two letters": ["a://foo"],
    "a delimiter decides, whatever it holds": ['"file://...", '],
    "a quote at the end is the text's": [
        "http://example.org/a'b'",
        "http://example.org/'_(foo)'",
        "http://example.org/''",
        "http://example.org/'''",
    ],
    "a quote inside is a part of a URI": ["http://example.org'/>", "https://a.com'https://b.com"],
    "a broken authority is reported": ["https://user:pass@ex@mple.com/"],
    "a name need be none of the DNS": [
        "https://12-7.0.0.1/",
        "https://.www.example.com",
        "https://a.-b.com",
        "https://a.b-.com",
        "https://example.com-/",
        "https://example.org-",
    ],
}
# The texts of xurls in which the command deliberately finds other links, by the reason.
XURLS = {
    "the word is the record": ["http://foo.bar/path|more"],
    "brackets at the end may be a text of AsciiDoc": [
        "http://foo.com/path_[more]",
        "http://foo.com/path_[even]-[more]",
        "http://foo.com/path_[even][more]",
    ],
    "mailto: wants an @": ["mailto:foo", "MAILTO:foo"],
    "a word before a colon is seldom a scheme": ["bitcoin:Addr23?amount=1&message=foo", "cid:foo-32x32.v2_fe0f1423.png"],
    "a delimiter decides": ["'http://foo.com/bar'more"],
    "an @ may end a URI": ["http://foo.bar/path@"],
    "punctuation beyond ASCII ends a URI": ["http://foo.com/–", "https://shmibbles.me/tmp/自殺でも？.png"],
}
STRING = r'(?:"(?:[^"\\]|\\.)*"|r#"(?:.*?)"#)'
# Calls with a finder belong to cases that set options, so this does not match them.
RUST_CASE = re.compile(rf"\bassert_\w+\(\s*({STRING})(?:,\s*({STRING}))?,?\s*\)", re.DOTALL)
GO_CASE = re.compile(r"^\t+\{\s*`([^`]*)`,\s*(?:`([^`]*)`|(true)|nil)\s*\}", re.MULTILINE)


def literal(text):
    """The value of a Rust string literal."""
    if text.startswith("r"):
        return text[3:-2]
    text = re.sub(r"\\\n\s*", "", text[1:-1])
    text = re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda code: chr(int(code[1], 16)), text)
    return re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}.get(escape[1], escape[1]), text)


def linked(text, marked):
    """The links in a text. `marked` is the text with a `|` at both ends of each link. No link contains a `|`."""
    links, start, at = [], None, 0
    for char in marked:
        if text[at : at + 1] == char and not (char == "|" and start is not None):
            at += 1
        elif start is None:
            start = at
        else:
            links.append(text[start:at])
            start = None
    return links


def linkify_cases(folder):
    """The texts, each with its links that have a scheme."""
    cases = {}
    for file in ("url.rs", "domains.rs", "email.rs"):
        source = (folder / file).read_text(encoding="utf-8")
        for text, marked in RUST_CASE.findall(source):
            text = literal(text)
            # Several tests may have the same text, with and without links that lack a scheme.
            links = linked(text, literal(marked)) if marked else []
            cases.setdefault(text, []).extend(link for link in links if re.match("[A-Za-z][A-Za-z0-9+.-]*:", link))
    return {text: list(dict.fromkeys(links)) for text, links in cases.items()}


def xurls_cases(folder):
    """The texts, each with its first link."""
    source = (folder / "xurls_test.go").read_text(encoding="utf-8")
    start = source.index("constantTestCases = ")
    strict = re.search(r'doTest\(t, "Strict\d*", Strict(?:\(\))?, \[\]testCase', source).start()
    parts = source[start : source.index("\n}\n", start)], source[strict : source.index("\n\t})\n", strict)]
    return {text: [text] if whole else [link] if link else [] for part in parts for text, link, whole in GO_CASE.findall(part)}


def compare_texts(command, cases, differences, first):
    """Compares all links of each text, or only the first one."""
    counts, wrong, differing = collections.Counter(), [], set()
    listed = {text for texts in differences.values() for text in texts}
    for text, links in cases.items():
        urls = list(dict.fromkeys(row["uri"] for row in found(command, "text", text)))
        if first:
            urls = urls[:1]
        if urls == links:
            counts["the same" if links else "the same, without a link that has a scheme"] += 1
        elif text in listed:
            differing.add(text)
        else:
            wrong.append((text, links, urls))
    for text in listed - differing:
        wrong.append((text, "no longer differs"))
    counts["different on purpose"] = len(differing)
    return counts, wrong


def add_arguments(parser):
    parser.add_argument("command", metavar="COMMAND")
    for folder in ("html5lib", "linkify", "xurls"):
        parser.add_argument(folder, metavar=folder.upper(), type=pathlib.Path)


def main(arguments):
    command, failed = arguments.command, False
    for what, least, (counts, wrong) in (
        ("html5lib's tokenizer", 4000, compare_tokenizers(command, arguments.html5lib)),
        ("linkify", 200, compare_texts(command, linkify_cases(arguments.linkify), LINKIFY, False)),
        ("xurls", 100, compare_texts(command, xurls_cases(arguments.xurls), XURLS, True)),
    ):
        for case in wrong:
            print(*map(repr, case), sep=" | ")
        print(f"{what}:", ", ".join(f"{count} {name}" for name, count in counts.items()) + f"; wrong: {len(wrong)}")
        failed |= bool(wrong) or sum(counts.values()) < least
    return failed
