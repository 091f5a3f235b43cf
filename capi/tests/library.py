"""Loads the library with ctypes, for the tests in Python."""

import ctypes
import os

import pyarrow as pa

OK, INVALID, NONE, BUFFER_TOO_SMALL = range(4)
JAVA = 5

library = ctypes.CDLL(os.environ["URIVALIDATE_LIBRARY"])
library.uriv_status_message.restype = ctypes.c_char_p
library.uriv_is_valid.restype = ctypes.c_bool


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
    part = part.encode()
    key = None if key is None else key.encode()
    arguments = (part, ctypes.c_size_t(len(part)), key, ctypes.c_size_t(len(key or b"")))
    if library.uriv_url_part_new(*arguments, ctypes.byref(made), ctypes.byref(failure)) != OK:
        raise Failed(failure)
    return made


def record(text):
    """The two arguments that pass a record."""
    return text, ctypes.c_size_t(len(text))


def text_of(function, *arguments, error=True, room=400):
    """The text that a function writes for a record, or None if the record has no such text."""
    buffer, length = ctypes.create_string_buffer(room), ctypes.c_size_t()
    last = (None,) if error else ()
    status = function(*arguments, buffer, ctypes.c_size_t(room), ctypes.byref(length), *last)
    if status == BUFFER_TOO_SMALL:
        return text_of(function, *arguments, error=error, room=length.value + 1)
    assert status in (OK, NONE, INVALID), status
    assert status != OK or buffer.raw[length.value] == 0
    return buffer.raw[: length.value] if status == OK else None


def over(function, *arguments_and_array):
    """The array that a function makes from the last argument."""
    *arguments, array = arguments_and_array
    schema, data, out_schema, out_data = (ctypes.create_string_buffer(size) for size in (72, 80, 72, 80))
    failure = Failure()
    array._export_to_c(ctypes.addressof(data), ctypes.addressof(schema))
    status = function(*arguments, schema, data, out_schema, out_data, ctypes.byref(failure))
    pa.DataType._import_from_c(ctypes.addressof(schema))
    if status != OK:
        assert failure.status == status
        raise Failed(failure)
    made = pa.Array._import_from_c(ctypes.addressof(out_data), ctypes.addressof(out_schema))
    made.validate(full=True)
    return made
