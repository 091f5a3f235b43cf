"""Tests vectors of every kind and any length, and calls from several threads."""

import os
import random
import threading

import pytest
from conftest import connect

COMPONENTS = ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment"]


def strings(seed, count):
    """URIs with components of 0 to 30 bytes, strings that are not URIs, and NULLs."""
    rng = random.Random(seed)

    def part(letters):
        return "".join(rng.choices(letters, k=rng.choice([0, 1, 3, 4, 5, 11, 12, 13, 16, 17, 30])))

    def one():
        kind = rng.random()
        if kind < 0.1:
            return None
        if kind < 0.2:
            return part("a:/?#[]@ é%\0\t")
        uri = rng.choice(["http", "a", "x-scheme-of-many-letters"]) + ":"
        if rng.random() < 0.8:
            uri += "//" + rng.choice(["", part("user:") + "@"]) + rng.choice([part("host."), "[::1]", "192.0.2.1"])
            uri += rng.choice(["", ":", ":80", ":123456789012345678901234"])
            uri += rng.choice(["", "/" + part("path/")])
        else:
            uri += part("opaque")
        return uri + rng.choice(["", "?" + part("query&=")]) + rng.choice(["", "#" + part("fragment")])

    return [one() for _ in range(count)]


@pytest.fixture
def table(con):
    con.execute("CREATE TABLE t AS SELECT unnest(range(6000)) AS id, unnest(?::VARCHAR[]) AS u", [strings(1, 6000)])
    return con


def value(con, sql, parameters=()):
    return con.execute(sql, parameters).fetchone()[0]


def test_functions_agree_with_each_other(table):
    for grammar in ["uri", "java", "iri-reference", "request-target"]:
        table.execute(f"CREATE OR REPLACE TABLE parsed AS SELECT u, parse_uri(u, '{grammar}') AS p, uri_spans(u, '{grammar}') AS s FROM t")
        assert value(table, "SELECT count(p) FROM parsed WHERE p.valid") > 100
        differing = [f"p.valid IS DISTINCT FROM is_valid_uri(u, '{grammar}')", "s.valid IS DISTINCT FROM p.valid"]
        differing += [f"(uri_error(u, '{grammar}') IS NULL) IS DISTINCT FROM (u IS NULL OR p.valid)"]
        for component in COMPONENTS:
            # Positions count bytes, so this cuts the text out of its bytes.
            of_spans = f"hex(encode(u))[s.{component}_start * 2 + 1 : s.{component}_end * 2]"
            differing.append(f"hex(encode(p.{component})) IS DISTINCT FROM {of_spans}")
            if component not in ("authority", "userinfo", "port"):
                name = "protocol" if component == "scheme" else component
                differing.append(f"p.{component} IS DISTINCT FROM url_extract_{name}(u, '{grammar}')")
        for condition in differing:
            assert value(table, f"SELECT count(*) FROM parsed WHERE {condition}") == 0, (grammar, condition)


EXPRESSIONS = [
    "is_valid_uri(u)",
    "parse_uri(u)",
    "parse_uri(u, 'java')",
    "uri_spans(u)",
    "uri_error(u)",
    "url_extract_path(u)",
    "url_extract_port(u)",
    "normalize_uri(u)",
    "resolve_uri('http://example.com/a/b', u)",
    "relativize_uri('http://host/', u)",
    "suggest_uri(u)",
    "uri_host(u, 'uri', 'http')",
    "uri_host_reversed(u)",
    "uri_surt(u)",
    "uri_domain(u)",
    "url_extract_query_names(u)",
    "url_parameters(u)",
    "url_parameters_all(u)",
    "try_parse_url(u, 'FILE')",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_column_is_its_rows(table, expression):
    """A vector of 2,048 rows has the same results as vectors of one row. A parameter makes a constant vector."""
    column = table.execute(f"SELECT u, {expression} FROM t ORDER BY id").fetchall()
    for string, result in random.Random(2).sample(column, 150):
        assert value(table, f"SELECT {expression} FROM (SELECT ?::VARCHAR AS u)", [string]) == result, string


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 2047, 2048, 2049, 5000])
def test_any_number_of_rows(con, rows):
    """The last row differs from the others, so the test finds a missing or an extra row."""
    con.execute(f"CREATE TABLE t AS SELECT CASE WHEN i % 3 = 0 THEN NULL WHEN i = {rows} - 1 THEN 'x y' ELSE 'http://a-host-that-is-long/' || i END AS u FROM range({rows}) AS r(i)")
    found = con.execute("SELECT count(*), count(parse_uri(u)), count(*) FILTER (is_valid_uri(u)), count(url_extract_host(u)), count(DISTINCT url_extract_path(u)), count(uri_error(u)) FROM t").fetchone()
    nulls = (rows + 2) // 3
    bad = 1 if rows > 0 and (rows - 1) % 3 != 0 else 0
    valid = rows - nulls - bad
    assert found == (rows, rows - nulls, valid, valid, valid, bad)


def test_nulls_of_one_vector_are_none_of_the_next(con):
    """DuckDB reuses the memory of a vector, including its mask."""
    con.execute("SET threads = 1")
    con.execute("CREATE TABLE t AS SELECT i, CASE WHEN i < 10000 THEN 'x y' WHEN i >= 20000 THEN 'http://a-host-that-is-long/p?q' END AS u FROM range(40000) AS r(i)")
    for order in ["i", "-i"]:
        con.execute(f"CREATE OR REPLACE TABLE ordered AS FROM t ORDER BY {order}")
        counts = "SELECT count(parse_uri(u).host), count(url_extract_host(u)), count(url_extract_port(u)), count(parse_uri(u)), count(uri_error(u)), count(is_valid_uri(u)) FROM ordered"
        assert con.execute(counts).fetchone() == (20000, 20000, 0, 30000, 10000, 30000)


@pytest.mark.parametrize("compression", ["dictionary", "fsst", "uncompressed"])
def test_compressed_columns(tmp_path, compression):
    """DuckDB reads compressed columns as dictionary vectors, or as strings that it decodes."""
    with connect(str(tmp_path / "test.db")) as con:
        con.execute(f"PRAGMA force_compression = '{compression}'")
        con.execute("CREATE TABLE t AS SELECT i, CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 'not valid' ELSE 'http://host-number-' || (i % 7) || '/path' END AS u FROM range(300000) AS r(i)")
        con.execute("CHECKPOINT")
        rows = con.execute("SELECT u, is_valid_uri(u), parse_uri(u).host, try_parse_url(u, 'PATH'), count(*) FROM t GROUP BY ALL ORDER BY u NULLS FIRST").fetchall()
        assert [row[:4] for row in rows] == [(None, None, None, None)] + [
            (f"http://host-number-{n}/path", True, f"host-number-{n}", "/path") for n in range(2, 7)
        ] + [("not valid", False, None, None)]
        # The dictionary has values that no remaining row uses. They must not cause an error.
        assert value(con, "SELECT count(parse_url(u, 'HOST')) FROM (SELECT u FROM t WHERE i % 7 > 1)") == sum(i % 7 > 1 for i in range(300000))


def test_dictionary_vectors(con):
    """A join repeats rows with a dictionary, and a cross product with constants."""
    con.execute("CREATE TABLE u AS SELECT i, CASE WHEN i = 0 THEN 'x y' ELSE 'http://the-host-number-' || i || '/' END AS u FROM range(5) AS r(i)")
    con.execute("CREATE TABLE many AS SELECT i % 5 AS i, i AS n FROM range(20000) AS r(i)")
    rows = con.execute("SELECT u.i, is_valid_uri(u), url_extract_host(u), count(*) FROM many JOIN u USING (i) GROUP BY ALL ORDER BY 1").fetchall()
    assert rows == [(0, False, None, 4000)] + [(i, True, f"the-host-number-{i}", 4000) for i in range(1, 5)]
    assert value(con, "SELECT count(url_extract_host(u)) FROM many, u") == 80000
    assert value(con, "SELECT count(parse_url(u, 'HOST')) FROM many JOIN u USING (i) WHERE i > 0") == 16000


def test_many_threads(table):
    table.execute("CREATE TABLE big AS SELECT u FROM t, range(100)")
    table.execute("SET threads = 8")
    query = "SELECT count(*) FILTER (is_valid_uri(u)), sum(strlen(url_extract_path(u))), count(DISTINCT parse_uri(u, 'java')) FROM big"
    expected, found = table.execute(query).fetchone(), []

    def work():
        with table.cursor() as cursor:
            found.append(cursor.execute(query).fetchone())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_results_outlive_their_query(table):
    """Tables, sorts, lists and aggregates keep results after DuckDB has freed the vectors of the query."""
    table.execute("CREATE TABLE parts AS SELECT id, parse_uri(u) AS p, url_extract_path(u) AS path FROM t")
    table.execute("DROP TABLE t")
    assert value(table, "SELECT count(*) FROM parts WHERE p.path IS DISTINCT FROM path") == 0
    assert value(table, "SELECT max(len(l)) FROM (SELECT list(p.host ORDER BY path) AS l FROM parts)") == 6000
    assert value(table, "SELECT count(*) FROM (SELECT p FROM parts ORDER BY p.query, p.host, id)") == 6000


def test_long_strings(con):
    for size in [100_000, 5_000_000]:
        found = con.execute("SELECT is_valid_uri(u), strlen(url_extract_path(u)), strlen(normalize_uri(u)), strlen(parse_uri(u).path) FROM (SELECT 'http://h/' || repeat('a', ?) AS u)", [size]).fetchone()
        assert found == (True, size + 1, size + 9, size + 1)
    # The extension does not pass this number of bytes to DuckDB at once.
    lengths = con.execute("SELECT strlen(url_extract_path(u)), url_extract_path(u)[-12:] FROM (SELECT 'http://h/' || repeat('a', 4_000_000) || lpad(i::VARCHAR, 12, '-') AS u FROM range(20) AS r(i))").fetchall()
    assert lengths == [(4_000_013, str(i).rjust(12, "-")) for i in range(20)]


def test_databases_and_connections_of_their_own(tmp_path):
    """Each database loads the library again. A closed database may be opened again."""
    for name in ["one.db", "two.db", "one.db"]:
        with connect(str(tmp_path / name)) as con, connect() as other:
            assert value(con, "SELECT is_valid_uri('a:')") and value(other, "SELECT is_valid_uri('a:')")
            con.execute(f"LOAD '{os.environ['EXTENSION']}'")
            assert value(con, "SELECT url_extract_host('http://h')") == "h"


def test_parameters_are_lists_and_maps(con):
    """The numbers of items differ between rows, and the vectors of a query between chunks."""
    con.execute("CREATE TABLE t AS SELECT i, CASE WHEN i % 7 = 0 THEN NULL ELSE 'http://h/?' || coalesce(array_to_string(list_transform(range(i % 5), lambda n: 'k' || n % 3 || '=a-value-that-is-long-' || i), '&'), '') END AS u FROM range(5000) AS r(i)")
    rows = con.execute("SELECT i, url_extract_query_names(u), url_parameters(u), url_parameters_all(u) FROM t ORDER BY i").fetchall()
    for i, names, first, all_values in rows:
        if i % 7 == 0:
            assert (names, first, all_values) == (None, None, None)
            continue
        value, expected = f"a-value-that-is-long-{i}", [f"k{n % 3}" for n in range(i % 5)]
        assert names == expected
        assert first == {name: value for name in expected}
        assert all_values == {name: [value] * expected.count(name) for name in expected}
    assert con.execute("SELECT url_parameters('http://h/?a=1&b=x%26y+z&a=2')['b']").fetchall() == [("x&y z",)]
    assert con.execute("SELECT count(*) FROM t WHERE url_parameters_all(u)['k1'][1] IS NOT NULL").fetchone()[0] > 0
