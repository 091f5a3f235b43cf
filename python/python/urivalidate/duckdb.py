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

| function | result | description |
|---|---|---|
| ``is_valid_uri(uri [, grammar])`` | BOOLEAN | Whether a URI is valid. |
| ``parse_uri(uri [, grammar])`` | STRUCT | The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host, host_kind, port, path, query and fragment, and of scheme_specific_part, opaque and authority_kind, which only the grammars rfc2396 and java have. |
| ``uri_spans(uri [, grammar])`` | STRUCT | The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and so on, which count bytes from the first; an end is the byte after the last one. |
| ``uri_error(uri [, grammar])`` | STRUCT | The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a valid URI. |
| ``normalize_uri(uri [, form [, grammar]])`` | VARCHAR | The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent URIs share; NULL for an invalid URI. |
| ``resolve_uri(base, reference [, grammar])`` | VARCHAR | The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid. |
| ``relativize_uri(base, uri [, grammar])`` | VARCHAR | A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the base is invalid. |
| ``suggest_uri(uri [, grammar])`` | VARCHAR | An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such a repair. |
| ``to_uri(uri [, grammar])`` | VARCHAR | The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an invalid IRI. |
| ``uri_host(uri [, grammar [, default_scheme]])`` | VARCHAR | The host of a URI, unchanged; NULL for an invalid URI, and for one without a host. |
| ``uri_host_reversed(uri [, grammar [, default_scheme]])`` | VARCHAR | The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is invalid, or its host is no name. |
| ``uri_host_ascii(uri [, grammar [, default_scheme]])`` | VARCHAR | The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if the URI is invalid or has no host, or if UTS 46 forbids the name. |
| ``uri_surt(uri)`` | VARCHAR | The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a string without a key. |
| ``uri_suffix(uri [, private [, grammar [, default_scheme]]])`` | VARCHAR | The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or has an IP address. |
| ``uri_domain(uri [, private [, grammar [, default_scheme]]])`` | VARCHAR | The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more label; NULL if the suffix is NULL, or the host is a suffix itself. |
| ``host_in(uri, list [, grammar])`` | BOOLEAN | Whether a list has the host of a URI; false for an invalid URI, and for one without a host. |
| ``parse_url(url, part [, key])`` | VARCHAR | A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error. |
| ``try_parse_url(url, part [, key])`` | VARCHAR | A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL. |
| ``url_extract_protocol(uri [, grammar])`` | VARCHAR | The scheme of a URI; NULL for an invalid URI, and for one without a scheme. |
| ``url_extract_host(uri [, grammar])`` | VARCHAR | The host of a URI; NULL for an invalid URI, and for one without a host. |
| ``url_extract_port(uri [, grammar])`` | BIGINT | The port of a URI as a number; NULL for an invalid URI, for one without a port, and if the port is empty or does not fit into 64 bits. |
| ``url_extract_path(uri [, grammar])`` | VARCHAR | The path of a URI; NULL for an invalid URI. |
| ``url_extract_query(uri [, grammar])`` | VARCHAR | The query of a URI; NULL for an invalid URI, and for one without a query. |
| ``url_extract_fragment(uri [, grammar])`` | VARCHAR | The fragment of a URI; NULL for an invalid URI, and for one without a fragment. |
| ``url_extract_parameter(uri, name [, grammar])`` | VARCHAR | The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for an invalid URI, and for one without the parameter. |
| ``url_extract_query_names(uri [, grammar])`` | VARCHAR[] | The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and for one without a query. |
| ``url_parameters(uri [, grammar])`` | MAP | The parameters in the query of a URI, decoded: a map from each name to the value of its first parameter; NULL for an invalid URI, and for one without a query. |
| ``url_parameters_all(uri [, grammar])`` | MAP | The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for an invalid URI, and for one without a query. |

``uri_report(uri [, grammar])`` is an aggregate function, which counts the valid records, and the errors of the
others by their kinds, as a STRUCT of records, valid, invalid, empty, nulls and errors, a MAP from the kinds of
errors to their numbers. ``uri_suffix_list_date()`` is the date of the public suffix list that ``uri_suffix`` and
``uri_domain`` use.

>>> connection.sql("SELECT uri_report(url).invalid, uri_report(url).errors FROM urls").fetchall()
[(1, {'invalid-ip-literal': 1})]

``url_encode`` and ``url_decode`` are functions of DuckDB itself.

The grammar, the form and ``private`` must be the same in all rows; bases, parts, keys and the names of
parameters may be columns.

The result for an invalid record is NULL; only ``parse_url`` ends the query with an error. DuckDB may evaluate
``parse_url`` before a filter, so use ``try_parse_url`` if a column has invalid URLs.
"""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from . import PUBLIC_SUFFIX_LIST_DATE, _sql

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

__all__ = ["register"]

# DuckDB 1.4 does not let two threads create functions of one database.
_LOCK = threading.Lock()

# An aggregate function, and one without arguments, as macros: DuckDB takes neither from Python. The rows of a
# report are counted by a function of DuckDB.
_MACROS = {
    "uri_report": ", ".join(f"({names}) AS _uri_reports(histogram(_uri_report_row({names})))" for names in ("uri", "uri, grammar")),
    "uri_suffix_list_date": f"() AS '{PUBLIC_SUFFIX_LIST_DATE}'",
}


def register(connection: DuckDBPyConnection) -> None:
    """Registers the functions of this module for SQL in a connection to DuckDB.

    The connection's cursors have the functions, too, except ``uri_report`` and ``uri_suffix_list_date``, which
    are temporary macros: for them, call ``register`` with the cursor. You may call ``register`` again with the
    same connection, but not after a rollback of the transaction in which you called it. If you use the extension,
    too, load it first: its functions stay.

    DuckDB lets macros have no ``FILTER``, ``DISTINCT`` or ``ORDER BY``, and no ``PIVOT`` and no ``list_aggregate``
    takes them; ``uri_report`` of the extension has none of these limits.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection)
    >>> connection.sql("SELECT uri_domain('http://www.bbc.co.uk/'), resolve_uri('http://h/a/b', '../c')").fetchall()
    [('bbc.co.uk', 'http://h/c')]
    """
    with _LOCK:
        known = _functions(connection)
        # "special": the function also gets NULLs, and returns NULL for them. None stands for any arguments, because
        # DuckDB has no optional arguments for functions in Python.
        options: Any = {"type": "arrow", "null_handling": "special"}
        for name, (function, returns) in _created().items():
            # The extension has it, or a connection to the database has created it.
            if name not in known:
                connection.create_function(name, function, None, returns, **options)
        for name, macro in _MACROS.items():
            # The functions of the extension do more.
            if name in known:
                connection.execute(f"DROP MACRO IF EXISTS temp.{name}")
            else:
                connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}{macro}")


def _functions(connection: DuckDBPyConnection) -> set[str]:
    """The names of the functions that all connections to the database have: those of extensions, and those that
    a connection has registered."""
    of_all = "database_name = 'system' AND schema_name = 'main'"
    found = connection.execute(f"SELECT DISTINCT function_name FROM duckdb_functions() WHERE {of_all}").fetchall()
    return {name for (name,) in found}


# The functions to create, with the types of their results. They live as long as the process: DuckDB calls them
# even after the connection that created them was closed, and does not keep them itself.
_CREATED: dict[str, tuple[Any, str]] = {}


def _created() -> dict[str, tuple[Any, str]]:
    """The functions to create. The caller has the lock."""
    if not _CREATED:
        for name in _sql.FUNCTIONS:
            function, (fewest, most) = functools.partial(_sql.call_in_sql, name), _sql.fewest_and_most(name)
            returns = function(*[pa.array([], pa.string())] * fewest).type
            _CREATED[name] = (_with_columns(name, function, fewest, most), _type_name(returns))
        _CREATED["_uri_report_row"] = (_with_columns("uri_report", _sql.report_rows, 1, 2), "VARCHAR")
        returns = _sql.reports(pa.array([], pa.map_(pa.string(), pa.int64()))).type
        _CREATED["_uri_reports"] = (_with_columns("uri_report", _sql.reports, 1, 1), _type_name(returns))
    return _CREATED


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
    if pa.types.is_map(data_type):
        return f"MAP({_type_name(data_type.key_type)}, {_type_name(data_type.item_type)})"
    if pa.types.is_list(data_type):
        return f"{_type_name(data_type.value_type)}[]"
    return {pa.bool_(): "BOOLEAN", pa.int32(): "INTEGER", pa.int64(): "BIGINT", pa.string(): "VARCHAR"}[data_type]
