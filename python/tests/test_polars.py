"""Compares the namespace of polars with functions over arrays."""

import cases
import polars as pl
import pytest
import urivalidate as uv
from urivalidate.polars import Uri

FRAME = pl.DataFrame({"id": range(len(cases.URIS)), "url": cases.URIS})
ENGINES = ["in-memory", "streaming"]
TYPES = [pl.String, pl.Binary, pl.Categorical]


def is_same(series, expected, name="url"):
    if isinstance(series.dtype, getattr(pl, "Map", ())):
        expected = [row and dict(row) for row in expected]
    assert series.to_list() == expected
    assert series.name == name


@pytest.mark.parametrize("data_type", TYPES, ids=str)
@pytest.mark.parametrize("method, options, function, _", cases.CALLS, ids=str)
def test_expressions_say_what_arrays_say(method, options, function, _, data_type):
    frame = FRAME.with_columns(pl.col("url").cast(data_type))
    expected = cases.expected(function, options)
    expression = getattr(pl.col("url").uri, method)(**options)
    result = frame.select(expression)
    is_same(result["url"], expected)
    query = frame.lazy().select(expression)
    # The schema is the same before the query runs, and for a frame without rows.
    assert query.collect_schema() == result.schema == frame.head(0).select(expression).schema
    for engine in ENGINES:
        is_same(query.collect(engine=engine)["url"], expected)
    is_same(getattr(frame["url"].uri, method)(**options), expected)
    is_same(getattr(Uri(frame["url"]), method)(**options), expected)


@pytest.mark.parametrize("method", ["resolve", "relativize"])
def test_bases(method):
    function = {"resolve": uv.resolve_uri, "relativize": uv.relativize_uri}[method]
    expected = list(function(cases.BASE, FRAME["url"]))
    assert "http://base.example/c?d" in expected or method == "relativize"
    frame = FRAME.with_columns(base=pl.lit(cases.BASE))
    call = getattr(pl.col("url").uri, method)
    for base in (cases.BASE, cases.BASE.encode(), pl.col("base"), pl.lit(cases.BASE), pl.Series([cases.BASE] * len(FRAME))):
        query = frame.lazy().select(call(base))
        assert query.collect_schema() == {"url": pl.String}
        for engine in ENGINES:
            is_same(query.collect(engine=engine)["url"], expected)
    is_same(getattr(frame["url"].uri, method)(frame["base"]), expected)
    is_same(getattr(frame["url"].uri, method)(cases.BASE), expected)
    # polars repeats one record for all bases.
    one = frame.select(getattr(pl.lit("a").uri, method)(pl.col("base")))
    assert one.to_series().to_list() == list(function(cases.BASE, pl.Series(["a"]))) * len(FRAME)
    nothing = pl.lit(None, pl.String)
    assert frame.select(call(nothing))["url"].to_list() == [None] * len(FRAME)


def test_many_rows_in_a_streaming_query():
    urls = [f"http://h{i}.example/{i}?q={i}" for i in range(300_000)]
    frame = pl.LazyFrame({"url": urls}).with_columns(pl.col("url").uri.parse(fields=["host", "query"])).unnest("url")
    found = frame.filter(pl.col("query").str.ends_with("7")).select("host").collect(engine="streaming")
    assert found["host"].to_list() == [f"h{i}.example" for i in range(300_000) if i % 10 == 7]


def test_in_a_query():
    grouped = FRAME.group_by(pl.col("url").uri.scheme().alias("scheme")).len().sort("scheme", nulls_last=True)
    assert ("mailto", 1) in grouped.rows()
    whole = FRAME.select(pl.all().exclude("id").uri.is_valid().name.suffix("_valid"))
    assert whole.columns == ["url_valid"]
    assert FRAME.filter(pl.col("url").uri.is_valid()).height == sum(filter(None, cases.expected("is_valid_uri", {})))
    over = FRAME.select(pl.col("url").uri.is_valid().sum().over("id"))
    assert over.height == FRAME.height


def test_null_without_a_type():
    assert pl.select(pl.lit(None).uri.host()).item() is None
    assert pl.Series([None, None]).uri.is_valid().to_list() == [None, None]
    assert list(uv.is_valid_uri(pl.Series([None, None]))) == [None, None]


def test_names_are_kept_by_functions():
    series = FRAME["url"]
    for column in (uv.is_valid_uri(series), uv.parse_uri(series), uv.uri_surt(series), uv.resolve_uri("a:b", series)):
        assert column.name == pl.Series(column).name == "url"
    assert uv.is_valid_uri(FRAME.select("url")).name == "url"


def test_wrong_arguments_are_refused_before_a_query_runs():
    urls = pl.col("url").uri
    with pytest.raises(ValueError, match="expected one of uri"):
        urls.is_valid(grammar="url")
    with pytest.raises(ValueError, match='unknown field "hots"'):
        urls.parse(fields=["hots"])
    with pytest.raises(TypeError, match="expected a list of names"):
        urls.parse(fields="host")
    with pytest.raises(ValueError, match="only Java's regular expressions"):
        urls.parse_url("QUERY", "(?=a)")
    with pytest.raises(TypeError, match="expected the base as a str, bytes or an expression, got int"):
        urls.resolve(1)
    with pytest.raises(TypeError, match="expected the base as a str, bytes or a Series, got Expr"):
        FRAME["url"].uri.resolve(pl.col("url"))


def test_errors_of_a_query():
    frame = pl.DataFrame({"url": ["http://h/", "http://h/a b"], "n": [1, 2]})
    for engine in ENGINES:
        with pytest.raises(uv.InvalidURI, match='^the URL is invalid, a space must be written %20 .at byte 10.: "http://h/a b"'):
            frame.lazy().select(pl.col("url").uri.parse_url("HOST")).collect(engine=engine)
    with pytest.raises(TypeError, match="got one of Int64"):
        frame.select(pl.col("n").uri.host())
    assert frame.head(1).select(pl.col("url").uri.parse_url("HOST")).item() == "h"
