"""The URLs that the suite plants: those of lists, and the same with a piece that is hard for a container, in
the middle and near the end.
"""

import random
import re
from pathlib import Path

SAMPLE = Path(__file__).resolve().parent.parent.parent.parent / "corpora" / "sample.txt"

# Each is the syntax of some container, or the text that follows a URI in one.
PIECES = [
    *" |\\^`{}<>\"'()[]%&;,*_~!$=@?#.:\té’–“»…。\u00a0\u3000\u200b\u2028",
    *(
        "  ",
        "||",
        "|b|",
        "{x}",
        "${x}",
        "{{x}}",
        "(x)",
        "((",
        "))",
        "[0]",
        "[]",
        "<b>",
        "<!--",
        "-->",
        "]]>",
        "''",
        '""',
        "``",
        "**",
        "~~",
        "__",
    ),
    *(
        "%zz",
        "%u2019",
        "%%",
        "#a#b",
        "://",
        "http://b.example/",
        "//",
        ":80x",
        "...",
        "--",
        "!!",
        "=3D",
        "=20",
        "=\n",
        " /",
        "\n",
        "\r\n",
    ),
    *(
        "&amp;",
        "&amp;b=2",
        "&copy",
        "&copy=1",
        "&copy;",
        "&lt;",
        "&#38;",
        "&#x20;",
        "&quot;",
        "&b=2",
        "&&",
        "&nbsp;",
        "&;",
    ),
    *(
        "\\n",
        "\\t",
        "\\u0026",
        "\\/",
        "\\_",
        '\\"',
        "\\x22",
        "\\\\",
        "\\'",
        "\\%",
        "\\|",
        "\\=",
        "\\ ",
        "\\%C3\\%A9",
        "\\u00e9",
        "\\x3d",
    ),
    *(
        ", b",
        "; b",
        " b=",
        " b=1",
        " HTTP/1.1",
        " 2x",
        ", b 2x",
        ' "title"',
        " 'title'",
        " (title)",
        "[text]",
        " text",
        " - ",
        " | ",
        "^{text}",
    ),
    *("\x01", "\x00", "\x1b[0m", "\x7f", "\x85", "😀", "é|", "ä ö"),
]
# Hosts and schemes that a container or a grammar may take for something else.
STARTS = [
    "http://[::1]:80/a|b",
    "http://[::1/a",
    "http://u:p@e.example:8080/?q#f",
    "http://e.example",
    "http://e.example/",
    "ftp://e.example/a b",
    "HTTP://E.example/%41",
    "https://e.example/a(b)c",
    "https://e.example/a_(b)",
    "https://e.example/?a[]=1&b[]=2",
    "https://e.example/#/a!b",
    "https://e.example/wiki/A_(b)_c",
    "https://e.example/a,b;c=d",
    "https://e.example/a'b",
    "http://e.example:80x/",
    "http://e_x.example/a^b",
    "https://b\u00fccher.example/",
    "https://e.example/~a/*b*/_c_/",
]
TEXT = re.compile(r"[A-Za-z0-9+._-]*[A-Za-z0-9]://[^\s]")
CONTROL = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]")


def listed(paths):
    """The URLs of lists, one in a line."""
    urls = set()
    for path in paths:
        for line in Path(path).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"):
            try:
                url = line.removesuffix(b"\r").decode()
            except UnicodeDecodeError:
                continue
            if TEXT.match(url) and url == url.strip():
                urls.add(url)
    return sorted(urls)


def with_piece(url, piece, choose):
    """The URL with a piece in its path, query or fragment, before other text or at the end of it."""
    start = url.index("://") + 3
    slash = re.search("[/?#]", url[start:])
    if slash is None:
        url, first = url + "/", len(url) + 1
    else:
        first = start + slash.end()
    at = choose.randint(first, len(url))
    rest = url[at:] or "c"
    return url[:at] + piece + rest


def planted(lists, count, seed):
    """About this many URLs, a third of them as they are in the lists."""
    choose = random.Random(seed)
    real = listed(lists)
    urls = set(listed([SAMPLE])) | set(STARTS) | set(choose.sample(real, min(len(real), count // 3)))
    sources = [url for url in real if len(url) < 200]
    while len(urls) < count:
        for piece in PIECES:
            url = with_piece(choose.choice(sources), piece, choose)
            urls.add(url)
            # The end is where containers cut.
            if choose.random() < 0.25:
                urls.add(choose.choice(sources) + piece)
    return sorted(url for url in urls if url == url.strip())


def is_text(url):
    """Whether a text shows the URL: it has a scheme, and no control characters."""
    return bool(TEXT.match(url)) and not CONTROL.search(url)


def references(urls):
    """The same as relative references, without the scheme, and without the authority."""
    for url in urls:
        start = url.index("://") + 1
        slash = re.search("[/?#]", url[start + 2 :])
        if slash and url[start + 2 + slash.start() :] != "/":
            yield url[start + 2 + slash.start() :]
