"""Compares uri_report with sums over the errors of rows."""

import threading

import duckdb
import pytest
from conftest import HAS_REPORTS, connect
from test_vectors import strings

# The same numbers, from the scalar functions.
EXPECTED = """{{
    'records': count(u),
    'valid': count(*) FILTER (is_valid_uri(u{grammar})),
    'invalid': count(*) FILTER (NOT is_valid_uri(u{grammar})),
    'empty': count(*) FILTER (u = ''),
    'nulls': count(*) FILTER (u IS NULL),
    'errors': coalesce(histogram(uri_error(u{grammar}).kind), MAP {{}}),
}}"""
COUNT = 200_000


needs_reports = pytest.mark.skipif(not HAS_REPORTS, reason="DuckDB 2.0 and later have the function")


@pytest.fixture(scope="module")
def table():
    with connect() as con:
        some = strings(7, 4000)
        con.execute("CREATE TABLE pool AS SELECT unnest(range(4000)) AS id, unnest(?::VARCHAR[]) AS u", [some])
        con.execute(f"CREATE TABLE t AS SELECT n, u FROM range({COUNT}) AS r(n) JOIN pool ON id = n * 7919 % 4000")
        yield con


def rows(con, sql):
    return con.execute(sql).fetchall()


@needs_reports
@pytest.mark.parametrize("grammar", ["", ", 'java'", ", 'uri-reference'"])
@pytest.mark.parametrize("by", ["n % 2", "n % 1000", "n % 50000", "n", "n < 0"])
def test_groups(table, grammar, by):
    """Few groups, and so many that DuckDB divides them among its threads."""
    expected = EXPECTED.format(grammar=grammar)
    sql = "SELECT g, {report} FROM (SELECT {by} AS g, u FROM t) GROUP BY g ORDER BY g"
    found = rows(table, sql.format(report=f"uri_report(u{grammar})", by=by))
    assert found == rows(table, sql.format(report=expected, by=by))
    assert len(found) in (1, 2, 1000, 50000, COUNT)


@needs_reports
def test_the_whole_table(table):
    (((report),),) = rows(table, "SELECT uri_report(u) FROM t")
    assert report["records"] + report["nulls"] == COUNT
    assert report["valid"] > 10_000 and report["invalid"] == sum(report["errors"].values()) > 10_000
    assert list(report["errors"]) == sorted(report["errors"])
    assert rows(table, f"SELECT {EXPECTED.format(grammar='')} FROM t") == [(report,)]
    assert rows(table, "SELECT uri_report(encode(u)) FROM t") == [(report,)]


@needs_reports
def test_no_rows(table):
    none = {"records": 0, "valid": 0, "invalid": 0, "empty": 0, "nulls": 0, "errors": {}}
    assert rows(table, "SELECT uri_report(u) FROM t WHERE n < 0") == [(none,)]
    assert rows(table, "SELECT uri_report(u) FILTER (n < 0) FROM t") == [(none,)]
    assert rows(table, "SELECT uri_report(NULL::VARCHAR)") == [({**none, "nulls": 1},)]
    assert rows(table, "SELECT n, uri_report(u) FROM t WHERE n < 0 GROUP BY n") == []


@needs_reports
def test_distinct_and_filters(table):
    expected = rows(table, "SELECT uri_report(u) FROM (SELECT DISTINCT u FROM t)")
    assert rows(table, "SELECT uri_report(DISTINCT u) FROM t") == expected
    expected = rows(table, "SELECT uri_report(u) FROM t WHERE n % 3 = 0")
    assert rows(table, "SELECT uri_report(u) FILTER (n % 3 = 0) FROM t") == expected


@needs_reports
def test_windows(table):
    """DuckDB keeps reports of parts of a window, and adds them up again and again."""
    for frame in ["", "PARTITION BY n < 4000", "ORDER BY n ROWS 100 PRECEDING", "ORDER BY n", "PARTITION BY n % 7", "ORDER BY n ROWS BETWEEN 1 FOLLOWING AND 9 FOLLOWING"]:
        of_frame = f"OVER ({frame})"
        valid = "count(u) FILTER (is_valid_uri(u))"
        kinds = "count(u) FILTER (uri_error(u).kind = 'missing-scheme')"
        found = f"SELECT r.records, r.valid, coalesce(r.errors['missing-scheme'], 0) FROM (SELECT n, uri_report(u) {of_frame} AS r FROM t WHERE n < 5000) ORDER BY n"
        expected = f"SELECT count(u) {of_frame}, {valid} {of_frame}, {kinds} {of_frame} FROM t WHERE n < 5000 ORDER BY n"
        assert rows(table, found) == rows(table, expected), frame


@needs_reports
def test_several_threads(table):
    expected = rows(table, "SELECT n % 100 AS g, uri_report(u) FROM t GROUP BY g ORDER BY g")
    found = []

    def run():
        with table.cursor() as cursor:
            found.append(rows(cursor, "SELECT n % 100 AS g, uri_report(u) FROM t GROUP BY g ORDER BY g"))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@needs_reports
@pytest.mark.parametrize(
    "call, message",
    [
        ("uri_report(u, 'no such')", 'unknown grammar "no such": expected one of uri, '),
        ("uri_report(u, NULL)", "the grammar is NULL"),
        ("uri_report(u, if(n % 2 = 0, 'uri', 'java'))", "expected one grammar for all rows of a report"),
        ("uri_report(n)", "uri_report"),
    ],
)
def test_errors(table, call, message):
    with pytest.raises(duckdb.Error, match=message):
        rows(table, f"SELECT {call} FROM t")
    assert rows(table, "SELECT uri_report('a:b').valid") == [(1,)]


@needs_reports
def test_a_grammar_for_each_group(table):
    found = rows(table, "SELECT g, uri_report(u, g) FROM t, (VALUES ('java'), ('uri')) AS of(g) GROUP BY g ORDER BY g")
    expected = rows(table, "SELECT 'java', uri_report(u, 'java') FROM t UNION ALL SELECT 'uri', uri_report(u) FROM t ORDER BY 1")
    assert found == expected


@needs_reports
def test_reports_in_little_memory(table):
    """DuckDB writes groups to the disk if they need too much memory. States hold pointers, so it must not lose
    any, and this must not end in a crash."""
    with connect() as con:
        con.execute("SET memory_limit = '400MB'")
        con.execute("SET threads = 2")
        count = "SELECT sum(r.records) FROM (SELECT uri_report('http://h/' || n) AS r FROM range(1000000) AS t(n) GROUP BY n % 300000)"
        assert rows(con, count) == [(1_000_000,)]


def test_the_date_of_the_suffix_list(table, root):
    (source,) = [line for line in (root / "src" / "domains.rs").read_text().splitlines() if "PUBLIC_SUFFIX_LIST_DATE: &str" in line]
    date = source.split('"')[1]
    assert rows(table, "SELECT uri_suffix_list_date()") == [(date,)]
    assert rows(table, "SELECT DISTINCT uri_suffix_list_date() FROM t") == [(date,)]


def test_where_it_would_crash_it_does_not_exist(table):
    if HAS_REPORTS:
        assert rows(table, "SELECT uri_report(u) OVER () FROM t")
    else:
        with pytest.raises(duckdb.CatalogException, match="uri_report"):
            rows(table, "SELECT uri_report(u) FROM t")
