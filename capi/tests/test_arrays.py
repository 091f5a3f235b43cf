"""Tests that functions over arrays return the same for each string as the functions of one record."""

import ctypes
import os

import pyarrow as pa
import pyarrow.parquet
import pytest
from library import JAVA, Fields, library, over, record, text_of, url_part, validator

LAYOUTS = {
    "string": lambda texts: pa.array(texts, pa.binary()).cast(pa.string()),
    "large_string": lambda texts: pa.array(texts, pa.large_binary()).cast(pa.large_string()),
    "string_view": lambda texts: pa.array(texts, pa.binary()).cast(pa.string_view()),
    "binary": lambda texts: pa.array(texts, pa.binary()),
    "large_binary": lambda texts: pa.array(texts, pa.large_binary()),
    "binary_view": lambda texts: pa.array(texts, pa.binary()).cast(pa.binary_view()),
    "dictionary": lambda texts: pa.array(texts, pa.binary()).dictionary_encode(),
    "slice": lambda texts: pa.array([b"http://h/", None, *texts, b"x"], pa.binary()).slice(2, len(texts)),
}
URLS = pa.parquet.read_table(os.environ["URIVALIDATE_ANSWERS"], columns=["url"])["url"].to_pylist()[::8]
TEXTS = [*(url.encode() for url in URLS), b"", b"http://h/\0", "http://www.bücher.example/".encode()] + [None] * 3
ILL_FORMED = [*TEXTS, b"http://h/\xff", b"\xff"]
BASE = b"http://a/b/c/d;p?q"
PARTS = ["HOST", "PATH", "QUERY", "REF", "PROTOCOL", "FILE", "AUTHORITY", "USERINFO"]
NO, YES = ctypes.c_bool(False), ctypes.c_bool(True)


def texts(layout):
    return TEXTS if "string" in layout else ILL_FORMED


def compare(layout, made, one, most=None):
    """Compares an array with the results for each record. ``most`` is the number of bytes by which the header
    lets a text exceed its string."""
    expected = [None if text is None else one(text) for text in texts(layout)]
    if most is not None:
        assert all(made is None or len(made) <= len(text) + most for text, made in zip(texts(layout), expected))
    found = made.cast(pa.binary()).to_pylist()
    for text, is_, should in zip(texts(layout), found, expected, strict=True):
        assert is_ == should, text


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("grammar", [0, 1, JAVA, 7])
def test_texts(layout, grammar):
    judge, array = validator(grammar), LAYOUTS[layout](texts(layout))
    cases = {
        "normalize": (library.uriv_arrow_normalize_uri, (judge, 0), library.uriv_normalize, 2),
        "suffix": (library.uriv_arrow_uri_suffix, (judge, NO), library.uriv_suffix, None),
        "domain": (library.uriv_arrow_uri_domain, (judge, YES), library.uriv_domain, None),
        "resolve": (library.uriv_arrow_resolve_uri, (judge, record(BASE)), library.uriv_resolve, len(BASE) + 2),
        "relativize": (library.uriv_arrow_relativize_uri, (judge, record(BASE)), library.uriv_relativize, 2),
    }
    for arrays, arguments, one, most in cases.values():
        made = over(arrays, *arguments, array)
        compare(layout, made, lambda text: text_of(one, *arguments, record(text)), most)
    compare(layout, over(library.uriv_arrow_uri_surt, array), lambda text: text_of(library.uriv_surt, record(text), error=False))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("part", PARTS)
def test_parts_of_urls(layout, part):
    made = url_part(part)
    found = over(library.uriv_arrow_try_parse_url, made, LAYOUTS[layout](texts(layout)))
    compare(layout, found, lambda text: text_of(library.uriv_parse_url, made, record(text)))
    library.uriv_url_part_free(made)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("grammar", range(9))
@pytest.mark.parametrize("options", [0, 1, 2, 3])
def test_verdicts_and_errors(layout, grammar, options):
    judge, array = validator(grammar), LAYOUTS[layout](texts(layout))
    valid = [None if text is None else library.uriv_is_valid(judge, record(text)) for text in texts(layout)]
    assert over(library.uriv_arrow_is_valid_uri, judge, array).to_pylist() == valid
    rows = over(library.uriv_arrow_parse_uri, judge, ctypes.byref(Fields(options=options)), array).to_pylist()
    assert [row and row["valid"] for row in rows] == valid
    spans = over(library.uriv_arrow_uri_spans, judge, array).to_pylist()
    errors = over(library.uriv_arrow_uri_error, judge, array).to_pylist()
    for text, row, span, error, is_valid in zip(texts(layout), rows, spans, errors, valid, strict=True):
        assert (error is not None) == (is_valid is False)
        if error:
            message = text_of(library.uriv_error_message, judge, record(text), error=False)
            assert error["message"].encode() == message
        for part in ["scheme", "host", "path", "query", "fragment"] if row else []:
            start, end = span[f"{part}_start"], span[f"{part}_end"]
            assert row[part] == (None if start is None else text[start:end].decode())
