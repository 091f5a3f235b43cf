"""pyarrow: columns of a table, and a compute expression over them; files as a stream of record batches."""

import io

import pyarrow as pa
import pyarrow.compute as pc
import urivalidate as uv

table = pa.table({"id": [1, 2, 3, 4], "url": ["https://example.com:8443/a?b", "http://[::1]/", "www.example.com", None]})
table = table.append_column("valid", pa.chunked_array(uv.is_valid_uri(table["url"])))
parsed = pa.chunked_array(uv.parse_uri(table["url"], fields=["host", "port", "path"]))
for field, column in zip(parsed.type, pa.Table.from_struct_array(parsed).columns):
    table = table.append_column("url_" + field.name, column)
valid = table.filter(pc.field("valid"))
print(valid.to_pylist())
assert valid.column("url_host").to_pylist() == ["example.com", "[::1]"]

# The components are views of the table's own text, without a copy.
views = pa.chunked_array(uv.parse_uri(table["url"], fields=["host"], view=True))
assert views.type.field("host").type == pa.string_view()

# scan reads files of any size in bounded memory.
log = io.BytesIO(b'192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET /a?b HTTP/1.1" 200 0\n' * 100_000)
reader = pa.RecordBatchReader.from_stream(uv.scan(log, columns=["line", "valid", "path", "query"]))
rows = sum(batch.num_rows for batch in reader)
print(rows, "rows of", reader.schema.names)
assert rows == 100_000
