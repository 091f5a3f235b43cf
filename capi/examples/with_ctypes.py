"""urivalidate from Python without an extension module: ctypes, and pyarrow for arrays. usage: with_ctypes.py
LIBRARY

LIBRARY is liburivalidate.so. (The Python package is simpler to use. This example shows what a binding in any
language needs.)
"""

import ctypes
import sys

import pyarrow as pa

URI, MISSING, BUFFER_TOO_SMALL = 0, 0xFFFFFFFF, 3
PARTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "scheme_specific_part"]


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("capacity", ctypes.c_size_t), ("length", ctypes.c_size_t)]


class Arrow(ctypes.Structure):
    """uriv_arrow_in and uriv_arrow_out."""

    _fields_ = [("schema", ctypes.c_void_p), ("array", ctypes.c_void_p)]


class Span(ctypes.Structure):
    _fields_ = [("start", ctypes.c_uint32), ("end", ctypes.c_uint32)]


class Components(ctypes.Structure):
    _fields_ = [
        *((part, Span) for part in PARTS),
        ("host_kind", ctypes.c_uint32),
        ("authority_kind", ctypes.c_uint32),
        ("address", ctypes.c_uint8 * 16),
        ("address_length", ctypes.c_uint8),
        ("is_opaque", ctypes.c_bool),
        ("reserved", ctypes.c_uint8 * 2),
    ]


class Error(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("part", ctypes.c_uint32), ("offset", ctypes.c_uint32)]


library = ctypes.CDLL(sys.argv[1])
library.uriv_status_message.restype = ctypes.c_char_p
library.uriv_status_message.argtypes = [ctypes.c_uint32]
library.uriv_is_valid.restype = ctypes.c_bool
library.uriv_is_valid.argtypes = [ctypes.c_void_p, Bytes]


def check(status):
    if status != 0:
        raise ValueError(library.uriv_status_message(status).decode())


validator = ctypes.c_void_p()
check(library.uriv_validator_get(URI, 0, ctypes.byref(validator)))


def text_of(function, *arguments):
    """The text that a function writes. The first call asks for the length of the text."""
    text = Text()
    status = function(*arguments, ctypes.byref(text))
    if status != BUFFER_TOO_SMALL:
        check(status)
    memory = ctypes.create_string_buffer(text.length + 1)
    text.data, text.capacity = ctypes.addressof(memory), len(memory)
    check(function(*arguments, ctypes.byref(text)))
    return memory.raw[: text.length].decode()


def parse(text):
    components, error = Components(), Error()
    data = text.encode()
    record = Bytes(data, len(data))
    if library.uriv_parse(validator, record, ctypes.byref(components), ctypes.byref(error)) != 0:
        raise ValueError(f"{text_of(library.uriv_error_message, validator, record)} (at byte {error.offset})")
    spans = ((part, getattr(components, part)) for part in PARTS)
    return {part: data[span.start : span.end].decode() for part, span in spans if span.start != MISSING}


def domains(array):
    """The registered domains of an array of URIs. Arrow's structures pass the arrays in both directions
    without a copy."""
    # The sizes of ArrowSchema and ArrowArray in Arrow's C data interface.
    memory = [ctypes.create_string_buffer(size) for size in (72, 80, 72, 80)]
    schema, data, out_schema, out_data = map(ctypes.addressof, memory)
    array._export_to_c(data, schema)
    status = library.uriv_arrow_uri_domain(validator, ctypes.c_bool(False), Arrow(schema, data), Arrow(out_schema, out_data), None)
    # The function has taken over the array. The schema is still ours, and this releases it.
    pa.DataType._import_from_c(schema)
    check(status)
    return pa.Array._import_from_c(out_data, out_schema)


print(library.uriv_is_valid(validator, Bytes(b"http://example.com/", 19)))
print(parse("http://user@example.com:8080/a?b"))
try:
    parse("http://example.com/a b")
except ValueError as error:
    print(error)
print(domains(pa.array(["http://www.example.co.uk/", "no uri", None])))

assert parse("mailto:a@b") == {"scheme": "mailto", "path": "a@b", "scheme_specific_part": "a@b"}
assert domains(pa.array(["http://www.example.co.uk/", "no uri", None])).to_pylist() == ["example.co.uk", None, None]
