"""Tests the functions in DataFusion's Python package."""

import importlib.metadata
import os
import re
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import urivalidate_datafusion
from datafusion import SessionContext, col, lit
from urivalidate_datafusion import _urivalidate_datafusion, functions

ANSWERS = os.environ["SPARK_ANSWERS"]
PARTS = ["protocol", "authority", "userinfo", "host", "path", "query", "ref", "file"]


@pytest.fixture
def ctx():
    return urivalidate_datafusion.register(SessionContext())


def value(ctx, expression):
    (found,) = ctx.sql(f"SELECT {expression} AS value").to_pydict()["value"]
    return found


def test_each_function_has_a_name_and_a_description():
    for function in _urivalidate_datafusion.all_functions() + _urivalidate_datafusion.aggregate_functions():
        assert hasattr(functions, function.name)
        assert function.description
        assert repr(function) == f"<function {function.name} of urivalidate_datafusion>"
    assert urivalidate_datafusion.__version__


def test_the_readme_names_each_function():
    described = set(re.findall(r"`(\w+)`", importlib.metadata.metadata("urivalidate-datafusion").get_payload()))
    all_functions = _urivalidate_datafusion.all_functions() + _urivalidate_datafusion.aggregate_functions()
    assert {function.name for function in all_functions} - described == set()


def test_every_function_answers(ctx):
    uri = "'http://user@www.example.co.uk:80/a/../b?q=1&r=a%20b#f'"
    assert value(ctx, f"is_valid_uri({uri})") is True
    assert value(ctx, "is_valid_uri('http://a/ b')") is False
    assert value(ctx, "is_valid_uri('http://a/|', 'java')") is False
    assert value(ctx, f"parse_uri({uri})")["userinfo"] == "user"
    assert value(ctx, f"parse_uri({uri})")["host_kind"] == "reg-name"
    assert value(ctx, f"uri_spans({uri})")["scheme_end"] == 4
    assert value(ctx, "uri_error('http://a/ b')")["offset"] == 9
    assert value(ctx, f"url_extract_port({uri})") == 80
    assert value(ctx, f"url_extract_parameter({uri}, 'r')") == "a b"
    assert value(ctx, "url_decode(url_encode('a b&c'))") == "a b&c"
    assert value(ctx, f"normalize_uri({uri}, 'scheme')") == "http://user@www.example.co.uk/b?q=1&r=a%20b#f"
    assert value(ctx, "resolve_uri('http://a/b/c', '../d')") == "http://a/d"
    assert value(ctx, "relativize_uri('http://a/b/', 'http://a/b/c')") == "c"
    assert value(ctx, "uri_surt('http://www.example.com/a')") == "com,example)/a"
    assert value(ctx, f"uri_suffix({uri})") == "co.uk"
    assert value(ctx, f"uri_domain({uri})") == "example.co.uk"
    assert value(ctx, f"parse_url({uri}, 'QUERY', 'q')") == "1"
    assert value(ctx, "try_parse_url('http://a/ b', 'HOST')") is None
    assert value(ctx, f"parse_uri_field({uri}, 'host')") == "www.example.co.uk"


def test_reports(ctx):
    urls = pa.array(["http://h/", "a b", None, "", "x:y"] * 20_000)
    batches = [[pa.record_batch({"n": pa.array(range(len(urls))), "u": urls})]]
    ctx.register_record_batches("t", batches)
    report = {"records": 80_000, "valid": 40_000, "invalid": 40_000, "empty": 20_000, "nulls": 20_000}
    errors = [("empty", 20_000), ("missing-scheme", 20_000)]
    assert ctx.sql("SELECT uri_report(u) AS r FROM t").to_pydict() == {"r": [{**report, "errors": errors}]}
    found = ctx.table("t").aggregate([col("n") % lit(5)], [functions.uri_report(col("u"), lit("java")).alias("r")])
    # The empty string is a URI for Java.
    groups = sorted((r["valid"], r["nulls"]) for r in found.to_pydict()["r"])
    assert groups == [(0, 0), (0, 20_000), (20_000, 0), (20_000, 0), (20_000, 0)]
    assert len(value(ctx, "uri_suffix_list_date()")) == len("2026-01-01")


def test_a_struct_has_the_fields_of_all_grammars(ctx):
    for call in ["parse_uri('a:b', 'java')", "parse_uri('a:b')"]:
        fields = ctx.sql(f"SELECT {call} AS uri").schema().field("uri").type
        assert "scheme_specific_part" in [fields.field(at).name for at in range(fields.num_fields)]
    assert value(ctx, "parse_uri('a:b')")["scheme_specific_part"] is None


@pytest.mark.parametrize(
    "layout",
    [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.string())],
    ids=str,
)
def test_columns_of_every_layout(ctx, layout):
    urls = pa.array(["http://a.example/b", None, "http://c d/", "", "https://e.example/?f"] * 5000)
    if pa.types.is_dictionary(layout):
        urls = urls.dictionary_encode()
    elif layout in (pa.binary(), pa.binary_view()):
        urls = urls.cast(pa.binary()).cast(layout)
    else:
        urls = urls.cast(layout)
    urls = urls.slice(1)
    ctx.register_record_batches("t", [[pa.record_batch({"n": pa.array(range(len(urls))), "u": urls})]])
    found = ctx.sql("SELECT is_valid_uri(u) AS valid, try_parse_url(u, 'HOST') AS host FROM t ORDER BY n").to_pydict()
    assert found["valid"] == ([True, None, False, False, True] * 5000)[1:]
    hosts = [host.decode() if isinstance(host, bytes) else host for host in found["host"]]
    assert hosts == (["a.example", None, None, None, "e.example"] * 5000)[1:]


def test_expressions():
    frame = SessionContext().from_pydict({"u": ["http://a/", "b", None]})
    valid = functions.is_valid_uri(col("u"), lit("uri-reference")).alias("valid")
    assert frame.select(valid).to_pydict() == {"valid": [True, True, None]}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT is_valid_uri('a:b', 'url')", "url"),
        ("SELECT parse_url('http://a b/', 'HOST')", "is invalid"),
        ("SELECT is_valid_uri(7)", "is_valid_uri"),
        ("SELECT normalize_uri('a:b', 'every')", "every"),
    ],
)
def test_errors_are_exceptions(ctx, query, message):
    with pytest.raises(Exception, match=message):
        ctx.sql(query).to_pydict()


def test_every_answer_is_sparks(ctx):
    table = pq.read_table(ANSWERS)
    cases = [(part, f"'{part.upper()}'") for part in PARTS] + [("query_key", "'QUERY', key")]
    keys = {name.decode(): key.decode() for name, key in table.schema.metadata.items()}
    cases += [(name, f"'QUERY', '{keys[name]}'") for name in table.column_names if name in keys]
    assert len(cases) == 13
    ctx.register_parquet("answers", ANSWERS)
    for column, arguments in cases:
        query = f"SELECT count(*) AS n FROM answers WHERE try_parse_url(url, {arguments}) IS DISTINCT FROM {column}"
        assert ctx.sql(query).to_pydict() == {"n": [0]}, (column, arguments)
    assert len(cases) * len(table) == 148_148


def test_threads_share_the_functions(ctx):
    found = []

    def ask():
        found.append(value(urivalidate_datafusion.register(SessionContext()), "url_extract_host('http://a/')"))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["a"] * 4
