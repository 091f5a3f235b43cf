"""Compares parse_url and try_parse_url with the answers of Spark, which scripts/spark-answers recorded."""

import duckdb
import pytest

PARTS = ["protocol", "authority", "userinfo", "host", "path", "query", "ref", "file"]


@pytest.fixture
def answers(con, root):
    """Creates the table `answers`, and returns its columns, each with the arguments after the URL."""
    file = root / "datafusion" / "tests" / "spark-answers.parquet"
    con.execute(f"CREATE TABLE answers AS FROM read_parquet('{file}')")
    keys = con.execute(f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{file}')").fetchall()
    columns = [row[0] for row in con.execute("DESCRIBE answers").fetchall()]
    cases = {part: f"'{part.upper()}'" for part in PARTS} | {"query_key": "'QUERY', key"}
    cases |= {name: f"'QUERY', '{key}'" for name, key in keys if name in columns}
    assert len(cases) == 13
    return cases


def count(con, query):
    return con.execute(query).fetchone()[0]


@pytest.mark.parametrize("url", ["url", "encode(url)"])
def test_every_answer_is_sparks(con, answers, url):
    total = 0
    for column, arguments in answers.items():
        differing = f"try_parse_url({url}, {arguments}) IS DISTINCT FROM {column}"
        assert count(con, f"SELECT count(*) FROM answers WHERE {differing}") == 0, differing
        total += count(con, "SELECT count(*) FROM answers")
    assert total == 148_148
    print(f"{total} answers of Spark, 0 differences")


def test_parts_in_a_column(con, answers):
    rows = " UNION ALL ".join(f"SELECT url, upper('{part}') AS part, {part} AS answer FROM answers" for part in PARTS)
    # Without this order, all rows of a vector would have the same part.
    con.execute(f"CREATE TABLE mixed AS FROM ({rows}) ORDER BY hash(url), part")
    assert count(con, "SELECT count(*) FROM mixed WHERE try_parse_url(url, part) IS DISTINCT FROM answer") == 0


def test_what_spark_refuses_is_an_error(con, answers):
    con.execute("CREATE TABLE refused AS SELECT url FROM answers WHERE path IS NULL AND protocol IS NULL AND url IS NOT NULL")
    con.execute("CREATE TABLE taken AS SELECT * FROM answers WHERE path IS NOT NULL OR protocol IS NOT NULL")
    for column, arguments in [("host", "'HOST'"), ("file", "'FILE'"), ("query_key", "'QUERY', key")]:
        assert count(con, f"SELECT count(*) FROM taken WHERE parse_url(url, {arguments}) IS DISTINCT FROM {column}") == 0
    urls = [url for (url,) in con.execute("SELECT url FROM refused").fetchall()]
    assert len(urls) > 1000
    assert count(con, "SELECT count(*) FROM refused WHERE is_valid_uri(url, 'java')") == 0
    for url in urls[:: len(urls) // 100]:
        with pytest.raises(duckdb.InvalidInputException, match="the URL is invalid"):
            con.execute("SELECT parse_url(?, 'HOST')", [url])
