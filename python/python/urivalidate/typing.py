"""The types of arguments: literals and protocols.

>>> from typing import get_args
>>> from urivalidate.typing import Part
>>> get_args(Part)
('HOST', 'PATH', 'QUERY', 'REF', 'PROTOCOL', 'FILE', 'AUTHORITY', 'USERINFO')
"""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, Protocol, Union

__all__ = ["Array", "ArrowArray", "ArrowStream", "Emit", "File", "Form", "Format", "Grammar", "Names", "Only", "Part", "Readable"]

# The grammars, including alternative names.
Grammar = Literal[
    "uri",
    "uri-reference",
    "absolute-uri",
    "relative-ref",
    "rfc2396",
    "java",
    "iri",
    "iri-reference",
    "request-target",
    "rfc3986",
    "rfc3987",
]
# The formats of files, including alternative names.
Format = Literal[
    "auto",
    "lines",
    "heritrix",
    "cdx",
    "cdxj",
    "envoy",
    "elb",
    "s3",
    "haproxy",
    "common",
    "combined",
    "squid",
    "w3c",
    "zeek",
    "caddy",
    "jsonl",
    "har",
    "json",
    "csv",
    "tsv",
    "delimited",
    "pairs",
    "wat",
    "warc",
    "robots",
    "html",
    "xml",
    "markdown",
    "mdx",
    "quarto",
    "mail",
    "nt",
    "asciidoc",
    "rst",
    "text",
    "syslog",
    "cri",
    "docker",
    "journald",
    "kubernetes",
    "compose",
    "timestamps",
    "nginx",
    "apache",
    "iis",
    "qmd",
    "rmd",
    "nq",
]
# The kinds of rows that a scan returns.
Emit = Literal["components", "offsets", "errors"]
# The records for which a scan returns rows.
Only = Literal["valid", "invalid"]
# The normal forms.
Form = Literal["syntax", "scheme"]
# The parts of a URL, as Spark's parse_url names them.
Part = Literal["HOST", "PATH", "QUERY", "REF", "PROTOCOL", "FILE", "AUTHORITY", "USERINFO"]


class ArrowArray(Protocol):
    """An Arrow array, which supports the PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """A stream of Arrow arrays, which supports the PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class NumpyArray(Protocol):
    """A numpy array."""

    @property
    def dtype(self) -> Any: ...
    def tolist(self) -> Any: ...


class Readable(Protocol):
    """A file object that reads bytes."""

    def read(self, size: int, /) -> bytes: ...


# The arrays that functions take. A list or a tuple has str, bytes and None.
Array = Union[ArrowArray, ArrowStream, NumpyArray, "list[Any]", "tuple[Any, ...]"]
# Names of fields or columns. A single name is a list of one.
Names = Union["list[str]", "tuple[str, ...]"]
# The inputs of a scan.
File = Union[str, "PathLike[str]", Readable]
