"""Compares parse_url and try_parse_url with the answers of Spark, which scripts/spark-answers recorded."""

import ctypes
import os

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet
import pytest
from library import INVALID, Failed, Text, library, over, record, text_of, url_part

PARTS = ["protocol", "authority", "userinfo", "host", "path", "query", "ref", "file"]
ANSWERS = pa.parquet.read_table(os.environ["URIVALIDATE_ANSWERS"]).combine_chunks()
URLS = ANSWERS["url"].combine_chunks().cast(pa.string())
KEYS = {name.decode(): key.decode() for name, key in ANSWERS.schema.metadata.items() if name.decode() in ANSWERS.column_names}
# The columns of answers for a constant key, each with the arguments after the URL.
CASES = {part: (part.upper(), None) for part in PARTS} | {name: ("QUERY", key) for name, key in KEYS.items()}
LAYOUTS = {
    "string": lambda urls: urls,
    "large_string": lambda urls: urls.cast(pa.large_string()),
    "string_view": lambda urls: urls.cast(pa.string_view()),
    "binary": lambda urls: urls.cast(pa.binary()),
    "dictionary": lambda urls: urls.dictionary_encode(),
    "slice": lambda urls: pa.concat_arrays([pa.array(["x", None, "http://h/"]), urls, pa.array(["y"])]).slice(3, len(urls)),
}


def answers(column):
    return ANSWERS[column].combine_chunks().cast(pa.string())


def same(found, column):
    return found.cast(pa.string()).equals(answers(column))


def test_all_answers_are_there():
    assert len(CASES) + 1 == 13
    assert ANSWERS.num_rows * 13 == 148_148


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays(layout):
    urls = LAYOUTS[layout](URLS)
    for column, (part, key) in CASES.items():
        made = url_part(part, key)
        assert same(over(library.uriv_arrow_try_parse_url, made, urls), column), column
        library.uriv_url_part_free(made)


def test_keys_of_rows():
    """Each row has its own key, so the test passes an array for each key."""
    keys, expected = ANSWERS["key"].combine_chunks().cast(pa.string()), answers("query_key")
    compared = 0
    for key in pc.unique(keys).to_pylist():
        rows = pc.equal(keys, key)
        made = url_part("QUERY", key)
        found = over(library.uriv_arrow_try_parse_url, made, URLS.filter(rows))
        assert found.equals(expected.filter(rows)), key
        compared += len(found)
        library.uriv_url_part_free(made)
    assert compared == ANSWERS.num_rows


def test_one_by_one():
    """Tests each answer in a separate call."""
    urls = [url.encode() for url in URLS.to_pylist()]
    parts = [(url_part(*arguments), answers(column).to_pylist()) for column, arguments in CASES.items()]
    compared = 0
    for part, expected in parts:
        for url, answer in zip(urls, expected):
            found = text_of(library.uriv_parse_url, part, record(url))
            assert found == (None if answer is None else answer.encode()), url
            compared += 1
        library.uriv_url_part_free(part)
    for url, key, answer in zip(urls, ANSWERS["key"].to_pylist(), answers("query_key").to_pylist()):
        part = url_part("QUERY", key)
        found = text_of(library.uriv_parse_url, part, record(url))
        assert found == (None if answer is None else answer.encode()), (url, key)
        compared += 1
        library.uriv_url_part_free(part)
    print(f"{compared} answers of Spark, 0 differences")
    assert compared == 148_148


def test_what_spark_refuses_is_an_error():
    is_refused = pc.and_(pc.is_null(answers("path")), pc.is_null(answers("protocol"))).to_pylist()
    assert 1000 < sum(is_refused) < ANSWERS.num_rows
    host = url_part("HOST")
    for url, refused in zip(URLS.to_pylist(), is_refused):
        text = url.encode()
        status = library.uriv_parse_url(host, record(text), ctypes.byref(Text()), None)
        assert (status == INVALID) == refused, url
    taken = URLS.filter(pa.array([not refused for refused in is_refused]))
    assert len(over(library.uriv_arrow_parse_url, host, taken)) == len(taken)
    with pytest.raises(Failed, match="row 5 is invalid") as failed:
        over(library.uriv_arrow_parse_url, host, pa.concat_arrays([taken.slice(0, 5), URLS.filter(pa.array(is_refused))]))
    assert (failed.value.status, failed.value.row) == (INVALID, 5)
    library.uriv_url_part_free(host)
