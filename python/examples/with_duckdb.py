"""DuckDB: functions of SQL, and a scan as a table."""

import io

import duckdb
import pyarrow as pa
import urivalidate as uv
from duckdb.sqltypes import BOOLEAN, VARCHAR

connection = duckdb.connect()
COMPONENTS = duckdb.struct_type({"scheme": VARCHAR, "host": VARCHAR, "port": VARCHAR, "path": VARCHAR, "query": VARCHAR})


def is_valid_uri(urls):
    return pa.chunked_array(uv.is_valid_uri(urls))


def parse_uri(urls):
    return pa.chunked_array(uv.parse_uri(urls, fields=["scheme", "host", "port", "path", "query"]))


# "special": NULL goes in as well, and comes out.
connection.create_function("is_valid_uri", is_valid_uri, [VARCHAR], BOOLEAN, type="arrow", null_handling="special")
connection.create_function("parse_uri", parse_uri, [VARCHAR], COMPONENTS, type="arrow", null_handling="special")
connection.execute("CREATE TABLE urls AS SELECT * FROM (VALUES ('https://example.com:8443/a'), ('no uri'), (NULL)) AS v(url)")
rows = connection.sql("SELECT is_valid_uri(url), parse_uri(url).host, parse_uri(url).port FROM urls").fetchall()
print(rows)
assert rows == [(True, "example.com", "8443"), (False, None, None), (None, None, None)]

# A variable of Python is a table: here a scan of files, which runs while the query does.
lists = io.BytesIO(b"http://a.example/\nhttp://b.example/x\nhttp://a.example/y\nno uri\n")
scan = pa.RecordBatchReader.from_stream(uv.scan(lists, columns=["host", "valid"]))
rows = connection.sql("SELECT host, count(*) AS n FROM scan WHERE valid GROUP BY host ORDER BY n DESC").fetchall()
print(rows)
assert rows == [("a.example", 2), ("b.example", 1)]
connection.close()
