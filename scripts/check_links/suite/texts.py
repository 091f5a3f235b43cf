"""Texts: prose, delimiters in prose, string literals, code, and the markup that `--from text` reads.

The readers are those of the markup where it has one (json, ast, lxml, html5lib, shlex), or a regular
expression for the delimiters.
"""

import ast
import csv
import json
import re
import shlex
import unicodedata
from html import escape

import html5lib
import lxml.etree

from .cases import Link, Place

REFERENCE = re.compile(r"&(#\d|#[xX][0-9a-fA-F]|[A-Za-z])")
# Escapes of strings, which the text before a URI may be, too.
ESCAPE = re.compile(r"\\[nrtbfvux0\"'/\\]")


class Text(Place):
    options = "--from", "text", "--grammar", "uri"
    # Any file could be a text.
    is_detected = False
    head = "A text.\n"
    # The bytes of URLs that end it here, and a pattern for all URLs that the place cannot hold.
    bad = ""
    without = None
    # What finds the URIs again.
    pattern = None

    def can_hold(self, url):
        return not any(char in url for char in self.bad) and not (self.without and self.without.search(url))

    def escape(self, url, choose):
        return url if self.can_hold(url) else None

    def read(self, text):
        return re.findall(self.pattern, text)


# Prose.


def is_balanced(url, pairs=("()", "[]", "{}")):
    """Whether each bracket of these kinds closes after it opens."""
    for pair in pairs:
        depth = 0
        for char in url:
            depth += (char == pair[0]) - (char == pair[1])
            if depth < 0:
                return False
        if depth:
            return False
    return True


def ends_of_text(char):
    """Whether a character beyond ASCII stands around URIs in a text: punctuation, spaces and controls."""
    return char > "\x7f" and unicodedata.category(char)[0] in "PZC"


class Prose(Text):
    """A URI whose end the text decides: white space, and punctuation before it."""

    before = "", "See ", "at: ", "- ", "* ", "1. ", "\tsee ", "— ", "a, ", "Siehe: ", "è "
    after = (
        "",
        " and",
        ", x",
        ". The",
        "; x",
        ": x",
        "! x",
        "? x",
        ".",
        ",",
        "…",
        "...",
        " — x",
        ".” x",
        "?!",
        "* x",
        "'",
        "\t",
        " | x",
    )
    between = " and ", ", ", "; ", "\t", " - ", " | "
    # What ends a URI after the openers of this container.
    closers = ""

    def can_hold(self, url):
        scheme, _, rest = url.partition("://")
        # Text may be glued to a scheme, and a word may end in other marks than a letter.
        if (
            not re.fullmatch("[A-Za-z]{2,}", scheme)
            or not re.match(r"[A-Za-z0-9\[]", rest)
            or not re.search(r"[A-Za-z0-9/=]$", url)
        ):
            return False
        if (
            re.search(r"[\s<>\"]", url)
            or any(map(ends_of_text, url))
            or ESCAPE.search(url)
            or any(char in url for char in self.closers)
        ):
            return False
        # A bracket that closes nothing may be the text's.
        return is_balanced(url)

    def parts(self, url, choose):
        # A bar between two URIs may open a cell of a table.
        parts = super().parts(url, choose)
        return parts and [" and " if part == " | " and "|" in url else part for part in parts]

    def read(self, text):
        found = re.findall(r"(?<![A-Za-z])[A-Za-z]{2,}://[^\s<>\"]+", text)
        return [re.sub(r"(?:[^\w/=]|_|[\u2000-\u206f])*$", "", url) for url in found]


class Bracketed(Prose):
    """Prose in brackets or quotes that start before the URI's neighbours."""

    sides = ("(see ", ")"), ("(", ")"), ("(a: ", ", b)"), ("(see ", ".)")
    between = ()
    closers = "()"


class Words(Prose):
    """A URI as one of the words of a line of a log or of code."""

    sides = (
        ("GET ", " HTTP/1.1"),
        ("url=", " status=200"),
        ("[INFO] fetch ", " 200 12ms"),
        ("$ curl ", " -o x"),
        ("// ", ""),
        ("# ", ""),
        ("wget ", " 2>&1"),
    )
    before = ("", "2026-01-02T03:04:05Z ", "> ")
    after = ("", " x")
    between = ()


class CellOfBars(Prose):
    """A cell of a table between bars."""

    sides = ("| a | ", " | b |"), ("|", "|b|"), ("| ", " |"), ("a | ", " | b")
    before = after = ("",)
    between = ()
    closers = "|"

    def read(self, text):
        return [cell.strip() for cell in text.strip().split("|") if "://" in cell]


# Delimiters.


class Between(Text):
    """A URI right after an opening delimiter, up to the closing one, with all that stands between them."""

    before = "", "He said ", "x: ", "(", "see also, ", "- ", "f("
    after = "", ".", ", b", ") c", "; d", " e", " (f)"
    between = " and ", ", ", " "
    space = True

    def __init__(self, name, left, right, bad, **facts):
        super().__init__(name, **facts)
        self.sides = ((left, right),)
        self.bad = bad
        self.pattern = re.compile(re.escape(left) + r"(?=[\w+.-]+:)(.*?)" + re.escape(right), re.DOTALL)

    def can_hold(self, url):
        return super().can_hold(url) and (self.space or not re.search(r"\s", url))


class SpaceAtTheEnd(Between):
    """White space before the closing delimiter is no part of the URI."""

    def __init__(self, name, left, right, bad, **facts):
        super().__init__(name, left, right, bad, **facts)
        self.sides = tuple((left, space + right) for space in (" ", "  ", "\t"))
        self.pattern = re.compile(re.escape(left) + r"(?=[\w+.-]+:)(.*?)\s*" + re.escape(right))


# String literals.


def json_string(url, choose):
    """The URL as a string of JSON, in one of the ways of its writers, without the quotes."""
    written = json.dumps(url, ensure_ascii=choose.random() < 0.5)[1:-1]
    if choose.random() < 0.4:
        written = written.replace("/", "\\/")
    if choose.random() < 0.4:
        written = re.sub("[&<>'=]", lambda char: f"\\u{ord(char[0]):04x}", written)
    return written


def string_values(value):
    """All strings of a value of JSON, in the order of the text."""
    if isinstance(value, str):
        yield value
    else:
        for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
            yield from string_values(item)


class Json(Text):
    """A string of a value of JSON in a text."""

    reader = "json"
    sides = (
        ('{"id": 1, "url": "', '"}'),
        ('["x","', '"]'),
        ('{"a":{"b":"', '","c":null}}'),
        ('{"url":"', '","title":"a"}'),
    )

    def escape(self, url, choose):
        return json_string(url, choose)

    def read(self, text):
        return [value for value in string_values(json.loads(text)) if "://" in value]


class JsonProse(Prose):
    """Prose in a string of JSON, whose escapes are undone before the URIs are found."""

    reader = "json"
    sides = (
        ('{"m":"see ', ' and"}'),
        ('{"m":"see ', '."}'),
        ('["a\\n', '\\nb"]'),
        ('{"m": "x\\t', '\\tb"}'),
        ('{"a":1,"text":"(', ')"}'),
        ('{"m":"\\"', '\\" he said"}'),
        ('{"m":"é 😀 \\u00e9 see ', '"}'),
    )
    before = after = ("",)
    between = ()
    closers = "()"

    def escape(self, url, choose):
        return json_string(url, choose) if self.can_hold(url) else None

    def planted(self, url, choose):
        planted = super().planted(url, choose)
        # Between quotes, a backslash may be an escape of the text in the string.
        return None if planted and planted[0].endswith('\\"') and "\\" in url else planted

    def read(self, text):
        return [
            url for value in string_values(json.loads(text)) for url in super(JsonProse, self).read(value)
        ]


class JsonHtml(Text):
    """An attribute of HTML in a string of JSON."""

    reader = "json"
    sides = (
        ('{"m":"\\u003ca href=\\"', '\\"\\u003e"}'),
        ('{"html":"<p>é<a class=\\"x\\" href=\\"', '\\">a</a>"}'),
    )

    def escape(self, url, choose):
        return json_string(escape(url), choose)

    def read(self, text):
        pages = (
            html5lib.parseFragment(value, namespaceHTMLElements=False)
            for value in string_values(json.loads(text))
        )
        return [element.get("href") for page in pages for element in page.iter("a")]


class JsonInJson(Text):
    """A string of a value of JSON that is itself a string of one."""

    reader = "json"
    sides = ('{"log":"', '"}'), ('{"a":1,"message":"', '","b":2}')

    def escape(self, url, choose):
        return json_string(url, choose)

    def planted(self, url, choose):
        left, right = choose.choice(self.sides)
        inner_left, inner_right = choose.choice(Json.sides)
        inner = json_string(url, choose)
        return [
            left + json.dumps(inner_left)[1:-1],
            Link(json.dumps(inner)[1:-1], url),
            json.dumps(inner_right)[1:-1] + right,
        ]

    def read(self, text):
        inner = (json.loads(value) for value in string_values(json.loads(text)))
        return [value for part in inner for value in string_values(part) if "://" in value]


class Literal(Text):
    """A string of source code with a line end or a tab at its end, which is no part of the URI."""

    reader = "ast"
    sides = ('"', '\\n"'), ('"', '\\r\\n"'), ('"', '\\t"'), ('"', '\\n\\n"')
    before = "x = ", "print(1), f(", "fetch(a, "
    bad = '"\\'
    without = REFERENCE

    def parts(self, url, choose):
        parts = super().parts(url, choose)
        if parts and "(" in parts[0]:
            parts[-1] = ")"
        return parts

    def read(self, text):
        values = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        return [value.strip() for value in values if isinstance(value, str)]


class Shell(Text):
    """A word of a shell in quotes."""

    reader = "shlex"
    before = "curl ", "curl -s ", "wget -q -O - ", "open "
    after = "", " | sh", " > x", " && echo a"
    sides = ("'", "'"), ('"', '"')
    bad = "'\"\\$`!"
    without = REFERENCE

    def read(self, text):
        return [word for word in shlex.split(text) if "://" in word]


class Row(Text):
    """A cell in quotes of a row of a table, in a text."""

    reader = "csv"
    sides = ('a,"', '",b'), ('1;"', '"'), ('"x","', '","y"')
    bad = '"\\'

    def read(self, text):
        return [
            cell
            for cell in next(csv.reader([text], delimiter=";" if text.startswith("1;") else ","))
            if "://" in cell
        ]


# Keys and values of logs.


class Cef(Text):
    """A value of CEF, which runs to the next key."""

    sides = ("request=", ""), ("cs1=a b request=", " msg=x y"), ("act=a request=", " cs2=b cs2Label=c")
    before = "CEF:0|v|p|1.0|100|name|5|", "Jan  1 00:00:00 host CEF:0|v|p|1.0|100|a \\| b|5|"

    def escape(self, url, choose):
        return url.replace("\\", "\\\\").replace("=", "\\=")

    def read(self, text):
        extension = re.split(r"(?<!\\)\|", text.rstrip("\r\n"), maxsplit=7)[7]
        values = re.findall(r"(?:^| )(\w+)=((?:\\.|[^\\=])*)(?= \w+=|$)", extension)
        return [re.sub(r"\\(.)", r"\1", value) for key, value in values if key == "request"]


# TeX.


def tex(url):
    return re.sub(r"([%#_&{}$])", r"\\\1", url)


class Tex(Text):
    """An argument in braces, in which TeX's escapes are undone."""

    sides = (
        ("\\href{", "}{text}"),
        ("\\url{", "}"),
        ("\\href{", "}{\\emph{a} b}"),
        ("\\footnote{\\url{", "}}"),
        ("\\url{", "}."),
    )
    before = "", "See ", "(", "\\item "
    after = "", ". x", " % a comment", ") b"
    between = " and ", ", "
    bad = "\\"

    def escape(self, url, choose):
        return tex(url) if self.can_hold(url) else None

    def read(self, text):
        found = re.findall(r"\\(?:href|url)\{((?:\\.|[^\\{}])*)\}", text)
        return [re.sub(r"\\(.)", r"\1", value) for value in found]


class TexVerbatim(Tex):
    """The same without escapes, as the package url permits it."""

    bad = "\\{}"

    def escape(self, url, choose):
        return url if self.can_hold(url) else None

    def read(self, text):
        return re.findall(r"\\(?:href|url)\{([^{}]*)\}", text)


class Bibtex(Tex):
    """A field of an entry, in braces or in quotes."""

    sides = (
        ("url = {", "},"),
        ("  url={", "}"),
        ("\turl = {", "},"),
        ("  howpublished = {\\url{", "}},"),
        ("note = {\\url{", "}, 2026},"),
        ('url = "', '",'),
    )
    before = after = ("",)
    between = ()
    bad = '\\"'
    without = REFERENCE

    def read(self, text):
        found = re.findall(r'(?:[{"])([\w\\+.-]*://(?:\\.|[^\\{}"])*)[}"]', text)
        return [re.sub(r"\\(.)", r"\1", value) for value in found]


# Other markup.


class Wiki(Text):
    """An external link of a wiki, which ends at the space before its text."""

    sides = ("[", " text]"), ("[", " a b (c)]"), ("* [", " text]")
    before = "", "See ", "; "
    after = "", ".", " and"
    bad = '[]<>"{}|'
    without = re.compile(r"\s|''|[^\x00-\x7f]|\\")

    def read(self, text):
        return re.findall(r"\[(\S+) [^\]]*\]", text)


class AsciiDocMacro(Text):
    """A macro of AsciiDoc, which ends at the bracket before its text."""

    sides = ("", "[text]"), ("", "[]"), ("link:", "[a b]"), ("image::", "[alt]"), ("", "[text,window=_blank]")
    before = "", "See ", "* "
    after = "", ".", " and"
    bad = '[]<>"{}|^`_*#+~'
    without = re.compile(r"\s|[^\x00-\x7f]|\\|\)|'|--|\.\.|::")

    # docs/formats.md: brackets in a query belong to it, unless the text is AsciiDoc for certain.
    has_queries = False

    def can_hold(self, url):
        if "?" in url and not self.has_queries:
            return False
        return super().can_hold(url) and bool(re.match(r"(https?|ftp|irc)://[A-Za-z0-9]", url))

    def read(self, text):
        return re.findall(r"((?:https?|ftp|irc)://[^\s\[\]<>]*)\[", text)


class RstLink(Text):
    """A link of RST, in the angle brackets before its closing backtick."""

    sides = ("`text <", ">`_"), ("`a b <", ">`__")
    before = "", "See ", "- "
    after = "", ".", " and"
    bad = "<>`\\"
    without = re.compile(r"\s|[_*|]")

    def read(self, text):
        return re.findall(r"`[^`<]*<([^<>`]*)>`_", text)


class RstTarget(Text):
    """A target or an image of RST, which is the rest of the line."""

    sides = (".. _x: ", ""), (".. _a b: ", ""), (".. image:: ", ""), (".. _`x: y`: ", "")
    bad = "<>`\\_*|"
    without = re.compile(r"\s|[^\x00-\x7f]|[^A-Za-z0-9/=]$")

    def can_hold(self, url):
        return super().can_hold(url) and is_balanced(url)

    def read(self, text):
        return re.findall(r"\.\. (?:_`[^`]*`|_[^:`]*|image:):\s+(\S+)", text)


# Markup in texts.


def unquoted(url):
    return None if re.search(r"[\s\"'=<>`]", url) else escape(url)


class Html(Text):
    """An attribute of HTML in a text."""

    reader = "html5lib"
    sides = (
        ('<p>a <a class="x" href="', '">b</a>'),
        ('<p>a <a class="x" href = " ', ' ">b</a>'),
        ("<img src='", "' alt=''>"),
        ('<iframe width=1 src="', '"></iframe>'),
        ("<a href=", ">x</a>"),
    )
    after = "", "<br>", " and"

    def planted(self, url, choose):
        left, right = choose.choice(self.sides)
        written = escape(url, quote=True)
        if left.endswith("="):
            written = unquoted(url)
        return None if written is None else [left, Link(written, url), right]

    def read(self, text):
        page = html5lib.parseFragment(text, namespaceHTMLElements=False)
        values = (value for element in page.iter() for name, value in element.attrib.items())
        return [value.strip(" \t\n\f\r") for value in values if "://" in value]


class HtmlText(Text):
    """The text of an element of HTML that starts with the URI, and a URI between references for quotes."""

    reader = "lxml"
    sides = (
        ("<loc>", "</loc>"),
        ("<loc> ", " </loc>"),
        ('<guid isPermaLink="true">', "</guid>"),
        ("<link>\t", "</link>"),
        ("<code>", "</code>"),
        ("<td>", "</td>"),
    )

    def escape(self, url, choose):
        return escape(url, quote=choose.random() < 0.5)

    def read(self, text):
        root = lxml.etree.fromstring(f"<x>{text}</x>")
        return ["".join(element.itertext()).strip(" \t\r\n") for element in root]


class Cdata(Text):
    """Character data that starts with the URI."""

    reader = "lxml"
    sides = (("<link><![CDATA[", "]]></link>"), ("<loc><![CDATA[ ", " ]]></loc>"))

    def escape(self, url, choose):
        return None if "]]>" in url else url

    read = HtmlText.read


class Quoted(Text):
    """Text in markup between references for quotes."""

    reader = "html5lib"
    head = "<!-- markup -->\n"
    sides = ("<p>&quot;", "&quot; &lt;b&gt;"), ("<p>x &#34;", "&#34;.")
    bad = '"'

    def escape(self, url, choose):
        return escape(url) if self.can_hold(url) else None

    def read(self, text):
        return re.findall(
            '"(.*?)"', "".join(html5lib.parseFragment(text, namespaceHTMLElements=False).itertext())
        )


class MarkdownLink(Text):
    """A link of Markdown in a text, which ends at the closing bracket."""

    sides = ("[link](", ")"), ("[link](", ' "title")'), ("![a](", ")"), ("[link](<", ">)")
    before = "A ", "- ", ""
    after = " in a text.", ".", ""

    def planted(self, url, choose):
        left, right = choose.choice(self.sides)
        bad = "<>" if left.endswith("<") else ""
        if "\\" in url or any(char in url for char in bad) or REFERENCE.search(url):
            return None
        if not bad and (not is_balanced(url, ("()",)) or re.search(r"\s[\"'(].*[\"')]\s*$", url)):
            return None
        return [left, Link(url, url), right]

    def read(self, text):
        pattern = r"\]\((?:<(?P<a>[^<>]*)>|(?P<b>[^()]*?(?:\([^()]*(?:\([^()]*\)[^()]*?)*\)[^()]*?)*))(?: \"title\")?\)"
        return [found["a"] or found["b"] for found in re.finditer(pattern, text)]


CONTAINERS = [
    Prose("prose"),
    Bracketed("prose in brackets"),
    Words("words of a line"),
    CellOfBars("cell between bars"),
    Between("quotes", '"', '"', '"\\', without=REFERENCE),
    Between("single quotes", "'", "'", "'\\", without=REFERENCE),
    Between("backticks", "`", "`", "`\\"),
    Between("angle brackets", "<", ">", ">"),
    Between("appendix C", "<URL:", ">", ">"),
    Between("brackets", "(", ")", "()", space=False, without=re.compile(r"[^\x00-\x7f]|[\\<>\"]")),
    Between("square brackets", "[", "]", "[]", space=False, without=re.compile(r"[^\x00-\x7f]|[\\<>\"()]")),
    Between("braces", "{", "}", "{}", space=False, without=re.compile(r"[^\x00-\x7f]|[\\<>\"]")),
    Between("typographic quotes", "“", "”", "“”", space=False, without=re.compile(r"[^\x00-\x7f]|[\\<>\"]")),
    SpaceAtTheEnd("angle brackets, white space", "<", ">", ">"),
    SpaceAtTheEnd("quotes, white space", '"', '"', '"\\', without=REFERENCE),
    Between("N-Triples in a text", "_:s <", "> _:o .", ">", before=("",), after=("",), between=()),
    Json("JSON in a text"),
    JsonProse("prose in JSON in a text"),
    JsonHtml("HTML in JSON in a text"),
    JsonInJson("JSON in JSON in a text"),
    Literal("string of code, line end"),
    Shell("word of a shell"),
    Row("cell of a row in a text"),
    Cef("value of CEF"),
    Tex("TeX"),
    TexVerbatim("TeX, verbatim"),
    Bibtex("BibTeX"),
    Wiki("link of a wiki"),
    AsciiDocMacro("AsciiDoc in a text"),
    RstLink("RST in a text: link"),
    RstTarget("RST in a text: target"),
    Html("attribute in a text"),
    HtmlText("element in a text"),
    Cdata("CDATA in a text"),
    Html("attribute in markup", head="<!-- markup -->\n"),
    HtmlText("element in markup", head="<!-- markup -->\n"),
    Cdata("CDATA in markup", head="<!-- markup -->\n"),
    Quoted("references for quotes"),
    MarkdownLink("link of Markdown in a text"),
]
