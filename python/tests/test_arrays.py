"""Arrays of every layout, against one record at a time."""

import ctypes
import random

import pyarrow as pa
import pytest
import urivalidate as uv

URIS = [
    "http://u:p@example.com:8080/a/b?q=1#top",
    "HTTP://a-host-name-of-some-length.example.org/a/path/of/some/length?and=a&query",
    None,
    "http://h",
    "",
    "mailto:a@b",
    "//a_b/c",
    "http://[::1]:/",
    "http://1.2.3.4/",
    "http://h/a b",
    "http://h/é",
    "http://h/%zz",
] * 50

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
        # The same through Arrow.
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
    """Of what is not UTF-8 nothing is valid, so that no view shows it."""
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
        "host": [None] * 4,
    }
    for part, values in expected.items():
        assert uv.try_parse_url(urls, part).to_pylist() == values
        assert uv.parse_url(urls, part).to_pylist() == values
    assert uv.try_parse_url(urls, "QUERY", "b").to_pylist() == ["2", None, None, None]
    assert uv.try_parse_url(urls, "HOST", "b").to_pylist() == [None] * 4

    chunks = pa.chunked_array([urls, pa.array(["http://h/", " "])])
    assert uv.try_parse_url(chunks, "HOST").to_pylist() == ["h", None, None, None, "h", None]
    with pytest.raises(uv.InvalidURI, match="the URL in row 5 is invalid") as caught:
        uv.parse_url(chunks, "HOST")
    assert (caught.value.kind, caught.value.offset) == ("space", 0)
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
        found = [None if record is None else one(function, pa.array([record])) for record in records[:12]]
        return found * (len(records) // 12)

    for form in ("syntax", "scheme"):
        expected = each(lambda array: uv.normalize_uri(array, form))
        assert "http://a-host-name-of-some-length.example.org/a/path/of/some/length?and=a&query" in expected
        assert uv.normalize_uri(array, form).to_pylist() == expected
    assert uv.normalize_uri(array, grammar="java").to_pylist() == each(lambda array: uv.normalize_uri(array, grammar="java"))
    base = "http://base/a/b"
    for function in (uv.resolve_uri, uv.relativize_uri):
        expected = each(lambda array: function(base, array))
        assert function(base, array).to_pylist() == expected == function(base.encode(), array).to_pylist()
        # As many bases, in other chunks.
        bases = pa.chunked_array([[base] * 7, [base] * (len(URIS) - 7)])
        assert function(bases, array).to_pylist() == expected
        assert pa.array(function(bases, array)).type == pa.array(function(base, array)).type
    for function in (uv.surt, uv.uri_suffix, uv.uri_domain, lambda array: uv.uri_domain(array, True)):
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
    assert uv.resolve_uri("no base", uris).to_pylist() == [None] * 3
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
    with pytest.raises(ValueError, match='form "schema": expected one of syntax, scheme'):
        uv.normalize_uri(pa.array(["a:b"]), "schema")
    with pytest.raises(ValueError, match="grammar java does not support the form scheme"):
        uv.normalize_uri(pa.array(["a:b"]), "scheme", "java")


class Broken:
    """A struct that has more rows than its only field."""

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
    for other in (["a:b"], "a:b", 1, None):
        with pytest.raises(TypeError, match="expected an Arrow array"):
            uv.is_valid_uri(other)
    with pytest.raises(TypeError, match="expected an array of strings or of binary values, got one of Int64"):
        uv.is_valid_uri(pa.array([1]))
    with pytest.raises(TypeError, match="got one of Int64"):
        uv.is_valid_uri(pa.chunked_array([], pa.int64()))
    with pytest.raises(ValueError, match="there is no field \"hots\"; there are valid, scheme"):
        uv.parse_uri(pa.array(["a:b"]), fields=["hots"])


def test_a_stream_that_fails_says_so():
    def batches():
        yield pa.record_batch({"url": ["a:b"]})
        raise ValueError("no more")

    schema = pa.schema({"url": pa.string()})
    with pytest.raises(RuntimeError, match="no more"):
        uv.is_valid_uri(pa.RecordBatchReader.from_batches(schema, batches()))
