"""Compares the SQL functions in DuckDB with functions over arrays."""

import gc
import threading

import cases
import duckdb
import pyarrow as pa
import pytest
import urivalidate as uv
import urivalidate.duckdb

ROWS = pa.table({"id": range(len(cases.URIS)), "url": pa.array(cases.URIS), "base": [cases.BASE] * len(cases.URIS)})


@pytest.fixture(scope="module")
def connection():
    connection = duckdb.connect()
    urivalidate.duckdb.register(connection)
    connection.execute("CREATE TABLE urls AS FROM ROWS")
    yield connection
    connection.close()


def column(connection, expression, source="urls"):
    return [value for (value,) in connection.execute(f"SELECT {expression} FROM {source} ORDER BY id").fetchall()]


CALLS = [
    ("is_valid_uri(url)", "is_valid_uri", {}),
    ("is_valid_uri(url, 'java')", "is_valid_uri", {"grammar": "java"}),
    ("parse_uri(url, 'java')", "parse_uri", {"grammar": "java"}),
    ("uri_spans(url)", "uri_spans", {}),
    ("uri_spans(url, 'iri')", "uri_spans", {"grammar": "iri"}),
    ("uri_error(url)", "uri_error", {}),
    ("uri_error(url, 'rfc2396')", "uri_error", {"grammar": "rfc2396"}),
    ("try_parse_url(url, 'HOST')", "try_parse_url", {"part": "HOST"}),
    ("try_parse_url(url, 'QUERY', 'id')", "try_parse_url", {"part": "QUERY", "key": "id"}),
    ("normalize_uri(url)", "normalize_uri", {}),
    ("normalize_uri(url, 'scheme')", "normalize_uri", {"form": "scheme"}),
    ("normalize_uri(url, 'syntax', 'java')", "normalize_uri", {"grammar": "java"}),
    ("uri_surt(url)", "uri_surt", {}),
    ("uri_suffix(url)", "uri_suffix", {}),
    ("uri_suffix(url, true)", "uri_suffix", {"private": True}),
    ("uri_domain(url, false, 'java')", "uri_domain", {"grammar": "java"}),
    *((f"{name}(url, 'java')", name, {"grammar": "java"}) for name in cases.EXTRACTS),
    ("url_extract_port(url)", "url_extract_port", {}),
    ("host_in(url, '.bbc.co.uk')", "host_in", {"list": ".bbc.co.uk"}),
    ("url_extract_parameter(url, 'id')", "url_extract_parameter", {"name": "id"}),
    ("url_extract_parameter(url, 'q', 'java')", "url_extract_parameter", {"name": "q", "grammar": "java"}),
]


@pytest.mark.parametrize("expression, function, options", CALLS, ids=str)
def test_functions_say_what_arrays_say(connection, expression, function, options):
    expected = cases.expected(function, options)
    assert column(connection, expression) == expected
    assert column(connection, expression.replace("(url", "(encode(url)", 1)) == expected
    one = cases.expected(function, options, ["http://h/?id=1"])
    assert column(connection, expression.replace("(url", "('http://h/?id=1'", 1)) == one * ROWS.num_rows


def test_the_name_of_a_parameter_may_be_a_column(connection):
    rows = "(VALUES (1, 'http://h/?a=1&b=2', 'a'), (2, 'http://h/?a=1&b=2', 'b'), (3, 'http://h/?a=1', NULL)) AS t(id, url, name)"
    assert column(connection, "url_extract_parameter(url, name, 'uri')", rows) == ["1", "2", None]


def test_fields_of_all_grammars(connection):
    parsed = cases.expected("parse_uri", {})
    java = dict.fromkeys(["scheme_specific_part", "opaque", "authority_kind"])
    assert column(connection, "parse_uri(url)") == [row and {**row, **java} for row in parsed]
    assert column(connection, "parse_uri(url).host") == cases.expected("host", {})


def test_bases(connection):
    for name in ("resolve_uri", "relativize_uri"):
        expected = list(getattr(uv, name)(cases.BASE, pa.array(cases.URIS)))
        assert column(connection, f"{name}(base, url)") == expected
        assert column(connection, f"{name}('{cases.BASE}', url)") == expected
        assert column(connection, f"{name}(NULL, url)") == [None] * ROWS.num_rows
        java = list(getattr(uv, name)(cases.BASE, pa.array(cases.URIS), "java"))
        assert column(connection, f"{name}(base, url, 'java')") == java


def test_parts_in_a_column(connection):
    rows = "(VALUES (0, 'HOST', NULL), (1, 'QUERY', 'b'), (2, NULL, NULL), (3, 'PATH', NULL)) AS t(id, part, key)"
    url = "'http://h/p?a=1&b=2'"
    assert column(connection, f"parse_url({url}, part)", rows) == ["h", "a=1&b=2", None, "/p"]
    assert column(connection, f"parse_url({url}, 'QUERY', key)", rows) == [None, "2", None, None]


def test_many_rows(connection):
    query = "SELECT count(*), count(DISTINCT h) FROM (SELECT parse_uri('http://h' || i || '.example/').host AS h FROM range(300_000) AS t(i))"
    assert connection.sql(query).fetchall() == [(300_000, 300_000)]
    assert connection.sql("SELECT is_valid_uri(url) FROM urls WHERE false").fetchall() == []
    grouped = connection.sql("SELECT is_valid_uri(url) AS valid, count(*) FROM urls GROUP BY ALL ORDER BY ALL").fetchall()
    assert sum(count for _, count in grouped) == ROWS.num_rows and len(grouped) == 3


def test_null(connection):
    for call in ("is_valid_uri(NULL)", "parse_uri(NULL)", "uri_error(NULL)", "parse_url(NULL, 'HOST')", "uri_surt(NULL)"):
        assert connection.sql(f"SELECT {call}").fetchall() == [(None,)]


@pytest.mark.parametrize(
    "call, message",
    [
        ("is_valid_uri('a:b', 'url')", 'unknown grammar "url": expected one of uri'),
        ("is_valid_uri('a:b', NULL)", "expected one grammar for all rows"),
        ("is_valid_uri(1)", "got one of Int32"),
        ("is_valid_uri('a:b', 'uri', 1)", "is_valid_uri: expected 1 to 2 arguments, got 3"),
        ("uri_surt('a:b', 'uri')", "uri_surt: expected 1 argument, got 2"),
        ("parse_url('a:b')", "parse_url: expected 2 to 3 arguments, got 1"),
        ("parse_url('http://h/a b', 'HOST')", "the URL is invalid, a space must be written %20"),
        ("try_parse_url('a:b', 'QUERY', '(?=a)')", "only Java's regular expressions"),
        ("is_valid_uri(u, g) FROM (VALUES ('a:b', 'uri'), ('a:b', 'java')) AS t(u, g)", "expected one grammar for all rows"),
    ],
)
def test_errors(connection, call, message):
    with pytest.raises(duckdb.Error, match=message.replace("(", ".")):
        connection.sql(f"SELECT {call}").fetchall()
    # The connection still works.
    assert connection.sql("SELECT is_valid_uri('a:b')").fetchall() == [(True,)]


def test_reports(connection):
    """A report has the numbers that Python has for the same records, of a table and of its groups."""
    records = ["http://h/", "", None, "a b", "http://h/ ", "/a", "x:y"] * 10
    connection.execute("CREATE OR REPLACE TABLE reported (g INTEGER, u VARCHAR)")
    connection.executemany("INSERT INTO reported VALUES (?, ?)", [(row % 3, one) for row, one in enumerate(records)])
    for arguments, options in [("u", {}), ("u, 'java'", {"grammar": "java"}), ("CAST(u AS BLOB), 'uri'", {})]:
        found = connection.sql(f"SELECT uri_report({arguments}) FROM reported").fetchall()
        assert found == [(uv.uri_report(records, **options),)]
    groups = connection.sql("SELECT g, uri_report(u) FROM reported GROUP BY g ORDER BY g").fetchall()
    assert groups == [(g, uv.uri_report(records[g::3])) for g in range(3)]
    assert connection.sql("SELECT uri_report(u) FROM reported WHERE false").fetchall() == [(uv.uri_report([]),)]
    with pytest.raises(duckdb.Error, match="no such grammar"):
        connection.sql("SELECT uri_report(u, 'no such grammar') FROM reported").fetchall()
    assert connection.sql("SELECT uri_suffix_list_date()").fetchall() == [(uv.PUBLIC_SUFFIX_LIST_DATE,)]
    with connection.cursor() as cursor:
        with pytest.raises(duckdb.CatalogException):
            cursor.sql("SELECT uri_report('a:b')")
        urivalidate.duckdb.register(cursor)
        assert cursor.sql("SELECT uri_report('a:b').valid").fetchall() == [(1,)]


def test_each_row_is_judged_once(connection):
    (report,) = connection.sql("SELECT uri_report(CASE WHEN random() < 0.5 THEN 'http://h/' ELSE 'a b' END) FROM range(1000)").fetchall()[0]
    assert report["records"] == report["valid"] + report["invalid"] == 1000
    assert report["errors"] == {"missing-scheme": report["invalid"]}
    (report,) = connection.sql("SELECT uri_report(chr(769) COLLATE noaccent)").fetchall()[0]
    assert report["empty"] == 0


def test_a_grammar_for_each_group(connection):
    source = "(SELECT i, i // 3000 AS g, CASE WHEN i < 3000 THEN 'iri' ELSE 'uri' END AS grammar FROM range(6000) AS t(i))"
    found = connection.sql(f"SELECT g, uri_report('http://é/', grammar).valid FROM {source} GROUP BY g ORDER BY g")
    assert found.fetchall() == [(0, 3000), (1, 0)]
    for grammar, message in [("grammar", "expected one grammar for all rows of a report"), ("NULL", "the grammar is NULL")]:
        with pytest.raises(duckdb.Error, match=message):
            connection.sql(f"SELECT uri_report('http://é/', {grammar}) FROM {source}").fetchall()


def test_functions_of_these_names_elsewhere():
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA s")
        for place in ["s.uri_report", "s.uri_suffix_list_date", "s.is_valid_uri", "uri_report"]:
            connection.execute(f"CREATE MACRO {place}(x) AS 1")
        urivalidate.duckdb.register(connection)
        assert connection.sql("SELECT uri_report('a:b').valid, uri_suffix_list_date(), is_valid_uri('a')").fetchall() == [
            (1, uv.PUBLIC_SUFFIX_LIST_DATE, False)
        ]


def test_functions_outlive_the_cursor_that_registered_them():
    with duckdb.connect() as connection:
        with connection.cursor() as cursor:
            urivalidate.duckdb.register(cursor)
        del cursor
        gc.collect()
        assert connection.sql("SELECT is_valid_uri('a:b'), uri_domain('http://a.example/')").fetchall() == [(True, "a.example")]


def test_threads_register_at_the_same_time():
    with duckdb.connect() as connection:
        failures = []

        def run():
            try:
                with connection.cursor() as cursor:
                    urivalidate.duckdb.register(cursor)
                    assert cursor.sql("SELECT uri_report('a:b').valid").fetchall() == [(1,)]
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures


def test_macros_are_not_in_the_file_of_a_database(tmp_path):
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as connection:
        urivalidate.duckdb.register(connection)
        assert connection.sql("SELECT uri_report('a:b').valid").fetchall() == [(1,)]
    with duckdb.connect(path, read_only=True) as connection:
        with pytest.raises(duckdb.CatalogException):
            connection.sql("SELECT uri_report('a:b')")
        urivalidate.duckdb.register(connection)
        assert connection.sql("SELECT uri_report('a:b').valid").fetchall() == [(1,)]


def test_registering_again_and_elsewhere(connection):
    urivalidate.duckdb.register(connection)
    with connection.cursor() as cursor:
        assert cursor.sql("SELECT uri_surt('http://www.h.example/')").fetchall() == [("example,h)/",)]
    with duckdb.connect() as other:
        with pytest.raises(duckdb.CatalogException):
            other.sql("SELECT is_valid_uri('a:b')")
        urivalidate.duckdb.register(other)
        assert other.sql("SELECT is_valid_uri('a:b')").fetchall() == [(True,)]
