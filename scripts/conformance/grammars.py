"""The references: for each grammar of the command, the expected row of a record, and the patterns that define
the grammar.

The patterns of RFC 3986, 2396, 3987 and java.net.URI are the oracle's (reference/oracle.py). This module
builds the patterns of zone identifiers (RFC 6874) and request-target (RFC 9112) from the oracle's rules, in
the same style: one Python name for each ABNF rule, always used with fullmatch.
"""
import re
from dataclasses import dataclass
from typing import Callable

from records import is_utf8
from places import oracle

COMPONENTS = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
GENERIC_KEYS = (*COMPONENTS, "host_kind")
RFC2396_KEYS = (*GENERIC_KEYS, "scheme_specific_part", "opaque", "authority_kind")


@dataclass(frozen=True)
class Grammar:
    """A grammar of the command, and its reference."""

    label: str
    arguments: tuple
    # The keys of a row that the reference knows.
    keys: tuple
    # Returns the values of these keys for a record, with ranges as [start, end]; None if the record is
    # invalid.
    parse: Callable
    # Patterns whose union is the language.
    patterns: tuple
    # Whether the reference can judge this record.
    judges: Callable = lambda record: True


def _row(match, names):
    """Converts a row from the oracle's terms to the command's terms."""
    row = {ours: list(match[theirs]) if match[theirs] is not None else None for ours, theirs in names}
    row["host_kind"] = None if match["hostkind"] == "-" else match["hostkind"]
    return row


_GENERIC_NAMES = tuple((name, name) for name in COMPONENTS)
_RFC2396_NAMES = (*_GENERIC_NAMES, ("scheme_specific_part", "ssp"))


def _generic(name, reference, *patterns):
    def parse(record):
        match = oracle.parse(reference, record)
        return match and _row(match, _GENERIC_NAMES)

    return Grammar(name, ("--grammar", name), GENERIC_KEYS, parse, patterns)


def _rfc2396(name, reference, *patterns, judges=Grammar.judges):
    def parse(record):
        match = oracle.parse(reference, record)
        if match is None:
            return None
        row = _row(match, _RFC2396_NAMES)
        row["opaque"] = match["opaque"]
        row["authority_kind"] = None if match["authkind"] == "-" else match["authkind"]
        return row

    return Grammar(name, ("--grammar", name), RFC2396_KEYS, parse, patterns, judges)


# --- RFC 6874
# -------------------------------------------------------------------------------------------------------
# IP-literal = "[" ( IPv6address / IPv6addrz / IPvFuture  ) "]" IPv6addrz  = IPv6address "%25" ZoneID ZoneID
# = 1*( unreserved / pct-encoded )

_ZONE_ID = oracle.plus(oracle.alt(oracle.R3986.unreserved, oracle.R3986.pct_encoded))
_IPV6ADDRESS = oracle.cap("v6", oracle.R3986.IPv6address)
_IPV6ADDRESS_OR_ADDRZ = oracle.cap(
    "v6", oracle.seq(oracle.R3986.IPv6address, oracle.opt(oracle.seq(oracle.lit(b"%25"), _ZONE_ID))))


def _with_zone_ids(name, *patterns):
    zoned = tuple(pattern.replace(_IPV6ADDRESS, _IPV6ADDRESS_OR_ADDRZ) for pattern in patterns)
    assert all(pattern != plain for pattern, plain in zip(zoned, patterns)), "IPv6address not found in the pattern"
    compiled = [re.compile(pattern) for pattern in zoned]

    def parse(record):
        for pattern in compiled:
            if match := pattern.fullmatch(record):
                return _row(oracle._out3986(match), _GENERIC_NAMES)
        return None

    return Grammar(f"{name} --zone-ids", ("--grammar", name, "--zone-ids"), GENERIC_KEYS, parse, zoned)


# --- RFC 9112, section 3.2
# ------------------------------------------------------------------------------------------ request-target =
# origin-form / absolute-form / authority-form / asterisk-form origin-form    = absolute-path [ "?" query ]
# absolute-path = 1*( "/" segment )      (RFC 9110, section 4.1) absolute-form  = absolute-URI authority-form
# = uri-host ":" port, neither of which may be empty here asterisk-form  = "*" A record has the first matching
# form in the order origin-form, asterisk-form, authority-form, absolute-form.

_ORIGIN_FORM = oracle.seq(
    oracle.cap("p0", oracle.plus(oracle.seq(oracle.lit(b"/"), oracle.R3986.segment))),
    oracle.opt(oracle.seq(oracle.lit(b"?"), oracle.cap("query", oracle.R3986.query))))
_ASTERISK_FORM = oracle.lit(b"*")
_AUTHORITY_FORM = oracle.cap("authority", oracle.seq(
    oracle.seq(b"(?!:)", oracle.cap("host", oracle.R3986.host)),
    oracle.lit(b":"), oracle.cap("port", oracle.plus(oracle.DIGIT))))
_ABSOLUTE_FORM = oracle.R3986.absolute_URI


def _request_target():
    patterns = (_ORIGIN_FORM, _ASTERISK_FORM, _AUTHORITY_FORM, _ABSOLUTE_FORM)
    compiled = [re.compile(pattern) for pattern in patterns]

    def span(match, *groups):
        spans = [match.span(group) for group in groups if group in match.re.groupindex]
        return next((list(found) for found in spans if found != (-1, -1)), None)

    def parse(record):
        for pattern in compiled:
            if match := pattern.fullmatch(record):
                row = {name: span(match, name) for name in COMPONENTS}
                row["path"] = span(match, "p0", "p1", "p2", "p3")
                kinds = (("v6", "ipv6"), ("vf", "ipvfuture"), ("v4", "ipv4"), ("rn", "reg-name"))
                row["host_kind"] = next((kind for group, kind in kinds if span(match, group)), None)
                return row
        return None

    return Grammar("request-target", ("--grammar", "request-target"), GENERIC_KEYS, parse, patterns)


# --- java.net.URI beyond ASCII
# -------------------------------------------------------------------------------------- The oracle's model is
# for ASCII. Its patterns accept "other" characters wherever they accept escapes.

_JAVA_ESCAPE = b"%[0-9A-Fa-f][0-9A-Fa-f]"
# All of Unicode except ASCII, surrogates, controls (Cc) and spaces (Z).
_JAVA_OTHER = oracle.utf8_class([
    (0x00A1, 0x167F), (0x1681, 0x1FFF), (0x200B, 0x2027), (0x202A, 0x202E), (0x2030, 0x205E), (0x2060, 0x2FFF),
    (0x3001, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF)])


def _java_patterns():
    for pattern in (oracle.RJAVA.abs, oracle.RJAVA.rel):
        assert _JAVA_ESCAPE in pattern, "no escape found in the pattern"
        yield pattern.replace(_JAVA_ESCAPE, oracle.alt(_JAVA_ESCAPE, _JAVA_OTHER))


def _java_model_judges(record):
    """Whether the model can judge a record. It rejects all records that are not ASCII. For records that are
    not UTF-8 this is right: the class rejects them, too."""
    return record.isascii() or not is_utf8(record)


_A, _B, _C, _J = oracle.R3986, oracle.R2396, oracle.R3987, tuple(_java_patterns())

URI = _generic("uri", "rfc3986:URI", _A.URI)
URI_REFERENCE = _generic("uri-reference", "rfc3986:URI-reference", _A.URI, _A.relative_ref)
ABSOLUTE_URI = _generic("absolute-uri", "rfc3986:absolute-URI", _A.absolute_URI)
RELATIVE_REF = _generic("relative-ref", "rfc3986:relative-ref", _A.relative_ref)
RFC2396 = _rfc2396("rfc2396", "rfc2396:URI-reference", _B.abs_frag, _B.rel_frag, _B.none_frag)
JAVA = _rfc2396("java", "java:model", *_J, judges=_java_model_judges)
IRI = _generic("iri", "rfc3987:IRI", _C.URI)
IRI_REFERENCE = _generic("iri-reference", "rfc3987:IRI-reference", _C.URI, _C.relative_ref)
REQUEST_TARGET = _request_target()
ZONED = (
    _with_zone_ids("uri", _A.URI),
    _with_zone_ids("uri-reference", _A.URI, _A.relative_ref),
    _with_zone_ids("absolute-uri", _A.absolute_URI),
    _with_zone_ids("relative-ref", _A.relative_ref),
)

OF_ORACLE = (URI, URI_REFERENCE, ABSOLUTE_URI, RELATIVE_REF, RFC2396, JAVA, IRI, IRI_REFERENCE)
BY_LABEL = {grammar.label: grammar for grammar in (*OF_ORACLE, REQUEST_TARGET, *ZONED)}
