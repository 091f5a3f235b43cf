"""Column functions for Spark 3.5 and newer, from Python and from SQL. Needs the packages of ``pip install
pyspark[sql]``.

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

Columns may have strings or binary values; other types are errors, for numbers in Spark Connect only from
Spark 4 on. NULL in, NULL out. :func:`with_components` makes many columns in one pass, and is the fastest way
to get several components.

All functions except :func:`parse_url`, :func:`try_parse_url` and :func:`uri_surt` judge by RFC 3986. Pass
``grammar="java"`` to judge like Spark's own ``parse_url``. The two grammars differ: among a million URLs of
.gov sites, 2,990 have different hosts.

Spark names a column after the function and its arguments: ``try_parse_url(url, HOST)``. Before Spark 4.1, the
name of a struct also contains a check for NULL: ``CASE WHEN (url IS NOT NULL) THEN parse_uri(url) END``. You
can rename it with ``alias``.

From Spark 4.1 on, the functions are Arrow UDFs. Before, they are pandas UDFs, which has two consequences in
SQL: Spark calls functions that return structs row by row, which is slow; and a string that is not UTF-8 ends
the query unless you cast it to binary.

The workers need this package, too. Python cannot import native code from a zip file, so ``--py-files`` does
not work. ``--archives`` works, because Spark unpacks an archive::

    pip install --target pkgs urivalidate
    (cd pkgs && zip -r ../pkgs.zip .)
    spark-submit --archives pkgs.zip#pkgs --conf spark.executorEnv.PYTHONPATH=./pkgs job.py
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Sequence

import pyarrow as pa
import pyspark
from pyspark.errors import AnalysisException, PySparkNotImplementedError
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import ArrayType, MapType, StructField, StructType

from . import PUBLIC_SUFFIX_LIST_DATE, _sql
from ._urivalidate import error_kinds

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# True from Spark 4.1 on.
HAS_ARROW_UDFS = hasattr(F, "arrow_udf")

__all__ = [
    "host_in",
    "is_valid_uri",
    "normalize_uri",
    "parse_uri",
    "parse_url",
    "register",
    "relativize_uri",
    "resolve_uri",
    "suggest_uri",
    "to_uri",
    "try_parse_url",
    "uri_domain",
    "uri_error",
    "uri_host",
    "uri_host_ascii",
    "uri_host_reversed",
    "uri_report",
    "uri_spans",
    "uri_suffix",
    "uri_surt",
    "url_extract_fragment",
    "url_extract_host",
    "url_extract_parameter",
    "url_extract_path",
    "url_extract_port",
    "url_extract_protocol",
    "url_extract_query",
    "url_extract_query_names",
    "url_parameters",
    "url_parameters_all",
    "with_components",
]


def is_valid_uri(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """Whether a URI is valid.

    ``col`` is a column or the name of one.
    """
    return _apply("is_valid_uri", col, grammar=grammar, zone_ids=zone_ids)


def parse_uri(
    col: Column | str, grammar: str = "uri", zone_ids: bool = False, fields: Sequence[str] | None = None
) -> Column:
    """The verdict on a URI and its components: a struct of valid, scheme, authority, userinfo, host,
    host_kind, port, path, query and fragment, and of scheme_specific_part, opaque and authority_kind, which
    only the grammars rfc2396 and java have.

    The struct has the last three fields only with these grammars. ``fields`` picks some of the fields.
    """
    return _apply("parse_uri", col, grammar=grammar, zone_ids=zone_ids, fields=fields)


def uri_spans(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The verdict on a URI and the places of its components: a struct of valid, scheme_start, scheme_end and
    so on, which count bytes from the first; an end is the byte after the last one.
    """
    return _apply("uri_spans", col, grammar=grammar, zone_ids=zone_ids)


def uri_error(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The error of an invalid URI: a struct of kind, component, offset (in bytes) and message; NULL for a
    valid URI."""
    return _apply("uri_error", col, grammar=grammar, zone_ids=zone_ids)


def normalize_uri(
    col: Column | str, form: str = "syntax", grammar: str = "uri", zone_ids: bool = False
) -> Column:
    """The normal form of a URI (RFC 3986 section 6.2.2; with the form scheme also 6.2.3), which equivalent
    URIs share; NULL for an invalid URI.

    ``form`` is ``"syntax"`` or ``"scheme"``.
    """
    return _apply("normalize_uri", col, form=form, grammar=grammar, zone_ids=zone_ids)


def resolve_uri(
    base: Column | str, col: Column | str, grammar: str = "uri-reference", zone_ids: bool = False
) -> Column:
    """The URI that a reference refers to (RFC 3986 section 5); NULL if the reference or the base is invalid.

    ``base`` is the base URI as a ``str``, or a column of bases.
    """
    return _apply_with_base("resolve_uri", base, col, grammar=grammar, zone_ids=zone_ids)


def relativize_uri(
    base: Column | str, col: Column | str, grammar: str = "uri-reference", zone_ids: bool = False
) -> Column:
    """A reference from a base to a URI, which resolve_uri turns into the URI again; NULL if the URI or the
    base is invalid.

    ``base`` is the same as in :func:`resolve_uri`.
    """
    return _apply_with_base("relativize_uri", base, col, grammar=grammar, zone_ids=zone_ids)


def suggest_uri(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """An invalid URI, repaired, if only one repair is likely; NULL for a valid URI, and for one without such a
    repair."""
    return _apply("suggest_uri", col, grammar=grammar, zone_ids=zone_ids)


def to_uri(col: Column | str, grammar: str = "iri", zone_ids: bool = False) -> Column:
    """The URI of an IRI: characters beyond ASCII are percent-encoded (RFC 3987 section 3.1); NULL for an
    invalid IRI."""
    return _apply("to_uri", col, grammar=grammar, zone_ids=zone_ids)


def uri_host(
    col: Column | str, grammar: str = "uri", zone_ids: bool = False, default_scheme: str | None = None
) -> Column:
    """The host of a URI, unchanged; NULL for an invalid URI, and for one without a host.

    With ``default_scheme``, a string may also begin with its host (``example.com/a``).
    """
    return _apply("uri_host", col, grammar=grammar, zone_ids=zone_ids, default_scheme=default_scheme)


def uri_host_reversed(
    col: Column | str, grammar: str = "uri", zone_ids: bool = False, default_scheme: str | None = None
) -> Column:
    """The labels of a URI's host in reverse order (com.example.www), in its normal form; NULL if the URI is
    invalid, or its host is no name.

    ``default_scheme`` is the same as in :func:`uri_host`.
    """
    return _apply("uri_host_reversed", col, grammar=grammar, zone_ids=zone_ids, default_scheme=default_scheme)


def uri_host_ascii(
    col: Column | str, grammar: str = "uri", zone_ids: bool = False, default_scheme: str | None = None
) -> Column:
    """The host of a URI in ASCII: a name beyond ASCII in Punycode, by UTS 46 as browsers look it up; NULL if
    the URI is invalid or has no host, or if UTS 46 forbids the name.

    ``default_scheme`` is the same as in :func:`uri_host`.
    """
    return _apply("uri_host_ascii", col, grammar=grammar, zone_ids=zone_ids, default_scheme=default_scheme)


def uri_report(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """Counts the valid records, and the errors of the others by their kinds: a struct of records, valid, invalid,
    empty, nulls and errors, a map from the kinds of errors to their numbers.

    This is an aggregate of Spark's own functions over :func:`uri_error`, for ``agg`` and ``select``. Spark has no
    way to register such a function for SQL.
    """
    urls = F.col(col) if isinstance(col, str) else col
    kind = uri_error(urls, grammar, zone_ids)["kind"]
    of_kinds = ((F.lit(name), F.count(F.when(kind == name, 1))) for name in error_kinds())
    counts = {
        "records": F.count(urls),
        "valid": F.count(urls) - F.count(kind),
        "invalid": F.count(kind),
        "empty": F.count(F.when(F.octet_length(urls) == 0, 1)),
        "nulls": F.count(F.when(urls.isNull(), 1)),
        "errors": F.map_filter(F.create_map(*itertools.chain.from_iterable(of_kinds)), lambda _, count: count > 0),
    }
    of_column = col if isinstance(col, str) else "uri"
    return F.struct(*(count.alias(name) for name, count in counts.items())).alias(f"uri_report({of_column})")


def uri_surt(col: Column | str) -> Column:
    """The key of a URL in the indexes of web archives (SURT), as Python's surt 0.3.1 makes it; NULL for a
    string without a key."""
    return _apply("uri_surt", col)


def uri_suffix(
    col: Column | str,
    private: bool = False,
    grammar: str = "uri",
    zone_ids: bool = False,
    default_scheme: str | None = None,
) -> Column:
    """The public suffix of a URI's host (co.uk), in lower case; NULL if the URI is invalid, lacks a host, or
    has an IP address.

    With ``private``, suffixes of companies (``github.io``) also count.
    """
    options = {"private": private, "grammar": grammar, "zone_ids": zone_ids, "default_scheme": default_scheme}
    return _apply("uri_suffix", col, **options)


def uri_domain(
    col: Column | str,
    private: bool = False,
    grammar: str = "uri",
    zone_ids: bool = False,
    default_scheme: str | None = None,
) -> Column:
    """The registered domain of a URI's host (example.co.uk), in lower case: the public suffix and one more
    label; NULL if the suffix is NULL, or the host is a suffix itself.

    ``private`` is the same as in :func:`uri_suffix`.
    """
    options = {"private": private, "grammar": grammar, "zone_ids": zone_ids, "default_scheme": default_scheme}
    return _apply("uri_domain", col, **options)


def parse_url(col: Column | str, part: Column | str, key: Column | str | None = None) -> Column:
    """A part of a URL, as Spark's function of this name returns it in ANSI mode; an invalid URL is an error.

    ``part`` is PROTOCOL, AUTHORITY, USERINFO, HOST, PATH, QUERY, REF or FILE; as in Spark, any other part is
    NULL. With QUERY, ``key`` picks the value of one parameter. Like Spark's, it is a regular expression;
    syntax that only Java supports is an error. Both are a ``str``, or columns as in Spark: ``F.lit("HOST")``.
    """
    return _apply_parse_url("parse_url", col, part, key)


def try_parse_url(col: Column | str, part: Column | str, key: Column | str | None = None) -> Column:
    """A part of a URL, as Spark's function of this name returns it; NULL for an invalid URL.

    The arguments are those of :func:`parse_url`.
    """
    return _apply_parse_url("try_parse_url", col, part, key)


def host_in(col: Column | str, list: str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """Whether a list has the host of a URI; false for an invalid URI, and for one without a host.

    ``list`` has a name a line, or names between spaces; ``.example.com`` is this name and all below. It may
    also have the lines of hosts files and the domains of adblock lists.
    """
    return _apply("host_in", col, list=list, grammar=grammar, zone_ids=zone_ids)


def url_extract_protocol(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The scheme of a URI; NULL for an invalid URI, and for one without a scheme.

    This is Presto's name of the scheme.
    """
    return _apply("url_extract_protocol", col, grammar=grammar, zone_ids=zone_ids)


def url_extract_host(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The host of a URI; NULL for an invalid URI, and for one without a host."""
    return _apply("url_extract_host", col, grammar=grammar, zone_ids=zone_ids)


def url_extract_port(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The port of a URI as a number; NULL for an invalid URI, for one without a port, and if the port is
    empty or does not fit into 64 bits."""
    return _apply("url_extract_port", col, grammar=grammar, zone_ids=zone_ids)


def url_extract_path(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The path of a URI; NULL for an invalid URI."""
    return _apply("url_extract_path", col, grammar=grammar, zone_ids=zone_ids)


def url_extract_query(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The query of a URI; NULL for an invalid URI, and for one without a query."""
    return _apply("url_extract_query", col, grammar=grammar, zone_ids=zone_ids)


def url_extract_fragment(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The fragment of a URI; NULL for an invalid URI, and for one without a fragment."""
    return _apply("url_extract_fragment", col, grammar=grammar, zone_ids=zone_ids)


def url_extract_parameter(
    col: Column | str, name: Column | str, grammar: str = "uri", zone_ids: bool = False
) -> Column:
    """The value of the first parameter of a name in the query of a URI, decoded: '' if it has no =; NULL for
    an invalid URI, and for one without the parameter.

    ``name`` is a ``str``, or a column of names.
    """
    options = {"grammar": grammar, "zone_ids": zone_ids}
    if isinstance(name, str):
        return _apply("url_extract_parameter", col, name=name, **options)
    urls = F.col(col) if isinstance(col, str) else col
    function = functools.partial(_sql.call_with_texts, "url_extract_parameter", ["name"], **options)
    return _apply_to("url_extract_parameter", function, [urls], options, [name])


def url_extract_query_names(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The names of the parameters in the query of a URI, decoded, in their order; NULL for an invalid URI, and
    for one without a query."""
    return _apply("url_extract_query_names", col, grammar=grammar, zone_ids=zone_ids)


def url_parameters(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The parameters in the query of a URI, decoded: a map from each name to the value of its first parameter;
    NULL for an invalid URI, and for one without a query."""
    return _apply("url_parameters", col, grammar=grammar, zone_ids=zone_ids)


def url_parameters_all(col: Column | str, grammar: str = "uri", zone_ids: bool = False) -> Column:
    """The parameters in the query of a URI, decoded: a map from each name to the list of its values; NULL for
    an invalid URI, and for one without a query."""
    return _apply("url_parameters_all", col, grammar=grammar, zone_ids=zone_ids)


def with_components(
    df: DataFrame,
    column: str,
    prefix: str | None = None,
    fields: Sequence[str] | None = None,
    grammar: str = "uri",
    zone_ids: bool = False,
) -> DataFrame:
    """``df`` with additional columns at its end: the fields of :func:`parse_uri`, with a prefix before each
    name.

    ``column`` is the name of a column, or of a field of a struct (``"page.url"``). The default prefix is the
    name of this column or field and an underscore. ``fields`` picks the additional columns and their order.

    The components are those of RFC 3986. With ``grammar="java"`` they are those of Spark's ``parse_url``.

    It is an error if ``df`` already has a column with the same name. Like Spark, the check ignores case
    unless ``spark.sql.caseSensitive`` is set. All columns of ``df`` pass through Python, so a column whose
    type Spark cannot exchange with Python is an error, too.
    """
    fold = str if df.sparkSession.conf.get("spark.sql.caseSensitive").lower() == "true" else str.lower
    source, index = _source(df, column, fold)
    prefix = f"{column if source is df else source.columns[index]}_" if prefix is None else prefix
    options = {"grammar": grammar, "zone_ids": zone_ids, "fields": fields}
    function = functools.partial(_sql.call, "parse_uri", **options)
    added = [StructField(prefix + field.name, field.dataType) for field in _type_of(function).fields]
    taken = {fold(name) for name in df.columns}
    for field in added:
        if fold(field.name) in taken:
            raise ValueError(f"there is a column {field.name!r} already; give another prefix than {prefix!r}")
    for name, field in zip(df.columns, df.schema.fields):
        if _has_repeated_fields(field.dataType):
            raise ValueError(f"column {name!r} has a struct with two fields of one name; drop or cast it first")

    # mapInArrow needs a different name for each column, and reads a dot in a name as a field of a struct.
    names = {fold(name) for name in source.columns}
    rename = len(names) < len(source.columns) or any("." in name or "`" in name for name in names)
    if rename:
        source = source.toDF(*map(str, range(len(source.columns))))
    kept = source.schema.fields[: len(df.columns)]
    schema = StructType(kept + added)
    try:
        result = source.mapInArrow(functools.partial(_append, function, index, len(kept), schema.names), schema)
    except PySparkNotImplementedError as error:
        raise _no_exchange(df) or error
    return result.toDF(*df.columns, *(field.name for field in added)) if rename else result


def register(spark: SparkSession, replace_parse_url: bool = False) -> None:
    """Registers the functions of this module for SQL in a Spark session, except ``parse_url``,
    ``try_parse_url`` and ``uri_report``, and ``uri_suffix_list_date()``, the date of the public suffix list.

    The SQL functions take the same arguments in the same order, without ``zone_ids``. The grammar, the form
    and ``private`` are constants; the base and the name of a parameter are constants or columns. With every
    grammar, ``parse_uri`` returns the fields of ``java``, which has the fields of all grammars. A field that
    the grammar does not have is NULL.

    With ``replace_parse_url``, this package's ``parse_url`` and ``try_parse_url`` replace Spark's own
    functions for the rest of the Spark session. From Spark 4.2 on, Spark prefers its own functions to those
    of the session unless ``spark.sql.functionResolution.sessionOrder`` is ``first``, so ``register`` sets
    this option.
    """
    of_spark = ("parse_url", "try_parse_url")
    for name, function in _sql.FUNCTIONS.items():
        if name not in of_spark:
            _register(spark, name, functools.partial(_sql.call_in_sql, name), arrays=function["columns"])
    spark.udf.register("uri_suffix_list_date", functools.partial(str, PUBLIC_SUFFIX_LIST_DATE))
    if replace_parse_url:
        spark.conf.set("spark.sql.functionResolution.sessionOrder", "first")
        for name in of_spark:
            _register(spark, name, functools.partial(_sql.call_in_sql, f"spark_{name}"))


def _apply(name, col, /, **options):
    urls = F.col(col) if isinstance(col, str) else col
    return _apply_to(name, functools.partial(_sql.call, name, **options), [urls], options)


def _apply_parse_url(name, col, part, key):
    urls = F.col(col) if isinstance(col, str) else col
    if isinstance(part, str) and (key is None or isinstance(key, str)):
        function = functools.partial(_sql.call, f"spark_{name}", part=part, key=key)
        return _apply_to(name, function, [urls], {"part": part, "key": key})
    chosen = [F.lit(one) if isinstance(one, str) else one for one in (part, key) if one is not None]
    options = ["part", "key"][: len(chosen)]
    return _apply_to(name, functools.partial(_sql.call_with_texts, f"spark_{name}", options), [urls], {}, chosen)


def _apply_with_base(name, base, col, **options):
    urls = F.col(col) if isinstance(col, str) else col
    if isinstance(base, (str, bytes)):
        function = functools.partial(_sql.call_with_base, name, base, **options)
        shown = base if isinstance(base, str) else base.decode(errors="backslashreplace")
        return _apply_to(name, function, [urls], {"base": shown, **options})
    return _apply_to(name, functools.partial(_sql.call_with_bases, name, **options), [base, urls], options)


def _apply_to(name, function, columns, options, names=()):
    """Applies a function to columns of records, and then columns of names."""
    returns = _type_of(function, len(columns) + len(names))
    if HAS_ARROW_UDFS:
        return _arrow_udf(name, function, returns)(*columns, *names, *_shown(options))
    # pandas supports no strings that are not UTF-8, and no NULL structs.
    binary = [_binary(column) for column in columns]
    result = _pandas_udf(name, function, returns)(*binary, *names, *_shown(options))
    if not isinstance(returns, StructType):
        return result
    return F.when((result["kind"] if name == "uri_error" else columns[0]).isNotNull(), result)


def _binary(column):
    """The bytes of a column of strings or binary values. Unlike other casts, these do not appear in a
    column's name.

    Spark 3.5 casts numbers to binary, too, except by ``try_cast``, for which Python has no function. Spark
    Connect has only the other cast.
    """
    if not pyspark.__version__.startswith("3.") or not hasattr(column, "_jc"):
        return F.call_function("binary", column)
    jvm = pyspark.SparkContext._active_spark_context._jvm
    expressions = jvm.org.apache.spark.sql.catalyst.expressions
    binary, session_zone = jvm.org.apache.spark.sql.types.DataTypes.BinaryType, jvm.scala.Option.empty()
    cast = expressions.Cast(column._jc.expr(), binary, session_zone, expressions.EvalMode.TRY())
    return pyspark.sql.Column(jvm.org.apache.spark.sql.Column(cast))


def _shown(options):
    """The options that differ from their defaults, as one literal. Spark shows the literal in the name of the
    column, as it shows all arguments."""
    shown = []
    for option, value in options.items():
        if value is True:
            shown.append(option)
        elif isinstance(value, str):
            shown += [value] if (option, value) not in _DEFAULTS else []
        elif value:
            shown += value
    return [F.lit(", ".join(shown))] if shown else []


_DEFAULTS = {("grammar", "uri"), ("grammar", "uri-reference"), ("form", "syntax")}


def _register(spark, name, function, arrays=1):
    returns = _type_of(function, arrays)
    if HAS_ARROW_UDFS:
        function = _arrow_udf(name, function, returns)
    elif isinstance(returns, StructType):
        function = F.udf(functools.partial(_by_row, function), returns)
    else:
        function = _pandas_udf(name, function, returns)
    spark.udf.register(name, function)


def _source(df, column, fold):
    """A data frame with the columns of `df` in which the URLs are a column, and the index of this column."""
    found = [index for index, name in enumerate(df.columns) if fold(name) == fold(column)]
    if len(found) > 1:
        raise ValueError(f"{len(found)} columns have the name {column!r}; rename all but one")
    if found:
        return df, found[0]
    try:
        # The name may be a field of a struct, which Spark finds.
        source = df.select("*", F.col(column))
        count = len(source.columns) - len(df.columns)
    except AnalysisException as error:
        raise ValueError(f'unknown column "{column}": expected one of {", ".join(df.columns)}') from error
    if count != 1:
        raise ValueError(f"expected one column, and {column!r} is {count}")
    return source, len(df.columns)


def _no_exchange(df):
    """An exception that names the first column whose type Spark cannot exchange with Python. Spark's own
    exception lists all types."""
    for name, field in zip(df.columns, df.schema.fields):
        try:
            df.mapInArrow(lambda batches: batches, StructType([field]))
        except PySparkNotImplementedError:
            type_name = field.dataType.simpleString()
            return ValueError(f"Spark cannot pass column {name!r} of type {type_name} to Python; drop or cast it first")
    return None


def _has_repeated_fields(data_type):
    if isinstance(data_type, StructType):
        parts = [field.dataType for field in data_type.fields]
        if len(set(data_type.names)) < len(data_type.names):
            return True
    elif isinstance(data_type, ArrayType):
        parts = [data_type.elementType]
    elif isinstance(data_type, MapType):
        parts = [data_type.keyType, data_type.valueType]
    else:
        parts = []
    return any(map(_has_repeated_fields, parts))


def _append(function, index, kept, names, batches):
    for batch in batches:
        components = function(batch.column(index))
        yield pa.RecordBatch.from_arrays(batch.columns[:kept] + components.flatten(), names=names)


def _type_of(function, arrays=1):
    """The type in Spark of the result of a function over this number of arrays. Bad arguments raise here,
    before a job starts."""
    return from_arrow_type(function(*[pa.array([], pa.string())] * arrays).type)


def _arrow_udf(name, function, returns):
    return F.arrow_udf(_named(name, function), returns, F.ArrowUDFType.SCALAR)


def _pandas_udf(name, function, returns):
    return F.pandas_udf(_named(name, functools.partial(_by_series, function)), returns, F.PandasUDFType.SCALAR)


def _named(name, function):
    """Sets the name of a function, which Spark uses in the names of columns."""
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
    return result.to_pandas(integer_object_nulls=True)


def _array(values):
    array = pa.array(values, from_pandas=True)
    return array.cast(pa.string()) if pa.types.is_null(array.type) else array
