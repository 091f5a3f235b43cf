"""SQL functions for DuckDB. Needs pyarrow.

>>> import duckdb
>>> import urivalidate.duckdb
>>> connection = duckdb.connect()
>>> urivalidate.duckdb.register(connection)
>>> connection.execute("CREATE TABLE urls AS FROM (VALUES ('https://example.com:8443/a?id=1'), ('http://[::1'), (NULL)) AS t(url)").fetchall()
[(3,)]
>>> connection.sql("SELECT is_valid_uri(url), parse_uri(url).host, try_parse_url(url, 'QUERY', 'id') FROM urls").fetchall()
[(True, 'example.com', '1'), (False, None, None), (None, None, None)]

The functions take VARCHAR and BLOB. NULL in, NULL out.

| function | result |
|---|---|
| ``is_valid_uri(url [, grammar])`` | BOOLEAN |
| ``parse_uri(url [, grammar])`` | STRUCT of the verdict and the components: the fields of ``java``, NULL if the grammar does not have the field |
| ``uri_spans(url [, grammar])`` | STRUCT of the verdict, and the start and end of each component |
| ``uri_error(url [, grammar])`` | STRUCT of kind, component, offset in bytes and message; NULL for a valid record |
| ``parse_url(url, part [, key])``, ``try_parse_url`` | VARCHAR, as Spark's functions return it |
| ``normalize_uri(url [, form [, grammar]])`` | VARCHAR |
| ``resolve_uri(base, url [, grammar])``, ``relativize_uri`` | VARCHAR |
| ``surt(url)`` | VARCHAR |
| ``uri_suffix(url [, private [, grammar]])``, ``uri_domain`` | VARCHAR |

The grammar, the form and ``private`` must be the same in all rows; bases, parts and keys may be columns.

The result for an invalid record is NULL; only ``parse_url`` ends the query with an error. DuckDB may evaluate ``parse_url`` before a filter, so
use ``try_parse_url`` if a column has invalid URLs.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import _sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

def register(connection: DuckDBPyConnection) -> None:
    """Registers the functions of this module for SQL in a connection to DuckDB.

    The connection's cursors have the functions, too. You may call ``register`` again with the same connection.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("SELECT uri_domain('http://www.bbc.co.uk/'), resolve_uri('http://h/a/b', '../c')").fetchall()
    [('bbc.co.uk', 'http://h/c')]
    """
    import duckdb

    for name, (function, fewest, most) in _functions().items():
        try:
            connection.remove_function(name)
        except duckdb.InvalidInputException:
            # This connection has no function with this name yet.
            pass
        returns = _type_name(function(*[pa.array([], pa.string())] * fewest).type)
        called = _with_columns(name, function, fewest, most)
        # "special": the function also gets NULLs, and returns NULL for them. None stands for any arguments, because DuckDB has no optional
        # arguments for functions in Python.
        options: Any = {"type": "arrow", "null_handling": "special"}
        connection.create_function(name, called, None, returns, **options)


def _functions() -> dict[str, tuple[Any, int, int]]:
    """Each SQL function, with the least and the greatest number of its arguments."""
    functions = {}
    for name, options in _sql.OPTIONS.items():
        functions[name] = (functools.partial(_sql.call_with_constants, name, options), 1, 1 + len(options))
    for name in ("resolve_uri", "relativize_uri"):
        functions[name] = (functools.partial(_sql.call_with_bases, name), 2, 3)
    for name in ("parse_url", "try_parse_url"):
        functions[name] = (functools.partial(_sql.call_with_parts, name), 2, 3)
    return functions


def _with_columns(name: str, function: Any, fewest: int, most: int) -> Any:
    def call(*columns: pa.ChunkedArray) -> pa.ChunkedArray:
        if not fewest <= len(columns) <= most:
            expected = f"{fewest} to {most} arguments" if fewest < most else f"{fewest} argument"
            raise TypeError(f"{name}: expected {expected}, got {len(columns)}")
        return pa.chunked_array([function(*(column.combine_chunks() for column in columns))])

    return call


def _type_name(data_type: pa.DataType) -> str:
    if pa.types.is_struct(data_type):
        fields = (f'"{field.name}" {_type_name(field.type)}' for field in data_type)
        return f"STRUCT({', '.join(fields)})"
    return {pa.bool_(): "BOOLEAN", pa.int32(): "INTEGER", pa.string(): "VARCHAR"}[data_type]
