"""An accessor ``uri`` for Series of pandas: Series of strings of any dtype, of objects, and of Arrow's types.
Needs pyarrow.

>>> import pandas as pd
>>> import urivalidate.pandas
>>> frame = pd.DataFrame({"url": ["https://example.com:8443/a?id=1", "http://[::1", None]})
>>> frame["url"].uri.is_valid().tolist()
[True, False, <NA>]
>>> frame[frame["url"].uri.is_valid()]["url"].uri.host()
0    example.com
Name: url, dtype: large_string[pyarrow]

A result has the index and the name of its Series, and an Arrow type. None, NaN and NA become NA. ``parse``,
``spans`` and ``error`` return a DataFrame.

>>> frame.join(frame["url"].uri.parse(fields=["valid", "host", "port"]).add_prefix("url_"))
                               url url_valid     url_host url_port
0  https://example.com:8443/a?id=1      True  example.com     8443
1                      http://[::1     False         <NA>     <NA>
2                              NaN      <NA>         <NA>     <NA>
>>> frame["url"].uri.try_parse_url("QUERY", "id").tolist()
['1', <NA>, <NA>]

Type checkers do not know accessors. Write ``Uri(frame["url"]).host()`` for them, which does the same.
"""

from __future__ import annotations

from typing import Any

import pandas as pd
import pyarrow as pa

import urivalidate as uv

from ._namespace import UriNamespace
from .typing import Grammar

__all__ = ["Uri"]


@pd.api.extensions.register_series_accessor("uri")
class Uri(UriNamespace["pd.Series[Any]", pd.DataFrame]):
    """The accessor ``uri`` of a Series of strings or of binary values.

    >>> Uri(pd.Series(["http://example.com/", b"no uri", float("nan")])).is_valid().tolist()
    [True, False, <NA>]
    """

    def __init__(self, series: pd.Series[Any]):
        self._series = series

    def _column(self, function: str, **options: Any) -> pd.Series[Any]:
        return self._series_of(getattr(uv, function)(_array(self._series), **options))

    def _fields(self, function: str, **options: Any) -> pd.DataFrame:
        structs = pa.chunked_array(getattr(uv, function)(_array(self._series), **options))
        names = [field.name for field in structs.type]
        columns = {name: _values(column) for name, column in zip(names, structs.flatten())}
        return pd.DataFrame(columns, index=self._series.index, columns=names)

    def _field(self, field: str, grammar: Grammar, zone_ids: bool) -> pd.Series[Any]:
        parsed = uv.parse_uri(_array(self._series), grammar, zone_ids, fields=[field], dictionary=False)
        return self._series_of(parsed[field])

    def _with_base(self, function: str, base: Any, **options: Any) -> pd.Series[Any]:
        if isinstance(base, pd.Series):
            if not base.index.equals(self._series.index):
                raise ValueError("the Series of bases has another index; align it first, as with base.reindex(urls.index)")
            base = _array(base)
        elif not isinstance(base, (str, bytes)):
            raise TypeError(f"expected the base as a str, bytes or a Series, got {type(base).__name__}")
        return self._series_of(getattr(uv, function)(base, _array(self._series), **options))

    def report(self, grammar: Grammar = "uri", zone_ids: bool = False) -> dict[str, Any]:
        """Counts the valid records, and the errors of the others by their kinds.

        >>> Uri(pd.Series(["http://example.com/", "a b", None])).report()
        {'records': 2, 'valid': 1, 'invalid': 1, 'empty': 0, 'nulls': 1, 'errors': {'missing-scheme': 1}}
        """
        return uv.uri_report(_array(self._series), grammar, zone_ids)

    def _series_of(self, column: uv.Column) -> pd.Series[Any]:
        return pd.Series(_values(pa.chunked_array(column)), index=self._series.index, name=self._series.name)


def _values(column: pa.ChunkedArray) -> Any:
    return pd.arrays.ArrowExtensionArray(column)


def _array(series: pd.Series[Any]) -> Any:
    if series.dtype == object:
        # The values are str, bytes, or both.
        return series.to_numpy()
    if series.dtype.kind == "f" and series.isna().all():
        # pandas gives a column without values the type of numbers.
        return pa.nulls(len(series), pa.string())
    return pa.array(series, from_pandas=True)
