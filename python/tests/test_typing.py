"""Compares the literals for type checkers with the names that functions accept."""

import typing

import pyarrow as pa
import pytest
import urivalidate as uv
from urivalidate import typing as uvt


def names_in(error):
    return str(error.value).split("expected one of ")[1].split(", ")


def test_literals_are_the_names_that_functions_take():
    with pytest.raises(ValueError) as error:
        uv.is_valid("a:b", "?")
    # Functions also accept alternative names of grammars, which they do not list.
    grammars = typing.get_args(uvt.Grammar)
    assert set(names_in(error)) == set(grammars) - {"rfc3986", "rfc3987"}
    for grammar in grammars:
        assert isinstance(uv.is_valid("a:b", grammar), bool)
    for literal, call in (
        (uvt.Emit, lambda name: uv.scan([], emit=name)),
        (uvt.Only, lambda name: uv.scan([], only=name)),
        (uvt.Form, lambda name: uv.normalize_uri(pa.array(["a:b"]), name)),
    ):
        with pytest.raises(ValueError) as error:
            call("?")
        assert names_in(error) == list(typing.get_args(literal))
    formats = typing.get_args(uvt.Format)
    with pytest.raises(ValueError) as error:
        uv.scan([], format="?")
    assert set(names_in(error)) <= set(formats)
    for name in formats:
        if name not in ("delimited", "pairs"):
            uv.scan([], format=name).close()


def test_parts_are_those_of_spark():
    url = pa.array(["http://u@h/p?q#f"])
    assert all(uv.try_parse_url(url, part)[0] is not None for part in typing.get_args(uvt.Part))
