"""Compares `try_parse_url` with the answers of Spark, which `scripts/spark-answers` recorded.

If these tests are not in a checkout, the variable SPARK_ANSWERS is the path of the answers.
"""

import os
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
import urivalidate as uv
import urivalidate.duckdb
import urivalidate.pandas
import urivalidate.polars

PARTS = ["protocol", "authority", "userinfo", "host", "path", "query", "ref", "file"]
ANSWERS = os.environ.get("SPARK_ANSWERS") or Path(__file__).parents[2] / "datafusion/tests/spark-answers.parquet"


@pytest.fixture(scope="module")
def answers():
    return pyarrow.parquet.read_table(ANSWERS)


def calls(answers):
    """Each column of answers for one part and one key, with the part and the key. One more column has a
    different key in each row."""
    keys = {name.decode(): key.decode() for name, key in answers.schema.metadata.items()}
    found = [(part, part.upper(), None) for part in PARTS]
    found += [(name, "QUERY", keys[name]) for name in answers.column_names if name in keys]
    assert len(found) == 12
    return found


def arrays(urls):
    for data_type in (pa.string(), pa.large_string(), pa.string_view(), pa.binary_view()):
        yield lambda part, key: uv.try_parse_url(urls.cast(data_type), part, key).to_pylist()


def polars_columns(urls):
    frame = pl.DataFrame({"url": pl.Series(urls)})
    query = lambda part, key: frame.lazy().select(pl.col("url").uri.try_parse_url(part, key))
    yield lambda part, key: frame["url"].uri.try_parse_url(part, key).to_list()
    yield lambda part, key: query(part, key).collect()["url"].to_list()
    yield lambda part, key: query(part, key).collect(engine="streaming")["url"].to_list()


def pandas_columns(urls):
    for dtype in (pd.ArrowDtype(pa.string()), object, "string[python]"):
        series = pd.Series(urls.to_pylist(), dtype=dtype)
        yield lambda part, key: pa.array(series.uri.try_parse_url(part, key)).to_pylist()


def duckdb_columns(urls):
    with duckdb.connect() as connection:
        urivalidate.duckdb.register(connection)
        connection.register("urls", pa.table({"url": urls}))

        def ask(part, key):
            arguments = f"'{part}'" if key is None else f"'{part}', '{key}'"
            rows = connection.sql(f"SELECT try_parse_url(url, {arguments}) FROM urls").fetchall()
            return [answer for (answer,) in rows]

        yield ask


@pytest.mark.parametrize("columns", [arrays, polars_columns, pandas_columns, duckdb_columns], ids=lambda columns: columns.__name__)
def test_every_answer_is_sparks(answers, columns):
    total = 0
    for ask in columns(answers["url"]):
        for column, part, key in calls(answers):
            expected = answers[column].to_pylist()
            found = ask(part, key)
            assert len(found) == len(expected)
            differing = [(url, mine, sparks) for url, mine, sparks in zip(answers["url"].to_pylist(), found, expected) if mine != sparks]
            assert differing[:3] == [], (column, len(differing))
            total += len(found)
    assert total > 100_000


def test_keys_of_their_own(answers):
    """Each row has its own key. In SQL the keys are a column; elsewhere the test makes a call for each key."""
    expected = answers["query_key"].to_pylist()
    with duckdb.connect() as connection:
        urivalidate.duckdb.register(connection)
        connection.register("answers", answers)
        rows = connection.sql("SELECT try_parse_url(url, 'QUERY', key), query_key FROM answers").fetchall()
        assert len(rows) == len(expected) and all(mine == sparks for mine, sparks in rows)
    frame = pl.DataFrame({name: pl.Series(answers[name]) for name in ("url", "key", "query_key")})
    parts = frame.partition_by("key", as_dict=True)
    assert len(parts) > 50
    for (key,), part in parts.items():
        assert part["url"].uri.try_parse_url("QUERY", key).to_list() == part["query_key"].to_list()
    table = pd.DataFrame({name: answers[name].to_pandas() for name in ("url", "key", "query_key")})
    for key, part in table.groupby("key"):
        found = pa.array(part["url"].uri.try_parse_url("QUERY", key)).to_pylist()
        assert found == pa.array(part["query_key"], pa.string(), from_pandas=True).to_pylist()


def test_what_spark_refuses_is_an_error(answers):
    refused = [url for url, path, protocol in zip(*(answers[name].to_pylist() for name in ("url", "path", "protocol"))) if path is protocol is None]
    assert len(refused) > 1000
    for url in refused[:: len(refused) // 100]:
        with pytest.raises(uv.InvalidURI):
            pl.select(pl.lit(url).uri.parse_url("HOST"))
        with pytest.raises(uv.InvalidURI):
            pd.Series([url]).uri.parse_url("HOST")
