"""pandas: verdicts, components and errors of a column of strings."""

import pandas as pd
import urivalidate.pandas

frame = pd.DataFrame({"url": ["https://example.com/a?b", "http://[::1]/", "http://example.com/a b", None]})
frame["valid"] = frame["url"].uri.is_valid()
frame = frame.join(frame["url"].uri.parse(fields=["host", "path", "query"]).add_prefix("url_"))
frame["error"] = frame["url"].uri.error()["message"]
print(frame)
assert frame["url_host"].dropna().tolist() == ["example.com", "[::1]"]
assert frame["error"].dropna().tolist() == ["a space must be written %20"]
assert frame[frame["valid"]].index.tolist() == [0, 1]
