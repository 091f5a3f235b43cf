"""A program for type checkers. They must find only the errors that it marks."""

from typing import Callable

import numpy as np
import polars as pl
import pyarrow as pa
import urivalidate as uv
from urivalidate.jsonschema import formats
from urivalidate.polars import Uri
from urivalidate.pydantic import Uri as Uri3986
from urivalidate.pydantic import UriReference
from urivalidate.typing import Format, Grammar, Part


def hosts(urls: pl.Expr, grammar: Grammar) -> pl.Expr:
    return Uri(urls).host(grammar)


def verdicts(urls: pl.Series) -> pl.Series:
    return Uri(urls).is_valid()


def rows(path: str, log_format: Format) -> int:
    with uv.scan(path, format=log_format) as scan:
        return sum(len(batch["host"]) for batch in scan)


def link(page: Uri3986, icon: UriReference) -> str:
    return page + icon


schema_formats: dict[str, Callable[[object], bool]] = formats()
part: Part = "HOST"
for array in (pa.array(["a:b"]), pl.Series(["a:b"]), np.array(["a:b"])):
    column: uv.Column = uv.try_parse_url(array, part)[0:1]
components: dict[uv.Components, str | None] = {c: c.host for c in [uv.parse("a:b")]}
uv.is_valid("a:b", "url")  # type: ignore[arg-type]
uv.is_valid(1)  # type: ignore[arg-type]
uv.is_valid_uri(["a:b", None])
uv.is_valid_uri("a:b")  # type: ignore[arg-type]
uv.parse_uri(["a:b"], fields=["host"])
uv.parse_uri(["a:b"], fields="host")  # type: ignore[arg-type]
uv.scan("a.log", format="nginx", columns=["uri"])
uv.scan("a.log", columns="uri")  # type: ignore[arg-type]
