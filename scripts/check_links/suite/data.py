"""JSON and tables. Python's json and csv read them."""

import csv
import io
import json
import re

from .cases import Link, Place
from .texts import json_string, string_values


class Json(Place):
    """A string of JSON Lines or of a document."""

    reader = "json"
    has_references = True
    # Without a grammar, most of the values decide.
    options = "--from", "jsonl", "--grammar", "uri"
    sides = (
        ('{"url":"', '"}'),
        ('{"id": 1, "url": "', '", "title": "http://no.example/"}'),
        ('{"a":{"x":"http://no.example/"},"b":["http://no.example/"],"url" : "', '" }'),
        ('{"\\u0075rl":"', '","c":null}'),
        ('{"m":"\\"url\\":\\"http://no.example/\\"","url":"', '"}'),
    )

    def escape(self, url, choose):
        written = json_string(url, choose)
        if choose.random() < 0.1:
            written = (
                f"\\u{ord(url[0]):04X}"
                + written[2 if written.startswith("\\/") else 6 if written.startswith("\\u") else 1 :]
            )
        return written

    def read(self, text):
        return [json.loads(text)["url"]]


class Documents(Json):
    """Strings of JSON documents: the values of `url` and `uri` at any depth."""

    options = "--from", "json", "--grammar", "uri"
    sides = (
        *Json.sides[:3],
        ('{"a":[{"b":{"uri":"', '"}}]}'),
        ('{\n  "items": [\n    {\n      "url": "', '"\n    }\n  ]\n}'),
        ('{"a":[[{"url":"', '","x":[]}]]}'),
        ('[{"x":1},{"url":"', '"}]'),
    )
    between = "", " ", "\n"

    def read(self, text):
        found, at, decoder = [], 0, json.JSONDecoder()

        def walk(value):
            for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                if key in ("url", "uri") and isinstance(item, str):
                    found.append(item)
                elif isinstance(item, dict | list):
                    walk(item)

        while at < len(text):
            at = re.compile(r"\s*").match(text, at).end()
            if at < len(text):
                value, at = decoder.raw_decode(text, at)
                walk(value)
        return found


class Har(Json):
    """Requests of an HTTP Archive."""

    options = "--from", "har", "--grammar", "uri"
    head = '{"log":{"version":"1.2","entries":[\n'
    tail = "{}]}}\n"
    sides = (
        ('{"request":{"method":"GET","url":"', '","headers":[]}},'),
        ('{"time":1,\n"request":{"url": "', '"},"response":{"redirectURL":"http://no.example/"}},'),
    )

    def read(self, text):
        return [entry["request"]["url"] for entry in json.loads("[" + text + "{}]")[:-1]]


class Strings(Json):
    """Strings of an array without keys."""

    options = "--from", "json", "--grammar", "uri"
    head = "[\n"
    tail = "null]\n"
    sides = (('"', '",'),)
    between = "", " ", "\n"

    def read(self, text):
        return list(string_values(json.loads("[" + text + "0]")))


class Nested(Json):
    """A string of JSON that is the value of a wrapper's string."""

    options = "--from", "docker", "--key", "url", "--grammar", "uri"
    sides = (('{"log":"', '\\n","stream":"stdout","time":"2026-11-23T01:02:03.123456789Z"}'),)
    inner_sides = (('{"url":"', '"}'), ('{"id": 1, "url": "', '", "title": "é"}'))

    def planted(self, url, choose):
        (left, right), (inner_left, inner_right) = choose.choice(self.sides), choose.choice(self.inner_sides)
        inner = self.escape(url, choose)
        return [
            left + json.dumps(inner_left)[1:-1],
            Link(json.dumps(inner)[1:-1], url),
            json.dumps(inner_right)[1:-1] + right,
        ]

    def read(self, text):
        return [json.loads(json.loads(text)["log"])["url"]]


class Table(Place):
    """A cell of a table."""

    reader = "csv"
    has_references = True
    options = "--from", "csv"
    separator = ","
    head = "id,url,title\n"
    is_always_quoted = False
    may_have_lines = True

    def cell(self, text, choose):
        """The text as a cell: in quotes where it needs them, or where a writer likes them."""
        # docs/formats.md: a row of tsv is a line. A tab in quotes makes it malformed.
        if not self.may_have_lines and re.search("[\r\n\t]", text):
            return None
        needs = re.search(f'[{re.escape(self.separator)}\r\n]|^"', text)
        if needs or '"' in text and choose.random() < 0.7 or choose.random() < 0.3:
            return '"' + text.replace('"', '""') + '"'
        return text

    def parts(self, url, choose):
        written = self.cell(url, choose)
        if written is None:
            return None
        others = ["1", "a b", "", "é", "2026-01-01"]
        if self.may_have_lines:
            others += ['"a' + self.separator + ' ""b"""', '"two\nlines"', '"x\r\n\r\ny"']
        lead = '"' if written.startswith('"') else ""
        return [
            choose.choice(others) + self.separator + lead,
            Link(written[len(lead) :], url),
            self.separator + choose.choice(others),
        ]

    def read(self, text):
        return [row[1] for row in csv.reader(io.StringIO(text, newline=""), delimiter=self.separator) if row]


CONTAINERS = [
    Json("JSON Lines"),
    Documents("JSON documents"),
    Har("HTTP Archive"),
    Strings("JSON array of strings"),
    Nested("JSON in JSON"),
    Table("csv"),
    Table("csv by number", options=("--from", "csv", "--field", "2", "--header", "no"), head=""),
    Table("tsv", options=("--from", "tsv"), separator="\t", head="id\turl\ttitle\n", may_have_lines=False),
    Table(
        "delimited by ;",
        options=("--delimiter", ";", "--field", "2", "--header", "no"),
        separator=";",
        head="",
    ),
    Table(
        "delimited by |", options=("--delimiter", "|", "--field", "url"), separator="|", head="id|url|title\n"
    ),
    Table("table with a preamble", head="Pages and screens,,\nStart date: 2026-01-01,,\n\nid,url,title\n"),
    Table("table with comments", head="# Report\n# 2026-01-01, all pages\nid,url,title\n"),
]
