"""The tests load the file that EXTENSION names into the DuckDB that is installed."""

import os
import pathlib

import duckdb
import pytest


def connect(path=":memory:"):
    """A database of its own, with the extension."""
    connection = duckdb.connect(path, config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{os.environ['EXTENSION']}'")
    return connection


@pytest.fixture
def con():
    with connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return pathlib.Path(__file__).resolve().parent.parent.parent
