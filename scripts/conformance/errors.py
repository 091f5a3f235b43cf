"""Computes the expected error of an invalid record: its offset, and its kind and component if the rules leave
no choice.

The rules are those of the command's documentation: an offset is the length of the longest viable prefix. The
offset of `invalid-port` is that of the port's first non-digit (under java also that of the digit that makes
the port larger than 2^31-1).
"""
import re
from dataclasses import dataclass

import grammars
import prefixes

_SCHEME = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]*")
_UNFINISHED_ESCAPE = re.compile(rb"%[0-9A-Fa-f]?\Z")
_UNFINISHED_CHARACTER = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")
_MAX_JAVA_PORT = 2**31 - 1

_NEEDS_SCHEME = {"uri", "absolute-uri", "iri"}
_NO_FRAGMENT = {"absolute-uri", "request-target"}
_IRI = {"iri", "iri-reference"}
_RFC2396 = {"rfc2396", "java"}


@dataclass(frozen=True)
class Parts:
    """The parts of a valid or invalid record by RFC 3986 appendix B. The ends are exclusive."""

    scheme_end: int | None
    # RFC 2396's opaque_part replaces the path and the query.
    opaque: bool
    # (start, end) or None.
    authority: tuple | None
    path_start: int
    query: int
    fragment: int


def _cut(grammar, record):
    fragment = record.find(b"#")
    fragment = len(record) if fragment < 0 else fragment
    query = record.find(b"?", 0, fragment)
    query = fragment if query < 0 else query
    slash = record.find(b"/", 0, query)
    colon = record.find(b":", 0, query if slash < 0 else slash)
    has_scheme = grammar != "relative-ref" and colon >= 0 and _SCHEME.fullmatch(record, 0, colon)
    scheme_end = colon if has_scheme else None
    start = 0 if scheme_end is None else scheme_end + 1
    opaque = grammar in _RFC2396 and bool(has_scheme) and not record.startswith(b"/", start)
    if opaque:
        query = fragment
    # A request-target without a scheme is not a relative reference.
    has_authority = record.startswith(b"//", start, query) and (grammar != "request-target" or has_scheme)
    if not has_authority:
        return Parts(scheme_end, opaque, None, start, query, fragment)
    end = record.find(b"/", start + 2, query)
    end = query if end < 0 else end
    return Parts(scheme_end, opaque, (start + 2, end), end, query, fragment)


def _port_error(grammar, record, parts):
    """The offset of the first byte that cannot be in the port. None if the port is valid or absent."""
    if parts.authority is None:
        return None
    start, end = parts.authority
    start = max(start, record.find(b"@", start, end) + 1)
    if record.startswith(b"[", start):
        host_end = record.find(b"]", start, end) + 1
        if host_end == 0 or not record.startswith(b":", host_end, end):
            return None
    elif grammar in _RFC2396:
        # Any other authority with an invalid port is a registry's name.
        return None
    else:
        host_end = record.find(b":", start, end)
        if host_end < 0:
            return None
    value = 0
    for index in range(host_end + 1, end):
        if record[index] not in b"0123456789":
            return index
        value = value * 10 + record[index] - ord("0")
        if grammar == "java" and value > _MAX_JAVA_PORT:
            return index
    return None


def _kind_of_character(grammar, record, offset):
    """The kind that follows from the text at the offset alone."""
    if _UNFINISHED_ESCAPE.search(record, 0, offset):
        return "invalid-percent-encoding"
    if grammar in _IRI or grammar == "java":
        unfinished = _UNFINISHED_CHARACTER.search(record, max(0, offset - 3), offset)
        start = unfinished.start() if unfinished else offset
        if start < len(record) and record[start] >= 0x80:
            whole = any(_is_character(record[start:start + length]) for length in (2, 3, 4))
            if not whole:
                return "invalid-utf8"
            return "non-ascii" if grammar == "java" else "invalid-character"
    if offset == len(record):
        return None
    byte = record[offset]
    if byte == 0x20:
        return "space"
    if byte < 0x20 or byte == 0x7F:
        return "control-character"
    if byte >= 0x80:
        return "non-ascii"
    if byte in b"[]":
        return "bracket-outside-host"
    return "invalid-character"


def _is_character(sequence):
    try:
        return len(sequence.decode("utf-8")) == 1
    except UnicodeDecodeError:
        return False


def _kind(grammar, record, parts, offset):
    """The kind of an error at `offset`, and its component. None for what the rules leave open."""
    if not record:
        return "empty", None
    if parts.scheme_end is None and grammar != "relative-ref" and not record.startswith(b"/"):
        if b":" in re.match(rb"[^/?#]*", record).group():
            return "invalid-scheme", "scheme"
    if parts.scheme_end is None and grammar in _NEEDS_SCHEME:
        return "missing-scheme", "scheme"
    if parts.opaque and offset == parts.scheme_end + 1 == parts.fragment:
        return "empty-scheme-specific-part", None
    character = _kind_of_character(grammar, record, offset)
    byte = record[offset:offset + 1]
    if offset > parts.fragment:
        return ("second-fragment" if byte == b"#" and character == "invalid-character" else character), "fragment"
    if offset == parts.fragment and byte == b"#" and grammar in _NO_FRAGMENT and character == "invalid-character":
        in_authority = parts.authority is not None and offset == parts.authority[1]
        return (None, None) if in_authority else (character, "fragment")
    if offset > parts.query:
        return character, "query"
    if parts.authority is not None and offset <= parts.authority[1]:
        return _kind_in_authority(grammar, record, parts.authority, offset, character), None
    if offset == parts.query:
        # The path ends too early: in an escape, or at the start.
        return (character if character == "invalid-percent-encoding" else None), None
    if byte == b":" and character == "invalid-character":
        return "colon-in-first-segment", "path"
    return character, None if parts.opaque else "path"


def _kind_in_authority(grammar, record, authority, offset, character):
    start, end = authority
    if grammar == "java" and offset == start == len(record):
        return "invalid-authority"
    host = max(start, record.find(b"@", start, end) + 1)
    if record.startswith(b"[", host) and offset > host:
        if b"@" in record[host:end]:
            return None
        close = record.find(b"]", host, end)
        if close < 0 or offset <= close:
            return "invalid-ip-literal"
        if offset == close + 1 < end and record[offset] != ord(":"):
            return "invalid-authority"
        return None
    byte = record[offset:offset + 1]
    if byte == b"@" and character == "invalid-character":
        return "invalid-authority" if record.count(b"@", start, offset) == 1 else None
    # In the userinfo, and in a host before any bracket and any port, only the character matters.
    in_userinfo = b"@" in record[offset:end]
    before = record[start if in_userinfo else host:offset]
    if b"[" in before or (b":" in before and not in_userinfo):
        return None
    if character == "invalid-character" and byte in (b":", b"/", b"?", b"#"):
        return None
    return character


def _form_is_clear(grammar, record, parts):
    """Whether the form of an invalid record is clear. For request targets, only origin-form is, and
    absolute-form that is not also authority-form."""
    if grammar != "request-target" or not record or record.startswith(b"/"):
        return True
    return parts.scheme_end is not None and record.startswith(b"/", parts.scheme_end + 1)


def check(grammar, record, error):
    """A description of the fault in the error that the command reports for an invalid record, or None."""
    name = grammar.arguments[1]
    viable = prefixes.longest_viable(grammar.patterns, record)
    parts = _cut(name, record)
    port = _port_error(name, record, parts)
    if error["kind"] == "invalid-port" and error["offset"] == port:
        return None if error["component"] == "port" else "component port"
    if port is not None and port <= viable:
        return f"invalid-port at offset {port}"
    if error["offset"] != viable:
        return f"offset {viable}"
    kind, component = _kind(name, record, parts, viable) if _form_is_clear(name, record, parts) else (None, None)
    if kind is not None and error["kind"] != kind:
        return f"{kind} at offset {viable}"
    if component is not None and error["component"] != component:
        return f"component {component} at offset {viable}"
    return None
