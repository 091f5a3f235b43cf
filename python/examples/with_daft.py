"""Daft: a function over batches of a column."""

import daft
import pyarrow as pa
import urivalidate as uv
from daft import DataType, Series, col

COMPONENTS = DataType.struct({"valid": DataType.bool(), "host": DataType.string(), "path": DataType.string()})


@daft.func.batch(return_dtype=COMPONENTS)
def parse_uri(urls: Series) -> Series:
    return Series.from_arrow(pa.array(uv.parse_uri(urls.to_arrow(), fields=["valid", "host", "path"])))


frame = daft.from_pydict({"url": ["http://example.com/a", "no uri", None]})
frame = frame.with_column("parsed", parse_uri(col("url")))
rows = frame.select(col("parsed").get("host").alias("host"), col("parsed").get("valid").alias("valid")).to_pylist()
print(rows)
assert rows == [{"host": "example.com", "valid": True}, {"host": None, "valid": False}, {"host": None, "valid": None}]
