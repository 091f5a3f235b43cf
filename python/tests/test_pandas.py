"""Compares the accessor of pandas with functions over arrays."""

import cases
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import urivalidate as uv
from urivalidate.pandas import Uri

INDEX = [f"row {i}" for i in range(len(cases.URIS))]
BYTES = [uri if uri is None else uri.encode() for uri in cases.URIS]
NAN = [float("nan") if uri is None else uri for uri in cases.URIS]


def series():
    yield "ArrowDtype", pd.Series(cases.URIS, dtype=pd.ArrowDtype(pa.string()))
    yield "ArrowDtype, large", pd.Series(cases.URIS, dtype=pd.ArrowDtype(pa.large_string()))
    yield "ArrowDtype, bytes", pd.Series(pd.arrays.ArrowExtensionArray(pa.array(BYTES, pa.binary())))
    yield "ArrowDtype, dictionary", pd.Series(pd.arrays.ArrowExtensionArray(pa.array(cases.URIS).dictionary_encode()))
    yield "object, None", pd.Series(cases.URIS, dtype=object)
    yield "object, NaN", pd.Series(NAN, dtype=object)
    yield "object, NA", pd.Series([pd.NA if uri is None else uri for uri in cases.URIS], dtype=object)
    yield "object, bytes", pd.Series(BYTES, dtype=object)
    yield "object, both", pd.Series([*cases.URIS[:5], *BYTES[5:]], dtype=object)
    yield "string[pyarrow]", pd.Series(cases.URIS, dtype="string[pyarrow]")
    yield "string[python]", pd.Series(cases.URIS, dtype="string[python]")
    yield "str", pd.Series(cases.URIS, dtype="str")
    yield "category", pd.Series(cases.URIS, dtype="category")


SERIES = {name: values.set_axis(INDEX).rename("url") for name, values in series()}


def plain(values):
    """The values of a Series, with None for NA."""
    return [None if value is pd.NA else value for value in values.tolist()]


def is_same(result, expected):
    assert plain(result) == expected
    assert isinstance(result.dtype, pd.ArrowDtype)
    assert result.name == "url" and list(result.index) == INDEX


@pytest.mark.parametrize("dtype", SERIES)
@pytest.mark.parametrize("method, options, function, is_struct", cases.CALLS, ids=str)
def test_series_say_what_arrays_say(method, options, function, is_struct, dtype):
    expected = cases.expected(function, options)
    result = getattr(SERIES[dtype].uri, method)(**options)
    if not is_struct:
        is_same(result, expected)
        is_same(getattr(Uri(SERIES[dtype]), method)(**options), expected)
        return
    assert isinstance(result, pd.DataFrame) and list(result.index) == INDEX
    for field in result:
        assert plain(result[field]) == [row and row[field] for row in expected]
    assert list(result) == list(next(row for row in expected if row))


@pytest.mark.parametrize("dtype", SERIES)
def test_bases(dtype):
    urls = SERIES[dtype]
    for method, function in (("resolve", uv.resolve_uri), ("relativize", uv.relativize_uri)):
        expected = list(function(cases.BASE, pa.array(cases.URIS)))
        bases = pd.Series([cases.BASE] * len(urls), index=urls.index)
        for base in (cases.BASE, cases.BASE.encode(), bases):
            is_same(getattr(urls.uri, method)(base), expected)
        with pytest.raises(ValueError, match="has another index"):
            getattr(urls.uri, method)(bases.reset_index(drop=True))
        with pytest.raises(TypeError, match="expected the base as a str, bytes or a Series, got int"):
            getattr(urls.uri, method)(1)


def test_in_a_frame():
    frame = pd.DataFrame({"n": [1, 2, 3], "url": ["http://h/", "no uri", None]})
    assert frame[frame["url"].uri.is_valid()]["n"].tolist() == [1]
    assert frame.assign(host=frame["url"].uri.host()).groupby("host")["n"].sum().to_dict() == {"h": 1}
    assert list(frame.join(frame["url"].uri.parse(fields=["host"]))) == ["n", "url", "host"]
    reversed_rows = frame.iloc[::-1]
    assert plain(reversed_rows["url"].uri.is_valid()) == [None, False, True]
    assert list(reversed_rows["url"].uri.is_valid().index) == [2, 1, 0]
    # An index may have the same label twice.
    twice = pd.Series(["http://a/", "http://b/"], index=[0, 0])
    assert twice.uri.parse(fields=["host"])["host"].tolist() == ["a", "b"]


def test_odd_series():
    for empty in (pd.Series([], dtype=object), pd.Series([], dtype="str"), pd.Series([], dtype=pd.ArrowDtype(pa.string()))):
        assert plain(empty.uri.host()) == [] and len(empty.uri.parse()) == 0
    assert plain(pd.Series([None, np.nan], dtype=object).uri.is_valid()) == [None, None]
    assert plain(pd.Series([np.nan, np.nan]).uri.is_valid()) == [None, None] and plain(pd.Series([], dtype=float).uri.host()) == []
    with pytest.raises(TypeError, match="got one of Float64"):
        pd.Series([np.nan, 1.0]).uri.host()
    # Arrow does not accept the lone surrogate.
    assert plain(pd.Series(["http://h/\ud800", "a:b"], dtype=object).uri.is_valid("iri")) == [False, True]
    with pytest.raises(TypeError, match="got one of Int64"):
        pd.Series([1]).uri.host()
    with pytest.raises(TypeError, match="expected str, bytes or None, got int in row 1"):
        pd.Series(["a:b", 1], dtype=object).uri.host()
    with pytest.raises(uv.InvalidURI, match="the URL in row 1 is invalid") as caught:
        pd.Series(["a:b", "a b"]).uri.parse_url("HOST")
    assert caught.value.row == 1
