"""Code that the SQL functions of all engines share. Functions take an Arrow array for each argument, and
return an array. Needs pyarrow."""

from __future__ import annotations

import functools

import pyarrow as pa
import pyarrow.compute as pc

import urivalidate as uv

from ._failure import without_row
from ._urivalidate import catalogue, spark_parse_url

# The functions of the catalogue, by their names. A function of SQL has one type, so functions of a field are
# not among them. DuckDB and Spark have functions to encode and decode URLs themselves.
FUNCTIONS = {
    function["name"]: function
    for function in catalogue()
    if not function["name"].endswith("_field") and function["name"] not in ("url_encode", "url_decode")
}


def call(name, array, /, *_, **options):
    """Calls a function of this package by its name, so that workers import the package themselves. Ignores
    arguments that Spark only shows in a column's name."""
    if name == "parse_uri":
        # Spark and DuckDB accept no dictionaries from Python.
        options["dictionary"] = False
    try:
        return pa.array(_function(name)(array, **options))
    except uv.InvalidURI as error:
        raise without_row(error) from None


def _function(name):
    """The function with this name. Spark's own ``parse_url`` and ``try_parse_url`` return NULL for a part
    that does not exist."""
    if name in ("spark_parse_url", "spark_try_parse_url"):
        return functools.partial(spark_parse_url, is_try=name == "spark_try_parse_url")
    if name == "report_row":
        return _report_row
    return getattr(uv, name)


def fewest_and_most(name):
    """The least and the greatest number of the arguments of a function in SQL."""
    columns, options = FUNCTIONS[name]["columns"], FUNCTIONS[name]["options"]
    return columns + sum(is_required for _, is_required, _ in options), columns + len(options)


def call_in_sql(name, *arguments):
    """Calls a function with its arguments in SQL, a column for each. Texts may differ between rows; other
    options must not."""
    function = FUNCTIONS[name.removeprefix("spark_")]
    columns, given = arguments[: function["columns"]], arguments[function["columns"] :]
    if len(given) > len(function["options"]):
        _, most = fewest_and_most(function["name"])
        raise ValueError(f"{name}: expected at most {most} arguments, got {len(arguments)}")
    texts, constants = {}, {}
    for (option, is_required, may_differ), rows in zip(function["options"], given):
        if may_differ:
            texts[option] = rows
        elif len(rows) > 0:
            constants[option] = _constant(option, rows)
    if any(is_required and option not in {*texts, *constants} for option, is_required, _ in function["options"]):
        # This call only asks for the type of the result.
        return pa.nulls(len(columns[0]), pa.bool_() if function["result"] == "boolean" else pa.string())
    if texts:
        return call_with_texts(name, list(texts), columns[0], *texts.values(), **constants)
    if len(columns) == 2:
        return pa.array(getattr(uv, name)(*columns, **constants))
    result = call(name, *columns, **constants)
    return _with_all_fields(result, columns[0].type) if name == "parse_uri" else result


def _constant(option, rows):
    values = rows.unique().to_pylist()
    if len(values) != 1 or values[0] is None:
        raise ValueError(f"expected one {option} for all rows, got {values}")
    return values[0]


def call_with_base(name, base, array, /, *_, **options):
    return pa.array(getattr(uv, name)(base, array, **options))


def call_with_bases(name, bases, array, /, *_, **options):
    """Calls a function with a column of bases. Ignores arguments that Spark only shows in a column's name."""
    return pa.array(getattr(uv, name)(bases, array, **options))


def _with_all_fields(parsed, type_of_urls):
    """Adds the fields that other grammars have: in SQL a function has one type. The grammar `java` has the
    fields of all grammars."""
    fields = _all_fields(type_of_urls)
    names = {field.name for field in parsed.type}
    columns = [parsed.field(field.name) if field.name in names else pa.nulls(len(parsed), field.type) for field in fields]
    return pa.StructArray.from_arrays(columns, fields=fields, mask=parsed.is_null())


@functools.lru_cache(maxsize=None)
def _all_fields(type_of_urls):
    return list(call("parse_uri", pa.array([], type_of_urls), grammar="java").type)


def call_with_texts(name, options, urls, /, *texts, **constants):
    """Calls a function with columns of texts for these options. In most queries, all rows have the same
    texts. Ignores further texts, which Spark only shows in a column's name."""
    texts = texts[: len(options)]
    of_all = [array.unique().to_pylist() for array in texts]
    if all(len(values) == 1 for values in of_all):
        choice = tuple(values[0] for values in of_all)
        return _with_choice(name, options, urls, choice, constants)

    rows_of = {}
    for row, choice in enumerate(zip(*(array.to_pylist() for array in texts))):
        rows_of.setdefault(choice, []).append(row)
    results, order = [], []
    for choice, rows in rows_of.items():
        order += rows
        results.append(_with_choice(name, options, urls.take(pa.array(rows)), choice, constants))
    places = [0] * len(urls)
    for place, row in enumerate(order):
        places[row] = place
    return pa.concat_arrays([pa.array([], pa.string()), *results]).take(pa.array(places, pa.int64()))


def _with_choice(name, options, urls, choice, constants):
    """The results for rows with the same texts."""
    if None in choice:
        return pa.nulls(len(urls), pa.string())
    return call(name, urls, **dict(zip(options, choice)), **constants)


# The type of a report.
_NUMBERS = ("records", "valid", "invalid", "empty", "nulls")
_REPORT = pa.struct([*((name, pa.int64()) for name in _NUMBERS), ("errors", pa.map_(pa.string(), pa.int64()))])


def report_rows(uris, grammars=None):
    """What each row adds to the report of its group: a word that the rows of a report count. Each row may have
    its own grammar."""
    if grammars is None:
        return call("report_row", uris)
    if grammars.null_count > 0:
        raise ValueError("the grammar is NULL")
    return call_with_texts("report_row", ["grammar"], uris, grammars)


def _report_row(uris, grammar="uri"):
    """The grammar, and ``null``, ``valid``, ``valid-empty`` or the kind of the error."""
    kinds = pc.struct_field(pa.array(uv.uri_error(uris, grammar)), "kind").cast(pa.string())
    valid = pc.if_else(pc.equal(pc.binary_length(uris), 0), "valid-empty", "valid")
    found = pc.if_else(pc.is_null(uris), "null", pc.coalesce(kinds, valid))
    return pc.binary_join_element_wise(grammar, found, " ")


def reports(counts):
    """The reports of maps from the words of :func:`report_rows` to their numbers."""
    return pa.array([_report(words or []) for words in counts.to_pylist()], _REPORT)


def _report(words):
    if len({word.partition(" ")[0] for word, _ in words}) > 1:
        raise ValueError("expected one grammar for all rows of a report")
    numbers = {word.partition(" ")[2]: number for word, number in words}
    nulls, plain, empty = (numbers.pop(word, 0) for word in ("null", "valid", "valid-empty"))
    valid, invalid = plain + empty, sum(numbers.values())
    empty += numbers.get("empty", 0)
    return dict(zip(_NUMBERS, (valid + invalid, valid, invalid, empty, nulls)), errors=sorted(numbers.items()))
