"""polars: a Series, a DataFrame and a LazyFrame."""

import polars as pl
import urivalidate as uv

frame = pl.DataFrame({"id": [1, 2, 3, 4], "url": ["https://example.com/a?b", "http://[::1]/", "www.example.com", None]})

# A Series goes in, a Series comes out.
valid = pl.Series(uv.is_valid_uri(frame["url"])).alias("valid")
assert valid.to_list() == [True, True, False, None]
parsed = pl.Series(uv.parse_uri(frame["url"], fields=["scheme", "host"])).struct.unnest()
print(frame.with_columns(valid).hstack(parsed))
assert parsed["host"].to_list() == ["example.com", "[::1]", None, None]

# In a query that runs later, on the batches that it makes.
HOST = pl.Struct({"host": pl.String, "query": pl.String})


def components(urls):
    return pl.Series(uv.parse_uri(urls, fields=["host", "query"]))


query = (
    frame.lazy()
    .filter(pl.col("url").map_batches(lambda urls: pl.Series(uv.is_valid_uri(urls)), return_dtype=pl.Boolean, is_elementwise=True))
    .with_columns(pl.col("url").map_batches(components, return_dtype=HOST, is_elementwise=True).alias("parsed"))
    .unnest("parsed")
    .select("id", "host", "query")
)
result = query.collect()
print(result)
assert result.rows() == [(1, "example.com", "b"), (2, "[::1]", None)]
