"""Column functions for Spark 3.5 and newer, from Python and from SQL. Needs what ``pip install pyspark[sql]`` brings.

    >>> from urivalidate.spark import is_valid_uri, register, try_parse_url, with_components
    >>> urls = spark.createDataFrame([("http://example.com/a?b",), ("http://[::1",), (None,)], "url string")
    >>> urls.select(is_valid_uri("url").alias("valid"), try_parse_url("url", "HOST").alias("host")).show()
    +-----+-----------+
    |valid|       host|
    +-----+-----------+
    | true|example.com|
    |false|       NULL|
    | NULL|       NULL|
    +-----+-----------+
    <BLANKLINE>
    >>> with_components(urls, "url", fields=["host", "path", "query"]).show()
    +--------------------+-----------+--------+---------+
    |                 url|   url_host|url_path|url_query|
    +--------------------+-----------+--------+---------+
    |http://example.co...|example.com|      /a|        b|
    |         http://[::1|       NULL|    NULL|     NULL|
    |                NULL|       NULL|    NULL|     NULL|
    +--------------------+-----------+--------+---------+
    <BLANKLINE>
    >>> register(spark)
    >>> spark.sql("SELECT is_valid_uri('a:b', 'rfc2396') AS valid, parse_uri('http://h:8080').port AS port").show()
    +-----+----+
    |valid|port|
    +-----+----+
    | true|8080|
    +-----+----+
    <BLANKLINE>

Columns may be of strings or of binary values. NULL in, NULL out. :func:`with_components` takes one pass for many columns, and is
the fastest way to more than one of them.

From Spark 4.1 on the functions are Arrow UDFs. Before, they are pandas UDFs. In SQL that means that those that return structs are called
row by row, which is slow, and that a string that is not UTF-8 ends the query unless it is cast to binary.

The workers need this package too. Native code cannot be imported from a zip file, so ``--py-files`` does not do. An archive does,
for Spark unpacks it::

    pip install --target pkgs urivalidate
    (cd pkgs && zip -r ../pkgs.zip .)
    spark-submit --archives pkgs.zip#pkgs --conf spark.executorEnv.PYTHONPATH=./pkgs job.py
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Sequence

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import StructField, StructType

import urivalidate as uv

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# From Spark 4.1 on.
HAS_ARROW_UDFS = hasattr(F, "arrow_udf")

__all__ = [
    "is_valid_uri",
    "parse_uri",
    "parse_url",
    "register",
    "try_parse_url",
    "uri_error",
    "uri_spans",
    "with_components",
]


def is_valid_uri(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """Whether each record is valid: a boolean column. ``col`` is a column or the name of one."""
    return _apply("is_valid_uri", col, grammar=grammar, zone_ids=zone_ids)


def parse_uri(
    col: Column | str, grammar: str = "uri", zone_ids: bool = False, fields: Sequence[str] | None = None
) -> Column:
    """The verdict and the components: a column of structs, of all fields or of those named in ``fields``."""
    return _apply("parse_uri", col, grammar=grammar, zone_ids=zone_ids, fields=fields)


def uri_spans(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The verdict, and where the components lie: a column of structs of start and end, in bytes from the record's first."""
    return _apply("uri_spans", col, grammar=grammar, zone_ids=zone_ids)


def uri_error(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """What is wrong: a column of structs of kind, component, offset in bytes and message, NULL for valid records."""
    return _apply("uri_error", col, grammar=grammar, zone_ids=zone_ids)


def parse_url(col: Column | str, part: str, key: str | None = None) -> Column:
    """A part of a URL as Spark's own ``parse_url`` gives it in ANSI mode: an invalid URL ends the query.

    ``part`` is PROTOCOL, AUTHORITY, USERINFO, HOST, PATH, QUERY, REF or FILE; with QUERY ``key`` picks one parameter's value. It is
    a regular expression, as Spark's is; one that only Java understands is an error.
    """
    return _apply("parse_url", col, part=part, key=key)


def try_parse_url(col: Column | str, part: str, key: str | None = None) -> Column:
    """Like :func:`parse_url`, but NULL for an invalid URL."""
    return _apply("try_parse_url", col, part=part, key=key)


def with_components(
    df: DataFrame,
    column: str,
    prefix: str | None = None,
    fields: Sequence[str] | None = None,
    grammar: str = "uri",
    zone_ids: bool = False,
) -> DataFrame:
    """``df`` and behind its columns those of :func:`parse_uri`, their names with a prefix before them.

    The prefix is the column's name and an underscore unless another is given. ``fields`` picks columns and their order.
    """
    if column not in df.columns:
        raise ValueError(f"there is no column {column!r}; there are {', '.join(df.columns)}")
    prefix = f"{column}_" if prefix is None else prefix
    options = {"grammar": grammar, "zone_ids": zone_ids, "fields": fields}
    function = functools.partial(_call, "parse_uri", **options)
    added = [StructField(prefix + field.name, field.dataType) for field in _type_of(function).fields]
    taken = {field.name for field in added} & set(df.columns)
    if taken:
        raise ValueError(f"there is a column {min(taken)!r} already; give another prefix than {prefix!r}")
    schema = StructType(df.schema.fields + added)
    return df.mapInArrow(functools.partial(_append, function, df.columns.index(column), schema.names), schema)


def register(spark: SparkSession, replace_parse_url: bool = False) -> None:
    """Makes ``is_valid_uri``, ``parse_uri``, ``uri_spans`` and ``uri_error`` functions of SQL in a Spark session.

    They take the column, and after it the name of a grammar where it is not ``uri``.

    With ``replace_parse_url`` this package's ``parse_url`` and ``try_parse_url`` take the place of Spark's own as long as that
    Spark session lasts.
    From Spark 4.2 on functions of the session come behind those of Spark unless ``spark.sql.functionResolution.sessionOrder`` is ``first``, so
    that is set, too.
    """
    for name in ("is_valid_uri", "parse_uri", "uri_spans", "uri_error"):
        _register(spark, name, functools.partial(_call_with_grammar, name))
    if replace_parse_url:
        spark.conf.set("spark.sql.functionResolution.sessionOrder", "first")
        for name in ("parse_url", "try_parse_url"):
            _register(spark, name, functools.partial(_call_with_parts, name))


def _apply(name, col, **options):
    function = functools.partial(_call, name, **options)
    returns = _type_of(function)
    urls = F.col(col) if isinstance(col, str) else col
    if HAS_ARROW_UDFS:
        return _arrow_udf(name, function, returns)(urls)
    # pandas has neither strings that are not UTF-8 nor NULL structs.
    result = _pandas_udf(name, function, returns)(urls.cast("binary"))
    if not isinstance(returns, StructType):
        return result
    return F.when((result["kind"] if name == "uri_error" else urls).isNotNull(), result)


def _register(spark, name, function):
    returns = _type_of(function)
    if HAS_ARROW_UDFS:
        function = _arrow_udf(name, function, returns)
    elif isinstance(returns, StructType):
        function = F.udf(functools.partial(_by_row, function), returns)
    else:
        function = _pandas_udf(name, function, returns)
    spark.udf.register(name, function)


def _call(name, array, **options):
    """The function is passed around by name: the workers import it themselves."""
    if name == "parse_uri":
        # Spark takes no dictionaries from Python.
        options["dictionary"] = False
    return pa.array(getattr(uv, name)(array, **options))


def _call_with_grammar(name, array, grammars=None):
    """``grammars`` has the same name in each row: SQL has no other way to pass a constant."""
    if grammars is None or len(array) == 0:
        return _call(name, array)
    named = grammars.unique().to_pylist()
    if len(named) != 1 or named[0] is None:
        raise ValueError(f"expected one grammar for all rows, got {named}")
    return _call(name, array, grammar=named[0])


def _call_with_parts(name, urls, parts=None, keys=None):
    """Each row has its own part and key; in most queries they are the same in all rows."""
    if parts is None:
        # For `_type_of`.
        parts = pa.nulls(len(urls), pa.string())
    named = [parts] if keys is None else [parts, keys]
    constant = [array.unique().to_pylist() for array in named]
    if all(len(values) == 1 for values in constant):
        choice = tuple(values[0] for values in constant)
        return pa.nulls(len(urls), pa.string()) if None in choice else _call(name, urls, **_options(choice))

    rows_of = {}
    for row, choice in enumerate(zip(*(array.to_pylist() for array in named))):
        rows_of.setdefault(choice, []).append(row)
    results, order = [], []
    for choice, rows in rows_of.items():
        order += rows
        taken = urls.take(pa.array(rows))
        results.append(pa.nulls(len(rows), pa.string()) if None in choice else _call(name, taken, **_options(choice)))
    places = [0] * len(urls)
    for place, row in enumerate(order):
        places[row] = place
    return pa.concat_arrays([pa.array([], pa.string()), *results]).take(pa.array(places, pa.int64()))


def _options(choice):
    return dict(zip(("part", "key"), choice))


def _append(function, index, names, batches):
    for batch in batches:
        components = function(batch.column(index))
        yield pa.RecordBatch.from_arrays(batch.columns + components.flatten(), names=names)


def _type_of(function):
    """Spark's type of what a function returns. Bad arguments are refused here, before a job starts."""
    return from_arrow_type(function(pa.array([], pa.string())).type)


def _arrow_udf(name, function, returns):
    return F.arrow_udf(_named(name, function), returns, F.ArrowUDFType.SCALAR)


def _pandas_udf(name, function, returns):
    return F.pandas_udf(_named(name, functools.partial(_by_series, function)), returns, F.PandasUDFType.SCALAR)


def _named(name, function):
    """Columns are called by it."""
    function.__name__ = name
    return function


def _by_row(function, *values):
    (result,) = function(*(_array([value]) for value in values)).to_pylist()
    return result


def _by_series(function, *series):
    result = function(*map(_array, series))
    if pa.types.is_struct(result.type):
        columns = pa.RecordBatch.from_arrays(result.flatten(), [field.name for field in result.type])
        return columns.to_pandas(integer_object_nulls=True)
    return result.to_pandas()


def _array(values):
    array = pa.array(values, from_pandas=True)
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array
