"""polars: expressions in a query, and Series."""

import polars as pl
import urivalidate.polars

frame = pl.DataFrame({"id": [1, 2, 3, 4], "url": ["https://example.com/a?b", "http://[::1]/", "www.example.com", None]})

# An expression has its column's name, and NULL stays NULL.
print(frame.with_columns(pl.col("url").uri.is_valid().alias("valid"), pl.col("url").uri.host().alias("host")))

# In a lazy or streaming query. One pass makes all components: unnest splits the struct into columns.
query = (
    frame.lazy()
    .filter(pl.col("url").uri.is_valid())
    .with_columns(pl.col("url").uri.parse(fields=["host", "query"]).alias("parsed"))
    .unnest("parsed")
    .select("id", "host", "query")
)
assert query.collect_schema() == {"id": pl.Int64, "host": pl.String, "query": pl.String}
result = query.collect(engine="streaming")
print(result)
assert result.rows() == [(1, "example.com", "b"), (2, "[::1]", None)]

# The invalid URLs, with the errors.
errors = frame.select("url", pl.col("url").uri.error().struct.field("message")).drop_nulls()
print(errors)
assert errors["url"].to_list() == ["www.example.com"]

# A Series has the same methods.
assert frame["url"].uri.domain().to_list() == ["example.com", None, None, None]
