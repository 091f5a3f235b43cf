"""Generates files of records: those of reference/gen.py, and variations for the grammars that it does not
cover."""
import io
from dataclasses import dataclass, replace

import records
from places import gen


@dataclass(frozen=True)
class Batch:
    """A generated file. Its bytes are always the same."""

    profile: str
    seed: int
    lines: int
    eol: str = "lf"
    final_newline: bool = True
    bom: bool = False

    @property
    def name(self):
        return f"{self.profile}-{self.seed}.txt"

    def data(self):
        out = io.BytesIO()
        if self.bom:
            out.write(records.BOM)
        make = _OWN_PROFILES.get(self.profile)
        generator = make(self.seed) if make else gen.Gen(self.seed, profile=self.profile)
        gen.write(out, generator, self.lines, self.eol, self.final_newline)
        return out.getvalue()


class _RequestTargets(gen.Gen):
    """Every form of RFC 9112 section 3.2, and text that is nearly one of the forms."""

    def _line(self):
        line = self._target()
        return self.mutate(line) if self.p(0.4) else line

    def _target(self):
        choice = self.r.random()
        if choice < 0.35:
            query = b"?" + self.q() if self.p(0.4) else b""
            return b"/" + self.seg() + self.path() + query
        if choice < 0.60:
            return self.host() + b":" + self.ch([b"", b"0", b"80", b"443", b"65536", b"8a", b"99999999999"])
        if choice < 0.75:
            return self.uri(ref=False)
        if choice < 0.85:
            return self.scheme() + b":" + self.ch([b"80", b"", b"8/", b"8?", b"8?a", b"80/b", b"8%30", b"a", b"8#"])
        if choice < 0.90:
            return self.ch([b"*", b"**", b"*/", b"*?", b"/*", b"*:1", b":1", b"", b"//", b"//h/x", b"/?", b"?", b"@:1"])
        return self.uri()


class _ZoneIdentifiers(gen.Gen):
    """RFC 6874 literals as hosts, and text that is nearly a literal."""

    def ipv6(self):
        address = self.ch([b"fe80::1", b"::", b"::ffff:1.2.3.4", b"1:2:3:4:5:6:7:8", super().ipv6()])
        sign = self.ch([b"%25"] * 8 + [b"%", b"%2", b"%26", b""])
        return address + sign + self.run(b"%!:[", self.n(0, 9))

    def host(self):
        return b"[" + self.ipv6() + b"]" if self.p(0.8) else super().host()

    def _line(self):
        line = self.scheme() + b":" if self.p(0.6) else b""
        line += b"//" + self.authority() + self.path()
        line += b"?" + self.q() if self.p(0.2) else b""
        line += b"#" + self.q() if self.p(0.2) else b""
        return self.mutate(line) if self.p(0.3) else line


_OWN_PROFILES = {"request-target": _RequestTargets, "zone-id": _ZoneIdentifiers}

_FOR_THE_ORACLE = (
    Batch("mixed", 101, 40_000),
    Batch("mixed", 102, 40_000, eol="mixed"),
    Batch("mixed", 103, 40_000, eol="crlf", final_newline=False),
    Batch("mixed", 104, 20_000, eol="mixed", final_newline=False, bom=True),
    Batch("ascii", 201, 40_000, eol="mixed"),
    Batch("ascii", 202, 40_000),
    Batch("ipv6", 301, 25_000),
    Batch("ipv6", 302, 25_000, eol="crlf"),
    Batch("boundary", 401, 25_000),
    Batch("boundary", 402, 25_000, eol="mixed", final_newline=False),
    Batch("valid", 501, 25_000),
    Batch("long", 601, 400, eol="mixed"),
    Batch("long", 602, 400),
)
_FOR_REQUEST_TARGETS = (Batch("request-target", 701, 40_000), Batch("request-target", 702, 40_000, eol="mixed"))
_FOR_ZONE_IDENTIFIERS = (Batch("zone-id", 801, 40_000), Batch("zone-id", 802, 40_000, eol="crlf"))

_QUICK_DIVISOR = 20


def _chosen(batches, quick, seed):
    """The batches with other records for each seed, and fewer of them for a quick run."""
    divisor = _QUICK_DIVISOR if quick else 1
    return tuple(replace(batch, seed=batch.seed + 1000 * seed, lines=batch.lines // divisor) for batch in batches)


def for_the_oracle(quick, seed):
    return _chosen(_FOR_THE_ORACLE, quick, seed)


def for_request_targets(quick, seed):
    return _chosen(_FOR_REQUEST_TARGETS + _FOR_THE_ORACLE[:1], quick, seed)


def for_zone_identifiers(quick, seed):
    return _chosen(_FOR_ZONE_IDENTIFIERS + _FOR_THE_ORACLE[:1], quick, seed)
