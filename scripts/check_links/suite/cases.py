"""Containers, their cases, and the rows that the command must write for them.

A container is a kind of place that holds a URI, such as an attribute in double quotes. It escapes a URI,
plants it between neighbours, and has a reader that is not ours and finds the URI again.
"""

import dataclasses
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "conformance" / "reference"))

import oracle  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Link:
    """A URI as it stands in a case."""

    written: str
    # What the reader must find here, and what the command must report.
    value: str
    # The bytes before the URI that are no part of it, such as white space in an attribute.
    lead: str = ""
    # False where the reader finds no link, and the command reports a broken one on purpose.
    is_seen: bool = True
    # What follows the URI and breaks the link, whatever the grammar says about the URI. The command may then
    # name any place from the start of the URI to the end of this. None if nothing breaks it.
    breaker: str | None = None


@dataclasses.dataclass
class Case:
    """A piece of a document, of whole lines."""

    url: str
    text: str
    links: list  # of (byte in the text, Link)

    @classmethod
    def of(cls, url, parts):
        text, links = "", []
        for part in parts:
            if isinstance(part, Link):
                links.append((len((text + part.lead).encode()), part))
                part = part.lead + part.written
            text += part
        return cls(url, text, links)


@dataclasses.dataclass(frozen=True)
class Row:
    """What the command says of a URI. The line and the column are 0 where it cannot name a place of the
    document.
    """

    line: int
    column: int
    uri: bytes | None
    is_valid: bool
    is_malformed: bool = False

    def is_said_by(self, row):
        """Whether a row of the command says this."""
        return row == self


@dataclasses.dataclass(frozen=True)
class Broken(Row):
    """What the command must say of a link that its container breaks: at some place of it, that it is broken."""

    end: tuple = (0, 0)

    def is_said_by(self, row):
        return not row.is_valid and (self.line, self.column) <= (row.line, row.column) < self.end


class Container:
    """A kind of place that holds URIs."""

    name = ""
    # Who finds the URIs again: a package of Python, or "by hand" for a few lines of our own.
    reader = "by hand"
    # How the command reads the document.
    options = ()
    grammar = "rfc3986:URI"
    # Whether the command must detect the format without `--from`: by the content, or by the end of the name,
    # if there is one.
    is_detected = True
    suffix = ""
    # Text before and after the cases of a document.
    head = tail = ""
    # Whether the command names the place of each URI in the document.
    has_places = True
    line_ends = "\n", "\r\n"
    # Whether the container also gets relative references, and URLs that no text shows, such as those with
    # control characters.
    has_references = False
    # Whether the reader decides where a URI ends. Otherwise a reader that finds something else shows a fault
    # of the suite.
    reader_decides = False
    # Whether the last line of a document may lack its line end.
    may_end_open = True
    # The largest number of cases of a document.
    batch = 500

    def parts(self, url, choose):
        """The text of a case, in which links are planted; None if the container cannot hold the URL. `choose`
        is a random.Random.
        """
        raise NotImplementedError

    def read(self, text):
        """The URIs in the text of a case, as the reader finds them."""
        raise NotImplementedError

    def packed(self, document):
        """The file that holds a document."""
        return document

    def cases(self, urls, seed):
        """A case for each URL that the container can hold."""
        for url in urls:
            # Each case has its own source, so that other containers and URLs do not change it.
            choose = random.Random(f"{seed} {self.name} {url}")
            parts = self.parts(url, choose)
            if parts is not None:
                case = Case.of(url, [*parts, choose.choice(self.line_ends)])
                if self.agrees(case):
                    yield case

    def agrees(self, case):
        """Compares a case with the reader. Returns False for a case that the reader reads in its own way,
        where it may.
        """
        seen = [link.value for _, link in case.links if link.is_seen]
        values = self.read(case.text)
        if values == seen:
            return True
        if not self.reader_decides:
            raise AssertionError(f"{self.name}: the reader finds {values}, not {seen}, in {case.text!r}")
        if len(values) != len(seen) or len(seen) != len(case.links):
            return False
        case.links = [
            (start, dataclasses.replace(link, value=value))
            for (start, link), value in zip(case.links, values, strict=True)
        ]
        return True

    def rows(self, case, first_line):
        """The rows that the command must write for a case that starts at a line."""
        data = case.text.encode()

        def place(at):
            if not self.has_places:
                return 0, 0
            return first_line + data.count(b"\n", 0, at), at - data.rfind(b"\n", 0, at)

        for start, link in case.links:
            value = link.value.encode()
            if link.breaker is None:
                yield Row(*place(start), value, oracle.parse(self.grammar, value) is not None)
            else:
                end = start + len((link.written + link.breaker).encode())
                yield Broken(*place(start), None, False, end=place(end))


class Place(Container):
    """A container made of data: the text at both sides of a URI, and the neighbours of these."""

    # Pairs of texts, one of which is around a URI.
    sides = (("", ""),)
    # Texts before and after these.
    before = ("",)
    after = ("",)
    # Text between two of them on a line. Without it, a case has one.
    between = ()

    def __init__(self, name, **facts):
        self.name = name
        for fact, value in facts.items():
            assert hasattr(self, fact), fact
            setattr(self, fact, value)

    def escape(self, url, choose):
        """The URL as this container writes it, or None if it cannot."""
        return url

    def link(self, url, choose):
        written = self.escape(url, choose)
        return None if written is None else Link(written, url)

    def planted(self, url, choose):
        link = self.link(url, choose)
        if link is None:
            return None
        left, right = choose.choice(self.sides)
        return [left, link, right]

    def parts(self, url, choose):
        first = self.planted(url, choose)
        if first is None:
            return None
        parts = [choose.choice(self.before), *first]
        if self.between and choose.random() < 0.3 and (second := self.planted(url, choose)):
            parts += [choose.choice(self.between), *second]
        return [*parts, choose.choice(self.after)]
