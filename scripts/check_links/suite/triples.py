"""N-Triples and N-Quads: IRIs in angle brackets, with escapes by number. rdflib reads them."""

import logging
import re

import rdflib
from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

from .cases import Link, Place, Row

# rdflib warns of each IRI that is none.
logging.getLogger("rdflib.term").setLevel(logging.ERROR)


class Sink:
    def __init__(self):
        self.terms = []

    def triple(self, *terms):
        self.terms += terms


class Triple(Place):
    """An IRI of a triple, or the datatype of a literal."""

    reader = "rdflib"
    options = "--from", "nt"
    grammar = "rfc3987:IRI"
    before = "", "  ", "# <http://no.example/>\n", "\t"
    after = " .", " . # <http://no.example/>", ".", "  .  "

    def parts(self, url, choose):
        # The other bytes end an IRI, or the line.
        def written(char):
            code = ord(char)
            must = code <= 0x20 or char in '<>"\\' or char.isspace()
            # rdflib takes an IRI by its colon.
            if must or char != ":" and choose.random() < share or code > 0x7E and choose.random() < 0.5:
                return (
                    f"\\u{code:04{case}}"
                    if code < 0x10000 and choose.random() < 0.8
                    else f"\\U{code:08{case}}"
                )
            return char

        share, case = choose.choice([0, 0, 0.1]), choose.choice("xX")
        link = Link("".join(map(written, url)), url)
        form = choose.choice(["s", "p", "o", "d", "spo", "so"])
        literal = choose.choice(['"a <http://no.example/> \\" b"', '"é\\n"', '"x"@en-GB', '""'])
        terms = ["<", link, "> "] if "s" in form else ["_:s "]
        terms += ["<", link, "> "] if "p" in form else ["<tag:p> "]
        terms += ["<", link, ">"] if "o" in form else ['"1"^^<', link, ">"] if form == "d" else [literal]
        return [choose.choice(self.before), *terms, choose.choice(self.after)]

    def read(self, text):
        sink = Sink()
        W3CNTriplesParser(sink).parsestring(text)
        found = []
        for term in sink.terms:
            if isinstance(term, rdflib.URIRef):
                found.append(str(term))
            elif isinstance(term, rdflib.Literal) and term.datatype and "@" not in term:
                found.append(str(term.datatype))
        return [value for value in found if value != "tag:p"]

    def rows(self, case, first_line):
        # The predicate of the suite is an IRI, too.
        yield from sorted(
            [*super().rows(case, first_line), *self.others(case, first_line)],
            key=lambda row: (row.line, row.column),
        )

    def others(self, case, first_line):
        data = case.text.encode()
        for found in re.finditer(rb"<tag:p>", data):
            start = found.start() + 1
            line = first_line + data.count(b"\n", 0, start)
            yield Row(line, start - data.rfind(b"\n", 0, start), b"tag:p", True)


CONTAINERS = [Triple("N-Triples")]
