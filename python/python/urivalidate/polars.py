"""A namespace ``uri`` for expressions and Series of polars.

>>> import polars as pl
>>> import urivalidate.polars
>>> frame = pl.DataFrame({"url": ["https://example.com:8443/a?id=1", "http://[::1", None]})
>>> frame.select(pl.col("url").uri.is_valid().alias("valid"), pl.col("url").uri.host().alias("host")).rows()
[(True, 'example.com'), (False, None), (None, None)]

Expressions work in lazy and streaming queries. Before a query runs, polars knows their types, and wrong
arguments raise an exception.

>>> query = frame.lazy().filter(pl.col("url").uri.is_valid()).select(pl.col("url").uri.parse(fields=["host", "port"])).unnest("url")
>>> query.collect_schema()
Schema([('host', String), ('port', String)])
>>> query.collect(engine="streaming").rows()
[('example.com', '8443')]

As with polars' own functions, a result has the name of its column, NULL stays NULL, and strings are views:
components are views of the memory of their column. ``parse``, ``spans`` and ``error`` return structs. Series
have the same methods.

>>> frame["url"].uri.try_parse_url("QUERY", "id").to_list()
['1', None, None]
>>> pages = pl.DataFrame({"page": ["http://a/b/c", "http://d/"], "link": ["../e?q", "f"]})
>>> pages.select(pl.col("link").uri.resolve(pl.col("page")))["link"].to_list()
['http://a/e?q', 'http://d/f']

Type checkers do not know namespaces. Write ``Uri(pl.col("url")).host()`` for them, which does the same.
"""

from __future__ import annotations

import functools
from typing import Any, TypeVar

import polars as pl

import urivalidate as uv

from ._failure import without_row
from ._namespace import UriNamespace
from .typing import Grammar

__all__ = ["Uri"]

C = TypeVar("C", pl.Expr, pl.Series)


@pl.api.register_expr_namespace("uri")
@pl.api.register_series_namespace("uri")
class Uri(UriNamespace[C, C]):
    """The namespace ``uri`` of an expression or a Series of strings or of binary values.

    >>> Uri(pl.Series(["http://example.com/", "no uri"])).is_valid().to_list()
    [True, False]
    """

    def __init__(self, column: C):
        self._of: Any = column

    def _column(self, function: str, **options: Any) -> C:
        return self._apply(functools.partial(_call, function, **options))

    def _fields(self, function: str, **options: Any) -> C:
        if function == "parse_uri":
            options["view"] = True
        return self._column(function, **options)

    def _field(self, field: str, grammar: Grammar, zone_ids: bool) -> C:
        return self._apply(functools.partial(_field, field, grammar=grammar, zone_ids=zone_ids))

    def _with_base(self, function: str, base: Any, **options: Any) -> C:
        if isinstance(base, (str, bytes)):
            return self._apply(functools.partial(_with_base, function, base, **options))
        with_bases: Any = functools.partial(_with_bases, function, **options)
        if isinstance(self._of, pl.Series):
            if not isinstance(base, pl.Series):
                raise TypeError(f"expected the base as a str, bytes or a Series, got {type(base).__name__}")
            return with_bases([self._of, base])
        if not isinstance(base, (pl.Expr, pl.Series)):
            raise TypeError(f"expected the base as a str, bytes or an expression, got {type(base).__name__}")
        bases = pl.lit(base) if isinstance(base, pl.Series) else base
        nothing = pl.Series([], dtype=pl.String)
        returns = with_bases([nothing, nothing]).dtype
        result: Any = pl.map_batches([self._of, bases], with_bases, return_dtype=returns, is_elementwise=True)
        return result

    def report(self, grammar: Grammar = "uri", zone_ids: bool = False) -> Any:
        """Counts the valid records, and the errors of the others by their kinds: of a Series a dict, of an expression
        a struct, whose errors are a list of structs of kind and count. In ``group_by``, each group has one.

        >>> Uri(pl.Series(["http://example.com/", "a b", None])).report()
        {'records': 2, 'valid': 1, 'invalid': 1, 'empty': 0, 'nulls': 1, 'errors': {'missing-scheme': 1}}
        >>> frame = pl.DataFrame({"site": ["a", "a", "b"], "url": ["http://h/", "http://h/ ", "urn:x"]})
        >>> frame.group_by("site").agg(Uri(pl.col("url")).report().struct.field("valid", "invalid")).sort("site").rows()
        [('a', 1, 1), ('b', 1, 0)]
        """
        report = functools.partial(uv.uri_report, grammar=grammar, zone_ids=zone_ids)
        if isinstance(self._of, pl.Series):
            return report(self._of)
        report(pl.Series([], dtype=pl.String))

        def one(urls: pl.Series) -> pl.Series:
            counts = report(urls)
            errors = [{"kind": kind, "count": count} for kind, count in counts["errors"].items()]
            return pl.Series(urls.name, [{**counts, "errors": errors}], dtype=_REPORT)

        return self._of.map_batches(one, return_dtype=_REPORT, returns_scalar=True)

    def _apply(self, function: Any) -> C:
        if isinstance(self._of, pl.Series):
            return function(self._of)
        # The result for no rows tells the type. Wrong arguments raise here.
        returns = function(pl.Series([], dtype=pl.String)).dtype
        return self._of.map_batches(function, return_dtype=returns, is_elementwise=True)


_REPORT = pl.Struct(
    {
        **dict.fromkeys(("records", "valid", "invalid", "empty", "nulls"), pl.Int64),
        "errors": pl.List(pl.Struct({"kind": pl.String, "count": pl.Int64})),
    }
)


def _call(name: str, urls: pl.Series, /, **options: Any) -> pl.Series:
    try:
        return pl.Series(getattr(uv, name)(urls, **options))
    except uv.InvalidURI as error:
        # A query passes parts of a column, so the row is not a row of the column.
        raise without_row(error) from None


def _field(name: str, urls: pl.Series, **options: Any) -> pl.Series:
    parsed = uv.parse_uri(urls, fields=[name], view=True, dictionary=False, **options)
    return pl.Series(parsed[name]).alias(urls.name)


def _with_base(name: str, base: str | bytes, urls: pl.Series, **options: Any) -> pl.Series:
    return pl.Series(getattr(uv, name)(base, urls, **options))


def _with_bases(name: str, columns: Any, **options: Any) -> pl.Series:
    urls, bases = columns
    # A literal has one row.
    if len(urls) != len(bases) == 1:
        bases = bases.new_from_index(0, len(urls))
    elif len(bases) != len(urls) == 1:
        urls = urls.new_from_index(0, len(bases))
    return pl.Series(getattr(uv, name)(bases, urls, **options))
