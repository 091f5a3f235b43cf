"""Loads the library with ctypes, for the tests in Python."""

import ctypes
import os

import pyarrow as pa

OK, INVALID, NONE, BUFFER_TOO_SMALL = range(4)
JAVA = 5

library = ctypes.CDLL(os.environ["URIVALIDATE_LIBRARY"])
library.uriv_status_message.restype = ctypes.c_char_p
library.uriv_is_valid.restype = ctypes.c_bool


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("capacity", ctypes.c_size_t), ("length", ctypes.c_size_t)]


class Arrow(ctypes.Structure):
    """uriv_arrow_in and uriv_arrow_out."""

    _fields_ = [("schema", ctypes.c_void_p), ("array", ctypes.c_void_p)]


class Fields(ctypes.Structure):
    _fields_ = [
        ("names", ctypes.POINTER(Bytes)),
        ("count", ctypes.c_size_t),
        ("options", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32),
    ]


class Failure(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("part", ctypes.c_uint32),
        ("offset", ctypes.c_uint32),
        ("row", ctypes.c_int64),
        ("message", ctypes.c_char * 488),
    ]


class Failed(Exception):
    def __init__(self, failure):
        super().__init__(failure.message.decode())
        self.status, self.row = failure.status, failure.row


def validator(grammar, options=0):
    found = ctypes.c_void_p()
    assert library.uriv_validator_get(grammar, options, ctypes.byref(found)) == OK
    return found


def url_part(part, key=None):
    made, failure = ctypes.c_void_p(), Failure()
    key = Bytes() if key is None else record(key.encode())
    if library.uriv_url_part_new(record(part.encode()), key, ctypes.byref(made), ctypes.byref(failure)) != OK:
        raise Failed(failure)
    return made


def record(text):
    """The argument that passes a record."""
    return Bytes(text, len(text))


def text_of(function, *arguments, error=True, room=400):
    """The text that a function writes for a record, or None if the record has no such text."""
    memory = ctypes.create_string_buffer(room)
    text = Text(ctypes.addressof(memory), room)
    last = (None,) if error else ()
    status = function(*arguments, ctypes.byref(text), *last)
    if status == BUFFER_TOO_SMALL:
        return text_of(function, *arguments, error=error, room=text.length + 1)
    assert status in (OK, NONE, INVALID), status
    assert status != OK or memory.raw[text.length] == 0
    return memory.raw[: text.length] if status == OK else None


def over(function, *arguments_and_array):
    """The array that a function makes from the last argument."""
    *arguments, array = arguments_and_array
    memory = [ctypes.create_string_buffer(size) for size in (72, 80, 72, 80)]
    schema, data, out_schema, out_data = map(ctypes.addressof, memory)
    failure = Failure()
    array._export_to_c(data, schema)
    status = function(*arguments, Arrow(schema, data), Arrow(out_schema, out_data), ctypes.byref(failure))
    pa.DataType._import_from_c(schema)
    if status != OK:
        assert failure.status == status
        raise Failed(failure)
    made = pa.Array._import_from_c(out_data, out_schema)
    made.validate(full=True)
    return made
