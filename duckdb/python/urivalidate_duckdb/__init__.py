"""The DuckDB extension urivalidate, for Python's duckdb."""

from __future__ import annotations

import importlib.metadata
import os
import pathlib

import duckdb

__all__ = ["connect", "extension_path", "load"]
__version__ = importlib.metadata.version("urivalidate-duckdb")


def extension_path() -> pathlib.Path:
    """The path of the extension's file, for LOAD."""
    return pathlib.Path(__file__).resolve().parent / "urivalidate.duckdb_extension"


def load(connection: duckdb.DuckDBPyConnection) -> None:
    """Loads the extension into the database of a connection.

    The extension is not signed. Raises duckdb.Error, which contains DuckDB's advice, if the database was
    opened without the setting allow_unsigned_extensions.
    """
    path = str(extension_path()).replace("'", "''")
    connection.execute(f"LOAD '{path}'")


def connect(
    database: str | os.PathLike[str] = ":memory:",
    read_only: bool = False,
    config: dict[str, object] | None = None,
) -> duckdb.DuckDBPyConnection:
    """Like duckdb.connect, but loads the extension and sets allow_unsigned_extensions, which loading
    requires."""
    config = {"allow_unsigned_extensions": "true", **(config or {})}
    connection = duckdb.connect(database, read_only=read_only, config=config)
    try:
        load(connection)
    except BaseException:
        connection.close()
        raise
    return connection
