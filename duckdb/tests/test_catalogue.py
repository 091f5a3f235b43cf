"""Compares the functions of the extension with the table of all functions in docs/functions.md."""

import re

import duckdb

# The catalogue has functions of columns alone.
OTHERS = {"uri_suffix_list_date": {(0, "VARCHAR")}}
# A function of DuckDB has one type, and DuckDB has functions of these names itself.
LEFT_OUT = {"parse_uri_field", "uri_spans_field", "uri_error_field", "url_encode", "url_decode"}
TYPES = {
    "boolean": "BOOLEAN",
    "64-bit integer": "BIGINT",
    "text": "VARCHAR",
    "struct": "STRUCT",
    "list of texts": "VARCHAR[]",
    "map of texts": "MAP",
    "map of lists": "MAP",
}
ROW = re.compile(r"\| `(\w+)\((.*?)\)` \| [^|]* \| ([^|]+) \| [^|]+ \|")


def functions_of(connection):
    """The number of parameters and the type of the result of each overload, by the names of the functions."""
    query = "SELECT function_name, len(parameters), return_type FROM duckdb_functions() WHERE function_type = 'scalar'"
    functions = {}
    for name, count, returns in connection.execute(query).fetchall():
        functions.setdefault(name, set()).add((count, (returns or "").partition("(")[0]))
    return functions


def test_the_functions_are_those_of_the_catalogue(con, root):
    table = (root / "docs" / "functions.md").read_text(encoding="utf-8")
    rows = list(filter(None, map(ROW.fullmatch, table.splitlines())))
    assert len(rows) > 20
    expected = {}
    for name, parameters, result in (row.groups() for row in rows):
        if name not in LEFT_OUT:
            all_of_them, optional = parameters.count(",") + 1, parameters.count("[")
            expected[name] = {(count, TYPES[result]) for count in range(all_of_them - optional, all_of_them + 1)}
    with duckdb.connect() as plain:
        of_duckdb = functions_of(plain)
    assert LEFT_OUT - of_duckdb.keys() == {name for name in LEFT_OUT if name.endswith("_field")}
    found = functions_of(con)
    assert {name: overloads for name, overloads in found.items() if name not in of_duckdb} == {**expected, **OTHERS}
    assert {name: found[name] for name in of_duckdb} == of_duckdb
