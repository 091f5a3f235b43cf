"""The tests load the extension into the installed DuckDB. The variable EXTENSION names its file."""

import os
import pathlib

import duckdb
import pytest


def connect(path=":memory:"):
    """A separate database with the extension."""
    connection = duckdb.connect(path, config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{os.environ['EXTENSION']}'")
    return connection


# Before, DuckDB would crash if uri_report were a window function of a whole partition.
HAS_REPORTS = int(duckdb.__version__.split(".")[0]) >= 2


@pytest.fixture
def con():
    with connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def root():
    """The path of the checkout."""
    return pathlib.Path(__file__).resolve().parent.parent.parent
