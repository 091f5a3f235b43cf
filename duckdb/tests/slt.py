"""Runs scripts in the format of sqllogictest with DuckDB's Python package.

It supports `statement ok`, `statement error` with the message (or a part of it) after the dashes, and `query
TYPES [rowsort]`. Like DuckDB's own runner, it compares results as text, with NULL and (empty). In expected
results, spaces stand for tabs.
"""

import re

import duckdb

TYPES = {"T": {"VARCHAR"}, "I": {"INTEGER", "BIGINT", "HUGEINT"}, "B": {"BOOLEAN"}}


def records(text):
    """The records of a script. Each has the line where it begins, its words, its SQL, and the expected lines."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at] or lines[at].startswith("#"):
            at += 1
            continue
        first, words, sql, expected = at + 1, lines[at].split(), [], []
        at += 1
        part = sql
        while at < len(lines) and lines[at]:
            if lines[at] == "----":
                part = expected
            else:
                part.append(lines[at])
            at += 1
        yield first, words, "\n".join(sql).rstrip(";"), expected


def cell(value):
    """A value as scripts write it."""
    if value is None:
        return "NULL"
    return value.replace("\0", "\\0") or "(empty)"


def run_query(connection, sql, types, is_sorted, expected):
    """Runs a query and compares its result."""
    of_result = connection.execute(f"DESCRIBE {sql}").fetchall()
    assert len(of_result) == len(types), f"{len(of_result)} columns, not {len(types)}"
    for (name, column_type, *_), letter in zip(of_result, types):
        if letter != "?":
            assert column_type in TYPES[letter], f"{name} is {column_type}, not {letter}"
    names = ", ".join(f"c{index}" for index in range(len(types)))
    texts = ", ".join(f"c{index}::VARCHAR" for index in range(len(types)))
    rows = connection.execute(f"SELECT {texts} FROM ({sql}) AS t({names})").fetchall()
    found = [" ".join(map(cell, row)) for row in rows]
    expected = [line.replace("\t", " ") for line in expected]
    if is_sorted:
        found.sort()
        expected.sort()
    assert found == expected, "\n".join(["found:", *found, "expected:", *expected])


def run(connection, text):
    """Runs a script and returns the number of its records. For the first record that fails, raises an
    AssertionError that names its line."""
    count = 0
    for line, words, sql, expected in records(text):
        try:
            match words:
                case ["require", "urivalidate"]:
                    continue
                case ["statement", "ok"]:
                    connection.execute(sql)
                case ["statement", "error"]:
                    try:
                        connection.execute(sql).fetchall()
                    except Exception as error:
                        # DuckDB adds the place in the query to the message.
                        message = re.sub(r"\s+", " ", str(error).split("\n\nLINE ")[0])
                        assert isinstance(error, duckdb.Error), error
                        assert "INTERNAL" not in message, message
                        assert " ".join(expected) in message, message
                    else:
                        raise AssertionError("there is no error")
                case ["query", types]:
                    run_query(connection, sql, types, False, expected)
                case ["query", types, "rowsort"]:
                    run_query(connection, sql, types, True, expected)
                case _:
                    raise AssertionError(f"unknown record {words}")
        except AssertionError as error:
            raise AssertionError(f"line {line}: {sql}\n{error}") from error
        except Exception as error:
            raise AssertionError(f"line {line}: {sql}\n{type(error).__name__}: {error}") from error
        count += 1
    return count
