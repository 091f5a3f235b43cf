"""urivalidate from Python without an extension module: ctypes, and pyarrow for arrays. usage: with_ctypes.py LIBRARY

LIBRARY is liburivalidate.so. (The Python package is simpler to use. This example shows what a binding in any language needs.)
"""

import ctypes
import sys

import pyarrow as pa

URI, MISSING, BUFFER_TOO_SMALL = 0, 0xFFFFFFFF, 3
PARTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "scheme_specific_part"]


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
library.uriv_is_valid.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]


def check(status):
    if status != 0:
        raise ValueError(library.uriv_status_message(status).decode())


validator = ctypes.c_void_p()
check(library.uriv_validator_get(URI, 0, ctypes.byref(validator)))


def text_of(function, *arguments):
    """The text that a function writes. The first call asks for the length of the text."""
    length = ctypes.c_size_t()
    status = function(*arguments, None, ctypes.c_size_t(0), ctypes.byref(length))
    if status != BUFFER_TOO_SMALL:
        check(status)
    buffer = ctypes.create_string_buffer(length.value + 1)
    check(function(*arguments, buffer, ctypes.c_size_t(len(buffer)), None))
    return buffer.raw[: length.value].decode()


def parse(record):
    components, error = Components(), Error()
    record = record.encode()
    arguments = (validator, record, ctypes.c_size_t(len(record)))
    if library.uriv_parse(*arguments, ctypes.byref(components), ctypes.byref(error)) != 0:
        raise ValueError(f"{text_of(library.uriv_error_message, *arguments)} (at byte {error.offset})")
    spans = ((part, getattr(components, part)) for part in PARTS)
    return {part: record[span.start : span.end].decode() for part, span in spans if span.start != MISSING}


def domains(array):
    """The registered domains of an array of URIs. Arrow's structures pass the arrays in both directions without a copy."""
    # The sizes of ArrowSchema and ArrowArray in Arrow's C data interface.
    schema, data, out_schema, out_data = (ctypes.create_string_buffer(size) for size in (72, 80, 72, 80))
    array._export_to_c(ctypes.addressof(data), ctypes.addressof(schema))
    status = library.uriv_arrow_uri_domain(validator, ctypes.c_bool(False), schema, data, out_schema, out_data, None)
    # The function has taken over the array. The schema is still ours, and this releases it.
    pa.DataType._import_from_c(ctypes.addressof(schema))
    check(status)
    return pa.Array._import_from_c(ctypes.addressof(out_data), ctypes.addressof(out_schema))


print(library.uriv_is_valid(validator, b"http://example.com/", 19))
print(parse("http://user@example.com:8080/a?b"))
try:
    parse("http://example.com/a b")
except ValueError as error:
    print(error)
print(domains(pa.array(["http://www.example.co.uk/", "no uri", None])))

assert parse("mailto:a@b") == {"scheme": "mailto", "path": "a@b", "scheme_specific_part": "a@b"}
assert domains(pa.array(["http://www.example.co.uk/", "no uri", None])).to_pylist() == ["example.co.uk", None, None]
