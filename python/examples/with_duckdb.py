"""DuckDB: SQL functions, and a scan as a table."""

import io

import duckdb
import pyarrow as pa
import urivalidate as uv
import urivalidate.duckdb

connection = duckdb.connect()
urivalidate.duckdb.register(connection)
connection.execute("CREATE TABLE urls AS SELECT * FROM (VALUES ('https://example.com:8443/a'), ('no uri'), (NULL)) AS v(url)")
rows = connection.sql("SELECT is_valid_uri(url), parse_uri(url).host, parse_uri(url).port FROM urls").fetchall()
print(rows)
assert rows == [(True, "example.com", "8443"), (False, None, None), (None, None, None)]
rows = connection.sql("SELECT uri_error(url).message FROM urls WHERE NOT is_valid_uri(url, 'uri-reference')").fetchall()
print(rows)
assert len(rows) == 1

# DuckDB reads a Python variable as a table. This one is a scan of files, which runs while the query runs.
lists = io.BytesIO(b"http://a.example/\nhttp://b.example/x\nhttp://a.example/y\nno uri\n")
scan = pa.RecordBatchReader.from_stream(uv.scan(lists, columns=["host", "valid"]))
rows = connection.sql("SELECT host, count(*) AS n FROM scan WHERE valid GROUP BY host ORDER BY n DESC").fetchall()
print(rows)
assert rows == [("a.example", 2), ("b.example", 1)]
connection.close()
