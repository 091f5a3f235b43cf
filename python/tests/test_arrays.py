"""Compares results for arrays of every layout with the results for single records."""

import ctypes
import io
import random

import cases
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import urivalidate as uv
from urivalidate import _urivalidate

URIS = cases.URIS * 50

GRAMMARS = ["uri", "uri-reference", "absolute-uri", "relative-ref", "rfc2396", "java", "iri", "iri-reference", "request-target"]
TYPES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]


def layouts():
    encoded = [uri if uri is None else uri.encode() for uri in URIS]
    more = [b"%"] * 3 + encoded + [None]
    for type in TYPES:
        name = str(type)
        array = pa.array(more, pa.binary()).cast(type)
        yield name, pa.array(encoded, pa.binary()).cast(type)
        yield "slice of " + name, array.slice(3, len(URIS))
        yield "chunks of " + name, pa.chunked_array([array.slice(3, 100), array.slice(103, 0), array.slice(103, len(URIS) - 100)])
    for type in (pa.string(), pa.binary()):
        yield f"dictionary of {type}", pa.array(encoded, pa.binary()).cast(type).dictionary_encode()
    for type in (pa.int16(), pa.int32(), pa.int64()):
        ends = pa.array(range(1, len(more) + 1), type)
        runs = pa.RunEndEncodedArray.from_arrays(ends, pa.array(more, pa.binary()))
        yield f"slice of runs that end at {type}", runs.slice(3, len(URIS))
    yield "objects of numpy", np.array(URIS, dtype=object)


LAYOUTS = dict(layouts())


def components(uri, grammar):
    try:
        return uv.parse(uri, grammar)
    except uv.InvalidURI:
        return None


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("grammar", GRAMMARS)
def test_functions_say_what_parse_says(layout, grammar):
    array = LAYOUTS[layout]
    valid = [None if uri is None else uv.is_valid(uri, grammar) for uri in URIS]
    parsed = [None if uri is None else components(uri, grammar) for uri in URIS]
    assert uv.is_valid_uri(array, grammar).to_pylist() == valid

    for view in (False, True):
        result = uv.parse_uri(array, grammar, view=view)
        rows = result.to_pylist()
        # The values are the same after an export through Arrow.
        assert (pa.chunked_array(result) if "chunks" in layout else pa.array(result)).to_pylist() == rows
        for uri, row, c in zip(URIS, rows, parsed):
            if uri is None:
                assert row is None
                continue
            assert row["valid"] is (c is not None)
            for name in row.keys() - {"valid"}:
                assert row[name] == (None if c is None else getattr(c, name)), (uri, name)

    spans = uv.uri_spans(array, grammar).to_pylist()
    for uri, row, c in zip(URIS, spans, parsed):
        for name in ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"):
            if uri is not None:
                expected = (c.spans[name] if c else None) or (None, None)
                assert (row[name + "_start"], row[name + "_end"]) == expected

    errors = uv.uri_error(array, grammar).to_pylist()
    for uri, row, c in zip(URIS, errors, parsed):
        assert (row is None) is (uri is None or c is not None)
        if row:
            with pytest.raises(uv.InvalidURI) as caught:
                uv.parse(uri, grammar)
            error = caught.value
            assert (row["kind"], row["component"], row["offset"]) == (error.kind, error.component, error.offset)


def test_types():
    strings = pa.array(["http://h/"])
    parsed = pa.array(uv.parse_uri(strings)).type
    assert parsed.field("valid").type == pa.bool_()
    assert parsed.field("host").type == pa.string()
    assert parsed.field("host_kind").type == pa.dictionary(pa.int8(), pa.string())
    assert pa.array(uv.parse_uri(strings, dictionary=False)).type.field("host_kind").type == pa.string()
    assert pa.array(uv.parse_uri(strings, view=True)).type.field("host").type == pa.string_view()
    assert pa.array(uv.parse_uri(strings.cast(pa.large_string()))).type.field("host").type == pa.large_string()
    names = [field.name for field in parsed]
    assert names == ["valid", "scheme", "authority", "userinfo", "host", "host_kind", "port", "path", "query", "fragment"]
    java = [field.name for field in pa.array(uv.parse_uri(strings, "java")).type]
    assert java == names + ["scheme_specific_part", "opaque", "authority_kind"]
    pa.array(uv.parse_uri(strings, view=True)).validate(full=True)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_all_text_is_utf8_whatever_the_bytes(grammar):
    """Records that are not UTF-8 are invalid, so no view refers to them."""
    draw = random.Random(4)
    alphabet = [b"a", b"/", b"?", b"#", b":", b"//", b"http://", b"[", b"]", b"@", b"%C3", "é".encode(), "\U0001f600".encode()]
    odd = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80", b"\xc0\x80", b"\xf4\x90\x80\x80"]
    records = [b"".join(draw.choices(alphabet * 4 + odd, k=draw.randrange(1, 14))) for _ in range(20_000)]
    for array in (pa.array(records, pa.binary()), pa.array(records, pa.binary_view())):
        for view in (False, True):
            parsed = pa.array(uv.parse_uri(array, grammar, view=view))
            parsed.validate(full=True)
            valid = parsed.field("valid").to_pylist()
            for record, is_valid in zip(records, valid):
                assert not is_valid or record == record.decode("utf-8").encode("utf-8")
    assert any(valid) and not all(valid)
    if grammar in ("java", "iri", "iri-reference"):
        assert any(is_valid and not record.isascii() for record, is_valid in zip(records, valid))
    for part in ("PATH", "FILE", "AUTHORITY"):
        pa.array(uv.try_parse_url(pa.array(records, pa.binary_view()), part)).validate(full=True)


def test_values_of_a_fixed_size():
    records = [b"http://a/", None, b"http://b/", b"no uri at", b"mailto:ab"]
    array = pa.array(records, pa.binary(9))
    for given, first in ((array, 0), (array.slice(1), 1), (array.slice(2, 2), 2), (array.slice(5), 5), (pa.chunked_array([array, array.slice(4)]), 0)):
        rows = (records * 2)[first : first + len(given)] if not isinstance(given, pa.ChunkedArray) else [*records, records[4]]
        plain = pa.array(rows, pa.binary())
        for function in (uv.is_valid_uri, uv.parse_uri, uv.uri_error, uv.normalize_uri):
            assert function(given).to_pylist() == function(plain).to_pylist()
    assert uv.is_valid_uri(pa.array([b"", None], pa.binary(0))).to_pylist() == [False, None]
    assert uv.is_valid_uri(pa.record_batch({"url": array})).to_pylist() == [True, None, True, False, True]


def test_runs():
    values = pa.array(["http://a/", None, "no uri"])
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3, 7], pa.int32()), values)
    expected = ["a", "a"] + [None] * 5
    for start in range(8):
        for length in range(8 - start):
            part = runs.slice(start, length)
            assert uv.parse_uri(part)["host"].to_pylist() == expected[start : start + length]
            assert uv.is_valid_uri(part).to_pylist() == [True, True, None, False, False, False, False][start : start + length]
    assert uv.parse_url(runs.slice(0, 3), "HOST").to_pylist() == ["a", "a", None]
    of_dictionary = pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["a:b"]).dictionary_encode())
    with pytest.raises(TypeError, match="expected an array of strings"):
        uv.is_valid_uri(of_dictionary)
    rows = pa.StructArray.from_arrays([runs.slice(0, 3)], ["url"], mask=pa.array([True, False, False]))
    assert uv.is_valid_uri(rows).to_pylist() == [None, True, None]
    with pytest.raises(TypeError, match="got one of Int64"):
        uv.is_valid_uri(pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array([1])))


def test_numpy():
    text = ["http://h/", "no uri", "", "http://é/"]
    for array in (np.array(text), np.array(text, object), np.array([uri.encode() for uri in text]), np.array(text, np.dtypes.StringDType())):
        assert uv.is_valid_uri(array, "iri").to_pylist() == [True, False, False, True]
        assert uv.parse_uri(array[::-1], "iri")["host"].to_pylist() == ["é", None, None, "h"]
    odd = np.array(["a:b", None, float("nan"), b"a:b", "\ud800"], object)
    assert uv.is_valid_uri(odd, "iri").to_pylist() == [True, None, None, True, False]
    assert uv.is_valid_uri(np.ma.array(["a:b", "c:d"], mask=[False, True])).to_pylist() == [True, None]
    missing = np.array(["a:b", np.nan], np.dtypes.StringDType(na_object=np.nan))
    assert uv.is_valid_uri(missing).to_pylist() == [True, None]
    assert uv.is_valid_uri(np.array([], "U")).to_pylist() == []
    bases = np.array(["http://a/", "http://b/"])
    assert uv.resolve_uri(bases, np.array(["x", "y"])).to_pylist() == ["http://a/x", "http://b/y"]
    with pytest.raises(TypeError, match="got one of int64"):
        uv.is_valid_uri(np.array([1]))
    with pytest.raises(ValueError, match="expected an array of one dimension, got one of 2"):
        uv.is_valid_uri(np.array([["a:b"]]))
    with pytest.raises(TypeError, match="expected str, bytes or None, got int in row 1"):
        uv.is_valid_uri(np.array(["a:b", 1], object))


def test_lists():
    for urls in (["a:b", "no uri", None, b"a:b", float("nan")], ("a:b", "no uri", None, b"a:b", float("nan"))):
        assert uv.is_valid_uri(urls).to_pylist() == [True, False, None, True, None]
    assert uv.is_valid_uri([]).to_pylist() == [] == uv.parse_uri([]).to_pylist()
    assert uv.resolve_uri(["http://a/", "http://b/"], ["x", "y"]).to_pylist() == ["http://a/x", "http://b/y"]
    with pytest.raises(TypeError, match="expected str, bytes or None, got int in row 1"):
        uv.is_valid_uri(["a:b", 1])


def test_columns_without_values_are_null():
    """pandas and numpy have no strings in a column without values: it is one of NaN."""
    nan = float("nan")
    for column in ([nan, nan], np.array([nan, nan]), pd.Series([nan, nan]), pd.Series([None, None], dtype=object), [None, None]):
        assert uv.is_valid_uri(column).to_pylist() == [None, None]
        assert uv.parse_uri(column).to_pylist() == [None, None]
    with pytest.raises(TypeError, match="got one of float64|got one of Float64"):
        uv.is_valid_uri(np.array([nan, 1.0]))
    with pytest.raises(TypeError, match="got one of Float64"):
        uv.is_valid_uri(pd.Series([nan, 1.0]))


def test_constants_that_can_never_be_right():
    urls = pa.array(["http://h/?a=1", None])
    for function in (uv.parse_url, uv.try_parse_url):
        with pytest.raises(ValueError, match='unknown part "host": expected one of HOST, PATH, QUERY'):
            function(urls, "host")
        with pytest.raises(ValueError, match="a key needs the part QUERY, got HOST"):
            function(urls, "HOST", "a")
    for function in (uv.resolve_uri, uv.relativize_uri):
        for base in ("www.example.com/", b"http://a b/", ""):
            for array in (urls, urls.slice(0, 0), pa.chunked_array([], pa.string())):
                with pytest.raises(uv.InvalidURI, match="the base .* is invalid") as raised:
                    function(base, array)
                assert raised.value.row is None
        # A column can have such values, like any invalid record.
        assert function(pa.array(["www.example.com/", "http://h/"]), pa.array(["http://h/a", "http://h/a"])).to_pylist()[0] is None
    with pytest.raises(TypeError, match="^expected a bool, got a str; a grammar is named: grammar='java'\nwhile processing 'private'$"):
        uv.uri_domain(urls, "java")
    assert uv.uri_domain(pa.array(["http://a.b.github.io/"]), True).to_pylist() == ["b.github.io"]


def test_columns_are_sequences():
    chunks = pa.chunked_array([["http://a/", None], [], ["no uri"], ["http://b:1/", "http://c/"]])
    for column in (uv.parse_uri(chunks, fields=["host", "valid"]), uv.is_valid_uri(chunks), uv.uri_spans(chunks), uv.parse_url(chunks.slice(0, 2), "HOST")):
        values = column.to_pylist()
        assert list(column) == values == [column[row] for row in range(len(column))]
        assert [column[row - len(column)] for row in range(len(column))] == values
        assert list(reversed(column)) == values[::-1]
        for start in (None, 0, 1, 3, -2, 9, -9):
            for stop in (None, 0, 2, 4, -1, 9, -9):
                for step in (None, 1, 2, 3, -1, -2):
                    part = column[start:stop:step]
                    assert part.to_pylist() == values[start:stop:step] == pa.array(part).to_pylist()
                    assert part.type == column.type
        for row in (len(column), -len(column) - 1, 2**62, -(2**62)):
            with pytest.raises(IndexError, match=f"there is no row {row}: the column has {len(column)}"):
                column[row]
        for key in (1.0, None, (1,)):
            with pytest.raises(TypeError, match="expected a row, a slice or the name of a field"):
                column[key]
        rows = iter(column)
        next(rows)
        assert rows.__length_hint__() == len(column) - 1
        assert len(list(rows)) == len(column) - 1 and list(rows) == []
    with pytest.raises(ValueError, match="step"):
        uv.is_valid_uri(chunks)[::0]


def test_fields_of_columns():
    array = pa.array(["http://a/?b", None, "no uri"])
    parsed = uv.parse_uri(array, "java")
    for name in pa.array(parsed).type:
        field = parsed[name.name]
        assert field.name == name.name and field.to_pylist() == [row and row[name.name] for row in parsed]
        assert str(pa.array(field).type) == field.type
    with pytest.raises(KeyError, match="unknown field .*hots.*: expected one of valid, scheme"):
        parsed["hots"]
    with pytest.raises(TypeError, match="a column of bool has no fields"):
        uv.is_valid_uri(array)["host"]


def test_names_and_types_of_columns():
    array = pa.array(["http://h/"])
    for column in (
        uv.is_valid_uri(array),
        uv.parse_uri(array),
        uv.parse_uri(array, "java", dictionary=False),
        uv.parse_uri(array.cast(pa.large_string())),
        uv.parse_uri(array, view=True),
        uv.uri_spans(array),
        uv.uri_error(array),
        uv.uri_surt(array),
    ):
        assert column.type == str(pa.array(column).type)
        assert column.name == ""
        assert repr(column) == f"<urivalidate.Column 1 of {column.type}>"
    assert uv.is_valid_uri(pa.table({"url": array})).name == "url"
    assert repr(uv.is_valid_uri(pa.table({"url": array}))) == '<urivalidate.Column "url", 1 of bool>'


def test_arrays_of_numpy_come_out():
    array = pa.array(["http://a:1/", "no uri"])
    valid = np.asarray(uv.is_valid_uri(array))
    assert valid.dtype == bool and valid.tolist() == [True, False]
    assert np.array(uv.is_valid_uri(pa.array(["a:b", None]))).tolist() == [True, None]
    hosts = np.array(uv.parse_uri(array)["host"])
    assert hosts.dtype == object and hosts.tolist() == ["a", None]
    assert np.array(uv.parse_uri(array, fields=["host"])).tolist() == [{"host": "a"}, {"host": None}]
    starts = np.array(uv.uri_spans(array[:1])["host_start"])
    assert starts.dtype == np.int32 and starts.tolist() == [7]
    assert np.asarray(uv.is_valid_uri(array), dtype="int8").tolist() == [1, 0]
    assert np.array(uv.is_valid_uri(array[:0])).dtype == bool
    with pytest.raises(ValueError, match="has to be copied"):
        np.array(uv.is_valid_uri(array), copy=False)


@pytest.mark.parametrize("data_type", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_types_that_are_requested(data_type):
    array = pa.chunked_array([["http://a-host-of-some-length.example/", None], ["no uri", "http://h/"]])
    for given in (array, array.cast(pa.large_string()), array.cast(pa.string_view())):
        for view in (False, True):
            parsed = uv.parse_uri(given, view=view)
            for column in (parsed["host"], parsed["host_kind"], uv.uri_surt(given)):
                found = pa.array(column, type=data_type)
                found.validate(full=True)
                assert found.type == data_type and found.to_pylist() == column.to_pylist()
                assert pa.chunked_array(column, type=data_type).to_pylist() == column.to_pylist()
            fields = [pa.field("valid", pa.bool_()), pa.field("host", data_type), pa.field("host_kind", data_type)]
            some = uv.parse_uri(given, fields=["valid", "host", "host_kind"], view=view)
            found = pa.array(some, type=pa.struct(fields))
            found.validate(full=True)
            assert found.type == pa.struct(fields) and found.to_pylist() == some.to_pylist()


def test_a_type_that_cannot_be_had():
    """If the column cannot be converted to the requested type, the consumer gets the column's own type."""

    def own(column, data_type):
        schema, _ = column.__arrow_c_array__(data_type.__arrow_c_schema__())
        return pa.DataType._import_from_c_capsule(schema)

    valid = uv.is_valid_uri(pa.array(["a:b"]))
    assert own(valid, pa.string()) == own(valid, pa.month_day_nano_interval()) == pa.bool_()
    spans = uv.uri_spans(pa.array(["a:b"]))
    assert own(spans["path_start"], pa.int64()) == pa.int64()
    assert pa.array(spans["path_start"], type=pa.int64()).to_pylist() == [2]
    assert own(spans, pa.struct({"valid": pa.bool_()})) == pa.array(spans).type
    with pytest.raises(TypeError):
        valid.__arrow_c_array__(1)


def test_views_outlive_their_array():
    array = pa.array(["http://a-host-of-some-length.example.org/path"] * 1000)
    views = pa.array(uv.parse_uri(array, fields=["host"], view=True))
    del array
    assert views.field("host").to_pylist() == ["a-host-of-some-length.example.org"] * 1000


def test_parse_url():
    urls = pa.array(["http://u@h/p?a=1&b=2#f", None, "http://a_b/", "mailto:x"])
    expected = {
        "HOST": ["h", None, None, None],
        "PATH": ["/p", None, "/", None],
        "QUERY": ["a=1&b=2", None, None, None],
        "REF": ["f", None, None, None],
        "PROTOCOL": ["http", None, "http", "mailto"],
        "FILE": ["/p?a=1&b=2", None, "/", None],
        "AUTHORITY": ["u@h", None, "a_b", None],
        "USERINFO": ["u", None, None, None],
    }
    for part, values in expected.items():
        assert uv.try_parse_url(urls, part).to_pylist() == values
        assert uv.parse_url(urls, part).to_pylist() == values
    assert uv.try_parse_url(urls, "QUERY", "b").to_pylist() == ["2", None, None, None]
    # Spark's own functions return NULL for such constants.
    for part, key in (("host", None), ("HOST", "b")):
        assert _urivalidate.spark_parse_url(urls, part, key, is_try=True).to_pylist() == [None] * 4

    chunks = pa.chunked_array([urls, pa.array(["http://h/", " "])])
    assert uv.try_parse_url(chunks, "HOST").to_pylist() == ["h", None, None, None, "h", None]
    with pytest.raises(uv.InvalidURI, match="the URL in row 5 is invalid") as caught:
        uv.parse_url(chunks, "HOST")
    assert (caught.value.kind, caught.value.offset, caught.value.row) == ("space", 0, 5)
    with pytest.raises(ValueError, match="only Java's regular expressions have"):
        uv.try_parse_url(urls, "QUERY", "(?=a)")


def test_nothing():
    for type in TYPES:
        assert uv.is_valid_uri(pa.array([], type)).to_pylist() == []
        assert uv.is_valid_uri(pa.chunked_array([], type)).to_pylist() == []
        assert pa.array(uv.parse_uri(pa.chunked_array([], type))).to_pylist() == []
        assert uv.is_valid_uri(pa.array([None], type)).to_pylist() == [None]


def test_a_table_of_one_column_is_a_column():
    for table in (pa.table, pa.record_batch):
        assert uv.is_valid_uri(table({"url": ["a:b", "c"]})).to_pylist() == [True, False]
        assert uv.is_valid_uri(table({"url": pa.nulls(2)})).to_pylist() == [None, None]
        with pytest.raises(TypeError, match="expected an array of strings"):
            uv.is_valid_uri(table({"url": ["a:b"], "n": [1]}))


def test_a_null_row_of_one_column_is_null():
    for type in TYPES + [pa.dictionary(pa.int8(), pa.string())]:
        urls = pa.array([b" not looked at", b"a:b", None, b"http://h/"], pa.binary())
        urls = urls.cast(pa.string()).dictionary_encode().cast(type) if pa.types.is_dictionary(type) else urls.cast(type)
        rows = pa.StructArray.from_arrays([urls], ["url"], mask=pa.array([True, False, False, False]))
        for given in (rows, pa.chunked_array([rows.slice(3), rows]).slice(1)):
            assert uv.is_valid_uri(given).to_pylist() == [None, True, None, True]
            assert uv.uri_error(given).to_pylist() == [None] * 4
            assert uv.parse_url(given, "HOST").to_pylist() == [None, None, None, "h"]
            assert uv.parse_uri(given, fields=["host"], view=True).to_pylist() == [None, {"host": None}, None, {"host": "h"}]
    nulls = pa.StructArray.from_arrays([pa.nulls(2)], ["url"], mask=pa.array([True, False]))
    assert uv.is_valid_uri(nulls).to_pylist() == [None, None]


def test_null_without_a_type_is_null():
    for nulls in (pa.nulls(3), pa.chunked_array([pa.nulls(1), pa.nulls(2)]), pa.DictionaryArray.from_arrays(pa.array([0, None, 0]), pa.nulls(1))):
        for result in (
            uv.is_valid_uri(nulls),
            uv.parse_uri(nulls),
            uv.parse_uri(nulls, view=True),
            uv.uri_spans(nulls),
            uv.uri_error(nulls),
            uv.parse_url(nulls, "HOST"),
            uv.try_parse_url(nulls, "QUERY", "a"),
        ):
            assert result.to_pylist() == [None] * 3
            pa.chunked_array(result).validate(full=True)
    assert uv.is_valid_uri(pa.nulls(0)).to_pylist() == []


@pytest.mark.parametrize("type", [pa.int8(), pa.uint8(), pa.int64(), pa.uint64()])
@pytest.mark.parametrize("values", [1, 3, 200])
def test_a_key_out_of_range_is_an_error(type, values):
    urls = pa.array(["http://h/"] * values)
    largest = 2 ** (type.bit_width - pa.types.is_signed_integer(type)) - 1
    for wrong in {values, largest, -1 if pa.types.is_signed_integer(type) else largest}:
        if not values <= wrong <= largest and wrong != -1:
            continue
        array = pa.DictionaryArray.from_arrays(pa.array([0, None, wrong], type), urls, safe=False)
        for function in (uv.is_valid_uri, uv.parse_uri, uv.uri_spans, uv.uri_error):
            with pytest.raises(ValueError, match="the key in row 2 is out of range"):
                function(array)
        for function in (uv.parse_url, uv.try_parse_url):
            with pytest.raises(ValueError, match="the key in row 2 is out of range"):
                function(array, "HOST")


def test_the_key_of_a_null_may_be_anything():
    keys = pa.Array.from_buffers(pa.int8(), 3, [pa.py_buffer(b"\x03"), pa.py_buffer(b"\x00\x00\x77")])
    array = pa.DictionaryArray.from_arrays(keys, pa.array(["http://h/"]), safe=False)
    assert uv.is_valid_uri(array).to_pylist() == [True, True, None]
    assert uv.parse_url(array, "HOST").to_pylist() == ["h", "h", None]


def one(function, *args):
    """The result of a function over arrays for one record."""
    return function(*args).to_pylist()[0]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_text_made_of_records(layout):
    array = LAYOUTS[layout]
    records = [None if uri is None else uri.encode() for uri in URIS]

    def each(function):
        found = [None if record is None else one(function, pa.array([record])) for record in records[: len(cases.URIS)]]
        return found * (len(records) // len(found))

    for form in ("syntax", "scheme"):
        expected = each(lambda array: uv.normalize_uri(array, form))
        assert "http://a-host-name-of-some-length.example.org/a/path/of/some/length?and=a&query" in expected
        assert uv.normalize_uri(array, form).to_pylist() == expected
    assert uv.normalize_uri(array, grammar="java").to_pylist() == each(lambda array: uv.normalize_uri(array, grammar="java"))
    base = "http://base/a/b"
    for function in (uv.resolve_uri, uv.relativize_uri):
        expected = each(lambda array: function(base, array))
        assert function(base, array).to_pylist() == expected == function(base.encode(), array).to_pylist()
        # The same number of bases, in different chunks.
        bases = pa.chunked_array([[base] * 7, [base] * (len(URIS) - 7)])
        assert function(bases, array).to_pylist() == expected
        assert pa.array(function(bases, array)).type == pa.array(function(base, array)).type
    for function in (uv.uri_surt, uv.uri_suffix, uv.uri_domain, lambda array: uv.uri_domain(array, True)):
        assert function(array).to_pylist() == each(function)


def test_normal_views_are_views_of_the_same_bytes():
    normal = "http://a-host-of-more-than-twelve-bytes/"
    array = pa.array([normal, "HTTP://Another-Host-Of-Many-Bytes/"], pa.string_view())
    found = pa.array(uv.normalize_uri(array))
    assert found.to_pylist() == [normal, "http://another-host-of-many-bytes/"]
    assert {buffer.address for buffer in found.buffers()[2:]} >= {buffer.address for buffer in array.buffers()[2:]}


def test_bases():
    uris = pa.array(["a", "b", None])
    assert uv.resolve_uri(pa.array(["http://g/", None, "http://h/"]), uris).to_pylist() == ["http://g/a", None, None]
    assert uv.resolve_uri(pa.array([], pa.string()), pa.array([], pa.string())).to_pylist() == []
    with pytest.raises(ValueError, match="there are fewer bases"):
        uv.resolve_uri(pa.array(["http://g/"]), uris)
    with pytest.raises(ValueError, match="there are fewer records"):
        uv.resolve_uri(pa.array(["http://g/"] * 4), uris)
    with pytest.raises(TypeError, match="got one of Int64"):
        uv.resolve_uri("http://g/", pa.array([1]))
    with pytest.raises(TypeError, match="got one of Int64"):
        uv.resolve_uri(pa.array([1]), pa.array(["a"]))
    with pytest.raises(TypeError, match="expected an Arrow array"):
        uv.resolve_uri(1, uris)


def test_forms():
    with pytest.raises(ValueError, match='unknown form "schema": expected one of syntax, scheme'):
        uv.normalize_uri(pa.array(["a:b"]), "schema")
    with pytest.raises(ValueError, match="grammar java does not support the form scheme"):
        uv.normalize_uri(pa.array(["a:b"]), "scheme", "java")


class Broken:
    """An array of structs with more rows than its only field."""

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = pa.record_batch({"url": ["a:b"]}).__arrow_c_array__(requested_schema)
        get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
        get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        length = ctypes.c_int64.from_address(get_pointer(array, b"arrow_array"))
        assert length.value == 1
        length.value = 3
        return schema, array


def test_a_panic_is_an_exception():
    with pytest.raises(RuntimeError, match="^internal error: "):
        uv.is_valid_uri(Broken())
    with pytest.raises(RuntimeError, match="^internal error: "):
        uv.parse_url(Broken(), "HOST")


def test_bad_arguments():
    for other in ("a:b", 1, None, {"a:b"}):
        with pytest.raises(TypeError, match="expected an Arrow array"):
            uv.is_valid_uri(other)
    with pytest.raises(TypeError, match="expected an array of strings or of binary values, got one of Int64"):
        uv.is_valid_uri(pa.array([1]))
    with pytest.raises(TypeError, match="got one of Int64"):
        uv.is_valid_uri(pa.chunked_array([], pa.int64()))
    with pytest.raises(ValueError, match="unknown field \"hots\": expected one of valid, scheme"):
        uv.parse_uri(pa.array(["a:b"]), fields=["hots"])
    for wrong, message in (("host", "a str; write .'host'."), (1, "int"), (["host", 1], "one of int")):
        with pytest.raises(TypeError, match=f"^expected a list of names, got {message}\nwhile processing 'fields'$"):
            uv.parse_uri(pa.array(["a:b"]), fields=wrong)
        with pytest.raises(TypeError, match=f"^expected a list of names, got {message}\nwhile processing 'columns'$"):
            uv.scan("list", columns=wrong)
    assert uv.parse_uri(pa.array(["a:b"]), fields=(name for name in ("path", "host"))).to_pylist() == [{"path": "b", "host": None}]


def test_a_stream_that_fails_says_so():
    def batches():
        yield pa.record_batch({"url": ["a:b"]})
        raise ValueError("no more")

    schema = pa.schema({"url": pa.string()})
    with pytest.raises(RuntimeError, match="no more"):
        uv.is_valid_uri(pa.RecordBatchReader.from_batches(schema, batches()))


class Capsules:
    """Returns the same capsules each time."""

    def __init__(self, capsules):
        self.capsules = capsules

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


class StreamCapsule:
    """Returns the same capsule each time."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


def test_consumed_capsules_are_errors():
    array = pa.array(["http://h/", "no uri"])
    for consume in (uv.is_valid_uri, lambda given: pa.Array._import_from_c_capsule(*given.capsules)):
        given = Capsules(array.__arrow_c_array__())
        consume(given)
        for function in (uv.is_valid_uri, uv.parse_uri, lambda given: uv.resolve_uri("http://h/", given)):
            with pytest.raises(ValueError, match="^the array has been released$"):
                function(given)
    schema, data = array.__arrow_c_array__()
    pa.DataType._import_from_c_capsule(schema)
    with pytest.raises(ValueError, match="^the schema has been released$"):
        uv.is_valid_uri(Capsules((schema, data)))
    with pytest.raises(ValueError, match="^the schema has been released$"):
        uv.is_valid_uri(array).__arrow_c_array__(schema)
    for consume in (uv.is_valid_uri, lambda given: pa.RecordBatchReader._import_from_c_capsule(given.capsule)):
        stream = pa.RecordBatchReader.from_batches(pa.schema({"url": pa.string()}), [pa.record_batch({"url": array})])
        given = StreamCapsule(stream.__arrow_c_stream__())
        try:
            consume(given)
        except TypeError:
            # A stream of structs is taken, too, before its type is known.
            pass
        with pytest.raises(ValueError, match="^the stream has been released$"):
            uv.is_valid_uri(given)
    assert uv.is_valid_uri(Capsules(array.__arrow_c_array__())).to_pylist() == [True, False]


def test_a_list_of_hosts_is_text_or_lines_of_text_or_bytes():
    urls = ["http://a.example/", "http://b.example/"]
    for hosts in ("a.example\n", ["a.example"], [b"a.example\n"], io.StringIO("a.example\n"), io.BytesIO(b"a.example\n")):
        assert uv.host_in(urls, hosts).to_pylist() == [True, False]
    with pytest.raises(UnicodeDecodeError, match="byte 0xff in position 2"):
        uv.host_in(urls, [b"a.example\n", b"b.\xff"])
    with pytest.raises(TypeError):
        uv.host_in(urls, [1])
