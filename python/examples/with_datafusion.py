"""DataFusion's Python package: SQL functions."""

import pyarrow as pa
import urivalidate as uv
from datafusion import SessionContext, udf

FIELDS = ["host", "path"]
COMPONENTS = pa.struct([pa.field(name, pa.string()) for name in FIELDS])

context = SessionContext()
context.register_udf(
    udf(lambda urls: pa.array(uv.is_valid_uri(urls)), [pa.string()], pa.bool_(), "immutable", "is_valid_uri")
)
context.register_udf(
    udf(lambda urls: pa.array(uv.parse_uri(urls, fields=FIELDS)), [pa.string()], COMPONENTS, "immutable", "parse_uri")
)
context.from_arrow(pa.table({"url": ["https://example.com/a?b", "no uri", None]}), name="urls")
table = context.sql("SELECT is_valid_uri(url) AS valid, parse_uri(url)['host'] AS host FROM urls").to_arrow_table()
print(table.to_pylist())
assert table.to_pylist() == [
    {"valid": True, "host": "example.com"},
    {"valid": False, "host": None},
    {"valid": None, "host": None},
]

# The opposite direction: results of DataFusion are arrays for urivalidate.
batches = context.sql("SELECT url FROM urls WHERE url IS NOT NULL")
assert uv.is_valid_uri(batches).to_pylist() == [True, False]
