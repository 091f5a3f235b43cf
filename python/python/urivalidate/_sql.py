"""Code that the SQL functions of all engines share. Functions take an Arrow array for each argument, and return an array. Needs pyarrow."""

from __future__ import annotations

import functools

import pyarrow as pa

import urivalidate as uv

from ._failure import without_row
from ._urivalidate import spark_parse_url

# The options of each SQL function, in the order of its arguments. They come after the column.
OPTIONS = {
    "is_valid_uri": ("grammar",),
    "parse_uri": ("grammar",),
    "uri_spans": ("grammar",),
    "uri_error": ("grammar",),
    "normalize_uri": ("form", "grammar"),
    "surt": (),
    "uri_suffix": ("private", "grammar"),
    "uri_domain": ("private", "grammar"),
}


def call(name, array, *_, **options):
    """Calls a function of this package by its name, so that workers import the package themselves. Ignores arguments that Spark only shows in a
    column's name."""
    if name == "parse_uri":
        # Spark and DuckDB accept no dictionaries from Python.
        options["dictionary"] = False
    try:
        return pa.array(_function(name)(array, **options))
    except uv.InvalidURI as error:
        raise without_row(error) from None


def _function(name):
    """The function with this name. Spark's own ``parse_url`` and ``try_parse_url`` return NULL for a part that does not exist."""
    if name in ("spark_parse_url", "spark_try_parse_url"):
        return functools.partial(spark_parse_url, is_try=name == "spark_try_parse_url")
    return getattr(uv, name)


def call_with_constants(name, options, array, *constants):
    """Calls a function with options that are columns in SQL. Each of ``constants`` must have the same value in all rows."""
    if len(constants) > len(options):
        raise ValueError(f"{name}: expected at most {1 + len(options)} arguments, got {1 + len(constants)}")
    values = {option: _constant(option, rows) for option, rows in zip(options, constants) if len(array) > 0}
    result = call(name, array, **values)
    return _with_all_fields(result, array.type) if name == "parse_uri" else result


def _constant(option, rows):
    values = rows.unique().to_pylist()
    if len(values) != 1 or values[0] is None:
        raise ValueError(f"expected one {option} for all rows, got {values}")
    return values[0]


def call_with_base(name, base, array, *_, **options):
    return pa.array(getattr(uv, name)(base, array, **options))


def call_with_bases(name, bases, array, *grammars, **options):
    """Calls a function with a column of bases. In SQL, ``grammars`` has the same name in all rows. Without SQL, ``options`` has the grammar, and Spark
    only shows ``grammars`` in a column's name."""
    if grammars and not options and len(array) > 0:
        options = {"grammar": _constant("grammar", grammars[0])}
    return pa.array(getattr(uv, name)(bases, array, **options))


def _with_all_fields(parsed, type_of_urls):
    """Adds the fields that other grammars have: in SQL a function has one type. The grammar `java` has the fields of all grammars."""
    fields = _all_fields(type_of_urls)
    names = {field.name for field in parsed.type}
    columns = [parsed.field(field.name) if field.name in names else pa.nulls(len(parsed), field.type) for field in fields]
    return pa.StructArray.from_arrays(columns, fields=fields, mask=parsed.is_null())


@functools.lru_cache(maxsize=None)
def _all_fields(type_of_urls):
    return list(call("parse_uri", pa.array([], type_of_urls), grammar="java").type)


def call_with_parts(name, urls, parts=None, keys=None):
    """Calls a function with columns of parts and keys. In most queries, all rows have the same part and key."""
    if parts is None:
        # This call only asks for the type of the result.
        parts = pa.nulls(len(urls), pa.string())
    named = [parts] if keys is None else [parts, keys]
    constant = [array.unique().to_pylist() for array in named]
    if all(len(values) == 1 for values in constant):
        choice = tuple(values[0] for values in constant)
        return pa.nulls(len(urls), pa.string()) if None in choice else call(name, urls, **_options(choice))

    rows_of = {}
    for row, choice in enumerate(zip(*(array.to_pylist() for array in named))):
        rows_of.setdefault(choice, []).append(row)
    results, order = [], []
    for choice, rows in rows_of.items():
        order += rows
        taken = urls.take(pa.array(rows))
        results.append(pa.nulls(len(rows), pa.string()) if None in choice else call(name, taken, **_options(choice)))
    places = [0] * len(urls)
    for place, row in enumerate(order):
        places[row] = place
    return pa.concat_arrays([pa.array([], pa.string()), *results]).take(pa.array(places, pa.int64()))


def _options(choice):
    return dict(zip(("part", "key"), choice))
