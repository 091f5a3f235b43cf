"""pandas: a column of strings that Arrow holds, and the error of each."""

import pandas as pd
import pyarrow as pa
import urivalidate as uv

frame = pd.DataFrame({"url": ["https://example.com/a?b", "http://[::1]/", "http://example.com/a b", None]})
urls = frame["url"].astype(pd.ArrowDtype(pa.string()))


def as_series(column):
    return pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array(column)), index=frame.index)


frame["valid"] = as_series(uv.is_valid_uri(urls))
components = as_series(uv.parse_uri(urls, fields=["host", "path", "query"], dictionary=False)).struct.explode()
frame = frame.join(components.add_prefix("url_"))
frame["error"] = as_series(uv.uri_error(urls)).struct.field("message")
print(frame)
assert frame["url_host"].dropna().tolist() == ["example.com", "[::1]"]
assert frame["error"].dropna().tolist() == ["a space must be written %20"]
