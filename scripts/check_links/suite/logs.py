"""Logs of servers, proxies and crawlers, lines in wrappers, indexes and headers of web archives. A pattern
and a table of escapes read each.
"""

import email
import gzip
import io
import json
import re
import zipfile

from .cases import Link, Place

TARGET = r"(?:/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)+(?:\?(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?"


def apache(text):
    """The escapes of Apache: C's, and two digits for each byte that is not printable."""
    names = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\v": "\\v"}
    return "".join(
        names.get(char, char if " " <= char < "\x7f" else "".join(f"\\x{byte:02x}" for byte in char.encode()))
        for char in text
    )


def nginx(text):
    """The escapes of nginx: two digits."""
    return "".join(
        char
        if " " <= char < "\x7f" and char not in '"\\'
        else "".join(f"\\x{byte:02X}" for byte in char.encode())
        for char in text
    )


def haproxy(text):
    """The escapes of HAProxy: a # and two digits."""
    return "".join(
        char
        if "!" <= char < "\x7f" and char not in '#"{|}'
        else "".join(f"#{byte:02X}" for byte in char.encode())
        for char in text
    )


def unescaped(text):
    """The text of a log without the escapes of Apache or nginx."""
    names = {"n": 10, "r": 13, "t": 9, "b": 8, "v": 11, '"': 34, "\\": 92}
    data, out, at = text.encode(), bytearray(), 0
    while at < len(data):
        if data[at] != 92:
            out.append(data[at])
            at += 1
        elif data[at + 1 : at + 2] == b"x":
            out.append(int(data[at + 2 : at + 4], 16))
            at += 4
        else:
            out.append(names[chr(data[at + 1])])
            at += 2
    return out.decode()


class Log(Place):
    """A field of a line."""

    # What writes the field, and what it cannot have.
    escapes = None
    without = re.compile(r"\s|[\x00-\x20\x7f\x85]")
    pattern = None
    undo = None
    has_references = False
    target = False

    def __init__(self, name, left, right, pattern, options, **facts):
        super().__init__(name, **facts)
        self.sides = ((left, right),)
        self.pattern = re.compile(pattern)
        self.options = options

    def escape(self, url, choose):
        if self.without and self.without.search(url):
            return None
        return self.escapes(url) if self.escapes else url

    def read(self, text):
        found = self.pattern.search(text.rstrip("\r\n"))[1]
        return [self.undo(found) if self.undo else found]


class Target(Log):
    """The target of a request, in origin form."""

    has_references = True
    # Spaces are the request line's, too.
    without = re.compile(r" HTTP/|  ")

    def escape(self, url, choose):
        return super().escape(url, choose) if url.startswith("/") and not url.endswith(" ") else None

    def rows(self, case, first_line):
        for row in super().rows(case, first_line):
            is_valid = re.fullmatch(TARGET, row.uri.decode()) is not None
            yield type(row)(row.line, row.column, row.uri, is_valid)


class Wrapped(Log):
    """A field of a line that is a string of JSON in another line."""

    undo = staticmethod(unescaped)
    reader = "json"

    def planted(self, url, choose):
        (left, right), written = self.sides[0], self.escape(url, choose)
        return None if written is None else [left, Link(json.dumps(written)[1:-1], url), right]

    def read(self, text):
        return [self.undo(self.pattern.search(json.loads(text)["log"])[1])]


class Warc(Log):
    """The header of a record of a WARC file, which may be folded."""

    reader = "email"
    line_ends = ("\r\n",)
    may_end_open = False
    sides = (
        ("WARC-Target-URI: ", ""),
        ("warc-target-uri:", ""),
        ("WARC-Target-URI: <", ">"),
        ("WARC-Target-URI:\t", " "),
    )

    def __init__(self, name, **facts):
        Place.__init__(self, name, **facts)

    def parts(self, url, choose):
        planted = self.planted(url, choose)
        if planted is None or re.search("[<>]", url):
            return None
        fields = ["WARC-Type: resource", "Content-Type: text/plain", "X-Folded: a\r\n http://no.example/"]
        fields = choose.sample(fields, choose.randint(1, 3))
        return [
            "WARC/1.0\r\n",
            *(field + "\r\n" for field in fields),
            *planted,
            "\r\nContent-Length: 4\r\n\r\nabcd\r\n",
        ]

    def read(self, text):
        fields = email.message_from_string(
            text.partition("\n")[2].partition("\r\n\r\n")[0].replace("\r\n", "\n")
        )
        return [fields["WARC-Target-URI"].strip().strip("<>")]


class Wacz(Warc):
    """The header of a record in a web archive that is in a WACZ file, between others without records of URIs."""

    suffix = ".wacz"

    def packed(self, document):
        file, none = io.BytesIO(), "http://no.example/"
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wacz:
            wacz.writestr("datapackage.json", json.dumps({"profile": "data-package", "mainPageUrl": none}))
            wacz.writestr("archive/data.warc.gz", gzip.compress(document), zipfile.ZIP_STORED)
            wacz.writestr("pages/pages.jsonl", json.dumps({"url": none}))
        return file.getvalue()


HEAD = '192.0.2.1 - frank [10/Oct/2026:13:55:36 -0700] "'
REFERER = HEAD + 'GET /a HTTP/1.1" 200 2326 "'
ENVOY = '" 204 - 154 0 226 100 "192.0.2.28" "nsq2http" "cc21d9b0" "a.example" "tcp://198.51.100.1:80"'
SQUID = "1066037222.011  34173 192.0.2.71 TCP_MISS/200 559 GET "
ESCAPED = {"undo": unescaped, "without": None}
COMBINED = "--from", "combined"

CONTAINERS = [
    Log(
        "referer of Apache",
        REFERER,
        '" "Mozilla/5.0 (X11)"',
        r'" 200 2326 "((?:\\.|[^"\\])*)"',
        (*COMBINED, "--field", "referer"),
        escapes=apache,
        **ESCAPED,
    ),
    Log(
        "referer of nginx",
        REFERER,
        '" "-"',
        r'" 200 2326 "([^"]*)"',
        (*COMBINED, "--field", "referer"),
        escapes=nginx,
        **ESCAPED,
    ),
    Target(
        "target of Apache",
        HEAD + "GET ",
        ' HTTP/1.1" 200 - "-" "a"',
        r'"GET ((?:\\.|[^"\\])*) HTTP/1.1"',
        COMBINED,
        escapes=apache,
        undo=unescaped,
    ),
    Target(
        "target of nginx",
        HEAD + "GET ",
        ' HTTP/2.0" 404 1 "-" "a"',
        r'"GET ([^"]*) HTTP/2.0"',
        COMBINED,
        escapes=nginx,
        undo=unescaped,
    ),
    Target(
        "target, common log",
        'h - - [10/Oct/2026:13:55:36 -0700] "GET ',
        ' HTTP/1.0" 200 2',
        r'"GET ((?:\\.|[^"\\])*) HTTP/1.0"',
        ("--from", "common"),
        escapes=apache,
        undo=unescaped,
    ),
    Target(
        "target of HAProxy",
        'Feb  6 12:14:14 localhost haproxy[14389]: 192.0.2.2:33317 [06/Feb/2026:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 "GET ',
        ' HTTP/1.1"',
        r'"GET (.*) HTTP/1.1"',
        ("--from", "haproxy"),
        escapes=haproxy,
        undo=lambda text: re.sub(
            rb"#([0-9A-F]{2})", lambda found: bytes([int(found[1], 16)]), text.encode()
        ).decode(),
    ),
    Log("Squid", SQUID, " - DIRECT/192.0.2.101 text/plain", r"GET (\S+) -", ("--from", "squid")),
    Log(
        "Heritrix",
        "2011-06-23T17:12:08.802Z   200       1299 ",
        " LREP http://example.com/a?b text/plain #014 20110623171208574+225 sha1:AAAA - -",
        r"1299 (\S+) LREP",
        ("--from", "heritrix"),
    ),
    Log(
        "Heritrix, via",
        "2011-06-23T17:12:08.802Z   404          - http://example.com/ LREP ",
        " text/plain #014 20110623171208574+225 sha1:AAAA - -",
        r"LREP (\S+) text",
        ("--from", "heritrix", "--field", "via"),
        without=re.compile(r"\s|[\x00-\x20\x7f\x85]|^[^:]*[^A-Za-z:]"),
    ),
    Log(
        "W3C log, referer",
        "2026-01-01 00:00:00 GET /a - ",
        " 200",
        r"- (\S+) 200",
        ("--from", "w3c", "--field", "cs(Referer)"),
        head="#Fields: date time cs-method cs-uri-stem cs-uri-query cs(Referer) sc-status\n",
        without=re.compile(r'\s|[\x00-\x20\x7f\x85"]'),
    ),
    Log(
        "CDX",
        "com,example)/ 20260102030405 ",
        " text/html 200 AAAA - - 2258 334 a.warc.gz",
        r"0405 (\S+) text",
        ("--from", "cdx"),
        head=" CDX N b a m s k r M S V g\n",
    ),
    Target(
        "Envoy",
        '[2026-04-15T20:17:00.310Z] "GET ',
        " HTTP/2" + ENVOY,
        r'"GET (.*) HTTP/2"',
        ("--from", "envoy"),
        without=re.compile(r' HTTP/|[\x00-\x20\x7f\x85"\\]'),
    ),
    Log(
        "load balancer of AWS",
        'http 2026-07-02T22:23:00.186641Z app/a/1 192.0.2.131:2817 198.51.100.1:80 0.000 0.001 0.000 200 200 34 366 "GET ',
        ' HTTP/1.1" "curl/7.46.0" - - arn:aws:a "Root=1-58337262" "-" "-" 0 2026-07-02T22:22:48.364000Z "forward" "-" "-" "198.51.100.1:80" "200" "-" "-"',
        r'"GET (.*) HTTP/1.1"',
        ("--from", "elb"),
        without=re.compile(r'\s|[\x00-\x20\x7f\x85"\\]'),
    ),
    Warc("header of WARC", options=("--from", "warc")),
    Wacz("header of WARC in WACZ", options=("--from", "warc")),
    Log(
        "pairs",
        "random=RANDOM;all=1;depth=1;url=",
        "",
        r"url=(.*)$",
        ("--from", "pairs"),
        without=re.compile(r"[\x00-\x1f\x7f\x85]"),
    ),
    Log(
        "robots.txt",
        "Sitemap: ",
        "",
        r"Sitemap: (.*)$",
        ("--from", "robots"),
        without=re.compile(r"\s|#|[\x00-\x20\x7f\x85]"),
    ),
    Log("regular expression", "to=", " x", r"to=(\S+)", ("--regex", r"to=(?<uri>\S+)"), line_ends=("\n",)),
    Wrapped(
        "nginx in Docker, referer",
        '{"log":"' + json.dumps(REFERER)[1:-1],
        '\\" \\"-\\"\\n","stream":"stdout","time":"2026-11-23T01:02:03.123456789Z"}',
        r'" 200 2326 "([^"]*)"',
        ("--from", "docker", "--field", "referer"),
        escapes=nginx,
        without=None,
    ),
    Log(
        "nginx in CRI, referer",
        "2026-04-15T20:17:00.123456789Z stdout F " + REFERER,
        '" "-"',
        r'" 200 2326 "([^"]*)"',
        ("--from", "cri", "--field", "referer"),
        escapes=nginx,
        **ESCAPED,
    ),
    Log(
        "nginx in syslog, referer",
        "<190>Nov  3 01:02:04 web-1 nginx[71]: " + REFERER,
        '" "-"',
        r'" 200 2326 "([^"]*)"',
        ("--from", "syslog", "--field", "referer"),
        escapes=nginx,
        **ESCAPED,
    ),
]
